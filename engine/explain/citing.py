"""Which rules an answer rests on.

The rules *cited* are those of the proof (for a no: of the clauses that came closest), less
background sections; a rule that only lets a prohibition beat a permission is cited when that
happened.
"""

from __future__ import annotations

from ..book import PROHIBITION, rule_order
from ..model import Clause, Item, Literal
from .node import Node
from .tracing import Tracer


class Citer:
    """Rules cited over one book and one table."""

    def __init__(self, tracer: Tracer) -> None:
        self.tracer, self.book = tracer, tracer.book
        self._cited: dict[int, tuple[Node, frozenset[str]]] = {}
        self._telling_of: set[Item] = set()

    def cites(self, node: Node) -> tuple[str, ...]:
        """The rules cited for an answer, in rule order."""
        found = self._rules(node) or self._background(node)
        return tuple(sorted(found, key=rule_order))

    def _background(self, node: Node) -> set[str]:
        """Where nothing else decides, the background sections that do."""
        clause = node.clause
        out = {clause.rule} if clause and not self.book.sections[clause.rule].joins else set()
        for child in node.children:
            out |= self._background(child)
        return out

    def own_rules(self, node: Node) -> tuple[str, ...]:
        clauses = [node.clause] if node.clause else [c.clause for c in node.children if c.clause]
        found = {c.rule for c in clauses if c and self._counts(c, node)}
        return tuple(sorted(found, key=rule_order))

    def _counts(self, clause: Clause, node: Node) -> bool:
        """Background is not cited; what only joins verdicts, when a prohibition beat one."""
        section = self.book.sections.get(clause.rule)
        if section is None or section.stands_for:
            return False
        return not self.is_left_out(clause, node)

    def is_left_out(self, clause: Clause, node: Node) -> bool:
        """Whether a clause only lets a permission meet prohibitions, of which none beat it."""
        if not self.book.sections[clause.rule].joins:
            return False
        return node.holds or not any(
            isinstance(c.item, Literal) and self.book.role(c.item.name) == PROHIBITION and c.holds
            for tried in (node, *node.children)
            for c in tried.children
        )

    def _rules(self, node: Node) -> frozenset[str]:
        known = self._cited.get(id(node))
        if known is not None:
            return known[1]
        item = node.item
        new = isinstance(item, Literal) and item not in self._telling_of
        told = self.tracer.told(item) if isinstance(item, Literal) and new else []
        if told:
            self._telling_of.add(item)
        stop = bool(told) and not node.holds
        out: set[str] = set() if stop else set(self.own_rules(node))
        for each in [*told, *self.tracer.behind(node)]:
            out |= self._rules(each)
        if not stop:
            for each in (*node.children, *self.tracer.introduced(node)):
                out |= self._rules(each)
        if told:
            self._telling_of.discard(item)
        result = frozenset(out)
        self._cited[id(node)] = (node, result)
        return result

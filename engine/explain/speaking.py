"""Single steps of a reason in a book's words."""

from __future__ import annotations

from ..book import NOTHING, SILENT, Book, Sentence, fill
from ..model import Clause, Const, Count, Literal
from ..solvers import ground, put
from .node import Node
from .words import FREE, compared, denied, plain, shown


class Speaker:
    """The sentences of one book, for literals and for steps of proofs and refutations."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def said(self, literal: Literal, holds: bool, clause: Clause | None = None) -> Sentence:
        """A literal in the book's words, or ``""`` when the book has none for it."""
        spoken = self._spoken(literal.name)
        if spoken is None:
            return NOTHING
        yes, no, params = spoken
        pairs = zip(params, literal.args, strict=False)
        env = {name: str(term.value) for name, term in pairs if isinstance(term, Const)}
        text = yes if holds else no
        return NOTHING if text == SILENT else fill(text, env)

    def spelled(self, node: Node) -> Sentence:
        """A step in the best words there are: where a no has no sentence, by denying its yes."""
        text = self.sentence(node)
        literal = node.item
        if text or not isinstance(literal, Literal):
            return text
        text = self._in_trees(node, literal)
        if text:
            return text
        spoken = self._spoken(literal.name)
        if spoken and spoken[0] and spoken[0] != SILENT and node.holds == literal.negated:
            env = {n: shown(t) for n, t in zip(spoken[2], literal.args, strict=False)}
            return denied(fill(spoken[0], env))
        return plain(node)

    def _in_trees(self, node: Node, literal: Literal) -> Sentence:
        """What only trees say of a literal; of several denials the first that can be filled."""
        fact = self.book.vocabulary.facts.get(literal.name)
        predicate = self.book.predicates.get(literal.name)
        if fact:
            yes, denials, params = "", fact.tree_no, fact.args
        elif predicate:
            yes, denials, params = predicate.tree_yes, predicate.tree_no, predicate.params
        else:
            return NOTHING
        env = {n: shown(t) for n, t in zip(params, literal.args, strict=False)}
        if node.holds != literal.negated:
            return fill(yes, env)
        bound = {n: text for n, text in env.items() if text != FREE}
        for no in denials:
            if said := fill(no, bound):
                return said
        return denied(fill(yes, env)) if yes else NOTHING

    def _spoken(self, name: str) -> tuple[str, str, tuple[str, ...]] | None:
        """The sentences of a fact or predicate, and the names of its terms."""
        fact = self.book.vocabulary.facts.get(name)
        if fact:
            return fact.yes, fact.no, fact.args
        predicate = self.book.predicates.get(name)
        return (predicate.yes, predicate.no, predicate.params) if predicate else None

    def sentence(self, node: Node) -> Sentence:
        """A step in the book's words, or ``""``."""
        item = node.item
        if isinstance(item, Count):
            return self._counted(item, node)
        if not isinstance(item, Literal):
            return compared(item, node)
        if node.holds and node.clause and node.clause.yes == SILENT:
            return NOTHING
        if node.holds and node.clause and node.clause.yes:
            return fill(node.clause.yes, {k: str(v) for k, v in node.env.items()})
        return self.said(item.atom, node.holds != item.negated)

    def _counted(self, item: Count, node: Node) -> Sentence:
        """How often something is so."""
        number = put(item.result, node.env)
        shown_number = str(number.value) if isinstance(number, Const) else FREE
        counted = ground(
            item.literal, {k: v for k, v in node.env.items() if k != item.counted.name}
        )
        words = self._in_trees(Node(counted, True), counted) or self._open(counted)
        so = "is how often it is so" if node.holds else "is not how often it is so"
        return Sentence(f"{shown_number} {so} that {words or counted}")

    def _open(self, literal: Literal) -> Sentence:
        """A literal's yes, whatever it leaves open."""
        yes, _, params = self._spoken(literal.name) or ("", "", ())
        env = {n: shown(t) for n, t in zip(params, literal.args, strict=False)}
        return NOTHING if yes in ("", SILENT) else fill(yes, env)

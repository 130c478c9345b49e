"""Single steps of a reason in a book's words."""

from __future__ import annotations

from ..book import SILENT, Book, fill, holes
from ..model import Clause, Const, Literal
from .node import Node
from .words import NOT_SO, compared, plain, shown


class Speaker:
    """The sentences of one book, for literals and for steps of proofs and refutations."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def said(self, literal: Literal, holds: bool, clause: Clause | None = None) -> str:
        """A literal in the book's words, or ``""`` when the book has none for it."""
        spoken = self._spoken(literal.name)
        if spoken is None:
            return ""
        yes, no, params = spoken
        pairs = zip(params, literal.args, strict=False)
        env = {name: str(term.value) for name, term in pairs if isinstance(term, Const)}
        text = yes if holds else no
        return "" if text == SILENT else fill(text, env)

    def spelled(self, node: Node) -> str:
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
            return f"{NOT_SO} {fill(spoken[0], env)}"
        return plain(node)

    def _in_trees(self, node: Node, literal: Literal) -> str:
        """What only trees say of a literal, or ``""``."""
        fact = self.book.vocabulary.facts.get(literal.name)
        predicate = self.book.predicates.get(literal.name)
        if fact:
            yes, no, params = "", fact.tree_no, fact.args
        elif predicate:
            yes, no, params = predicate.tree_yes, predicate.tree_no, predicate.params
        else:
            return ""
        env = {n: shown(t) for n, t in zip(params, literal.args, strict=False)}
        if no and "…" in (env[n] for n in holes(no)):
            no = ""
        holds = node.holds != literal.negated
        if holds or no:
            return fill(yes if holds else no, env)
        return f"{NOT_SO} {fill(yes, env)}" if yes else ""

    def _spoken(self, name: str) -> tuple[str, str, tuple[str, ...]] | None:
        """The sentences of a fact or predicate, and the names of its terms."""
        fact = self.book.vocabulary.facts.get(name)
        if fact:
            return fact.yes, fact.no, fact.args
        predicate = self.book.predicates.get(name)
        return (predicate.yes, predicate.no, predicate.params) if predicate else None

    def sentence(self, node: Node) -> str:
        """A step in the book's words, or ``""``."""
        item = node.item
        if not isinstance(item, Literal):
            return compared(item, node)
        if node.holds and node.clause and node.clause.yes == SILENT:
            return ""
        if node.holds and node.clause and node.clause.yes:
            return fill(node.clause.yes, {k: str(v) for k, v in node.env.items()})
        return self.said(item.atom, node.holds != item.negated)

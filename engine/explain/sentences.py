"""Single steps of a reason in a book's words, and the lines that a reason is made of."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from ..book import NOTHING, PROHIBITION, SILENT, Book, Sentence, fill
from ..model import Clause, Comparison, Const, Count, Literal, Term
from ..solvers import Env, ground, put
from .node import Node

NOT_SO = "not so:"
FREE = "…"
"""What stands where nobody knows a value."""

_WORDS = {
    "==": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


class Line(NamedTuple):
    """One sentence of a reason: its depth, the text, the rules it rests on, whether it holds."""

    depth: int
    text: Sentence
    rules: tuple[str, ...]
    holds: bool


def once(lines: Sequence[Line]) -> list[Line]:
    """The lines, each sentence only the first time."""
    seen: dict[str, Line] = {}
    for line in lines:
        seen.setdefault(line.text, line)
    return list(seen.values())


def plain(node: Node) -> Sentence:
    """A step for which nobody wrote a sentence: the predicate's words, and what it is about."""
    literal = node.item
    assert isinstance(literal, Literal)
    about = ", ".join(shown(t) for t in ground(literal, node.env).args)
    text = f"{literal.name.replace('_', ' ')}: {about}"
    return Sentence(text if node.holds != literal.negated else f"{NOT_SO} {text}")


def named(env: Env) -> dict[str, str]:
    """What a sentence's holes are filled with."""
    return {name: str(value) for name, value in env.items()}


def refused(said: Sentence) -> Sentence:
    """A sentence that isn't so."""
    return Sentence(f"{NOT_SO} {said}", f"{NOT_SO} {said.template}", said.args)


def shown(term: Term) -> str:
    """A term in a sentence; nobody knows what a variable would be."""
    return str(term.value) if isinstance(term, Const) else FREE


def compared(item: Comparison, node: Node) -> Sentence:
    """A comparison in words."""
    left, right = put(item.left, node.env), put(item.right, node.env)
    op = item.op if node.holds else _OPPOSITE[item.op]
    return Sentence(f"{_value(left)} {_WORDS[op]} {_value(right)}")


def _value(term: Term) -> str:
    return str(term.value) if isinstance(term, Const) else repr(term)


def said(line: Line, names: Collection[str] = ()) -> str:
    """A sentence with its rule numbers in brackets; a name of one word keeps its small letter."""
    text = str(line.text)
    first = text.partition(" ")[0].removesuffix("'s")
    if first not in names and " " in text.partition("(")[0]:
        text = text[:1].upper() + text[1:]
    return f"{text} ({', '.join(line.rules)})" if line.rules else text


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
        if text == SILENT:
            return NOTHING
        said = fill(text, env)
        return said if said or holds or not text else self._loosely(literal.name, env)

    def _loosely(self, name: str, env: Mapping[str, str]) -> Sentence:
        """The first denial that can be said of something left open."""
        speaker = self.book.vocabulary.facts.get(name) or self.book.predicates.get(name)
        denials = speaker.tree_no if speaker else ()
        return next((said for no in denials if (said := fill(no, env))), NOTHING)

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
            return refused(fill(spoken[0], env))
        return plain(node)

    def _in_trees(self, node: Node, literal: Literal) -> Sentence:
        """What only trees say of a literal; of several denials the first that can be filled."""
        fact = self.book.vocabulary.facts.get(literal.name)
        predicate = self.book.predicates.get(literal.name)
        if fact:
            yes, params = "", fact.args
        elif predicate:
            yes, params = predicate.tree_yes, predicate.params
        else:
            return NOTHING
        env = {n: shown(t) for n, t in zip(params, literal.args, strict=False)}
        if node.holds != literal.negated:
            return fill(yes, env)
        bound = {n: text for n, text in env.items() if text != FREE}
        if said := self._loosely(literal.name, bound):
            return said
        return refused(fill(yes, env)) if yes else NOTHING

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
        if node.holds and node.clause and (text := self._own(node.clause)):
            return fill(text, named(node.env))
        return self.said(item.atom, node.holds != item.negated)

    def _own(self, clause: Clause) -> str:
        """A clause's own words, if it has some.

        A prohibition never borrows those of another section: what that forbids is something else.
        """
        if clause.yes or self.book.role(clause.head.name) != PROHIBITION:
            return clause.yes
        if clause.no:
            return clause.no
        first = self.book.clauses_of(clause.head.name)[0]
        title = self.book.sections[clause.rule].title
        named = f'what stands under "{title}" forbids it'
        return named if first.rule != clause.rule and title and "{" not in title else ""

    def but(self, node: Node) -> Sentence:
        """What a refuted clause says of a comparison that fails in it."""
        clause = node.clause
        if not (clause and clause.but) or node.holds:
            return NOTHING
        failing = any(not isinstance(c.item, Literal) for c in node.children)
        return fill(clause.but, named(node.env)) if failing else NOTHING

    def denied(self, node: Node) -> Sentence:
        """A step in the words of the book, those of trees included, or ``""``."""
        literal = node.item
        if not isinstance(literal, Literal):
            return NOTHING
        predicate = self.book.predicates.get(literal.name)
        if predicate and predicate.bookkeeping:
            return NOTHING
        return self.sentence(node) or self._in_trees(node, literal)

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

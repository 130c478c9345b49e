"""Put single steps into words: holes filled, comparisons spoken."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ..book import Sentence
from ..model import Comparison, Const, Literal, Term
from ..solvers import ground, put
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
    """One sentence of a reason: its depth, the text, the rules it rests on, whether it holds.

    A ``bare`` one is a comparison, for which nobody wrote words.
    """

    depth: int
    text: Sentence
    rules: tuple[str, ...]
    holds: bool
    bare: bool = False


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


def denied(said: Sentence) -> Sentence:
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

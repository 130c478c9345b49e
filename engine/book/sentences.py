"""Sentences with holes: what a fact or a step says once names stand in them.

A hole is a term's name in braces: ``{Player} attacks {Target}``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Self

from ..model import Row
from .vocabulary import Fact

SILENT = "-"
"""A sentence that isn't said."""

HOLE = re.compile(r"\{(\w*)\}")
_NOUN_AND_HOLE = re.compile(r"(?:\b(\w+) )?\{(\w+)\}")


class Sentence(str):
    """A text that still knows its template, like ``{Player} attacks {Target}``, and its holes."""

    template: str
    args: Mapping[str, str]

    def __new__(cls, text: str, template: str = "", args: Mapping[str, str] | None = None) -> Self:
        made = super().__new__(cls, text)
        made.template = template or text.replace("{", "{{").replace("}", "}}")
        made.args = dict(args or {})
        return made

    def __getnewargs__(self) -> tuple[str, str, Mapping[str, str]]:  # type: ignore[override]
        return str(self), self.template, self.args


NOTHING = Sentence("")
"""What is said where a book has no words."""


_ARTICLES = {"a": "an", "A": "An"}
_VOWELS = ("a", "e", "i", "o", "u")


def holes(text: str) -> list[str]:
    """The names of a sentence's holes, in its order."""
    return HOLE.findall(text)


def in_braces(text: str, hole: str) -> str:
    """The key under which the place of a sentence's hole is kept, beside the sentence's own."""
    return f"{text}\n{{{hole}}}"


def without_holes(text: str) -> str:
    """What is left of a sentence when its holes are cut out."""
    return HOLE.sub("", text)


def fill(text: str, env: Mapping[str, str]) -> Sentence:
    """A sentence with its holes filled; an empty one when nobody knows what belongs in a hole."""
    own = holes(text)
    if not {*own} <= set(env):
        return NOTHING
    said = _NOUN_AND_HOLE.sub(lambda found: _filled(found[1], env[found[2]]), text)
    return Sentence(said, text, {name: env[name] for name in own})


def sentence(fact: Fact, row: Row) -> Sentence:
    """A fact in its own words."""
    text = fact.yes or f"{fact.name}({', '.join('{' + a + '}' for a in fact.args)})"
    return fill(text, dict(zip(fact.args, map(str, row), strict=True)))


def denial(fact: Fact, row: Row) -> str:
    """That a fact isn't so, in its own words where it has some for that."""
    env = dict(zip(fact.args, map(str, row), strict=True))
    said = (fill(text, env) for text in (fact.no, *fact.tree_no[:1]) if text.strip(SILENT))
    return next(said, NOTHING) or f"nothing said that {sentence(fact, row)}"


def _filled(noun: str | None, value: str) -> str:
    """A value behind the word before it; ``team`` isn't said again before ``Team A``."""
    if noun in _ARTICLES:
        article = _ARTICLES[noun] if value[:1].casefold() in _VOWELS else noun
        return f"{article} {value}"
    if noun is None or value.casefold().startswith(f"{noun.casefold()} "):
        return value
    return f"{noun} {value}"

"""What is at a place, where it is defined and where it is named, and what a file holds.

All of it is read from the texts, so that it is found in a book with faults as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ..errors import Place
from ..language import PREDICATE, Word
from ..model import Clause
from .desk import VOCABULARY, Desk, Edition, parts, standing

MOST_LISTED = 1_000
"""So many sections of a file are listed at most, and so many entries of each are looked at."""
_NUMBER = re.compile(r"[0-9A-Za-z][0-9A-Za-z.]*")


class Spot(NamedTuple):
    """A place in a file."""

    path: Path
    place: Place


class Symbol(NamedTuple):
    """A section of a file, or a predicate that it defines, with its first and its last line."""

    name: str
    place: Place
    last: int
    inner: tuple[Symbol, ...] = ()


def word_at(desk: Desk, text: str, file: str, line: int, column: int) -> Word | None:
    """The name at a place of a text, or just before it."""
    for word in desk.words(text, file):
        at = word.place
        if at.line == line and at.column <= column <= at.column + at.width:
            return word
    return None


def number_at(text: str, line: int, column: int) -> str:
    """What could be a rule's number, in a comment at a place of a text."""
    lines = text.split("\n")
    said = lines[line - 1] if 0 < line <= len(lines) else ""
    for found in _NUMBER.finditer(said, max(0, said.find("#"))):
        if "#" in said and found.start() < column <= found.end() + 1:
            return found[0].rstrip(".")
    return ""


def definitions(desk: Desk, edition: Edition, name: str) -> list[Spot]:
    """The clauses that have a predicate for their head, or where a fact is declared."""
    found = [
        Spot(edition.paths[clause.place.file], clause.spots[0]._replace(width=len(name)))
        for clause in clauses(desk, edition)
        if clause.head.name == name
    ]
    text = edition.texts[VOCABULARY]
    declared = (w for w in desk.words(text, VOCABULARY) if w.head and w.note and w.text == name)
    return found + [Spot(edition.paths[VOCABULARY], word.place) for word in declared]


def heading(desk: Desk, edition: Edition, number: str) -> list[Spot]:
    """Where a section begins, in each of its files."""
    found = standing(desk, edition).get(number, ())
    return [Spot(edition.paths[part.file], part.heading.place) for part in found]


def references(desk: Desk, edition: Edition, name: str) -> list[Spot]:
    """Every place at which a predicate is named, in the files of an edition and of its base."""
    return [
        Spot(edition.paths[file], word.place)
        for file, text in edition.texts.items()
        if name in text
        for word in desk.words(text, file)
        if word.kind == PREDICATE and word.text == name
    ]


def clauses(desk: Desk, edition: Edition) -> Iterator[Clause]:
    """The clauses of the sections that stand, under the numbers that those have there."""
    for number, found in standing(desk, edition).items():
        for part in found:
            for entry in part.entries:
                if isinstance(entry, Clause):
                    yield entry._replace(rule=number)


def symbols(desk: Desk, text: str, file: str) -> list[Symbol]:
    """The sections of a text with the predicates that they define."""
    out = []
    for part in islice(parts(desk.read(text, file), file), MOST_LISTED):
        inner: dict[str, Symbol] = {}
        for entry in part.entries[:MOST_LISTED]:
            if isinstance(entry, Clause):
                at, name = entry.spots[0], entry.head.name
                inner.setdefault(name, Symbol(name, at._replace(width=len(name)), at.line))
        title = f"{part.heading.number}  {part.heading.title}".rstrip()
        out.append(Symbol(title, part.heading.place, part.last, tuple(inner.values())))
    return out

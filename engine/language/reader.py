"""Read clause files: sections, notes and clauses in the order they stand.

A file is a list of entries. ``## 5.2  Title`` opens a section, ``# key: text`` is a note on what
follows, everything else is clauses. Nothing is executed and every size is capped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import Place, SeatlogError, TextError, did_you_mean
from ..model import Clause, Item, Literal, Row, Statement
from .files import Source
from .lines import Statement as Logical
from .lines import source, statements
from .syntax import Parsed, Parser, read

NOTES = {
    "text": "section",
    "left out": "section",
    "stands for": "section",
    "yes": "clause",
    "no": "clause",
    "tree yes": "clause",
    "tree no": "clause",
    "bookkeeping": "clause",
    "tells": "clause",
    "doubt": "clause",
    "walk": "clause",
    "alarm": "clause",
    "verb": "clause",
    "becomes": "clause",
    "ends": "clause",
    "goes": "clause",
    "role": "vocabulary",
    "sort": "vocabulary",
    "fact": "vocabulary",
    "key": "vocabulary",
    "names": "vocabulary",
    "table": "vocabulary",
    "about": "vocabulary",
    "default": "vocabulary",
    "command": "vocabulary",
    "prefer": "vocabulary",
    "momentary": "vocabulary",
}
_SECTION = re.compile(r"##\s+(\S+)(?:\s+(.+))?$")
_NOTE = re.compile(r"#\s([A-Za-z][A-Za-z ]{0,15}):(?:\s+(.+))?$")
MAX_ERRORS = 50
_STRAY = re.compile(r"#\s*([a-z][a-z ]*?)\s*:")


class Note(NamedTuple):
    """``# key: text`` and where it stands."""

    key: str
    text: str
    place: Place
    column: int


class Heading(NamedTuple):
    """``## number  title``."""

    number: str
    title: str
    place: Place


Entry = Note | Heading | Clause


class Reading(NamedTuple):
    """The entries of one file and everything that was wrong with it."""

    source: Source
    entries: tuple[Entry, ...]
    errors: tuple[SeatlogError, ...]


def read_clauses(text: str, file: str) -> Reading:
    """Every entry of a clause file, with all its errors instead of the first."""
    try:
        src = source(text, file)
    except TextError as error:
        return Reading(Source(file, ()), (), (error,))
    entries: list[Entry] = []
    errors: list[SeatlogError] = []
    rule = ""
    for statement in statements(text, src):
        if len(errors) >= MAX_ERRORS:
            break
        if isinstance(statement, TextError):
            errors.append(statement)
            continue
        try:
            entry = _comment(statement, src) if statement.text[0] == "#" else None
            if statement.text[0] != "#":
                parsed = read(statement, src, Parser.clause)
                assert isinstance(parsed, Parsed)
                if not rule:
                    raise TextError(
                        "a clause that stands under no rule",
                        place=src.at(statement.line),
                        hint="put `## number  title` above it",
                        code="S13",
                    )
                entry = Clause(parsed.head, parsed.body, rule, parsed.place, spots=parsed.spots)
        except TextError as error:
            errors.append(error)
            continue
        if isinstance(entry, Heading):
            rule = entry.number
        if entry is not None:
            entries.append(entry)
    return Reading(src, tuple(entries), tuple(errors))


def _comment(statement: Logical, src: Source) -> Entry | None:
    text, line = statement.text.rstrip(), statement.line
    if text.startswith("##"):
        heading = _SECTION.match(text)
        if not heading:
            raise TextError(
                "a section heading without a number",
                place=src.at(line, 1, len(text)),
                hint="write: ## number  title",
                code="S12",
            )
        return Heading(heading[1], heading[2] or "", src.at(line, 1, len(text)))
    note = _NOTE.match(text)
    if not note or not statement.comment:
        stray = _STRAY.match(text)
        if stray and stray[1] in NOTES:
            raise TextError(
                f"a note that would be taken for a comment: {stray[1]}",
                place=src.at(line),
                hint=f"write it at the left margin with one space: # {stray[1]}: …",
                code="S12",
            )
        return None
    key = note[1]
    if key not in NOTES:
        raise TextError(
            f"no note is called {key!r}",
            place=src.at(line, 3, len(key)),
            hint=did_you_mean(key, NOTES)
            or "a plain comment has no colon: known are " + ", ".join(sorted(NOTES)),
            code="S12",
        )
    return Note(key, note[2] or "", src.at(line, 1, len(text)), (note.start(2) + 1) or 1)


def note_literal(note: Note, src: Source) -> Literal:
    """A note's text as a literal, like ``# tells: knows(Person, Other)``."""
    literal = read(Logical(note.text, note.place.line), src, _one_literal, note.column - 1)
    assert isinstance(literal, Literal)
    return literal


def _one_literal(parser: Parser) -> Literal:
    return parser.terms.literal(parser.terms.expression())


def read_question(text: str) -> tuple[Item, ...]:
    """A question: literals and comparisons joined by ``&``. Raises TextError."""
    src = source(text.strip(), "question")
    found = list(statements(text.strip(), src))
    for each in found:
        if isinstance(each, TextError):
            raise each
    logical = [s for s in found if isinstance(s, Logical) and s.text[0] != "#"]
    if len(logical) != 1:
        raise TextError(
            "a question is one line of literals",
            place=src.at(1),
            hint="join literals with `&`",
            code="S03",
        )
    question = read(logical[0], src, Parser.question)
    assert isinstance(question, tuple)
    return question


def read_facts(text: str, src: Source, first: int = 1) -> list[Statement]:
    """All of ``each_fact``."""
    return list(each_fact(text, src, first))


def each_fact(text: str, src: Source, first: int = 1) -> Iterator[Statement]:
    """Ground facts in clause syntax, one a line. Raises TextError at the first that is none.

    ``first`` is the line of ``src`` on which the text begins.
    """
    inner = Source(src.file, tuple(text.split("\n")))
    for each in statements(text, inner):
        if isinstance(each, TextError):
            raise each
        if each.text[0] == "#":
            continue
        moved = Logical(each.text, each.line + first - 1)
        parsed = read(moved, src, _whole_fact)
        assert isinstance(parsed, tuple)
        yield Statement(*parsed)


def _whole_fact(parser: Parser) -> tuple[str, Row, Place]:
    name, row = parser.fact()
    return name, row, parser.terms.place(parser.terms.expression())

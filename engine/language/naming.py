"""Where the names of a clause file stand: predicates and variables, those in notes included."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import Place
from ..model import Clause
from .lines import LogicalLine, statements
from .reader import NOTES, SENTENCES, Heading, Note, Reading

LITERALS = ("tells", "tells none", "doubt", "walk", "becomes", "ends")
"""The notes on a clause that hold a literal."""
DECLARED = ("fact", "default")
"""The notes of the vocabulary that do."""
NAMING = ("verb", "terms", "goes")
"""The notes on a clause that name its terms."""
PREDICATE, VARIABLE = "predicate", "variable"
COUNT = "count"

_TOKEN = re.compile(
    r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"
      |(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?P<call>\s*\()?|[0-9][A-Za-z0-9_]*""",
    re.VERBOSE,
)
_HOLE = re.compile(r"\{(\w+)\}")
_TERM = re.compile(r"[A-Z]\w*")


class Word(NamedTuple):
    """A name and where it stands.

    ``group`` is the line of the clause that it belongs to, 0 for none; ``head`` is whether it is
    the predicate that a clause or a declaration is about, ``note`` the key of the note it is in.
    """

    kind: str
    text: str
    place: Place
    group: int = 0
    head: bool = False
    note: str = ""


def words(text: str, reading: Reading) -> tuple[Word, ...]:
    """Every name in a text that has been read, in the order in which notes and clauses stand."""
    logical = {
        found.line: found
        for found in statements(text, reading.source)
        if isinstance(found, LogicalLine)
    }
    out: list[Word] = []
    above: list[Note] = []
    declaring = False
    for entry in reading.entries:
        if isinstance(entry, Note):
            declaring = declaring or entry.key == "fact"
            if declaring or NOTES[entry.key] != "clause":
                out += _noted(entry, reading, 0)
            else:
                above.append(entry)
            continue
        group = entry.place.line if isinstance(entry, Clause) else 0
        for note in above:
            out += _noted(note, reading, group)
        above, declaring = [], False
        if not isinstance(entry, Heading) and group in logical:
            out += _said(logical[group], reading)
    for note in above:
        out += _noted(note, reading, 0)
    return tuple(out)


def _said(statement: LogicalLine, reading: Reading) -> Iterator[Word]:
    """The names in a clause."""
    head = True
    line, start = statement.line, 0
    for found in _TOKEN.finditer(statement.text):
        name = found["name"]
        if not name:
            continue
        breaks = statement.text.count("\n", start, found.start())
        line, start = line + breaks, found.start()
        column = found.start() - statement.text.rfind("\n", 0, found.start())
        place = reading.source.at(line, column, len(name))
        if found["call"] and name != COUNT and name[0].islower():
            yield Word(PREDICATE, name, place, statement.line, head)
            head = False
        elif not name[0].islower():
            yield Word(VARIABLE, name, place, statement.line)


def _noted(note: Note, reading: Reading, group: int) -> Iterator[Word]:
    """The names in a note."""
    src = reading.source
    if note.key in (*LITERALS, *DECLARED):
        first = True
        for found in _TOKEN.finditer(note.text):
            name = found["name"]
            if name:
                kind = PREDICATE if found["call"] and name[0].islower() else VARIABLE
                place = note.at(src, found.start(), len(name))
                yield Word(kind, name, place, group, first and note.key == "fact", note.key)
                first = False
    elif note.key in SENTENCES:
        for found in _HOLE.finditer(note.text):
            place = note.at(src, found.start(1), len(found[1]))
            yield Word(VARIABLE, found[1], place, group, False, note.key)
    elif note.key in NAMING:
        for found in _TERM.finditer(note.text):
            place = note.at(src, found.start(), len(found[0]))
            yield Word(VARIABLE, found[0], place, group, False, note.key)

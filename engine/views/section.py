"""A section of a book as it stands in its files, read again from there.

A section may stand in several files. Where the files have changed since the book was read, or
can't be found, its clauses are laid out anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ..book import Book
from ..errors import Place, many
from ..language import Entry, Heading, Note, clause_lines, read_clauses
from ..model import Clause

_IN_HEAD = "left out"
"""The note that is said above a section's lines already."""

Marks = Mapping[tuple[str, int], str]


class _Stretch(NamedTuple):
    """What a file holds of a section: its heading, the lines below it by their numbers."""

    heading: Heading
    lines: dict[int, str]
    clauses: tuple[Clause, ...]


def section_lines(
    book: Book,
    number: str,
    texts: Mapping[str, str],
    marks: Marks,
    shown: Callable[[str], str],
    head: str = "",
) -> list[str]:
    """A section's title, where it stands, and its lines there.

    ``texts`` are the book's files, ``marks`` what is to be said behind the clauses that begin at a
    file's line, ``shown`` gives a file's name for people. With a ``head`` only that predicate's
    clauses are shown, with what stands above each, and the others counted.
    """
    about = book.sections[number]
    clauses = [clause for clause in book.clauses if clause.rule == number]
    own = [clause for clause in clauses if clause.head.name == head]
    place = own[0].place if own else about.place
    lines = [f"{number}  {about.title}", f"  {_at(place, shown)}"]
    lines += ["  background: only as far as other rules need it"] * about.stands_for
    lines += [f"  left out: {about.left_out}"] * bool(about.left_out)
    found = _stretches(about.place, clauses, texts)
    for at, stretch in enumerate(found):
        if at and not head:
            title = f"  {stretch.heading.title}" * (stretch.heading.title != about.title)
            lines += ["", f"  {_at(stretch.heading.place, shown)}{title}"]
        kept = _about(stretch, head) if head else stretch.lines
        lines += _numbered(stretch.heading.place.file, kept, marks)
    if not found:
        for clause in own if head else clauses:
            text = str(clause) if clause.body else f"+ {clause.head}"
            anew = dict(enumerate(clause_lines(text), clause.place.line))
            lines += _numbered(clause.place.file, anew, marks)
    others = len(clauses) - len(own) if head else 0
    lines += [f"  and {many(others, 'other clause')} of {number}"] * bool(others)
    return lines


def _about(stretch: _Stretch, head: str) -> dict[int, str]:
    """The lines of a predicate's clauses, and of what stands above each without a gap."""
    starts = {clause.place.line for clause in stretch.clauses}
    found: dict[int, str] = {}
    for clause in stretch.clauses:
        if clause.head.name != head:
            continue
        first, last = clause.place.line, clause.place.line + 1
        while stretch.lines.get(first - 1, "").startswith("#"):
            first -= 1
        while stretch.lines.get(last, "#")[:1] not in ("", "#") and last not in starts:
            last += 1
        found |= {n: stretch.lines[n] for n in range(first, last) if n in stretch.lines}
    return found


def _at(place: Place, shown: Callable[[str], str]) -> str:
    return f"{shown(place.file)}:{place.line}"


def _numbered(file: str, lines: Mapping[int, str], marks: Marks) -> Iterator[str]:
    for number, line in lines.items():
        yield f"  {line}{marks.get((file, number), '')}".rstrip()


def _stretches(first: Place, clauses: list[Clause], texts: Mapping[str, str]) -> list[_Stretch]:
    """The section in each of its files, or nothing when the files don't say what the book does."""
    places = [first, *(clause.place for clause in clauses)]
    found: list[_Stretch] = []
    for file in dict.fromkeys(place.file for place in places):
        spots = {place.line for place in places if place.file == file}
        found += [
            stretch
            for stretch in _read(texts.get(file, ""), file)
            if any(_holds(stretch, spot) for spot in spots)
        ]
    said = [(c.place.file, c.place.line, c.head, c.body) for s in found for c in s.clauses]
    known = [(c.place.file, c.place.line, c.head, c.body) for c in clauses]
    headed = any(s.heading.place[:2] == first[:2] for s in found)
    return found if headed and sorted(said, key=_spot) == sorted(known, key=_spot) else []


def _spot(clause: tuple[str, int, object, object]) -> tuple[str, int]:
    return clause[:2]


def _holds(stretch: _Stretch, line: int) -> bool:
    return line == stretch.heading.place.line or line in stretch.lines


def _read(text: str, file: str) -> Iterator[_Stretch]:
    """Every section of a file; nothing of one that can't be read."""
    reading = read_clauses(text, file)
    starts = [at for at, entry in enumerate(reading.entries) if isinstance(entry, Heading)]
    for number, at in enumerate(starts if not reading.errors else ()):
        last = number + 1 == len(starts)
        own = reading.entries[at + 1 : None if last else starts[number + 1]]
        heading = reading.entries[at]
        assert isinstance(heading, Heading)
        end = len(reading.source.lines) + 1
        end = end if last else reading.entries[starts[number + 1]].place.line
        skip = {line for entry in own for line in _said_above(entry)}
        every = range(heading.place.line + 1, end)
        lines = {n: reading.source.lines[n - 1].rstrip() for n in every if n not in skip}
        yield _Stretch(heading, _trimmed(lines), tuple(e for e in own if isinstance(e, Clause)))


def _said_above(entry: Entry) -> Iterator[int]:
    """The lines of a note that is said above the section."""
    if isinstance(entry, Note) and entry.key == _IN_HEAD:
        yield from range(entry.place.line, entry.last + 1)


def _trimmed(lines: dict[int, str]) -> dict[int, str]:
    """Lines without the blank ones at their start and end."""
    full = [number for number, line in lines.items() if line]
    return {n: line for n, line in lines.items() if full and full[0] <= n <= full[-1]}

"""Read clause files: sections, notes and clauses in the order they stand.

A file is a list of entries. ``## 5.2  Title`` opens a section, ``# key: text`` is a note on what
follows and goes on in comment lines directly below it that are indented by four or more, everything
else is clauses. Nothing is executed and every size is capped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import Place, SeatlogError, TextError, did_you_mean
from ..model import Clause, Item, Literal, Row, Statement
from .files import Source
from .lines import MAX_LINE, MAX_STATEMENT, LogicalLine, source, statements
from .syntax import Parsed, Parser, read

NOTES = {
    "text": "section",
    "left out": "section",
    "stands for": "section",
    "joins": "section",
    "yes": "clause",
    "no": "clause",
    "tree yes": "clause",
    "tree no": "clause",
    "but": "clause",
    "bookkeeping": "clause",
    "terms": "clause",
    "tells": "clause",
    "tells none": "clause",
    "doubt": "clause",
    "walk": "clause",
    "alarm": "clause",
    "verb": "clause",
    "becomes": "clause",
    "ends": "clause",
    "goes": "clause",
    "role": "vocabulary",
    "who": "vocabulary",
    "hint": "vocabulary",
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
    "describes": "vocabulary",
}
_SECTION = re.compile(r"##\s+(\S+)(?:\s+(.+))?$")
_MORE = re.compile(r"# {4}\s*(\S.*)$")
_NOTE = re.compile(r"#\s([A-Za-z][A-Za-z ]{0,15}):(?:\s+(.+))?$")
MAX_ERRORS = 50
_STRAY = re.compile(r"#\s*([a-z][a-z ]*?)\s*:")
SENTENCES = ("yes", "no", "tree yes", "tree no", "but", "alarm")
"""The notes whose text is a sentence with holes."""
_NO_COLON = re.compile(rf"#\s{{0,3}}({'|'.join(SENTENCES)})\s.*\{{\w+\}}", re.IGNORECASE)
_HOLE = re.compile(r"#\s*[^\s(#].*\{[A-Z]\w*\}")


class Part(NamedTuple):
    """What a line holds of a note's text: where that begins in the text, and in the file."""

    start: int
    line: int
    column: int


class Note(NamedTuple):
    """``# key: text``, where it stands, and the lines that its text stands on."""

    key: str
    text: str
    place: Place
    parts: tuple[Part, ...]

    @property
    def last(self) -> int:
        """The line it ends on."""
        return self.parts[-1].line

    def at(self, src: Source, start: int = 0, width: int = MAX_LINE) -> Place:
        """The place of a stretch of the text, as far as it stands on one line."""
        number = max(n for n, part in enumerate(self.parts) if part.start <= start or n == 0)
        part = self.parts[number]
        end = self.parts[number + 1].start - 1 if part is not self.parts[-1] else len(self.text)
        column = part.column + start - part.start
        return src.at(part.line, column, max(1, min(width, end - start)))

    def continued(self, text: str, line: int, column: int) -> Note:
        """The note with the text of one more line."""
        joined = f"{self.text} {text}" if self.text else text
        part = Part(len(joined) - len(text), line, column)
        kept = self.parts if self.text else ()
        return self._replace(text=joined, parts=(*kept, part))


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
            _forget_notes(entries)
            continue
        try:
            entry = _comment(statement, src) if statement.text[0] == "#" else None
            if entry is None and entries and statement.comment:
                entries[-1] = _continued(entries[-1], statement, src)
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
            if statement.text[0] != "#":
                _forget_notes(entries)
            continue
        if isinstance(entry, Heading):
            rule = entry.number
        if entry is not None:
            entries.append(entry)
    return Reading(src, tuple(entries), tuple(errors))


def read_section(number: str, title: str, text: str, file: str) -> Reading:
    """The entries of a text under a heading that isn't counted among its lines.

    A text that begins with a heading of its own is read as it is.
    """
    if headed(text):
        return read_clauses(text, file)
    reading = read_clauses(f"## {number}  {title}".rstrip() + f"\n{text}", file)
    for error in reading.errors:
        error.place = error.place and _up(error.place)
    source = reading.source._replace(lines=reading.source.lines[1:])
    return Reading(source, tuple(map(_entry_up, reading.entries)), reading.errors)


def headed(text: str) -> bool:
    """Whether a text begins with a section's heading."""
    return text.lstrip().startswith("##")


def _entry_up(entry: Entry) -> Entry:
    """An entry one line higher."""
    if isinstance(entry, Clause):
        entry = entry._replace(spots=tuple(map(_up, entry.spots)))
    elif isinstance(entry, Note):
        entry = entry._replace(parts=tuple(p._replace(line=p.line - 1) for p in entry.parts))
    return entry._replace(place=_up(entry.place))


def _up(place: Place) -> Place:
    return place._replace(line=max(place.line - 1, 1))


def _forget_notes(entries: list[Entry]) -> None:
    """Drop the notes above a clause that can't be read: they lack nothing but that clause."""
    while entries and isinstance(entries[-1], Note) and NOTES[entries[-1].key] == "clause":
        entries.pop()


def _comment(statement: LogicalLine, src: Source) -> Entry | None:
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
        if bare := _NO_COLON.match(text):
            raise TextError(
                f"a note without its colon: {bare[1]}",
                place=src.at(line, 1, bare.end(1)),
                hint=f"write: # {bare[1].lower()}: …",
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
    part = Part(0, line, (note.start(2) + 1) or 1)
    return Note(key, note[2] or "", src.at(line, 1, len(text)), (part,))


def _continued(entry: Entry, statement: LogicalLine, src: Source) -> Entry:
    """The entry above a comment, with what the comment adds to it if that is a note's next line."""
    if not isinstance(entry, Note) or entry.last != statement.line - 1:
        return entry
    more = _MORE.match(statement.text.rstrip())
    if not more and entry.key in SENTENCES and _HOLE.match(statement.text):
        raise TextError(
            "this looks like more of the sentence above it, and is a plain comment",
            place=src.at(statement.line, 1, len(statement.text)),
            hint="a note goes on behind four spaces: #     …",
            code="S12",
        )
    if not more:
        return entry
    found = entry.continued(more[1], statement.line, more.start(1) + 1)
    if len(found.text) > MAX_STATEMENT:
        raise TextError(
            f"a note of more than {MAX_STATEMENT:,} characters",
            place=entry.place,
            hint="say it shorter",
            code="S02",
        )
    return found


def plain(text: str) -> bool:
    """Whether a comment at the left margin is read as nothing but a comment."""
    stray = _STRAY.match(text)
    known = stray is not None and stray[1] in NOTES
    return not (
        known
        or text.startswith("##")
        or _NO_COLON.match(text)
        or _NOTE.match(text)
        or _MORE.match(text)
    )


def note_literal(note: Note, src: Source) -> Literal:
    """A note's text as a literal, like ``# tells: knows(Person, Other)``."""

    def at(_line: int, column: int, width: int) -> Place:
        return note.at(src, column - 1, width)

    literal = read(LogicalLine(note.text, note.place.line), src, _one_literal, at)
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
    logical = [s for s in found if isinstance(s, LogicalLine) and s.text[0] != "#"]
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
        moved = LogicalLine(each.text, each.line + first - 1)
        parsed = read(moved, src, _whole_fact)
        assert isinstance(parsed, tuple)
        yield Statement(*parsed)


def _whole_fact(parser: Parser) -> tuple[str, Row, Place]:
    name, row = parser.fact()
    return name, row, parser.terms.place(parser.terms.expression())

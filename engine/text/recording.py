"""Records in a section's header which wording its clauses were read against."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..book import Book, Section
from ..editions import clause_files, editions
from ..errors import BookError, QuestionError, did_you_mean, printable, refuse
from ..language import Heading, Note, read_clauses, read_file, replace
from .checking import GONE, OWN, UNCHECKED, Checked, Held, listed
from .issue import Issue, Rule

UNDATED = "undated"

_Texts = dict[Path, tuple[str, list[str]]]
"""The lines of clause files, and what these are called."""


class Header(NamedTuple):
    """The line of a section's header that says what its clauses were read against."""

    number: str
    digest: str
    source: str
    title: str = ""
    file: str = ""
    line: int = 0

    @property
    def text(self) -> str:
        """The line itself."""
        return f"# text: sha256:{self.digest}  {self.source}"

    @property
    def lines(self) -> tuple[str, str]:
        """How a section with it begins."""
        return f"## {self.number}  {self.title}", self.text

    def as_dict(self) -> dict[str, Any]:
        """The same as plain data; where it was written, if it was."""
        return {
            "number": self.number,
            "title": self.title,
            "text": self.text,
            "file": self.file or None,
            "line": self.line or None,
        }


def header(rule: Rule, issue: Issue, book: Book) -> Header:
    """What a section of a book says of a rule's wording."""
    section = book.sections.get(rule.number)
    title = section.title if section else "TITLE"
    return Header(rule.number, rule.digest, f"{book.name} {issue.date or UNDATED}", title)


def first(rules: Iterable[Rule], issue: Issue, book: Book) -> list[Header]:
    """The headers of sections that are written from some rules.

    Raises BookError, or Faults, for a section that was checked against another wording: what stands
    under its number now may be another rule.
    """
    out, errors = [], []
    for rule in rules:
        section = book.sections.get(rule.number)
        if section and section.digests and rule.digest not in section.digests.values():
            errors.append(_other(section, issue))
        else:
            out.append(header(rule, issue, book))
    refuse(errors)
    return out


def _other(section: Section, issue: Issue) -> BookError:
    """Why a rule's digest isn't for the section under its number."""
    number, known = section.number, section.digests.values()
    there = listed([rule for rule in issue.rules if rule.digest in known])
    what = f"is {there} in the issue" if there else "was checked against another wording"
    hint = "`seatlog text check` with --old says what became of it, --accept records a review"
    return BookError(
        f"section {number} {what}; {number} {'is' if there else 'may be'} another rule there",
        place=section.place,
        hint=f"call the section {there} first" if there else hint,
    )


def same_wording(book: Book, made: Header) -> list[str]:
    """Other sections that were checked against the same wording."""
    return [
        section.number
        for section in book.sections.values()
        if section.number != made.number and made.digest in section.digests.values()
    ]


def rules_named(issue: Issue, numbers: Iterable[str]) -> list[Rule]:
    """The rules under some numbers; each wording once. Raises QuestionError."""
    out: list[Rule] = []
    for number in dict.fromkeys(numbers):
        found = {rule.digest: rule for rule in issue.of(number)}
        if not found:
            raise QuestionError(
                f"{printable(issue.file)} has no number {printable(number)}",
                hint=did_you_mean(number, {rule.number for rule in issue.rules}),
            )
        out += found.values()
    return out


def reviewed(checked: Checked, numbers: Sequence[str]) -> list[Header]:
    """The headers of sections whose rules somebody has read.

    Raises BookError, or Faults, where the text under a number is another rule, or where that can't
    be told.
    """
    held = {each.number: each for each in checked.sections}
    errors, out = [], []
    for number in dict.fromkeys(numbers):
        try:
            out.append(_reviewed(checked, held, number))
        except BookError as error:
            errors.append(error)
    refuse(errors)
    return out


def _reviewed(checked: Checked, held: Mapping[str, Held], number: str) -> Header:
    found = held.get(number)
    if found is None:
        raise BookError(
            f"{checked.book.name} has no section {printable(number)}",
            hint=did_you_mean(number, held)
            or f"`seatlog text digest {checked.issue.file} {number}` heads a new one",
        )
    if found.kind in (UNCHECKED, OWN):
        raise BookError(
            f"section {number} was checked against no wording",
            place=found.place,
            hint=f"`seatlog text digest {checked.issue.file} {number} --write` is for the first",
        )
    if found.elsewhere:
        there = found.at[0].number
        raise BookError(
            f"section {number} is {listed(found.at)} in the issue; "
            f"what stands under {number} is another rule",
            place=found.place,
            hint=f"call the section {there}, then --accept {there} if its wording changed, too",
        )
    if found.kind != GONE and not found.certain and checked.old is None and not found.source:
        raise BookError(
            f"whether {number} is still the rule that section {number} was checked against can't "
            "be told from a digest",
            place=found.place,
            hint="name the issue that it was checked against: --old FILE",
        )
    here = [rule for rule in found.at if rule.number == number]
    if found.kind == GONE or not here or (found.old is None and not found.source):
        why = "the old issue hasn't the wording either" if found.old is None else found.evidence
        raise BookError(
            f"nothing shows that {number} is the rule that section {number} was checked against: "
            f"{why}",
            place=found.place,
            hint="if it is another rule, the section goes, and a new one is written",
        )
    return header(here[0], checked.issue, checked.book)


def recorded(folder: Path, book: Book, headers: Sequence[Header], first: bool) -> list[Header]:
    """Write headers into the files of an edition's folder; where each of them stands now.

    With ``first`` only into sections that have none yet, else in the place of that which the
    edition's own source had. All are written or none. Raises BookError.
    """
    folder = Path(os.path.realpath(folder))
    shipped = [Path(os.path.realpath(each)) for each in editions().values()]
    if folder in shipped:
        raise BookError(
            f"{book.name} is installed, and stays as it is",
            hint="name the folder of an edition, like rules/NAME",
        )
    texts: _Texts = {}
    out: list[Header] = []
    errors: list[BookError] = []
    for each in headers:
        try:
            out.append(_put(folder, book, each, first, texts))
        except BookError as error:
            errors.append(error)
    refuse(errors)
    changed = {each.file for each in out}
    try:
        replace({p: "\n".join(lines) for p, (name, lines) in texts.items() if name in changed})
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BookError(f"{printable(str(folder))} can't be written: {printable(why)}") from None
    return out


def _put(folder: Path, book: Book, made: Header, first: bool, texts: _Texts) -> Header:
    """Put a header into the lines of the file that holds its section."""
    section = book.sections.get(made.number)
    spots = []
    for name, inner in clause_files(str(folder)):
        path = Path(name)
        if path not in texts:
            shown = f"{book.name}/{inner}"
            texts[path] = shown, read_file(path, shown).split("\n")
        found = list(_spots(*texts[path], made.number))
        spots += [(path, *each) for each in found]
    spot = next((each for each in spots if each[2]), (*spots, None)[0])
    if spot is not None:
        path, line, notes = spot
        if first and notes:
            raise BookError(
                f"section {made.number} was checked against a wording before",
                place=section.place if section else None,
                hint="`seatlog text check --accept` records another review",
            )
        own = [note for note in notes if note.source.split()[:1] == [book.name]]
        start, end = (own[0].line - 1, own[0].last) if own else (line, line)
        if notes and not own:
            start = end = notes[-1].last
        name, lines = texts[path]
        lines[start:end] = [made.text]
        return made._replace(file=name, line=start + 1)
    if section is None:
        raise BookError(
            f"{book.name} has no section {printable(made.number)}",
            hint="write the section first; without --write this says how it begins",
        )
    raise BookError(
        f"section {made.number} stands in {printable(section.place.file.partition('/')[0])}, on "
        f"which {book.name} rests",
        place=section.place,
        hint="record it there, or give this edition a section of its own",
    )


class _Note(NamedTuple):
    """Where a digest stands, and of which source it is."""

    line: int
    last: int
    source: str


def _spots(file: str, lines: Sequence[str], number: str) -> Iterator[tuple[int, list[_Note]]]:
    """The lines of a section's headings in a file, each with the digests that stand below it."""
    notes: list[_Note] | None = None
    for entry in read_clauses("\n".join(lines), file).entries:
        if isinstance(entry, Heading):
            notes = [] if entry.number == number else None
            if notes is not None:
                yield entry.place.line, notes
        elif notes is not None and isinstance(entry, Note) and entry.key == "text":
            source = entry.text.partition(" ")[2].strip()
            notes.append(_Note(entry.place.line, entry.last, source))

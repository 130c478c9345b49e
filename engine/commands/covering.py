"""What `seatlog test --coverage` says: shares by section, and what isn't covered in the source."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from typing import Any

from ..book import Book
from ..cases import Scenario
from ..compare import Coverage, Excerpts, Share, Uncovered, own_clauses
from ..editions import load_book, texts_of
from ..errors import QuestionError, SeatlogError, did_you_mean, many, printable
from .talk import paint, project_file

_NEVER = "never {}: {}"


MANY = 30
"""Of more sections that aren't covered whole only the shares are shown, where none are named."""


class Covering:
    """The coverage of each book that scenarios ask; ``edition`` goes before what they name.

    With ``sections`` only those count, in the books whose own files have them, else in those that
    rest on one. Raises QuestionError for a section that no book has.
    """

    def __init__(
        self, scenarios: Iterable[Scenario], edition: str | None, sections: Collection[str] = ()
    ) -> None:
        self._edition, self._sections = edition, sections
        self._of: dict[str | None, tuple[Book, Coverage]] = {}
        books: dict[str | None, Book] = {}
        for name in dict.fromkeys(edition or scenario.edition for scenario in scenarios):
            with suppress(SeatlogError):  # which the scenario itself tells, and fails
                books[name] = load_book(name)
        wanted = {book.key: _wanted(book, books.values(), sections) for book in books.values()}
        made: dict[str, tuple[Book, Coverage]] = {}
        for name, book in books.items():
            if wanted[book.key] or not sections:
                if book.key not in made:
                    made[book.key] = book, Coverage(book, wanted[book.key])
                self._of[name] = made[book.key]

    def take(self, scenario: Scenario) -> None:
        """Follow what a scenario asks."""
        found = self._of.get(self._edition or scenario.edition)
        if found is not None:
            found[1].take(scenario)

    def _books(self) -> dict[str | None, tuple[Book, Coverage]]:
        """Each book once, by a name that it is asked by."""
        once = {id(each): (name, each) for name, each in self._of.items()}
        return dict(sorted(once.values(), key=lambda pair: pair[1][0].name))

    @property
    def percent(self) -> float:
        """The least share of a book, in per cent."""
        return min((c.whole().percent for _, c in self._of.values()), default=100.0)

    def lines(self) -> Iterator[str]:
        """All about it for people."""
        for name, (book, coverage) in self._books().items():
            excerpts = Excerpts(texts_of(name))
            shares = coverage.shares()
            short = sum(share.percent < 100 for share in shares.values())
            if self._sections or short <= MANY:
                for each in coverage.uncovered():
                    yield from _uncovered(each, excerpts)
            for number, share in shares.items():
                if share.percent < 100:
                    yield f"{number:10}{_share(share)}"
            full = sum(share.percent == 100 for share in shares.values())
            yield f"{printable(book.name)}: {full} of {many(len(shares), 'section')} covered whole"
            yield f"{'all':10}{_share(coverage.whole())}"
            if short > MANY and not self._sections:
                yield "what isn't covered of a section: --section NUMBER"

    def plain(self) -> list[dict[str, Any]]:
        """The same as plain data."""
        return [
            {
                "edition": book.name,
                "whole": _numbers(coverage.whole()),
                "sections": {n: _numbers(share) for n, share in coverage.shares().items()},
                "uncovered": [_plain(each) for each in coverage.uncovered()],
            }
            for book, coverage in self._books().values()
        ]


def _wanted(book: Book, books: Collection[Book], sections: Iterable[str]) -> list[str]:
    """The sections to look at in one of some books. Raises QuestionError."""
    out = []
    for number in sections:
        there = [each.key for each in books if number in each.sections]
        if not there:
            known = {known for each in books for known in each.sections}
            what = f"no book that was asked has a section {printable(number)!r}"
            raise QuestionError(what, hint=did_you_mean(number, known))
        own = [each.key for each in books if any(c.rule == number for c in own_clauses(each))]
        if book.key in (own or there):
            out.append(number)
    return out


def _share(share: Share) -> str:
    clauses = f"{share.covered}/{share.clauses} clauses"
    return f"{share.percent:5.1f} %  {clauses:>17}  {share.decided}/{share.literals} literals"


def _uncovered(each: Uncovered, excerpts: Excerpts) -> Iterator[str]:
    """A clause as it stands in its file, with marks under what isn't covered."""
    clause = each.clause
    at = f"{project_file(clause.place.file)}:{clause.place.line}"
    fate = "" if each.holds else f"  {paint('no answer rests on it', 'red')}"
    yield f"{paint(at, 'cyan')}  {clause.rule} {clause.head.name}{fate}"
    marked = sorted({*each.never_held, *each.never_failed}) if each.holds else ()
    for line in excerpts.lines(clause, marked):
        yield f"    {line}"
    for word, spots in (("held", each.never_held), ("failed", each.never_failed)):
        for spot in spots if each.holds else ():
            yield "  " + _NEVER.format(word, printable(str(clause.body[spot]), 1_000))
    yield ""


def _numbers(share: Share) -> dict[str, Any]:
    return {
        "percent": int(share.percent),
        "clauses": share.clauses,
        "covered": share.covered,
        "literals": share.literals,
        "decided": share.decided,
    }


def _plain(each: Uncovered) -> dict[str, Any]:
    clause = each.clause
    return {
        "rule": clause.rule,
        "head": clause.head.name,
        "file": project_file(clause.place.file),
        "line": clause.place.line,
        "clause": str(clause),
        "holds": each.holds,
        "never_held": [str(clause.body[spot]) for spot in each.never_held],
        "never_failed": [str(clause.body[spot]) for spot in each.never_failed],
    }

"""A book looked at from its rule numbers: sections, what rests on what, which scenarios cite it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..book import SILENT, Book, rule_order
from ..model import Clause, literals
from .scenarios import Scenario


def numbers(book: Book) -> list[str]:
    """The numbered sections in rule order."""
    return [n for n in sorted(book.sections, key=rule_order) if n[:1].isdigit()]


def about_sections(
    book: Book, wanted: Iterable[str], scenarios: Iterable[Scenario], linked: bool = True
) -> list[dict[str, Any]]:
    """All about some sections, as plain data; ``linked`` with what they rest on and carry."""
    own: dict[str, list[Clause]] = {}
    for clause in book.clauses:
        own.setdefault(clause.rule, []).append(clause)
    cited: dict[str, list[str]] = {}
    for s in scenarios:
        for number in dict.fromkeys(s.cites):
            cited.setdefault(number, []).append(f"{s.file}: {s.name}")
    rests, carries = _links(book, own) if linked else ({}, {})
    return [
        {
            "number": number,
            "title": found.title,
            "file": found.place.file,
            "line": found.place.line,
            "left_out": found.left_out,
            "stands_for": found.stands_for,
            "digests": found.digests,
            "clauses": list(_clauses(book, own.get(number, ()))),
            "rests_on": rests.get(number, []),
            "carries": carries.get(number, []),
            "scenarios": cited.get(number, []),
        }
        for number, found in ((n, book.sections[n]) for n in wanted)
    ]


def _links(
    book: Book, own: Mapping[str, list[Clause]]
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The sections whose clauses each section's clauses look at directly; and the other way."""
    order = {n: at for at, n in enumerate(numbers(book))}
    holders: dict[str, set[str]] = {}
    for clause in book.clauses:
        if clause.rule in order:
            holders.setdefault(clause.head.name, set()).add(clause.rule)
    rests: dict[str, list[str]] = {}
    carries: dict[str, list[str]] = {}
    for number, clauses in own.items():
        names = {x.name for c in clauses for x in literals(c.body)}
        found = set().union(*(holders.get(n, set()) for n in names)) - {number}
        rests[number] = sorted(found, key=order.__getitem__)
    for number in order:
        for other in rests.get(number, ()):
            carries.setdefault(other, []).append(number)
    return rests, carries


def _clauses(book: Book, clauses: Iterable[Clause]) -> Iterator[dict[str, Any]]:
    """Clauses with the sentences that belong to them; a predicate's own with its first clause."""
    said: dict[str, str] = {}
    for clause in clauses:
        name = clause.head.name
        own = None if name in said else book.predicates[name]
        yes = clause.yes or (own.yes if own else "")
        if yes == SILENT or said.get(name) == yes:
            yes = ""
        said[name] = yes or said.get(name, "")
        yield {
            "line": clause.place.line,
            "text": str(clause),
            "yes": yes,
            "no": own.no if own else "",
        }


def gaps_of(book: Book, scenarios: Iterable[Scenario] | None) -> list[str]:
    """Numbers that the book covers and lacks, sections with neither clauses nor a reason for
    having none, and those that no scenario cites; without scenarios the others.
    """
    cited = {c for s in scenarios or () for c in s.cites}
    ruled = {c.rule for c in book.clauses}
    out = [
        f"{number} is missing"
        for number in book.settings.get("covers", ())
        if number not in book.sections
    ]
    for number in numbers(book):
        found = book.sections[number]
        if number not in ruled and not found.left_out:
            out.append(f"{number} has no clause and no `left out:`")
        elif scenarios is None or number not in ruled or found.stands_for:
            continue
        elif number not in cited:
            out.append(f"{number} is cited by no scenario")
    return out


class Count(NamedTuple):
    """A chapter: how many numbers it has, how many with clauses, left out, and background.

    ``scenarios`` are those that cite one of its numbers.
    """

    chapter: str
    numbers: int
    ruled: int
    left_out: int
    background: int
    scenarios: int


def chapters(book: Book, scenarios: Iterable[Scenario]) -> list[Count]:
    """The chapters of a book in rule order: what stands before a number's first point."""
    ruled = {c.rule for c in book.clauses}
    chapters: dict[str, list[str]] = {}
    for number in numbers(book):
        chapters.setdefault(number.partition(".")[0], []).append(number)
    cited = [{c.partition(".")[0] for c in s.cites} for s in scenarios]
    out = []
    for chapter, own in chapters.items():
        found = [book.sections[n] for n in own]
        background = sum(s.stands_for for s in found)
        with_clauses = sum(s.number in ruled and not s.stands_for for s in found)
        left_out = sum(bool(s.left_out) for s in found)
        citing = sum(chapter in each for each in cited)
        out.append(Count(chapter, len(own), with_clauses, left_out, background, citing))
    return out

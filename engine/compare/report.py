"""What came of a comparison, as data: the texts, what was asked, and each difference of a verdict.

Whoever finds a difference, a scenario, a table, or a search over games, hands in the same thing: a
``Difference``. They are grouped by the verb and by what becomes of its verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ..book import Book
from .questions import Question
from .sections import Texts
from .sittings import NO_RULE, Side


class Labelled(NamedTuple):
    """A book, and how it was named: an edition's name, or a folder."""

    label: str
    book: Book

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        book = self.book
        return {
            "named": self.label,
            "edition": book.name,
            "title": book.title,
            "date": book.date,
        }


class Difference(NamedTuple):
    """A question that two books answer differently, over a table given as ``data``.

    ``data`` is a mapping that ``seatlog.open`` takes. ``origin`` says where the table comes from.
    ``size`` counts what a game is made of, by what is counted, where a search has found it;
    ``smallest`` says that it was proved to be a smallest one within the search's bound.
    """

    question: Question
    a: Side
    b: Side
    data: Mapping[str, Any]
    origin: str
    size: Mapping[str, int] = {}
    smallest: bool = False

    @property
    def kind(self) -> tuple[str, str]:
        """What the first book says, and what the other."""
        return self.a.said, self.b.said

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "question": self.question.text,
            "a": self.a.as_dict(),
            "b": self.b.as_dict(),
            "table": dict(self.data),
            "origin": self.origin,
            "size": dict(self.size),
            "smallest": self.smallest,
        }


class Group(NamedTuple):
    """The differences of one verb that are of one kind; ``more`` are questions like them.

    ``verb`` is empty for questions in clause syntax, and where a whole table isn't taken. Of
    ``more`` only the verdicts were compared.
    """

    verb: str
    kind: tuple[str, str]
    differences: tuple[Difference, ...]
    more: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """How many differences there are."""
        return len(self.differences) + len(self.more)

    @property
    def lacks(self) -> list[str]:
        """What a book doesn't know, where it has no rule."""
        sides = [side for d in self.differences for side in (d.a, d.b)]
        return sorted({s.lacks for s in sides if s.verdict == NO_RULE and s.lacks})

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "verb": self.verb,
            "verdicts": list(self.kind),
            "number": self.number,
            "lacks": self.lacks,
            "differences": [d.as_dict() for d in self.differences],
            "more": list(self.more),
        }


class Searched(NamedTuple):
    """What was looked through: scenarios, a table, a corpus of games, or all games in a bound.

    ``games`` is how many games or tables there were, None where all within the ``bound`` were
    decided at once. ``asked`` is how many verdicts were compared, ``alike`` how many of them are
    the same in all of these games: ``same`` because they are one node of both books' circuit.
    ``proved`` says that alike is proved for all games within the bound, or not for all of what was
    only searched; None where nothing beyond what was asked is claimed. ``skipped`` were left out,
    and ``remarks`` say why something couldn't be asked. ``power`` is how many games there are
    within the bound at most, as a power of ten, and ``numbers`` has the lowest and the highest
    number that they say, by sort. Where not all verdicts were ``counted`` some differ, and nobody
    has looked how many.
    """

    what: str
    games: int | None
    asked: int
    alike: int
    same: int = 0
    bound: Mapping[str, int] = {}
    proved: bool | None = None
    skipped: int = 0
    remarks: tuple[str, ...] = ()
    power: int | None = None
    numbers: Mapping[str, tuple[int, int]] = {}
    counted: bool = True

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        numbers = {sort: list(ends) for sort, ends in self.numbers.items()}
        own = {"bound": dict(self.bound), "remarks": list(self.remarks), "numbers": numbers}
        return {k: v for k, v in {**self._asdict(), **own}.items() if k != "counted"}


class Gathered(NamedTuple):
    """What one search brought home; ``more`` are (verb, kind, question) of rows beyond count."""

    searched: Searched
    differences: tuple[Difference, ...] = ()
    more: tuple[tuple[str, tuple[str, str], str], ...] = ()


class Report(NamedTuple):
    """All that came of a comparison. ``texts`` is None where only verdicts were compared."""

    a: Labelled
    b: Labelled
    texts: Texts | None
    searched: tuple[Searched, ...]
    groups: tuple[Group, ...]

    def __bool__(self) -> bool:
        """Whether anything differs, were it only where neither book's answer can be shown."""
        return bool(self.groups or self.texts or self.unshown)

    @property
    def unshown(self) -> bool:
        """Whether verdicts differ of which none could be shown."""
        return not self.groups and any(each.asked != each.alike for each in self.searched)

    @property
    def differences(self) -> list[Difference]:
        """Each difference that has both explanations, in the order of the groups."""
        return [d for group in self.groups for d in group.differences]

    def as_dict(self) -> dict[str, Any]:
        """As plain data that is ready for JSON."""
        return {
            "books": [self.a.as_dict(), self.b.as_dict()],
            "sections": self.texts.as_dict() if self.texts is not None else None,
            "searched": [each.as_dict() for each in self.searched],
            "verdicts": [each.as_dict() for each in self.groups],
        }


def made(a: Labelled, b: Labelled, texts: Texts | None, found: Iterable[Gathered]) -> Report:
    """A report of what searches have found, grouped by verb and kind, in their order."""
    found = list(found)
    groups: dict[tuple[str, tuple[str, str]], tuple[list[Difference], list[str]]] = {}
    for each in found:
        for difference in each.differences:
            mark = difference.question.verb, difference.kind
            groups.setdefault(mark, ([], []))[0].append(difference)
        for verb, kind, text in each.more:
            groups.setdefault((verb, kind), ([], []))[1].append(text)
    return Report(
        a,
        b,
        texts,
        tuple(each.searched for each in found),
        tuple(
            Group(verb, kind, tuple(own), tuple(more))
            for (verb, kind), (own, more) in sorted(groups.items(), key=lambda item: item[0])
        ),
    )

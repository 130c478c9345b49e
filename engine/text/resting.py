"""What rests on some sections of a book: clauses, scenarios, verdicts, and other sections."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from ..book import Book
from ..cases import Scenario, about_sections
from ..compare import resting
from ..errors import Place


class Resting(NamedTuple):
    """What rests on a section: its clauses, the scenarios that cite it, and what is asked of it.

    ``verdicts`` are the verbs that its clauses can decide or leave open, ``sections`` those whose
    clauses look at its predicates; it ``refuses`` where whole tables may be refused for it.
    """

    clauses: tuple[Place, ...] = ()
    scenarios: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    refuses: bool = False


NOTHING = Resting()


def rests_on(
    book: Book, sections: Collection[str], scenarios: Iterable[Scenario]
) -> Mapping[str, Resting]:
    """What rests on each of some sections."""
    places: dict[str, list[Place]] = {}
    for clause in book.clauses:
        places.setdefault(clause.rule, []).append(clause.place)
    out = {}
    for about in about_sections(book, sections, scenarios):
        number = about["number"]
        above = resting(book, (number,), True)
        out[number] = Resting(
            tuple(places.get(number, ())),
            tuple(about["scenarios"]),
            tuple(sorted({v.word for v in book.verbs if v.predicate in above})),
            tuple(about["carries"]),
            any(book.predicates[name].alarm for name in above if name in book.predicates),
        )
    return out

"""All games within a bound, asked of two books: what a search finds, looked at again one by one.

What the circuit decides is asked again of the solver that answers people, in both books; what comes
out otherwise there is told as it comes out there, and what doesn't differ there is told too.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..book import Names
from ..errors import SeatlogError
from ..model import Statement
from ..table import as_data
from ..worlds import Size, Slots, of_format
from .comparing import Comparing, Wanted, sides
from .decide import Decided, Decider, Found, asked_in
from .questions import THE_TABLE, Question, of_row
from .report import Difference, Gathered, Searched

GAMES = "all games"


def within(comparing: Comparing, bound: Mapping[str, int], only: Wanted) -> Gathered:
    """The smallest game of each kind of difference within a bound, and what is proved alike there.

    Raises SeatlogError where python-sat isn't installed.
    """
    a, b = comparing.books
    stated = of_format(only.format, a.vocabulary) if only.format else ()
    slots = Slots(a.vocabulary, bound, [*a.clauses, *b.clauses], stated)
    found: list[Difference] = []
    remarks: list[str] = []
    comparing.tell("while laying both books into one circuit")
    with Decider(a, b, slots, asked_in(a, b, comparing.verbs())) as decider:
        counts = Decided(0, 0, 0, 0)
        for asked in decider.asked:
            comparing.tell(f"while deciding who can {asked.text}")
            own = decider.decided(decider.points(asked))
            counts = Decided(*(x + y for x, y in zip(counts, own, strict=True)))
        comparing.tell("while looking for the smallest games")
        for each in decider.found():
            question = _question(each)
            comparing.tell(f"in the smallest game for {question.text}")
            difference = _again(comparing, each, question, remarks)
            if difference is not None and difference not in found:
                found.append(difference)
    sizes = {sort.casefold(): number for sort, number in bound.items()}
    searched = Searched(
        GAMES,
        None,
        counts.questions,
        counts.same + counts.alike,
        counts.same,
        sizes,
        True,
        remarks=tuple(remarks),
    )
    return Gathered(searched, tuple(found))


def _question(found: Found) -> Question:
    return THE_TABLE if found.verb is None else of_row(found.verb, found.row)


def _again(
    comparing: Comparing, found: Found, question: Question, remarks: list[str]
) -> Difference | None:
    """A game that was found, with both answers as the solver has them that answers people."""
    said = f"{question.text}: {found.a} and {found.b} in the circuit"
    try:
        data = as_data(_stated(found.facts), comparing.books[0].vocabulary, None)
        sittings = comparing.sittings(data, GAMES)
        one, other = sides(sittings, question)
    except SeatlogError as error:
        remarks.append(f"{said}, but it can't be asked again: {error.what}")
        return None
    if not one.differs(other):
        remarks.append(f"{said}, but asked again both say {one.said}")
        return None
    size = _size(comparing, found.size)
    return Difference(question, one, other, data, "smallest game", size, True)


def _stated(facts: tuple[Statement, ...]) -> tuple[Statement, ...]:
    return tuple(fact for fact in facts if fact.origin)


def _size(comparing: Comparing, size: Size) -> dict[str, int]:
    """A game's size by what is counted."""
    sorts = comparing.books[0].vocabulary.sorts.values()
    first = next((s.name.casefold() for s in sorts if isinstance(s, Names)), "name")
    return {first: size.first, "other name": size.others, "fact": size.facts}

"""Whether two books part at all within a bound, told as soon as it is known, and a game for it.

Few names of the first sort are looked at before all of them: where books part they mostly do so in
a game of two, which is found, and proved smallest, at once. What a larger game shows first is made
smaller by leaving out whatever can be; that it is the smallest is then for others to prove.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..book import Book, Names
from ..worlds import FALSE, Slots, Worlds, bound_text, names_said, saying
from .comparing import Comparing, Wanted
from .decide import Decided, Decider, Found, Parting, Point, asked_in
from .report import Gathered, Searched
from .search import GAMES, SMALLEST, looked_at_again, reach, searched_in

FEW = 2
"""So many names of the first sort are looked at before all."""
MOST_USED = 12
"""After so many edited books a new circuit is begun: each leaves its own nodes behind."""
NAMED = "there are names that the rules speak of, so nothing is proved"
A_GAME = "a game from which nothing can be left out"


class Universes:
    """Circuits with a book that is held against others again and again, kept by their universe."""

    def __init__(self) -> None:
        self._kept: dict[object, tuple[Worlds, int]] = {}

    def worlds(self, a: Book, b: Book, bound: Mapping[str, int]) -> Worlds:
        """A circuit over the games of a bound in which two books' words are told apart."""
        own, other = saying(a), saying(b)
        spoken = {name for each in (own, other) for name in names_said(a.vocabulary, each)}
        slots = Slots(a.vocabulary, bound, [*own, *other], (), spoken)
        mark = (bound_text(bound), slots.told_apart, tuple(sorted(spoken)), id(a))
        worlds, used = self._kept.pop(mark, (None, 0))
        if worlds is None or used >= MOST_USED:
            worlds, used = Worlds(slots), 0
        self._kept[mark] = worlds, used + 1
        while len(self._kept) > 2 * (FEW + 1):
            del self._kept[next(iter(self._kept))]
        return worlds


class Glimpse(NamedTuple):
    """What was seen of all games within a bound.

    ``parts``: whether any verdict differs there. ``proved`` says that both are proved: that none
    does, or that the game which shows it is a smallest one. ``gathered`` has that game, or how many
    verdicts were proved alike.
    """

    parts: bool
    proved: bool
    gathered: Gathered


def glimpsed(
    comparing: Comparing, bound: Mapping[str, int], only: Wanted, universes: Universes
) -> Glimpse:
    """Whether any verdict of two books differs within a bound, with a game in which one does.

    Raises SeatlogError where python-sat isn't installed.
    """
    a, b = comparing.books
    every = asked_in(a, b, comparing.verbs())
    steps = list(_steps(a, bound))
    for step in steps:
        comparing.tell(f"while looking at games of {bound_text(step)}")
        worlds = universes.worlds(a, b, step)
        whole = step == steps[-1]
        with Decider(a, b, worlds.universe, every, worlds) as decider:
            named = bool(worlds.universe.spoken)
            found = _first(decider, not whole)
            if found is not None:
                origin = A_GAME if whole else SMALLEST
                proved = not whole and not named
                again, remarks = looked_at_again(comparing, decider, [found], origin, proved)
                sizes = {sort.casefold(): number for sort, number in bound.items()}
                told = tuple(remarks)
                seen = Searched(GAMES, None, 1, 0, 0, sizes, remarks=told, counted=False)
                return Glimpse(True, proved, Gathered(seen, tuple(again)))
            if whole:
                return Glimpse(False, not named, _alike(decider, bound, named))
    raise AssertionError("a bound has a last step")


def _steps(book: Book, bound: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """The bound with few names of the first sort, and then the bound itself."""
    sorts = book.vocabulary.sorts.items()
    first = next((name for name, sort in sorts if isinstance(sort, Names)), "")
    most = bound.get(first, 0)
    for number in range(1, min(FEW, most - 1) + 1):
        yield {**bound, first: number}
    yield dict(bound)


def _first(decider: Decider, smallest: bool) -> Found | None:
    """The smallest game in which two books part, or one that has nothing to spare."""
    every: list[Parting] = []
    for partings in _in_turn(decider):
        every += partings
        if not smallest:
            found = _of(decider, partings, False)
            if found is not None:
                return found
    return _of(decider, every, True) if smallest else None


def _in_turn(decider: Decider) -> Iterator[list[Parting]]:
    """The ways in which two books may part, those that are known soonest first."""
    both = [each for each in decider.asked if each.a and each.b]
    yield list(decider.taking())
    points = {each: decider.points(each, leading=True) for each in both}
    yield [
        Parting(each, own, ways, "", "", decider.taken)
        for each, own in points.items()
        if (ways := [decider.circuit.all_of([_holding(decider, p), p.there]) for p in own])
    ]
    yield [
        Parting(each, own, ways, "", "", decider.taken)
        for each, own in points.items()
        if (ways := [decider.circuit.all_of([decider.differs(p), p.there]) for p in own])
    ]
    for each in decider.asked:
        if not (each.a and each.b):
            yield list(decider.lacking(each, decider.points(each, leading=True)))
    if decider.a.book.bearing != decider.b.book.bearing:
        yield list(decider.unread(leading=True))


def _holding(decider: Decider, point: Point) -> int:
    """The node of the games in which a question has another answer, whatever is open."""
    return decider.circuit.differs(point.a.holds, point.b.holds)


def _of(decider: Decider, partings: Sequence[Parting], smallest: bool) -> Found | None:
    """A game in which one of some partings comes about."""
    all_of, any_of = decider.circuit.all_of, decider.circuit.any_of
    nodes = [all_of([any_of(each.ways), *each.held]) for each in partings]
    node = any_of(nodes)
    if node == FALSE:
        return None
    ask = decider.games.smallest if smallest else decider.games.some
    game = ask(node, alike=decider.pairs)
    if game is None:
        return None
    return decider.shown(partings[decider.true(nodes, game.facts)], game.facts, game.size)


def _alike(decider: Decider, bound: Mapping[str, int], named: bool) -> Gathered:
    """That no verdict differs, and of how many that is known."""
    points = [p for asked in decider.asked for p in decider.points(asked)]
    same = sum(decider.differs(p) == FALSE for p in points)
    counts = Decided(len(points), same, len(points) - same, 0)
    remarks = [NAMED] * named
    return Gathered(searched_in(GAMES, None, counts, bound, not named, remarks, reach(decider)))

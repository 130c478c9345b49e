"""Whether two books part at all within a bound, told as soon as it is known, and a game for it.

Few names of the first sort are looked at before all of them: where books part they mostly do so in
a game of two, which is found, and proved smallest, at once. What a larger game shows first is made
smaller by leaving out whatever can be; that it is the smallest is then for others to prove.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import NamedTuple

from ..book import Book, Names
from ..worlds import FALSE, Pairs, Slots, Worlds, bound_text
from .comparing import Comparing, Wanted
from .decide import Decided, Decider, Found, Parting, asked_in
from .report import Gathered, Searched
from .search import GAMES, SMALLEST, Spoken, looked_at_again, reach, searched_in

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

    def worlds(self, a: Book, spoken: Spoken, bound: Mapping[str, int]) -> Worlds:
        """A circuit over the games of a bound in which two books' words are told apart."""
        slots = Slots(a.vocabulary, bound, spoken.clauses, (), spoken.names)
        mark = (bound_text(bound), slots.told_apart, tuple(sorted(spoken.names)), id(a))
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

    That one turns round counts for more than that one is left open. Raises SeatlogError where
    python-sat isn't installed.
    """
    a, b = comparing.books
    every = asked_in(a, b, comparing.verbs())
    *small, whole = _steps(a, bound)
    spoken = Spoken.of(a, b)
    order = [(kind, step) for steps in (small, [whole]) for kind in KINDS for step in steps]
    deciders: dict[str, Decider] = {}
    with ExitStack() as stack:
        for kind, step in order:
            mark = bound_text(step)
            decider = deciders.get(mark)
            if decider is None:
                comparing.tell(f"while looking at games of {mark}")
                worlds = universes.worlds(a, spoken, step)
                decider = Decider(a, b, worlds.universe, every, worlds)
                deciders[mark] = stack.enter_context(decider)
            alike = decider.readings if kind in PLAIN else decider.pairs
            found = _of(decider, list(kind(decider)), alike, step is not whole)
            if found is not None:
                return _seen(comparing, decider, found, bound, step is whole)
        last = deciders[bound_text(whole)]
        named = bool(last.worlds.universe.spoken)
        return Glimpse(False, not named, _alike(last, bound, named))


def _seen(
    comparing: Comparing, decider: Decider, found: Found, bound: Mapping[str, int], whole: bool
) -> Glimpse:
    """A game that was found, asked again."""
    proved = not whole and not decider.worlds.universe.spoken
    origin = A_GAME if whole else SMALLEST
    again, remarks = looked_at_again(comparing, decider, [found], origin, proved)
    sizes = {sort.casefold(): number for sort, number in bound.items()}
    seen = Searched(GAMES, None, 1, 0, 0, sizes, remarks=tuple(remarks), counted=False)
    return Glimpse(True, proved, Gathered(seen, tuple(again)))


def _steps(book: Book, bound: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """The bound with few names of the first sort, and then the bound itself."""
    sorts = book.vocabulary.sorts.items()
    first = next((name for name, sort in sorts if isinstance(sort, Names)), "")
    most = bound.get(first, 0)
    for number in range(1, min(FEW, most - 1) + 1):
        yield {**bound, first: number}
    yield dict(bound)


def _turning(decider: Decider) -> Iterator[Parting]:
    """That a verdict holds in one book alone, whatever is open."""
    return _differing(decider, True)


def _opening(decider: Decider) -> Iterator[Parting]:
    """That a verdict isn't the same in both books."""
    return _differing(decider, False)


def _differing(decider: Decider, plain: bool) -> Iterator[Parting]:
    for each in decider.asked:
        if each.a and each.b:
            own = decider.points(each, leading=True, plain=plain)
            ways = [decider.circuit.all_of([decider.differs(p), p.there]) for p in own]
            yield Parting(each, own, ways, "", "", decider.taken)


def _lacking(decider: Decider) -> Iterator[Parting]:
    """That only one book has a verb, or reads what an answer rests on."""
    for each in decider.asked:
        if not (each.a and each.b):
            yield from decider.lacking(each, decider.points(each, leading=True))
    if decider.a.book.bearing != decider.b.book.bearing:
        yield from decider.unread(leading=True)


KINDS: Sequence[Callable[[Decider], Iterator[Parting]]] = (
    Decider.taking,
    _turning,
    _lacking,
    _opening,
)
"""The ways in which two books may part, those that are known soonest first."""
PLAIN = KINDS[:2]
"""Those that come of readings alone."""


def _of(
    decider: Decider, partings: Sequence[Parting], alike: Pairs, smallest: bool
) -> Found | None:
    """A game in which one of some partings comes about."""
    all_of, any_of = decider.circuit.all_of, decider.circuit.any_of
    nodes = [all_of([any_of(each.ways), *each.held]) for each in partings]
    node = any_of(nodes)
    if node == FALSE:
        return None
    ask = decider.games.smallest if smallest else decider.games.some
    game = ask(node, alike=alike)
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

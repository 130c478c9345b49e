"""Games within a bound, asked of two books: what a search finds, looked at again one by one.

Either all of them are decided, or those of a corpus are searched. What the circuit says is asked
again of the solver that answers people, in both books; what comes out otherwise there is told as it
comes out there, and what doesn't differ there is told too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import ceil, log10
from typing import NamedTuple

from ..book import Book, Names
from ..errors import SeatlogError, many, quoted
from ..model import Clause
from ..table import as_data, without_defaults
from ..worlds import Corpus, Slots, names_said, of_format, sat_solver, saying, solve
from .comparing import Comparing, Wanted, sides
from .decide import Decided, Decider, Found, Work, asked_in
from .questions import THE_TABLE, Question, of_row
from .report import Difference, Gathered, Searched
from .searched import Aims, drawn, thorough

GAMES, SMALLEST = "all games", "smallest game"


class Spoken(NamedTuple):
    """The clauses out of which two books' verdicts come, and the names that they speak of."""

    clauses: Sequence[Clause]
    names: frozenset[str]

    @classmethod
    def of(cls, a: Book, b: Book) -> Spoken:
        """What two books say."""
        own = saying(a), saying(b)
        names = {name for each in own for name in names_said(a.vocabulary, each)}
        return cls([*own[0], *own[1]], frozenset(names))


class Reach(NamedTuple):
    """How many games there are at most, as a power of ten, and from where to where numbers go."""

    power: int
    numbers: Mapping[str, tuple[int, int]]


def within(comparing: Comparing, bound: Mapping[str, int], only: Wanted) -> Gathered:
    """The smallest game of each kind of difference within a bound, and what is proved alike there.

    Raises SeatlogError where python-sat isn't installed.
    """
    sat_solver()
    with _decider(comparing, bound, only) as decider:
        counts = Decided(0, 0, 0, 0)
        for asked in decider.asked:
            comparing.tell(f"while deciding who can {asked.text}")
            own = decider.decided(decider.points(asked))
            counts = Decided(*(x + y for x, y in zip(counts, own, strict=True)))
        comparing.tell("while looking for the smallest games")
        named = sorted(decider.worlds.universe.spoken)
        found, remarks = looked_at_again(comparing, decider, decider.found(), SMALLEST, not named)
        far = reach(decider)
    if named:
        spoken = ", ".join(map(quoted, named))
        remarks.append(f"there are names that the rules speak of, so nothing is proved: {spoken}")
    searched = searched_in(GAMES, None, counts, bound, not named, remarks, far)
    return Gathered(searched, tuple(found))


def over(
    comparing: Comparing,
    bound: Mapping[str, int],
    only: Wanted,
    made: Callable[[Decider], Iterable[Corpus]],
    what: str,
    work: Work = solve,
) -> Gathered:
    """A small game of each kind of difference that corpora within a bound show.

    ``made`` makes the corpora over the universe of a decider's ``worlds``; ``what`` says what they
    are, ``work`` who asks them. Nothing is proved of other games, and python-sat isn't needed.
    """
    with _decider(comparing, bound, only) as decider:
        comparing.tell("while asking games")
        counts, number, games = decider.searched(
            made(decider), lambda done: comparing.tell(f"while asking games, {done:,} so far"), work
        )
        found, remarks = looked_at_again(comparing, decider, games, f"one of {what}", False)
        far = reach(decider)
    searched = searched_in(what, number, counts, bound, False, remarks, far)
    return Gathered(searched, tuple(found))


def among(
    comparing: Comparing,
    bound: Mapping[str, int],
    only: Wanted,
    games: int,
    seed: int,
    work: Work = solve,
    aims: Aims = thorough,
) -> Gathered:
    """What differs in so many games drawn from a seed. Nothing is proved by them.

    ``work`` is who asks them: this process, or several; ``aims`` what they are to show. Raises
    SeatlogError where no game was come across.
    """

    def made(decider: Decider) -> Iterator[Corpus]:
        comparing.tell(f"while drawing {many(games, 'game')}")
        yield drawn(decider, games, seed, lambda n: comparing.tell(f"in game {n} of {games}"), aims)

    what = f"{many(games, 'game')} drawn from the seed {seed}"
    return over(comparing, bound, only, made, what, work)


def _decider(comparing: Comparing, bound: Mapping[str, int], only: Wanted) -> Decider:
    """Both books over the games within a bound, of one format where that is wanted."""
    a, b = comparing.books
    stated = of_format(only.format, a.vocabulary) if only.format else ()
    spoken = Spoken.of(a, b)
    slots = Slots(a.vocabulary, bound, spoken.clauses, stated, spoken.names)
    comparing.tell("while laying both books into one circuit")
    return Decider(a, b, slots, asked_in(a, b, comparing.verbs()))


def searched_in(
    what: str,
    games: int | None,
    counts: Decided,
    bound: Mapping[str, int],
    proved: bool,
    remarks: list[str],
    far: Reach,
) -> Searched:
    """What a search within a bound has to say of itself."""
    sizes = {sort.casefold(): number for sort, number in bound.items()}
    alike = counts.same + counts.alike
    told = tuple(dict.fromkeys(remarks))
    asked, same = counts.questions, counts.same
    return Searched(what, games, asked, alike, same, sizes, proved, 0, told, far.power, far.numbers)


def looked_at_again(
    comparing: Comparing, decider: Decider, games: Iterable[Found], origin: str, smallest: bool
) -> tuple[list[Difference], list[str]]:
    """Games that were found, asked again, and what is to be said of those that come out alike."""
    found: list[Difference] = []
    remarks: list[str] = []
    for each in games:
        question = THE_TABLE if each.verb is None else of_row(each.verb, each.row)
        comparing.tell(f"in a game for {question.text}")
        difference = _again(comparing, each, question, remarks)
        if difference is not None:
            size = _size(decider, each)
            difference = difference._replace(origin=origin, size=size, smallest=smallest)
            if difference not in found:
                found.append(difference)
    return found, remarks


def _again(
    comparing: Comparing, found: Found, question: Question, remarks: list[str]
) -> Difference | None:
    """A game that was found, with both answers as the solver has them that answers people."""
    said = f"{question.text}: {found.a} and {found.b} in the circuit"
    vocabulary = comparing.books[0].vocabulary
    told = without_defaults(found.facts, vocabulary)
    try:
        data = as_data([f for f in told if f.origin], vocabulary, None)
        one, other = sides(comparing.sittings(data, GAMES), question)
    except SeatlogError as error:
        remarks.append(f"{said}, but it can't be asked again: {error.what}")
        return None
    if not one.differs(other):
        remarks.append(f"{said}, but asked again both say {one.said}")
        return None
    return Difference(question, one, other, data, "")


def _size(decider: Decider, found: Found) -> dict[str, int]:
    """A game's size by what is counted: names of the first sort, of others it has, and facts."""
    universe = decider.worlds.universe
    spoken = {value for fact in found.facts for value in fact.row}
    out: dict[str, int] = {}
    for name, sort in universe.vocabulary.sorts.items():
        if isinstance(sort, Names):
            number = len(spoken.intersection(universe.names(name)))
            if number or not out:
                out[name.casefold()] = number
    return {**out, "fact": found.size.facts}


def reach(decider: Decider) -> Reach:
    """How far the games go, by the facts that verdicts rest on."""
    circuit, universe = decider.circuit, decider.worlds.universe
    points = [p for asked in decider.asked for p in decider.points(asked)]
    roots = [node for p in points for node in (*p.a, *p.b)]
    under = circuit.under([*roots, decider.a.refused, decider.b.refused])
    read = {circuit.facts[node][0] for node in under if node in circuit.facts}
    numbers = {sort.casefold(): ends for sort, ends in universe.numbers(read).items()}
    return Reach(ceil(log10(universe.games(read))), numbers)

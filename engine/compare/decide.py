"""Every game within a bound decided: where two books part, and the smallest game that shows it.

Both books lie in one circuit. Questions whose nodes are the same are proved alike; of the others a
SAT solver says whether some game tells them apart. A book has no rule on a verb that it lacks, nor
where the other's answer rests on something that it doesn't read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from ..book import Book, Verb
from ..errors import SeatlogError, did_you_mean, quoted
from ..model import Row, Statement, Value
from ..table import with_defaults
from ..worlds import (
    FALSE,
    Columns,
    Corpus,
    Games,
    Judged,
    Plan,
    Size,
    Slots,
    Stated,
    Verdict,
    Without,
    Worlds,
    pairs,
    places,
    planned,
    solve,
)

YES, NO, OPEN, NO_RULE, REFUSED, TAKEN = "yes", "no", "open", "no rule", "refused", "taken"
OPEN_YES, OPEN_NO = "open (yes)", "open (no)"
"""What is open, with the reading taken: of two books that leave it so each may take its own."""

MOST_LOOKED_AT = 200
"""Among so many games of a corpus a small one is looked for."""

Named = tuple[Value | None, ...]
"""Who, what, and what stands behind prepositions, as a verb of either book is asked."""


class Asked(NamedTuple):
    """A verb with its prepositions, and the predicates behind it in two books."""

    word: str
    behind: tuple[str, ...]
    a: tuple[Verb, ...]
    b: tuple[Verb, ...]

    @property
    def text(self) -> str:
        """The verb as it is typed, with its prepositions."""
        return " … ".join((self.word, *self.behind))


class Cause(NamedTuple):
    """A fact, with its declared words, that a book doesn't read."""

    fact: str
    words: tuple[str, ...]

    @property
    def text(self) -> str:
        """The fact and its words."""
        return f"{self.fact} {', '.join(map(quoted, self.words))}" if self.words else self.fact


class Found(NamedTuple):
    """A game in which two books part, the smallest of its kind within the bound.

    ``a`` and ``b`` are the verdicts, ``verb`` and ``row`` the question as the book has it that
    knows the verb; ``cause`` is what a book without a rule doesn't read. ``verb`` is None where one
    book takes the table and the other doesn't.
    """

    asked: Asked | None
    verb: Verb | None
    row: Row
    a: str
    b: str
    facts: tuple[Statement, ...]
    size: Size
    cause: Cause | None = None


class Decided(NamedTuple):
    """What was decided of the questions within a bound.

    ``questions`` in all; ``same``: their nodes are one; ``alike``: proved so by the solver;
    ``differing``: some game tells them apart.
    """

    questions: int
    same: int
    alike: int
    differing: int


def asked_in(a: Book, b: Book, words: Collection[str] = ()) -> list[Asked]:
    """The verbs of two books, those of the same words together. Raises SeatlogError.

    With ``words`` only those verbs.
    """
    every: dict[tuple[str, tuple[str, ...]], tuple[list[Verb], list[Verb]]] = {}
    for number, book in enumerate((a, b)):
        for verb in book.verbs:
            key = (verb.word, tuple(sorted(p for p, _ in verb.others)))
            every.setdefault(key, ([], []))[number].append(verb)
    known = {word for word, _ in every}
    for word in words:
        if word not in known:
            hint = did_you_mean(word, known) or "there are: " + ", ".join(sorted(known))
            raise SeatlogError(f"neither book has a verb {quoted(word)}", hint=hint)
    return [
        Asked(word, behind, tuple(own), tuple(other))
        for (word, behind), (own, other) in sorted(every.items())
        if not words or word in words
    ]


def named(verb: Verb, row: Row) -> Named:
    """The names that a row of a verb's predicate gives to the verb."""
    what = None if verb.what is None else row[verb.what]
    return (row[verb.who], what, *(row[spot] for _, spot in sorted(verb.others)))


class Point(NamedTuple):
    """One question: as a book has it, its nodes in both, and the node of the names it speaks of."""

    verb: Verb
    row: Row
    a: Verdict
    b: Verdict
    there: int


Work = Callable[[Plan, Columns, Callable[[int], object]], list[int]]
"""Who works a plan off over the games of a corpus, and tells how many are done."""


class Parting(NamedTuple):
    """One way in which two books may part: the verdicts, and for each question a node that says so.

    ``held`` are nodes that have to hold beside. Of those of one ``group`` the first that some game
    shows is enough.
    """

    asked: Asked | None
    points: Sequence[Point]
    ways: Sequence[int]
    a: str
    b: str
    held: tuple[int, ...]
    cause: Cause | None = None
    group: object = None


class Decider:
    """Two books over one universe. To be closed when done with. Raises SeatlogError."""

    def __init__(
        self,
        a: Book,
        b: Book,
        universe: Slots,
        asked: Sequence[Asked],
        worlds: Worlds | None = None,
    ) -> None:
        self.asked = asked
        self.worlds = worlds or Worlds(universe)
        self.circuit = self.worlds.circuit
        self.a = self.worlds.judged(a, [v.predicate for each in asked for v in each.a])
        self.b = self.worlds.judged(b, [v.predicate for each in asked for v in each.b])
        self.taken = (-self.a.refused, -self.b.refused)

    def __enter__(self) -> Decider:
        return self

    def __exit__(self, *_: object) -> None:
        if "games" in self.__dict__:
            self.games.close()

    @cached_property
    def games(self) -> Games:
        """All games of the universe. Raises SeatlogError where python-sat isn't installed."""
        return Games(self.worlds)

    def points(self, asked: Asked, leading: bool = False, plain: bool = False) -> list[Point]:
        """Every question of a verb that either book could answer by yes, or leave open.

        With ``leading`` only those that stand for all that come of them by exchanging names; with
        ``plain`` nothing is looked at but the reading taken, which is sooner known.
        """
        found: dict[Named, list[tuple[Verb, Row, Judged, Verdict]]] = {}
        for judged, verbs in ((self.a, asked.a), (self.b, asked.b)):
            for verb in verbs:
                own = judged.readings if plain else judged.verdicts
                for row, verdict in own(verb.predicate).items():
                    found.setdefault(named(verb, row), []).append((verb, row, judged, verdict))
        out = []
        for key, ways in found.items():
            verb, row = ways[0][:2]
            if leading and self.worlds.universe.leading(row) != row:
                continue
            mine = self._merged([v for _, _, judged, v in ways if judged is self.a])
            theirs = self._merged([v for _, _, judged, v in ways if judged is self.b])
            out.append(Point(verb, row, mine, theirs, self.worlds.there(key)))
        return out

    def _merged(self, verdicts: Sequence[Verdict]) -> Verdict:
        if len(verdicts) == 1:
            return verdicts[0]
        any_of = self.circuit.any_of
        return Verdict(any_of(v.holds for v in verdicts), any_of(v.open for v in verdicts))

    def found(self) -> Iterator[Found]:
        """The smallest game of each kind of difference, verb by verb."""
        done: set[object] = set()
        for each in self.partings(leading=True):
            if each.group is None or each.group not in done:
                ways = self.circuit.any_of(each.ways)
                game = self.games.smallest(ways, *each.held, alike=self.pairs)
                if game is not None:
                    done.add(each.group)
                    yield self.shown(each, game.facts, game.size)

    def searched(
        self,
        corpora: Iterable[Corpus],
        told: Callable[[int], object] = lambda _: None,
        work: Work = solve,
    ) -> tuple[Decided, int, list[Found]]:
        """The same over some games only: of each kind of difference a small game among them.

        Also how many games there were; ``told`` hears how many are done, ``work`` is who asks them:
        this process, or several. Questions that no game tells apart count as ``alike``, which
        proves nothing.
        """
        points = [p for asked in self.asked for p in self.points(asked)]
        nodes = [self.differs(p) for p in points]
        partings = list(self.partings())
        all_of, any_of = self.circuit.all_of, self.circuit.any_of
        pairs = zip(nodes, points, strict=True)
        roots = [all_of([node, point.there, *self.taken]) for node, point in pairs]
        roots += [all_of([any_of(each.ways), *each.held]) for each in partings]
        plan = planned(self.circuit, roots)
        apart = [False] * len(points)
        shown: dict[int, tuple[Statement, ...]] = {}
        done, number = set[object](), 0
        for corpus in corpora:
            columns = work(plan, corpus.columns, _counting(told, number))
            apart = [old or bool(new) for old, new in zip(apart, columns, strict=False)]
            for at, (each, games) in enumerate(zip(partings, columns[len(points) :], strict=True)):
                if games and at not in shown and (each.group is None or each.group not in done):
                    done.add(each.group)
                    few = islice(places(games), MOST_LOOKED_AT)
                    shown[at] = min(map(corpus.facts, few), key=len)
            number += corpus.games
        same = sum(node == FALSE for node in nodes)
        decided = Decided(len(points), same, len(points) - same - sum(apart), sum(apart))
        found = [self.shown(partings[at], f, self.size(f)) for at, f in sorted(shown.items())]
        return decided, number, found

    def size(self, facts: Sequence[Statement]) -> Size:
        """How large a game is."""
        names = [n for n in self.worlds.names if self.worlds.names[n] != FALSE]
        held = self.circuit.holding([self.worlds.names[n] for n in names], self._said(facts))
        there = {n for n, holds in zip(names, held, strict=True) if holds}
        first = len(there & set(self.worlds.first))
        return Size(first, len(there) - first, len(facts))

    def partings(self, leading: bool = False) -> Iterator[Parting]:
        """Every way in which the books may part, verb by verb.

        A game says nothing in vain if there is such a one, and else at most what is so in both.
        With ``leading`` a question stands for all that come of it by exchanging names: enough where
        any game within the bound will do.
        """
        yield from self.taking()
        mine, theirs = self.a.unread().keys(), self.b.unread().keys()
        by_one, by_any = (self.circuit.any_of(n) for n in (mine ^ theirs, mine | theirs))
        for asked in self.asked:
            points = self.points(asked, leading)
            if not asked.b or not asked.a:
                yield from self.lacking(asked, points)
                continue
            for a, b, ways in self._kinds(points):
                for unread in dict.fromkeys((by_any, by_one)):
                    held = (-unread, *self.taken)
                    yield Parting(asked, points, ways, a, b, held, None, (asked, a, b))
        yield from self.unread(leading)

    def decided(self, points: Iterable[Point]) -> Decided:
        """How many of some questions are alike in every game, and why."""
        same = alike = differing = questions = 0
        known: dict[tuple[Verb, Row], bool] = {}
        for point in points:
            questions += 1
            node = self.differs(point)
            if node == FALSE:
                same += 1
                continue
            stands = point.verb, self.worlds.universe.leading(point.row)
            if stands not in known:
                node = self.circuit.all_of([node, point.there])
                known[stands] = self.games.any(node, *self.taken, alike=self.pairs)
            if known[stands]:
                differing += 1
            else:
                alike += 1
        return Decided(questions, same, alike, differing)

    def smallest(self, points: Sequence[Point]) -> Found | None:
        """The smallest game in which any of some questions is answered otherwise, if there is one.

        Of questions that come of each other by exchanging names one is enough.
        What a book doesn't read is not looked at: only its clauses count.
        """
        ways = self._ways(points)
        node = self.circuit.any_of(ways)
        game = self.games.smallest(node, *self.taken, alike=self.pairs)
        if game is None:
            return None
        at = self.true(ways, game.facts)
        point = points[at]
        a, b = (self._verdict(v, game.facts) for v in (point.a, point.b))
        return Found(None, point.verb, point.row, a, b, game.facts, game.size)

    def part(self, points: Sequence[Point]) -> bool:
        """Whether some game tells two books apart on any of some questions."""
        node = self.circuit.any_of(self._ways(points))
        return self.games.any(node, *self.taken, alike=self.pairs)

    def _ways(self, points: Sequence[Point]) -> list[int]:
        return [self.circuit.all_of([self.differs(p), p.there]) for p in points]

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        return pairs(self.a, self.b)

    @cached_property
    def readings(self) -> tuple[tuple[int, int], ...]:
        """The nodes of the readings taken that may come to the same, those below first."""
        return pairs(self.a, self.b, plain=True)

    def differs(self, point: Point) -> int:
        """The node of the games in which two books don't answer a question alike."""
        return self.worlds.differs(point.a, point.b)

    def taking(self) -> Iterator[Parting]:
        """That one book takes a game and the other doesn't, either way."""
        a, b = self.a.refused, self.b.refused
        for own, other, said in ((-a, b, (TAKEN, REFUSED)), (a, -b, (REFUSED, TAKEN))):
            yield Parting(None, (), [self.circuit.all_of([own, other])], *said, ())

    def _kinds(self, points: Sequence[Point]) -> Iterator[tuple[str, str, list[int]]]:
        """Each pair of different verdicts with the nodes of the questions that come to it."""
        sides = [(self._cases(p.a), self._cases(p.b), p.there) for p in points]
        every = (YES, NO, OPEN_YES, OPEN_NO)
        for a in every:
            for b in every:
                ways = [self.circuit.all_of([own[a], other[b], at]) for own, other, at in sides]
                if a != b and any(way != FALSE for way in ways):
                    yield a, b, ways

    def _cases(self, verdict: Verdict) -> dict[str, int]:
        holds, left = verdict
        all_of = self.circuit.all_of
        return {
            YES: all_of([holds, -left]),
            NO: all_of([-holds, -left]),
            OPEN: left,
            OPEN_YES: all_of([holds, left]),
            OPEN_NO: all_of([-holds, left]),
        }

    def lacking(self, asked: Asked, points: Sequence[Point]) -> Iterator[Parting]:
        """That a verb is answered that the other book lacks."""
        own = bool(asked.a)
        for said in (YES, OPEN):
            ways = [
                self.circuit.all_of([self._cases(p.a if own else p.b)[said], p.there])
                for p in points
            ]
            a, b = (said, NO_RULE) if own else (NO_RULE, said)
            yield Parting(asked, points, ways, a, b, self.taken)

    def unread(self, leading: bool) -> Iterator[Parting]:
        """For each verb that an answer rests on what the other book doesn't read.

        An answer rests on a fact where it isn't the same without, and on a word where it isn't
        with another that the answering book doesn't tell from any.
        """
        both = [(each, self.points(each, leading)) for each in self.asked if each.a and each.b]
        for own in (True, False):
            judged, other = (self.a, self.b) if own else (self.b, self.a)
            vain = judged.unread()
            causes: dict[Cause, dict[Stated, Stated | None]] = {}
            for node, spots in other.unread().items():
                if node not in vain:
                    name, row = self.circuit.facts[node]
                    cause = Cause(name, tuple(str(row[spot]) for spot in spots))
                    instead = judged.instead(name, row, spots)
                    causes.setdefault(cause, {})[name, row] = instead
            every = [p.a if own else p.b for _, points in both for p in points]
            roots = [node for verdict in every for node in verdict]
            for cause in sorted(causes):
                less = Without(self.circuit, causes[cause])
                changed = iter([less(root) for root in roots])
                for asked, points in both:
                    pairs = [
                        ((p.a if own else p.b), Verdict(next(changed), next(changed)), p.there)
                        for p in points
                    ]
                    yield from self._resting(asked, points, pairs, cause, own)

    def _resting(
        self,
        asked: Asked,
        points: Sequence[Point],
        pairs: Sequence[tuple[Verdict, Verdict, int]],
        cause: Cause,
        own: bool,
    ) -> Iterator[Parting]:
        """A yes that comes of what the other book doesn't read, or else a no, or what is open."""
        for said in (YES, NO, OPEN):
            ways = [
                self.circuit.all_of([self._cases(v)[said], there, -self._cases(changed)[said]])
                for v, changed, there in pairs
            ]
            a, b = (said, NO_RULE) if own else (NO_RULE, said)
            group = (asked, cause, own)
            yield Parting(asked, points, ways, a, b, self.taken, cause, group)

    def shown(self, parting: Parting, facts: tuple[Statement, ...], size: Size) -> Found:
        if parting.asked is None:
            return Found(None, None, (), parting.a, parting.b, facts, size)
        point = parting.points[self.true(parting.ways, facts)]
        said = (parting.a, parting.b)
        return Found(parting.asked, point.verb, point.row, *said, facts, size, parting.cause)

    def true(self, ways: Sequence[int], facts: Sequence[Statement]) -> int:
        """The first of some nodes that holds in a game."""
        held = self.circuit.holding(ways, self._said(facts))
        return next(at for at, holds in enumerate(held) if holds)

    def _verdict(self, verdict: Verdict, facts: Sequence[Statement]) -> str:
        holds, left = self.circuit.holding([verdict.holds, verdict.open], self._said(facts))
        return OPEN if left else YES if holds else NO

    def _said(self, facts: Sequence[Statement]) -> set[Stated]:
        """The facts of a game, with those that are assumed."""
        every = with_defaults(facts, self.worlds.universe.vocabulary)
        return {(fact.name, fact.row) for fact in every}


def _counting(told: Callable[[int], object], start: int) -> Callable[[int], object]:
    """Tells how many there are, those from before included."""
    return lambda number: told(start + number)

"""Which scenarios notice which mutants: a matrix with one bit a mutant.

A scenario kills a mutant when its verdict differs from the book's own, or whether the table is
refused, or whether the rules leave the answer open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from ..book import Book
from ..cases import Scenario, put
from ..errors import SeatlogError
from ..explain import Doubts, Prover
from ..game import Answer, Session
from ..model import Row, literals
from ..solvers import unhurried_memory
from ..table import Table, asked, table
from ..worlds import places
from .annotated import WHOLE, Annotated, InOne, Variants
from .mutants import PREDICATE, Fault


class Judged(NamedTuple):
    """What a scenario makes of the mutants of a book, and what the book itself says.

    ``kills`` has a bit for each mutant that the scenario kills, the first at bit 1. ``asked`` are
    the predicates of its question, ``yes`` is whether it has an answer other than no; neither where
    the table is ``refused``, or the book has no rule.
    """

    scenario: Scenario
    kills: int
    asked: tuple[str, ...] = ()
    yes: bool = False
    refused: bool = False


class Court:
    """A book and its mutants on trial by scenarios.

    Scenarios of one table are best heard one after the other: what a table comes to is kept.
    ``tables`` are those read so far.
    """

    def __init__(self, book: Book, mutants: Sequence[Fault]) -> None:
        self.book, self.mutants = book, tuple(mutants)
        self.variants = Variants(book, mutants)
        self._alarms = sorted(p.name for p in book.predicates.values() if p.alarm)
        self.tables: dict[str, Table | None] = {}
        self._last: tuple[frozenset[tuple[str, Row]], Annotated] | None = None
        self._heads: dict[str, int] = {}
        for number, mutant in enumerate(self.mutants, 1):
            for name in {clause.head.name for clause in mutant.clauses}:
                self._heads[name] = self._heads.get(name, 0) | 1 << number

    def judge(self, scenario: Scenario) -> Judged:
        """The mutants that a scenario kills by verdict or refusal."""
        state = self._table(scenario)
        if state is None:
            return Judged(scenario, 0, refused=True)
        with unhurried_memory():
            annotated, refused = self._asked(state), 0
            for name in self._alarms:
                refused |= annotated.holding(name)
            if refused & WHOLE:
                return Judged(scenario, self.variants.books & ~refused, refused=True)
            try:
                answer = put(scenario, Session(self.book, state, None, InOne(annotated)))
            except SeatlogError:
                return Judged(scenario, refused)
            rows = annotated.answers(answer.items, answer.variables)
        kills = refused
        for books in rows.values():
            kills |= self.variants.books & ~books if books & WHOLE else books
        names = tuple({x.name: None for x in literals(answer.items)})
        return Judged(scenario, kills, names, bool(answer))

    def weigh(self, judged: Judged, alive: int) -> int:
        """Of the mutants that are alive those that a scenario kills by what is left open."""
        tried = alive & self.concerned(judged)
        if not tried:
            return 0
        scenario = judged.scenario
        state = self._table(scenario)
        if state is None:
            return 0
        with unhurried_memory():
            annotated = self._asked(state)
            doubting = self._doubting(annotated, judged)
            if not doubting & (tried | WHOLE):
                return 0
            game = Session(self.book, state, None, InOne(annotated))
            answer = put(scenario, game)
            own = bool(answer.doubts)
            killed = tried & ~doubting if own else 0
            for number in places(tried & doubting):
                killed |= (self._is_open(game, answer, annotated, number) != own) << number
        return killed

    def concerned(self, judged: Judged) -> int:
        """The mutants whose clause the openness of an answer rests on."""
        found = 0
        for name in judged.asked:
            resting = self.variants.resting_on(name)
            if any(p.doubts and p.name in resting for p in self.book.predicates.values()):
                for head in resting:
                    found |= self._heads.get(head, 0)
        return found

    def _doubting(self, annotated: Annotated, judged: Judged) -> int:
        """The books in which a table raises a doubt that an answer rests on."""
        found = 0
        resting = {each for name in judged.asked for each in self.variants.resting_on(name)}
        for name in sorted(resting & {*self.book.predicates}):
            for doubt in self.book.predicates[name].doubts:
                found |= annotated.holding(doubt.name)
        return found

    def _is_open(self, game: Session, answer: Answer, annotated: Annotated, number: int) -> bool:
        """Whether a mutant leaves an answer open."""
        mutant = self.mutants[number - 1]
        prover = Prover(mutant.book(self.book), InOne(annotated, number), game.prover.names)
        doubts = Doubts(prover, self.book if mutant.kind != PREDICATE else None)
        rows, whole = doubts.open(answer.items, answer.variables)
        return bool(rows) or not whole

    def _table(self, scenario: Scenario) -> Table | None:
        """A scenario's table, read once for all that have it; None where it is no table."""
        mark = repr(scenario.data)
        if mark not in self.tables:
            try:
                state = table(scenario.data, self.book.vocabulary, None, scenario.name)
            except SeatlogError:
                self.tables[mark] = None
            else:
                self.tables[mark] = state
        return self.tables[mark]

    def _asked(self, state: Table) -> Annotated:
        """A table before every book."""
        facts = asked(state, self.book.vocabulary)
        mark = frozenset((fact.name, fact.row) for fact in facts)
        if self._last is None or self._last[0] != mark:
            if self._last is not None:
                self._last[1].forget()
            self._last = mark, Annotated(self.variants, facts)
        return self._last[1]


class Matrix(NamedTuple):
    """What scenarios make of mutants: for each scenario the mutants it kills, as bits from 1 on.

    What is left open counts only for those that no verdict and no refusal kills.
    """

    mutants: tuple[Fault, ...]
    judged: tuple[Judged, ...]

    @property
    def killed(self) -> int:
        """The mutants that some scenario kills."""
        return reduce(or_, (each.kills for each in self.judged), 0)

    @property
    def survivors(self) -> list[Fault]:
        """The mutants that no scenario kills, in the order of their clauses."""
        killed = self.killed
        return [m for number, m in enumerate(self.mutants, 1) if not killed >> number & 1]


def kill_matrix(
    book: Book,
    mutants: Sequence[Fault],
    scenarios: Sequence[Scenario],
    tell: Callable[[Scenario, int], object] = lambda *_: None,
) -> Matrix:
    """Put a book's mutants on trial by scenarios.

    ``tell`` is called with each scenario before it is heard, twice where what it leaves open is
    looked at, and with how many were done before.
    """
    court, judged = Court(book, mutants), []
    for done, scenario in enumerate(scenarios):
        tell(scenario, done)
        judged.append(court.judge(scenario))
    killed = Matrix(tuple(mutants), tuple(judged)).killed
    left = [number for number in range(1, len(mutants) + 1) if not killed >> number & 1]
    tables = court.tables
    court = Court(book, [mutants[number - 1] for number in left])
    court.tables = tables
    alive = court.variants.books & ~WHOLE
    for spot, each in enumerate(judged):
        if alive & court.concerned(each):
            tell(each.scenario, len(judged))
            found = court.weigh(each, alive)
            alive &= ~found
            more = sum(1 << left[number - 1] for number in places(found))
            judged[spot] = each._replace(kills=each.kills | more)
    return Matrix(tuple(mutants), tuple(judged))

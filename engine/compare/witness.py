"""The smallest game that tells a mutant from its book, or that none within a bound does.

Both lie in one circuit, and a SAT solver says whether they part in any verdict, in what the table
comes to in the next state, in what is open, or in whether they take the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..book import Book, Words
from ..errors import SeatlogError, quoted
from ..game import Session
from ..model import Const, Literal, Row, Statement
from ..table import as_data, data_lines, table, value_text
from ..worlds import (
    FALSE,
    Games,
    Judged,
    Pairs,
    Slots,
    Verdict,
    Worlds,
    names_said,
    pairs,
    sat_solver,
    saying,
)
from .mutants import Fault, Mutant

_NEVER = Verdict(FALSE, FALSE)
_RENEWED = 12
"""After so many mutants a new circuit is begun: each leaves its own nodes behind."""


class Witness(NamedTuple):
    """A game as the data of a table, and the literal of which book and mutant say different things.

    There is no literal where only one of them takes the table. ``confirmed`` is whether the solver
    that answers people says the same.
    """

    data: Mapping[str, object]
    literal: Literal | None
    confirmed: bool


class _Apart(NamedTuple):
    """A book beside its mutant, and the rows of which they may say different things.

    ``ways`` are how a game tells them apart, by a verdict or by that only one takes the table: a
    node with those that hold beside, and pairs of nodes that may come to the same there.
    """

    games: Games
    own: Judged
    other: Judged
    ways: list[tuple[tuple[int, ...], Pairs]]
    rows: list[tuple[str, Row]]


class Witnesses:
    """Looks for the smallest game of each mutant of a book within a bound.

    ``asked`` are the predicates whose verdicts count, unless all that has a verb or makes the next
    state. Raises SeatlogError where python-sat isn't installed.
    """

    def __init__(self, book: Book, bound: Mapping[str, int], asked: Iterable[str] = ()) -> None:
        sat_solver()
        named = names_said(book.vocabulary, saying(book))
        if named:
            raise SeatlogError(
                f"{book.name} speaks of {quoted(named[0])}, so names aren't alike in all games, "
                "and nothing can be proved of them",
                hint="speak of what somebody is or does; or ask without --bound",
            )
        self.book, self._bound = book, bound
        verbs = [verb.predicate for verb in book.verbs]
        steps = [p.name for p in book.predicates.values() if p.outcomes]
        self.predicates = sorted(set(asked) or {*verbs, *steps})
        self._worded = [s for s in book.vocabulary.sorts.values() if isinstance(s, Words)]
        self._worlds: Worlds | None = None
        self._games: Games | None = None
        self._own: Judged | None = None
        self._done = 0

    def of(self, mutant: Fault) -> Witness | None:
        """The smallest game for a mutant; None where it is proved that no game within is one."""
        changed = mutant.book(self.book)
        apart = self._apart(changed)
        games = [apart.games.smallest(*each, alike=alike) for each, alike in apart.ways]
        game = min((each for each in games if each), key=lambda each: each.size, default=None)
        if game is None:
            return None
        facts = tuple(fact for fact in game.facts if fact.origin)
        return self._confirmed(facts, changed, apart.rows)

    def some(self, mutant: Fault) -> bool:
        """Whether some game within the bound tells a mutant from the book, however large."""
        apart = self._apart(mutant.book(self.book))
        return any(apart.games.any(*each, alike=alike) for each, alike in apart.ways)

    def none(self, mutant: Fault) -> bool:
        """Whether it is proved that no game within the bound tells a mutant from the book.

        Where what is changed says the same in every game that either takes, all that rests on it
        does; else all of that is looked at.
        """
        apart = self._apart(mutant.book(self.book))
        if self._same(apart, {clause.head.name for clause in mutant.clauses}):
            return True
        return not any(apart.games.any(*each, alike=alike) for each, alike in apart.ways)

    def _same(self, apart: _Apart, names: set[str]) -> bool:
        """Whether some predicates are the same in every game that the book or its mutant takes."""
        own, other = apart.own, apart.other
        if names & own.settled.keys() != names & other.settled.keys():
            return False
        return not any(
            apart.games.any(apart.games.circuit.differs(*pair), -refused)
            for pair in pairs(own, other, names)
            for refused in {own.refused, other.refused}
        )

    def _apart(self, changed: Book) -> _Apart:
        """A book's mutant beside it."""
        if self._done % _RENEWED == 0:
            self.close()
            slots = Slots(self.book.vocabulary, self._bound, saying(self.book))
            self._worlds = Worlds(slots)
            self._own = self._worlds.judged(self.book, self.predicates)
            self._games = Games(self._worlds)
        self._done += 1
        assert self._worlds and self._own and self._games
        own, other = self._own, self._worlds.judged(changed, self.predicates)
        circuit = self._worlds.circuit
        ways: dict[tuple[str, Row], int] = {}
        leading = self._worlds.universe.leading
        for name in self.predicates:
            mine, theirs = own.verdicts(name), other.verdicts(name)
            if mine is theirs:
                continue
            for row in {**mine, **theirs}:
                if leading(row) != row:
                    continue
                one, two = mine.get(row, _NEVER), theirs.get(row, _NEVER)
                if one != two:
                    differs = self._worlds.differs(one, two)
                    ways[name, row] = circuit.all_of([differs, self._worlds.there(row)])
        by_own, by_other = own.refused, other.refused
        alike = pairs(own, other)
        apart: list[tuple[tuple[int, ...], Pairs]] = [
            ((circuit.any_of(ways.values()), -by_own, -by_other), alike),
            ((by_other, -by_own), alike),
            ((by_own, -by_other), alike),
        ]
        return _Apart(self._games, own, other, apart, list(ways))

    def close(self) -> None:
        """Let the solver go."""
        if self._games is not None:
            self._games.close()
            self._games = None

    def _confirmed(
        self, facts: tuple[Statement, ...], changed: Book, ways: list[tuple[str, Row]]
    ) -> Witness:
        """A game asked again of the solver that answers people."""
        data = as_data(facts, self.book.vocabulary, None)
        one, other = (_opened(book, data) for book in (self.book, changed))
        if one is None or other is None:
            return Witness(data, None, (one is None) != (other is None))
        known = {*one.table.names}
        words = {word for name in self._worded for word in name.words}
        for name, row in ways:
            literal = Literal(name, tuple(Const(value) for value in row))
            spoken = {value for value in row if isinstance(value, str)}
            if spoken <= known | words and _said(one, literal) != _said(other, literal):
                return Witness(data, literal, True)
        return Witness(data, None, False)

    def scenario(self, mutant: Mutant, witness: Witness) -> list[str]:
        """A game as the lines of a scenario that kills its mutant; none where none can ask it."""
        if witness.literal is None or not witness.confirmed:
            return []
        game = Session(self.book, table(witness.data, self.book.vocabulary))
        answer = game.ask(str(witness.literal))
        cites = ", ".join(value_text(number) for number in sorted(answer.cites))
        lines = [
            "[[scenario]]",
            f"name = {value_text(mutant.wrong)}",
            f"ask = {value_text(str(witness.literal))}",
            f"answer = {value_text('yes' if answer else 'no')}",
            *(["open = true"] if answer.doubts else []),
            f"cites = [{cites}]",
            "",
        ]
        return [*lines, *data_lines(witness.data, ("scenario", "table"))]


def _said(game: Session, literal: Literal) -> tuple[bool, bool]:
    """Whether a literal holds, and whether the rules leave that open."""
    return bool(game.solver.rows(literal)), bool(game.explainer.doubts(literal))


def _opened(book: Book, data: Mapping[str, object]) -> Session | None:
    """A game under a book; None where it doesn't take the table."""
    try:
        return Session(book, table(data, book.vocabulary, None, "the smallest game"))
    except SeatlogError:
        return None

"""What a session knows: a book, the rules changed in it, a table and what was said of it.

A state is never altered; every change makes a new one, checked as a table file would be, so that
the old one can always be gone back to. Contradictions that clauses find are found by whoever opens
a session on the state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..book import Book, Vocabulary
from ..game import Announce, Session
from ..model import Statement
from ..solvers import PLAIN, known_solver
from ..table import Table, open_table, restated
from . import rulings

if TYPE_CHECKING:
    from ..authoring import Draft


class State(NamedTuple):
    """``base`` is the book without the session's clauses, ``book`` with them in it.

    ``base`` has the sections that were given another text in the session, as ``draft`` has them;
    nobody alters a draft. ``said`` are the facts of the table less those assumed where nothing is
    said. ``edition`` is the one asked for, which a table can't overrule; ``solver`` the one that
    answers.
    """

    base: Book
    book: Book
    table: Table
    said: tuple[Statement, ...]
    edition: str | None = None
    rules: rulings.Rules = rulings.Rules()
    solver: str = PLAIN
    draft: Draft | None = None

    @property
    def read(self) -> Book:
        """The book as it was read."""
        return self.base if self.draft is None else self.draft.base

    @property
    def ruled(self) -> bool:
        """Whether the session changed a rule."""
        return self.draft is not None or self.rules != rulings.Rules()

    @property
    def named(self) -> str | None:
        """The edition that was asked for, or that the table asks for."""
        return self.edition or self.table.edition

    @property
    def vocabulary(self) -> Vocabulary:
        """What tables may say, nothing of the session's rules in it."""
        return self.base.vocabulary

    def assumed(self) -> list[Statement]:
        """The facts that hold because nothing is said."""
        return [f for f in self.table.facts if not f.origin]

    def session(self, announce: Announce | None = None) -> Session:
        """A session to ask. Raises SeatlogError for a table the book refuses."""
        return Session(self.book, self.table, announce, self.solver)


def opened(
    file: str | None, edition: str | None, keys: Mapping[str, Any], solver: str = PLAIN
) -> State:
    """The state a table file (or a shipped table's name) and the keys over it describe.

    Raises SeatlogError for what can't be read or contradicts the vocabulary, and for a solver that
    isn't there.
    """
    known_solver(solver)
    read = open_table(file, edition, keys)
    said = tuple(f for f in read.table.facts if f.origin)
    return State(read.book, read.book, read.table, said, edition, solver=solver)


def stated(state: State, said: Sequence[Statement]) -> State:
    """The state with other facts. Raises TableError or Faults for what contradicts itself."""
    table = restated(state.table, said, state.vocabulary)
    return state._replace(said=tuple(said), table=table)


def ruled(state: State, rules: rulings.Rules) -> State:
    """The state with other rules of the session. Raises SeatlogError for what can't be a rule."""
    return state._replace(book=rulings.build(state.base, rules), rules=rules)


def edited(state: State, draft: Draft, number: str) -> State:
    """The state with a draft in which a section has another text.

    Raises SeatlogError where clauses of the session can't stand beside it.
    """
    rules = rulings.carried(state.base, draft.book, state.rules, number)
    book = rulings.build(draft.book, rules)
    return state._replace(base=draft.book, book=book, rules=rules, draft=draft)


def loaded(state: State, file: str) -> tuple[State, bool]:
    """The state of another table file, and whether the session's rules could be kept.

    They belong to a book, and the table may ask for another one.
    """
    fresh = opened(file, state.edition, {}, state.solver)
    if not state.ruled:
        return fresh, True
    if fresh.base.key != state.read.key:
        return fresh, False
    fresh = fresh._replace(base=state.base, draft=state.draft)
    return ruled(fresh, state.rules), True

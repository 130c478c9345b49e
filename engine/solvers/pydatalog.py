"""Answers from pyDatalog's engine, through its classes instead of its parser.

The parser executes what it is given and keeps one program per thread; the engine beneath has
neither habit. A book has ``Logic``s of its own, one for each set of predicates that tables state,
laid into the thread for the length of one question; a clause goes there once, when it is first
needed. What a table states is never asserted: the engine asks for it as for a comparison. The
engine's tables (subgoals, after Chen and Warren 1996) are kept between questions when the run that
made them was exhausted.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from pyDatalog import pyEngine
from pyDatalog.Logic import Logic

from ..book import Book
from ..errors import BookError, SeatlogError, printable
from ..model import (
    Comparison,
    Const,
    Count,
    Item,
    Literal,
    Row,
    Statement,
    Sum,
    Term,
    Var,
    literals,
)
from .facts import Stated, goal_key, in_order
from .goals import Counter, Tables, rows_of, unhurried_memory, untie
from .pruned import PerReduced, Reduced

_PREFIX = "p "
_programs: weakref.WeakSet[_Program] = weakref.WeakSet()


def solver(book: Book, facts: Iterable[Statement]) -> PyDatalog:
    """A solver for this book and these facts."""
    stated = Stated(facts)
    return PyDatalog(book, _program(book, stated.by_name), stated)


def compiled() -> bool:
    """Whether the wheel's compiled engine is in use (the pure one is slower)."""
    return not str(pyEngine.__file__).endswith(".py")


def description() -> str:
    """Name, version and kind of the engine."""
    from importlib.metadata import version

    return f"pyDatalog {version('pyDatalog')} ({'compiled' if compiled() else 'pure Python'})"


class _Now:
    """Which table is asking, for what the engine calls: that doesn't hold the program."""

    asking: PyDatalog


class _Program:
    """Clauses of one book in the engine, for the tables that state the same predicates."""

    def __init__(self, reduced: Reduced) -> None:
        self.lock, self.reduced, self._now = threading.RLock(), reduced, _Now()
        self._known: set[str] = set()
        self._counts = 0
        with _own_program() as self.logic:
            pass
        _programs.add(self)

    def __del__(self) -> None:
        """Take clauses apart that go in circles; no table is left that could ask them."""
        for predicate in self.logic.Db.values():
            predicate.db, predicate.clauses = {}, {}

    def forked(self) -> None:
        """In the child of a fork: let go what another thread was just asking, as it isn't here."""
        if self.lock.acquire(blocking=False):
            self.lock.release()
            return
        self.lock = threading.RLock()
        asking = self._now.__dict__.pop("asking", None)
        if asking is not None:
            asking.forget()

    @contextmanager
    def asked_by(self, table: PyDatalog) -> Iterator[Any]:
        """Lay this program into the thread for a table's question, and put back what was there."""
        with self.lock, _own_program(self.logic):
            self._now.asking = table
            try:
                yield self.logic
            finally:
                del self._now.asking

    def need(self, name: str) -> None:
        """Assert the clauses a predicate rests on, those that weren't needed before."""
        todo, new = [name], set()
        while todo:
            name = todo.pop()
            if name in self._known or name in new:
                continue
            new.add(name)
            primitive = None if name in self.reduced.by_head else self._stated(name)
            _insert(_PREFIX + name, self.reduced.arity[name], primitive)
            for head, body in self.reduced.clauses(name):
                items = [self._item(i) for i in body]
                pyEngine.assert_(pyEngine.Clause(engine_literal(head), items))
                todo += [x.name for x in literals(body)]
        self._known |= new

    def _stated(self, name: str) -> Callable[[Any, Any], None]:
        """What the engine calls for a predicate of which only tables know when it holds."""

        now = self._now

        def primitive(literal: Any, subgoal: Any) -> None:
            for fact in now.asking.facts(name, literal):
                subgoal.fact(fact)

        return primitive

    def _item(self, item: Item) -> Any:
        if isinstance(item, Literal):
            return engine_literal(item)
        if isinstance(item, Comparison):
            left, right = item.left, item.right
            if isinstance(right, Var) and not isinstance(left, Var) and item.op == "==":
                left, right = right, left
            return pyEngine.Literal(item.op, [_term(left), _term(right)])
        return self._count(item)

    def _count(self, item: Count) -> Any:
        """A count becomes a primitive of its own, which waits for the counted goal to complete."""
        free = (t.name for t in item.literal.args if isinstance(t, Var) and t != item.counted)
        keys = list(dict.fromkeys(free))
        self._counts += 1
        name = f"count {self._counts}"

        def primitive(literal: Any, subgoal: Any) -> None:
            bound = dict(zip(keys, literal.terms, strict=False))
            terms = [
                bound.get(t.name, pyEngine.Var(t.name)) if isinstance(t, Var) else _term(t)
                for t in item.literal.args
            ]
            goal = pyEngine.Literal(_PREFIX + item.literal.name, terms)
            subgoal.complete(goal, Counter(list(literal.terms[:-1])))

        _insert(name, len(keys) + 1, primitive)
        return pyEngine.Literal(name, [pyEngine.Var(k) for k in [*keys, item.result.name]])


class PyDatalog:
    """One table under the program of its book."""

    name = "pydatalog"

    def __init__(self, book: Book, program: _Program, stated: Stated) -> None:
        self._book, self._program, self._stated = book, program, stated
        self._said: dict[tuple[str, Row], Any] = {}
        self._tables = Tables()
        self._answers: dict[Any, tuple[Row, ...]] = {}

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """Every ground instance of a positive literal that holds, sorted."""
        reduced = self._program.reduced
        if reduced.arity.get(literal.name) != len(literal.args):
            raise BookError(f"no predicate {literal.name} with {len(literal.args)} terms")
        key = goal_key(literal)
        found = self._answers.get(key)
        if found is None:
            if literal.name not in reduced.by_head:
                found = self._stated.rows(literal)
            elif literal.name not in reduced.possible:
                found = ()
            else:
                with self._program.asked_by(self) as state, unhurried_memory():
                    found = self._run(literal, state)
            self._answers[key] = found
        return found

    def but(self, facts: Iterable[Statement]) -> PyDatalog:
        """The solver for other facts; what rests on no changed fact is not worked out again."""
        other = solver(self._book, facts)
        if other._program is self._program:
            with self._program.lock:
                lost = self._program.reduced.resting_on(self._stated.differing(other._stated))
                kept = list(self._answers.items())
                other._answers = {key: rows for key, rows in kept if key[0] not in lost}
                for tag, found in self._tables.items():
                    if _named(tag) not in lost:
                        other._tables[tag] = found
        return other

    def forget(self) -> None:
        """Let the engine's tables go: some may be half worked out."""
        self._tables = Tables()

    def facts(self, name: str, wanted: Any) -> Iterable[Any]:
        """What the table states, for the engine: True where nothing is left open."""
        known, free = {}, {}
        for spot, term in enumerate(wanted.terms):
            if isinstance(term, pyEngine.Const):
                known[spot] = term.id
            else:
                free[spot] = term.id
        rows = self._stated.select(name, known, free)
        if not free:
            return (True,) if rows else ()
        return [self._say(wanted.pred, name, row) for row in rows]

    def _say(self, predicate: Any, name: str, row: Row) -> Any:
        """A stated row as the engine takes it."""
        said = self._said.get((name, row))
        if said is None:
            said = pyEngine.Literal(predicate, [pyEngine.Const(v) for v in row])
            self._said[name, row] = said
        return said

    def _run(self, literal: Literal, state: Any) -> tuple[Row, ...]:
        goal = engine_literal(literal)
        kept = self._tables.get(goal.get_tag())
        if kept is None:
            wider = self._tables.wider(literal, goal.pred.id)
            if wider is not None:
                return wider
            self._program.need(literal.name)
            kept = self._search(goal, literal, state)
        return in_order(rows_of(kept, literal))

    def _search(self, goal: Any, literal: Literal, state: Any) -> Any:
        """One run of the engine's loop, as its own ``Literal.ask`` does it, on kept tables."""
        before, whole = len(self._tables), False
        state.Subgoals = self._tables
        state.Tasks, state.Recursive_Tasks = pyEngine.TaskList(), pyEngine.TaskDeque()
        state.Recursive, state.gc_uncollected = False, True
        subgoal = state.Goal = pyEngine.Subgoal(goal)
        try:
            step: Any = (pyEngine.SEARCH, (subgoal,))
            while step is not None and step[0] is not None:
                step = step[0](*step[1])
            whole = not state.Tasks and not state.Recursive_Tasks
        except (SeatlogError, MemoryError):
            raise
        except Exception as error:
            raise BookError(
                f"the engine gave up on {literal}: {printable(str(error) or type(error).__name__)}",
                hint="`seatlog lint` says what in a rule text can do that",
            ) from error
        finally:
            self._tables.settle(before, whole, _PREFIX)
            state.Subgoals, state.Goal, state.Tasks, state.Recursive_Tasks = {}, None, None, None
        if whole:
            self._tables[goal.get_tag()] = subgoal
        else:
            untie(subgoal)
        return subgoal


_program = PerReduced(_Program)


def _after_fork() -> None:
    for program in list(_programs):
        program.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _term(term: Term) -> Any:
    if isinstance(term, Const):
        return pyEngine.Const(term.value)
    if isinstance(term, Var):
        return pyEngine.Var(term.name)
    assert isinstance(term, Sum)
    return pyEngine.Operation(_term(term.left), term.op, _term(term.right))


def engine_literal(literal: Literal) -> Any:
    """A literal as the engine takes it, in the program that lies in the thread."""
    sign = "~" if literal.negated else ""
    return pyEngine.Literal(sign + _PREFIX + literal.name, [_term(t) for t in literal.args])


def _named(tag: tuple[Any, ...]) -> str:
    """The predicate of a goal, from the engine's key of its table: ``("p name/1", …)``."""
    name: str = tag[0]
    return name.removeprefix(_PREFIX).rpartition("/")[0]


def _insert(name: str, arity: int, primitive: Callable[[Any, Any], None] | None) -> None:
    predicate = pyEngine.Pred(name, arity)
    predicate.prearity = arity
    pyEngine.insert(predicate).prim = primitive


@contextmanager
def _own_program(logic: Any = None) -> Iterator[Any]:
    """Lay a program into the thread, a fresh one if none is given; put back what was there."""
    before = getattr(Logic.tl, "logic", None)
    counter = pyEngine.Fresh_var.tl
    if not hasattr(counter, "counter"):
        counter.counter = 0
    if logic is not None:
        Logic.tl.logic = logic
    try:
        yield logic or Logic()
    finally:
        if before is None:
            del Logic.tl.logic
        else:
            Logic.tl.logic = before

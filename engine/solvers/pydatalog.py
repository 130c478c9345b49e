"""Answers from pyDatalog's engine, through its classes instead of its parser.

The parser executes what it is given and keeps one program per thread; the engine beneath has
neither habit. Each solver owns a ``Logic`` that it lays into the thread for the length of one
question. The engine's tables (subgoals, after Chen and Warren 1996) are kept between questions
when the run that made them was exhausted.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from pyDatalog import pyEngine
from pyDatalog.Logic import Logic

from ..book import Book, Statement
from ..errors import BookError, SeatlogError, printable
from ..model import (
    Clause,
    Comparison,
    Const,
    Count,
    Item,
    Literal,
    Row,
    Sum,
    Term,
    Value,
    Var,
    literals,
)
from ..plan import plan
from .stated import Stated, goal_key, row_order
from .tabled import Tables, unhurried_memory

_PREFIX = "p "


def solver(book: Book, facts: Iterable[Statement]) -> PyDatalog:
    """A solver for this book and these facts."""
    return PyDatalog(book, facts)


def compiled() -> bool:
    """Whether the wheel's compiled engine is in use (the pure one is slower)."""
    return not str(pyEngine.__file__).endswith(".py")


def description() -> str:
    """Name, version and kind of the engine."""
    from importlib.metadata import version

    return f"pyDatalog {version('pyDatalog')} ({'compiled' if compiled() else 'pure Python'})"


class PyDatalog:
    """One book and one table in one pyDatalog program of their own."""

    def __init__(self, book: Book, facts: Iterable[Statement]) -> None:
        self._lock = threading.RLock()
        self._consts: dict[tuple[type, Value], Any] = {}
        self._tables = Tables()
        self._answers: dict[Any, tuple[Row, ...]] = {}
        self._counts = 0
        self._waiting: dict[str, list[Clause]] = {}
        for clause in book.clauses:
            self._waiting.setdefault(clause.head.name, []).append(clause)
        self._derived = set(self._waiting)
        self._stated = Stated(facts)
        self._unsaid = dict(self._stated.by_name)
        self._arity = {name: len(fact.args) for name, fact in book.vocabulary.facts.items()}
        with self._lock, _fresh_program() as self._logic:
            for name, declared in book.predicates.items():
                self._arity.setdefault(name, declared.arity)
            for name, arity in self._arity.items():
                predicate = pyEngine.Pred(_PREFIX + name, arity)
                predicate.prearity = arity
                pyEngine.insert(predicate)

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """Every ground instance of a positive literal that holds, sorted."""
        if self._arity.get(literal.name) != len(literal.args):
            raise BookError(f"no predicate {literal.name} with {len(literal.args)} terms")
        key = goal_key(literal)
        found = self._answers.get(key)
        if found is None:
            if literal.name not in self._derived:
                found = self._stated.rows(literal)
            else:
                with self._lock, self._entered(), unhurried_memory():
                    found = self._run(literal)
            self._answers[key] = found
        return found

    def _need(self, name: str) -> None:
        """Assert the clauses a predicate rests on, those that weren't needed before."""
        todo = [name]
        while todo:
            name = todo.pop()
            for row in self._unsaid.pop(name, ()):
                head = pyEngine.Literal(_PREFIX + name, [self._const(v) for v in row])
                pyEngine.assert_(pyEngine.Clause(head, []))
            for clause in self._waiting.pop(name, ()):
                body = [self._item(i) for i in plan(clause.body).items]
                pyEngine.assert_(pyEngine.Clause(self._literal(clause.head), body))
                todo += [x.name for x in literals(clause.body)]

    def _const(self, value: Value) -> Any:
        mark = (type(value), value)
        const = self._consts.get(mark)
        if const is None:
            const = self._consts[mark] = pyEngine.Const(value)
        return const

    def _term(self, term: Term) -> Any:
        if isinstance(term, Const):
            return self._const(term.value)
        if isinstance(term, Var):
            return pyEngine.Var(term.name)
        assert isinstance(term, Sum)
        return pyEngine.Operation(self._term(term.left), term.op, self._term(term.right))

    def _literal(self, literal: Literal) -> Any:
        sign = "~" if literal.negated else ""
        return pyEngine.Literal(
            sign + _PREFIX + literal.name, [self._term(t) for t in literal.args]
        )

    def _item(self, item: Item) -> Any:
        if isinstance(item, Literal):
            return self._literal(item)
        if isinstance(item, Comparison):
            left, right = item.left, item.right
            if isinstance(right, Var) and not isinstance(left, Var) and item.op == "==":
                left, right = right, left
            return pyEngine.Literal(item.op, [self._term(left), self._term(right)])
        return self._count(item)

    def _count(self, item: Count) -> Any:
        """A count becomes a primitive of its own, which waits for the counted goal to complete."""
        keys = list(
            dict.fromkeys(
                t.name for t in item.literal.args if isinstance(t, Var) and t != item.counted
            )
        )
        self._counts += 1
        name = f"count {self._counts}"
        predicate = pyEngine.Pred(name, len(keys) + 1)
        predicate.prearity = len(keys) + 1

        def primitive(literal: Any, subgoal: Any) -> None:
            bound = dict(zip(keys, literal.terms, strict=False))
            terms = [
                bound.get(t.name, pyEngine.Var(t.name)) if isinstance(t, Var) else self._term(t)
                for t in item.literal.args
            ]
            goal = pyEngine.Literal(_PREFIX + item.literal.name, terms)
            subgoal.complete(goal, _Counter(list(literal.terms[:-1])))

        pyEngine.insert(predicate).prim = primitive
        return pyEngine.Literal(name, [pyEngine.Var(k) for k in [*keys, item.result.name]])

    @contextmanager
    def _entered(self) -> Iterator[None]:
        """Lay this program into the thread, and put back what was there."""
        local = Logic.tl
        before = getattr(local, "logic", None)
        counter = pyEngine.Fresh_var.tl
        if not hasattr(counter, "counter"):
            counter.counter = 0
        local.logic = self._logic
        try:
            yield
        finally:
            if before is None:
                del local.logic
            else:
                local.logic = before

    def _run(self, literal: Literal) -> tuple[Row, ...]:
        goal = self._literal(literal)
        kept = self._tables.get(goal.get_tag())
        if kept is None:
            wider = self._tables.wider(literal, goal.pred.id)
            if wider is not None:
                return wider
            kept = self._search(goal, literal)
        if kept.facts is True:
            return (tuple(t.value for t in literal.args if isinstance(t, Const)),)
        found = [tuple([t.id for t in each.terms]) for each in kept.facts.values()]
        return tuple(sorted(found, key=row_order))

    def _search(self, goal: Any, literal: Literal) -> Any:
        """One run of the engine's loop, as its own ``Literal.ask`` does it, on kept tables."""
        self._need(literal.name)
        state = self._logic
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
        return subgoal


class _Counter:
    """Turns a completed goal into the number of its answers; called by the engine."""

    def __init__(self, keys: list[Any]) -> None:
        self.keys = keys

    def complete(self, counted: Any, parent: Any) -> None:
        number = 1 if counted.facts is True else len(counted.facts)
        parent.fact_candidate(None, [*self.keys, pyEngine.Const(number)])


@contextmanager
def _fresh_program() -> Iterator[Any]:
    before = getattr(Logic.tl, "logic", None)
    try:
        yield Logic()
    finally:
        if before is None:
            del Logic.tl.logic
        else:
            Logic.tl.logic = before

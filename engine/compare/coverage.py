"""What scenarios cover of a book: clauses that hold in their answers, literals that decide there.

A clause is *covered* when an answer rests on a question, or a part of one, that it comes to. A
literal is covered when it has held and has failed where it was come to, as in condition coverage
(Myers 1979); what only binds a variable can't fail. Each question is followed down through its
clauses and what would leave it open, every part of it once, as in tabled resolution (Tamaki and
Sato 1986).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from ..book import Book, rule_order
from ..cases import Scenario, put
from ..errors import SeatlogError
from ..game import Session
from ..language import binds, plan
from ..model import Clause, Comparison, Const, Count, Item, Literal, Row, Var, literals
from ..solvers import Env, Rows, ground, match, row_of, steps, unhurried_memory
from ..table import Table, asked, table
from .annotated import Annotated, InOne, Variants
from .trial import own_clauses, percent

MOST_WAYS = 200
"""So many ways to satisfy a body up to an item are followed for one part of a question."""


class Uncovered(NamedTuple):
    """A clause that isn't covered whole: whether it has held, and items that never did or failed.

    The items are numbered by their places in the body, from 0.
    """

    clause: Clause
    holds: bool
    never_held: tuple[int, ...]
    never_failed: tuple[int, ...]


class Share(NamedTuple):
    """How much is covered of some clauses and their literals."""

    clauses: int
    covered: int
    literals: int
    decided: int

    @property
    def percent(self) -> float:
        """Clauses and literals together, in per cent."""
        return percent(self.covered + self.decided, self.clauses + self.literals)

    def __add__(self, other: tuple[Any, ...]) -> Share:
        return Share(*(a + b for a, b in zip(self, other, strict=True)))


class Coverage:
    """What scenarios cover of the clauses in a book's own files, or in some sections."""

    def __init__(self, book: Book, sections: Collection[str] = ()) -> None:
        self.book, self.clauses = book, own_clauses(book, sections)
        self._variants = Variants(book)
        self._alarms = sorted(p.name for p in book.predicates.values() if p.alarm)
        self._below_alarms = self._only_alarms()
        self._fired: set[int] = set()
        self._held: set[tuple[int, int]] = set()
        self._failed: set[tuple[int, int]] = set()

    def _only_alarms(self) -> set[str]:
        """The predicates that nothing but alarms rests on: no question goes down to them."""
        resting, every = self._variants.resting_on, set(self.book.predicates)
        below = {name for alarm in self._alarms for name in resting(alarm)}
        asked_of = {verb.predicate for verb in self.book.verbs} | every - below
        return below - {name for each in asked_of for name in resting(each)}

    def take(self, scenario: Scenario) -> None:
        """Follow a scenario's question, or the alarms where its table is refused."""
        try:
            state = table(scenario.data, self.book.vocabulary, None, scenario.name)
        except SeatlogError:
            return
        annotated = Annotated(self._variants, asked(state, self.book.vocabulary))
        with unhurried_memory():
            self._take(scenario, state, InOne(annotated))
        annotated.forget()

    def _take(self, scenario: Scenario, state: Table, solver: InOne) -> None:
        raised = [goal for name in self._alarms for goal in _raised(name, solver)]
        if raised:
            self._follow(raised, solver)
            return
        alarms = [(name, self.book.predicates[name].params) for name in self._alarms]
        quiet = [Literal(name, tuple(map(Var, args))) for name, args in alarms]
        self._follow(quiet, solver, self._below_alarms)
        try:
            answer = put(scenario, Session(self.book, state, None, solver))
        except SeatlogError:
            return
        self._follow(self._asked(answer.items, solver), solver)

    @staticmethod
    def _asked(items: Sequence[Item], solver: Rows) -> list[Literal]:
        """The literals of a question, with what those before them bind."""
        found: dict[Literal, None] = {}
        envs: list[Env] = [{}]
        for item in plan(items).items:
            for literal in literals((item,)):
                found.update(dict.fromkeys(ground(literal.atom, env) for env in envs))
            ways = (each for env in envs for each in steps(item, env, solver))
            envs = list(islice(ways, MOST_WAYS))
        return list(found)

    def _follow(
        self, goals: Iterable[Literal], solver: Rows, only: Collection[str] | None = None
    ) -> None:
        """Go down from some literals through the clauses that they rest on, or ``only`` some."""
        todo, seen = list(goals), set[Literal]()
        while todo:
            goal = _plain(todo.pop())
            if goal in seen:
                continue
            seen.add(goal)
            if only is not None and goal.name not in only:
                continue
            for clause in self.book.by_head.get(goal.name, ()):
                todo += self._walk(clause, goal, solver)
            todo += self._doubts(goal)

    def _doubts(self, goal: Literal) -> Iterator[Literal]:
        """What would leave a literal open, where its predicate says that something may."""
        predicate = self.book.predicates.get(goal.name)
        if predicate is not None and predicate.doubts:
            terms = zip(predicate.params, goal.args, strict=True)
            known = {name: term.value for name, term in terms if isinstance(term, Const)}
            yield from (ground(doubt, known) for doubt in predicate.doubts)

    def _walk(self, clause: Clause, goal: Literal, solver: Rows) -> dict[Literal, None]:
        """Work a clause off for a literal, item by item; what is asked on the way."""
        found: dict[Literal, None] = {}
        env = _bound(clause, goal)
        if env is None:
            return found
        mark, spots = id(clause), {id(item): at for at, item in enumerate(clause.body)}
        envs = {tuple(sorted(env.items())): env}
        for item in plan(clause.body, env).items:
            following: dict[Any, dict[str, Any]] = {}
            for each in envs.values():
                found.update(dict.fromkeys(ground(x.atom, each) for x in literals((item,))))
                ways = list(islice(steps(item, each, solver), MOST_WAYS))
                (self._held if ways else self._failed).add((mark, spots[id(item)]))
                following.update((tuple(sorted(way.items())), way) for way in ways)
            envs = dict(islice(following.items(), MOST_WAYS))
            if not envs:
                return found
        if any(match(goal.args, row) is not None for row in _rows(clause, envs.values())):
            self._fired.add(mark)
        return found

    def uncovered(self) -> list[Uncovered]:
        """The clauses that aren't covered whole, in rule order."""
        out = []
        for clause in self.clauses:
            spots = [at for at, item in enumerate(clause.body) if _decides(clause, item)]
            mark = id(clause)
            held = tuple(at for at in spots if (mark, at) not in self._held)
            failed = tuple(at for at in spots if (mark, at) not in self._failed)
            if mark not in self._fired or held or failed:
                out.append(Uncovered(clause, mark in self._fired, held, failed))
        return sorted(out, key=lambda each: rule_order(each.clause.rule))

    def shares(self) -> Mapping[str, Share]:
        """How much is covered, section by section in rule order."""
        out: dict[str, Share] = {}
        for clause in self.clauses:
            mark = id(clause)
            spots = [at for at, item in enumerate(clause.body) if _decides(clause, item)]
            both = sum((mark, at) in self._held and (mark, at) in self._failed for at in spots)
            share = Share(1, int(mark in self._fired), len(spots), both)
            out[clause.rule] = share + out.get(clause.rule, (0, 0, 0, 0))
        return {number: out[number] for number in sorted(out, key=rule_order)}

    def whole(self) -> Share:
        """How much is covered of all."""
        total = Share(0, 0, 0, 0)
        for share in self.shares().values():
            total += share
        return total


def _raised(name: str, solver: InOne) -> list[Literal]:
    """An alarm of everything for which it is raised."""
    rows = solver.annotated.relation(name).rows
    return [Literal(name, tuple(Const(value) for value in row)) for row in rows]


def _plain(goal: Literal) -> Literal:
    """A literal whose variables are named by their places."""
    names: dict[str, Var] = {}
    args = [
        names.setdefault(t.name, Var(f"V{len(names)}")) if isinstance(t, Var) else t
        for t in goal.args
    ]
    return Literal(goal.name, tuple(args))


def _bound(clause: Clause, goal: Literal) -> dict[str, Any] | None:
    """What the constants of a literal bind in a clause's head; None where they don't fit."""
    pairs = [
        (term, asked_.value)
        for term, asked_ in zip(clause.head.args, goal.args, strict=True)
        if isinstance(asked_, Const) and isinstance(term, Var | Const)
    ]
    return match([term for term, _ in pairs], [value for _, value in pairs])


def _rows(clause: Clause, envs: Iterable[Env]) -> Iterator[Row]:
    """What a clause comes to in some environments."""
    for env in envs:
        row = row_of(ground(clause.head, env))
        assert row is not None
        yield row


def _decides(clause: Clause, item: Item) -> bool:
    """Whether an item can fail: not where it only gives a name to a number or a term."""
    if isinstance(item, Literal):
        return True
    order = plan(clause.body).items
    before = order[: next(at for at, each in enumerate(order) if each is item)]
    known = {name for each in before for name in binds(each)}
    if isinstance(item, Count):
        return item.result.name in known
    return not (
        isinstance(item, Comparison)
        and item.op == "=="
        and any(isinstance(t, Var) and t.name not in known for t in (item.left, item.right))
    )

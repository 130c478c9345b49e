"""Why: the proof with fewest clauses. Why not: the clauses that came closest, and where they fail.

Both are built from the book's clauses and from answers to single literals, so every solver gets
them. A *proof* is a tree of clause instances (a derivation tree); a *refutation* of a literal
shows, for the clauses that could have derived it and came closest, the item that can't be
satisfied.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from itertools import islice

from ..book import Book
from ..errors import a
from ..model import Clause, Const, Count, Item, Literal, Row, Var
from ..solvers import Env, Solver, ground, match, row_of, solutions, steps
from .closest import Closest
from .node import NOTHING, Node

MAX_WAYS = 24
MAX_DEPTH = 400
MAX_DOWN = 100
MAX_NAMES = 200
MAX_STEPS = 20_000


class Run:
    """One explanation in the making: the literals above, and whether one of them was met again.

    What was cut short by a circle is right only inside that circle, so it is not remembered.
    """

    __slots__ = ("cut", "steps", "trail")

    def __init__(self) -> None:
        self.trail: set[tuple[Literal, bool]] = set()
        self.cut = False
        self.steps = 0

    def enter(self, literal: Literal, holds: bool) -> bool:
        """Go one literal down; False when it is being explained already or the way is too long."""
        self.steps += 1
        mark = (literal, holds)
        if mark in self.trail or len(self.trail) > MAX_DEPTH or self.steps > MAX_STEPS:
            self.cut = True
            return False
        self.trail.add(mark)
        return True

    def leave(self, literal: Literal, holds: bool) -> bool:
        """Come back; whether what was found may be remembered."""
        self.trail.discard((literal, holds))
        if not self.trail:
            self.cut = False
        return not self.cut


class Prover:
    """Proofs and refutations over one book and one table; both are remembered."""

    def __init__(self, book: Book, solver: Solver, names: dict[str, str]) -> None:
        self.book, self.solver, self.names = book, solver, names
        self.crowd = len(names) > MAX_NAMES
        self.by_head = book.by_head
        self._proofs: dict[Literal, Node | None] = {}
        self._refusals: dict[Literal, Node] = {}
        self._stated: dict[str, dict[Row, Clause]] = {}

    def prove(self, literal: Literal, run: Run | None = None) -> Node | None:
        """The proof of a ground literal with fewest clauses (ties: rule order), or None."""
        if literal in self._proofs:
            return self._proofs[literal]
        row = row_of(literal)
        assert row is not None
        if literal.name not in self.by_head:
            node = Node(literal, True) if self.solver.rows(literal) else None
            self._proofs[literal] = node
            return node
        stated = self._stated_by(literal.name).get(row)
        if stated:
            fact = self._proofs[literal] = Node(literal, True, stated, {}, (), (), 1)
            return fact
        run = run or Run()
        if not self.solver.rows(literal) or not run.enter(literal, True):
            return None
        best: Node | None = None
        for clause in [c for c in self.by_head[literal.name] if c.body]:
            found = self._by(clause, literal, row, run)
            if found and (best is None or found.cost < best.cost):
                best = found
        if run.leave(literal, True):
            self._proofs[literal] = best
        return best

    def _stated_by(self, name: str) -> dict[Row, Clause]:
        """The first plain fact for each row of a predicate: no proof needs fewer clauses."""
        found = self._stated.get(name)
        if found is None:
            found = self._stated[name] = {}
            for clause in self.by_head[name]:
                row = None if clause.body else row_of(clause.head)
                if row is not None:
                    found.setdefault(row, clause)
        return found

    def _by(self, clause: Clause, literal: Literal, row: Row, run: Run) -> Node | None:
        env = match(clause.head.args, row)
        if env is None or self._hopeless(clause, env):
            return None
        best: Node | None = None
        for found in islice(solutions(clause.body, env, self.solver), MAX_WAYS):
            children: list[Node] = []
            for item in clause.body:
                child = self._child(item, found, run)
                if child is None:
                    break
                children.append(child)
            else:
                cost = 1 + sum(c.cost for c in children)
                if best is None or cost < best.cost:
                    best = Node(literal, True, clause, found, tuple(children), (), cost)
        return best

    def _hopeless(self, clause: Clause, env: Env) -> bool:
        """Whether a clause that begins with many rows has a later literal without any."""
        first, rest = next(iter(clause.body), None), clause.body[1:]
        if not (rest and isinstance(first, Literal)) or first.negated:
            return False
        if len(self.solver.rows(ground(first, env))) <= MAX_WAYS:
            return False
        return any(
            isinstance(i, Literal) and not i.negated and not self.solver.rows(ground(i, env))
            for i in rest
        )

    def _child(self, item: Item, env: Env, run: Run) -> Node | None:
        if isinstance(item, Literal):
            if item.negated:
                return Node(ground(item, env), True)
            return self.prove(ground(item, env), run)
        if isinstance(item, Count):
            return self._counted(item, env, run)
        return Node(item, True, None, env)

    def _counted(self, item: Count, env: Env, run: Run) -> Node:
        """A count rests on the proofs of what it counted."""
        inner = {k: v for k, v in env.items() if k != item.counted.name}
        rows = self.solver.rows(ground(item.literal, inner))[:MAX_WAYS]
        proofs = (
            self.prove(Literal(item.literal.name, tuple(Const(v) for v in row)), run)
            for row in rows
        )
        found = tuple(p for p in proofs if p)
        return Node(item, True, None, env, found, (), sum(p.cost for p in found))

    def refute(self, literal: Literal, run: Run | None = None) -> Node:
        """Why a literal without answers has none: the clauses that came closest.

        Those are the ones with fewest items that can't be satisfied, each looked at by itself; of
        the plain facts under a rule the first stands for all.
        Nobody reads on beneath a hundred steps.
        """
        known = self._refusals.get(literal)
        if known is not None:
            return known
        run = run or Run()
        deep = len(run.trail) > MAX_DOWN
        if deep or literal.name not in self.by_head or not run.enter(literal, False):
            return Node(literal, False)
        fitting = self._fitting(literal)
        if fitting and self._tells(literal.name):
            node = Node(literal, False, later=self._later(literal, fitting))
        else:
            node = Node(literal, False, None, NOTHING, self._tries(literal, fitting, run))
        if run.leave(literal, False):
            self._refusals[literal] = node
        return node

    def _fitting(self, literal: Literal) -> list[tuple[Clause, Env]]:
        """The clauses that can speak of a literal; one fact under a rule stands for all of it."""
        fitting: list[tuple[Clause, Env]] = []
        stated: set[str] = set()
        for clause in self.by_head[literal.name]:
            env = head_match(clause.head, literal)
            if not clause.body:
                if clause.rule not in stated:
                    fitting.append((clause, NOTHING))
                stated.add(clause.rule)
            elif env is not None and self._fits(clause, env):
                fitting.append((clause, env))
        return fitting

    def short_of(self, literal: Literal) -> tuple[int, int]:
        """How many conditions of the clause that comes closest keep a literal from holding.

        Then how many of these lack something, rather than forbid what there is.
        """
        search = self.search()
        every = (
            (_odds(search, c, env), search.broken(_lacking(c), env))
            for c, env in self._fitting(literal)
        )
        return min(every, default=(MAX_DEPTH, MAX_DEPTH))

    def _tells(self, name: str) -> bool:
        """Whether a short reason stops at a predicate, which is no walk (those go in circles)."""
        predicate = self.book.predicates.get(name)
        return bool(predicate and predicate.tells and not predicate.walk)

    def _later(
        self, literal: Literal, fitting: list[tuple[Clause, Env]]
    ) -> Callable[[], tuple[Node, ...]]:
        """What looks at the tries at a literal; it doesn't hold this prover, which holds it."""
        here, book, solver, names = weakref.ref(self), self.book, self.solver, self.names

        def work() -> tuple[Node, ...]:
            prover = here() or Prover(book, solver, names)
            return prover._apart(literal, fitting)

        return work

    def _apart(self, literal: Literal, fitting: list[tuple[Clause, Env]]) -> tuple[Node, ...]:
        """The tries at a literal, looked at in a run of their own."""
        run = Run()
        run.enter(literal, False)
        return self._tries(literal, fitting, run)

    def _tries(
        self, literal: Literal, fitting: list[tuple[Clause, Env]], run: Run
    ) -> tuple[Node, ...]:
        search = self.search()
        odds = [_odds(search, c, env) if fitting[1:] else 0 for c, env in fitting]
        tries = []
        for (clause, env), broken in zip(fitting, odds, strict=True):
            if broken == min(odds):
                plain = Node(literal, False, clause)
                tries.append(self._closest(clause, env, run) if clause.body else plain)
        return tuple(tries)

    def tested(self, literal: Literal) -> list[Node]:
        """The clauses of a predicate that were concerned with a case and spared it.

        A clause is concerned when the first item of its body holds.
        """
        out = []
        for clause in self.by_head.get(literal.name, ()):
            env = head_match(clause.head, literal)
            if env is None or not clause.body:
                continue
            if next(iter(steps(clause.body[0], env, self.solver)), None):
                out.append(self._closest(clause, env, Run()))
        return out

    def _closest(self, clause: Clause, env: Env, run: Run) -> Node:
        reached = self.search().reach(clause, env)
        best, failing = reached.env, reached.failing
        children: tuple[Node, ...] = ()
        if isinstance(failing, Literal):
            inner = ground(failing.atom, best)
            if not failing.negated:
                children = (self.refute(inner, run),)
            else:
                proof = self.prove(inner, run)
                children = (proof,) if proof else ()
        elif failing is not None:
            children = (Node(failing, False, None, best),)
        return Node(ground(clause.head, best), False, clause, best, children, tuple(reached.met))

    def _fits(self, clause: Clause, env: Env) -> bool:
        """Whether the names bound by the head are of sorts that the body can speak of."""
        for item in clause.body:
            if not isinstance(item, Literal) or item.negated:
                continue
            sorts = self.book.arg_sorts.get(item.name, ())
            for term, allowed in zip(item.args, sorts, strict=False):
                value = env.get(term.name) if isinstance(term, Var) else None
                known = isinstance(value, str) and allowed and value in self.names
                if known and self.names[str(value)] not in (allowed or ()):
                    return False
        return True

    def search(self) -> Closest:
        """A search for how far bodies can be satisfied."""
        return Closest(self.solver, self.crowd, lambda literal: bool(self.strangers(literal)))

    def strangers(self, literal: Literal) -> list[str]:
        """The names that a literal's predicate can't speak of, with what they are."""
        out = []
        sorts = self.book.arg_sorts.get(literal.name, ())
        for term, allowed in zip(literal.args, sorts, strict=False):
            name = str(term.value) if isinstance(term, Const) else ""
            sort = self.names.get(name)
            if sort and allowed is not None and sort not in allowed:
                out.append(f"{name} is {a(sort.lower())}")
        return out


def _lacking(clause: Clause) -> tuple[Item, ...]:
    """The conditions of a clause, but for what mustn't be."""
    return tuple(i for i in clause.body if not isinstance(i, Literal) or not i.negated)


def _odds(search: Closest, clause: Clause, env: Env) -> int:
    """How far a clause is from holding; a plain fact fails by what it says of another case."""
    return search.broken(clause.body, env) if clause.body else 1


def head_match(head: Literal, literal: Literal) -> dict[str, str | int] | None:
    """What a clause's head binds for a literal that may have free variables, or None."""
    env: dict[str, str | int] = {}
    for term, wanted in zip(head.args, literal.args, strict=True):
        if not isinstance(wanted, Const):
            continue
        if isinstance(term, Const):
            if term.value != wanted.value:
                return None
        elif isinstance(term, Var) and env.setdefault(term.name, wanted.value) != wanted.value:
            return None
    return env

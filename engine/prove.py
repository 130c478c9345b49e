"""Why: the proof with fewest clauses. Why not: the clauses that came closest, and where they fail.

Both are built from the book's clauses and from answers to single literals, so every solver gets
them. A *proof* is a tree of clause instances (a derivation tree); a *refutation* of a literal
shows, for each clause that could have derived it, the first item that can't be satisfied.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from .join import Env, ground, match, row_of, solutions, steps
from .model import (
    Book,
    Clause,
    Const,
    Count,
    Item,
    Literal,
    Row,
    Value,
    Var,
)
from .plan import binds, missing
from .solvers import Solver

NOTHING: Env = {}
MAX_WAYS = 24
MAX_BRANCH = 6
MAX_DEPTH = 400
MAX_STEPS = 200


class Node(NamedTuple):
    """One step of an explanation.

    ``holds`` says whether the item is true; ``clause`` which clause instance decides it (None for
    facts and comparisons); ``children`` the steps it rests on; ``cost`` the clauses in its proof.
    """

    item: Item
    holds: bool
    clause: Clause | None = None
    env: Env = NOTHING
    children: tuple[Node, ...] = ()
    met: tuple[Literal, ...] = ()
    cost: int = 0


Way = tuple[Item, list[dict[str, Value]]]


class Reached(NamedTuple):
    """How far a body could be satisfied, and the item at which that ends.

    ``met`` are the literals that named somebody, ``score`` counts every item satisfied.
    """

    env: Env
    met: list[Literal]
    failing: Item | None
    score: int = 0


class Try(NamedTuple):
    """A clause that could have derived a literal, what its head bound, and where it failed."""

    clause: Clause
    start: Env
    node: Node


class Prover:
    """Proofs and refutations over one book and one table; both are remembered."""

    def __init__(self, book: Book, solver: Solver, names: dict[str, str]) -> None:
        self.book, self.solver, self.names = book, solver, names
        self.by_head: dict[str, list[Clause]] = {}
        for clause in book.clauses:
            self.by_head.setdefault(clause.head.name, []).append(clause)
        self._proofs: dict[Literal, Node | None] = {}
        self._refusals: dict[Literal, Node] = {}
        self._fuel = 0

    def prove(self, literal: Literal, depth: int = 0) -> Node | None:
        """The proof of a ground literal with fewest clauses (ties: rule order), or None."""
        if literal in self._proofs:
            return self._proofs[literal]
        row = row_of(literal)
        assert row is not None
        if literal.name not in self.by_head:
            node = Node(literal, True) if self.solver.rows(literal) else None
            self._proofs[literal] = node
            return node
        if not self.solver.rows(literal) or depth > MAX_DEPTH:
            return None
        self._proofs[literal] = None
        best: Node | None = None
        for clause in self.by_head[literal.name]:
            found = self._by(clause, literal, row, depth)
            if found and (best is None or found.cost < best.cost):
                best = found
        self._proofs[literal] = best
        return best

    def _by(self, clause: Clause, literal: Literal, row: Row, depth: int) -> Node | None:
        env = match(clause.head.args, row)
        if env is None:
            return None
        best: Node | None = None
        for found in islice(solutions(clause.body, env, self.solver), MAX_WAYS):
            children: list[Node] = []
            for item in clause.body:
                child = self._child(item, found, depth)
                if child is None:
                    break
                children.append(child)
            else:
                cost = 1 + sum(c.cost for c in children)
                if best is None or cost < best.cost:
                    best = Node(literal, True, clause, found, tuple(children), (), cost)
        return best

    def _child(self, item: Item, env: Env, depth: int) -> Node | None:
        if isinstance(item, Literal):
            if item.negated:
                return Node(ground(item, env), True)
            return self.prove(ground(item, env), depth + 1)
        if isinstance(item, Count):
            return self._counted(item, env, depth)
        return Node(item, True, None, env)

    def _counted(self, item: Count, env: Env, depth: int) -> Node:
        """A count rests on the proofs of what it counted."""
        inner = {k: v for k, v in env.items() if k != item.counted.name}
        rows = self.solver.rows(ground(item.literal, inner))[:MAX_WAYS]
        proofs = (
            self.prove(Literal(item.literal.name, tuple(Const(v) for v in row)), depth + 1)
            for row in rows
        )
        found = tuple(p for p in proofs if p)
        return Node(item, True, None, env, found, (), sum(p.cost for p in found))

    def refute(self, literal: Literal, depth: int = 0) -> Node:
        """Why a literal without answers has none: the clauses that came closest."""
        known = self._refusals.get(literal)
        if known is not None:
            return known
        node = Node(literal, False)
        self._refusals[literal] = node
        if literal.name not in self.by_head or depth > MAX_DEPTH:
            return node
        tries = []
        for clause in self.by_head[literal.name]:
            env = head_match(clause.head, literal)
            if env is not None and self._fits(clause, env):
                tries.append(Try(clause, env, self._closest(clause, env, depth)))
        odds = [self._broken(t.clause.body, t.start) for t in tries] if len(tries) > 1 else [0]
        closest = [t.node for t, broken in zip(tries, odds, strict=False) if broken == min(odds)]
        node = Node(literal, False, None, {}, tuple(closest))
        self._refusals[literal] = node
        return node

    def tested(self, literal: Literal) -> list[Node]:
        """The clauses of a predicate that were concerned with a case and spared it.

        A clause is concerned when the first item of its body holds.
        """
        out = []
        for clause in self.by_head.get(literal.name, ()):
            env = head_match(clause.head, literal)
            if env is not None and next(iter(steps(clause.body[0], env, self.solver)), None):
                out.append(self._closest(clause, env, 0))
        return out

    def _closest(self, clause: Clause, env: Env, depth: int) -> Node:
        reached = self._reach(clause, env)
        best, failing = reached.env, reached.failing
        children: tuple[Node, ...] = ()
        if isinstance(failing, Literal):
            inner = ground(failing.atom, best)
            if not failing.negated:
                children = (self.refute(inner, depth + 1),)
            else:
                proof = self.prove(inner, depth + 1)
                children = (proof,) if proof else ()
        elif failing is not None:
            children = (Node(failing, False, None, best),)
        return Node(ground(clause.head, best), False, clause, best, children, tuple(reached.met))

    def _reach(self, clause: Clause, env: Env) -> Reached:
        """Satisfy as much of a body as can be, and say where it ends.

        What is decided already comes first; an item without rows ends the attempt, but only after
        single rows of its neighbours have named its variables; a negation that doesn't hold ends
        it when nothing else does, so that a permission is looked at before a prohibition.
        """
        self._fuel = MAX_STEPS
        return self._extend(list(clause.body), dict(env), [])

    def _extend(self, todo: list[Item], env: Env, met: list[Literal]) -> Reached:
        self._fuel -= 1
        score = 0
        rest, ways = [], []
        refused: Item | None = None
        empty: list[Item] = []
        for item in todo:
            if missing(item, set(env)):
                rest.append(item)
                continue
            found = list(islice(steps(item, env, self.solver), MAX_WAYS))
            if isinstance(item, Literal) and item.negated:
                refused = refused or (None if found else item)
            elif not found:
                empty.append(item)
            elif set(binds(item)) <= set(env):
                score += 1
            else:
                ways.append((item, found))
        if empty:
            free = set(binds(empty[0])) - set(env)
            ways = [w for w in ways if len(w[1]) == 1 and free & set(binds(w[0]))][:1]
        if not ways:
            ends = next(iter(empty), refused or next(iter(rest), None))
            return Reached(env, met, ends, score + len(met))
        return self._branch(todo, env, met, ways)

    def _branch(self, todo: list[Item], env: Env, met: list[Literal], ways: list[Way]) -> Reached:
        """Try the items with fewest rows; the attempt that satisfies most is kept."""
        fewest = min(len(found) for _, found in ways)
        best: Reached | None = None
        for item, found in ways:
            if len(found) > fewest or (best and self._fuel < 0):
                continue
            rest = [i for i in todo if i is not item]
            for each in found[:MAX_BRANCH]:
                more = [*met, ground(item, each)] if isinstance(item, Literal) else met
                reached = self._extend(rest, each, more)
                if best is None or self._closer(reached, best, todo):
                    best = reached
                if self._fuel < 0:
                    break
        assert best is not None
        return best

    def _closer(self, one: Reached, other: Reached, items: list[Item]) -> bool:
        if one.score != other.score:
            return one.score > other.score
        return self._broken(items, one.env) < self._broken(items, other.env)

    def _broken(self, items: Sequence[Item], env: Env) -> int:
        """How many items can't be satisfied, each looked at by itself."""
        have = set(env)
        return sum(
            not missing(i, have) and next(iter(steps(i, env, self.solver)), None) is None
            for i in items
        )

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

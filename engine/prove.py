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
from .model import Book, Clause, Comparison, Const, Count, Item, Literal, Row, Var, item_variables
from .plan import missing
from .solvers import Solver

NOTHING: Env = {}
MAX_WAYS = 24
MAX_BRANCH = 6
MAX_DEPTH = 400


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


class Prover:
    """Proofs and refutations over one book and one table; both are remembered."""

    def __init__(self, book: Book, solver: Solver, names: dict[str, str]) -> None:
        self.book, self.solver, self.names = book, solver, names
        self.by_head: dict[str, list[Clause]] = {}
        for clause in book.clauses:
            self.by_head.setdefault(clause.head.name, []).append(clause)
        self._proofs: dict[Literal, Node | None] = {}
        self._refusals: dict[Literal, Node] = {}

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
            return Node(item, True, None, env)
        return Node(item, True, None, env)

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
                tries.append(self._closest(clause, env, depth))
        tested = [t for t in tries if t.met] or tries
        node = Node(literal, False, None, {}, tuple(tested))
        self._refusals[literal] = node
        return node

    def tested(self, literal: Literal) -> list[Clause]:
        """The clauses of a predicate that were concerned with a case and spared it."""
        out = []
        for clause in self.by_head.get(literal.name, ()):
            env = head_match(clause.head, literal)
            if env is not None and self._reach(clause, env)[1]:
                out.append(clause)
        return out

    def _closest(self, clause: Clause, env: Env, depth: int) -> Node:
        best, met, failing = self._reach(clause, env)
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
        return Node(ground(clause.head, best), False, clause, best, children, tuple(met))

    def _reach(self, clause: Clause, env: Env) -> tuple[Env, list[Literal], Item | None]:
        """Satisfy as much of a body as can be: fewest rows first, and an impossible item at once.

        Returns the environment, the positive literals met, and the item that fails.
        """
        return self._extend(list(clause.body), dict(env), [])

    def _extend(
        self, todo: list[Item], env: Env, met: list[Literal]
    ) -> tuple[Env, list[Literal], Item | None]:
        ways: list[tuple[int, int, Item, list[dict[str, str | int]]]] = []
        for position, item in enumerate(todo):
            if missing(item, set(env)):
                continue
            found = list(islice(steps(item, env, self.solver), MAX_WAYS))
            if not found:
                return env, met, item
            ways.append((len(found), position, item, found))
        if not ways:
            return env, met, todo[0] if todo else None
        _, position, item, found = min(ways, key=lambda w: (w[0], w[1]))
        rest = todo[:position] + todo[position + 1 :]
        best: tuple[Env, list[Literal], Item | None] | None = None
        for each in found[:MAX_BRANCH]:
            more = list(met)
            if isinstance(item, Literal) and not item.negated:
                more.append(ground(item, each))
            result = self._extend(rest, each, more)
            if best is None or len(result[1]) > len(best[1]):
                best = result
        assert best is not None
        return best

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


def shares(literal: Literal, items: Sequence[Item]) -> bool:
    """Whether a literal has a variable in common with some items."""
    names = {v for i in items for v in item_variables(i)}
    return any(v in names for v in item_variables(literal))


__all__ = ["Comparison", "Node", "Prover", "head_match", "shares"]

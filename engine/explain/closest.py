"""How far a clause's body can be satisfied, and the item at which that ends.

The search behind a refutation: bounded, and guided by what a person would look at first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import NamedTuple

from ..language import binds, missing
from ..model import Clause, Item, Literal, Value
from ..solvers import Env, Solver, ground, steps

MAX_WAYS = 24
MAX_BRANCH = 6
MAX_STEPS = 200

Way = tuple[Item, list[dict[str, Value]]]


class Reached(NamedTuple):
    """How far a body could be satisfied, and the item at which that ends.

    ``met`` are the literals that named somebody, ``score`` counts every item satisfied.
    """

    env: Env
    met: list[Literal]
    failing: Item | None
    score: int = 0


class Closest:
    """One attempt at a body; it gives up branching after a bounded number of steps.

    In a ``crowd`` a name that a literal gives is taken up at once: what the others would say of
    everybody else is too much to ask. An attempt that ends with an ``odd`` literal counts for less
    than one that gets equally far.
    """

    def __init__(self, solver: Solver, crowd: bool, odd: Callable[[Literal], bool]) -> None:
        self.solver, self.crowd, self._odd = solver, crowd, odd
        self._fuel, self._twice = MAX_STEPS, False

    def reach(self, clause: Clause, env: Env) -> Reached:
        """Satisfy as much of a body as can be, and say where it ends.

        What is decided already comes first; an item without rows ends the attempt, but only after
        single rows of items before it have named its variables; a negation that doesn't hold ends
        it when nothing else does, so that a permission is looked at before a prohibition.
        """
        self._twice = len(set(env.values())) < len(env)
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
                if self.crowd and len(found) == 1 and not empty and self._leads(item, todo, env):
                    break
        if empty:
            free = set(binds(empty[0])) - set(env)
            before = todo[: todo.index(empty[0])]
            ways = [
                w for w in ways if w[0] in before and len(w[1]) == 1 and free & set(binds(w[0]))
            ][:1]
        if not ways:
            ends = next(iter(empty), refused or next(iter(rest), None))
            return Reached(env, met, ends, score + len(met))
        return self._branch(todo, env, met, ways)

    def _leads(self, item: Item, todo: list[Item], env: Env) -> bool:
        """Whether what an item names is what a later one lacks: that one is looked at with it."""
        named = set(binds(item)) - set(env)
        later = todo[todo.index(item) + 1 :]
        return any(
            isinstance(i, Literal) and not i.negated and named & set(binds(i)) for i in later
        )

    def _branch(self, todo: list[Item], env: Env, met: list[Literal], ways: list[Way]) -> Reached:
        """Try the items with fewest rows; the attempt that satisfies most is kept.

        Those with more rows are tried where it ends oddly: with somebody who is no opponent of
        their own, say, because it began with whom they reach.
        """
        fewest = min(len(found) for _, found in ways)
        best: Reached | None = None
        for item, found in sorted(ways, key=lambda way: len(way[1])):
            if best and (self._fuel < 0 or (len(found) > fewest and not self._strays(best))):
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
        if self._strays(one) != self._strays(other):
            return self._strays(other)
        return self.broken(items, one.env) < self.broken(items, other.env)

    def _strays(self, reached: Reached) -> bool:
        """Whether an attempt ends with what is odd to ask, or comes back to whom it began with.

        The latter only where the case itself doesn't speak of somebody twice.
        """
        if not isinstance(reached.failing, Literal):
            return False
        ends = ground(reached.failing.atom, reached.env)
        back = not self._twice and _repeats(ends) and any(map(_repeats, reached.met))
        return back or self._odd(ends)

    def broken(self, items: Sequence[Item], env: Env) -> int:
        """How many items can't be satisfied, each looked at by itself."""
        have = set(env)
        return sum(
            not missing(i, have) and next(iter(steps(i, env, self.solver)), None) is None
            for i in items
        )


def _repeats(literal: Literal) -> bool:
    """Whether a literal speaks twice of one name."""
    return len(set(literal.args)) < len(literal.args)

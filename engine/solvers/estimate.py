"""How many combinations a clause goes through, estimated from the number of facts.

Only asked once time has run out, to say what is to blame: the join sizes of Selinger et al. (1979),
each literal bringing in its rows divided by the distinct values of what is bound already.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

from ..errors import Place
from ..language import plan
from ..model import Clause, Const, Item, Literal, Statement, Var, literals

MOST = 1e18
WORTH_SAYING = 100_000


class Size(NamedTuple):
    """How many rows a predicate has, and how many different values each of its terms."""

    rows: float
    distinct: tuple[float, ...]


class Cost(NamedTuple):
    """The most combinations that are alive at once while a clause is worked off."""

    combinations: float
    clause: Clause

    def __str__(self) -> str:
        at = self.clause.place
        number = f"{int(float(f'{self.combinations:.2g}')):,}"
        what = f"goes through about {number} combinations"
        if not at.line:
            return f"the {at.file} {what}: bind more of its variables"
        return f"{at.file}:{at.line}: this clause {what}: {self.clause}"


def costliest(
    clauses: Iterable[Clause],
    facts: Sequence[Statement],
    question: tuple[Item, ...],
    alone: bool = False,
) -> Cost | None:
    """The costliest clause among a question and all it rests on, if it is worth saying.

    With ``alone`` the question is on trial and its clauses are not.
    """
    estimator = _Estimator(clauses, facts)
    estimator.size_of(Clause(Literal("", ()), question, "", Place("question")))
    costs = estimator.costs[-1:] if alone else estimator.costs
    worst = max(costs, key=lambda cost: cost.combinations)
    return worst if worst.combinations >= WORTH_SAYING else None


class _Estimator:
    """Sizes of predicates over the clauses of a book and the facts of a table."""

    def __init__(self, clauses: Iterable[Clause], facts: Sequence[Statement]) -> None:
        self.by_head: dict[str, list[Clause]] = {}
        for clause in clauses:
            self.by_head.setdefault(clause.head.name, []).append(clause)
        rows: dict[str, list[tuple[str | int, ...]]] = {}
        for fact in facts:
            rows.setdefault(fact.name, []).append(fact.row)
        self.sizes = {
            name: Size(
                len(found), tuple(float(len(set(column))) for column in zip(*found, strict=True))
            )
            for name, found in rows.items()
        }
        self.costs: list[Cost] = []

    def _predicate(self, name: str, arity: int) -> Size:
        if name not in self.sizes:
            self.sizes[name] = Size(0.0, (1.0,) * arity)
            for clause in sorted(self.by_head.get(name, ()), key=_recurs):
                rows, distinct = self.size_of(clause)
                size = self.sizes[name]
                summed = tuple(a + b for a, b in zip(size.distinct, distinct, strict=False))
                self.sizes[name] = Size(min(size.rows + rows, MOST), summed)
        return self.sizes[name]

    def size_of(self, clause: Clause) -> Size:
        """The size of what a clause derives; its cost is noted."""
        domain: dict[str, float] = {}
        alive = most = 1.0
        for item in plan(clause.body).items:
            for literal in literals((item,)):
                size = self._predicate(literal.name, len(literal.args))
                if item is literal and not literal.negated:
                    alive = min(alive * _fanout(literal, size, domain), MOST)
                    most = max(most, alive)
        self.costs.append(Cost(most, clause))
        head = [domain.get(t.name, 1.0) if isinstance(t, Var) else 1.0 for t in clause.head.args]
        return Size(min(prod(head), alive), tuple(head))


def _fanout(literal: Literal, size: Size, domain: dict[str, float]) -> float:
    """How many rows of a literal go with one combination of the variables bound before it."""
    rows = size.rows
    for term, distinct in zip(literal.args, size.distinct, strict=False):
        if isinstance(term, Const):
            rows /= max(distinct, 1.0)
        elif isinstance(term, Var):
            before = domain.get(term.name)
            if before is not None:
                rows /= max(distinct, before, 1.0)
            domain[term.name] = min(distinct, before or distinct)
    return rows


def _recurs(clause: Clause) -> bool:
    return any(x.name == clause.head.name for x in literals(clause.body))

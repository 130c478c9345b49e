"""The engine's tables of goals that were worked out before, kept between questions."""

from __future__ import annotations

import gc
from collections.abc import Collection, Sequence
from itertools import combinations, islice
from typing import Any

from ..model import Const, Literal, Row, Term, Var
from .facts import in_order

_FEW = 200


class unhurried_memory:
    """Put off garbage collection: a question makes many small objects and no circles."""

    __slots__ = ("_on",)

    def __enter__(self) -> None:
        self._on = gc.isenabled()
        if self._on:
            gc.disable()

    def __exit__(self, *_error: object) -> None:
        if self._on:
            gc.enable()


class Tables(dict[Any, Any]):
    """Tables by the engine's key; the engine itself adds to them while it runs."""

    def settle(self, before: int, whole: bool, prefix: str) -> None:
        """Of a run that came to its end keep the tables of predicates, of any other nothing."""
        for tag in list(islice(reversed(self), len(self) - before)):
            table = self[tag]
            if whole and tag[0].startswith(prefix):
                table.waiters, table.is_done = [], True
            else:
                untie(table)
                del self[tag]

    def wider(self, literal: Literal, name: str) -> tuple[Row, ...] | None:
        """The rows of a literal out of the table of a wider one.

        A table is small, or the literal ground: the engine keeps rows by their values.
        """
        known = [(i, t.value) for i, t in enumerate(literal.args) if isinstance(t, Const)]
        row = tuple([value for _, value in known])
        for size in range(1, len(known) + 1) if len(known) < 5 else ():
            for freed in combinations(known, size):
                table = self.get(_tag(name, literal.args, {i for i, _ in freed}))
                if table is None or table.facts is True:
                    continue
                if len(row) == len(literal.args):
                    return (row,) if (name, *row) in table.facts else ()
                if len(table.facts) < _FEW:
                    rows = rows_of(table, literal)
                    found = [row for row in rows if all(row[i] == value for i, value in freed)]
                    return in_order(found)
        return None


def untie(table: Any) -> None:
    """Take from a table of a run that is over what goes in circles; what was found stays."""
    table.waiters, table.clauses, table.on_completion_, table.tasks = [], [], [], None


class Counter:
    """Turns a completed goal into the number of its answers; called by the engine."""

    def __init__(self, keys: list[Any]) -> None:
        self.keys = keys

    def complete(self, counted: Any, parent: Any) -> None:
        """Give the parent a row of its keys and the number."""
        number = 1 if counted.facts is True else len(counted.facts)
        parent.fact_candidate(None, [*self.keys, number])


def rows_of(table: Any, literal: Literal) -> list[Row]:
    """The rows in a table of the engine; ``literal`` is its goal."""
    if table.facts is True:
        return [tuple(t.value for t in literal.args if isinstance(t, Const))]
    return [tuple([t.id for t in each.terms]) for each in table.facts.values()]


def _tag(name: str, args: Sequence[Term], freed: Collection[int]) -> tuple[Any, ...]:
    """The key of a goal's table as the engine makes it, with some terms set free."""
    numbers: dict[Any, int] = {}
    tag: list[Any] = [name]
    for spot, term in enumerate(args):
        if isinstance(term, Const) and spot not in freed:
            tag.append(term.value)
        else:
            mark = term.name if isinstance(term, Var) else spot
            tag.append(("v", numbers.setdefault(mark, len(numbers))))
    return tuple(tag)

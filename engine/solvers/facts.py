"""What a table states, looked up without an engine."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ..errors import BookError
from ..model import Const, Literal, Row, Statement, Value, Var


class Stated:
    """The facts of a table, looked up by the constants of a literal."""

    def __init__(self, facts: Iterable[Statement]) -> None:
        self.by_name: dict[str, dict[Row, None]] = {}
        for name, row, _ in facts:
            rows = self.by_name.get(name)
            if rows is None:
                rows = self.by_name[name] = {}
            rows[row] = None
        self._index: dict[tuple[str, tuple[int, ...]], dict[Row, list[Row]]] = {}

    def differing(self, other: Stated) -> list[str]:
        """The predicates of which the other states something else."""
        names = {*self.by_name, *other.by_name}
        return [n for n in sorted(names) if self.by_name.get(n) != other.by_name.get(n)]

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """The facts that match a literal, sorted."""
        known: dict[int, Value] = {}
        free: dict[int, object] = {}
        for spot, term in enumerate(literal.args):
            if isinstance(term, Const):
                known[spot] = term.value
            else:
                free[spot] = repr(term)
        return in_order(self.select(literal.name, known, free))

    def select(
        self, name: str, known: Mapping[int, Value], free: Mapping[int, object]
    ) -> Collection[Row]:
        """The facts with these values at these spots, and one value where marks are the same."""
        rows = self.by_name.get(name)
        if not rows:
            return ()
        values = tuple(known.values())
        if not free:
            return (values,) if values in rows else ()
        found = self._at(name, tuple(known)).get(values, ()) if known else rows
        if len(free) > 1 and len(set(free.values())) < len(free):
            return [row for row in found if _alike(row, free)]
        return found

    def _at(self, name: str, spots: tuple[int, ...]) -> dict[Row, list[Row]]:
        index = self._index.get((name, spots))
        if index is None:
            index = {}
            for row in self.by_name[name]:
                index.setdefault(tuple([row[i] for i in spots]), []).append(row)
            self._index[name, spots] = index
        return index


def _alike(row: Row, free: Mapping[int, object]) -> bool:
    seen: dict[object, Value] = {}
    return all(seen.setdefault(mark, row[spot]) == row[spot] for spot, mark in free.items())


def in_order(rows: Collection[Row]) -> tuple[Row, ...]:
    """Rows sorted, numbers before names."""
    try:
        return tuple(sorted(rows))
    except TypeError:
        return tuple(sorted(rows, key=row_order))


def row_order(row: Row) -> tuple[tuple[bool, Value], ...]:
    """A sort key that takes names and numbers."""
    return tuple([(isinstance(v, str), v) for v in row])


def goal_key(literal: Literal) -> tuple[Any, ...]:
    """What two literals that ask the same have in common."""
    numbers: dict[str, int] = {}
    key: list[Any] = [literal.name]
    for term in literal.args:
        if isinstance(term, Const):
            key.append(term.value)
        elif isinstance(term, Var):
            key.append((numbers.setdefault(term.name, len(numbers)),))
        else:
            raise BookError(f"{literal} calculates")
    return tuple(key)

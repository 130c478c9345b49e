"""What a table states, looked up without an engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..book import Statement
from ..errors import BookError
from ..model import Const, Literal, Row, Value, Var


class Stated:
    """The facts of a table, looked up by the first constant of a literal."""

    def __init__(self, facts: Iterable[Statement]) -> None:
        self.by_name: dict[str, dict[Row, None]] = {}
        for fact in facts:
            self.by_name.setdefault(fact.name, {})[fact.row] = None
        self._index: dict[tuple[str, int], dict[Value, list[Row]]] = {}

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """The facts that match a literal, sorted."""
        rows: Iterable[Row] = self.by_name.get(literal.name, ())
        for spot, term in enumerate(literal.args):
            if isinstance(term, Const):
                rows = self._at(literal.name, spot).get(term.value, ())
                break
        found = [row for row in rows if _fits(literal, row)]
        return tuple(sorted(found, key=row_order))

    def _at(self, name: str, spot: int) -> dict[Value, list[Row]]:
        index = self._index.get((name, spot))
        if index is None:
            index = {}
            for row in self.by_name.get(name, ()):
                index.setdefault(row[spot], []).append(row)
            self._index[name, spot] = index
        return index


def _fits(literal: Literal, row: Row) -> bool:
    seen: dict[str, Value] = {}
    for term, value in zip(literal.args, row, strict=True):
        known = term.value if isinstance(term, Const) else seen.setdefault(repr(term), value)
        if known != value:
            return False
    return True


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

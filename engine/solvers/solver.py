"""Solvers: each answers one literal from a book's clauses and a table's facts.

A solver is one module here and one line in ``SOLVERS``; only that module imports its library.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from functools import cache
from typing import Protocol

from ..book import Book
from ..errors import SeatlogError, did_you_mean
from ..model import Literal, Row, Statement

SOLVERS = {
    "pydatalog": "the engine of pyDatalog 0.22.4",
    "compiled": "clauses as Python functions",
    "clingo": "clingo, an engine of answer set programming",
}


class Rows(Protocol):
    """Answers literals over one book and one table."""

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """Every ground instance of a positive literal that holds, as full rows, sorted.

        A ground literal gives one row or none.
        """


class Solver(Rows, Protocol):
    """Answers literals, also over other facts. Safe to share between threads."""

    def but(self, facts: Iterable[Statement]) -> Solver:
        """A solver over the same book for other facts, with what is still right of its work."""


class Announcing:
    """Announces each literal, as text, before the inner solver works it out."""

    def __init__(self, inner: Solver, say: Callable[[str], object]) -> None:
        self.inner, self.say = inner, say
        self.known: dict[Literal, tuple[Row, ...]] = {}

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """The inner solver's rows; what was worked out before is not announced again."""
        found = self.known.get(literal)
        if found is None:
            self.say(str(literal))
            found = self.known[literal] = self.inner.rows(literal)
        return found

    def but(self, facts: Iterable[Statement]) -> Announcing:
        """The same of the inner solver for other facts."""
        return Announcing(self.inner.but(facts), self.say)


class _Module(Protocol):
    def solver(self, book: Book, facts: Iterable[Statement]) -> Solver: ...

    def description(self) -> str: ...


def open_solver(book: Book, facts: Iterable[Statement], name: str = "pydatalog") -> Solver:
    """A solver for a book and a table's facts.

    Raises SeatlogError for an unknown name, or when the solver's library isn't installed.
    """
    return _module(name).solver(book, facts)


def describe(name: str = "pydatalog") -> str:
    """Library, version and whether it is compiled."""
    return _module(name).description()


@cache
def _module(name: str) -> _Module:
    if name not in SOLVERS:
        raise SeatlogError(
            f"no solver is called {name!r}",
            hint=did_you_mean(name, SOLVERS) or "there are: " + ", ".join(SOLVERS),
        )
    try:
        module: _Module = importlib.import_module(f".{name}", __package__)
    except ModuleNotFoundError as error:
        raise SeatlogError(
            f"the solver {name} needs {error.name}, which isn't installed",
            hint=f"pip install 'seatlog[{name}]'",
        ) from error
    return module

"""Solvers: each answers one literal from a book's clauses and a table's facts.

A solver is one module here and one line in ``SOLVERS``; only that module imports its library.
Several may be named at once, ``compiled+pydatalog``: the first answers, the others are asked the
same, and must give the same rows.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from functools import cache
from typing import Protocol

from ..book import Book
from ..errors import SeatlogError, SolverError, did_you_mean, printable
from ..model import Literal, Row, Statement

SOLVERS = {
    "pydatalog": "the engine of pyDatalog 0.22.4",
    "compiled": "clauses as Python functions",
    "clingo": "clingo, an engine of answer set programming",
}


PLAIN = "pydatalog"
"""The solver that answers where none is named."""

JOINED = "+"


class Rows(Protocol):
    """Answers literals over one book and one table."""

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """Every ground instance of a positive literal that holds, as full rows, sorted.

        A ground literal gives one row or none.
        """


class Solver(Rows, Protocol):
    """Answers literals, also over other facts. Safe to share between threads."""

    @property
    def name(self) -> str:
        """How it is opened."""

    def but(self, facts: Iterable[Statement]) -> Solver:
        """A solver over the same book for other facts, with what is still right of its work."""


class Announcing:
    """Announces each literal, as text, before the inner solver works it out."""

    def __init__(self, inner: Solver, say: Callable[[str], object]) -> None:
        self.inner, self.say = inner, say
        self.known: dict[Literal, tuple[Row, ...]] = {}

    @property
    def name(self) -> str:
        """The inner solver's."""
        return self.inner.name

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


class Beside:
    """Answers by the first of several solvers, and asks the others the same."""

    def __init__(self, first: Solver, *others: Solver) -> None:
        self.first, self.others = first, others

    @property
    def name(self) -> str:
        """The names of all, joined."""
        return JOINED.join([self.first.name, *(other.name for other in self.others)])

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """The first solver's rows. Raises SolverError where another gives other ones."""
        found = self.first.rows(literal)
        for other in self.others:
            beside = other.rows(literal)
            if beside != found:
                odd = sorted(map(str, {*found} ^ {*beside}))
                raise SolverError(
                    f"{self.first.name} and {other.name} answer {literal} differently: "
                    f"only one of them has {printable(', '.join(odd[:3]))}",
                    hint="please report it, with the book and the table",
                )
        return found

    def but(self, facts: Iterable[Statement]) -> Beside:
        """The same solvers for other facts."""
        said = tuple(facts)
        return Beside(self.first.but(said), *(other.but(said) for other in self.others))


class _Module(Protocol):
    def solver(self, book: Book, facts: Iterable[Statement]) -> Solver: ...

    def description(self) -> str: ...


def open_solver(book: Book, facts: Iterable[Statement], name: str = PLAIN) -> Solver:
    """A solver for a book and a table's facts, or several of them joined by ``+``.

    Raises SeatlogError for an unknown name, or when the solver's library isn't installed.
    """
    modules = _modules(name)
    if len(modules) == 1:
        return modules[0].solver(book, facts)
    said = tuple(facts)
    return Beside(*(module.solver(book, said) for module in modules))


def describe(name: str = PLAIN) -> str:
    """Library, version and whether it is compiled."""
    return _module(name).description()


def known_solver(name: str) -> None:
    """Raise SeatlogError where a solver, or one of several, can't be opened."""
    _modules(name)


def _modules(name: object) -> list[_Module]:
    """The modules of one solver, or of several that are joined."""
    if not isinstance(name, str):
        raise _unknown(name)
    every = name.split(JOINED)
    modules = [_module(each) for each in every]
    if len({*every}) < len(every):
        raise SeatlogError(
            f"{printable(name)} names a solver twice", hint="beside one there is another"
        )
    return modules


@cache
def _module(name: str) -> _Module:
    if name not in SOLVERS:
        raise _unknown(name)
    try:
        module: _Module = importlib.import_module(f".{name}", __package__)
    except ModuleNotFoundError as error:
        raise SeatlogError(
            f"the solver {name} needs {error.name}, which isn't installed",
            hint=f"pip install 'seatlog[{name}]'",
        ) from error
    except ImportError as error:
        raise SeatlogError(
            f"what the solver {name} needs can't be loaded ({printable(str(error))})",
            hint=f"pip install --force-reinstall 'seatlog[{name}]'",
        ) from error
    return module


def _unknown(name: object) -> SeatlogError:
    near = did_you_mean(name, SOLVERS) if isinstance(name, str) else ""
    return SeatlogError(
        f"no solver is called {printable(repr(name))}",
        hint=near or "there are: " + ", ".join(SOLVERS),
    )

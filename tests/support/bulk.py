"""Where a test asks very much: which solver answers, and how an oracle is held against it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from seatlog.book import Book
from seatlog.cases import BULK, Sessions
from seatlog.editions import load_book
from seatlog.game import Session
from seatlog.model import Literal, Var
from seatlog.solvers import PLAIN
from seatlog.table import table

EVERY = 10


@cache
def shipped(edition: str | None = None) -> Book:
    """A shipped book; ``load_book`` sees each time whether all its files are as they were."""
    return load_book(edition)


def bulk(number: int) -> str:
    """The solver for the question or table of this number; every tenth is asked of both."""
    return BULK if number % EVERY else f"{BULK}+{PLAIN}"


def sessions(number: int) -> Sessions:
    """Sessions on scenarios' tables by that solver."""
    return Sessions(bulk(number))


def opened(data: Mapping[str, Any], number: int) -> Session:
    """A session on a table of this number under the default book."""
    book = shipped()
    return Session(book, table(data, book.vocabulary), None, bulk(number))


def differences(
    tables: Iterable[Mapping[str, Any]], arities: Mapping[str, int], oracle: Callable[[Any], object]
) -> list[str]:
    """Every (table, predicate) on which the clauses and an oracle of the table part.

    The oracle has a method for each predicate, which gives its rows.
    """
    out = []
    for number, data in enumerate(tables):
        solver, own = opened(data, number).solver, oracle(data)
        for name, arity in arities.items():
            free = tuple(Var(f"X{i}") for i in range(arity))
            found = set(solver.rows(Literal(name, free)))
            wanted = getattr(own, name)()
            if found != wanted:
                out.append(
                    f"table {number}, {name}: clauses only {sorted(found - wanted)}, "
                    f"oracle only {sorted(wanted - found)}\n{data}"
                )
    return out

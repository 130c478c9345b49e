"""Which solver answers where a test asks very much: compiled clauses, and pyDatalog at times."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from seatlog.book import Book
from seatlog.cases import BULK, Sessions
from seatlog.editions import load_book
from seatlog.game import Session
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

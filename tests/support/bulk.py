"""Which solver answers where a test asks very much: compiled clauses, and pyDatalog at times."""

from __future__ import annotations

from seatlog.cases import BULK, Sessions
from seatlog.solvers import PLAIN

EVERY = 10


def bulk(number: int) -> str:
    """The solver for the question or table of this number; every tenth is asked of both."""
    return BULK if number % EVERY else f"{BULK}+{PLAIN}"


def sessions(number: int) -> Sessions:
    """Sessions on scenarios' tables by that solver."""
    return Sessions(bulk(number))

"""Which scenarios notice which mutants: a matrix with one bit a mutant.

A scenario kills a mutant when its verdict differs from the book's own, or whether the table is
refused, or whether the rules leave the answer open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..book import Book
from ..cases import Scenario, put
from ..errors import SeatlogError
from ..game import Session
from ..model import Literal, literals
from ..solvers import unhurried_memory
from ..table import Table, asked, table
from .annotated import WHOLE, Annotated, InOne, Variants
from .mutants import Mutant


class Judged(NamedTuple):
    """What a scenario makes of the mutants of a book.

    ``kills`` has a bit for each that it kills, the first at bit 1. ``asked`` are the literals of
    its question; none where the table is refused or the book has no rule.
    """

    scenario: Scenario
    kills: int
    asked: tuple[Literal, ...] = ()


class Court:
    """A book and its mutants on trial by scenarios; what a table comes to is kept for the next."""

    def __init__(self, book: Book, mutants: Sequence[Mutant]) -> None:
        self.book, self.variants = book, Variants(book, mutants)
        self._alarms = sorted(p.name for p in book.predicates.values() if p.alarm)
        self._last: tuple[frozenset[tuple[str, tuple[object, ...]]], Annotated, int] | None = None

    def judge(self, scenario: Scenario) -> Judged:
        """The mutants that a scenario kills, openness left aside."""
        try:
            state = table(scenario.data, self.book.vocabulary, None, scenario.name)
        except SeatlogError:
            return Judged(scenario, 0)
        with unhurried_memory():
            annotated, refused = self._asked(state)
            if refused & WHOLE:
                return Judged(scenario, self.variants.books & ~refused)
            try:
                answer = put(scenario, Session(self.book, state, None, InOne(annotated)))
            except SeatlogError:
                return Judged(scenario, refused)
            rows = annotated.answers(answer.items, answer.variables)
        kills = refused
        for books in rows.values():
            kills |= self.variants.books & ~books if books & WHOLE else books
        return Judged(scenario, kills, tuple(literals(answer.items)))

    def _asked(self, state: Table) -> tuple[Annotated, int]:
        """A table before every book, and those that refuse it."""
        facts = asked(state, self.book.vocabulary)
        mark = frozenset((fact.name, fact.row) for fact in facts)
        if self._last is None or self._last[0] != mark:
            annotated, refused = Annotated(self.variants, facts), 0
            for name in self._alarms:
                refused |= annotated.holding(name)
            self._last = mark, annotated, refused
        return self._last[1], self._last[2]

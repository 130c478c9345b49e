"""Facts at random, straight out of a vocabulary: engines take them, though no table would.

A few names of each sort, the numbers that a sort begins with, words that a fact's terms can hold.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from seatlog.book import Book, Numbers, Sort, under
from seatlog.model import Const, Statement, Value, literals

SLOTS = 3
NUMBERS = 4
MANY = (0, 0, 1, 1, 2, 3)
"""How many facts of a predicate a game has."""
NOBODY: Mapping[str, str] = {}


class FactMaker:
    """Makes facts that a book can be asked about."""

    def __init__(self, book: Book) -> None:
        self.facts, self.sorts = book.vocabulary.facts, book.vocabulary.sorts
        said: dict[tuple[str, int], set[Value]] = {}
        for clause in book.clauses:
            for literal in literals(clause.body):
                for spot, term in enumerate(literal.args):
                    if isinstance(term, Const):
                        said.setdefault((literal.name, spot), set()).add(term.value)
        self.values: Mapping[tuple[str, int], list[Value]] = {
            (fact.name, spot): self._values(self.sorts[sort], said.get((fact.name, spot), set()))
            for fact in self.facts.values()
            for spot, sort in enumerate(fact.sorts)
        }

    def _values(self, sort: Sort, said: set[Value]) -> list[Value]:
        """What can stand there: a constant of the clauses as often as all else together."""
        out: list[Value] = []
        for each in under(sort, self.sorts):
            if isinstance(each, Numbers):
                out += range(each.lowest, each.lowest + NUMBERS)
            elif each.words:
                out += each.words
            else:
                out += _slots(each.name)
        known = sorted(said, key=repr)
        return out + known * (len(out) // len(known)) if known else out

    def made(self, rng: random.Random, names: Mapping[str, str] = NOBODY) -> list[Statement]:
        """Facts for one game, of most predicates a few; of names those that a table has by sort."""
        own: dict[Value, Value] = {}
        for sort in self.sorts:
            there = sorted(name for name, of in names.items() if of == sort)
            own.update(zip(_slots(sort), there, strict=False))
        out = set()
        for fact in self.facts.values():
            for _ in range(rng.choice(MANY)):
                row = [rng.choice(self.values[fact.name, spot]) for spot in range(len(fact.args))]
                out.add(Statement(fact.name, tuple(own.get(value, value) for value in row)))
        return sorted(out, key=repr)


def _slots(sort: str) -> list[str]:
    return [f"{sort}'s {number}" for number in range(1, SLOTS + 1)]

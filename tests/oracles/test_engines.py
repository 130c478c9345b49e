"""Every solver gives every predicate of the shipped books the same rows, on rich random games.

A game is a random table, and beside it facts that its players and things could have and that no
table says at once: so what is rare at tables is answered, too.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

import draft_oracle
from random_facts import FactMaker
from random_more import random_more
from random_objects import random_objects
from random_tables import random_table
from random_zones import random_zones
from seatlog.book import Book
from seatlog.editions import editions, load_book
from seatlog.model import Literal, Statement, Var, literals
from seatlog.solvers import SOLVERS, open_solver
from seatlog.table import table

GAMES = int(os.environ.get("SEATLOG_ENGINES", "16"))
MAKERS = (random_more, random_zones, draft_oracle.random_table, random_objects, random_table)


def games(edition: str) -> list[list[Statement]]:
    rng, book = random.Random(77), load_book(edition)
    maker, found = FactMaker(book), []
    for number in range(GAMES):
        state = table(MAKERS[number % len(MAKERS)](rng), book.vocabulary)
        said = set(state.facts) if number % 4 else set()
        beside = maker.made(rng, state.names) if number % 4 != 1 else ()
        found.append(sorted(said.union(beside), key=repr))
    return found


def upper_first(book: Book) -> list[str]:
    """The predicates of a book, those that rest deepest first: the others are known by then."""
    depth: dict[str, int] = dict.fromkeys(book.vocabulary.facts, 0)

    def of(name: str) -> int:
        if name not in depth:
            depth[name] = 0
            below = (x.name for c in book.clauses_of(name) for x in literals(c.body))
            depth[name] = 1 + max(map(of, below), default=0)
        return depth[name]

    return sorted(book.by_head, key=lambda name: (-of(name), name))


@pytest.mark.parametrize("edition", editions())
def test_all_solvers_give_all_predicates_the_same_rows(edition: str) -> None:
    book = load_book(edition)
    every = [
        Literal(name, tuple(Var(f"V{i}") for i in range(book.predicates[name].arity)))
        for name in upper_first(book)
    ]
    some = Counter[str]()
    for number, facts in enumerate(games(edition)):
        solvers = {name: open_solver(book, facts, name) for name in SOLVERS}
        asked = every if number % 4 else random.Random(number).sample(every, len(every))
        for literal in asked:
            rows = {name: solver.rows(literal) for name, solver in solvers.items()}
            first = rows["pydatalog"]
            some[literal.name] += bool(first)
            for name, found in rows.items():
                if found != first:
                    only = set(found) ^ set(first)
                    pytest.fail(f"game {number}: {literal} by {name}: {only}\n{facts}")
    silent = sorted(x.name for x in every if not some[x.name])
    print(f"{edition}: {len(silent)} of {len(every)} predicates never had an answer: {silent}")
    assert len(silent) < len(every) / 5, silent

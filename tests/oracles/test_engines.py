"""Every solver gives every predicate of the shipped books the same rows, on rich random games.

A game is a random table, and beside it facts that its players and things could have and that no
table says at once: so what is rare at tables is answered, too. All games are one table.
"""

from __future__ import annotations

import os
import random

import pytest

import draft_oracle
from many_games import columns_of, in_one, stated_in_one
from random_facts import FactMaker
from random_more import random_more
from random_objects import random_objects
from random_tables import random_table
from random_zones import random_zones
from seatlog.editions import editions, load_book
from seatlog.model import Statement
from seatlog.solvers import SOLVERS, open_solver
from seatlog.solvers.clingo import Clingo
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


@pytest.mark.parametrize("edition", editions())
def test_all_solvers_give_all_predicates_the_same_rows(edition: str) -> None:
    book, every = load_book(edition), games(edition)
    one, facts = in_one(book), list(stated_in_one(every))
    solvers = {name: open_solver(one, facts, name) for name in SOLVERS}
    heads = sorted(book.by_head)
    for solver in solvers.values():
        if isinstance(solver, Clingo):
            solver.ground(heads)
    silent = []
    for head in heads:
        first, *others = [columns_of(s, one, head, len(every)) for s in solvers.values()]
        for name, found in zip([*solvers][1:], others, strict=True):
            for row in {*first, *found} if found != first else ():
                odd = first.get(row, 0) ^ found.get(row, 0)
                if odd:
                    game = (odd & -odd).bit_length() - 1
                    pytest.fail(f"game {game}: {head}{row} by {name}\n{every[game]}")
        if not first:
            silent.append(head)
    print(f"{edition}: {len(silent)} of {len(heads)} predicates never had an answer: {silent}")
    assert len(silent) < len(heads) / 5, silent

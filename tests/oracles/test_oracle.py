"""The clauses against an oracle in plain Python, on random tables."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from bulk import differences, opened
from oracle import BUGS, Oracle
from random_tables import random_table, shares
from seatlog.model import Literal, Var

ARITY = dict.fromkeys(("in_range", "opponent", "can_target", "can_attack", "legal_target"), 2)
TABLES = 2_000
BATCH = 200


def tables(seed: int, number: int) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    return [random_table(rng) for _ in range(number)]


@pytest.mark.parametrize("batch", range(TABLES // BATCH))
def test_clauses_and_oracle_agree(batch: int) -> None:
    found = differences(tables(1000 + batch, BATCH), ARITY, Oracle)
    assert not found, found[0]


def test_the_random_tables_are_a_fair_mix() -> None:
    mix = shares([t for batch in range(TABLES // BATCH) for t in tables(1000 + batch, BATCH)])
    assert mix.pop("leavers") >= 0.4
    assert mix.pop("unequal_ranges") >= 0.4
    assert set(mix) == set(ARITY)
    assert all(0.2 <= share <= 0.8 for share in mix.values()), mix


@pytest.mark.parametrize("bug", BUGS)
def test_a_fault_in_the_oracle_is_found(bug: str) -> None:
    assert differences(tables(1, 60), ARITY, partial(Oracle, bug=bug))


def test_distance_and_range_say_the_same() -> None:
    for number, table in enumerate(tables(7, 60)):
        game = opened(table, number)
        oracle = Oracle(table)
        rows = game.solver.rows(Literal("apart", (Var("P"), Var("O"), Var("S"), Var("R"))))
        reached = set(game.solver.rows(Literal("reaches", (Var("P"), Var("O")))))
        for player, other, seats, reach in rows:
            assert oracle.distance(str(player), str(other)) == seats
            assert ((player, other) in reached) == (int(seats) <= int(reach))

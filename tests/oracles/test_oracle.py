"""The clauses against an oracle in plain Python, on random tables."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bulk import opened
from oracle import BUGS, Oracle
from random_tables import random_table, shares
from seatlog.model import Literal, Var

PREDICATES = ("in_range", "opponent", "can_target", "can_attack", "legal_target")
TABLES = 2_000
BATCH = 200


def differences(tables: list[dict[str, Any]], bug: str | None = None) -> list[str]:
    """Every (table, predicate) on which the clauses and the oracle part."""
    out = []
    for number, table in enumerate(tables):
        solver = opened(table, number).solver
        oracle = Oracle(table, bug=bug)
        for name in PREDICATES:
            found = set(solver.rows(Literal(name, (Var("X"), Var("Y")))))
            wanted = getattr(oracle, name)()
            if found != wanted:
                out.append(
                    f"table {number}, {name}: clauses only {sorted(found - wanted)}, "
                    f"oracle only {sorted(wanted - found)}\n{table}"
                )
    return out


def tables(seed: int, number: int) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    return [random_table(rng) for _ in range(number)]


@pytest.mark.parametrize("batch", range(TABLES // BATCH))
def test_clauses_and_oracle_agree(batch: int) -> None:
    found = differences(tables(1000 + batch, BATCH))
    assert not found, found[0]


def test_the_random_tables_are_a_fair_mix() -> None:
    mix = shares([t for batch in range(TABLES // BATCH) for t in tables(1000 + batch, BATCH)])
    assert mix.pop("leavers") >= 0.4
    assert mix.pop("unequal_ranges") >= 0.4
    assert set(mix) == set(PREDICATES)
    assert all(0.2 <= share <= 0.8 for share in mix.values()), mix


@pytest.mark.parametrize("bug", BUGS)
def test_a_fault_in_the_oracle_is_found(bug: str) -> None:
    assert differences(tables(1, 60), bug)


def test_distance_and_range_say_the_same() -> None:
    for number, table in enumerate(tables(7, 60)):
        game = opened(table, number)
        oracle = Oracle(table)
        rows = game.solver.rows(Literal("apart", (Var("P"), Var("O"), Var("S"), Var("R"))))
        reached = set(game.solver.rows(Literal("reaches", (Var("P"), Var("O")))))
        for player, other, seats, reach in rows:
            assert oracle.distance(str(player), str(other)) == seats
            assert ((player, other) in reached) == (int(seats) <= int(reach))

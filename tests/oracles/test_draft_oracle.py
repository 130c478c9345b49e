"""The clauses of the 2004 draft against plain Python, on random tables."""

from __future__ import annotations

import random

import pytest

import seatlog
from bulk import bulk
from draft_oracle import DraftOracle, random_table
from seatlog.model import Literal, Var

PREDICATES = {
    "opponent": 2,
    "reaches": 2,
    "may_attack": 2,
    "team_lost": 1,
    "team_wins": 1,
    "team_draws": 1,
    "lost": 1,
    "leaving": 1,
    "wins_game": 1,
    "controls_after": 2,
    "removed": 1,
    "team_life_after": 2,
}
TABLES = 240
BATCH = 60


@pytest.mark.parametrize("batch", range(TABLES // BATCH))
def test_clauses_and_oracle_agree(batch: int) -> None:
    rng = random.Random(2004 + batch)
    for number in range(BATCH):
        table = random_table(rng)
        solver = seatlog.open(table, "draft2004", bulk(number)).solver
        oracle = DraftOracle(table)
        for name, size in PREDICATES.items():
            goal = Literal(name, tuple(Var(f"X{i}") for i in range(size)))
            found, wanted = set(solver.rows(goal)), getattr(oracle, name)()
            assert found == wanted, f"table {number}, {name}: {table}"


def test_the_random_tables_are_a_fair_mix() -> None:
    """Every question is answered by some tables, and not by all."""
    rng = random.Random(2004)
    oracles = [DraftOracle(random_table(rng)) for _ in range(TABLES)]
    for name in PREDICATES:
        share = sum(bool(getattr(oracle, name)()) for oracle in oracles) / TABLES
        assert share > 0.02, (name, share)

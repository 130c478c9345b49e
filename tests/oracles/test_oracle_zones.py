"""Zones and moves against an oracle in plain Python, on random tables."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from bulk import differences
from oracle_zones import BUGS, Zones
from random_zones import random_zones

ARITY = {
    "sees": 2,
    "may_arrange": 2,
    "outside": 1,
    "same_zone": 2,
    "put_in": 3,
    "changes_zone": 2,
    "given_to": 3,
    "decides": 3,
    "inspects": 3,
}
TABLES = 600
BATCH = 100


def tables(seed: int, number: int) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    return [random_zones(rng) for _ in range(number)]


@pytest.mark.parametrize("batch", range(TABLES // BATCH))
def test_clauses_and_oracle_agree(batch: int) -> None:
    found = differences(tables(4000 + batch, BATCH), ARITY, Zones)
    assert not found, found[0]


@pytest.mark.parametrize("bug", BUGS)
def test_a_fault_in_the_oracle_is_found(bug: str) -> None:
    assert differences(tables(1, 60), ARITY, partial(Zones, bug=bug))


def test_the_random_tables_are_a_fair_mix() -> None:
    """Each question is answered with something on many tables, conflicts among them."""
    some = dict.fromkeys(ARITY, 0)
    for table in tables(4000, BATCH):
        oracle = Zones(table)
        for name in ARITY:
            some[name] += bool(getattr(oracle, name)())
    assert all(number >= 20 for number in some.values()), some

"""The clauses on choices, triggers, effects and endings against an oracle, on random tables.

Other processes ask the clauses, each about a few tables: what the engine leaves behind goes with
the process, and need not be collected.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeVar

import pytest

import seatlog
from bulk import bulk, shipped
from oracle_more import MORE_BUGS, MoreOracle
from random_more import MORE_PREDICATES, random_more, shares_of, tally
from seatlog.model import Literal, Var
from seatlog.solvers import open_solver
from seatlog.table import table as read

TABLES = int(os.environ.get("SEATLOG_ORACLE", "500"))
BATCH = 500
CHUNK = 50
CHUNKS_FOR_BUGS = 40

Answers = dict[str, set[tuple[Any, ...]]]
Out = TypeVar("Out")


class Outcome(NamedTuple):
    """What came of comparing some tables: the differences, and how the tables are mixed."""

    differences: list[str]
    mix: Counter[str]


def tables(chunk: int) -> list[dict[str, Any]]:
    rng = random.Random(5000 + chunk)
    return [random_more(rng) for _ in range(CHUNK)]


def clauses_say(table: dict[str, Any], number: int = 1) -> Answers:
    book = shipped()
    solver = open_solver(book, read(table, book.vocabulary).facts, bulk(number))
    answers: Answers = {}
    for name in MORE_PREDICATES:
        args = tuple(Var(f"V{i}") for i in range(book.predicates[name].arity))
        answers[name] = set(solver.rows(Literal(name, args)))
    return answers


def oracle_says(oracle: MoreOracle) -> Answers:
    return {name: getattr(oracle, name)() for name in MORE_PREDICATES}


def compare(chunk: int) -> Outcome:
    """Every (table, predicate) of a chunk on which the clauses and the oracle part."""
    gc.disable()
    found: list[str] = []
    mix: Counter[str] = Counter()
    for number, table in enumerate(tables(chunk)):
        oracle = MoreOracle(table)
        ours, theirs = clauses_say(table, number), oracle_says(oracle)
        for name in MORE_PREDICATES:
            if ours[name] != theirs[name]:
                found.append(
                    f"chunk {chunk}, table {number}, {name}: "
                    f"clauses only {sorted(ours[name] - theirs[name])}, "
                    f"oracle only {sorted(theirs[name] - ours[name])}\n{table}"
                )
        mix += tally(oracle, theirs)
    return Outcome(found, mix)


def in_processes(work: Callable[[int], Out], chunks: range) -> list[Out]:
    """The work on every chunk, each in a fresh process, as many at once as there are cores."""
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if context.get_start_method() == "forkserver":
        context.set_forkserver_preload([__name__])
    with context.Pool(min(4, os.cpu_count() or 1), maxtasksperchild=1) as pool:
        return pool.map(work, chunks, chunksize=1)


@cache
def outcome(batch: int) -> Outcome:
    first = batch * BATCH // CHUNK
    parts = in_processes(compare, range(first, first + BATCH // CHUNK))
    mix: Counter[str] = Counter()
    for part in parts:
        mix += part.mix
    return Outcome([difference for part in parts for difference in part.differences], mix)


@cache
def by_the_book(chunk: int) -> list[tuple[dict[str, Any], Answers]]:
    """Tables, and what the oracle says without a fault."""
    return [(table, oracle_says(MoreOracle(table))) for table in tables(chunk)]


@pytest.mark.parametrize("batch", range(TABLES // BATCH))
def test_clauses_and_oracle_agree(batch: int) -> None:
    found = outcome(batch).differences
    assert not found, f"{len(found)} differences, the first: {found[0]}"


def test_the_random_tables_are_a_fair_mix() -> None:
    total: Counter[str] = Counter()
    for batch in range(TABLES // BATCH):
        total += outcome(batch).mix
    mix = shares_of(total)
    assert mix.pop("leavers") >= 0.4
    assert mix.pop("unequal_ranges") >= 0.4
    assert mix.pop("variants") >= 0.2
    assert set(mix) == set(MORE_PREDICATES)
    assert all(0.2 <= share <= 0.8 for share in mix.values()), mix


@pytest.mark.parametrize("bug", MORE_BUGS)
def test_a_fault_in_the_oracle_is_found(bug: str) -> None:
    for chunk in range(CHUNKS_FOR_BUGS):
        for table, sound in by_the_book(chunk):
            wrong = oracle_says(MoreOracle(table, bug=bug))
            if wrong != sound and clauses_say(table) != wrong:
                return
    pytest.fail(f"no table shows {bug}")


def test_the_random_tables_are_tables() -> None:
    for table in tables(0):
        assert seatlog.open(table).notes == []

"""No verdict hangs by a thread: at least two scenarios fail for each fault of ``support/faults``.

Each fault is a copy of a section with one thing wrong: a condition dropped, a holder or neighbour
swapped, first for all, now for before, a tie broken the other way.
"""

from __future__ import annotations

import os
from itertools import islice

import pytest

from places import TESTS
from seatlog.book import Book
from seatlog.cases import Scenario, read_scenarios, scenario_files
from seatlog.editions import editions, load_book
from seeding import ENOUGH, Fault, failing, faults

LEAST = 27
BOOKS = {name: load_book(name) for name in editions()}
FAULTS = {name: faults(name) for name in BOOKS}
SEEDED = [f for own in FAULTS.values() for f in own]

EVERY = int(os.environ.get("SEATLOG_SEEDED", "3"))
"""The gate tries one fault in three; ``make soak`` tries each of them."""


@pytest.fixture(scope="module")
def scenarios() -> dict[str, list[Scenario]]:
    """The shipped scenarios of each edition."""
    folder = TESTS / "scenarios"
    return {n: [s for f in scenario_files(folder / n) for s in read_scenarios(f)] for n in BOOKS}


def book(fault: Fault) -> Book:
    """The book that a fault is seeded into."""
    return BOOKS[fault.edition]


@pytest.mark.parametrize("fault", [f for f in SEEDED if not f.idle][::EVERY], ids=str)
def test_two_scenarios_fail(fault: Fault, scenarios: dict[str, list[Scenario]]) -> None:
    found = list(islice(failing(fault, book(fault), scenarios[fault.edition]), ENOUGH))
    assert len(found) == ENOUGH, [f"{s.file}: {s.name}" for s in found]


@pytest.mark.parametrize("fault", [f for f in SEEDED if f.idle], ids=str)
def test_what_can_change_no_verdict_stands_in_the_rules(fault: Fault) -> None:
    assert fault.seeded(book(fault))


@pytest.mark.parametrize("edition", BOOKS)
def test_each_book_has_enough_of_them(edition: str) -> None:
    own = FAULTS[edition]
    assert len([f for f in own if not f.idle]) >= LEAST
    assert len({str(f) for f in own}) == len(own)


def test_a_fault_that_is_out_of_date_is_found() -> None:
    """What it changes must stand in the rules once, and the change must be one."""
    one = SEEDED[0]
    with pytest.raises(AssertionError, match="stands 0 times"):
        one._replace(old="no such text").seeded(book(one))
    with pytest.raises(AssertionError, match="changes no clause"):
        one._replace(new=one.old).seeded(book(one))


def test_a_fault_that_nothing_notices_is_found(scenarios: dict[str, list[Scenario]]) -> None:
    """By scenarios that have nothing to do with it."""
    one = SEEDED[0]
    others = [s for s in scenarios[one.edition] if s.cites == ("101.4",)]
    assert others and not list(failing(one, book(one), others))

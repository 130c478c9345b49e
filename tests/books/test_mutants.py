"""What goes wrong by the letter: each clause with a literal dropped, two terms swapped, and so on.

``SEATLOG_MUTANTS`` says how many of each book are tried, drawn by a fixed seed (all: 0); with
``-s`` the figures are shown, and what two scenarios don't notice. Not every mutant can change a
verdict, so that a part of them always stays unnoticed.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from mutants import Extent, Hunt, Mutant, Mutants
from places import TESTS
from seatlog.book import Book
from seatlog.cases import read_scenarios, scenario_files
from seatlog.editions import editions, load_book
from seatlog.solvers import open_solver
from seatlog.table import table

WANTED = int(os.environ.get("SEATLOG_MUTANTS", "4"))
SEED = 801
NOTICED, TWICE = 0.5, 0.2
"""Of those that some table tells from the book, what shares one and two scenarios notice."""


def drawn(book: Book, edition: str) -> list[Mutant]:
    """Some mutants of the clauses in an edition's own files that the linter lets through."""
    mutants = Mutants(book)
    own = [c for c in book.clauses if c.body and c.place.file.startswith(f"{edition}/")]
    every = [m for c in own for m in mutants.of(c)]
    random.Random(SEED).shuffle(every)
    found: list[Mutant] = []
    for mutant in every:
        if WANTED and len(found) == WANTED:
            break
        if mutants.loads(mutant):
            found.append(mutant)
    return found


@pytest.mark.parametrize("edition", editions())
def test_most_mutants_are_noticed(edition: str) -> None:
    book = load_book(edition)
    files = scenario_files(TESTS / "scenarios" / edition)
    hunt = Hunt(book, [s for f in files for s in read_scenarios(f)])
    counts: Counter[int | None] = Counter()
    for mutant in drawn(book, edition):
        fails = hunt.fails(mutant)
        counts[fails] += 1
        if fails in (0, 1):
            print(f"{edition}: {fails} fail for {mutant}")
    told = sum(n for fails, n in counts.items() if fails is not None)
    print(
        f"{edition}: of {counts.total()} mutants {told} are told from the book by some table; "
        f"two scenarios fail for {counts[2]}, one for {counts[1]}, none for {counts[0]}"
    )
    assert counts[1] + counts[2] >= NOTICED * told
    assert counts[2] >= TWICE * told


def mutants_of(head: str, at: int = 0) -> dict[str, Mutant]:
    """What can go wrong with a clause of the default book, by its words."""
    book = load_book()
    return {m.wrong: m for m in Mutants(book).of(book.clauses_of(head)[at])}


@pytest.mark.parametrize(
    ("head", "wrong"),
    [
        ("later_world", "drops (Other != Thing)"),
        ("later_world", "(Later > Since) for (Later >= Since)"),
        ("gone", "~left_game(Owner) for left_game(Owner)"),
        ("gone", "controls(Owner, Thing) for owner(Owner, Thing)"),
        ("opponent", "~teammate(Other, Player) for ~teammate(Player, Other)"),
        ("caught", "reaches(Player, Other) for reaches(Other, Player)"),
        ("boundless", "is_a(Thing, 'phenomenon') for is_a(Thing, 'plane')"),
    ],
)
def test_each_kind_of_mutant_is_made(head: str, wrong: str) -> None:
    assert wrong in mutants_of(head)


def test_no_mutant_asks_before_it_binds() -> None:
    """Dropping what binds a variable that is compared gives no clause."""
    assert "drops world_from(Thing, Since)" not in mutants_of("later_world")


@pytest.mark.parametrize(("since", "differs"), [(1, True), (2, False)])
def test_a_table_tells_a_mutant_from_the_book_or_does_not(since: int, differs: bool) -> None:
    book = load_book()
    ties = mutants_of("later_world")["(Later > Since) for (Later >= Since)"]
    data = {
        "seats": ["Ann", "Ben"],
        "objects": {
            "Old": {"controller": "Ann", "world_since": 1},
            "New": {"controller": "Ben", "world_since": since},
        },
    }
    solver = open_solver(book, table(data, book.vocabulary).facts)
    assert Extent(book, solver).differs(ties) is differs

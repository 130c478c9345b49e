"""What goes wrong by the letter: each clause with a literal dropped, two terms swapped, and so on.

All mutants of a book are asked at once, one bit each; a sample is held against books that really
have the fault. ``SEATLOG_MUTANTS`` says how many of each book are counted, drawn by a fixed seed
(all: 0); with ``-s`` the figures are shown. Not every mutant can change a verdict: those that can't
are marked in ``equivalent.toml``, with a reason or a bound within which that was proved;
``SEATLOG_PROOFS`` says how many of the latter are proved again (all: 0). The gate has a quarter of
the scenarios asked, but where every mutant has to be noticed.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from places import TESTS
from seatlog.book import Book
from seatlog.cases import Scenario, read_scenarios, run, scenario_files, scenarios_in, verdict
from seatlog.compare import (
    KINDS,
    MORE,
    Court,
    Fault,
    InOne,
    Mark,
    Mutant,
    Mutants,
    Variants,
    Witnesses,
    kill_matrix,
    marks_of,
    own_clauses,
    tried,
    unproved,
)
from seatlog.compare import Annotated as AnnotatedRows
from seatlog.editions import editions, find, load_book
from seatlog.errors import SeatlogError
from seatlog.model import Const, Literal, Term, Var
from seatlog.solvers import open_solver
from seatlog.table import table

WANTED = int(os.environ.get("SEATLOG_MUTANTS", "30"))
PROOFS = int(os.environ.get("SEATLOG_PROOFS", "1"))
"""How many marks that name a bound are proved again, of as many books, by the seed (all: 0)."""

HELD = int(os.environ.get("SEATLOG_HELD", "8"))
"""How many scenarios of each book have some of their verdicts on mutants compared."""

SEED = 801
NOTICED, SOME_NOTICE = 0.75, 0.4
"""What share of them all scenarios notice, and a quarter of the scenarios."""

KILLED, SPARED = 4, 5
AT_ONCE = 4_000
COMPLETE, CLAUSES = ("cr", "cr2021", "draft2004"), 60
"""The books in which every mutant is noticed or marked, and of how many clauses that is asked."""


def scenarios(edition: str) -> list[Scenario]:
    """The shipped scenarios of an edition."""
    files = scenario_files(TESTS / "scenarios" / edition)
    return [s for file in files for s in read_scenarios(file)]


@cache
def mutants_in(edition: str, more: bool = False) -> Mutants:
    """The mutants of a book, with ``more`` also of the kinds that are tried only where asked."""
    return Mutants(load_book(edition), {*KINDS, *(MORE if more else ())})


@cache
def every_mutant(edition: str, more: bool = False) -> list[Mutant]:
    """All of them, worked out once."""
    return mutants_in(edition, more).every()


def drawn(book: Book) -> list[Mutant]:
    """Some mutants of the clauses in a book's own files."""
    every = Mutants(book).every(own_clauses(book))
    random.Random(SEED).shuffle(every)
    return every[: WANTED or None]


def show(edition: str, mutants: Iterable[Mutant], alive: Iterable[Fault]) -> None:
    """How many mutants are noticed, by kinds."""
    every, left = Counter(m.kind for m in mutants), Counter(m.kind for m in alive)
    for kind in every:
        print(f"{edition}: {every[kind] - left[kind]} of {every[kind]} are noticed: {KINDS[kind]}")


@pytest.mark.parametrize("edition", sorted(set(editions()) - set(COMPLETE)))
def test_most_mutants_are_noticed(edition: str) -> None:
    book = load_book(edition)
    mutants, every_one = drawn(book), scenarios(edition)
    some = random.Random(SEED).sample(every_one, len(every_one) // 4) if WANTED else every_one
    alive = kill_matrix(book, mutants, some).survivors
    show(edition, mutants, alive)
    enough = SOME_NOTICE if WANTED else NOTICED
    assert len(mutants) - len(alive) >= enough * len(mutants)


@pytest.mark.parametrize("edition", editions())
def test_each_mark_is_of_a_mutant_that_no_scenario_of_a_quarter_notices(edition: str) -> None:
    """Of all scenarios where all mutants are tried."""
    book = load_book(edition)
    marks = marks_of(find(edition))
    heads = {(mark.rule, mark.head) for mark in marks}
    clauses = [c for c in own_clauses(book) if (c.rule, c.head.name) in heads]
    asked = scenarios(edition)
    trial = tried(book, asked[::4] if WANTED else asked, KINDS, clauses, marks)
    assert trial.stale == {}
    assert len(trial.marked) >= len(marks)


@pytest.mark.parametrize("edition", COMPLETE)
def test_every_mutant_is_noticed_or_marked(edition: str) -> None:
    """Those of some clauses, by all scenarios; those of all clauses where all mutants are tried."""
    book = load_book(edition)
    clauses = own_clauses(book)
    some = random.Random(SEED).sample(clauses, min(CLAUSES, len(clauses))) if WANTED else clauses
    trial = tried(book, scenarios(edition), KINDS, some, marks_of(find(edition)))
    show(edition, trial.mutants, trial.alive)
    assert [str(mutant) for mutant in trial.survivors] == []
    assert len(trial.mutants) > len(some)


PROVED = [e for e in COMPLETE if any(mark.bound for mark in marks_of(find(e)))]
"""The books with marks that rest on a proof."""


@pytest.mark.parametrize("edition", PROVED[:PROOFS] or PROVED)
def test_a_mark_that_names_a_bound_is_proved_again(edition: str) -> None:
    book = load_book(edition)
    trial = tried(book, [], KINDS, own_clauses(book), marks_of(find(edition)))
    marked = [(m, trial.marked[id(m)]) for m in trial.alive if id(m) in trial.marked]
    proved = [(mutant, mark) for mutant, mark in marked if mark.bound]
    random.Random(SEED).shuffle(proved)
    assert proved
    assert unproved(book, proved[: PROOFS or None]) == {}


def test_a_mark_is_not_proved_by_a_bound_that_shows_the_fault_or_not_even_its_clause() -> None:
    book = load_book()
    turned = mutants_of("opponent")["(Player == Other) for (Player != Other)"]
    far = mutants_of("just_closed")["drops (Turn < Now)"]
    said = {
        turned: "a game within players=2,things=1 tells it from the book",
        far: "no game within players=2,things=1 notices the whole clause dropped either",
    }
    for mutant, why in said.items():
        clause = mutant.clause
        mark = Mark(clause.rule, clause.head.name, 0, mutant.wrong, "", "players=2,things=1")
        assert unproved(book, [(mutant, mark)]) == {mark: why}
    unread = Mark("801.2", "distance", 0, "", "", "widgets=3")
    why = 'nothing is called "widgets" that a bound counts'
    assert unproved(book, [(turned, unread)]) == {unread: why}


def test_marks_that_are_in_no_file_are_not_passed_over(tmp_path: Path) -> None:
    assert marks_of(tmp_path) == []
    (tmp_path / "equivalent.toml").mkdir()
    with pytest.raises(SeatlogError, match=r"equivalent\.toml"):
        marks_of(tmp_path)


def test_a_mark_fits_whatever_else_is_tried_but_not_where_there_is_no_such_clause() -> None:
    book = load_book()
    turned = mutants_of("opponent")["(Player == Other) for (Player != Other)"]
    rule, head = turned.clause.rule, turned.clause.head.name
    fits = Mark(rule, head, 0, turned.wrong, "it is fine")
    odd = Mark(rule, head, 0, "drops what isn't there", "it isn't")
    gone = Mark("999.9", "no_such_head", 0, turned.wrong, "it isn't")
    trial = tried(book, [], ["clause"], [turned.clause], [fits, odd, gone])
    assert trial.stale == {odd: "there is no such mutant", gone: "there is no such clause"}


def said(scenario: Scenario, book: Book) -> tuple[Any, bool]:
    """What a book answers, and whether that is open; an error where it refuses or can't say."""
    try:
        found, answer = verdict(scenario, book)
    except SeatlogError as error:
        return type(error).__name__, False
    return found, bool(answer.doubts)


@pytest.mark.parametrize("edition", editions())
def test_a_book_that_has_the_fault_answers_as_its_bit_says(edition: str) -> None:
    """Verdicts and refusals by mutants that a scenario kills, and by those that it might."""
    book, draw = mutants_in(edition, more=True).book, random.Random(SEED)
    every = every_mutant(edition, more=True)
    mutants = draw.sample(every, min(AT_ONCE, len(every)))
    court = Court(book, mutants)
    compared = Counter[bool]()
    every_one = scenarios(edition)
    held = min(HELD, len(every_one))
    for scenario in draw.sample(every_one, held):
        judged = court.judge(scenario)
        own = said(scenario, book)[0]
        near = {each for name in judged.asked for each in court.variants.beneath(name)}
        by_kill: dict[bool, list[int]] = {True: [], False: []}
        for number, mutant in enumerate(mutants, 1):
            killed = bool(judged.kills >> number & 1)
            if killed or mutant.clause.head.name in near:
                by_kill[killed].append(number)
        for killed, most in ((True, KILLED), (False, SPARED)):
            for number in draw.sample(by_kill[killed], min(most, len(by_kill[killed]))):
                mutant = mutants[number - 1]
                found = said(scenario, mutant.book(book))[0]
                assert (found != own) == killed, f"{scenario.file}: {scenario.name}: {mutant}"
                compared[killed] += 1
    assert compared[True] > held and compared[False] > held


@pytest.mark.parametrize("edition", editions())
def test_a_book_that_has_the_fault_is_open_where_its_bit_says(edition: str) -> None:
    """By scenarios that are open, or could be."""
    book, draw = mutants_in(edition).book, random.Random(SEED)
    mutants = every_mutant(edition)[::4]
    court = Court(book, mutants)
    some = [s for s in scenarios(edition) if s.open]
    told = 0
    for scenario in draw.sample(some, min(HELD // 3, len(some))):
        judged = court.judge(scenario)
        concerned = court.concerned(judged) & ~judged.kills
        numbers = [n for n in range(1, len(mutants) + 1) if concerned >> n & 1]
        tried = draw.sample(numbers, min(KILLED + SPARED, len(numbers)))
        killed = court.weigh(judged, sum(1 << n for n in tried))
        for number in tried:
            found = said(scenario, mutants[number - 1].book(book))
            differs = found != said(scenario, book)
            assert differs == bool(killed >> number & 1), f"{scenario.name}: {mutants[number - 1]}"
            told += 1
    assert told or not some


@pytest.mark.parametrize("edition", editions())
def test_without_a_fault_the_rows_are_the_engines(edition: str) -> None:
    """Every predicate of some tables, as pyDatalog has it."""
    book = mutants_in(edition).book
    variants = Variants(book, every_mutant(edition)[::50])
    for scenario in random.Random(SEED).sample(scenarios(edition), 3):
        try:
            facts = table(scenario.data, book.vocabulary).facts
        except SeatlogError:
            continue
        ours, theirs = InOne(AnnotatedRows(variants, facts)), open_solver(book, facts)
        for predicate in book.predicates.values():
            args = tuple(Var(f"V{spot}") for spot in range(predicate.arity))
            rows = theirs.rows(Literal(predicate.name, args))
            assert ours.rows(Literal(predicate.name, args)) == rows
            for row in rows[:2] if args else ():
                some: tuple[Term, ...] = (Const(row[0]), *args[1:])
                literal = Literal(predicate.name, some)
                assert ours.rows(literal) == theirs.rows(literal)


def mutants_of(head: str, at: int = 0) -> dict[str, Mutant]:
    """What can go wrong with a clause of the default book, by its words."""
    book = load_book()
    return {m.wrong: m for m in Mutants(book, {*KINDS, *MORE}).of(book.clauses_of(head)[at])}


@pytest.mark.parametrize(
    ("head", "wrong"),
    [
        ("gone", "drops the clause"),
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


@pytest.mark.parametrize(
    ("head", "wrong"),
    [
        ("vacated", "vacated(Other, Player, Leaver) for vacated(Player, Other, Leaver)"),
        ("vacated", "vacated(Leaver, Other, Player) for vacated(Player, Other, Leaver)"),
        ("vacated", "vacated(Player, Leaver, Other) for vacated(Player, Other, Leaver)"),
    ],
)
def test_two_terms_of_a_head_change_places_and_it_is_said_which(head: str, wrong: str) -> None:
    assert wrong in mutants_of(head)


@pytest.mark.parametrize("edition", editions())
def test_what_is_said_of_a_mutant_tells_it_from_the_others_of_its_clause(edition: str) -> None:
    said: dict[int, Counter[str]] = {}
    for mutant in every_mutant(edition, more=True):
        said.setdefault(id(mutant.clause), Counter())[mutant.wrong] += 1
    for clause in own_clauses(mutants_in(edition, more=True).book):
        own = said[id(clause)]
        assert set(own.values()) == {1}, f"{clause}: {own.most_common(1)}"


def test_a_clause_whose_variables_are_called_otherwise_is_no_mutant() -> None:
    """Two variables that stand nowhere else may change places; where one does, that is a fault."""
    renamed = "redirects(Effect, _Other, _Target) for redirects(Effect, _Target, _Other)"
    assert renamed not in mutants_of("redirecting")
    turned = "redirects(Effect, _Other, Target) for redirects(Effect, Target, _Other)"
    assert turned in mutants_of("sees_source")


def test_no_mutant_asks_before_it_binds() -> None:
    """Dropping what binds a variable that is compared gives no clause."""
    assert "drops world_from(Thing, Since)" not in mutants_of("later_world")


@pytest.mark.parametrize(("since", "told"), [(1, True), (2, False)])
def test_a_table_tells_a_mutant_from_the_book_or_does_not(since: int, told: bool) -> None:
    book = load_book()
    ties: list[Fault] = [mutants_of("later_world")["(Later > Since) for (Later >= Since)"]]
    data = {
        "seats": ["Ann", "Ben"],
        "objects": {
            "Old": {"controller": "Ann", "world_since": 1},
            "New": {"controller": "Ben", "world_since": since},
        },
    }
    ask = "later_world(Thing, Since)"
    scenario = Scenario("worlds", "worlds.toml", None, data, (), ask, [], ())
    assert bool(Court(book, ties).judge(scenario).kills) is told


def test_the_smallest_game_kills_a_mutant_or_there_is_proved_to_be_none() -> None:
    """By the solver that answers people, and as a scenario that kills it."""
    book = load_book()
    witnesses = Witnesses(book, {"Player": 2, "Thing": 1})
    try:
        mutual = mutants_of("opponent")["~teammate(Other, Player) for ~teammate(Player, Other)"]
        assert witnesses.of(mutual) is None
        turned = next(m for m in mutants_of("opponent").values() if m.kind == "negation")
        game = witnesses.of(turned)
        assert game is not None and game.confirmed
        text = "\n".join(witnesses.scenario(turned, game))
        scenario = scenarios_in(text, Path("found.toml"))[0]
        assert run(scenario, lambda _: book).passed
        assert Court(book, [turned]).judge(scenario).kills
    finally:
        witnesses.close()

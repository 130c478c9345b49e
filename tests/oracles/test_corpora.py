"""Rich games: every predicate comes about in them, and every engine says the same of each.

A game is one bit in each column of a corpus. The circuit answers all games at once, and so do the
solvers, by a book in which every predicate has one more term, the game: what holds, and for all
that rests on something open what holds for certain and what may hold. Sessions have what is open
game by game, of some. ``make soak`` asks 100,000 games of each book; pyDatalog, at ten times the
price of the others, is asked of a tenth.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bulk import EVERY
from many_games import (
    MAY,
    SURE,
    columns_of,
    doubly,
    in_one,
    resting_on_doubts,
    stated_in_one,
)
from seatlog.book import Book, Clauses
from seatlog.cases import BULK
from seatlog.editions import editions, load_book
from seatlog.errors import SeatlogError
from seatlog.game import Session
from seatlog.model import Row
from seatlog.solvers import PLAIN, SOLVERS, open_solver
from seatlog.solvers.clingo import Clingo
from seatlog.table import table
from seatlog.worlds import (
    Corpus,
    Games,
    Rich,
    Share,
    Slots,
    Worlds,
    fits,
    game_data,
    read_bound,
)

GAMES = int(os.environ.get("SEATLOG_RICH", "1500"))
ASKED = int(os.environ.get("SEATLOG_RICH_ASKED", "500"))
OPEN = int(os.environ.get("SEATLOG_RICH_OPEN", "50"))
SLOW = 4
"""So many of these games' sessions have pyDatalog answer."""
BOUND = os.environ.get("SEATLOG_RICH_BOUND", "players=3,things=2")
SEED = 12
PART = 512
"""So many games are one table."""
OWN = {"cr2021": "cr"}
"""Books that are asked of the games of another."""
LISTED = tomllib.loads((Path(__file__).parent / "rare.toml").read_text(encoding="utf-8"))


@cache
def worlds() -> Worlds:
    """One universe and one circuit for all shipped books."""
    books = [load_book(edition) for edition in editions()]
    vocabulary = books[0].vocabulary
    every = [clause for book in books for clause in book.clauses]
    return Worlds(Slots(vocabulary, read_bound(BOUND, vocabulary), every))


@cache
def rich(edition: str) -> tuple[Rich, Corpus]:
    book = load_book(edition)
    made = Rich(worlds().judged(book, book.predicates), SEED)
    return made, made.games(GAMES)


def corpus_of(edition: str) -> Corpus:
    return rich(OWN.get(edition, edition))[1]


def listed(edition: str) -> dict[str, str]:
    """The predicates that may be rare or common, each with the reason."""
    groups: list[dict[str, Any]] = LISTED[edition]
    return {name: group["reason"] for group in groups for name in group["predicates"].split()}


def told(share: Share) -> str:
    return f"{share.predicate:28} {share.can:7.1%} {share.some:7.1%} {share.every:7.1%}"


@pytest.mark.parametrize("edition", [e for e in editions() if e not in OWN])
def test_every_predicate_comes_about(edition: str) -> None:
    made, corpus = rich(edition)
    assert corpus.games == GAMES
    fits(corpus, worlds().universe)
    shares = made.shares.of(corpus)
    print(f"{edition}: predicate, games it can hold in, of these: of something, of everything")
    print("\n".join(map(told, shares)))
    may = listed(edition)
    assert not set(may) - set(load_book(edition).predicates), "listed, but not in the book"
    wrong = [s for s in shares if s.fault in ("rare", "common") and s.predicate not in may]
    assert not wrong, "\n".join(map(told, wrong))
    never = [s.predicate for s in shares if s.fault == "never" and s.predicate not in may]
    circuit = worlds().circuit
    with Games(worlds(), [made.judged.refused]) as games:
        missed = [n for n in never if games.any(circuit.any_of(made.judged.taken[n].values()))]
    assert not missed, f"some game has them, but none was drawn: {missed}"


Columns = dict[str, dict[Row, int]]
"""For each predicate its rows, with a bit for each game in which they hold."""


@cache
def everything(edition: str) -> dict[str, dict[Row, int]]:
    """The nodes of each predicate's rows, and of what is certain and what may be."""
    judged = worlds().judged(load_book(edition), load_book(edition).predicates)
    nodes = {name: judged.taken.get(name, {}) for name in judged.book.predicates}
    for name in resting_on_doubts(judged.book):
        settled = judged.settled.get(name)
        nodes[SURE + name] = settled.certain if settled else nodes[name]
        nodes[MAY + name] = settled.possible if settled else nodes[name]
    return nodes


def answers(edition: str, corpus: Corpus) -> Columns:
    """What the circuit has in the games of a corpus."""
    nodes, given = everything(edition), corpus.columns
    labels = [(name, row) for name, rows in nodes.items() for row in rows]
    said = {fact: given.column(at) for at, fact in enumerate(given.facts)}
    roots = [nodes[name][row] for name, row in labels]
    found: Columns = {name: {} for name in nodes}
    for (name, row), column in zip(
        labels, worlds().circuit.bits(roots, said, corpus.games), strict=True
    ):
        if column:
            found[name][row] = column
    return found


def parts(corpus: Corpus, games: int) -> Iterator[tuple[int, Corpus]]:
    """The first games of a corpus, some at a time, and the number of the first of them."""
    for start in range(0, min(games, corpus.games), PART):
        columns = corpus.columns.part(start, min(PART, games - start))
        yield start, corpus._replace(columns=columns)


def differences(book: Book, edition: str, name: str, games: int) -> Iterator[str]:
    """Where a solver has something else of the first games of an edition than the circuit.

    The book is one ``in_one``.
    """
    for start, part in parts(corpus_of(edition), games):
        wanted = answers(edition, part)
        facts = list(stated_in_one(part.facts(game) for game in range(part.games)))
        solver = open_solver(book, facts, name)
        if isinstance(solver, Clingo):
            solver.ground(wanted)
        for predicate, own in wanted.items():
            found = columns_of(solver, book, predicate, part.games)
            for row in {*found, *own} if found != own else ():
                odd = found.get(row, 0) ^ own.get(row, 0)
                if odd:
                    game = (odd & -odd).bit_length() - 1
                    only = name if found.get(row, 0) >> game & 1 else "the circuit"
                    yield f"{start + game}: only {only} has {predicate}{row}\n{part.facts(game)}"


def asked_of(name: str) -> int:
    """How many games of each book a solver is asked of."""
    return -(-ASKED // EVERY) if name == PLAIN else ASKED


@pytest.mark.parametrize("edition", editions())
@pytest.mark.parametrize("name", SOLVERS)
def test_every_engine_says_the_same(name: str, edition: str) -> None:
    """Of every predicate, and of everything that may be open."""
    book = in_one(doubly(load_book(edition)))
    found = next(differences(book, edition, name, asked_of(name)), None)
    assert found is None, found


@pytest.mark.parametrize(
    ("name", "head"),
    [(PLAIN, "fits"), ("clingo", "fits"), (BULK, f"{SURE}put_in"), (BULK, f"{MAY}reaches")],
)
def test_an_engine_that_misses_something_is_found(name: str, head: str) -> None:
    """Here for want of a clause."""
    book = in_one(doubly(load_book("cr")))
    first, *others = book.clauses_of(head)
    assert others
    less = book._replace(clauses=Clauses(c for c in book.clauses if c is not first), key="")
    assert any(f"has {head}(" in each for each in differences(less, "cr", name, 40))


@pytest.mark.parametrize("edition", editions())
def test_what_is_open_is_open_everywhere(edition: str) -> None:
    """The rows that the rules leave open, as the session has them; and every game is taken."""
    book, corpus = load_book(edition), corpus_of(edition)
    doubtful = sorted(resting_on_doubts(book))
    open_rows = 0
    for start, part in parts(corpus, OPEN):
        found = answers(edition, part)
        for game in range(part.games):
            state = table(game_data(part, game, book.vocabulary), book.vocabulary)
            name = PLAIN if start + game < SLOW else BULK
            solver = open_solver(book, state.facts, name)
            try:
                session = Session(book, state, solver=solver)
            except SeatlogError:
                assert edition in OWN, "the book refuses a game of its own"
                continue
            for predicate in doubtful:
                doubts = session.doubts_of(predicate, *[None] * book.predicates[predicate].arity)
                may, sure = found[MAY + predicate], found[SURE + predicate]
                own = {r for r, column in may.items() if (column & ~sure.get(r, 0)) >> game & 1}
                open_rows += len(own)
                assert set(doubts) == own, (start + game, predicate, part.facts(game))
    assert open_rows > OPEN / 4

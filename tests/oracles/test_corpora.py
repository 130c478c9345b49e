"""Rich games: every predicate comes about in them, and every engine says the same of each.

A game is one bit in each column of a corpus; the circuit answers all games at once, and the solvers
are asked game by game: the compiled one of many, pyDatalog and clingo of some.
"""

from __future__ import annotations

import os
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from seatlog.book import Book
from seatlog.editions import editions, load_book
from seatlog.errors import SeatlogError
from seatlog.game import Session
from seatlog.model import Literal, Row, Var
from seatlog.solvers import SOLVERS, open_solver
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
    planned,
    read_bound,
    solve,
)

GAMES = int(os.environ.get("SEATLOG_RICH", "1500"))
COMPILED = int(os.environ.get("SEATLOG_RICH_COMPILED", "45"))
SLOW = int(os.environ.get("SEATLOG_RICH_SLOW", "4"))
OPEN = int(os.environ.get("SEATLOG_RICH_OPEN", "15"))
BOUND = os.environ.get("SEATLOG_RICH_BOUND", "players=3,things=2")
SEED = 10
PART = 4096
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


def answers(
    book: Book, corpus: Corpus, nodes: dict[str, dict[Row, int]]
) -> dict[str, list[tuple[Row, int]]]:
    """The games of a corpus for each row of each predicate."""
    labels = [(name, row) for name, rows in nodes.items() for row in rows]
    plan = planned(worlds().circuit, [nodes[name][row] for name, row in labels])
    found: dict[str, list[tuple[Row, int]]] = {name: [] for name in book.predicates}
    for (name, row), column in zip(labels, solve(plan, corpus.columns), strict=True):
        if column:
            found[name].append((row, column))
    return found


def rows_in(found: dict[str, list[tuple[Row, int]]], name: str, game: int) -> set[Row]:
    return {row for row, column in found[name] if column >> game & 1}


@pytest.mark.parametrize("edition", editions())
def test_every_engine_says_the_same(edition: str) -> None:
    book, corpus = load_book(edition), corpus_of(edition)
    judged = worlds().judged(book, book.predicates)
    nodes = {name: judged.taken[name] for name in book.predicates if name in judged.taken}
    every = [
        Literal(name, tuple(Var(f"V{i}") for i in range(book.predicates[name].arity)))
        for name in sorted(nodes)
    ]
    for start in range(0, min(COMPILED, GAMES), PART):
        part = corpus._replace(columns=corpus.columns.part(start, PART))
        found = answers(book, part, nodes)
        for game in range(min(part.games, COMPILED - start)):
            facts = part.facts(game)
            names = SOLVERS if start + game < SLOW else ("compiled",)
            for name in names:
                solver = open_solver(book, facts, name)
                for literal in every:
                    rows = set(solver.rows(literal))
                    only = rows ^ rows_in(found, literal.name, game)
                    if only:
                        pytest.fail(f"{start + game} {literal} by {name}: {only}\n{facts}")


@pytest.mark.parametrize("edition", editions())
def test_what_is_open_is_open_everywhere(edition: str) -> None:
    """The rows that the rules leave open, as the session has them; and every game is taken."""
    book, corpus = load_book(edition), corpus_of(edition)
    judged = worlds().judged(book, book.predicates)
    nodes = {
        name: {row: verdict.open for row, verdict in judged.verdicts(name).items()}
        for name in book.predicates
        if name in judged.settled
    }
    open_rows = 0
    for start in range(0, min(OPEN, GAMES), PART):
        part = corpus._replace(columns=corpus.columns.part(start, PART))
        found = answers(book, part, nodes)
        for game in range(min(part.games, OPEN - start)):
            state = table(game_data(part, game, book.vocabulary), book.vocabulary)
            name = "pydatalog" if start + game < SLOW else "compiled"
            solver = open_solver(book, state.facts, name)
            try:
                session = Session(book, state, solver=solver)
            except SeatlogError:
                assert edition in OWN, "the book refuses a game of its own"
                continue
            for predicate in nodes:
                doubts = session.doubts_of(predicate, *[None] * book.predicates[predicate].arity)
                own = rows_in(found, predicate, game)
                open_rows += len(own)
                assert set(doubts) == own, (start + game, predicate, part.facts(game))
    assert open_rows > OPEN / 4 or OPEN < 20

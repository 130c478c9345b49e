"""Rich games of a book that isn't shipped: reproducible, taken by the book, and full of life."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

import pytest

from places import ROOT
from seatlog.book import Book, Names
from seatlog.editions import fingerprint, load_book
from seatlog.errors import SeatlogError
from seatlog.game import Session
from seatlog.table import table
from seatlog.worlds import Rich, Slots, Worlds, game_data, rich

OTHER = ROOT / "tests/other_book"
SEED, GAMES = 4, 70


@cache
def garden() -> Book:
    return load_book(str(OTHER / "rules/row"), OTHER / "facts")


def made(seed: int) -> Rich:
    book = garden()
    bound = {name: 3 for name, sort in book.vocabulary.sorts.items() if isinstance(sort, Names)}
    worlds = Worlds(Slots(book.vocabulary, bound, book.clauses))
    return Rich(worlds.judged(book, book.predicates), seed)


def mark(seed: int) -> str:
    """What tells the games of a seed apart."""
    columns = made(seed).games(GAMES).columns
    return fingerprint(repr(columns.facts).encode() + bytes(columns.data))


def test_every_game_is_one_that_the_book_takes() -> None:
    book, drawn = garden(), made(SEED)
    told: list[int] = []
    corpus = drawn.games(GAMES, told.append)
    assert corpus.games == told[-1] == GAMES
    data = [game_data(corpus, game, book.vocabulary) for game in range(GAMES)]
    assert len({str(each) for each in data}) > GAMES * 0.9
    for each in data:
        Session(book, table(each, book.vocabulary))


def test_what_can_come_about_does() -> None:
    drawn = made(SEED)
    shares = {share.predicate: share for share in drawn.shares.of(drawn.games(400))}
    assert set(shares) <= set(garden().predicates)
    faults = [share for share in shares.values() if share.fault]
    assert len(faults) < len(shares) / 4, faults


def test_a_seed_draws_the_same_games_everywhere() -> None:
    code = f"import test_rich; print(test_rich.mark({SEED}))"
    paths = [str(ROOT / "tests/worlds"), str(ROOT / "tests/support")]
    found = {mark(SEED)}
    for seed in ("1", "2"):
        environment = {"PYTHONPATH": ":".join(paths), "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=environment
        )
        assert not done.returncode, done.stderr
        found.add(done.stdout.strip())
    assert len(found) == 1
    assert mark(SEED + 1) not in found


def test_a_share_is_found_fault_with() -> None:
    shares = [(0.0, 0.0, 0.0), (1, 0.0, 0.0), (1, 0.04, 0.0), (1, 0.5, 0.96), (1, 1.0, 0.5)]
    assert [rich.Share("p", *each).fault for each in shares] == ["", "never", "rare", "common", ""]


def test_where_the_book_takes_no_game_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = made(SEED)
    drawn.seeds = []
    with pytest.raises(SeatlogError, match="no game was found"):
        drawn.games(3)

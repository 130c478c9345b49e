"""Corpora: saved, loaded, refused, made of tables, and taken apart again."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import seatlog
from seatlog.editions import load_book
from seatlog.errors import SeatlogError
from seatlog.table import Table, table
from seatlog.worlds import (
    Corpus,
    Slots,
    Worlds,
    fits,
    game_data,
    load_corpus,
    of_tables,
    planned,
    read_bound,
    save_corpus,
    solve,
)

BOOK = load_book("cr")
VOCABULARY = BOOK.vocabulary
TABLES: dict[str, dict[str, Any]] = {
    "ring": {"seats": ["Ann", "Bob", "Cy"], "range": 1, "turn": 2, "left": {"Bob": 1}},
    "bear": {
        "seats": ["Zed", "Ann"],
        "objects": {"Bear": {"controller": "Ann", "types": ["creature"], "subtypes": ["Ox"]}},
        "range": 0,
    },
    "plain": {"seats": ["Ann"]},
    "far": {"seats": ["Ann"], "range": 40},
    "crowd": {"seats": [f"P{i}" for i in range(9)]},
    "texts": {
        "seats": ["Ann"],
        "owns": {"Ann": ["Bear"]},
        "subtypes": {"Bear": [f"T{i}" for i in range(9)]},
    },
}


def within(bound: str) -> Slots:
    return Slots(VOCABULARY, read_bound(bound, VOCABULARY), BOOK.clauses)


UNIVERSE = within("players=3,things=2")


def tables() -> list[Table]:
    return [table(data, VOCABULARY, title=name) for name, data in TABLES.items()]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return of_tables(UNIVERSE, tables())[0]


def test_tables_go_into_slots(corpus: Corpus) -> None:
    assert corpus.titles == ("ring", "bear", "plain")
    assert [str(f) for f in corpus.facts(1)] == [
        "controls('Player2', 'Thing1')",
        "is_a('Thing1', 'creature')",
        "object('Thing1')",
        "range_for_all(0)",
        "seat('Player1', 1)",
        "seat('Player2', 2)",
        "subtype('Thing1', 'Subtype1')",
        "turn(1)",
    ]


def test_what_fits_in_no_slot_is_told() -> None:
    left = {each.title: each.why for each in of_tables(UNIVERSE, tables())[1]}
    assert left == {
        "far": "range_for_all(40) is beyond players=3,things=2",
        "crowd": "seat('P3', 4) is beyond players=3,things=2",
        "texts": 'it says more than 1 text of "Subtype"',
    }


def test_a_game_is_a_table_again(corpus: Corpus) -> None:
    game = seatlog.open(game_data(corpus, 0, VOCABULARY))
    assert game.data() == {
        "seats": ["Player1", "Player2", "Player3"],
        "range": 1,
        "turn": 2,
        "left": {"Player2": 1},
    }
    assert game_data(corpus, 2, VOCABULARY, "cr") == {"edition": "cr", "seats": ["Player1"]}
    with pytest.raises(IndexError):
        corpus.facts(3)


def test_a_packed_game_is_answered_as_its_table(corpus: Corpus) -> None:
    worlds = Worlds(UNIVERSE)
    nodes = worlds.judged(BOOK, ["can_attack", "reaches"]).taken
    labels = [(name, row) for name in ("can_attack", "reaches") for row in nodes[name]]
    plan = planned(worlds.circuit, [nodes[name][row] for name, row in labels])
    found = solve(plan, corpus.columns)
    names = {"Player1": "Zed", "Player2": "Ann", "Thing1": "Bear"}
    game = seatlog.open(TABLES["bear"])
    for name in ("can_attack", "reaches"):
        rows = {
            tuple(names[str(v)] for v in row)
            for (own, row), column in zip(labels, found, strict=True)
            if own == name and column >> 1 & 1
        }
        assert rows == set(game.rows(name, *[None] * 2))


def test_a_corpus_is_saved_and_loaded(corpus: Corpus, tmp_path: Path) -> None:
    file = tmp_path / "games"
    save_corpus(corpus, file)
    again = load_corpus(file)
    assert (again.titles, again.bound, again.games) == (corpus.titles, corpus.bound, 3)
    assert [again.facts(k) for k in range(3)] == [corpus.facts(k) for k in range(3)]
    fits(again, UNIVERSE)
    save_corpus(again._replace(titles=()), file)
    assert load_corpus(file).titles == ()


def test_games_of_another_universe_are_refused(corpus: Corpus) -> None:
    with pytest.raises(SeatlogError, match="within players=3,things=2, not players=2,things=2"):
        fits(corpus, within("players=2,things=2"))
    with pytest.raises(SeatlogError, match="another vocabulary"):
        fits(corpus._replace(vocabulary="0" * 64), UNIVERSE)
    beyond = corpus.columns._replace(
        facts=tuple(
            (n, ("Player9", *r[1:])) if n == "seat" else (n, r) for n, r in corpus.columns.facts
        )
    )
    with pytest.raises(SeatlogError, match=r"'Player9', 1.*beyond"):
        fits(corpus._replace(columns=beyond), UNIVERSE)


def head_and_data(file: Path) -> tuple[bytes, dict[str, Any], bytes]:
    magic, head, data = file.read_bytes().split(b"\n", 2)
    return magic, json.loads(head), data


CHANGES: dict[str, dict[str, Any]] = {
    "huge": {"games": 10**15},
    "many": {"games": 49_000_000},
    "below nothing": {"games": -1},
    "text": {"games": "3"},
    "true": {"games": True},
    "facts": {"facts": {"a": 1}},
    "no fact": {"facts": [[]]},
    "digest": {"digest": "0" * 64},
    "bound": {"bound": [1]},
    "bound of texts": {"bound": {"Player": "many"}},
    "titles": {"titles": ["one"]},
    "titles of numbers": {"titles": [1, 2, 3]},
    "layout": {"layout": 99},
    "vocabulary": {"vocabulary": None},
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_strangers_head_is_refused(corpus: Corpus, tmp_path: Path, name: str) -> None:
    file = tmp_path / "games"
    save_corpus(corpus, file)
    magic, head, data = head_and_data(file)
    file.write_bytes(b"\n".join([magic, json.dumps({**head, **CHANGES[name]}).encode(), data]))
    tracemalloc.start()
    with pytest.raises(SeatlogError, match=r"damaged|another version"):
        load_corpus(file)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 5_000_000


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "no file of packed games"),
        (b"\x80\x04K\x01.", "no file of packed games"),
        (b"seatlog games\n", "head"),
        (b"seatlog games\n" + b"[" * 100_000 + b"\n", "head"),
        (b"seatlog games\n{}\n", "another version"),
        (b'seatlog games\n{"layout":1}\n', "damaged"),
    ],
)
def test_what_is_no_corpus_is_refused(data: bytes, what: str, tmp_path: Path) -> None:
    file = tmp_path / "games"
    file.write_bytes(data)
    with pytest.raises(SeatlogError, match=what):
        load_corpus(file)


def test_half_a_corpus_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    file = tmp_path / "games"
    save_corpus(corpus, file)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(SeatlogError, match="damaged"):
        load_corpus(file)


def test_what_isnt_there_or_no_file_is_told(tmp_path: Path) -> None:
    for file in (tmp_path / "none", tmp_path):
        with pytest.raises(SeatlogError, match="can't be read"):
            load_corpus(file)

"""Where a number has to stand a number is meant, whoever is called so; elsewhere the name."""

from __future__ import annotations

from pathlib import Path

import pytest

import seatlog
from seatlog import QuestionError, Session
from seatlog.book import numeric
from seatlog.editions import load_book
from seatlog.repl.core import Repl
from seatlog.repl.state import opened

TABLE = """
edition = "EDITION"
seats = ["1", "2", "3", "4"]
range = 1
turn = 2
[objects]
5 = { controller = "2", types = ["creature"], subtypes = ["7"] }
7 = { controller = "3", types = ["creature"] }
"1 Up" = { controller = "1", types = ["creature"] }
"""


@pytest.fixture(params=["cr", "draft2004"])
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Session:
    path = tmp_path_factory.mktemp("numbers") / "table.toml"
    path.write_text(TABLE.replace("EDITION", request.param), encoding="utf-8")
    return seatlog.open(path)


QUESTIONS = [
    ("seat(X, 1)", ["1"], False),
    ("seat(1, X)", [1], False),
    ("seat(2, 2)", True, False),
    ("turn(2)", True, False),
    ("turn(1)", False, False),
    ("range_for_all(1)", True, False),
    ("left_gap(1, X, 1)", ["2"], False),
    ("left_gap(1, 4, X)", [3], False),
    ("controller(2, 5)", True, False),
    ("controller(X, 1 up)", ["1"], False),
    ("seat(X, N) & (N == 2)", [("2", 2)], False),
    ("seat(X, N) & (X == 2)", [("2", 2)], False),
    ("seat(X, N) & (N < 2)", [("1", 1)], False),
    ("seat(X, N) & (M == N + 1) & (M == 3)", [("2", 2, 3)], False),
    ("(N == count(X, reaches(1, X))) & (N == 3)", [3], False),
    ("(N == count(X, seat(X, 1)))", [1], False),
    ("subtype(X, 7)", ["5"], True),
    ("(X == 1)", [1], True),
]


@pytest.mark.parametrize(("question", "found", "noted"), QUESTIONS)
def test_a_question_in_clause_syntax(
    game: Session, question: str, found: object, noted: bool
) -> None:
    answer = game.ask(question)
    assert (answer.verdict if isinstance(found, bool) else list(answer)) == found
    assert bool(game.notes) is noted


def test_rows_of_a_predicate(game: Session) -> None:
    assert game.rows("seat", None, 1) == game.rows("seat", "1", None) == [("1", 1)]
    assert game.rows("seat", None, "1") == [("1", 1)]
    assert game.rows("left_gap", "1", None, "1") == [("1", "2", 1)]
    assert game.holds("turn", 2) and game.holds("turn", "2") and not game.holds("turn", 1)


def test_players_words(game: Session) -> None:
    assert game.can("1", "target", "5").verdict
    assert game.answer("1 target 5").verdict
    assert not game.answer("1 reach 3").verdict
    life = seatlog.open(edition="draft2004", seats=["20", "3"], life={"20": 20, "3": 5})
    assert life.answer("20 have 20").verdict and not life.answer("3 have 20").verdict


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ('seat(X, "1")', '"1" is no number'),
        ("seat(9, X)", "9 is a number"),
        ('turn("2")', '"2" is no number'),
        ('left_gap(1, X, "one")', '"one" is no number'),
        ("controller(9, 5)", "9 is a number"),
    ],
)
def test_what_can_only_be_the_other_is_refused(game: Session, question: str, word: str) -> None:
    with pytest.raises(QuestionError) as caught:
        game.ask(question)
    assert word in str(caught.value) and caught.value.hint


def test_a_term_that_is_no_number_is_refused(game: Session) -> None:
    with pytest.raises(QuestionError, match="Gap has to be one"):
        game.rows("left_gap", "1", None, "next")
    with pytest.raises(QuestionError):
        game.rows("seat", 9, None)


def test_the_session_reads_facts_so_too(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(TABLE.replace("EDITION", "cr"), encoding="utf-8")
    found = Repl(opened(str(path), None, {}))
    for line in ("+ left_in(3, 2)", ":turn 3", ":range 1 2"):
        assert not found.execute(line).error
    assert {("left_in", "3", 2), ("turn", 3), ("range_of", "1", 2)} <= {
        (f.name, *f.row) for f in found.state.said
    }


@pytest.mark.parametrize("edition", ["cr", "cr2021", "draft2004"])
def test_numbers_and_names_never_meet(edition: str) -> None:
    """What is found to be a number holds no name, and whatever a table gives a number is found."""
    book = load_book(edition)
    found = numeric(book.clauses, book.vocabulary)
    for name, spots in found.items():
        assert all(book.arg_sorts[name][spot] is None for spot in spots), name
    assert found["seat"] == {1} and found["left_gap"] == {2} and "controller" not in found

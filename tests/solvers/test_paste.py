"""The pasted script, run by pyDatalog alone in a fresh Python, answers as a session does."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import seatlog
from random_tables import random_table
from seatlog.book import Book
from seatlog.errors import QuestionError
from seatlog.game import Session
from seatlog.model import Statement, show_value
from seatlog.views import Writer, script

ODD = ["O'Neill", '"', "a \"b\" 'c'", "\\", "\\n", "\\'", '"""', "'''", "%s {0}", "太郎", "José"]
ASK = """
import json, sys
def plain(answer):
    return [] if answer is None else sorted(map(list, answer.answers))
print(json.dumps([plain(pyDatalog.ask(q)) for q in json.load(sys.stdin)]))
"""


def pasted(game: Session, questions: list[str], more: tuple[Statement, ...] = ()) -> list[Any]:
    """The answers of a fresh Python that is given the script."""
    writer = Writer(game.book, [*game.table.facts, *more])
    asked = [writer.question(q) for q in questions]
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", writer.script() + ASK],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert not done.returncode, done.stderr
    answers: list[Any] = json.loads(done.stdout)
    return answers


def told(game: Session, questions: list[str]) -> list[Any]:
    """The session's answers in the same form."""
    return [sorted(map(list, game.ask(q).rows)) for q in questions]


def verdicts(book: Book) -> list[str]:
    """The two-place predicates that people ask for."""
    found = dict.fromkeys(v.predicate for v in book.verbs if v.what is not None)
    assert {"can_target", "can_attack", "in_range", "legal_target"} <= set(found)
    return [name for name in found if book.predicates[name].arity == 2]


@pytest.mark.parametrize("seed", range(int(os.environ.get("SEATLOG_PASTED", "12"))))
def test_random_tables_are_answered_alike(seed: int) -> None:
    rng = random.Random(seed)
    game = seatlog.open(random_table(rng))
    names = [show_value(n) for n in game.table.names]
    questions = []
    for name in verdicts(game.book):
        first, second = (names if sorts else ["1"] for sorts in game.book.arg_sorts[name])
        questions += [f"{name}(X, Y)", f"{name}(X, X)"]
        questions += [f"{name}({rng.choice(first)}, Y)", f"{name}(X, {rng.choice(second)})"]
        questions += [f"{name}({rng.choice(first)}, {rng.choice(second)})" for _ in range(4)]
    told_answers = told(game, questions)
    assert pasted(game, questions) == told_answers
    assert any(told_answers)


def test_distances_are_counted_alike() -> None:
    left: Mapping[str, int] = {"Rob": 1, "Dana": 2}
    game = seatlog.open(
        seats=["Alex", "Rob", "Carissa", "Dana", "Emil"], range=1, turn=2, left=left
    )
    questions = ["apart(X, Y, Seats, Reach)", "left_gap(X, Y, 0)", "left_gap('Alex', Y, Gap)"]
    answers = pasted(game, questions)
    assert answers == told(game, questions)
    assert ["Alex", "Carissa", 1, 1] in answers[0]


def test_odd_names_survive() -> None:
    seats = ODD[:6]
    things = {name: {"controller": seats[i % 6]} for i, name in enumerate(ODD[6:])}
    game = seatlog.open(seats=seats, range=1, objects=things)
    questions = [f"can_target({show_value(n)}, Y)" for n in seats] + ["can_target(X, Y)"]
    questions += [f"can_target(X, {show_value(n)})" for n in ODD]
    answers = pasted(game, questions)
    assert answers == told(game, questions)
    assert set(ODD) == {row[1] for row in answers[len(seats)]}


def test_conjunctions_and_comparisons_in_a_question() -> None:
    game = seatlog.open("four_in_a_ring")
    questions = [
        "can_target('Alex', Y) & ~is_a(Y, 'creature') & (Y != 'Alex')",
        "(0 < Seat) & seat(Exception, Seat) & (Seat + 1 < 4) & (2 == Seat + 0)",
        "(Next - 1 - 0 == Seat) & seat(X, Seat) & seat(Y, Next)",
        "(1 < 2)",
        "(2 == 1 + 0) & seat(X, 1)",
    ]
    answers = pasted(game, questions)
    assert answers == told(game, questions)
    assert answers[0] == [["Dana"], ["Rob"]]


def test_counts_in_a_question() -> None:
    game = seatlog.open("four_in_a_ring")
    questions = [
        "seat('Alex', Seat) & (N == count(Y, can_target('Alex', Y)))",
        "seat(X, 3) & (N == count(Y, targets(X, Y)))",
        "(N == count(Y, seat(Y, 2)))",
        "(N == count(Y, tapped(Y)))",
    ]
    assert pasted(game, questions) == [[[1, 4]], [["Carissa", 0]], [[1]], [[0]]]


def test_the_script_asks_and_prints() -> None:
    game = seatlog.open("four_in_a_ring")
    for question, shown in (
        ("can_target('Alex', 'Rob')", "{()}"),
        ("can_target('Alex', 'Carissa')", "None"),
        ("tapped(X)", "None"),
        ("~tapped('Runeclaw Bear')", "{()}"),
    ):
        text = script(game.book, game.table.facts, question)
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
        assert (done.stdout.strip(), done.stderr) == (shown, "")
        assert text.count("pyDatalog.load") == text.count("pyDatalog.ask") == 1


def test_words_that_pydatalog_keeps_are_renamed(tmp_path: Path) -> None:
    (tmp_path / "edition.toml").write_text('title = "Words"\n', encoding="utf-8")
    (tmp_path / "1_words.dl").write_text(
        "## 1  Words\n"
        "range(X) <= (seat(X, _N))\n"
        "sum(X) <= (range(X))\n"
        "sum_(X) <= (seat(X, 1))\n"
        "tapped_len(X) <= (sum(X) & ~sum_(X))\n",
        encoding="utf-8",
    )
    game = seatlog.open({"seats": ["A", "B"]}, edition=str(tmp_path))
    questions = ["range(Object)", "sum(Type)", "sum_(V_X)", "tapped_len(_Y)", "tapped_len('B')"]
    answers = pasted(game, questions)
    assert answers == told(game, questions)
    assert answers == [[["A"], ["B"]], [["A"], ["B"]], [["A"]], [["B"]], [[]]]


@pytest.mark.parametrize("name", ["True", "False", "??"])
def test_a_name_that_pydatalog_would_change_is_refused(name: str) -> None:
    game = seatlog.open(seats=["Alex", name])
    with pytest.raises(QuestionError, match="can't be told"):
        script(game.book, game.table.facts)


@pytest.mark.parametrize("question", ["nobody(X)", "seat(X)", "~seat(X, Y)", "(X < 2)"])
def test_a_question_that_makes_no_sense_is_refused(question: str) -> None:
    game = seatlog.open("four_in_a_ring")
    with pytest.raises(QuestionError):
        script(game.book, game.table.facts, question)

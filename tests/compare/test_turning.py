"""The smallest set of facts that turns an answer: together they do, and none of them may go."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

import processes
import seatlog
from seatlog.compare import smallest_turn, turning
from seatlog.compare.turning import Turn
from seatlog.game import Session
from seatlog.model import Statement

GAME = "four_in_a_ring"
HALL = {"seats": ["Ann", "Ben", "Cy", "Di", "Ed"], "range": 1, "left": {"Cy": 1}, "turn": 2}


def with_facts(game: Session, drop: Any, add: Any) -> Session:
    """The same game with some facts less and some more."""
    facts = [f for f in game.table.facts if f not in drop]
    return Session(game.book, game.table._replace(facts=(*facts, *add), data=None))


def changes(game: Session, turn: Turn) -> list[tuple[list[Statement], list[Statement]]]:
    """A turn's changes one by one: what goes, and what comes in its place."""
    facts = game.book.vocabulary.facts
    left = list(turn.drop)
    out = []
    for new in turn.add:
        marks = facts[new.name].marks(new.row)
        old = [f for f in left if f.name == new.name and facts[f.name].marks(f.row) == marks]
        left = [f for f in left if f not in old]
        out.append((old, [new]))
    return out + [([old], []) for old in left]


@pytest.mark.parametrize(
    ("table", "words", "number"),
    [
        (GAME, ("Alex", "attack", "Runeclaw Bear"), 2),
        (GAME, ("Alex", "win"), 3),
        (GAME, ("Alex", "reach", "Carissa"), 1),
        (GAME, ("Alex", "reach", "Alex"), 1),
        (HALL, ("Ann", "win"), 3),
        (HALL, ("Ann", "target", "Di"), 1),
    ],
)
def test_all_of_them_turn_it_and_no_fewer(table: Any, words: tuple[str, ...], number: int) -> None:
    game = seatlog.open(table)
    answer = game.can(*words)
    turn = smallest_turn(game, answer)
    assert turn is not None
    single = changes(game, turn)
    assert len(single) == turn.number == number
    for size in range(number + 1):
        for some in combinations(single, size):
            drop = [f for old, _ in some for f in old]
            add = [f for _, new in some for f in new]
            verdict = with_facts(game, drop, add).can(*words).verdict
            assert (verdict != answer.verdict) is (size == number), turn.text
    assert turn.text in turn.said(True)


def test_where_one_fact_is_enough_there_are_never_more() -> None:
    game = seatlog.open(GAME)
    for verb in ("reach", "target", "attack"):
        for what in game.table.names:
            answer = game.can("Alex", verb, what)
            turn = smallest_turn(game, answer)
            if seatlog.change(game, "Alex", verb, what) is not None:
                assert turn is not None
                assert turn.number == 1


def test_nothing_is_told_that_isnt_so(monkeypatch: pytest.MonkeyPatch) -> None:
    game = seatlog.open(GAME)
    assert smallest_turn(game, game.can("Alex", "oppose", "Alex")) is None
    assert smallest_turn(game, game.can("Alex", "reach")) is None
    assert smallest_turn(game, game.ask("~reaches(Alex, Carissa)")) is None
    monkeypatch.setattr(turning, "installed", lambda: False)
    assert smallest_turn(game, game.can("Alex", "win")) is None


def test_the_command_line_tells_it() -> None:
    done = processes.run("can", GAME, "Alex", "win", "--change")
    assert done.returncode == 1
    left = [f"{name} left the game in turn 1" for name in ("Carissa", "Dana", "Rob")]
    assert done.stdout.splitlines()[-1] == f"it would be yes if {' and '.join(left)}"
    done = processes.run("can", GAME, "Alex", "oppose", "Alex", "--change")
    assert "no facts would turn this no" in done.stderr

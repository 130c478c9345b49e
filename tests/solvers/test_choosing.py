"""Which solver answers: it is chosen by name, kept by all that is made of a session, and told."""

from __future__ import annotations

import pickle
from collections.abc import Iterable

import pytest

import processes
import seatlog
from places import TESTS
from seatlog.cases import read_scenarios as read
from seatlog.cases import run, scenario_files
from seatlog.errors import SeatlogError, SolverError
from seatlog.game import Session
from seatlog.model import Const, Literal, Row, Statement
from seatlog.solvers import Beside, Solver, open_solver

NAMES = ("pydatalog", "compiled", "clingo", "compiled+pydatalog")
ASKED = ("can", "four_in_a_ring", "Alex", "target", "Rob")
REACHES = Literal("reaches", (Const("Alex"), Const("Rob")))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_made_of_a_session_keeps_its_solver(name: str) -> None:
    game = seatlog.open("four_in_a_ring", solver=name)
    made = [
        game,
        game.but(range=2),
        game.but(edition="draft2004"),
        seatlog.turn(game, leaves=["Rob"]),
        pickle.loads(pickle.dumps(game)),  # noqa: S301
        seatlog.turn(game.but(turn=3)),
    ]
    assert [each.solver.name for each in made] == [name] * len(made)
    assert game.can("Alex", "target", "Runeclaw Bear").text() == str(
        seatlog.can("four_in_a_ring", "Alex", "target", "Runeclaw Bear")
    )
    found = seatlog.change(game, "Alex", "target", "Runeclaw Bear")
    assert found and found.text == "Alex controls Runeclaw Bear"


@pytest.mark.parametrize("name", NAMES)
def test_commands_take_it(name: str) -> None:
    done = processes.run(*ASKED, "--solver", name)
    assert (done.returncode, done.stdout) == (0, processes.run(*ASKED).stdout)


@pytest.mark.parametrize(
    "command",
    [
        ASKED,
        ("ask", "four_in_a_ring", "reaches(X, Y)"),
        ("why", "four_in_a_ring", "Alex", "target", "Rob"),
        ("turn", "four_in_a_ring"),
        ("check", "four_in_a_ring"),
        ("draw", "four_in_a_ring"),
        ("test", str(next(iter(scenario_files(TESTS / "scenarios"))))),
        ("new", "free_for_all", "--players", "A,B"),
        ("repl", "four_in_a_ring"),
    ],
    ids=lambda command: command[0],
)
def test_a_misspelt_one_is_refused(command: tuple[str, ...]) -> None:
    done = processes.run(*command, "--solver", "compield")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[0] == "error: no solver is called 'compield'"
    assert 'did you mean "compiled"?' in done.stderr


def test_one_that_would_not_be_used_is_refused() -> None:
    done = processes.run("new", "--seats", "A,B", "--solver", "compiled")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--solver is for a format that is dealt" in done.stderr


@pytest.mark.parametrize("name", ["", "+", "compiled+", "no", 5, None, ["compiled"]])
def test_python_is_told_as_well(name: str) -> None:
    with pytest.raises(SeatlogError, match="no solver is called"):
        seatlog.open("four_in_a_ring", solver=name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "no solver is called ''"),
        ("compiled+compiled", "compiled+compiled names a solver twice"),
    ],
)
def test_one_that_says_nothing_is_refused(name: str, said: str) -> None:
    done = processes.run("can", "four_in_a_ring", "Alex", "target", "Rob", "--solver", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[0] == f"error: {said}"


class Wrong:
    """A solver that finds nothing."""

    name = "wrong"

    def rows(self, _literal: Literal) -> tuple[Row, ...]:
        return ()

    def but(self, _facts: Iterable[Statement]) -> Wrong:
        return self


def test_two_that_differ_are_told() -> None:
    game = seatlog.open("four_in_a_ring")
    right = open_solver(game.book, game.table.facts)
    wrong: Solver = Wrong()
    for solver in (Beside(right, wrong), Beside(wrong, right).but(game.table.facts)):
        with pytest.raises(SolverError) as caught:
            solver.rows(REACHES)
        assert "answer reaches('Alex', 'Rob') differently" in str(caught.value)
        assert "only one of them has ('Alex', 'Rob')" in str(caught.value)
    alike = Beside(right, open_solver(game.book, game.table.facts, "compiled"))
    assert alike.rows(REACHES) == (("Alex", "Rob"),)


def test_a_scenario_fails_where_two_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever answer is expected, a refusal too."""
    every = [s for f in scenario_files(TESTS / "scenarios" / "cr") for s in read(f)]
    some = [next(s for s in every if s.answer == answer) for answer in ("yes", "refused")]
    assert all(run(scenario).passed for scenario in some)
    plain = Session.__init__

    def differing(self: Session, book: seatlog.Book, state: object, *_more: object) -> None:
        facts = state.facts  # type: ignore[attr-defined]
        plain(self, book, state, None, Beside(open_solver(book, facts), Wrong()))  # type: ignore[arg-type]

    monkeypatch.setattr(Session, "__init__", differing)
    for scenario in some:
        outcome = run(scenario)
        assert not outcome.passed
        assert "differently" in outcome.trouble

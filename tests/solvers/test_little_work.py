"""A question does no more work than it needs: what grows with a table, and what doesn't.

Nothing is timed; what is counted is what would take time.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from pyDatalog.pyEngine import Clause  # type: ignore[import-untyped,unused-ignore]

import seatlog
from seatlog.book import Clauses, PerBook
from seatlog.editions import Unread, load_book, pack, unpack
from seatlog.errors import BookError
from seatlog.explain import prove
from seatlog.game import Session
from seatlog.model import Const, Literal, Value, Var
from seatlog.solvers import PerReduced, Reduced, match, open_solver
from seatlog.table import table

QUESTIONS = (
    ("can_target", "Ann", "Bear"),
    ("can_target", "Ann", "Wolf"),
    ("in_range", "Ann", "Bob"),
    ("can_attack", "Bear", "Bob"),
)


def crowd(players: int) -> dict[str, Any]:
    """A ring in which Ann and Bob are neighbours and two have left."""
    seats = [f"Player {number}" for number in range(1, players + 1)]
    seats[3:5] = ["Ann", "Bob"]
    creature = {"types": ["creature"]}
    return {
        "variant": "grand_melee",
        "seats": seats,
        "turn": 4,
        "left": {"Player 8": 2, "Player 10": 4},
        "objects": {
            "Bear": {"controller": "Ann", **creature},
            "Wolf": {"controller": "Player 6", **creature},
        },
    }


def ground(name: str, *values: Value) -> Literal:
    return Literal(name, tuple(Const(v) for v in values))


@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_a_verdict_takes_as_many_goals_at_300_players_as_at_12(question: Sequence[str]) -> None:
    work = []
    for players in (12, 300):
        game = seatlog.open(crowd(players))
        found = game.solver.rows(ground(*question))
        inside = vars(game.solver)
        work.append((found, len(inside["_tables"]), len(inside["_said"])))
    assert work[0] == work[1]


def test_a_reason_does_not_go_round_the_ring() -> None:
    refused = []
    for players in (12, 300):
        game = seatlog.open(crowd(players))
        assert "801.4" in game.can("Ann", "target", "Wolf").cites
        refused.append(len(vars(game.prover)["_refusals"]))
    assert refused[0] == refused[1]
    assert len(game.can("Ann", "target", "Wolf").tree(whole=True)) > 20


def test_tables_of_a_book_share_its_clauses_and_nothing_else() -> None:
    book = load_book()
    games = []
    for who, other in (("Ann", "Bob"), ("Bob", "Ann")):
        objects = {"Bear": {"controller": who}}
        data = {"seats": [who, other, "Cy", "Di", "Ed"], "range": 1, "objects": objects}
        games.append(Session(book, table(data, book.vocabulary)))
    one, two = games
    assert vars(one.solver)["_program"] is vars(two.solver)["_program"]
    for _ in range(2):
        assert one.ask("controller(P, Bear)").rows == [("Ann",)]
        assert two.ask("controller(P, Bear)").rows == [("Bob",)]
        assert two.can("Ed", "target", "Bear").verdict is True
        assert one.can("Ed", "reach", "Bob").verdict is False


def test_a_changed_book_is_another_book() -> None:
    book = load_book()
    facts = table({"seats": ["Ann", "Bob"], "range": 1}, book.vocabulary).facts
    less = book._replace(clauses=Clauses(c for c in book.clauses if c.head.name != "in_game"))
    asked = ground("in_game", "Ann")
    for _ in range(2):
        assert open_solver(book, facts).rows(asked)
        with pytest.raises(BookError):
            open_solver(less._replace(predicates={}), facts).rows(asked)
        assert not open_solver(less, facts).rows(asked)


def test_what_no_table_fact_can_lead_to_is_left_out() -> None:
    book = load_book()
    bare = Reduced(book, {"seat", "range_for_all", "turn"})
    assert {"in_game", "reaches", "can_target"} <= bare.possible
    assert not {"left_game", "cannot_target", "can_attack", "controller"} & bare.possible
    (head, body), *others = bare.clauses("in_game")
    assert (head.name, [str(i) for i in body], others) == (
        "in_game",
        ["seat(Player, _Seat)"],
        [],
    )
    gaps = [str(i) for _, body in bare.clauses("left_gap") for i in body]
    assert "(Shut == 0)" in gaps
    whole = Reduced(book, book.vocabulary.facts)
    assert whole.possible >= set(book.predicates)


def test_a_predicate_that_only_renames_is_seen_through() -> None:
    book = load_book()
    reduced = Reduced(book, {"seat", "left_in", "turn"})
    bodies = [[str(i) for i in body] for _, body in reduced.clauses("in_game")]
    assert bodies == [["seat(Player, _Seat)", "~left_in(Player, 1 _Turn)"]]


def test_the_latest_are_kept() -> None:
    book, numbers = load_book(), count(1)
    kept = PerBook(lambda _each: next(numbers), most=2)
    copies = [book._replace() for _ in range(3)]
    assert [kept(b) for b in (*copies[:2], copies[0], copies[2], copies[0])] == [1, 2, 1, 3, 1]
    assert kept(copies[1]) == 4
    reduced = PerReduced(lambda each: each, most=2)
    signs = ({"seat"}, {"turn"}, {"seat"}, {"owns"}, {"seat"})
    first, _, again, _, last = (reduced(book, sign) for sign in signs)
    assert first is again is last
    assert reduced(book, {"seat", "no_such_fact"}) is first


@pytest.fixture
def nothing_collected() -> Iterator[None]:
    """Only what nobody holds goes away."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("nothing_collected")
@pytest.mark.parametrize("solver", ["pydatalog", "compiled"])
def test_a_session_that_is_let_go_is_gone_at_once(solver: str) -> None:
    """Nothing it has found holds it in a circle; an answer that is kept still has its reasons."""
    game = Session(load_book(), seatlog.open("four_in_a_ring").table, None, solver)
    answer = game.can("Alex", "target", "Runeclaw Bear")
    assert (answer.reason != (), answer.doubts, answer.notes) == (True, (), ())
    wanted = game.can("Alex", "target", "Runeclaw Bear").text("all")
    steps = game.node(answer.literals()[0].atom)
    left = [weakref.ref(part) for part in (game, game.prover, game.solver)]
    del game
    assert left[0]() is None
    assert answer.text("all") == wanted
    del answer
    assert left[1]() is None
    assert steps.children
    del steps
    assert left[2]() is None


@pytest.mark.usefixtures("nothing_collected")
def test_a_book_that_is_let_go_is_gone_from_the_engine_at_once() -> None:
    """pyDatalog has clauses and predicates hold each other."""

    def clauses() -> int:
        return sum(type(each) is Clause for each in gc.get_objects())

    def asked() -> int:
        solver = open_solver(book._replace(), facts)
        assert solver.rows(Literal("reaches", (Var("X"), Var("Y"))))
        return clauses()

    book, facts = load_book(), seatlog.open("four_in_a_ring").table.facts
    numbers = [asked() for _ in range(12)]
    assert numbers[-1] - numbers[-2] == 0 < numbers[1] - numbers[0]


def test_a_prepared_book_reads_only_the_clauses_it_needs(tmp_path: Path) -> None:
    shipped = load_book()
    book = unpack(pack(shipped), shipped.key)
    assert isinstance(book.clauses, Unread)
    state = table(crowd(12), book.vocabulary)
    game = Session(book, state)
    assert (
        game.can("Ann", "target", "Bear").text()
        == Session(shipped, state).can("Ann", "target", "Bear").text()
    )
    read = vars(book.clauses.by_head)["_read"]
    assert 0 < len(read) < len(book.by_head) / 2
    assert list(book.clauses) == list(shipped.clauses)
    assert {n: book.by_head[n] for n in book.by_head} == dict(shipped.by_head)
    assert book.clauses[-1] == shipped.clauses[-1]
    assert len(book.clauses) == len(shipped.clauses)
    assert pack(book) == pack(shipped)


def test_open_terms_of_a_stated_goal() -> None:
    game = seatlog.open({"seats": ["Ann", "Bob", "Cy"], "teams": {"Ann": [], "Reds": ["Cy"]}})
    solver = game.solver
    assert solver.rows(Literal("seat", (Var("P"), Var("S")))) == (("Ann", 1), ("Bob", 2), ("Cy", 3))
    assert solver.rows(Literal("team", (Var("P"), Var("P")))) == ()
    assert solver.rows(Literal("seat", (Var("P"), Const(9)))) == ()
    assert solver.rows(ground("seat", "Bob", 2)) == (("Bob", 2),)


def test_a_plain_fact_is_found_without_a_look_at_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten thousand of one predicate are proved one by one, not each beside all others."""
    (tmp_path / "edition.toml").write_text('title = "x"\ndate = "2026"\n', encoding="utf-8")
    facts = "".join(f"+ p({number}, {number + 1})\n" for number in range(10_000))
    rule = "# yes: {X} goes on\nq(X) <= (p(X, Y) & p(Y, Z))\n"
    (tmp_path / "1.1_x.dl").write_text(f"## 1.1  X\n{facts}{rule}", encoding="utf-8")
    game = seatlog.open(edition=str(tmp_path))
    tried = count()
    plain = match
    monkeypatch.setattr(prove, "match", lambda *args: (next(tried), plain(*args))[1])
    answer = game.ask("p(X, Y)")
    assert len(answer.rows) == 10_000
    assert answer.cites == ("1.1",)
    assert next(tried) == 0
    assert game.ask("q(5)").cites == ("1.1",)
    assert next(tried) < 5

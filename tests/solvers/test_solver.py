"""The solver on pyDatalog's engine: alone in its thread or not, first question or hundredth."""

from __future__ import annotations

import gc
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pyDatalog import Logic, pyParser  # type: ignore[import-untyped,unused-ignore]
from pyDatalog import pyDatalog as text_api

import seatlog
from random_tables import random_table
from seatlog.book import Book, Clauses
from seatlog.editions import load_book
from seatlog.errors import BookError, SeatlogError
from seatlog.game import Session
from seatlog.model import Clause, Comparison, Const, Literal, Row, Statement, Term, Var
from seatlog.solvers import Solver, describe, open_solver
from seatlog.table import Table, table

PREDICATES = ("in_range", "can_target", "can_attack", "legal_target", "opponent", "distance")
THREADS = 8


def tables(seed: int, number: int) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    return [random_table(rng) for _ in range(number)]


def literals(game: Session, rng: random.Random, number: int) -> list[Literal]:
    """Questions about a table: open, half open, ground; names that fit and names that don't."""
    names: list[str | int] = [*game.table.names, 1, 2]
    out = []
    for _ in range(number):
        name = rng.choice(PREDICATES)
        arity = game.book.predicates[name].arity
        free = [Var(w) for w in rng.choice((("X", "Y", "Z"), ("X", "X", "Y")))]
        args: tuple[Term, ...] = tuple(
            Const(rng.choice(names)) if rng.random() < 0.5 else free[i] for i in range(arity)
        )
        out.append(Literal(name, args))
    return out


def fresh(game: Session) -> Solver:
    """A solver that was never asked anything, over the same book and facts."""
    return open_solver(game.book, game.table.facts)


@contextmanager
def impatient_threads() -> Iterator[None]:
    """Threads that change places as often as can be."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def together(*works: Callable[[], object]) -> list[object]:
    """What each work gives, each in a thread of its own; the first exception is raised."""
    results: list[object] = [None] * len(works)
    start = threading.Barrier(len(works))

    def run(i: int) -> None:
        start.wait()
        try:
            results[i] = works[i]()
        except BaseException as error:
            results[i] = error

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(works))]
    with impatient_threads():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


@pytest.fixture
def users_program() -> Iterator[Any]:
    """A program of somebody's own in this thread, with the book's names for other things."""
    former = getattr(Logic.tl, "logic", None)
    Logic()
    text_api.load(
        """
        + in_range('mine', 'yours')
        + opponent('mine', 'yours')
        + seat('mine', 99)
        can_target(X, Y) <= in_range(X, Y) & ~opponent(Y, X)
        (total[X] == len_(Y)) <= in_range(X, Y)
        """
    )
    yield text_api
    pyParser.clear()
    if former is None:
        del Logic.tl.logic
    else:
        Logic.tl.logic = former


def rows(answer: Any) -> list[Any]:
    return sorted(answer.answers) if answer else []


def test_a_users_program_survives(users_program: Any) -> None:
    def own_answers() -> list[Any]:
        asked = ("can_target(X, Y)", "seat(X, Y)", "total['mine'] == X", "in_range(X, Y)")
        return [rows(users_program.ask(q)) for q in asked]

    before = own_answers()
    assert before == [[("mine", "yours")], [("mine", 99)], [(1,)], [("mine", "yours")]]
    game = seatlog.open(tables(1, 1)[0])
    assert own_answers() == before
    names = {name for row in game.ask("in_range(X, Y)").rows for name in row}
    assert names and not names & {"mine", "yours"}
    assert own_answers() == before
    users_program.assert_fact("in_range", "mine", "ours")
    assert rows(users_program.ask("in_range(X, Y)")) == [("mine", "ours"), ("mine", "yours")]
    assert "ours" not in {name for row in game.ask("in_range(X, Y)").rows for name in row}
    with pytest.raises(SeatlogError):
        game.ask("no_such_thing(X)")
    users_program.load("+ seat('late', 1)")
    assert rows(users_program.ask("seat(X, 1)")) == [("late",)]
    assert rows(users_program.ask("total['mine'] == X")) == [(2,)]


def test_a_session_survives_a_users_program(users_program: Any) -> None:
    game = seatlog.open("four_in_a_ring")
    before = game.ask("can_target(X, Y)").rows
    users_program.clear()
    users_program.load("+ can_target('mine', 'yours')")
    assert seatlog.open("four_in_a_ring").ask("can_target(X, Y)").rows == before
    assert game.ask("can_target(X, Y)").rows == before
    assert game.ask("in_range(X, Y)").rows == game.ask("in_range(A, B)").rows


def test_a_thread_without_a_program_stays_without_one() -> None:
    def work() -> object:
        assert not hasattr(Logic.tl, "logic")
        game = seatlog.open("four_in_a_ring")
        assert game.ask("in_range(X, Y)").rows
        with pytest.raises(SeatlogError):
            game.ask("no_such_thing(X)")
        return hasattr(Logic.tl, "logic")

    assert together(work) == [False]


@pytest.mark.parametrize("collecting", [True, False])
def test_the_garbage_collector_is_left_as_it_was(collecting: bool) -> None:
    before = gc.isenabled()
    (gc.enable if collecting else gc.disable)()
    try:
        game = seatlog.open("four_in_a_ring")
        assert gc.isenabled() is collecting
        assert game.ask("can_target(X, Y)").rows
        assert gc.isenabled() is collecting
    finally:
        (gc.enable if before else gc.disable)()


def test_sessions_that_take_turns_dont_meet() -> None:
    rng = random.Random(3)
    games = [seatlog.open(t) for t in tables(3, 6)]
    asked = [literals(game, rng, 30) for game in games]
    wanted = [[fresh(g).rows(q) for q in qs] for g, qs in zip(games, asked, strict=True)]
    for number in range(30):
        for game, qs, want in zip(games, asked, wanted, strict=True):
            assert game.solver.rows(qs[number]) == want[number], qs[number]


def test_two_editions_and_two_books_dont_meet(tmp_path: Path) -> None:
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "vocabulary.dl").write_text(
        "# sort: Player is a name\n\n# fact: seat(Player)\n# table: seats = [Player]\n"
        "# names: Player\n",
        encoding="utf-8",
    )
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "edition.toml").write_text('title = "Everybody"\n', encoding="utf-8")
    (tmp_path / "book" / "all.dl").write_text(
        "## 1.1  Everybody reaches everybody\n"
        "in_range(Player, Other) <= (seat(Player) & seat(Other))\n",
        encoding="utf-8",
    )
    book = load_book(str(tmp_path / "book"), tmp_path / "facts")
    seats = {"seats": ["A", "B", "C", "D"]}
    other = Session(book, table(seats, book.vocabulary))
    game = seatlog.open(seats, range=1)
    question = Literal("in_range", (Const("A"), Var("X")))
    for _ in range(3):
        assert other.solver.rows(question) == tuple(("A", n) for n in "ABCD")
        assert game.solver.rows(question) == tuple(("A", n) for n in "ABD")


def test_threads_with_tables_of_their_own() -> None:
    chosen = tables(11, THREADS)

    def work(data: dict[str, Any], seed: int) -> list[tuple[Row, ...]]:
        game = seatlog.open(data)
        return [game.solver.rows(q) for q in literals(game, random.Random(seed), 40)]

    wanted = [work(data, i) for i, data in enumerate(chosen)]
    found = together(*(lambda d=d, i=i: work(d, i) for i, d in enumerate(chosen)))
    assert found == wanted


def test_threads_that_share_a_session_get_the_same_rows() -> None:
    for number, data in enumerate(tables(12, 4)):
        game = seatlog.open(data)
        asked = literals(game, random.Random(number), 60)
        wanted = {q: fresh(game).rows(q) for q in asked}
        shared = seatlog.open(data)

        def work(seed: int, asked: list[Literal] = asked, shared: Session = shared) -> object:
            mixed = list(asked)
            random.Random(seed).shuffle(mixed)
            return {q: shared.solver.rows(q) for q in mixed}

        for found in together(*(lambda s=s, work=work: work(s) for s in range(THREADS))):
            assert found == wanted


def questions(game: Session) -> list[str]:
    """Who can target what, and all that is in range or can be attacked."""
    names = [n for n in game.table.names if "'" not in n]
    players = [n for n in names if game.table.names[n] == "Player"]
    pairs = [f"can_target('{p}', '{n}')" for p in players for n in names]
    return [*pairs[:24], "in_range(X, Y)", "can_attack(X, Y)"]


def said(game: Session, asked: list[str]) -> dict[str, str]:
    """What the answers say, reasons and all."""
    out = {}
    for question in asked:
        answer = game.ask(question)
        out[question] = f"{answer.text()}\n{answer.text(tree=True)}"
    return out


def test_threads_that_share_a_session_are_told_the_same_reasons() -> None:
    for data in tables(13, 8):
        asked = questions(seatlog.open(data))
        wanted = said(seatlog.open(data), asked)
        shared = seatlog.open(data)

        def work(seed: int, asked: list[str] = asked, shared: Session = shared) -> object:
            return said(shared, asked[seed // 2 :] + asked[: seed // 2])

        for found in together(*(lambda s=s, work=work: work(s) for s in range(THREADS))):
            assert isinstance(found, dict)
            for question, text in wanted.items():
                assert found[question] == text


def test_reasons_dont_depend_on_what_was_asked_before() -> None:
    for number, data in enumerate(tables(14, 8)):
        asked = questions(seatlog.open(data))
        mixed = list(asked)
        random.Random(number).shuffle(mixed)
        game = seatlog.open(data)
        for question, text in said(game, mixed).items():
            alone = said(seatlog.open(data), [question])
            assert alone[question] == text


def test_tables_kept_between_questions_answer_like_fresh_ones() -> None:
    rng = random.Random(60)
    some = 0
    for data in tables(60, 60):
        game = seatlog.open(data)
        asked = literals(game, rng, 12)
        wanted = {q: fresh(game).rows(q) for q in asked}
        some += sum(bool(r) for r in wanted.values())
        mixed = asked * 2
        rng.shuffle(mixed)
        for question in mixed:
            assert game.solver.rows(question) == wanted[question], f"{question}\n{data}"
    assert 100 < some < 600


def test_rows_are_complete_sorted_and_fit_the_question() -> None:
    for number, data in enumerate(tables(21, 10)):
        game = seatlog.open(data)
        for question in literals(game, random.Random(number), 20):
            found = game.solver.rows(question)
            everything = game.solver.rows(
                Literal(question.name, tuple(Var(f"V{i}") for i in range(len(question.args))))
            )
            assert found == tuple(r for r in everything if fits(question, r))
            assert list(found) == sorted(set(found), key=lambda r: [(str(type(v)), v) for v in r])


def fits(question: Literal, row: Row) -> bool:
    bound: dict[str, object] = {}
    for term, value in zip(question.args, row, strict=True):
        if isinstance(term, Const) and term.value != value:
            return False
        if isinstance(term, Var) and bound.setdefault(term.name, value) != value:
            return False
    return True


SCRIPT = """
import random, sys
sys.path += sys.argv[1:]
from random_tables import random_table
import seatlog
rng = random.Random(99)
for _ in range(6):
    game = seatlog.open(random_table(rng))
    for question in ("in_range(X, Y)", "can_target(X, Y)", "can_attack(X, Y)", "distance(X, Y, N)"):
        answer = game.ask(question)
        print(answer, answer.rows, answer.as_dict())
    first = next(iter(game.table.names))
    for name in game.table.names:
        print(game.ask(f'can_target("{first}", "{name}")').text(tree=True))
"""


def test_nothing_depends_on_the_order_of_hashes() -> None:
    outputs = []
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, *sys.path],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout.splitlines())
    assert len(outputs[0]) > 100
    assert outputs[0] == outputs[1]


def game_of(clauses: list[Clause], facts: list[Statement]) -> Solver:
    """A solver over the shipped vocabulary and clauses that no linter has seen."""
    shipped = load_book()
    predicates = {c.head.name: _predicate(c.head) for c in clauses}
    book = Book(
        "unchecked", "Unchecked", "", {}, Clauses(clauses), predicates, (), shipped.vocabulary
    )
    return open_solver(book, facts)


def _predicate(head: Literal) -> Any:
    from seatlog.book import Predicate

    return Predicate(head.name, tuple(repr(t) for t in head.args))


def unchecked_solver() -> Solver:
    """``bad`` compares names with a number, which the engine can't; ``good`` is a plain copy."""
    place = load_book().clauses[0].place
    x, y = Var("X"), Var("Y")
    seat = Literal("seat", (x, y))
    clauses = [
        Clause(Literal("good", (x, y)), (seat,), "1.1", place),
        Clause(Literal("fine", (x,)), (Literal("good", (x, y)),), "1.1", place),
        Clause(Literal("bad", (x,)), (seat, Comparison("<", x, Const(3))), "1.1", place),
        Clause(Literal("worse", (x,)), (Literal("good", (x, y)), Literal("bad", (x,))), "1", place),
    ]
    facts = [Statement("seat", ("Ann", 1)), Statement("seat", ("Bo", 2))]
    return game_of(clauses, facts)


def test_a_failing_question_leaves_the_solver_usable() -> None:
    x, y = Var("X"), Var("Y")
    solver = unchecked_solver()
    for _ in range(3):
        for name in ("bad", "worse"):
            with pytest.raises(BookError) as caught:
                solver.rows(Literal(name, (x,)))
            assert "the engine gave up on" in str(caught.value)
            assert f"{name}(X)" in str(caught.value)
        assert solver.rows(Literal("good", (x, y))) == (("Ann", 1), ("Bo", 2))
        assert solver.rows(Literal("fine", (x,))) == (("Ann",), ("Bo",))
        assert solver.rows(Literal("good", (x, Const(2)))) == (("Bo", 2),)
        assert solver.rows(Literal("good", (Const("Bo"), Const(1)))) == ()


def test_a_failing_question_leaves_a_users_program_alone(users_program: Any) -> None:
    solver = unchecked_solver()
    with pytest.raises(BookError):
        solver.rows(Literal("bad", (Var("X"),)))
    assert rows(users_program.ask("can_target(X, Y)")) == [("mine", "yours")]


def test_unknown_predicates_and_wrong_arities_are_refused() -> None:
    solver = seatlog.open("four_in_a_ring").solver
    for literal in (
        Literal("no_such_thing", (Var("X"),)),
        Literal("in_range", (Var("X"),)),
        Literal("in_range", (Var("X"), Var("Y"), Var("Z"))),
    ):
        with pytest.raises(BookError, match="no predicate"):
            solver.rows(literal)
    assert solver.rows(Literal("in_range", (Const("Alex"), Const("Rob"))))


def test_a_session_goes_on_after_every_refused_question() -> None:
    game = seatlog.open("four_in_a_ring")
    before = str(game.ask("can_target(Alex, X)"))
    for question in (
        "can_target(X",
        "can_target(X, Y), in_range(X, Y)",
        "~can_target(X, Y)",
        "can_target(X)",
        "cant_target(X, Y)",
        "distance(X, Y, N) & (N < 'a')",
        "distance(X, Y, N) & (M == K)",
    ):
        with pytest.raises(SeatlogError):
            game.ask(question)
        assert str(game.ask("can_target(Alex, X)")) == before


def test_names_are_told_from_numbers_and_kept_as_they_are() -> None:
    names = ["1", "01", "True", "None", "é", "o\u0301", "O'Neill", 'a "b"', "X", "_", "??", "p q"]
    game = seatlog.open({"seats": names})
    assert [r[0] for r in game.ask("seat(P, S)").rows] == names
    for number, name in enumerate(names, 1):
        assert game.solver.rows(Literal("seat", (Const(name), Var("S")))) == ((name, number),)
    assert game.solver.rows(Literal("seat", (Const(1), Var("S")))) == ()


def test_a_table_of_nobody_answers_with_nothing() -> None:
    state = Table("nobody", (), {})
    game = Session(load_book(), state)
    for name in PREDICATES:
        arity = game.book.predicates[name].arity
        assert game.solver.rows(Literal(name, tuple(Var(f"V{i}") for i in range(arity)))) == ()


def test_the_solver_says_what_it_is() -> None:
    assert describe().startswith("pyDatalog 0.22.4 (")
    with pytest.raises(SeatlogError, match="no solver is called 'pydatalogg'") as caught:
        describe("pydatalogg")
    assert 'did you mean "pydatalog"?' in str(caught.value)

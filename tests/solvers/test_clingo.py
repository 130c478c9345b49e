"""The solver on clingo: as pyDatalog answers, and where it can't, it says so."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import processes
import seatlog
from random_tables import random_table
from seatlog.book import Book, Clauses, Predicate
from seatlog.editions import load_book
from seatlog.errors import BookError, QuestionError, SeatlogError
from seatlog.model import (
    MAX_INT,
    Clause,
    Comparison,
    Const,
    Count,
    Item,
    Literal,
    Row,
    Statement,
    Sum,
    Term,
    Value,
    Var,
)
from seatlog.solvers import Solver, describe, open_solver
from seatlog.table import table

X, Y, Z, N, M = (Var(name) for name in "XYZNM")
SHIPPED = load_book()
HOSTILE = (
    *("n0", "m0", "m1", "p0", "V0", "X", "_", "not", "1", "-1", "", " ", "#inf", "#sup", "@f()"),
    *("a\0b", "a\nb", '"', "'", "\\", '\\"', "%", "%*", "日本", "e\u0301", "\udcff", "x" * 999),
    *('a"). q(b', "a,b", "(a)", "#include 'x'.", "#script (python) import os #end.", "1..3", "a;b"),
)


def opened(clauses: Iterable[Clause], facts: Iterable[Statement], name: str = "clingo") -> Solver:
    """A solver over clauses that no linter has seen; every fact is one of the vocabulary."""
    made = tuple(clauses)
    predicates = {c.head.name: Predicate(c.head.name, tuple(map(repr, c.head.args))) for c in made}
    book = Book("x", "X", "", {}, Clauses(made), predicates, (), SHIPPED.vocabulary)
    return open_solver(book, facts, name)


def rule(head: Literal, *body: Item) -> Clause:
    return Clause(head, body, "1.1", SHIPPED.clauses[0].place)


def lit(name: str, *args: Term) -> Literal:
    return Literal(name, args)


def seats(*rows: tuple[str, Value]) -> list[Statement]:
    return [Statement("seat", row) for row in rows]


def test_it_says_what_it_is() -> None:
    assert describe("clingo").startswith("clingo 5.8.")


def test_without_the_library_it_says_what_to_install() -> None:
    code = (
        "import sys\nsys.modules['clingo'] = None\n"
        "import seatlog\nfrom seatlog.solvers import describe\n"
        "assert seatlog.open('four_in_a_ring').ask('in_range(X, Y)').rows\n"
        "try:\n    describe('clingo')\n"
        "except seatlog.SeatlogError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8"
    )
    assert done.stdout == (
        "the solver clingo needs clingo, which isn't installed\n  pip install 'seatlog[clingo]'\n"
    )


def test_a_library_that_is_broken_is_no_fault_of_seatlogs(tmp_path: Path) -> None:
    (tmp_path / "clingo.py").write_text("raise ImportError('no libclingo')\n", encoding="utf-8")
    words = ("can", "four_in_a_ring", "Alex", "reach", "Rob", "--solver", "clingo")
    done = processes.start(*words, PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith("error: what the solver clingo needs can't be loaded (no libcl")


# --- names and numbers --------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["clingo", "pydatalog"])
def test_names_are_kept_as_they_are(engine: str) -> None:
    """In facts and in clauses, whatever they look like to clingo."""
    clauses = [rule(lit("same", X), lit("seat", X, Y), lit("called", X))]
    clauses += [rule(lit("called", Const(name))) for name in HOSTILE[::2]]
    clauses.append(rule(lit("other", X), lit("seat", X, Y), Literal("called", (X,), True)))
    solver = opened(clauses, seats(*((name, i) for i, name in enumerate(HOSTILE))), engine)
    assert solver.rows(lit("same", X)) == tuple(sorted((name,) for name in HOSTILE[::2]))
    assert solver.rows(lit("other", X)) == tuple(sorted((name,) for name in HOSTILE[1::2]))
    for name in HOSTILE:
        assert len(solver.rows(lit("same", Const(name)))) == (name in HOSTILE[::2])


def test_the_text_holds_nothing_of_ours() -> None:
    """What clingo reads is made of numbers and a fixed set of signs."""
    name, game = "Zzyzx", seatlog.open({"seats": ["Zzyzx", "Qqq"]})
    solver: Any = open_solver(game.book, game.table.facts, "clingo")
    assert solver.rows(lit("in_range", X, Y))
    texts = [*solver._program._texts.values(), *solver._texts.values()]
    assert len(texts) > 10
    assert any(":-" in text for text in texts)
    for text in texts:
        assert text.isascii()
        assert name not in text and "range" not in text
        assert set(text) <= set("pnmuVfs0123456789(),.:-+<>=!{}#count \nnot"), text


def test_a_name_in_quotes_is_no_number() -> None:
    clauses = [rule(lit("one", X), lit("seat", X, Const(1)))]
    solver = opened(clauses, seats(("A", 1), ("B", "1"), ("C", -1)))
    assert solver.rows(lit("one", X)) == (("A",),)


def test_numbers_beyond_clingos_are_refused() -> None:
    clauses = [rule(lit("good", X, Y), lit("seat", X, Y))]
    for number in (MAX_INT + 1, -MAX_INT - 1, 2**80):
        with pytest.raises(QuestionError, match="beyond what clingo counts with"):
            opened(clauses, seats(("A", number))).rows(lit("good", X, Y))
        with pytest.raises(QuestionError, match="beyond what clingo counts with"):
            opened([rule(lit("said", Const(number)))], ()).rows(lit("said", X))
    solver = opened(clauses, seats(("A", MAX_INT), ("B", -MAX_INT)))
    assert solver.rows(lit("good", X, Y)) == (("A", MAX_INT), ("B", -MAX_INT))
    assert solver.rows(lit("good", X, Const(2**80))) == ()


@pytest.mark.parametrize(
    ("op", "values", "fine"),
    [
        ("+", (MAX_INT, 1), False),
        ("+", (MAX_INT, 0), True),
        ("+", (MAX_INT - 1, 1), True),
        ("+", (MAX_INT, -1), True),
        ("+", (-MAX_INT, -1), False),
        ("+", (-MAX_INT, 1), True),
        ("+", (-MAX_INT, MAX_INT), True),
        ("+", (-MAX_INT, -MAX_INT), False),
        ("+", (MAX_INT, MAX_INT), False),
        ("-", (MAX_INT, -1), False),
        ("-", (MAX_INT, 1), True),
        ("-", (MAX_INT, MAX_INT), True),
        ("-", (-MAX_INT, 1), False),
        ("-", (-MAX_INT, -1), True),
        ("-", (-MAX_INT, MAX_INT), False),
        ("-", (MAX_INT, -MAX_INT), False),
    ],
)
def test_sums_that_go_round_are_refused(op: str, values: tuple[int, int], fine: bool) -> None:
    """At the edge, in either direction, and inside another sum that would bring them back."""
    two = lit("seat", Const("A"), N), lit("seat", Const("B"), M)
    plain = rule(lit("made", Z), *two, Comparison("==", Z, Sum(N, op, M)))
    back = Sum(Sum(N, op, M), "-" if op == "+" else "+", M)
    there = rule(lit("same", Z), *two, Comparison("==", Z, back))
    compared = rule(lit("less", Z), *two, lit("seat", Z, N), Comparison("<=", N, back))
    facts = seats(("A", values[0]), ("B", values[1]))
    for clause, row in ((plain, eval(f"{values[0]} {op} {values[1]}")), (there, values[0])):  # noqa: S307
        solver = opened([clause], facts)
        question = lit(clause.head.name, Z)
        if fine:
            assert solver.rows(question) == ((row,),)
            assert opened([compared], facts).rows(lit("less", Z))
        else:
            with pytest.raises(QuestionError, match=f"[0-9]: clingo counts .* {MAX_INT}"):
                solver.rows(question)
            with pytest.raises(QuestionError, match="counts no further than"):
                opened([compared], facts).rows(lit("less", Z))


@pytest.mark.parametrize("op", ["<", "<=", ">", ">="])
@pytest.mark.parametrize("pair", [(X, Const(3)), (Const(3), X), (X, X), (X, Y), (Y, X)])
def test_an_order_of_names_is_refused(op: str, pair: tuple[Term, Term]) -> None:
    bad = rule(lit("bad", X), lit("seat", X, Y), Comparison(op, *pair))
    solver = opened([bad], seats(("Ann", 1)))
    for _ in range(2):
        with pytest.raises(QuestionError, match=r"^[^:]*'Ann'[^:]*: only numbers") as caught:
            solver.rows(lit("bad", X))
    assert f" {op} " in str(caught.value)
    assert opened([bad], ()).rows(lit("bad", X)) == ()


def test_a_sum_of_names_is_refused() -> None:
    for total in (Sum(X, "+", Const(1)), Sum(Const(1), "-", X), Sum(Const(1), "+", Sum(X, "-", Y))):
        bad = rule(lit("bad", Z), lit("seat", X, Y), Comparison("==", Z, total))
        with pytest.raises(QuestionError, match=r"'Ann'[^:]* can't be worked out"):
            opened([bad], seats(("Ann", 1))).rows(lit("bad", X))


def test_names_are_refused_where_the_comparison_is_come_to() -> None:
    """As when a body is worked off: what an earlier literal rules out is not compared."""
    spared = rule(
        lit("fine", X), lit("seat", X, Y), Comparison("!=", Y, Const("b")), Comparison("<", Y, N)
    )
    spared = spared._replace(body=(*spared.body[:1], lit("seat", Const("N"), N), *spared.body[1:]))
    solver = opened([spared], seats(("A", 1), ("B", "b"), ("N", 3)))
    assert solver.rows(lit("fine", X)) == (("A",),)


def test_equality_takes_names_and_numbers() -> None:
    clauses = [
        rule(lit("same", X), lit("seat", X, Y), Comparison("==", Y, Const("1"))),
        rule(lit("other", X), lit("seat", X, Y), Comparison("!=", Const(1), Y)),
        rule(
            lit("made", X, Z),
            lit("seat", X, Y),
            Comparison("==", Sum(Const(4), "-", M), Z),
            Comparison("==", M, Const(-2)),
        ),
    ]
    solver = opened(clauses, seats(("A", 1), ("B", "1")))
    assert solver.rows(lit("same", X)) == (("B",),)
    assert solver.rows(lit("other", X)) == (("B",),)
    assert solver.rows(lit("made", X, Const(6))) == (("A", 6), ("B", 6))


# --- clauses ------------------------------------------------------------------------------------


def test_counts_are_of_rows_and_none_is_0() -> None:
    clauses = [
        rule(lit("many", X, N), lit("seat", X, Y), Count(N, Z, lit("team", Z, X))),
        rule(lit("all", N), Count(N, Z, lit("pair", Z, Z))),
        rule(lit("pair", X, Y), lit("team", X, Y)),
    ]
    facts = seats(("A", 1), ("A", 2), ("B", 3))
    facts += [Statement("team", row) for row in (("p", "A"), ("q", "A"), ("q", "q"))]
    for engine in ("clingo", "pydatalog"):
        solver = opened(clauses, facts, engine)
        assert solver.rows(lit("many", X, N)) == (("A", 2), ("B", 0))
        assert solver.rows(lit("many", X, Const(0))) == (("B", 0),)
        assert solver.rows(lit("all", N)) == ((1,),)


def test_what_rests_on_its_own_denial_is_refused() -> None:
    turn = [
        rule(lit("one", X), lit("seat", X, Y), Literal("two", (X,), True)),
        rule(lit("two", X), lit("seat", X, Y), Literal("one", (X,), True)),
    ]
    with pytest.raises(BookError, match="rests on what it denies"):
        opened(turn, seats(("A", 1))).rows(lit("one", X))


def test_an_unsafe_clause_is_refused() -> None:
    with pytest.raises(BookError, match="the engine gave up"):
        opened([rule(lit("one", X, Y), lit("seat", X, N))], ()).rows(lit("one", X, Y))


def test_only_what_a_question_rests_on_is_worked_out() -> None:
    clauses = [
        rule(lit("bad", X), lit("seat", X, Y), Comparison("<", X, Const(3))),
        rule(lit("good", X), lit("seat", X, Y)),
        rule(lit("worse", X), lit("good", X), lit("bad", X)),
    ]
    solver: Any = opened(clauses, seats(("A", 1)))
    assert solver.rows(lit("good", X)) == (("A",),)
    for name in ("bad", "worse", "bad"):
        with pytest.raises(QuestionError):
            solver.rows(lit(name, X))
    assert solver.rows(lit("good", Const("A"))) == (("A",),)
    with pytest.raises(QuestionError):
        solver.ground(["good", "worse"])


def test_unknown_predicates_and_what_calculates_are_refused() -> None:
    solver = opened([rule(lit("good", X, Y), lit("seat", X, Y))], seats(("A", 1)))
    for literal in (lit("no_such_thing", X), lit("good", X), lit("seat", X)):
        with pytest.raises(BookError, match="no predicate"):
            solver.rows(literal)
    with pytest.raises(BookError, match="calculates"):
        solver.rows(lit("good", X, Sum(Y, "+", Const(1))))
    assert solver.rows(lit("seat", X, Y)) == (("A", 1),)


# --- beside pyDatalog ---------------------------------------------------------------------------


def questions(book: Book, names: Iterable[str], rng: random.Random, number: int) -> list[Literal]:
    """Open, half open, ground, and with the same variable twice."""
    out, values = [], [*map(Const, names), Const(1), Const(2)]
    for _ in range(number):
        name = rng.choice(sorted(book.by_head))
        terms: list[Term] = [
            rng.choice(values) if rng.random() < 0.3 else rng.choice((X, Y, Z))
            for _ in range(book.predicates[name].arity)
        ]
        out.append(lit(name, *terms))
    return out


@pytest.mark.parametrize("edition", ["cr", "draft2004"])
def test_any_question_in_any_order_is_answered_as_by_pydatalog(edition: str) -> None:
    book, some = load_book(edition), 0
    for seed in range(8):
        rng = random.Random(seed)
        state = table(random_table(rng), book.vocabulary)
        one, other = (open_solver(book, state.facts, n) for n in ("clingo", "pydatalog"))
        for question in questions(book, list(state.names), rng, 90):
            found = one.rows(question)
            assert found == other.rows(question), f"{question}\n{state.facts}"
            assert found == one.rows(question)
            some += bool(found)
    assert some > 60


def test_changed_facts_are_answered_as_by_a_fresh_solver() -> None:
    rng = random.Random(5)
    for _ in range(6):
        state = table(random_table(rng), SHIPPED.vocabulary)
        solver = open_solver(SHIPPED, state.facts, "clingo")
        asked = questions(SHIPPED, list(state.names), rng, 25)
        before = [solver.rows(question) for question in asked]
        less = [fact for fact in state.facts if rng.random() < 0.9]
        changed, fresh = solver.but(less), open_solver(SHIPPED, less, "clingo")
        assert [changed.rows(q) for q in asked] == [fresh.rows(q) for q in asked]
        assert [solver.rows(q) for q in asked] == before


def test_threads_share_a_solver() -> None:
    rng = random.Random(8)
    state = table(random_table(rng), SHIPPED.vocabulary)
    asked = questions(SHIPPED, list(state.names), rng, 80)
    fresh = open_solver(SHIPPED._replace(), state.facts, "clingo")
    wanted = {q: fresh.rows(q) for q in asked}
    shared = open_solver(SHIPPED._replace(), state.facts, "clingo")
    found: list[dict[Literal, tuple[Row, ...]]] = []

    def work(seed: int) -> None:
        mixed = random.Random(seed).sample(asked, len(asked))
        found.append({q: shared.rows(q) for q in mixed})

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 6


def test_no_file_is_read(tmp_path: Path) -> None:
    """A name made to break out of a string and have a file read does neither."""
    (tmp_path / "x.lp").write_text("p0(n0).", encoding="utf-8")
    name = f'a"). #include "{tmp_path / "x.lp"}". p0("'
    solver = opened([rule(lit("called", X), lit("seat", X, Y))], seats((name, 1)))
    assert solver.rows(lit("called", X)) == ((name,),)


def test_an_unknown_solver_is_refused() -> None:
    with pytest.raises(SeatlogError, match="no solver is called 'clngo'"):
        describe("clngo")

"""Compiled clauses: pyDatalog's answers, whatever is asked, and no word of a rule in the code."""

from __future__ import annotations

import gc
import io
import keyword
import os
import random
import re
import sys
import threading
import tokenize
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from places import TESTS
from random_tables import random_table
from seatlog.book import Book, Clauses, Predicate
from seatlog.cases import Scenario, read_scenarios, scenario_files
from seatlog.editions import load_book
from seatlog.errors import BookError, Place, QuestionError, SeatlogError
from seatlog.model import (
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
from seatlog.solvers import Function, Goal, Program, describe, open_solver
from seatlog.table import Table, asked, table

EVERY = int(os.environ.get("SEATLOG_COMPILED", "120"))
"""The gate asks about the table of one scenario in so many; ``make soak`` about each."""

X, Y, Z, N = Var("X"), Var("Y"), Var("Z"), Var("N")
PLACE = Place("compiled")


@cache
def scenarios() -> list[Scenario]:
    return [s for file in scenario_files(TESTS / "scenarios") for s in read_scenarios(file)]


@cache
def book_of(edition: str | None) -> Book:
    return load_book(edition)


def stated(data: Any, book: Book) -> tuple[Table, list[Statement]] | None:
    """A table and its facts, if the vocabulary takes it."""
    try:
        state = table(data, book.vocabulary)
    except SeatlogError:
        return None
    return state, list(asked(state, book.vocabulary))


def questions(
    book: Book, values: list[Value], rng: random.Random, number: int
) -> Iterator[Literal]:
    """Literals of any predicate with any of their terms given; every predicate asked whole."""
    names = {name: len(fact.args) for name, fact in book.vocabulary.facts.items()}
    names |= {predicate.name: predicate.arity for predicate in book.predicates.values()}
    for name, arity in rng.choices(list(names.items()), k=number):
        mixed = [Var(rng.choice("XXY")) if rng.random() < 0.1 else Var(f"V{i}") for i in range(9)]
        terms = [rng.choice((Const(rng.choice(values)), mixed[i])) for i in range(arity)]
        yield Literal(name, tuple(terms))
    for name, arity in rng.sample(list(names.items()), len(names)):
        yield Literal(name, tuple([Var(f"V{i}") for i in range(arity)]))


@pytest.mark.parametrize("share", range(4))
def test_scenarios_tables_are_answered_as_by_pydatalog(share: int) -> None:
    every, held = scenarios(), 0
    for number in range(share, len(every), 4 * EVERY):
        rng = random.Random(number)
        book = book_of(every[number].edition)
        found = stated(every[number].data, book)
        if found is None:
            continue
        state, facts = found
        values = [*state.names, *{value for fact in facts for value in fact.row}, 0, 1, 2]
        asked = list(questions(book, values, rng, 60))
        rng.shuffle(asked)
        one, other = open_solver(book, facts), open_solver(book, facts, "compiled")
        for question in asked:
            rows = one.rows(question)
            assert other.rows(question) == rows, f"{every[number].name}: {question}"
            held += bool(rows)
    assert held > 200


@pytest.mark.parametrize("seed", range(6))
def test_tables_of_one_book_dont_meet_and_changed_ones_keep_what_holds(seed: int) -> None:
    """A chain of tables, each made of the one before; what is kept on the way stays right."""
    rng, book = random.Random(seed), book_of(None)
    solver = None
    for _ in range(6):
        found = stated(random_table(rng), book)
        assert found
        state, facts = found
        for _ in range(3):
            left = [fact for fact in facts if rng.random() < 0.9]
            solver = solver.but(left) if solver else open_solver(book, left, "compiled")
            alone = open_solver(book, left)
            for question in list(questions(book, [*state.names, 1, 2], rng, 25))[:60]:
                assert solver.rows(question) == alone.rows(question), question


def test_a_changed_table_keeps_what_rests_on_nothing_changed() -> None:
    book = book_of(None)
    found = stated({"seats": ["Ann", "Bob", "Cy", "Di"], "range": 1, "objects": {"Elk": {}}}, book)
    assert found
    facts = found[1]
    first = open_solver(book, facts, "compiled")
    reaches = Literal("reaches", (X, Y))
    rows = first.rows(reaches)
    other = first.but([*facts, Statement("tapped", ("Elk",))])
    third = first.but([fact for fact in facts if fact.name != "range_for_all"])
    assert other.rows(reaches) is rows
    assert third.rows(reaches) != rows
    memories = [vars(vars(each)["_memory"]) for each in (first, other, third)]
    shared = [
        {name for name, held in memories[0].items() if memory.get(name) is held}
        for memory in memories[1:]
    ]
    walks = {name for name in memories[0] if name[0] == "w"}
    assert walks and walks <= shared[0] and not walks & shared[1]


def book(*clauses: Clause) -> Book:
    """A book of clauses that no linter has seen."""
    heads = {clause.head.name: clause.head for clause in clauses}
    predicates = {n: Predicate(n, tuple(map(repr, h.args))) for n, h in heads.items()}
    vocabulary = book_of(None).vocabulary
    return Book("own", "Own", "", {}, Clauses(clauses), predicates, (), vocabulary)


def rule(head: Literal, *body: Item) -> Clause:
    return Clause(head, body, "1", PLACE)


def lit(name: str, *terms: Term | Value, negated: bool = False) -> Literal:
    args = [Const(t) if isinstance(t, str | int) else t for t in terms]
    return Literal(name, tuple(args), negated)


SEATS = [Statement("seat", (name, number)) for number, name in enumerate("abcdefgh", 1)]


def both(made: Book, facts: list[Statement], *literals: Literal) -> list[tuple[Row, ...]]:
    """The answers, which pyDatalog gives as well."""
    one, other = open_solver(made, facts), open_solver(made, facts, "compiled")
    found = [other.rows(literal) for literal in literals]
    assert found == [one.rows(literal) for literal in literals]
    return found


def test_long_chains_need_no_deeper_stack() -> None:
    """Each of 5,000 predicates rests on the one before: by literals, a denial, or a count."""
    clauses = [rule(lit("p0", X), lit("seat", X, N))]
    for number in range(1, 5000):
        head, below = lit(f"p{number}", X), f"p{number - 1}"
        if number % 4 == 1:
            body: tuple[Item, ...] = (lit("seat", X, N), lit(below, X, negated=True))
        elif number % 4 == 2:
            body = (lit("seat", X, N), lit(below, X, negated=True), lit("seat", X, N))
        elif number % 4 == 3:
            body = (lit("seat", X, N), Count(Z, Y, lit(below, Y)), Comparison(">", Z, Const(0)))
        else:
            body = (lit(below, X), lit(below, Y), lit("seat", X, N), lit("seat", Y, N))
        clauses.append(rule(head, *body))
    solver = open_solver(book(*clauses), SEATS, "compiled")
    before = sys.getrecursionlimit()
    everyone = tuple((name,) for name in "abcdefgh")
    assert solver.rows(lit("p4999", X)) == everyone
    assert solver.rows(lit("p4997", X)) == ()
    assert solver.rows(lit("p4998", "a")) == (("a",),)
    assert sys.getrecursionlimit() == before
    few = book(*clauses[:203])
    assert both(few, SEATS, *[lit(f"p{n}", X) for n in (99, 100, 101, 102, 201, 202)])


def test_walks_at_the_end_of_long_chains() -> None:
    clauses = [rule(lit("p0", X), lit("seat", X, N))]
    clauses += [rule(lit(f"p{n}", X), lit(f"p{n - 1}", X)) for n in range(1, 300)]
    clauses += [
        rule(lit("ahead", X, N), lit("p299", X), lit("seat", X, N)),
        rule(
            lit("ahead", X, N),
            lit("ahead", X, Z),
            lit("seat", Y, Z),
            lit("p299", Y),
            Comparison("==", N, Sum(Z, "+", Const(1))),
            lit("seat", Var("O"), N),
        ),
        rule(lit("last", X), lit("ahead", X, 8)),
    ]
    asked = [lit("ahead", X, N), lit("ahead", "c", N), lit("ahead", X, 4), lit("last", X)]
    rows = both(book(*clauses), SEATS, *asked, lit("ahead", "d", 3), lit("ahead", "d", 6))
    assert [len(found) for found in rows] == [36, 6, 4, 8, 0, 1]


@pytest.mark.parametrize("length", [2, 11, 12, 13, 40, 190])
def test_bodies_of_many_loops(length: int) -> None:
    """More loops within each other than Python takes."""
    names = [Var(f"P{i}") for i in range(length + 1)]
    steps = [lit("beside", one, other) for one, other in pairwise(names)]
    numbers = [lit("seat", name, Var(f"N{i}")) for i, name in enumerate(names)]
    rising = [
        Comparison("==", Var(f"N{i + 1}"), Sum(Var(f"N{i}"), "+", Const(0))) for i in range(length)
    ]
    beside = rule(
        lit("beside", X, Y),
        lit("seat", X, N),
        lit("seat", Y, Z),
        Comparison("<=", Sum(N, "-", Z), Const(1)),
        Comparison("<=", Sum(Z, "-", N), Const(0)),
    )
    made = book(
        beside,
        rule(lit("path", names[0], names[-1]), *steps),
        rule(lit("ends", X), lit("path", X, "a"), *steps, Comparison("==", X, names[0])),
        rule(lit("flat", names[0], names[-1]), *numbers, *rising),
        rule(lit("any"), *steps),
    )
    solver = open_solver(made, SEATS, "compiled")
    paths = [(x, y) for x in "abcdefgh" for y in "abcdefgh" if 0 <= ord(x) - ord(y) <= length]
    assert solver.rows(lit("path", X, Y)) == tuple(paths)
    assert solver.rows(lit("path", "h", Y)) == tuple(p for p in paths if p[0] == "h")
    assert solver.rows(lit("path", "a", "h")) == ()
    assert solver.rows(lit("ends", X)) == tuple((x,) for x, y in paths if y == "a")
    assert solver.rows(lit("flat", X, X)) == tuple((x, x) for x in "abcdefgh")
    assert solver.rows(lit("flat", X, Y)) == solver.rows(lit("flat", X, X))
    assert solver.rows(lit("any")) == ((),)
    if length == 2:
        both(made, SEATS, lit("path", X, Y), lit("ends", X), lit("flat", X, Y), lit("any"))


def test_plain_facts_beside_clauses() -> None:
    made = book(
        *[rule(lit("p", number, f"n{number % 7}")) for number in range(20_000)],
        *[rule(lit("q", number)) for number in range(5)],
        rule(lit("q", N), lit("seat", X, N)),
        rule(lit("r", X, N), lit("p", N, X), lit("q", N)),
    )
    asked = [lit("p", 7, X), lit("p", N, "n3"), lit("p", 7, "n0"), lit("p", 7, "n1")]
    asked += [lit("q", N), lit("q", 3), lit("q", 8), lit("q", 9), lit("r", X, N), lit("r", "n0", N)]
    rows = both(made, SEATS, *asked)
    assert [len(found) for found in rows] == [1, 2857, 1, 0, 9, 1, 1, 0, 9, 2]


def test_only_numbers_have_an_order_and_a_sum() -> None:
    unlike = Literal("seat", (X, N))
    made = book(
        rule(lit("good", X), unlike),
        rule(lit("small", X), unlike, Comparison("<", X, Const(3))),
        rule(lit("next", X, Y), unlike, Comparison("==", Y, Sum(X, "+", Const(1)))),
        rule(lit("both", X, Y), unlike, lit("seat", Y, Z), Comparison(">=", X, Y)),
        rule(lit("other", X), lit("good", X), lit("small", X)),
    )
    solver = open_solver(made, SEATS[:2], "compiled")
    wrong = {
        lit("small", X): "'a' < 3: only numbers have an order",
        lit("small", "a"): "'a' < 3: only numbers have an order",
        lit("both", X, Y): "'a' >= 'a': only numbers have an order",
        lit("next", X, Y): "'a' + 1 can't be worked out",
        lit("other", "b"): "'b' < 3: only numbers have an order",
    }
    for _ in range(2):
        for question, words in wrong.items():
            with pytest.raises(QuestionError) as caught:
                solver.rows(question)
            assert str(caught.value) == words
        assert solver.rows(lit("small", "nobody")) == solver.rows(lit("next", "c", Y)) == ()
        assert solver.rows(lit("good", X)) == (("a",), ("b",))


def test_what_rests_on_itself_is_refused() -> None:
    round_and_round = book(
        rule(lit("p", X), lit("q", X), lit("seat", X, N)),
        rule(lit("q", X), lit("p", X)),
        rule(lit("q", X), lit("seat", X, N)),
    )
    denied = book(rule(lit("p", X), lit("seat", X, N), lit("p", X, negated=True)))
    twice = book(
        rule(lit("p", X, Y), lit("seat", X, N), lit("seat", Y, N)),
        rule(lit("p", X, Y), lit("p", X, Z), lit("p", Z, Y)),
    )
    for made in (round_and_round, denied, twice):
        arity = len(made.clauses[0].head.args)
        with pytest.raises(BookError, match="rest"):
            open_solver(made, SEATS, "compiled").rows(lit("p", *[X, Y][:arity]))


def test_unknown_predicates_and_wrong_arities_are_refused() -> None:
    found = stated({"seats": ["Ann", "Bob"]}, book_of(None))
    assert found
    solver = open_solver(book_of(None), found[1], "compiled")
    for literal in (lit("no_such_thing", X), lit("in_range", X), lit("seat", X), lit("in_range")):
        with pytest.raises(BookError, match="no predicate"):
            solver.rows(literal)
    assert solver.rows(lit("reaches", "Ann", "Bob"))


WORDS = {"t", "m", "r", "o", "q", "n", "i", "v", "_", "get", "append", "pop", "indexed", "nothing"}
WORDS |= {"compared", "summed", "len", "type", "int"}
OURS = re.compile(r"[afkpwcsuv][0-9]+(_[bfx]*)?(_[0-9]+)?")
ATTACKS = ["__import__('os').system('id')", "\n import os\n", '"""', "'); exec('1", "c0", "\\", "é"]


def function_texts(made: Book) -> dict[str, str]:
    """The text of every function, by name, of each predicate asked whole and with all given."""
    program, todo, out = Program(made), [], {}
    for name, arity in program.arity.items():
        if program.kind(name) != "f":
            todo += [Goal(name, "f" * arity), Goal(name, "b" * arity)]
    while todo:
        goal = todo.pop()
        function = Function(program, goal)
        if function.name not in out:
            out[function.name] = function.text
            todo += function.needs.values()
    return out


def test_the_text_holds_no_word_of_a_rule() -> None:
    hostile = [
        clause
        for number, word in enumerate(ATTACKS)
        for clause in (
            rule(lit(f"p {word}", X, word), lit("seat", X, number), lit("seat", word, N)),
            rule(lit("exec", word, Var(word)), lit(f"p {word}", Var(word), word)),
            rule(lit("len", word), Count(N, X, lit("exec", word, X)), Comparison(">", N, Const(3))),
        )
    ]
    shipped = [book_of(name) for name in (None, "cr2021", "draft2004")]
    for made in (book(*hostile), *shipped):
        texts = function_texts(made)
        assert len(texts) > 20
        for text in texts.values():
            assert text.isascii()
            for token in tokenize.generate_tokens(io.StringIO(text).readline):
                if token.type == tokenize.NAME:
                    known = token.string in WORDS or keyword.iskeyword(token.string)
                    assert known or OURS.fullmatch(token.string), token.line
                elif token.type == tokenize.STRING:
                    assert token.string in {"'<'", "'<='", "'>'", "'>='"}, token.line
                elif token.type == tokenize.NUMBER:
                    assert int(token.string) <= 16, token.line


def test_names_that_attack_are_names() -> None:
    clauses = [
        rule(lit(f"p {word}", X, word), lit("seat", X, number), lit("seat", word, N))
        for number, word in enumerate(ATTACKS)
    ]
    facts = [Statement("seat", (word, number)) for number, word in enumerate(ATTACKS)]
    for word in ATTACKS:
        assert both(book(*clauses), facts, lit(f"p {word}", X, Y)) == [((word, word),)]


def test_the_text_depends_on_nothing_but_the_book() -> None:
    made = book_of(None)
    again = made._replace()
    texts = function_texts(made)
    assert texts == function_texts(again)
    assert len(texts) > 500
    program = Program(again)
    for name, arity in sorted(program.arity.items(), reverse=True):
        if program.kind(name) != "f":
            function = Function(program, Goal(name, "b" * arity))
            assert texts[function.name] == function.text


def together(works: list[Any]) -> list[Any]:
    """What each work gives, all begun at once in threads that change places often."""
    results: list[Any] = [None] * len(works)
    start, before = threading.Barrier(len(works)), sys.getswitchinterval()

    def run(number: int) -> None:
        start.wait()
        try:
            results[number] = works[number]()
        except BaseException as error:
            results[number] = error

    threads = [threading.Thread(target=run, args=(n,)) for n in range(len(works))]
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    return results


@pytest.mark.parametrize("seed", range(3))
def test_threads_share_a_solver_and_a_book_that_was_never_asked(seed: int) -> None:
    rng, made = random.Random(seed), book_of(None)
    found = stated(random_table(rng), made)
    assert found
    state, facts = found
    asked = list(questions(made, [*state.names, 1], rng, 40))
    alone = open_solver(made, facts)
    wanted = {question: alone.rows(question) for question in asked}
    shared = open_solver(made._replace(), facts, "compiled")

    def work(number: int) -> dict[Literal, tuple[Row, ...]]:
        mixed = random.Random(number).sample(asked, len(asked))
        return {question: shared.rows(question) for question in mixed}

    for answers in together([lambda n=n: work(n) for n in range(8)]):
        assert answers == wanted


def test_a_book_that_is_let_go_is_gone() -> None:
    found = stated({"seats": ["Ann", "Bob"], "range": 1}, book_of(None))
    assert found
    made = book_of(None)._replace()

    def programs() -> int:
        return sum(type(each) is Program for each in gc.get_objects())

    before = programs()
    for _ in range(12):
        solver = open_solver(made._replace(), found[1], "compiled")
        assert solver.rows(lit("reaches", X, Y))
    gc.collect()
    assert programs() - before <= 8


def test_answers_come_in_order_whatever_their_kinds() -> None:
    made = book(
        rule(lit("mixed", 2)),
        rule(lit("mixed", "b")),
        rule(lit("mixed", N), lit("seat", X, N)),
        rule(lit("mixed", "a")),
    )
    rows = both(made, SEATS[:3], lit("mixed", X))[0]
    assert rows == ((1,), (2,), (3,), ("a",), ("b",))


def test_it_says_what_it_is() -> None:
    assert describe("compiled").startswith("compiled clauses (Python 3.")

"""Canaries: what pyDatalog 0.22.4 does that Seatlog works around.

Each test pins one behaviour of the engine as it is, wanted or not.  A failure here after an
upgrade means that a work-around may have become needless, or wrong, and has to be looked at.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import inspect
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import pytest
from pyDatalog import Logic, pyEngine, pyParser  # type: ignore[import-untyped,unused-ignore]
from pyDatalog import pyDatalog as text_api

engine: Any = pyEngine
COMPILED = str(engine.__file__).endswith(tuple(EXTENSION_SUFFIXES))
BUILTIN_WORDS = ["range", "object", "type", "next", "property", "pass", "is"]


@pytest.fixture(autouse=True)
def own_program() -> Iterator[None]:
    """Give every test a program of its own, and the thread its former one back."""
    former = getattr(Logic.tl, "logic", None)
    resolvers = dict(engine.Python_resolvers)
    Logic()
    yield
    engine.Python_resolvers.clear()
    engine.Python_resolvers.update(resolvers)
    pyParser.clear()
    if former is not None:
        Logic.tl.logic = former


def term(value: Any) -> Any:
    """Make an engine variable of a capitalised or underscored word, a constant of the rest."""
    if isinstance(value, engine.Term):
        return value
    is_variable = isinstance(value, str) and (value[:1].isupper() or value[:1] == "_")
    return engine.Var(value) if is_variable else engine.Const(value)


def lit(name: str, *args: Any) -> Any:
    """Make an engine literal."""
    return engine.Literal(name, [term(arg) for arg in args])


def rule(head: Any, *body: Any) -> None:
    """Assert `head` if `body`, or the fact `head`."""
    engine.assert_(engine.Clause(head, list(body)))


def facts(name: str, *rows: tuple[Any, ...]) -> None:
    """Assert one fact per row."""
    for row in rows:
        rule(lit(name, *row))


def declare(name: str, arity: int) -> Any:
    """Make a predicate known before anything is asserted of it."""
    pred = engine.Pred(name, arity)
    pred.prearity = arity
    return engine.insert(pred)


def ask(name: str, *args: Any) -> Any:
    """Answer through the engine: the rows in order, or a bare True."""
    rows = lit(name, *args).ask()
    return rows if rows is True else sorted(rows, key=repr)


def ask_text(question: str) -> Any:
    """Answer through the text interface: the rows in order, a bare True, or None."""
    answer = text_api.ask(question)
    if answer is None or answer.answers is True:
        return answer and answer.answers
    return sorted(answer.answers, key=repr)


def run_once(goal: Any, tables: dict[Any, Any]) -> Any:
    """Answer `goal` as the engine's own ask does, but starting from, and showing, its tables."""
    state = Logic.tl.logic
    state.Subgoals, state.Recursive, state.gc_uncollected = dict(tables), False, True
    state.Tasks, state.Recursive_Tasks = engine.TaskList(), engine.TaskDeque()
    state.Goal = engine.Subgoal(goal)
    step: Any = (engine.SEARCH, (state.Goal,))
    while step is not None and step[0] is not None:
        step = step[0](*step[1])
    return state


# --- which engine is this -----------------------------------------------------------------------


def test_the_installed_version_is_the_pinned_one() -> None:
    """All below was measured on one release, so the dependency is pinned to exactly that."""
    assert importlib.metadata.version("pyDatalog") == "0.22.4"


def test_the_package_reports_a_stale_version_of_itself() -> None:
    """`__version__` was left behind at 0.17.4, so we read the installed metadata instead."""
    assert text_api.__version__ == "0.17.4"


def test_compiled_and_pure_engine_are_told_apart_by_the_module_file() -> None:
    """A wheel is compiled or pure Python; the suffix of the engine's file tells us which."""
    assert inspect.isfunction(engine.Literal.ask) is not COMPILED
    assert inspect.isfunction(engine.Subgoal.search) is not COMPILED


def test_the_compiled_engine_is_built_from_an_older_source_than_the_pure_one() -> None:
    """They differ inside (keys, fact stores), so we call only what both have and behaves alike."""
    assert hasattr(engine.Literal, "get_fact_id") is COMPILED
    assert hasattr(engine.Literal, "get_key_id") is not COMPILED
    assert hasattr(engine, "FactDb") is not COMPILED


# --- text is code -------------------------------------------------------------------------------


def test_load_executes_python_found_in_the_text(tmp_path: Path) -> None:
    """Rule text is run as Python, so we read rules ourselves and never hand text over."""
    target = tmp_path / "made_by_load"
    text_api.load(f"__import__('pathlib').Path({str(target)!r}).write_text('x')")
    assert target.read_text() == "x"


def test_ask_executes_python_found_in_the_question(tmp_path: Path) -> None:
    """A question is run as Python too, so we build questions from engine objects."""
    target = tmp_path / "made_by_ask"
    classes = "().__class__.__base__.__subclasses__()"
    wrapper = f"[c for c in {classes} if c.__name__ == '_wrap_close'][0]"
    with pytest.raises(AttributeError, match="ask"):
        text_api.ask(f"{wrapper}.__init__.__globals__['mkdir']({str(target)!r})")
    assert target.is_dir()


def test_a_question_can_add_a_rule() -> None:
    """A rule given to ask fails, yet stays asserted; our questions can be literals only."""
    text_api.load("+ q(1)")
    with pytest.raises(AttributeError, match="ask"):
        text_api.ask("p(X) <= q(X)")
    assert ask("p", "X") == [(1,)]


def test_a_load_that_fails_keeps_what_came_before() -> None:
    """Nothing is undone on an error, so we check a whole book before asserting any of it."""
    with pytest.raises(text_api.DatalogError, match="containing Variables"):
        text_api.load("+ p(1)\n+ p(Alice)")
    assert ask("p", "X") == [(1,)]


def test_a_failing_text_question_leaves_a_predicate_behind() -> None:
    """Every failure leaks a `_pyD_query` entry, so we ask without the text interface."""
    facts("q", (1,))
    for _ in range(3):
        with pytest.raises(text_api.DatalogError):
            text_api.ask("(X > 0) & q(X)")
    assert sum(name.startswith("_pyD_query") for name in Logic.tl.logic.Db) == 3


@pytest.mark.parametrize("word", BUILTIN_WORDS)
def test_a_builtin_word_is_no_predicate_in_text(word: str) -> None:
    """Builtins and keywords are not renamed in text; another reason for a reader of our own."""
    with pytest.raises((TypeError, SyntaxError)):
        text_api.load(f"+ {word}('a', 1, 2, 3)")


@pytest.mark.parametrize("word", BUILTIN_WORDS)
def test_a_builtin_word_is_a_predicate_for_the_engine(word: str) -> None:
    """Engine objects take any name, so a rule may say `range` or `pass` in our language."""
    facts(word, ("a", 1))
    rule(lit("near", "X"), lit(word, "X", "N"), lit("==", "N", 1))
    assert ask("near", "X") == [("a",)]


def test_a_builtin_word_as_a_constant_in_text_becomes_the_builtin() -> None:
    """`object` in text means the class, any other word its name; we make constants ourselves."""
    text_api.load("+ kind('a', object)\n+ kind('b', creature)")
    assert ask("kind", "X", "Y") == [("a", object), ("b", "creature")]


def test_a_capitalised_name_in_text_is_a_variable() -> None:
    """A name without quotes matches everybody, silently; our linter asks for quotes."""
    text_api.load("+ a('Alice')\n+ a('Bob')\nb(X) <= a(X) & (X == Alice)")
    assert ask("b", "X") == [("Alice",), ("Bob",)]


def test_a_fact_without_its_plus_does_nothing() -> None:
    """A bare literal is evaluated and forgotten; facts reach the engine from our tables."""
    text_api.load("p(9)\n+ p(1)")
    assert ask("p", "X") == [(1,)]


def test_the_word_true_is_asserted_as_a_boolean() -> None:
    """`assert_fact` reads the string 'True' as a bool; an engine constant keeps the string."""
    text_api.assert_fact("c", "True")
    facts("d", (engine.Const("True"),))
    assert ask("c", "X") == [(True,)]
    assert ask("d", "X") == [("True",)]


# --- the body of a rule -------------------------------------------------------------------------


def test_a_comma_drops_the_literals_after_it() -> None:
    """`q(X), r(X)` means q(X) alone, without an error; our linter refuses a comma there."""
    text_api.load("+ q(1)\n+ q(2)\n+ r(1)\nwith_comma(X) <= q(X), r(X)\nwith_and(X) <= q(X) & r(X)")
    assert ask("with_comma", "X") == [(1,), (2,)]
    assert ask("with_and", "X") == [(1,)]


@pytest.mark.parametrize("word", ["and", "or"])
def test_the_words_and_and_or_keep_only_the_first_literal(word: str) -> None:
    """Python binds `<=` before `and` and `or`, so the rest is lost; our linter refuses both."""
    text_api.load(f"+ q(1)\n+ q(2)\n+ r(1)\n+ r(3)\np(X) <= q(X) {word} r(X)")
    assert ask("p", "X") == [(1,), (2,)]


def test_the_words_and_and_or_in_a_question_answer_one_side() -> None:
    """`q and r` answers r, `q or r` answers q; questions go through our reader as well."""
    text_api.load("+ q(1)\n+ q(2)\n+ r(1)\n+ r(3)")
    assert ask_text("q(X) and r(X)") == [(1,), (3,)]
    assert ask_text("q(X) or r(X)") == [(1,), (2,)]


def test_an_unknown_predicate_in_a_body_is_merely_empty() -> None:
    """A misspelt name gives no error, just no rows; our linter knows every declared name."""
    facts("q", (1,))
    rule(lit("p", "X"), lit("q", "X"), lit("qq", "X"))
    assert ask("p", "X") == []
    assert ask("qq", "X") == []


def test_an_unknown_predicate_asked_for_directly_is_an_error() -> None:
    """Only a question for a name no rule mentions raises; we check the name before asking."""
    with pytest.raises(AttributeError, match="Predicate without definition"):
        ask("qq", "X")


def test_a_wrong_number_of_arguments_in_a_body_is_merely_empty() -> None:
    """seat/1 is another predicate than seat/2 and has no rows; our linter compares arities."""
    facts("seat", ("a", 1))
    rule(lit("near", "X"), lit("seat", "X"))
    assert ask("near", "X") == []
    assert ask("seat", "X", "Y") == [("a", 1)]


def test_a_negated_predicate_without_any_fact_or_rule_is_an_error() -> None:
    """`~p` needs p to be known, even if nothing is p; see the next test for what we do."""
    facts("q", (1,))
    rule(lit("p", "X"), lit("q", "X"), lit("~gone", "X"))
    with pytest.raises(AttributeError, match=r"Predicate without definition.*gone/1"):
        ask("p", "X")


def test_an_inserted_predicate_can_be_negated() -> None:
    """Inserting an empty predicate makes `~p` work, so we insert every declared one."""
    engine.insert(engine.Pred("gone", 1))
    facts("q", (1,))
    rule(lit("p", "X"), lit("q", "X"), lit("~gone", "X"))
    assert ask("p", "X") == [(1,)]


def test_a_negated_literal_before_its_variable_is_bound_loses_the_answers() -> None:
    """Negation looks at what is bound so far; we put negated literals last in a body."""
    facts("q", (1,), (2,))
    facts("r", (1,))
    rule(lit("too_early", "X"), lit("~r", "X"), lit("q", "X"))
    rule(lit("in_time", "X"), lit("q", "X"), lit("~r", "X"))
    assert ask("too_early", "X") == []
    assert ask("in_time", "X") == [(2,)]


def test_a_variable_under_negation_only_is_true_of_anything() -> None:
    """Unsafe rules list nothing yet agree to any constant; our linter wants a binding literal."""
    facts("r", (1,))
    rule(lit("p", "X"), lit("~r", "X"))
    assert ask("p", "X") == []
    assert ask("p", 99) == [(99,)]


def test_an_assignment_before_its_operand_is_bound_loses_the_answers() -> None:
    """`Y == X + 1` fails quietly while X is open; we order bodies: binders, then comparisons."""
    facts("q", (1,))
    total = engine.Operation(term("X"), "+", term(1))
    rule(lit("too_early", "X", "Y"), lit("==", "Y", total), lit("q", "X"))
    rule(lit("in_time", "X", "Y"), lit("q", "X"), lit("==", "Y", total))
    assert ask("too_early", "X", "Y") == []
    assert ask("in_time", "X", "Y") == [(1, 2)]


def test_a_comparison_before_its_variable_is_bound_raises_without_a_place() -> None:
    """The error names neither rule nor line, so we order bodies and report places ourselves."""
    facts("q", (1,))
    rule(lit("p", "X"), lit(">", "X", 0), lit("q", "X"))
    with pytest.raises(text_api.DatalogError, match="left hand side") as caught:
        ask("p", "X")
    assert (caught.value.lineno, caught.value.function) == (None, None)


def test_a_head_variable_left_open_answers_true_without_rows() -> None:
    """The rows are lost in a bare True; our linter wants head variables bound by the body."""
    facts("q", (1,), (2,))
    rule(lit("p", "X", "Y"), lit("q", "X"))
    assert ask("p", "X", "Y") is True


def test_an_expression_in_a_head_never_matches() -> None:
    """`p(X + 1)` is accepted and has no rows; our linter sends the expression to the body."""
    facts("q", (1,))
    rule(lit("p", engine.Operation(term("X"), "+", term(1))), lit("q", "X"))
    assert ask("p", "X") == []
    assert ask("p", 2) == []


def test_a_bare_underscore_twice_is_the_same_variable() -> None:
    """`_` is a name like any other, so our reader gives each `_` a name of its own."""
    facts("e", ("a", 1, 2), ("b", 3, 3))
    rule(lit("same", "X"), lit("e", "X", "_", "_"))
    rule(lit("apart", "X"), lit("e", "X", "_1", "_2"))
    assert ask("same", "X") == [("b",)]
    assert ask("apart", "X") == [("a",), ("b",)]


# --- values -------------------------------------------------------------------------------------


def test_floats_are_rounded_on_their_way_in() -> None:
    """Text and arithmetic keep about eight digits; our language has whole numbers only."""
    text_api.load("+ p(0.1)\n+ p(123456789.123)")
    assert ask("p", "X") == [(0.09999999962747097,), (123456789.0,)]


def test_an_engine_constant_is_not_rounded_and_so_misses_arithmetic() -> None:
    """The same number arrives in two forms that never meet; one more reason for no floats."""
    facts("p", (0.1,))
    once = engine.Operation(term("X"), "*", term(1))
    rule(lit("same", "X"), lit("p", "X"), lit("==", "Y", once), lit("p", "Y"))
    assert ask("p", "X") == [(0.1,)]
    assert ask("same", "X") == []


def test_true_and_one_are_the_same_value() -> None:
    """The second fact replaces the first and joins with it; our values are ints and strings."""
    facts("p", (1,), (True,), ("1",))
    facts("q", (True,))
    rule(lit("both", "X"), lit("p", "X"), lit("q", "X"))
    assert [repr(row) for row in ask("p", "X")] == ["('1',)", "(True,)"]
    assert len(ask("both", "X")) == 1


def test_a_tuple_constant_is_mistaken_for_a_variable() -> None:
    """("v", 0) is how the engine tags an open place, so we let no tuple in as a value."""
    answers = {}
    for pair in [("v", 0), ("x", 0)]:
        Logic()
        facts("p", (1,), (pair,))
        facts("k", (pair,))
        rule(lit("h", "X"), lit("k", "Y"), lit("p", "Y"), lit("p", "X"))
        answers[pair] = ask("h", "X")
    assert answers[("x", 0)] == [(("x", 0),), (1,)]
    assert answers[("v", 0)] == [(("v", 0),)]


def test_an_error_in_arithmetic_becomes_a_value() -> None:
    """A failed sum is a row with the exception in it; we look for exceptions among the rows."""
    facts("word", ("a",))
    facts("zero", (0,))
    plus = engine.Operation(term("X"), "+", term(1))
    over = engine.Operation(term(10), "/", term("X"))
    rule(lit("p", "Y"), lit("word", "X"), lit("==", "Y", plus))
    rule(lit("q", "Y"), lit("zero", "X"), lit("==", "Y", over))
    assert isinstance(ask("p", "Y")[0][0], TypeError)
    assert isinstance(ask("q", "Y")[0][0], ZeroDivisionError)


def test_a_comparison_of_a_word_with_a_number_raises_in_mid_question() -> None:
    """Order between kinds is a TypeError without a place; our linter follows the kinds."""
    facts("q", ("a",))
    rule(lit("p", "X"), lit("q", "X"), lit("<", "X", 1))
    with pytest.raises(TypeError, match="not supported between"):
        ask("p", "X")


def test_remainder_and_quotient_are_those_of_python() -> None:
    """A negative dividend rounds down, which is what distances round a ring rely on."""
    facts("n", (-7,))
    for head, sign in [("rest", "%"), ("part", "//")]:
        result = engine.Operation(term("X"), sign, term(3))
        rule(lit(head, "Y"), lit("n", "X"), lit("==", "Y", result))
    assert ask("rest", "Y") == [(2,)]
    assert ask("part", "Y") == [(-3,)]


# --- answers ------------------------------------------------------------------------------------


def test_answers_have_to_be_sorted_by_us() -> None:
    """Rows come in the order of a hash set, so we sort every answer before showing it."""
    facts("p", *((name,) for name in "hgfedcba"))
    assert sorted(lit("p", "X").ask()) == [(name,) for name in "abcdefgh"]


def test_the_engine_answers_with_full_rows_and_the_text_with_variables_only() -> None:
    """An engine answer repeats the constants asked for, so we read columns by position."""
    facts("seat", ("a", 1), ("b", 2))
    assert ask("seat", "a", "X") == [("a", 1)]
    assert ask_text("seat('a', X)") == [(1,)]


def test_no_answer_is_an_empty_list_from_the_engine_and_none_from_text() -> None:
    """The engine's [] is easier to work with than None; we ask the engine."""
    facts("p", (1,))
    assert lit("p", 2).ask() == []
    assert text_api.ask("p(2)") is None


def test_a_witness_predicate_shows_every_variable_of_a_clause() -> None:
    """The engine keeps no proof; a witness with all variables gives us each way it holds."""
    facts("owns", ("a", "x"), ("b", "x"))
    facts("near", ("a", "b"), ("b", "a"))
    rule(lit("clause 1", "P", "Q", "T"), lit("owns", "P", "T"), lit("near", "P", "Q"))
    rule(lit("shares", "P", "Q"), lit("clause 1", "P", "Q", "T"))
    assert ask("shares", "a", "Q") == [("a", "b")]
    assert ask("clause 1", "a", "Q", "T") == [("a", "b", "x")]


# --- programs, threads, state -------------------------------------------------------------------


def test_a_thread_has_no_program_until_it_makes_one() -> None:
    """Another thread fails in load and ask before Logic(); we make a program where we ask."""
    seen: list[Any] = []

    def work() -> None:
        for name, attempt in (("load", text_api.load), ("ask", text_api.ask)):
            try:
                seen.append(attempt("p(1)"))
            except AttributeError as error:
                seen.append((name, "_local" in str(error)))
        try:
            seen.append(ask("p", "X"))
        except AttributeError as error:
            seen.append(("engine", "_local" in str(error)))
        Logic()
        facts("p", (1,))
        seen.append(ask("p", "X"))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [("load", True), ("ask", True), ("engine", True), [(1,)]]


def test_a_program_put_into_another_thread_by_hand_cannot_run_rules() -> None:
    """The counter of fresh variables is missing there; a swap by hand stays in one thread."""
    facts("q", (1,))
    rule(lit("p", "X"), lit("q", "X"))
    program = Logic.tl.logic
    seen: list[str] = []

    def work() -> None:
        Logic.tl.logic = program
        try:
            seen.append(repr(ask("p", "X")))
        except AttributeError as error:
            seen.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert "counter" in seen[0]


def test_programs_swapped_by_hand_are_apart_and_can_be_entered_again() -> None:
    """Two Logic() share nothing if we set Logic.tl.logic ourselves, one per book and table."""
    first = Logic()
    facts("p", (1,))
    second = Logic()
    facts("p", (2,))
    facts("only_second", (3,))
    Logic.tl.logic = first
    facts("p", (4,))
    assert ask("p", "X") == [(1,), (4,)]
    with pytest.raises(AttributeError, match="without definition"):
        ask("only_second", "X")
    Logic.tl.logic = second
    assert ask("p", "X") == [(2,)]
    assert ask("only_second", "X") == [(3,)]


def test_a_program_copied_by_logic_shares_its_predicates() -> None:
    """`Logic(saved)` copies the list, not the facts, so we never copy a program to change it."""
    first = Logic()
    facts("p", (1,))
    Logic(first)
    facts("p", (2,))
    facts("new", (3,))
    Logic.tl.logic = first
    assert ask("p", "X") == [(1,), (2,)]
    with pytest.raises(AttributeError, match="without definition"):
        ask("new", "X")


def test_the_next_caller_sees_the_program_of_the_last() -> None:
    """There is one current program per thread, so we make ours current before each question."""

    def somebody_else() -> None:
        Logic()
        facts("p", (2,))

    facts("p", (1,))
    ours = Logic.tl.logic
    somebody_else()
    assert ask("p", "X") == [(2,)]
    Logic.tl.logic = ours
    assert ask("p", "X") == [(1,)]


def test_a_python_resolver_outlives_its_program_and_hides_facts() -> None:
    """Resolvers are global to the process; we hang functions on a predicate's `prim` instead."""

    def p(_x: Any) -> Iterator[tuple[str]]:
        yield ("from the resolver",)

    text_api.predicate()(p)
    Logic()
    facts("p", ("from a fact",))
    assert ask("p", "X") == [("from the resolver",)]


def test_a_bare_true_or_an_error_leaves_the_run_in_place_of_the_outer_one() -> None:
    """Only a list puts back the run before it, so a nested question restores that itself."""
    facts("q", (1,))
    rule(lit("good", "X"), lit("q", "X"))
    rule(lit("open", "X", "Y"), lit("q", "X"))
    rule(lit("bad", "X"), lit(">", "X", 0), lit("q", "X"))
    goals = []
    for name, variables in [("good", "X"), ("open", "XY"), ("good", "X"), ("bad", "X")]:
        with contextlib.suppress(text_api.DatalogError):
            ask(name, *variables)
        goals.append(str(Logic.tl.logic.Goal))
    assert goals == ["None", "open(X,Y)", "open(X,Y)", "bad(X)"]
    assert ask("good", "X") == [(1,)]


# --- kept tables --------------------------------------------------------------------------------


def spy(name: str, rows: list[tuple[Any, ...]]) -> list[str]:
    """Make a predicate of `rows` that notes each time the engine looks it up."""
    calls: list[str] = []

    def prim(literal: Any, subgoal: Any) -> None:
        calls.append(str(literal))
        for row in rows:
            subgoal.fact_candidate(None, [term(value) for value in row])

    declare(name, len(rows[0])).prim = prim
    return calls


def test_ask_starts_from_nothing_each_time() -> None:
    """The engine forgets its tables after each question, so we keep them ourselves."""
    calls = spy("q", [(1,), (2,)])
    rule(lit("p", "X"), lit("q", "X"))
    assert [ask("p", "X"), ask("p", "X")] == [[(1,), (2,)]] * 2
    assert len(calls) == 2


def test_kept_tables_answer_a_repeated_question() -> None:
    """`Subgoals` of a finished run can be handed to the next, which then looks nothing up."""
    calls = spy("q", [(1,), (2,)])
    rule(lit("r", "X"), lit("q", "X"))
    rule(lit("p", "X"), lit("r", "X"))
    rule(lit("other", "X"), lit("r", "X"), lit("!=", "X", 1))
    state = run_once(lit("p", "X"), {})
    kept = dict(state.Subgoals)
    assert not state.Tasks
    assert not state.Recursive_Tasks
    for goal, rows in [("p", [(1,), (2,)]), ("other", [(2,)])]:
        for table in kept.values():
            table.waiters = []
        found = run_once(lit(goal, "X"), kept).Goal.facts.values()
        assert sorted(tuple(t.id for t in fact.terms) for fact in found) == rows
    assert len(calls) == 1


def test_the_goal_itself_is_not_among_the_tables() -> None:
    """The engine files subgoals only, so we file the goal under its tag along with them."""
    facts("q", (1,))
    rule(lit("p", "X"), lit("q", "X"))
    state = run_once(lit("p", "X"), {})
    assert lit("q", "X").get_tag() in state.Subgoals
    assert state.Goal.literal.get_tag() not in state.Subgoals


def test_kept_tables_do_not_notice_a_new_fact() -> None:
    """A table stays as it was when a fact comes in, so we drop all tables on any change."""
    facts("q", (1,))
    rule(lit("p", "X"), lit("q", "X"))
    kept = dict(run_once(lit("p", "X"), {}).Subgoals)
    facts("q", (2,))
    for table in kept.values():
        table.waiters = []
    assert len(run_once(lit("p", "X"), kept).Goal.facts) == 1
    assert len(run_once(lit("p", "X"), {}).Goal.facts) == 2


def test_a_run_that_stops_early_leaves_tasks_and_half_a_table() -> None:
    """A ground goal stops at its first proof; we keep tables of runs without tasks left only."""
    facts("q", *((number,) for number in range(6)))
    rule(lit("hit", 1), lit("q", "Y"))
    state = run_once(lit("hit", 1), {})
    assert state.Goal.is_done
    assert state.Tasks
    assert len(state.Subgoals[lit("q", "Y").get_tag()].facts) < 6


# --- counting -----------------------------------------------------------------------------------


class WhenComplete:
    """What the engine takes for an aggregate: told once the counted goal has no work left."""

    def __init__(self, keys: list[Any]) -> None:
        """Remember the key terms of the count."""
        self.keys = keys

    def complete(self, counted: Any, waiting: Any) -> None:
        """Answer the waiting goal with the number of rows of the counted one."""
        waiting.fact_candidate(None, [*self.keys, engine.Const(len(counted.facts))])


def count_by_nested_question(literal: Any, subgoal: Any) -> None:
    """Answer n_owned(P, N) by a question of its own for owned(P, _)."""
    keys = literal.terms[:-1]
    assert all(key.is_const() for key in keys)
    rows = engine.Literal("owned", [*keys, engine.Var("Counted")]).ask()
    subgoal.fact_candidate(None, [*keys, engine.Const(len(rows))])


def count_within_the_run(literal: Any, subgoal: Any) -> None:
    """Answer n_owned(P, N) once owned(P, _) is complete in the same run."""
    keys = literal.terms[:-1]
    assert all(key.is_const() for key in keys)
    subgoal.complete(engine.Literal("owned", [*keys, engine.Var("Counted")]), WhenComplete(keys))


COUNTS = [count_by_nested_question, count_within_the_run]


def players(count: Callable[[Any, Any], None]) -> None:
    """Three players who own two, one and no living things, counted by `count`."""
    facts("player", ("a",), ("b",), ("c",))
    facts("owns", ("a", "x"), ("a", "y"), ("a", "z"), ("b", "w"), ("c", "v"))
    facts("dead", ("z",), ("v",))
    rule(lit("owned", "P", "T"), lit("owns", "P", "T"), lit("~dead", "T"))
    declare("n_owned", 2).prim = count


def test_the_engines_own_count_has_no_row_for_an_empty_group() -> None:
    """`len_` skips players who own nothing, so we count with a function on a predicate."""
    text_api.load("+ player(a)\n+ player(c)\n+ owns(a, x)\n(n[P] == len_(T)) <= owns(P, T)")
    assert ask_text("player(P) & (n[P] == N)") == [("a", 1)]


@pytest.mark.parametrize("count", COUNTS)
def test_a_function_on_a_predicate_counts_groups_and_empty_groups(
    count: Callable[[Any, Any], None],
) -> None:
    """`prim` may work out 0 for an empty group if an earlier literal binds the key."""
    players(count)
    rule(lit("score", "P", "N"), lit("player", "P"), lit("n_owned", "P", "N"))
    for _ in range(2):
        assert ask("score", "P", "N") == [("a", 2), ("b", 1), ("c", 0)]
    assert ask("score", "c", "N") == [("c", 0)]
    assert ask("n_owned", "a", "N") == [("a", 2)]


@pytest.mark.parametrize("count", COUNTS)
def test_a_counted_number_can_be_given_compared_and_negated(
    count: Callable[[Any, Any], None],
) -> None:
    """`fact_candidate` drops a count that differs from a number the rule gave itself."""
    players(count)
    rule(lit("none", "P"), lit("player", "P"), lit("n_owned", "P", 0))
    rule(lit("some", "P"), lit("player", "P"), lit("n_owned", "P", "N"), lit(">", "N", 0))
    rule(lit("not_two", "P"), lit("player", "P"), lit("~n_owned", "P", 2))
    assert ask("none", "P") == [("c",)]
    assert ask("some", "P") == [("a",), ("b",)]
    assert ask("not_two", "P") == [("b",), ("c",)]


@pytest.mark.parametrize("count", COUNTS)
def test_a_count_before_its_key_is_bound_reaches_the_function_open(
    count: Callable[[Any, Any], None],
) -> None:
    """The engine passes open keys on to `prim`; we refuse them and order counts after binders."""
    players(count)
    rule(lit("score", "P", "N"), lit("n_owned", "P", "N"), lit("player", "P"))
    with pytest.raises(AssertionError):
        ask("score", "P", "N")


def test_a_predicate_with_a_function_ignores_facts() -> None:
    """What is asserted of such a predicate is dropped without a word; our linter refuses it."""
    players(count_by_nested_question)
    facts("n_owned", ("c", 7))
    assert ask("n_owned", "c", "N") == [("c", 0)]


# --- recursion that does not come back ----------------------------------------------------------

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")

CHILD = """
import os, signal
from pyDatalog import pyDatalog
def end(word):
    print(word, flush=True)
    os._exit(0)
signal.signal(signal.SIGALRM, lambda *_: end("stopped"))
signal.signal(signal.SIGINT, lambda *_: end("stopped"))
pyDatalog.load({program!r})
print("asking", flush=True)
signal.setitimer(signal.ITIMER_REAL, 0.3)
pyDatalog.ask({question!r})
end("answered")
"""


def end_of_child(program: str, question: str) -> str:
    """Ask in a child that an alarm, then SIGINT, should stop; tell how it ended."""
    with subprocess.Popen(
        [sys.executable, "-c", CHILD.format(program=program, question=question)],
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "asking\n"
        try:
            try:
                child.wait(timeout=0.9)
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGINT)
                child.wait(timeout=0.4)
        except subprocess.TimeoutExpired:
            child.kill()
            return "killed"
        return child.stdout.read().strip()


@needs_signals
@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            "p(X) <= d(X) & ~q(X)\nq(X) <= d(X) & ~p(X)",
            id="negation through a cycle",
        ),
        pytest.param(
            "p(X) <= q(X)\nq(X) <= r(X)\nr(X) <= p(X)\nr(X) <= d(X)",
            id="positive cycle of three predicates",
        ),
        pytest.param(
            "p(X) <= t(1, X)\nt(X, Y) <= e(X, Y)\nt(X, Z) <= e(X, Y) & t(Y, Z)\n"
            "+ e(1, 2)\n+ e(2, 3)\n+ e(3, 4)\n+ e(4, 1)",
            id="right recursion round a ring",
        ),
    ],
)
def test_such_recursion_hangs_and_the_compiled_engine_is_deaf_to_signals(program: str) -> None:
    """Neither alarm nor SIGINT gets through; we refuse such rules and ask under a supervisor."""
    assert end_of_child("+ d(1)\n" + program, "p(X)") == ("killed" if COMPILED else "stopped")


@needs_signals
def test_a_finite_join_is_deaf_to_signals_as_well() -> None:
    """Five open literals keep the compiled engine busy past a budget; the supervisor kills."""
    program = "\n".join(f"+ d({number})" for number in range(60))
    body = " & ".join(f"d({name})" for name in "ABCDE")
    end = end_of_child(f"{program}\np(A) <= {body} & (A > 99)", "p(A)")
    assert end == ("killed" if COMPILED else "stopped")


@needs_signals
def test_recursion_that_makes_new_values_runs_on_but_can_be_stopped() -> None:
    """Ever new numbers eat memory until a signal comes; our linter refuses counting upwards."""
    assert end_of_child("+ n(0)\nn(Y) <= n(X) & (Y == X + 1)", "n(X)") == "stopped"


def test_left_recursion_over_one_predicate_comes_back() -> None:
    """A closure whose own literal comes first is safe, and the one recursion we permit."""
    facts("e", (1, 2), (2, 3), (3, 1))
    rule(lit("t", "X", "Y"), lit("e", "X", "Y"))
    rule(lit("t", "X", "Z"), lit("t", "X", "Y"), lit("e", "Y", "Z"))
    assert ask("t", 1, "X") == [(1, 1), (1, 2), (1, 3)]


def test_negation_of_a_predicate_by_itself_is_answered_and_wrong() -> None:
    """A rule that denies its own head makes it true; our linter refuses unstratified books."""
    facts("d", (1,))
    declare("p", 1)
    rule(lit("p", "X"), lit("d", "X"), lit("~p", "X"))
    assert ask("p", "X") == [(1,)]

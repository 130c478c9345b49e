"""The interactive session: its core without a terminal, and the whole through a pseudo-terminal."""

from __future__ import annotations

import contextlib
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from places import TESTS
from seatlog.book import Book, Verb, Words
from seatlog.budget import Budget
from seatlog.editions import home, load_book
from seatlog.errors import BudgetError, QuestionError
from seatlog.game import Spoken, change_for, open_session, spoken, words
from seatlog.model import Const, literals
from seatlog.repl import core, manual, rulings, verbs
from seatlog.repl.asking import Data, Work
from seatlog.repl.child import in_child
from seatlog.repl.completing import complete
from seatlog.repl.core import Repl
from seatlog.repl.fitting import fit
from seatlog.repl.lines import command, finished
from seatlog.repl.saving import as_text
from seatlog.repl.state import State, opened
from seatlog.table import table

TABLE = "four_in_a_ring"
OTHER = TESTS / "other_book"
ENDLESS = (
    " & ".join(f"seat({n}, {n}{n})" for n in "ABCDEFGHIJKLMN") + " & (NN > 100) & (AA > 0)"
)  # 4 ** 14 ways, none of them right


@cache
def four() -> State:
    """The state most tests start from. Nobody can alter it."""
    return opened(TABLE, None, {})


def repl(*lines: str, file: str | None = TABLE, **keys: Any) -> Repl:
    """A session in this process in which some lines were done without an error."""
    found = Repl(opened(file, None, keys) if keys or file != TABLE else four())
    for line in lines:
        assert found.execute(line).error == "", line
    return found


def state_of(book: Book, data: dict[str, Any]) -> State:
    """The state of some data under a book."""
    known = table(data, book.vocabulary, None, "table")
    return State(book, book, known, tuple(f for f in known.facts if f.origin))


def said(found: Repl) -> set[tuple[Any, ...]]:
    return {(f.name, *f.row) for f in found.state.said}


# What a line is


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Alex target Rob", True),
        ("Alex target (Rob", True),
        ("in_range(Alex, X)", True),
        ("in_range(Alex, X", False),
        ("in_range(Alex, X) &", False),
        ("in_range(Alex, ')'", False),
        ("in_range(Alex, '(')", True),
        ("in_range(Alex, X\n", True),
        (":facts (", True),
        (":rule p(X) <= (seat(X, _S)", False),
        (":rule p(X) <=", False),
        (":rule # yes: {X} sits (well)", False),
        (":rule # yes: {X} sits (well)\np(X) <= (seat(X, _S))", True),
        (":rule 1.2 # yes: {X} sits (well)", False),
        (":rule 1.2 p(X) <= (seat(X, _S))", True),
        (":rule", True),
        (":why in_range(Alex,", False),
        (":why Alex target", True),
        ("+ seat('A', 1", False),
        ("", True),
    ],
)
def test_when_a_line_is_finished(text: str, whole: bool) -> None:
    assert finished(text) is whole


def test_words_and_commands() -> None:
    assert [w.text for w in words("""a "b c" 'd e' f's, g""")] == ["a", "b c", "d e", "f's", "g"]
    assert [w.ends for w in words('a "b c", d')] == [False, True, False]
    with pytest.raises(QuestionError, match="quote"):
        words('a "b')
    assert command(" :why  a b ") == ("why", "a b")
    assert command("?") == ("help", "")
    assert command("a :b") is None


BEHIND = (("with", "Rob"), ("for", "Cut"))
CHOOSE = Verb("choose", 0, 1, "p", (("for", 2), ("with", 3)))


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("rob choose old dana for cut", Spoken("Rob", "choose", "Old Dana", (("for", "Cut"),))),
        ("can Rob choose Second?", Spoken("Rob", "choose", "Second")),
        ('Rob choose "Cut for Second"', Spoken("Rob", "choose", "Cut for Second")),
        ("Rob choose Cut for Second", None),
        ("Rob choose with Rob for Cut", Spoken("Rob", "choose", None, BEHIND)),
        ("Rob CHOOSE", Spoken("Rob", "choose")),
        ("Rob choose Nobody Here", Spoken("Rob", "choose", "Nobody Here")),
        ("Rob choose Bob for cut", Spoken("Rob", "choose", "Bob", (("for", "cut"),))),
        ("Bob chose Rob", Spoken("Bob", "chose", "Rob")),
    ],
)  # fmt: skip
def test_players_words(text: str, reading: Spoken | None) -> None:
    names = dict.fromkeys(["Rob", "Old Dana", "Second", "Cut for Second", "Cut"], "Any")
    if reading is None:
        with pytest.raises(QuestionError, match="more than one way"):
            spoken(words(text), names, [CHOOSE])
    else:
        assert spoken(words(text), names, [CHOOSE]) == reading


# Questions


def test_a_question_is_answered_as_the_commands_answer_it() -> None:
    found = repl()
    asked = open_session(TABLE).can("Alex", "target", "Runeclaw Bear")
    for line in (
        'Alex target "Runeclaw Bear"',
        "can alex target runeclaw bear?",
        "can_target(Alex, runeclaw bear)",
        "can_target('Alex', 'Runeclaw Bear')",
    ):
        reply = found.execute(line)
        assert (reply.text, reply.verdict) == (asked.text(), False), line
    rows = found.execute("can_target(Alex, X)")
    assert rows.text == open_session(TABLE).ask("can_target(Alex, X)").text()
    assert rows.verdict is None
    assert found.execute("# a comment") == core.Reply()


def test_why_and_change_are_about_the_last_answer_or_a_question() -> None:
    found = repl()
    assert "nothing was asked yet" in found.execute(":why").error
    found.execute("Alex target Runeclaw Bear")
    tree = open_session(TABLE).can("Alex", "target", "Runeclaw Bear").text(tree=True)
    assert found.execute(":why") == core.Reply(tree, verdict=False)
    assert found.execute(":why Alex target Rob").text.startswith("yes\n  Alex can target Rob")
    assert "Alex can target Rob" in found.execute(":why").text
    found.execute("Alex target Runeclaw Bear")
    change = found.execute(":change").text.splitlines()
    asked = open_session(TABLE).can("Alex", "target", "Runeclaw Bear")
    found_there = change_for(open_session(TABLE), asked)
    assert found_there and change[0] == found_there.said(False)
    assert found.execute(change[1].strip()).error == ""
    reply = found.execute(":why")
    assert reply.verdict is True
    assert reply.notes == ("the answer has changed since it was given",)
    assert "without variables" in found.execute(":change can_target(Alex, X)").error


def test_what_would_turn_a_yes_can_be_typed() -> None:
    found = repl("Alex target Grizzly Bears")
    head, line = found.execute(":change").text.splitlines()
    assert head == "it would be no if Rob doesn't control Grizzly Bears"
    assert line.strip().startswith((":no ", "- "))


def test_an_error_is_said_and_the_session_goes_on() -> None:
    found = repl()
    before = found.state
    for line, what in (
        ("Alex traget Rob", 'did you mean "target"?'),
        ("Alex target Rbo Ert", "nobody and nothing"),
        ("Alex", "a verb is missing"),
        ("facts", "did you mean `:facts`?"),
        ("leave Rob", "did you mean `:leave Rob`?"),
        (":wyh", "did you mean `:why`?"),
        (":fact", "did you mean `:facts`?"),
        (":", ""),
        ("can_target(Alex)", "L02"),
        ("can_target(Alex, X", "S01"),
        (":show 999.9", "has no rule"),
        (":show", "which rule?"),
        (":load nowhere.toml", "can't be read"),
        (":help nonsense", "no command"),
        (":no why", "states no fact"),
        (":undo", "nothing is there"),
    ):
        assert what in found.execute(line).error, line
    assert found.state is before
    assert found.execute("Alex target Rob").verdict is True


@pytest.mark.parametrize("name", ["undo", "redo", "names", "resume", "forget", "quit"])
def test_what_takes_nothing_ignores_nothing(name: str) -> None:
    found = repl(":seat Eve")
    before = found.state
    reply = found.execute(f":{name} 5")
    assert f"`:{name}` takes nothing behind it" in reply.error
    assert found.state is before and not reply.over


def test_what_nobody_foresaw_is_one_line() -> None:
    def broken(_work: Work, _state: State, _text: str) -> Data:
        raise ZeroDivisionError("so\nit is")

    found = repl()
    right, found.run = found.run, broken
    error = found.execute("Alex target Rob").error
    assert error == "Seatlog itself failed (ZeroDivisionError: so\\x0ait is)"
    assert "ZeroDivisionError" in found.execute(":seat Eve").error
    assert ("seat", "Eve", 5) not in said(found)
    found.run = right
    assert found.execute("Alex target Rob").verdict is True


# The vocabulary's verbs


def test_a_number_without_gaps_counts_on() -> None:
    found = repl()
    reply = found.execute(":seat Old Eve")
    assert reply.text.splitlines()[1:] == ["Seat is 5, the next one", "new Player: Old Eve"]
    assert ("seat", "Old Eve", 5) in said(found)
    assert found.prompt == f"{TABLE}, 13 facts> "
    assert "already" in found.execute(":seat rob").text
    assert found.prompt == f"{TABLE}, 13 facts> "
    assert "Seat 6 is missing" in found.execute(":seat Zoe 7").error
    assert ("seat", "Zoe", 7) not in said(found)


def test_a_value_that_holds_for_the_table_may_be_left_out() -> None:
    found = repl(":turn 6")
    left = found.state.vocabulary.facts["left_in"]
    fitted = fit(found.state, [left], words("Rob"), "")
    assert fitted.row == ("Rob", 6)
    assert fitted.notes == ("Turn is 6: it is turn 6",)
    assert "it is only turn 6" in found.execute(":leave Rob 7").error
    assert ("left_in", "Rob", 7) not in said(found)


def test_what_happens_leads_to_the_next_state() -> None:
    found = repl(":turn 6", ":active Dana")
    assert found.execute(":leave Rob").text.splitlines() == [
        "Rob leaves the game (800.4)",
        "Grizzly Bears left the game together with Rob, who owned it (800.4, 800.4a)",
        "It is Dana's turn (101.4)",
    ]
    assert ("left_in", "Rob", 6) in said(found)
    assert found.execute(":done Dana").text.splitlines()[1] == "Alex takes the next turn (101.4)"
    assert {("active", "Alex"), ("turn", 7)} <= set(said(found))
    assert ("active", "Dana") not in said(found)
    assert "nothing was said to happen" in found.execute(":turn").error
    assert found.execute(":undo").text == "taken back: :done Dana"
    found.execute(":redo")
    assert found.execute("+ done('Alex')").error == ""
    assert found.execute(":turn").text.splitlines()[1] == "Carissa takes the next turn (101.4)"
    found.execute(":undo")
    both = found.execute(":leave Alex, Carissa").text.splitlines()
    assert {"Alex leaves the game (800.4)", "Carissa leaves the game (800.4)"} <= set(both)
    assert not {("leaves", "Alex"), ("done", "Alex")} & set(said(found))
    assert "no Player called" in found.execute(":leave Alex, Nobody").error
    named = repl(':seat "Tom, the Elder" 5')
    assert "Tom, the Elder leaves" in named.execute(':leave "Tom, the Elder"').text
    assert ":turn" in found.execute(":help turn").text


def test_the_same_key_replaces() -> None:
    found = repl()
    at = [f.row for f in found.state.said].index(("Carissa", "Runeclaw Bear"))
    reply = found.execute(":control dana runeclaw bear")
    assert "no longer: Carissa controls Runeclaw Bear" in reply.text
    assert found.state.said[at].row == ("Dana", "Runeclaw Bear")
    assert ("controls", "Carissa", "Runeclaw Bear") not in said(found)
    assert found.execute("Alex target Runeclaw Bear").verdict is True


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        (":range 2", ("range_for_all", 2)),
        (":range Rob 2", ("range_of", "Rob", 2)),
        (":range Rob", ("range_of", "Rob", 1)),
        (":control Rob Wall of Fire", ("controls", "Rob", "Wall of Fire")),
        (':control Rob, "Wall, Fire"', ("controls", "Rob", "Wall, Fire")),
        (":control Rob 7", ("controls", "Rob", "7")),
        (":type grizzly bears LAND", ("is_a", "Grizzly Bears", "land")),
        (":team Alex Red Team", ("team", "Alex", "Red Team")),
        (":TAP Grizzly Bears", ("tapped", "Grizzly Bears")),
        ("+ tapped(grizzly bears)", ("tapped", "Grizzly Bears")),
    ],
)
def test_a_verb_states_its_fact(line: str, fact: tuple[Any, ...]) -> None:
    found = repl()
    before = said(found)
    assert found.execute(line).error == ""
    assert fact in said(found) - before


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (":leave Rbo", 'did you mean "Rob"?'),
        (":leave", "like: :leave <Player> [<Turn>]"),
        (":leave Rob soon", "is no number"),
        (":type Grizzly Bears bird", "there are: "),
        (":type Wall land", 'no Thing called "Wall"'),
        (":seat 5", "like: :seat"),
        (':control Rob "Wall', "quote"),
        ("+ tapped(Wall)", "S08"),
        ("+ topped('Wall')", "did you mean"),
        ("+ in_range('Alex', 'Rob')", "no fact is called"),
        (":no control Rob Wall", "nothing at the table says"),
        (":no seat", "can mean 4 facts"),
        (":no type creature", "can mean 2 facts"),
    ],
)
def test_what_fits_no_fact_is_refused_with_a_hint(line: str, what: str) -> None:
    found = repl()
    before = found.state
    assert what in found.execute(line).error
    assert found.state is before


def test_a_table_that_contradicts_itself_is_refused() -> None:
    found = repl()
    before = found.state
    reply = found.execute(":no control Carissa Runeclaw Bear")
    assert "nobody controls or owns Runeclaw Bear" in reply.error
    assert found.state is before
    repl_without_objects = repl(file=None, seats=["A", "B"], controls={"A": ["Wall"]})
    assert repl_without_objects.execute(":no control A Wall").error == ""
    assert ("controls", "A", "Wall") not in said(repl_without_objects)


@pytest.mark.parametrize(
    "words", ["Rob Grizzly Bears", "grizzly bears", 'Rob "Grizzly Bears"', "Rob"]
)
def test_a_fact_is_taken_away_by_what_tells_it_apart(words: str) -> None:
    found = repl(":own Rob Grizzly Bears")
    assert found.execute(f":no control {words}").text == "no longer: Rob controls Grizzly Bears"
    assert ("controls", "Rob", "Grizzly Bears") not in said(found)
    assert found.execute("- owns(Rob, Grizzly Bears)").error != ""  # then it would be nobody's


def test_a_whole_fact_is_meant_before_a_part_of_another() -> None:
    found = repl(":range Rob 1")
    assert found.execute(":no range 1").text == "no longer: everybody's range is 1"
    assert found.execute(":no range 1").text == "no longer: Rob's own range is 1"


def test_undo_and_redo() -> None:
    found = repl()
    start = said(found)
    assert found.execute(":seat Eve").error == found.execute(":turn 3").error == ""
    after = said(found)
    assert found.execute(":undo").text == "taken back: :turn 3"
    assert found.execute(":undo").text == "taken back: :seat Eve"
    assert said(found) == start
    assert "nothing is there" in found.execute(":undo").error
    assert found.execute(":redo").text == "made again: :seat Eve"
    assert found.execute(":redo").error == ""
    assert said(found) == after
    found.execute(":undo")
    found.execute(":turn 4")
    assert "nothing is there" in found.execute(":redo").error


def test_verbs_come_from_the_vocabulary() -> None:
    book = load_book(str(OTHER / "rules" / "row"), OTHER / "facts")
    data = tomllib.loads((OTHER / "facts" / "tables" / "slope.toml").read_text(encoding="utf-8"))
    found = Repl(state_of(book, data))
    assert found.execute(":plot Zoe").text.splitlines()[0] == "Zoe tends plot 5"
    assert found.execute(":dig Fallow 5").error == ""
    assert found.execute(":sow fallow KALE").text == "kale grows in Fallow"
    assert "no command is called" in found.execute(":seat Zoe").error
    assert {":plot", ":dig", ":glaze"} <= set(found.execute(":help").text.split())
    own = {fact.command for fact in book.vocabulary.facts.values()} - {""}
    assert set(verbs.verbs(found.state)) == own


# Files


def test_a_saved_table_reads_back_to_the_same_facts(tmp_path: Path) -> None:
    for file in sorted((home("facts") / "tables").glob("*.toml")):
        state = opened(str(file), None, {})
        again = tmp_path / file.name
        again.write_text(as_text(state), encoding="utf-8")
        assert opened(str(again), None, {}).table.facts == state.table.facts or {
            (f.name, f.row) for f in opened(str(again), None, {}).table.facts
        } == {(f.name, f.row) for f in state.table.facts}


@pytest.mark.parametrize(
    ("keys", "lines", "shaped"),
    [
        ({"seats": ["A", "B"], "controls": {"A": ['W "x" \\ y', "it's"]}}, (), True),
        ({"seats": ["A", "B"], "objects": {"W": {"owner": "A"}}}, (":range 2", ":range A 3"), True),
        ({"variant": "free_for_all", "seats": ["A", "B"]}, (":range 4",), True),
        ({"variant": "emperor"}, ("- format('emperor')",), True),
        ({}, (), True),
    ],
)
def test_a_saved_table_says_no_more_and_no_less(
    keys: dict[str, Any], lines: tuple[str, ...], shaped: bool
) -> None:
    state = opened(None, None, keys)
    found = Repl(state)
    for line in lines:
        assert found.execute(line).error == ""
    text = as_text(found.state)
    read = table(tomllib.loads(text), found.state.vocabulary)
    assert {(f.name, f.row) for f in read.facts} == {
        (f.name, f.row) for f in found.state.table.facts
    }
    assert ("facts" not in tomllib.loads(text)) is shaped


def test_what_was_taken_away_from_a_variant_does_not_come_back(tmp_path: Path) -> None:
    facts = tmp_path / "facts"
    shutil.copytree(home("facts"), facts)
    (facts / "variants" / "emperor.toml").write_text("range = 3\n", encoding="utf-8")
    data = {"variant": "emperor", "seats": ["A", "B"], "ranges": {"A": 2, "B": 2}}
    found = Repl(state_of(load_book(None, facts), data))
    assert "variant" in tomllib.loads(as_text(found.state))
    assert found.execute(":no range 3").error == ""
    data = tomllib.loads(as_text(found.state))
    assert data["seats"] == ["A", "B"]
    assert {"variant", "range"}.isdisjoint(data)
    read = {(f.name, f.row) for f in table(data, found.state.vocabulary).facts}
    assert ("format", ("emperor",)) in read
    assert read == {(f.name, f.row) for f in found.state.table.facts}


def test_save_and_load(tmp_path: Path) -> None:
    file = tmp_path / "my game"
    found = repl(":seat Eve", ":turn 3", f':save "{file}"')
    kept = (tmp_path / "my game.toml").read_text(encoding="utf-8")
    found.execute(":turn 4")
    assert "is there already" in found.execute(f":save {file}").error
    assert f":save! {file}" in found.execute(f":save {file}").error
    assert (tmp_path / "my game.toml").read_text(encoding="utf-8") == kept
    assert found.execute(f":save! {file}").error == ""
    assert "turn = 4" in (tmp_path / "my game.toml").read_text(encoding="utf-8")
    assert [p.name for p in tmp_path.iterdir()] == ["my game.toml"]
    again = repl(file=None)
    assert again.execute(f":load {file}.toml").text == "my game: 13 facts"
    assert said(again) == said(found)
    assert again.execute(":undo").error == ""
    assert said(again) == set()
    assert "can't be written" in found.execute(f":save {tmp_path}/no/where").error


# Rules


def test_rules_of_the_session() -> None:
    found = repl("Alex target Runeclaw Bear", "Alex target Rob", "can_target(Dana, X)")
    assert "no clause was added" in found.execute(":diff").text
    rule = "may_target(Player, Target) <= (seat(Player, _Seat) & controls(_Other, Target))"
    assert found.execute(f":rule {rule}").text == f"+ session: {rule}"
    assert found.execute("Alex target Runeclaw Bear").text.splitlines()[-1] == "rules: session"
    diff = found.execute(":diff").text.splitlines()
    assert diff[: diff.index("")] == [
        "Alex target Runeclaw Bear",
        "  no -> yes",
        "can_target(Dana, X)",
        "  + Grizzly Bears",
        "2 of 3 questions answered otherwise",
    ]
    assert found.execute(":rule").text == f"+ session: {rule}"
    assert "(added in this session)" in found.execute(":show session").text
    assert found.execute(":undo").error == ""
    assert found.execute("Alex target Runeclaw Bear").verdict is False
    assert "no clause" in found.execute(":rule").text


def test_a_rule_can_stand_in_a_section_and_speak() -> None:
    found = repl(
        ":rule 702.18a # yes: {Player} is too polite to target {Target}\n"
        "cannot_target(Player, Target) <= (seat(Player, _Seat) & seat(Target, _Other))"
    )
    reply = found.execute("Alex target Rob")
    assert reply.verdict is False
    assert "Alex is too polite to target Rob (702.18a)" in reply.text
    assert reply.text.endswith("702.18a") or "702.18a" in reply.text.splitlines()[-1]


@pytest.mark.parametrize(
    ("line", "code", "place"),
    [
        ("p(X) <= (set(X, _S))", "L01", "your clause:1:10"),
        ("p(X) <=\n(set(X, _S))", "S01", "your clause:1"),
        ("p(X) <= (\nset(X, _S))", "L01", "your clause:2:1"),
        ("p(X, Y) <= (seat(X, _S))", "L03", "your clause:1:6"),
        ("seat(X, S) <= (active(X) & turn(S))", "L11", "your clause:1:1"),
        ("p(X) <= (seat(X, _S)", "S01", "your clause:1:9"),
        ("p(X)", "S10", "your clause:1:1"),
        ("p(X) <= (seat(X, _S)) & q(X)\n", "", ""),
        ("# yes: {Y} sits\np(X) <= (seat(X, _S))", "L10", "your clause:2"),
        ("# yes: {X} sits", "", "a clause is missing"),
    ],
)
def test_a_rule_is_linted(line: str, code: str, place: str) -> None:
    found = repl()
    before = found.state
    error = found.execute(f":rule {line}").error
    assert error != ""
    assert code in error and place in error
    assert found.state is before


def test_clauses_are_taken_out_by_head_or_section() -> None:
    found = repl("Alex target Rob", "in_range(Alex, X)")
    assert found.execute(":drop may_target/2").error == ""
    assert found.execute("Alex target Rob").verdict is False
    assert found.execute("may_target(X, Y)").text.startswith("none")
    assert "L09" in found.execute("may_target(X, Y) & (Y > 1)").error
    assert "(taken out in this session)" in found.execute(":show 801.4").text
    assert found.execute(":diff").text.splitlines()[:2] == ["Alex target Rob", "  yes -> no"]
    back = "may_target(Player, Target) <= (in_range(Player, Target))"
    assert found.execute(f":rule 801.4 {back}").error == ""
    assert found.execute("Alex target Rob").verdict is True
    assert found.execute(":diff").text.splitlines()[0].startswith("0 of ")
    assert "did you mean" in found.execute(":drop may_traget/2").error
    assert found.execute(":drop 801.2b").error == ""
    assert found.execute("in_range(Alex, Alex)").verdict is False
    assert found.execute(":rule p(X) <= (seat(X, _S))").error == ""
    assert found.execute(":drop p").text == "- session: p(X) <= (seat(X, _S))"
    assert "L01" in found.execute("p(X)").error


def test_a_predicate_without_clauses_keeps_its_numbers_and_names() -> None:
    found = repl(":drop reach_of/2")
    assert found.execute("reach_of(Alex, Reach) & (Reach > 1)").text.startswith("none")
    assert "L09" in found.execute("reach_of(Player, Reach) & (Player > 1)").error
    sorts = found.state.vocabulary.sorts.values()
    spoken_of = {word for sort in sorts if isinstance(sort, Words) for word in sort.words}
    named = next(
        x.atom
        for clause in found.state.base.clauses
        for x in literals(clause.body)
        if x.name in found.state.base.predicates
        and any(isinstance(t, Const) and t.value in spoken_of for t in x.args)
    )
    assert found.execute(f":drop {named.name}/{len(named.args)}").error == ""
    assert found.execute(f"{named} & {named}").text.startswith("no")


def test_every_predicate_and_section_can_be_taken_out() -> None:
    base = four().base
    decided = dict.fromkeys(c.rule for c in base.clauses)
    for target in [*list(base.predicates)[::12], *list(decided)[::12], "801.2d"]:
        rules, gone = rulings.without(base, rulings.Rules(), target)
        book = rulings.build(base, rules)
        assert gone
        assert len(book.clauses) + len(gone) == len(base.clauses)
        left = {c.head.name for c in book.clauses}
        assert {c.head.name for c in gone} - left <= set(book.vocabulary.facts)


def test_a_sentence_of_the_session_is_gone_with_its_clause() -> None:
    found = repl()
    before = found.execute("Alex target Runeclaw Bear").text
    rule = "may_target(Player, Target) <= (seat(Player, 1) & seat(Target, 1))"
    assert found.execute(f":rule # no: {{Player}} is asleep\n{rule}").error == ""
    assert "Alex is asleep" in found.execute("Alex target Runeclaw Bear").text
    found.execute(":undo")
    assert found.execute("Alex target Runeclaw Bear").text == before


def test_a_rule_that_makes_the_table_contradict_itself_is_refused() -> None:
    found = repl()
    before = found.state
    line = ":rule # alarm: {Player} sits here\nsits(Player) <= (seat(Player, 1))"
    assert "Alex sits here" in found.execute(line).error
    assert found.state is before


# Looking, help


def test_facts_names_and_rules_are_shown() -> None:
    found = repl(":leave Rob")
    shown = found.execute(":facts").text.splitlines()
    assert len(shown) == len(found.state.table.facts) == 13
    assert shown[0].split("  ")[0] == "Alex sits in seat 1"
    assert any("assumed" in line and "it is turn 1" in line for line in shown)
    assert found.execute(":facts grizzly").text.count("\n") == 2
    for line in shown:
        typed = line.rpartition("  ")[2]
        if "assumed" not in typed:
            assert "already" in found.execute(typed).text, typed
    assert found.execute(":names").text.splitlines() == [
        "Player: Alex, Rob, Carissa, Dana",
        "Thing: Runeclaw Bear, Grizzly Bears",
    ]
    title = load_book().sections["801.4"].title
    assert found.execute(":show 801.4").text.startswith(f"801.4  {title}\n")
    assert "\n801.2a  " in found.execute(":show 801.2").text


def test_help_lists_everything() -> None:
    found = repl()
    page = found.execute(":help").text
    for name in [*(e.name for e in manual.COMMANDS), *verbs.verbs(found.state)]:
        assert f"\n  :{name} " in page or f"\n  :{name}\n" in page, name
        assert f":{name}" in found.execute(f":help {name}").text
    assert found.execute("?").text == found.execute(":help").text == page
    assert set(found._own) == set(manual.BY_NAME)
    assert found.execute(":quit").over
    assert found.execute(":QUIT").over


# Completion


def texts(found: Repl, typed: str) -> list[str]:
    return [c.text for c in complete(found.state, typed)]


@pytest.mark.parametrize(
    ("typed", "expected", "back"),
    [
        (":sh", ["show"], 2),
        (":SEA", ["seat"], 3),
        (":help lea", ["leave"], 3),
        (":show 801.2a", ["801.2a"], 6),
        (":drop may_targ", ["may_target/2"], 8),
        (":control car", ["Carissa"], 3),
        (":control Carissa run", ['"Runeclaw Bear"'], 3),
        (":control Carissa Runeclaw b", ['"Runeclaw Bear"'], 10),
        (':control Carissa "Runeclaw B', ['Runeclaw Bear"'], 10),
        (":type Runeclaw Bear plane", ["planeswalker", "plane"], 5),
        (":no rang", ["range"], 4),
        (":no control rob GR", ['"Grizzly Bears"'], 2),
        ("ale", ["Alex"], 3),
        ("Alex targ", ["target"], 4),
        ("Alex target runeclaw B", ["Runeclaw Bear"], 10),
        ('Alex target "run', ['Runeclaw Bear"'], 3),
        ("can_targ", ["can_target("], 8),
        ("can_target(al", ["Alex"], 2),
        ("can_target(Alex, RUNE", ["Runeclaw Bear"], 4),
        ("can_target('al", ["'Alex'"], 3),
        ("can_target(Alex, X) & ~cannot_targ", ["cannot_target("], 11),
        (":why can_targ", ["can_target("], 8),
        (":rule p(X) <= (can_targ", ["can_target("], 8),
        ("+ control", ["controls(", "controls_without("], 7),
        (":load four_in", ["four_in_a_ring"], 7),
        ("Zz", [], 0),
    ],
)
def test_completion(
    typed: str, expected: list[str], back: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = complete(repl().state, typed)
    assert set(expected) <= {c.text for c in found}
    assert len(found) <= len(expected) + 4
    assert all(c.back == back for c in found)


def test_completion_knows_the_argument_and_says_what_things_are() -> None:
    found = repl()
    assert texts(found, ":control ") == ["Alex", "Rob", "Carissa", "Dana"]
    assert texts(found, ":control Rob ") == ['"Runeclaw Bear"', '"Grizzly Bears"']
    assert "target" in texts(found, "Alex ") and "Rob" not in texts(found, "Alex ")
    assert "Rob" in texts(found, "Alex target ") and "attack" not in texts(found, "Alex target ")
    assert complete(found.state, "can_target")[0].about == "/2 (Player, Target)"
    assert complete(found.state, ":show 801.4")[0].about == load_book().sections["801.4"].title
    found.execute(":rule polite(X) <= (seat(X, _S))")
    assert texts(found, "polit") == ["polite("]


def test_files_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "late.toml").touch()
    (tmp_path / "notes.txt").touch()
    assert texts(repl(), ":load ga") == ["games/"]
    assert texts(repl(), ":save games/l") == ["late.toml"]
    assert texts(repl(), ":load note") == []


# In a child


def test_an_endless_question_is_ended_and_the_session_goes_on() -> None:
    found = Repl(four(), in_child(Budget(0.3)))
    error = found.execute(ENDLESS).error
    assert "gave up after 0.3 seconds while asking" in error
    assert found.execute("Alex target Rob").verdict is True
    assert found.execute(":seat Eve").error == ""
    assert "Eve" in found.execute("can_target(X, Eve)").text
    assert "L02" in found.execute("can_target(Alex)").error
    with pytest.raises(BudgetError):
        found.run(lambda _step: time.sleep(5) or {}, found.state, "")  # type: ignore[func-returns-value]


# Through a pseudo-terminal, and through a pipe

SEATLOG = (sys.executable, "-m", "seatlog")
COLOUR = re.compile(r"\x1b\[(?:\d+;)*[349]\d(?:;\d+)*m")
SETTLED = 0.06
BARE = "import sys; sys.modules['prompt_toolkit'] = None; from seatlog.cli import main; main()"
PROMPT = rf"{TABLE}, 12 facts>\s*$"


class Screen:
    """A program in a pseudo-terminal: keys go in, what was written since comes out."""

    def __init__(self, cache: Path, args: tuple[str, ...], **more: str) -> None:
        import fcntl
        import pty
        import struct
        import termios

        env = {**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "NO_COLOR": "1"}
        env |= {"SEATLOG_CACHE": str(cache), "PYTHONUTF8": "1", **more}
        env.pop("COLUMNS", None)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(args[0], args, env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 160, 0, 0))
        self.text = self.raw = ""

    def wait(self, pattern: str, seconds: float = 10) -> str:
        """Read until what was written since the last call has a match and nothing follows."""
        end = time.monotonic() + seconds
        while True:
            matches = re.search(pattern, self.seen())
            left = SETTLED if matches else end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                break
            with contextlib.suppress(OSError):
                data = os.read(self.fd, 65_536)
                self.text += data.decode(errors="replace")
                self.raw += data.decode(errors="replace")
        found, self.text = self.seen(), ""
        assert matches, f"no {pattern!r} in:\n{found}"
        return found

    def seen(self) -> str:
        """The text without what moves the cursor or paints."""
        return re.sub(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[=>]|\r", "", self.text)

    def keys(self, text: str, pattern: str = r"facts>\s*$") -> str:
        """Type, and wait for a pattern, or for the next prompt, behind what was typed."""
        os.write(self.fd, text.encode())
        line = text.strip()
        typed = line if text[-1] in "\r\n" and line.isprintable() else ""
        found = self.wait(rf"{re.escape(typed)}[\s\S]*{pattern}")
        return found.rpartition(typed)[2] if typed else found

    def work(self, text: str) -> None:
        """Type what takes long, and wait until a child is at it: before, Ctrl-C ends the line."""
        os.write(self.fd, text.encode())
        tasks = Path(f"/proc/{self.pid}/task")
        if not (tasks / str(self.pid) / "children").exists():
            time.sleep(1)
            return
        end = time.monotonic() + 10
        while not any((task / "children").read_text() for task in tasks.iterdir()):
            assert time.monotonic() < end, f"nobody works at {text}"
            time.sleep(0.01)

    def code(self) -> int:
        """The exit code, once the program came to its end."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                if select.select([self.fd], [], [], 0)[0]:
                    os.read(self.fd, 65_536)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.pid = 0
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
        raise AssertionError("it goes on and on")

    def close(self) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)


Start = Callable[..., Screen]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start sessions in pseudo-terminals with a cache folder of this test's own."""
    pytest.importorskip("pty")
    screens: list[Screen] = []

    def begin(
        *args: str, cache: Path = tmp_path / "cache", by: tuple[str, ...] = SEATLOG, **more: str
    ) -> Screen:
        screens.append(Screen(cache, (*by, "repl", *(args or (TABLE,))), **more))
        return screens[-1]

    yield begin
    for screen in screens:
        screen.close()


def test_at_a_terminal(start: Start, tmp_path: Path) -> None:
    screen = start()
    assert "`:help`" in screen.wait(PROMPT)
    screen.keys("CARIS\t", "arissa")
    screen.keys(" targ\t", "et")
    screen.keys(' "griz\t', 'Bears"')
    assert "yes\n  Carissa can target Grizzly Bears\n" in screen.keys("\r")
    assert "error: no command is called" in screen.keys(":nonsense\r")
    assert "error: nobody and nothing" in screen.keys("Zoe target Rob\r")
    screen.keys(":seat Eve\r", rf"{TABLE}, 13 facts>\s*$")
    screen.keys(":undo\r", PROMPT)
    screen.keys(":rule polite(X) <= (\r", r"\.\.\.\s*$")
    assert "+ session: polite(X)" in screen.keys("seat(X,_S))\r", PROMPT)
    assert "Carissa" in screen.keys("polite(X)\r", PROMPT)
    screen.keys("Alex target nob\x03", PROMPT)
    screen.work(f"{ENDLESS}\r")
    asked = time.monotonic()
    assert "error: cancelled" in screen.keys("\x03", f"cancelled\n{PROMPT}")
    assert time.monotonic() - asked < 3
    assert "yes\n  Alex can target Rob" in screen.keys("Alex target Rob\r", PROMPT)
    menu = screen.keys("can_t\t", "Ability, Event")
    assert "/2 (Player, Target)" in menu
    screen.keys("\x03", PROMPT)
    os.write(screen.fd, b"\x04")
    assert screen.code() == 0
    assert not COLOUR.search(screen.raw)


def test_a_saved_table_gives_the_same_answers_in_another_session(
    start: Start, tmp_path: Path
) -> None:
    lines = ["Alex target Runeclaw Bear\r", "can_target(Carissa, X)\r", ":names\r"]
    screen = start()
    screen.wait(PROMPT)
    screen.keys(":leave Rob 1\r")
    screen.keys(":turn 6\r")
    answers = [screen.keys(line).replace(TABLE, "") for line in lines]
    assert answers[0].startswith("\nyes\n")
    assert "13 facts" in screen.keys(f":save {tmp_path}/kept.toml\r")
    assert "is there already" in screen.keys(f":save {tmp_path}/kept.toml\r")
    os.write(screen.fd, b":quit\r")
    assert screen.code() == 0

    again = start(f"{tmp_path}/kept.toml")
    again.wait(r"kept, 13 facts>\s*$")
    assert [again.keys(line).replace("kept", "") for line in lines] == answers
    up = again.keys("\x1b[A\x1b[A\x1b[A\x1b[A", ":quit")
    assert ":quit" in up
    assert "kept.toml" in again.keys("\x1b[A", r"kept\.toml")
    os.write(again.fd, b"\x03\x04")
    assert again.code() == 0


def test_a_history_that_cannot_be_kept_does_no_harm(start: Start, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    screen = start(cache=tmp_path / "file", NO_COLOR="")
    screen.wait(PROMPT)
    screen.keys("Alex target Rob\r")
    assert COLOUR.search(screen.raw)
    assert "Thing: Runeclaw Bear" in screen.keys(":names\r", PROMPT)
    assert ":names" in screen.keys("\x1b[A", ":names")
    os.write(screen.fd, b"\x03\x04")
    assert screen.code() == 0
    assert "rrno" not in screen.raw and "xception" not in screen.raw
    assert (tmp_path / "file").read_bytes() == b""


def test_a_bare_terminal_says_once_how_to_get_more(start: Start) -> None:
    screen = start(by=(sys.executable, "-c", BARE))
    assert screen.wait(PROMPT).count("pip install prompt_toolkit") == 1
    said = screen.keys(":rule polite(X) <= (\n", r"\.\.\.\s*$")
    said += screen.keys("seat(X,_S))\n", PROMPT) + screen.keys("polite(Alex)\n", PROMPT)
    assert "yes\n" in said
    assert "pip install" not in said
    screen.work(f"{ENDLESS}\n")
    screen.keys("\x03", f"cancelled\n{PROMPT}")
    os.write(screen.fd, b"\x04")
    assert screen.code() == 0


def test_a_session_that_is_told_to_end_ends_with_its_child(start: Start) -> None:
    screen = start()
    screen.wait(PROMPT)
    screen.work(f"{ENDLESS}\r")
    os.kill(screen.pid, signal.SIGTERM)
    assert screen.code() == 128 + signal.SIGTERM


def test_what_was_typed_outlives_a_program_that_is_killed(start: Start, tmp_path: Path) -> None:
    offered = "3 lines of a session on four_in_a_ring that ended without :quit"
    screen = start("--range", "1", TABLE)
    assert "ended without" not in screen.wait(PROMPT)
    screen.keys("Alex target Rob\r", PROMPT)
    screen.keys(":seat Eve\r", rf"{TABLE}, 13 facts>\s*$")
    screen.keys(":replace 801.2b\r", r"\.\.\.\s*$")
    screen.keys("# yes: {Player} sees Eve\r", r"\.\.\.\s*$")
    own = "in_range(Player, 'Eve') <= (seat(Player, _Seat))"
    screen.keys(f"{own}\r", r"\.\.\.\s*$")
    assert "801.2b replaced" in screen.keys("\r", rf"{TABLE}, 13 facts>\s*$")
    screen.keys(":drop 801.2a\r", rf"{TABLE}, 13 facts>\s*$")
    looks = [":facts\r", ":rule\r", ":show 801.2b\r", "in_range(X, Y)\r"]
    before = [screen.keys(look, rf"{TABLE}, 13 facts>\s*$") for look in looks]
    assert "- 801.2a: " in before[1] and "801.2b replaced" in before[1]
    other = start()
    assert "ended without" not in other.wait(PROMPT), "a session that goes on is nobody else's"
    os.write(other.fd, b"\x04")
    assert other.code() == 0
    os.kill(screen.pid, signal.SIGKILL)
    assert screen.code() == -signal.SIGKILL

    again = start("--seats", "Ann,Bo")
    assert offered in again.wait(r"table, \d+ facts>\s*$")
    taken = again.keys(":resume\r", rf"{TABLE}, 13 facts>\s*$")
    assert "\n3 lines taken up\n" in taken
    assert [again.keys(look, rf"{TABLE}, 13 facts>\s*$") for look in looks] == before
    assert "taken back: :drop 801.2a" in again.keys(":undo\r", rf"{TABLE}, 13 facts>\s*$")
    again.keys(":redo\r", rf"{TABLE}, 13 facts>\s*$")
    os.kill(again.pid, signal.SIGKILL)
    assert again.code() == -signal.SIGKILL

    offered = "5 lines of a session on four_in_a_ring that ended without :quit"
    last = start()
    assert offered in last.wait(PROMPT)
    assert "dropped: 5 lines of four_in_a_ring" in last.keys(":forget\r", PROMPT)
    last.keys(":seat Eve\r", rf"{TABLE}, 13 facts>\s*$")
    (kept,) = (tmp_path / "cache" / "sessions").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    os.write(last.fd, b":quit\r")
    assert last.code() == 0
    assert not any((tmp_path / "cache" / "sessions").iterdir())


def test_a_section_is_edited_in_the_authors_editor(start: Start) -> None:
    screen = start(VISUAL="sed -i s/Player/Whoever/g", EDITOR="false")
    screen.wait(PROMPT)
    said = screen.keys(":edit 801.2b\r", PROMPT)
    assert "801.2b replaced" in said
    screen.keys(":edit 801.2b\r", f"801.2b: unchanged\n{PROMPT}")
    assert "taken back: :replace 801.2b" in screen.keys(":undo\r", PROMPT)

    for editor in ("no-editor-is-called-so", "false", '"'):
        other = start(VISUAL=editor)
        other.wait(PROMPT)
        said = other.keys(":edit 801.2b\r", PROMPT)
        assert "error: the editor can't be used" in said and "$VISUAL or $EDITOR" in said
        assert "Alex can target Rob" in other.keys("Alex target Rob\r", PROMPT)


@pytest.mark.parametrize(
    ("does", "error"),
    [
        ("rm $1", r"the text: this file can't be read \(No such file"),
        ("rm $1; mkfifo $1", "the text: this is not a regular file"),
        ("truncate -s 2G $1", "the text: S02 this file is larger than"),
        (r"printf '\377' > $1", "the text:1: this file is not UTF-8 text"),
        ("printf '# left out: no\\000t' > $1", r"can't be seen \(U\+0000\)"),
    ],
)
def test_whatever_an_editor_leaves_is_met(
    start: Start, tmp_path: Path, does: str, error: str
) -> None:
    editor = tmp_path / "editor"
    editor.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
    editor.chmod(0o700)
    screen = start(VISUAL=str(editor), TMPDIR=str(tmp_path))
    screen.wait(PROMPT)
    screen.keys(":edit 801.2b\r", PROMPT)
    assert re.search(f"error: .*{error}", screen.raw)
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith("seatlog-")]


def test_ctrl_c_is_for_the_editor_alone(start: Start, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    heard = "trap 'echo heard' INT"
    text = "#!/bin/sh\n" + heard + "\necho begun\nread line\nread line\necho ended\n"
    editor.write_text(text, encoding="utf-8")
    editor.chmod(0o700)
    screen = start(VISUAL=str(editor))
    screen.wait(PROMPT)
    screen.keys(":edit 801.2b\r", "begun")
    screen.keys("\x03", "heard")
    assert "801.2b: unchanged" in screen.keys("one\r\ntwo\r\n", PROMPT)
    assert "cancelled" not in screen.raw
    os.write(screen.fd, b"\x04")
    assert screen.code() == 0


def piped(text: str, *args: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*SEATLOG, "repl", *args],
        input=text,
        capture_output=True,
        encoding="utf-8",
        timeout=20,
        check=False,
        env={**os.environ, "PYTHONUTF8": "1"},
        **more,
    )


def test_lines_from_a_pipe() -> None:
    script = "Alex target Rob\n\n:rule p(X) <= (\nseat(X, _S)\n)\np(X)\n:seat Eve\nAlex reach Eve\n"
    done = piped(script, TABLE)
    assert done.returncode == 0
    answer = open_session(TABLE).can("Alex", "target", "Rob").text()
    assert done.stdout.startswith(f"{answer}\n+ session: p(X) <= (seat(X, _S))\nAlex\nRob\n")
    assert "\nEve sits in seat 5\n" in done.stdout
    assert "facts>" not in done.stdout
    assert len(done.stderr.splitlines()) == 1
    assert "in a terminal" in done.stderr


def test_a_line_of_a_pipe_that_fails_is_said_and_the_rest_is_done() -> None:
    done = piped("Alex traget Rob\nin_range(Alex, X\n\nAlex target Rob", TABLE)
    assert done.returncode == 2
    assert done.stdout.startswith("yes\n")
    assert done.stderr.count("error: ") == 2
    assert "Traceback" not in done.stderr
    assert piped(":quit\nnonsense\n", TABLE).returncode == 0
    assert piped("", "--seats", "Ann,Bo").returncode == 0


def test_a_sections_text_comes_from_a_pipe_and_no_editor_does(tmp_path: Path) -> None:
    text = "in_range(Player, Player) <= (\nseat(Player, 1)\n)"
    script = f":replace 801.2b\n{text}\n\nin_range(Alex, Alex)\nin_range(Rob, Rob)\n"
    done = piped(script, "--seats", "Alex,Rob", "--range", "1")
    assert done.returncode == 0
    assert done.stdout.startswith("801.2b replaced\n")
    assert "yes\n" in done.stdout and "no\n" in done.stdout
    done = piped(":edit 801.2b\n:resume\n", TABLE)
    assert done.returncode == 2
    assert "there is no terminal to edit at" in done.stderr
    assert "`:replace 801.2b` takes the text on the next lines" in done.stderr
    assert "no session is there" in done.stderr


def test_a_table_that_is_refused_starts_no_session() -> None:
    done = piped("", "--seats", "Ann,Bo", "--left", "Ann: 4")
    assert done.returncode == 2
    assert "Ann would leave in turn 4" in done.stderr
    assert "Ann reach Bo" not in done.stdout

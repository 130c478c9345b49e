"""Commands beyond answering: drawing, starting a table, reports, the smallest change."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import seatlog
from processes import run, start
from seatlog.editions import load_book
from seatlog.errors import LintError, Place
from seatlog.game import Session, smallest_change
from seatlog.lint import report, style
from seatlog.model import Const, Literal, Value
from seatlog.table import started, table
from seatlog.views import picture, reached, ring


def ground(name: str, *values: Value) -> Literal:
    return Literal(name, tuple(Const(v) for v in values))


def test_a_ring_is_drawn_in_turn_order() -> None:
    game = seatlog.open("four_in_a_ring")
    names = ring(game)
    assert names == ["Alex", "Rob", "Carissa", "Dana"]
    lines = [line.split() for line in picture(names).splitlines() if line.strip()]
    assert lines == [["Alex"], ["Dana", "Rob"], ["Carissa"]]
    assert reached(game, names, "reach")["Alex"] == ["Alex", "Rob", "Dana"]


def test_a_large_ring_is_named_not_drawn() -> None:
    assert picture([f"P{i}" for i in range(1000)]).count("\n") == 0


def test_draw_prints_the_ring_and_who_reaches_whom() -> None:
    done = run("draw", "four_in_a_ring", "--range", "0")
    assert done.returncode == 0 and not done.stderr
    assert done.stdout.rstrip().splitlines()[-1] == "Dana     reach: Dana"
    data = json.loads(run("draw", "four_in_a_ring", "--json").stdout)
    assert data["reached"]["Carissa"] == ["Rob", "Carissa", "Dana"]


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--version",),
        ("lint",),
        ("show", "801.4"),
        ("can", "four_in_a_ring", "Alex", "target", "Runeclaw Bear", "--tree"),
        ("why", "four_in_a_ring", "Alex", "target", "Rob", "--json"),
        ("ask", "four_in_a_ring", "in_range(X, Y)", "--solver", "compiled"),
        ("ask", "four_in_a_ring", "in_range(X, 太郎)", "--solver", "clingo"),
        ("new", "free_for_all", "--players", "Ann,太郎,Bo,Cy", "--seed", "5"),
        ("test", "nowhere"),
    ],
    ids=" ".join,
)
def test_a_warm_interpreter_says_what_a_cold_one_does(words: tuple[str, ...]) -> None:
    warm, cold = run(*words), start(*words)
    assert (warm.returncode, warm.stdout, warm.stderr) == (
        cold.returncode,
        cold.stdout,
        cold.stderr,
    )


def test_a_new_table_reads_back_and_is_never_written_over(tmp_path: Path) -> None:
    keys = {"seats": ["Ann", "Bo", "太郎"], "ranges": {"Bo": 2}, "turn": 3, "range": 1}
    vocabulary = load_book().vocabulary
    again = tomllib.loads(started(keys, vocabulary))
    assert {(f.name, f.row) for f in table(again, vocabulary).facts} == {
        (f.name, f.row) for f in table(keys, vocabulary).facts
    }
    file = tmp_path / "game.toml"
    flags = ["--seats", "Ann,Bo,Cy", "--range", "1", "--controls", "Bo: Old Wall"]
    assert run("new", str(file), *flags).returncode == 0
    assert run("can", str(file), "Ann", "target", "Old Wall").stdout.startswith("yes")
    text = file.read_text(encoding="utf-8")
    assert "# who sits where" in text and "# turn = <Turn>" in text
    second = run("new", str(file), "--seats", "Zed")
    assert second.returncode == 2 and "is there already" in second.stderr
    assert file.read_text(encoding="utf-8") == text


def test_show_lists_every_rule_and_what_rests_on_it() -> None:
    every = run("show").stdout
    assert "801.4 " in every and "sections," in every.splitlines()[-1]
    cites = run("show", "801.4", "--cites").stdout
    assert "rests on: " in cites and "carries: 101.2" in cites
    assert run("show", "801.99").returncode == 3
    assert run("show", "801", "--json").returncode == 0
    chapter = run("show", "801").stdout.splitlines()
    assert chapter[:-1] == [row for row in every.splitlines() if row.startswith("801.")]
    assert chapter[-1].startswith(f"{len(chapter) - 1} sections; ")


def test_a_pasted_rule_runs_in_a_plain_session(tmp_path: Path) -> None:
    script = run("show", "801.4", "--paste").stdout
    file = tmp_path / "pasted.py"
    file.write_text(script, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "may_target" in script


SCENARIOS = """
[table]
seats = ["A", "B", "C", "D"]
range = 1
[[scenario]]
name = "next door"
can = ["A", "reach", "B"]
answer = "yes"
cites = ["801.2", "801.2a"]
[[scenario]]
name = "across"
can = ["A", "reach", "C"]
answer = "{answer}"
cites = ["801.2", "801.2a"]
"""


def test_failures_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(SCENARIOS.format(answer="yes"), encoding="utf-8")
    first = run("test", str(file))
    assert first.returncode == 1 and "1 passed, 1 failed" in first.stdout
    assert "expected yes, found no" in first.stdout and f"seatlog test {file}" in first.stdout
    assert run("test", str(file), "-k", "nothing like it").returncode == 2
    assert run("test", str(file), "-k", "next", "--json").returncode == 0


def test_pytest_remembers_and_reports_them(tmp_path: Path) -> None:
    file, xml = tmp_path / "s.toml", tmp_path / "j.xml"
    (tmp_path / "pytest.ini").write_text("[pytest]\nseatlog_scenarios = .\n", encoding="utf-8")
    again = [sys.executable, "-m", "pytest", "-q", "--lf", f"--junitxml={xml}", str(tmp_path)]
    counts = []
    for answer in ("yes", "no"):
        file.write_text(SCENARIOS.format(answer=answer), encoding="utf-8")
        subprocess.run(again, cwd=tmp_path, capture_output=True, check=False)
        suite = next(ET.fromstring(xml.read_text(encoding="utf-8")).iter("testsuite"))
        counts.append((suite.get("tests"), suite.get("failures")))
    assert counts == [("2", "1"), ("1", "0")]


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_completion_prints_a_script(shell: str) -> None:
    done = run("completion", shell)
    assert done.returncode == 0 and "_SEATLOG_COMPLETE" in done.stdout
    offered = run(_SEATLOG_COMPLETE="bash_complete", COMP_WORDS="seatlog d", COMP_CWORD="1")
    assert "plain,draw" in offered.stdout


@pytest.mark.parametrize(
    ("question", "keys", "text"),
    [
        (("can_target", "Alex", "Runeclaw Bear"), {}, "Alex controls Runeclaw Bear"),
        (("can_target", "Alex", "Carissa"), {}, "everybody's range is 2"),
        (
            ("can_target", "Alex", "Grizzly Bears"),
            {"keywords": {"Grizzly Bears": ["shroud"]}},
            "Grizzly Bears doesn't have shroud",
        ),
    ],
)
def test_the_smallest_change_turns_a_no(
    question: tuple[str, ...], keys: dict[str, Any], text: str
) -> None:
    game = seatlog.open("four_in_a_ring", **keys)
    literal = ground(*question)
    assert not game.solver.rows(literal)
    change = smallest_change(game, literal)
    assert change is not None and change.text == text
    facts = [*(f for f in game.table.facts if f not in change.drops), *change.adds]
    other = Session(game.book, game.table._replace(facts=tuple(facts)))
    assert other.solver.rows(literal)


def test_the_smallest_change_names_what_carries_a_yes() -> None:
    game = seatlog.open("four_in_a_ring")
    change = smallest_change(game, ground("can_target", "Alex", "Grizzly Bears"))
    assert change is not None and not change.adds
    assert [fact.row for fact in change.drops] == [("Rob", "Grizzly Bears")]
    done = run("why", "four_in_a_ring", "Alex", "target", "Grizzly Bears")
    assert "it would be no if Rob doesn't control Grizzly Bears" in done.stdout


FAR = {
    "seats": ["Ann", "Bo", "Cy", "Di"],
    "range": 1,
    "objects": {
        "Gate": {"controller": "Bo", "owner": "Bo", "types": ["planeswalker"]},
        "Ox": {
            "controller": "Ann",
            "types": ["creature"],
            "keywords": ["defender"],
            "tapped": True,
        },
    },
}


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (
            ("can_attack", "Ox", "Gate"),
            ["Ox is untapped", "Ox doesn't have defender"],
        ),
    ],
)
def test_the_smallest_change_may_be_several_facts(
    question: tuple[str, ...], texts: list[str]
) -> None:
    game = seatlog.open(FAR)
    change = smallest_change(game, ground(*question))
    assert change is not None and change.text == ", and ".join(texts)
    assert len(change.drops) + len(change.adds) == len(texts)
    left = [f for f in game.table.facts if f not in change.drops]
    other = Session(game.book, game.table._replace(facts=(*left, *change.adds)))
    assert other.solver.rows(ground(*question))
    for fact in change.drops:
        one = Session(game.book, game.table._replace(facts=(*left, fact, *change.adds)))
        assert not one.solver.rows(ground(*question))


def test_a_yes_with_two_grounds_is_turned_by_taking_both_away() -> None:
    game = seatlog.open(
        seats=["Ann", "Bo"],
        types={"Siege": ["battle"]},
        subtypes={"Siege": ["Siege"]},
        owns={"Ann": ["Siege"]},
    )
    literal = ground("is_kind", "Siege", "battle")
    change = smallest_change(game, literal)
    assert change is not None and len(change.drops) == 2 and not change.adds
    left = [f for f in game.table.facts if f not in change.drops]
    assert not Session(game.book, game.table._replace(facts=tuple(left))).solver.rows(literal)


def test_where_no_single_fact_helps_nothing_is_said() -> None:
    game = seatlog.open(seats=["A", "B"], left={"B": 1}, turn=2)
    assert smallest_change(game, ground("in_range", "nobody", "A")) is None


def test_care_is_taken_in_the_shipped_books() -> None:
    assert not style(load_book())


def test_reports_for_other_tools() -> None:
    place = Place("cr/a.dl", 3, 2, 4)
    careless = LintError("one", place=place, hint="do", code="W01")
    done = LintError("two", place=place, code="pointer")
    done.status = 0
    faults = [careless, done, LintError("three: %", place=place, code="L01")]
    results = json.loads(report(faults, "sarif"))["runs"][0]["results"]
    assert [r["ruleId"] for r in results] == ["W01", "pointer", "L01"]
    assert [r["level"] for r in results] == ["warning", "warning", "error"]
    region = results[0]["locations"][0]["physicalLocation"]["region"]
    assert region["startLine"] == 3 and region["endColumn"] > region["startColumn"]
    first, second, third = report(faults, "github").splitlines()
    assert first == "::warning file=cr/a.dl,line=3,col=2,title=W01::one (do)"
    assert second.startswith("::warning ") and third.startswith("::error ") and "%25" in third
    assert json.loads(report(faults, "json"))["errors"][0]["code"] == "W01"
    assert "W01" in report(faults, "text")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("--text", "book.txt"), "seatlog text check FILE EDITION"),
        (("--text", "book.txt", "--digest", "1.1"), "seatlog text digest FILE NUMBER"),
    ],
)
def test_lint_says_where_the_rule_book_went(typed: tuple[str, ...], said: str) -> None:
    done = run("lint", *typed)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_step_names_its_book_and_what_it_left_out(tmp_path: Path) -> None:
    step = ("turn", "--seats", "Ann,Ben,Cy", "--active", "Cy", "--done", "Cy")
    assert "book:" not in run(*step).stdout
    draft = run(*step, "--edition", "draft2004", "--to", str(tmp_path / "next.toml"))
    assert "book: Draft of the multiplayer rules (draft2004" in draft.stdout
    told = run(*step, "--options", "attack left").stdout
    assert '# note: options = ["attack left"]: no rule of cr reads it' in told

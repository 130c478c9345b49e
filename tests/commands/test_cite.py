"""Scenarios: cites that are proposed and written, files that can't be read, what is skipped."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from places import TESTS
from processes import run
from seatlog.cases import read_scenarios
from seatlog.cases.proposals import with_cites
from seatlog.errors import ScenarioError

HEAD = """\
# my cases
edition = "cr"   # the book
[table]
seats = ["Ann", "Ben", "Cy"]
range = 1
"""
NEW = """\

[[scenario]]  # first
name = "next [[scenario]] door"
can = ["Ann", "target", "Ben"]
answer = "yes"  # sure

[[scenario]]
name = \"\"\"a name
[[scenario]] of two lines\"\"\"
  can = ["Ann", "reach"]
  answer = ["Ann", "Ben", "Cy"]
  cites = [ # why
    "801.2",  # range
    "1.1",
    # more
    "801.2a"
  ]
[scenario.table]
turn = 2

[[scenario]]
name = "all"
can = ["who", "target", "Ann"]
cites = ["1.2"] # here
answer = ["Ann", "Ben", "Cy"]
"""
WRONG = """\

[[scenario]]
name = "wrong"
can = ["Ann", "reach", "Cy"]
answer = "no"
cites = []
"""


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_proposals_are_shown_with_their_answers_and_nothing_is_written(tmp_path: Path) -> None:
    file = written(tmp_path / "new.toml", HEAD + NEW + WRONG)
    done = run("test", "--cite", "new.toml", cwd=tmp_path)
    assert done.returncode == 1 and done.stderr == ""
    assert '+ cites = ["801.2", "801.2a", "801.4"]' in done.stdout
    assert '- cites = ["1.2"]' in done.stdout
    assert "Ann can target Ben" in done.stdout
    assert "0 cited as they answer, 3 proposed, 1 failed" in done.stdout
    assert "answer: expected no, found yes" in done.stdout
    assert file.read_text(encoding="utf-8") == HEAD + NEW + WRONG


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_what_is_written_is_the_cites_alone(tmp_path: Path, ends: str) -> None:
    before = (HEAD + NEW).replace("\n", ends)
    file = written(tmp_path / "new.toml", before)
    done = run("test", "--cite", "--write", "new.toml", cwd=tmp_path)
    assert done.returncode == 0 and "written: new.toml" in done.stdout
    after = file.read_bytes().decode().replace("\r\n", "\n" if ends == "\r\n" else "\r\n")
    assert ("\r" in file.read_bytes().decode()) is (ends == "\r\n")
    old, new = before.replace("\r\n", "\n").splitlines(), after.splitlines()
    gone = [line for line in old if line not in new]
    assert gone == ['    "1.1",', '    "801.2a"', 'cites = ["1.2"] # here']
    assert [line for line in new if line not in old] == [
        'cites = ["801.2", "801.2a", "801.4"]',
        '    "801.2a", "801.2b"',
        'cites = ["801.2", "801.2a", "801.2b", "801.4"] # here',
    ]
    assert run("test", "new.toml", cwd=tmp_path).stdout == "3 passed, 0 failed\n"
    again = run("test", "--cite", "new.toml", cwd=tmp_path)
    assert again.returncode == 0 and "3 cited as they answer, 0 proposed" in again.stdout


@pytest.mark.parametrize(
    "file", sorted((TESTS / "scenarios").rglob("*.toml")), ids=lambda p: p.stem
)
def test_every_shipped_file_could_be_written(file: Path) -> None:
    """Other cites for each scenario, and nothing but cites has changed."""
    text = file.read_text(encoding="utf-8")
    number = len(tomllib.loads(text)["scenario"])
    for own in ((), ("9.9z", "1.1"), ("801.2",)):
        new = with_cites(text, dict.fromkeys(range(number), own), str(file))
        found = tomllib.loads(new)["scenario"]
        assert [sorted(case["cites"]) for case in found] == [sorted(own)] * number
    assert with_cites(text, {}, str(file)) == text
    bare = re.sub(r"^cites = \[[^\]]*\]\n", "", text, flags=re.MULTILINE)
    cases = enumerate(tomllib.loads(text)["scenario"])
    cites = {n: case["cites"] for n, case in cases if "cites" in case}
    assert tomllib.loads(with_cites(bare, cites, str(file))) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        'scenario = [ { name = "x", can = ["Ann", "reach"], answer = "yes", cites = [] } ]\n',
        '[[scenario]]\nname = "x"\ncan = ["Ann", "win"]\n"ci\\u0074es" = []\nanswer = "yes"\n',
    ],
)
def test_what_isnt_understood_is_left_alone(text: str) -> None:
    with pytest.raises(ScenarioError, match="without touching anything else"):
        with_cites(text, {0: ["1.1"]}, "odd.toml")


def test_write_needs_cite() -> None:
    done = run("test", "--write")
    assert done.returncode == 2 and "--cite" in done.stderr


def test_proposals_as_json(tmp_path: Path) -> None:
    file = written(tmp_path / "new.toml", HEAD + NEW)
    done = run("test", "--cite", "--json", "new.toml", cwd=tmp_path)
    data = json.loads(done.stdout)
    assert [p["said"] for p in data["proposals"]] == [None, ["1.1", "801.2", "801.2a"], ["1.2"]]
    assert data["written"] == [] and file.read_text(encoding="utf-8") == HEAD + NEW


CASE = '[[scenario]]\nname = "n"\ntable.seats = ["Ann", "Ben"]\nask = "seat(Ann, X)"\n'


@pytest.mark.parametrize(
    ("rest", "what"),
    [
        ("answer = [true]\ncites = []\n", "answer is missing"),
        ("answer = [[1, false]]\ncites = []\n", "answer is missing"),
        ("answer = true\ncites = []\n", "answer is missing"),
        ('answer = [1]\ncites = ["1", "1"]\n', "twice"),
        ("answer = [1]\ncites = [1]\n", "a list of texts"),
        ("answer = [1]\n", "cites is missing"),
        ("answer = [1]\ncites = []\nopen = 1\n", "true or false"),
        ('answer = [1]\ncites = []\nopen = "false"\n', "true or false"),
    ],
)
def test_what_a_scenario_says_has_to_be_meant(tmp_path: Path, rest: str, what: str) -> None:
    file = written(tmp_path / "x.toml", CASE + rest)
    with pytest.raises(ScenarioError, match=what):
        read_scenarios(file)


def test_a_file_that_cant_be_read_fails_and_the_rest_is_run(tmp_path: Path) -> None:
    written(tmp_path / "a.toml", "[[scenario]]\nnam = 'x'\n")
    written(tmp_path / "b.toml", "torn = [\n")
    written(tmp_path / "c.toml", CASE + "answer = [1]\ncites = []\n")
    (tmp_path / "d.toml").write_bytes(b"\xff\xfe")
    done = run("test", ".", cwd=tmp_path)
    assert done.returncode == 1 and done.stdout.endswith("1 passed, 3 failed\n")
    assert "failed a.toml\n" in done.stdout and "seatlog test b.toml" in done.stdout
    data = json.loads(run("test", ".", "--json", cwd=tmp_path).stdout)
    assert [s["file"] for s in data["scenarios"]] == ["c.toml", "a.toml", "b.toml", "d.toml"]
    alone = run("test", "a.toml", "b.toml", cwd=tmp_path)
    assert alone.returncode == 2 and alone.stdout == "" and alone.stderr.count("a.toml") == 1


def test_skipped_scenarios_are_counted_and_alone_they_are_a_failure(tmp_path: Path) -> None:
    case = CASE + "answer = [1]\ncites = []\n"
    written(tmp_path / "cr.toml", 'edition = "cr"\n' + case)
    written(tmp_path / "any.toml", case)
    done = run("test", ".", "--edition", "cr2021", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout == "1 passed, 0 failed, 1 skipped: another edition is named there\n"
    assert (
        json.loads(run("test", ".", "--edition", "cr2021", "--json", cwd=tmp_path).stdout)[
            "skipped"
        ]
        == 1
    )
    alone = run("test", "cr.toml", "--edition", "cr2021", cwd=tmp_path)
    assert alone.returncode == 2 and "1 scenario names another edition than cr2021" in alone.stderr


def test_an_own_edition_is_tested_by_its_path_or_its_name(tmp_path: Path) -> None:
    book = tmp_path / "rules" / "mine"
    (book / "900").mkdir(parents=True)
    written(book / "edition.toml", 'title = "Mine"\ndate = "2026-09-01"\nbase = "cr"\n')
    text = "## 900.1  Broken\n\n# yes: {Player} is odd\nodd(Player) <= (seat(Player, 1))\n"
    rule = written(book / "900" / "900.1_odd.dl", text)
    case = CASE.replace("seat(Ann, X)", "odd(X)") + 'answer = ["Ann"]\ncites = ["900.1"]\n'
    written(tmp_path / "own.toml", 'edition = "rules/mine"\n' + case)
    assert run("test", "own.toml", "--edition", "rules/mine", cwd=tmp_path).returncode == 0
    assert run("test", "own.toml", cwd=tmp_path).returncode == 0
    written(rule, text.replace("seat(Player, 1)", "seat(Player, 2)"))
    done = run("test", "own.toml", "--edition", "rules/mine", cwd=tmp_path)
    assert done.returncode == 1 and "seatlog test --edition rules/mine own.toml -k n" in done.stdout
    written(rule, text.replace("seat(", "seet("))
    assert run("test", "own.toml", "--edition", "rules/mine", cwd=tmp_path).returncode == 2
    assert run("test", "own.toml", cwd=tmp_path).returncode == 1


def test_one_bad_scenario_file_doesnt_keep_rules_from_being_shown(tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "scenarios"
    folder.mkdir(parents=True)
    written(folder / "bad.toml", "torn = [\n")
    written(folder / "good.toml", 'edition = "cr"\n' + CASE + 'answer = [1]\ncites = ["801.4"]\n')
    done = run("show", "801.4", cwd=tmp_path)
    assert done.returncode == 0 and "good.toml: n" in done.stdout and "bad.toml" in done.stderr

"""What can't be seen: in names, file names and texts, on whatever standard output takes.

A terminal obeys escapes, C1 controls and marks that turn the direction of writing round; whoever
reads JSON may have another encoding than whoever wrote it.
"""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import processes
import seatlog
from seatlog import cli

ODD = "a\x1b[31m\x9b\u202e\u2066b\x07"
ENCODINGS = ("utf-8", "latin-1", "cp1252", "koi8-r", "shift_jis", "ascii")
FEW = 'seats = ["Ä", "日", "Alex"]\nrange = 1\nturn = 2\nactive = ["Ä"]\n'
CLAUSES = "## 1.1  Odd\n\nodd(Player) <= (seat(Player, 1))\n"
CASE = """
[[scenario]]
name = "a\\u001b[31m\\u009b\\u202e\\u0000b"
table.seats = ["Ä", "日"]
can = ["Ä", "reach", "日"]
answer = "no"
cites = []
"""


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unseen")
    for name in ("game.toml", f"{ODD}.toml"):
        (folder / name).write_text(FEW, encoding="utf-8")
    (folder / "cases.toml").write_text(CASE, encoding="utf-8")
    (folder / f"{ODD}.cases.toml").write_text(CASE, encoding="utf-8")
    (folder / f"{ODD}.dl").write_text(CLAUSES, encoding="utf-8")
    (folder / "bad.toml").write_text(f'seats = ["{ODD[0]}", "日"]\nx = 1\n', encoding="utf-8")
    for name in (ODD, f"{ODD}bad"):
        (folder / name).mkdir()
        settings = f'title = {json.dumps(ODD)}\ndate = "2026"\nbase = "cr"\n'
        (folder / name / "edition.toml").write_text(settings, encoding="utf-8")
        text = CLAUSES if name == ODD else CLAUSES.replace("seat(", "seet(")
        (folder / name / f"{ODD}.dl").write_text(text, encoding="utf-8")
    return folder


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("test", "cases.toml"),
    ("test", f"{ODD}.cases.toml"),
    ("test", f"{ODD}.gone"),
    ("check", f"{ODD}.toml"),
    ("can", f"{ODD}.toml", "Ä", "reach", "日"),
    ("can", "game.toml", ODD, ODD, ODD),
    ("ask", "game.toml", f"p('{ODD}')"),
    ("why", "game.toml", "Ä", "reach", "日"),
    ("why", "--edition", ODD, "game.toml", "Ä", "reach", "日"),
    ("draw", f"{ODD}.toml"),
    ("turn", f"{ODD}.toml", "--done", "Ä"),
    ("turn", "game.toml", "--done", "Ä", "--to", f"{ODD}/"),
    ("new", "--seats", f"Ä,{ODD}"),
    ("new", ODD, "--players", ODD),
    ("fmt", f"{ODD}.dl"),
    ("fmt", "--diff", f"{ODD}.dl"),
    ("fmt", "--check", ODD),
    ("lint", ODD),
    ("lint", f"{ODD}bad"),
    ("lint", "--format", "github", ODD),
    ("lint", "--format", "github", f"{ODD}bad"),
    ("lint", "--format", "sarif", f"{ODD}bad"),
    ("text", "check", ODD),
    ("show", ODD),
    ("show", "1.1", "--edition", ODD),
    ("show", "--vocabulary", "--edition", ODD),
    ("show", "--verbs", ODD),
    ("show", "--paste", "1.1", "--edition", ODD),
    ("watch", ODD, "--once"),
    ("watch", f"{ODD}bad", "--once"),
    ("watch", ODD, "--once", "--scenarios", f"{ODD}.cases.toml"),
    ("completion", ODD),
    ("completion", "zsh"),
    ("repl", f"{ODD}.toml"),
    ("text", "diff", f"{ODD}.toml", "game.toml"),
    ("text", "diff", ODD, "game.toml", "--section", ODD, "--html", ODD),
    ("text", "trace", ODD, f"{ODD}.toml"),
    ("text", ODD),
    (ODD,),
    (f"--{ODD}",),
    ("check", "bad.toml"),
)
NO_JSON = ("repl", "lint")


def run(capfd: pytest.CaptureFixture[str], command: tuple[str, ...]) -> tuple[int, str, str]:
    """A command in this process, as a pipe gets it."""
    code = cli.run(command)
    out, err = capfd.readouterr()
    return code, out, err


@pytest.mark.parametrize("command", COMMANDS, ids=ascii)
def test_nothing_unseen_comes_out(
    command: tuple[str, ...],
    here: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(here)
    monkeypatch.setattr(sys, "stdin", None)
    _, out, err = run(capfd, command)
    assert (out + err).replace("\n", "").isprintable()
    assert "itself failed" not in err and "Traceback" not in err


@pytest.mark.parametrize("command", COMMANDS, ids=ascii)
def test_json_is_the_same_in_every_encoding(
    command: tuple[str, ...],
    here: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(here)
    monkeypatch.setattr(sys, "stdin", None)
    code, out, _ = run(capfd, (*command, "--json"))
    assert code in (0, 1, 2, 3)
    data = [json.loads(out.encode("ascii").decode(each)) for each in ENCODINGS]
    assert isinstance(data[0], dict) and all(each == data[0] for each in data)
    assert out.replace("\n", "").isprintable()


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_processes_write_in_every_encoding(encoding: str, here: Path) -> None:
    """JSON parses as what it is, and text is written however little the encoding has."""
    env = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C"}

    def written(*words: str) -> bytes:
        command = [sys.executable, "-m", "seatlog", *words]
        done = subprocess.run(command, cwd=here, env=env, capture_output=True, check=False)
        assert b"Traceback" not in done.stderr and b"itself failed" not in done.stderr
        return done.stdout

    data: dict[str, Any] = json.loads(written("check", "game.toml", "--json").decode(encoding))
    assert data["names"]["Player"] == ["Ä", "日", "Alex"]
    assert "Alex" in written("why", "game.toml", "Alex", "reach", "Alex").decode(encoding)
    again = here / f"{encoding}.toml"
    again.write_text(written("turn", "game.toml", "--leaves", "Alex").decode(encoding), "utf-8")
    assert list(seatlog.open(again).table.names) == ["Ä", "日", "Alex"]


def test_a_terminal_gets_colours_and_no_other_escapes(here: Path) -> None:
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "seatlog", "test", f"{ODD}.cases.toml"]
    env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    process = subprocess.Popen(command, cwd=here, stdout=child, stderr=child, env=env)
    os.close(child)
    said = b""
    end = time.monotonic() + 30
    while time.monotonic() < end and select.select([parent], [], [], 30)[0]:
        try:
            part = os.read(parent, 4_096)
        except OSError:
            break
        said += part
    process.wait()
    os.close(parent)
    text = said.decode()
    assert "\x1b[31m\x1b[1mfailed\x1b[0m" in text
    plain = re.sub("\x1b\\[(31|1|0)m", "", text.replace("\r", "").replace("\n", ""))
    assert plain.isprintable(), plain


# Completion, optimised Python, names


@pytest.mark.parametrize("said", ["x", "1", "bash", "bash_complete", "zsh_completes", " ", ""])
def test_a_variable_that_no_shell_sets_changes_nothing(said: str, here: Path) -> None:
    asked = ("can", "four_in_a_ring", "Alex", "reach", "Rob")
    done = processes.run(*asked, cwd=here, _SEATLOG_COMPLETE=said)
    assert (done.returncode, done.stdout[:4], done.stderr) == (0, "yes\n", "")


@pytest.mark.parametrize("words", [("--help",), ("can", "--help"), ("turn", "--help")], ids=str)
def test_help_is_the_same_without_docstrings(words: tuple[str, ...], here: Path) -> None:
    def said(*options: str) -> bytes:
        command = [sys.executable, *options, "-m", "seatlog", *words]
        return subprocess.run(command, cwd=here, capture_output=True, check=True).stdout

    assert said() == said("-O") == said("-OO")


UNSEEN = ["\u3164", "\u2800", "\u115f\u1160", "Alex\u3164", "Alex\u2800", "Alex\ufe0f"]
UNSEEN += ["Al\u034fex", "Alex ", " Alex", "Alex\u180b", "Alex\U000e0101", "\uffa0", "\u17b4"]


@pytest.mark.parametrize("name", UNSEEN, ids=ascii)
def test_what_nobody_sees_is_no_part_of_a_name(name: str) -> None:
    for seats in ([name], ["Alex", name]):
        with pytest.raises(seatlog.TableError, match="can't be a name"):
            seatlog.open(seats=seats)


def test_names_that_look_the_same_are_told_apart() -> None:
    for one, other in (("Old Tom", "Old  Tom"), ("\u00e9", "e\u0301"), ("☀", "☀\ufe0f")):
        with pytest.raises(seatlog.TableError, match="two ways that look the same"):
            seatlog.open(seats=[one, other])
    for fine in ("❤\ufe0f", "Old Tom", "花子", "Åsa", "O'Neill", "ᄀ"):
        assert seatlog.open(seats=[fine, "B"]).can(fine, "reach", fine)


def test_names_that_differ_by_case_are_not_mixed_up() -> None:
    """As written each is the one; otherwise nobody knows which is meant."""
    game = seatlog.open(seats=["Alex", "alex", "Rob", "Cy", "Di"], range=1)
    for who in ("Alex", "alex"):
        assert list(game.answer(f"{who} reach")) == list(game.can(who, "reach"))
        assert list(game.ask(f"reaches({who}, X)")) == list(game.can(who, "reach"))
    assert list(game.answer("Alex reach")) != list(game.answer("alex reach"))
    with pytest.raises(seatlog.QuestionError, match='called "ALEX"'):
        game.answer("ALEX reach")


def test_a_name_that_is_cut_is_told() -> None:
    seats = ["Rob", "Alex", "target Alex", "Cy"]
    game = seatlog.open(seats=seats)
    assert game.answer("Rob target Alex").question == "can_target('Rob', 'Alex')"
    assert game.notes == [
        '"target Alex" is a name as well, and is not read as one here: '
        'put names of several words in quotes, like "Two Words"'
    ]
    game = seatlog.open(seats=seats)
    assert game.answer('Rob target "target Alex"').question == "can_target('Rob', 'target Alex')"
    assert game.notes == []
    two = seatlog.open(seats=["Alex", "Alex target", "target Rob", "Rob"])
    with pytest.raises(seatlog.QuestionError, match="more than one way"):
        two.answer("Alex target target Rob")
    asking = seatlog.open(seats=["Rob", "Who", "Who?", "Cy"])
    with pytest.raises(seatlog.QuestionError, match="more than one way"):
        asking.answer("Rob target Who?")


def test_what_stands_at_a_path_already_is_meant_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("plain").write_text("mine", encoding="utf-8")
    turn = ("turn", "four_in_a_ring", "--leaves", "Rob", "--over", "--to")
    Path("null").symlink_to("/dev/null")
    for name, code in (("null", 2), ("pipe", 2), ("plain", 0)):
        assert run(capfd, (*turn, name))[0] == code
    assert sorted(p.name for p in tmp_path.iterdir()) == ["null", "pipe", "plain"]
    assert Path("null").is_symlink()
    os.link("plain", "other")
    _, _, err = run(capfd, (*turn, "plain"))
    assert "another name as well, a hard link" in err


def test_rules_that_cannot_be_read_are_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rules").symlink_to("rules")
    code, _, err = run(capfd, ("fmt", "--check"))
    assert (code, "rules/ can't be read" in err) == (2, True)
    Path("rules").unlink()
    (tmp_path / "rules" / "own").mkdir(parents=True)
    (tmp_path / "rules" / "own" / "edition.toml").symlink_to("edition.toml")
    code, _, err = run(capfd, ("fmt", "--check"))
    assert (code, "rules/ can't be read" in err) == (2, True)

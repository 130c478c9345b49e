"""The interactive session under attack: all that is typed is answered in time, and does no harm."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

from seatlog.authoring import draft
from seatlog.budget import Budget
from seatlog.repl.child import in_child
from seatlog.repl.completing import complete
from seatlog.repl.core import Repl, Reply
from seatlog.repl.lines import finished
from seatlog.repl.state import State, opened

SECONDS = 5
BIG = 50_000


@cache
def four() -> State:
    return opened("four_in_a_ring", None, {})


def typed(line: str, found: Repl | None = None) -> Reply:
    """What is said to a line: in time, without control characters, and nothing of it unforeseen."""
    found = found or Repl(four())
    start = time.process_time()
    finished(line)
    complete(found.state, line)
    reply = found.execute(line)
    assert time.process_time() - start < SECONDS, line[:80]
    said = [reply.text, reply.error, *reply.notes]
    assert "itself failed" not in reply.error, (line[:80], reply.error)
    assert all(part.replace("\n", "").isprintable() for part in said), (line[:80], said)
    return reply


ODD_NAMES = [
    "\x00",
    "\x1b[31mred\x1b[0m",
    "\u202eevil",
    "a\tb",
    "\ud800",
    "e\u0301",
    "日本",
    "🜲",
    "'",
    '"',
    "\\",
    "{Player}",
    "%s",
    ":seat",
    "X",
    "_",
    "None",
    "range",
    "not",
    "x" * 500,
    " ",
]
LINES = [
    "{0}",
    ":seat {0}",
    '+ seat("{0}", 5)',
    ":no seat {0}",
    "Alex target {0}",
    "{0} target Rob",
]
LINES += [":help {0}", ":facts {0}", ":show {0}", ":drop {0}", ":load {0}", "reaches(Alex, '{0}')"]
LINES += [":rule p('{0}') <= (seat(_X, 1))", ":draw {0}", ":why {0}", "target {0}", ":{0}", "?{0}"]
LINES += [":replace {0}", ":replace 801.4 {0}", ":replace {0} # yes: {0}", ":rule 801.4\n{0}"]
LINES += [":edit {0}", ":test ./{0}/", ":diff ./{0}/", ":save-rules /dev/null/{0}", ":resume {0}"]


@pytest.mark.parametrize("name", ODD_NAMES, ids=ascii)
def test_odd_names(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few games are looked at here, and no scenarios: both take their time, and have a budget."""
    monkeypatch.setattr(draft, "FIRST", 1)
    monkeypatch.setattr(draft, "SECOND", 1)
    monkeypatch.chdir(tmp_path)
    found = Repl(four())
    for line in LINES:
        typed(line.replace("{0}", name), found)
    for line in (":undo", ":redo", ":facts", ":names", ":draw", ":diff"):
        typed(line, found)


@pytest.mark.parametrize(
    "line",
    [
        "a" * BIG,
        "a " * BIG,
        "(" * BIG,
        "f(" * BIG,
        "a" * 500 + " " + "(" * 300,
        '"' * BIG,
        "' " * BIG,
        "~" * BIG,
        ":" * BIG,
        ":" + "a" * BIG,
        ":seat " + "a " * BIG,
        ":type " + "Alex " * 39,
        ":attach " + "Runeclaw Bear " * 19,
        "Alex choose " + "for Rob " * 19,
        "in_range(Alex, X) & " * 3_000 + "in_range(Alex, X)",
        ":rule p(X) <= (" + "seat(X, _S) & " * 3_000 + "seat(X, _S))",
        ":rule p(X) <= " + "[" * BIG,
        "+ seat('" + "x" * BIG + "', 1)",
        "+ seat('A', " + "9" * 5_000 + ")",
        "+ seat('A', 99999999999999999999)",
        "reaches(Alex, " + "(" * 200 + "X" + ")" * 200 + ")",
        "(X == " + "1 + " * 500 + "1)",
        "~" * 300 + "reaches(Alex, Rob)",
        "# \n" * BIG,
        "\n" * BIG,
        "🜲" * BIG,
        "e" + "\u0301" * BIG,
        "in_range(Alex, 1in)",
        "in_range(Alex, 0x)",
    ],
    ids=lambda line: ascii(line[:30]),
)
def test_large_and_deep_input(line: str) -> None:
    typed(line)


PIECES = ["Alex", "'", '"', "(", ")", "&", "~", "attack", ":seat", ":no", ":range", ":leave", "X"]
PIECES += [":rule", ":drop", ":undo", ":redo", ":diff", ":change", ":why", ":facts", ":show", "_"]
PIECES += ["801.4", "+ seat(", "- seat(", "0", "-1", "\x00", "\x1b[31m", "\ud800", "<=", "==", "#"]
PIECES += [
    "count(",
    "can_target",
    "yes:",
    "{",
    "\\",
    "\n",
    "\t",
    "=",
    " ",
    "?",
    "p(X)",
    "seat(X, S)",
]


@pytest.mark.parametrize("seed", range(8))
def test_any_sequence_of_pieces(seed: int) -> None:
    chosen = random.Random(seed)
    found = Repl(four())
    for _ in range(120):
        glue = chosen.choice(["", " "])
        typed(glue.join(chosen.choices(PIECES, k=chosen.randint(1, 7))), found)


ODD_PATHS = ["", "''", ".", "..", "/", "folder/", "~nobody_of_that_name/x", "a\x00b", "a\nb"]
ODD_PATHS += ["\ud800", "circle/x", "x" * 300, "red\x1b[31m", "missing/folder/x", "a\u202eb"]


@pytest.mark.parametrize(
    "name",
    ODD_PATHS,
    ids=ascii,
)
def test_save_to_odd_paths(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "circle").symlink_to("circle")
    for command in ("save", "save!", "load"):
        assert typed(f":{command} {name}").error
    assert {p.name for p in tmp_path.iterdir()} == {"folder", "circle"}
    assert not any((tmp_path / "folder").iterdir())


def test_save_leaves_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("--help", "-", "a b", "é", "日本.toml", "...toml"):
        assert not typed(f":save {name}").error
        assert "is there already" in typed(f":save {name}").error
        assert not typed(f":save! {name}").error
    (tmp_path / "kept.toml").write_text("kept", encoding="utf-8")
    (tmp_path / "link.toml").symlink_to("kept.toml")
    assert typed(":save link").error
    assert not typed(":save! link").error
    assert (tmp_path / "kept.toml").read_text(encoding="utf-8") == "kept"
    assert not list(tmp_path.glob("*.tmp"))


ENDLESS = " & ".join(f"seat({n}, {n}{n})" for n in "ABCDEFGHIJKLMN") + " & (NN > 100)"


def test_endless_work_ends_by_its_budget() -> None:
    found = Repl(four(), in_child(Budget(0.4, 2_000)))
    rule = f"in_range(A, B) <= ({ENDLESS})"
    alarm = f"# alarm: {{A}}\nnever(A) <= ({ENDLESS})"
    for line in (ENDLESS, f":why {ENDLESS}", f":change {ENDLESS}", f":rule {alarm}"):
        start = time.monotonic()
        assert "second" in found.execute(line).error, line
        assert time.monotonic() - start < 20
    assert found.execute(f":rule 1.1 {rule}").text
    for line in (":draw", ":change in_range(Alex, Carissa)"):
        assert "second" in found.execute(line).error, line
    assert found.execute(":undo").text
    assert found.execute("Alex reach Rob").verdict is True


def test_a_line_without_an_end_ends_the_session(tmp_path: Path) -> None:
    """Whatever comes, no more than a line's length of it is kept."""
    command = [sys.executable, "-m", "seatlog", "repl", "four_in_a_ring"]
    pipe = subprocess.PIPE
    limit = ["/bin/sh", "-c", 'ulimit -v 600000; exec "$0" "$@"', *command]
    with subprocess.Popen(limit, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin and process.stderr
        with contextlib.suppress(BrokenPipeError):
            for _ in range(1_000):
                process.stdin.write(b"a" * 1_000_000)
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        said = process.stderr.read()
    assert process.returncode == 2
    assert b"a line without an end: nothing more is read" in said


def test_what_comes_behind_a_long_line_is_read() -> None:
    data = b"a" * 300_000 + b"\nAlex reach Rob\n" + b"b" * 300_000
    command = [sys.executable, "-m", "seatlog", "repl", "four_in_a_ring"]
    done = subprocess.run(command, input=data, capture_output=True, timeout=60, check=False)
    assert done.stdout.startswith(b"yes\n")
    assert done.stderr.count(b"longer than 100,000 characters") == 2
    assert done.returncode == 2


@pytest.mark.parametrize("how", ["fifo", "device", "folder", "large"])
def test_a_history_that_is_none_holds_nothing_up(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from seatlog.repl import terminal

    monkeypatch.setenv("SEATLOG_CACHE", str(tmp_path))
    where = tmp_path / terminal.HISTORY
    if how == "fifo":
        os.mkfifo(where)
    elif how == "device":
        where.symlink_to("/dev/zero")
    elif how == "folder":
        where.mkdir()
    else:
        where.write_bytes(b"+x\n" * 2_000_000)
    kept = terminal._history()
    assert list(kept.load_history_strings()) == []
    kept.store_string("mine")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x00\xff\xfe\n:seat \xff\n:facts\n", b"\\xff"),
        (b"a" * 2_000_000, b"longer than"),
        (b":rule p(X) <= (\n" + b"seat(X, _S) &\n" * 3_000, b"error"),
        (bytes(random.Random(1).randbytes(30_000)), b"error"),
        (b"\x1b]0;title\x07\n\x1b[2J\n", b"error"),
        (b"", b""),
    ],
    ids=["no utf-8", "no line end", "never finished", "noise", "escapes", "nothing"],
)
def test_anything_may_come_through_a_pipe(data: bytes, said: bytes) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "seatlog", "repl", "four_in_a_ring"],
        input=data,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode in (0, 2)
    assert b"Traceback" not in done.stderr and b"itself failed" not in done.stderr
    assert b"\x1b" not in done.stdout + done.stderr
    assert said in done.stdout + done.stderr

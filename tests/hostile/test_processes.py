"""Processes in hostile surroundings: no fork, no room for files, interrupts at any moment.

How many interrupts: ``SEATLOG_INTERRUPTS`` (24, unless said).
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hostile_run import first_child

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="watches through /proc")

SEATLOG = (sys.executable, "-m", "seatlog")
INTERRUPTS = int(os.environ.get("SEATLOG_INTERRUPTS", "24"))
ASKED = (
    ("can", "four_in_a_ring", "Alex", "target", "Rob"),
    ("can", "--json", "four_in_a_ring", "Alex", "target", "Runeclaw Bear"),
    ("why", "four_in_a_ring", "Alex", "reach", "Carissa"),
    ("turn", "four_in_a_ring", "--leaves", "Rob"),
    ("check", "gone.toml"),
)
REFUSALS = {
    "too many processes": "def fork():\n    raise BlockingIOError(11, 'no')\nos.fork = fork",
    "not allowed": "def fork():\n    raise PermissionError(1, 'no')\nos.fork = fork",
    "not made for it": "def fork():\n    raise NotImplementedError\nos.fork = fork",
    "no fork": "del os.fork",
    "no pipes": "def pipe():\n    raise OSError(24, 'no')\nos.pipe = pipe",
}


def asked(
    command: tuple[str, ...], *, cwd: Path, by: tuple[str, ...] = SEATLOG, **env: str
) -> tuple[int, str, str]:
    done = subprocess.run(
        [*by, *command],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, **env},
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[int, str, str]]:
    folder = tmp_path_factory.mktemp("answers")
    return [asked(command, cwd=folder) for command in ASKED]


# Where no process can be made


@pytest.mark.parametrize("how", REFUSALS)
def test_without_a_fork_all_is_answered(
    how: str, answers: list[tuple[int, str, str]], tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(f"import os\n{REFUSALS[how]}\n", encoding="utf-8")
    found = [asked(command, cwd=tmp_path, PYTHONPATH=str(tmp_path)) for command in ASKED]
    assert found == answers
    code = "import seatlog; print(seatlog.within('2s', sum, [1, 2]))"
    by = (sys.executable, "-c")
    assert asked((code,), cwd=tmp_path, by=by, PYTHONPATH=str(tmp_path))[:2] == (0, "3\n")


def test_a_stranger_is_not_held_to_anything_in_silence(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import os\ndel os.fork\n", encoding="utf-8")
    (tmp_path / "house").mkdir()
    settings = 'title = "House"\ndate = "2026-09-01"\nbase = "cr"\n'
    (tmp_path / "house" / "edition.toml").write_text(settings, encoding="utf-8")
    code, out, err = asked(
        (*ASKED[0], "--edition", "house"), cwd=tmp_path, PYTHONPATH=str(tmp_path)
    )
    assert (code, out.partition("\n")[0]) == (0, "yes")
    assert err.startswith("note: no process can be made here, so no budget holds")


@pytest.mark.parametrize("how", ["ignored", "waited for by others"])
def test_children_that_nobody_waits_for_answer_too(
    how: str, answers: list[tuple[int, str, str]], tmp_path: Path
) -> None:
    """SIGCHLD ignored, as some parents leave it, or met by somebody who waits for every child."""
    setting = "signal.SIG_IGN"
    if how != "ignored":
        setting = "lambda *_: [os.waitpid(-1, os.WNOHANG) for _ in range(1)]"
    text = f"import os, signal\nsignal.signal(signal.SIGCHLD, {setting})\n"
    (tmp_path / "sitecustomize.py").write_text(text, encoding="utf-8")
    path = str(tmp_path)
    assert [asked(each, cwd=tmp_path, PYTHONPATH=path) for each in ASKED] == answers
    endless = " & ".join(f"seat(A{n}, N{n})" for n in range(9)) + " & (N3 > 99)"
    seats = ",".join(f"P{n}" for n in range(60))
    slow = ("ask", "--budget", "0.4s", "--seats", seats, endless)
    code, _, err = asked(slow, cwd=tmp_path, PYTHONPATH=path)
    assert code == 2
    assert "gave up after 0.4 seconds while asking" in err


def test_open_files_beyond_a_thousand(tmp_path: Path) -> None:
    """What watches a child takes any number for a file."""
    code = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (4_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
for _ in range(1_500):
    os.dup(0)
import seatlog.__main__
sys.argv = ["seatlog", "can", "four_in_a_ring", "Alex", "target", "Rob"]
seatlog.__main__.main()
"""
    code_, out, err = asked((code,), cwd=tmp_path, by=(sys.executable, "-c"))
    assert (code_, out.partition("\n")[0], err) == (0, "yes", "")


def test_eight_cold_starts_side_by_side_all_answer(tmp_path: Path) -> None:
    """Processor time is what a question uses up; a crowd of them only makes it wait."""

    def start(number: int) -> tuple[int, str, str]:
        return asked(ASKED[0], cwd=tmp_path, SEATLOG_CACHE=str(tmp_path / str(number)))

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(start, range(8)))
    assert {(code, out.partition("\n")[0], err) for code, out, err in found} == {(0, "yes", "")}


def test_what_stands_within_a_budget_ends_with_it(tmp_path: Path) -> None:
    """A child of a child isn't left behind by whatever ends its parent."""
    code = """
import os, seatlog, sys, time
def inner():
    os.write(1, b"%d\\n" % os.getpid())
    time.sleep(60)
def outer():
    os.write(1, b"%d\\n" % os.getpid())
    seatlog.within("60s", inner)
seatlog.within("60s", outer)
"""
    pipe = subprocess.PIPE
    for victim in (0, 1):  # the child, or who made it
        with subprocess.Popen(
            [sys.executable, "-c", code], stdout=pipe, stderr=pipe, text=True
        ) as process:
            assert process.stdout is not None
            outer, inner = int(process.stdout.readline()), int(process.stdout.readline())
            os.kill(outer if victim == 0 else process.pid, signal.SIGKILL)
            assert not [pid for pid in (outer, inner) if _lives(pid)]
            process.communicate(timeout=20)


def _lives(process: int) -> bool:
    """Whether a process is there a while later."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
        except OSError:
            return False
        if state.rpartition(") ")[2][0] in "ZX":
            return False
        time.sleep(0.05)
    os.kill(process, signal.SIGKILL)
    return True


# Interrupts


THREE = 'seats = ["P0", "P1", "P2"]\nturn = 5\nactive = ["P0"]\n'
CLAUSE = "## 1.1  Odd\np(X) <= (seat(X, N)&turn(N))\n"
WRITES: tuple[tuple[str, ...], ...] = (
    ("can", "four_in_a_ring", "Alex", "target", "Rob"),
    ("turn", "game.toml", "--leaves", "P1", "--to", "next.toml"),
    ("turn", "game.toml", "--leaves", "P1", "--to", "game.toml", "--over"),
    ("new", "--seats", "A,B", "new.toml"),
    ("fmt", "odd.dl"),
    ("ask", "four_in_a_ring", "in_range(A, B) & in_range(C, D) & in_range(E, F)"),
)


def _laid_out(here: Path) -> None:
    here.mkdir()
    (here / "game.toml").write_text(THREE, encoding="utf-8")
    (here / "odd.dl").write_text(CLAUSE, encoding="utf-8")


def _files(here: Path) -> dict[str, str]:
    return {p.name: p.read_text(encoding="utf-8") for p in here.iterdir()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """What each command leaves behind that nobody interrupts."""
    folder = tmp_path_factory.mktemp("whole")
    out = []
    for number, command in enumerate(WRITES):
        _laid_out(folder / str(number))
        asked(command, cwd=folder / str(number))
        out.append(_files(folder / str(number)))
    return out


SPEAKS = re.compile(
    r'seatlog/(?!(?:__init__|doors|version)\.py)(?!__main__\.py", line \d+, in <module>)'
)
"""A traceback through more of Seatlog than what comes before the first line that could hear."""


@pytest.mark.parametrize("part", range(4))
def test_interrupts_at_random_moments(
    part: int, whole: list[dict[str, str]], tmp_path: Path
) -> None:
    """Nothing is left running and nothing half written; one line says so, and no traceback.

    Before its first module is loaded the interpreter speaks for itself.
    """
    chosen = random.Random(part)
    for number in range(-(-INTERRUPTS // 4)):
        here = tmp_path / str(number)
        _laid_out(here)
        before, which = _files(here), chosen.randrange(len(WRITES))
        _interrupted(WRITES[which], here, chosen)
        assert _files(here) in (before, whole[which])


def _interrupted(command: tuple[str, ...], here: Path, chosen: random.Random) -> None:
    process = subprocess.Popen(
        [*SEATLOG, *command],
        cwd=here,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(chosen.uniform(0.03, 0.6))
    for _ in range(chosen.choice((1, 2, 3))):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        time.sleep(chosen.uniform(0, 0.0006))
    _, err = process.communicate(timeout=60)
    assert not SPEAKS.search(err), err
    assert "itself failed" not in err
    if "Traceback" not in err and err:
        assert err.strip().startswith(("interrupted", "error: ")), err
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_two_interrupts_at_once_leave_no_worker(tmp_path: Path) -> None:
    endless = " & ".join(f"seat(A{n}, N{n})" for n in range(9)) + " & (N3 > 99)"
    seats = ",".join(f"P{n}" for n in range(60))
    for gap in (0.0, 0.0001, 0.0003, 0.001):
        process = subprocess.Popen(
            [*SEATLOG, "ask", "--budget", "30s", "--seats", seats, endless],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        child = first_child(process.pid)
        time.sleep(0.1)
        for _ in range(3):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGINT)
            time.sleep(gap)
        _, err = process.communicate(timeout=20)
        assert not _lives(child)
        assert (process.returncode, err.strip()) == (2, "interrupted: nothing was changed")


def test_a_handler_of_ones_own_is_asked(tmp_path: Path) -> None:
    """Who meets Ctrl-C otherwise does so while work is under a budget, too."""
    code = """
import os, seatlog, signal, threading, time
seen = []
signal.signal(signal.SIGINT, lambda *_: seen.append(1))
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
print(seatlog.within("5s", lambda: time.sleep(0.8) or "slept"), seen)
assert callable(signal.getsignal(signal.SIGINT)) and signal.getsignal(signal.SIGTERM) == 0
"""
    assert asked((code,), cwd=tmp_path, by=(sys.executable, "-c")) == (0, "slept [1]\n", "")

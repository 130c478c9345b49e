"""Hostile input through the real command line: refused in words, in time, and never executed."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

import hostile_strangers as strangers
from hostile_cases import FEW, RUN, SEATS, by_compiled, cases, cold, compiled, harmless, words
from hostile_run import CANARY, SEATLOG, Case, Result, attempt, first_child, run

SECONDS = 3
MEGABYTES = 300
REFUSED = cold([*cases(), *strangers.refused(), *compiled()])
ANSWERED = [*harmless(), *strangers.answered()]
ANSWERED = cold([*ANSWERED, *by_compiled(c for c in ANSWERED if c.group != "hostile cache")])
UNWANTED = ("Traceback", "itself failed", "internal", "Error: 'N", "object at 0x")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="watches through /proc")

Results = dict[str, Future[Result]]


@pytest.fixture(scope="module")
def results(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Results]:
    """The selected cases, two at a time."""
    folder = tmp_path_factory.mktemp("hostile")
    items = [i for i in request.session.items if isinstance(i, pytest.Function)]
    given = [i.callspec.params.get("case") for i in items if hasattr(i, "callspec")]
    chosen = [case for case in given if isinstance(case, Case)]
    with ThreadPoolExecutor(2) as pool:
        yield {
            str(case): pool.submit(attempt, case, folder / str(number))
            for number, case in enumerate(chosen)
        }


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_is_refused(case: Case, results: Results) -> None:
    """A clear message and exit code 2, in time and memory, with nothing done or left behind."""
    result = results[str(case)].result()
    said = result.err + result.out
    assert result.code == 2, said
    assert re.search(case.says, said), said
    assert result.changed == []
    check(result)


@pytest.mark.parametrize("case", ANSWERED, ids=str)
def test_is_harmless(case: Case, results: Results) -> None:
    """What only looks hostile gets its answer, and nothing else happens either."""
    result = results[str(case)].result()
    assert (result.code, result.err) == (0, "")
    assert re.search(case.says, result.out), result.out
    assert result.changed == sorted(case.writes)
    check(result)


def check(result: Result) -> None:
    said = result.err + result.out
    assert not [word for word in UNWANTED if word in said], said
    assert said.replace("\n", "").isprintable()
    assert result.deeds == []
    assert result.left == []
    assert result.seconds < SECONDS
    assert 0 < result.megabytes < MEGABYTES


def test_every_class_has_five_inputs() -> None:
    sizes = Counter(case.group for case in REFUSED)
    assert len(sizes) >= 15
    assert min(sizes.values()) >= 5
    assert len({str(case) for case in REFUSED}) == len(REFUSED)


DEEDS = {
    "exec": "exec('1')",
    "compile": "eval('1')",
    "os.system": "__import__('os').system('true')",
    "subprocess.Popen": "import subprocess; subprocess.run(['true'])",
    "socket.__new__": "import socket; socket.socket().close()",
    "open": "open('elsewhere', 'w').close()",
    "os.remove": "import os; os.remove('elsewhere')",
    "import": "import this_is_not_there",
    "os.fork": "import os; os.fork() or os._exit(0); os.wait()",
}


@pytest.mark.parametrize(("event", "program"), DEEDS.items(), ids=DEEDS)
def test_the_audit_sees_what_is_done(event: str, program: str, tmp_path: Path) -> None:
    """Each deed that must not happen is reported when it does."""
    here = tmp_path / "here"
    here.mkdir()
    (here / "elsewhere").touch()
    (here / "program.py").write_text(program, encoding="utf-8")
    result = run([sys.executable, "program.py"], here, Case("", event, words(), ""))
    assert [d for d in result.deeds if d.startswith(event + " ")], result.deeds
    assert result.megabytes > 5


def test_pydatalog_itself_executes_what_seatlog_refuses(tmp_path: Path) -> None:
    """The same line, loaded by pyDatalog's own parser, does what it says."""
    here = tmp_path / "plain" / "here"
    here.mkdir(parents=True)
    program = f'from pyDatalog import pyDatalog\npyDatalog.load("""p(X) <= (X == {RUN})""")\n'
    (here / "program.py").write_text(program, encoding="utf-8")
    plain = run([sys.executable, "program.py"], here, Case("", "plain", words(), ""))
    assert [d for d in plain.deeds if d.startswith("os.system ")]
    assert plain.left == [str(here / CANARY)]
    ours = attempt(Case("", "ours", words("ask", "four_in_a_ring", f"(X == {RUN})"), ""), tmp_path)
    assert (ours.code, ours.deeds, ours.left) == (2, [], [])


@pytest.mark.parametrize("over", [(), ("--over",)], ids=["new", "over"])
def test_a_full_disk_leaves_files_whole(tmp_path: Path, over: tuple[str, ...]) -> None:
    """What can't be written to its end isn't there afterwards, and what was there still is."""
    here = tmp_path / "case" / "here"
    here.mkdir(parents=True)
    rows = "".join(f'"T{n}" = {{ owner = "Alex", types = ["land"] }}\n' for n in range(900))
    table = f"{FEW}turn = 5\n[objects]\n{rows}"
    (here / "game.toml").write_text(table, encoding="utf-8")
    target = "game.toml" if over else "next.toml"
    words_ = [*SEATLOG, "turn", "game.toml", "--leaves", "Rob", "--to", target, *over]
    shell = ["/bin/sh", "-c", 'ulimit -f 16; exec "$0" "$@"', *words_]
    result = run(shell, here, Case("", "", words(), "", writes=(target,)))
    assert (result.code, result.changed) == (2, []), result
    assert f"{target} can't be written (File too large)" in result.err
    check(result)


def test_what_is_written_over_stays_what_it_was(tmp_path: Path) -> None:
    """Nobody else gets to read a table than before, and what a link leads to is left alone."""
    here = tmp_path / "case" / "here"
    here.mkdir(parents=True)
    (here / "own.toml").write_text(FEW + "turn = 5\n", encoding="utf-8")
    (here / "own.toml").chmod(0o600)
    (here / "elsewhere").write_text("theirs", encoding="utf-8")
    (here / "link.toml").symlink_to("elsewhere")
    for target in ("own.toml", "link.toml"):
        command = [*SEATLOG, "turn", "own.toml", "--leaves", "Rob", "--to", target, "--over"]
        result = run(command, here, Case("", "", words(), "", writes=(target,)))
        assert (result.code, result.changed) == (0, [target]), result
        check(result)
    assert (here / "own.toml").stat().st_mode & 0o777 == 0o600
    assert (here / "elsewhere").read_text(encoding="utf-8") == "theirs"


def test_a_reader_who_leaves_is_not_told(tmp_path: Path) -> None:
    asked = words("ask", "four_in_a_ring", "in_range(X, Y)")
    result = attempt(Case("", "", asked, "", out="broken"), tmp_path / "case")
    assert (result.code, result.err) == (2, "")


def test_a_slow_reader_gets_everything(tmp_path: Path) -> None:
    """The budget is for working out; writing takes as long as its reader does."""
    seats = ",".join(f"P{number}" for number in range(16))
    triples = "seat(A, N) & seat(B, M) & seat(C, O)"
    command = [*SEATLOG, "ask", "--budget", "2s", "--seats", seats, triples]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        time.sleep(3)
        said = process.stdout.read()
    assert process.returncode == 0
    assert said.count(b"\n") == 16**3
    assert len(said) > 65_536


def test_who_interrupts_the_writing_is_not_told_that_nothing_was_written(tmp_path: Path) -> None:
    seats = ", ".join(f'"A player number {number}"' for number in range(4_000))
    table = f'seats = [{seats}]\nactive = ["A player number 0"]\nturn = 5\n'
    (tmp_path / "game.toml").write_text(table, encoding="utf-8")
    command = [
        *SEATLOG,
        "turn",
        "--json",
        "game.toml",
        "--done",
        "A player number 0",
        "--to",
        "next.toml",
    ]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, stdout=pipe, stderr=pipe) as process:
        assert process.stderr is not None
        for _ in range(200):
            if (tmp_path / "next.toml").exists():
                break
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read().decode()
    assert said == "\ninterrupted while the answer was written\n"
    assert "A player number 3999" in (tmp_path / "next.toml").read_text(encoding="utf-8")
    assert not list(tmp_path.glob("*.tmp"))


def test_a_killed_parent_leaves_no_child_for_long(tmp_path: Path) -> None:
    """Nobody is left to watch; the kernel ends the child a little after its time."""
    (tmp_path / "sixty.toml").write_text(SEATS, encoding="utf-8")
    four = " & ".join(f"seat(A{n}, N{n})" for n in range(4)) + " & (N3 > 99)"
    command = [*SEATLOG, "ask", "--budget", "0.9s", "sixty.toml", four]
    process = subprocess.Popen(command, cwd=tmp_path, start_new_session=True)
    child = first_child(process.pid)
    process.kill()
    process.wait()
    status = Path(f"/proc/{child}/stat")
    for _ in range(200):
        with contextlib.suppress(OSError):
            if status.read_text(encoding="ascii").rpartition(") ")[2][0] not in "ZX":
                time.sleep(0.1)
                continue
        return
    os.kill(child, signal.SIGKILL)
    pytest.fail("the child ran on")

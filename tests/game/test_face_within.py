"""Work of any kind under a budget: what comes back, what ends it, and what is left over."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import processes
import seatlog
from seatlog import BudgetError, within

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="work is unwatched without fork")
GAME = seatlog.open("four_in_a_ring")


def spin() -> None:
    while True:
        pass


def throw(error: BaseException) -> None:
    raise error


def _files() -> int:
    """How many files this process has open, where that can be seen."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0


def _children() -> set[str]:
    """The children of this process, those that ended and weren't waited for too."""
    tasks = Path("/proc/self/task")
    lists = [task / "children" for task in tasks.iterdir()] if tasks.is_dir() else []
    return {number for each in lists if each.is_file() for number in each.read_text().split()}


@pytest.fixture(autouse=True)
def _nobody_is_left() -> Iterator[None]:
    """No child outlives its budget, and none is left unwaited for; others' children don't count."""
    processes.alone()
    files, children = _files(), _children()
    yield
    assert _children() == children
    if not children:
        with pytest.raises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
    assert _files() == files


# What comes back


def test_what_work_returns_comes_back() -> None:
    assert within("5s", lambda a, *, b: {a: [b]}, 1, b=2) == {1: [2]}
    assert within("5s,500MB", int) == 0
    assert within("500MB", sum, range(4)) == 6
    assert within("none", sum, range(4)) == 6
    for answer in (GAME.can("Alex", "reach"), GAME.can("Alex", "target", "Runeclaw Bear")):
        again = within("5s", GAME.ask, answer.question)
        assert (again, again.text("all")) == (answer, answer.text("all"))
    other = within("5s", GAME.but, range=2)
    assert other.can("Alex", "target", "Runeclaw Bear")
    assert len(within("5s", bytes, 20_000_000)) == 20_000_000


def test_what_work_changes_stays_there() -> None:
    mine: list[int] = []
    within("5s", mine.append, 1)
    assert mine == []


class Own(Exception):
    """One whose ``__init__`` wants something else than its ``args``."""

    def __init__(self, one: str, *, two: int) -> None:
        super().__init__(one)
        self.two = two


def _local() -> type[Exception]:
    class Local(ValueError):
        def __init__(self, *, code: int) -> None:
            super().__init__("local")
            self.code = code

    return Local


LOCAL: Any = _local()
RAISED: list[BaseException] = [
    ValueError("a", 1),
    KeyError("a"),
    KeyboardInterrupt(),
    SystemExit(3),
    StopIteration(5),
    FileNotFoundError(2, "not there", "game.toml"),
    Own("one", two=2),
    LOCAL(code=7),
    ExceptionGroup("both", [Own("one", two=2), LOCAL(code=7)]),
    BudgetError("my own", hint="do this"),
    seatlog.Faults([seatlog.TableError("one"), seatlog.NoRule("two")]),
]


@pytest.mark.parametrize("error", RAISED, ids=[type(e).__name__ for e in RAISED])
@pytest.mark.parametrize("allowed", ["5s", "none"])
def test_what_work_raises_is_raised_unchanged(error: BaseException, allowed: str) -> None:
    """Classes of one's own among it, also those of a function; Ctrl-C and exits, too."""
    with pytest.raises(BaseException) as caught:
        within(allowed, throw, error)
    found = caught.value
    assert type(found) is type(error)
    if isinstance(error, BaseExceptionGroup):
        assert isinstance(found, BaseExceptionGroup)
        assert [(type(e), e.args, e.__dict__) for e in found.exceptions] == [
            (type(e), e.args, e.__dict__) for e in error.exceptions
        ]
    elif not isinstance(error, seatlog.Faults):
        assert (found.args, found.__dict__) == (error.args, error.__dict__)
    assert str(found) == str(error)
    if isinstance(error, SystemExit):
        assert isinstance(found, SystemExit)
        assert found.code == 3


def test_errors_of_seatlog_come_back_whole() -> None:
    for work in (lambda: GAME.can("Zed", "reach"), lambda: seatlog.open(seats=["A"], turn=0)):
        with pytest.raises(seatlog.SeatlogError) as inside:
            work()
        with pytest.raises(type(inside.value)) as outside:
            within("5s", work)
        assert str(outside.value) == str(inside.value)
        assert outside.value.as_dict() == inside.value.as_dict()


def test_a_class_that_the_work_makes_itself_is_said_to_stay_there() -> None:
    def work() -> None:
        class Inside(Exception):
            pass

        raise Inside

    with pytest.raises(BudgetError, match=r"no use outside of it .*Inside"):
        within("5s", work)


@pytest.mark.parametrize(
    ("work", "says"),
    [
        (lambda: lambda: 1, "function can't leave the process"),
        (lambda: (each for each in [1]), "generator can't leave the process"),
        (threading.Lock, "lock can't leave the process"),
        (lambda: throw(Own(open(os.devnull), two=1)), "Own can't leave"),  # type: ignore[arg-type]  # noqa: SIM115, PTH123
        (lambda: os._exit(0), "ended its process"),
        (lambda: os._exit(3), "ended its process"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "ended from outside"),
    ],
)
def test_what_cannot_come_back_is_told(work: Callable[[], object], says: str) -> None:
    with pytest.raises(BudgetError, match=says):
        within("5s", work)


# What ends it


def test_time_runs_out() -> None:
    before = time.process_time()
    with pytest.raises(BudgetError, match=r'after 0\.3 seconds\n  a budget of "4\.5s" allows more'):
        within("0.3s", spin)
    assert time.process_time() - before < 0.3


def test_patience_runs_out() -> None:
    """What only waits uses nothing up; ten times its time, or three seconds, is the end of it."""
    before = time.monotonic()
    with pytest.raises(
        BudgetError, match=r'after 3 seconds by the clock\n  .* "4\.5s" allows more'
    ):
        within("0.3s", time.sleep, 60)
    assert 3 <= time.monotonic() - before < 9


def test_waiting_uses_nothing_up() -> None:
    before = time.monotonic()
    within("0.3s", time.sleep, 1)
    assert time.monotonic() - before >= 1


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited by Linux' address space")
@pytest.mark.parametrize(
    "work",
    [
        lambda: bytearray(400 << 20),
        lambda: [bytearray(1 << 20) for _ in range(1000)],
        lambda: "x" * (70 << 20),
    ],
    ids=["at once", "bit by bit", "what is returned"],
)
def test_memory_runs_out(work: Callable[[], object]) -> None:
    with pytest.raises(BudgetError, match="more than 100 MB would be needed"):
        within("20s,100MB", work)


def test_a_question_that_takes_too_long_is_ended() -> None:
    seats = [f"P{i}" for i in range(300)]
    game = seatlog.open(seats=seats, range=3)
    with pytest.raises(BudgetError, match="gave up after"):
        within("0.05s", game.ask, "reaches(A, B) & reaches(B, C) & reaches(C, D)")


def test_budgets_may_stand_in_budgets() -> None:
    assert within("5s", within, "4s", sum, [1, 2]) == 3
    with pytest.raises(BudgetError, match=r"after 0\.2 seconds"):
        within("5s", within, "0.2s", spin)
    before = time.monotonic()
    with pytest.raises(BudgetError, match=r"after 0\.3 seconds"):
        within("0.3s", within, "1s", spin)
    assert time.monotonic() - before < 3


# Beside other threads


def test_a_thread_may_hold_work_to_a_budget() -> None:
    found: list[Any] = []

    def run() -> None:
        found.append(within("5s", GAME.can, "Alex", "reach", "Rob").verdict)
        try:
            within("0.2s", spin)
        except BudgetError as error:
            found.append(error.what)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(map(str, found)) == ["True"] * 3 + ["gave up after 0.2 seconds"] * 3


def test_a_question_of_another_thread_holds_nothing_up() -> None:
    """A lock that another thread holds at the fork would never be let go in the child."""
    asked, done = threading.Event(), threading.Event()
    fresh = seatlog.open("four_in_a_ring", range=3)
    solver: Any = GAME.solver

    def ask() -> None:
        with solver._program.asked_by(solver):
            asked.set()
            done.wait(20)

    thread = threading.Thread(target=ask)
    thread.start()
    asked.wait(20)
    try:
        assert within("3s", fresh.can, "Alex", "reach", "Carissa")
        assert not within("3s", GAME.can, "Alex", "reach", "Carissa")
        assert within("3s", lambda: bool(seatlog.open("four_in_a_ring").can("Dana", "target")))
    finally:
        done.set()
        thread.join()
    assert GAME.can("Alex", "reach", "Rob")


# What is printed


def test_what_is_printed_is_printed_here(capsys: pytest.CaptureFixture[str]) -> None:

    def last_words() -> None:
        print("last words")
        spin()

    def raising() -> None:
        print("raising", end="")
        throw(Own("x", two=1))

    print("before")
    within("5s", print, "inside", "ü", "花")
    with pytest.raises(BudgetError):
        within("0.2s", last_words)
    with pytest.raises(Own):
        within("5s", raising)
    print(".")
    assert capsys.readouterr().out == "before\ninside ü 花\nlast words\nraising.\n"


def test_what_is_printed_goes_where_it_was_sent() -> None:
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        within("5s", print, "inside")
    assert text.getvalue() == "inside\n"


def test_what_is_printed_to_the_system_is_there_once() -> None:
    code = """
import seatlog
print("before", end=" ")
seatlog.within("5s", print, "inside ü", end=" ")
try:
    seatlog.within("0.3s", lambda: (print("line"), exec("while True: pass")))
except seatlog.BudgetError as error:
    print(error.what)
"""
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code], capture_output=True, check=True
    )
    assert done.stdout.decode() == "before inside ü line\ngave up after 0.3 seconds\n"
    assert not done.stderr
    code = "import sys, seatlog; sys.stdout = None; assert seatlog.within('5s', int) == 0"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_forked_child_has_its_own_cache_of_nothing() -> None:
    """What a child works out is not there afterwards, and does no harm to what is."""
    before = dict(GAME.solver._answers)  # type: ignore[attr-defined]
    within("5s", GAME.can, "Dana", "reach")
    assert dict(GAME.solver._answers) == before  # type: ignore[attr-defined]

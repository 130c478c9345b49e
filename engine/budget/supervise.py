"""Work that can be killed: a time and memory budget around rules and tables from anywhere.

The engine can neither be interrupted nor asked to stop (its compiled loop is deaf to signals), so
the work runs in a forked child and the parent watches. The child says what it is doing on a page
both of them see, which costs no system call; each *step* it rings in starts the clock anew. Where
there is no ``fork`` the work runs unwatched.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, NoReturn

from ..errors import BudgetError, SeatlogError, printable
from .limits import Budget, limit_memory, limit_time

_SHOWN = 400
_SLOT = 4 * _SHOWN + 1
_SLOTS = {"step": 1, "goal": 1 + _SLOT}
_SIZE = 1 + 2 * _SLOT
_REST = b"-"
_FULL, _WRITING = 1, 2
_AFTERWARDS = 0.5
_GRACE = 50
ALLOWS = "--budget {} allows more"
"""How more can be allowed, on the command line."""
_CAN_FORK = hasattr(os, "fork") and sys.platform not in ("emscripten", "wasi")
_ENDING = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n)]


class Step:
    """How the work says what it is doing. Calling it starts the clock anew; the rest doesn't."""

    def __init__(self, page: Any, ring: Callable[[bytes], object]) -> None:
        self.page, self.ring = page, ring

    def __call__(self, text: str) -> None:
        """A new step, with the whole time to itself."""
        self.turn(text)
        self.ring(b".")

    def turn(self, text: str) -> None:
        """The next thing within a step."""
        self._put("step", text)
        self._put("goal", "")

    def goal(self, text: str) -> None:
        """What exactly is being worked out."""
        self._put("goal", text)

    def rest(self) -> None:
        """Nothing is left but to write the answer, which takes as long as its reader does."""
        self.page[0] = _WRITING
        self.ring(_REST)

    def full(self) -> None:
        """Memory ran out; said without using any."""
        self.page[0] = _FULL

    def read(self, slot: str) -> str:
        """What was said last."""
        start = _SLOTS[slot]
        said = bytes(self.page[start : start + _SLOT]).partition(b"\0")[0]
        return said.decode(errors="replace")

    def _put(self, slot: str, text: str) -> None:
        start = _SLOTS[slot]
        data = printable(text, _SHOWN).encode(errors="replace") + b"\0"
        self.page[start : start + len(data)] = data


def supervised(
    work: Callable[[Step], int],
    allowed: Budget,
    complain: Callable[[SeatlogError], int],
    suspect: Callable[[str], str] | None = None,
    allows: str = ALLOWS,
) -> int:
    """Run the work and return its exit code, or end it when a budget runs out.

    ``suspect`` is asked afterwards what is to blame, given the goal that was being worked out; it
    runs under a short budget of its own. ``allows`` says how more can be allowed.
    """
    if not _CAN_FORK or allowed == Budget(0, 0):
        return work(Step(bytearray(_SIZE), lambda _sign: None))
    end = _run(work, allowed)
    if end.code is not None:
        return end.code
    more = allows.format(f"{min(allowed.megabytes * 4, 100_000)}MB")
    if end.how == "time":
        what = f"gave up after {allowed.seconds:g} second{'s' * (allowed.seconds != 1)}"
        more = allows.format(f"{min(allowed.seconds * 15, 1e5):g}s")
    elif end.how == "memory":
        what = f"gave up: more than {allowed.megabytes} MB would be needed"
    else:
        what = "the work was ended from outside or ran out of memory"
    doing, goal = end.step.read("step"), end.step.read("goal")
    what += f" {doing}" * bool(doing) + f", working out {goal}" * bool(goal)
    blamed = _afterwards(suspect, goal, allowed) if suspect and goal else ""
    return complain(BudgetError(what, hint=f"{blamed}\n  {more}" if blamed else more))


def _afterwards(suspect: Callable[[str], str], goal: str, allowed: Budget) -> str:
    """What a suspect says within half a second, or nothing."""

    def ask(step: Step) -> int:
        step.turn(suspect(goal))
        return 0

    end = _run(ask, Budget(min(_AFTERWARDS, allowed.seconds), allowed.megabytes))
    return end.step.read("step") if end.code == 0 else ""


class _End(NamedTuple):
    """How a child came to its end: its exit code, or which budget ran out."""

    step: Step
    code: int | None
    how: str


def _run(work: Callable[[Step], int], allowed: Budget) -> _End:
    """Run the work in a child and watch it."""
    for stream in (sys.stdout, sys.stderr):
        if stream:
            stream.flush()
    page = mmap.mmap(-1, _SIZE)
    reading, writing = os.pipe()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    child = os.fork()
    if child == 0:
        _child(work, allowed, page, writing, before)
    os.close(writing)
    done = False
    try:
        with _ending_on_signals(before):
            done = _watch(reading, allowed.seconds)
    except KeyboardInterrupt:
        if page[0] == _WRITING:
            done = _ends_soon(reading)
            raise KeyboardInterrupt("while the answer was written") from None
        raise
    finally:
        os.close(reading)
        if not done:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    killed = os.WIFSIGNALED(status)
    how = "time" if not done else "memory" if page[0] == _FULL else "outside" if killed else ""
    code = None if how else os.waitstatus_to_exitcode(status)
    return _End(Step(page, lambda _sign: None), code, how)


@contextlib.contextmanager
def _ending_on_signals(mask: Iterable[int]) -> Iterator[None]:
    """SIGTERM and SIGHUP raise KeyboardInterrupt as Ctrl-C does, so that no child is left over."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    changed = [s for s in _ENDING[1:] if main and signal.getsignal(s) is signal.SIG_DFL]
    for number in changed:
        signal.signal(number, interrupt)
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


def _watch(reading: int, seconds: float) -> bool:
    """Whether the child came to an end by itself."""
    left = seconds or None
    while select.select([reading], [], [], left)[0]:
        signs = os.read(reading, 4_096)
        if not signs:
            return True
        left = None if signs.endswith(_REST) else seconds or None
    return False


def _ends_soon(reading: int) -> bool:
    """Whether a child that is writing gets to its end: no file is to be left half written.

    Each sign of it starts the wait anew; who interrupts again meanwhile changes nothing.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    left = _GRACE
    try:
        while left:
            if not select.select([reading], [], [], 0.01)[0]:
                left -= 1
            elif os.read(reading, 4_096):
                left = _GRACE
            else:
                return True
        return False
    finally:
        for again in signal.sigpending() & set(_ENDING):
            signal.sigwait({again})
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _child(
    work: Callable[[Step], int], allowed: Budget, page: Any, writing: int, mask: Iterable[int]
) -> NoReturn:
    code = 2

    def ring(sign: bytes) -> None:
        limit_time(allowed)
        for number in _ENDING if sign == _REST else ():
            signal.signal(number, signal.SIG_IGN)  # the parent waits for what is being written
        os.write(writing, sign)

    step = Step(page, ring)
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        limit_memory(allowed)
        limit_time(allowed)
        code = work(step)
    except MemoryError:
        step.full()
    finally:
        os._exit(code)

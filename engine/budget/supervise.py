"""Work that can be killed: a time and memory budget around rules and tables from anywhere.

The engine can neither be interrupted nor asked to stop (its compiled loop is deaf to signals), so
the work runs in a forked child and the parent watches. Time is the processor's, which the system
takes of the child; the parent sees to it that a child that only waits comes to an end as well. The
child says what it is doing on a page both of them see, which costs no system call; each *step* it
rings in starts the clocks anew. Where no process can be made the work runs unwatched.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from ..errors import BudgetError, SeatlogError, printable
from .held import ENDING, Held
from .limits import Budget, limit_memory, limit_time, patience
from .worker import REST, Lifeline, Watch, Worker

_SHOWN = 400
_SLOT = 4 * _SHOWN + 1
_SLOTS = {"step": 2, "goal": 2 + _SLOT}
_SIZE = 2 + 2 * _SLOT
_STATE, _CODE = 0, 1
_FULL, _WRITING = 1, 2
_AFTERWARDS = 0.5
_MOST_CODE = 250
_CAN_FORK = hasattr(os, "fork") and hasattr(signal, "setitimer")
_inside = False
"""Whether this process is a child that is held to a budget."""
ALLOWS = "--budget {} allows more"
"""How more can be allowed, on the command line."""


class Step:
    """How the work says what it is doing. Calling it starts the clock anew; the rest doesn't.

    ``watched`` is whether the budget holds the work, if there is one.
    """

    def __init__(self, page: Any, ring: Callable[[bytes], object], watched: bool = True) -> None:
        self.page, self.ring, self.watched = page, ring, watched

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
        self.page[_STATE] = _WRITING
        self.ring(REST)

    def full(self) -> None:
        """Memory ran out; said without using any."""
        self.page[_STATE] = _FULL

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
    end = None if allowed == Budget(0, 0) else _run(work, allowed)
    if end is None:
        return work(Step(bytearray(_SIZE), lambda _sign: None, allowed == Budget(0, 0)))
    if end.code is not None:
        return end.code
    more = allows.format(f"{min(allowed.megabytes * 4, 100_000)}MB")
    if end.how in ("time", "clock"):
        worked = end.how == "time"
        seconds = allowed.seconds if worked else patience(allowed)
        what = f"gave up after {seconds:g} second{'s' * (seconds != 1)}"
        what += "" if worked else " by the clock"
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
    return end.step.read("step") if end and end.code == 0 else ""


class _End(NamedTuple):
    """How a child came to its end: its exit code, or which budget ran out."""

    step: Step
    code: int | None
    how: str


def _run(work: Callable[[Step], int], allowed: Budget) -> _End | None:
    """Run the work in a child and watch it; None where no child can be made."""
    if not _CAN_FORK:
        return None
    for stream in (sys.stdout, sys.stderr):
        if stream:
            stream.flush()
    outer = _left()
    with contextlib.ExitStack() as undo:
        try:
            page = mmap.mmap(-1, _SIZE)
            reading, writing = os.pipe()
            undo.callback(os.close, reading)
            closing = undo.enter_context(contextlib.ExitStack())
            closing.callback(os.close, writing)
            lifeline = Lifeline()
            undo.callback(lifeline.close)
            held = Held()
            try:
                child = os.fork()
            except BaseException:
                held.release(False)
                raise
        except (OSError, RuntimeError):
            return None
        if child == 0:
            lifeline.take()
            _child(work, allowed, outer, page, writing, held)
        worker, watch = Worker(child), Watch(reading)
        closing.close()
        lifeline.hold()
        done = met = False
        try:
            with held.waiting():
                done = watch.ends(patience(allowed))
            if not done and _is_writing(worker, page):
                with held.waiting():
                    done = watch.ends(0)
            met = True
        except KeyboardInterrupt:
            if _is_writing(worker, page):
                done = watch.ends_soon()
                raise KeyboardInterrupt("while the answer was written") from None
            raise
        finally:
            if not done:
                worker.kill()
            worker.wait()
            held.release(met and page[_STATE] != _WRITING)
        how, code = _outcome(worker, page, watch, done, allowed)
    _charge(worker.used, how == "time" and 0 < outer < (allowed.seconds or outer + 1))
    return _End(Step(page, lambda _sign: None), code, how)


def _is_writing(worker: Worker, page: Any) -> bool:
    """Whether nothing is left but to write; a child that does anything else doesn't go on."""
    worker.stop()
    if page[_STATE] == _WRITING:
        worker.go_on()
    return bool(page[_STATE] == _WRITING)


def _outcome(
    worker: Worker, page: Any, watch: Watch, done: bool, allowed: Budget
) -> tuple[str, int | None]:
    """Which budget ran out, if one did, or else the exit code."""
    status, said = worker.status, page[_CODE] - 1
    if page[_STATE] == _FULL:
        return "memory", None
    if not done:
        return "clock", None
    if status is None and said >= 0:
        return "", said
    if status is None:  # nobody knows by which signal
        late = time.monotonic() - watch.since > 0.9 * allowed.seconds > 0
        return "time" if late else "outside", None
    if os.WIFSIGNALED(status):
        return "time" if os.WTERMSIG(status) == signal.SIGPROF else "outside", None
    return "", os.waitstatus_to_exitcode(status)


def _left() -> float:
    """The processor time that is left to this process, where it is held to a budget itself."""
    return signal.getitimer(signal.ITIMER_PROF)[0] if _inside else 0.0


def _charge(used: float, over: bool) -> None:
    """Take what a child has used off the time that is left to this process."""
    left = _left()
    if left and (over or used >= left):
        os.kill(os.getpid(), signal.SIGPROF)
    elif left:
        limit_time(left - used)


def _child(
    work: Callable[[Step], int],
    allowed: Budget,
    outer: float,
    page: Any,
    writing: int,
    held: Held,
) -> NoReturn:
    global _inside
    code = 2

    def ring(sign: bytes) -> None:
        if sign == REST:
            limit_time(0)
            for number in ENDING:
                signal.signal(number, signal.SIG_IGN)  # the parent waits for what is being written
        else:
            start()
        os.write(writing, sign)

    def start() -> None:
        left = max(outer - time.process_time(), 0.001) if outer else 0.0
        limit_time(min(allowed.seconds or left, left or allowed.seconds))

    step = Step(page, ring)
    try:
        _inside = True
        held.in_child()
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGPROF])
        limit_memory(allowed)
        start()
        code = work(step)
    except MemoryError:
        step.full()
    finally:
        page[_CODE] = min(code, _MOST_CODE) + 1
        os._exit(code)

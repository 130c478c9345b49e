"""Work that can be killed: a time and memory budget around rules and tables from anywhere.

The engine can neither be interrupted nor asked to stop (its compiled loop is deaf to signals), so
the work runs in a forked child and the parent watches. Each *step* the child announces starts the
clock anew. Where there is no ``fork`` the work runs unwatched.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from .errors import BudgetError, SeatlogError

MAX_MESSAGE = 4_000


class Budget(NamedTuple):
    """Seconds a step may take and megabytes the work may add; 0 is no limit."""

    seconds: float = 2.0
    megabytes: int = 200


def budget(text: str | None, seconds: float = 2.0) -> Budget:
    """``30s``, ``500MB``, ``30s,500MB`` or ``none``. Raises BudgetError."""
    found = Budget(seconds)
    if text is None:
        return found
    if text == "none":
        return Budget(0, 0)
    for part in text.split(","):
        number = part.strip().lower().rstrip("smb")
        unit = part.strip().lower()[len(number) :]
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if not 0 < value < 1e6 or unit not in ("s", "mb"):
            raise BudgetError(f"{part!r} is no budget", hint="like: 30s, 500MB, 30s,500MB or none")
        found = (
            found._replace(seconds=value) if unit == "s" else found._replace(megabytes=int(value))
        )
    return found


Step = Callable[[str], None]


def supervised(
    work: Callable[[Step], int], allowed: Budget, complain: Callable[[SeatlogError], int]
) -> int:
    """Run the work and return its exit code, or end it when a budget runs out."""
    if not hasattr(os, "fork") or allowed == Budget(0, 0):
        return work(lambda _step: None)
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work(work, allowed, writing, complain)
    os.close(writing)
    try:
        last, done = _watch(reading, allowed)
        if not done:
            os.kill(child, signal.SIGKILL)
    except KeyboardInterrupt:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    finally:
        os.close(reading)
    _, status = os.waitpid(child, 0)
    if not done:
        return complain(
            BudgetError(
                f"gave up after {allowed.seconds:g} seconds" + (f" {last}" if last else ""),
                hint=f"--budget {allowed.seconds * 15:g}s allows more",
            )
        )
    if os.WIFSIGNALED(status):
        return complain(
            BudgetError(
                "the work was ended from outside or ran out of memory"
                + (f" {last}" if last else ""),
                hint=f"--budget {allowed.megabytes * 4}MB allows more",
            )
        )
    return os.waitstatus_to_exitcode(status)


def _watch(reading: int, allowed: Budget) -> tuple[str, bool]:
    """The last step announced, and whether the child came to an end by itself."""
    last = ""
    deadline = time.monotonic() + allowed.seconds if allowed.seconds else None
    while True:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select([reading], [], [], left)
        if not ready:
            return last, False
        data = os.read(reading, 65_536)
        if not data:
            return last, True
        last = data.rstrip(b"\0").rsplit(b"\0", 1)[-1].decode(errors="replace")
        if deadline is not None:
            deadline = time.monotonic() + allowed.seconds


def _work(
    work: Callable[[Step], int],
    allowed: Budget,
    writing: int,
    complain: Callable[[SeatlogError], int],
) -> None:
    """The child: never returns."""
    code = 2
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _limit(allowed)

        def step(text: str) -> None:
            os.write(writing, text.encode(errors="replace")[:MAX_MESSAGE] + b"\0")

        try:
            code = work(step)
        except SeatlogError as error:
            code = complain(error)
        except (MemoryError, RecursionError):
            code = complain(
                BudgetError(
                    f"gave up: more than {allowed.megabytes} MB would be needed",
                    hint=f"--budget {allowed.megabytes * 4}MB allows more",
                )
            )
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = 2
    finally:
        os._exit(code)


def _limit(allowed: Budget) -> None:
    if not allowed.megabytes:
        return
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as stream:  # noqa: PTH123
            now = int(stream.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (now + (allowed.megabytes << 20),) * 2)
    except (ImportError, OSError, ValueError):
        return

"""What some work may take: seconds and megabytes, and how the kernel holds it to them."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import NamedTuple

from ..errors import BudgetError, printable

_TIMES, _LEAST = 10, 3.0


class Budget(NamedTuple):
    """Seconds of processor time a step may take, megabytes the work may add; 0 is no limit."""

    seconds: float = 2.0
    megabytes: int = 200


def budget(text: str | None, seconds: float = 2.0, megabytes: int = 200) -> Budget:
    """``30s``, ``500MB``, ``30s,500MB`` or ``none``; what isn't said stays. Raises BudgetError."""
    found = Budget(seconds, megabytes)
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
        if not (0.001 if unit == "s" else 1) <= value < 1e6 or unit not in ("s", "mb"):
            raise BudgetError(
                f"{printable(part, 40)!r} is no budget",
                hint="like: 30s, 500MB, 30s,500MB or none",
            )
        found = (
            found._replace(seconds=value) if unit == "s" else found._replace(megabytes=int(value))
        )
    return found


def limit_memory(allowed: Budget) -> None:
    """The process may add so much to what it holds; asking for more raises MemoryError."""
    if not allowed.megabytes:
        return
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm", "rb", buffering=0) as stream:  # noqa: PTH123
            now = int(stream.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        most = now + (allowed.megabytes << 20)
        known = [n for n in resource.getrlimit(resource.RLIMIT_AS) if n != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_AS, (min([most, *known]),) * 2)


def limit_time(seconds: float) -> None:
    """The system ends this process once it has had so much processor time more; 0 is no limit."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def patience(allowed: Budget) -> float:
    """Seconds by the clock that a step may take; 0 is no limit.

    A processor that has much else to do needs them, and work that only waits never ends by itself.
    """
    return max(_TIMES * allowed.seconds, _LEAST) if allowed.seconds else 0.0

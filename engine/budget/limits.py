"""What some work may take: seconds and megabytes, and how the kernel holds it to them."""

from __future__ import annotations

import contextlib
import os
import time
from typing import NamedTuple

from ..errors import BudgetError, printable


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
        resource.setrlimit(resource.RLIMIT_AS, (now + (allowed.megabytes << 20),) * 2)


def limit_time(allowed: Budget) -> None:
    """Should the parent be killed, the kernel ends the child a little after its time."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_CPU)[1]
        soon = int(time.process_time() + allowed.seconds) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (soon, most))

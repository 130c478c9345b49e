"""What work may take in time and memory, and work that can be killed when it takes more."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .aside import apart as apart
    from .aside import within as within
    from .limits import Budget as Budget
    from .limits import budget as budget
    from .supervise import Step as Step
    from .supervise import supervised as supervised
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        aside="apart within",
        limits="Budget budget",
        supervise="Step supervised",
    )

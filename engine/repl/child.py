"""Run the session's work in a child that can be ended: by a budget, or by Ctrl-C.

The engine is deaf to signals, so the process that keeps the session never enters it. What a child
finds out comes back as JSON through a file that both hold open.
"""

from __future__ import annotations

import json

from ..budget import Budget, Step, apart
from ..editions import editions
from ..errors import SeatlogError, printable
from ..game import blame
from ..table import Opened
from .asking import Data, Run, Work
from .state import State


class Failure(SeatlogError):
    """What went wrong in a child, in its words."""


def in_child(allowed: Budget) -> Run:
    """A way to run work under a budget. It raises what the work raises, and KeyboardInterrupt."""

    def run(work: Work, state: State, text: str) -> Data:
        found = apart(
            lambda step: json.dumps(_done(work, step)).encode(),
            allowed,
            lambda goal: _blame(state, (goal, text)),
        )
        data: Data = json.loads(found or b"{}")
        if "failed" in data:
            raise Failure(data["failed"])
        return data

    return run


def _done(work: Work, step: Step) -> Data:
    try:
        return work(step)
    except SeatlogError as error:
        return {"failed": str(error)}
    except MemoryError:
        raise
    except RecursionError:
        return {"failed": "this is nested too deeply to be worked off"}
    except Exception as error:
        return {"failed": failed(error)}


def failed(error: BaseException) -> str:
    """One line for an error that nobody foresaw."""
    return f"Seatlog itself failed ({type(error).__name__}: {printable(str(error))})"


def _blame(state: State, texts: tuple[str, ...]) -> str:
    """What is to blame; a shipped book isn't as long as nobody changed it."""
    trusted = state.base.name in editions() and not state.ruled
    return blame(Opened(state.book, state.table), texts, trusted)

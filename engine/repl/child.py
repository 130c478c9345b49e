"""Run the session's work in a child that can be ended: by a budget, or by Ctrl-C.

The engine is deaf to signals, so the process that keeps the session never enters it. What a child
finds out comes back as JSON through a file that both hold open.
"""

from __future__ import annotations

import json
import tempfile

from ..allowance import Budget
from ..editions import editions
from ..errors import SeatlogError, printable
from ..estimate import costliest
from ..naming import with_names
from ..reader import read_question
from ..supervise import Step, supervised
from .asking import Data, Run, Work
from .lines import is_clause
from .rulings import Rules
from .state import State


class Failure(SeatlogError):
    """What went wrong in a child, in its words."""


def in_child(allowed: Budget) -> Run:
    """A way to run work under a budget. It raises what the work raises, and KeyboardInterrupt."""

    def run(work: Work, state: State, text: str) -> Data:
        ended: list[SeatlogError] = []

        def complain(error: SeatlogError) -> int:
            ended.append(error)
            return error.status

        with tempfile.TemporaryFile() as shared:

            def job(step: Step) -> int:
                data = json.dumps(_done(work, step)).encode()
                step.rest()
                shared.write(data)
                shared.flush()
                return 0

            supervised(job, allowed, complain, lambda goal: _blame(state, (goal, text)))
            if ended:
                raise ended[0]
            shared.seek(0)
            data: Data = json.loads(shared.read() or b"{}")
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
    """What goes through most combinations, a clause or else the question; or nothing.

    The clauses of a shipped book are beyond suspicion as long as nobody changed it.
    """
    alone = state.base.name in editions() and state.rules == Rules()
    for text in texts:
        if is_clause(text):
            items = read_question(with_names(text, state.table.names)[0])
            found = costliest(state.book.clauses, state.table.facts, items, alone=alone)
            if found:
                return str(found)
    return ""

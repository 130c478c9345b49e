"""Any work under a budget, outside of the command line as well."""

from __future__ import annotations

import pickle
import sys
import tempfile
from collections.abc import Callable
from typing import Any, TypeVar

from ..errors import BudgetError, SeatlogError
from .limits import Budget, budget
from .supervise import Step, supervised

T = TypeVar("T")


def within(allowed: str | Budget, work: Callable[..., T], *args: Any, **keys: Any) -> T:
    """What ``work(*args, **keys)`` returns, or BudgetError once it takes more than is allowed.

    ``allowed`` is like ``"2s"``, ``"500MB"`` or ``"2s,500MB"``. The work runs in a process of its
    own, which is ended when its budget runs out: what it changes stays there, and what it returns
    has to be picklable, as answers are. What it raises is raised here unchanged. Where a system
    can't fork, it runs in this process and unwatched.

    >>> import seatlog
    >>> game = seatlog.open("four_in_a_ring")
    >>> seatlog.within("5s", game.can, "Alex", "reach", "Rob").verdict
    True
    """
    if not callable(work):
        raise BudgetError("what is to be done has to be callable", hint="like: game.can")
    limits = allowed if isinstance(allowed, Budget) else budget(allowed)
    ended: list[SeatlogError] = []

    def complain(error: SeatlogError) -> int:
        ended.append(error)
        return error.status

    with tempfile.TemporaryFile() as shared:

        def job(step: Step) -> int:
            shared.write(_done(work, args, keys))
            shared.flush()
            if sys.stdout:
                sys.stdout.flush()
            step.rest()
            return 0

        supervised(job, limits, complain, allows='a budget of "{}" allows more')
        if ended:
            raise ended[0]
        shared.seek(0)
        raised, found = pickle.loads(shared.read())  # noqa: S301 (written by our own child)
    if raised is not None:
        raise raised
    result: T = found
    return result


def _done(work: Callable[..., object], args: Any, keys: Any) -> bytes:
    """What came of some work, or what it raised, in a form that leaves the process."""
    try:
        out = (None, work(*args, **keys))
    except MemoryError:
        raise
    except BaseException as error:
        return _packed((error, None), error)
    return _packed(out, None)


def _packed(out: tuple[BaseException | None, object], cause: BaseException | None) -> bytes:
    try:
        packed = pickle.dumps(out)
        pickle.loads(packed)  # noqa: S301 (what was just written)
        return packed
    except Exception as error:
        what = f"{type(cause or out[1]).__name__} can't leave the process that made it"
        told = BudgetError(f"{what} ({type(error).__name__}: {error})", hint="return an answer")
        return pickle.dumps((told, None))

"""Any work under a budget, outside of the command line as well."""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from ..errors import BudgetError, SeatlogError
from .limits import Budget, budget
from .parcel import packed, unpacked
from .supervise import ALLOWS, Step, supervised

T = TypeVar("T")
_MORE = 'a budget of "{}" allows more'
_LIKE = 'like: "2s", "500MB" or "2s,500MB"'


def within(allowed: str | Budget, work: Callable[..., T], *args: Any, **keys: Any) -> T:
    """What ``work(*args, **keys)`` returns, or BudgetError once it takes more than is allowed.

    ``allowed`` is like ``"5s"``, ``"500MB"`` or ``"5s,500MB"``; what it doesn't name is 2 seconds
    and 200 MB, and ``"none"`` is no limit. The work runs in a process of its own, which is ended
    when its budget runs out: what it changes stays there, and what it returns has to be picklable,
    as answers and sessions are. What it raises is raised here unchanged, and what it prints is
    printed. Where a system can't fork, it runs in this process and unwatched.

    >>> import seatlog
    >>> game = seatlog.open("four_in_a_ring")
    >>> seatlog.within("5s", game.can, "Alex", "reach", "Rob").verdict
    True
    """
    if not callable(work):
        raise BudgetError("what is to be done has to be callable", hint="like: game.can")
    if not isinstance(allowed, str | Budget):
        what = f"a budget is a text, not {type(allowed).__name__}"
        raise BudgetError(what, hint=_LIKE)
    limits = allowed if isinstance(allowed, Budget) else budget(allowed)
    with tempfile.TemporaryFile() as printed:

        def job(_step: Step) -> bytes:
            with _printing_to(printed):
                return _done(work, args, keys)

        try:
            data = apart(job, limits, allows=_MORE)
        finally:
            printed.seek(0)
            said = printed.read().decode(errors="surrogatepass")
            if said:
                sys.stdout.write(said)
    if not data:
        raise BudgetError("the work ended its process, and returned nothing")
    raised, found = unpacked(data)
    if raised is not None:
        raise raised
    result: T = found
    return result


def apart(
    work: Callable[[Step], bytes],
    allowed: Budget,
    suspect: Callable[[str], str] | None = None,
    allows: str = ALLOWS,
) -> bytes:
    """What some work comes to in a process of its own; nothing where it ended that process.

    ``suspect`` and ``allows`` are as ``supervised`` has them. Raises BudgetError when a budget runs
    out.
    """
    ended: list[SeatlogError] = []

    def complain(error: SeatlogError) -> int:
        ended.append(error)
        return error.status

    with tempfile.TemporaryFile() as shared:

        def job(step: Step) -> int:
            data = work(step)
            step.rest()
            shared.write(data)
            shared.flush()
            return 0

        supervised(job, allowed, complain, suspect, allows)
        if ended:
            raise ended[0]
        shared.seek(0)
        return shared.read()


def _done(work: Callable[..., object], args: Any, keys: Any) -> bytes:
    """What came of some work, or what it raised, in a form that leaves the process."""
    try:
        found = work(*args, **keys)
    except MemoryError:
        raise
    except BaseException as error:
        return packed(error, None)
    return packed(None, found)


@contextlib.contextmanager
def _printing_to(file: Any) -> Iterator[None]:
    """Each line printed leaves the process at once: where it belongs, or for the parent to print.

    The latter where ``sys.stdout`` was replaced by something that lives in this process only.
    """
    out: Any = sys.stdout
    if out is None:
        yield
        return
    own = out is sys.__stdout__
    into = out.buffer if own else file
    text = io.TextIOWrapper(into, "utf-8", "surrogatepass", newline="", line_buffering=True)
    if own:
        out.flush()
        text.reconfigure(encoding=out.encoding, errors=out.errors)
    try:
        with contextlib.redirect_stdout(text):
            yield
    finally:
        with contextlib.suppress(OSError, ValueError):
            text.detach()

"""What comes of work in another process, as bytes: what it returned, or what it raised.

Most exceptions pickle. Those whose ``__init__`` wants something else than their ``args`` are put
together from their parts, and a class of a function's own is known by where it lies in memory: a
forked child has its parent's classes, at the same spots.
"""

from __future__ import annotations

import io
import pickle
from typing import Any

from ..errors import BudgetError


def packed(raised: BaseException | None, found: object) -> bytes:
    """What was raised or found, or a BudgetError that says why it can't leave its process."""
    tries: list[Any] = [(raised, found)]
    if raised is not None:
        tries.append((_Parts(raised), None))
    why = ""
    for each in tries:
        try:
            out = io.BytesIO()
            _Packer(out).dump(each)
            unpacked(out.getvalue())
            return out.getvalue()
        except MemoryError:
            raise
        except Exception as error:
            why = why or f"{type(error).__name__}: {error}"
    what = f"{type(raised or found).__name__} can't leave the process that made it ({why})"
    return pickle.dumps((BudgetError(what, hint="return an answer, or data"), None))


def unpacked(data: bytes) -> tuple[BaseException | None, Any]:
    """What was raised, and what was found otherwise."""
    raised, found = _Unpacker(io.BytesIO(data)).load()
    return (raised.made() if isinstance(raised, _Parts) else raised), found


class _Parts:
    """An exception as what it is made from."""

    def __init__(self, error: BaseException) -> None:
        self.kind, self.args, self.state = type(error), error.args, dict(error.__dict__)

    def made(self) -> BaseException:
        """The exception again; its ``__init__`` isn't asked."""
        error = self.kind.__new__(self.kind, *self.args)
        error.args = self.args
        error.__dict__.update(self.state)
        return error


class _Packer(pickle.Pickler):
    def persistent_id(self, value: Any) -> Any:
        local = isinstance(value, type) and "<locals>" in value.__qualname__
        return (id(value), value.__qualname__) if local and issubclass(value, BaseException) else None


class _Unpacker(pickle.Unpickler):
    def persistent_load(self, pid: Any) -> Any:
        todo: list[type[BaseException]] = [BaseException]
        while todo:
            kind = todo.pop()
            if (id(kind), kind.__qualname__) == pid:
                return kind
            todo += kind.__subclasses__()
        raise pickle.UnpicklingError(f"no class lies here that is called {pid[1]}")

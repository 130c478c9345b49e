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
    why = ""
    for packer in (_Packer, _Dismantler):
        try:
            out = io.BytesIO()
            packer(out).dump((raised, found))
            _Unpacker(io.BytesIO(out.getvalue())).load()
            return out.getvalue()
        except MemoryError:
            raise
        except Exception as error:
            why = why or f"{type(error).__name__}: {error}"
    what = f"{type(raised or found).__name__} can't leave the process that made it ({why})"
    return pickle.dumps((BudgetError(what, hint="return an answer, or data"), None))


def unpacked(data: bytes) -> tuple[BaseException | None, Any]:
    """What was raised, and what was found otherwise."""
    try:
        raised, found = _Unpacker(io.BytesIO(data)).load()
    except Exception as error:
        return BudgetError(f"what came of the work is of no use outside of it ({error})"), None
    return raised, found


def _made(kind: type[BaseException], args: Any, state: dict[str, Any]) -> BaseException:
    """An exception from its parts; its ``__init__`` isn't asked."""
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class _Packer(pickle.Pickler):
    def persistent_id(self, value: Any) -> Any:
        local = isinstance(value, type) and "<locals>" in value.__qualname__
        return (
            (id(value), value.__qualname__) if local and issubclass(value, BaseException) else None
        )


class _Dismantler(_Packer):
    def reducer_override(self, value: Any) -> Any:
        own = isinstance(value, BaseException) and type(value).__module__ != "builtins"
        reduced: object = getattr(type(value), "__reduce__", None)
        if own and reduced is BaseException.__reduce__:
            return _made, (type(value), value.args, dict(value.__dict__))
        return NotImplemented


class _Unpacker(pickle.Unpickler):
    def persistent_load(self, pid: Any) -> Any:
        todo: list[type[BaseException]] = [BaseException]
        while todo:
            kind = todo.pop()
            if (id(kind), kind.__qualname__) == pid:
                return kind
            todo += kind.__subclasses__()
        raise pickle.UnpicklingError(f"only there is a class called {pid[1]}")

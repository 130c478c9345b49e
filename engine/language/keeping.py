"""Write files whole or not at all: first beside the place where they belong, then under their name.

What goes wrong half-way, a full disk among others, leaves what was there and nothing beside it.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..errors import SeatlogError, printable

if TYPE_CHECKING:
    from pathlib import Path

_WRITABLE = 0o222


class NoFile(ValueError):
    """What can't be written over, being no file or one of two names, and why."""

    def __init__(self, why: str, filename: str) -> None:
        super().__init__(why)
        self.filename = filename


def create(path: Path, text: str) -> None:
    """Write a new file. Raises OSError, FileExistsError where there is one already."""
    _write(path, text)


def replace(texts: Mapping[Path, str], told: Callable[[], object] = lambda: None) -> None:
    """Write over files that may be written to, all of them or none; of a link only the link.

    None of them gets its name before all are written down; ``told`` is called for each of them.
    Raises OSError, or ValueError for what is no file; its ``filename`` is what it is about.
    """
    drafts: dict[Path, Path] = {}
    path = None
    try:
        for path, text in texts.items():
            mode = _mode(path)
            draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
            _write(draft, text, mode)
            drafts[path] = draft
            told()
        for path, draft in drafts.items():
            draft.replace(path)
    except BaseException as error:
        for draft in drafts.values():
            with contextlib.suppress(OSError):
                draft.unlink()
        if isinstance(error, OSError) and path is not None:
            error.filename = os.fspath(path)
        raise


def put(path: Path, text: str, over: bool, hint: str, fault: type[SeatlogError]) -> None:
    """Write a file, over an old one only when told so; ``hint`` says how. Raises the ``fault``."""
    try:
        if over:
            replace({path: text})
        else:
            create(path, text)
    except FileExistsError:
        raise fault(f"{printable(str(path))} is there already", hint=hint) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise fault(
            f"{printable(str(path))} can't be written ({why})",
            hint="name a file in a folder that is there and may be written to",
        ) from None


def replace_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write one file that is no text, over what may be written to. Raises as ``replace`` does."""
    from pathlib import Path

    where = Path(path)
    mode = _mode(where)
    draft = where.with_name(f"{where.name}.{os.getpid()}.tmp")
    try:
        _write(draft, data, mode)
        draft.replace(where)
    except BaseException as error:
        with contextlib.suppress(OSError):
            draft.unlink()
        if isinstance(error, OSError):
            error.filename = os.fspath(where)
        raise


def _mode(path: Path) -> int | None:
    """The permissions of a file that is to be written over; None where a new one comes."""
    if path.is_symlink() and (path.is_file() or not path.exists()):
        return None
    if not path.exists():
        return None
    if not path.is_file():
        raise NoFile("it is a folder" if path.is_dir() else "it is no file", os.fspath(path))
    if path.stat().st_nlink > 1:
        why = "it has another name as well, a hard link, that would be left behind"
        raise NoFile(why, os.fspath(path))
    mode = path.stat().st_mode & 0o777
    if not mode & _WRITABLE or not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return mode


def _write(path: Path, text: str | bytes, mode: int | None = None) -> None:
    """Write a new file down to the disk; what went wrong half-way doesn't stay."""
    try:
        with path.open("xb") as stream:
            stream.write(text.encode() if isinstance(text, str) else text)
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            path.chmod(mode)
    except FileExistsError:
        raise
    except BaseException:
        with contextlib.suppress(OSError):
            path.unlink()
        raise

"""Files and texts as they come in: regular, of bounded size, UTF-8."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import Place, TextError
from ..model import Path

MAX_TEXT = 1_000_000
LOCK = ".#"

File = str | os.PathLike[str]
_BOM = b"\xef\xbb\xbf"
_READING = os.O_RDONLY
for _flag in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    _READING |= getattr(os, _flag, 0)


class Source(NamedTuple):
    """A text under its file name; ``at`` makes places in it."""

    file: str
    lines: tuple[str, ...]

    def at(self, line: int, column: int = 1, width: int = 1) -> Place:
        """The place at a 1-based line and column."""
        excerpt = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        return Place(self.file, line, column, width, excerpt.rstrip())

    def locate(self, path: Path) -> Place:
        """The best place for a path of keys in this text; for messages only."""
        if not self.lines:
            words = (w for w in path[:2] if isinstance(w, str))
            return Place(", ".join((self.file, *words)))
        from .places import locate

        spot = locate(self.lines, path)
        return self.at(*spot) if spot else Place(self.file)


def read_file(path: File, shown: str = "", limit: int = MAX_TEXT) -> str:
    """The text of a file: a regular one, UTF-8, of bounded size.

    Raises TextError with the file's name when it is missing, unreadable, too large or no text.
    """
    name = shown or os.fspath(path)
    return as_text(read_bytes(path, name, limit), name)


def as_text(data: bytes, name: str) -> str:
    """Bytes as text with plain line ends. Raises TextError with the file's name."""
    try:
        return data.removeprefix(_BOM).decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise TextError(
            "this file is not UTF-8 text", place=Place(name, line), hint="save it as UTF-8"
        ) from None


def read_bytes(path: File, name: str, limit: int) -> bytes:
    """What a regular file of bounded size holds. Raises TextError with the file's name."""
    try:
        handle = os.open(path, _READING)
        try:
            found = os.fstat(handle)
            if stat.S_ISDIR(found.st_mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not stat.S_ISREG(found.st_mode):
                raise TextError(
                    "this is not a regular file", place=Place(name), hint="give a text file"
                )
            size = min(found.st_size, limit) + 1
            data = part = os.read(handle, size)
            while part and len(data) <= limit:
                part = os.read(handle, size)
                data += part
        finally:
            os.close(handle)
    except OSError as error:
        raise TextError(
            f"this file can't be read ({error.strerror or error})",
            place=Place(name),
            hint="check the name and the permissions",
        ) from None
    except ValueError:
        raise TextError("this is not a file name", place=Place(name)) from None
    return bounded(data, name, limit)


def bounded(data: bytes, name: str, limit: int = MAX_TEXT) -> bytes:
    """The bytes, unless there are too many. Raises TextError with the file's name."""
    if len(data) > limit:
        raise TextError(
            f"this file is larger than {limit:,} bytes",
            place=Place(name),
            hint="split it into several files",
            code="S02",
        )
    return data


def beneath(
    folder: str, ending: str | tuple[str, ...], inner: str = ""
) -> Iterator[tuple[str, str]]:
    """Every file with this ending, or one of these, at any depth.

    Its path, and its name seen from the folder. What is called ``.#`` and a file's name is the lock
    of an editor that has the file open.
    """
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from beneath(entry.path, ending, f"{inner}{entry.name}/")
            elif entry.name.endswith(ending) and not entry.name.startswith(LOCK):
                yield entry.path, inner + entry.name


def is_file(path: str) -> bool:
    """Whether there is a regular file of this name."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116
    except (OSError, ValueError):
        return False


def stem(path: str) -> str:
    """A file's name without its folders and its ending."""
    name = path.replace(os.sep, "/").rpartition("/")[2]
    return name.rpartition(".")[0] or name

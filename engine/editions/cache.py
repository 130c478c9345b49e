"""Keep a checked book in the user's cache, so that the next start needn't read it again.

The file is lines of JSON, named after a hash of everything the book was made from, the program
included, so it can't be stale; a missing, unwritable or damaged cache only means that the book is
read again.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
import time
from functools import cache
from typing import TYPE_CHECKING

from ..book import Book
from ..errors import SeatlogError
from ..version import VERSION
from .packed import pack, unpack

try:
    from _blake2 import blake2b  # hashlib's own, without OpenSSL at every start
except ImportError:
    from hashlib import blake2b

if TYPE_CHECKING:
    from pathlib import Path

_MAX = 2_000_000
_MOST, _MOST_BYTES = 64, 32_000_000
_DAY = 24 * 60 * 60
_OLD = 60 * _DAY
_ENTRY = re.compile(r"[0-9a-f]{64}\.json(\.[0-9]+\.tmp)?")
_GUARDED = 0
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    _GUARDED |= getattr(os, _flag, 0)
_MAKING = ("language", "book", "lint", "editions")
"""The rooms whose modules have a part in what a kept book holds, and in how it is written."""


@cache
def layout(rooms: tuple[str, ...] = _MAKING) -> str:
    """What tells apart the programs that make what is kept: their modules, size and time.

    ``rooms`` are those whose modules have a part in it, by default those that read books.
    """
    package = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120
    parts = [VERSION]
    for room in rooms:
        with os.scandir(f"{package}/{room}") as entries:
            for entry in sorted(entries, key=lambda e: e.name):
                if entry.name.endswith(".py"):
                    found = entry.stat()
                    parts.append(f"{room}/{entry.name} {found.st_size} {found.st_mtime_ns}")
    return "\n".join(parts)


def folder() -> Path | None:
    """Where prepared books are kept, or None when there is no such place."""
    from pathlib import Path

    found = _folder()
    return Path(found) if found else None


def _folder() -> str | None:
    chosen = os.environ.get("SEATLOG_CACHE")
    if chosen is not None:
        return chosen or None
    base = _absolute("XDG_CACHE_HOME")
    if not base:
        if sys.platform == "win32":
            base = _absolute("LOCALAPPDATA")
        elif home := _absolute("HOME"):
            base = f"{home}/.cache"
    return f"{base}/seatlog" if base else None


def _absolute(name: str) -> str:
    """A folder that the surroundings name, which has to be a whole path, or nothing."""
    said = os.environ.get(name, "")
    return said if os.path.isabs(said) else ""  # noqa: PTH117


def fingerprint(data: bytes, key: str = "") -> str:
    """64 hexadecimal digits of BLAKE2b; with a key of at most so many they are another's."""
    return blake2b(data, digest_size=32, key=key.encode()).hexdigest()


def load(key: str) -> Book | None:
    """The prepared book of this key, or None."""
    data = kept(key)
    try:
        return None if data is None else unpack(data, key)
    except (
        *(SeatlogError, OSError, ValueError, TypeError),
        *(LookupError, AttributeError, RecursionError),
    ):
        return None


def kept(key: str, most: int = _MAX) -> str | None:
    """The text that is kept under a key, 64 hexadecimal digits, or None.

    It is data that the user's own programs left there under this key, whole; what it says has
    still to be read with care.
    """
    where = _folder()
    if where is None:
        return None
    try:
        digest, _, data = _own(f"{where}/{key}.json", most).decode().partition("\n")
        return data if fingerprint(data.encode(), key) == digest else None
    except (OSError, ValueError):
        return None


def private(path: str, most: int, access: int = os.O_RDONLY) -> int:
    """Open a file that nobody but the user can have written: what others left isn't believed.

    Raises OSError for any other, for what a link leads to, and for one of more than ``most`` bytes.
    """
    handle = os.open(path, access | _GUARDED)
    found = os.fstat(handle)
    theirs = hasattr(os, "geteuid") and (
        found.st_uid != os.geteuid() or bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
    )
    if theirs or not stat.S_ISREG(found.st_mode) or found.st_size > most:
        os.close(handle)
        raise PermissionError(path)
    return handle


def private_new(path: str, access: int = os.O_WRONLY) -> int:
    """Make a file that is the user's alone. Raises OSError, FileExistsError where one is there."""
    return os.open(path, access | os.O_CREAT | os.O_EXCL | _GUARDED, 0o600)


def pour(handle: int, data: bytes) -> None:
    """Write all of it. Raises OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _own(path: str, most: int) -> bytes:
    """What a private file says. One that is still of use is young."""
    handle = private(path, most)
    try:
        found = os.fstat(handle)
        if time.time() - found.st_mtime > _DAY and os.utime in os.supports_fd:
            with contextlib.suppress(OSError):
                os.utime(handle)
        data = part = os.read(handle, found.st_size + 1)
        while part and len(data) <= most:
            part = os.read(handle, most)
            data += part
        return data
    finally:
        os.close(handle)


def save(key: str, book: Book) -> None:
    """Keep a book, whole or not at all; silently nothing when that can't be done."""
    keep(key, pack(book))


def keep(key: str, data: str, most: int = _MAX) -> None:
    """Keep a text of at most so many bytes; silently nothing when that can't be done."""
    where = _folder()
    text = f"{fingerprint(data.encode(), key)}\n{data}".encode()
    if where is None or len(text) > most:
        return
    draft = f"{where}/{key}.json.{os.getpid()}.tmp"
    with contextlib.suppress(OSError, ValueError):
        os.makedirs(where, mode=0o700, exist_ok=True)  # noqa: PTH103
        try:
            handle = private_new(draft)
            try:
                pour(handle, text)
            finally:
                os.close(handle)
            os.replace(draft, f"{where}/{key}.json")  # noqa: PTH105
        except FileExistsError:
            raise
        except BaseException:
            os.remove(draft)  # noqa: PTH107
            raise
        _shrink(where, f"{key}.json")


def _shrink(where: str, newest: str) -> None:
    """Take away what is old, and of the rest the oldest until there is little enough.

    Others may do the same, or read it, at this moment: an entry that is gone is made again.
    """
    found = []
    with os.scandir(where) as entries:
        for entry in entries:
            if _ENTRY.fullmatch(entry.name) and entry.name != newest:
                with contextlib.suppress(OSError):
                    about = entry.stat(follow_symlinks=False)
                    found.append((about.st_mtime, about.st_size, entry))
    now, number, size = time.time(), 1, 0
    for made, bytes_, entry in sorted(found, key=lambda f: f[0], reverse=True):
        number, size = number + 1, size + bytes_
        age = now - made
        leftover = entry.name.endswith(".tmp") and age > _DAY
        if leftover or age > _OLD or number > _MOST or size > _MOST_BYTES:
            with contextlib.suppress(OSError):
                os.remove(entry.path)  # noqa: PTH107

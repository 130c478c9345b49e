"""Keep a checked book in the user's cache, so that the next start needn't read it again.

The file is lines of JSON, named after a hash of everything the book was made from, so it can't be
stale; a missing, unwritable or damaged cache only means that the book is read again.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

from ..book import Book
from ..errors import SeatlogError
from ..language import read_file
from ..version import VERSION
from .packed import pack, unpack

try:
    from _blake2 import blake2b  # hashlib's own, without OpenSSL at every start
except ImportError:
    from hashlib import blake2b

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = f"seatlog {VERSION} prepared 19"
_MAX = 2_000_000


def folder() -> Path | None:
    """Where prepared books are kept, or None when there is no such place."""
    from pathlib import Path

    found = _folder()
    return Path(found) if found else None


def _folder() -> str | None:
    chosen = os.environ.get("SEATLOG_CACHE")
    if chosen is not None:
        return chosen or None
    base = os.environ.get("XDG_CACHE_HOME")
    if not base:
        if sys.platform == "win32":
            base = os.environ.get("LOCALAPPDATA")
        elif home := os.environ.get("HOME"):
            base = f"{home}/.cache"
    return f"{base}/seatlog" if base else None


def fingerprint(data: bytes) -> str:
    """64 hexadecimal digits of BLAKE2b."""
    return blake2b(data, digest_size=32).hexdigest()


def load(key: str) -> Book | None:
    """The prepared book of this key, or None."""
    where = _folder()
    if where is None:
        return None
    try:
        path = f"{where}/{key}.json"
        if not _own(path):
            return None
        digest, _, data = read_file(path, limit=_MAX).partition("\n")
        if fingerprint(data.encode()) != digest:
            return None
        return unpack(data, key)
    except (SeatlogError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _own(path: str) -> bool:
    """Whether a file is the user's: what others put into a shared cache isn't believed."""
    with contextlib.suppress(OSError, ValueError):
        return not hasattr(os, "geteuid") or os.stat(path).st_uid == os.geteuid()  # noqa: PTH116
    return False


def save(key: str, book: Book) -> None:
    """Keep a book."""
    data = pack(book)
    keep(f"{key}.json", f"{fingerprint(data.encode())}\n{data}")


def keep(name: str, text: str) -> None:
    """Keep a file whole or not at all; silently nothing when that can't be done."""
    where = folder()
    if where is None or len(text) > _MAX:
        return
    with contextlib.suppress(OSError, ValueError):
        where.mkdir(parents=True, exist_ok=True)
        draft = where / f"{name}.{os.getpid()}.tmp"
        with draft.open("x", encoding="ascii") as stream:
            stream.write(text)
        draft.replace(where / name)

"""What was changed in a session, kept as it is typed, so that nothing is lost with the program.

One file a session, in a folder beside the prepared books: how it began, then each line that changed
something, as lines of JSON. Its session holds a lock on it. A file that nobody holds is of a
session that was ended from outside: its lines can be typed again. A session that ends by itself
takes its file away.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..editions import folder, pour, private, private_new
from .lines import MAX_SECTION

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

FOLDER = "sessions"
MOST_FILES, MOST_BYTES, MOST_LINES = 20, 1_000_000, 5_000
MOST_LISTED = 1_000
"""So many files of the folder are looked at."""
FULL = (
    f"more than {MOST_BYTES:,} bytes or {MOST_LINES:,} lines were typed: "
    "from here on they are lost with the program"
)
_NAME = re.compile(r"[0-9]{20}-[0-9]{1,10}\.jsonl")


class Began(NamedTuple):
    """What a session was started with: a table, an edition, and the keys over the table."""

    table: str | None
    edition: str | None
    keys: Mapping[str, Any]


class Unfinished(NamedTuple):
    """The changes of a session that was ended from outside. ``title`` is its table's."""

    path: str
    began: Began
    title: str
    lines: tuple[str, ...]


class Journal:
    """The file of one session, made with its first change. Nothing here raises.

    ``where`` is its folder, None where there is none; ``trouble`` what hinders, until it is told.
    """

    def __init__(self, began: Began, title: str, where: Path | None = None) -> None:
        place = where or folder()
        self.where = os.path.join(place, FOLDER) if place else None  # noqa: PTH118
        self.began, self.title, self.trouble = began, title, ""
        self._path = ""
        self._handle = -1
        self._size = self._lines = 0
        self._over = self.where is None
        self.unfinished = list(self._found())

    def __call__(self, line: str) -> None:
        """A line has changed something."""
        if self._over:
            return
        try:
            if self._handle < 0:
                self._start()
            self._write(line)
        except (OSError, ValueError, TypeError) as error:
            self._over = True
            why = getattr(error, "strerror", None) or str(error)
            self.trouble = f"what is typed here is lost with the program ({why})"

    def begin(self, began: Began, title: str) -> None:
        """Anew, as a session that began otherwise."""
        self.end()
        self.began, self.title = began, title
        self._over = self.where is None

    def end(self) -> None:
        """The session came to its end by itself: its file goes."""
        if self._handle >= 0:
            with contextlib.suppress(OSError):
                os.remove(self._path)  # noqa: PTH107
            os.close(self._handle)
        self._handle, self._size, self._lines, self._over = -1, 0, 0, True

    def forget(self, found: Unfinished) -> None:
        """Take the file of an unfinished session away."""
        self.unfinished.remove(found)
        with contextlib.suppress(OSError):
            os.remove(found.path)  # noqa: PTH107

    def _start(self) -> None:
        assert self.where is not None
        os.makedirs(self.where, mode=0o700, exist_ok=True)  # noqa: PTH103
        self._shrink()
        self._path = f"{self.where}/{time.time_ns():020d}-{os.getpid()}.jsonl"
        self._handle = private_new(self._path, os.O_RDWR | os.O_APPEND)
        if fcntl is not None:
            fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self._write({**self.began._asdict(), "title": self.title})

    def _write(self, value: object) -> None:
        data = json.dumps(value).encode() + b"\n"
        if self._size + len(data) > MOST_BYTES or self._lines > MOST_LINES:
            self._over, self.trouble = True, FULL
            return
        self._size += len(data)
        self._lines += 1
        pour(self._handle, data)

    def _names(self) -> list[str]:
        """The files of all sessions, the newest first."""
        found = []
        with contextlib.suppress(OSError, ValueError), os.scandir(self.where) as entries:
            for _, entry in zip(range(MOST_LISTED), entries, strict=False):
                if _NAME.fullmatch(entry.name):
                    found.append(entry.name)
        return sorted(found, reverse=True)

    def _shrink(self) -> None:
        """Take the oldest away that nobody holds."""
        for name in self._names()[MOST_FILES - 1 :]:
            path = f"{self.where}/{name}"
            with contextlib.suppress(OSError, ValueError), _own(path):
                os.remove(path)  # noqa: PTH107

    def _found(self) -> Iterator[Unfinished]:
        for name in self._names()[:MOST_FILES] if self.where else ():
            with contextlib.suppress(OSError, ValueError, RecursionError, TypeError, LookupError):
                found = _read(f"{self.where}/{name}")
                if found.lines:
                    yield found


@contextlib.contextmanager
def _own(path: str) -> Iterator[int]:
    """A file that nobody but the user can have written, and no session holds. Raises OSError."""
    handle = private(path, MOST_BYTES, os.O_RDWR)
    try:
        if fcntl is not None:
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield handle
    finally:
        os.close(handle)


def _read(path: str) -> Unfinished:
    """What a file says, as far as it was written down whole.

    Raises OSError, ValueError, TypeError, LookupError.
    """
    data = b""
    with _own(path) as handle:
        while len(data) <= MOST_BYTES and (part := os.read(handle, MOST_BYTES)):
            data += part
    first, *rest = data[:MOST_BYTES].decode().split("\n")[:-1][: MOST_LINES + 1] or ("",)
    head = json.loads(first)
    began = Began(head["table"], head["edition"], head["keys"])
    title = head["title"]
    named = all(isinstance(each, str | None) for each in (began.table, began.edition))
    if not named or not isinstance(title, str) or not isinstance(began.keys, dict):
        raise TypeError(path)
    return Unfinished(path, began, title, tuple(_lines(rest)))


def _lines(rest: list[str]) -> Iterator[str]:
    """Lines as they were typed, up to one that can't have been."""
    for each in rest:
        try:
            line = json.loads(each)
        except (ValueError, RecursionError):
            return
        if not isinstance(line, str) or len(line) > 2 * MAX_SECTION or not _is_text(line):
            return
        yield line


def _is_text(line: str) -> bool:
    """Whether there are no half characters in it."""
    try:
        line.encode()
    except UnicodeEncodeError:
        return False
    return True

"""What the command line writes on: nothing goes out that can't be seen, whatever the encoding.

Names, file names and texts come from anybody. What would move a cursor, turn the direction of
writing round or end a text is shown by its number; so is what an encoding doesn't have, in the way
that TOML and JSON read back.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import re
import sys
from collections.abc import Iterator
from typing import Any

_COLOURS = r"(\x1b\[(?:3[0-9]m\x1b\[1|0)m)"
_LINES = "\n\t\r"
_ERRORS = "seatlog"


class Shown:
    """A stream in whose place it stands, on which everything written can be seen.

    At a terminal the command line's own colours pass. There is no way round it to bytes.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str | bytes) -> int:
        """Write a text so that all of it can be seen, also where it comes as UTF-8."""
        if isinstance(text, bytes):
            if not text:
                raise TypeError("this is a stream of text")
            text = text.decode(errors="surrogateescape")
        self._stream.write(self._seen(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write one text after the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self._stream, name)

    def _seen(self, text: str) -> str:
        if text.replace("\n", "").isprintable():
            return text
        if not self._stream.isatty():
            return _seen(text)
        parts = re.split(_COLOURS, text)
        return "".join(p if n % 2 else _seen(p) for n, p in enumerate(parts))


def _seen(text: str) -> str:
    return "".join(c if c.isprintable() or c in _LINES else f"\\x{ord(c):02x}" for c in text)


def _numbered(error: UnicodeError) -> tuple[str, int]:
    """What an encoding doesn't have, by numbers that TOML and JSON know."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    short = (f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}" for c in lacking)
    return "".join(short), error.end


@contextlib.contextmanager
def shown() -> Iterator[None]:
    """While this lasts standard output and standard error are written to as they should be."""
    codecs.register_error(_ERRORS, _numbered)
    before = sys.stdout, sys.stderr
    for stream in before:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ERRORS)
    out, err = (Shown(stream) if stream else stream for stream in before)
    sys.stdout, sys.stderr = out, err
    try:
        yield
    finally:
        if (sys.stdout, sys.stderr) == (out, err):
            sys.stdout, sys.stderr = before

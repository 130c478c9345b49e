"""Lines from standard input, without editing, completion or history: for pipes and bare terminals.

A prompt is only shown to somebody who types; a line goes on as long as it isn't finished.
"""

from __future__ import annotations

import io
import sys

from ..language import MAX_STATEMENT
from .lines import finished

CONTINUED = "... "


class Plain:
    """Reads lines until there are no more, which raises EOFError."""

    def __init__(self) -> None:
        self.typed = bool(sys.stdin) and sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="backslashreplace")

    def read(self, prompt: str) -> str:
        """The next line, or several that belong together, as long as anybody could read them."""
        text = self._line(prompt)
        while len(text) <= MAX_STATEMENT and not finished(text):
            try:
                text += "\n" + self._line(CONTINUED)
            except EOFError:
                break
        return text

    def _line(self, prompt: str) -> str:
        if self.typed and sys.stdout and sys.stdout.isatty():
            return input(prompt)
        if self.typed and sys.stderr:
            sys.stderr.write(prompt)
            sys.stderr.flush()
        line = sys.stdin.readline() if sys.stdin else ""
        if not line:
            raise EOFError
        return line.rstrip("\r\n")

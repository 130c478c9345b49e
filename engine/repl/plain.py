"""Lines from standard input, without editing, completion or history: for pipes and bare terminals.

A prompt is only shown to somebody who types; a line goes on as long as it isn't finished.
"""

from __future__ import annotations

import io
import sys

from ..errors import TextError
from ..language import MAX_STATEMENT
from .lines import MAX_SECTION, finished, is_block

CONTINUED = "... "
_WIDEST = 100_000
_PARTS = 640


class Plain:
    """Reads lines until there are no more, which raises EOFError."""

    def __init__(self) -> None:
        self.typed = bool(sys.stdin) and sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="backslashreplace")

    def read(self, prompt: str) -> str:
        """The next line, or several that belong together, as long as anybody could read them."""
        text = self._line(prompt)
        most = MAX_SECTION if is_block(text) else MAX_STATEMENT
        while len(text) <= most and not finished(text):
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
        line = sys.stdin.readline(_WIDEST) if sys.stdin else ""
        if not line:
            raise EOFError
        if len(line) == _WIDEST and not line.endswith("\n"):
            self._pass_over()
            what = f"this line is longer than {_WIDEST:,} characters"
            raise TextError(what, hint="it was passed over")
        return line.rstrip("\r\n")

    def _pass_over(self) -> None:
        """The rest of a line that is too long. Raises EOFError where it seems to have no end."""
        for _ in range(_PARTS):
            rest = sys.stdin.readline(_WIDEST)
            if not rest or rest.endswith("\n"):
                return
        raise EOFError("a line without an end: nothing more is read")

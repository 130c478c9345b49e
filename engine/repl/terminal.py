"""Lines from a terminal through prompt_toolkit: editing, history, completion, several lines.

The only module that imports it. Enter ends a line once it is finished and starts another one
before that; with a completion chosen it takes the completion.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import has_focus
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import ColorDepth, create_output

from ..editions import folder
from .completing import complete
from .lines import finished
from .plain import CONTINUED
from .state import State

HISTORY = "history"
_MOST = 5_000_000


class Terminal:
    """Reads lines from a terminal. ``state`` gives what completion is about, line by line."""

    def __init__(self, state: Callable[[], State]) -> None:
        self.session: PromptSession[str] = PromptSession(
            history=_history(),
            completer=_Completer(state),
            complete_while_typing=False,
            multiline=True,
            prompt_continuation=_continued,
            key_bindings=_keys(),
            output=create_output(stdout=sys.__stdout__),
            color_depth=ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None,
        )

    def read(self, prompt: str) -> str:
        """The next line. Raises EOFError for Ctrl-D and KeyboardInterrupt for Ctrl-C."""
        return self.session.prompt(prompt)


class _Completer(Completer):
    def __init__(self, state: Callable[[], State]) -> None:
        self.state = state

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterable[Completion]:
        """The completions at the cursor; none rather than an error in the middle of a line."""
        with contextlib.suppress(Exception):
            for found in complete(self.state(), document.text_before_cursor):
                yield Completion(found.text, -found.back, display_meta=found.about)


class _Kept(FileHistory):
    """A history that does no harm when its file can't be read or written, or is none."""

    def load_history_strings(self) -> Iterable[str]:
        try:
            return list(super().load_history_strings()) if self._fits() else []
        except (OSError, ValueError):
            return []

    def store_string(self, string: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            Path(os.fsdecode(self.filename)).parent.mkdir(parents=True, exist_ok=True)
            if self._fits():
                super().store_string(string)

    def _fits(self) -> bool:
        """Whether there is no file yet, or a regular one that isn't too large."""
        try:
            found = os.stat(self.filename)  # noqa: PTH116
        except FileNotFoundError:
            return True
        return stat.S_ISREG(found.st_mode) and found.st_size < _MOST


def _continued(_width: int, _line: int, wrapped: int) -> str:
    """What stands before the second line of several; nothing where a long one is wrapped."""
    return "" if wrapped else CONTINUED


def _history() -> History:
    where = folder()
    return _Kept(str(where / HISTORY)) if where else InMemoryHistory()


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter", filter=has_focus(DEFAULT_BUFFER))
    def _enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        menu = buffer.complete_state
        if menu and menu.current_completion and len(menu.completions) > 1:
            buffer.complete_state = None
        elif finished(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    return keys

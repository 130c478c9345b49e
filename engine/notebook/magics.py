"""The magics of IPython: ``%load_ext seatlog``. Nothing else of Seatlog knows IPython."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from ..authoring import Changes, Edit, Tried
from ..errors import SeatlogError
from . import html
from .completing import completions
from .desk import Desk

Shell = Any
"""IPython's ``InteractiveShell``."""
T = TypeVar("T")

_CELLS = ("rules", "table")
"""The magics that take a cell's text as well."""
_LINES = ("can", "why", "diff", "test", "draw")
TYPE = "seatlog"
"""What completions of Seatlog's are called."""

_MARK = re.compile(r"\A(\s*(?:[\w.]+\s*=\s*)?%(?:can|why)\s+\S.*?)\s*\?(?=\s*\Z)")

_SHOWN: dict[type, Callable[[Any], str]] = {
    Edit: html.edit,
    Changes: html.changes,
    Tried: html.tried,
}
"""What a draft gives in Python that shows itself where the magics are."""

_loaded: WeakKeyDictionary[Shell, Any] = WeakKeyDictionary()
"""What completes in each shell that has the magics."""


def load_ipython_extension(shell: Shell) -> None:
    """Give a shell the magics, their completion, and HTML of what a draft gives.

    ``%rules`` changes rules, ``%table`` says which table is asked, ``%can`` and ``%why`` ask,
    ``%diff`` says what the changes change, ``%test`` runs scenarios, ``%draw`` draws the table.
    """
    desk = Desk()
    for name in (*_CELLS, *_LINES):
        where = "line_cell" if name in _CELLS else "line"
        shell.register_magic_function(_magic(getattr(desk, name)), where, name)
    matcher = _matcher(desk)
    shell.Completer.custom_matchers.append(matcher)
    shell.input_transformers_cleanup.append(_without_mark)
    _loaded[shell] = matcher
    formatters = shell.display_formatter.formatters
    for kind, shown in _SHOWN.items():
        formatters["text/html"].for_type(kind, shown)
        formatters["text/plain"].for_type(kind, _printed)


def unload_ipython_extension(shell: Shell) -> None:
    """Take all of it from a shell again; the draft goes with it."""
    matcher = _loaded.pop(shell, None)
    if matcher is None:
        return
    shell.Completer.custom_matchers.remove(matcher)
    shell.input_transformers_cleanup.remove(_without_mark)
    for where in ("line", "cell"):
        for name in (*_CELLS, *_LINES):
            shell.magics_manager.magics[where].pop(name, None)
    for formatter in ("text/html", "text/plain"):
        for kind in _SHOWN:
            shell.display_formatter.formatters[formatter].pop(kind, None)


def _magic(work: Callable[..., T]) -> Callable[..., T]:
    """A method as a magic: its faults are shown as Seatlog's messages, without a traceback."""

    def magic(line: str, cell: str | None = None) -> T:
        try:
            return work(line) if cell is None else work(line, cell)
        except SeatlogError as error:
            error._render_traceback_ = partial(_message, str(error))  # type: ignore[attr-defined]
            raise

    magic.__doc__ = work.__doc__
    return magic


def _without_mark(lines: list[str]) -> list[str]:
    """A cell in which questions may end as they are said: IPython shows help behind a ``?``."""
    return [_MARK.sub(r"\1", line) for line in lines]


def _message(text: str) -> list[str]:
    """What IPython shows in the place of a traceback."""
    return text.split("\n")


def _printed(value: object, printer: Any, _cycle: bool) -> None:
    printer.text(str(value))


def _matcher(desk: Desk) -> Any:
    """What IPython asks for completions; where there are some, it asks nobody else."""
    from IPython.core import completer

    known: Any = completer

    def matcher(context: Any) -> Any:
        line = context.text_until_cursor
        lines = context.full_text.split("\n")
        above = lines[: context.cursor_line] if context.cursor_line > 0 else []
        found = completions(desk, "\n".join([*above, line]), line)
        back = found[0].back if found else 0
        return {
            "completions": [known.SimpleCompletion(text=each.text, type=TYPE) for each in found],
            "matched_fragment": line[len(line) - back :],
            "suppress": bool(found),
        }

    return known.context_matcher(identifier=TYPE)(matcher)

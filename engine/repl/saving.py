"""Keep a session's table as a file; and the names of files that are typed."""

from __future__ import annotations

from pathlib import Path

from ..errors import TableError, quoted
from ..table import as_text as written
from ..table import keep
from .lines import unquoted
from .state import State


def as_text(state: State) -> str:
    """A table file's text. Raises TableError when no text would be read back to the same facts."""
    edition = state.edition or state.table.edition
    remarks = ["Kept by seatlog repl."]
    return written(state.said, state.vocabulary, edition, remarks, state.table.aside)


def save(state: State, file: str, over: bool) -> Path:
    """Write a table file, over an old one only when told so. Raises TableError."""
    return keep(as_text(state), file, over, f"`:save! {file}` writes over it")


def path_in(text: str) -> Path:
    """The file or folder that was typed, with quotes or without. Raises TableError for none."""
    name = unquoted(text)
    try:
        path = Path(name).expanduser()
        path.exists()
    except (OSError, ValueError, RuntimeError):
        name = ""
    if not name or not name.isprintable():
        raise TableError(f"{quoted(text)} can't be the name of a file or folder")
    return path

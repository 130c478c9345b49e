"""Keep a session's table as a file."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import TableError, printable
from ..writing import as_text as written
from .state import State


def as_text(state: State) -> str:
    """A table file's text. Raises TableError when no text would be read back to the same facts."""
    edition = state.edition or state.table.edition
    return written(state.said, state.vocabulary, edition, ["Kept by seatlog repl."])


def save(state: State, file: str, over: bool) -> Path:
    """Write a table file, over an old one only when told so. Raises TableError."""
    text = as_text(state)
    try:
        path = Path(file).expanduser()
        path = path if path.suffix else path.with_suffix(".toml")
        if over:
            draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
            draft.write_text(text, encoding="utf-8")
            draft.replace(path)
        else:
            with path.open("x", encoding="utf-8") as stream:
                stream.write(text)
    except FileExistsError:
        hint = f"`:save! {file}` writes over it"
        raise TableError(f"{printable(str(path))} is there already", hint=hint) from None
    except (OSError, ValueError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise TableError(f"{printable(file)} can't be written ({why})") from None
    return path

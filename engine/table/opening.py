"""Open a table with the book it asks for: read and checked, but nothing asked of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..book import Book
from ..editions import load_book
from ..errors import TableError
from ..language import stem
from .data import given, kind, laid_over, plain
from .state import Table, read_table, table


class Opened(NamedTuple):
    """A table and its book. Whether the book's alarms take the table isn't asked yet."""

    book: Book
    table: Table


def open_table(
    state: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    edition: str | os.PathLike[str] | None = None,
    keys: Mapping[str, Any] | None = None,
) -> Opened:
    """A table from a file, a shipped table's name, or data; ``keys`` lie over what it says.

    Raises SeatlogError for what can't be read or contradicts the vocabulary.
    """
    data: Mapping[Any, Any] = {}
    source = None
    if isinstance(state, Mapping):
        data = state
    elif isinstance(state, str | os.PathLike):
        data, source = read_table(_path(state, "a table's name", 'like: "game.toml"'))
    elif state is not None:
        what = f"a table is a file's name or a mapping, not {kind(state)}"
        raise TableError(what, hint='like: "game.toml" or {"seats": ["Ann", "Bob"]}')
    data = laid_over(plain(data), given(keys or {}))
    wanted = data.get("edition") if edition is None else edition
    if isinstance(wanted, os.PathLike):
        wanted = _path(wanted, "edition", 'like: edition = "…"')
    if wanted is not None:
        if not isinstance(wanted, str) or not wanted:
            raise TableError("edition is a name", hint='like: edition = "…"')
        data = {**data, "edition": wanted}
    book = load_book(wanted)
    title = stem(source.file) if source else "table"
    return Opened(book, table(data, book.vocabulary, source, title))


def _path(value: str | os.PathLike[str], what: str, like: str) -> str:
    """The text of a path, whatever says one. Raises TableError."""
    said: object = value if isinstance(value, str) else value.__fspath__()
    if not isinstance(said, str):
        raise TableError(f"{what} is a text, not {kind(said)}", hint=like)
    return said

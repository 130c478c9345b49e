"""Open a table with the book it asks for: read and checked, but nothing asked of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..book import Book
from ..editions import load_book
from ..errors import TableError
from ..language import stem
from .state import Table, read_table, table


class Opened(NamedTuple):
    """A table and its book. Whether the book's alarms take the table isn't asked yet."""

    book: Book
    table: Table


def open_table(
    state: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    edition: str | None = None,
    keys: Mapping[str, Any] | None = None,
) -> Opened:
    """A table from a file, a shipped table's name, or data; ``keys`` lie over what it says.

    Raises SeatlogError for what can't be read or contradicts the vocabulary.
    """
    if isinstance(state, Mapping):
        data, source = dict(state), None
    elif state is None:
        data, source = {}, None
    else:
        data, source = read_table(os.fspath(state))
    data = laid_over(data, keys or {})
    wanted = edition or data.get("edition")
    if wanted is not None and not isinstance(wanted, str):
        raise TableError("edition is a name", hint='like: edition = "…"')
    book = load_book(wanted)
    title = stem(source.file) if source else "table"
    return Opened(book, table(data, book.vocabulary, source, title))


def laid_over(data: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """Data with other keys over it; a group of keys lies over a group key by key."""
    out = dict(data)
    for key, value in keys.items():
        below = out.get(key)
        both = isinstance(value, Mapping) and isinstance(below, Mapping)
        out[key] = {**below, **value} if both else value  # type: ignore[dict-item]
    return out

"""The vocabulary of tables: declared facts, the sorts of their arguments, their keys in files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..errors import Place
from ..model import Row


class Sort(NamedTuple):
    """What an argument may hold: a declared name, a number, one of some words, a file's stem."""

    name: str
    kind: str
    choices: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None

    @property
    def is_number(self) -> bool:
        return self.kind == "number"

    @property
    def words(self) -> tuple[str, ...]:
        """The words that are declared for it, or the stems of its files; else none."""
        if self.kind == "file":
            return self.choices[1:]
        return self.choices if self.kind == "word" else ()

    def word(self, said: str) -> str | None:
        """The declared word that is meant, whatever its case."""
        folded = said.casefold()
        return next((w for w in self.words if w.casefold() == folded), None)


class Shape(NamedTuple):
    """How a key of a table file becomes facts: ``objects.Thing.types = [Type]``."""

    path: tuple[str, ...]
    value: str
    many: bool


class Fact(NamedTuple):
    """A declared fact predicate (see ``facts/vocabulary.dl``)."""

    name: str
    args: tuple[str, ...]
    sorts: tuple[str, ...]
    keys: tuple[tuple[int, ...], ...] = ()
    names: tuple[int, ...] = ()
    shapes: tuple[Shape, ...] = ()
    about: str = ""
    yes: str = ""
    no: str = ""
    tree_no: str = ""
    default: Row | None = None
    command: str = ""
    prefer: int = 0
    place: Place = Place("")
    momentary: bool = False

    def marks(self, row: Row) -> list[tuple[int, Row]]:
        """What tells one of these facts apart, key by key: of two with one mark one gives way."""
        return [(number, tuple(row[i] for i in key)) for number, key in enumerate(self.keys)]


class Vocabulary(NamedTuple):
    """All declared facts and sorts, their folder, and the editions of the book, base first."""

    facts: Mapping[str, Fact]
    sorts: Mapping[str, Sort]
    folder: str = ""
    editions: tuple[str, ...] = ()

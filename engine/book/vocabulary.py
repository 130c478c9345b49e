"""The vocabulary of tables: declared facts and their keys in files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..errors import Place
from ..model import Row
from .sorts import Sort


class Shape(NamedTuple):
    """How a key of a table file becomes facts: ``objects.Thing.types = [Type]``."""

    path: tuple[str, ...]
    value: str
    many: bool

    @property
    def switch(self) -> bool | None:
        """What the key holds where the fact is all that it says, ``= true`` or ``= false``."""
        return {"true": True, "false": False}.get(self.value)


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
    tree_no: tuple[str, ...] = ()
    default: Row | None = None
    command: str = ""
    prefer: int = 0
    place: Place = Place("")
    momentary: bool = False

    def marks(self, row: Row) -> list[tuple[int, Row]]:
        """What tells one of these facts apart, key by key: of two with one mark one gives way."""
        return [(number, tuple(row[i] for i in key)) for number, key in enumerate(self.keys)]


VERDICT, PROHIBITION, DUTY = ROLES = ("verdict", "prohibition", "duty")
"""What a predicate can be besides a helper: the answer to a question, what beats it, a must."""


TABLE, FACT, COMMAND, VERB = PLACES = ("table", "fact", "command", "verb")
"""Where words are looked for, besides sorts and groups of keys: the keys of the table itself,
predicates, the session's commands, and players' verbs."""


class Vocabulary(NamedTuple):
    """All declared facts and sorts, their folder, and the editions of the book, base first.

    ``roles`` are the beginnings of predicates' names with what such a predicate is. ``who`` are the
    sorts that one asks for by "who", and by "what" for all others, where any are declared.
    ``hints`` has, for each place where words are looked for, those that people use there by
    mistake, with a sentence that helps on. ``describing`` are the words of a sort that only
    describe, whatever a book makes of them, and the terms of a fact whose words do; a fact without
    terms only describes.
    """

    facts: Mapping[str, Fact]
    sorts: Mapping[str, Sort]
    folder: str = ""
    editions: tuple[str, ...] = ()
    roles: Mapping[str, str] = {}
    who: tuple[str, ...] = ()
    hints: Mapping[str, Mapping[str, str]] = {}
    describing: Mapping[str, tuple[str, ...]] = {}

    def hint(self, place: str, word: object) -> str:
        """What helps somebody on who says a word where another is meant, or nothing.

        ``place`` is a sort, a group of table keys, or one of ``PLACES``.
        """
        return self.hints.get(place, {}).get(word.casefold(), "") if isinstance(word, str) else ""

    def role(self, predicate: str) -> str:
        """What a predicate of this name is: one of ``ROLES``, or nothing for a helper."""
        return next((r for start, r in self.roles.items() if predicate.startswith(start)), "")

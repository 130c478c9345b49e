"""What a rule book is made of above its clauses: sections, predicates, declared facts, the book."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .errors import Place
from .model import Clause, Literal, Row, show_value

Path = tuple[str | int, ...]


class Section:
    """One numbered rule: title, clauses or why there are none.

    ``digests`` are those of the official wordings that it was checked against, by their source.
    """

    __slots__ = ("digests", "left_out", "number", "place", "stands_for", "title")

    def __init__(self, number: str, title: str, place: Place) -> None:
        self.number = number
        self.title = title
        self.place = place
        self.digests: dict[str, str] = {}
        self.left_out = ""
        self.stands_for = False


class Predicate:
    """What the book says about one predicate: sentences, and how it may be asked."""

    __slots__ = ("alarm", "arity", "doubts", "name", "no", "params", "tells", "walk", "yes")

    def __init__(self, name: str, params: tuple[str, ...]) -> None:
        self.name = name
        self.arity = len(params)
        self.params = params
        self.yes = ""
        self.no = ""
        self.tells: tuple[Literal, ...] = ()
        self.doubts: tuple[Literal, ...] = ()
        self.walk = False
        self.alarm = ""

    @property
    def speaks(self) -> bool:
        """Whether the short reason can say it in a sentence of its own."""
        return bool(self.yes or self.no)


class Verb(NamedTuple):
    """A way to ask a predicate in players' words: which argument is who, which is what.

    ``others`` are arguments behind a preposition: ``choose Target for Choice``.
    """

    word: str
    who: int
    what: int | None
    predicate: str
    others: tuple[tuple[str, int], ...] = ()


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
    default: Row | None = None
    command: str = ""
    prefer: int = 0
    place: Place = Place("")


class Statement(NamedTuple):
    """A ground fact and where it was said: a place, or the path of keys in a table file."""

    name: str
    row: Row
    origin: Place | Path = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(show_value, self.row))})"


class Vocabulary(NamedTuple):
    """All declared facts and sorts, and the clauses that spot contradictions."""

    facts: Mapping[str, Fact]
    sorts: Mapping[str, Sort]
    folder: str = ""


class Book(NamedTuple):
    """A rule book ready to be asked: sections, clauses in rule order, predicates, vocabulary."""

    name: str
    title: str
    date: str
    sections: Mapping[str, Section]
    clauses: tuple[Clause, ...]
    predicates: Mapping[str, Predicate]
    verbs: tuple[Verb, ...]
    vocabulary: Vocabulary
    key: str = ""
    arg_sorts: Mapping[str, tuple[frozenset[str] | None, ...]] = {}

    def clauses_of(self, name: str) -> list[Clause]:
        """The clauses whose head is this predicate, in rule order."""
        return [c for c in self.clauses if c.head.name == name]


def rule_order(number: str) -> tuple[tuple[int, str], ...]:
    """A sort key that puts 801.2 before 801.2a before 801.10."""
    out: list[tuple[int, str]] = []
    for part in number.split("."):
        digits = "".join(c for c in part if c.isdigit())
        out.append((int(digits[:9]) if digits else -1, part[len(digits) :]))
    return tuple(out)

"""The sorts of things that a table can speak of, each kind a class of its own.

What an argument of a fact may hold: a name that the table introduces, a number, one of some words,
any text, the name of a file in a folder, or what any of several sorts holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from ..errors import a, quoted
from ..model import MAX_INT, Value

MAX_NAME = 200
MAX_SHOWN = 400

Fault = tuple[str, str]
"""What is wrong with a value, and what to do about it."""


class Sort:
    """What all sorts have in common; alone it is no sort.

    ``words`` are the words that are known beforehand: those declared, or the stems of files.
    """

    kind: ClassVar[str] = ""
    named: ClassVar[bool] = False
    """Whether it holds names that a table introduces."""
    is_number: ClassVar[bool] = False
    dense: bool = False
    """Whether its numbers run from the lowest on without gaps."""
    words: tuple[str, ...] = ()
    closed: ClassVar[bool] = False
    """Whether it holds nothing but its words."""

    def __init__(self, name: str) -> None:
        self.name = name

    def parts(self) -> list[Any]:
        """What makes it, as ``made`` takes it back."""
        return []

    def word(self, said: str) -> str | None:
        """The known word that is meant, whatever its case."""
        folded = said.casefold()
        return next((w for w in self.words if w.casefold() == folded), None)

    def fault(self, value: Value) -> Fault | None:
        """What keeps a value from being of this sort, as far as no table has to be asked."""
        if isinstance(value, int):
            return f"{value} is a number, and {self.name} is a name", "put it in quotes"
        return None

    def holds(self) -> str:
        """What it holds, in words."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Sort)
            and (self.kind, self.name) == (other.kind, other.name)
            and self.parts() == other.parts()
        )

    def __hash__(self) -> int:
        return hash((self.kind, self.name))

    def __repr__(self) -> str:
        return f"{self.name} is {self.holds()}"


class Names(Sort):
    """Names that a table introduces; ``shared`` are sorts whose names do as well."""

    kind = "name"
    named = True

    def __init__(self, name: str, shared: Iterable[str] = ()) -> None:
        super().__init__(name)
        self.shared = tuple(shared)

    def parts(self) -> list[Any]:
        """The sorts that share their names with it."""
        return [list(self.shared)]

    def holds(self) -> str:
        """``a name``."""
        return "a name" + "".join(f", or that of {a(s)}" for s in self.shared)


class Numbers(Sort):
    """Whole numbers between bounds; ``dense`` ones run from the lowest on without gaps."""

    kind = "number"
    is_number = True

    def __init__(
        self, name: str, low: int | None = None, high: int | None = None, dense: bool = False
    ) -> None:
        super().__init__(name)
        self.low, self.high, self.dense = low, high, dense

    @property
    def lowest(self) -> int:
        """The number that counting begins with: its bound, or 0 where it has none."""
        return self.low or 0

    def parts(self) -> list[Any]:
        """Bounds, and whether it has gaps."""
        return [self.low, self.high, self.dense]

    def fault(self, value: Value) -> Fault | None:
        """A name, or a number out of bounds."""
        if not isinstance(value, int):
            what = f"{quoted(value)} is no number, but {self.name} has to be one"
            return what, f"{self.name} is {self.holds()}"
        low = -MAX_INT if self.low is None else self.low
        high = MAX_INT if self.high is None else self.high
        if low <= value <= high:
            return None
        bounds = f"from {low}" if self.high is None else f"from {low} to {high}"
        return f"{self.name} can't be {value}", f"{self.name} is a number {bounds}"

    def holds(self) -> str:
        """``a number from 1 to 5``."""
        bounds = f" from {self.low}" if self.low is not None else ""
        return f"a number{bounds}" + (f" to {self.high}" if self.high is not None else "")


class Words(Sort):
    """One of some declared words."""

    kind = "word"
    closed = True

    def __init__(self, name: str, words: Iterable[str] = ()) -> None:
        super().__init__(name)
        self.words = tuple(words)

    def parts(self) -> list[Any]:
        """The words."""
        return [list(self.words)]

    def holds(self) -> str:
        """The words, one after the other."""
        return ", ".join(self.words)


class Texts(Sort):
    """Any printable text."""

    kind = "text"

    def fault(self, value: Value) -> Fault | None:
        """A number, or a text that can't be shown."""
        if isinstance(value, int):
            return super().fault(value)
        if value.isprintable() and value.strip() and len(value) <= MAX_NAME:
            return None
        return f"{quoted(value)} can't be a {self.name}", "it is printable text"

    def holds(self) -> str:
        """``any text``."""
        return "any text"


class Files(Sort):
    """The stem of a TOML file in a folder beside the vocabulary."""

    kind = "file"
    closed = True

    def __init__(self, name: str, folder: str, stems: Iterable[str] = ()) -> None:
        super().__init__(name)
        self.folder, self.words = folder, tuple(stems)

    def parts(self) -> list[Any]:
        """The folder and the stems."""
        return [self.folder, list(self.words)]

    def holds(self) -> str:
        """``a file in variants: one, two``."""
        return f"a file in {self.folder}: {', '.join(self.words) or 'none yet'}"


class AnyOf(Sort):
    """What any of several sorts holds."""

    kind = "any"
    named = True

    def __init__(self, name: str, sorts: Iterable[str]) -> None:
        super().__init__(name)
        self.sorts = tuple(sorts)

    def parts(self) -> list[Any]:
        """The names of the sorts."""
        return [list(self.sorts)]

    def holds(self) -> str:
        """``a player or a thing``."""
        return " or ".join(a(sort) for sort in self.sorts)


KINDS: dict[str, type[Sort]] = {s.kind: s for s in (Names, Numbers, Words, Texts, Files, AnyOf)}


def made(kind: str, name: str, parts: Sequence[Any]) -> Sort:
    """The sort of a kind out of its parts."""
    return KINDS[kind](name, *parts)


def under(sort: Sort, sorts: Mapping[str, Sort]) -> list[Sort]:
    """The sorts that one stands for, itself if it isn't any of several; each of them once."""
    seen, todo, out = {sort.name}, [sort], []
    while todo:
        each = todo.pop()
        if not isinstance(each, AnyOf):
            out.append(each)
            continue
        todo += [sorts[name] for name in dict.fromkeys(each.sorts) if name not in seen]
        seen.update(each.sorts)
    return out


def roots(sort: Sort, sorts: Mapping[str, Sort]) -> frozenset[str] | None:
    """The sorts of names an argument of this sort can hold; None for numbers and words."""
    if not sort.named:
        return None
    return frozenset(s.name for s in under(sort, sorts) if isinstance(s, Names))


def borrowed(sort: Sort, sorts: Mapping[str, Sort]) -> frozenset[str]:
    """The sorts whose names can be names of this one as well."""
    own = [s.shared for s in under(sort, sorts) if isinstance(s, Names)]
    lent = [under(sorts[name], sorts) for names in own for name in names]
    return frozenset(s.name for each in lent for s in each)

"""What a rule book is made of: terms, literals, clauses, sections, declared facts.

Field terms as in the Datalog literature (Ceri, Gottlob, Tanca 1989): a *clause* is a head literal
and a body; a *literal* is a predicate with terms, possibly negated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .errors import Place

Value = str | int
MAX_INT = 2**31 - 1
Row = tuple[Value, ...]
Path = tuple[str | int, ...]
"""Keys and list positions, from the outermost in."""


class Var:
    """A variable."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Var) and other.name == self.name

    def __hash__(self) -> int:
        return hash(("var", self.name))

    def __repr__(self) -> str:
        return self.name


class Const:
    """A constant: a name or an integer."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Const)
            and other.value == self.value
            and type(other.value) is type(self.value)
        )

    def __hash__(self) -> int:
        return hash(("const", self.value))

    def __repr__(self) -> str:
        return show_value(self.value)


class Sum:
    """``left + right`` or ``left - right`` on integers."""

    __slots__ = ("left", "op", "right")

    def __init__(self, left: Term, op: str, right: Term) -> None:
        self.left, self.op, self.right = left, op, right

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sum) and (self.left, self.op, self.right) == (
            other.left,
            other.op,
            other.right,
        )

    def __hash__(self) -> int:
        return hash(("sum", self.left, self.op, self.right))

    def __repr__(self) -> str:
        right = f"({self.right!r})" if isinstance(self.right, Sum) else repr(self.right)
        return f"{self.left!r} {self.op} {right}"


Term = Var | Const | Sum


class Literal(NamedTuple):
    """``predicate(term, …)`` or ``~predicate(term, …)``."""

    name: str
    args: tuple[Term, ...]
    negated: bool = False

    def __str__(self) -> str:
        return f"{'~' if self.negated else ''}{self.name}({', '.join(map(repr, self.args))})"

    @property
    def atom(self) -> Literal:
        """The literal without its negation."""
        return Literal(self.name, self.args) if self.negated else self


class Comparison(NamedTuple):
    """``(left op right)``; ``==`` also binds a variable that stands alone on one side."""

    op: str
    left: Term
    right: Term

    def __str__(self) -> str:
        return f"({self.left!r} {self.op} {self.right!r})"


class Count(NamedTuple):
    """``(result == count(counted, literal))``: how many values, 0 for none."""

    result: Var
    counted: Var
    literal: Literal

    def __str__(self) -> str:
        return f"({self.result!r} == count({self.counted!r}, {self.literal}))"


Item = Literal | Comparison | Count


class Clause(NamedTuple):
    """A head that holds when every item of the body holds, under a rule number.

    Without a body it is a plain fact of the rules, and its head is ground. ``yes`` is its sentence,
    ``no`` that of a prohibition which has no yes, ``but`` what is said where a comparison fails.
    ``spots`` are the places of the head and of each item while the clause is being checked.
    """

    head: Literal
    body: tuple[Item, ...]
    rule: str
    place: Place
    yes: str = ""
    no: str = ""
    but: str = ""
    spots: tuple[Place, ...] = ()

    def __str__(self) -> str:
        if not self.body:
            return f"+ {self.head}"
        return f"{self.head} <= ({' & '.join(str(i) for i in self.body)})"


class Statement(NamedTuple):
    """A ground fact and where it was said: a place, or the path of keys in a table file."""

    name: str
    row: Row
    origin: Place | Path = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(show_value, self.row))})"


def variables(terms: Iterable[Term]) -> Iterator[str]:
    """Names of the variables in some terms, in order, repeats included."""
    for term in terms:
        if isinstance(term, Var):
            yield term.name
        elif isinstance(term, Sum):
            yield from variables((term.left, term.right))


def item_variables(item: Item) -> Iterator[str]:
    """Names of the variables of a body item, in order, repeats included."""
    if isinstance(item, Literal):
        yield from variables(item.args)
    elif isinstance(item, Comparison):
        yield from variables((item.left, item.right))
    else:
        yield item.result.name
        yield from (v for v in variables(item.literal.args))


def literals(body: Iterable[Item]) -> Iterator[Literal]:
    """The literals of a body, those inside counts included."""
    for item in body:
        if isinstance(item, Literal):
            yield item
        elif isinstance(item, Count):
            yield item.literal


def spot(clause: Clause, word: str, item: Item | Literal | None = None) -> Place:
    """The place of a word in an item of a clause, in its head, or else of the clause itself."""
    every = (clause.head, *clause.body)
    found = [p for p, i in zip(clause.spots, every, strict=False) if i is item]
    for at in (*found, *clause.spots, clause.place):
        start = at.column - 1 if at in found else 0
        hit = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)").search(at.excerpt, start)
        if hit:
            return at._replace(column=hit.start() + 1, width=len(word))
    return clause.place


def show_value(value: Value) -> str:
    """A value in clause syntax."""
    if isinstance(value, int):
        return str(value)
    if "'" in value and '"' not in value:
        return f'"{value}"' if "\\" not in value else repr(value)
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"

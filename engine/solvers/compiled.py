"""Answers from clauses that were turned into Python functions.

A book has a program of functions, one for each predicate and pattern of bound terms, made when it
is first called and shared by all tables. Its text holds no word of a rule: predicates are told by
number, and every value is passed in. It is never kept on disk. Each table has a memory of what the
functions gave, goal by goal, as in tabling (Chen and Warren 1996). Nothing is locked: what two
threads make at once is the same, and one of them keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from types import CodeType, GeneratorType
from typing import Any

from ..book import Book, PerBook, Rests
from ..errors import BookError
from ..model import Const, Literal, Row, Statement, Sum, Value, Var, literals
from .bodies import BOUND, WANTED, Goal
from .facts import Stated, goal_key, in_order
from .functions import DERIVED, RULED, STATED, WALK, Definition, Function
from .goals import unhurried_memory
from .join import compare, match, put
from .pruned import Reduced, possible_with

_MOST_CALLS = 100
"""How many goals may rest on each other before their functions become generators."""


def solver(book: Book, facts: Iterable[Statement]) -> Compiled:
    """A solver for this book and these facts."""
    return Compiled(book, _program(book), Stated(facts))


def description() -> str:
    """What answers."""
    import platform

    return f"compiled clauses (Python {platform.python_version()})"


class Compiled:
    """One table under the functions of its book."""

    name = "compiled"

    def __init__(self, book: Book, program: Program, stated: Stated) -> None:
        self._book, self._program, self._stated = book, program, stated
        self._memory = _Memory(program, book, stated)
        self._answers: dict[Any, tuple[Row, ...]] = {}

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """Every ground instance of a positive literal that holds, sorted."""
        key = goal_key(literal)
        found = self._answers.get(key)
        if found is None:
            found = self._answers[key] = self._asked(literal)
        return found

    def but(self, facts: Iterable[Statement]) -> Compiled:
        """The solver for other facts; what rests on no changed fact is not worked out again."""
        other = solver(self._book, facts)
        lost = self._program.resting_on(self._stated.differing(other._stated))
        self._memory.hand_on(other._memory, {str(self._program.number(n)) for n in lost})
        kept = list(self._answers.items())
        other._answers = {key: rows for key, rows in kept if key[0] not in lost}
        return other

    def _asked(self, literal: Literal) -> tuple[Row, ...]:
        program = self._program
        if program.arity.get(literal.name) != len(literal.args):
            raise BookError(f"no predicate {literal.name} with {len(literal.args)} terms")
        if program.kind(literal.name) == STATED:
            return self._stated.rows(literal)
        bound = [term.value for term in literal.args if isinstance(term, Const)]
        if len(bound) == len(literal.args):
            goal = Goal(literal.name, BOUND * len(bound))
            with unhurried_memory():
                return (tuple(bound),) if program.ask(goal, self._memory, bound) else ()
        pattern = [BOUND if isinstance(term, Const) else WANTED for term in literal.args]
        goal = Goal(literal.name, "".join(pattern))
        with unhurried_memory():
            return in_order(_whole(literal, bound, program.ask(goal, self._memory, bound)))


class _Memory:
    """What the functions of a program found for one table, by their names.

    What a name holds is made when it is first looked at: rows of facts by the terms that are bound,
    or what a function gave before, nothing at first.
    """

    def __init__(self, program: Program, book: Book, stated: Stated) -> None:
        self._program, self._book, self._stated = program, book, stated

    def __getattr__(self, name: str) -> Any:
        stated = self._program.stated.get(name)
        made: Any = {}
        if stated is not None:
            made = looked_up(self._stated.by_name.get(stated[0], {}), stated[1])
        return self.__dict__.setdefault(name, made)

    def hopeless(self, predicate: str) -> bool:
        """Whether nothing that the table states can make a predicate hold."""
        possible = self.__dict__.get("_possible")
        if possible is None:
            possible = self.__dict__["_possible"] = possible_with(self._book, self._stated.by_name)
        return predicate not in possible

    def hand_on(self, other: _Memory, lost: Collection[str]) -> None:
        """Let another memory have what is held of predicates other than the lost ones."""
        for name, held in list(self.__dict__.items()):
            if name[0] != "_" and name[1 : name.index("_")] not in lost:
                other.__dict__[name] = held


class Program:
    """The functions of one book: made when a table first needs them, kept by goal."""

    def __init__(self, book: Book) -> None:
        self._reduced = Reduced(book, book.vocabulary.facts)
        self._clauses = book.clauses
        self.arity, self.resting_on = self._reduced.arity, self._reduced.resting_on
        self._numbers = {name: number for number, name in enumerate(self.arity)}
        self._kinds: dict[str, str] = {}
        self._definitions: dict[str, list[Definition]] = {}
        self._heights: dict[str, int] = {}
        self._made: dict[Goal, Callable[..., Any]] = {}
        self._space: dict[str, Any] = {**_SPACE}
        self.stated: dict[str, Goal] = {}

    def ask(self, goal: Goal, memory: _Memory, bound: Sequence[Value]) -> Any:
        """What a goal gives for one table."""
        function = self._made.get(goal)
        if function is None:
            if memory.hopeless(goal.name):
                return ()
            function = self.function(goal)
        found = function(memory, *bound)
        return _driven(found) if type(found) is GeneratorType else found

    def function(self, goal: Goal) -> Callable[..., Any]:
        """The function of a goal. Raises BookError for clauses that can't be worked off."""
        made = self._made.get(goal)
        if made is None:
            made = self._made[goal] = self._make(Function(self, goal))
        return made

    def number(self, name: str) -> int:
        """The number of a predicate in the book."""
        return self._numbers[name]

    def kind(self, name: str) -> str:
        """``STATED``, ``RULED``, ``DERIVED`` or ``WALK``."""
        kind = self._kinds.get(name)
        if kind is None:
            clauses = self._reduced.by_head.get(name, ())
            if not clauses:
                kind = STATED
            elif not any(clause.body for clause in clauses):
                kind = RULED
            else:
                own = any(x.name == name for clause in clauses for x in literals(clause.body))
                kind = WALK if own else DERIVED
            self._kinds[name] = kind
        return kind

    def definitions(self, name: str) -> Sequence[Definition]:
        """The clauses of a predicate, their bodies in a safe order."""
        found = self._definitions.get(name)
        if found is None:
            found = self._definitions[name] = list(self._reduced.clauses(name))
        return found

    def deep(self, name: str) -> bool:
        """Whether a predicate rests on so many others that its functions are generators."""
        if not self._heights:
            self._heights = _heights(self._clauses.rests)
        return self._heights.get(name, 0) > _MOST_CALLS

    def _make(self, function: Function) -> Callable[..., Any]:
        space = self._space
        space.update(function.constants)
        self.stated.update(function.stated)
        for name, goal in function.rows.items():
            if name not in space:
                space[name] = looked_up(self._plain(goal.name), goal.pattern)
        for name, goal in function.needs.items():
            space.setdefault(name, self._awaiting(goal))
        exec(_code(function.text), space)  # noqa: S102 - every name in the text is ours
        made: Callable[..., Any] = space[function.name]
        return made

    def _awaiting(self, goal: Goal) -> Callable[..., Any]:
        """What stands in for a function until a table that can need it calls it."""

        def stand_in(memory: _Memory, *bound: Value) -> Any:
            if memory.hopeless(goal.name):
                return ()
            return self.function(goal)(memory, *bound)

        return stand_in

    def _plain(self, name: str) -> list[Row]:
        """The rows of a predicate that clauses without a body state."""
        heads = (head for head, items in self.definitions(name) if not items)
        return [tuple([t.value for t in head.args if isinstance(t, Const)]) for head in heads]


_program = PerBook(Program)


@lru_cache(4096)
def _code(text: str) -> CodeType:
    """The code of a text; books that differ in one clause share all others'."""
    return compile(text, "<clauses>", "exec")


def _driven(work: Generator[Any, Any, Any]) -> Any:
    """What a function gives that hands its inner goals out, one stack for all of them."""
    stack = [work]
    value: Any = None
    while stack:
        try:
            inner = stack[-1].send(value)
        except StopIteration as ended:
            stack.pop()
            value = ended.value
            continue
        if type(inner) is GeneratorType:
            stack.append(inner)
            value = None
        else:
            value = inner
    return value


def _heights(rests: Rests) -> dict[str, int]:
    """How many predicates rest on each other beneath each, found without recursion.

    Raises BookError for a circle.
    """
    below: dict[str, dict[str, None]] = {}
    for head, needed, others in rests:
        found = below.setdefault(head, {})
        found.update(dict.fromkeys((*needed, *others)))
        found.pop(head, None)
    heights: dict[str, int] = {}
    for root in below:
        trail = {root: iter(below[root])} if root not in heights else {}
        while trail:
            name = next(reversed(trail))
            for other in trail[name]:
                if other in trail:
                    raise BookError(f"{name} and {other} rest on each other")
                if other not in heights and other in below:
                    trail[other] = iter(below[other])
                    break
            else:
                heights[name] = 1 + max([heights.get(n, 0) for n in below[name]], default=0)
                del trail[name]
    return heights


def looked_up(rows: Collection[Row], pattern: str) -> Any:
    """Rows in the form in which the text of a goal of this pattern looks them up."""
    bound, wanted = spots(pattern, BOUND), spots(pattern, WANTED)
    if len(pattern) in (len(bound), len(wanted)):
        return rows if len(pattern) != 1 else {row[0]: None for row in rows}
    if not bound or not wanted:
        return dict.fromkeys(map(picker(bound or wanted), rows))
    return indexed(rows, bound, wanted, len(bound) + len(wanted) < len(pattern))


def indexed(
    rows: Iterable[Row], bound: Sequence[int], wanted: Sequence[int], partly: bool
) -> dict[Any, list[Any]]:
    """The wanted terms of rows by the bound ones; one term alone is no tuple.

    Where rows are looked at only partly, what is wanted is given once.
    """
    found: dict[Any, list[Any]] = {}
    if len(bound) == len(wanted) == 1:
        pairs = ((row[bound[0]], row[wanted[0]]) for row in rows)
    else:
        key, value = picker(bound), picker(wanted)
        pairs = ((key(row), value(row)) for row in rows)
    for one, other in dict.fromkeys(pairs) if partly else pairs:
        if one in found:
            found[one].append(other)
        else:
            found[one] = [other]
    return found


@lru_cache(1024)
def spots(pattern: str, known: str) -> tuple[int, ...]:
    """Where a pattern knows this of a term."""
    return tuple([at for at, each in enumerate(pattern) if each == known])


@lru_cache(1024)
def picker(at: Sequence[int]) -> Callable[[Row], Any]:
    """What picks terms of a row; of one alone its value."""
    return itemgetter(*at) if at else lambda _row: ()


def _compared(op: str, left: Value, right: Value) -> None:
    compare(op, left, right)


def _summed(left: Value, right: Value) -> None:
    put(Sum(Const(left), "+", Const(right)), {})


_SPACE: dict[str, Any] = {
    "__builtins__": {},
    "compared": _compared,
    "indexed": indexed,
    "int": int,
    "len": len,
    "nothing": (),
    "summed": _summed,
    "type": type,
}
"""All that the functions can call besides each other."""


def _whole(literal: Literal, bound: Sequence[Value], found: Iterable[Any]) -> list[Row]:
    """The rows of a literal, of what was wanted of it."""
    free = [term.name for term in literal.args if isinstance(term, Var)]
    rows: list[Row] = list(found) if len(free) > 1 else [(value,) for value in found]
    if len(set(free)) < len(free):
        rows = [row for row in rows if match([Var(name) for name in free], row) is not None]
    if not bound:
        return rows
    known = [isinstance(term, Const) for term in literal.args]
    if known == sorted(known, reverse=True):
        start = tuple(bound)
        return [start + row for row in rows]
    order = _places(known)
    start = tuple(bound)
    return [order((*start, *row)) for row in rows]


def _places(known: Sequence[bool]) -> Callable[[Row], Row]:
    """What puts values, those that were known first, where they belong."""
    first, rest = iter(range(len(known))), iter(range(sum(known), len(known)))
    return itemgetter(*[next(first) if each else next(rest) for each in known])

"""Copies of a book with one thing wrong in one clause, as mutation testing has them.

What is changed is what authors get wrong (DeMillo, Lipton and Sayward 1978; for logic
programs Oetsch and others 2012): a clause or a condition is dropped, one name is taken for another
of its sort or two change places, a number is off by one, a negation or a comparison turned round.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from ..book import Book, Clauses, Words, numeric
from ..language import plan
from ..lint import walks
from ..model import (
    Clause,
    Comparison,
    Const,
    Count,
    Item,
    Literal,
    Sum,
    Term,
    Var,
    item_variables,
    literals,
    variables,
)
from .clauses import variants

CLAUSE, LITERAL, VARIABLE, TERMS = "clause", "literal", "variable", "terms"
NUMBER, NEGATION, COMPARISON = "number", "negation", "comparison"
WORD, PREDICATE = "word", "predicate"
KINDS = {
    CLAUSE: "a clause is dropped",
    LITERAL: "a literal is dropped",
    VARIABLE: "one variable stands for another of its sort",
    TERMS: "two terms change places",
    NUMBER: "a number is off by one",
    NEGATION: "a negation is turned round",
    COMPARISON: "a comparison is turned round, or takes in one number more or less",
}
MORE = {
    WORD: "a word stands for the one beside it",
    PREDICATE: "a predicate stands for one like it",
}
"""What else can be got wrong; too much of it changes nothing to be tried unasked."""

HEAD = -1
_OPERATORS = {
    "<": ("<=", ">"),
    "<=": ("<", ">="),
    ">": (">=", "<"),
    ">=": (">", "<="),
    "==": ("!=",),
    "!=": ("==",),
}
Sorts = frozenset[str]
_NUMBER, _WORD = frozenset({"a number"}), frozenset({"a word"})


class Mutant(NamedTuple):
    """A clause of a book as something else than it should be, and what is wrong with it.

    ``changed`` is None where it is dropped. ``spot`` says which item of the body is changed:
    ``HEAD`` where that is the head, and None for the clause as a whole.
    """

    clause: Clause
    changed: Clause | None
    kind: str
    wrong: str
    spot: int | None = None

    def __str__(self) -> str:
        place = self.clause.place
        return f"{self.clause.rule} {self.clause.head.name} {place.file}:{place.line}: {self.wrong}"

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clause that is changed."""
        return (self.clause,)

    @property
    def parts(self) -> tuple[Mutant, ...]:
        """The single changes: this one."""
        return (self,)

    @property
    def item(self) -> Item | None:
        """What stands in the place of the changed item; None where it is dropped."""
        assert self.changed is not None and self.spot is not None
        return None if self.kind == LITERAL else self.changed.body[self.spot]

    def book(self, whole: Book) -> Book:
        """The book with this in it."""
        changed = [] if self.changed is None else [self.changed]
        found = (c for one in whole.clauses for c in (changed if one is self.clause else [one]))
        return whole._replace(clauses=Clauses(found))


class Dropped(NamedTuple):
    """Several clauses that are dropped together, like those of a section."""

    clauses: tuple[Clause, ...]
    wrong: str

    @property
    def kind(self) -> str:
        """As of a single clause that is dropped."""
        return CLAUSE

    @property
    def parts(self) -> tuple[Mutant, ...]:
        """The single changes."""
        return tuple(Mutant(clause, None, CLAUSE, self.wrong) for clause in self.clauses)

    def book(self, whole: Book) -> Book:
        """The book without them."""
        less = {id(clause) for clause in self.clauses}
        return whole._replace(clauses=Clauses(c for c in whole.clauses if id(c) not in less))


Fault = Mutant | Dropped


class Mutants:
    """All that can go wrong with the clauses of a book, one by one."""

    def __init__(self, book: Book, kinds: Collection[str] = frozenset(KINDS)) -> None:
        self.book, self.kinds = book, frozenset(kinds)
        numbers = numeric(book.clauses, book.vocabulary)
        self.sorts: dict[str, tuple[Sorts, ...]] = {
            name: tuple(
                own or (_NUMBER if spot in numbers.get(name, ()) else _WORD)
                for spot, own in enumerate(sorts)
            )
            for name, sorts in book.arg_sorts.items()
        }
        self._alike: dict[str, list[str]] = {}
        self._beside: dict[str, set[str]] = {}
        self._rests: dict[str, set[str]] = {}
        self._levels: dict[str, int] = {}
        for clause in book.clauses:
            for literal in literals(clause.body):
                self._beside.setdefault(clause.head.name, set()).add(literal.name)
                self._beside.setdefault(literal.name, set()).add(clause.head.name)
                self._rests.setdefault(clause.head.name, set()).add(literal.name)

    def of(self, clause: Clause) -> list[Mutant]:
        """The mutants of a clause that can be worked off as clauses, each once.

        None is the clause with its variables called otherwise.
        """
        found = [Mutant(clause, None, CLAUSE, "drops the clause")]
        known = {str(clause)}
        for mutant in (*self._bodies(clause), *self._heads(clause)):
            said = str(mutant.changed)
            if mutant.kind in self.kinds and said not in known and self._works(mutant):
                known.add(said)
                if mutant.changed and not variants(clause, mutant.changed):
                    found.append(mutant)
        return found if CLAUSE in self.kinds else found[1:]

    def every(self, clauses: Iterable[Clause] | None = None) -> list[Mutant]:
        """The mutants of some clauses, or of all there are in the book."""
        return [m for c in (self.book.clauses if clauses is None else clauses) for m in self.of(c)]

    def _works(self, mutant: Mutant) -> bool:
        """Whether every variable is bound where it has to be, and each walk comes to an end."""
        clause = mutant.changed
        assert clause is not None
        order = plan(clause.body)
        heads = set(variables(clause.head.args))
        counted = {i.counted.name for i in clause.body if isinstance(i, Count)}
        if order.stuck or not heads <= order.bound or counted & order.bound:
            return False
        return not any(walks(clause, self.book.predicates))

    def _bodies(self, clause: Clause) -> Iterator[Mutant]:
        body = clause.body
        of = self._variable_sorts(clause)
        for at, item in enumerate(body):
            before, after = body[:at], body[at + 1 :]
            if len(body) > 1:
                less = clause._replace(body=(*before, *after))
                yield Mutant(clause, less, LITERAL, f"drops {item}", at)
            for kind, other in self._items(item, of, clause.head.name):
                changed = clause._replace(body=(*before, other, *after))
                yield Mutant(clause, changed, kind, f"{other} for {item}", at)

    def _heads(self, clause: Clause) -> Iterator[Mutant]:
        head = clause.head
        for args in self._swapped(head) if clause.body else ():
            other = head._replace(args=args)
            yield Mutant(clause, clause._replace(head=other), TERMS, f"{other} for {head}", HEAD)

    def _items(self, item: Item, of: dict[str, Sorts], head: str) -> Iterator[tuple[str, Item]]:
        if isinstance(item, Comparison):
            for op in _OPERATORS[item.op]:
                yield COMPARISON, item._replace(op=op)
            for kind, term in self._terms(item.left, of):
                yield kind, item._replace(left=term)
            for kind, term in self._terms(item.right, of):
                yield kind, item._replace(right=term)
        elif isinstance(item, Count):
            for kind, literal in self._literals(item.literal, of, head, item.counted.name):
                yield kind, item._replace(literal=literal)
        else:
            yield NEGATION, item._replace(negated=not item.negated)
            yield from self._literals(item, of, head)

    def _literals(
        self, literal: Literal, of: dict[str, Sorts], head: str, keep: str = ""
    ) -> Iterator[tuple[str, Literal]]:
        for args in self._swapped(literal):
            yield TERMS, literal._replace(args=args)
        for at, term in enumerate(literal.args):
            if isinstance(term, Var) and term.name == keep:
                continue
            for kind, other in self._terms(term, of):
                args = (*literal.args[:at], other, *literal.args[at + 1 :])
                yield kind, literal._replace(args=args)
        for name in self._below(head, literal.name) if PREDICATE in self.kinds else ():
            yield PREDICATE, literal._replace(name=name)

    def alike(self, name: str) -> list[str]:
        """The predicates that may be taken for one: of its sorts, and named alike or next to it."""
        if name not in self._alike:
            words, beside = set(name.split("_")), self._beside.get(name, set())
            near = beside.union(*(self._beside[n] for n in beside))
            self._alike[name] = [
                other
                for other, sorts in sorted(self.sorts.items())
                if other != name
                and all(a & b for a, b in zip(sorts, self.sorts[name], strict=False))
                and len(sorts) == len(self.sorts[name])
                and (other in near or words & set(other.split("_")))
            ]
        return self._alike[name]

    def _below(self, head: str, name: str) -> list[str]:
        """Those of them on lower levels than a head: no two mutants make a circle together."""
        level = self._level(head)
        return [other for other in self.alike(name) if self._level(other) < level]

    def _level(self, name: str) -> int:
        """How many predicates at most stand between one and the facts."""
        if name not in self._levels:
            self._levels[name] = 0
            below = (self._level(other) for other in self._rests.get(name, ()))
            self._levels[name] = max(below, default=-1) + 1
        return self._levels[name]

    def _swapped(self, literal: Literal) -> Iterator[tuple[Term, ...]]:
        for one, other in combinations(range(len(literal.args)), 2):
            if self._sort(literal.name, one) & self._sort(literal.name, other):
                args = list(literal.args)
                args[one], args[other] = args[other], args[one]
                yield tuple(args)

    def _sort(self, name: str, at: int) -> Sorts:
        sorts = self.sorts.get(name, ())
        return sorts[at] if at < len(sorts) else frozenset()

    def _terms(self, term: Term, of: dict[str, Sorts]) -> Iterator[tuple[str, Term]]:
        if isinstance(term, Var):
            own = of.get(term.name, frozenset())
            for name, other in of.items():
                if name != term.name and own & other:
                    yield VARIABLE, Var(name)
        elif isinstance(term, Const) and isinstance(term.value, int):
            yield NUMBER, Const(term.value + 1)
            yield NUMBER, Const(term.value - 1)
        elif isinstance(term, Const):
            for word in self._words(str(term.value)):
                yield WORD, Const(word)
        else:
            assert isinstance(term, Sum)
            yield NUMBER, Sum(term, "+", Const(1))
            yield NUMBER, Sum(term, "-", Const(1))
            yield NUMBER, Sum(term.left, "-" if term.op == "+" else "+", term.right)

    def _words(self, word: str) -> list[str]:
        """The words next to one where its sort declares them."""
        for sort in self.book.vocabulary.sorts.values():
            if isinstance(sort, Words) and word in sort.words:
                at = sort.words.index(word)
                return [*sort.words[max(at - 1, 0) : at], *sort.words[at + 1 : at + 2]]
        return []

    def _variable_sorts(self, clause: Clause) -> dict[str, Sorts]:
        found: dict[str, Sorts] = {}
        for literal in (clause.head, *literals(clause.body)):
            for at, term in enumerate(literal.args):
                if isinstance(term, Var) and not term.name.startswith("_"):
                    found[term.name] = found.get(term.name, frozenset()) | self._sort(
                        literal.name, at
                    )
        for item in clause.body:
            for name in item_variables(item):
                if isinstance(item, Comparison) and not name.startswith("_"):
                    found.setdefault(name, frozenset())
        return {name: sorts or _NUMBER for name, sorts in found.items()}

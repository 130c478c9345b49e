"""A book and all its mutants asked about one table at once.

Each row is marked with the books in which it holds, one bit a book; a body is worked off with ``&``
on the marks, alternatives with ``|``, a negation with ``& ~``: relations annotated by a Boolean
algebra (Green, Karvounarakis and Tannen 2007). An environment without marks is dropped, so that
what would need two mutants at once is never gone through.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

from ..book import Book
from ..errors import Place
from ..model import Clause, Const, Item, Literal, Row, Statement, Var, literals
from ..solvers import match, row_order
from .families import Family, Relation
from .mutants import Fault, Mutant

WHOLE = 1
"""The bit of the book with nothing wrong in it."""


class Variants:
    """A book with some mutants: the first has bit 1, the next bit 2; ``books`` are all bits."""

    def __init__(self, book: Book, mutants: Sequence[Fault] = ()) -> None:
        self.book, self.mutants = book, tuple(mutants)
        self.books = (1 << len(self.mutants) + 1) - 1
        own: dict[int, list[tuple[int, Mutant]]] = {}
        for number, mutant in enumerate(self.mutants, 1):
            for part in mutant.parts:
                own.setdefault(id(part.clause), []).append((1 << number, part))
        self.families: dict[str, list[Family]] = {}
        self._below: dict[str, set[str]] = {}
        for clause in book.clauses:
            changed = own.get(id(clause), [])
            name = clause.head.name
            self.families.setdefault(name, []).append(Family(clause, changed, self.books))
            below = self._below.setdefault(name, set())
            below.update(x.name for x in literals(clause.body))
            for _, mutant in changed:
                body = mutant.changed.body if mutant.changed else ()
                below.update(x.name for x in literals(body))
        self._ordered: dict[str, list[str]] = {}
        self._resting: dict[str, frozenset[str]] = {}

    def resting_on(self, name: str) -> frozenset[str]:
        """A predicate and those that it or its openness rests on in some book."""
        found = self._resting.get(name)
        if found is None:
            every, todo = set[str](), [name]
            while todo:
                new = set(self.beneath(todo.pop())) - every
                every |= new
                predicates = (self.book.predicates[n] for n in new if n in self.book.predicates)
                todo += [doubt.name for p in predicates for doubt in p.doubts]
            found = self._resting[name] = frozenset(every)
        return found

    def beneath(self, name: str) -> list[str]:
        """A predicate and those that it rests on in some book, each behind those it rests on."""
        found = self._ordered.get(name)
        if found is None:
            done: dict[str, None] = {}
            todo: list[tuple[str, bool]] = [(name, False)]
            seen: set[str] = set()
            while todo:
                one, settled = todo.pop()
                if settled:
                    done[one] = None
                elif one not in seen:
                    seen.add(one)
                    todo.append((one, True))
                    todo += [(other, False) for other in sorted(self._below.get(one, ()))]
            found = self._ordered[name] = list(done)
        return found


class Annotated:
    """What a book and its mutants say of one table; each predicate is worked out once."""

    def __init__(self, variants: Variants, facts: Iterable[Statement]) -> None:
        self.variants = variants
        self._stated: dict[str, dict[Row, int]] = {}
        for fact in facts:
            self._stated.setdefault(fact.name, {})[fact.row] = variants.books
        self._relations: dict[str, Relation] = {}

    def relation(self, name: str) -> Relation:
        """Every row of a predicate, with the books in which it holds."""
        if name not in self._relations:
            for each in self.variants.beneath(name):
                if each not in self._relations:
                    self._work_out(each)
        return self._relations[name]

    def _work_out(self, name: str) -> None:
        families = self.variants.families.get(name, ())
        rows = dict(self._stated.get(name, ()))
        for family in families:
            if not family.recurs:
                family.run(self._relations, rows)
        self._relations[name] = Relation(rows)
        walks = [family for family in families if family.recurs]
        grown = bool(walks)
        while grown:
            found = dict(rows)
            for family in walks:
                family.run(self._relations, found)
            grown = found != rows
            rows = found
            self._relations[name] = Relation(rows)

    def forget(self) -> None:
        """Give back what was worked out, which sessions would hold on to in circles."""
        self._relations.clear()

    def holding(self, name: str) -> int:
        """The books in which some row of a predicate holds."""
        return reduce(or_, self.relation(name).rows.values(), 0)

    def answers(self, items: Sequence[Item], names: Sequence[str]) -> dict[Row, int]:
        """The rows of a question, with the books in which each is an answer.

        ``names`` are its variables.
        """
        head = Literal("question ", tuple(Var(name) for name in names))
        for literal in literals(items):
            self.relation(literal.name)
        found: dict[Row, int] = {}
        clause = Clause(head, tuple(items), "", Place("question"))
        Family(clause, (), self.variants.books).run(self._relations, found)
        return found


class InOne:
    """One of the books, as a solver: answers literals from the rows that hold in it."""

    name = "compiled"

    def __init__(self, annotated: Annotated, number: int = 0) -> None:
        self.annotated, self._bit = annotated, 1 << number

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """Every ground instance of a positive literal that holds, as full rows, sorted."""
        known = [spot for spot, term in enumerate(literal.args) if isinstance(term, Const)]
        key = tuple([term.value for term in literal.args if isinstance(term, Const)])
        relation = self.annotated.relation(literal.name)
        if len(known) == len(literal.args):
            return (key,) if relation.rows.get(key, 0) & self._bit else ()
        fitting = relation.at(tuple(known)).get(key, ())
        found = [row for row, books in fitting if books & self._bit]
        alike = len({repr(term) for term in literal.args}) < len(literal.args)
        found = [r for r in found if match(literal.args, r) is not None] if alike else found
        return tuple(sorted(found, key=row_order))

    def but(self, facts: Iterable[Statement]) -> InOne:
        """The same book over other facts."""
        return InOne(Annotated(self.annotated.variants, facts), self._bit.bit_length() - 1)

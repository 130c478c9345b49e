"""Copies of a book with one thing wrong in one clause, and what some cases make of them.

What is changed is what authors get wrong: a condition is dropped or turned round, two terms change
places, one is taken for another of its sort, a number or a comparison is off by one, a word or a
predicate stands where one like it is meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import PurePosixPath
from typing import NamedTuple

from bulk import bulk
from seatlog.book import Book, Clauses, Words
from seatlog.cases import Scenario
from seatlog.errors import SeatlogError
from seatlog.language import plan
from seatlog.lint import lint
from seatlog.model import (
    Clause,
    Comparison,
    Const,
    Count,
    Item,
    Literal,
    Row,
    Sum,
    Term,
    Var,
    item_variables,
    literals,
    variables,
)
from seatlog.solvers import Env, Solver, ground, open_solver, row_of, steps, unhurried_memory
from seatlog.table import table
from seeding import as_expected

OPERATORS = {
    "<": ("<=", ">"),
    "<=": ("<", ">="),
    ">": (">=", "<"),
    ">=": (">", "<="),
    "==": ("!=",),
    "!=": ("==",),
}
Sorts = frozenset[str]


class Mutant(NamedTuple):
    """A clause of a book as something else than it should be, and what is wrong with it."""

    clause: Clause
    changed: Clause
    wrong: str

    def __str__(self) -> str:
        place = self.clause.place
        return f"{self.clause.rule} {self.clause.head.name} {place.file}:{place.line}: {self.wrong}"

    def book(self, whole: Book) -> Book:
        """The book with this in it."""
        clauses = (self.changed if c is self.clause else c for c in whole.clauses)
        return whole._replace(clauses=Clauses(clauses))


class Mutants:
    """All that can go wrong with the clauses of a book, one by one."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.sorts: dict[str, tuple[Sorts, ...]] = {
            name: tuple(s or frozenset() for s in sorts) for name, sorts in book.arg_sorts.items()
        }
        self._alike: dict[str, list[str]] = {}
        self._beside: dict[str, set[str]] = {}
        for clause in book.clauses:
            for literal in literals(clause.body):
                self._beside.setdefault(clause.head.name, set()).add(literal.name)
                self._beside.setdefault(literal.name, set()).add(clause.head.name)

    def of(self, clause: Clause) -> list[Mutant]:
        """The mutants of a clause that can be read as clauses, each once."""
        found: dict[str, Mutant] = {}
        known = {str(clause)}
        for body, wrong in self._bodies(clause):
            changed = clause._replace(body=tuple(body))
            if str(changed) not in known and self._reads(changed):
                known.add(str(changed))
                found[str(changed)] = Mutant(clause, changed, wrong)
        for head, wrong in self._heads(clause):
            changed = clause._replace(head=head)
            if str(changed) not in known and self._reads(changed):
                known.add(str(changed))
                found[str(changed)] = Mutant(clause, changed, wrong)
        return list(found.values())

    @staticmethod
    def _reads(clause: Clause) -> bool:
        """Whether every variable is bound where it has to be."""
        order = plan(clause.body)
        heads = set(variables(clause.head.args))
        counted = {i.counted.name for i in clause.body if isinstance(i, Count)}
        return not order.stuck and heads <= order.bound and not counted & order.bound

    def loads(self, mutant: Mutant) -> bool:
        """Whether the linter has nothing against the changed book."""
        book = mutant.book(self.book)
        return not lint(list(book.clauses), book.predicates, (), book.vocabulary)

    def _bodies(self, clause: Clause) -> Iterator[tuple[Sequence[Item], str]]:
        body = clause.body
        of = self._variable_sorts(clause)
        for at, item in enumerate(body):
            before, after = body[:at], body[at + 1 :]
            if len(body) > 1:
                yield (*before, *after), f"drops {item}"
            for changed in self._items(item, of):
                yield (*before, changed, *after), f"{changed} for {item}"

    def _heads(self, clause: Clause) -> Iterator[tuple[Literal, str]]:
        if clause.body:
            for args in self._swapped(clause.head):
                yield clause.head._replace(args=args), f"swaps terms of {clause.head}"

    def _items(self, item: Item, of: dict[str, Sorts]) -> Iterator[Item]:
        if isinstance(item, Comparison):
            for op in OPERATORS[item.op]:
                yield item._replace(op=op)
            for term in self._terms(item.left, of):
                yield item._replace(left=term)
            for term in self._terms(item.right, of):
                yield item._replace(right=term)
        elif isinstance(item, Count):
            for literal in self._literals(item.literal, of, item.counted.name):
                yield item._replace(literal=literal)
        else:
            yield item._replace(negated=not item.negated)
            yield from self._literals(item, of)

    def _literals(
        self, literal: Literal, of: dict[str, Sorts], keep: str = ""
    ) -> Iterator[Literal]:
        for args in self._swapped(literal):
            yield literal._replace(args=args)
        for at, term in enumerate(literal.args):
            if isinstance(term, Var) and term.name == keep:
                continue
            for other in self._terms(term, of):
                args = (*literal.args[:at], other, *literal.args[at + 1 :])
                yield literal._replace(args=args)
        for name in self.alike(literal.name):
            yield literal._replace(name=name)

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

    def _swapped(self, literal: Literal) -> Iterator[tuple[Term, ...]]:
        for one, other in combinations(range(len(literal.args)), 2):
            if self._sort(literal.name, one) & self._sort(literal.name, other):
                args = list(literal.args)
                args[one], args[other] = args[other], args[one]
                yield tuple(args)

    def _sort(self, name: str, at: int) -> Sorts:
        sorts = self.sorts.get(name, ())
        return sorts[at] if at < len(sorts) else frozenset()

    def _terms(self, term: Term, of: dict[str, Sorts]) -> Iterator[Term]:
        if isinstance(term, Var):
            own = of.get(term.name, frozenset())
            for name, other in of.items():
                if name != term.name and own & other:
                    yield Var(name)
        elif isinstance(term, Const) and isinstance(term.value, int):
            yield Const(term.value + 1)
            yield Const(term.value - 1)
        elif isinstance(term, Const):
            for word in self._words(str(term.value)):
                yield Const(word)
        else:
            assert isinstance(term, Sum)
            yield Sum(term, "+", Const(1))
            yield Sum(term, "-", Const(1))
            yield Sum(term.left, "-" if term.op == "+" else "+", term.right)

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
        return {name: sorts or frozenset({"number"}) for name, sorts in found.items()}


class Extent:
    """What each clause of a book says of one table, worked out once."""

    def __init__(self, book: Book, solver: Solver) -> None:
        self.book, self.solver = book, solver
        self._rows: dict[int, frozenset[Row]] = {}

    def of(self, clause: Clause) -> frozenset[Row]:
        """Every row of its head that follows from a clause."""
        found = self._rows.get(id(clause))
        if found is None:
            found = self._rows[id(clause)] = frozenset(self.rows(clause))
        return found

    def rows(self, clause: Clause) -> Iterator[Row]:
        """The same of any clause, as they are found."""
        order = plan(clause.body).items
        todo: list[tuple[Env, int]] = [({}, 0)]
        while todo:
            env, at = todo.pop()
            if at == len(order):
                row = row_of(ground(clause.head, env))
                assert row is not None
                yield row
            else:
                todo += [(found, at + 1) for found in steps(order[at], env, self.solver)]

    def differs(self, mutant: Mutant) -> bool:
        """Whether a mutant says anything else of this table than its clause, all told.

        What follows from the clauses beneath is taken as it is, and nothing rests on itself, but
        for walks, whose rows are what they are by the same step.
        """
        own, changed = self.of(mutant.clause), frozenset(self.rows(mutant.changed))
        if own == changed:
            return False
        others = self.book.by_head[mutant.clause.head.name]
        rest = [self.of(c) for c in others if c is not mutant.clause]
        beside: frozenset[Row] = frozenset().union(*rest)
        return bool((own ^ changed) - beside)


class Hunt:
    """What scenarios make of mutants: how many fail, up to enough of them."""

    ENOUGH = 2
    MOST = 60
    """How many scenarios are asked that neither stand by the changed rule nor cite it."""

    def __init__(self, book: Book, scenarios: Sequence[Scenario]) -> None:
        self.book, self.scenarios = book, list(scenarios)
        self._extents: dict[int, Extent | None] = {}

    def fails(self, mutant: Mutant) -> int | None:
        """How many scenarios fail; None where no table that was tried tells the difference."""
        changed, found, differs = mutant.book(self.book), 0, False
        with unhurried_memory():
            for number, scenario in enumerate(self._likely(mutant)):
                extent = self._extent(scenario)
                if extent is None or not extent.differs(mutant):
                    continue
                differs = True
                found += not as_expected(scenario, changed, number)
                if found == self.ENOUGH:
                    break
        return found if differs else None

    def _likely(self, mutant: Mutant) -> Iterator[Scenario]:
        stem = PurePosixPath(mutant.clause.place.file).stem
        own = [s for s in self.scenarios if PurePosixPath(s.file).stem == stem]
        beside = [s for s in self.scenarios if s not in own]
        yield from own
        yield from (s for s in beside if mutant.clause.rule in s.cites)
        others = [s for s in beside if mutant.clause.rule not in s.cites]
        yield from others[:: len(others) // self.MOST + 1]

    def _extent(self, scenario: Scenario) -> Extent | None:
        """What each clause says of a scenario's table, if that can be read."""
        if id(scenario) not in self._extents:
            try:
                facts = table(scenario.data, self.book.vocabulary).facts
            except SeatlogError:
                self._extents[id(scenario)] = None
            else:
                self._extents[id(scenario)] = Extent(
                    self.book, open_solver(self.book, facts, bulk(len(self._extents)))
                )
        return self._extents[id(scenario)]

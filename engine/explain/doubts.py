"""What the rules leave open: every row that may be otherwise than the reading taken has it.

A ``# doubt:`` of a predicate says of which of its rows the rules don't decide. What rests on such a
row may be open too, yes or no: a clause holds *for certain* if everything in it does, and *may*
hold if nothing in it fails for certain (Kleene's strong three-valued logic). So a yes is open when
no clause holds for certain, and a no when some clause may hold.

Worked out from the doubtful rows upwards, so that a table without doubts costs nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

from ..book import Book, PerBook, Predicate, Words
from ..errors import Place
from ..language import plan
from ..model import Clause, Const, Count, Item, Literal, Row, Value, Var, literals, variables
from ..solvers import Env, ground, match, row_of, solutions, steps
from .prove import Prover

MAX_STEPS = 60_000
MAX_WAYS = 500
MAX_DEPTH = 80
MAX_PARTS = 24
"""So often parts of a predicate are looked at alone; then it is looked at as a whole."""

Doubtful = Mapping[Row, frozenset[Literal]]
"""Rows that are open, each with the doubts it rests on: literals that hold."""

_SURE: frozenset[Literal] = frozenset()
_NOTHING: Doubtful = {}


class _TooMuch(Exception):
    """More combinations than are worth going through."""


def _carriers(book: Book) -> dict[str, frozenset[str]]:
    """For each predicate those with doubts that it rests on, itself among them."""
    above: dict[str, set[str]] = {}
    for head, needed, others in book.clauses.rests:
        for name in (*needed, *others):
            above.setdefault(name, set()).add(head)
    found: dict[str, set[str]] = {}
    for predicate in book.predicates.values():
        todo = [predicate.name] if predicate.doubts else []
        while todo:
            name = todo.pop()
            known = found.setdefault(name, set())
            if predicate.name not in known:
                known.add(predicate.name)
                todo += above.get(name, ())
    return {name: frozenset(carriers) for name, carriers in found.items()}


_carried = PerBook(_carriers)


class Doubts:
    """Finds what is open, over one book and one table; what was found is kept.

    ``like`` is a book whose predicates rest on no fewer doubts, where one was met before.
    """

    def __init__(self, prover: Prover, like: Book | None = None) -> None:
        self.prover, self.book, self.solver = prover, prover.book, prover.solver
        self._like = like or prover.book
        self._possible: dict[str, bool] = {}
        self._resting: dict[str, bool] = {}
        self._known: dict[Literal, dict[Row, frozenset[Literal]]] = {}
        self._asked: dict[str, int] = {}
        self._left = MAX_STEPS
        self._depth = 0

    def open(self, items: Sequence[Item], variables: Sequence[str]) -> tuple[Doubtful, bool]:
        """The open rows of a question; whether they are all."""
        if not any(self._rests(literal.name) for literal in literals(items)):
            return _NOTHING, True
        head = Literal("question ", tuple(Var(name) for name in variables))
        clause = Clause(head, tuple(items), "", Place("question"))
        found: dict[Row, frozenset[Literal]] = {}
        self._left = MAX_STEPS
        try:
            for row, doubts in self._derived(clause, {}):
                found[row] = found.get(row, _SURE) | doubts
        except _TooMuch:
            return found, False
        return found, True

    def _rests(self, name: str) -> bool:
        """Whether a predicate rests on a doubt that this table may raise."""
        known = self._resting.get(name)
        if known is None:
            carriers = _carried(self._like).get(name, ())
            known = self._resting[name] = any(self._doubts(carrier) for carrier in carriers)
        return known

    def _doubts(self, name: str) -> list[Literal]:
        """The doubts of a predicate that this table may raise."""
        return [d for d in self.book.predicates[name].doubts if self._raised(d)]

    def _raised(self, literal: Literal) -> bool:
        """Whether a literal may hold of anything here, as far as that is seen at a glance."""
        ground_ = all(isinstance(term, Const) for term in literal.args)
        if ground_ or literal.name not in self.prover.by_head:
            return bool(self.solver.rows(literal))
        known = self._possible.get(literal.name)
        if known is None:
            self._possible[literal.name] = True
            known = self._possible[literal.name] = any(
                all(self._raised(i) for i in c.body if isinstance(i, Literal) and not i.negated)
                for c in self.prover.by_head[literal.name]
            )
        return known

    def _of(self, literal: Literal) -> Doubtful:
        """The open rows of a positive literal. Raises _TooMuch."""
        name = literal.name
        if not self._rests(name):
            return _NOTHING
        free = Literal(name, tuple(Var(f"V{i}") for i in range(len(literal.args))))
        args = (Var(f"V{i}") if isinstance(t, Var) else t for i, t in enumerate(literal.args))
        part = Literal(name, tuple(args))
        found = self._known.get(part)
        if found is None:
            found = self._known.get(free)
        if found is None:
            self._asked[name] = self._asked.get(name, 0) + 1
            often = self._asked[name] > MAX_PARTS and not self.prover.crowd
            found = self._worked_out(free if often else part)
        row = row_of(literal)
        if row is not None:
            return {row: found[row]} if row in found else _NOTHING
        return {r: doubts for r, doubts in found.items() if match(literal.args, r) is not None}

    def _worked_out(self, literal: Literal) -> dict[Row, frozenset[Literal]]:
        """The open rows of a literal whose variables differ; found while they are looked for."""
        if self._depth > MAX_DEPTH:
            raise _TooMuch
        found: dict[Row, frozenset[Literal]] = {}
        self._known[literal] = found
        self._depth += 1
        try:
            self._fill(literal, found)
        except BaseException:
            del self._known[literal]
            raise
        finally:
            self._depth -= 1
        return found

    def _fill(self, literal: Literal, found: dict[Row, frozenset[Literal]]) -> None:
        """Put the open rows of a literal, whose variables differ, where they are kept."""
        known = [t.value if isinstance(t, Const) else None for t in literal.args]
        own = dict(self._own(literal, known))
        found.update(own)
        clauses = self.book.clauses_of(literal.name)
        walks = any(x.name == literal.name for c in clauses for x in literals(c.body))
        grown = True
        while grown:
            grown = False
            for clause in clauses:
                env = _head(clause, known)
                for row, doubts in self._derived(clause, env) if env is not None else ():
                    before = found.get(row, _SURE)
                    if not doubts <= before:
                        found[row], grown = before | doubts, walks
        sure: list[Row] | None = None
        while sure is None or (sure and walks):
            sure = [r for r in found if r not in own and self._certain(literal.name, r)]
            for row in sure:
                del found[row]

    def _own(
        self, literal: Literal, known: Sequence[Value | None]
    ) -> Iterator[tuple[Row, frozenset[Literal]]]:
        """The rows that the doubts of a predicate itself speak of."""
        predicate = self.book.predicates.get(literal.name)
        if predicate is None or not predicate.doubts:
            return
        given = {
            name: value
            for name, value in zip(predicate.params, known, strict=True)
            if value is not None
        }
        found: dict[Row, frozenset[Literal]] = {}
        for doubt in self._doubts(literal.name):
            for said in self._said(ground(doubt, given)):
                proof = Literal(doubt.name, tuple(Const(v) for v in said))
                env = {**given, **(match(doubt.args, said) or {})}
                for row in self._concerned(predicate, env, set(variables(doubt.args))):
                    self._spend()
                    found[row] = found.get(row, _SURE) | {proof}
        yield from found.items()

    def _said(self, doubt: Literal) -> Collection[Row]:
        """The rows of a doubt. Term by term is faster than the solver where much is left open."""
        if row_of(doubt) is not None or doubt.name not in self.prover.by_head:
            return self.solver.rows(doubt)
        found: dict[Row, None] = {}
        for clause in self.prover.by_head[doubt.name]:
            known = [t.value if isinstance(t, Const) else None for t in doubt.args]
            env = _head(clause, known)
            for each in solutions(clause.body, env, self.solver) if env is not None else ():
                row = row_of(ground(clause.head, each))
                if row is not None and match(doubt.args, row) is not None:
                    found[row] = None
        return found

    def _concerned(self, predicate: Predicate, env: Env, spoken: set[str]) -> Iterator[Row]:
        """The rows of a predicate that a doubt about some of its terms concerns.

        Its answers, and what its clauses could come to: what they say of the terms alone of which
        the doubt doesn't speak is so; of what they don't say every name of its sort is meant.
        """
        known = [env.get(name) for name in predicate.params]
        if spoken >= set(predicate.params):
            yield tuple(env[name] for name in predicate.params)
            return
        args = tuple(Var(n) if n not in env else Const(env[n]) for n in predicate.params)
        yield from self.solver.rows(Literal(predicate.name, args))
        left = {i for i, name in enumerate(predicate.params) if name not in spoken}
        for clause in self.book.clauses_of(predicate.name):
            bound = _head(clause, known)
            if bound is not None:
                yield from self._narrowed(predicate, clause, list(clause.body), bound, left)

    def _narrowed(
        self, predicate: Predicate, clause: Clause, body: list[Item], env: Env, left: set[int]
    ) -> Iterator[Row]:
        """The rows by what a body says of those terms of its head by other terms of it alone."""
        head = clause.head.args
        free = set(variables(head))
        wanted = set(variables(head[spot] for spot in left))
        for item in body:
            if not isinstance(item, Literal) or item.negated:
                continue
            names = set(variables(item.args))
            if names <= free and names & wanted:
                rest = [i for i in body if i is not item]
                still = {spot for spot in left if not set(variables((head[spot],))) <= names}
                for each in steps(item, env, self.solver):
                    self._spend()
                    yield from self._narrowed(predicate, clause, rest, each, still)
                return
        columns: list[Collection[Value]] = []
        for spot, term in enumerate(ground(clause.head, env).args):
            every = self._any(predicate, spot) if spot in left else ()
            if isinstance(term, Const):
                columns.append([term.value] if spot not in left or term.value in every else ())
            else:
                columns.append(every)
        yield from product(*columns)

    def _any(self, predicate: Predicate, spot: int) -> Collection[Value]:
        """Whatever a term can be: names of its sorts, its words, or numbers of its answers."""
        sorts = self.book.arg_sorts[predicate.name][spot]
        if sorts is not None:
            return [name for name, sort in self.prover.names.items() if sort in sorts]
        sort = self.book.vocabulary.sorts.get(predicate.params[spot].rstrip("0123456789"))
        if isinstance(sort, Words):
            return sort.words
        args = tuple(Var(f"V{i}") for i in range(predicate.arity))
        rows = self.solver.rows(Literal(predicate.name, args))
        return dict.fromkeys(row[spot] for row in rows)

    def _derived(self, clause: Clause, env: Env) -> Iterator[tuple[Row, frozenset[Literal]]]:
        """The rows that a clause may come to by something open, each with its doubts."""
        for spot, item in enumerate(clause.body):
            for literal in literals((item,)):
                if self._rests(literal.name):
                    rest = [*clause.body[:spot], *clause.body[spot + 1 :]]
                    for led, left in self._led(rest, env, literal):
                        yield from self._by_way_of(clause, item, left, led)

    def _led(
        self, items: list[Item], env: Env, wanted: Literal
    ) -> Iterator[tuple[Env, list[Item]]]:
        """What is certain about the terms of a literal by what is known already, and is left."""
        free = {t.name for t in wanted.args if isinstance(t, Var)} - set(env)
        for item in items:
            if not isinstance(item, Literal) or item.negated or self._rests(item.name):
                continue
            goal = ground(item, env)
            names = {t.name for t in goal.args if isinstance(t, Var)}
            if names & free and len(names) < len(goal.args):
                left = [i for i in items if i is not item]
                for each in steps(item, env, self.solver):
                    self._spend()
                    yield from self._led(left, each, wanted)
                return
        yield env, items

    def _by_way_of(
        self, clause: Clause, item: Item, rest: list[Item], env: Env
    ) -> Iterator[tuple[Row, frozenset[Literal]]]:
        """The rows that a clause may come to by the open rows of one item."""
        if isinstance(item, Count):
            inner = {k: v for k, v in env.items() if k != item.counted.name}
            starts: dict[tuple[Any, ...], frozenset[Literal]] = {}
            for row in self._of(ground(item.literal, inner)):
                each = match(item.literal.args, row, inner) or {}
                starts[tuple((k, v) for k, v in each.items() if k != item.counted.name)] = _SURE
            rest = [*rest, item]
        elif isinstance(item, Literal):
            starts = {}
            for row, doubts in self._of(ground(item.atom, env)).items():
                found = match(item.args, row, env)
                if found is not None:
                    starts[tuple(found.items())] = doubts
        else:
            return
        for start, doubts in starts.items():
            for met, why in self._ways(rest, dict(start)):
                head = row_of(ground(clause.head, met))
                assert head is not None
                if doubts or why:
                    yield head, doubts | why

    def _ways(
        self, items: Sequence[Item], env: Env
    ) -> Iterator[tuple[Mapping[str, Value], frozenset[Literal]]]:
        """Every way in which no item fails for certain, with what is open in it."""
        ordered = plan(items, env).items
        stack: list[Iterator[tuple[Env, frozenset[Literal]]]] = [iter([(env, _SURE)])]
        while stack:
            found = next(stack[-1], None)
            if found is None:
                stack.pop()
            elif len(stack) > len(ordered):
                yield found
            else:
                self._spend()
                stack.append(self._step(ordered[len(stack) - 1], *found))

    def _step(
        self, item: Item, env: Env, before: frozenset[Literal]
    ) -> Iterator[tuple[Env, frozenset[Literal]]]:
        if isinstance(item, Count):
            for env_, doubts in self._counts(item, env):
                yield env_, before | doubts
        elif not isinstance(item, Literal):
            for each in steps(item, env, self.solver):
                yield each, before
        else:
            wanted = ground(item.atom, env)
            doubtful = self._of(wanted)
            if item.negated:
                row = row_of(wanted)
                assert row is not None
                if row in doubtful:
                    yield env, before | doubtful[row]
                elif not self.solver.rows(wanted):
                    yield env, before
                return
            rows = dict.fromkeys((*self.solver.rows(wanted), *doubtful))
            for row in rows:
                found = match(item.args, row, env)
                if found is not None:
                    yield found, before | doubtful.get(row, _SURE)

    def _counts(self, item: Count, env: Env) -> Iterator[tuple[Env, frozenset[Literal]]]:
        """Each number that a count may come to."""
        inner = {k: v for k, v in env.items() if k != item.counted.name}
        wanted = ground(item.literal, inner)
        rows, doubtful = set(self.solver.rows(wanted)), self._of(wanted)
        doubts = _SURE.union(*doubtful.values())
        for number in range(len(rows - set(doubtful)), len(rows | set(doubtful)) + 1):
            found = match((item.result,), (number,), env)
            if found is not None:
                self._spend()
                yield found, doubts

    def _certain(self, name: str, row: Row) -> bool:
        """Whether some clause comes to a row by nothing that is open."""
        if not self.solver.rows(Literal(name, tuple(Const(v) for v in row))):
            return False
        for clause in self.book.clauses_of(name):
            env = _head(clause, row)
            for found in islice(
                solutions(clause.body, env, self.solver) if env is not None else (), MAX_WAYS
            ):
                self._spend()
                if not any(self._of(ground(x.atom, found)) for x in literals(clause.body)):
                    return True
        return False

    def _spend(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _TooMuch


def _head(clause: Clause, known: Sequence[Value | None]) -> dict[str, Value] | None:
    """What the terms of a literal bind in a clause's head, or None where they don't fit."""
    env: dict[str, Value] = {}
    for term, value in zip(clause.head.args, known, strict=True):
        if value is None:
            continue
        if isinstance(term, Const):
            if term.value != value:
                return None
        elif isinstance(term, Var) and env.setdefault(term.name, value) != value:
            return None
    return env

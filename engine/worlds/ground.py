"""Clauses without variables: what each predicate could hold of in any game of a universe.

Worked out from below, as grounders do (Gebser, Kaminski, Kaufmann, Schaub 2012): a row is possible
when some clause could come to it, negations looked away from; comparisons and sums are settled
here. Each predicate is grounded once for all books in which it says the same, so that after an edit
only what stands above the edit is grounded again.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from ..errors import BookError, QuestionError
from ..model import (
    Clause,
    Comparison,
    Const,
    Count,
    Item,
    Literal,
    Row,
    Term,
    Value,
    Var,
    item_variables,
    literals,
    variables,
)

MAX_BODIES = 2_000_000
"""Ground clauses that a grounder takes on before it says that the bound is too wide."""

_COMPARE: Mapping[str, Callable[[Value, Value], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Universe(Protocol):
    """The facts that games may state, of which every game states some."""

    def rows(self, name: str) -> Collection[Row]:
        """The rows that a game may state of a declared fact."""

    def always(self, name: str, row: Row) -> bool:
        """Whether every game states it."""

    def groups(self, name: str, row: Row) -> tuple[int, ...]:
        """Of what has a group in common no game states two."""


class Body(NamedTuple):
    """A ground clause: what has to hold, what must not, and how many of some rows have to.

    ``counts`` are pairs of a number and the rows of which so many hold.
    """

    needs: tuple[Atom, ...]
    denies: tuple[Atom, ...]
    counts: tuple[tuple[int, tuple[Atom, ...]], ...]
    clause: Clause


class Relation:
    """What one predicate could hold of; each row with the ground clauses that come to it.

    Of a declared fact there are no clauses: ``base`` says that the game decides. ``certain`` are
    the rows that hold in every game, ``below`` the relations that its clauses look at. ``recurs``:
    some look at itself.
    """

    __slots__ = ("_index", "_known", "base", "below", "bodies", "certain", "key", "name", "recurs")

    def __init__(
        self, name: str, key: int, base: bool = False, below: Sequence[Relation] = ()
    ) -> None:
        self.name, self.key, self.base, self.below = name, key, base, tuple(below)
        self.recurs = False
        self.bodies: dict[Row, list[Body]] = {}
        self.certain: set[Row] = set()
        self._known: set[object] = set()
        self._index: dict[tuple[int, ...], dict[Row, list[Row]]] = {}

    def __repr__(self) -> str:
        return f"<Relation {self.name}: {len(self.bodies)} rows>"

    def add(self, row: Row, body: Body | None = None) -> bool:
        """Take up a row, with a clause that comes to it; whether the row is new."""
        own = self.bodies.get(row)
        new = own is None
        if own is None:
            own = self.bodies[row] = []
            for spots, index in self._index.items():
                index.setdefault(tuple([row[i] for i in spots]), []).append(row)
        if body is not None:
            mark = (row, *body[:3], id(body.clause))
            if mark not in self._known:
                self._known.add(mark)
                own.append(body)
        return new

    def settle(self) -> None:
        """Let go what is only needed while rows are being added."""
        self._known = set()

    def at(self, spots: tuple[int, ...], values: Row) -> Collection[Row]:
        """The rows with these values at these spots."""
        if not spots:
            return self.bodies
        index = self._index.get(spots)
        if index is None:
            index = self._index[spots] = {}
            for row in self.bodies:
                index.setdefault(tuple([row[i] for i in spots]), []).append(row)
        return index.get(values, ())


Atom = tuple[Relation, Row]
Step = Callable[[Callable[[], None]], Callable[[], None]]
"""One item of a body: given what comes after it, what to do."""


class Grounder:
    """Grounds the predicates of books over one universe; what books have in common once.

    ``most`` are the ground clauses that it takes on before it gives up.
    """

    def __init__(self, universe: Universe, most: int = MAX_BODIES) -> None:
        self.universe, self.most = universe, most
        self.size = 0
        self._relations: dict[int, Relation] = {}
        self._keys: dict[object, int] = {}
        self._said: dict[int, tuple[Clause, int]] = {}

    def ground(
        self, by_head: Mapping[str, Sequence[Clause]], wanted: Iterable[str]
    ) -> dict[str, Relation]:
        """The relations of some predicates and of all they rest on, those first.

        Raises BookError where two predicates recur through each other, or the universe is too
        large for the book.
        """
        found: dict[str, Relation] = {}
        for name in _order(by_head, wanted):
            found[name] = self._relation(name, by_head.get(name, ()), found)
        return found

    def _key(self, mark: object) -> int:
        return self._keys.setdefault(mark, len(self._keys))

    def _says(self, clause: Clause) -> int:
        """A number for what a clause says, the same for clauses that say the same."""
        known = self._said.get(id(clause))
        if known is None or known[0] is not clause:
            known = self._said[id(clause)] = clause, self._key((clause.head, clause.body))
        return known[1]

    def _relation(
        self, name: str, clauses: Sequence[Clause], below: Mapping[str, Relation]
    ) -> Relation:
        used = {x.name for c in clauses for x in literals(c.body)} - {name}
        said = tuple(self._says(clause) for clause in clauses)
        key = self._key((name, said, *sorted(below[n].key for n in used)))
        known = self._relations.get(key)
        if known is None:
            own = [below[n] for n in sorted(used)]
            known = self._relations[key] = self._made(name, key, clauses, own)
        return known

    def _made(
        self, name: str, key: int, clauses: Sequence[Clause], below: Sequence[Relation]
    ) -> Relation:
        made = Relation(name, key, not clauses, below)
        if not clauses:
            for row in self.universe.rows(name):
                made.add(row)
                if self.universe.always(name, row):
                    made.certain.add(row)
            return made
        relations = {name: made, **{each.name: each for each in below}}
        walking = [c for c in clauses if any(x.name == name for x in literals(c.body))]
        made.recurs = bool(walking)
        for clause in clauses:
            if clause not in walking:
                _Joined(clause, relations, self).run()
        joined = [_Joined(c, relations, self, name) for c in walking]
        new = list(made.bodies)
        while joined and new:
            before = len(made.bodies)
            for each in joined:
                each.run(new)
            new = list(made.bodies)[before:]
        made.settle()
        return made

    def spend(self) -> None:
        """Count one ground clause. Raises BookError where there are too many."""
        self.size += 1
        if self.size > self.most:
            raise BookError(
                f"more than {self.most:,} ground clauses",
                hint="take a smaller bound, or ask about fewer verbs",
            )


def _order(by_head: Mapping[str, Sequence[Clause]], wanted: Iterable[str]) -> list[str]:
    """Predicates and all they rest on, those first. Raises BookError for a circle of several."""
    out: dict[str, None] = {}
    under: set[str] = set()
    for first in wanted:
        stack: list[tuple[str, Iterator[str]]] = []

        def enter(name: str, stack: list[tuple[str, Iterator[str]]] = stack) -> None:
            if name in under:
                raise BookError(f"{name} rests on itself through other predicates")
            under.add(name)
            used = {x.name for c in by_head.get(name, ()) for x in literals(c.body)}
            stack.append((name, iter(sorted(used - {name}))))

        if first not in out:
            enter(first)
        while stack:
            name, left = stack[-1]
            following = next((n for n in left if n not in out), None)
            if following is not None:
                enter(following)
                continue
            stack.pop()
            under.discard(name)
            out[name] = None
    return list(out)


class _Joined:
    """One clause, worked off over the relations below it."""

    def __init__(
        self,
        clause: Clause,
        relations: Mapping[str, Relation],
        grounder: Grounder,
        own: str = "",
    ) -> None:
        self.clause, self.relations, self.grounder = clause, relations, grounder
        self.made = relations[clause.head.name]
        names = dict.fromkeys(v for i in clause.body for v in item_variables(i))
        names.update(dict.fromkeys(variables(clause.head.args)))
        self.slot = {name: i for i, name in enumerate(names)}
        self.env: list[Value] = [0] * len(names)
        self.needs: list[Atom] = []
        self.denies: list[Atom] = []
        self.counts: list[tuple[int, tuple[Atom, ...]]] = []
        self.taken: dict[int, Atom] = {}
        self.new: Sequence[Row] = ()
        self.head = [self._value(t) for t in clause.head.args]
        self.start = self._chain(_planned(clause.body, relations, own), own)

    def run(self, new: Sequence[Row] = ()) -> None:
        """Add every ground instance; of its own literal only the ``new`` rows are looked at."""
        self.new = new
        self.start()

    def _value(self, term: Term) -> Callable[[], Value]:
        env = self.env
        if isinstance(term, Const):
            value = term.value
            return lambda: value
        if isinstance(term, Var):
            slot = self.slot[term.name]
            return lambda: env[slot]
        left, right = self._value(term.left), self._value(term.right)
        sign = 1 if term.op == "+" else -1

        def add() -> Value:
            a, b = left(), right()
            if isinstance(a, int) and isinstance(b, int):
                return a + sign * b
            raise QuestionError(f"{a!r} {term.op} {b!r} can't be worked out")

        return add

    def _chain(self, items: Sequence[Item], own: str) -> Callable[[], None]:
        bound: set[str] = set()
        steps: list[Step] = []
        for at, item in enumerate(items):
            first = at == 0 and isinstance(item, Literal) and item.name == own
            steps.append(self._step(item, set(bound), first))
            bound.update(item_variables(item))
        run = self._finish
        for step in reversed(steps):
            run = step(run)
        return run

    def _finish(self) -> None:
        self.grounder.spend()
        row = tuple([value() for value in self.head])
        needs = tuple(dict.fromkeys(self.needs)) if len(self.needs) > 1 else tuple(self.needs)
        denies = tuple(self.denies)
        self.made.add(row, Body(needs, denies, tuple(self.counts), self.clause))

    def _step(self, item: Item, bound: set[str], own: bool) -> Step:
        if isinstance(item, Comparison):
            return self._compared(item, bound)
        if isinstance(item, Count):
            return self._counted(item, bound)
        if item.negated:
            return self._denied(item)
        return self._needed(item, bound, own)

    def _compared(self, item: Comparison, bound: set[str]) -> Step:
        if item.op == "==":
            for one, other in ((item.left, item.right), (item.right, item.left)):
                if isinstance(one, Var) and one.name not in bound:
                    return self._bound(self.slot[one.name], self._value(other))
        left, right = self._value(item.left), self._value(item.right)
        compare, ordered = _COMPARE[item.op], item.op not in ("==", "!=")

        def test(then: Callable[[], None]) -> Callable[[], None]:
            def step() -> None:
                a, b = left(), right()
                if ordered and not (isinstance(a, int) and isinstance(b, int)):
                    raise QuestionError(f"{a!r} {item.op} {b!r}: only numbers have an order")
                if compare(a, b):
                    then()

            return step

        return test

    def _bound(self, slot: int, value: Callable[[], Value]) -> Step:
        env = self.env

        def bind(then: Callable[[], None]) -> Callable[[], None]:
            def step() -> None:
                env[slot] = value()
                then()

            return step

        return bind

    def _spots(
        self, literal: Literal, bound: set[str]
    ) -> tuple[tuple[int, ...], list[Callable[[], Value]], list[tuple[int, int]]]:
        """The spots whose values are known, those values, and where the others go."""
        spots, values, free = [], [], []
        for spot, term in enumerate(literal.args):
            if isinstance(term, Var) and term.name not in bound:
                free.append((spot, self.slot[term.name]))
            else:
                spots.append(spot)
                values.append(self._value(term))
        return tuple(spots), values, free

    def _needed(self, item: Literal, bound: set[str], own: bool) -> Step:
        relation, env = self.relations[item.name], self.env
        spots, values, free = self._spots(item, bound)
        slots = [slot for _, slot in free]
        twice = len(set(slots)) < len(slots)
        universe, base, certain = self.grounder.universe, relation.base, relation.certain
        name, needs, taken = item.name, self.needs, self.taken

        def wanted(then: Callable[[], None]) -> Callable[[], None]:
            def each(row: Row) -> None:
                for spot, slot in free:
                    env[slot] = row[spot]
                if twice and any(env[slot] != row[spot] for spot, slot in free):
                    return
                if row in certain:
                    then()
                    return
                atom = (relation, row)
                mine = []
                if base:
                    for group in universe.groups(name, row):
                        other = taken.get(group)
                        if other is None:
                            taken[group] = atom
                            mine.append(group)
                        elif other != atom:
                            for done in mine:
                                del taken[done]
                            return
                needs.append(atom)
                then()
                needs.pop()
                for group in mine:
                    del taken[group]

            if own:

                def walk() -> None:
                    for row in self.new:
                        if all(row[s] == v() for s, v in zip(spots, values, strict=True)):
                            each(row)

                return walk

            def step() -> None:
                for row in list(relation.at(spots, tuple([value() for value in values]))):
                    each(row)

            if free:
                return step

            def check() -> None:
                row = tuple([value() for value in values])
                if row in relation.bodies:
                    each(row)

            return check

        return wanted

    def _denied(self, item: Literal) -> Step:
        relation = self.relations[item.name]
        values = [self._value(t) for t in item.args]
        certain, bodies, denies = relation.certain, relation.bodies, self.denies

        def denied(then: Callable[[], None]) -> Callable[[], None]:
            def step() -> None:
                row = tuple([value() for value in values])
                if row in certain:
                    return
                if row not in bodies:
                    then()
                    return
                denies.append((relation, row))
                then()
                denies.pop()

            return step

        return denied

    def _counted(self, item: Count, bound: set[str]) -> Step:
        literal, env, counts = item.literal, self.env, self.counts
        relation = self.relations[literal.name]
        spots, values, _ = self._spots(literal, bound - {item.counted.name})
        slot, known = self.slot[item.result.name], item.result.name in bound
        same = [spot for spot, term in enumerate(literal.args) if term == item.counted]

        def counted(then: Callable[[], None]) -> Callable[[], None]:
            def step() -> None:
                rows = relation.at(spots, tuple([value() for value in values]))
                if len(same) > 1:
                    rows = [row for row in rows if len({row[spot] for spot in same}) == 1]
                sure = sum(row in relation.certain for row in rows)
                left = tuple((relation, row) for row in rows if row not in relation.certain)
                for number in range(sure, sure + len(left) + 1):
                    if known and env[slot] != number:
                        continue
                    env[slot] = number
                    if left:
                        counts.append((number - sure, left))
                        then()
                        counts.pop()
                    else:
                        then()

            def step_known() -> None:
                before = env[slot]
                step()
                env[slot] = before

            return step_known if known else step

        return counted


def _planned(body: Sequence[Item], relations: Mapping[str, Relation], own: str) -> list[Item]:
    """The items in an order that keeps few combinations alive: tests as soon as they can be made.

    A clause of a walk begins with its own literal.
    """
    left, bound = list(body), set[str]()
    out: list[Item] = []
    while left:
        item = min(left, key=lambda i: _cost(i, bound, relations))
        if own and not out:
            item = next(i for i in left if isinstance(i, Literal) and i.name == own)
        left = [i for i in left if i is not item]
        bound.update(item_variables(item))
        out.append(item)
    return out


def _cost(item: Item, bound: set[str], relations: Mapping[str, Relation]) -> float:
    """How many rows an item brings for one combination, never if it can't be worked off yet."""
    if isinstance(item, Comparison):
        free = set(item_variables(item)) - bound
        if not free:
            return 0.0
        for one, other in ((item.left, item.right), (item.right, item.left)):
            if item.op == "==" and isinstance(one, Var) and set(variables((other,))) <= bound:
                return 0.1
        return float("inf")
    if isinstance(item, Count):
        free = set(variables(item.literal.args)) - bound - {item.counted.name}
        return float("inf") if free else 0.5
    free = set(item_variables(item)) - bound
    if item.negated:
        return float("inf") if free else 0.2
    relation = relations[item.name]
    size = max(len(relation.bodies), 1)
    known = sum(1 for t in item.args if not (isinstance(t, Var) and t.name in free))
    return 0.3 if not free else 1.0 + size ** (1.0 - known / (len(item.args) or 1))

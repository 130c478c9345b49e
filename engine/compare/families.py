"""A clause and its mutants made ready to be worked off together.

A body is worked off item by item, as a set of environments at a time, and each environment is
marked with the books in which it is come to. Where the items of two mutants bind the same variables
they only differ in the marks that they let through; a mutant that binds others goes on alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import add, eq, ge, gt, itemgetter, le, lt, ne, sub
from typing import Any, NamedTuple

from ..language import binds, missing, plan
from ..model import (
    Clause,
    Comparison,
    Const,
    Count,
    Item,
    Literal,
    Row,
    Sum,
    Term,
    Value,
    Var,
    item_variables,
    literals,
    variables,
)
from .mutants import HEAD, Mutant

Envs = dict[Row, int]
"""The values of the variables that are still needed, each with the books it is come to in."""

Picker = Callable[[Row], Row]
Step = Callable[[Envs, int, Envs, "Mapping[str, Relation]"], None]
"""Takes environments and the marks to be let through, and puts what follows into others."""

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": eq,
    "!=": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}


class Relation:
    """The rows of a predicate, each with the books in which it holds as the bits of a number."""

    __slots__ = ("_index", "rows")

    def __init__(self, rows: dict[Row, int]) -> None:
        self.rows = rows
        self._index: dict[tuple[int, ...], dict[Row, list[tuple[Row, int]]]] = {}

    def at(self, spots: tuple[int, ...]) -> dict[Row, list[tuple[Row, int]]]:
        """The rows by their values at some spots."""
        found = self._index.get(spots)
        if found is None:
            found = self._index[spots] = {}
            pick = _picked(spots)
            for row, books in self.rows.items():
                found.setdefault(pick(row), []).append((row, books))
        return found


class _Variant(NamedTuple):
    """What stands in the place of an item in some books; None where nothing does."""

    books: int
    item: Item | None


class Stage(NamedTuple):
    """One item of a body: the ways in which it goes on, and the lanes that leave here."""

    ways: list[tuple[int, Step]]
    leaving: list[tuple[int, Lane]]


class Lane(NamedTuple):
    """The rest of a body, and what its head takes from the environments at the end."""

    stages: list[Stage]
    heads: list[tuple[int, Picker]]

    def run(self, envs: Envs, relations: Mapping[str, Relation], out: dict[Row, int]) -> None:
        """Put the rows that follow from some environments to ``out``."""
        for stage in self.stages:
            for books, lane in stage.leaving:
                some = {env: both for env, own in envs.items() if (both := own & books)}
                if some:
                    lane.run(some, relations, out)
            following: Envs = {}
            for books, step in stage.ways:
                step(envs, books, following, relations)
            envs = following
            if not envs:
                return
        for books, pick in self.heads:
            for env, own in envs.items():
                if both := own & books:
                    row = pick(env)
                    out[row] = out.get(row, 0) | both


class Family:
    """A clause and its mutants, each with a bit of its own; ``books`` are all bits."""

    def __init__(self, clause: Clause, mutants: Iterable[tuple[int, Mutant]], books: int) -> None:
        self.recurs = any(i.name == clause.head.name for i in literals(clause.body))
        changed: dict[int, list[_Variant]] = {}
        heads: list[tuple[int, Literal]] = []
        mutants = list(mutants)
        self.books = own = books
        for bit, mutant in mutants:
            if mutant.changed is None:
                self.books &= ~bit
            elif mutant.spot == HEAD:
                heads.append((bit, mutant.changed.head))
                own &= ~bit
            else:
                assert mutant.spot is not None
                changed.setdefault(mutant.spot, []).append(_Variant(bit, mutant.item))
        bodies = [clause.body] if clause.body else []
        bodies += [m.changed.body for _, m in mutants if m.changed is not None]
        self.needs = _needed(bodies)
        apart = [item._replace() for item in clause.body]
        spots = {id(item): at for at, item in enumerate(apart)}
        todo = [(item, changed.get(spots[id(item)], [])) for item in plan(apart).items]
        self.lane = _lane(todo, (), books, [(own, clause.head), *heads])

    def run(self, relations: Mapping[str, Relation], out: dict[Row, int]) -> None:
        """Put the rows that the clause, or a mutant in its place, comes to to ``out``."""
        for name in self.needs:
            if not relations[name].rows:
                return
        self.lane.run({(): self.books}, relations, out)


def _needed(bodies: Sequence[Sequence[Item]]) -> tuple[str, ...]:
    """The predicates without which no body holds: those that each of them needs."""
    own = [{i.name for i in body if isinstance(i, Literal) and not i.negated} for body in bodies]
    return tuple(sorted(set.intersection(*own))) if own else ()


def _lane(
    todo: Sequence[tuple[Item, Sequence[_Variant]]],
    slots: tuple[str, ...],
    books: int,
    heads: Sequence[tuple[int, Literal]],
) -> Lane:
    """A lane from here on, the clause's own head first among its heads.

    ``slots`` are the variables that an environment has the values of.
    """
    needs = [{name for _, head in heads for name in variables(head.args)}]
    for item, variants in reversed(todo):
        every = [item, *(v.item for v in variants if v.item is not None)]
        needs.append(needs[-1] | {name for each in every for name in _spoken(each)})
    needs.reverse()
    stages = []
    for at, (item, variants) in enumerate(todo):
        kept = _bound(item, slots) & needs[at + 1]
        after = tuple(sorted(kept))
        ways: list[tuple[int, Step]] = []
        leaving: list[tuple[int, Lane]] = []
        own = books
        for bit, other in variants:
            own &= ~bit
            ready = other is None or not missing(other, set(slots))
            if ready and _bound(other, slots) & needs[at + 1] == kept:
                ways.append((bit, _step(other, slots, after)))
                continue
            rest = [each for each, _ in todo[at + 1 :]]
            ordered = plan(rest if other is None else [other, *rest], slots)
            assert not ordered.stuck
            alone = _lane([(i, ()) for i in ordered.items], slots, bit, [(bit, heads[0][1])])
            leaving.append((bit, alone))
        ways.append((own, _step(item, slots, after)))
        stages.append(Stage(ways, leaving))
        slots = after
    return Lane(stages, [(given, _made(head.args, slots)) for given, head in heads])


def _spoken(item: Item) -> set[str]:
    """The variables that an item looks at or leaves bound; a counted one is nobody else's."""
    found = set(item_variables(item))
    return found - {item.counted.name} if isinstance(item, Count) else found


def _bound(item: Item | None, slots: Iterable[str]) -> set[str]:
    return {*slots, *(binds(item) if item is not None else ())}


def _step(item: Item | None, slots: tuple[str, ...], after: tuple[str, ...]) -> Step:
    """What one item makes of environments with these variables, and leaves those after it."""
    if item is None:
        return _passing(_made([Var(name) for name in after], slots))
    if isinstance(item, Count):
        return _counting(item, slots, after)
    if isinstance(item, Comparison):
        return _comparing(item, slots, after)
    return _denying(item, slots, after) if item.negated else _joining(item, slots, after)


def _put(into: Envs, env: Row, books: int) -> None:
    before = into.get(env)
    into[env] = books if before is None else before | books


def _passing(out: Picker) -> Step:
    def step(envs: Envs, books: int, into: Envs, _: Mapping[str, Relation]) -> None:
        for env, own in envs.items():
            if both := own & books:
                _put(into, out(env), both)

    return step


def _joining(item: Literal, slots: tuple[str, ...], after: tuple[str, ...]) -> Step:
    """Each row of a literal that fits, with the books of both."""
    name, known, free = item.name, [], []
    for spot, term in enumerate(item.args):
        if isinstance(term, Var) and term.name not in slots:
            free.append((spot, term.name))
        else:
            known.append((spot, term))
    spots = tuple(spot for spot, _ in known)
    key = _made([term for _, term in known], slots)
    first: dict[str, int] = {}
    same = [(first[n], spot) for spot, n in free if first.setdefault(n, spot) != spot]
    width = len(slots)
    found = [slots.index(n) if n in slots else width + first[n] for n in after]
    out = _picked(tuple(found))

    def step(envs: Envs, books: int, into: Envs, relations: Mapping[str, Relation]) -> None:
        rows = relations[name].at(spots)
        if not rows:
            return
        for env, own in envs.items():
            own &= books
            if not own:
                continue
            for row, holding in rows.get(key(env), ()):
                both = own & holding
                if both and not any(row[one] != row[other] for one, other in same):
                    _put(into, out(env + row), both)

    return step


def _denying(item: Literal, slots: tuple[str, ...], after: tuple[str, ...]) -> Step:
    name, key = item.name, _made(item.args, slots)
    out = _made([Var(n) for n in after], slots)

    def step(envs: Envs, books: int, into: Envs, relations: Mapping[str, Relation]) -> None:
        rows = relations[name].rows
        for env, own in envs.items():
            both = own & books & ~rows.get(key(env), 0)
            if both:
                _put(into, out(env), both)

    return step


def _comparing(item: Comparison, slots: tuple[str, ...], after: tuple[str, ...]) -> Step:
    free = [t.name for t in (item.left, item.right) if isinstance(t, Var) and t.name not in slots]
    if free:
        term = item.right if item.left == Var(free[0]) else item.left
        value, out = _valued(term, slots), _made([Var(n) for n in after], (*slots, free[0]))

        def bind(envs: Envs, books: int, into: Envs, _: Mapping[str, Relation]) -> None:
            for env, own in envs.items():
                if both := own & books:
                    _put(into, out((*env, value(env))), both)

        return bind
    compare = _COMPARE[item.op]
    ordered = item.op not in ("==", "!=")
    left, right = _valued(item.left, slots), _valued(item.right, slots)
    pick = _made([Var(n) for n in after], slots)

    def step(envs: Envs, books: int, into: Envs, _: Mapping[str, Relation]) -> None:
        for env, own in envs.items():
            if both := own & books:
                one, other = left(env), right(env)
                if ordered and not (isinstance(one, int) and isinstance(other, int)):
                    continue
                if compare(one, other):
                    _put(into, pick(env), both)

    return step


def _counting(item: Count, slots: tuple[str, ...], after: tuple[str, ...]) -> Step:
    """How many rows there are, number by number with the books in which there are so many."""
    name, args = item.literal.name, item.literal.args
    counted = [spot for spot, term in enumerate(args) if term == item.counted]
    spots = tuple(spot for spot in range(len(args)) if spot not in counted)
    key = _made([args[spot] for spot in spots], slots)
    result = item.result.name
    known = slots.index(result) if result in slots else None
    out = _made([Var(n) for n in after], slots if known is not None else (*slots, result))

    def step(envs: Envs, books: int, into: Envs, relations: Mapping[str, Relation]) -> None:
        rows = relations[name].at(spots)
        for env, own in envs.items():
            own &= books
            if not own:
                continue
            fitting = [
                holding
                for row, holding in rows.get(key(env), ())
                if all(row[spot] == row[counted[0]] for spot in counted)
            ]
            for number, both in enumerate(_numbers(own, fitting)):
                if not both:
                    continue
                if known is None:
                    _put(into, out((*env, number)), both)
                elif env[known] == number:
                    _put(into, out(env), both)

    return step


def _numbers(own: int, marks: Iterable[int]) -> list[int]:
    """The books in which none of some rows holds, in which one does, and so on."""
    found = [own]
    for mark in marks:
        found.append(0)
        for number in range(len(found) - 1, 0, -1):
            found[number] = found[number] & ~mark | found[number - 1] & mark
        found[0] &= ~mark
    return found


def _made(terms: Sequence[Term], slots: tuple[str, ...]) -> Picker:
    """Makes a row of terms out of an environment."""
    if any(isinstance(term, Sum) for term in terms):
        values = [_valued(term, slots) for term in terms]
        return lambda env: tuple([value(env) for value in values])
    constants = tuple(term.value for term in terms if isinstance(term, Const))
    number = len(slots)
    spots = []
    for term in terms:
        if isinstance(term, Var):
            spots.append(slots.index(term.name))
        else:
            spots.append(number)
            number += 1
    pick = _picked(tuple(spots))
    if not constants:
        return pick
    if len(constants) == len(terms):
        return lambda _: constants
    return lambda env: pick(env + constants)


def _picked(spots: tuple[int, ...]) -> Picker:
    """Makes a row of the values at some spots."""
    if not spots:
        return lambda _: ()
    if len(spots) == 1:
        only = spots[0]
        return lambda row: (row[only],)
    return itemgetter(*spots)


def _valued(term: Term, slots: tuple[str, ...]) -> Callable[[Row], Value]:
    """Works out the value of a term in an environment."""
    if isinstance(term, Const):
        constant = term.value
        return lambda _: constant
    if isinstance(term, Var):
        spot = slots.index(term.name)
        return lambda env: env[spot]
    left, right = _valued(term.left, slots), _valued(term.right, slots)
    work: Callable[[Any, Any], Value] = add if term.op == "+" else sub
    return lambda env: work(left(env), right(env))

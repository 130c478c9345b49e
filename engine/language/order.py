"""The order in which a body can be worked off: binders, then what needs them bound.

Canonical order after Ullman (1988): a positive literal binds its variables; ``==`` binds a
variable that stands alone once the other side is bound; comparisons, negations and counts wait
until every variable they look at is bound. The author's order is kept wherever it is safe.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..model import Comparison, Count, Item, Literal, Var, item_variables, variables


class Plan(NamedTuple):
    """Items in a safe order; those that never become safe, with the variables they miss."""

    items: tuple[Item, ...]
    stuck: tuple[tuple[Item, tuple[str, ...]], ...]
    bound: frozenset[str]


def plan(body: Iterable[Item], bound: Iterable[str] = ()) -> Plan:
    """Order a body given the variables that are bound beforehand."""
    have = set(bound)
    done: list[Item] = []
    waiting: list[Item] = []
    for item in body:
        if isinstance(item, Literal) and not item.negated:
            have.update([t.name for t in item.args if isinstance(t, Var)])
        elif missing(item, have):
            waiting.append(item)
            continue
        else:
            have.update(binds(item))
        done.append(item)
        if waiting:
            _flush(waiting, done, have)
    stuck = tuple((i, missing(i, have)) for i in waiting)
    return Plan(tuple(done), stuck, frozenset(have))


def _flush(waiting: list[Item], done: list[Item], have: set[str]) -> None:
    moved = True
    while moved:
        moved = False
        for item in list(waiting):
            if missing(item, have):
                continue
            waiting.remove(item)
            done.append(item)
            have.update(binds(item))
            moved = True


def binds(item: Item) -> list[str]:
    """The variables an item leaves bound."""
    if isinstance(item, Count):
        return [item.result.name]
    if isinstance(item, Literal) and item.negated:
        return []
    return list(item_variables(item))


def missing(item: Item, have: set[str]) -> tuple[str, ...]:
    """The variables that must be bound before an item, and aren't."""
    need: Iterable[str] = ()
    if isinstance(item, Literal):
        if not item.negated:
            return ()
        need = [t.name for t in item.args if isinstance(t, Var)]
    elif isinstance(item, Count):
        need = (v for v in variables(item.literal.args) if v != item.counted.name)
    else:
        need = _needed_by(item, have)
    return tuple(dict.fromkeys(v for v in need if v not in have))


def _needed_by(item: Comparison, have: set[str]) -> Iterable[str]:
    if item.op == "==":
        for one, other in ((item.left, item.right), (item.right, item.left)):
            needed = list(variables((other,)))
            if isinstance(one, Var) and one.name not in needed and have.issuperset(needed):
                return ()
    return item_variables(item)

"""What may call itself: nothing but a declared walk. Cycles are shown as a path.

A walk calls itself once, as its first literal, keeps its first term, and is bounded by a
comparison; anything else that recurs can keep the engine busy for ever, deaf to signals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .errors import LintError
from .model import (
    Clause,
    Comparison,
    Predicate,
    Sum,
    Var,
    item_variables,
    literals,
    spot,
    variables,
)

_ORDERED = {"<", "<=", ">", ">="}


def cycles(clauses: Sequence[Clause], predicates: Mapping[str, Predicate]) -> Iterator[LintError]:
    edges: dict[str, dict[str, Clause]] = {}
    for clause in clauses:
        row = edges.setdefault(clause.head.name, {})
        for literal in literals(clause.body):
            row.setdefault(literal.name, clause)
            if literal.name == clause.head.name:
                yield from _walk(clause, predicates)
    for path in _loops(edges):
        clause = edges[path[0]][path[1]]
        yield LintError(
            "these predicates rest on each other: " + " -> ".join(path),
            place=spot(clause, path[1]),
            hint="break the circle: only a declared walk may call itself",
            code="L06",
        )


def _loops(edges: Mapping[str, Mapping[str, Clause]]) -> Iterator[list[str]]:
    """One path per cycle of two or more predicates, found without recursion."""
    colour: dict[str, int] = {}
    for root in edges:
        if colour.get(root):
            continue
        trail = [root]
        todo = [iter(edges.get(root, ()))]
        colour[root] = 1
        while todo:
            for name in todo[-1]:
                if name == trail[-1]:
                    continue
                if colour.get(name) == 1:
                    yield [*trail[trail.index(name) :], name]
                elif not colour.get(name):
                    colour[name] = 1
                    trail.append(name)
                    todo.append(iter(edges.get(name, ())))
                    break
            else:
                colour[trail.pop()] = 2
                todo.pop()


def _walk(clause: Clause, predicates: Mapping[str, Predicate]) -> Iterator[LintError]:
    head = clause.head
    own = [x for x in literals(clause.body) if x.name == head.name]
    first = clause.body[0]
    fault = ""
    if not predicates[head.name].walk:
        fault = f"{head.name} calls itself: {head.name} -> {head.name}"
    elif len(own) != 1 or own[0].negated or first != own[0]:
        fault = f"the walk {head.name} must call itself once, as its first literal"
    elif not head.args or head.args[0] != own[0].args[0] or not isinstance(head.args[0], Var):
        fault = f"the walk {head.name} must keep its first term unchanged"
    else:
        grows = {
            i.left.name: set(variables((i.right,)))
            for i in clause.body
            if isinstance(i, Comparison)
            and i.op == "=="
            and isinstance(i.left, Var)
            and isinstance(i.right, Sum)
        }
        bounded = {
            v
            for i in clause.body
            if isinstance(i, Comparison) and i.op in _ORDERED
            for v in item_variables(i)
        }
        for name in variables(head.args):
            if name in grows and not (grows[name] | {name}) & bounded:
                fault = f"nothing stops the walk {head.name}: {name} grows without a bound"
    if fault:
        yield LintError(
            fault,
            place=spot(clause, head.name),
            hint="a walk is declared (`# walk: …`), calls itself first with its first term kept, "
            "and is bounded by a comparison",
            code="L07",
        )

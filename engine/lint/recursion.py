"""What may call itself: nothing but a declared walk. Cycles are shown as a path.

A walk calls itself once, as its first literal, keeps its first term, and is bounded: each of its
other terms, or a number that counts its steps. Anything else that recurs can keep the engine busy
for ever, deaf to signals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..book import Predicate
from ..errors import LintError, Place
from ..model import Clause, Comparison, Const, Literal, Sum, Var, literals, spot, variables

_FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def cycles(clauses: Sequence[Clause], predicates: Mapping[str, Predicate]) -> Iterator[LintError]:
    """Walks that may not end, and circles of predicates."""
    edges: dict[str, dict[str, Clause]] = {}
    for clause in clauses:
        row = edges.setdefault(clause.head.name, {})
        for literal in literals(clause.body):
            row.setdefault(literal.name, clause)
        yield from walks(clause, predicates)
    for path in _loops(edges):
        clause = edges[path[0]][path[1]]
        yield LintError(
            "these predicates rest on each other: " + " -> ".join(path),
            place=spot(clause, path[1]),
            hint="break the circle: only a declared walk may call itself",
            code="L06",
        )


def told_circles(
    predicates: Mapping[str, Predicate], places: Mapping[str, Place]
) -> Iterator[LintError]:
    """Predicates that tell each other, which says nothing that isn't said already."""
    edges = {
        p.name: {told.name: told for told in (*p.tells, *p.tells_none)} for p in predicates.values()
    }
    own = ([name, name] for name, row in edges.items() if name in row)
    for path in (*own, *_loops(edges)):
        yield LintError(
            "this is told in a circle: " + " -> ".join(path),
            place=places.get(str(edges[path[0]][path[1]])),
            hint="tell what rests on facts, not on what tells it",
            code="L15",
        )


def _loops(edges: Mapping[str, Mapping[str, object]]) -> Iterator[list[str]]:
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


def walks(clause: Clause, predicates: Mapping[str, Predicate]) -> Iterator[LintError]:
    """What is wrong with a clause that calls itself, where it may not end."""
    head = clause.head
    own = [x for x in literals(clause.body) if x.name == head.name]
    if not own:
        return
    first = clause.body[0]
    fault = ""
    if not predicates[head.name].walk:
        fault = f"{head.name} calls itself: {head.name} -> {head.name}"
    elif len(own) != 1 or own[0].negated or first != own[0]:
        fault = f"the walk {head.name} must call itself once, as its first literal"
    elif not head.args or head.args[:1] != own[0].args[:1] or not isinstance(head.args[0], Var):
        fault = f"the walk {head.name} must keep its first term unchanged"
    else:
        names = list(variables(head.args))
        counted = any(_counts_steps(v, clause, own[0]) for v in names)
        loose = [] if counted else [v for v in names if not _bounded(v, clause, own[0])]
        if loose:
            fault = f"nothing stops the walk {head.name}: {loose[0]} grows without a bound"
    if fault:
        yield LintError(
            fault,
            place=spot(clause, head.name),
            hint="a walk is declared (`# walk: …`), calls itself first with its first term kept, "
            "and is bounded by a comparison",
            code="L07",
        )


def _counts_steps(name: str, clause: Clause, own: Literal) -> bool:
    """Whether a head variable goes on by a constant with every step, and can't do so for ever.

    It stands in a literal other than the walk's own, or a comparison holds it. The steps of such a
    walk are finitely many, so whatever else it calculates on the way is so too.
    """
    steps = any(
        isinstance(i, Comparison)
        and i.op == "=="
        and i.left == Var(name)
        and isinstance(i.right, Sum)
        and isinstance(i.right.left, Var)
        and i.right.left in own.args
        and isinstance(i.right.right, Const)
        and i.right.right.value != 0
        for i in clause.body
    )
    others = [i for i in clause.body if isinstance(i, Literal) and not i.negated and i != own]
    return steps and (any(Var(name) in i.args for i in others) or _bounded(name, clause, own))


def _bounded(name: str, clause: Clause, own: Literal) -> bool:
    """Whether a head variable of a walk can only take finitely many values.

    It stands in a literal, or it is one of the walk's own numbers a constant up (or down) that a
    comparison with something else holds from above (or below).
    """
    positive = [i for i in clause.body if isinstance(i, Literal) and not i.negated]
    if any(Var(name) in i.args for i in positive):
        return True
    for item in clause.body:
        if not (isinstance(item, Comparison) and item.op == "==" and item.left == Var(name)):
            continue
        step = item.right
        if not isinstance(step, Sum) or not isinstance(step.left, Var) or step.left not in own.args:
            return False
        if not (isinstance(step.right, Const) and isinstance(step.right.value, int)):
            return False
        up = (step.right.value > 0) == (step.op == "+")
        moving = {a for a in own.args[1:] if isinstance(a, Var)} | {Var(name)}
        return step.right.value == 0 or any(
            _holds(c, {step.left, Var(name)}, moving, up, positive)
            for c in clause.body
            if isinstance(c, Comparison)
        )
    return False


def _holds(
    item: Comparison, walking: set[Var], moving: set[Var], up: bool, positive: list[Literal]
) -> bool:
    """Whether a comparison keeps a walking number below (or above) something that stays."""
    left, op, right = item.left, item.op, item.right
    if left not in walking:
        left, op, right = right, _FLIP.get(op, op), left
    if left not in walking or op not in (("<", "<=") if up else (">", ">=")):
        return False
    if isinstance(right, Const):
        return True
    return right not in moving and any(right in i.args for i in positive)

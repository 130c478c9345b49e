"""Work off bodies over a solver: environments, matching, and all solutions of a conjunction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..errors import QuestionError
from ..language import plan
from ..model import Comparison, Const, Count, Item, Literal, Row, Sum, Term, Value, Var
from .goals import unhurried_memory as unhurried_memory
from .solver import Rows

Env = Mapping[str, Value]


def put(term: Term, env: Env) -> Term:
    """A term with the environment's values in it, sums of numbers worked out."""
    if isinstance(term, Var):
        return Const(env[term.name]) if term.name in env else term
    if isinstance(term, Sum):
        left, right = put(term.left, env), put(term.right, env)
        if isinstance(left, Const) and isinstance(right, Const):
            a, b = left.value, right.value
            if isinstance(a, int) and isinstance(b, int):
                return Const(a + b if term.op == "+" else a - b)
            raise QuestionError(f"{left!r} {term.op} {right!r} can't be worked out")
        return Sum(left, term.op, right)
    return term


def ground(literal: Literal, env: Env) -> Literal:
    """A literal with the environment's values in it."""
    return Literal(literal.name, tuple([put(t, env) for t in literal.args]), literal.negated)


def row_of(literal: Literal) -> Row | None:
    """The values of a ground literal, or None while variables are left."""
    values = []
    for term in literal.args:
        if not isinstance(term, Const):
            return None
        values.append(term.value)
    return tuple(values)


def match(args: Sequence[Term], row: Sequence[Value], env: Env = {}) -> dict[str, Value] | None:  # noqa: B006
    """The environment that makes terms equal to a row, or None."""
    out = dict(env)
    for term, value in zip(args, row, strict=True):
        if isinstance(term, Const):
            if term.value != value:
                return None
        elif not isinstance(term, Var) or out.setdefault(term.name, value) != value:
            return None
    return out


def compare(op: str, left: Value, right: Value) -> bool:
    """A comparison of two values; order is for numbers only."""
    if op == "==":
        return left == right
    if op == "!=":
        return left != right
    if not (isinstance(left, int) and isinstance(right, int)):
        raise QuestionError(f"{left!r} {op} {right!r}: only numbers have an order")
    if op in ("<", "<="):
        return left < right or (op == "<=" and left == right)
    return left > right or (op == ">=" and left == right)


def steps(item: Item, env: Env, solver: Rows) -> Iterator[dict[str, Value]]:
    """Each way to satisfy one item whose needed variables are bound."""
    if isinstance(item, Literal):
        wanted = ground(item.atom, env)
        rows = solver.rows(wanted)
        if item.negated:
            if not rows:
                yield dict(env)
            return
        for row in rows:
            found = match(item.args, row, env)
            if found is not None:
                yield found
    elif isinstance(item, Count):
        counted = set(solver.rows(ground(item.literal, env)))
        found = match((item.result,), (len(counted),), env)
        if found is not None:
            yield found
    else:
        yield from _compared(item, env)


def _compared(item: Comparison, env: Env) -> Iterator[dict[str, Value]]:
    left, right = put(item.left, env), put(item.right, env)
    if isinstance(left, Const) and isinstance(right, Const):
        if compare(item.op, left.value, right.value):
            yield dict(env)
    elif isinstance(left, Var) and isinstance(right, Const):
        yield {**env, left.name: right.value}
    elif isinstance(right, Var) and isinstance(left, Const):
        yield {**env, right.name: left.value}


_Key = tuple[int, frozenset[str]]
_plans: dict[_Key, tuple[Sequence[Item], tuple[Item, ...]]] = {}
_MOST_PLANS = 8192


def _planned(items: Sequence[Item], env: Env) -> tuple[Item, ...]:
    """The items in a safe order. A clause's body is put in order once for what is bound."""
    if not isinstance(items, tuple):
        return plan(items, env).items
    key = (id(items), frozenset(env))
    kept = _plans.get(key)
    if kept is None or kept[0] is not items:
        if len(_plans) >= _MOST_PLANS:
            _plans.clear()
        kept = _plans[key] = (items, plan(items, env).items)
    return kept[1]


def solutions(items: Sequence[Item], env: Env, solver: Rows) -> Iterator[dict[str, Value]]:
    """Every environment that satisfies all items, in a safe order, without recursion."""
    ordered = _planned(items, env)
    stack: list[Iterator[dict[str, Value]]] = [iter([dict(env)])]
    while stack:
        found = next(stack[-1], None)
        if found is None:
            stack.pop()
        elif len(stack) > len(ordered):
            yield found
        else:
            stack.append(steps(ordered[len(stack) - 1], found, solver))

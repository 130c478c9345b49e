"""Which names, or numbers, each term of each predicate can hold, inferred from the clauses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..model import (
    Clause,
    Comparison,
    Count,
    Literal,
    Sum,
    Term,
    Var,
    item_variables,
    literals,
)
from .sorts import roots
from .vocabulary import Vocabulary

Allowed = frozenset[str] | None


def infer(clauses: Iterable[Clause], vocabulary: Vocabulary) -> dict[str, tuple[Allowed, ...]]:
    """For each predicate, per term, the sorts of names that can stand there (None: not a name).

    Least fixpoint over the clauses: a variable holds what all positive literals allow it, a head
    term what any of its clauses lets through.
    """
    table: dict[str, list[Allowed]] = {
        fact.name: [roots(vocabulary.sorts[s], vocabulary.sorts) for s in fact.sorts]
        for fact in vocabulary.facts.values()
    }
    pending = list(clauses)
    for clause in pending:
        table.setdefault(clause.head.name, [frozenset() for _ in clause.head.args])
    for _ in range(len(table) + 1):
        changed = False
        for clause in pending:
            mine = _variables(clause, table)
            row = table[clause.head.name]
            for i, term in enumerate(clause.head.args[: len(row)]):
                old = row[i]
                new = mine.get(term.name) if isinstance(term, Var) else None
                if new is None or old is None:
                    merged: Allowed = None if new is None else new
                    merged = old if old else merged
                else:
                    merged = old | new
                if merged != old:
                    row[i] = merged
                    changed = True
        if not changed:
            break
    return {name: tuple(row) for name, row in table.items()}


def _variables(clause: Clause, table: Mapping[str, list[Allowed]]) -> dict[str, Allowed]:
    out: dict[str, Allowed] = {}
    for item in clause.body:
        if not isinstance(item, Literal) or item.negated or item.name not in table:
            continue
        for term, allowed in zip(item.args, table[item.name], strict=False):
            if isinstance(term, Var) and allowed is not None:
                before = out.get(term.name)
                out[term.name] = allowed if before is None else before & allowed
    return out


def numeric(clauses: Iterable[Clause], vocabulary: Vocabulary) -> dict[str, frozenset[int]]:
    """For each predicate the places of the terms that are numbers, where there are any.

    A variable is a number where a literal, a sum, a count or a comparison makes it one; numbers and
    names never meet.
    """
    found: dict[str, set[int]] = {}
    for fact in vocabulary.facts.values():
        found[fact.name] = {i for i, s in enumerate(fact.sorts) if vocabulary.sorts[s].is_number}
    pending = list(clauses)
    changed = True
    while changed:
        changed = False
        for clause in pending:
            numbers = _numbers(clause, found)
            row = found.setdefault(clause.head.name, set())
            new = {i for i, t in enumerate(clause.head.args) if _is_number(t, numbers)} - row
            row |= new
            changed = changed or bool(new)
    return {name: frozenset(row) for name, row in found.items() if row}


def _numbers(clause: Clause, known: Mapping[str, Iterable[int]]) -> set[str]:
    """The variables of a clause's body that are numbers."""
    out: set[str] = set()
    for literal in literals(clause.body):
        places = known.get(literal.name, ())
        out |= {t.name for i, t in enumerate(literal.args) if isinstance(t, Var) and i in places}
    equal = []
    for item in clause.body:
        if isinstance(item, Count):
            out.add(item.result.name)
        elif isinstance(item, Comparison):
            sums = isinstance(item.left, Sum) or isinstance(item.right, Sum)
            if sums or item.op not in ("==", "!="):
                out |= set(item_variables(item))
            else:
                equal.append(item)
    for _ in equal:
        for item in equal:
            if _is_number(item.left, out) or _is_number(item.right, out):
                out |= set(item_variables(item))
    return out


def _is_number(term: Term, numbers: set[str]) -> bool:
    if isinstance(term, Var):
        return term.name in numbers
    return isinstance(term, Sum) or isinstance(term.value, int)

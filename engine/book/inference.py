"""Which sorts of names each term of each predicate can hold, inferred from the clauses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..model import Clause, Literal, Var
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

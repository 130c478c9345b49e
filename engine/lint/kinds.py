"""Numbers and names never meet: which kind each term is, inferred over all clauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..book import Vocabulary
from ..errors import LintError
from ..model import Clause, Comparison, Const, Count, Sum, Term, Var, item_variables, literals, spot

_ORDERED = {"<", "<=", ">", ">="}
Slot = tuple[str, int | str]


def mixed_kinds(
    clauses: Sequence[Clause], known: Mapping[str, int], vocabulary: Vocabulary
) -> Iterator[LintError]:
    """Numbers and names never meet: inferred over all clauses by union-find."""
    parent: dict[Slot, Slot] = {}
    kind: dict[Slot, bool] = {}

    def find(slot: Slot) -> Slot:
        while parent.setdefault(slot, slot) != slot:
            slot = parent[slot]
        return slot

    def mark(slot: Slot, number: bool) -> bool:
        return kind.setdefault(find(slot), number) == number

    def join(one: Slot, other: Slot) -> bool:
        a, b = find(one), find(other)
        if a == b:
            return True
        parent[a] = b
        if a in kind:
            return kind.setdefault(b, kind[a]) == kind[a]
        return True

    for fact in vocabulary.facts.values():
        for i, sort in enumerate(fact.sorts):
            mark(
                (fact.name, i), bool(sort in vocabulary.sorts and vocabulary.sorts[sort].is_number)
            )

    for number, clause in enumerate(clauses):
        scope = f"#{number}"

        def slot_of(term: Term, scope: str = scope) -> Slot | None:
            return (scope, term.name) if isinstance(term, Var) else None

        def fault(term: Term, clause: Clause = clause) -> LintError:
            word = term.name if isinstance(term, Var) else repr(term)
            return LintError(
                f"{word} is used as a number and as a name",
                place=spot(clause, word),
                hint="calculate and compare numbers only; names only with == and !=",
                code="L09",
            )

        for literal in (clause.head, *literals(clause.body)):
            if known.get(literal.name) != len(literal.args):
                continue
            for i, term in enumerate(literal.args):
                mine = slot_of(term)
                if mine:
                    ok = join(mine, (literal.name, i))
                else:
                    ok = mark((literal.name, i), _is_number(term))
                if not ok:
                    yield fault(term)
        for item in clause.body:
            if isinstance(item, Count):
                if not mark((scope, item.result.name), True):
                    yield fault(item.result)
            elif isinstance(item, Comparison):
                numeric = item.op in _ORDERED or any(
                    isinstance(t, Sum) for t in (item.left, item.right)
                )
                sides = [t for t in (item.left, item.right) if not isinstance(t, Sum)]
                names = [(scope, v) for v in item_variables(item)]
                if numeric:
                    for name in names:
                        if not mark(name, True):
                            yield fault(Var(str(name[1])))
                    bad = [t for t in _constants((item.left, item.right)) if not _is_number(t)]
                    if bad:
                        yield fault(bad[0])
                elif len(names) == 2:
                    if not join(*names):
                        yield fault(sides[0])
                elif names:
                    constant = next(t for t in sides if isinstance(t, Const))
                    if not mark(names[0], _is_number(constant)):
                        yield fault(constant)


def _is_number(term: Term) -> bool:
    return isinstance(term, Const) and isinstance(term.value, int)


def _constants(terms: Iterable[Term]) -> Iterator[Term]:
    for term in terms:
        if isinstance(term, Const):
            yield term
        elif isinstance(term, Sum):
            yield from _constants((term.left, term.right))

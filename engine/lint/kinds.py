"""Numbers and names never meet: which kind each term is, inferred over all clauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy

from ..book import Vocabulary
from ..errors import LintError
from ..model import Clause, Comparison, Const, Count, Sum, Term, Var, item_variables, literals, spot

_ORDERED = {"<", "<=", ">", ">="}
Slot = tuple[str, int | str]


def mixed_kinds(
    clauses: Sequence[Clause], known: Mapping[str, int], vocabulary: Vocabulary
) -> Iterator[LintError]:
    """Numbers and names never meet: inferred over all clauses by union-find."""
    kinds = Kinds(known, vocabulary)
    for clause in clauses:
        yield from kinds.take(clause)


class Kinds:
    """What is known of the terms of predicates by the clauses taken so far.

    ``known`` says how many terms a predicate has.
    """

    def __init__(self, known: Mapping[str, int], vocabulary: Vocabulary) -> None:
        self.known = known
        self._taken = 0
        self._parent: dict[Slot, Slot] = {}
        self._kind: dict[Slot, bool] = {}
        for fact in vocabulary.facts.values():
            for i, sort in enumerate(fact.sorts):
                declared = vocabulary.sorts.get(sort)
                self._mark((fact.name, i), bool(declared and declared.is_number))

    def copy(self) -> Kinds:
        """The same, to take other clauses."""
        other = copy(self)
        other._parent, other._kind = {**self._parent}, {**self._kind}
        return other

    def _find(self, slot: Slot) -> Slot:
        while self._parent.setdefault(slot, slot) != slot:
            slot = self._parent[slot]
        return slot

    def _mark(self, slot: Slot, number: bool) -> bool:
        return self._kind.setdefault(self._find(slot), number) == number

    def _join(self, one: Slot, other: Slot) -> bool:
        a, b = self._find(one), self._find(other)
        if a == b:
            return True
        self._parent[a] = b
        if a in self._kind:
            return self._kind.setdefault(b, self._kind[a]) == self._kind[a]
        return True

    def take(self, clause: Clause) -> Iterator[LintError]:
        """Take up what a clause says of its terms; a fault where that is at odds."""
        self._taken += 1
        scope = f"#{self._taken}"

        def fault(term: Term) -> LintError:
            word = term.name if isinstance(term, Var) else repr(term)
            return LintError(
                f"{word} is used as a number and as a name",
                place=spot(clause, word),
                hint="calculate and compare numbers only; names only with == and !=",
                code="L09",
            )

        for literal in (clause.head, *literals(clause.body)):
            if self.known.get(literal.name) != len(literal.args):
                continue
            for i, term in enumerate(literal.args):
                if isinstance(term, Var):
                    ok = self._join((scope, term.name), (literal.name, i))
                else:
                    ok = self._mark((literal.name, i), _is_number(term))
                if not ok:
                    yield fault(term)
        for item in clause.body:
            if isinstance(item, Count):
                if not self._mark((scope, item.result.name), True):
                    yield fault(item.result)
            elif isinstance(item, Comparison):
                numeric = item.op in _ORDERED or any(
                    isinstance(t, Sum) for t in (item.left, item.right)
                )
                sides = [t for t in (item.left, item.right) if not isinstance(t, Sum)]
                names = [(scope, v) for v in item_variables(item)]
                if numeric:
                    for name in names:
                        if not self._mark(name, True):
                            yield fault(Var(str(name[1])))
                    bad = [t for t in _constants((item.left, item.right)) if not _is_number(t)]
                    if bad:
                        yield fault(bad[0])
                elif len(names) == 2:
                    if not self._join(*names):
                        yield fault(sides[0])
                elif names:
                    constant = next(t for t in sides if isinstance(t, Const))
                    if not self._mark(names[0], _is_number(constant)):
                        yield fault(constant)


def _is_number(term: Term) -> bool:
    return isinstance(term, Const) and isinstance(term.value, int)


def _constants(terms: Iterable[Term]) -> Iterator[Term]:
    for term in terms:
        if isinstance(term, Const):
            yield term
        elif isinstance(term, Sum):
            yield from _constants((term.left, term.right))

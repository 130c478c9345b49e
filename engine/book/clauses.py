"""The clauses of a book in rule order: all of them, by their heads, and what each rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import overload

from ..model import Clause, Literal, literals

Rests = list[tuple[str, list[str], list[str]]]
"""The head of each clause, the predicates its body needs, and those it denies or counts."""


class Clauses(Sequence[Clause]):
    """Clauses in rule order."""

    def __init__(self, clauses: Iterable[Clause]) -> None:
        self._all = tuple(clauses)
        self._by_head: dict[str, list[Clause]] = {}

    @property
    def by_head(self) -> Mapping[str, list[Clause]]:
        """The clauses of each predicate that has some, in rule order."""
        if not self._by_head:
            for clause in self._all:
                self._by_head.setdefault(clause.head.name, []).append(clause)
        return self._by_head

    @property
    def rests(self) -> Rests:
        """What each clause rests on, in rule order."""
        found: Rests = []
        for clause in self:
            needed = {i.name for i in clause.body if isinstance(i, Literal) and not i.negated}
            every = {x.name for x in literals(clause.body)}
            found.append((clause.head.name, sorted(needed), sorted(every - needed)))
        return found

    def whole(self) -> tuple[Clause, ...]:
        """Every clause."""
        return self._all

    def __len__(self) -> int:
        return len(self._all)

    @overload
    def __getitem__(self, at: int) -> Clause: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Clause]: ...
    def __getitem__(self, at: int | slice) -> Clause | Sequence[Clause]:
        return self.whole()[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Clauses) and self.whole() == other.whole()

    def __hash__(self) -> int:
        return hash(len(self))

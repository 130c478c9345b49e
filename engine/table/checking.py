"""Check a table's facts against the vocabulary: names, sorts, numbers, keys."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..book import AnyOf, Numbers, Sort, Texts, Vocabulary, borrowed, sentence, under
from ..errors import Place, SeatlogError, TableError, quoted, refuse
from ..language import Source
from ..model import Path, Row, Statement, Value
from .keys import hint_known, hint_word, shape_text
from .naming import looks, name_fault

MAX_ERRORS = 50


class Checker:
    """Finds what contradicts itself or speaks of what isn't there."""

    def __init__(self, vocabulary: Vocabulary, src: Source) -> None:
        self.vocabulary, self.src = vocabulary, src
        self.errors: list[SeatlogError] = []
        self.known: dict[str, str] = {}
        self.lacking: set[Path] = set()

    def check(self, facts: Sequence[Statement]) -> dict[str, str]:
        """Names, sorts and keys of all facts; returns each name's sort."""
        names = self.known = self._introduced(facts)
        known: dict[tuple[Value, str], tuple[str, str] | None] = {}
        for fact in facts:
            declared = self.vocabulary.facts[fact.name]
            for value, sort in zip(fact.row, declared.sorts, strict=True):
                if (value, sort) not in known:
                    known[value, sort] = self._misfit(value, self.vocabulary.sorts[sort], names)
                trouble = known[value, sort]
                if trouble:
                    trouble = self._lacking(fact, value) or trouble
                if trouble and trouble[0]:
                    self._blame(fact, *trouble)
        self._gaps(facts)
        said: dict[tuple[str, int, Row], Statement] = {}
        for fact in facts:
            declared = self.vocabulary.facts[fact.name]
            for mark in declared.marks(fact.row):
                first = said.setdefault((fact.name, *mark), fact)
                if first.row != fact.row:
                    self._blame(
                        fact,
                        f"{sentence(declared, first.row)} and {sentence(declared, fact.row)}: "
                        "both can't be",
                        "keep one of them",
                    )
        return names

    def _gaps(self, facts: Sequence[Statement]) -> None:
        """Numbers of a sort without gaps run from its lowest on."""
        used: dict[Numbers, dict[int, Statement]] = {}
        for fact in facts:
            declared = self.vocabulary.facts[fact.name]
            for value, name in zip(fact.row, declared.sorts, strict=True):
                sort = self.vocabulary.sorts[name]
                if not (isinstance(sort, Numbers) and sort.dense and isinstance(value, int)):
                    continue
                if value >= sort.lowest:
                    used.setdefault(sort, {}).setdefault(value, fact)
        for sort, numbers in used.items():
            low, most = sort.lowest, max(numbers)
            if most - low + 1 != len(numbers):
                missing = next(n for n in range(low, most) if n not in numbers)
                self._blame(
                    numbers[most],
                    f"{sort.name} {missing} is missing, but there is {sort.name} {most}",
                    f"number {sort.name} from {low} on without gaps",
                )

    def _introduced(self, facts: Sequence[Statement]) -> dict[str, str]:
        names: dict[str, str] = {}
        seen: dict[str, str] = {}
        sorts = self.vocabulary.sorts
        used = {s for f in facts for s in self._introducing(f.name)}
        sharing = {name: borrowed(sorts[name], sorts) for name in used}
        self._introduce(facts, sharing, False, names, seen)
        if any(sharing.values()):
            self._introduce(facts, sharing, True, names, seen)
        return names

    def _introducing(self, fact: str) -> list[str]:
        """The sorts whose names a fact brings to the table."""
        declared = self.vocabulary.facts[fact]
        return [self._root(declared.sorts[spot]) for spot in declared.names]

    def _introduce(
        self,
        facts: Sequence[Statement],
        sharing: Mapping[str, Collection[str]],
        shared: bool,
        names: dict[str, str],
        seen: dict[str, str],
    ) -> None:
        """Take up the names of facts: last those that may be the names of something else, too."""
        for fact in facts:
            declared = self.vocabulary.facts[fact.name]
            for spot in declared.names:
                value, sort = fact.row[spot], self._root(declared.sorts[spot])
                others = sharing[sort]
                if not isinstance(value, str) or bool(others) is not shared:
                    continue
                if names.get(value) in others:
                    continue
                wrong = name_fault(value)
                if wrong:
                    self._blame(fact, f"{quoted(value)} can't be a name", wrong)
                    names.setdefault(value, sort)
                elif names.setdefault(value, sort) != sort:
                    self._blame(
                        fact,
                        f"{quoted(value)} would be two things: {names[value]} and {sort}",
                        "give one of them another name",
                    )
                elif seen.setdefault(looks(value), value) != value:
                    self._blame(
                        fact,
                        f"{quoted(value)} is written in two ways that look the same",
                        "write it the same way everywhere, or give one another name",
                    )

    def _root(self, sort: str) -> str:
        declared = self.vocabulary.sorts[sort]
        while isinstance(declared, AnyOf) and len(declared.sorts) == 1:
            declared = self.vocabulary.sorts[declared.sorts[0]]
        return declared.name

    def _misfit(self, value: Value, sort: Sort, names: Mapping[str, str]) -> tuple[str, str] | None:
        if fault := sort.fault(value):
            return fault
        if not isinstance(value, str) or isinstance(sort, Texts):
            return None
        if sort.closed:
            if value not in set(sort.words):
                what = f"{sort.name} can't be {quoted(value)}"
                return what, hint_word(value, sort, self.vocabulary)
            return None
        sorts = self.vocabulary.sorts
        wanted = {s.name for s in under(sort, sorts)} | borrowed(sort, sorts)
        if names.get(value) not in wanted:
            what = f"the table has no {sort.name} called {quoted(value)}"
            return what, hint_known(value, {n for n, s in names.items() if s in wanted})
        return None

    def _lacking(self, fact: Statement, value: Value) -> tuple[str, str] | None:
        """What is missing in the group of keys that a name heads, when only that makes it known."""
        if isinstance(fact.origin, Place) or fact.origin[1:2] != (value,):
            return None
        keys = [
            shape_text(other, shape).replace(f"<{shape.path[1]}>", str(value))
            for other in self.vocabulary.facts.values()
            for shape in other.shapes
            if shape.path[:1] == fact.origin[:1]
            and len(shape.path) > 2
            and shape.path[1] in [other.args[i] for i in other.names]
        ]
        last = [key.partition(" = ")[0].rpartition(".")[2] for key in keys]
        if not keys or value in self.known:
            return None
        if fact.origin[:2] in self.lacking:
            return "", ""
        self.lacking.add(fact.origin[:2])
        return (
            f"{fact.origin[0]}: {quoted(value)} lacks the key {' or '.join(last)}",
            "like: " + " or ".join(keys),
        )

    def _blame(self, fact: Statement, what: str, hint: str) -> None:
        at = fact.origin
        place = at if isinstance(at, Place) else self.src.locate(at)
        self.errors.append(TableError(what, place=place, hint=hint))
        if len(self.errors) >= MAX_ERRORS:
            refuse(self.errors)


def of_two_sorts(
    facts: Sequence[Statement], names: Mapping[str, str], vocabulary: Vocabulary
) -> set[str]:
    """The names at a table that are names of two sorts there, as sorts that share them allow."""
    named = {f.name: vocabulary.facts[f.name] for f in facts}
    used = {fact.sorts[spot] for fact in named.values() for spot in fact.names}
    sharing = {name: borrowed(vocabulary.sorts[name], vocabulary.sorts) for name in used}
    if not any(sharing.values()):
        return set()
    return {
        str(fact.row[spot])
        for fact in facts
        for spot in vocabulary.facts[fact.name].names
        if names.get(str(fact.row[spot])) in sharing[vocabulary.facts[fact.name].sorts[spot]]
    }

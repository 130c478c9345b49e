"""Books over one universe: the nodes of what each says, in one circuit that they share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from ..book import Book, Names, Numbers, unread
from ..model import Row, Value
from .circuit import AND, FACT, FALSE, TRUE, Circuit, Settled, Stated, Wiring
from .doubting import open_rows
from .ground import Grounder, Relation
from .universe import Slots, names_of, naming, sorts_of


class Verdict(NamedTuple):
    """The nodes of what a book says of one row: it holds, by the reading taken; it is open."""

    holds: int
    open: int


class Worlds:
    """A universe with a grounder and a circuit for all books that are asked over it."""

    def __init__(self, universe: Slots) -> None:
        self.universe = universe
        self.grounder = Grounder(universe)
        self.circuit = Circuit(universe)
        self.wiring = Wiring(self.circuit)
        self.naming = naming(universe.vocabulary)
        self._few: dict[int, Without] = {}

    @cached_property
    def names(self) -> Mapping[Value, int]:
        """For each name of a slot the node that holds where a game has it."""
        relations = self.grounder.ground(self.naming, self.naming)
        wired = self.wiring.taken(relations.values())
        found: dict[Value, int] = {}
        for sort in self.universe.vocabulary.sorts:
            own = wired.get(names_of(sort), {})
            for name in self.universe.names(sort):
                found[name] = own.get((name,), FALSE)
        return found

    def few(self, number: int) -> Without:
        """The circuit in games with so many names of the first sort, those of its first slots."""
        found = self._few.get(number)
        if found is None:
            found = self._few[number] = Without(self.circuit, names=self.first[number:])
        return found

    @cached_property
    def first(self) -> tuple[Value, ...]:
        """The names of the sort of names that is declared first."""
        sorts = self.universe.vocabulary.sorts.items()
        return next((self.universe.names(n) for n, s in sorts if isinstance(s, Names)), ())

    def there(self, values: Iterable[Value | None]) -> int:
        """The node of the games that have all names among some values."""
        names = self.names
        return self.circuit.all_of(names[v] for v in values if v is not None and v in names)

    def differs(self, one: Verdict, other: Verdict) -> int:
        """The node of the games in which two verdicts aren't alike."""
        return self.circuit.any_of(map(self.circuit.differs, one, other))

    def needed(self, name: str, row: Row) -> Iterator[int]:
        """What a table has to have where it states a fact: names, and numbers without gaps."""
        vocabulary = self.universe.vocabulary
        fact = vocabulary.facts[name]
        for spot, (value, sort) in enumerate(sorts_of(row, fact, vocabulary)):
            if isinstance(sort, Numbers):
                if sort.dense and isinstance(value, int) and value > sort.lowest:
                    yield self._used(sort, value - 1)
            elif spot not in fact.names and value in self.names:
                yield self.names[value]

    def _used(self, sort: Numbers, number: int) -> int:
        """The node that holds where some fact uses a number of a sort."""
        return self.circuit.any_of(
            self.circuit.fact(fact.name, row)
            for fact in self.universe.vocabulary.facts.values()
            if sort.name in fact.sorts
            for row in self.universe.rows(fact.name)
            if any(
                value == number and each == sort.name
                for value, each in zip(row, fact.sorts, strict=True)
            )
        )

    def judged(self, book: Book, predicates: Iterable[str]) -> Judged:
        """What a book says by some of its predicates, and which games it refuses."""
        return Judged(self, book, predicates)


class Judged:
    """One book in a circuit. ``relations`` are all that its predicates rest on, those first."""

    def __init__(self, worlds: Worlds, book: Book, predicates: Iterable[str]) -> None:
        self.worlds, self.book = worlds, book
        opening, doubted = open_rows(book)
        by_head = {**book.by_head, **opening, **worlds.naming}
        self.alarms = [p.name for p in book.predicates.values() if p.alarm]
        asked = [name for name in predicates if name in book.predicates]
        plain = worlds.grounder.ground(by_head, [*asked, *self.alarms])
        own = [open_ for name, open_ in doubted.items() if name in plain]
        self.relations: dict[str, Relation] = worlds.grounder.ground(
            by_head, [*own, *asked, *self.alarms]
        )
        every = list(self.relations.values())
        self.taken = worlds.wiring.taken(every)
        self._doubted = doubted

    @cached_property
    def settled(self) -> Mapping[str, Settled]:
        """The nodes of what is certain and of what may be, where something is left open."""
        return self.worlds.wiring.settled(list(self.relations.values()), self._doubted)

    def readings(self, predicate: str) -> dict[Row, Verdict]:
        """The nodes of every row that a predicate could hold of by the reading taken."""
        return {r: Verdict(node, FALSE) for r, node in self.taken.get(predicate, {}).items()}

    def verdicts(self, predicate: str) -> dict[Row, Verdict]:
        """The nodes of every row that a predicate could hold of, or that could be open."""
        taken = self.taken.get(predicate, {})
        settled = self.settled.get(predicate)
        if settled is None:
            return self.readings(predicate)
        circuit = self.worlds.circuit
        out = {}
        for row in dict.fromkeys((*taken, *settled.possible)):
            sure, may = settled.certain.get(row, FALSE), settled.possible.get(row, FALSE)
            out[row] = Verdict(taken.get(row, FALSE), circuit.all_of([may, -sure]))
        return out

    @cached_property
    def refused(self) -> int:
        """The node of the games that the book doesn't take."""
        rows = (node for name in self.alarms for node in self.taken.get(name, {}).values())
        return self.worlds.circuit.any_of(rows)

    def unread(self) -> dict[int, tuple[int, ...]]:
        """The nodes of the facts that the book doesn't read, or of which it lacks a word.

        Each with the terms whose words it lacks, none where it doesn't read the fact. What is
        assumed where a table says nothing is none of them.
        """
        facts, out = self.book.vocabulary.facts, {}
        for node, (name, row) in self.worlds.circuit.facts.items():
            spots = unread(self.book.bearing, name, row)
            if spots is not None and facts[name].default != row:
                out[node] = spots
        return out

    def instead(self, name: str, row: Row, spots: Collection[int]) -> Stated | None:
        """A fact with words that its own book doesn't tell apart, in place of those at some spots.

        None where there are no spots, or the book tells all words there apart.
        """
        own, universe = self.book.bearing.get(name), self.worlds.universe
        if own is None or not spots:
            return None
        out = list(row)
        for spot in spots:
            told = own[spot] or frozenset()
            words = universe.domain(universe.vocabulary.facts[name].sorts[spot])
            other = next((word for word in words if word not in told), None)
            if other is None:
                return None
            out[spot] = other
        return name, tuple(out)


def pairs(
    one: Judged, other: Judged, names: Collection[str] = (), plain: bool = False
) -> tuple[tuple[int, int], ...]:
    """The nodes of rows of predicates on which two books don't say the same, those below first.

    With ``names`` only of those predicates; with ``plain`` only by the readings taken.
    """
    out = []
    for name, relation in other.relations.items():
        own = one.relations.get(name)
        if own is None or own.key == relation.key or (names and name not in names):
            continue
        sides = [(one.taken[name], other.taken[name])]
        if not plain and name in one.settled and name in other.settled:
            sides += zip(one.settled[name], other.settled[name], strict=True)
        for mine, theirs in sides:
            rows = dict.fromkeys((*mine, *theirs))
            out += [(mine.get(row, FALSE), theirs.get(row, FALSE)) for row in rows]
    return tuple((mine, theirs) for mine, theirs in dict.fromkeys(out) if mine != theirs)


class Without:
    """The nodes of a circuit in games without some facts, or without some names; kept once made.

    ``facts`` are those that are taken away, each with another that is stated in its place, or None.
    """

    def __init__(
        self,
        circuit: Circuit,
        facts: Mapping[Stated, Stated | None] = MappingProxyType({}),
        names: Iterable[Value] = (),
    ) -> None:
        self.circuit, self.facts, self.names = circuit, facts, frozenset(names)
        self._replaced: dict[Stated, list[int]] = {}
        for fact, other in facts.items():
            if other is not None:
                self._replaced.setdefault(other, []).append(circuit.fact(*fact))
        self._made: dict[int, int] = {TRUE: TRUE}

    def __call__(self, root: int) -> int:
        """The node that a node comes to in those games."""
        made, inputs = self._made, self.circuit.inputs
        stack = [abs(root)]
        while stack:
            node = stack[-1]
            if node in made:
                stack.pop()
                continue
            left = [abs(n) for n in inputs[node] if abs(n) not in made]
            if left:
                stack += left
                continue
            stack.pop()
            made[node] = self._node(node)
        return made[root] if root > 0 else -made[-root]

    def again(self) -> Without:
        """The same anew, so that ``make`` of one says nothing of the other."""
        return Without(self.circuit, self.facts, self.names)

    def make(self, node: int, other: int) -> None:
        """Have a node come to another, which was proved to be the same in these games."""
        self._made[abs(node)] = other if node > 0 else -other

    def _node(self, node: int) -> int:
        kind = self.circuit.kinds[node]
        if kind == FACT:
            fact = self.circuit.facts[node]
            gone = fact in self.facts or not self.names.isdisjoint(fact[1])
            return FALSE if gone else self.circuit.any_of([node, *self._replaced.get(fact, ())])
        made, inputs = self._made, self.circuit.inputs[node]
        parts = [made[n] if n > 0 else -made[-n] for n in inputs]
        if inputs.issuperset(parts) and len(parts) == len(inputs):
            return node
        return self.circuit.all_of(parts) if kind == AND else self.circuit.any_of(parts)

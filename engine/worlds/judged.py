"""Books over one universe: the nodes of what each says, in one circuit that they share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ..book import Book
from ..model import Row, Value
from .circuit import AND, FALSE, Circuit, Wiring
from .doubting import open_rows
from .ground import Grounder, Relation
from .universe import Slots, names_of, naming


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
        self.settled = worlds.wiring.settled(every, doubted)

    def verdicts(self, predicate: str) -> dict[Row, Verdict]:
        """The nodes of every row that a predicate could hold of, or that could be open."""
        taken = self.taken.get(predicate, {})
        settled = self.settled.get(predicate)
        if settled is None:
            return {row: Verdict(node, FALSE) for row, node in taken.items()}
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

    def unread(self) -> dict[int, tuple[str, Row]]:
        """The nodes of the facts that the book doesn't read, or of which it lacks a word."""
        bearing = self.book.bearing
        out = {}
        for node, (name, row) in self.worlds.circuit.facts.items():
            words = bearing.get(name)
            if words is None or any(
                known is not None and value not in known
                for known, value in zip(words, row, strict=True)
            ):
                out[node] = (name, row)
        return out


def without(circuit: Circuit, roots: Sequence[int], facts: Iterable[int]) -> list[int]:
    """The nodes of some roots in games that state none of some facts."""
    made = dict.fromkeys(facts, FALSE)
    for node in circuit.under(roots):
        inputs = circuit.inputs[node]
        if node in made or not any(abs(n) in made for n in inputs):
            continue
        parts = [_signed(made, n) for n in inputs]
        gate = circuit.all_of if circuit.kinds[node] == AND else circuit.any_of
        made[node] = gate(parts)
    return [_signed(made, root) for root in roots]


def _signed(made: Mapping[int, int], node: int) -> int:
    found = made.get(abs(node), abs(node))
    return found if node > 0 else -found

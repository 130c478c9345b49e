"""Sets of changes tried at once: the fewest together that turn an answer.

Every set of changes is a game of its own, and all of them are asked in one pass over the circuit of
the table, with one bit a set.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

from ..errors import BookError
from ..model import Literal, Row, Statement
from ..solvers import row_of
from ..table import asked
from ..worlds import FALSE, Circuit, Grounder, Stated, Wiring, places
from .session import Session

MOST = 3
"""So many changes are tried together."""
SETS = 60_000
"""So many sets are tried of each size; of more changes than make them the most welcome."""
BODIES = 60_000


class Single(NamedTuple):
    """A change of one fact: what it takes away, what it adds, and its words."""

    drop: Statement | None
    add: Statement | None
    text: str


class _Table:
    """The facts of a table, of which those in changes may be stated or not."""

    def __init__(self, said: Collection[Stated], free: Collection[Stated]) -> None:
        self._free = set(free)
        self._said = set(said) - self._free
        self._rows: dict[str, list[Row]] = {}
        for name, row in (*self._said, *self._free):
            self._rows.setdefault(name, []).append(row)

    def rows(self, name: str) -> Collection[Row]:
        """The facts that any of the sets may come to."""
        return sorted(self._rows.get(name, ()), key=repr)

    def always(self, name: str, row: Row) -> bool:
        """Whether no change touches a fact."""
        return (name, row) in self._said

    def groups(self, name: str, row: Row) -> tuple[int, ...]:
        """None: a set changes no key twice."""
        return ()


def turning(
    session: Session, literal: Literal, singles: Sequence[Single], holds: bool
) -> Iterator[tuple[Single, ...]]:
    """The sets of changes that turn a ground literal, small ones and welcome first.

    With ``holds`` a yes is turned; a table that would be refused is then no matter. Nothing where
    the table is too large to be looked at as a whole.
    """
    book = session.book
    said = {(f.name, f.row) for f in asked(session.table, book.vocabulary)}
    drops = [(s.drop.name, s.drop.row) if s.drop else None for s in singles]
    adds = [(s.add.name, s.add.row) if s.add else None for s in singles]
    free = {fact for fact in (*drops, *adds) if fact}
    alarms = [] if holds else [p.name for p in book.predicates.values() if p.alarm]
    universe = _Table(said, free)
    try:
        grounder = Grounder(universe, BODIES)
        relations = grounder.ground(book.by_head, [literal.name, *alarms])
    except BookError:
        return
    circuit = Circuit(universe)
    wired = Wiring(circuit).taken(relations.values())
    row = row_of(literal)
    assert row is not None
    root = wired[literal.name].get(row, FALSE)
    refused = circuit.any_of(node for name in alarms for node in wired[name].values())
    wanted = circuit.all_of([-root if holds else root, -refused])
    if wanted == FALSE:
        return
    touched = {
        fact for fact in (circuit.facts.get(n) for n in circuit.under([wanted])) if fact is not None
    }
    able = [
        i
        for i, facts in enumerate(zip(drops, adds, strict=True))
        if any(fact in touched for fact in facts)
    ]
    for size in range(1, MOST + 1):
        yield from _sized(singles, drops, adds, able, size, circuit, wanted, said)


def _sized(
    singles: Sequence[Single],
    drops: Sequence[Stated | None],
    adds: Sequence[Stated | None],
    able: Sequence[int],
    size: int,
    circuit: Circuit,
    wanted: int,
    said: Collection[Stated],
) -> Iterator[tuple[Single, ...]]:
    """The sets of one size that turn the answer."""
    sets = [each for each in combinations(_few(able, size), size) if _apart(each, drops, adds)]
    held = [0] * len(singles)
    for number, each in enumerate(sets):
        for one in each:
            held[one] |= 1 << number
    every = (1 << len(sets)) - 1
    columns: dict[Stated, int] = dict.fromkeys(said, every)
    for one, fact in enumerate(adds):
        if fact:
            columns[fact] = columns.get(fact, 0) | held[one]
    for one, fact in enumerate(drops):
        if fact:
            columns[fact] = columns.get(fact, 0) & ~held[one]
    (bits,) = circuit.bits([wanted], columns, len(sets))
    for number in places(bits):
        yield tuple(singles[one] for one in sets[number])


def _few(able: Sequence[int], size: int) -> Sequence[int]:
    """So many of the most welcome changes that there are not too many sets of them."""
    many = len(able)
    while many > size and comb(many, size) > SETS:
        many -= 1
    return able[:many]


def _apart(
    each: Sequence[int],
    drops: Sequence[Stated | None],
    adds: Sequence[Stated | None],
) -> bool:
    """Whether no fact is changed twice in a set."""
    facts = [fact for one in each for fact in (drops[one], adds[one]) if fact]
    return len(set(facts)) == len(facts)

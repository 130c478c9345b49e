"""One bit per game: books over a universe as one circuit, worked off for all games at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

from draws import Facts

from seatlog.book import Book
from seatlog.model import Row
from seatlog.worlds import FALSE, Columns, Slots, Worlds, planned, solve


class Bits:
    """The circuit of some predicates of some books, and the plan of what is asked of it."""

    def __init__(self, universe: Slots, books: Sequence[Book], names: Sequence[str]) -> None:
        self.worlds = Worlds(universe)
        self.nodes: list[dict[tuple[str, Row], int]] = []
        for book in books:
            relations = self.worlds.grounder.ground(book.by_head, names)
            wired = self.worlds.wiring.taken(relations.values())
            self.nodes.append({(n, r): x for n in names for r, x in wired.get(n, {}).items()})

    def answers(self) -> Asked:
        """Every row of every predicate of the first book."""
        rows = list(self.nodes[0])
        return Asked(self, rows, [self.nodes[0][row] for row in rows])

    def differences(self) -> Asked:
        """The rows on which the first two books can part."""
        one, other = self.nodes
        rows = [r for r in {**one, **other} if one.get(r, FALSE) != other.get(r, FALSE)]
        differs = self.worlds.circuit.differs
        return Asked(self, rows, [differs(one.get(r, FALSE), other.get(r, FALSE)) for r in rows])


class Asked:
    """A plan for some nodes, each of a row."""

    def __init__(self, bits: Bits, rows: list[tuple[str, Row]], nodes: list[int]) -> None:
        self.rows = rows
        self.plan = planned(bits.worlds.circuit, nodes)

    def solve(self, packed: Columns, arrays: bool | None = None) -> list[int]:
        """For each row the games in which it holds; ``arrays`` as ``seatlog.worlds`` has it."""
        return solve(self.plan, packed, arrays=arrays)


def somewhere(found: Iterable[int]) -> int:
    """In how many games any of some rows holds."""
    return reduce(or_, found, 0).bit_count()


def repeated(facts: Facts, games: int, times: int) -> Facts:
    """The same games over and over, so that there are more of them."""
    pattern = sum(1 << games * number for number in range(times))
    return {fact: held * pattern for fact, held in facts.items()}

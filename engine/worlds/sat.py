"""All games within a bound at once: whether there is one, and which is the smallest.

A circuit goes to a SAT solver gate by gate (Tseitin 1968), with what a table has to keep: each key
once, names that are there, numbers without gaps, defaults. That the books take the table is theirs
to say. The smallest game has the fewest names of the sort that is declared first, then the fewest
other names, then the fewest facts; each step is proved by a refusal of the one below.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ..errors import SeatlogError
from ..model import Statement
from .circuit import AND, FACT, FALSE, TRUE, Stated
from .judged import Without, Worlds

SOLVER = "cadical153"
MOST_APART = 60
"""So many pairs may turn out to differ before the others are left to the one large proof."""

Pairs = Sequence[tuple[int, int]]
"""Nodes that may come to the same, those first on which others rest."""


class Size(NamedTuple):
    """How large a game is: names of the first sort, other names, facts."""

    first: int
    others: int
    facts: int


class Game(NamedTuple):
    """A game as the facts that it states, and its size."""

    facts: tuple[Statement, ...]
    size: Size


def sat_solver() -> Any:
    """The class of python-sat's solvers. Raises SeatlogError where it isn't installed."""
    try:
        from pysat.solvers import Solver
    except ImportError:
        raise SeatlogError(
            "no SAT solver is installed, so nothing can be proved of all games",
            hint="pip install 'seatlog[sat]'",
        ) from None
    return Solver


class Games:
    """The games of a universe that some books take, asked through a solver that is kept.

    Raises SeatlogError where python-sat isn't installed. To be closed when done with.
    """

    def __init__(self, worlds: Worlds, refused: Iterable[int] = ()) -> None:
        self._solver: Any = sat_solver()(name=SOLVER)
        self.worlds, self.circuit = worlds, worlds.circuit
        self._number: dict[int, int] = {TRUE: 1}
        self._top = 1
        self._solver.add_clause([1])
        self._grouped: dict[int, list[int]] = {}
        self._new: list[int] = []
        self._counters: dict[str, Any] = {}
        declared = worlds.universe.vocabulary.facts
        self._declared = {name: at for at, name in enumerate(declared)}
        self._swept: dict[object, tuple[Without, Pairs]] = {}
        self._keep()
        for node in refused:
            self.forbid(node)

    def __enter__(self) -> Games:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the solver go."""
        self._solver.delete()

    def forbid(self, node: int) -> None:
        """Take away the games in which a node holds."""
        if node != FALSE:
            self._solver.add_clause([-self._literal(node)])

    def any(self, node: int, *held: int, alike: Pairs = ()) -> bool:
        """Whether there is a game in which a node and all that are ``held`` beside hold.

        ``alike`` as in ``smallest``.
        """
        return self._there(len(self.worlds.first), node, held, alike) is not None

    def smallest(self, node: int, *held: int, alike: Pairs = ()) -> Game | None:
        """The smallest game in which a node and all that are ``held`` beside hold, proved smallest.

        None where there is none. ``alike`` are pairs of nodes that may come to the same in small
        games in which those hold, first those on which others rest: where a proof is long, what is
        proved of them first makes it short.
        """
        for number in range(len(self.worlds.first) + 1):
            there = self._there(number, node, held, alike)
            if there is not None:
                return self._fewest_there(number, there)
        return None

    def some(self, node: int, *held: int, alike: Pairs = ()) -> Game | None:
        """A game in which a node and all that are ``held`` hold, of which no fact can be left out.

        None where there is no such game. It needn't be the smallest. ``alike`` as in ``smallest``.
        """
        there = self._there(len(self.worlds.first), node, held, alike)
        if there is None:
            return None
        counted = [self._literal(n) for n in self._counted_facts()]
        named = {n: self._literal(own) for n, own in self.worlds.names.items()}
        self._solver.solve(assumptions=there)
        model = self._model()
        kept = [n for n in counted if n in model]
        width = len(kept)
        while width:
            at = 0
            while at < len(kept):
                left = {*kept[:at], *kept[at + width :]}
                if self._solver.solve(
                    assumptions=[*there, *(-n for n in counted if n not in left)]
                ):
                    model = self._model()
                    kept = [n for n in kept if n in model]
                else:
                    at += width
            width //= 2
        self._solver.solve(assumptions=[*there, *(-n for n in counted if n not in set(kept))])
        model = self._model()
        names = [name for name, literal in named.items() if literal in model]
        first = len({*names} & {*self.worlds.first})
        return self._game(Size(first, len(names) - first, len(kept)))

    def _there(
        self, number: int, node: int, held: tuple[int, ...], alike: Pairs
    ) -> list[int] | None:
        """What was assumed where a game has so many names of the first sort at most.

        None where there is no such game.
        """
        few = self.worlds.few(number)
        beside = [few(each) for each in held]
        if self.circuit.all_of([few(node), *beside]) == FALSE:
            return None
        gone = [-self._literal(self.worlds.names[n]) for n in self.worlds.first[number:]]
        assumed = [*map(self._literal, beside), *gone]
        if alike:
            mark = number, held, id(alike)
            if mark not in self._swept:
                self._swept[mark] = self._sweep(few, alike, assumed), alike
            few = self._swept[mark][0]
        wanted = few(node)
        if wanted == FALSE:
            return None
        assumed.append(self._literal(wanted))
        return assumed if self._solver.solve(assumptions=assumed) else None

    def _sweep(self, few: Without, pairs: Pairs, assumed: Sequence[int]) -> Without:
        """The circuit with those of some pairs made one that come to the same where all assumed is.

        SAT sweeping (Kuehlmann and Krohm 1997): with two nodes made one, those above come out as
        one without a proof. Given up where several pairs aren't alike.
        """
        swept = few.again()
        apart = 0
        for one, other in pairs:
            node = self.circuit.differs(swept(one), swept(other))
            if node == FALSE:
                continue
            if self._solver.solve(assumptions=[self._literal(node), *assumed]):
                apart += 1
                if apart > MOST_APART:
                    break
            else:
                swept.make(other, swept(one))
        return swept

    def _fewest_there(self, first: int, held: list[int]) -> Game:
        """The smallest game with so many names of the first sort."""
        others, held = self._fewest(self._others(), held, "others")
        facts, held = self._fewest(self._counted_facts(), held, "facts")
        self._solver.solve(assumptions=[*held, *self._leading(held)])
        return self._game(Size(first, others, facts))

    def _leading(self, held: Sequence[int]) -> list[int]:
        """Of all games in which something holds, the facts of the one that leads by their order.

        So the game doesn't depend on what the solver was asked before.
        """
        literals = [self._literal(n) for n in sorted(self._counted_facts(), key=self._place)]
        lead: list[int] = []
        start = 0
        self._solver.solve(assumptions=held)
        while found := self._spots(literals, start):
            low, high = start, found[0]
            while low < high:
                middle = (low + high) // 2
                self._top += 1
                self._solver.add_clause([-self._top, *literals[low : middle + 1]])
                if self._solver.solve(assumptions=[*held, *lead, self._top]):
                    high = self._spots(literals, low)[0]
                else:
                    low = middle + 1
            lead.append(literals[high])
            start = high + 1
            self._solver.solve(assumptions=[*held, *lead])
        return lead

    def _spots(self, literals: Sequence[int], start: int) -> list[int]:
        """Where literals hold in the model, from one on."""
        model = self._model()
        return [at for at in range(start, len(literals)) if literals[at] in model]

    def _place(self, node: int) -> Any:
        """Where a fact stands in the order of a table."""
        return self._order(self.circuit.facts[node])

    def _order(self, fact: Stated) -> Any:
        name, row = fact
        return self._declared[name], [(isinstance(v, str), v) for v in row]

    def _fewest(self, nodes: Sequence[int], held: list[int], name: str) -> tuple[int, list[int]]:
        """The least number of some nodes that can hold, and the assumptions that keep it there."""
        literals = [self._literal(n) for n in nodes]
        self._solver.solve(assumptions=held)
        most = self._true(literals)
        bounds = self._bounds(literals, most, name)
        while most > 0:
            tighter = [*held, -bounds[most - 1]]
            if not self._solver.solve(assumptions=tighter):
                break
            most = min(self._true(literals), most - 1)
        return most, [*held, -bounds[most]] if most < len(literals) else held

    def _true(self, literals: Sequence[int]) -> int:
        model = self._model()
        return sum(n in model for n in literals)

    def _model(self) -> set[int]:
        return {n for n in self._solver.get_model() if n > 0}

    def _bounds(self, literals: list[int], most: int, name: str) -> Any:
        """Outputs of a totalizer (Bailleux and Boufkhad 2003): the k-th: more than k hold."""
        from pysat.card import ITotalizer

        counter = self._counters.get(name)
        if counter is not None and counter.lits == literals and counter.ubound >= most:
            return counter.rhs
        if counter is not None:
            counter.delete()
        counter = ITotalizer(literals, ubound=max(most, 1) + 2, top_id=self._top)
        self._top = max(self._top, counter.top_id)
        for clause in counter.cnf.clauses:
            self._solver.add_clause(clause)
        self._counters[name] = counter
        return counter.rhs

    def _others(self) -> list[int]:
        """The nodes of all names but those of the first sort."""
        first = set(self.worlds.first)
        return [n for name, n in self.worlds.names.items() if name not in first and abs(n) != TRUE]

    def _counted_facts(self) -> list[int]:
        """The nodes of facts that cost something: all but those that are assumed by default."""
        vocabulary = self.worlds.universe.vocabulary
        return [
            node
            for node, (name, row) in self.circuit.facts.items()
            if node in self._number and vocabulary.facts[name].default != row
        ]

    def _game(self, size: Size) -> Game:
        model = self._model()
        universe = self.worlds.universe
        said: list[Stated] = [(name, row) for name, rows in universe.stated.items() for row in rows]
        for node, (name, row) in self.circuit.facts.items():
            default = universe.vocabulary.facts[name].default
            if node in self._number and self._number[node] in model and row != default:
                said.append((name, row))
        said.sort(key=self._order)
        return Game(tuple(Statement(name, row, ("game",)) for name, row in said), size)

    def _keep(self) -> None:
        """What every table keeps: names in the order of their slots, and defaults."""
        universe = self.worlds.universe
        for sort in universe.vocabulary.sorts:
            nodes = [self.worlds.names[name] for name in universe.names(sort)]
            for before, after in pairwise(nodes):
                self._solver.add_clause([self._literal(before), -self._literal(after)])
        for fact in universe.vocabulary.facts.values():
            if fact.default is not None:
                rows = [self.circuit.fact(fact.name, row) for row in universe.rows(fact.name)]
                self._solver.add_clause([self._literal(row) for row in rows])

    def _literal(self, root: int) -> int:
        """The solver's literal of a node, which is encoded with all below it if it wasn't yet."""
        self._encode(abs(root))
        while self._new:
            node = self._new.pop()
            for needed in self.worlds.needed(*self.circuit.facts[node]):
                self._encode(abs(needed))
                self._solver.add_clause([-self._number[node], self._signed(needed)])
        return self._signed(root)

    def _encode(self, root: int) -> None:
        if root in self._number:
            return
        for node in self.circuit.under([root], self._number):
            self._top += 1
            own = self._number[node] = self._top
            kind = self.circuit.kinds[node]
            if kind == FACT:
                self._new.append(node)
                self._once(node, own)
                continue
            inputs = sorted(self._signed(n) for n in self.circuit.inputs[node])
            sign = 1 if kind == AND else -1
            for each in inputs:
                self._solver.add_clause([-sign * own, sign * each])
            self._solver.add_clause([sign * own, *(-sign * n for n in inputs)])

    def _signed(self, node: int) -> int:
        return self._number[node] if node > 0 else -self._number[-node]

    def _once(self, node: int, own: int) -> None:
        """Of what has a key in common a table states one."""
        for group in self.worlds.universe.groups(*self.circuit.facts[node]):
            others = self._grouped.setdefault(group, [])
            for other in others:
                self._solver.add_clause([-own, -other])
            others.append(own)

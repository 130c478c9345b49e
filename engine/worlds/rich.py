"""Games from a seed in which things come about: each predicate holds of something now and then.

Games drawn fact by fact are sparse: hardly anything follows from them. Here small games are found
first, each for one row of one predicate, by a walk through the circuit; a game is several of those
laid over one another. How often each predicate's are taken is adapted until none of them is rare.
What a table has to keep is kept, and what raises an alarm loses a fact or is left out.
"""

from __future__ import annotations

import random
import re
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import accumulate
from operator import and_, itemgetter, or_
from typing import Any, NamedTuple

from ..errors import SeatlogError
from ..model import Row
from .circuit import AND, FACT, FALSE, OR, TRUE, places
from .judged import Judged, Worlds
from .pack import Corpus, packed
from .run import Plan, columns, planned, solve

RARE, COMMON = 0.05, 0.95
WANTED = 0.1
"""The share that is aimed at for what is rare."""
ROUNDS, SAMPLE = 8, 2048
AT_ONCE = 8192
"""So many games are drawn at once: more take much memory."""
SEEDS, MORE_SEEDS = 12, 120
"""So many small games are looked for, for each predicate, and for those that none was found for."""
AT_ONE_TIME = 2048
LOOKS = 40
"""So often all of them are changed at most until they are found."""
MOST_LAID, FEW_LAID = 14, 3
"""So many small games are laid over one another at most, and where only some nodes are wanted."""
REPAIRS = 4
MOST_STEPS = 4000
PART = 1024
"""So many games at once are looked at where every node of a book is."""


class Share(NamedTuple):
    """How often a predicate holds.

    ``can``: the share of games with names that it could hold of, 0 where nothing within the bound
    comes to it; of those, ``some``: where it holds of something, and ``every``: where it holds of
    all that it could.
    """

    predicate: str
    can: float
    some: float
    every: float

    @property
    def fault(self) -> str:
        """``never``, ``rare``, ``common`` or nothing."""
        if not self.can:
            return ""
        if not self.some:
            return "never"
        return "rare" if self.some < RARE else "common" if self.every > COMMON else ""


class Seed(NamedTuple):
    """A small game for a row of a predicate: what it states, and what it must not."""

    predicate: str
    said: tuple[int, ...]
    never: tuple[int, ...]


_Step = tuple[int, Callable[[int, int], int] | None, Callable[[list[int]], Any]]
"""A node, what is done with the values of its inputs, and what picks them."""


def _nothing(_values: list[int]) -> tuple[int, ...]:
    return ()


class _Wish(NamedTuple):
    """What has to hold in a small game for a predicate."""

    predicate: str
    root: int


class Rich:
    """Rich games that a book takes, drawn from a seed.

    Everything that the book was judged by comes about in them, or with ``wanted`` some nodes
    instead, by a name for each group of them; then games are small.
    """

    def __init__(
        self, judged: Judged, seed: int, wanted: Mapping[str, Sequence[int]] | None = None
    ) -> None:
        self.judged, self.worlds = judged, judged.worlds
        self.universe, self.circuit = self.worlds.universe, self.worlds.circuit
        self.chance = random.Random(seed)
        if wanted is None:
            known = set(judged.book.predicates) & set(judged.taken) - set(judged.alarms)
            rows = {name: judged.taken[name] for name in sorted(known)}
        else:
            rows = {name: {(at,): n for at, n in enumerate(own)} for name, own in wanted.items()}
        self.shares = Shares(self.worlds, rows)
        self._tables = _Kept(self.worlds)
        self._keeping = _Keeping(judged, self._tables, self.chance)
        self.weights: dict[str, float] = {}
        self.seeds = self._seeds(
            {name: [n for n in own.values() if n != FALSE] for name, own in rows.items()}
        )
        self._most_laid = MOST_LAID if wanted is None else FEW_LAID
        self._adapted = wanted is not None

    def games(self, number: int, told: Callable[[int], object] = lambda _: None) -> Corpus:
        """So many games; ``told`` hears how many there are so far.

        Raises SeatlogError where none is found that the book takes.
        """
        self._adapt()
        whole = dict.fromkeys(self.circuit.facts, 0)
        have = 0
        while have < number:
            taken, found = self._drawn(min(AT_ONCE, max(2 * (number - have), 256)))
            if not found:
                raise SeatlogError("no game was found that the book takes", hint="widen the bound")
            left = min(found, number - have)
            for node, bits in taken.items():
                whole[node] |= _number(bits[:left]) << have
            have += left
            told(have)
        held = [(fact, whole[node]) for node, fact in self.circuit.facts.items()]
        full = (1 << number) - 1
        always = [((n, r), full) for n, rows in self.universe.stated.items() for r in rows]
        return packed(self.universe, [*held, *always], number)

    def _adapt(self) -> None:
        """Find out how often each predicate's small games have to be taken."""
        if self._adapted:
            return
        self._adapted = True
        self.weights = {seed.predicate: 1.0 for seed in self.seeds}
        for _ in range(ROUNDS):
            taken, found = self._drawn(SAMPLE)
            if not found:
                continue
            held = [(self.circuit.facts[node], _number(bits)) for node, bits in taken.items()]
            for share in self.shares.of(packed(self.universe, held, found)):
                if share.predicate in self.weights:
                    ratio = WANTED / max(share.some, WANTED / 4)
                    self.weights[share.predicate] *= min(max(ratio, 0.6), 2.0)
            middle = sorted(self.weights.values())[len(self.weights) // 2]
            for name, weight in self.weights.items():
                self.weights[name] = min(max(weight / middle, 0.01), 50.0)

    def _seeds(self, nodes: Mapping[str, Sequence[int]]) -> list[Seed]:
        """Small games for each name, those that the book takes; and for each fact."""
        every = [node for own in nodes.values() for node in own]
        finder = _Finder(self.worlds, self._tables, self._keeping, every)
        found: dict[tuple[str, tuple[int, ...]], Seed] = {}
        wishes = [_Wish("", node) for node in self.circuit.facts]
        left = {name for name, own in nodes.items() if own}
        for number in (SEEDS, MORE_SEEDS):
            wishes += [
                _Wish(name, nodes[name][int(self.chance.random() * len(nodes[name]))])
                for name in sorted(left)
                for _ in range(number)
            ]
            for start in range(0, len(wishes), AT_ONE_TIME):
                for seed in finder.found(wishes[start : start + AT_ONE_TIME]):
                    found[seed.predicate, seed.said] = seed
                    left.discard(seed.predicate)
            wishes = []
        return list(found.values())

    def _drawn(self, games: int) -> tuple[dict[int, str], int]:
        """Games as texts of 0 and 1 for each fact, and how many the book takes."""
        chance = self.chance
        counts: dict[str, int] = {}
        for seed in self.seeds:
            counts[seed.predicate] = counts.get(seed.predicate, 0) + 1
        each = [self.weights.get(s.predicate, 1.0) / counts[s.predicate] for s in self.seeds]
        total = list(accumulate(each))
        if not total:
            return {}, 0
        where: list[bytearray] = [bytearray() for _ in self.seeds]
        size = (games + 7) // 8
        for game in range(games):
            for _ in range(1 + int(chance.random() * self._most_laid)):
                at = min(bisect(total, chance.random() * total[-1]), len(total) - 1)
                if not where[at]:
                    where[at] = bytearray(size)
                where[at][game >> 3] |= 1 << (game & 7)
        held = dict.fromkeys(self.circuit.facts, 0)
        order = sorted(range(len(self.seeds)), key=lambda at: each[at] * (0.5 + chance.random()))
        for at in order:
            if where[at]:
                self._keeping.lay(held, self.seeds[at], int.from_bytes(where[at], "little"))
        good = self._keeping.kept(held, games)
        runs = [slice(*found.span()) for found in re.finditer("1+", _bits(good, games))]
        return (
            {n: "".join([bits[r] for r in runs]) for n in held for bits in [_bits(held[n], games)]},
            good.bit_count(),
        )


def _bits(column: int, games: int) -> str:
    """A column as a text, game 0 first."""
    return f"{column:0{games}b}"[::-1] if games else ""


def _number(bits: str) -> int:
    return int(bits[::-1], 2) if bits else 0


class _Kept:
    """What a table has to keep, by the nodes of the facts: once all of them are in the circuit.

    ``needed`` are the nodes that have to hold where a fact is stated, ``beside`` the facts that
    can't be stated with it.
    """

    def __init__(self, worlds: Worlds) -> None:
        facts = worlds.circuit.facts
        self.needed: dict[int, list[int]] = {}
        while len(self.needed) < len(facts):
            for node in [n for n in facts if n not in self.needed]:
                self.needed[node] = [n for n in worlds.needed(*facts[node]) if n != TRUE]
        groups: dict[int, list[int]] = {}
        for node in facts:
            for group in worlds.universe.groups(*facts[node]):
                groups.setdefault(group, []).append(node)
        self.beside: dict[int, list[int]] = {node: [] for node in facts}
        for nodes in groups.values():
            for node in nodes:
                self.beside[node] += [n for n in nodes if n != node]


class _Finder:
    """Looks for small games by focused random walks, all of them at once, a bit for each.

    What doesn't hold yet is made to hold from the top down, one random way at each choice, the
    cheaper of two drawn; then everything is worked out anew (Papadimitriou 1991; Selman, Kautz,
    Cohen 1994).
    """

    def __init__(
        self, worlds: Worlds, tables: _Kept, keeping: _Keeping, roots: Sequence[int]
    ) -> None:
        self.circuit, self.tables, self.keeping = worlds.circuit, tables, keeping
        self.chance = keeping.chance
        names = [n for own in tables.needed.values() for n in own]
        self.order = worlds.circuit.under([*roots, *keeping.alarms, *names])
        self.inputs = {n: sorted(self.circuit.inputs[n]) for n in self.order}
        self._steps = [self._step(n) for n in self.order]
        self.cost = self._costs()
        self.values: list[int] = [0] * (2 * len(self.circuit) + 1)

    def found(self, wishes: Sequence[_Wish]) -> list[Seed]:
        """A small game for each wish that one was come across for."""
        found: list[Seed] = []
        held = dict.fromkeys(self.circuit.facts, 0)
        left = dict(enumerate(wishes))
        for _ in range(LOOKS):
            self.keeping.settle(held, len(wishes))
            self._work_out(held, len(wishes))
            raised: dict[int, list[int]] = {}
            for node in self.keeping.alarms:
                for at in places(self.values[node]):
                    raised.setdefault(at, []).append(node)
            for at, (name, root) in list(left.items()):
                wrong = raised.get(at)
                if not self.values[root] >> at & 1:
                    self._make(root, at, held)
                elif wrong:
                    self._make(-wrong[int(self.chance.random() * len(wrong))], at, held)
                else:
                    del left[at]
                    said = tuple(n for n, column in held.items() if column >> at & 1)
                    found.append(Seed(name, said, self._never(root, at)))
            if not left:
                break
        return found

    def _costs(self) -> dict[int, int]:
        """About how many facts have to be said for each node to hold, or not to."""
        most = 10**6
        cost = {TRUE: 0, FALSE: most}
        for node in self.order:
            own = self.inputs[node]
            kind = self.circuit.kinds[node]
            if kind == FACT:
                cost[node], cost[-node] = 1, 0
            else:
                sign = 1 if kind == AND else -1
                every = min(sum(cost[sign * n] for n in own), most)
                cost[sign * node] = every
                cost[-sign * node] = min(cost[-sign * n] for n in own)
        return cost

    def _work_out(self, held: Mapping[int, int], games: int) -> None:
        values, full = self.values, (1 << games) - 1
        values[TRUE], values[FALSE] = full, 0
        for node, work, inputs in self._steps:
            value = reduce(work, inputs(values)) if work else held[node]
            values[node], values[-node] = value, full ^ value

    def _step(self, node: int) -> _Step:
        """How a node is worked out of the values before it."""
        kind = self.circuit.kinds[node]
        if kind == FACT:
            return node, None, _nothing
        return node, and_ if kind == AND else or_, itemgetter(*self.inputs[node])

    def _make(self, root: int, at: int, held: dict[int, int]) -> None:
        """Change the facts of one game so that a node may come to hold."""
        values, bit, left = self.values, 1 << at, MOST_STEPS
        stack = [root]
        while stack and left:
            left -= 1
            node = stack.pop()
            own, wanted = abs(node), node > 0
            kind = self.circuit.kinds[own]
            if kind == FACT:
                if wanted:
                    held[own] |= bit
                    for mate in self.tables.beside[own]:
                        held[mate] &= ~bit
                    stack += [n for n in self.tables.needed[own] if not values[n] & bit]
                else:
                    held[own] &= ~bit
                continue
            if own == TRUE:
                continue
            inputs = self.inputs[own]
            if (kind == AND) == wanted:
                ways = inputs if wanted else [-n for n in inputs]
                stack += [n for n in ways if not values[n] & bit]
                continue
            one = inputs[int(self.chance.random() * len(inputs))]
            other = inputs[int(self.chance.random() * len(inputs))]
            if not wanted:
                one, other = -one, -other
            stack.append(one if self.cost[one] <= self.cost[other] else other)

    def _never(self, root: int, at: int) -> tuple[int, ...]:
        """The facts that a game must not state for a node to hold, by one of its reasons."""
        out: dict[int, None] = {}
        seen: set[int] = set()
        stack = [root]
        while stack:
            node = stack.pop()
            own = abs(node)
            if node in seen or own == TRUE:
                continue
            seen.add(node)
            kind = self.circuit.kinds[own]
            if kind == FACT:
                if node < 0:
                    out[own] = None
                continue
            ways = [n if node > 0 else -n for n in self.inputs[own]]
            if (kind == AND) == (node > 0):
                stack += ways
            else:
                true = [n for n in ways if self.values[n] >> at & 1]
                stack.append(min(true, key=lambda n: (n not in seen, self.cost[n])))
        return tuple(out)


class _Keeping:
    """What a table has to keep, brought about in many games at once."""

    def __init__(self, judged: Judged, tables: _Kept, chance: random.Random) -> None:
        worlds = judged.worlds
        self.circuit, self.tables, self.chance = worlds.circuit, tables, chance
        rows = dict.fromkeys(n for a in judged.alarms for n in judged.taken.get(a, {}).values())
        self.alarms = [node for node in rows if node != FALSE]
        self._names = list(dict.fromkeys(n for own in tables.needed.values() for n in own))
        self._keep = planned(self.circuit, self._names)
        self._refuse = planned(self.circuit, self.alarms)
        self._parts = list(dict.fromkeys(abs(n) for n in self.circuit.under(self.alarms)))
        self._repair = planned(self.circuit, self._parts)
        node_of = {fact: node for node, fact in self.circuit.facts.items()}
        self._defaults = [
            (node_of[f.name, f.default], [node_of[f.name, r] for r in worlds.universe.rows(f.name)])
            for f in worlds.universe.vocabulary.facts.values()
            if f.default is not None and (f.name, f.default) in node_of
        ]

    def lay(self, held: dict[int, int], seed: Seed, where: int) -> None:
        """Lay a small game over some games: what it says gives way to nothing."""
        for node in seed.said:
            held[node] |= where
            for mate in self.tables.beside[node]:
                if held[mate]:
                    held[mate] &= ~where
        for node in seed.never:
            if held[node]:
                held[node] &= ~where

    def kept(self, held: dict[int, int], games: int) -> int:
        """Take from games what can't be said there; which of them are taken then."""
        for _ in range(REPAIRS):
            self.settle(held, games)
            wrong = self._wrong(held, games)
            if not wrong:
                break
            self._mend(held, games)
        self.settle(held, games)
        return ~self._wrong(held, games) & (1 << games) - 1

    def _values(self, plan: Plan, held: Mapping[int, int], games: int) -> list[int]:
        facts = self.circuit.facts
        return solve(plan, columns(((facts[n], c) for n, c in held.items() if c), games))

    def settle(self, held: dict[int, int], games: int) -> None:
        """Names that aren't there, gaps in numbers, defaults."""
        full = (1 << games) - 1
        while True:
            there = dict(zip(self._names, self._values(self._keep, held, games), strict=True))
            before = True
            for node, own in self.tables.needed.items():
                column = held[node]
                if column:
                    for name in own:
                        column &= there[name]
                    before = before and column == held[node]
                    held[node] = column
            if before:
                break
        for node, rows in self._defaults:
            held[node] |= full & ~reduce(or_, (held[row] for row in rows), 0)

    def _wrong(self, held: Mapping[int, int], games: int) -> int:
        """The games that raise an alarm."""
        return reduce(or_, self._values(self._refuse, held, games), 0)

    def _mend(self, held: dict[int, int], games: int) -> None:
        """Take facts away from games that raise an alarm, so that it isn't raised any more."""
        values = dict(zip(self._parts, self._values(self._repair, held, games), strict=True))
        for root in self.alarms:
            column = values.get(abs(root), 0)
            where = column if root > 0 else ~column & (1 << games) - 1
            if where:
                self._falsify(root, where, held, values)

    def _falsify(
        self, root: int, where: int, held: dict[int, int], values: Mapping[int, int]
    ) -> None:
        """Take facts away so that a node doesn't hold in some games in which it does."""
        stack = [(root, where)]
        while stack:
            node, games = stack.pop()
            if node < 0 or node == TRUE or not games:
                continue
            kind = self.circuit.kinds[node]
            if kind == FACT:
                held[node] &= ~games
                continue
            inputs = sorted(n for n in self.circuit.inputs[node] if n > 0)
            if kind == OR:
                stack += [(n, games & values[n]) for n in inputs]
                continue
            facts = [n for n in inputs if self.circuit.kinds[n] == FACT]
            ways = facts or inputs
            for number, each in enumerate(ways, 1):
                part = games
                if number < len(ways):
                    part &= self.chance.getrandbits(max(games.bit_length(), 1))
                stack.append((each, part))
                games &= ~part


class Shares:
    """Counts how often each predicate holds in some games, by the nodes of its rows."""

    def __init__(self, worlds: Worlds, rows: Mapping[str, Mapping[Row, int]]) -> None:
        roots: dict[int, int] = {}
        self._spots: list[tuple[str, list[tuple[int, tuple[int, ...]]]]] = []
        for name, own in rows.items():
            spots = []
            for row, node in own.items():
                names = [worlds.names[v] for v in row if v in worlds.names]
                if FALSE not in names:
                    there = tuple(roots.setdefault(n, len(roots)) for n in names if n != TRUE)
                    spots.append((roots.setdefault(node, len(roots)), there))
            self._spots.append((name, spots))
        self._plan = planned(worlds.circuit, list(roots))

    def of(self, corpus: Corpus) -> list[Share]:
        """How often each predicate holds in a corpus, by name."""
        counted = {name: [0, 0, 0] for name, _ in self._spots}
        for values, games in _in_parts(self._plan, corpus):
            full = (1 << games) - 1
            for name, rows in self._spots:
                can = some = 0
                every = full
                for at, there in rows:
                    present = full
                    for spot in there:
                        present &= values[spot]
                    can |= present
                    some |= values[at]
                    every &= values[at] | ~present
                every &= can
                for number, column in enumerate((can, some & can, every)):
                    counted[name][number] += column.bit_count()
        total = max(corpus.games, 1)
        out = []
        for name, (can, some, every) in counted.items():
            of = max(can, 1)
            out.append(Share(name, can / total, some / of, every / of))
        return out


def _in_parts(plan: Plan, corpus: Corpus) -> Iterator[tuple[list[int], int]]:
    """The values of a plan for a few games at a time, and how many those are."""
    for start in range(0, corpus.games, PART):
        part = corpus.columns.part(start, PART)
        yield solve(plan, part), part.games

"""A circuit worked off for many games at once: bit ``k`` of each column is game ``k``.

A *plan* is data: two-place operations on numbered registers, which are used again as soon as
nobody looks at them any more. It is worked off by a loop, block by block, over numpy arrays where
numpy is installed and over Python integers elsewhere. A block is so large that the loop itself
takes a twentieth of the time: code made of the plan would win back no more than that, and takes
longer to compile than most corpora to work off.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations
from typing import Any, NamedTuple

from .circuit import AND, FALSE, OR, TRUE, Circuit, Stated

BOTH, EITHER, ONE = 0, 1, 2
"""The operations: and, or, exclusive or."""
BLOCK, WIDE = 65_536, 131_072
"""So many games at once, by integers and by arrays: more don't stay in the processor's cache."""
MOST_INPUTS = 24
"""Of a gate with more inputs no pairs are looked for."""
MOST_PAIRS = 200_000
"""So many pairs are looked at: finding what they share takes longer than it saves."""

MOST_BYTES = 64_000_000
"""The registers of a block take no more."""
FEW = 16_384
"""For fewer games integers are as fast."""

Step = tuple[int, int, int, int]
"""An operation, the two registers that it looks at, and the one that it fills."""


class Plan(NamedTuple):
    """What to do with the columns of some facts to have those of some nodes.

    Registers are first those of the facts, which nothing fills, then one that is empty, one that
    is full, and those that steps fill. ``results`` are registers as well, one for each node.
    """

    facts: tuple[Stated, ...]
    steps: tuple[Step, ...]
    results: tuple[int, ...]
    registers: int


class Columns(NamedTuple):
    """One bit per game for each of some facts, those of one fact after those of another.

    Each column takes a whole number of 8 bytes, lowest game first; what is beyond the last game
    is 0.
    """

    facts: tuple[Stated, ...]
    games: int
    data: bytes | memoryview

    @property
    def width(self) -> int:
        """Bytes of a column."""
        return width(self.games)

    def column(self, at: int) -> int:
        """One column as a number."""
        return int.from_bytes(self.data[at * self.width : (at + 1) * self.width], "little")

    def part(self, start: int, games: int) -> Columns:
        """The games from one on, a multiple of 64."""
        if start % 64:
            raise ValueError("a part begins at a multiple of 64")
        games = max(min(games, self.games - start), 0)
        size, at = width(games), start // 8
        rows = range(0, len(self.facts) * self.width, self.width)
        cut = [bytes(self.data[row + at : row + at + size]) for row in rows]
        last = games % 64
        if last:
            keep = (1 << last) - 1
            for number, each in enumerate(cut):
                word = int.from_bytes(each[-8:], "little") & keep
                cut[number] = each[:-8] + word.to_bytes(8, "little")
        return Columns(self.facts, games, b"".join(cut))


def width(games: int) -> int:
    """The bytes that a column of so many games takes."""
    return (games + 63) // 64 * 8


def columns(held: Iterable[tuple[Stated, int]], games: int) -> Columns:
    """Facts, each with the games that state it as a number, one after the other."""
    pairs = list(held)
    size = width(games)
    data = b"".join(column.to_bytes(size, "little") for _, column in pairs)
    return Columns(tuple(fact for fact, _ in pairs), games, data)


def fast() -> bool:
    """Whether numpy is there."""
    return find_spec("numpy") is not None


def solve(
    plan: Plan,
    given: Columns,
    told: Callable[[int], object] = lambda _: None,
    arrays: bool | None = None,
) -> list[int]:
    """The games in which each node of a plan holds: a number whose bit ``k`` is game ``k``.

    ``told`` is called with the number of games done, block by block. ``arrays``: with numpy, by
    default for many games where it is installed; the answers are the same.
    """
    parts: list[list[bytes]] = [[] for _ in plan.results]
    for done, found in blocks(plan, given, arrays):
        for each, result in zip(parts, found, strict=True):
            each.append(result)
        told(done)
    return [int.from_bytes(b"".join(each), "little") for each in parts]


def blocks(
    plan: Plan, given: Columns, arrays: bool | None = None
) -> Iterator[tuple[int, list[bytes]]]:
    """How many games are done, block by block, with the columns of all nodes, as bytes."""
    if arrays is None:
        arrays = given.games >= FEW and fast()
    work = _by_arrays if arrays else _by_integers
    yield from work(plan, given)


def _fitting(plan: Plan, games: int) -> int:
    """So many games, or fewer where the registers would take too much memory; whole words."""
    return max(min(games, MOST_BYTES * 8 // plan.registers // 64 * 64), 64)


def _by_integers(plan: Plan, given: Columns) -> Iterator[tuple[int, list[bytes]]]:
    known = {fact: i for i, fact in enumerate(given.facts)}
    spots = [known.get(fact) for fact in plan.facts]
    most = _fitting(plan, BLOCK)
    for start in range(0, given.games, most):
        games = min(most, given.games - start)
        size, at = width(games), start // 8
        held = []
        for spot in spots:
            first = at if spot is None else spot * given.width + at
            data = b"" if spot is None else given.data[first : first + size]
            held.append(int.from_bytes(data, "little"))
        held += [0, (1 << games) - 1, *[0] * (plan.registers - len(held) - 2)]
        for kind, one, other, to in plan.steps:
            if kind == BOTH:
                held[to] = held[one] & held[other]
            elif kind == EITHER:
                held[to] = held[one] | held[other]
            else:
                held[to] = held[one] ^ held[other]
        yield start + games, [held[r].to_bytes(size, "little") for r in plan.results]


def _by_arrays(plan: Plan, given: Columns) -> Iterator[tuple[int, list[bytes]]]:
    numpy: Any = import_module("numpy")
    known = {fact: i for i, fact in enumerate(given.facts)}
    spots = [known.get(fact) for fact in plan.facts]
    words = given.width // 8
    matrix = numpy.frombuffer(given.data, dtype="<u8").reshape(len(given.facts), words)
    wide = _fitting(plan, WIDE)
    most = min(words, wide // 64)
    work = (numpy.bitwise_and, numpy.bitwise_or, numpy.bitwise_xor)
    steps = [(work[kind], one, other, to) for kind, one, other, to in plan.steps]
    own = [numpy.empty(most, dtype="<u8") for _ in range(plan.registers - len(spots) - 2)]
    empty, full = numpy.zeros(most, dtype="<u8"), numpy.full(most, 2**64 - 1, dtype="<u8")
    for start in range(0, given.games, wide):
        first = start // 64
        size = min(most, words - first)
        last = (given.games - start) % 64
        if last and size == words - first:
            full[size - 1] = (1 << last) - 1
        held = [empty[:size] if s is None else matrix[s, first : first + size] for s in spots]
        held += [empty[:size], full[:size], *(each[:size] for each in own)]
        for operation, one, other, to in steps:
            operation(held[one], held[other], held[to])
        done = min(start + wide, given.games)
        yield done, [held[r].tobytes() for r in plan.results]


Gates = dict[int, tuple[str, set[int]]]


def planned(circuit: Circuit, roots: Sequence[int]) -> Plan:
    """The plan for some nodes of a circuit, each with its sign."""
    order = circuit.under(roots)
    facts = [n for n in order if n in circuit.facts]
    gates: Gates = {
        n: (circuit.kinds[n], set(circuit.inputs[n])) for n in order if n not in circuit.facts
    }
    for kind in (AND, OR):
        _pair(gates, kind, len(circuit))
    lowered = _Lowered(gates, facts)
    results = [lowered.value(root) for root in roots]
    where = tuple(circuit.facts[n] for n in facts)
    return _allotted(where, lowered.steps, results)


def _pair(gates: Gates, kind: str, number: int) -> None:
    """Make a gate of its own of each pair of inputs that several gates have in common.

    The pair that most have comes first, as in Brayton and McMullen's extraction of common cubes.
    """
    at: dict[tuple[int, int], set[int]] = {}
    left = MOST_PAIRS
    for node, (own, inputs) in gates.items():
        if own == kind and len(inputs) <= MOST_INPUTS and left > 0:
            for pair in combinations(sorted(inputs), 2):
                at.setdefault(pair, set()).add(node)
                left -= 1
    heap = [(-len(nodes), pair) for pair, nodes in at.items() if len(nodes) > 1]
    heapq.heapify(heap)
    number = max(number, max(gates, default=0) + 1)
    while heap:
        times, pair = heapq.heappop(heap)
        nodes = at.get(pair, set())
        if len(nodes) != -times:
            if len(nodes) > 1:
                heapq.heappush(heap, (-len(nodes), pair))
            continue
        whole = next((n for n in sorted(nodes) if gates[n][1] == set(pair)), None)
        if whole is None:
            whole, number = number, number + 1
            gates[whole] = (kind, set(pair))
        touched: set[tuple[int, int]] = set()
        for node in sorted(nodes - {whole}):
            inputs = gates[node][1]
            for gone in combinations(sorted(inputs), 2):
                if (gone[0] in pair or gone[1] in pair) and gone in at:
                    at[gone].discard(node)
            inputs.difference_update(pair)
            for other in inputs:
                made = (min(other, whole), max(other, whole))
                at.setdefault(made, set()).add(node)
                touched.add(made)
            inputs.add(whole)
        at.pop(pair, None)
        for made in touched:
            if len(at[made]) > 1:
                heapq.heappush(heap, (-len(at[made]), made))


class _Lowered:
    """Gates as two-place operations; values are numbered, those of the facts first."""

    def __init__(self, gates: Gates, facts: Sequence[int]) -> None:
        self.gates = gates
        self.steps: list[Step] = []
        self.empty, self.full = len(facts), len(facts) + 1
        self._next = len(facts) + 2
        self._values = {node: i for i, node in enumerate(facts)}
        self._values |= {TRUE: self.full, FALSE: self.empty}

    def value(self, root: int) -> int:
        """The number of a node's value; what it rests on comes before."""
        stack = [root]
        while stack:
            node = stack[-1]
            if node in self._values:
                stack.pop()
                continue
            if node < 0:
                if -node not in self._values:
                    stack.append(-node)
                    continue
                self._values[node] = self._step(ONE, self._values[-node], self.full)
                continue
            kind, inputs = self.gates[node]
            missing = [n for n in sorted(inputs, key=_last_first) if n not in self._values]
            if missing:
                stack += missing
                continue
            first, *rest = (self._values[n] for n in sorted(inputs, key=_last_first))
            for other in rest:
                first = self._step(BOTH if kind == AND else EITHER, first, other)
            self._values[node] = first
        return self._values[root]

    def _step(self, kind: int, one: int, other: int) -> int:
        self.steps.append((kind, one, other, self._next))
        self._next += 1
        return self._next - 1


def _last_first(node: int) -> tuple[int, int]:
    return abs(node), node


def _allotted(facts: tuple[Stated, ...], steps: Sequence[Step], results: Sequence[int]) -> Plan:
    """The same with registers in place of values: one is free after its last look."""
    last: dict[int, int] = {}
    for number, (_, one, other, _to) in enumerate(steps):
        last[one] = last[other] = number
    fixed = len(facts) + 2
    kept = set(results)
    where = {value: value for value in range(fixed)}
    free: list[int] = []
    most = fixed
    out: list[Step] = []
    for number, (kind, one, other, to) in enumerate(steps):
        looked = (where[one], where[other])
        for value in {one, other}:
            if value >= fixed and value not in kept and last[value] == number:
                free.append(where[value])
        if free:
            where[to] = free.pop()
        else:
            where[to], most = most, most + 1
        out.append((kind, *looked, where[to]))
    return Plan(facts, tuple(out), tuple(where[r] for r in results), most)

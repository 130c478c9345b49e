"""Relations as a circuit of ANDs and ORs over the facts that a game states.

Nodes are numbers, the same for equal gates however they came about; ``-n`` is the complement of
``n``, ``TRUE`` and ``FALSE`` are 1 and -1. Two verdicts with one node are alike in every game of
the universe. Every row has three nodes: whether it holds by the reading taken, whether it does for
certain, and whether it may (Kleene's strong three-valued logic); they are one node where the rules
leave nothing open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import NamedTuple

from ..model import Row
from .ground import Body, Relation, Universe

TRUE, FALSE = 1, -1
FACT, AND, OR = "fact", "and", "or"
Stated = tuple[str, Row]
"""A fact that a game may state: its name and row."""
MOST_FACTORED = 400
"""A gate with more ways than these is left as it is: looking for what they share takes too long."""


class Circuit:
    """Gates over facts, hash-consed; knows of which facts a game states at most one."""

    def __init__(self, universe: Universe) -> None:
        self.universe = universe
        self.kinds: list[str] = ["", "true"]
        self.inputs: list[frozenset[int]] = [frozenset(), frozenset()]
        self.facts: dict[int, Stated] = {}
        self._known: dict[object, int] = {}
        self._groups: dict[int, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self.kinds)

    def fact(self, name: str, row: Row) -> int:
        """The node of a fact that a game may state."""
        node = self._known.get((name, row))
        if node is None:
            if self.universe.always(name, row):
                node = TRUE
            else:
                node = self._new(FACT, frozenset())
                self.facts[node] = (name, row)
                groups = self.universe.groups(name, row)
                if groups:
                    self._groups[node] = groups
            self._known[name, row] = node
        return node

    def all_of(self, nodes: Iterable[int]) -> int:
        """The node that holds where each of some nodes does."""
        out: set[int] = set()
        todo = list(nodes)
        while todo:
            node = todo.pop()
            if node == TRUE or node in out:
                continue
            if node == FALSE or -node in out:
                return FALSE
            if node > 0 and self.kinds[node] == AND:
                todo += self.inputs[node]
                continue
            out.add(node)
        held = self._held(out)
        if held is None:
            return FALSE
        if held:
            out -= {n for n in out if n < 0 and self._excluded(-n, held)}
        return self._gate(AND, out)

    def any_of(self, nodes: Iterable[int]) -> int:
        """The node that holds where any of some nodes does."""
        out: set[int] = set()
        todo = list(nodes)
        while todo:
            node = todo.pop()
            if node == FALSE or node in out:
                continue
            if node == TRUE or -node in out:
                return TRUE
            if node > 0 and self.kinds[node] == OR:
                todo += self.inputs[node]
                continue
            out.add(node)
        if len(out) > 1:
            out = {n for n in out if n < 0 or self.kinds[n] != AND or not self.inputs[n] & out}
        return self._factored(out)

    def differs(self, one: int, other: int) -> int:
        """The node that holds where two nodes don't agree."""
        if one == other:
            return FALSE
        return self.any_of([self.all_of([one, -other]), self.all_of([-one, other])])

    def exactly(self, number: int, nodes: Sequence[int]) -> int:
        """The node that holds where so many of some nodes do."""
        sure = sum(n == TRUE for n in nodes)
        left = [n for n in nodes if abs(n) != TRUE]
        number -= sure
        if not 0 <= number <= len(left):
            return FALSE
        ways = [TRUE] + [FALSE] * number
        for node in left:
            for k in range(number, -1, -1):
                below = self.all_of([node, ways[k - 1]]) if k else FALSE
                ways[k] = self.any_of([below, self.all_of([-node, ways[k]])])
        return ways[number]

    def at_least(self, number: int, nodes: Sequence[int]) -> int:
        """The node that holds where at least so many of some nodes do."""
        ways = [TRUE] + [FALSE] * max(number, 0)
        for node in nodes:
            for k in range(len(ways) - 1, 0, -1):
                ways[k] = self.any_of([ways[k], self.all_of([node, ways[k - 1]])])
        return ways[max(number, 0)]

    def under(self, roots: Iterable[int], known: Container[int] = ()) -> list[int]:
        """The nodes that some nodes rest on, without signs, inputs before what looks at them.

        Not those that are ``known``, nor what only they rest on.
        """
        out: list[int] = []
        seen: set[int] = {TRUE}
        stack = [abs(root) for root in roots]
        while stack:
            node = stack.pop()
            if node < 0:
                out.append(-node)
            elif node not in seen and node not in known:
                seen.add(node)
                stack.append(-node)
                stack += map(abs, sorted(self.inputs[node], key=abs))
        return out

    def holding(self, roots: Sequence[int], said: Collection[Stated]) -> list[bool]:
        """Whether some nodes hold in the game that states these facts."""
        return [bool(bits) for bits in self.bits(roots, dict.fromkeys(said, 1), 1)]

    def bits(self, roots: Sequence[int], said: Mapping[Stated, int], games: int) -> list[int]:
        """In which games some nodes hold: bit k is that of game k, in what is ``said`` too."""
        every = (1 << games) - 1
        value = {TRUE: every}
        for node in self.under(roots):
            if self.kinds[node] == FACT:
                value[node] = said.get(self.facts[node], 0)
                continue
            both = self.kinds[node] == AND
            bits = every if both else 0
            for each in self.inputs[node]:
                own = value[each] if each > 0 else every ^ value[-each]
                bits = bits & own if both else bits | own
            value[node] = bits
        return [value[root] if root > 0 else every ^ value[-root] for root in roots]

    def gate(self, kind: str, inputs: Iterable[int]) -> int:
        """The node of a gate as it is said, looked at no further."""
        return self._gate(kind, set(inputs))

    def _new(self, kind: str, inputs: frozenset[int]) -> int:
        self.kinds.append(kind)
        self.inputs.append(inputs)
        return len(self.kinds) - 1

    def _gate(self, kind: str, nodes: Set[int]) -> int:
        if not nodes:
            return TRUE if kind == AND else FALSE
        if len(nodes) == 1:
            return next(iter(nodes))
        key = (kind, frozenset(nodes))
        node = self._known.get(key)
        if node is None:
            node = self._known[key] = self._new(*key)
        return node

    def _held(self, nodes: set[int]) -> dict[int, int] | None:
        """The facts held in each group; None where a game can't state them all."""
        held: dict[int, int] = {}
        for node in nodes:
            for group in self._groups.get(node, ()):
                if held.setdefault(group, node) != node:
                    return None
        return held

    def _excluded(self, node: int, held: Mapping[int, int]) -> bool:
        return any(group in held for group in self._groups.get(node, ()))

    def _cube(self, node: int) -> frozenset[int]:
        return self.inputs[node] if node > 0 and self.kinds[node] == AND else frozenset((node,))

    def _factored(self, ways: set[int]) -> int:
        """Ways with what most of them share taken out, again and again (Brayton's quick factor)."""
        cubes = {self._cube(way) for way in ways}
        if not 1 < len(cubes) <= MOST_FACTORED:
            return self._gate(OR, ways)
        many = Counter(node for cube in cubes for node in cube)
        least = min(cubes, key=len)
        if len(least) < max(map(len, cubes)):
            marked: dict[int, list[frozenset[int]]] = {}
            for cube in cubes:
                marked.setdefault(min(cube, key=lambda n: (many[n], n)), []).append(cube)
            cubes = {c for c in cubes if not any(d < c for n in c for d in marked.get(n, ()))}
        best, times = max(many.items(), key=lambda each: (each[1], -abs(each[0]), each[0]))
        if times < 2:
            return self._gate(OR, {self._gate(AND, cube) for cube in cubes})
        inner = self.any_of([self._gate(AND, c - {best}) for c in cubes if best in c])
        rest = [self._gate(AND, c) for c in cubes if best not in c]
        return (
            self.any_of([self.all_of([best, inner]), *rest]) if rest else self.all_of([best, inner])
        )


def places(column: int) -> Iterator[int]:
    """The games in which something holds: the places of a number's bits that are set, in order."""
    while column:
        low = column & -column
        yield low.bit_length() - 1
        column ^= low


Wired = dict[str, dict[Row, int]]
"""For each predicate the node of every row that it could hold of."""


_NO_ROWS: Mapping[Row, int] = MappingProxyType({})


class Settled(NamedTuple):
    """The nodes of rows that hold for certain, and of those that may hold."""

    certain: dict[Row, int]
    possible: dict[Row, int]


class Wiring:
    """Relations laid into a circuit; what was laid once is kept by the key of its relation."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self._taken: dict[int, dict[Row, int]] = {}
        self._settled: dict[object, Settled] = {}

    def taken(self, relations: Iterable[Relation]) -> Wired:
        """The nodes by the reading taken; relations come after those that they rest on."""
        out: Wired = {}
        for relation in relations:
            nodes = self._taken.get(relation.key)
            if nodes is None:
                nodes = self._taken[relation.key] = {}
                if relation.base:
                    nodes.update((r, self.circuit.fact(relation.name, r)) for r in relation.bodies)
                else:
                    at = {each.key: self._taken[each.key] for each in relation.below}
                    at[relation.key] = nodes
                    self._lay(relation, nodes, _Look(self.circuit, at, at))
            out[relation.name] = nodes
        return out

    def settled(
        self, relations: Sequence[Relation], doubted: Mapping[str, str]
    ) -> dict[str, Settled]:
        """What is certain and what may be, for the relations that rest on something open.

        ``doubted`` has, for a predicate some of whose rows the rules leave open, the name of the
        relation that holds of those rows. Elsewhere both nodes are those of the reading taken.
        """
        self.taken(relations)
        named = {each.name: each for each in relations}
        resting: dict[int, frozenset[tuple[int, int]]] = {}
        found: dict[int, Settled] = {}
        out: dict[str, Settled] = {}
        for relation in relations:
            doubt = named.get(doubted.get(relation.name, ""))
            own = {(relation.key, doubt.key)} if doubt is not None and doubt.bodies else set()
            rests = frozenset(own).union(*(resting.get(b.key, ()) for b in relation.below))
            if not rests:
                continue
            resting[relation.key] = rests
            known = self._settled.get((relation.key, rests))
            if known is None:
                doubts = self._taken[doubt.key] if doubt is not None else {}
                known = self._doubly(relation, found, doubts)
                self._settled[relation.key, rests] = known
            found[relation.key] = out[relation.name] = known
        return out

    def _doubly(
        self, relation: Relation, found: Mapping[int, Settled], doubts: Mapping[Row, int]
    ) -> Settled:
        """Both nodes of every row."""
        made = Settled({}, {})
        sure, may = {relation.key: made.certain}, {relation.key: made.possible}
        for each in relation.below:
            settled = found.get(each.key)
            sure[each.key] = settled.certain if settled else self._taken[each.key]
            may[each.key] = settled.possible if settled else self._taken[each.key]
        never = {row: -node for row, node in doubts.items()}
        self._lay(relation, made.certain, _Sure(self.circuit, sure, may), unless=never)
        self._lay(relation, made.possible, _May(self.circuit, may, sure), also=doubts)
        return made

    def _lay(
        self,
        relation: Relation,
        nodes: dict[Row, int],
        look: _Look,
        unless: Mapping[Row, int] = _NO_ROWS,
        also: Mapping[Row, int] = _NO_ROWS,
    ) -> None:
        """Put the nodes of all rows where they are kept, those of a walk one after the other.

        ``unless`` and ``also`` are nodes that a row needs besides, and that are enough for it.
        """
        circuit = self.circuit

        def laid(row: Row) -> int:
            ways = [look.body(body) for body in relation.bodies.get(row, ())]
            if row in also:
                ways.append(also[row])
            node = circuit.any_of(ways)
            return circuit.all_of([node, unless[row]]) if row in unless else node

        if relation.recurs:
            for group in _circles(relation):
                nodes.update((row, FALSE) for row in group)
                for _ in group:
                    new = {row: laid(row) for row in group}
                    if all(nodes[row] == node for row, node in new.items()):
                        break
                    nodes.update(new)
        for row in (*relation.bodies, *unless, *also):
            if row not in nodes:
                nodes[row] = laid(row)


class _Look:
    """The node of a ground clause; what it needs and denies may be looked at differently."""

    def __init__(
        self,
        circuit: Circuit,
        needed: Mapping[int, Mapping[Row, int]],
        denied: Mapping[int, Mapping[Row, int]],
    ) -> None:
        self.circuit, self.needed, self.denied = circuit, needed, denied

    def body(self, body: Body) -> int:
        """The node that holds where a body does."""
        parts = [self.needed[relation.key].get(row, FALSE) for relation, row in body.needs]
        parts += [-self.denied[relation.key].get(row, FALSE) for relation, row in body.denies]
        if FALSE in parts:
            return FALSE
        for number, atoms in body.counts:
            own = [self.needed[relation.key].get(row, FALSE) for relation, row in atoms]
            other = [self.denied[relation.key].get(row, FALSE) for relation, row in atoms]
            if own == other:
                parts.append(self.circuit.exactly(number, own))
            else:
                parts.append(self._counted(number, own, other))
        return self.circuit.all_of(parts)

    def _counted(self, number: int, own: list[int], other: list[int]) -> int:
        raise AssertionError("by the reading taken nothing is open")


class _Sure(_Look):
    """What is certain: what is needed is certain, what is denied not even possible."""

    def _counted(self, number: int, own: list[int], other: list[int]) -> int:
        both = [self.circuit.exactly(number, nodes) for nodes in (own, other)]
        return self.circuit.all_of(both)


class _May(_Look):
    """What is possible: what is needed is possible, what is denied not certain."""

    def _counted(self, number: int, own: list[int], other: list[int]) -> int:
        most = -self.circuit.at_least(number + 1, other)
        return self.circuit.all_of([self.circuit.at_least(number, own), most])


def _circles(relation: Relation) -> list[list[Row]]:
    """The rows of a walk, those first that others rest on; rows that rest on each other together.

    Strongly connected components (Tarjan 1972), without recursion.
    """
    index: dict[Row, int] = {}
    low: dict[Row, int] = {}
    stack: list[Row] = []
    held: set[Row] = set()
    out: list[list[Row]] = []

    def below(row: Row) -> Iterator[Row]:
        for body in relation.bodies[row]:
            for other, needed in body.needs:
                if other is relation:
                    yield needed

    for first in relation.bodies:
        if first in index:
            continue
        work: list[tuple[Row, Iterator[Row]]] = []

        def enter(row: Row, work: list[tuple[Row, Iterator[Row]]] = work) -> None:
            index[row] = low[row] = len(index)
            stack.append(row)
            held.add(row)
            work.append((row, below(row)))

        enter(first)
        while work:
            row, left = work[-1]
            following = next(left, None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[row])
                if low[row] == index[row]:
                    group: list[Row] = []
                    while not group or group[-1] != row:
                        group.append(stack.pop())
                        held.discard(group[-1])
                    out.append(group)
            elif following not in index:
                enter(following)
            elif following in held:
                low[row] = min(low[row], index[following])
    return out

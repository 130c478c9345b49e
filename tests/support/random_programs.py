"""Random programs that the linter lets through, random facts for them, and what follows, naively.

Clauses are made by chance, and those that pass alone are put together until a book passes: rows of
names and of numbers, negation, comparisons, sums, counts, and a walk.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

from seatlog.book import Book
from seatlog.editions import Layer, assemble
from seatlog.errors import SeatlogError
from seatlog.language import plan
from seatlog.model import Literal, Row, Statement, Var, literals
from seatlog.solvers import match, solutions
from seatlog.worlds import Circuit, Grounder, Wiring

POOL = 50
NAMES = ("a", "b", "O'Neill", "日本")
SPOTS = {"node": "x", "edge": "xx", "size": "xn"} | {
    **{"p0": "x", "p1": "xx", "p2": "x", "p3": "xn", "p4": "xnx", "p5": "xx", "p6": "n"},
    **{"p7": "xn", "p8": "xx", "p9": "x"},
}
"""Every predicate, and which of its terms are names (x) and which numbers (n)."""
WALK = "p4"
VOCABULARY = """\
# role: can_ is a verdict
# role: cannot_ is a prohibition
# sort: Node is a name
# sort: Size is a number from 0

# fact: node(Node)
# names: Node
# fact: edge(Node, Node2)
# fact: size(Node, Size)
"""
STUBS = {
    "p0": "p0(X) <= (node(X))",
    "p1": "p1(X, Y) <= (edge(X, Y))",
    "p2": "p2(X) <= (node(X))",
    "p3": "p3(X, N) <= (size(X, N))",
    "p4": "p4(X, N, X) <= (size(X, N))",
    "p5": "p5(X, Y) <= (edge(X, Y))",
    "p6": "p6(N) <= (size(_X, N))",
    "p7": "p7(X, N) <= (size(X, N))",
    "p8": "p8(X, Y) <= (edge(X, Y))",
    "p9": "p9(X) <= (node(X))",
}


def clause(rng: random.Random, head: str) -> str:
    """One clause that may or may not pass: bindings and circles are left to chance."""

    def literal(name: str, names: str = "XYZ") -> str:
        terms = [
            rng.choice([*names, "'a'"]) if spot == "x" else rng.choice(["N", "N", "M", "2"])
            for spot in SPOTS[name]
        ]
        return f"{name}({', '.join(terms)})"

    def counted() -> str:
        name = rng.choice([n for n in below if "x" in SPOTS[n]])
        terms = literal(name).replace("'a'", "C")
        if "C" not in terms:
            terms = terms.replace(rng.choice([v for v in "XYZ" if v in terms]), "C")
        return f"({rng.choice('NMK')} == count(C, {terms}))"

    below = [n for n in SPOTS if n < head or not n.startswith("p") or rng.random() < 0.05]
    body = [literal(rng.choice(below)) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.4:
        body.append("~" + literal(rng.choice(below)))
    if rng.random() < 0.3:
        op, sign, far = rng.choice(["==", "!=", "<", "<=", ">", ">="]), rng.choice("+-"), "12"
        body += rng.sample(
            [
                *(f"(N {op} M)", f"(N {op} {rng.choice('0123')})", f"(M == N {sign} 1)"),
                *("(X != Y)", "(X == 'b')", "(Z == Y)", f"(K == M - (N {sign} {rng.choice(far)}))"),
                f"(N + 1 {op} M {sign} N)",
            ],
            rng.choice((1, 1, 2)),
        )
    if rng.random() < 0.25:
        body.append(counted())
    rng.shuffle(body)
    if head == WALK and rng.random() < 0.5:
        return _step(rng, literal)
    return f"{literal(head)} <= ({' & '.join(body)})"


def _step(rng: random.Random, literal: Callable[[str, str], str]) -> str:
    """A step of the walk: along an edge, with a number that goes up or down to its bound."""
    sign, op, bound = rng.choice((("+", "<", "5"), ("+", "<=", "4"), ("-", ">", "-2")))
    body = [f"{WALK}(X, N, Y)", "edge(Y, Z)", f"(M == N {sign} 1)", f"(M {op} {bound})"]
    if rng.random() < 0.6:
        body.append(rng.choice(("", "~")) + literal(rng.choice(("p0", "p1", "p2", "edge")), "XYZ"))
    return f"{WALK}(X, M, Z) <= ({' & '.join(body)})"


def book(folder: Path, lines: list[str]) -> Book | None:
    """A book of these clauses, or None when the linter refuses them."""
    text = "\n".join(["## 1.1  Random", *lines, ""])
    text = text.replace(f"\n{WALK}(", f"\n# walk: {WALK}(Start, Steps, Node)\n{WALK}(", 1)
    try:
        return assemble([Layer(folder, {}, {"book/1.1_x.dl": text})], folder, "")
    except SeatlogError:
        return None


def books(folder: Path, rng: random.Random) -> Iterator[Book]:
    """Books of random clauses that the linter let through, one by one and then together."""
    (folder / "vocabulary.dl").write_text(VOCABULARY, encoding="utf-8")
    fine: dict[str, list[str]] = {}
    for head in STUBS:
        while len(fine.setdefault(head, [])) < POOL:
            made = clause(rng, head)
            if book(folder, [*(stub for name, stub in STUBS.items() if name in made), made]):
                fine[head].append(made)
    while True:
        lines = [c for head in STUBS for c in rng.sample(fine[head], rng.randint(1, 2))]
        if rng.random() < 0.7:
            lines.append(STUBS[WALK])
        found = book(folder, lines)
        if found:
            yield found


def facts(rng: random.Random) -> list[Statement]:
    """A graph of few nodes, in part or in whole; numbers, one to a node or none."""
    share = rng.choice((0.1, 0.35, 0.35, 0.6))
    found = [Statement("node", (n,)) for n in NAMES if rng.random() < 0.95]
    found += [Statement("edge", p) for p in product(NAMES, NAMES) if rng.random() < share]
    return found + [Statement("size", (n, rng.randint(0, 3))) for n in NAMES if rng.random() < 0.9]


class Naive:
    """All derivable rows, clause by clause until nothing is new, strata from the bottom up.

    As a solver it answers any literal; each predicate may rest on lower ones only, and on itself.
    """

    def __init__(self, book: Book, said: list[Statement]) -> None:
        self.known: dict[str, set[Row]] = {name: set() for name in SPOTS}
        for statement in said:
            self.known[statement.name].add(statement.row)
        for head in STUBS:
            before = -1
            while before < len(self.known[head]):
                before = len(self.known[head])
                for each in book.clauses_of(head):
                    assert not plan(each.body).stuck
                    for env in list(solutions(each.body, {}, self)):
                        row = tuple(
                            env[t.name] if isinstance(t, Var) else t.value  # type: ignore[union-attr]
                            for t in each.head.args
                        )
                        self.known[head].add(row)

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """What is known and matches, sorted."""
        found = [row for row in self.known[literal.name] if match(literal.args, row) is not None]
        return tuple(sorted(found, key=repr))


def ordered(book: Book) -> bool:
    """Whether each predicate rests on lower ones and itself only, as the naive evaluation needs."""
    return all(
        item.name not in STUBS or item.name < each.head.name or item.name == each.head.name == WALK
        for each in book.clauses
        for item in literals(each.body)
    )


class EveryFact:
    """The universe of all facts that ``facts`` can say."""

    def __init__(self) -> None:
        pairs = list(product(NAMES, NAMES))
        sizes: list[Row] = list(product(NAMES, range(4)))
        self._rows: dict[str, list[Row]] = {"node": [(n,) for n in NAMES], "size": sizes}
        self._rows["edge"] = [*pairs]

    def rows(self, name: str) -> list[Row]:
        """The rows that a game may state of a declared fact."""
        return self._rows.get(name, [])

    def always(self, name: str, row: Row) -> bool:
        """Nothing is stated always."""
        return False

    def groups(self, name: str, row: Row) -> tuple[int, ...]:
        """Anything goes with anything."""
        return ()


class Wired:
    """A book as a circuit over all those facts, asked for one game."""

    def __init__(self, book: Book, said: list[Statement]) -> None:
        universe = EveryFact()
        relations = Grounder(universe).ground(book.by_head, [n for n in STUBS if n in book.by_head])
        circuit = Circuit(universe)
        wired = Wiring(circuit).taken(relations.values())
        nodes = [(name, row, node) for name, rows in wired.items() for row, node in rows.items()]
        held = circuit.holding([node for _, _, node in nodes], {(n, r) for n, r, _ in said})
        self.known: dict[str, list[Row]] = {}
        for (name, row, _), holds in zip(nodes, held, strict=True):
            if holds:
                self.known.setdefault(name, []).append(row)

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """All rows of a literal's predicate; its terms are variables."""
        return tuple(self.known.get(literal.name, ()))

"""Programs the linter lets through run: random ones, under each solver, against plain Python."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from seatlog.book import Book
from seatlog.editions import Layer, assemble
from seatlog.errors import SeatlogError
from seatlog.language import plan
from seatlog.model import Const, Literal, Row, Statement, Var
from seatlog.solvers import open_solver, solutions

WANTED = 2_000
SECONDS = 240
POOL = 50
NAMES = ("a", "b", "c", "d")
ARITY = {"node": 1, "edge": 2, "size": 2, "p0": 1, "p1": 2, "p2": 1, "p3": 2, "p4": 1}
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


def clause(rng: random.Random, head: str) -> str:
    """One clause that may or may not pass: sorts, bindings and circles are left to chance."""
    variables = ["X", "Y", "N"]

    def literal(name: str) -> str:
        terms = [rng.choice([*variables, "'a'"]) for _ in range(ARITY[name])]
        if name == "size":
            terms = [rng.choice("XY"), rng.choice(["N", "N", "2"])]
        return f"{name}({', '.join(terms)})"

    below = [n for n in ARITY if n < head or not n.startswith("p") or rng.random() < 0.1]
    body = [literal(rng.choice(below)) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.4:
        body.append("~" + literal(rng.choice(below)))
    if rng.random() < 0.3:
        body.append(rng.choice(["(X != Y)", "(N > 1)", "(N <= 2)", "(M == N + 1)", "(X == 'b')"]))
    if rng.random() < 0.15:
        body.append("(K == count(Z, edge(X, Z)))")
    rng.shuffle(body)
    return f"{literal(head)} <= ({' & '.join(body)})"


STUBS = {
    "p0": "p0(X) <= (node(X))",
    "p1": "p1(X, Y) <= (edge(X, Y))",
    "p2": "p2(X) <= (node(X))",
    "p3": "p3(X, Y) <= (edge(X, Y))",
    "p4": "p4(X) <= (node(X))",
}


def book(folder: Path, lines: list[str]) -> Book | None:
    """A book of these clauses, or None when the linter refuses them."""
    text = "\n".join(["## 1.1  Random", *lines, ""])
    try:
        return assemble([Layer(folder, {}, {"book/1.1_x.dl": text})], folder, "")
    except SeatlogError:
        return None


def books(folder: Path, rng: random.Random) -> Iterator[Book]:
    """Books of random clauses that the linter let through, one by one and then together."""
    (folder / "vocabulary.dl").write_text(VOCABULARY, encoding="utf-8")
    fine: dict[str, list[str]] = {}
    for head in STUBS:
        others = [stub for name, stub in STUBS.items() if name != head]
        while len(fine.setdefault(head, [])) < POOL:
            made = clause(rng, head)
            if book(folder, [*others, made]):
                fine[head].append(made)
    while True:
        lines = [c for head in STUBS for c in rng.sample(fine[head], rng.randint(1, 2))]
        found = book(folder, lines)
        if found:
            yield found


def facts(rng: random.Random) -> list[Statement]:
    found = [Statement("node", (n,)) for n in NAMES]
    found += [Statement("edge", p) for p in product(NAMES, NAMES) if rng.random() < 0.35]
    return found + [Statement("size", (n, rng.randint(0, 3))) for n in NAMES]


class Naive:
    """All derivable rows, clause by clause until nothing is new, strata from the bottom up."""

    def __init__(self, book: Book, said: list[Statement]) -> None:
        self.known: dict[str, set[Row]] = {name: set() for name in ARITY}
        for statement in said:
            self.known[statement.name].add(statement.row)
        for number in range(5):
            for each in book.clauses_of(f"p{number}"):
                assert not plan(each.body).stuck
                for env in solutions(each.body, {}, self):
                    row = tuple(
                        env[t.name] if isinstance(t, Var) else t.value  # type: ignore[union-attr]
                        for t in each.head.args
                    )
                    self.known[each.head.name].add(row)

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """What is known and matches, sorted."""
        seen = []
        for row in self.known[literal.name]:
            env: dict[str, object] = {}
            for term, value in zip(literal.args, row, strict=True):
                wanted = (
                    env.setdefault(term.name, value) if isinstance(term, Var) else term.value  # type: ignore[union-attr]
                )
                if wanted != value:
                    break
            else:
                seen.append(row)
        return tuple(sorted(seen, key=repr))


def ordered(book: Book) -> bool:
    """Whether each predicate rests on lower ones only, as the naive evaluation needs it."""
    return all(
        not item.name.startswith("p") or item.name < each.head.name
        for each in book.clauses
        for item in each.body
        if isinstance(item, Literal)
    )


def some(literal: Literal, rng: random.Random) -> Iterator[Literal]:
    """The same with some terms given, and with some that are one."""
    for _ in range(3):
        mix = [rng.choice((Const(rng.choice(NAMES)), term, Var("Same"))) for term in literal.args]
        yield literal._replace(args=tuple(mix))


def run(folder: str) -> str:
    """The first trouble with a random program, or an empty string."""
    rng = random.Random(20)
    compared = 0
    for number, book in enumerate(books(Path(folder), rng)):
        if number == WANTED:
            return "" if compared > WANTED // 2 else f"only {compared} could be compared"
        said = facts(rng)
        solver, beside = (open_solver(book, said, name) for name in ("pydatalog", "compiled"))
        naive = Naive(book, said) if ordered(book) else None
        compared += naive is not None
        for name in (n for n in ARITY if n in book.predicates):
            literal = Literal(name, tuple(Var(f"V{i}") for i in range(ARITY[name])))
            found = solver.rows(literal)
            text = "\n".join(str(c) for c in book.clauses)
            if naive and set(found) != set(naive.rows(literal)):
                return f"{name}: {found} against {naive.rows(literal)}\n{text}\n{said}"
            for asked in (literal, *(some(literal, rng) if number % 4 == 0 else ())):
                rows = solver.rows(asked), beside.rows(asked)
                if rows[0] != rows[1]:
                    return f"{asked}: {rows[0]}, compiled {rows[1]}\n{text}\n{said}"
    return "no more books"


def test_what_the_linter_lets_through_runs_and_is_right(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        trouble = pool.apply_async(run, (str(tmp_path),)).get(SECONDS)
    assert not trouble, trouble

"""Programs the linter lets through run: random ones, under every solver, against plain Python."""

from __future__ import annotations

import multiprocessing
import os
import random
from collections import Counter
from pathlib import Path

from random_programs import SPOTS, Naive, Wired, books, facts, ordered
from seatlog.model import Literal, Var
from seatlog.solvers import SOLVERS, open_solver

WANTED = int(os.environ.get("SEATLOG_PROGRAMS", "500"))
WIRED = 1 if WANTED > 500 else 5
"""One in so many is laid into a circuit, too."""
SECONDS = 240 + WANTED // 10


def run(folder: str) -> str:
    """The first trouble with a random program, or an empty string."""
    rng = random.Random(20)
    compared, some = 0, Counter[str]()
    for number, book in enumerate(books(Path(folder), rng)):
        if number == WANTED:
            return thin(some, compared)
        said = facts(rng)
        solvers = {name: open_solver(book, said, name) for name in SOLVERS}
        if ordered(book):
            compared += 1
            solvers["naive"] = Naive(book, said)  # type: ignore[assignment]
        if number % WIRED == 0:
            solvers["circuit"] = Wired(book, said)  # type: ignore[assignment]
        for name in (n for n in SPOTS if n in book.predicates):
            literal = Literal(name, tuple(Var(f"V{i}") for i in range(len(SPOTS[name]))))
            found = {who: set(solver.rows(literal)) for who, solver in solvers.items()}
            some[name] += any(found["pydatalog"])
            if any(rows != found["pydatalog"] for rows in found.values()):
                text = "\n".join(str(c) for c in book.clauses)
                return f"program {number}, {name}: {found}\n{text}\n{said}"
    return "no more books"


def thin(some: Counter[str], compared: int) -> str:
    """What is wrong with the mix of programs: too few answers, or too few naive ones."""
    if compared < WANTED // 2:
        return f"only {compared} could be compared with plain Python"
    rare = {name: some[name] for name in SPOTS if name.startswith("p") and some[name] < WANTED / 4}
    return f"of {WANTED} programs so many have an answer: {rare}" if rare else ""


def test_what_the_linter_lets_through_runs_and_is_right(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        trouble = pool.apply_async(run, (str(tmp_path),)).get(SECONDS)
    assert not trouble, trouble

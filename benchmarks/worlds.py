"""Many games at once: every answer of some predicates, in each of thousands of games.

``python benchmarks/worlds.py [--quick] [--work] [--games N] [SLICE …]``. DuckDB and numpy are
wanted beside Seatlog and its extra: ``pip install duckdb numpy 'seatlog[clingo]'``.

DuckDB has SQL that is made of the same clauses (``sql.py``) and the games in its tables; a circuit
has them packed, one bit per game; the other engines get one game after the other. All take turns,
and their answers on the first games are compared before anything is measured. What is timed begins
with the facts as an engine takes them and ends with every row of the predicates asked for.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from typing import NamedTuple

from bits import Asked, Bits, repeated, somewhere
from draws import Facts, drawn, rests_on, stated
from measure import WALL, WORK, Clock, Contender, alternate, equal
from sql import Games, Schema

from seatlog.book import Book
from seatlog.editions import load_book
from seatlog.model import Literal, Row, Statement, Value, Var
from seatlog.solvers import Solver, describe, open_solver
from seatlog.worlds import Slots, columns, shared_out, solve

ONE_BY_ONE = {"compiled": 5, "clingo": 1, "pydatalog": 1}
"""Engines that take one game after the other, and how many times the few of a slice each gets."""
BITS, ALONE = "one bit", "without numpy"
KEPT = "circuit kept"
TIMES, PIECE = 50, 131_072 // 8
CORES = 500
"""So many times as many games for two workers, who have to be started."""
"""So many times as many games for one bit per game; the bytes of a piece of a column at work."""
TWO = {"Player": 4, "Thing": 3}
Answers = list[dict[str, set[Row]]]
"""For each game the rows of each predicate."""


class Slice(NamedTuple):
    """Some predicates of a book, and how much there is of each sort in a game.

    On the first ``few`` games answers are compared, and as many are given to slow engines in a run.
    """

    title: str
    edition: str
    bound: Mapping[str, int]
    few: int
    wanted: Callable[[Book], Iterable[str]]


def whole(book: Book) -> Iterable[str]:
    """Every predicate that has clauses."""
    return sorted(book.by_head)


def range_rules(book: Book) -> Iterable[str]:
    """The heads of the clauses under 801."""
    return sorted({c.head.name for c in book.clauses if c.rule.startswith("801.")})


def verdicts(_book: Book) -> Iterable[str]:
    """Who is in range, who can be targeted, who can be attacked."""
    return ["in_range", "can_target", "can_attack"]


FIVE = {"Player": 5, "Thing": 3}
SLICES = {
    "one": Slice("three verdicts", "cr", {**FIVE, "Turn": 3, "Reach": 4}, 20, verdicts),
    "range": Slice("all heads of 801", "cr", {**FIVE, "Ability": 2, "Effect": 2}, 4, range_rules),
    "book": Slice("the whole book", "cr", {**FIVE, "Player": 4}, 4, whole),
    "draft": Slice("the whole draft", "draft2004", {**FIVE, "Player": 4}, 4, whole),
}


PARTS = (*SLICES, "books", "cores")


class Field:
    """The games of a slice, and what each engine makes of them."""

    def __init__(self, chosen: Slice, games: int) -> None:
        self.book, self.games = load_book(chosen.edition), games
        self.names = list(chosen.wanted(self.book))
        self.universe = Slots(self.book.vocabulary, chosen.bound, self.book.clauses)
        self.read = rests_on(self.book, self.names)
        self.facts: Facts = drawn(self.book, self.universe, self.read, games, seed=1)
        self.few = chosen.few
        first = range(self.few * max(ONE_BY_ONE.values()))
        self.said: list[list[Statement]] = [stated(self.facts, game) for game in first]
        self.asked = [
            Literal(name, tuple(Var(f"V{i}") for i in range(self.book.predicates[name].arity)))
            for name in self.names
        ]

    def one_by_one(self, engine: str, games: int) -> Answers:
        """The answers of an engine that takes one game after the other."""
        out = []
        for said in self.said[:games]:
            solver: Solver = open_solver(self.book, said, engine)
            if hasattr(solver, "ground"):
                solver.ground(self.names)
            out.append({x.name: set(solver.rows(x)) for x in self.asked})
        return out

    def of_bits(self, asked: Asked, found: list[int]) -> Answers:
        """The answers that columns hold."""
        out: Answers = [{name: set() for name in self.names} for _ in range(self.few)]
        for (name, row), held in zip(asked.rows, found, strict=True):
            for game in range(self.few):
                if held >> game & 1:
                    out[game][name].add(row)
        return out

    def in_sql(self, schema: Schema, database: Games, games: int) -> Answers:
        """The answers that stand in a database."""
        out: Answers = [{name: set() for name in self.names} for _ in range(games)]
        for name in self.names:
            for game, row in database.rows(schema, name, games):
                out[game][name].add(row)
        return out


def measure(chosen: Slice, games: int, runs: int, clock: Clock) -> None:
    """Compare the answers of all engines, then measure them."""
    field = Field(chosen, games)
    schema = Schema(field.book, field.read, {})
    database = Games(schema, field.facts, games)
    database.solve(schema, field.names)
    answers = {"DuckDB": field.in_sql(schema, database, field.few)}
    answers |= {engine: field.one_by_one(engine, field.few) for engine in ONE_BY_ONE}
    start = clock.inside()
    asked = Bits(field.universe, [field.book], field.names).answers()
    compiling = clock.inside() - start
    answers[BITS] = field.of_bits(asked, asked.solve(columns(field.facts.items(), games)))
    equal(answers)
    packed = columns(repeated(field.facts, games, TIMES).items(), games * TIMES)
    contenders = {
        "DuckDB": Contender(lambda _: database.solve(schema, field.names)),
        BITS: Contender(lambda _: asked.solve(packed, True)),
        ALONE: Contender(lambda _: asked.solve(packed, False)),
    }
    many = {"DuckDB": games, BITS: games * TIMES, ALONE: games * TIMES}
    for engine, by in ONE_BY_ONE.items():
        many[engine] = field.few * by
        contenders[engine] = Contender(
            lambda _, engine=engine: field.one_by_one(engine, many[engine])  # type: ignore[misc]
        )
    medians = alternate(contenders, runs, clock.inside)
    speeds = {name: many[name] / seconds for name, seconds in medians.items()}
    some = sum(len(rows) for game in answers["DuckDB"] for rows in game.values()) / field.few
    print(
        f"\n{chosen.title}: {len(field.names)} predicates, {len(field.facts)} facts that games may "
        f"state, {games:,} games, {some:.0f} rows a game; a circuit of {len(asked.plan.steps):,} "
        f"operations, made in {compiling:.2g} s\n"
    )
    width = games * TIMES // 8
    held = width * (len(asked.plan.facts) + len(asked.rows)) + asked.plan.registers * PIECE
    show(speeds, {"DuckDB": database.memory(), BITS: held})


def books(games: int, runs: int, clock: Clock) -> None:
    """In how many games the book of today and an earlier one part on some verdict, end to end."""
    today, before = load_book("cr"), load_book("cr2021")
    names = [n for n in sorted(today.by_head) if today.role(n) and n in before.by_head]
    universe = Slots(today.vocabulary, TWO, [*today.clauses, *before.clauses])
    read = sorted({*rests_on(today, names), *rests_on(before, names)})
    facts = drawn(today, universe, read, games, seed=2)
    packed = columns(facts.items(), games)
    codes: dict[Value, int] = {}
    one, other = Schema(today, read, codes, "a"), Schema(before, read, codes, "b")
    database = Games(one, facts, games)

    def in_sql(_: object) -> int:
        database.solve(one, names)
        database.solve(other, names)
        return database.differing(one, other, names)

    def first(_: object) -> int:
        return again(Bits(universe, [today, before], names).differences())

    def again(asked: Asked) -> int:
        return somewhere(asked.solve(packed))

    kept = Bits(universe, [today, before], names).differences()
    answers = {"DuckDB": in_sql(None), BITS: first(None), KEPT: again(kept)}
    equal(answers)
    contenders = {
        "DuckDB": Contender(in_sql),
        BITS: Contender(first),
        KEPT: Contender(lambda _: again(kept)),
    }
    medians = alternate(contenders, runs, clock.inside)
    print(
        f"\ntwo books, {len(names)} verdicts: they part in {answers[KEPT]:,} of {games:,} games, "
        f"on {len(kept.rows)} rows\n"
    )
    show({name: games / seconds for name, seconds in medians.items()}, {})


def cores(games: int, runs: int) -> None:
    """The same question worked off in this process, and by two workers that are started for it."""
    today, before = load_book("cr"), load_book("cr2021")
    names = [n for n in sorted(today.by_head) if today.role(n) and n in before.by_head]
    universe = Slots(today.vocabulary, TWO, [*today.clauses, *before.clauses])
    read = sorted({*rests_on(today, names), *rests_on(before, names)})
    facts = drawn(today, universe, read, games, seed=2)
    asked = Bits(universe, [today, before], names).differences()
    many = games * CORES
    packed = columns(repeated(facts, games, CORES).items(), many)
    contenders = {
        "one process": Contender(lambda _: solve(asked.plan, packed)),
        "two workers": Contender(lambda _: shared_out(asked.plan, packed, workers=2)),
    }
    equal({name: contender.work(None) for name, contender in contenders.items()})
    medians = alternate(contenders, runs, WALL.inside)
    print(f"\ntwo books, {len(names)} verdicts, {many:,} games; workers are started each time\n")
    show({name: many / seconds for name, seconds in medians.items()}, {})


def show(speeds: Mapping[str, float], memory: Mapping[str, int]) -> None:
    """Print what each engine does in a second, the fastest first."""
    for name, speed in sorted(speeds.items(), key=lambda each: -each[1]):
        said = ", ".join(
            f"{speed / other:,.3g} x {one}" for one, other in speeds.items() if other < speed
        )
        used = f"   {memory[name] / 1e6:,.0f} MB" if name in memory else ""
        print(f"  {name:<12} {speed:>12,.0f} games/s{used}   {said}")


def main() -> None:
    """Measure the slices asked for."""
    parser = argparse.ArgumentParser(
        description="Many games at once, in every engine.", allow_abbrev=False
    )
    parser.add_argument("slices", nargs="*", metavar="|".join(PARTS), help="all, unless said")
    parser.add_argument("--quick", action="store_true", help="3 runs instead of 9")
    parser.add_argument("--work", action="store_true", help="processor seconds, on a busy machine")
    parser.add_argument("--games", type=int, default=20_000, help="for engines that take many")
    given = parser.parse_args()
    unknown = [name for name in given.slices if name not in PARTS]
    if unknown:
        parser.error(f"no slice is called {unknown[0]!r}; there are: {', '.join(PARTS)}")
    if given.games < 1000:
        parser.error("at least 1000 games are needed")
    missing = [name for name in ("duckdb", "numpy", "clingo") if find_spec(name) is None]
    if missing:
        parser.error(f"not installed: pip install {' '.join(missing)}")
    print(", ".join(["DuckDB " + _version(), *(describe(engine) for engine in ONE_BY_ONE)]))
    runs, clock = 3 if given.quick else 9, WORK if given.work else WALL
    for name in given.slices or PARTS:
        if name in SLICES:
            measure(SLICES[name], given.games, runs, clock)
        elif name == "cores":
            cores(given.games, runs)
        else:
            books(given.games, runs, clock)


def _version() -> str:
    from importlib.metadata import version

    return version("duckdb")


if __name__ == "__main__":
    main()

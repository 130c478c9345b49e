"""How the cost of a game grows with players, things, clauses and games, in every engine.

``python benchmarks/scale.py [--wall]``: small tables of microseconds a game (processor time unless
``--wall`` is said), one run each after the answers were compared; less than two minutes on an idle
machine. It wants what ``worlds.py`` wants.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from functools import partial

from bits import Bits
from draws import below
from measure import WALL, WORK, Clock, equal
from sql import Games, Schema
from worlds import ONE_BY_ONE, Field, Slice, verdicts

from seatlog.book import Book
from seatlog.worlds import columns

GAMES, FEW = 5_000, 5
PLAYERS, THINGS = (2, 4, 6, 8), (1, 3, 6, 12)
CLAUSES, MANY = (1, 2, 4, 8, 16), (100, 1_000, 10_000, 50_000)


def line(chosen: Slice, games: int, clock: Clock) -> dict[str, float]:
    """Microseconds a game by engine; of the circuit its operations and milliseconds to make it."""
    field = Field(chosen, games)
    schema = Schema(field.book, field.read, {})
    database = Games(schema, field.facts, games)
    out: dict[str, float] = {}
    start = clock.inside()
    asked = Bits(field.universe, [field.book], field.names).answers()
    out["circuit, ms"] = 1e3 * (clock.inside() - start)
    out["operations"] = len(asked.plan.steps)
    packed = columns(field.facts.items(), games)
    start = clock.inside()
    found = asked.solve(packed)
    out["one bit"] = 1e6 * (clock.inside() - start) / games
    answers = {"one bit": field.of_bits(asked, found)}
    start = clock.inside()
    database.solve(schema, field.names)
    out["DuckDB"] = 1e6 * (clock.inside() - start) / games
    answers["DuckDB"] = field.in_sql(schema, database, field.few)
    for engine in ONE_BY_ONE:
        field.one_by_one(engine, 1)
        start = clock.inside()
        answers[engine] = field.one_by_one(engine, field.few)
        out[engine] = 1e6 * (clock.inside() - start) / field.few
    equal(answers)
    return out


def clauses_of(book: Book, names: Iterable[str]) -> int:
    """How many clauses some predicates rest on."""
    return sum(len(book.clauses_of(name)) for name in below(book, names))


def first(number: int, book: Book) -> list[str]:
    """So many verdicts of a book, in the order of their rules."""
    heads = dict.fromkeys(clause.head.name for clause in book.clauses)
    return [name for name in heads if book.role(name)][:number]


def show(what: str, lines: Mapping[str, Mapping[str, float]]) -> None:
    """Print one table."""
    names = list(next(iter(lines.values())))
    print(f"\n{what:<22}" + "".join(f"{name:>13}" for name in names))
    for said, costs in lines.items():
        print(f"{said:<22}" + "".join(f"{_short(costs[name]):>13}" for name in names))


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="How cost grows.", allow_abbrev=False)
    parser.add_argument("--wall", action="store_true", help="time that passes, on an idle machine")
    clock = WALL if parser.parse_args().wall else WORK

    def three(players: int, things: int) -> Slice:
        bound = {"Player": players, "Thing": things, "Turn": 3, "Reach": 4}
        return Slice("", "cr", bound, FEW, verdicts)

    print("microseconds a game, unless another unit is said")
    show(
        "players (3 things)",
        {f"{n}": line(three(n, 3), GAMES, clock) for n in PLAYERS},
    )
    show(
        "things (4 players)",
        {f"{n}": line(three(4, n), GAMES, clock) for n in THINGS},
    )
    lines = {}
    for number in CLAUSES:
        chosen = Slice("", "cr", {"Player": 4, "Thing": 3}, FEW, partial(first, number))
        field = Field(chosen, 1)
        said = f"{clauses_of(field.book, field.names)} of {len(field.book.clauses)}"
        lines[said] = line(chosen, GAMES // 5, clock)
    show("clauses (4 × 3)", lines)
    show("games (4 × 3)", {f"{n:,}": line(three(4, 3), n, clock) for n in MANY})


if __name__ == "__main__":
    main()

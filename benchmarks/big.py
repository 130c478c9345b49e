"""Everything that many players can target among themselves and 50 objects.

Each contender runs in a process of its own, since objects kept by one slow down the other's
garbage collection.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable
from typing import Any

from measure import WALL, WORK, Clock, equal, table

SIZES, OBJECTS, RANGE, LEAVERS = (10, 30, 100, 300, 1000), 50, 2, 4
SHOWN = (100, 1000)
PLAIN = "plain pyDatalog script"
SESSION = "seatlog, a session"
QUESTION = "can_target(Player, Target)"

Steps = tuple[Callable[[], object], Callable[[], Any]]


def state(players: int) -> dict[str, Any]:
    """The table of that many players, the same every time."""
    rng = random.Random(801)
    seats = [f"Player {number}" for number in range(1, players + 1)]
    kinds = ("creature", "creature", "artifact", "enchantment", "planeswalker", "battle")
    objects: dict[str, dict[str, Any]] = {}
    for number in range(1, OBJECTS + 1):
        kind = rng.choice(kinds)
        made: dict[str, Any] = {"controller": rng.choice(seats), "types": [kind]}
        if kind == "battle":
            made["protector"] = rng.choice(seats)
        if rng.random() < 0.2:
            made["keywords"] = [rng.choice(("hexproof", "shroud"))]
        if rng.random() < 0.1:
            made["owner"] = rng.choice(seats)
        objects[f"Object {number}"] = made
    left = {player: rng.choice((1, 2)) for player in rng.sample(seats, LEAVERS)}
    return {"seats": seats, "range": RANGE, "turn": 2, "left": left, "objects": objects}


def by_session(players: int) -> Steps:
    """Opening, and asking."""
    import seatlog

    games: list[Any] = []
    return lambda: games.append(seatlog.open(state(players))), lambda: games[-1].ask(QUESTION).rows


def by_solver(players: int) -> Steps:
    """Opening, and asking only for the rows of a literal."""
    import seatlog
    from seatlog.model import Literal, Var

    games: list[Any] = []
    literal = Literal("can_target", (Var("Player"), Var("Target")))
    return lambda: games.append(seatlog.open(state(players))), lambda: games[-1].solver.rows(
        literal
    )


def by_compiled(players: int) -> Steps:
    """Opening, and asking compiled clauses, which are made while asked."""
    import seatlog

    games: list[Any] = []
    return lambda: games.append(
        seatlog.open(state(players), solver="compiled")
    ), lambda: games[-1].ask(QUESTION).rows


def by_script(players: int) -> Steps:
    """Loading, and asking."""
    from pyDatalog import pyDatalog

    import seatlog
    from seatlog.views import script

    game = seatlog.open(state(players))
    text = script(game.book, game.table.facts)
    del game
    load: Callable[[], object] = lambda: exec(text, {})  # noqa: S102, E731
    return load, lambda: pyDatalog.ask(QUESTION).answers


def by_hand(players: int) -> Steps:
    """Looking things up, and answering."""
    from by_hand import Game

    games: list[Game] = []
    return lambda: games.append(Game(state(players))), lambda: games[-1].all_targets()


CONTENDERS = {
    "hand-written Python": by_hand,
    PLAIN: by_script,
    SESSION: by_session,
    "seatlog, a session's solver": by_solver,
    "seatlog, a compiled session": by_compiled,
}


def alone(name: str, players: int, clock: Clock) -> None:
    """Measure one contender once and print what came out as JSON."""
    start, ask = CONTENDERS[name](players)
    times = [clock.inside()]
    start()
    times.append(clock.inside())
    rows = ask()
    times.append(clock.inside())
    print(json.dumps({"times": times, "rows": sorted(map(list, rows))}))


def compare(
    names: Iterable[str], players: int, runs: int, clock: Clock
) -> tuple[dict[str, float], dict[str, float], int]:
    """The median seconds of loading and of asking, and the number of answers."""
    loading: dict[str, list[float]] = {name: [] for name in names}
    asking: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(runs):
        answers = {}
        for name in asking:
            kind = "--work" if clock is WORK else "--wall"
            command = [sys.executable, __file__, name, str(players), kind]
            done = subprocess.run(command, capture_output=True, env=os.environ, check=True)
            found = json.loads(done.stdout)
            before, between, after = found["times"]
            loading[name].append(between - before)
            asking[name].append(after - between)
            answers[name] = found["rows"]
        equal(answers)
    return _medians(loading), _medians(asking), len(answers[PLAIN])


def run(runs: int, clock: Clock) -> None:
    """Measure and print."""
    for players in SHOWN:
        fewer = runs if players == SHOWN[0] else max(3, runs // 6)
        loaded, asked, number = compare(CONTENDERS, players, fewer, clock)
        for what, taken in (("asked", asked), ("loaded or opened", loaded)):
            rows = [(n, m, f"{m / taken[PLAIN]:.3f} of the plain script") for n, m in taken.items()]
            table(f"All can_target of {players} players and {OBJECTS} objects: {what}", rows)
        print(f"\n  {number} answers, the same from all")


def grow(runs: int, clock: Clock) -> None:
    """Measure and print how both grow with the number of players."""
    rows = []
    for players in SIZES:
        fewer = max(3, runs // 3) if players < SIZES[-1] else max(3, runs // 6)
        _, asked, _ = compare((PLAIN, SESSION), players, fewer, clock)
        for name in (PLAIN, SESSION):
            of = f"{asked[name] / asked[PLAIN]:.2f} of the plain script"
            rows.append((f"{players} players: {name}", asked[name], of))
    table(f"All can_target of a growing table with {OBJECTS} objects: asked", rows)


def _medians(taken: dict[str, list[float]]) -> dict[str, float]:
    return {name: statistics.median(times) for name, times in taken.items()}


if __name__ == "__main__":
    alone(sys.argv[1], int(sys.argv[2]), WORK if "--work" in sys.argv else WALL)

"""Everything that 100 players can target among themselves and 50 objects.

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
from collections.abc import Callable
from typing import Any

from measure import WALL, WORK, Clock, equal, table

PLAYERS, OBJECTS, RANGE, LEAVERS = 100, 50, 2, 4
PLAIN = "plain pyDatalog script"
QUESTION = "can_target(Player, Target)"


def state() -> dict[str, Any]:
    """The table, the same every time."""
    rng = random.Random(801)
    seats = [f"Player {number}" for number in range(1, PLAYERS + 1)]
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


def by_session() -> tuple[Callable[[], object], Callable[[], Any]]:
    """Opening, and asking."""
    import seatlog

    games: list[Any] = []
    return lambda: games.append(seatlog.open(state())), lambda: games[-1].ask(QUESTION).rows


def by_solver() -> tuple[Callable[[], object], Callable[[], Any]]:
    """Opening, and asking only for the rows of a literal."""
    import seatlog
    from seatlog.model import Literal, Var

    games: list[Any] = []
    literal = Literal("can_target", (Var("Player"), Var("Target")))
    return lambda: games.append(seatlog.open(state())), lambda: games[-1].solver.rows(literal)


def by_script() -> tuple[Callable[[], object], Callable[[], Any]]:
    """Loading, and asking."""
    from pyDatalog import pyDatalog

    import seatlog
    from seatlog.paste import script

    game = seatlog.open(state())
    text = script(game.book, game.table.facts)
    del game
    load: Callable[[], object] = lambda: exec(text, {})  # noqa: S102, E731
    return load, lambda: pyDatalog.ask(QUESTION).answers


def by_hand() -> tuple[Callable[[], object], Callable[[], Any]]:
    """Looking things up, and answering."""
    from by_hand import Game

    games: list[Game] = []
    return lambda: games.append(Game(state())), lambda: games[-1].all_targets()


CONTENDERS = {
    "hand-written Python": by_hand,
    PLAIN: by_script,
    "seatlog, a session": by_session,
    "seatlog, a session's solver": by_solver,
}


def alone(name: str, clock: Clock) -> None:
    """Measure one contender once and print what came out as JSON."""
    start, ask = CONTENDERS[name]()
    times = [clock.inside()]
    start()
    times.append(clock.inside())
    rows = ask()
    times.append(clock.inside())
    print(json.dumps({"times": times, "rows": sorted(map(list, rows))}))


def run(runs: int, clock: Clock) -> None:
    """Measure and print."""
    loading: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    asking: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    for _ in range(runs):
        answers = {}
        for name in CONTENDERS:
            command = [sys.executable, __file__, name, "--work" if clock is WORK else "--wall"]
            done = subprocess.run(command, capture_output=True, env=os.environ, check=True)
            found = json.loads(done.stdout)
            before, between, after = found["times"]
            loading[name].append(between - before)
            asking[name].append(after - between)
            answers[name] = found["rows"]
        equal(answers)
    for what, taken in (("asked", asking), ("loaded or opened", loading)):
        base = statistics.median(taken[PLAIN])
        rows = [(n, m, f"{m / base:.3f} of the plain script") for n, m in _medians(taken)]
        table(f"All can_target of {PLAYERS} players and {OBJECTS} objects: {what}", rows)
    print(f"\n  {len(answers[PLAIN])} answers, the same from all")


def _medians(taken: dict[str, list[float]]) -> list[tuple[str, float]]:
    return [(name, statistics.median(times)) for name, times in taken.items()]


if __name__ == "__main__":
    alone(sys.argv[1], WORK if "--work" in sys.argv else WALL)

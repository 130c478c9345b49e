"""One question about two neighbours as a whole process, at tables of 10 to 1,000 players."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import Clock, Contender, alternate, equal, table

SIZES = (10, 100, 1000)
QUESTIONS = (
    ("Ann", "target", "Bear"),
    ("Ann", "reach", "Bob"),
    ("Bear", "attack", "Bob"),
    ("Ann", "target", "Wolf"),
)


def text(players: int) -> str:
    """A table of a Grand Melee: a few creatures, two players who have left."""
    seats = [f"Player {number}" for number in range(1, players + 1)]
    seats[3:5] = ["Ann", "Bob"]
    quoted = ", ".join(f'"{name}"' for name in seats)
    return (
        f'variant = "grand_melee"\nseats = [{quoted}]\nturn = 4\n'
        'left = { "Player 8" = 2, "Player 10" = 4 }\n'
        '[objects]\nBear = { controller = "Ann", types = ["creature"] }\n'
        'Cat = { controller = "Bob", types = ["creature"] }\n'
        'Wolf = { controller = "Player 6", types = ["creature"] }\n'
        'Sage = { controller = "Player 7", types = ["planeswalker"] }\n'
    )


def run(runs: int, clock: Clock) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        environment = {**os.environ, "SEATLOG_CACHE": str(work / "prepared")}
        for players in SIZES:
            (work / f"{players}.toml").write_text(text(players), encoding="utf-8")
        for words in QUESTIONS:
            calls = {
                players: [
                    *(sys.executable, "-m", "seatlog", "can", str(work / f"{players}.toml")),
                    *words,
                ]
                for players in SIZES
            }
            equal({f"{n} players": _answer(call, environment) for n, call in calls.items()})
            contenders = {
                f"{n} players": Contender(
                    lambda _, call=call: subprocess.run(  # type: ignore[misc]
                        call, env=environment, stdout=subprocess.DEVNULL, check=False
                    )
                )
                for n, call in calls.items()
            }
            medians = alternate(contenders, runs, clock.children)
            base = medians[f"{SIZES[0]} players"]
            rows = [(n, t, f"{t / base:.2f} of {SIZES[0]} players") for n, t in medians.items()]
            table(f"seatlog can TABLE {' '.join(words)}, whole process", rows)


def _answer(call: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(call, env=environment, capture_output=True, text=True, encoding="utf-8")
    return done.stdout

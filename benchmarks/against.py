"""Two installed Seatlogs side by side: ``python benchmarks/against.py OTHER_PYTHON [--quick]``.

Both are asked the same by processes that take turns, this Python's and the other's, each with a
cache of its own. Only what has been there from the first release is used.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

TABLE = Path(__file__).parent.parent / "facts" / "tables" / "four_in_a_ring.toml"
ASKED = ("Alex", "target", "Runeclaw Bear")
COMMANDS = ("can", "why", "draw")
INSIDE = """
import gc, json, sys, time
import seatlog
table, who, verb, what = sys.argv[1:]
game = seatlog.open(table)
seats = [f"P{n}" for n in range(100)]
objects = {f"O{n}": {"controller": f"P{n}", "types": ["creature"]} for n in range(0, 100, 2)}
ring = seatlog.open({"seats": seats, "range": 1, "objects": objects})

def spent(work, times):
    gc.collect()
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times

def fresh():
    return seatlog.open(table)

out = {
    "table read, question": spent(lambda: bool(fresh().can(who, verb, what)), 10),
    "table read, question, reason": spent(lambda: str(fresh().can(who, verb, what)), 10),
    "repeated question": spent(lambda: bool(game.can(who, verb, what)), 500),
    "repeated question, reason": spent(lambda: str(game.can(who, verb, what)), 200),
    "who targets what, 100 players, 50 things": spent(
        lambda: len(ring.ask("can_target(X, Y)").rows), 1),
}
print(json.dumps({"answer": str(game.can(who, verb, what)), "seconds": out}))
"""


def main() -> None:
    """Measure, compare the answers, and print medians and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("other", metavar="OTHER_PYTHON", help="of an environment with a Seatlog")
    parser.add_argument("--quick", action="store_true", help="5 runs instead of 30")
    given = parser.parse_args()
    pythons = {"this": sys.executable, "other": given.other}
    taken: dict[str, dict[str, list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(6 if given.quick else 31):
            answers = set()
            for name, python in pythons.items():
                found, answer = _measured(python, str(Path(folder) / name))
                answers.add(answer)
                for what, seconds in found.items() if turn else ():
                    taken.setdefault(what, {}).setdefault(name, []).append(seconds)
            if len(answers) > 1:
                raise SystemExit("the two answer differently: nothing was measured")
    print(f"processor seconds, medians of {5 if given.quick else 30} alternating runs\n")
    for what, both in taken.items():
        this, other = (statistics.median(both[name]) for name in pythons)
        print(f"  {what:<44} {this * 1e3:10.3f} ms   {this / other:.3f} x the other")


def _measured(python: str, cache: str) -> tuple[dict[str, float], str]:
    """The seconds that each thing takes, and what was answered."""
    environment = {**os.environ, "SEATLOG_CACHE": cache}
    found = {}
    for command in COMMANDS:
        words = [] if command == "draw" else ASKED
        before = _children()
        subprocess.run(
            [python, "-m", "seatlog", command, str(TABLE), *words],
            env=environment,
            stdout=subprocess.DEVNULL,
            check=False,
        )
        found[f"seatlog {command}, whole process"] = _children() - before
    done = subprocess.run(
        [python, "-c", INSIDE, str(TABLE), *ASKED],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    inside = json.loads(done.stdout)
    return {**found, **inside["seconds"]}, inside["answer"]


def _children() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


if __name__ == "__main__":
    main()

"""From an author's edit to the answer: what three jobs take, in processor seconds.

    python benchmarks/authors.py

For each job of ``tests/support/jobs.py``: the edit itself; whether any verdict can differ within 4
players and 2 things, with a game in which it does, once what the base says is laid out and before;
and all scenarios of the base, asked again and for the first time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import seatlog

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

SCENARIOS = ROOT / "tests" / "scenarios" / "cr"


def taken(work: Callable[[], object]) -> float:
    """The processor seconds that some work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Print the figures, each job in a draft of its own and then once more."""
    from jobs import JOBS

    empty = ROOT / "tests" / "scenarios" / "cr" / "101.1_cards.toml"
    for job in JOBS:
        draft = seatlog.draft("cr")
        edits, games, scenarios = [], [], []
        for _ in range(2):
            edits.append(taken(lambda: job(draft)))
            games.append(taken(lambda: draft.diff(scenarios=empty)))
            scenarios.append(taken(lambda: draft.diff(scenarios=SCENARIOS, bound=None)))
            changes = draft.diff(scenarios=SCENARIOS)
            draft.undo()
        (shown,) = changes.glimpse.gathered.differences if changes.glimpse else ()
        print(
            f"{job.__name__}: edit {edits[1]:.2f} ({edits[0]:.2f} the first time), a game "
            f"{games[1]:.2f} ({games[0]:.2f}), scenarios {scenarios[1]:.2f} ({scenarios[0]:.2f}); "
            f"{changes.asked} asked, {changes.untouched} untouched; {shown.question.text}: "
            f"{shown.a.said} -> {shown.b.said} with {dict(shown.size)}",
            flush=True,
        )


if __name__ == "__main__":
    main()

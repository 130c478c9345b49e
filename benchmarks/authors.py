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
from seatlog import Draft, Edit

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

SCENARIOS = ROOT / "tests" / "scenarios" / "cr"
FEW = SCENARIOS / "101.1_cards.toml"


def taken(work: Callable[[], object]) -> float:
    """The processor seconds that some work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measure(job: Callable[[Draft], Edit]) -> str:
    """A job done twice in a draft of its own."""
    draft = seatlog.draft("cr")
    found: list[tuple[float, float, float]] = []
    for _ in range(2):
        edit = taken(lambda: job(draft))
        game = taken(lambda: draft.diff(scenarios=FEW))
        found.append((edit, game, taken(lambda: draft.diff(scenarios=SCENARIOS, bound=None))))
        changes = draft.diff(scenarios=SCENARIOS)
        draft.undo()
    assert changes.glimpse is not None
    (shown,) = changes.glimpse.gathered.differences
    first, then = found
    return (
        f"{job.__name__}: edit {then[0]:.2f} ({first[0]:.2f} the first time), a game {then[1]:.2f} "
        f"({first[1]:.2f}), scenarios {then[2]:.2f} ({first[2]:.2f}); {changes.asked} asked, "
        f"{changes.untouched} untouched; {shown.question.text}: {shown.a.said} -> {shown.b.said} "
        f"with {dict(shown.size)}"
    )


def main() -> None:
    """Print the figures."""
    from jobs import JOBS

    for job in JOBS:
        print(measure(job), flush=True)


if __name__ == "__main__":
    main()

"""How fast Seatlog is: ratios against plain pyDatalog and hand-written Python.

``python benchmarks/run.py [--quick] [--work] [PART …]``; see README.md beside it.
"""

from __future__ import annotations

import argparse
import os
import platform
from datetime import date
from pathlib import Path

import big
import crowd
import warm
import whole
from measure import WALL, WORK

import seatlog
from seatlog.solvers import describe

PARTS = {
    "whole": whole.run,
    "crowd": crowd.run,
    "warm": warm.run,
    "big": big.run,
    "growth": big.grow,
}


def main() -> None:
    """Measure the parts asked for."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("parts", nargs="*", metavar="|".join(PARTS), help="all, unless said")
    parser.add_argument("--quick", action="store_true", help="5 runs instead of 30")
    parser.add_argument("--work", action="store_true", help="processor seconds, on a busy machine")
    given = parser.parse_args()
    unknown = [part for part in given.parts if part not in PARTS]
    if unknown:
        parser.error(f"no part is called {unknown[0]!r}; there are: {', '.join(PARTS)}")
    runs = 5 if given.quick else 30
    print(
        f"{date.today().isoformat()}, Python {platform.python_version()}, {os.cpu_count()} cores, "
        f"{describe()}, medians of {runs} alternating runs"
        + (", processor seconds" if given.work else "")
    )
    if "site-packages" not in Path(str(seatlog.__file__)).parts:
        print("installed in editable mode: starting takes longer than it would for a user")
    for part in given.parts or PARTS:
        PARTS[part](runs, WORK if given.work else WALL)


if __name__ == "__main__":
    main()

"""Rule texts beside what can't be saved: ``python benchmarks/texts.py [--quick] [--work] FILE…``.

Reading one is set against a bare regular expression that looks for numbers in the same bytes,
matching two against reading both. Without files those of ``../shared/cr`` are taken.
"""

from __future__ import annotations

import argparse
import re
from functools import partial
from itertools import pairwise
from pathlib import Path

from measure import WALL, WORK, Contender, alternate

from seatlog.text import Issue, matched, open_issue

NUMBER = re.compile(r"[0-9]{3}\.[0-9]+[a-z]?")
SHARED = Path(__file__).parents[2] / "shared" / "cr"


def scanned(path: Path, _: object) -> int:
    """How many numbers a text has anywhere, with no regard to what they are for."""
    data = path.read_bytes()
    utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    text = data.decode("utf-16" if utf16 else "utf-8-sig", errors="replace")
    return len(NUMBER.findall(text))


def read(*given: object) -> list[Issue]:
    """The issues in these files; what was prepared, which is last, is nothing."""
    return [open_issue(path) for path in given if isinstance(path, Path)]


def compared(old: Issue, new: Issue, _: object) -> int:
    """How many matches two issues have."""
    return len(matched(old, new))


def main() -> None:
    """Measure each file, and each pair that follows each other; ratios are told."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--quick", action="store_true", help="5 runs instead of 30")
    parser.add_argument("--work", action="store_true", help="processor seconds, on a busy machine")
    given = parser.parse_args()
    files = given.files or sorted(SHARED.glob("*.txt"))
    if not files:
        parser.error(f"no rule texts in {SHARED}: name some")
    runs = 5 if given.quick else 30
    clock = (WORK if given.work else WALL).inside
    print("| read | bytes | scan for numbers | reading | ratio |\n|---|---|---|---|---|")
    for path in files:
        contenders = {
            "scan": Contender(partial(scanned, path)),
            "read": Contender(partial(read, path)),
        }
        took = alternate(contenders, runs, clock)
        print(
            f"| {path.stem} | {path.stat().st_size:,} | {1000 * took['scan']:.1f} ms | "
            f"{1000 * took['read']:.1f} ms | {took['read'] / took['scan']:.1f} |"
        )
    print("\n| matched | reading both | matching | ratio |\n|---|---|---|---|")
    for old, new in pairwise(files):
        contenders = {
            "read": Contender(partial(read, old, new)),
            "match": Contender(partial(compared, open_issue(old), open_issue(new))),
        }
        took = alternate(contenders, runs, clock)
        print(
            f"| {old.stem} to {new.stem} | {1000 * took['read']:.1f} ms | "
            f"{1000 * took['match']:.1f} ms | {took['match'] / took['read']:.1f} |"
        )


if __name__ == "__main__":
    main()

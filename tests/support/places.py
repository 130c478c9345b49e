"""Where the project's files lie, whatever folder a test stands in."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
SHARED = ROOT.parent / "shared"
"""Rule books and sources beside the project; tests that read them pass where they aren't there."""
CLAUSE_FILES = sorted(
    path
    for project in (ROOT, TESTS / "other_book")
    for folder in ("rules", "facts")
    for path in (project / folder).rglob("*.dl")
)
"""The shipped clause files, and those of the book about something else."""

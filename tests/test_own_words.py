"""The project ships no rule text: no long run of the rule books' words stands in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from seatlog.wording import decode

ROOT = Path(__file__).parent.parent
BOOKS = ROOT.parent / "shared" / "cr"
RUN = 8
TEXTS = {".py", ".dl", ".toml", ".md", ".cfg", ".txt", ".json"}
SKIP = {".git", ".venv", "build", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache"}


def runs(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"[a-z']+", text.lower().replace("’", "'"))
    return zip(*(words[i:] for i in range(RUN)), strict=False)


def ours() -> list[Path]:
    return [
        p
        for p in sorted(ROOT.rglob("*"))
        if p.suffix in TEXTS and p.is_file() and not SKIP & set(p.relative_to(ROOT).parts)
    ]


def test_a_copied_sentence_would_be_found() -> None:
    sentence = "one two three four five six seven eight nine"
    assert set(runs(sentence)) & set(runs(f"before {sentence} after"))


def test_no_sentence_of_a_rule_book_stands_in_the_project() -> None:
    books = sorted(BOOKS.glob("*.txt"))
    if not books:
        pytest.skip("no rule book beside the project")
    official: set[tuple[str, ...]] = set()
    for path in (books[0], books[-1]):
        official |= set(runs(decode(path.read_bytes())))
    copied = {
        f"{path.relative_to(ROOT)}: {' '.join(run)}"
        for path in ours()
        for run in runs(path.read_text(encoding="utf-8"))
        if run in official
    }
    assert not copied

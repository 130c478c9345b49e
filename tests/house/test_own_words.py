"""The project ships no rule text: no long run of the rule books' words stands in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from damaged import plain
from places import ROOT, SHARED

BOOKS = SHARED / "cr"
PAGES = SHARED / "sources"
RUN = 7
SIGNS = 14
SIGN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
JAPANESE = re.compile(r"[\u3005-\u3007\u3040-\u30ff\u3400-\u9fff]{14,}")
FIELD = {
    "a spell or ability on the stack",
    "an aura equipment or fortification is attached",
    "aura equipment or fortification is attached to",
    "the game is a draw the game",
    "a player a planeswalker or a battle",
}
"""Runs that are lists of the field's words, which can't be said otherwise."""
TEXTS = {".py", ".dl", ".toml", ".md", ".cfg", ".txt", ".json"}
SKIP = {".git", ".venv", "build", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache"}


def runs(text: str) -> Iterator[tuple[str, ...]]:
    """Runs of words, as if the holes of sentences weren't there, and of Japanese signs.

    English words amid Japanese ones follow each other in no sentence.
    """
    japanese = JAPANESE.findall(text)
    if japanese:
        yield from ((run[i : i + SIGNS],) for run in japanese for i in range(len(run) - SIGNS + 1))
        text = "\n".join(line for line in text.split("\n") if not SIGN.search(line))
    whole = re.sub(r"\{[^}\n]*\}", " ", text).lower().replace("’", "'")
    words = re.findall(r"[a-z']+", whole)
    yield from zip(*(words[i:] for i in range(RUN)), strict=False)


def ours() -> list[Path]:
    return [
        p
        for p in sorted(ROOT.rglob("*"))
        if p.suffix in TEXTS and p.is_file() and not SKIP & set(p.relative_to(ROOT).parts)
    ]


def test_a_copied_sentence_would_be_found() -> None:
    sentence = "one two three four five six seven eight nine"
    assert set(runs(sentence)) & set(runs(f"before {sentence} after"))
    japanese = "うえした" * 5
    assert set(runs(japanese)) & set(runs(f"あ、{japanese}。"))


def test_no_sentence_of_a_rule_book_stands_in_the_project() -> None:
    books = sorted((*BOOKS.glob("*.txt"), *PAGES.glob("*.txt")))
    if not books:
        pytest.skip("no rule book beside the project")
    own: dict[tuple[str, ...], str] = {}
    for path in ours():
        for run in runs(path.read_text(encoding="utf-8")):
            own.setdefault(run, str(path.relative_to(ROOT)))
    copied = {
        f"{own[run]}: {' '.join(run)}"
        for book in books
        for run in runs("\n".join(plain(book.read_bytes())))
        if run in own and " ".join(run) not in FIELD
    }
    assert not copied

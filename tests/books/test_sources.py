"""Every number of the sources is in a book; needs the sources beside the project, else passes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from places import SHARED
from seatlog.editions import load_book
from seatlog.text import open_issue

DRAFT = SHARED / "sources" / "multiplayer-draft-2004-ja.txt"
ZONES = SHARED / "sources" / "cr-400-ja.txt"
BOOKS = {"cr": "CR-2026-08-07-third.txt", "cr2021": "CR-2021-02-05-KHM.txt"}
MISPRINTS = {"650.2": "605.2"}
"""What the draft says, and which number it meant; its second 605.5 meant 606.5."""
NUMBER = re.compile(r"^\s*[•\-]?\s*(\d{3}\.\d+[a-z]?)\b")


def listed(path: Path) -> list[str]:
    """The numbers at the beginnings of a text's lines."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [m[1] for m in map(NUMBER.match, lines) if m]


def needs(path: Path) -> None:
    if not path.exists():
        pytest.skip("the sources aren't there")


def test_the_draft_is_covered_number_by_number() -> None:
    needs(DRAFT)
    found = [MISPRINTS.get(number, number) for number in listed(DRAFT)]
    twice = [n for n in found if found.count(n) > 1]
    assert twice == ["605.5", "605.5"]
    headings = {"601.4", "601.7", "601.8"}
    assert set(found) | {"606.5"} | headings == set(load_book("draft2004").settings["covers"])


@pytest.mark.parametrize("edition", sorted(BOOKS))
def test_chapters_are_covered_number_by_number(edition: str) -> None:
    path = SHARED / "cr" / BOOKS[edition]
    needs(path)
    found = open_issue(path).wordings()
    wanted = {n for n in found if n.startswith(("400.", "801."))}
    assert wanted == set(load_book(edition).settings["covers"])


def test_the_dated_edition_has_the_numbers_of_the_older_source() -> None:
    needs(ZONES)
    own = {n for n in load_book("cr2021").settings["covers"] if n.startswith("400.")}
    assert set(listed(ZONES)) == own


@pytest.mark.parametrize("edition", ["cr", "cr2021", "draft2004"])
def test_what_is_covered_has_clauses_or_a_reason_for_having_none(edition: str) -> None:
    book = load_book(edition)
    ruled = {c.rule for c in book.clauses}
    lacking = [
        number
        for number in load_book(edition).settings["covers"]
        if number not in ruled and not (number in book.sections and book.sections[number].left_out)
    ]
    assert not lacking

"""Every section carries the digest of the wording it was checked against."""

from __future__ import annotations

import pytest

from places import SHARED
from seatlog.book import digest, rule_order
from seatlog.editions import load_book
from seatlog.text import open_issue

BOOKS = SHARED / "cr"
DATED = {"cr": "CR-2026-08-07-third.txt", "cr2021": "CR-2021-02-05-KHM.txt"}


def test_a_digest_does_not_depend_on_typesetting() -> None:
    assert digest("A “fine”  line—so\u00a0to say") == digest('A "fine" line-so to say')
    assert digest("a fine line") != digest("a fine lane")


@pytest.mark.parametrize("edition", DATED)
def test_every_numbered_section_has_a_digest(edition: str) -> None:
    book = load_book(edition)
    bare = [s.number for s in book.sections.values() if s.number[0].isdigit() and not s.digests]
    assert not bare


@pytest.mark.parametrize("edition", DATED)
def test_digests_fit_the_dated_rule_book(edition: str) -> None:
    """A section of the edition's base may have been checked against the base's wording only.

    Then that has to be the same.
    """
    book = load_book(edition)
    path = BOOKS / DATED[edition]
    if not path.is_file():
        pytest.skip("no rule book beside the project")
    official = open_issue(path).wordings()
    source = f"{edition} {book.date}"
    wrong = []
    for section in book.sections.values():
        if section.number[0].isdigit():
            first = next(iter(section.digests.values()), "")
            checked = section.digests.get(source, first)
            if checked != digest(official.get(section.number, "")):
                wrong.append(section.number)
    assert not wrong


def test_digests_name_editions_and_their_dates() -> None:
    dated = {f"{edition} {load_book(edition).date}" for edition in DATED}
    named = {d for e in DATED for s in load_book(e).sections.values() for d in s.digests}
    assert named == dated


def test_numbers_follow_each_other_as_the_publisher_counts() -> None:
    ordered = ["about", "intro", "5", "5.2", "5.2a", "5.2z", "5.2aa", "5.10", "40.1"]
    assert sorted({*ordered}, key=rule_order) == ordered

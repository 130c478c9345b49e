"""Every section carries the digest of the wording it was checked against."""

from __future__ import annotations

import pytest

from places import SHARED
from seatlog.book import decode, digest, wordings
from seatlog.editions import load_book

BOOKS = SHARED / "cr"
DATED = {"cr": "CR-2026-08-07-third.txt", "cr2021": "CR-2021-02-05-KHM.txt"}


def test_numbers_start_rules_and_examples_do_not_count() -> None:
    text = (
        "9. Chapter\n900.1. First words\u2028go on\nhere.\nExample: not this.\nnor this\n"
        "900.1a Second – “quoted”.\r\n901. Heading\nno rule\n"
    )
    assert wordings(text) == {
        "900.1": "First words\u2028go on here.",
        "900.1a": "Second – “quoted”.",
    }


def test_a_digest_does_not_depend_on_typesetting() -> None:
    assert digest("A “fine”  line—so\u00a0to say") == digest('A "fine" line-so to say')
    assert digest("a fine line") != digest("a fine lane")


def test_rule_books_in_every_encoding_are_read() -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        assert decode("100.1. Player’s".encode(encoding)) == "100.1. Player’s"


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
    official = wordings(decode(path.read_bytes()))
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

"""Every section carries the digest of the wording it was checked against."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatlog.editions import load_book
from seatlog.wording import decode, digest, wordings

BOOKS = Path(__file__).parent.parent.parent / "shared" / "cr"
DATED = {"2026-08-07": "CR-2026-08-07-third.txt"}


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


def test_every_numbered_section_has_a_digest() -> None:
    book = load_book()
    bare = [s.number for s in book.sections.values() if s.number[0].isdigit() and not s.digest]
    assert not bare


def test_digests_fit_the_dated_rule_book() -> None:
    book = load_book()
    path = BOOKS / DATED[book.date]
    if not path.is_file():
        pytest.skip("no rule book beside the project")
    official = wordings(decode(path.read_bytes()))
    wrong = [
        s.number
        for s in book.sections.values()
        if s.number[0].isdigit() and s.digest != digest(official.get(s.number, ""))
    ]
    assert not wrong
    assert {s.digest_of for s in book.sections.values() if s.digest} == {f"cr {book.date}"}

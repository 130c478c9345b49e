"""What a book was checked against, held against the text of a rule book."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from places import SHARED
from processes import run
from seatlog.book import decode, digest, wordings
from seatlog.editions import load_book
from seatlog.errors import LintError
from seatlog.lint import style

TEXTS = SHARED / "cr"
BOOK = """## 9.1  First
# text: sha256:{one}  book 2031
# yes: {{Person}} has an age
aged(Person) <= (age(Person, _Years))

## 9.1a  Second
# text: sha256:{two}  book 2031
# text: sha256:{three}  old 2030
# left out: a heading
"""
VOCABULARY = """# sort: Person is a name
# sort: Years is a number
# fact: age(Person, Years)
# about: how old somebody is
# yes: {Person} is {Years}
# key: Person
# names: Person
# table: ages.Person = Years
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An edition of two sections, checked against "one", and "two" or "three"."""
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "vocabulary.dl").write_text(VOCABULARY, encoding="utf-8")
    (tmp_path / "book").mkdir()
    toml = 'title = "A book"\ncovers = ["9.1 ab"]\n'
    (tmp_path / "book" / "edition.toml").write_text(toml, encoding="utf-8")
    text = BOOK.format(one=digest("one"), two=digest("two"), three=digest("three"))
    (tmp_path / "book" / "9.1_rules.dl").write_text(text, encoding="utf-8")
    return tmp_path


def told(folder: Path, official: dict[str, str]) -> list[LintError]:
    found = style(load_book(str(folder / "book"), folder / "facts"), official)
    for fault in found:
        assert fault.place and fault.hint
        assert not any(digest(wording) in str(fault) for wording in official.values())
    return found


def test_the_same_text_is_nothing_to_tell(folder: Path) -> None:
    assert told(folder, {"9.1": "one", "9.1a": "two"}) == []
    assert told(folder, {"9.1": "one", "9.1a": "three", "8.1": "of another chapter"}) == []


def test_the_same_text_under_another_number_was_renumbered(folder: Path) -> None:
    (moved,) = told(folder, {"9.1": "one", "9.1b": "two", "9.1a": "put in between"})
    assert moved.code == "W05"
    assert moved.what == "section 9.1a is 9.1b in the rule book"
    assert '{ "9.1a" = "9.1b" }' in moved.hint


def test_a_text_that_changed_is_no_digest_to_paste(folder: Path) -> None:
    (fault,) = told(folder, {"9.1": "anything", "9.1a": "two"})
    assert fault.code == "W06"
    assert "reworded, or another rule" in fault.hint


def test_a_number_that_is_gone(folder: Path) -> None:
    (fault,) = told(folder, {"9.1": "one"})
    assert fault.code == "W05" and fault.what == "the rule book has no number 9.1a"


def test_numbers_of_covered_chapters_that_nobody_knows_are_new(folder: Path) -> None:
    """What the edition covers without a section is known; other chapters are left alone."""
    text = {"9.1": "one", "9.1a": "two", "9.1b": "three words", "9.2": "new", "8.9": "elsewhere"}
    (fault,) = told(folder, text)
    assert fault.code == "W08"
    assert fault.what == "the rule book has a number 9.2, of which this book knows nothing"


def test_a_digest_is_said_of_one_rule(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("801.4. Nothing like it.\n", encoding="utf-8")
    done = run("lint", "cr", "--text", str(file), "--digest", "801.4")
    assert done.stdout == f"# text: sha256:{digest('Nothing like it.')}  EDITION DATE\n"
    gone = run("lint", "cr", "--text", str(file), "--digest", "801.40")
    assert gone.returncode == 2 and "did you mean" in gone.stderr
    assert run("lint", "cr", "--digest", "801.4").returncode == 2


def test_a_text_is_held_against_one_book(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("801.4. Nothing like it.\n", encoding="utf-8")
    done = run("lint", "--text", str(file))
    assert "only cr was held against" in done.stderr
    assert "cr2021" not in done.stdout and "draft2004" not in done.stdout
    found = json.loads(run("lint", "--text", str(file), "--json").stdout)
    assert [b["edition"] for b in found["books"]] == ["cr"]
    assert "only" not in run("lint", "cr2021", "--text", str(file)).stderr


def texts() -> list[Path]:
    return sorted(TEXTS.glob("*.txt"))


@pytest.mark.parametrize("path", texts(), ids=lambda p: p.stem)
@pytest.mark.parametrize("edition", ["cr", "cr2021"])
def test_no_digest_of_another_rule_is_offered(edition: str, path: Path) -> None:
    """Over every dated text: what is said to be renumbered has the very text that was checked."""
    book = load_book(edition)
    official = wordings(decode(path.read_bytes()))
    for fault in style(book, official):
        assert "sha256" not in str(fault)
        if " is " in fault.what and fault.code == "W05":
            number, _, there = fault.what.removeprefix("section ").partition(" is ")
            for each in there.removesuffix(" in the rule book").split(" and "):
                assert digest(official[each]) in book.sections[number].digests.values()


def test_an_older_text_has_another_rule_under_a_number() -> None:
    path = TEXTS / "CR-2023-04-14.txt"
    if not path.is_file():
        pytest.skip("no rule book beside the project")
    faults = style(load_book("cr"), wordings(decode(path.read_bytes())))
    (fault,) = [
        f for f in faults if f"{f.what} ".startswith("section 310.9 ") or "310.9 " in f.what
    ]
    assert fault.code in ("W05", "W06") and "sha256" not in fault.hint


@pytest.mark.parametrize(
    ("edition", "name"), [("cr", "CR-2026-08-07-third.txt"), ("cr2021", "CR-2021-02-05-KHM.txt")]
)
def test_the_text_of_an_edition_has_nothing_new(edition: str, name: str) -> None:
    path = TEXTS / name
    if not path.is_file():
        pytest.skip("no rule book beside the project")
    found = style(load_book(edition), wordings(decode(path.read_bytes())))
    assert [f.what for f in found if f.code == "W08"] == []

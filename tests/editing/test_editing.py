"""What an editor is told, as functions over texts: positions, names, changes."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from places import CLAUSE_FILES, TESTS
from seatlog.editing import Desk, Positions, Span, changed, edition_of, number_at, word_at
from seatlog.errors import Place
from seatlog.language import Word, read_clauses, words

TEXT = """\
## 1.2  日本語 😀 title

# yes: 😀 {Player} is {Other}'s
#     friend, {Player} says
# tells: near(Player, Other)
# verb: Player greet Other
friend(Player, Other) <= (  # see near(X)
    near(Player, Other, 'it\\'s count(X)')
    & (N == count(Each, near(Each, Player)))
    & ~far(_Any, Player)
)
# role: none(X)
+ noun('Player', 3)
"""


def named(text: str) -> list[Word]:
    return list(words(text, read_clauses(text, "x.dl")))


def test_names_are_found_in_clauses_and_notes() -> None:
    found = [(w.kind[0], w.text, w.place.line, w.group, w.head, w.note) for w in named(TEXT)]
    assert found == [
        ("v", "Player", 3, 7, False, "yes"),
        ("v", "Other", 3, 7, False, "yes"),
        ("v", "Player", 4, 7, False, "yes"),
        ("p", "near", 5, 7, False, "tells"),
        ("v", "Player", 5, 7, False, "tells"),
        ("v", "Other", 5, 7, False, "tells"),
        ("v", "Player", 6, 7, False, "verb"),
        ("v", "Other", 6, 7, False, "verb"),
        ("p", "friend", 7, 7, True, ""),
        ("v", "Player", 7, 7, False, ""),
        ("v", "Other", 7, 7, False, ""),
        ("p", "near", 8, 7, False, ""),
        ("v", "Player", 8, 7, False, ""),
        ("v", "Other", 8, 7, False, ""),
        ("v", "N", 9, 7, False, ""),
        ("v", "Each", 9, 7, False, ""),
        ("p", "near", 9, 7, False, ""),
        ("v", "Each", 9, 7, False, ""),
        ("v", "Player", 9, 7, False, ""),
        ("p", "far", 10, 7, False, ""),
        ("v", "_Any", 10, 7, False, ""),
        ("v", "Player", 10, 7, False, ""),
        ("p", "noun", 13, 13, True, ""),
    ]


def test_names_stand_where_they_are_said_to_stand() -> None:
    every = [(path.name, path.read_text(encoding="utf-8")) for path in CLAUSE_FILES]
    for name, text in [*every, ("x.dl", TEXT)]:
        lines = text.split("\n")
        reading = read_clauses(text, name)
        for word in words(text, reading):
            at = word.place
            assert lines[at.line - 1][at.column - 1 :][: at.width] == word.text
        said = {w.text for w in words(text, reading) if w.head and not w.note}
        heads = re.findall(r"^(?:\+ )?(\w+)\(", text, re.MULTILINE)
        assert said == set(heads)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_positions_go_there_and_back(encoding: str) -> None:
    rng = random.Random(1)
    for _ in range(300):
        text = "".join(rng.choice("ab😀日é\n\r{") for _ in range(rng.randrange(30)))
        positions = Positions(text, encoding)
        lines = positions.text.split("\n")
        line = rng.randrange(len(lines)) + 1
        column = rng.randrange(len(lines[line - 1]) + 1) + 1
        start = positions.span(Place("", line, column, 1)).start
        assert positions.spot(start) == (line, column)


@pytest.mark.parametrize(
    ("encoding", "column"), [("utf-8", 9), ("utf-16", 5), ("utf-32", 4), ("other", 5)]
)
def test_columns_are_counted_in_units(encoding: str, column: int) -> None:
    text = "a\n日 e😀x\r\nb"
    found = Positions(text, encoding).span(Place("", 2, 5, 1))
    assert found == Span((1, column), (1, column + 1))


def test_positions_that_are_none_are_the_nearest() -> None:
    positions = Positions("ab\nc")
    assert positions.spot((9, 9)) == (2, 2)
    assert positions.spot((-1, -5)) == (1, 1)
    assert positions.span(None) == Span((0, 0), (0, 2))
    assert positions.span(Place("", 7, 3, 2)) == Span((0, 0), (0, 2))
    assert positions.span(Place("", 2, 1, 99)) == Span((1, 0), (1, 1))
    assert Positions("").spot((0, 0)) == (1, 1)


def test_a_lone_carriage_return_ends_an_editors_line() -> None:
    assert Positions("a\rbc\n").span(Place("", 1, 3, 2)) == Span((1, 0), (1, 2))


def test_what_changes_makes_the_other_text() -> None:
    rng = random.Random(2)
    for _ in range(300):
        old, new = ("".join(rng.choice("ab\n") for _ in range(rng.randrange(9))) for _ in "on")
        put = changed(old, new)
        if put is None:
            assert old == new
            continue
        lines = old.split("\n")
        starts = [sum(len(line) + 1 for line in lines[:n]) for n in range(len(lines))]
        first, last = (starts[n] if n < len(starts) else len(old) for n in put[:2])
        assert old[:first] + put.text + old[last:] == new
    assert changed("a\nb\nc\n", "a\nx\nc\n") == (1, 2, "x\n")


def test_what_stands_at_a_place() -> None:
    desk = Desk()
    line, column = 8, TEXT.split("\n")[7].index("near") + 1
    for inside in (column, column + 3, column + 4):
        word = word_at(desk, TEXT, "x.dl", line, inside)
        assert word is not None
        assert (word.kind, word.text) == ("predicate", "near")
    assert word_at(desk, TEXT, "x.dl", line, column - 1) is None
    assert number_at(TEXT, 1, 5) == "1.2"
    assert number_at("p(1.2)  # as 801.4a.\n", 1, 16) == "801.4a"
    assert number_at("p(1.2)  # as 801.4a.\n", 1, 4) == ""
    assert number_at(TEXT, 99, 1) == ""


def test_an_edition_is_the_nearest_folder_that_is_one(tmp_path: Path) -> None:
    book = TESTS / "other_book" / "rules" / "row"
    assert edition_of(book / "3" / "3.1_drought.dl") == book
    assert edition_of(book / "new.dl") == book
    assert edition_of(TESTS / "other_book" / "facts" / "vocabulary.dl") is None
    assert edition_of(tmp_path / "x.dl") is None


def test_a_text_is_unsaved_where_its_file_holds_another(tmp_path: Path) -> None:
    desk, path = Desk(), tmp_path / "x.dl"
    assert not desk.unsaved(path)
    desk.put(path, "## 1\r\n")
    assert desk.unsaved(path), "there is no file yet"
    path.write_text("## 1\n", encoding="utf-8")
    assert not desk.unsaved(path)
    desk.put(path, "## 2\n")
    assert desk.unsaved(path)


def test_texts_are_known_again_until_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seatlog.editing.desk.MOST_KEPT", 2_000)
    desk = Desk()
    first = desk.read(TEXT, "x.dl")
    assert desk.read(TEXT, "x.dl") is first
    assert desk.read(TEXT, "y.dl") is not first
    for number in range(3):
        desk.read(f"# {number}" + "#" * 900, "z.dl")
    again = desk.read(TEXT, "x.dl")
    assert again is not first
    assert again == first


def test_open_texts_stand_in_the_place_of_files() -> None:
    desk = Desk()
    book = TESTS / "other_book" / "rules" / "terrace"
    before = desk.edition(book)
    desk.put(book / "9.9_new.dl", "## 9.9  New\r\n")
    desk.put(book.parent / "row" / "verdicts.dl", "## 9.1  Other\n")
    after = desk.edition(book)
    assert set(after.texts) - set(before.texts) == {"terrace/9.9_new.dl"}
    assert after.texts["terrace/9.9_new.dl"] == "## 9.9  New\n"
    assert after.texts["row/verdicts.dl"] == "## 9.1  Other\n"
    desk.take(book / "9.9_new.dl")
    desk.take(book.parent / "row" / "verdicts.dl")
    assert desk.edition(book).texts == before.texts

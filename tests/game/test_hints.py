"""Words that people mix up get a hint, which is declared in the vocabulary and true."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import seatlog
from seatlog.book import Vocabulary
from seatlog.book.vocabulary import PLACES
from seatlog.editions import load_book
from seatlog.errors import SeatlogError
from seatlog.repl import Repl, opened

VOCABULARY = load_book().vocabulary
BEAR = {"controller": "Ann", "types": ["creature"]}
_KEY = re.compile(r"(?<![\w.])([a-z_]+) = ")


def test_there_are_enough_of_them() -> None:
    assert sum(map(len, VOCABULARY.hints.values())) > 200


def test_every_key_in_a_hint_is_one() -> None:
    known = {word for f in VOCABULARY.facts.values() for s in f.shapes for word in s.path}
    known |= {w.casefold() for s in VOCABULARY.sorts.values() for w in s.words} | {"edition"}
    for place, words in VOCABULARY.hints.items():
        for word, said in words.items():
            for key in _KEY.findall(said):
                assert key in known, f"{place} {word}: {key}"


def test_every_word_in_a_hint_is_one() -> None:
    """A text that a hint puts in quotes, in small letters, is a declared word."""
    known = {w for s in VOCABULARY.sorts.values() for w in s.words}
    for place, words in VOCABULARY.hints.items():
        for word, said in words.items():
            for quoted in re.findall(r'"([a-z][^"]*)"', said):
                assert quoted in known or quoted == "fire", f"{place} {word}: {quoted}"


@pytest.mark.parametrize(
    ("keys", "hint"),
    [
        ({"events": {"E": {"happens": "dies"}}}, 'to = "graveyard"'),
        ({"events": {"E": {"happens": "is exiled"}}}, 'to = "exile"'),
        ({"events": {"E": {"happens": "deals damage"}}}, '"is dealt damage"'),
        ({"events": {"E": {"source": "Bear"}}}, 'by = "Bear"'),
        ({"abilities": {"A": {"source": "Bear", "trigger": "attacks"}}}, 'watches = "attacks"'),
        ({"objects": {"Bear": {**BEAR, "attached": "Ann"}}}, 'attached_to = "Bear"'),
        ({"objects": {"Bear": {**BEAR, "protects": "Ann"}}}, 'protector = "Ann"'),
        ({"objects": {"Bear": {**BEAR, "attacks": "Ann"}}}, "attacks.<Creature> = <Player>"),
        ({"objects": {"Bear": {**BEAR, "zone": "deck"}}}, "library"),
        ({"attached_to": {"Bear": "Ann"}}, "attached = "),
        ({"protector": {"Bear": "Ann"}}, "protects = "),
        ({"leave": ["Ann"]}, 'leaves = ["Ann"]'),
        ({"reach": 1}, "range = 1"),
        ({"players": ["Ann"]}, "seats"),
        ({"active_player": "Ann"}, 'active = ["Ann"]'),
        ({"tapped": ["Bear"]}, "objects.<Thing>.tapped = true"),
        ({"effects": {"X": {"controller": "Ann", "target": "Ann"}}}, "affects_these"),
        ({"choices": {"X": {"source": "Bear"}}}, 'of = "Edict"'),
        ({"turn": "Ann"}, "Turn is a number from 1"),
    ],
)
def test_what_is_said_for_another_word(keys: dict[str, Any], hint: str) -> None:
    with pytest.raises(SeatlogError) as caught:
        seatlog.open({"seats": ["Ann", "Ben"], "objects": {"Bear": BEAR}, **keys})
    assert hint in "\n".join(e.hint for e in caught.value.errors)
    assert len(caught.value.errors) == 1


def test_what_is_right_is_taken() -> None:
    ability = {"source": "Bear", "watches": "dies"}
    event = {"subject": "Bear", "from": "battlefield", "to": "graveyard"}
    game = seatlog.open(
        seats=["Ann"], objects={"Bear": BEAR}, abilities={"A": ability}, events={"E": event}
    )
    assert game.table.names["A"] == "Ability"


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (":left Rob", ":leave Ann"),
        (":attached Bear", ":attach"),
        (":life Rob 3", "+ life("),
        ("+ controller('Rob', 'Bear')", "controls('Ann', 'Bear')"),
        ("Alex dies", "EVENT put Bear in graveyard"),
        (":zone 'Grizzly Bears' deck", "library"),
    ],
)
def test_in_the_session(line: str, hint: str) -> None:
    assert hint in Repl(opened("four_in_a_ring", None, {})).execute(line).error


BOOK = """\
# sort: Player is a name
# sort: Colour is one of red, blue
# fact: likes(Player, Colour)
# table: likes.Player = [Colour]
# names: Player
"""


@pytest.mark.parametrize(
    ("note", "what"),
    [
        ("# hint: Colour red: say blue", "is right there"),
        ("# hint: Color pink: say red", "nobody looks for words in Color"),
        ("# hint: Colour pink", "this hint can't be read"),
        ("# hint: Colour pink, : say red", "this hint can't be read"),
        ("# hint: Colour pink: a\n# hint: Colour pink: b", "has a hint already"),
        ("# hint: table likes: say what", "is right there"),
        ("# who: Plaeyr", "no sort is called Plaeyr"),
        ("# sort: Label is a name or that of Thing", "no sort is called Thing"),
    ],
)
def test_a_note_that_helps_nobody_is_refused(tmp_path: Path, note: str, what: str) -> None:
    with pytest.raises(SeatlogError, match=what):
        vocabulary_of(tmp_path, f"{note}\n")


def test_places_are_looked_at(tmp_path: Path) -> None:
    found = vocabulary_of(tmp_path, "".join(f"# hint: {p} thing: {p}!\n" for p in PLACES))
    assert [found.hint(place, "Thing") for place in PLACES] == [f"{p}!" for p in PLACES]
    assert found.hint("Colour", "thing") == "" and found.hint("table", 3) == ""


def vocabulary_of(folder: Path, notes: str) -> Vocabulary:
    """The vocabulary of a small garden with some notes more. Raises what is wrong with it."""
    from seatlog.book import load_vocabulary
    from seatlog.errors import refuse

    head, mark, rest = BOOK.partition("# fact:")
    (folder / "vocabulary.dl").write_text(head + notes + mark + rest, encoding="utf-8")
    found, _, reading = load_vocabulary(folder)
    refuse(reading.errors)
    return found

"""What somebody stumbles over who uses the program for the first time."""

from __future__ import annotations

from typing import Any

import pytest

import seatlog


@pytest.mark.parametrize(
    ("keys", "question", "said"),
    [
        ({"types": {"Charm": ["land"]}}, ("Charm", "enchant", "Ann"), "doesn't have type aura"),
        ({"types": {"Charm": ["land"]}}, ("Charm", "hit", "Ann"), "Charm doesn't target Ann"),
        ({"types": {"Charm": ["land"]}}, ("Charm", "equip", "Ann"), "Ann is a player"),
        (
            {"types": {"Charm": ["creature"]}, "left": {"Cy": 1}},
            ("Charm", "attack", "Bo"),
            "Cy has",
        ),
    ],
)
def test_a_no_says_what_is_lacking(
    keys: dict[str, Any], question: tuple[str, str, str], said: str
) -> None:
    game = seatlog.open(seats=["Ann", "Bo", "Cy"], range=1, controls={"Cy": ["Charm"]}, **keys)
    answer = game.can(*question)
    assert not answer
    assert any(said in line.text for line in answer.reason[1:])
    assert not any("may attack" in line.text for line in answer.reason)


def test_declared_words_are_known_whatever_their_case() -> None:
    game = seatlog.open(
        seats=["Ann", "Bo"],
        objects={"Charm": {"controller": "Ann", "types": ["Enchantment"], "subtypes": ["Aura"]}},
    )
    assert game.ask("is_a(Charm, 'enchantment')")
    assert game.can("Charm", "enchant", "Bo")

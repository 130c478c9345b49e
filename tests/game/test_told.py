"""What a step tells is what becomes of the table: the tables before and after are compared.

``make soak`` takes a thousand steps for each edition; ``SEATLOG_STEPS`` says how many.
"""

from __future__ import annotations

import os
import random
import re
from typing import Any

import pytest

import seatlog
from seatlog.game import Session

STEPS = int(os.environ.get("SEATLOG_STEPS", "40"))
EDITIONS = ("cr", "cr2021", "draft2004")
SEEN = {
    "in_game": ("in_game", 0),
    "turn": ("on_turn", 0),
    "control": ("controller", 1),
    "zone": ("lies_in", 0),
    "host": ("stays", 0),
    "protector": ("protector", 1),
    "winners": ("wins_game", 0),
}
"""What is compared: a predicate, and which of its terms is the one of whom something is told."""


def random_table(rng: random.Random, edition: str) -> dict[str, Any]:
    """A table on which much depends on who is in the game."""
    players = [f"P{n}" for n in range(1, rng.randint(3, 6) + 1)]
    objects: dict[str, dict[str, Any]] = {}
    for number in range(rng.randint(2, 5)):
        holder = rng.choice(players)
        objects[f"Bear{number}"] = bear = {"controller": holder, "types": ["creature"]}
        if rng.random() < 0.4:
            bear["owner"] = rng.choice(players)
            if rng.random() < 0.6:
                bear["default_controller"] = bear["owner"]
    hosts = list(objects)
    for number in range(rng.randint(0, 4)):
        kind = rng.choice((["enchantment", "aura"], ["artifact", "equipment"]))
        objects[f"Charm{number}"] = {
            "controller": rng.choice(players),
            "types": kind,
            "attached_to": rng.choice(hosts),
        }
    if edition == "cr":
        for number in range(rng.randint(0, 2)):
            holder, other = rng.sample(players, 2)
            objects[f"Siege{number}"] = {
                "controller": holder,
                "types": ["battle"],
                "subtypes": ["siege"],
                "protector": other,
            }
    table: dict[str, Any] = {"seats": players, "turn": 5, "objects": objects}
    table["active"] = [rng.choice(players)]
    if rng.random() < 0.7:
        table["range"] = rng.randint(1, 2)
    if rng.random() < 0.3:
        half = len(players) // 2
        table["teams"] = {"Red": players[:half], "Blue": players[half:]}
    return {**table, "edition": edition}


def random_step(rng: random.Random, table: dict[str, Any]) -> dict[str, Any]:
    """Somebody leaves, or the turn ends, or both."""
    players = table["seats"]
    happens: dict[str, Any] = {}
    if rng.random() < 0.8:
        happens["leaves"] = rng.sample(players, rng.choice((1, 1, 1, 2, len(players) - 1)))
    if rng.random() < 0.4 or not happens:
        happens["done"] = table["active"]
    return happens


def standing(game: Session) -> dict[str, dict[str, set[tuple[Any, ...]]]]:
    """For each name what is so of it."""
    found: dict[str, dict[str, set[tuple[Any, ...]]]] = {}
    for key, (predicate, spot) in SEEN.items():
        if predicate in game.book.predicates:
            terms = [None] * game.book.predicates[predicate].arity
            for row in game.rows(predicate, *terms):
                each = found.setdefault(str(row[spot]), {key: set() for key in SEEN})
                each[key].add(row)
    return found


def names_in(lines: list[str]) -> set[str]:
    return {name for line in lines for name in re.findall(r"\b[A-Z][a-z]*\d\b", line)}


@pytest.mark.parametrize("edition", EDITIONS)
def test_everything_that_becomes_otherwise_is_told(edition: str) -> None:
    changes = 0
    for number in range(STEPS):
        rng = random.Random(f"told {edition} {number}")
        table = random_table(rng, edition)
        happens = random_step(rng, table)
        game = seatlog.open(table)
        after = seatlog.turn(game, **happens)
        old, new = standing(game), standing(after)
        for name in new:  # What had no hold where the table places it comes loose before a step.
            new[name]["host"] &= old[name]["host"] if name in old else set()
        changed = {name for name in {*old, *new} if old.get(name) != new.get(name)}
        told = names_in(after.happened)
        assert changed <= told, (table, happens, changed - told, after.happened)
        for line in after.happened:
            assert names_in([line]) & changed, (table, happens, line, changed)
        changes += len(changed)
    assert changes > STEPS


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_step_that_tells_nothing_of_leaving_is_found_out(
    edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison can fail: without what follows, things change that nobody is told of."""
    monkeypatch.setattr("seatlog.game.step.followed", lambda _book: [])
    with pytest.raises(AssertionError):
        test_everything_that_becomes_otherwise_is_told(edition)

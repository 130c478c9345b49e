"""Trees that people read: short, in words, with the numbers that are cited and no others."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

import seatlog
from places import TESTS
from seatlog.cases import Scenario, read_scenarios, scenario_files, verdict
from seatlog.editions import load_book
from seatlog.errors import SeatlogError
from seatlog.game import Answer

SAMPLE = 90
MOST_LINES = 20
EDITIONS = ("cr", "cr2021", "draft2004")


@cache
def answers(edition: str) -> list[tuple[Scenario, Answer]]:
    """Answers to some of an edition's scenarios, the same each time."""
    files = scenario_files(TESTS / "scenarios" / edition)
    every = [
        s for file in files for s in read_scenarios(file) if s.answer not in ("refused", "no rule")
    ]
    chosen = random.Random(7).sample(every, min(SAMPLE, len(every)))
    return [(s, verdict(s, load_book(s.edition or edition))[1]) for s in chosen]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_tree_fits_on_a_screen(edition: str) -> None:
    for scenario, answer in answers(edition):
        reasons = max(1, len(answer.literals()))
        assert len(answer.tree()) <= MOST_LINES * reasons, scenario.name


@pytest.mark.parametrize("edition", EDITIONS)
def test_its_numbers_are_those_that_are_cited(edition: str) -> None:
    for scenario, answer in answers(edition):
        for line in answer.tree():
            own = {rule for rule in line.rules if rule[:1].isdigit()}
            assert own <= {*answer.cites}, f"{scenario.name}: {line}"


@pytest.mark.parametrize("edition", EDITIONS)
def test_its_lines_are_words(edition: str) -> None:
    """No predicate's name, no comparison of two numbers, nothing that is so of nobody known."""
    book = load_book(edition)
    names = {n for n in (*book.predicates, *book.vocabulary.facts) if "_" in n}
    shown = re.compile("|".join(rf"\b{name}\b" for name in sorted(names)))
    compared = re.compile(r"^-?\d+ is (?:not |at |less |more |\d)")
    for scenario, answer in answers(edition):
        for line in answer.tree():
            text = str(line.text).replace("two_headed_giant", "").replace("grand_melee", "")
            text = text.replace("free_for_all", "")
            assert not shown.search(text), f"{scenario.name}: {text}"
            assert not compared.search(text), f"{scenario.name}: {text}"
            assert line.depth == 0 or "…" not in text.removeprefix("… and"), text


def test_a_step_is_said_once() -> None:
    for _, answer in answers("cr"):
        for literal in answer.literals()[:1]:
            texts = [str(line.text) for line in answer._source.tree(literal.atom, False)]
            assert len(texts) == len(set(texts)), texts


def test_what_is_left_out_is_counted_and_all_of_it_is_to_be_had() -> None:
    game = seatlog.open(seats=["Alex", "Rob", "Carissa", "Dana"], range=1, controls={"Dana": "Ox"})
    short, whole = (
        game.why("Alex", "target", "Carissa"),
        game.why("Alex", "target", "Carissa", True),
    )
    assert whole.count("\n") > 2 * short.count("\n")
    assert "to_left(" in whole or "next_seat(" in whole
    with pytest.raises(SeatlogError):
        game.why("Alex", "target", "Nobody")

"""Grand Melee markers by clauses against an independent simulation in plain Python.

``make soak`` plays a thousand games; ``SEATLOG_GAMES`` says how many.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from bulk import bulk
from marker_simulation import Events, State, deal, random_game, stalls, step
from seatlog.editions import load_book
from seatlog.game import Advanced, Session, advance
from seatlog.model import Row
from seatlog.solvers import open_solver
from seatlog.table import table

BOOK = load_book("draft2004")
GAMES = int(os.environ.get("SEATLOG_GAMES", "20"))
PARTS = 10
TURNS = 100


def said(state: State) -> dict[str, Any]:
    """A state as a table file says it."""
    return {
        "variant": "grand_melee",
        "seats": list(state.seats),
        "turn": state.turn,
        "left": dict(state.left),
        "markers": {player: marker for marker, player in state.markers.items()},
        "waiting": sorted(state.waiting),
        "extra_turns": list(state.owed),
    }


def happens(events: Events) -> dict[str, Any]:
    """What happens in a step as a table file says it."""
    return {
        "done": sorted(events.done),
        "leaves": sorted(events.leaves),
        "gains_turn": list(events.gains),
    }


def moved(data: dict[str, Any], number: int = 0) -> Advanced:
    """The step, worked out by compiled clauses; every tenth by pyDatalog beside."""
    state = table(data, BOOK.vocabulary)
    solver = open_solver(BOOK, state.facts, bulk(number))
    return advance(Session(BOOK, state, solver=solver))


def read(done: Advanced, seats: tuple[str, ...]) -> State:
    """The table after a step as the simulation's state."""
    rows: dict[str, list[Row]] = {}
    for fact in done.table.facts:
        rows.setdefault(fact.name, []).append(fact.row)
    return State(
        turn=int(rows["turn"][0][0]),
        seats=seats,
        left={str(p): int(t) for p, t in rows.get("left_in", [])},
        markers={int(m): str(p) for m, p in rows.get("marker", [])},
        waiting=frozenset(str(p) for (p,) in rows.get("turn_over", [])),
        owed=tuple(sorted(str(p) for _, p in rows.get("extra_turn", []))),
    )


@pytest.mark.parametrize("part", range(PARTS))
def test_random_games_go_as_the_simulation_says(part: int) -> None:
    steps = 0
    for number in range(part, GAMES, PARTS):
        rng = random.Random(f"markers {number}")
        seats = rng.randint(11, 20)
        for state, events, after in random_game(rng, seats, TURNS):
            found = read(moved({**said(state), **happens(events)}, steps), state.seats)
            assert found == after, (number, state, events)
            assert not stalls(found)
            steps += 1
    assert steps > GAMES // PARTS


@pytest.mark.parametrize("number", [11, 12, 15, 16, 20, 97])
def test_markers_are_dealt_as_the_simulation_deals(number: int) -> None:
    players = tuple(f"p{n}" for n in range(1, number + 1))
    for start in (players[0], players[-1], players[number // 2]):
        data = {"variant": "grand_melee", "seats": list(players), "starts": start}
        assert read(moved(data), players) == deal(players, start)


FOUR = frozenset({"p2", "p3", "p6", "p7"})


@pytest.mark.parametrize("number", [11, 12, 15, 16, 20, 97])
@pytest.mark.parametrize(
    "leaves",
    [frozenset({"p1"}), frozenset({"p3"}), frozenset({"p4", "p5"}), FOUR],
    ids=["a holder", "one", "two neighbours", "four at once"],
)
def test_leavers_cost_the_markers_that_the_simulation_takes(
    number: int, leaves: frozenset[str]
) -> None:
    state = deal([f"p{n}" for n in range(1, number + 1)], "p1")
    for waiting in (frozenset[str](), frozenset(list(state.under_way())[:2])):
        begun = step(state, done=waiting)
        after = step(begun, leaves=leaves)
        found = moved({**said(begun), **happens(Events(leaves=leaves))})
        assert read(found, state.seats) == after


@pytest.mark.parametrize("number", [11, 12, 13, 15, 16, 20, 97])
def test_all_turns_over_at_once(number: int) -> None:
    state = deal([f"p{n}" for n in range(1, number + 1)], "p1")
    done = frozenset(state.under_way())
    found = read(moved({**said(state), **happens(Events(done=done))}), state.seats)
    assert found == step(state, done=done)
    assert found.turn == 2

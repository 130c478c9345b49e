"""The simulated turn markers do what was worked out by hand, and random games stay sound."""

from __future__ import annotations

import random

import pytest

from marker_checks import unsound
from marker_simulation import State, deal, moving, random_game, step

GAMES = 200


def table(size: int) -> State:
    """A game that begins at p1."""
    return deal([f"p{number}" for number in range(1, size + 1)], "p1")


def named(*numbers: int) -> frozenset[str]:
    return frozenset(f"p{number}" for number in numbers)


def lying(state: State) -> dict[int, int]:
    """The number of each marker's seat."""
    return {marker: int(seat[1:]) for marker, seat in state.markers.items()}


def all_done(state: State) -> State:
    return step(state, done=state.under_way())


@pytest.mark.parametrize(
    ("size", "seats"),
    [
        (2, [1]),
        (3, [1]),
        (7, [1]),
        (8, [1, 5]),
        (11, [1, 5]),
        (12, [1, 5, 9]),
        (15, [1, 5, 9]),
        (16, [1, 5, 9, 13]),
        (20, [1, 5, 9, 13, 17]),
        (97, list(range(1, 94, 4))),
    ],
)
def test_every_fourth_seat_gets_a_marker(size: int, seats: list[int]) -> None:
    state = table(size)
    assert list(lying(state).values()) == seats
    assert (state.turn, state.waiting, state.owed) == (1, frozenset(), ())


def test_dealing_goes_round_the_table() -> None:
    assert deal("abcdefghi", "g").markers == {1: "g", 2: "b"}


def test_a_row_of_markers_moves_in_one_step() -> None:
    state = all_done(table(13))
    assert lying(state) == {1: 2, 2: 6, 3: 10}
    assert (state.turn, state.waiting) == (2, frozenset())


def test_a_marker_waits_for_the_one_four_seats_ahead() -> None:
    state = step(table(13), done=named(1))
    assert (lying(state), state.waiting, state.turn) == ({1: 1, 2: 5, 3: 9}, named(1), 1)
    state = step(state, done=named(9))
    assert (lying(state), state.waiting, state.turn) == ({1: 1, 2: 5, 3: 10}, named(1), 2)
    state = step(state, done=named(5))
    assert (lying(state), state.waiting, state.turn) == ({1: 2, 2: 6, 3: 10}, frozenset(), 3)


def test_at_a_full_table_all_move_together() -> None:
    state = step(table(12), done=named(1, 9))
    assert (lying(state), state.waiting, state.turn) == ({1: 1, 2: 5, 3: 9}, named(1, 9), 1)
    state = step(state, done=named(5))
    assert (lying(state), state.waiting, state.turn) == ({1: 2, 2: 6, 3: 10}, frozenset(), 2)


@pytest.mark.parametrize("size", [2, 3, 4, 7])
def test_a_single_marker_goes_on_after_every_turn(size: int) -> None:
    state = table(size)
    for turn in range(1, 2 * size + 1):
        assert (state.turn, lying(state)) == (turn, {1: (turn - 1) % size + 1})
        state = all_done(state)


def test_the_marker_nearest_to_the_right_is_taken_away() -> None:
    state = step(table(12), leaves=named(6))
    assert (lying(state), state.left, state.turn) == ({1: 1, 3: 9}, {"p6": 1}, 1)
    assert lying(step(table(12), leaves=named(4))) == {2: 5, 3: 9}
    assert lying(step(table(12), leaves=named(12))) == {1: 1, 2: 5}
    assert lying(step(table(13), leaves=named(6))) == {1: 1, 2: 5, 3: 9}


def test_the_marker_of_who_leaves_is_the_farthest() -> None:
    state = step(table(12), leaves=named(5))
    assert (lying(state), state.waiting) == ({2: 5, 3: 9}, named(5))
    # With no marker 1 in the way any more, both go on; p5's seat is no place afterwards.
    state = step(state, done=named(9))
    assert (lying(state), state.waiting, state.turn) == ({2: 6, 3: 10}, frozenset(), 2)
    assert "p5" not in state.places()


@pytest.mark.parametrize(
    ("leavers", "seats"),
    [
        # Seventeen stay, with four markers: the three leavers have p17 nearest to the right.
        ((18, 19, 20), {1: 1, 2: 5, 3: 9, 4: 13}),
        # Fifteen stay, with three: p13 is nearest to two of the leavers, p17 to the others.
        ((14, 15, 18, 19, 20), {1: 1, 2: 5, 3: 9}),
        # Fourteen stay, with three: p9 and p17 are nearest.
        ((10, 11, 12, 18, 19, 20), {1: 1, 2: 5, 4: 13}),
        # Eleven stay, with two: p1, p13 and p17 are nearest.
        ((2, 3, 4, 14, 15, 16, 18, 19, 20), {2: 5, 3: 9}),
        # Eighteen stay, with four: p1 and p9 are equally near, so the lower number goes.
        ((2, 10), {2: 5, 3: 9, 4: 13, 5: 17}),
        # Eighteen stay, with four: p9 is nearest to p10 and to p13, who holds the next one.
        ((10, 13), {1: 1, 2: 5, 4: 13, 5: 17}),
    ],
)
def test_as_many_markers_go_as_are_too_many(
    leavers: tuple[int, ...], seats: dict[int, int]
) -> None:
    assert lying(step(table(20), leaves=named(*leavers))) == seats


def test_the_next_nearest_goes_second() -> None:
    close = State(1, table(12).seats, {}, {1: "p1", 2: "p2", 3: "p3"})
    assert lying(step(close, leaves=named(*range(5, 13)))) == {1: 1}
    assert lying(step(close, leaves=named(4))) == {1: 1, 2: 2}


def test_whose_turn_is_over_by_leaving_passes_the_marker() -> None:
    state = step(table(13), leaves=named(9))
    assert (lying(state), state.waiting, state.turn) == ({1: 1, 2: 5, 3: 10}, frozenset(), 2)


def test_a_departed_player_is_skipped() -> None:
    assert lying(step(table(3), done=named(1), leaves=named(2))) == {1: 3}
    assert lying(step(table(3), leaves=named(1, 2))) == {1: 1}


def test_a_departed_players_place_counts_while_a_marker_lies_there() -> None:
    state = step(table(16), leaves=named(5))
    for number in (13, 14, 15, 16):
        state = step(state, done=named(number))
    assert (lying(state), state.waiting, state.turn) == ({2: 5, 3: 9, 4: 1}, named(5), 5)
    # p2, p3, p4, and the place of p5: the marker there is the third on.
    state = step(state, done=named(1))
    assert (lying(state), state.waiting, state.turn) == ({2: 5, 3: 9, 4: 1}, named(1, 5), 5)
    state = step(state, done=named(9))
    assert (lying(state), state.waiting, state.turn) == ({2: 6, 3: 10, 4: 2}, frozenset(), 6)
    assert len(state.places()) == 15


def test_no_marker_passes_another() -> None:
    # Marker 1 is taken away; both others lie with who left, and p10 would receive either.
    state = step(table(13), leaves=named(5, 6, 7, 8, 9))
    assert (lying(state), state.waiting, state.turn) == ({2: 5, 3: 10}, named(5), 2)
    for number in (10, 11, 12):
        state = step(state, done=named(number))
        assert (lying(state), state.waiting) == ({2: 5, 3: number + 1}, named(5))
    state = step(state, done=named(13))
    assert (lying(state), state.waiting, state.turn) == ({2: 10, 3: 1}, frozenset(), 6)


def test_a_turn_cut_short_may_be_followed_by_another_at_once() -> None:
    # Ten stay, with two markers: p1 loses marker 1, but p13 leaves and passes marker 4 on.
    state = step(table(16), leaves=named(2, 6, 13, 14, 15, 16))
    assert (lying(state), state.turn) == ({3: 9, 4: 1}, 2)
    assert state.under_way() == ("p1", "p9")


def test_an_extra_turn_follows_the_next_own_turn() -> None:
    state = step(table(4), done=named(1), gains=named(2))
    assert (lying(state), state.turn, state.owed) == ({1: 2}, 2, ("p2",))
    state = all_done(state)
    assert (lying(state), state.turn, state.owed) == ({1: 2}, 3, ())
    state = all_done(state)
    assert (lying(state), state.turn) == ({1: 3}, 4)


def test_whoever_is_due_two_extra_turns_takes_both() -> None:
    state = step(table(4), done=named(1), gains=["p2", "p2"])
    assert (lying(state), state.turn, state.owed) == ({1: 2}, 2, ("p2", "p2"))
    state = all_done(all_done(state))
    assert (lying(state), state.turn, state.owed) == ({1: 2}, 4, ())
    assert lying(all_done(state)) == {1: 3}


def test_an_extra_turn_keeps_the_markers_behind_waiting() -> None:
    state = State(1, table(12).seats, {}, table(12).markers, named(1, 9), owed=("p5",))
    state = step(state, done=named(5))
    assert (lying(state), state.waiting, state.turn) == ({1: 1, 2: 5, 3: 9}, named(1, 9), 2)


def test_whose_turn_is_over_gains_for_the_next_own_turn() -> None:
    state = step(step(table(12), done=named(1)), gains=named(1))
    assert (state.owed, state.waiting, state.turn) == (("p1",), named(1), 1)


def test_what_is_owed_goes_with_the_player() -> None:
    assert step(table(8), gains=named(3), leaves=named(3)).owed == ()
    owing = State(3, table(13).seats, {}, table(13).markers, owed=("p5",))
    state = step(owing, done=named(5), leaves=named(5))
    assert (lying(state), state.waiting) == ({1: 1, 2: 5, 3: 9}, named(5))
    assert (state.owed, state.turn) == ((), 3)


def test_no_extra_turn_without_a_marker() -> None:
    owing = State(3, table(12).seats, {}, table(12).markers, owed=("p5",))
    state = step(owing, done=named(5), leaves=named(6))
    assert (lying(state), state.owed, state.turn) == ({1: 1, 3: 9}, ("p5",), 3)


@pytest.mark.parametrize("staying", [0, 1])
def test_nothing_moves_when_nobody_is_left_to_play(staying: int) -> None:
    state = step(table(9), leaves=named(*range(1 + staying, 10)))
    assert len(state.markers) == 1
    assert state.turn == 1
    assert moving(state) == {}


@pytest.mark.parametrize(
    ("done", "leaves", "gains"),
    [((2,), (), ()), ((), (9,), ()), ((), (), (1,)), ((), (), (9,))],
)
def test_what_cannot_happen_is_refused(
    done: tuple[int, ...], leaves: tuple[int, ...], gains: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="p"):
        step(table(8), named(*done), named(*leaves), named(*gains))


def test_random_games_are_sound_and_never_stall() -> None:
    for seed in range(GAMES):
        rng = random.Random(seed)
        for state, happens, after in random_game(rng, rng.randint(2, 40), 40):
            faults = list(unsound(state, happens, after))
            assert not faults, (seed, state, happens, after)

"""What must be true of every step of a game with turn markers, whatever happens in it.

The markers that move are found a second way: not by adding those that are free to move, but by
striking out those that are not until nothing changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from marker_simulation import Events, State, allowed, moving, stalls


def most_that_can_move(state: State) -> set[int]:
    """The largest set of waiting markers in which each makes room for the one behind it."""
    if len(state.playing()) < 2:
        return set()
    places, holder = state.places(), {seat: marker for marker, seat in state.markers.items()}
    able = {holder[seat] for seat in state.waiting}

    def has_room(marker: int) -> bool:
        start = places.index(state.markers[marker])
        ahead = [*places[start + 1 :], *places[:start]]
        receiver = next(spot for spot, seat in enumerate(ahead) if seat not in state.left)
        near = [holder.get(seat) for seat in ahead[: receiver + 4]]
        return not any(near[:-1]) and (near[-1] is None or near[-1] in able)

    while able and (stuck := {marker for marker in able if not has_room(marker)}):
        able -= stuck
    return able


def unsound(state: State, happens: Events, after: State) -> Iterable[str]:
    """What is wrong with a step of a game."""
    playing, held = set(after.playing()), list(after.markers.values())
    if len(held) != allowed(len(playing)):
        yield "another number of markers than the players may have"
    if len(set(held)) != len(held):
        yield "two markers in one place"
    if not after.waiting <= set(held) or not set(held) - after.waiting <= playing:
        yield "a marker that neither waits nor lies at a player in the game"
    if not {*after.owed} <= playing:
        yield "an extra turn owed to nobody"
    ring = [
        marker for seat in after.seats for marker in after.markers if after.markers[marker] == seat
    ]
    pivot = ring.index(min(ring))
    if ring[pivot:] + ring[:pivot] != sorted(ring):
        yield "a marker that passed another"
    lay = {marker: state.markers[marker] for marker in after.markers}
    moved = {marker for marker in lay if lay[marker] != after.markers[marker]}
    again = (happens.done & set(after.under_way())) - {after.markers[marker] for marker in moved}
    if after.turn != state.turn + bool(moved or again):
        yield "a turn that began uncounted, or was counted without beginning"
    before, gained, now = Counter(state.owed), Counter(happens.gains), Counter(after.owed)
    if again - {*state.owed}:
        yield "an extra turn that was not owed"
    if any(now[p] != before[p] + gained[p] - (p in again) for p in playing):
        yield "an extra turn that is owed too often, or no more"
    over = after.waiting | {lay[marker] for marker in moved}
    if moved != most_that_can_move(replace(after, markers=lay, waiting=over)):
        yield "not the largest set of markers that can move"
    if not {after.markers[marker] for marker in moved} <= set(after.under_way()):
        yield "a marker received without a turn"
    if moving(after):
        yield "markers that could move on at once"
    if stalls(after):
        yield "a game that is stuck"

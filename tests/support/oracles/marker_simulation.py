"""The turn markers of a Grand Melee moved by plain Python, for comparison with the clauses.

Written from a reading of 607.7a to 607.7d (2004 draft) alone.  The left is the next seat in turn
order.  A place is a seat whose player is in the game, or in which a marker still lies; how far
one place is from another is counted in places.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

Player = str
Marker = int


@dataclass(frozen=True)
class State:
    """A game between two steps."""

    turn: int
    seats: tuple[Player, ...]
    left: Mapping[Player, int] = field(default_factory=dict)
    """Who has left the game, and in which turn."""
    markers: Mapping[Marker, Player] = field(default_factory=dict)
    """In whose seat each marker lies."""
    waiting: frozenset[Player] = frozenset()
    """In whose seats a marker lies although no turn is under way there."""
    owed: tuple[Player, ...] = ()
    """Who takes extra turns after the next own turn, named as often as that, in order."""

    def playing(self) -> tuple[Player, ...]:
        """The players in the game, in turn order."""
        return tuple(player for player in self.seats if player not in self.left)

    def places(self) -> tuple[Player, ...]:
        """The seats that count, in turn order."""
        held = set(self.markers.values())
        return tuple(seat for seat in self.seats if seat not in self.left or seat in held)

    def under_way(self) -> tuple[Player, ...]:
        """The players whose own turn it is, in turn order."""
        held = set(self.markers.values()) - self.waiting
        return tuple(player for player in self.seats if player in held)


@dataclass(frozen=True)
class Events:
    """What happens in one step, all at once."""

    done: frozenset[Player] = frozenset()
    leaves: frozenset[Player] = frozenset()
    gains: tuple[Player, ...] = ()


def allowed(players: int) -> int:
    """How many markers a number of players may have: one for every full four, at least one."""
    return max(1, players // 4)


def deal(players: Sequence[Player], start: Player) -> State:
    """The beginning of a game: a marker at the starting player and at every fourth seat on."""
    seats = tuple(players)
    if len(set(seats)) != len(seats):
        raise ValueError("a player sits twice")
    first = seats.index(start)
    lying = {
        number + 1: seats[(first + 4 * number) % len(seats)]
        for number in range(allowed(len(seats)))
    }
    return State(turn=1, seats=seats, markers=lying)


def step(
    state: State,
    done: Iterable[Player] = (),
    leaves: Iterable[Player] = (),
    gains: Iterable[Player] = (),
) -> State:
    """What follows when these players end their turns, leave, and gain extra turns at once."""
    done, leaves, gains = frozenset(done), frozenset(leaves), tuple(gains)
    playing, under_way = set(state.playing()), set(state.under_way())
    if not done <= under_way:
        raise ValueError(f"not in the own turn: {sorted(done - under_way)}")
    if not leaves <= playing:
        raise ValueError(f"not in the game: {sorted(leaves - playing)}")
    if not {*gains} <= playing - under_way:
        raise ValueError(f"gains nothing here: {sorted({*gains} - (playing - under_way))}")

    # Leaving: the turns of those who leave are over, and markers beyond the number go.
    left = {**state.left, **dict.fromkeys(leaves, state.turn)}
    taken = _taken(state, leaves, len(playing - leaves))
    markers = {marker: seat for marker, seat in state.markers.items() if marker not in taken}
    held = set(markers.values())
    waiting = (state.waiting | leaves) & held

    # Ending a turn: the extra turn that is owed begins, or else the marker waits.
    ending = (done - leaves) & held
    again = ending & {*state.owed}
    waiting |= ending - again
    due = Counter([*state.owed, *gains]) - Counter(again)
    owed = tuple(sorted(player for player in due.elements() if player not in leaves))

    # Moving, which begins the turns of those who receive.
    here = State(state.turn, state.seats, left, markers, waiting, owed)
    moves = moving(here)
    waiting -= {markers[marker] for marker in moves}
    turn = state.turn + 1 if again or moves else state.turn
    return State(turn, state.seats, left, {**markers, **moves}, waiting, owed)


def _taken(state: State, leaves: Collection[Player], staying: int) -> set[Marker]:
    """The markers taken away as these players leave and this many players stay."""
    surplus = len(state.markers) - allowed(staying)
    if surplus <= 0 or not leaves:
        return set()

    def steps_right(leaver: Player, marker: Marker) -> int:
        size = len(state.seats)
        seat = state.seats.index(state.markers[marker])
        return (state.seats.index(leaver) - seat) % size or size

    def nearness(leaver: Player, marker: Marker) -> int:
        own = steps_right(leaver, marker)
        return sum(steps_right(leaver, other) < own for other in state.markers)

    ranked = sorted(
        (min(nearness(leaver, marker) for leaver in leaves), marker) for marker in state.markers
    )
    return {marker for _, marker in ranked[:surplus]}


def moving(state: State) -> dict[Marker, Player]:
    """The markers that move now, and who receives each."""
    if len(state.playing()) < 2:
        return {}
    places = state.places()
    size = len(places)
    at = {places.index(seat): marker for marker, seat in state.markers.items()}
    receiver: dict[Marker, int] = {}
    blockers: dict[Marker, set[Marker]] = {}
    third: dict[Marker, Marker | None] = {}
    for place, marker in at.items():
        if places[place] not in state.waiting:
            continue
        passed: set[Marker] = set()
        ahead = place + 1
        while places[ahead % size] in state.left:  # A departed player's place holds a marker.
            passed.add(at[ahead % size])
            ahead += 1
        window = {at[spot % size] for spot in range(ahead, ahead + 4) if spot % size in at}
        receiver[marker] = ahead % size
        # A marker that is passed goes to the same receiver and is nearer: it goes first.
        blockers[marker] = (window | passed) - {marker}
        third[marker] = at.get((ahead + 3) % size)

    free: set[Marker] = set()
    while True:
        more = {
            marker
            for marker in blockers.keys() - free
            if blockers[marker] <= {third[marker]} & free
        }
        if not more:
            break
        free |= more
    if (
        not free
        and len(receiver) == len(at)
        and size == 4 * len(at)
        and all(blockers[marker] == {third[marker]} for marker in at.values())
    ):
        free = set(receiver)
    return {marker: places[receiver[marker]] for marker in sorted(free)}


def stalls(state: State) -> bool:
    """Whether every marker waits and none will ever move, although a game goes on."""
    return (
        len(state.playing()) > 1
        and set(state.markers.values()) == state.waiting
        and step(state) == state
    )


def random_game(rng: random.Random, seats: int, turns: int) -> list[tuple[State, Events, State]]:
    """A game at random up to this turn: each state, what happens in it, and what follows."""
    players = tuple(f"p{number}" for number in range(1, seats + 1))
    state = deal(players, rng.choice(players))
    departures = rng.choice((0.03, 0.1, 0.3))
    history = []
    while state.turn < turns and len(state.playing()) > 1 and not stalls(state):
        happens = random_events(rng, state, departures)
        after = step(state, happens.done, happens.leaves, happens.gains)
        history.append((state, happens, after))
        state = after
    return history


def random_events(rng: random.Random, state: State, departures: float) -> Events:
    """What might happen next; somebody leaves this often."""
    under_way = state.under_way()
    most = rng.choice((0, 1, 1, 1, 1, 2, 2, 2, len(under_way)))
    done = rng.sample(under_way, min(most, len(under_way)))
    leaves = _leavers(rng, state) if rng.random() < departures else ()
    others = [player for player in state.playing() if player not in under_way]
    most = rng.choice((0, 0, 0, 0, 1, 2))
    gains = [rng.choice(others) for _ in range(most if others else 0)]
    return Events(frozenset(done), frozenset(leaves), tuple(sorted(gains)))


def _leavers(rng: random.Random, state: State) -> Collection[Player]:
    """Players who leave together: anybody, neighbours, who holds markers, who sits between."""
    playing = state.playing()
    kind = rng.choice(("one", "one", "some", "many", "neighbours", "holders", "between"))
    if kind in ("one", "some", "many"):
        number = {"one": 1, "some": rng.choice((2, 4)), "many": len(playing) // 2}[kind]
        return rng.sample(playing, min(number, len(playing)))
    if kind == "neighbours":
        first, number = rng.randrange(len(playing)), rng.randint(2, 4)
        return {playing[(first + on) % len(playing)] for on in range(number)}
    held = [seat for seat in state.places() if seat in state.markers.values()]
    first = rng.randrange(len(held))
    pair = held[first], held[(first + 1) % len(held)]
    if kind == "between":
        places = state.places()
        start, end = places.index(pair[0]), places.index(pair[1])
        inner = range(start + 1, end if end > start else end + len(places))
        between = {places[spot % len(places)] for spot in inner} - set(state.left)
        if 0 < len(between) < len(playing) - 1:
            return between
    return set(pair[: rng.randint(1, 2)]) - set(state.left)

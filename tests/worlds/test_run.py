"""A plan gives what its circuit does, and what is kept of both is the same."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from seatlog.editions import load_book
from seatlog.worlds import (
    Circuit,
    Plan,
    Slots,
    Worlds,
    columns,
    keep_circuit,
    keep_plan,
    kept_circuit,
    kept_plan,
    key_of,
    planned,
    read_bound,
    run,
    solve,
)

GAMES = 300


@pytest.fixture(scope="module")
def worlds() -> Worlds:
    book = load_book("cr")
    universe = Slots(
        book.vocabulary, read_bound("players=3,things=2", book.vocabulary), book.clauses
    )
    return Worlds(universe)


@pytest.fixture(scope="module")
def roots(worlds: Worlds) -> list[int]:
    """The nodes of some verdicts, one of them denied, and both constants."""
    judged = worlds.judged(load_book("cr"), ["can_target", "can_attack", "in_range"])
    nodes = [n for rows in judged.taken.values() for n in rows.values()]
    return [*nodes, -nodes[-1], 1, -1]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("SEATLOG_CACHE", str(tmp_path))
    yield tmp_path


def drawn(circuit: Circuit, games: int) -> dict[tuple[str, tuple[str | int, ...]], int]:
    chance = random.Random(7)
    return {fact: chance.getrandbits(games) for fact in circuit.facts.values()}


def test_a_plan_gives_what_its_circuit_does(worlds: Worlds, roots: list[int]) -> None:
    held = drawn(worlds.circuit, GAMES)
    found = solve(planned(worlds.circuit, roots), columns(held.items(), GAMES))
    for game in (0, 1, 63, 64, GAMES - 1):
        said = {fact for fact, column in held.items() if column >> game & 1}
        assert [column >> game & 1 for column in found] == worlds.circuit.holding(roots, said)


@pytest.mark.parametrize("games", [1, 63, 64, 65, run.BLOCK - 1, run.BLOCK + 1, 2 * run.WIDE + 5])
def test_numpy_and_integers_agree(worlds: Worlds, roots: list[int], games: int) -> None:
    pytest.importorskip("numpy")
    few = roots[:6] + roots[-3:]
    given = columns(drawn(worlds.circuit, games).items(), games)
    plan = planned(worlds.circuit, few)
    assert solve(plan, given, arrays=True) == solve(plan, given, arrays=False)


def test_a_fact_that_no_game_has_is_false(worlds: Worlds, roots: list[int]) -> None:
    plan = planned(worlds.circuit, roots)
    none = solve(plan, columns([], 3))
    assert [n & 1 == 1 for n in none] == worlds.circuit.holding(roots, set())


def test_how_far_it_is_is_told(worlds: Worlds, roots: list[int]) -> None:
    told: list[int] = []
    games = run.BLOCK + 10
    solve(planned(worlds.circuit, roots[:1]), columns([], games), told.append, arrays=False)
    assert told == [run.BLOCK, games]


def test_a_part_of_some_games(worlds: Worlds) -> None:
    held = list(drawn(worlds.circuit, GAMES).items())
    whole = columns(held, GAMES)
    part = whole.part(64, 100)
    assert part.games == 100
    for at, (_, column) in enumerate(held):
        assert part.column(at) == column >> 64 & (1 << 100) - 1
    assert whole.part(256, 100).games == GAMES - 256
    with pytest.raises(ValueError, match="multiple of 64"):
        whole.part(1, 2)


def test_registers_are_used_again(worlds: Worlds, roots: list[int]) -> None:
    plan = planned(worlds.circuit, roots)
    fixed = len(plan.facts) + 2 + len(set(plan.results))
    assert plan.registers - fixed < len(plan.steps) / 4


def test_a_kept_plan_is_the_same(worlds: Worlds, roots: list[int], cache: Path) -> None:
    plan, key = planned(worlds.circuit, roots), key_of("a plan")
    assert kept_plan(key) is None
    labels = [str(root) for root in roots]
    keep_plan(key, plan, labels)
    assert kept_plan(key) == (plan, labels)
    assert kept_plan(key_of("another")) is None


def test_a_kept_circuit_says_the_same(worlds: Worlds, roots: list[int], cache: Path) -> None:
    key = key_of("a circuit", 1)
    keep_circuit(key, worlds.circuit, roots)
    found = kept_circuit(key, worlds.universe)
    assert found is not None
    circuit, again = found
    assert len(circuit) < len(worlds.circuit)
    given = columns(drawn(worlds.circuit, GAMES).items(), GAMES)
    assert solve(planned(circuit, again), given) == solve(planned(worlds.circuit, roots), given)


DAMAGED: list[object] = [
    None,
    7,
    [],
    [[], [], [], 2],
    [[["f", 1]], [0, 0, 1, 9], [3], 4, [""]],
    [[["f", 1]], [3, 0, 1, 3], [3], 4, [""]],
    [[["f", 1]], [0, 0, 1, 0], [3], 4, [""]],
    [[["f", 1]], [0, 0, 1], [3], 4, [""]],
    [[["f", 1]], [0, 0, 1, 3], [9], 4, [""]],
    [[["f", 1]], [0, -9, 1, 3], [3], 4, [""]],
    [[["f", 1]], [0, True, 1, 3], [3], 4, [""]],
    [[["f", 1]], [0, 0, 1, 3], [3], 10**12, [""]],
    [[[1, 1]], [0, 0, 1, 3], [3], 4, [""]],
    [[["f", 1.5]], [0, 0, 1, 3], [3], 4, [""]],
    [[["f", 1]], [0, 0, 1, 3], [3], 4, []],
]


@pytest.mark.parametrize("data", DAMAGED, ids=str)
def test_what_is_no_plan_is_made_again(data: object, cache: Path) -> None:
    from seatlog.editions import keep

    key = key_of("damaged")
    keep(key, json.dumps(data))
    assert kept_plan(key) is None


def test_a_sound_plan_is_taken(cache: Path) -> None:
    key = key_of("sound")
    plan = Plan((("f", (1,)),), ((0, 0, 2, 3),), (3,), 4)
    keep_plan(key, plan, [""])
    assert kept_plan(key) == (plan, [""])

"""The second opinion on 801.5 to 801.18 gives the known answers.

Each test builds the table of one known case and asks the oracle alone.
"""

from __future__ import annotations

from typing import Any

import pytest

from oracle_more import MORE_BUGS, MoreOracle

EMPERORS = ["g1", "E1", "g2", "g3", "E2", "g4"]
EMPEROR_TEAMS = {"ones": ["g1", "E1", "g2"], "twos": ["g3", "E2", "g4"]}


def game(seats: str | list[str], ranges: int | dict[str, int] = 1, **said: Any) -> MoreOracle:
    return MoreOracle(table(seats, ranges, **said))


def table(seats: str | list[str], ranges: int | dict[str, int] = 1, **said: Any) -> dict[str, Any]:
    return {"seats": list(seats), "range": ranges, **said}


def held(controller: str, *types: str, **more: Any) -> dict[str, Any]:
    return {"controller": controller, "types": list(types), **more}


def bears(players: str | list[str]) -> dict[str, Any]:
    """One creature for each player, named after the player."""
    return {
        f"{player} bear": held(player, "creature", subtypes=["Bear"], owner=player)
        for player in players
    }


def second(pairs: set[tuple[str, str]], first: str) -> set[str]:
    """What stands beside a name in a set of pairs."""
    return {two for one, two in pairs if one == first}


# Choices


def test_8_a_target_that_an_opponent_picks() -> None:
    oracle = game(
        "ABCD",
        objects={**bears("ABCD"), "Witches": held("A", "creature")},
        abilities={"sting": {"source": "Witches"}},
        choices={
            "other target": {
                "of": "sting",
                "asks_this": "B",
                "takes": ["player", "creature"],
                "target": True,
            }
        },
    )
    assert oracle.may_be_asked() == {("other target", "B")}
    picks = {("B", name, "other target") for name in ("A", "B", "A bear", "B bear", "Witches")}
    assert oracle.can_choose() == picks
    assert ("B", "C", "other target") in oracle.may_choose()
    assert ("B", "D", "other target") not in oracle.may_choose()


def test_9_a_mode_that_speaks_of_somebody_out_of_range() -> None:
    oracle = game(
        ["Carissa", "Rob", "A", "Dana", "Eve"],
        {"A": 2, "Carissa": 1},
        objects={"spell": held("A", "sorcery", zone="stack")},
        choices={
            "mode": {"of": "spell", "asks_this": "Carissa", "options": ["draw two", "grow A's"]}
        },
    )
    assert oracle.can_choose() == {
        ("Carissa", "draw two", "mode"),
        ("Carissa", "grow A's", "mode"),
    }
    assert not oracle.reaches("Carissa", "A")


def test_10_the_nearest_opponent_to_the_left() -> None:
    oracle = game(
        EMPERORS,
        teams=EMPEROR_TEAMS,
        objects={"piles spell": held("E1", "instant", zone="stack")},
        choices={
            "piles": {"of": "piles spell", "asks": "an opponent", "options": ["left", "right"]}
        },
    )
    assert oracle.may_be_asked() == {("piles", "g3")}


# Activated abilities


@pytest.mark.parametrize(("ranges", "may"), [(1, False), ({"A": 1, "B": 1, "C": 2, "D": 1}, True)])
def test_11_12_the_range_of_who_activates(ranges: int | dict[str, int], may: bool) -> None:
    oracle = game(
        "ABCD",
        ranges,
        objects={"well": held("A", "artifact")},
        abilities={"draw": {"source": "well", "activated_by": "any player"}},
    )
    assert (("C", "draw") in oracle.can_activate()) is may
    assert ("B", "draw") in oracle.can_activate()


# Triggered abilities


def test_13_becomes_blocked_with_and_without_the_blocker() -> None:
    oracle = game(
        ["Rob", "Alex", "Dana", "Carissa"],
        objects={
            "bear": held("Alex", "creature"),
            "wall": held("Dana", "creature"),
            "first": held("Rob", "enchantment", "aura", attached_to="bear"),
            "second": held("Rob", "enchantment", "aura", attached_to="bear"),
        },
        abilities={
            "blocked": {"source": "first", "watches": "becomes blocked", "subject": "its host"},
            "blocked by": {
                "source": "second",
                "watches": "becomes blocked",
                "subject": "its host",
                "by": "creature",
            },
        },
        events={"block": {"happens": "becomes blocked", "subject": "bear", "by": "wall"}},
    )
    assert oracle.can_trigger() == {("blocked", "block")}
    assert oracle.matches("blocked by", "block")


def test_14_a_creature_dies_into_a_graveyard_out_of_range() -> None:
    demon = {"watches": "leaves the battlefield", "subject": "other creature"}
    oracle = game(
        ["Alex", "Rob", "Carissa", "Dana"],
        objects={
            "bear": held("Carissa", "creature", owner="Alex"),
            "Alex's demon": held("Alex", "creature"),
            "Carissa's demon": held("Carissa", "creature"),
        },
        abilities={
            "Alex's": {"source": "Alex's demon", **demon},
            "Carissa's": {"source": "Carissa's demon", **demon},
        },
        events={"death": {"from": "battlefield", "to": "graveyard", "subject": "bear"}},
    )
    assert oracle.can_trigger() == {("Carissa's", "death")}


def test_15_an_attacker_out_of_range() -> None:
    oracle = game(
        "ABCD",
        objects={"watchtower": held("A", "enchantment")},
        abilities={
            "alarm": {
                "source": "watchtower",
                "watches": "attacks",
                "subject": "player",
                "whom": "opponent",
            }
        },
        events={
            "C at B": {"happens": "attacks", "subject": "C", "whom": "B"},
            "D at B": {"happens": "attacks", "subject": "D", "whom": "B"},
        },
    )
    assert oracle.matches("alarm", "C at B")
    assert oracle.can_trigger() == {("alarm", "D at B")}


def test_31_before_the_event_and_after_it() -> None:
    oracle = game(
        "ABCD",
        objects={
            "bear": held("B", "creature", owner="C"),
            "shrine": held("A", "enchantment"),
        },
        abilities={
            "dies": {"source": "shrine", "watches": "dies", "subject": "creature"},
            "anywhere": {
                "source": "shrine",
                "watches": "is put into a graveyard",
                "subject": "anything",
            },
            "leaves": {
                "source": "shrine",
                "watches": "leaves a graveyard",
                "subject": "creature card",
            },
        },
        events={
            "death": {"from": "battlefield", "to": "graveyard", "subject": "bear"},
            "exile": {"from": "graveyard", "to": "exile", "subject": "bear"},
        },
    )
    assert oracle.matches("anywhere", "death")
    assert oracle.matches("leaves", "exile")
    assert oracle.can_trigger() == {("dies", "death")}


# Attachments


@pytest.mark.parametrize(("controller", "strays"), [("A", False), ("D", True)])
def test_16_a_host_that_moves_out_of_range(controller: str, strays: bool) -> None:
    oracle = game(
        "ABCDE",
        {"A": 1, "B": 1, "C": 1, "D": 2, "E": 1},
        objects={
            "bear": held(controller, "creature", owner="A"),
            "charm": held("B", "enchantment", "aura", attached_to="bear"),
            "sword": held("B", "artifact", "equipment", attached_to="bear"),
        },
    )
    assert oracle.goes_to_graveyard() == ({("charm", "B")} if strays else set())
    assert oracle.comes_off() == ({("sword", "bear")} if strays else set())
    assert (("charm", "bear") in oracle.may_enchant()) is not strays
    assert (("sword", "bear") in oracle.may_equip()) is not strays


# Effects


def test_17_damage_to_each_creature() -> None:
    oracle = game(
        "ABCDEF",
        objects={**bears("ABCDEF"), "fire": held("A", "sorcery", zone="stack")},
        effects={"burn": {"source": "fire", "affects": ["creature"]}},
    )
    assert second(oracle.affected(), "burn") == {"F bear", "A bear", "B bear"}
    assert second(oracle.spared(), "burn") == {"C bear", "D bear", "E bear"}


def test_18_what_counts_for_a_neighbours_creature() -> None:
    seats = ["Rob", "Alex", "Carissa", "Dana", "Emil", "Farah"]  # Rob sits to Alex's right
    oracle = game(
        seats,
        objects={**bears(seats), "coat": held("Alex", "artifact")},
        effects={
            "boost": {
                "source": "coat",
                "affects": ["creature"],
                "counts": ["creature"],
                "counts_alike": True,
            }
        },
    )
    near = {"Rob bear", "Alex bear", "Carissa bear"}
    assert second(oracle.counted(), "boost") == near
    for creature in ("Alex bear", "Rob bear"):
        counted = {other for _effect, other, one in oracle.counted_for() if one == creature}
        assert counted == near - {creature}


@pytest.mark.parametrize(("newer", "goes"), [("C", set()), ("B", {("old world", "A")})])
def test_19_a_newer_world(newer: str, goes: set[tuple[str, str]]) -> None:
    oracle = game(
        "ABCD",
        objects={
            "old world": held("A", "enchantment", world_since=1),
            "new world": held(newer, "enchantment", world_since=2),
        },
    )
    assert oracle.world_goes() == goes


# Damage


def test_20_redirected_out_of_range() -> None:
    oracle = game(
        ["Rob", "Alex", "Dana", "Carissa"],
        objects={
            "axe": held("Alex", "sorcery", zone="stack"),
            "maneuver": held("Rob", "instant", zone="stack"),
        },
        effects={
            "turn": {"source": "maneuver", "redirects": {"Rob": "Carissa"}, "redirects_up_to": 3}
        },
        events={"hit": {"happens": "is dealt damage", "subject": "Rob", "by": "axe", "amount": 5}},
    )
    assert oracle.dealt() == {("hit", "Rob", 2)}


def prevention(effect: dict[str, Any], events: dict[str, tuple[str, str]]) -> set[str]:
    """Which damage Alex prevents: Rob is in Alex's range, Carissa isn't."""
    oracle = game(
        ["Alex", "Rob", "Carissa", "Dana"],
        objects={
            **bears(["Rob", "Carissa"]),
            "blast": held("Carissa", "instant", zone="stack"),
            "source": held("Alex", "enchantment"),
        },
        effects={"shield": {"source": "source", "prevents": True, **effect}},
        events={
            name: {"happens": "is dealt damage", "by": by, "subject": subject, "amount": 4}
            for name, (by, subject) in events.items()
        },
    )
    assert all(oracle.shields("shield", by, subject) for by, subject in events.values())
    return second(oracle.prevented(), "shield")


def test_21_the_source_is_named() -> None:
    assert not prevention({"prevents_from": ["creature"]}, {"hit": ("Carissa bear", "Rob")})


def test_22_the_recipient_is_named() -> None:
    assert prevention({"protects": ["Rob"]}, {"blast": ("blast", "Rob")}) == {"blast"}


def test_23_neither_is_named() -> None:
    hits = {"there": ("Carissa bear", "Rob bear"), "back": ("Rob bear", "Carissa bear")}
    assert not prevention({}, hits)


def test_32_a_source_that_cannot_be_chosen() -> None:
    oracle = game(
        "ABCD",
        {"A": 1, "B": 1, "C": 2, "D": 1},
        objects={
            "bolt": held("C", "instant", zone="stack"),
            "lamp": held("B", "artifact"),
            "ward": held("A", "instant", zone="stack"),
        },
        effects={
            "from one": {
                "source": "ward",
                "prevents": True,
                "chosen_source": "bolt",
                "protects": ["A"],
            },
            "from all": {"source": "ward", "prevents": True, "protects": ["A"]},
        },
        choices={"which": {"of": "ward", "asks": "you", "takes": ["source"]}},
        events={"hit": {"happens": "is dealt damage", "by": "bolt", "subject": "A", "amount": 3}},
    )
    assert ("A", "lamp", "which") in oracle.can_choose()
    assert ("A", "bolt", "which") not in oracle.can_choose()
    assert oracle.prevented() == {("from all", "hit")}


# Endings


def ending(says: str, seats: str | list[str], runner: str, **said: Any) -> MoreOracle:
    return game(
        seats,
        objects={"finale": held(runner, "sorcery", zone="stack")},
        effects={"end": {"source": "finale", "says": says}},
        **said,
    )


def test_24_you_win_the_game() -> None:
    oracle = ending("you win the game", "ABCD", "A")
    assert second(oracle.loses_by(), "end") == {"B", "D"}
    assert second(oracle.plays_on(), "end") == {"A", "C"}
    assert not oracle.wins()


def test_25_an_emperor_wins_with_nobody_in_range() -> None:
    oracle = ending("you win the game", EMPERORS, "E1", teams=EMPEROR_TEAMS)
    assert not oracle.loses_by()
    assert not oracle.plays_on()
    assert not oracle.wins()


def test_26_the_game_is_a_draw() -> None:
    oracle = ending("the game is a draw", "ABCD", "A")
    assert second(oracle.draws_by(), "end") == {"A", "B", "D"}
    assert oracle.plays_on() == oracle.wins() == {("end", "C")}


@pytest.mark.parametrize("optional", [False, True])
def test_27_a_loop(optional: bool) -> None:
    oracle = game(
        "ABCDEF",
        objects={"left gear": held("A", "artifact"), "right gear": held("C", "artifact")},
        loops={"spin": {"objects": ["left gear", "right gear"], "optional": optional}},
    )
    draws = set() if optional else set("FABCD")
    assert second(oracle.draws_by_loop(), "spin") == draws
    assert oracle.plays_on() == oracle.wins() == (set() if optional else {("spin", "E")})


def test_28_the_game_restarts() -> None:
    oracle = ending("the game restarts", "ABCD", "A")
    assert second(oracle.in_new_game(), "end") == set("ABCD")


@pytest.mark.parametrize(
    ("variant", "affected"), [(None, "ABCD"), ("free_for_all", "ABCD"), ("grand_melee", "ABD")]
)
def test_29_a_plane(variant: str | None, affected: str) -> None:
    said: dict[str, Any] = {} if variant is None else {"variant": variant}
    oracle = game(
        "ABCD",
        objects={"plane": held("A", "plane", zone="command")},
        abilities={"quake": {"source": "plane", "watches": "becomes tapped"}},
        effects={"damage": {"source": "quake", "affects": ["player"]}},
        **said,
    )
    assert second(oracle.affected(), "damage") == set(affected)


def test_33_new_targets_for_another_players_spell() -> None:
    oracle = game(
        "ABCD",
        objects={**bears("ABCD"), "bolt": held("A", "instant", zone="stack", targets=["B"])},
        choices={
            "new target": {
                "of": "bolt",
                "asks_this": "B",
                "takes": ["player", "creature"],
                "target": True,
            }
        },
    )
    picks = {name for _player, name, _choice in oracle.can_choose()}
    assert picks == {"A", "B", "A bear", "B bear"}


# Readings that the known cases leave open


def test_a_triggered_ability_is_activated_by_those_it_names() -> None:
    oracle = game(
        "ABCD",
        objects={"well": held("A", "artifact")},
        abilities={
            "drip": {"source": "well", "watches": "becomes tapped"},
            "draw": {"source": "well"},
            "both": {"source": "well", "watches": "becomes tapped", "activated_by": "opponents"},
        },
    )
    assert oracle.can_activate() == {("A", "draw"), ("B", "both"), ("D", "both")}


def test_a_battle_is_part_of_an_event_where_its_protector_sits_too() -> None:
    oracle = game(
        "ABCD",
        objects={"siege": held("C", "battle", protector="B"), "bell": held("A", "artifact")},
        abilities={
            "taps": {"source": "bell", "watches": "becomes tapped", "subject": "permanent"},
            "leaves": {
                "source": "bell",
                "watches": "leaves the battlefield",
                "subject": "permanent",
            },
            "buried": {"source": "bell", "watches": "is put into a graveyard"},
        },
        events={
            "tapping": {"happens": "becomes tapped", "subject": "siege"},
            "leaving": {"from": "battlefield", "to": "graveyard", "subject": "siege"},
        },
    )
    assert oracle.can_trigger() == {("taps", "tapping"), ("leaves", "leaving")}
    assert oracle.matches("buried", "leaving")


def test_a_condition_without_parts_still_needs_the_subject_in_range() -> None:
    oracle = game(
        "ABCD",
        objects={"bell": held("A", "artifact")},
        abilities={
            "any": {"source": "bell", "watches": "attacks"},
            "at me": {"source": "bell", "watches": "attacks", "whom": "you"},
        },
        events={
            "near": {"happens": "attacks", "subject": "B", "whom": "C"},
            "far": {"happens": "attacks", "subject": "C", "whom": "A"},
        },
    )
    assert oracle.matches("any", "far")
    assert oracle.can_trigger() == {("any", "near"), ("at me", "far")}


@pytest.mark.parametrize("shown", ["battlefield", "graveyard", "hand"])
def test_what_moves_is_what_it_was_or_becomes_wherever_the_table_shows_it(shown: str) -> None:
    card = {"owner": "A", "types": ["creature"], "zone": shown}
    described = ("permanent", "your creature", "creature")
    oracle = game(
        "AB",
        objects={"bell": held("A", "artifact"), "cub": card},
        abilities={
            f"{watched} {word}": {"source": "bell", "watches": watched, "subject": word}
            for watched in ("leaves the battlefield", "is put into a graveyard")
            for word in described
        },
        events={"death": {"from": "battlefield", "to": "graveyard", "subject": "cub"}},
    )
    matching = {f"leaves the battlefield {word}" for word in described}
    matching.add("is put into a graveyard creature")
    assert oracle.can_trigger() == {(ability, "death") for ability in matching}


def test_a_creature_that_enters_is_its_new_controllers() -> None:
    oracle = game(
        "AB",
        objects={"bell": held("A", "artifact"), "cub": {**held("B", "creature"), "zone": "hand"}},
        abilities={
            word: {"source": "bell", "watches": "enters the battlefield", "subject": word}
            for word in ("your creature", "permanent")
        },
        events={
            "enters": {"to": "battlefield", "subject": "cub"},
            "stolen": {"to": "battlefield", "subject": "cub", "under": "A"},
        },
    )
    assert oracle.can_trigger() == {
        ("permanent", "enters"),
        ("permanent", "stolen"),
        ("your creature", "stolen"),
    }


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ({"asks": "an opponent"}, "BD"),
        ({"asks": "an opponent", "asks_this": "B"}, "B"),
        ({"asks": "an opponent", "asks_this": "C"}, ""),
        ({"asks": "you", "asks_this": "B"}, ""),
        ({"asks_this": "C"}, "C"),
        ({}, "A"),
    ],
)
def test_who_is_named_is_one_of_those_described(said: dict[str, str], asked: str) -> None:
    oracle = game(
        "ABCD",
        objects={"idol": held("A", "artifact")},
        choices={"pick": {"of": "idol", "options": ["fire"], **said}},
    )
    assert second(oracle.may_be_asked(), "pick") == set(asked)


def damage(**effects: Any) -> set[tuple[str, str, int]]:
    """What is dealt of damage to B by A's creature, and of damage to C by A's spell."""
    return game(
        "ABCD",
        objects={**bears("AB"), "spell": held("A", "instant", zone="stack")},
        effects=effects,
        events={
            "bite": {"happens": "is dealt damage", "subject": "B", "by": "A bear", "amount": 5},
            "bolt": {"happens": "is dealt damage", "subject": "C", "by": "spell", "amount": 5},
        },
    ).dealt()


def test_damage_that_is_prevented_isnt_dealt() -> None:
    moved = {"source": "B bear", "redirects": {"B": "D"}, "redirects_up_to": 3}
    assert damage() == {("bite", "B", 5)}
    assert damage(moved=moved) == {("bite", "B", 2), ("bite", "D", 3)}
    for shield in ({"prevents": True}, {"prevents_from": ["creature"]}):
        assert not damage(shield={"source": "A bear", **shield})
        assert not damage(shield={"source": "A bear", **shield}, moved=moved)
    to_players = {"source": "B bear", "prevents_to": ["player"]}
    assert not damage(shield=to_players)
    assert damage(shield=to_players, moved=moved) == {("bite", "D", 3)}


def test_a_loop_ends_without_its_parts() -> None:
    loop: dict[str, Any] = {
        "objects": {"left gear": held("A", "artifact"), "right gear": held("C", "artifact")},
        "loops": {"spin": {"objects": ["left gear", "right gear"]}},
    }
    assert game("ABCDEF", **loop).draws_by_loop()
    assert not game("ABCDEF", **loop, left={"C": 1}).draws_by_loop()
    loop["objects"]["right gear"]["owner"] = "E"
    assert not game("ABCDEF", **loop, left={"C": 1}).draws_by_loop()


def test_a_host_is_known_after_its_aura_has_left_and_not_the_other_way_round() -> None:
    oracle = game(
        "ABCD",
        left={"D": 1},
        objects={
            **bears("B"),
            "lent": held("A", "enchantment", "aura", owner="D", attached_to="B bear"),
            "curse": held("A", "enchantment", "aura", attached_to="D"),
        },
        effects={
            "last words": {"source": "lent", "controller": "A", "affects": ["its host", "itself"]},
            "in vain": {"source": "curse", "affects": ["its host"]},
        },
    )
    assert oracle.affected() == oracle.would_affect() == {("last words", "B bear")}


def planes(variant: str, **said: Any) -> MoreOracle:
    """A plane of A's, from which C is out of range and D has left, and creatures of everybody's."""
    return game(
        "ABCDE",
        variant=variant,
        left={"D": 1},
        objects={
            "plane": held("A", "plane", zone="command"),
            "C wall": held("C", "creature", keywords=["shroud"]),
            **bears("BCD"),
        },
        **said,
    )


@pytest.mark.parametrize(
    ("variant", "asked", "picks", "targets"),
    [
        ("free_for_all", "BCE", {"B bear", "C bear", "C wall"}, {"B bear", "C bear"}),
        ("grand_melee", "BE", {"B bear", "C bear", "C wall"}, {"B bear"}),
    ],
)
def test_a_plane_asks_whoever_suits(
    variant: str, asked: str, picks: set[str], targets: set[str]
) -> None:
    asks = {"of": "plane", "asks": "an opponent", "takes": ["creature"]}
    oracle = planes(variant, choices={"pick": asks, "aim": {**asks, "target": True}})
    assert second(oracle.may_be_asked(), "pick") == set(asked)
    assert second(oracle.may_be_asked(), "aim") == set(asked)
    chosen = {(name, choice) for player, name, choice in oracle.can_choose() if player == "B"}
    assert chosen == {(name, "pick") for name in picks} | {(name, "aim") for name in targets}


def test_a_plane_prevents_and_ends_everywhere_in_the_game() -> None:
    said: dict[str, Any] = {
        "abilities": {"howl": {"source": "plane", "watches": "dies", "subject": "creature"}},
        "effects": {
            "shield": {"source": "plane", "prevents": True},
            "hush": {"source": "plane", "prevents": True, "chosen_source": "D bear"},
            "win": {"source": "howl", "says": "you win the game"},
            "draw": {"source": "plane", "says": "the game is a draw"},
        },
        "events": {
            "far": {"happens": "is dealt damage", "by": "C bear", "subject": "C", "amount": 1},
            "gone": {"happens": "is dealt damage", "by": "D bear", "subject": "A", "amount": 1},
            "flood": {"happens": "is dealt damage", "by": "plane", "subject": "B", "amount": 1},
            "death": {"from": "battlefield", "to": "graveyard", "subject": "D bear"},
        },
    }
    oracle = planes("free_for_all", **said)
    assert oracle.prevented() == {("shield", "far"), ("shield", "flood")}
    assert second(oracle.loses_by(), "win") == set("BCE")
    assert second(oracle.draws_by(), "draw") == set("ABCE")
    assert not oracle.can_trigger()
    oracle = planes("grand_melee", **said)
    assert oracle.prevented() == {("shield", "flood")}
    assert second(oracle.loses_by(), "win") == set("BE")
    assert second(oracle.draws_by(), "draw") == set("ABE")


@pytest.mark.parametrize(("variant", "dealt"), [("free_for_all", {"C"}), ("grand_melee", set())])
def test_damage_by_a_plane_is_redirected_anywhere(variant: str, dealt: set[str]) -> None:
    oracle = planes(
        variant,
        effects={"turn": {"source": "B bear", "redirects": {"B": "C"}}},
        events={
            "flood": {"happens": "is dealt damage", "by": "plane", "subject": "B", "amount": 1}
        },
    )
    assert {name for _event, name, _amount in oracle.dealt()} == dealt


def test_what_was_exiled_is_no_world_permanent() -> None:
    lent = held("D", "enchantment", owner="B", default_controller="D", world_since=2)
    worlds = {"old world": held("A", "enchantment", world_since=1), "lent world": lent}
    assert game("ABCD", objects=worlds, ranges=2).world_goes() == {("old world", "A")}
    assert not game("ABCD", objects=worlds, ranges=2, left={"D": 1}).world_goes()


def test_nothing_is_attached_to_itself_or_off_the_battlefield() -> None:
    oracle = game(
        "AB",
        objects={
            "veil": held("A", "enchantment", "creature", "aura"),
            "oath": held("A", "enchantment", "aura", zone="stack"),
            "sword": held("A", "artifact", "creature", "equipment"),
            "boots": held("A", "artifact", "equipment", zone="stack"),
            "ghost": {"owner": "A", "types": ["creature"], "zone": "graveyard"},
            "wall": held("A", "artifact", "land", "fortification"),
            "marsh": held("B", "land"),
        },
    )
    everything = {"A", "B", "veil", "oath", "sword", "boots", "ghost", "wall", "marsh"}
    assert second(oracle.may_enchant(), "veil") == everything - {"veil"}
    assert second(oracle.may_enchant(), "oath") == everything - {"oath"}
    assert oracle.may_equip() == {("sword", "veil")}
    assert oracle.may_fortify() == {("wall", "marsh")}


# The oracle itself


def test_the_faults_have_names_of_their_own() -> None:
    assert len(set(MORE_BUGS)) == len(MORE_BUGS)
    for bug in MORE_BUGS:
        MoreOracle(table("AB"), bug=bug)
    MoreOracle(table("AB"), bug="symmetric")
    with pytest.raises(ValueError, match="unknown bug"):
        MoreOracle(table("AB"), bug="no such fault")


def test_without_a_runner_nothing_happens() -> None:
    oracle = game(
        "ABCD",
        left={"D": 1},
        objects={**bears("AB"), "gone": held("D", "artifact")},
        abilities={"spark": {"source": "gone", "activated_by": "any player"}},
        effects={
            "stated": {"controller": "D", "source": "A bear", "affects": ["player"]},
            "of an object": {"source": "gone", "says": "the game restarts"},
            "of an ability": {"source": "spark", "says": "the game is a draw"},
            "of nobody": {"affects": ["player"], "prevents": True},
        },
        choices={"pick": {"of": "stated", "asks": "any player", "takes": ["player"]}},
        events={"hit": {"happens": "is dealt damage", "by": "B bear", "subject": "A", "amount": 1}},
    )
    for answers in (
        oracle.may_be_asked(),
        oracle.can_activate(),
        oracle.affected(),
        oracle.spared(),
        oracle.draws_by(),
        oracle.in_new_game(),
        oracle.prevented(),
    ):
        assert not answers
    assert oracle.dealt() == {("hit", "A", 1)}

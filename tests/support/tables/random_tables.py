"""Small tables made at random, mixed so that every question is often a yes and often a no."""

import random
from collections.abc import Iterable
from typing import Any

from oracle import BATTLEFIELD, CONTROLLED_IN_COMMAND_ZONE, STACK, Oracle

PLAYERS = ("Alex", "Rob", "Carissa", "Dana", "Bianca", "Emil", "Farah", "Goro", "Hilde", "Ivo")
ODD_PLAYERS = ("O'Neill", "太郎", "Mary Ann", "花子", "d'Arcy", "player one", "José")
TEAMS = ("Red", "Blue", "Green")
ODD_TEAMS = ("Dana's Friends", "東", "The Others")
ADJECTIVES = ("Amber", "Brave", "Cinder", "Dusty", "Elder", "Frost", "Grim", "Hollow", "Iron")
ODD_ADJECTIVES = ("Rob's", "Miller's", "古い", "Half Blind", "赤の")
NOUNS = {
    "creature": ("Bear", "Otter", "Wolf", "Giant"),
    "planeswalker": ("Wanderer", "Sage"),
    "battle": ("Siege", "Invasion"),
    "spell": ("Bolt", "Riddle", "Charm", "Gift"),
    "other": ("Lamp", "Tower", "Meadow"),
    "elsewhere": ("Relic", "Memory", "Ghost"),
    "command": ("Omen", "Decree"),
}
HIDDEN_ZONES = ("graveyard", "graveyard", "exile", "hand", "library", "command")

TEAMS_BY_SEATS = {2: 0.05, 3: 0.1, 4: 0.2, 5: 0.35, 6: 0.5, 7: 0.65, 8: 0.7}

PREDICATES = ("in_range", "can_target", "opponent", "can_attack", "legal_target")


def random_table(rng: random.Random) -> dict[str, Any]:
    """One table, different for every state of the generator."""
    seats = _seats(rng)
    table: dict[str, Any] = {"seats": seats}
    table.update(_leaving(rng, seats))
    left: dict[str, int] = table.get("left", {})
    staying = [player for player in seats if player not in left]
    table.update(_ranges(rng, seats, staying))
    if rng.random() < 0.25:
        table["active"] = _active(rng, staying, table)
    # Teams are likelier at large tables, which hold most of the pairs of players.
    if rng.random() < TEAMS_BY_SEATS[len(seats)]:
        table["teams"] = _teams(rng, seats)
    table["objects"] = _objects(rng, table)
    return table


def _seats(rng: random.Random) -> list[str]:
    number = rng.randint(2, 8)
    odd = rng.randint(1, min(3, number)) if rng.random() < 0.2 else 0
    seats = rng.sample(ODD_PLAYERS, odd) + rng.sample(PLAYERS, number - odd)
    rng.shuffle(seats)
    return seats


def _leaving(rng: random.Random, seats: list[str]) -> dict[str, Any]:
    """The current turn, and who has left the game when; somebody always stays."""
    turn = rng.choice((1, 2, 3, 5, 9))
    said: dict[str, Any] = {}
    if turn > 1 or rng.random() < 0.3:
        said["turn"] = turn
    if rng.random() < 0.52:
        number = min(rng.choice((1, 1, 1, 2, 2, 3)), len(seats) - 1)
        left: dict[str, int] = {}
        for player in rng.sample(seats, number):
            left[player] = turn if rng.random() < 0.5 else rng.randint(1, turn)
        said["left"] = left
    return said


def _ranges(rng: random.Random, seats: list[str], staying: list[str]) -> dict[str, Any]:
    """Nothing at all, one range for everyone, or ranges that differ among those in the game."""
    if len(staying) < 2 or rng.random() < 0.42:
        if rng.random() < 0.15:
            return {}
        return {"range": rng.choice((0, 1, 1, 1, 1, 2, 2, 3))}
    while True:
        own: dict[str, int] = {}
        for player in seats:
            if rng.random() < 0.65:
                own[player] = rng.choice((0, 1, 1, 1, 2, 2, 3))
        said: dict[str, Any]
        match rng.randint(1, 3):
            case 1:
                said = {"range": rng.choice((0, 1, 1, 2)), "ranges": own}
            case 2:
                said = {"range": own}
            case _:
                said = {"ranges": own}
        if _differ({"seats": seats, **said}, staying):
            return said


def _differ(table: dict[str, Any], players: list[str]) -> bool:
    """Whether two of these players have different ranges."""
    ranges = Oracle(table).ranges
    return len({ranges.get(player) for player in players}) > 1


def _active(rng: random.Random, staying: list[str], table: dict[str, Any]) -> list[str]:
    """Mostly one player; now and then two at once, or one who left in this turn (800.4j)."""
    number = 2 if len(staying) > 3 and rng.random() < 0.3 else 1
    active = rng.sample(staying, number)
    left: dict[str, int] = table.get("left", {})
    gone_now = [player for player in left if left[player] == table.get("turn", 1)]
    if gone_now and rng.random() < 0.15:
        active[0] = rng.choice(gone_now)
    return active


def _teams(rng: random.Random, seats: list[str]) -> dict[str, list[str]]:
    """One to three teams without common members; some players may be in none."""
    names = rng.sample(ODD_TEAMS if rng.random() < 0.2 else TEAMS, rng.choice((1, 1, 2, 2, 2, 3)))
    teams: dict[str, list[str]] = {}
    for player in rng.sample(seats, len(seats)):
        if rng.random() < 0.93:
            teams.setdefault(rng.choice(names), []).append(player)
    return teams or {names[0]: list(seats)}


def _objects(rng: random.Random, table: dict[str, Any]) -> dict[str, dict[str, Any]]:
    number = rng.randint(2, 7)
    kinds = ["creature"]
    if rng.random() < 0.45:
        kinds.append("battle")
    if len(kinds) < number and rng.random() < 0.5:
        kinds.append("spell")
    common = ("creature", "creature", "creature", "creature", "planeswalker", "spell", "other")
    while len(kinds) < number:
        rare = rng.choice(("elsewhere", "elsewhere", "command", "battle"))
        kinds.append(rare if rng.random() < 0.25 else rng.choice(common))
    rng.shuffle(kinds)

    objects: dict[str, dict[str, Any]] = {}
    for kind in kinds:
        objects[_name(rng, kind, objects)] = _object(rng, kind, table)
    _aim(rng, table, objects)
    return objects


def _name(rng: random.Random, kind: str, used: Iterable[str]) -> str:
    while True:
        adjective = rng.choice(ODD_ADJECTIVES if rng.random() < 0.12 else ADJECTIVES)
        name = f"{adjective} {rng.choice(NOUNS[kind])}"
        if name not in used:
            return name


def _object(rng: random.Random, kind: str, table: dict[str, Any]) -> dict[str, Any]:
    seats: list[str] = table["seats"]
    match kind:
        case "creature":
            extra = rng.choice(([], [], [], [], [], ["artifact"], ["land"], ["planeswalker"]))
            made = _permanent(rng, ["creature", *extra], table)
        case "planeswalker":
            made = _permanent(rng, ["planeswalker"], table)
        case "battle":
            extra = rng.choice(([], [], [], [], [], ["creature"], ["planeswalker"]))
            made = _permanent(rng, ["battle", *extra], table)
            if rng.random() < 0.9:
                made["protector"] = rng.choice(seats)
        case "other":
            made = _permanent(rng, [rng.choice(("artifact", "enchantment", "land"))], table)
        case "spell":
            made = {**_control(rng, seats), "zone": STACK}
            types = rng.choice(("instant", "instant", "sorcery", "creature", "battle", None))
            if types is not None:  # an ability on the stack has no card types
                made["types"] = [types]
            made.update(_keywords(rng))
        case "elsewhere":
            types = rng.choice(("creature", "planeswalker", "battle", "instant", "land"))
            zone = rng.choice(HIDDEN_ZONES)
            made = {"owner": rng.choice(seats), "types": [types], "zone": zone}
            made.update(_keywords(rng))
        case _:
            made = {**_control(rng, seats), "zone": "command"}
            made["types"] = [rng.choice(CONTROLLED_IN_COMMAND_ZONE)]
    return made


def _permanent(rng: random.Random, types: list[str], table: dict[str, Any]) -> dict[str, Any]:
    made = {**_control(rng, table["seats"]), "types": types, **_keywords(rng)}
    active: list[str] = table.get("active", [])
    if active and "controller" in made and rng.random() < 0.6:
        made["controller"] = rng.choice(active)
    if "creature" in types and rng.random() < 0.08:
        made["keywords"] = [*made.get("keywords", []), "defender"]
    if rng.random() < 0.08:
        made["tapped"] = True
    if rng.random() < 0.5:
        made["zone"] = BATTLEFIELD
    return made


def _control(rng: random.Random, seats: list[str]) -> dict[str, Any]:
    """Who owns and who controls an object, said in one of the ways a table may say it."""
    one, two, three = (rng.choice(seats) for _ in range(3))
    return rng.choice(
        (
            {"controller": one},
            {"controller": one},
            {"controller": one},
            {"owner": one},
            {"controller": one, "owner": two},
            {"controller": one, "owner": two, "default_controller": two},
            {"controller": one, "owner": two, "default_controller": three},
            {"controller": one, "default_controller": two},
        )
    )


def _keywords(rng: random.Random) -> dict[str, Any]:
    keywords: list[str] = []
    if rng.random() < 0.08:
        keywords.append("shroud")
    if rng.random() < 0.14:
        keywords.append("hexproof")
    return {"keywords": keywords} if keywords else {}


def _aim(rng: random.Random, table: dict[str, Any], objects: dict[str, dict[str, Any]]) -> None:
    """Give most spells one to three targets, players or other objects at the table."""
    for name, object_ in objects.items():
        if object_.get("zone") == STACK and rng.random() < 0.9:
            others = [other for other in objects if other != name]
            names = [*table["seats"], *others]
            object_["targets"] = rng.sample(names, min(rng.randint(1, 3), len(names)))


def shares(tables: Iterable[dict[str, Any]]) -> dict[str, float]:
    """How the tables are mixed, each share between 0 and 1.

    `leavers` and `unequal_ranges` are shares of the tables: somebody has left, and two players
    in the game have different ranges.  The others, one for each predicate, are the share of yes
    among all pairs that could be one.
    """
    number = leavers = unequal = 0
    pairs = dict.fromkeys(PREDICATES, 0)
    yes = dict.fromkeys(PREDICATES, 0)
    for table in tables:
        oracle = Oracle(table)
        number += 1
        leavers += bool(table.get("left"))
        unequal += _differ(table, oracle.players)

        players = len(oracle.players)
        everything = players + len(table.get("objects", {}))
        pairs["in_range"] += players * everything
        pairs["can_target"] += players * everything
        pairs["opponent"] += players * (players - 1)
        creatures = [thing for thing in oracle.things if thing.is_permanent("creature")]
        defenders = [
            thing
            for thing in oracle.things
            if thing.is_permanent("planeswalker") or thing.is_permanent("battle")
        ]
        for creature in creatures:
            others = [player for player in oracle.players if player != creature.holder]
            pairs["can_attack"] += len(others) + len(defenders)
        for object_ in table.get("objects", {}).values():
            pairs["legal_target"] += len(object_.get("targets", []))

        for predicate in PREDICATES:
            yes[predicate] += len(getattr(oracle, predicate)())

    result = {predicate: yes[predicate] / max(1, pairs[predicate]) for predicate in PREDICATES}
    result["leavers"] = leavers / max(1, number)
    result["unequal_ranges"] = unequal / max(1, number)
    return result

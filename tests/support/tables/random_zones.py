"""Random tables about zones and moves, for the clauses and their oracle."""

from __future__ import annotations

import random
from typing import Any

PLAYERS = ["Alex", "Rob", "Carissa"]
ZONES = ["battlefield", "stack", "graveyard", "hand", "library", "exile", "command"]
TYPES = ["creature", "creature", "creature", "instant", "sorcery", "artifact", "plane", "scheme"]


def random_thing(rng: random.Random) -> dict[str, Any]:
    """A card somewhere, or nowhere."""
    kind = rng.choice(TYPES)
    thing: dict[str, Any] = {"types": [kind], "owner": rng.choice(PLAYERS)}
    if rng.random() < 0.1:
        thing[rng.choice(["sideboard", "no_zone"])] = True
        return thing
    zone = rng.choice([*ZONES, "battlefield", "battlefield"])
    if zone != "battlefield" or rng.random() < 0.5:
        thing["zone"] = zone
    commanding = zone == "command" and kind in ("plane", "scheme")
    if (zone in ("battlefield", "stack") or commanding) and rng.random() < 0.6:
        thing["controller"] = rng.choice(PLAYERS)
    for flag in ("face_down", "piled", "revealed"):
        if rng.random() < 0.2:
            thing[flag] = True
    if rng.random() < 0.2:
        thing["shown_to"] = [rng.choice(PLAYERS)]
    return thing


def random_event(rng: random.Random, names: list[str]) -> dict[str, Any]:
    """A move, or somebody's defeat."""
    if rng.random() < 0.2:
        return {"happens": "loses the game", "subject": rng.choice(PLAYERS)}
    event: dict[str, Any] = {"subject": rng.choice(names[:2]), "to": rng.choice(ZONES)}
    if rng.random() < 0.5:
        event["to"] = "graveyard"
    if rng.random() < 0.4:
        event["from"] = rng.choice(ZONES)
    if rng.random() < 0.2:
        event["face_down"] = True
    if rng.random() < 0.2:
        event["under"] = rng.choice(PLAYERS)
    return event


def random_effect(rng: random.Random, names: list[str]) -> dict[str, Any]:
    """A replacement effect of a move, or of a defeat."""
    effect: dict[str, Any] = {"source": rng.choice(names)}
    if rng.random() < 0.25:
        effect["affects"] = [rng.choice(["you", "player"])]
        effect["instead_of_what"] = "loses the game"
        effect["puts"] = rng.choice(["itself", "creature"])
    else:
        effect["affects"] = [rng.choice(["anything", "anything", "creature", "itself"])]
        effect["instead_of"] = rng.sample(["graveyard", "exile", "library"], rng.randint(1, 2))
        if rng.random() < 0.2:
            effect["from"] = rng.choice(ZONES)
        if rng.random() < 0.2:
            effect["puts"] = rng.choice(["itself", "creature"])
    if rng.random() < 0.9:
        effect["puts_in"] = rng.choice(["exile", "library", "hand"])
    return effect


def random_zones(rng: random.Random) -> dict[str, Any]:
    """A table with a few things, events and effects; sometimes a player has left."""
    things = {f"Card{i}": random_thing(rng) for i in range(rng.randint(3, 6))}
    names = list(things)
    inside = [n for n in names if not {"sideboard", "no_zone"} & {*things[n]}] or names[:1]
    events = {f"Move{i}": random_event(rng, inside) for i in range(rng.randint(1, 4))}
    for name in list(events)[1:]:
        if rng.random() < 0.4:
            events[name]["along_with"] = "Move0"
    effects = {f"Effect{i}": random_effect(rng, names) for i in range(rng.randint(0, 4))}
    table: dict[str, Any] = {"seats": PLAYERS, "turn": 3, "objects": things}
    if rng.random() < 0.3:
        table["left"] = {rng.choice(PLAYERS): rng.choice([2, 3])}
        effects = {k: e for k, e in effects.items() if not leaver_owns(table, e["source"])}
    return {**table, "events": events, "effects": effects}


def leaver_owns(table: dict[str, Any], thing: str) -> bool:
    """Whether a thing is a leaver's: an effect of a card that resolved would go on without it."""
    said = table["objects"][thing]
    return (said.get("owner") or said.get("controller")) in table["left"]

"""Random tables with moves, and with abilities and effects that want to know about them."""

from __future__ import annotations

import random
from typing import Any

from oracle_objects import LEAVING, SEEN_BY_ALL

ZONES = [*sorted(SEEN_BY_ALL), "hand", "library"]
CHANGES = [
    "another controller",
    "other characteristics",
    "an ability for the battlefield",
    "an ability to be cast",
]
WATCHED = [
    "dies",
    "leaves the battlefield",
    "enters the battlefield",
    "leaves a graveyard",
    "is put into a graveyard",
    "is cast",
    "attacks",
]


def random_objects(rng: random.Random) -> dict[str, Any]:
    """A table on which nobody's range is limited."""
    aura = ["enchantment", "aura"]
    kinds = [["creature"], ["land"], ["instant"], ["artifact"], aura, aura, aura]
    things = [f"Thing{i}" for i in range(6)]
    abilities = [f"Ability{i}" for i in range(4)]
    effects = [f"Effect{i}" for i in range(5)]
    events = [f"Event{i}" for i in range(6)]

    def maybe(share: float, value: Any, key: str) -> dict[str, Any]:
        return {key: value} if rng.random() < share else {}

    objects = {
        t: {"controller": rng.choice(["Alex", "Rob"]), "types": rng.choice(kinds)}
        | maybe(0.7, things[0], "attached_to")
        for t in things
    }
    objects[things[0]].pop("attached_to", None)
    return {
        "seats": ["Alex", "Rob"],
        "objects": objects,
        "abilities": {
            a: {"source": rng.choice(things)}
            | (
                maybe(0.7, rng.choice([*WATCHED, *LEAVING]), "watches")
                or maybe(0.5, True, "static")
            )
            | maybe(0.5, ["costs paid"], "recalls")
            for a in abilities
        },
        "effects": {
            e: {
                "source": rng.choice([*things, *abilities]),
                "affects_these": rng.sample(things, rng.randint(0, 3)),
                "gives": rng.sample(CHANGES, rng.randint(0, 2)),
                "discarded": rng.sample(things, rng.randint(0, 2)),
            }
            | maybe(0.3, rng.choice(things), "chosen_source")
            | maybe(0.3, rng.choice(things), "sticker_on")
            for e in effects
        },
        "events": {
            e: {"subject": rng.choice([*things, *things[:1] * 2])}
            | maybe(0.2, rng.choice(["attacks", "is cast"]), "happens")
            | _way(rng)
            | maybe(0.4, rng.choice(effects), "allowed_by")
            | maybe(0.3, rng.choice(effects), "caused_by")
            | maybe(0.3, rng.choice([*things, *abilities]), "pays_for")
            | maybe(0.3, True, "madness")
            | maybe(0.5, rng.choice(events), "along_with")
            | maybe(0.5, rng.choice(events), "cleans_up")
            for e in events
        },
    }


def _way(rng: random.Random) -> dict[str, str]:
    """From where to where, often on ways that exceptions speak of."""
    common = [("stack", "battlefield"), ("exile", "stack"), *[("battlefield", "graveyard")] * 2]
    if rng.random() < 0.1:
        return {"happens": "attacks"}
    source, target = rng.choice(common) if rng.random() < 0.6 else rng.choices(ZONES, k=2)
    return {"from": source, "to": target}

"""Random tables with abilities, effects, events, choices and loops.

They extend the tables of the smaller generator, and are mixed so that every question is often a
yes and often a no for reasons of range.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from oracle import BATTLEFIELD, COMMAND, STACK
from oracle_more import DAMAGE, ROLES, MoreOracle
from random_tables import ADJECTIVES, ODD_ADJECTIVES, random_table

MORE_PREDICATES = (
    "may_be_asked",
    "can_choose",
    "can_activate",
    "can_trigger",
    "may_enchant",
    "may_equip",
    "may_fortify",
    "goes_to_graveyard",
    "comes_off",
    "affected",
    "spared",
    "counted",
    "counted_for",
    "world_goes",
    "dealt",
    "prevented",
    "loses_by",
    "draws_by",
    "draws_by_loop",
    "plays_on",
    "wins",
    "in_new_game",
)

NOUNS = {
    "aura": ("Veil", "Oath", "Shackle"),
    "equipment": ("Sword", "Boots", "Mask"),
    "fortification": ("Wall", "Moat"),
    "land": ("Marsh", "Ridge"),
    "world": ("Realm", "Age"),
    "plane": ("Isle", "Gate"),
    "ability": ("Watch", "Spark", "Howl"),
    "effect": ("Storm", "Hush", "Surge"),
    "event": ("Clash", "Blow", "Passage"),
    "choice": ("Question", "Verdict"),
    "option": ("Fire", "Ice", "Pile", "Word"),
    "loop": ("Spiral", "Wheel"),
}
SUBTYPES = ("Bear", "Elf", "Time Lord")
VARIANTS = ("free_for_all", "grand_melee")

WATCHED = (
    "attacks",
    "blocks",
    "becomes blocked",
    DAMAGE,
    "is cast",
    "is activated",
    "draws a card",
    "becomes tapped",
    "gains life",
    "loses life",
    "dies",
    "enters the battlefield",
    "leaves the battlefield",
    "leaves a graveyard",
    "is put into a graveyard",
)
WORDS = (
    "anything",
    "player",
    "you",
    "opponent",
    "other player",
    "creature",
    "other creature",
    "your creature",
    "creature card",
    "permanent",
    "planeswalker",
    "artifact",
    "land",
    "source",
    "itself",
    "its host",
)
# Words that say little about where something is: the range has to decide.
WIDE_WORDS = (
    "anything",
    "player",
    "opponent",
    "other player",
    "creature",
    "creature",
    "other creature",
    "permanent",
    "creature card",
    "source",
)
MOVES = (
    (BATTLEFIELD, "graveyard"),
    (BATTLEFIELD, "graveyard"),
    (BATTLEFIELD, "graveyard"),
    (BATTLEFIELD, "hand"),
    (BATTLEFIELD, "exile"),
    ("graveyard", "exile"),
    ("graveyard", BATTLEFIELD),
    ("graveyard", "hand"),
    ("hand", BATTLEFIELD),
    ("library", "graveyard"),
    ("exile", BATTLEFIELD),
    (STACK, BATTLEFIELD),
    (STACK, "graveyard"),
)


class Maker:
    """Adds to one table, and never gives a name twice."""

    def __init__(self, rng: random.Random, table: dict[str, Any]) -> None:
        self.rng = rng
        self.table = table
        self.seats: list[str] = table["seats"]
        self.objects: dict[str, dict[str, Any]] = table["objects"]
        self.used = {*self.seats, *table.get("teams", {}), *self.objects}
        self.redirected: set[str] = set()

    def name(self, kind: str) -> str:
        while True:
            adjectives = ODD_ADJECTIVES if self.chance(0.12) else ADJECTIVES
            name = f"{self.rng.choice(adjectives)} {self.rng.choice(NOUNS[kind])}"
            if name not in self.used:
                self.used.add(name)
                return name

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def some(self, names: Sequence[str], least: int = 1, most: int = 3) -> list[str]:
        """A few different names out of a sequence, as many as there are."""
        different = list(dict.fromkeys(names))
        return self.rng.sample(different, min(self.rng.randint(least, most), len(different)))

    def objects_that(self, fits: Callable[[dict[str, Any]], bool]) -> list[str]:
        return [name for name, object_ in self.objects.items() if fits(object_)]

    def permanents(self, *types: str) -> list[str]:
        """Permanents with one of these types, or all permanents."""

        def fits(object_: dict[str, Any]) -> bool:
            on_battlefield: bool = object_.get("zone", BATTLEFIELD) == BATTLEFIELD
            return on_battlefield and (not types or bool(set(types) & set(object_["types"])))

        return self.objects_that(fits)

    # The variant

    def add_variant(self) -> None:
        """Often a variant; then, and at times without, a range that stands above it."""
        if self.chance(0.4):
            self.table["variant"] = self.rng.choice(VARIANTS)
        elif self.chance(0.3):
            return
        said = self.table.get("range")
        if isinstance(said, dict):
            self.table["ranges"] = said
        if not isinstance(said, int):
            self.table["range"] = self.rng.choice((0, 1, 1, 2))

    # Objects

    def control(self) -> dict[str, Any]:
        one, two, three = (self.rng.choice(self.seats) for _ in range(3))
        return self.rng.choice(
            (
                {"controller": one},
                {"controller": one},
                {"controller": one, "owner": two},
                {"controller": one, "owner": two, "default_controller": three},
                {"owner": one},
            )
        )

    def add_objects(self) -> None:
        for _ in range(self.rng.choice((0, 1, 1, 2, 3))):
            self.add_attachment(self.rng.choice(("aura", "equipment", "fortification")))
        for _ in range(self.rng.choice((0, 0, 2, 2, 3))):
            self.objects[self.name("world")] = {
                **self.control(),
                "types": ["enchantment"],
                "world_since": self.rng.randint(0, 3),
            }
        if self.chance(0.45):
            types = [self.rng.choice(("plane", "plane", "phenomenon"))]
            self.objects[self.name("plane")] = {**self.control(), "types": types, "zone": COMMAND}
        for name in self.objects_that(lambda object_: "creature" in object_.get("types", [])):
            if self.chance(0.85):
                self.objects[name]["subtypes"] = self.some(SUBTYPES, 1, 2)

    def add_attachment(self, kind: str) -> None:
        """An attachment, mostly on something of the right kind, here or gone."""
        if kind == "fortification" and not self.permanents("land"):
            self.objects[self.name("land")] = {**self.control(), "types": ["land"]}
        match kind:
            case "aura":
                types = ["enchantment", "aura"]
                hosts = [*self.permanents(), *self.rng.sample(self.seats, 2)]
            case "equipment":
                types = ["artifact", "equipment"]
                hosts = self.permanents("creature")
            case _:
                types = ["artifact", "fortification"]
                hosts = self.permanents("land")
        made = {**self.control(), "types": types}
        if hosts and self.chance(0.9):
            made["attached_to"] = self.rng.choice(hosts)
        self.objects[self.name(kind)] = made

    # Events

    def add_events(self) -> None:
        events: dict[str, dict[str, Any]] = {}
        for _ in range(self.rng.randint(1, 3)):
            made = self.rng.choice(
                (self.damage, self.damage, self.move, self.move, self.move, self.act, self.act)
            )()
            if made is not None:
                events[self.name("event")] = made
        if events:
            self.table["events"] = events

    def damage(self) -> dict[str, Any] | None:
        """Damage to somebody or something that is still in the game."""
        oracle = MoreOracle(self.table)
        permanents = self.permanents("creature", "planeswalker", "battle")
        recipients = [name for name in permanents if name in oracle.here] + oracle.players
        battles = [name for name in self.permanents("battle") if name in oracle.here]
        if battles and self.chance(0.4):
            recipients = battles
        sources = self.permanents("creature") + self.objects_that(
            lambda object_: object_.get("zone") == STACK
        )
        planes = self.objects_that(lambda object_: "plane" in object_.get("types", []))
        if planes and self.chance(0.3):
            sources = planes
        if not sources:
            return None
        return {
            "happens": DAMAGE,
            "subject": self.rng.choice(recipients),
            "by": self.rng.choice(sources),
            "amount": self.rng.randint(1, 6),
        }

    def move(self) -> dict[str, Any] | None:
        """Something moves, mostly from where the table says it is."""
        leaves, enters = self.rng.choice(MOVES)
        there = self.objects_that(lambda object_: object_.get("zone", BATTLEFIELD) == leaves)
        if not there or self.chance(0.08):
            there = list(self.objects)
        borrowed = [
            name for name in there if len({"controller", "owner"} & set(self.objects[name])) == 2
        ]
        subject = self.rng.choice(borrowed if borrowed and self.chance(0.6) else there)
        made: dict[str, Any] = {"from": leaves, "to": enters, "subject": subject}
        if enters == BATTLEFIELD and self.chance(0.6):
            made["under"] = self.rng.choice(self.seats)
        if self.chance(0.06):
            del made[self.rng.choice(("from", "to"))]
        return made

    def act(self) -> dict[str, Any] | None:
        creatures = self.permanents("creature") or list(self.objects)
        battles = self.permanents("battle")
        player = self.rng.choice(self.seats)
        other = self.rng.choice(self.seats)
        creature = self.rng.choice(creatures)
        anything = self.rng.choice(battles if battles and self.chance(0.5) else list(self.objects))
        subject, role, part = self.rng.choice(
            (
                ("attacks", creature, self.rng.choice((player, anything))),
                ("attacks", player, other),
                ("blocks", creature, self.rng.choice(creatures)),
                ("becomes blocked", creature, self.rng.choice(creatures)),
                ("is cast", anything, player),
                ("is activated", anything, player),
                ("draws a card", player, None),
                ("becomes tapped", anything, None),
                ("gains life", player, anything),
                ("loses life", player, anything),
            )
        )
        made: dict[str, Any] = {"happens": subject, "subject": role}
        if part is not None:
            made["whom" if subject in ("attacks", "blocks") else "by"] = part
        return made

    def drop_contradictions(self) -> None:
        """Takes out events in which something attacks or blocks that can't, or not that."""
        events = self.table.get("events", {})
        for name, event in list(events.items()):
            against = event.get("whom", event.get("by"))
            said = self.objects.get(event["subject"], {})
            odd = bool(said.get("types")) and "creature" not in said["types"]
            odd = odd or event["subject"] == against or said.get("controller", "") == against
            if odd and event.get("happens") in ("attacks", "blocks", "becomes blocked"):
                del events[name]

    # Abilities

    def some_object(self) -> str:
        """An object to have an ability or effect: often a plane, if there is one."""
        planes = self.objects_that(
            lambda object_: bool({"plane", "phenomenon"} & set(object_.get("types", [])))
        )
        attached = self.objects_that(lambda object_: "attached_to" in object_)
        if planes and self.chance(0.3):
            return self.rng.choice(planes)
        if attached and self.chance(0.2):
            return self.rng.choice(attached)
        return self.rng.choice(list(self.objects))

    def add_abilities(self) -> None:
        abilities: dict[str, dict[str, Any]] = {}
        for _ in range(self.rng.randint(1, 3)):
            source = self.some_object()
            made: dict[str, Any] = {"source": source}
            if self.chance(0.65):
                made.update(self.condition(source))
            elif self.chance(0.9):
                made["activated_by"] = self.rng.choice(
                    ("any player", "any player", "opponents", "you")
                )
            abilities[self.name("ability")] = made
        self.table["abilities"] = abilities

    def condition(self, source: str) -> dict[str, Any]:
        """What a triggered ability watches for, mostly something that occurs."""
        tried = {**self.table, "abilities": {"": {"source": source}}}
        oracle = MoreOracle(tried, bug="gone_parts_fit")
        occurring = sorted(oracle.occurs())
        if not occurring or self.chance(0.1):
            return {"watches": self.rng.choice(WATCHED), "subject": self.rng.choice(WORDS)}
        event, watched = self.rng.choice(occurring)
        made = {"watches": watched}
        oracle.abilities[""]["watches"] = watched
        for role in ROLES:
            part: str | None = self.table["events"][event].get(role)
            if self.chance(0.03 if part is None else 0.8):
                words = list(WORDS)
                if part is not None and self.chance(0.9):
                    words = [w for w in WORDS if oracle.answers(w, "", event, role)] or words
                made[role] = self.rng.choice(words)
        return made

    # Effects

    def add_effects(self) -> None:
        effects: dict[str, dict[str, Any]] = {}
        facets = (
            self.affecting,
            self.affecting,
            self.counting,
            self.counting_alike,
            self.preventing,
            self.preventing,
            self.redirecting,
            self.ending,
            self.ending,
        )
        for _ in range(self.rng.randint(1, 3)):
            made = self.maker()
            for facet in self.rng.sample(facets, self.rng.choice((1, 1, 2))):
                made.update(facet(made))
            effects[self.name("effect")] = made
        self.table["effects"] = effects

    def maker(self) -> dict[str, Any]:
        """Where an effect comes from, and now and then who controls it."""
        abilities: dict[str, Any] = self.table["abilities"]
        made: dict[str, Any] = {}
        if self.chance(0.93):
            made["source"] = self.some_object()
            if self.chance(0.35):
                made["source"] = self.rng.choice(list(abilities))
        if (self.chance(0.1) and made.get("source") in abilities) or not made:
            made["controller"] = self.rng.choice(self.seats)
        return made

    def described(self, asker: str | None) -> list[str]:
        """One or two words; of what is attached often its host, wherever that is."""
        words = self.some(WORDS if self.chance(0.3) else WIDE_WORDS, 1, 2)
        source = MoreOracle(self.table).source(asker)
        if source is not None and "attached_to" in self.objects[source] and self.chance(0.5):
            words[0] = "its host"
        return list(dict.fromkeys(words))

    def affecting(self, made: dict[str, Any]) -> dict[str, Any]:
        said: dict[str, Any] = {}
        if self.chance(0.8):
            said["affects"] = self.described(made.get("source"))
        if not said or self.chance(0.25):
            said["affects_these"] = self.some([*self.seats, *self.objects])
        return said

    def counting(self, made: dict[str, Any]) -> dict[str, Any]:
        return {"counts": self.described(made.get("source"))}

    def counting_alike(self, _made: dict[str, Any]) -> dict[str, Any]:
        words = ("creature", "creature", "creature", "other creature", "permanent")
        affects = self.rng.choice((*words, "your creature"))
        return {"affects": [affects], "counts": [self.rng.choice(words)], "counts_alike": True}

    def damages(self) -> list[str]:
        events: dict[str, dict[str, Any]] = self.table.get("events", {})
        return [event for event, said in events.items() if said.get("happens") == DAMAGE]

    def preventing(self, made: dict[str, Any]) -> dict[str, Any]:
        """Prevention that mostly fits the damage of an event but for the range."""
        said: dict[str, Any] = {"prevents": True}
        damages = self.damages()
        oracle = MoreOracle(self.table)
        runner, source = self.rng.choice(self.seats), oracle.source(made.get("source"))
        if source is not None:
            runner = oracle.runner(source) or runner
        by, subject = self.rng.choice(list(self.objects)), self.rng.choice(self.seats)
        if damages:
            event = self.table["events"][self.rng.choice(damages)]
            by, subject = event["by"], event["subject"]
        style = self.rng.choice(("neither", "neither", "source", "recipient", "both"))
        if style in ("source", "both"):
            if self.chance(0.4):
                said["chosen_source"] = by
            if "chosen_source" not in said or self.chance(0.1):
                said["prevents_from"] = self.words_for(oracle, runner, source, by)
        if style in ("recipient", "both"):
            if self.chance(0.4):
                said["protects"] = list(dict.fromkeys((subject, *self.some(self.seats, 0, 1))))
            if "protects" not in said or self.chance(0.1):
                said["prevents_to"] = self.words_for(oracle, runner, source, subject)
        return said

    def words_for(
        self, oracle: MoreOracle, runner: str, source: str | None, name: str
    ) -> list[str]:
        fitting = [word for word in WORDS if oracle.fits(word, runner, source, name)]
        if fitting and self.chance(0.85):
            return self.some(fitting, 1, 1)
        return self.some(WORDS, 1, 2)

    def redirecting(self, made: dict[str, Any]) -> dict[str, Any]:
        """Damage goes elsewhere; never twice from the same, never on and on."""
        events: dict[str, dict[str, Any]] = self.table.get("events", {})
        recipients = [events[event]["subject"] for event in self.damages()]
        if not recipients or self.chance(0.1):
            recipients = list(self.seats)
        redirects: dict[str, str] = {}
        for recipient in self.some(recipients, 1, 2):
            others = [*self.seats, *self.permanents("creature", "planeswalker")]
            others = [other for other in others if other not in (recipient, *self.redirected)]
            if recipient in self.redirected or not others:
                continue
            redirects[recipient] = self.rng.choice(others)
            self.redirected |= {recipient, redirects[recipient]}
        if not redirects:
            return self.affecting(made)
        said: dict[str, Any] = {"redirects": redirects}
        if self.chance(0.6):
            said["redirects_up_to"] = self.rng.randint(1, 4)
        return said

    def ending(self, _made: dict[str, Any]) -> dict[str, Any]:
        outcomes = ("you win the game", "the game is a draw", "the game restarts")
        return {"says": self.rng.choice(outcomes)}

    # Choices and loops

    def add_choices(self) -> None:
        choices: dict[str, dict[str, Any]] = {}
        for _ in range(self.rng.randint(1, 3)):
            made: dict[str, Any] = {"of": self.some_object()}
            if self.chance(0.5):
                named = [*self.table["abilities"], *self.table["effects"]]
                made["of"] = self.rng.choice(named)
            asked = self.rng.random()
            if asked < 0.75:
                made["asks"] = self.rng.choice(
                    ("any player", "an opponent", "an opponent", "an opponent", "you")
                )
            if asked > 0.7:
                made["asks_this"] = self.rng.choice(self.seats)
            if self.chance(0.25):
                made["options"] = [self.name("option") for _ in range(self.rng.randint(1, 2))]
            if "options" not in made or self.chance(0.2):
                made["takes"] = self.described(made["of"])
            if "options" not in made and self.chance(0.5):
                made["target"] = True
            choices[self.name("choice")] = made
        self.table["choices"] = choices

    def add_loops(self) -> None:
        loops: dict[str, dict[str, Any]] = {}
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            made: dict[str, Any] = {"objects": self.some(list(self.objects), 1, 2)}
            if self.chance(0.25):
                made["optional"] = True
            loops[self.name("loop")] = made
        if loops:
            self.table["loops"] = loops


def random_more(rng: random.Random) -> dict[str, Any]:
    """One table, different for every state of the generator."""
    maker = Maker(rng, random_table(rng))
    maker.add_variant()
    maker.add_objects()
    maker.add_events()
    maker.add_abilities()
    maker.add_effects()
    maker.add_choices()
    maker.add_loops()
    leave_open_cases_out(maker.table, rng)
    maker.drop_contradictions()
    return maker.table


def leave_open_cases_out(table: dict[str, Any], rng: random.Random) -> None:
    """Take out what no rule of this book settles.

    Redirection and prevention of the same damage (616.1 lets somebody choose the order), permanents
    in graveyards, and moves from the battlefield of what the leaving rules took away from there.
    """
    effects: dict[str, dict[str, Any]] = table.get("effects", {})
    if any("redirects" in e for e in effects.values()):
        spoken = {"redirects", "redirects_up_to"}
        if rng.random() < 0.5:
            spoken = {"prevents", "prevents_from", "prevents_to", "chosen_source", "protects"}
        for effect in effects.values():
            for key in spoken:
                effect.pop(key, None)
    for ability in table.get("abilities", {}).values():
        kind = ability.get("subject") in ("permanent", "your creature")
        if kind and "graveyard" in ability.get("watches", ""):
            ability["subject"] = "creature card"
    here = MoreOracle(table).here
    events: dict[str, dict[str, Any]] = table.get("events", {})
    for name, event in list(events.items()):
        subject = here.get(event.get("subject", ""))
        if event.get("from") == BATTLEFIELD and (subject is None or subject.zone != BATTLEFIELD):
            del events[name]


def candidates(oracle: MoreOracle) -> dict[str, set[tuple[str, ...]]]:
    """For each predicate the tuples that could be a yes, if only the range allowed it.

    may_be_asked       choice and a player who suits its words
    can_choose         a player who is asked, and an option or what the choice takes by its words
    can_activate       player and another's ability that this player may use by its words
    can_trigger        ability and an event that fits its condition, parts named in it included
    may_enchant …      attachment with a controller, and what is of the right kind, itself not
    goes_to_graveyard  Aura that is attached, and its owner
    comes_off          Equipment or Fortification that is attached, and its host
    affected, spared   effect and what it would affect
    counted            effect and what it would count
    counted_for        effect, and two that are alike, of which it would count one for the other
    world_goes         world permanent with another one somewhere that is world no longer
    dealt              event whose damage is redirected, and either recipient
    prevented          effect and damage that fits what it names, anything if it names nothing
    loses_by           effect and an opponent of its runner
    draws_by           effect and another player than its runner
    draws_by_loop      loop of somebody's that can't be stopped, and a player
    plays_on           effect or loop that somebody leaves by, and a player
    wins               the same, and a player who stays
    in_new_game        effect, and a player who is in the game or has left it
    """
    found: dict[str, set[tuple[str, ...]]] = {predicate: set() for predicate in MORE_PREDICATES}
    asked = oracle.may_be_asked()
    for choice, said in oracle.choices.items():
        found["may_be_asked"] |= {(choice, player) for player in oracle.suits(choice)}
        picks = [name for name in oracle.names() if oracle.takes(choice, name)]
        for player in oracle.players:
            if (choice, player) in asked:
                for pick in (*said.get("options", []), *picks):
                    found["can_choose"].add((player, pick, choice))
    for ability, said in oracle.abilities.items():
        for player in oracle.players:
            others = oracle.permits(ability, player) and player != oracle.runner(ability)
            if "watches" not in said and others:
                found["can_activate"].add((player, ability))
        named = any(role in said for role in ROLES)
        for event in oracle.events:
            if named and oracle.matches(ability, event):
                found["can_trigger"].add((ability, event))

    _add_objects(oracle, found)
    _add_effects(oracle, found)
    return found


def _add_objects(oracle: MoreOracle, found: dict[str, set[tuple[str, ...]]]) -> None:
    for thing in oracle.here.values():
        if thing.controller is None:
            continue
        for name in oracle.names():
            types = oracle.here[name].types if name in oracle.here else []
            if name == thing.name:
                continue
            if "aura" in thing.types:
                found["may_enchant"].add((thing.name, name))
            if name in oracle.players or not thing.zone == oracle.here[name].zone == BATTLEFIELD:
                continue
            if "equipment" in thing.types and "creature" in types:
                found["may_equip"].add((thing.name, name))
            if "fortification" in thing.types and "land" in types:
                found["may_fortify"].add((thing.name, name))
        if thing.host is not None:
            if "aura" in thing.types:
                found["goes_to_graveyard"].add((thing.name, thing.owner))
            if {"equipment", "fortification"} & set(thing.types):
                found["comes_off"].add((thing.name, thing.host))
        if oracle.is_outdone(thing.name, anywhere=True):
            found["world_goes"].add((thing.name, thing.owner))


def _add_effects(oracle: MoreOracle, found: dict[str, set[tuple[str, ...]]]) -> None:
    would_affect, would_count = oracle.would_affect(), oracle.would_count()
    found["affected"] |= would_affect
    found["spared"] |= would_affect
    found["counted"] |= would_count
    for effect, creature in would_affect:
        if oracle.effects[effect].get("counts_alike", False):
            for counting, other in would_count:
                if counting == effect and oracle.alike(creature, other):
                    found["counted_for"].add((effect, other, creature))
    for event, said in oracle.events.items():
        redirection = oracle.redirection(event)
        if said.get("happens") == DAMAGE and redirection is not None:
            found["dealt"] |= {(event, said["subject"]), (event, redirection[1])}
    for event, source, recipient in oracle.damages():
        for effect in oracle.effects:
            if oracle.shields(effect, source, recipient):
                found["prevented"].add((effect, event))

    for effect, said in oracle.effects.items():
        runner = oracle.runner(effect)
        match said.get("says"):
            case "you win the game" if runner is not None:
                opponents = {two for one, two in oracle.opponent() if one == runner}
                found["loses_by"] |= {(effect, player) for player in opponents}
            case "the game is a draw" if runner is not None:
                others = {player for player in oracle.players if player != runner}
                found["draws_by"] |= {(effect, player) for player in others}
            case "the game restarts":
                found["in_new_game"] |= {(effect, player) for player in oracle.seats}
    for loop, said in oracle.loops.items():
        stopped = said.get("optional", False) or oracle.is_broken(loop)
        if oracle.loopers(loop) and not stopped:
            found["draws_by_loop"] |= {(loop, player) for player in oracle.players}
    causes = {cause for cause, _player in oracle.out()}
    found["plays_on"] |= {(cause, player) for cause in causes for player in oracle.players}
    found["wins"] |= oracle.plays_on()


def tally(oracle: MoreOracle, answers: Mapping[str, set[tuple[Any, ...]]]) -> Counter[str]:
    """What one table adds to the mix, given the oracle's answers."""
    counted: Counter[str] = Counter(tables=1)
    counted["leavers"] += len(oracle.players) < len(oracle.seats)
    counted["unequal_ranges"] += len({oracle.ranges.get(player) for player in oracle.players}) > 1
    counted["variants"] += oracle.variant is not None
    for predicate, possible in candidates(oracle).items():
        found = answers[predicate]
        if predicate == "dealt":
            found = {(event, name) for event, name, _amount in found}
        counted["yes " + predicate] += len(found & possible)
        counted["all " + predicate] += len(possible)
    return counted


def shares_of(mix: Mapping[str, int]) -> dict[str, float]:
    """How the tables are mixed, each share between 0 and 1; from the sum of their tallies.

    `leavers`, `unequal_ranges` and `variants` are shares of the tables: somebody has left, two
    players in the game have different ranges, a variant is said.  The others, one for each
    predicate, are the share of yes among its candidates.
    """
    shares = {
        predicate: mix.get("yes " + predicate, 0) / max(1, mix.get("all " + predicate, 0))
        for predicate in MORE_PREDICATES
    }
    for trait in ("leavers", "unequal_ranges", "variants"):
        shares[trait] = mix.get(trait, 0) / max(1, mix.get("tables", 0))
    return shares

"""A second opinion on zones and moves, in plain Python, written from the rules alone (CR 400).

It knows tables without ranges and with the keys that ``random_zones`` uses. What may become of a
thing is found by trying every choice among replacement effects, one after the other.
"""

from __future__ import annotations

from itertools import product
from typing import Any

Row = tuple[str, ...]

BUGS: tuple[str, ...] = ("controller_arranges", "owner_decides", "enters_anyway", "one_step")
"""Faults that can be seeded, each a plausible misreading of the rules:

controller_arranges  permanents are arranged by whoever controls them (400.5)
owner_decides        the owner chooses among effects, even if somebody controls the thing (400.6)
enters_anyway        instants and sorceries enter the battlefield (400.4a)
one_step             what one effect has replaced, no other effect replaces in turn (400.6)
"""

PUBLIC = ("battlefield", "stack", "graveyard", "exile", "command")
OWN = ("library", "hand", "graveyard")
HELD = ("conspiracy", "phenomenon", "plane", "scheme", "vanguard")


class Zones:
    """One table, and everything that is asked about it."""

    def __init__(self, table: dict[str, Any], bug: str | None = None) -> None:
        self.bug = bug
        left = table.get("left", {})
        self.players = [p for p in table["seats"] if p not in left]
        self.things: dict[str, dict[str, Any]] = table["objects"]
        self.events: dict[str, dict[str, Any]] = table["events"]
        self.effects: dict[str, dict[str, Any]] = table["effects"]
        self.left = set(left)

    # --- Things

    def owner(self, thing: str) -> str:
        said = self.things[thing]
        return str(said.get("owner") or said["controller"])

    def gone(self, thing: str) -> bool:
        return self.owner(thing) in self.left

    def zone(self, thing: str) -> str | None:
        """Where a thing is; None for nowhere."""
        said = self.things[thing]
        if self.gone(thing) or said.get("sideboard") or said.get("no_zone"):
            return None
        if said.get("controller") in self.left:
            return "exile"
        return str(said.get("zone", "battlefield"))

    def holder(self, thing: str) -> str | None:
        """Its controller or, for want of one, its owner; None for what is nowhere."""
        zone = self.zone(thing)
        if zone is None:
            return None
        controlled = zone in ("battlefield", "stack") or (
            zone == "command" and set(self.types(thing)) & set(HELD)
        )
        if controlled:
            return str(self.things[thing].get("controller") or self.owner(thing))
        return self.owner(thing)

    def types(self, thing: str) -> list[str]:
        return list(self.things[thing].get("types", []))

    def face_down(self, thing: str) -> bool:
        return bool(self.things[thing].get("face_down"))

    # --- Looking and arranging

    def sees(self) -> set[Row]:
        return {(p, t) for p in self.players for t in self.things if self._sees(p, t)}

    def _sees(self, player: str, thing: str) -> bool:
        zone = self.zone(thing)
        said = self.things[thing]
        if zone is None:
            return False
        if said.get("revealed") or player in said.get("shown_to", []):
            return True
        if zone == "hand":
            return self.owner(thing) == player
        if self.face_down(thing):
            return zone in ("battlefield", "stack") and self.holder(thing) == player
        return zone in PUBLIC

    def may_arrange(self) -> set[Row]:
        out: set[Row] = set()
        for thing, said in self.things.items():
            zone = self.zone(thing)
            if zone in ("battlefield", "hand", "exile", "command") and not said.get("piled"):
                by_control = self.bug == "controller_arranges" and self.holder(thing)
                out.add((by_control or self.owner(thing), thing))
        return out

    def outside(self) -> set[Row]:
        return {(t,) for t in self.things if self.zone(t) is None}

    def same_zone(self) -> set[Row]:
        out: set[Row] = set()
        for one, other in product(self.things, repeat=2):
            zone = self.zone(one)
            apart = zone in OWN and self.owner(one) != self.owner(other)
            if one != other and zone is not None and zone == self.zone(other) and not apart:
                out.add((one, other))
        return out

    # --- Moves

    def subject(self, event: str) -> str | None:
        name = self.events[event].get("subject")
        return name if name in self.things else None

    def start(self, event: str) -> str | None:
        thing = self.subject(event)
        said = self.events[event].get("from")
        return said or (self.zone(thing) if thing else None)

    def barred(self, event: str) -> bool:
        """Whether its subject stays put, as cards of its types do."""
        thing, said = self.subject(event), self.events[event]
        if thing is None or self.gone(thing) or "to" not in said:
            return False
        types = set(self.types(thing))
        if said["to"] in ("battlefield", "stack") and said.get("under") in self.left:
            return True
        enters = said["to"] == "battlefield" and not said.get("face_down")
        if enters and types & {"instant", "sorcery"} and self.bug != "enters_anyway":
            return True
        return said["to"] != "command" and self.start(event) == "command" and bool(types & {*HELD})

    def bound(self, event: str) -> str | None:
        """Where its subject would go, if anywhere."""
        thing = self.subject(event)
        if thing is None or self.gone(thing) or self.barred(event):
            return None
        to = self.events[event].get("to")
        return str(to) if to else None

    def speaks_of(self, effect: str, word: str, name: str) -> bool:
        """Whether a word of an effect describes a thing or a player."""
        source = self.effects[effect]["source"]
        runner = self.holder(source)
        if runner is None:
            return False
        if name not in self.things:
            return (
                name in self.players
                and word in ("you", "player")
                and (word == "player" or name == runner)
            )
        if self.zone(name) is None:
            return False
        if word == "creature":
            return "creature" in self.types(name) and self.zone(name) == "battlefield"
        return word == "anything" or (word == "itself" and name == source)

    def affected(self, effect: str, name: str) -> bool:
        return any(self.speaks_of(effect, w, name) for w in self.effects[effect]["affects"])

    def applies_at(self, effect: str, event: str, zone: str) -> bool:
        """Whether an effect replaces going to a zone, for the subject of an event."""
        said, thing = self.effects[effect], self.subject(event)
        if thing is None or zone not in said.get("instead_of", []) or self.nobodys(effect):
            return False
        if not self.affected(effect, thing):
            return False
        return "from" not in said or self.start(event) in (None, said["from"])

    def nobodys(self, effect: str) -> bool:
        """Whether an effect comes from what left, or was exiled as its controller left."""
        source = self.things.get(self.effects[effect].get("source", ""))
        return source is not None and source.get("controller") in self.left

    def replacing(self, event: str) -> list[str]:
        out = []
        for effect, said in self.effects.items():
            zone = self.bound(event)
            what = said.get("instead_of_what")
            if zone is not None and self.applies_at(effect, event, zone):
                out.append(effect)
            elif (
                what is not None
                and not self.nobodys(effect)
                and (self.events[event].get("happens") == what)
            ):
                out += [effect] if self.affected(effect, self.events[event]["subject"]) else []
        return out

    def moved_by(self, effect: str, event: str) -> dict[str, set[str]]:
        """What an effect that replaces an event puts where, the next effect included."""
        said, thing = self.effects[effect], self.subject(event)
        if "puts_in" not in said:
            return {}
        word = said.get("puts")
        names = [t for t in self.things if word and self.speaks_of(effect, word, t)]
        if not word and thing is not None and self.bound(event):
            names = [thing]
        out = {}
        for name in names:
            then = set()
            if name == thing and self.bug != "one_step":
                for other in self.effects:
                    if other != effect and self.applies_at(other, event, said["puts_in"]):
                        then |= self.sent_by(other, name)
            out[name] = then or {said["puts_in"]}
        return out

    def sent_by(self, effect: str, thing: str) -> set[str]:
        said = self.effects[effect]
        word = said.get("puts")
        moves = self.speaks_of(effect, word, thing) if word else self.affected(effect, thing)
        return {said["puts_in"]} if "puts_in" in said and moves else set()

    def moment(self, event: str) -> list[str]:
        """An event and those that happen with it: all that are said to with the same one."""
        first = self.events[event].get("along_with", event)
        every = (e for e, said in self.events.items() if said.get("along_with", e) == first)
        return [event, *(e for e in every if e != event)]

    def claims(self, event: str, effect: str | None) -> dict[str, set[str]]:
        """Who ends where by an event, once an effect was chosen to replace it (or none was)."""
        thing, zone = self.subject(event), self.bound(event)
        if effect is None:
            return {thing: {zone}} if thing and zone else {}
        out = self.moved_by(effect, event)
        start = self.start(event)
        if thing and zone and thing not in out and start:
            out[thing] = {start}
        return out

    def branches(self, event: str) -> list[list[tuple[str, str, dict[str, set[str]]]]]:
        """Every way to choose among the effects of a moment: event, cause, who ends where."""
        ways = []
        for each in self.moment(event):
            effects = self.replacing(each)
            choices = effects or [None]  # type: ignore[list-item]
            ways.append([(each, c or each, self.claims(each, c)) for c in choices])
        return [list(way) for way in product(*ways)]

    def put_in(self) -> set[Row]:
        out: set[Row] = set()
        for event in self.events:
            thing = self.subject(event)
            if thing and self.barred(event):
                start = self.start(event)
                out |= {(event, thing, start)} if start else set()
            branches = self.branches(event)
            named = {t for way in branches for _, _, claims in way for t in claims}
            for name in named:
                for way in branches:
                    ends = set().union(*(claims.get(name, set()) for _, _, claims in way))
                    here = self.zone(name)
                    out |= {(event, name, z) for z in ends or ({here} if here else set())}
        return out

    def torn(self, event: str, thing: str) -> bool:
        """Whether two things want to happen to a thing that can't both happen."""
        for way in self.branches(event):
            if len({cause for _, cause, claims in way if thing in claims}) > 1:
                return True
        own = [e for e in self.moment(event) if self.subject(e) == thing and self.bound(e)]
        return any(len(self._claiming(e, thing)) > 1 for e in own)

    def _claiming(self, event: str, thing: str) -> list[str]:
        return [r for r in self.replacing(event) if thing in self.claims(event, r)]

    def decides(self) -> set[Row]:
        out: set[Row] = set()
        for event, thing in product(self.events, self.things):
            if self.torn(event, thing):
                who = self.owner(thing) if self.bug == "owner_decides" else self.holder(thing)
                out |= {(who, thing, event)} if who else set()
        return out

    def changes_zone(self) -> set[Row]:
        return {
            (e, t)
            for e, t, z in self.put_in()
            if self.subject(e) == t and self.start(e) not in (None, z)
        }

    def given_to(self) -> set[Row]:
        return {(e, t, self.owner(t)) for e, t, z in self.put_in() if z in OWN}

    def inspects(self) -> set[Row]:
        out: set[Row] = set()
        for event, said in self.events.items():
            thing, zone = self.subject(event), self.bound(event)
            if thing is None or zone is None:
                continue
            owner = self.owner(thing)
            able = set(self.players)
            if said.get("face_down"):
                able &= {*self.things[thing].get("shown_to", [])}
                able |= (
                    {said.get("under", owner)} & {*self.players} if zone == "battlefield" else {*()}
                )
            lookers = able if zone == "battlefield" else able & {owner} if zone in PUBLIC else set()
            out |= {(p, thing, event) for p in lookers}
        return out

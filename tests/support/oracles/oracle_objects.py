"""Who still finds what has moved, in plain Python.

Everybody is in the game and in everybody's range, and no ability says whom it watches, so an
ability triggers on every event of its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Rows = set[tuple[str, ...]]
SEEN_BY_ALL = {"battlefield", "stack", "graveyard", "exile", "command"}
LEAVING = ("dies", "leaves the battlefield")
FAULTS = ("hidden", "other aura", "land", "static", "cost", "cast", "host", "stays")


class Objects:
    """One table by one edition: today's rules, or with ``old`` those of 2021."""

    def __init__(self, table: dict[str, Any], old: bool, fault: str | None = None) -> None:
        self.things: dict[str, Any] = table["objects"]
        self.abilities: dict[str, Any] = table["abilities"]
        self.effects: dict[str, Any] = table["effects"]
        self.events: dict[str, Any] = table["events"]
        self.old, self.fault = old, fault

    def new_object(self) -> Rows:
        return {(e, said["subject"]) for e, said in self.events.items() if self._new(e)}

    def remembers(self) -> Rows:
        return {
            (a, said["subject"], e)
            for e, said in self.events.items()
            for a, ability in self.abilities.items()
            if ability["source"] == said["subject"] and ability.get("recalls") and self._lands(e)
        }

    def follows(self) -> Rows:
        return self._kept(self.effects, self._applies, self._carried)

    def finds(self) -> Rows:
        return self._kept({**self.abilities, **self.effects}, self._speaks, self._found)

    def _kept(
        self,
        askers: dict[str, Any],
        concerned: Callable[[str, str], bool],
        kept: Callable[[str, str, str], bool],
    ) -> Rows:
        """Who is concerned with what an event happens to, and doesn't lose it."""
        return {
            (x, said["subject"], e)
            for e, said in self.events.items()
            for x in askers
            if concerned(x, said["subject"])
            and (
                (not self._new(e) and self.fault != "stays")
                or (self._new(e) and kept(x, said["subject"], e))
            )
        }

    def _new(self, event: str) -> bool:
        said = self.events[event]
        start, end = said.get("from"), said.get("to")
        if end == "battlefield" and self._type(said["subject"], "instant"):
            return False
        if start == end:
            return end in ("exile", "command")
        return None not in (start, end)

    def _lands(self, event: str) -> bool:
        """A permanent spell becomes a permanent."""
        said = self.events[event]
        return (said.get("from"), said.get("to")) == ("stack", "battlefield")

    def _open(self, event: str) -> bool:
        return self.fault == "hidden" or self.events[event].get("to") in SEEN_BY_ALL

    def _type(self, thing: str, word: str) -> bool:
        return word in self.things[thing]["types"]

    def _triggers(self, ability: str, event: str) -> bool:
        said, watched = self.events[event], self.abilities[ability].get("watches")
        if said.get("to") == "battlefield" and self._type(said["subject"], "instant"):
            return False
        gone = said.get("from") == "battlefield"
        buried = said.get("to") == "graveyard"
        happened = {
            None: False,
            "dies": gone and buried and self._type(said["subject"], "creature"),
            "leaves the battlefield": gone,
            "enters the battlefield": said.get("to") == "battlefield",
            "leaves a graveyard": said.get("from") == "graveyard",
            "is put into a graveyard": buried,
        }
        return bool(happened.get(watched, said.get("happens") == watched))

    def _applies(self, effect: str, thing: str) -> bool:
        said = self.effects[effect]
        if thing in (said.get("chosen_source"), None if self.old else said.get("sticker_on")):
            return True
        return thing in said["affects_these"]

    def _speaks(self, asker: str, thing: str) -> bool:
        if asker in self.abilities:
            touched = [x["subject"] for e, x in self.events.items() if self._triggers(asker, e)]
            return thing in touched or self.things[thing].get("attached_to") in touched
        said = self.effects[asker]
        return (
            thing in said["affects_these"]
            or thing in said["discarded"]
            or any(
                x["subject"] == thing
                and (
                    asker in (x.get("allowed_by"), x.get("caused_by"))
                    or x.get("pays_for") == said["source"]
                )
                for x in self.events.values()
            )
        )

    def _carried(self, effect: str, thing: str, event: str) -> bool:
        said, move = self.effects[effect], self.events[event]
        if self._lands(event):
            if said.get("chosen_source") == thing:
                return True
            if thing in said["affects_these"] and said["gives"]:
                settled = self._settled(said["source"])
                lasting = "an ability for the battlefield" in said["gives"]
                if settled or (lasting and not self.old):
                    return True
        if (
            "an ability to be cast" in said["gives"]
            and thing in said["affects_these"]
            and self._cast_by(effect, event)
        ):
            return True
        stuck = not self.old and said.get("sticker_on") == thing
        return stuck and move["from"] in SEEN_BY_ALL and move["to"] in SEEN_BY_ALL

    def _settled(self, source: str) -> bool:
        """A spell, an activated or a triggered ability."""
        if self.fault == "static":
            return True
        if source in self.abilities:
            return not self.abilities[source].get("static")
        return self._type(source, "instant") or self._type(source, "sorcery")

    def _cast_by(self, effect: str, event: str) -> bool:
        move = self.events[event]
        nonland = self.fault == "land" or not self._type(move["subject"], "land")
        return nonland and move.get("allowed_by") == effect and move["to"] == "stack"

    def _found(self, asker: str, thing: str, event: str) -> bool:
        move = self.events[event]
        if asker in self.abilities:
            watched = self.abilities[asker].get("watches")
            if watched != "attacks" and self._triggers(asker, event) and self._open(event):
                return True
            own = self.abilities[asker]["source"] == thing or self.fault == "other aura"
            left = [e for e in self._left_by(thing, event) if self._triggers(asker, e)]
            return watched in LEAVING and bool(left) and (own or not self.old)
        said = self.effects[asker]
        return (
            self._cast_by(asker, event)
            or (
                not self.old
                and move.get("allowed_by") == asker
                and self._type(thing, "land")
                and move["to"] == "battlefield"
            )
            or (self._open(event) and move.get("caused_by") == asker)
            or (
                self._open(event)
                and self.fault != "cost"
                and move.get("pays_for") == said["source"]
            )
            or (
                bool(move.get("madness"))
                and thing in said["discarded"]
                and self._open(event)
                and (self.fault == "cast" or move["to"] != "stack")
            )
        )

    def _left_by(self, aura: str, event: str) -> Iterator[str]:
        """The events in which an Aura's host left, if it went to the graveyard because of that."""
        move, host = self.events[event], self.things[aura].get("attached_to")
        if move["to"] == "graveyard" and self._type(aura, "aura"):
            for leaving in (move.get("along_with"), move.get("cleans_up")):
                left = self.events[leaving] if leaving else {}
                whose = self.fault == "host" or left.get("subject") == host
                if whose and left.get("from") == "battlefield":
                    yield leaving

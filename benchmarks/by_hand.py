"""Who can target what, in Python written by hand for this one question: the time to beat.

As a script: ``python by_hand.py TABLE.toml WHO WHAT`` answers yes or no.
"""

from __future__ import annotations

import sys
import tomllib
from typing import Any

CONTROLLED = {"emblem", "plane", "phenomenon", "vanguard", "scheme", "conspiracy"}


class Game:
    """One table, with all that the question needs looked up once."""

    def __init__(self, table: dict[str, Any]) -> None:
        seats: list[str] = table["seats"]
        turn, self.left = table.get("turn", 1), table.get("left", {})
        self.players = [p for p in seats if p not in self.left]
        self.staying = set(self.players)
        ring = [p for p in seats if self.left.get(p, turn) >= turn]
        self.spot = {player: i for i, player in enumerate(ring)}
        said = table.get("range", {})
        self.range = dict(said) if isinstance(said, dict) else dict.fromkeys(seats, said)
        self.range.update(table.get("ranges", {}))
        self.team = {p: t for t, team in table.get("teams", {}).items() for p in team}
        self.things: dict[str, tuple[str, str, str]] = {}
        for name, stated in table.get("objects", {}).items():
            self._place(name, stated)

    def _place(self, name: str, stated: dict[str, Any]) -> None:
        """Where an object is after players have left: its holder, its protector, its shield."""
        zone, types = stated.get("zone", "battlefield"), stated.get("types", [])
        holder, default = stated.get("controller"), stated.get("default_controller")
        owner = stated.get("owner") or default or holder
        if owner in self.left:
            return
        held = zone in ("battlefield", "stack") or (
            zone == "command" and not CONTROLLED.isdisjoint(types)
        )
        if held and holder in self.left:
            holder = default if default in self.staying else None
            held = holder is not None
            zone = zone if held else "exile"
        protector = shield = ""
        if zone == "battlefield":
            keywords = stated.get("keywords", [])
            shield = next((k for k in ("shroud", "hexproof") if k in keywords), "")
            protector = stated.get("protector", "") if "battle" in types else ""
        self.things[name] = (holder if held and holder else str(owner), protector, shield)

    def reaches(self, player: str, other: str) -> bool:
        """Whether one player is within another's range."""
        if player not in self.staying or other not in self.staying:
            return False
        if player == other or player not in self.range:
            return True
        steps = abs(self.spot[player] - self.spot[other])
        return bool(min(steps, len(self.spot) - steps) <= self.range[player])

    def opponents(self, player: str, other: str) -> bool:
        """Whether two players are on different sides."""
        team = self.team.get(player)
        return player != other and (team is None or team != self.team.get(other))

    def can_target(self, player: str, target: str) -> bool:
        """The question."""
        if target not in self.things:
            return self.reaches(player, target)
        holder, protector, shield = self.things[target]
        if shield == "shroud" or (shield and self.opponents(player, holder)):
            return False
        return self.reaches(player, holder) or self.reaches(player, protector)

    def all_targets(self) -> set[tuple[str, str]]:
        """Every pair for which the answer is yes."""
        everything = [*self.players, *self.things]
        return {(p, t) for p in self.players for t in everything if self.can_target(p, t)}


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as stream:  # noqa: PTH123
        game = Game(tomllib.load(stream))
    print("yes" if game.can_target(sys.argv[2], sys.argv[3]) else "no")

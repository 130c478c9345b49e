"""A second opinion on who reaches what, in plain Python loops.

Written from the rule text alone, so that it can be compared with the clauses.  Every question
is answered for the whole table at once, as the complete set of pairs for which it is a yes.
"""

from typing import Any

Pairs = set[tuple[str, str]]

BUGS: tuple[str, ...] = ("closes_at_once", "symmetric", "one_way", "forgets_protector")
"""Faults that can be seeded, each a plausible misreading of the rules:

closes_at_once     the seat of a player who left in the present turn no longer counts (801.2c)
symmetric          if one of two players reaches the other, both reach each other (801.2a)
one_way            seats are counted to the left only (801.2)
forgets_protector  a battle lies, and is attacked, only where its controller sits (801.2d, 801.3)
"""

BATTLEFIELD = "battlefield"
STACK = "stack"
COMMAND = "command"
EXILE = "exile"

# Kinds of objects that have a controller in the command zone too (109.4c to 109.4g).
CONTROLLED_IN_COMMAND_ZONE = ("emblem", "plane", "phenomenon", "vanguard", "scheme", "conspiracy")


class Thing:
    """An object as the table states it, and what has become of it after players left."""

    def __init__(self, name: str, stated: dict[str, Any], gone_players: set[str]) -> None:
        self.name = name
        self.types: list[str] = list(stated.get("types", []))
        self.keywords: list[str] = list(stated.get("keywords", []))
        self.zone: str = stated.get("zone", BATTLEFIELD)
        self.tapped: bool = stated.get("tapped", False)
        self.targets: list[str] = list(stated.get("targets", []))
        self.protector: str | None = stated.get("protector")

        controller: str | None = stated.get("controller")
        default: str | None = stated.get("default_controller")
        owner: str | None = stated.get("owner", default or controller)
        if owner is None:
            raise ValueError(f"{name}: neither an owner nor a controller is stated")

        # 800.4a: what a leaving player owned leaves too, whoever controlled it.
        self.exists = owner not in gone_players

        # Who held it last, in the game still or not.
        self.last: str = controller or default or owner

        # 110.2: where nobody else is given control, the default controller has it.
        if self.has_controller() and controller is None:
            controller = default

        # 800.4a, 800.4c: what a leaving player only controlled goes back to the player who
        # controls it by default, and is exiled when there is no such player in the game.
        if self.has_controller() and controller in gone_players:
            if default is not None and default not in gone_players:
                controller = default
            else:
                self.zone = EXILE

        # 108.4a, 109.4: where an object has no controller, its owner stands in.
        if self.has_controller() and controller is not None:
            self.holder: str = controller
        else:
            self.holder = owner

    def has_controller(self) -> bool:
        """Whether an object of this kind has a controller in its present zone (109.4)."""
        if self.zone == COMMAND:
            return any(kind in CONTROLLED_IN_COMMAND_ZONE for kind in self.types)
        return self.zone in (BATTLEFIELD, STACK)

    def is_permanent(self, kind: str) -> bool:
        """Whether this is a permanent of the given type."""
        return self.zone == BATTLEFIELD and kind in self.types


class Oracle:
    """All answers for one table."""

    def __init__(self, table: dict[str, Any], *, bug: str | None = None) -> None:
        if bug is not None and bug not in BUGS:
            raise ValueError(f"unknown bug {bug!r}")
        self.bug = bug

        seats: list[str] = list(table["seats"])
        turn: int = table.get("turn", 1)
        left: dict[str, int] = table.get("left", {})
        self.players = [player for player in seats if player not in left]

        # 801.2c: the ring as it was when the current turn began.
        self.ring: list[str] = []
        for player in seats:
            left_this_turn = left.get(player) == turn and bug != "closes_at_once"
            if player not in left or left_this_turn:
                self.ring.append(player)

        # 801.2a: ranges may differ; a player who is missing here is unlimited.
        self.ranges: dict[str, int] = {}
        stated = table.get("range")
        if isinstance(stated, dict):
            self.ranges.update(stated)
        elif stated is not None:
            for player in seats:
                self.ranges[player] = stated
        self.ranges.update(table.get("ranges", {}))

        self.active: list[str] | None = table.get("active")
        self.teams: dict[str, list[str]] = table.get("teams", {})

        self.things: list[Thing] = []
        for name, object_ in table.get("objects", {}).items():
            thing = Thing(name, object_, set(left))
            if thing.exists:
                self.things.append(thing)

    # Players

    def distance(self, a: str, b: str) -> int | None:
        """Seats between two players the shorter way round; None if one has no seat (801.2)."""
        if a not in self.ring or b not in self.ring:
            return None
        to_the_left = (self.ring.index(b) - self.ring.index(a)) % len(self.ring)
        to_the_right = (self.ring.index(a) - self.ring.index(b)) % len(self.ring)
        if self.bug == "one_way":
            return to_the_left
        return min(to_the_left, to_the_right)

    def _within(self, player: str, other: str) -> bool:
        """Whether the distance to the other player is no more than the first one's range."""
        if player == other or player not in self.ranges:  # 801.2b
            return True
        seats = self.distance(player, other)
        return seats is not None and seats <= self.ranges[player]

    def _reaches(self, player: str, other: str) -> bool:
        """Whether one player is in the range of another, both being in the game."""
        if player not in self.players or other not in self.players:
            return False
        if self.bug == "symmetric" and self._within(other, player):
            return True
        return self._within(player, other)

    def _are_opponents(self, player: str, other: str) -> bool:
        """Opponents are all other players who aren't teammates (102.2, 102.3)."""
        if player not in self.players or other not in self.players or player == other:
            return False
        return not any(player in team and other in team for team in self.teams.values())

    # Objects

    def _thing_in_range(self, player: str, thing: Thing) -> bool:
        """An object lies where its holder sits, a battle also where its protector sits (801.2d)."""
        if self._reaches(player, thing.holder):
            return True
        if not thing.is_permanent("battle") or thing.protector is None:
            return False
        if self.bug == "forgets_protector":
            return False
        return self._reaches(player, thing.protector)

    def _untargetable(self, player: str, thing: Thing) -> bool:
        """Shroud stops everybody (702.18a), hexproof the controller's opponents (702.11b)."""
        if thing.zone != BATTLEFIELD:
            return False
        if "shroud" in thing.keywords:
            return True
        return "hexproof" in thing.keywords and self._are_opponents(player, thing.holder)

    def _may_be_declared(self, creature: Thing) -> bool:
        """Whether a permanent may attack at all (508.1a, 702.3b)."""
        if not creature.is_permanent("creature") or creature.is_permanent("battle"):
            return False
        if creature.tapped or "defender" in creature.keywords:
            return False
        if creature.holder not in self.players:
            return False
        return self.active is None or creature.holder in self.active

    def _is_attackable(self, thing: Thing, opponent: str) -> bool:
        """A planeswalker the opponent controls, a battle the opponent protects (801.3)."""
        if thing.is_permanent("planeswalker") and thing.holder == opponent:
            return True
        if not thing.is_permanent("battle"):
            return False
        if self.bug == "forgets_protector":
            return thing.holder == opponent
        return thing.protector == opponent

    # Answers

    def in_range(self) -> Pairs:
        """Player and what is in that player's range of influence (801.2)."""
        answers: Pairs = set()
        for player in self.players:
            for other in self.players:
                if self._reaches(player, other):
                    answers.add((player, other))
            for thing in self.things:
                if self._thing_in_range(player, thing):
                    answers.add((player, thing.name))
        return answers

    def opponent(self) -> Pairs:
        """Player and one of that player's opponents (102.2, 102.3)."""
        answers: Pairs = set()
        for player in self.players:
            for other in self.players:
                if self._are_opponents(player, other):
                    answers.add((player, other))
        return answers

    def can_target(self) -> Pairs:
        """Player and what that player's spells and abilities can target (801.4)."""
        answers = self.in_range()
        for player in self.players:
            for thing in self.things:
                if self._untargetable(player, thing):
                    answers.discard((player, thing.name))
        return answers

    def can_attack(self) -> Pairs:
        """Creature and what it can attack (801.3)."""
        answers: Pairs = set()
        for creature in self.things:
            if not self._may_be_declared(creature):
                continue
            for opponent in self.players:
                if not self._are_opponents(creature.holder, opponent):
                    continue
                if not self._reaches(creature.holder, opponent):
                    continue
                answers.add((creature.name, opponent))
                for thing in self.things:
                    if self._is_attackable(thing, opponent):
                        answers.add((creature.name, thing.name))
        return answers

    def legal_target(self) -> Pairs:
        """Spell or ability on the stack and one of its targets that is still legal (801.4)."""
        answers: Pairs = set()
        targetable = self.can_target()
        for spell in self.things:
            if spell.zone != STACK:
                continue
            for target in spell.targets:
                if (spell.holder, target) in targetable:
                    answers.add((spell.name, target))
        return answers

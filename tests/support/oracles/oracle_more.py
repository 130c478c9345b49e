"""A second opinion on choices, triggers, effects and endings, in plain Python loops.

Written from the rule text (801.5 to 801.18) alone, so that it can be compared with the clauses.
Every question is answered for the whole table at once, as the complete set of tuples for which
it is a yes.

The *runner* of an object, ability or effect is the player whom it calls "you" (109.5): who holds
the object, or who controls the effect.  Without a runner it does nothing.
"""

from collections.abc import Mapping
from copy import copy
from typing import Any

from oracle import BATTLEFIELD, BUGS, EXILE, STACK, Oracle, Pairs, Thing

Triples = set[tuple[str, str, str]]
Deals = set[tuple[str, str, int]]

MORE_BUGS: tuple[str, ...] = (
    "nearest_to_the_right",
    "chooser_alone_targets",
    "runner_reaches_activator",
    "triggers_are_activated",
    "trigger_names_every_part",
    "no_part_needed",
    "part_by_holder",
    "gone_parts_fit",
    "always_looks_back",
    "never_looks_back",
    "measures_from_host",
    "enchants_itself",
    "equips_anywhere",
    "counts_around_creature",
    "world_everywhere",
    "world_off_battlefield",
    "redirector_reaches",
    "spells_damage_anywhere",
    "prevented_is_dealt",
    "either_end",
    "recipient_alone",
    "wins_everywhere",
    "draw_without_range",
    "loop_without_neighbours",
    "optional_loop_draws",
    "broken_loop_draws",
    "restart_in_range",
    "no_planes",
    "planes_in_grand_melee",
    "planes_choose_in_range",
    "planes_target_in_range",
    "planes_target_shroud",
    "planes_prevent_in_range",
    "planes_damage_in_range",
    "planes_win_in_range",
    "planes_draw_in_range",
)
"""Faults that can be seeded besides those of the other oracle:

nearest_to_the_right      who is asked for want of anybody in range is sought rightwards (801.5c)
chooser_alone_targets     a target that another player picks may be out of the runner's range
                          (801.4)
runner_reaches_activator  the runner's range counts where the activator's does (801.6)
triggers_are_activated    who runs a triggered ability may activate it as well (602.1)
trigger_names_every_part  the parts of which the condition is silent count as well (801.7)
no_part_needed            nothing has to be in range if the condition names no part (801.7)
part_by_holder            a battle is part of an event only where its controller sits (801.7)
gone_parts_fit            what a leaving player owned still fits a trigger condition (800.4a)
always_looks_back         what moves is looked at before the event by every ability (801.7a)
never_looks_back          what moves is looked at after the event by every ability (801.7a)
measures_from_host        an attachment strays by the range of its host's holder (801.8, 801.9)
enchants_itself           an Aura may enchant itself (303.4d)
equips_anywhere           Equipment and its host need not lie on the battlefield (301.5)
counts_around_creature    what is counted for a creature lies in its controller's range (801.11)
world_everywhere          world permanents out of range count too (801.12)
world_off_battlefield     what was exiled as its controller left is a world permanent yet (801.12)
redirector_reaches        the range of who redirects damage counts, not the source's (801.13a)
spells_damage_anywhere    a spell or ability deals damage out of its controller's range (801.10)
prevented_is_dealt        damage is dealt although an effect prevents it (801.13)
either_end                without a named end one end in range is enough (801.13b)
recipient_alone           without a named end the recipient alone has to be in range (801.13b)
wins_everywhere           all opponents lose, in range or not (801.14)
draw_without_range        all players draw, in range or not (801.15)
loop_without_neighbours   only those draw who control a part of the loop (801.16)
optional_loop_draws       a loop that may be stopped is a draw as well (801.16)
broken_loop_draws         a loop goes on without what has left the game or was exiled (801.16)
restart_in_range          only the runner's range starts the new game (801.17)
no_planes                 planes and phenomena have a range like everything else (801.18)
planes_in_grand_melee     planes and phenomena are exempt in Grand Melee too (801.18)
planes_choose_in_range    choices for planes and phenomena have a range (801.18)
planes_target_in_range    targets for planes and phenomena have a range (801.18)
planes_target_shroud      planes and phenomena may target what can't be a target (702.11, 702.18)
planes_prevent_in_range   prevention by planes and phenomena has a range (801.18)
planes_damage_in_range    damage by planes and phenomena isn't redirected out of range (801.18)
planes_win_in_range       opponents out of range don't lose by a plane or phenomenon (801.18)
planes_draw_in_range      a draw by a plane or phenomenon has a range (801.18)
"""

GRAVEYARD = "graveyard"
DAMAGE = "is dealt damage"
ROLES = ("subject", "whom", "by")

# What looks at the state before the event: leaving the battlefield, and leaving a graveyard.
LOOKS_BACK = ("dies", "leaves the battlefield", "leaves a graveyard")  # 603.6c, 603.10a

# Words for a kind of permanent, where an effect or a choice uses them (109.2).
KINDS = ("creature", "other creature", "your creature", "planeswalker", "artifact", "land")

# Words that mean the same without anybody whom they call "you" (611.2a).
IMPERSONAL = (
    "anything",
    "player",
    "permanent",
    "source",
    "creature",
    "other creature",
    "planeswalker",
    "artifact",
    "land",
)
BOUND_TO_COMMAND = ("conspiracy", "phenomenon", "plane", "scheme", "vanguard")


class MoreThing(Thing):
    """An object with what the later rules ask about it."""

    def __init__(self, name: str, stated: dict[str, Any], gone_players: set[str]) -> None:
        super().__init__(name, stated, gone_players)
        self.owner: str = (
            stated.get("owner") or stated.get("default_controller") or stated["controller"]
        )
        self.controller: str | None = self.holder if self.has_controller() else None
        self.on_stack = stated.get("zone") == STACK  # as somebody left, or still
        self.exiled = self.zone == EXILE != stated.get("zone")  # as its controller left (800.4a)
        self.subtypes: list[str] = list(stated.get("subtypes", []))
        self.host: str | None = stated.get("attached_to")
        self.world_since: int | None = stated.get("world_since")


class MoreOracle(Oracle):
    """All answers for one table."""

    def __init__(self, table: dict[str, Any], *, bug: str | None = None) -> None:
        if bug is not None and bug not in (*BUGS, *MORE_BUGS):
            raise ValueError(f"unknown bug {bug!r}")
        super().__init__(table, bug=bug if bug in BUGS else None)
        self.fault = bug if bug in MORE_BUGS else None

        self.seats: list[str] = list(table["seats"])

        # Everything the table states, and what of it is still in the game (800.4a).
        self.stated: dict[str, MoreThing] = {}
        for name, object_ in table.get("objects", {}).items():
            self.stated[name] = MoreThing(name, object_, set(table.get("left", {})))
        self.here = {name: thing for name, thing in self.stated.items() if thing.exists}

        self.variant: str | None = table.get("variant")
        self.abilities: dict[str, dict[str, Any]] = table.get("abilities", {})
        self.effects: dict[str, dict[str, Any]] = table.get("effects", {})
        self.events: dict[str, dict[str, Any]] = table.get("events", {})
        self.choices: dict[str, dict[str, Any]] = table.get("choices", {})
        self.loops: dict[str, dict[str, Any]] = table.get("loops", {})

        self._reached = self.in_range()
        self._targetable = self.can_target()
        self._exempt = self.exempt()

    # Who runs what, and where it is

    def runner(self, asker: str) -> str | None:
        """The player whom an object, ability or effect calls "you"; None if there is none."""
        if asker in self.effects:
            effect = self.effects[asker]
            if "controller" in effect:
                controller: str = effect["controller"]
                return controller if controller in self.players else None
        source = self.source(asker)
        if source is None:
            return None
        thing = self.stated[source]
        if not thing.exists:
            goes_on = asker in self.effects and self._resolved(asker) and not thing.on_stack
            return thing.last if goes_on and thing.last in self.players else None
        return None if thing.exiled else thing.holder

    def _resolved(self, effect: str) -> bool:
        """Whether an effect comes of a spell or of an ability that isn't static (611.2)."""
        maker = self.effects[effect].get("source")
        if maker in self.abilities:
            return not self.abilities[maker].get("static", False)
        types = self.stated[maker].types if maker in self.stated else []
        return "instant" in types or "sorcery" in types

    def behind(self, effect: str) -> str | None:
        """Who has left, and was behind an effect that resolved and goes on (611.2a)."""
        source = self.source(effect)
        if self.runner(effect) is not None or source is None or not self._resolved(effect):
            return None
        thing = self.stated[source]
        leaver: str = self.effects[effect].get("controller", thing.last)
        gone = leaver not in self.players and not thing.on_stack
        return leaver if gone else None

    def was_near(self, player: str, other: str) -> bool:
        """Whether the other player was in a player's range before either left (801.2)."""
        if player not in self.ranges:
            return True
        ring = [name for name in self.seats if name in self.ring or name in (player, other)]
        steps = (ring.index(other) - ring.index(player)) % len(ring)
        return min(steps, len(ring) - steps) <= self.ranges[player]

    def was_in_range(self, leaver: str, name: str) -> bool:
        """Whether a player or an object lies where a leaver's range went (611.2a)."""
        other = name if name in self.players else self.here[name].holder
        return other in self.players and self.was_near(leaver, other)

    def source(self, asker: str | None) -> str | None:
        """The object that an ability or effect is on, an object itself (still here or not)."""
        if asker is None:
            return None
        if asker in self.effects:
            return self.source(self.effects[asker].get("source"))
        if asker in self.abilities:
            return self.source(self.abilities[asker].get("source"))
        return asker if asker in self.stated else None

    def choice_runner(self, choice: str) -> str | None:
        """The runner of what asks for a choice."""
        asker = self.choices[choice].get("of")
        if asker in self.effects and "controller" not in self.effects[asker]:
            asker = self.source(asker)
        return None if asker is None else self.runner(asker)

    def names(self) -> list[str]:
        """All players in the game and all objects in the game."""
        return [*self.players, *self.here]

    def reaches(self, player: str, name: str) -> bool:
        """Whether a player or object lies in a player's range (801.2)."""
        return (player, name) in self._reached

    # What words mean

    def fits(self, word: str, runner: str, source: str | None, name: str) -> bool:
        """Whether a word of an effect or choice describes a player or object.

        Words for a kind of permanent mean what is on the battlefield only.
        """
        if runner not in self.players and word not in IMPERSONAL:
            return False
        if name in self.players:
            return self._fits_player(word, runner, source, name)
        if name not in self.here:
            return False
        if word in KINDS and self.here[name].zone != BATTLEFIELD:
            return False
        return self._fits_thing(word, runner, source, self.here[name])

    def answers(self, word: str, ability: str, event: str, role: str) -> bool:
        """Whether a word of a trigger condition describes a part of an event.

        Words for a kind of object go by its types alone, in whatever zone it is.
        """
        runner, source = self.runner(ability), self.source(ability)
        part: str | None = self.events[event].get(role)
        if runner is None or part is None:
            return False
        if part in self.players:
            return self._fits_player(word, runner, source, part)
        thing = self.seen(ability, event, role)
        if role == "subject" and self._departs(event) and word in ("creature card", "itself"):
            return False
        return thing is not None and self._fits_thing(word, runner, source, thing)

    def _fits_player(self, word: str, runner: str, source: str | None, player: str) -> bool:
        match word:
            case "anything" | "player":
                return True
            case "you":
                return player == runner
            case "opponent":
                return self._are_opponents(runner, player)
            case "other player":
                return player != runner
            case "its host":
                return self._is_host(source, player)
        return False

    def _fits_thing(self, word: str, runner: str, source: str | None, thing: MoreThing) -> bool:
        match word:
            case "creature" | "creature card":
                return "creature" in thing.types
            case "other creature":
                return "creature" in thing.types and thing.name != source
            case "your creature":
                return "creature" in thing.types and thing.controller == runner
            case "planeswalker" | "artifact" | "land":
                return word in thing.types
            case "anything" | "source":
                return True
            case "permanent":
                return thing.zone == BATTLEFIELD
            case "itself":
                return thing.name == source
            case "its host":
                return self._is_host(source, thing.name)
        return False

    def _is_host(self, source: str | None, name: str) -> bool:
        """Whether a source is attached to something; what has left, as it was last (113.7a)."""
        return source in self.stated and self.stated[source].host == name

    # Planes and phenomena (801.18)

    def exempt(self) -> set[str]:
        """Objects, abilities and effects that the range doesn't bind (801.18)."""
        if self.fault == "no_planes":
            return set()
        if self.variant == "grand_melee" and self.fault != "planes_in_grand_melee":
            return set()
        answers: set[str] = set()
        for asker in (*self.stated, *self.abilities, *self.effects):
            source = self.source(asker)
            if source is None:
                continue
            types = self.stated[source].types
            if "plane" in types or "phenomenon" in types:
                answers.add(asker)
        return answers

    # Choices (801.5)

    def _steps_left(self, player: str, other: str) -> int:
        """Seats from one player to another, going to the left (801.2c, 801.5c)."""
        steps = self.ring.index(other) - self.ring.index(player)
        if self.fault == "nearest_to_the_right":
            steps = -steps
        return steps % len(self.ring)

    def _described(self, choice: str) -> set[str]:
        """The players in the game whom the words of a choice leave it to, one named or not.

        Without words it is whoever is named, or else who runs what asks.
        """
        runner = self.choice_runner(choice)
        if runner is None:
            return set()
        said = self.choices[choice]
        found: set[str] = set()
        if self._asks_absent(choice):
            side = {runner, *(p for team in self.teams.values() if runner in team for p in team)}
            rivals = {player for player in self.players if self._are_opponents(runner, player)}
            found = set(self.players) if said["asks_this"] in side or not rivals else rivals
            return found | {runner} if said.get("asks") == "you" else found
        for player in self.players:
            match said.get("asks"):
                case "any player":
                    fitting = True
                case "an opponent":
                    fitting = self._are_opponents(runner, player)
                case "you":
                    fitting = player == runner
                case _:
                    fitting = player == said.get("asks_this", runner)
            if fitting:
                found.add(player)
        return found

    def suits(self, choice: str) -> set[str]:
        """The players in the game whom a choice could be up to, by its words alone."""
        named = None if self._asks_absent(choice) else self.choices[choice].get("asks_this")
        return {player for player in self._described(choice) if named in (None, player)}

    def _asks_absent(self, choice: str) -> bool:
        """Whether a choice is up to somebody who has left (800.4g)."""
        return self.choices[choice].get("asks_this", self.players[0]) not in self.players

    def chooses_freely(self, choice: str) -> bool:
        """Whether no range binds a choice, as a plane or phenomenon asks for it (801.18)."""
        if self.fault == "planes_choose_in_range":
            return False
        return self.choices[choice].get("of") in self._exempt

    def may_be_asked(self) -> Pairs:
        """Choice and a player who can make it (801.5c, 801.18)."""
        answers: Pairs = set()
        for choice in self.choices:
            runner = self.choice_runner(choice)
            described = self._described(choice)
            if runner is None or not described:
                continue
            asked = {player for player in described if self.reaches(runner, player)}
            if self.chooses_freely(choice):
                asked = described
            if not asked:
                nearest = min(self._steps_left(runner, player) for player in described)
                asked = {
                    player for player in described if self._steps_left(runner, player) == nearest
                }
            for player in asked:
                if player in self.suits(choice):
                    answers.add((choice, player))
        return answers

    def takes(self, choice: str, name: str) -> bool:
        """Whether a player or object is what a choice asks for, by its words alone."""
        said = self.choices[choice]
        runner = self.choice_runner(choice)
        if runner is None:
            return False
        source = self.source(said.get("of"))
        return any(self.fits(word, runner, source, name) for word in said.get("takes", []))

    def may_choose(self) -> Triples:
        """Player, what that player may choose, and the choice (801.5a, 801.5b, 801.18)."""
        answers: Triples = set()
        for choice, player in self.may_be_asked():
            freely = self.chooses_freely(choice)
            for option in self.choices[choice].get("options", []):
                answers.add((player, option, choice))
            for name in self.names():
                if (freely or self.reaches(player, name)) and self.takes(choice, name):
                    answers.add((player, name, choice))
        return answers

    def can_choose(self) -> Triples:
        """The same, where a target has to be one for the runner as well (801.4, 801.5a).

        For a plane or phenomenon it may be out of range, yet not untargetable (801.18).
        """
        answers: Triples = set()
        for player, name, choice in self.may_choose():
            runner = self.choice_runner(choice)
            if runner is None:
                continue
            if self.fault == "chooser_alone_targets":
                runner = player
            target = (runner, name) in self._targetable
            if self.chooses_freely(choice) and self.fault != "planes_target_in_range":
                untargetable = name in self.here and self._untargetable(runner, self.here[name])
                target = not untargetable or self.fault == "planes_target_shroud"
            if target or not self.choices[choice].get("target", False):
                answers.add((player, name, choice))
        return answers

    # Activated abilities (801.6)

    def permits(self, ability: str, player: str) -> bool:
        """Whether the words of an ability allow a player to activate it (602.1, 602.2).

        Nobody activates a triggered ability, unless it says who may.
        """
        runner = self.runner(ability)
        if runner is None:
            return False
        said = self.abilities[ability]
        if "watches" in said and "activated_by" not in said:
            return self.fault == "triggers_are_activated" and player == runner
        match said.get("activated_by", "you"):
            case "any player":
                return True
            case "opponents":
                return self._are_opponents(runner, player)
        return player == runner

    def can_activate(self) -> Pairs:
        """Player and an ability that this player can activate (801.6)."""
        answers: Pairs = set()
        for ability in self.abilities:
            runner = self.runner(ability)
            source = self.source(ability)
            if runner is None or source is None:
                continue
            for player in self.players:
                near = self.reaches(player, source)
                if self.fault == "runner_reaches_activator":
                    near = self.reaches(runner, player)
                if self.permits(ability, player) and (near or ability in self._exempt):
                    answers.add((player, ability))
        return answers

    # Triggered abilities (801.7)

    def occurs(self) -> Pairs:
        """Event and what one can watch for in it."""
        answers: Pairs = set()
        for event, said in self.events.items():
            leaves, enters = self.start(said), said.get("to")
            if self._stays_put(said):
                continue
            if "happens" in said:
                answers.add((event, said["happens"]))
            if leaves == BATTLEFIELD:
                answers.add((event, "leaves the battlefield"))
            if enters == BATTLEFIELD:
                answers.add((event, "enters the battlefield"))
            if leaves == GRAVEYARD:
                answers.add((event, "leaves a graveyard"))
            if enters == GRAVEYARD:
                answers.add((event, "is put into a graveyard"))
            subject = said.get("subject")
            if leaves == BATTLEFIELD and enters == GRAVEYARD and subject in self.stated:
                types = self.stated[subject].types
                if "creature" in types or "planeswalker" in types:
                    answers.add((event, "dies"))
        return answers

    def _stays_put(self, said: Mapping[str, Any]) -> bool:
        """Whether the subject of a move stays where it is (400.4a, 400.4b, 800.4b)."""
        thing, enters = self.here.get(said.get("subject", "")), said.get("to")
        if thing is None or enters is None:
            return False
        absent = said.get("under", self.players[0]) not in self.players
        if enters in (BATTLEFIELD, STACK) and absent:
            return True
        if enters == BATTLEFIELD and {"instant", "sorcery"} & {*thing.types}:
            return True
        bound = bool({*BOUND_TO_COMMAND} & {*thing.types})
        return bound and enters != "command" and said.get("from", thing.zone) == "command"

    def _departs(self, event: str) -> bool:
        """Whether a permanent leaves the battlefield with its owner (603.6c)."""
        said = self.events[event]
        subject = self.stated.get(said.get("subject", ""))
        leaves = said.get("from") == BATTLEFIELD and "to" not in said
        return leaves and subject is not None and not subject.exists

    def start(self, said: Mapping[str, Any]) -> str | None:
        """The zone from which an event moves its subject: where it lies, unless it says so."""
        thing = self.here.get(said.get("subject", ""))
        if "from" in said or "to" not in said or thing is None or thing.zone == said["to"]:
            return said.get("from")
        return thing.zone

    def matches(self, ability: str, event: str) -> bool:
        """Whether an event is what an ability watches for, wherever it happens (603.2)."""
        said = self.abilities[ability]
        runner = self.runner(ability)
        if runner is None or (event, said.get("watches")) not in self.occurs():
            return False
        return all(self.answers(said[role], ability, event, role) for role in ROLES if role in said)

    def seen(self, ability: str, event: str, role: str) -> MoreThing | None:
        """A part of an event as an ability sees it, if it is an object in the game (801.7a).

        What moves is looked at before the event or after it.  Where the table shows it elsewhere
        already, or still, it is its owner's (108.4a), unless the event says whose it becomes.
        """
        said = self.events[event]
        known = self.stated if self.fault == "gone_parts_fit" else self.here
        looks_back = self.abilities[ability].get("watches") in LOOKS_BACK
        if role == "subject" and looks_back and self._departs(event):
            gone = copy(self.stated[said[role]])
            gone.exists, gone.zone, gone.holder = True, BATTLEFIELD, gone.last
            gone.controller, gone.protector = gone.last, None
            return gone
        thing = known.get(said[role])
        if thing is None or role != "subject" or ("from" not in said and "to" not in said):
            return thing
        if self.fault == "always_looks_back":
            looks_back = True
        if self.fault == "never_looks_back":
            looks_back = False
        moved = copy(thing)
        moved.zone = said.get("from" if looks_back else "to", thing.zone)
        if looks_back and moved.zone == thing.zone == BATTLEFIELD:
            return thing
        before = thing.last if thing.exiled and moved.zone == BATTLEFIELD else thing.owner
        moved.holder = before if looks_back else said.get("under", thing.owner)
        moved.protector = None
        moved.controller = moved.holder if moved.has_controller() else None
        return moved

    def _part_is_near(self, ability: str, event: str, role: str) -> bool:
        """Whether a part of an event lies in the range of an ability's runner (801.7, 801.7a)."""
        runner = self.runner(ability)
        part: str | None = self.events[event].get(role)
        if runner is None or part is None:
            return False
        if part in self.players:
            return self.reaches(runner, part)
        thing = self.seen(ability, event, role)
        if thing is None or not thing.exists:
            return False
        if thing.holder not in self.players:
            return self.was_near(runner, thing.holder)
        if self.fault == "part_by_holder":
            return self.reaches(runner, thing.holder)
        return self._thing_in_range(runner, thing)

    def can_trigger(self) -> Pairs:
        """Ability and an event that makes it trigger (801.7, 801.7a)."""
        answers: Pairs = set()
        for ability, said in self.abilities.items():
            for event, parts in self.events.items():
                if self._departs(event) and self._sees_itself_leave(ability, event):
                    answers.add((ability, event))
                if not self.matches(ability, event):
                    continue
                named = [role for role in ROLES if role in said]
                if not named and self.fault != "no_part_needed":
                    named = ["subject"]
                if self.fault == "trigger_names_every_part":
                    named = [role for role in ROLES if role in parts]
                near = all(self._part_is_near(ability, event, role) for role in named)
                if near or ability in self._exempt:
                    answers.add((ability, event))
        return answers

    def _sees_itself_leave(self, ability: str, event: str) -> bool:
        """Whether an ability is about its own object, which leaves with its owner (603.6c)."""
        said, subject = self.abilities[ability], self.events[event]["subject"]
        own = said.get("subject") == "itself" or not any(role in said for role in ROLES)
        leaves = said.get("watches") == "leaves the battlefield" and own
        return leaves and said["source"] == subject and self.stated[subject].last in self.players

    # Attachments (801.8, 801.9)

    def may_enchant(self) -> Pairs:
        """Aura and what it can enchant by the range alone (801.8)."""
        answers: Pairs = set()
        for aura in self.here.values():
            if "aura" not in aura.types or aura.controller is None:
                continue
            for name in self.names():
                itself = name == aura.name and self.fault != "enchants_itself"
                if self.reaches(aura.controller, name) and not itself:
                    answers.add((aura.name, name))
        return answers

    def _may_attach(self, kind: str, host_kind: str) -> Pairs:
        """Attachments of a kind on the battlefield, and the hosts there that are in range."""
        answers: Pairs = set()
        anywhere = self.fault == "equips_anywhere"
        for thing in self.here.values():
            if kind not in thing.types or thing.controller is None:
                continue
            for host in self.here.values():
                if host.name == thing.name or host_kind not in host.types:
                    continue
                there = thing.zone == host.zone == BATTLEFIELD
                if (there or anywhere) and self.reaches(thing.controller, host.name):
                    answers.add((thing.name, host.name))
        return answers

    def may_equip(self) -> Pairs:
        """Equipment and a creature that it can equip by the range alone (801.9)."""
        return self._may_attach("equipment", "creature")

    def may_fortify(self) -> Pairs:
        """Fortification and a land that it can fortify by the range alone (801.9)."""
        return self._may_attach("fortification", "land")

    def strays(self) -> Pairs:
        """What is attached, and its host that is out of range or gone (801.8, 801.9)."""
        answers: Pairs = set()
        for thing in self.here.values():
            if thing.host is None or thing.controller is None:
                continue
            reacher: str = thing.controller
            if self.fault == "measures_from_host" and thing.host in self.here:
                near = self.reaches(self.here[thing.host].holder, reacher)
            else:
                near = self.reaches(reacher, thing.host)
            host = self.stated.get(thing.host)
            lost = thing.host not in self.players if host is None else host.exiled
            if not near or lost or (host is not None and not host.exists):
                answers.add((thing.name, thing.host))
        return answers

    def goes_to_graveyard(self) -> Pairs:
        """Aura that goes, and its owner (801.8)."""
        answers: Pairs = set()
        for name, _host in self.strays():
            thing = self.here[name]
            if "aura" in thing.types and thing.owner in self.players:
                answers.add((name, thing.owner))
        return answers

    def comes_off(self) -> Pairs:
        """Equipment or Fortification that becomes unattached, and its host (801.9)."""
        answers: Pairs = set()
        for name, host in self.strays():
            types = self.here[name].types
            if "equipment" in types or "fortification" in types:
                answers.add((name, host))
        return answers

    # Effects (801.10, 801.11)

    def would_affect(self) -> Pairs:
        """Effect, and whom or what it would affect without a range."""
        answers: Pairs = set()
        for effect, said in self.effects.items():
            runner = self.runner(effect) or self.behind(effect)
            if runner is None:
                continue
            source = self.source(effect)
            for name in self.names():
                worded = any(
                    self.fits(word, runner, source, name) for word in said.get("affects", [])
                )
                if worded or name in said.get("affects_these", []):
                    answers.add((effect, name))
        return answers

    def _effect_reaches(self, effect: str, name: str, *, fault: str = "") -> bool:
        """Whether something is in the range of an effect's runner.

        Where no range binds the effect, it is enough to be in the game (801.18).
        """
        runner, leaver = self.runner(effect), self.behind(effect)
        if runner is None and leaver is None:
            return False
        there = name in self.players or name in self.here
        if effect in self._exempt and self.fault != fault:
            return there
        if leaver is not None:
            return there and self.was_in_range(leaver, name)
        return runner is not None and self.reaches(runner, name)

    def affected(self) -> Pairs:
        """Effect, and whom or what it affects (801.10)."""
        return {
            (effect, name)
            for effect, name in self.would_affect()
            if self._effect_reaches(effect, name)
            or (self.behind(effect) and name in self.effects[effect].get("affects_these", []))
        }

    def spared(self) -> Pairs:
        """Effect, and whom or what it would affect but for the range (801.10)."""
        return self.would_affect() - self.affected()

    def would_count(self) -> Pairs:
        """Effect, and what it would count without a range."""
        answers: Pairs = set()
        for effect, said in self.effects.items():
            runner = self.runner(effect)
            if runner is None:
                continue
            source = self.source(effect)
            for name in self.names():
                if any(self.fits(word, runner, source, name) for word in said.get("counts", [])):
                    answers.add((effect, name))
        return answers

    def counted(self) -> Pairs:
        """Effect, and what it counts (801.11)."""
        return {pair for pair in self.would_count() if self._effect_reaches(*pair)}

    def alike(self, name: str, other: str) -> bool:
        """Whether two different objects share a subtype."""
        if name == other or name not in self.here or other not in self.here:
            return False
        return bool(set(self.here[name].subtypes) & set(self.here[other].subtypes))

    def counted_for(self) -> Triples:
        """Effect, what it counts, and a creature for which it is counted (801.11)."""
        answers: Triples = set()
        counted = self.counted()
        if self.fault == "counts_around_creature":
            counted = self.would_count()
        for effect, creature in self.affected():
            if not self.effects[effect].get("counts_alike", False):
                continue
            for counting, other in counted:
                if counting != effect or not self.alike(creature, other):
                    continue
                if self.fault == "counts_around_creature" and not self.reaches(
                    self.here[creature].holder, other
                ):
                    continue
                answers.add((effect, other, creature))
        return answers

    # World permanents (801.12)

    def _is_world(self, thing: MoreThing) -> bool:
        """Whether something that was a world permanent once is one still."""
        return thing.zone == BATTLEFIELD or self.fault == "world_off_battlefield"

    def is_outdone(self, name: str, *, anywhere: bool) -> bool:
        """Whether another world permanent, in range or anywhere, has been world no longer."""
        thing = self.here[name]
        if thing.world_since is None or not self._is_world(thing):
            return False
        for other in self.here.values():
            if other.name == name or other.world_since is None or not self._is_world(other):
                continue
            near = anywhere or self.reaches(thing.holder, other.name)
            if near and other.world_since >= thing.world_since:
                return True
        return False

    def world_goes(self) -> Pairs:
        """World permanent that goes to the graveyard, and its owner (801.12)."""
        anywhere = self.fault == "world_everywhere"
        return {
            (name, thing.owner)
            for name, thing in self.here.items()
            if self.is_outdone(name, anywhere=anywhere)
        }

    # Damage (801.13)

    def redirection(self, event: str) -> tuple[str, str] | None:
        """The effect that redirects the damage of an event, and where to; None without one."""
        recipient = self.events[event].get("subject")
        for effect, said in self.effects.items():
            redirects: dict[str, str] = said.get("redirects", {})
            if recipient not in redirects or not self._takes_damage(redirects[recipient]):
                continue
            parts = [p for p in (recipient, self.events[event].get("by")) if p is not None]
            if any(self._effect_reaches(effect, part) for part in parts):
                return effect, redirects[recipient]
        return None

    def _arrives(self, source: str | None, recipient: str) -> bool:
        """Whether damage is dealt at all: by spells and abilities in range only (801.10)."""
        thing = self.here.get(source or "")
        if thing is None or thing.is_permanent("creature") or source in self._exempt:
            return True
        return self.reaches(thing.holder, recipient)

    def _takes_damage(self, name: str) -> bool:
        """Whether somebody or something is there for damage to be redirected to (614.9)."""
        return name in self.players or (name in self.here and self.here[name].zone == BATTLEFIELD)

    def _is_there(self, name: str | None) -> bool:
        """Whether nobody's leaving took a player or an object away (800.4, 800.4a)."""
        if name is None or name in self.players:
            return True
        return name in self.here and not self.here[name].exiled

    def dealt(self) -> Deals:
        """Event, who or what is dealt damage in it, and how much (801.10, 801.13, 801.13a).

        Damage is redirected first; what may prevent it then looks at where it goes (616.1).
        """
        answers: Deals = set()
        for event, said in self.events.items():
            if said.get("happens") != DAMAGE or "subject" not in said or "amount" not in said:
                continue
            recipient: str = said["subject"]
            source: str | None = said.get("by")
            left: int = said["amount"]
            if not self._is_there(source):
                continue
            redirection = self.redirection(event)
            if redirection is not None:
                effect, other = redirection
                diverted = min(left, self.effects[effect].get("redirects_up_to", left))
                left -= diverted
                near = self._redirects(effect, source, other)
                if diverted and near and not self._is_prevented(source, other):
                    answers.add((event, other, diverted))
            arrives = self.fault == "spells_damage_anywhere" or self._arrives(source, recipient)
            arrives = arrives and self._is_there(recipient)
            if left and arrives and not self._is_prevented(source, recipient):
                answers.add((event, recipient, left))
        return answers

    def _redirects(self, effect: str, source: str | None, other: str) -> bool:
        """Whether damage from a source reaches those it is redirected to (801.13a, 801.18)."""
        if source not in self.here:
            return False
        if source in self._exempt and self.fault != "planes_damage_in_range":
            return other in self.players or other in self.here
        reacher: str | None = self.here[source].holder
        if self.fault == "redirector_reaches":
            reacher = self.runner(effect)
        return reacher is not None and self.reaches(reacher, other)

    def _is_prevented(self, source: str | None, recipient: str) -> bool:
        """Whether any effect prevents damage from a source to a recipient."""
        if source is None or self.fault == "prevented_is_dealt":
            return False
        return any(self._prevents(effect, source, recipient) for effect in self.effects)

    def named_ends(self, effect: str) -> tuple[bool, bool]:
        """Whether a prevention effect names sources, and whether it names recipients."""
        said = self.effects[effect]
        sources = bool(said.get("prevents_from")) or "chosen_source" in said
        recipients = bool(said.get("prevents_to")) or bool(said.get("protects"))
        return sources, recipients

    def shields(self, effect: str, source: str, recipient: str) -> bool:
        """Whether damage from a source to a recipient is what an effect prevents, near or far."""
        said = self.effects[effect]
        runner = self.runner(effect) or self.behind(effect)
        names_source, names_recipient = self.named_ends(effect)
        if runner is None or not (said.get("prevents") or names_source or names_recipient):
            return False
        on = self.source(effect)
        if names_source:
            worded = any(
                self.fits(word, runner, on, source) for word in said.get("prevents_from", [])
            )
            if not worded and said.get("chosen_source") != source:
                return False
        if names_recipient:
            worded = any(
                self.fits(word, runner, on, recipient) for word in said.get("prevents_to", [])
            )
            if not worded and recipient not in said.get("protects", []):
                return False
        return True

    def _prevents(self, effect: str, source: str, recipient: str) -> bool:
        """Whether an effect prevents damage from a source to a recipient (801.13b, 801.18)."""
        if not self.shields(effect, source, recipient):
            return False
        source_near, recipient_near = (
            self._effect_reaches(effect, end, fault="planes_prevent_in_range")
            for end in (source, recipient)
        )
        match self.named_ends(effect):
            case (True, False):
                return source_near
            case (False, True):
                return recipient_near
            case (False, False) if self.fault == "either_end":
                return source_near or recipient_near
            case (False, False) if self.fault == "recipient_alone":
                return recipient_near
        return source_near and recipient_near

    def damages(self) -> list[tuple[str, str, str]]:
        """Event in which damage would be dealt, its source and its recipient."""
        return [
            (event, said["by"], said["subject"])
            for event, said in self.events.items()
            if said.get("happens") == DAMAGE and "by" in said and "subject" in said
        ]

    def prevented(self) -> Pairs:
        """Effect, and an event whose damage it prevents (801.13b, 801.18)."""
        return {
            (effect, event)
            for effect in self.effects
            for event, source, recipient in self.damages()
            if self._prevents(effect, source, recipient)
        }

    # Endings (801.14 to 801.17)

    def loses_by(self) -> Pairs:
        """Effect that says who wins, and a player who loses by it (801.14, 801.18)."""
        answers: Pairs = set()
        for effect, said in self.effects.items():
            runner = self.runner(effect)
            if runner is None or said.get("says") != "you win the game":
                continue
            for player in self.players:
                near = self._effect_reaches(effect, player, fault="planes_win_in_range")
                near = near or self.fault == "wins_everywhere"
                if near and self._are_opponents(runner, player):
                    answers.add((effect, player))
        return answers

    def draws_by(self) -> Pairs:
        """Effect that says the game is a draw, and a player for whom it is one (801.15, 801.18)."""
        answers: Pairs = set()
        for effect, said in self.effects.items():
            runner = self.runner(effect)
            if runner is None or said.get("says") != "the game is a draw":
                continue
            for player in self.players:
                near = self._effect_reaches(effect, player, fault="planes_draw_in_range")
                if near or self.fault == "draw_without_range":
                    answers.add((effect, player))
        return answers

    def loopers(self, loop: str) -> set[str]:
        """The players who control an object that is part of a loop."""
        found: set[str] = set()
        for name in self.loops[loop].get("objects", []):
            controller = self.here[name].controller if name in self.here else None
            if controller is not None:
                found.add(controller)
        return found

    def is_broken(self, loop: str) -> bool:
        """Whether a part of a loop left the game, or was exiled, as a player left (800.4a)."""
        parts = [self.stated.get(name) for name in self.loops[loop].get("objects", [])]
        return any(part is None or not part.exists or part.exiled for part in parts)

    def draws_by_loop(self) -> Pairs:
        """Loop, and a player for whom the game is a draw by it (801.16)."""
        answers: Pairs = set()
        for loop, said in self.loops.items():
            if said.get("optional", False) and self.fault != "optional_loop_draws":
                continue
            if self.is_broken(loop) and self.fault != "broken_loop_draws":
                continue
            for looper in self.loopers(loop):
                for player in self.players:
                    near = self.reaches(looper, player)
                    if self.fault == "loop_without_neighbours":
                        near = player == looper
                    if near:
                        answers.add((loop, player))
        return answers

    def out(self) -> Pairs:
        """Effect or loop, and a player who leaves the game by it."""
        return self.loses_by() | self.draws_by() | self.draws_by_loop()

    def plays_on(self) -> Pairs:
        """Effect or loop that somebody leaves by, and a player who stays (801.15, 801.16)."""
        out = self.out()
        causes = {cause for cause, _player in out}
        everything = {(cause, player) for cause in causes for player in self.players}
        return everything - out

    def wins(self) -> Pairs:
        """Effect or loop, and a player who wins as no opponent stays (104.2a)."""
        playing = self.plays_on()
        answers: Pairs = set()
        for cause, player in playing:
            staying = [other for by, other in playing if by == cause]
            if not any(self._are_opponents(player, other) for other in staying):
                answers.add((cause, player))
        return answers

    def in_new_game(self) -> Pairs:
        """Effect that restarts the game, and a player in the new game (801.17)."""
        answers: Pairs = set()
        for effect, said in self.effects.items():
            runner = self.runner(effect)
            if runner is None or said.get("says") != "the game restarts":
                continue
            for player in self.players:
                if self.fault != "restart_in_range" or self.reaches(runner, player):
                    answers.add((effect, player))
        return answers

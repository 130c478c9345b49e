"""The 2004 draft in plain Python, and small random tables to compare its clauses on.

Written from the rules, not from the clauses: rings are lists, teams are sets, steps are loops.
"""

from __future__ import annotations

import random
from typing import Any

Pairs = set[tuple[Any, ...]]
LETTERS = "ABC"


def _sides(heads: int) -> tuple[list[str], dict[str, list[str]]]:
    teams = {t: [f"{t}{i + 1}" for i in range(heads)] for t in "AB"}
    return teams["A"] + teams["B"], teams


def _alternating(heads: int, number: int) -> tuple[list[str], dict[str, list[str]]]:
    teams = {t: [f"{t}{i + 1}" for i in range(heads)] for t in LETTERS[:number]}
    return [teams[t][i] for i in range(heads) for t in teams], teams


def random_table(rng: random.Random) -> dict[str, Any]:
    """A table in one of the draft's formats, or in none."""
    kinds = ("", "free_for_all", "team", "two_headed_giant", "emperor", "pentagon")
    variant = rng.choice(kinds)
    teams: dict[str, list[str]] = {}
    seats = [f"P{i + 1}" for i in range(rng.randint(3, 6))]
    table: dict[str, Any] = {"turn": rng.randint(1, 3), "options": []}
    if variant == "team":
        seats, teams = _alternating(rng.randint(2, 4), rng.choice((2, 3)))
        table["range"] = rng.randint(1, 3)
    elif variant == "two_headed_giant":
        seats, teams = _sides(rng.randint(2, 4))
        table["team_life"] = {t: rng.choice((0, 5, 40)) for t in teams}
    elif variant == "emperor":
        heads = rng.choice((3, 5))
        seats, teams = _sides(heads)
        table["range"] = rng.randint(1, 3)
        table["emperors"] = [members[heads // 2] for members in teams.values()]
    elif variant == "pentagon":
        seats = ["Ann", "Bea", "Cid", "Dot", "Eve"]
    else:
        if rng.random() < 0.5:
            table["options"] = [rng.choice(("attack left", "attack right"))]
        if not variant and rng.random() < 0.7:
            table["range"] = rng.randint(0, 3)
    table["seats"] = seats
    if variant:
        table["variant"] = variant
    if teams:
        table["teams"] = teams
    _happenings(rng, table)
    return table


def _happenings(rng: random.Random, table: dict[str, Any]) -> None:
    """Who has left, who leaves or loses, what is lost, and things of several players."""
    seats = table["seats"]
    gone = rng.sample(seats, rng.choice((0, 1, 1, 2, len(seats) - 2)))
    table["left"] = {p: rng.randint(1, table["turn"]) for p in gone}
    staying = [p for p in seats if p not in gone]
    table["leaves"] = rng.sample(staying, rng.choice((0, 0, 1)))
    table["beaten"] = rng.sample(staying, min(rng.choice((0, 1, 1, 2)), len(staying)))
    table["loses"] = {p: rng.randint(0, 9) for p in rng.sample(staying, min(2, len(staying)))}
    table["sets"] = {
        p: rng.randint(0, 9) for p in rng.sample(staying, min(rng.choice((0, 1, 2)), len(staying)))
    }
    table["life"] = {p: rng.choice((0, 1, 20)) for p in rng.sample(staying, len(staying) // 3)}
    table["objects"] = {}
    for i in range(5):
        owner, borrower = rng.choice(seats), rng.choice(seats)
        thing = {"owner": owner, "controller": borrower}
        if rng.random() < 0.5:
            thing["default_controller"] = rng.choice(seats)
        table["objects"][f"Thing {i}"] = thing


class DraftOracle:
    """What the draft says of one table; each question is a method that gives its rows."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.table = table
        self.variant = table.get("variant", "")
        self.seats: list[str] = table["seats"]
        self.left: dict[str, int] = table["left"]
        self.teams: dict[str, list[str]] = table.get("teams", {})
        self.playing = [p for p in self.seats if p not in self.left]
        self.team_of = {p: t for t, members in self.teams.items() for p in members}
        turn = table["turn"]
        self.ring = [p for p in self.seats if self.left.get(p, turn) == turn]

    def foes(self, player: str) -> set[str]:
        """Opponents, in the game or not."""
        if self.variant == "pentagon":
            at = self.seats.index(player)
            return {self.seats[(at + 2) % 5], self.seats[(at + 3) % 5]}
        own = self.teams.get(self.team_of.get(player, ""), [player])
        return set(self.seats) - set(own)

    def opponent(self) -> Pairs:
        return {(p, q) for p in self.playing for q in self.foes(p) if q in self.playing}

    def reaches(self) -> Pairs:
        limit = self.table.get("range")
        found: Pairs = set()
        for p in self.playing:
            for q in self.playing:
                way = abs(self.ring.index(p) - self.ring.index(q))
                if limit is None or min(way, len(self.ring) - way) <= limit:
                    found.add((p, q))
        return found

    def may_attack(self) -> Pairs:
        return {(p, q) for p, q in self.reaches() & self.opponent() if self._faces(p, q)}

    def _faces(self, player: str, other: str) -> bool:
        at = self.ring.index(player)
        left, right = self.ring[(at + 1) % len(self.ring)], self.ring[at - 1]
        if "attack left" in self.table["options"]:
            return bool(other == left)
        if "attack right" in self.table["options"]:
            return bool(other == right)
        rivals = {q for p, q in self.opponent() if p == player}
        if self.variant == "team" and rivals & {left, right}:
            return other in (left, right)
        if self.variant == "two_headed_giant":
            across = len(self.seats) - 1 - self.seats.index(player)
            away = {q: abs(self.seats.index(q) - across) for q in rivals}
            return away[other] == min(away.values())
        return True

    # --- Losing and winning

    def _fallen(self) -> set[str]:
        out = {*self.left, *self.table["leaves"], *self.table["beaten"]}
        if self.variant != "two_headed_giant":
            out |= {p for p, life in self.table["life"].items() if life <= 0}
        return out

    def _lost_teams(self, fallen: set[str]) -> set[str]:
        out = {t for t, members in self.teams.items() if set(members) <= fallen}
        if self.variant == "two_headed_giant":
            out |= {t for t, life in self.table["team_life"].items() if life <= 0}
        for emperor in self.table.get("emperors", ()):
            if emperor in fallen:
                out.add(self.team_of[emperor])
        return out

    def team_lost(self) -> Pairs:
        return {(t,) for t in self._lost_teams(self._fallen())}

    def team_wins(self) -> Pairs:
        over = self._lost_teams(self._fallen())
        standing = [t for t in self.teams if t not in over]
        return {(t,) for t in standing if len(standing) == 1}

    def team_draws(self) -> Pairs:
        over = self._lost_teams(self._fallen())
        if not self.teams or len(over) < len(self.teams):
            return set()
        before = {t for t, members in self.teams.items() if set(members) <= set(self.left)}
        before |= {self.team_of[e] for e in self.table.get("emperors", ()) if e in self.left}
        return {(t,) for t in over - before}

    def _lost(self) -> set[str]:
        fallen = self._fallen()
        return fallen.union(*(self.teams[t] for t in self._lost_teams(fallen)))

    def lost(self) -> Pairs:
        return {(p,) for p in self._lost()}

    def leaving(self) -> Pairs:
        return {(p,) for p in self._lost() if p in self.playing}

    def wins_game(self) -> Pairs:
        lost = self._lost()
        found: Pairs = {(p,) for p in self.seats if p not in lost and self.foes(p) <= lost}
        for (team,) in self.team_wins():
            found |= {(p,) for p in self.teams[team]}
        return found

    # --- What is left of things and life totals

    def _before(self, thing: dict[str, str]) -> str | None:
        """Who controls a thing, given who has left already."""
        if thing["owner"] in self.left:
            return None
        for player in (thing["controller"], thing.get("default_controller", "")):
            if player in self.playing:
                return player
        return None

    def _after(self, thing: dict[str, str]) -> str | None:
        out, holder = self._lost(), self._before(thing)
        if holder is None or thing["owner"] in out:
            return None
        back = thing.get("default_controller", "")
        if holder in out:
            return back if back in self.playing and back not in out else None
        return holder

    def controls_after(self) -> Pairs:
        things = self.table["objects"].items()
        return {(holder, name) for name, thing in things if (holder := self._after(thing))}

    def removed(self) -> Pairs:
        out = self._lost()
        found: Pairs = set()
        for name, thing in self.table["objects"].items():
            before = self._before(thing)
            lent = before in out and not self._after(thing)
            if thing["owner"] in out or lent or before is None:
                found.add((name,))
        return found

    def team_life_after(self) -> Pairs:
        found: Pairs = set()
        for team, life in self.table.get("team_life", {}).items():
            heads = self.teams[team]
            totals = [n for p, n in self.table["sets"].items() if p in heads]
            lost = sum(n for p, n in self.table["loses"].items() if p in heads)
            found.add((team, (sum(totals) if totals else life) - lost))
        return found

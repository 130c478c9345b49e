"""Nothing in a book is idle: some scenario needs each clause, and each section matters.

Every shipped edition is on trial by its own scenarios; one with a base only for its own sections.

A clause is *needed* when a scenario's verdict changes without it, or whether the verdict is open.
A section *decides* a scenario whose verdict changes without the section's clauses, and *spares* one
that asks the same, rests on the section's predicates, and is answered the other way with and
without it. A section that only checks tables refuses one, and looks at another that it lets pass.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

import pytest

from bulk import sessions
from places import TESTS
from seatlog.book import Book, Clauses, Section
from seatlog.cases import BULK, Scenario, read_scenarios, run, scenario_files, verdict
from seatlog.editions import editions, find, load_book
from seatlog.errors import NoRule, Place, SeatlogError, SolverError
from seatlog.game import Session, unread_in
from seatlog.model import Clause, Comparison, Const, Literal, Var, literals
from seatlog.table import table

Outcome = tuple[str | list[tuple[Any, ...]], bool]
EVERY = int(os.environ.get("SEATLOG_NEEDED", "10"))
"""The gate tries one clause and one section in ten; ``make soak`` tries each of them."""

REFUSAL: Outcome = ("refused", False)
NO_RULE: Outcome = ("no rule", False)
FOLDER = TESTS / "scenarios"

PAIR = ["Alex", "Rob"]
CONTRADICTIONS: dict[str, dict[str, Any]] = {
    "Rob would leave in turn 6, but it is only turn 5": {
        "turn": 5,
        "left": {"Rob": 6},
    },
    "Rob controls Card, but nobody controls what is in the graveyard": {
        "objects": {"Card": {"controller": "Rob", "zone": "graveyard"}},
    },
    "Rob protects Bear, which isn't a battle": {
        "objects": {"Bear": {"controller": "Alex", "protector": "Rob", "types": ["creature"]}},
    },
    "Bolt targets Rob, but it isn't on the stack": {
        "objects": {"Bolt": {"owner": "Alex", "zone": "graveyard", "targets": ["Rob"]}},
    },
    "nobody controls or owns Bear": {
        "objects": {"Bear": {"types": ["creature"]}},
    },
    "Ox is said to be tapped, but it lies in the library zone": {
        "objects": {"Ox": {"owner": "Alex", "zone": "library", "tapped": True}},
    },
    "Ox is said to be new under its controller, but it lies in the hand zone": {
        "objects": {"Ox": {"owner": "Alex", "zone": "hand", "new": True}},
    },
    "Veil is said to be attached to Rob, but it lies in the hand zone": {
        "objects": {
            "Veil": {"owner": "Alex", "zone": "hand", "types": ["aura"], "attached_to": "Rob"},
        },
    },
    "Rob is said to control Ox by default, but nobody controls what is in the graveyard": {
        "objects": {"Ox": {"owner": "Alex", "default_controller": "Rob", "zone": "graveyard"}},
    },
    "Veil is attached to itself, or to what is attached to it in the end": {
        "objects": {"Veil": {"controller": "Alex", "attached_to": "Veil"}},
    },
    "Vine is attached to itself, or to what is attached to it in the end": {
        "objects": {
            "Veil": {"controller": "Alex", "attached_to": "Vine"},
            "Vine": {"controller": "Alex", "attached_to": "Moss"},
            "Moss": {"controller": "Alex", "attached_to": "Veil"},
        },
    },
    "Moor is said to attack, but no type of it is creature": {
        "objects": {"Moor": {"controller": "Alex", "types": ["land"]}},
        "attacks": {"Moor": "Rob"},
    },
    "Moor is said to block, but no type of it is creature": {
        "objects": {
            "Moor": {"controller": "Alex", "types": ["land"]},
            "Ox": {"controller": "Rob", "types": ["creature"]},
        },
        "blocks": {"Moor": "Ox"},
    },
    "Moor is said to be blocked, but no type of it is creature": {
        "objects": {
            "Moor": {"controller": "Alex", "types": ["land"]},
            "Ox": {"controller": "Rob", "types": ["creature"]},
        },
        "blocks": {"Ox": "Moor"},
    },
    "Ox is said to attack, but it lies in the hand zone": {
        "objects": {"Ox": {"owner": "Alex", "types": ["creature"], "zone": "hand"}},
        "attacks": {"Ox": "Rob"},
    },
    "Ox is said to block, but it lies in the exile zone": {
        "objects": {
            "Ox": {"owner": "Alex", "types": ["creature"], "zone": "exile"},
            "Elk": {"controller": "Rob", "types": ["creature"]},
        },
        "blocks": {"Ox": "Elk"},
    },
    "Ox is said to attack Alex, who controls it": {
        "objects": {"Ox": {"controller": "Alex", "types": ["creature"]}},
        "attacks": {"Ox": "Alex"},
    },
    "Ox is said to block itself": {
        "objects": {"Ox": {"controller": "Alex", "types": ["creature"]}},
        "blocks": {"Ox": "Ox"},
    },
    "Ox is said to block Elk, which Alex controls, too": {
        "objects": {
            "Ox": {"controller": "Alex", "types": ["creature"]},
            "Elk": {"controller": "Alex", "types": ["creature"]},
        },
        "blocks": {"Ox": "Elk"},
    },
    "Ox is said to attack and to block": {
        "objects": {
            "Ox": {"controller": "Alex", "types": ["creature"]},
            "Elk": {"controller": "Rob", "types": ["creature"]},
        },
        "attacks": {"Ox": "Rob"},
        "blocks": {"Ox": "Elk"},
    },
    "Bolt targets itself": {
        "objects": {"Bolt": {"controller": "Alex", "zone": "stack", "targets": ["Bolt"]}},
    },
    "Turn redirects damage from Rob to Rob": {
        "effects": {"Turn": {"controller": "Alex", "redirects": {"Rob": "Rob"}}},
    },
    "Song is said to be static, and to watch for something": {
        "objects": {"Bell": {"controller": "Alex"}},
        "abilities": {"Song": {"source": "Bell", "static": True, "watches": "dies"}},
    },
    "Song is said to be static, and who may activate it": {
        "objects": {"Bell": {"controller": "Alex"}},
        "abilities": {"Song": {"source": "Bell", "static": True, "activated_by": "you"}},
    },
    "Rob is said to control Glow, which comes from Bell, but Alex controls that": {
        "objects": {"Bell": {"controller": "Alex"}},
        "effects": {"Glow": {"source": "Bell", "controller": "Rob"}},
    },
    "Rob is said to control Tune, which comes from Bell, but Alex controls that": {
        "objects": {"Bell": {"controller": "Alex"}},
        "abilities": {"Song": {"source": "Bell", "static": True}},
        "effects": {"Tune": {"source": "Song", "controller": "Rob"}},
    },
    "Rob is said to control Hush, which comes from Bell, but Alex controls that": {
        "objects": {"Bell": {"default_controller": "Alex", "owner": "Rob"}},
        "effects": {"Hush": {"source": "Bell", "controller": "Rob"}},
    },
    "Rob is said to control Mist, which comes from Bell, but Alex controls that": {
        "objects": {"Bell": {"owner": "Alex"}},
        "effects": {"Mist": {"source": "Bell", "controller": "Rob"}},
    },
    "Fall is said to happen along with itself": {
        "objects": {"Ox": {"controller": "Alex"}},
        "events": {"Fall": {"subject": "Ox", "to": "graveyard", "along_with": "Fall"}},
    },
    "Fall is said to be a state-based action after itself": {
        "objects": {"Ox": {"controller": "Alex"}},
        "events": {"Fall": {"subject": "Ox", "to": "graveyard", "cleans_up": "Fall"}},
    },
    "Fall is said to happen along with Blow and after it": {
        "objects": {"Ox": {"controller": "Alex"}},
        "events": {
            "Blow": {"subject": "Ox", "happens": "becomes tapped"},
            "Fall": {"subject": "Ox", "to": "hand", "along_with": "Blow", "cleans_up": "Blow"},
        },
    },
    "Drop is said to come of a madness ability, which moves a card from exile": {
        "objects": {"Rage": {"owner": "Alex", "zone": "graveyard"}},
        "events": {
            "Drop": {"subject": "Rage", "from": "hand", "to": "graveyard", "madness": True},
        },
    },
    "Toss is said to come of a madness ability, which moves a card from exile": {
        "objects": {"Rage": {"owner": "Alex", "zone": "hand"}},
        "events": {"Toss": {"subject": "Rage", "to": "graveyard", "madness": True}},
    },
    "Nap is said to deal damage without combat, but it deals none": {
        "objects": {"Ox": {"controller": "Alex"}},
        "events": {"Nap": {"subject": "Ox", "happens": "becomes tapped", "combat": False}},
    },
    "Spare is said to be in a sideboard, and brought in from outside the game": {
        "objects": {"Spare": {"owner": "Alex", "sideboard": True, "brought_in": True}},
    },
    "Spare is said to be tapped, but it is outside the game or in no zone": {
        "objects": {"Spare": {"owner": "Alex", "sideboard": True, "tapped": True}},
    },
    "Veil is said to be attached to Rob, but it is outside the game or in no zone": {
        "objects": {"Veil": {"owner": "Alex", "no_zone": True, "attached_to": "Rob"}},
    },
    "Song is said to watch for something, and who may activate it": {
        "objects": {"Bell": {"controller": "Alex"}},
        "abilities": {"Song": {"source": "Bell", "watches": "dies", "activated_by": "opponents"}},
    },
    "Turn is said to redirect no more than so much damage, but it redirects none": {
        "effects": {"Turn": {"controller": "Alex", "redirects_up_to": 2}},
    },
    "Bury is said to put something in the exile zone instead, but not instead of what": {
        "effects": {"Bury": {"controller": "Alex", "puts_in": "exile"}},
    },
    "Fall and Sink are each said to be a state-based action after the other": {
        "objects": {"Ox": {"controller": "Alex"}},
        "events": {
            "Fall": {"subject": "Ox", "to": "graveyard", "cleans_up": "Sink"},
            "Sink": {"subject": "Ox", "to": "hand", "cleans_up": "Fall"},
        },
    },
    "Nap is said to deal 2 damage, but it deals none": {
        "events": {"Nap": {"subject": "Rob", "happens": "draws a card", "amount": 2}},
    },
    "Moor is said to attack or block in Raid, but no type of it is creature": {
        "objects": {
            "Moor": {"controller": "Alex", "types": ["land"]},
            "Ox": {"controller": "Rob", "types": ["creature"]},
        },
        "events": {"Raid": {"happens": "attacks", "subject": "Moor", "whom": "Rob"}},
    },
    "Moor is said to attack or block in Wall, but no type of it is creature": {
        "objects": {
            "Moor": {"controller": "Alex", "types": ["land"]},
            "Ox": {"controller": "Rob", "types": ["creature"]},
        },
        "events": {"Wall": {"happens": "blocks", "subject": "Moor", "whom": "Ox"}},
    },
    "Moor is said to attack or block in Halt, but no type of it is creature": {
        "objects": {
            "Moor": {"controller": "Alex", "types": ["land"]},
            "Ox": {"controller": "Rob", "types": ["creature"]},
        },
        "events": {"Halt": {"happens": "becomes blocked", "subject": "Moor"}},
    },
    "Moor is said to attack or block in Stop, but no type of it is creature": {
        "objects": {
            "Moor": {"controller": "Alex", "types": ["land"]},
            "Ox": {"controller": "Rob", "types": ["creature"]},
        },
        "events": {"Stop": {"happens": "blocks", "subject": "Ox", "whom": "Moor"}},
    },
    "Moor is said to attack or block in Dam, but no type of it is creature": {
        "objects": {
            "Moor": {"controller": "Alex", "types": ["land"]},
            "Ox": {"controller": "Rob", "types": ["creature"]},
        },
        "events": {"Dam": {"happens": "becomes blocked", "subject": "Ox", "by": "Moor"}},
    },
    "Ox is said to attack or block itself in Wall": {
        "objects": {"Ox": {"controller": "Alex", "types": ["creature"]}},
        "events": {"Wall": {"happens": "blocks", "subject": "Ox", "whom": "Ox"}},
    },
    "Ox is said to attack Alex in Raid, who controls it": {
        "objects": {"Ox": {"controller": "Alex", "types": ["creature"]}},
        "events": {"Raid": {"happens": "attacks", "subject": "Ox", "whom": "Alex"}},
    },
    "Rob is said to be what is cast in Odd, but that happens to objects only": {
        "events": {"Odd": {"subject": "Rob", "happens": "is cast"}},
    },
    "Rob is said to be what becomes tapped in Odd, but that happens to objects only": {
        "events": {"Odd": {"subject": "Rob", "happens": "becomes tapped"}},
    },
    "Rob is said to be what becomes blocked in Odd, but that happens to objects only": {
        "events": {"Odd": {"subject": "Rob", "happens": "becomes blocked"}},
    },
    "Rob is said to be what is turned face down in Odd, but that happens to objects only": {
        "events": {"Odd": {"subject": "Rob", "happens": "is turned face down"}},
    },
    "Ox is said to be what draws a card in Odd, but that happens to players only": {
        "objects": {"Ox": {"controller": "Alex", "types": ["creature"]}},
        "events": {"Odd": {"subject": "Ox", "happens": "draws a card"}},
    },
    "Ox is said to be what gains life in Odd, but that happens to players only": {
        "objects": {"Ox": {"controller": "Alex", "types": ["creature"]}},
        "events": {"Odd": {"subject": "Ox", "happens": "gains life"}},
    },
    "Ox is said to be what loses life in Odd, but that happens to players only": {
        "objects": {"Ox": {"controller": "Alex", "types": ["creature"]}},
        "events": {"Odd": {"subject": "Ox", "happens": "loses life"}},
    },
    "Ox is said to be what loses the game in Odd, but that happens to players only": {
        "objects": {"Ox": {"controller": "Alex", "types": ["creature"]}},
        "events": {"Odd": {"subject": "Ox", "happens": "loses the game"}},
    },
    "Rob is said to move in Trip, but only objects lie in zones": {
        "events": {"Trip": {"subject": "Rob", "from": "battlefield"}},
    },
    "Alex is said to move in Walk, but only objects lie in zones": {
        "events": {"Walk": {"subject": "Alex", "to": "exile"}},
    },
    "nobody controls or owns Siege": {
        "protects": {"Rob": ["Siege"]},
        "types": {"Siege": ["battle"]},
    },
}


def refused(name: str, data: dict[str, Any]) -> Scenario:
    """A scenario of the vocabulary's own: a table that must be refused."""
    whole = {"seats": PAIR, **data}
    return Scenario(name, "vocabulary.toml", None, whole, ("Alex", "reach"), "", "refused", ())


REFUSED = [refused(name, data) for name, data in CONTRADICTIONS.items()]


class Case:
    """A scenario with what the whole book says, and the predicates its question rests on.

    What a book says is its answer, and whether the rules leave it open. A table that it refuses and
    one that it has no rule on are two things.
    """

    def __init__(self, scenario: Scenario, trial: Trial, number: int) -> None:
        self.scenario, self._sessions = scenario, sessions(number)
        self.stem = PurePosixPath(scenario.file).stem
        self.asked: set[str] = set()
        self.outcome = REFUSAL
        self.may_be_open = False
        try:
            found, answer = verdict(scenario, trial.book, self._sessions)
            self.asked = {x.name for x in answer.literals()}
            self.outcome = (found, bool(answer.doubts))
        except NoRule:
            self.outcome = NO_RULE
        except SolverError:
            raise
        except SeatlogError:
            pass
        self.rests_on = trial.beneath(self.asked)
        self.may_be_open = bool(self.rests_on & trial.doubtful)

    def without(self, book: Book) -> Outcome:
        """What a lesser book says."""
        try:
            found, answer = verdict(self.scenario, book, self._sessions)
        except NoRule:
            return NO_RULE
        except SolverError:
            raise
        except SeatlogError:
            return REFUSAL
        return found, self.may_be_open and bool(answer.doubts)

    @property
    def positive(self) -> bool:
        """Whether the answer is a yes, or names anybody or anything."""
        return self.outcome[0] not in ("no", [])


class Trial:
    """A book on trial by scenarios."""

    def __init__(self, book: Book, scenarios: Iterable[Scenario]) -> None:
        self.book = book
        self.scenarios = [s for s in scenarios if s.answer != "no rule"]
        self._below: dict[str, set[str]] = {}
        for clause in book.clauses:
            self._below.setdefault(clause.head.name, set()).update(
                x.name for x in literals(clause.body)
            )
        for name, predicate in book.predicates.items():
            self._below.setdefault(name, set()).update(x.name for x in predicate.doubts)
        self.doubtful = frozenset(n for n, p in book.predicates.items() if p.doubts)
        self._alarms = self.beneath(p.name for p in book.predicates.values() if p.alarm)

    @cached_property
    def cases(self) -> list[Case]:
        """Every scenario, asked of the whole book."""
        return [Case(s, self, number) for number, s in enumerate(self.scenarios)]

    def beneath(self, names: Iterable[str]) -> frozenset[str]:
        """Some predicates with all that they rest on."""
        todo, found = list(names), set[str]()
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo += self._below.get(name, ())
        return frozenset(found)

    def lesser(self, clauses: Iterable[Clause]) -> Book:
        """The book without some of its clauses."""
        less = {id(c) for c in clauses}
        left = (c for c in self.book.clauses if id(c) not in less)
        return self.book._replace(clauses=Clauses(left))

    def concerned(self, clauses: Iterable[Clause]) -> list[Case]:
        """The cases that could change without these clauses, the likeliest first."""
        heads = {c.head.name for c in clauses}
        stems = {PurePosixPath(c.place.file).stem for c in clauses}
        concerned = [c for c in self.cases if heads & (c.rests_on | self._alarms)]
        return sorted(concerned, key=lambda c: (c.stem not in stems, not heads & c.rests_on))

    def needs(self, clause: Clause) -> Case | None:
        """The first case whose verdict changes without this clause."""
        book = self.lesser([clause])
        return next((c for c in self.concerned([clause]) if c.without(book) != c.outcome), None)

    def weigh(self, number: str) -> tuple[Case | None, Case | None]:
        """A case that a section decides, and one that asks the same and is spared.

        Where there is no such pair, the first case decided, if any, and None.
        """
        clauses = [c for c in self.book.clauses if c.rule == number]
        heads = {c.head.name for c in clauses}
        book = self.lesser(clauses)
        decided: list[Case] = []
        spared: list[Case] = []
        refused: list[Case] = []
        checks = any(self.book.predicates[h].alarm for h in heads)
        for case in self.concerned(clauses):
            if case.outcome == REFUSAL:
                if checks and not refused and case.without(book) != REFUSAL:
                    refused.append(case)
                continue
            if case.without(book) != case.outcome:
                decided.append(case)
                others = spared
            elif heads & case.rests_on:
                spared.append(case)
                others = decided
            else:
                continue
            for other in others:
                if other.asked == case.asked and other.positive != case.positive:
                    return (case, other) if others is spared else (other, case)
        if refused and not decided:
            passed = (c for c in self.concerned(clauses) if c.outcome != REFUSAL)
            return refused[0], next((c for c in passed if self.looks_at(c, clauses)), None)
        return (decided[0] if decided else None), None

    def looks_at(self, case: Case, clauses: Iterable[Clause]) -> bool:
        """Whether an alarm among these clauses has to do with a table: its first literal holds."""
        game = Session(self.book, table(case.scenario.data, self.book.vocabulary), None, BULK)
        return any(
            game.solver.rows(first)
            for c in clauses
            if self.book.predicates[c.head.name].alarm and isinstance(first := c.body[0], Literal)
        )


class Edition:
    """A shipped edition: what stands in its own files, its scenarios, and the trial by them.

    The default edition answers for the vocabulary's clauses, too.
    """

    def __init__(self, name: str, default: bool) -> None:
        self.name, self.default = name, default
        self.book = load_book(name)
        folder = FOLDER / name
        self.files = scenario_files(folder) if folder.is_dir() else []
        self.scenarios = [s for file in self.files for s in read_scenarios(file)]
        self.trial = Trial(self.book, [*self.scenarios, *(REFUSED if default else ())])
        toml = tomllib.loads((find(name) / "edition.toml").read_text(encoding="utf-8"))
        self.base: str | None = toml.get("base")
        self.dropped: set[str] = set(toml.get("drop", ()))
        self.renumbered: dict[str, str] = toml.get("numbers", {})

    def owns(self, place: Place) -> bool:
        """Whether something stands in this edition's own files."""
        return place.file.startswith(f"{self.name}/") or (self.default and "/" not in place.file)

    @property
    def clauses(self) -> list[Clause]:
        """Its own clauses."""
        return [c for c in self.book.clauses if self.owns(c.place)]

    @property
    def numbered(self) -> list[Section]:
        """Its own sections that stand under a rule number."""
        sections = self.book.sections.values()
        return [s for s in sections if s.number[:1].isdigit() and self.owns(s.place)]

    @property
    def changed(self) -> set[str]:
        """The rules that are not its base's."""
        return {s.number for s in self.numbered} | self.dropped


with pytest.MonkeyPatch.context() as patch:
    patch.setenv("SEATLOG_CACHE", "")
    BOOK = load_book()
    EDITIONS = {name: Edition(name, name == BOOK.name) for name in editions()}
TRIAL = EDITIONS[BOOK.name].trial

CLAUSES = [(e, c) for e in EDITIONS.values() for c in e.clauses]
DECIDING = [
    (e, s.number)
    for e in EDITIONS.values()
    for s in e.numbered
    if not s.stands_for and not s.left_out
]
OVER_A_BASE = [e for e in EDITIONS.values() if e.base]


def short(value: Any) -> str:
    """An edition's name, a number, or rule number, head and place of a clause."""
    if isinstance(value, Clause):
        file = PurePosixPath(value.place.file).name
        return f"{value.rule}-{value.head.name}-{file}:{value.place.line}"
    return value.name if isinstance(value, Edition) else str(value)


each_edition = pytest.mark.parametrize("edition", EDITIONS.values(), ids=short)


@pytest.mark.parametrize(("edition", "clause"), CLAUSES[::EVERY], ids=short)
def test_some_verdict_needs_the_clause(edition: Edition, clause: Clause) -> None:
    """Without it at least one scenario is answered differently."""
    assert edition.trial.needs(clause), f"{clause.place}: no scenario changes without {clause}"


@pytest.mark.parametrize(("edition", "number"), DECIDING[::EVERY], ids=short)
def test_a_section_decides_one_case_and_spares_another(edition: Edition, number: str) -> None:
    """It isn't idle, and it doesn't answer everything the same way."""
    decided, spared = edition.trial.weigh(number)
    assert decided, f"no scenario changes without {number}"
    assert spared, f"nothing asked like {decided.scenario.name!r} is spared by {number}"


@each_edition
def test_a_section_without_clauses_says_why(edition: Edition) -> None:
    """Whatever has a number has clauses or a reason to have none."""
    used = {c.rule for c in edition.book.clauses}
    assert [s.number for s in edition.numbered if s.number not in used and not s.left_out] == []


@pytest.mark.parametrize("edition", OVER_A_BASE, ids=short)
def test_what_an_edition_keeps_is_answered_as_in_its_base(edition: Edition) -> None:
    """The base's scenarios that have nothing to do with what differs, less those beside it.

    Nor is asked what their tables say and no rule of the edition reads.
    """
    base = EDITIONS[str(edition.base)]
    beside = {base.book.sections[n].place.file for n in edition.changed & {*base.book.sections}}
    stems = {PurePosixPath(file).stem for file in beside}
    kept = [
        s
        for s in base.scenarios
        if PurePosixPath(s.file).stem not in stems and not edition.changed & {*s.cites}
    ]
    kept = [s for s in kept if not says_in_vain(s, edition.book)]
    assert len(kept) > len(base.scenarios) / 3
    kept = [s._replace(cites=tuple(edition.renumbered.get(c, c) for c in s.cites)) for s in kept]
    kept = [s._replace(cites=tuple(sorted(s.cites))) for s in kept]
    wrong = [f"{s.file}: {s.name}" for s in kept if not run(s, lambda _: edition.book).passed]
    assert not wrong


def says_in_vain(scenario: Scenario, book: Book) -> bool:
    """Whether a scenario's table says what no rule of a book reads."""
    try:
        return bool(unread_in(book, table(scenario.data, book.vocabulary)))
    except SeatlogError:
        return False


@pytest.mark.parametrize("scenario", REFUSED, ids=lambda s: s.name)
def test_a_table_that_contradicts_itself_is_refused(scenario: Scenario) -> None:
    """And it is told so in these words."""
    with pytest.raises(SeatlogError) as caught:
        verdict(scenario, BOOK)
    assert scenario.name in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        {"turn": 5, "left": {"Rob": 5}},
        {"objects": {"Card": {"owner": "Rob", "zone": "graveyard"}}},
        {"objects": {"Siege": {"owner": "Alex", "protector": "Rob", "types": ["battle"]}}},
        {"objects": {"Bolt": {"owner": "Alex", "zone": "stack", "targets": ["Rob"]}}},
        {
            "objects": {
                "Veil": {"controller": "Alex", "attached_to": "Vine"},
                "Vine": {"owner": "Rob"},
            },
        },
        {
            "objects": {"Ox": {"controller": "Alex", "types": ["creature"], "tapped": True}},
            "attacks": {"Ox": "Rob"},
        },
        {
            "objects": {"Bell": {"controller": "Alex"}},
            "abilities": {"Ring": {"source": "Bell"}},
            "effects": {"Glow": {"source": "Ring", "controller": "Rob"}},
        },
        {
            "objects": {"Bolt": {"owner": "Alex", "zone": "graveyard"}},
            "effects": {"Burn": {"source": "Bolt", "controller": "Rob"}},
        },
        {
            "turn": 2,
            "left": {"Rob": 2},
            "objects": {"Bell": {"controller": "Rob", "default_controller": "Alex"}},
            "effects": {"Glow": {"source": "Bell", "controller": "Alex"}},
        },
        {"objects": {"Plane": {"controller": "Alex", "zone": "command", "types": ["plane"]}}},
    ],
    ids=lambda data: " ".join(data),
)
def test_a_table_that_only_looks_like_it_is_not(data: dict[str, Any]) -> None:
    """Each stands next to one that is refused."""
    assert Session(BOOK, table({"seats": PAIR, **data}, BOOK.vocabulary)).can("Alex", "reach")


@each_edition
def test_scenario_files_and_rule_files_are_named_alike(edition: Edition) -> None:
    """One for each rule file that has clauses, where it has none if need be, in one folder."""
    rules = {PurePosixPath(c.place.file).stem for c in edition.clauses} - {"vocabulary"}
    known = rules | {PurePosixPath(s.place.file).stem for s in edition.numbered}
    files = {path.stem for path in edition.files}
    assert rules <= files <= known
    assert len(files) == len(edition.files)
    assert {path.parent for path in edition.files} <= {FOLDER / edition.name}


@each_edition
def test_scenarios_of_a_file_have_names_of_their_own(edition: Edition) -> None:
    """So that each can be asked for."""
    names = [(s.file, s.name) for s in edition.scenarios]
    assert len(set(names)) == len(names)


@each_edition
def test_scenarios_ask_the_edition_that_their_folder_is_named_after(edition: Edition) -> None:
    """Or the trial would be by another book's cases."""
    asked = {s.edition or BOOK.name for s in edition.scenarios}
    assert asked <= {edition.name}


@each_edition
def test_scenarios_cite_rules_that_the_book_has(edition: Edition) -> None:
    """A number that was mistyped would pass for a rule."""
    known = {*edition.book.sections}
    assert [(s.name, c) for s in edition.scenarios for c in s.cites if c not in known] == []


# --- The checks themselves can fail -----------------------------------------------------------


def with_clause(head: Literal, *body: Literal | Comparison) -> tuple[Trial, Clause]:
    """The book with one more clause, on trial by the scenarios that it could change."""
    place = next(c for c in BOOK.clauses if c.head.name == head.name).place
    rule = next(c for c in BOOK.clauses if c.head.name == head.name).rule
    clause = Clause(head, body, rule, place)
    scenarios = [c.scenario for c in TRIAL.concerned([clause])]
    return Trial(BOOK._replace(clauses=Clauses((*BOOK.clauses, clause))), scenarios), clause


def test_a_superfluous_clause_is_found_idle() -> None:
    """What follows from another clause anyway: a planeswalker that is a creature as well."""
    player, target = Var("Player"), Var("Target")
    trial, clause = with_clause(
        Literal("defends", (player, target)),
        Literal("is_a", (target, Const("planeswalker"))),
        Literal("is_a", (target, Const("creature"))),
        Literal("controller", (player, target)),
        Literal("lies_in", (target, Const("battlefield"))),
    )
    assert trial.needs(clause) is None


def test_a_clause_that_can_never_hold_is_found_idle() -> None:
    """No creature is tapped and attacked by itself."""
    creature = Var("Creature")
    trial, clause = with_clause(
        Literal("cannot_attack", (creature,)),
        Literal("tapped", (creature,)),
        Comparison("!=", creature, creature),
    )
    assert trial.needs(clause) is None


def test_a_clause_that_changes_an_answer_is_found_needed() -> None:
    """The same book with a prohibition that hits every creature."""
    creature = Var("Creature")
    trial, clause = with_clause(
        Literal("cannot_attack", (creature,)),
        Literal("is_a", (creature, Const("creature"))),
    )
    assert trial.needs(clause)


def test_a_section_that_nothing_is_spared_by_is_found_out() -> None:
    """With only the cases it decides, the other half is missed; with none, both are."""
    shroud = [c for c in TRIAL.cases if c.stem == "702.18_shroud" and not c.positive]
    lone = Trial(BOOK, [c.scenario for c in shroud if c.scenario.cites[0] == "101.2"])
    decided, spared = lone.weigh("702.18a")
    assert decided and not spared
    assert lone.weigh("702.3b") == (None, None)

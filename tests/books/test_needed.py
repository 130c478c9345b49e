"""Nothing in a book is idle: some scenario needs each clause, and each section matters.

Every shipped edition is on trial by its own scenarios; one with a base only for its own sections.

A clause is *needed* when a scenario's verdict changes without it, or whether the verdict is open.
A section *decides* a scenario whose verdict changes without the section's clauses, and *spares* one
that asks the same, rests on the section's predicates, and is answered the other way with and
without it. A section that only checks tables refuses one, and looks at another that it lets pass.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from places import TESTS
from seatlog.book import Book, Clauses, Section
from seatlog.cases import Scenario, Sessions, read_scenarios, run, scenario_files
from seatlog.compare import Dropped, Fault, Judged, Matrix, kill_matrix
from seatlog.editions import editions, find, load_book
from seatlog.errors import Place, SeatlogError
from seatlog.game import Session, unread_in
from seatlog.model import Clause, Comparison, Const, Literal, Var, literals
from seatlog.table import table

FOLDER = TESTS / "scenarios"
ATTACKS = "801.3_attacks"

PAIR = ["Alex", "Rob"]


class Trial:
    """A book on trial by scenarios: without each of some clauses, and of some sections."""

    def __init__(
        self,
        book: Book,
        scenarios: Iterable[Scenario],
        clauses: Iterable[Clause] = (),
        numbers: Iterable[str] = (),
    ) -> None:
        self.book = book
        self.scenarios = [s for s in scenarios if s.answer != "no rule"]
        self.clauses, self.numbers = list(clauses), list(numbers)
        self._below: dict[str, set[str]] = {}
        self._beneath: dict[tuple[str, ...], frozenset[str]] = {}
        self._sessions = Sessions(most=len(self.scenarios))
        for clause in book.clauses:
            self._below.setdefault(clause.head.name, set()).update(
                x.name for x in literals(clause.body)
            )

    @cached_property
    def matrix(self) -> Matrix:
        """What each scenario makes of the book without one of these."""
        faults: list[Fault] = [Dropped((clause,), "") for clause in self.clauses]
        faults += [Dropped(tuple(self.of(number)), "") for number in self.numbers]
        return kill_matrix(self.book, faults, self.scenarios)

    def of(self, number: str) -> list[Clause]:
        """The clauses of a section."""
        return [c for c in self.book.clauses if c.rule == number]

    def beneath(self, names: tuple[str, ...]) -> frozenset[str]:
        """Some predicates with all that they rest on."""
        if names not in self._beneath:
            todo, found = list(names), set[str]()
            while todo:
                name = todo.pop()
                if name not in found:
                    found.add(name)
                    todo += self._below.get(name, ())
            self._beneath[names] = frozenset(found)
        return self._beneath[names]

    def idle(self) -> list[Clause]:
        """The clauses without which no verdict changes."""
        killed = self.matrix.killed
        return [c for at, c in enumerate(self.clauses, 1) if not killed >> at & 1]

    def weigh(self, number: str) -> tuple[Judged | None, Judged | None]:
        """A scenario that a section decides, and one that asks the same and is spared.

        Where there is no such pair, the first that is decided, if any, and None.
        """
        bit = len(self.clauses) + self.numbers.index(number) + 1
        clauses = self.of(number)
        heads = {c.head.name for c in clauses}
        decided = [j for j in self.matrix.judged if j.kills >> bit & 1]
        others = [j for j in self.matrix.judged if not j.kills >> bit & 1 and not j.refused]
        alike: dict[frozenset[str], list[Judged]] = {}
        for other in others:
            alike.setdefault(frozenset(other.asked), []).append(other)
        for one in decided:
            if one.refused or not heads & self.beneath(one.asked):
                continue
            for other in alike.get(frozenset(one.asked), ()):
                if other.yes != one.yes:
                    return one, other
        alarms = any(self.book.predicates[h].alarm for h in heads)
        if decided and alarms and all(j.refused for j in decided):
            return decided[0], next((j for j in others if self.looks_at(j, clauses)), None)
        return (decided[0] if decided else None), None

    def looks_at(self, judged: Judged, clauses: Iterable[Clause]) -> bool:
        """Whether an alarm among these clauses has to do with a table: its first literal holds."""
        game = self._sessions.on(judged.scenario, self.book)
        return any(
            game.solver.rows(first)
            for c in clauses
            if self.book.predicates[c.head.name].alarm and isinstance(first := c.body[0], Literal)
        )


class Edition:
    """A shipped edition: what stands in its own files, its scenarios, and the trial by them.

    The default edition answers for the vocabulary's clauses, too.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        toml = tomllib.loads((find(name) / "edition.toml").read_text(encoding="utf-8"))
        self.default = bool(toml.get("default"))
        self.base: str | None = toml.get("base")
        self.dropped: set[str] = set(toml.get("drop", ()))
        self.renumbered: dict[str, str] = toml.get("numbers", {})

    @cached_property
    def book(self) -> Book:
        """Its book, not read before a test wants it."""
        return load_book(self.name)

    @cached_property
    def files(self) -> list[Path]:
        """Its scenario files."""
        folder = FOLDER / self.name
        return scenario_files(folder) if folder.is_dir() else []

    @cached_property
    def scenarios(self) -> list[Scenario]:
        """Its scenarios."""
        return [s for file in self.files for s in read_scenarios(file)]

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
    def deciding(self) -> list[str]:
        """The numbers of its own sections that decide something."""
        return [s.number for s in self.numbered if not s.stands_for and not s.left_out]

    @cached_property
    def trial(self) -> Trial:
        """The edition on trial, without each of its own clauses and deciding sections."""
        return Trial(self.book, self.scenarios, self.clauses, self.deciding)

    @property
    def changed(self) -> set[str]:
        """The rules that are not its base's."""
        return {s.number for s in self.numbered} | self.dropped


EDITIONS = {name: Edition(name) for name in editions()}
DEFAULT = next(e for e in EDITIONS.values() if e.default)
OVER_A_BASE = [e for e in EDITIONS.values() if e.base]


def short(value: Any) -> str:
    """An edition's name, a number, or rule number, head and place of a clause."""
    if isinstance(value, Clause):
        file = PurePosixPath(value.place.file).name
        return f"{value.rule}-{value.head.name}-{file}:{value.place.line}"
    return value.name if isinstance(value, Edition) else str(value)


each_edition = pytest.mark.parametrize("edition", EDITIONS.values(), ids=short)


@each_edition
def test_some_verdict_needs_each_clause(edition: Edition) -> None:
    """Without it at least one scenario is answered differently."""
    assert [f"{c.place}: {c}" for c in edition.trial.idle()] == []


@each_edition
def test_a_section_decides_one_case_and_spares_another(edition: Edition) -> None:
    """It isn't idle, and it doesn't answer everything the same way."""
    wrong = []
    for number in edition.deciding:
        decided, spared = edition.trial.weigh(number)
        if decided is None:
            wrong.append(f"no scenario changes without {number}")
        elif spared is None:
            asks = decided.scenario.name
            wrong.append(f"nothing asked like {asks!r} is spared by {number}")
    assert wrong == []


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
    book = DEFAULT.book
    assert Session(book, table({"seats": PAIR, **data}, book.vocabulary)).can("Alex", "reach")


@each_edition
def test_scenario_files_and_rule_files_are_named_alike(edition: Edition) -> None:
    """One for each rule file that has clauses, where it has none if need be, in one folder."""
    rules = {PurePosixPath(c.place.file).stem for c in edition.clauses}
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
    asked = {s.edition or DEFAULT.name for s in edition.scenarios}
    assert asked <= {edition.name}


@each_edition
def test_scenarios_cite_rules_that_the_book_has(edition: Edition) -> None:
    """A number that was mistyped would pass for a rule."""
    known = {*edition.book.sections}
    assert [(s.name, c) for s in edition.scenarios for c in s.cites if c not in known] == []


# --- The checks themselves can fail -----------------------------------------------------------


def idle(head: Literal, *body: Literal | Comparison) -> bool:
    """Whether the book with one more clause is the same without it, by some of its scenarios."""
    first = next(c for c in DEFAULT.book.clauses if c.head.name == head.name)
    clause = Clause(head, body, first.rule, first.place)
    book = DEFAULT.book._replace(clauses=Clauses((*DEFAULT.book.clauses, clause)))
    some = [s for s in DEFAULT.scenarios if PurePosixPath(s.file).stem == ATTACKS]
    assert some
    return bool(Trial(book, some, [clause]).idle())


def test_a_superfluous_clause_is_found_idle() -> None:
    """What follows from another clause anyway: a planeswalker that is a creature as well."""
    player, target = Var("Player"), Var("Target")
    assert idle(
        Literal("defends", (player, target)),
        Literal("is_a", (target, Const("planeswalker"))),
        Literal("is_a", (target, Const("creature"))),
        Literal("controller", (player, target)),
        Literal("lies_in", (target, Const("battlefield"))),
    )


def test_a_clause_that_can_never_hold_is_found_idle() -> None:
    """No creature is tapped and attacked by itself."""
    creature = Var("Creature")
    assert idle(
        Literal("cannot_attack", (creature,)),
        Literal("tapped", (creature,)),
        Comparison("!=", creature, creature),
    )


def test_a_clause_that_changes_an_answer_is_found_needed() -> None:
    """The same book with a prohibition that hits every creature."""
    creature = Var("Creature")
    assert not idle(
        Literal("cannot_attack", (creature,)),
        Literal("is_a", (creature, Const("creature"))),
    )


def test_a_section_that_nothing_is_spared_by_is_found_out() -> None:
    """With only the cases it decides, the other half is missed; with none, both are."""
    number, other = "702.18a", "702.3b"
    lone = [s for s in DEFAULT.scenarios if number in s.cites and s.answer == "no"]
    trial = Trial(DEFAULT.book, lone, (), [number, other])
    decided, spared = trial.weigh(number)
    assert decided and not spared
    assert trial.weigh(other) == (None, None)

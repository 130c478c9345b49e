"""Faults seeded into the rule books: tables of them, and the books that have one.

A table is ``faults/<edition>.toml``: ``[[fault]]`` with ``file`` below the edition's folder, the
``old`` text that stands there once, the ``new`` text, and what is ``wrong`` with that in words. One
that can't change a verdict says why under ``idle``. ``ask`` names scenarios to be asked first where
those that fail would take long to find.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from bulk import sessions
from places import TESTS
from seatlog.book import Book, Clauses, Predicate, holes, rule_order
from seatlog.cases import Scenario, verdict
from seatlog.editions import find
from seatlog.errors import NoRule, SeatlogError, SolverError
from seatlog.language import read_clauses
from seatlog.lint import lint
from seatlog.model import Clause, item_variables, variables

TABLES = TESTS / "support" / "faults"
ENOUGH = 2


class Fault(NamedTuple):
    """One thing wrong in one file of an edition."""

    edition: str
    file: str
    old: str
    new: str
    wrong: str
    idle: str = ""
    ask: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{PurePosixPath(self.file).stem}: {self.wrong}"

    @property
    def stem(self) -> str:
        """What the rule file and its scenarios are both called."""
        return PurePosixPath(self.file).stem

    def text(self) -> str:
        """The file with the fault in it. Fails where what it changes doesn't stand there once."""
        text = (find(self.edition) / self.file).read_text(encoding="utf-8")
        old, new = self.old.strip("\n"), self.new.strip("\n")
        times = text.count(old)
        assert times == 1, f"{self}: stands {times} times in {self.file}, not once:\n{old}"
        return text.replace(old, new)

    def seeded(self, book: Book) -> Book:
        """The book with the fault in it. Fails where the linter refuses it, or nothing changes."""
        name = f"{self.edition}/{self.file}"
        read = read_clauses(self.text(), name)
        assert not read.errors, f"{self}: {read.errors[0]}"
        before = {f"{c.rule} {c}": c for c in book.clauses if c.place.file == name}
        found = [c for c in read.entries if isinstance(c, Clause)]
        own = [
            before.pop(f"{c.rule} {c}") if f"{c.rule} {c}" in before else _worded(c, book)
            for c in found
        ]
        assert before or len(found) > sum(c.place.file == name for c in book.clauses), (
            f"{self}: changes no clause"
        )
        others = [c for c in book.clauses if c.place.file != name]
        clauses = sorted((*others, *own), key=lambda c: rule_order(c.rule))
        known = {c.head.name: c.head for c in clauses}
        predicates = {
            **{n: Predicate(n, (*variables(h.args),)) for n, h in known.items()},
            **book.predicates,
        }
        seeded = book._replace(clauses=Clauses(clauses), predicates=predicates)
        wrong = lint(clauses, predicates, (), book.vocabulary)
        assert not wrong, f"{self}: {wrong[0]}"
        return seeded


def _worded(clause: Clause, book: Book) -> Clause:
    """A changed clause with the sentence of one that it could stand for."""
    known = {*variables(clause.head.args), *(v for i in clause.body for v in item_variables(i))}
    alike = (c.yes for c in book.clauses_of(clause.head.name) if c.rule == clause.rule)
    said = next((yes for yes in alike if known.issuperset(holes(yes))), "")
    return clause._replace(yes=said, spots=())


def faults(edition: str) -> list[Fault]:
    """The faults that are seeded into an edition's own files."""
    data = tomllib.loads((TABLES / f"{edition}.toml").read_text(encoding="utf-8"))
    return [Fault(edition, **one) for one in data["fault"]]


def failing(fault: Fault, book: Book, scenarios: list[Scenario]) -> Iterator[Scenario]:
    """The scenarios whose verdict isn't as expected with a fault, the likeliest first."""
    seeded = fault.seeded(book)
    numbers = {c.rule for c in book.clauses if c.place.file == f"{fault.edition}/{fault.file}"}

    def far(scenario: Scenario) -> tuple[bool, bool, bool, int]:
        other = PurePosixPath(scenario.file).stem != fault.stem
        first = scenario.name in fault.ask
        return not first, other, not numbers & {*scenario.cites}, -_rows(scenario)

    every = enumerate(sorted(scenarios, key=far))
    return (s for number, s in every if not as_expected(s, seeded, number))


def _rows(scenario: Scenario) -> int:
    """How many rows an answer lists; the more, the more can be wrong."""
    return len(scenario.answer) if isinstance(scenario.answer, list) else 0


def as_expected(scenario: Scenario, book: Book, number: int = 1) -> bool:
    """Whether the answer is the expected one, and open where it should be.

    Those of some numbers are asked of two solvers, which must agree.
    """
    try:
        found, answer = verdict(scenario, book, sessions(number))
        return found == scenario.answer and bool(answer.doubts) == scenario.open
    except NoRule:
        return scenario.answer == "no rule"
    except SolverError:
        raise
    except SeatlogError:
        return scenario.answer == "refused"

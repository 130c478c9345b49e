"""Scenarios run under a book that is no shipped one, and what a book says of them in a word."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..book import Book
from ..cases import (
    Outcome,
    Scenario,
    Sessions,
    counted,
    read_scenarios,
    run,
    scenario_files,
    verdict,
)
from ..errors import NoRule, SeatlogError, printable_lines, refuse

AT_ONCE = 500
"""After so many scenarios what they have left behind is collected."""
MOST_SHOWN = 20


class Tried(NamedTuple):
    """What came of running scenarios. True where all of them came out as they should.

    ``skipped`` counts those that name another edition, and weren't run.
    """

    outcomes: tuple[Outcome, ...]
    skipped: int = 0

    @property
    def failed(self) -> list[Outcome]:
        """Those that came out otherwise than they say."""
        return [outcome for outcome in self.outcomes if not outcome.passed]

    @property
    def passed(self) -> int:
        """How many came out as they should."""
        return len(self.outcomes) - len(self.failed)

    def __bool__(self) -> bool:
        return not self.failed

    def lines(self) -> Iterator[str]:
        """The sum, and what went wrong."""
        yield counted(self.passed, len(self.failed), self.skipped)
        for each in self.failed[:MOST_SHOWN]:
            yield f"{each.scenario.file}: {each.scenario.name}"
            yield from (f"  {line}" for line in each.trouble.split("\n"))
        if len(self.failed) > MOST_SHOWN:
            yield f"and {len(self.failed) - MOST_SHOWN:,} more"

    def __str__(self) -> str:
        return "\n".join(map(printable_lines, self.lines()))

    def __repr__(self) -> str:
        """The text itself, so that a session shows it at once."""
        return str(self)

    def as_dict(self) -> dict[str, Any]:
        """As plain data that is ready for JSON."""
        return {
            "passed": self.passed,
            "skipped": self.skipped,
            "failed": [
                {"file": o.scenario.file, "name": o.scenario.name, "trouble": o.trouble}
                for o in self.failed
            ],
        }


def scenarios_of(paths: Iterable[Path], names: Iterable[str]) -> tuple[list[Scenario], int]:
    """The scenarios of files and folders that are of one of some books, and how many are not.

    One without an edition is of any. Raises ScenarioError with every file that can't be read.
    """
    known = {*names}
    found: list[Scenario] = []
    unread: list[SeatlogError] = []
    skipped = 0
    for path in paths:
        for file in scenario_files(path):
            try:
                every = read_scenarios(file, uncited=True)
            except SeatlogError as error:
                unread += error.errors
                continue
            for each in every:
                if each.edition is None or Path(each.edition).name in known:
                    found.append(each)
                else:
                    skipped += 1
    refuse(unread)
    return found, skipped


def tried(
    scenarios: Iterable[Scenario], book: Book, tell: Callable[[str], object] = lambda _: None
) -> Tried:
    """Run scenarios under a book, whichever edition they name; ``tell`` hears which one comes.

    Of one that says nothing of rules cited only the answer is compared.
    """
    sessions = Sessions()
    found = []
    for number, scenario in enumerate(scenarios, 1):
        tell(f"in scenario {scenario.name!r} of {scenario.file}")
        outcome = run(scenario, lambda _: book, sessions)
        if outcome.miscited and not scenario.cited:
            outcome = outcome._replace(trouble="")
        found.append(outcome)
        if number % AT_ONCE == 0:
            gc.collect()
    return Tried(tuple(found))


Said = tuple[str, bool, tuple[tuple[Any, ...], ...], str]
"""The verdict in a word, whether it is open, the rows of a list, and those that may be missing."""


def said(scenario: Scenario, book: Book, sessions: Sessions) -> Said:
    """What a book says of a scenario's question, without reasons."""
    try:
        found, answer = verdict(scenario, book, sessions)
    except NoRule:
        return "no rule", False, (), ""
    except SeatlogError as error:
        return ("refused" if {e.rule for e in error.errors} - {""} else "unread"), False, (), ""
    if isinstance(found, str):
        return found, bool(answer.doubts), (), ""
    return "list", bool(answer.doubts), tuple(found), repr(answer.lacks)

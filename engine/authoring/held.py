"""A book that drafts of it are held against again and again: what it says itself is asked once."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..book import Book
from ..cases import Scenario, Sessions
from ..compare import (
    Comparing,
    Difference,
    Gathered,
    Glimpse,
    Labelled,
    Lineage,
    Question,
    Searched,
    Universes,
    Wanted,
    affected,
    among,
    apart,
    differing,
    glimpsed,
    made,
    of_words,
    wanted,
)
from ..errors import BudgetError, SeatlogError, many
from ..table import plain
from ..worlds import sat_solver
from .changes import Changes
from .trying import AT_ONCE, Said, said

NOTHING = Wanted(frozenset())
"""No question at all."""
MOST_EXPLAINED = 5
"""Of so many scenarios that differ in one way both explanations are worked out."""

Table = str | Mapping[str, Any]


class Wide(NamedTuple):
    """Which games are looked at beside those that have a table.

    All of ``bound`` are, and ``games`` are drawn from the ``seed`` within ``few``; None and 0 leave
    that out. Where all can't be looked at for want of a solver, ``instead`` are drawn.
    """

    bound: Mapping[str, int] | None
    few: Mapping[str, int]
    games: int
    seed: int
    instead: int


class Held:
    """What a base says, kept. ``tell`` hears what is being done."""

    def __init__(self, label: str, base: Book, line: Lineage) -> None:
        self.base, self._label, self._line = base, label, line
        self._universes = Universes()
        self._said: dict[str, Said] = {}

    def against(
        self,
        label: str,
        book: Book,
        scenarios: Sequence[Scenario] | None,
        skipped: int,
        tables: Iterable[Table],
        wide: Wide,
        verbs: Sequence[str] = (),
        tell: Callable[[str], object] = lambda _: None,
    ) -> Changes:
        """What differs between the base and a book. Raises SeatlogError.

        ``scenarios`` that are of neither were ``skipped``; None where there are none to be asked.
        """
        a, b = Labelled(self._label, self.base), Labelled(label, book)
        only = wanted(self.base, book, verbs, (), "")
        comparing = Comparing(a, b, only, tell)
        texts = differing(self.base, book, (self._line, self._line), ())
        found: list[Gathered] = []
        may = affected(self.base, book)
        missing = _missing() if wide.bound is not None else None
        games = wide.games
        glimpse: Glimpse | None = None
        if missing is not None:
            games = games or wide.instead
        elif wide.bound is not None:
            glimpse = glimpsed(comparing, wide.bound, only, self._universes)
            found.append(glimpse.gathered)
        drawn: Gathered | None = None
        if games:
            few = only.within(may or NOTHING)
            drawn = _drawn(Comparing(a, b, few, tell), wide.few, few, games, wide.seed, missing)
            found.append(drawn)
        asked = untouched = 0
        if scenarios is not None:
            chosen = [each for each in scenarios if only.takes(_question(each, comparing))]
            resting = [s for s in chosen if may and may.takes(_question(s, comparing))]
            asked, untouched = len(resting), len(chosen) - len(resting)
            found.append(self._scenarios(comparing, resting, skipped))
        for table in tables:
            found.append(
                comparing.table(table)
                if isinstance(table, str)
                else comparing.game(plain(table), "the table")
            )
        return Changes(made(a, b, texts, found), glimpse, drawn, asked, untouched)

    def _scenarios(
        self, comparing: Comparing, scenarios: Sequence[Scenario], skipped: int
    ) -> Gathered:
        """The questions of some scenarios, the base's verdicts from before where there are any."""
        own, other = Sessions(), Sessions()
        differences: list[Difference] = []
        more: list[tuple[str, tuple[str, str], str]] = []
        kinds: dict[tuple[str, str, str], int] = {}
        alike = 0
        for number, scenario in enumerate(scenarios, 1):
            comparing.tell(f"in scenario {scenario.name!r} of {scenario.file}")
            mark = repr((scenario.data, scenario.can, scenario.ask))
            before = self._said.get(mark)
            if before is None:
                before = self._said[mark] = said(scenario, self.base, own)
            now = said(scenario, comparing.b.book, other)
            if number % AT_ONCE == 0:
                gc.collect()
            if before == now:
                alike += 1
                continue
            question = _question(scenario, comparing)
            kind = (question.verb, _in_words(before), _in_words(now))
            kinds[kind] = kinds.get(kind, 0) + 1
            if kinds[kind] > MOST_EXPLAINED:
                more.append((kind[0], kind[1:], question.text))
                continue
            origin = f"{scenario.file}: {scenario.name}"
            try:
                differences += comparing.of_scenario(scenario, origin)
            except BudgetError:
                raise
            except SeatlogError:
                more.append((kind[0], kind[1:], question.text))
        number = len({repr(each.data) for each in scenarios})
        theirs = (f"{many(skipped, 'scenario')} of other editions left out",) if skipped else ()
        searched = Searched(
            "scenarios", number, len(scenarios), alike, skipped=skipped, remarks=theirs
        )
        return Gathered(searched, tuple(differences), tuple(more))


def _missing() -> SeatlogError | None:
    """Why nothing can be proved of all games, if nothing can."""
    try:
        sat_solver()
    except SeatlogError as error:
        return error
    return None


def _drawn(
    comparing: Comparing,
    bound: Mapping[str, int],
    only: Wanted,
    games: int,
    seed: int,
    missing: SeatlogError | None,
) -> Gathered:
    """What differs in some games drawn from a seed, and why they aren't all there are."""
    remarks = (f"{missing.what}: {missing.hint}",) if missing else ()
    if not comparing.verbs():
        remarks = (*remarks, "no verb rests on what has changed")
        sizes = {sort.casefold(): number for sort, number in bound.items()}
        what = f"no game drawn from the seed {seed}"
        return Gathered(Searched(what, 0, 0, 0, 0, sizes, False, remarks=remarks))
    found = among(comparing, bound, only, games, seed, aims=apart)
    remarks = (*remarks, *found.searched.remarks)
    return found._replace(searched=found.searched._replace(remarks=remarks))


def _question(scenario: Scenario, comparing: Comparing) -> Question:
    if scenario.ask:
        return Question(None, "", ask=scenario.ask)
    return of_words(scenario.can, comparing.books)


def _in_words(found: Said) -> str:
    word, left, _, _ = found
    return f"open ({word})" if left and word in ("yes", "no") else word

"""A book that drafts of it are held against again and again: what it says itself is asked once."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

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
    affected,
    differing,
    glimpsed,
    made,
    of_words,
    wanted,
)
from ..errors import BudgetError, SeatlogError
from ..table import plain
from .changes import Changes
from .trying import AT_ONCE, Said, said

MOST_EXPLAINED = 5
"""Of so many scenarios that differ in one way both explanations are worked out."""

Table = str | Mapping[str, Any]


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
        bound: Mapping[str, int] | None,
        verbs: Sequence[str] = (),
        tell: Callable[[str], object] = lambda _: None,
    ) -> Changes:
        """What differs between the base and a book. Raises SeatlogError.

        ``scenarios`` that are of neither were ``skipped``; None where there are none to be asked.
        ``bound`` is that of the games of which all are looked at, None for none.
        """
        a, b = Labelled(self._label, self.base), Labelled(label, book)
        only = wanted(self.base, book, verbs, (), "")
        comparing = Comparing(a, b, only, tell)
        texts = differing(self.base, book, (self._line, self._line), ())
        found: list[Gathered] = []
        glimpse: Glimpse | None = None
        if bound is not None:
            glimpse = glimpsed(comparing, bound, only, self._universes)
            found.append(glimpse.gathered)
        asked = untouched = 0
        if scenarios is not None:
            chosen = [each for each in scenarios if only.takes(_question(each, comparing))]
            may = affected(self.base, book)
            resting = [s for s in chosen if may and may.takes(_question(s, comparing))]
            asked, untouched = len(resting), len(chosen) - len(resting)
            found.append(self._scenarios(comparing, resting, skipped))
        for table in tables:
            found.append(
                comparing.table(table)
                if isinstance(table, str)
                else comparing.game(plain(table), "the table")
            )
        return Changes(made(a, b, texts, found), glimpse, asked, untouched)

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
        searched = Searched("scenarios", number, len(scenarios), alike, skipped=skipped)
        return Gathered(searched, tuple(differences), tuple(more))


def _question(scenario: Scenario, comparing: Comparing) -> Question:
    if scenario.ask:
        return Question(None, "", ask=scenario.ask)
    return of_words(scenario.can, comparing.books)


def _in_words(found: Said) -> str:
    word, left, _, _ = found
    return f"open ({word})" if left and word in ("yes", "no") else word

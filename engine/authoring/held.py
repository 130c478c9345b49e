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
    differing,
    glimpsed,
    made,
    of_words,
    predicates,
    unmatched,
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
            touched = touching(self.base, book)
            resting = [s for s in chosen if _rests(_question(s, comparing), comparing, touched)]
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


def touching(a: Book, b: Book) -> frozenset[str] | None:
    """The predicates on which two books may differ; None where that may be any.

    Those with a clause that only one book has, and all that rests on them or leaves them open. An
    alarm among them may refuse any table, and what bears on nothing in one book alone may leave any
    question without a rule.
    """
    if a.bearing != b.bearing:
        return None
    less, more = unmatched(a.clauses, b.clauses)
    todo = [clause.head.name for clause in (*less, *more)]
    above: dict[str, set[str]] = {}
    for book in (a, b):
        for head, needed, others in book.clauses.rests:
            for name in (*needed, *others):
                above.setdefault(name, set()).add(head)
        for name, predicate in book.predicates.items():
            for doubt in predicate.doubts:
                above.setdefault(doubt.name, set()).add(name)
    for name in {*a.predicates, *b.predicates}:
        one, other = a.predicates.get(name), b.predicates.get(name)
        if one is None or other is None or one.doubts != other.doubts or one.alarm != other.alarm:
            todo.append(name)
    found = set(todo)
    while todo:
        for name in above.get(todo.pop(), ()):
            if name not in found:
                found.add(name)
                todo.append(name)
    alarms = {p.name for book in (a, b) for p in book.predicates.values() if p.alarm}
    return None if found & alarms else frozenset(found)


def _rests(question: Question, comparing: Comparing, touched: frozenset[str] | None) -> bool:
    """Whether the answer to a question may have changed."""
    if touched is None:
        return True
    if question.ask:
        return bool(predicates(question.ask) & touched)
    ways = [[v for v in book.verbs if v.word == question.verb] for book in comparing.books]
    return ways[0] != ways[1] or any(verb.predicate in touched for verb in ways[0])

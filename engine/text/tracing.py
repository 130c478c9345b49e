"""A rule's life through any number of issues: its numbers, and what became of it in each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..errors import QuestionError, did_you_mean, many, printable
from .issue import Issue, Rule
from .matching import KINDS, Match, matched
from .pairing import Rival


class Step(NamedTuple):
    """A rule in one issue, and what became of it since the issue before.

    It is several where one was split, or where several were merged later; none where it is gone.
    The first issue says nothing of the time before, so that there are no kinds.
    """

    file: str
    date: str
    rules: tuple[Rule, ...]
    kinds: tuple[str, ...]
    evidence: tuple[str, ...]
    ambiguous: tuple[Rival, ...]

    def as_dict(self) -> dict[str, object]:
        """The same as data."""
        return {
            "file": self.file,
            "date": self.date,
            "numbers": [rule.number for rule in self.rules],
            "kinds": list(self.kinds),
            "evidence": list(self.evidence),
            "ambiguous": [rival.as_dict() for rival in self.ambiguous],
        }


class Trace(NamedTuple):
    """A rule, the issue whose number it was asked by, and its steps by date."""

    number: str
    at: Issue
    steps: tuple[Step, ...]

    def as_dict(self) -> dict[str, object]:
        """The same as data."""
        return {
            "number": self.number,
            "file": self.at.file,
            "date": self.at.date,
            "steps": [step.as_dict() for step in self.steps],
        }


def traced(
    number: str,
    issues: Sequence[Issue],
    day: str = "",
    telling: Callable[[str], object] = lambda _text: None,
) -> Trace:
    """The life of what has a number in the newest issue, or in the newest up to a day.

    Raises QuestionError where no such issue has it.
    """
    ordered = sorted(issues, key=_day)
    asked = [issue for issue in ordered if not day or issue.date <= day]
    if not asked:
        raise QuestionError(
            f"no issue is of {printable(day)} or before",
            hint=f"the oldest is of {ordered[0].date}" if ordered else "name the files of issues",
        )
    start = len(asked) - 1
    found = asked[start].of(number)
    if not found:
        raise QuestionError(
            f"{asked[start].file} has no number {printable(number)}", hint=_had(number, asked)
        )
    links = []
    for old, new in pairwise(ordered):
        telling(f"while comparing {old.file} and {new.file}")
        links.append(matched(old, new))
    steps = [*_back(found, ordered, links, start), *_on(found, ordered, links, start)]
    return Trace(number, ordered[start], tuple(steps))


def dating(issues: Sequence[Issue]) -> Iterator[str]:
    """Where the days that issues state don't tell in which order they came."""
    for issue in issues:
        if not issue.date and len(issues) > 1:
            yield f"{issue.file} states no day: it is taken for older than all that state one"
    for one, other in pairwise(sorted(issues, key=_day)):
        if one.file == other.file:
            yield f"{one.file} is named twice"
        elif one.date and one.date == other.date:
            yield (
                f"{one.file} and {other.file} are of the same day, {one.date}: they are taken in "
                "the order of their names"
            )


def _day(issue: Issue) -> tuple[str, str]:
    return issue.date, issue.file


def _had(number: str, issues: Sequence[Issue]) -> str:
    """Where there is such a number, or what was meant."""
    for issue in reversed(issues):
        if issue.of(number) and issue.date:
            return f"the issue of {issue.date} has one: say --as-of {issue.date}"
    return did_you_mean(number, (rule.number for rule in issues[-1].rules))


def _back(
    found: tuple[Rule, ...], issues: Sequence[Issue], links: Sequence[tuple[Match, ...]], at: int
) -> list[Step]:
    """The steps up to an issue, which has these rules."""
    steps: list[Step] = []
    while True:
        before = _of(found, links[at - 1], 1) if at else []
        steps.append(_step(issues[at], found, before))
        found = tuple(rule for match in before for rule in match.old)
        if not found:
            return steps[::-1]
        at -= 1


def _on(
    found: tuple[Rule, ...], issues: Sequence[Issue], links: Sequence[tuple[Match, ...]], at: int
) -> Iterator[Step]:
    """The steps after an issue, which has these rules, until they are gone."""
    while found and at < len(links):
        after = _of(found, links[at], 0)
        found = tuple(rule for match in after for rule in match.new)
        at += 1
        yield _step(issues[at], found, after)


def _of(rules: Collection[Rule], matches: Sequence[Match], side: int) -> list[Match]:
    """The matches that have one of these rules."""
    wanted = {(rule.number, rule.line) for rule in rules}
    return [
        match
        for match in matches
        if any((rule.number, rule.line) in wanted for rule in (match.old, match.new)[side])
    ]


def _step(issue: Issue, rules: Sequence[Rule], matches: Sequence[Match]) -> Step:
    kinds = {kind for match in matches for kind in match.kinds}
    if len(kinds) > 1:
        kinds.discard("same")
    return Step(
        issue.file,
        issue.date,
        tuple(rules),
        tuple(kind for kind in KINDS if kind in kinds),
        tuple(dict.fromkeys(match.evidence for match in matches)),
        tuple(rival for match in matches for rival in match.ambiguous),
    )


def trace_lines(trace: Trace) -> Iterator[str]:
    """A rule's life for a terminal: a line for each issue."""
    day = f" of {trace.at.date}" if trace.at.date else ""
    yield printable(f"{trace.number} in the issue{day}, {many(len(trace.steps), 'issue')}")
    shown = [", ".join(rule.number for rule in step.rules) or "-" for step in trace.steps]
    wide = min(40, max(map(len, shown), default=0))
    for step, numbers in zip(trace.steps, shown, strict=True):
        kinds = ", ".join(step.kinds) or "the first issue"
        yield printable(f"{step.date or '?':<10}  {numbers:<{wide}}  {kinds}", 1_000)
        for rival in step.ambiguous:
            said = f"not certain: {rival.old} → {rival.new} is {rival.like}% alike"
            yield printable(f"{'':<10}  {'':<{wide}}  {said}")

"""A difference of two issues in lines, as data, and what Markdown and pages make of it.

Words that went and came are marked; of long stretches that stayed only the ends are shown.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..errors import many, printable
from .issue import Issue, Rule
from .marks import Run, runs
from .matching import KINDS, NOISE, Match, matched
from .pairing import Rival

Paint = Callable[[str, str], str]

TITLES: Mapping[str, str] = {
    "added": "new",
    "removed": "gone",
    "split": "split into several",
    "merged": "merged into one",
    "wording": "reworded",
    "example": "other examples",
    "pointer": "only numbers of other rules differ",
    "moved": "moved, the same words",
    "renumbered": "renumbered, the same words",
    "typography": "typography only",
    "same": "the same",
}
"""The groups in which differences are shown, by the kind that puts a rule there: the first of its
own in this order."""
_PLAIN = frozenset({"moved", "renumbered", "same"})
"""Kinds of which numbers say all."""
_KEPT, _WIDE = 8, 96


class Diff(NamedTuple):
    """Two issues, what became of each rule, and of which rules that was asked."""

    old: Issue
    new: Issue
    only: tuple[str, ...]
    matches: tuple[Match, ...]

    @property
    def differs(self) -> bool:
        """Whether anything differs but noise."""
        return not all(match.noise for match in self.matches)

    @property
    def counts(self) -> dict[str, int]:
        """How many rules there are of each kind; one can be of several."""
        found = Counter(kind for match in self.matches for kind in match.kinds)
        return {kind: found[kind] for kind in KINDS}

    def groups(self, every: bool) -> Iterator[tuple[str, list[Match]]]:
        """The groups that there are, in order; noise where ``every`` rule is wanted."""
        found: dict[str, list[Match]] = {kind: [] for kind in TITLES}
        for match in self.matches:
            found[next(kind for kind in TITLES if kind in match.kinds)].append(match)
        for kind, matches in found.items():
            if matches and (every or kind not in NOISE):
                yield kind, matches

    def as_dict(self, every: bool) -> dict[str, object]:
        """The same as data."""
        shown = [m for m in self.matches if every or not m.noise]
        return {
            "old": _issue(self.old),
            "new": _issue(self.new),
            "only": list(self.only),
            "counts": self.counts,
            "matches": [_match(match) for match in shown],
        }


def differing(old: Issue, new: Issue, only: Iterable[str] = ()) -> Diff:
    """What differs between two issues, of the rules under these numbers or of all."""
    wanted = tuple(dict.fromkeys(only))
    return Diff(old, new, wanted, matched(old, new, wanted))


def size(issue: Issue) -> int:
    """How many rules an issue has, headings aside."""
    return sum(not rule.heading for rule in issue.rules)


def _issue(issue: Issue) -> dict[str, object]:
    return {"file": issue.file, "date": issue.date, "rules": size(issue)}


def _match(match: Match) -> dict[str, object]:
    parts = [] if _PLAIN.issuperset(match.kinds) else worded(match)
    return {
        "kinds": list(match.kinds),
        "old": [_rule(rule) for rule in match.old],
        "new": [_rule(rule) for rule in match.new],
        "evidence": match.evidence,
        "ambiguous": [rival.as_dict() for rival in match.ambiguous],
        "words": [{"sign": run.sign, "text": run.text} for run in parts],
    }


def _rule(rule: Rule) -> dict[str, object]:
    return {"number": rule.number, "line": rule.line}


def worded(match: Match) -> list[Run]:
    """The words of a match, old and new: those of the examples too where these differ."""
    both = [" ".join(_texts(side, "example" in match.kinds)) for side in (match.old, match.new)]
    return list(runs(*both))


def _texts(rules: Sequence[Rule], examples: bool) -> Iterator[str]:
    for rule in rules:
        yield rule.text
        if examples:
            yield from (f"Example: {text}" for text in rule.examples)


def shortened(parts: Sequence[Run]) -> Iterator[Run]:
    """The same with only the ends of long stretches that stayed."""
    for at, part in enumerate(parts):
        words = part.text.split()
        first, last = at == 0, at == len(parts) - 1
        if part.sign or len(words) <= 2 * _KEPT + 2 or (first and last):
            yield part
        elif first:
            yield Run("", " ".join(["…", *words[-_KEPT:]]))
        elif last:
            yield Run("", " ".join([*words[:_KEPT], "…"]))
        else:
            yield Run("", " ".join([*words[:_KEPT], "…", *words[-_KEPT:]]))


def head(match: Match) -> str:
    """The numbers of a match: one, or both with an arrow between them."""
    old, new = (", ".join(rule.number for rule in side) for side in (match.old, match.new))
    return f"{old} → {new}" if old and new and old != new else old or new


def also(match: Match, kind: str) -> str:
    """What else differs of a rule than what its group says."""
    return ", ".join(each for each in match.kinds if each != kind)


def doubt(rivals: Sequence[Rival]) -> str:
    """What else a rule could be."""
    said = ", ".join(f"{r.old} → {r.new} ({r.like}% alike)" for r in rivals)
    return f"not certain: it could be {said}" if said else ""


def doubts(*issues: Issue) -> Iterator[str]:
    """What puts whole files in question, each once."""
    yield from dict.fromkeys(f"{issue.file}: {doubt}" for issue in issues for doubt in issue.doubts)


def reversed_days(old: Issue, new: Issue) -> Iterator[str]:
    """That the issue which is taken for the older one is of a later day."""
    if new.date and new.date < old.date:
        yield (
            f"{old.file} is of {old.date}, later than {new.file} ({new.date}), "
            "and is taken for the older issue"
        )


def titles(diff: Diff) -> tuple[str, str]:
    """A line on each issue: its file, its day, how much it has."""
    one, other = (
        f"{issue.file}  {issue.date or 'no day stated'}, {many(size(issue), 'rule')}"
        for issue in (diff.old, diff.new)
    )
    return one, other


def hidden(diff: Diff, every: bool) -> str:
    """How much of what isn't shown there is."""
    noise = [m for m in diff.matches if m.noise]
    counted = Counter(m.kinds[-1] for m in noise)
    if every or not noise:
        return ""
    said = (f"{counted[k]:,} {TITLES[k]}" for k in ("same", "typography") if counted[k])
    return f"not shown: {', '.join(said)}"


def numbered(matches: Sequence[Match]) -> Iterator[tuple[str, str]]:
    """What numbers say all of, by what it rests on: the evidence, and the numbers."""
    found: dict[str, list[str]] = {}
    for match in matches:
        found.setdefault(match.evidence, []).append(head(match))
    for evidence, heads in found.items():
        yield evidence, ", ".join(heads)


def numbers_say_all(match: Match) -> bool:
    """Whether nothing is to be said of a match but its numbers and what they rest on."""
    return _PLAIN.issuperset(match.kinds) and not match.ambiguous


def diff_lines(diff: Diff, every: bool, paint: Paint) -> Iterator[str]:
    """A difference for a terminal; without colours words are marked like [-old-] and {+new+}."""
    yield from map(printable, titles(diff))
    if diff.only:
        yield printable(f"only: {', '.join(diff.only)}")
    for kind, matches in diff.groups(every):
        yield ""
        yield paint(f"{TITLES[kind]}: {len(matches):,}", "yellow")
        short = [match for match in matches if numbers_say_all(match)]
        for match in matches:
            if not numbers_say_all(match):
                yield from _lines(match, kind, paint)
        for evidence, numbers in numbered(short):
            yield from _wrapped(f"{evidence}:", 2)
            yield from _wrapped(numbers, 4)
    yield ""
    yield hidden(diff, every) or f"shown: {many(len(diff.matches), 'rule')}"
    if not diff.differs:
        yield "nothing differs but typography"


def _lines(match: Match, kind: str, paint: Paint) -> Iterator[str]:
    more = also(match, kind)
    yield printable(f"  {head(match)}" + f" ({more})" * bool(more))
    if not _PLAIN.issuperset(match.kinds):
        yield from word_lines(shortened(worded(match)), paint)
    yield from _wrapped(match.evidence, 6, "- ")
    if match.ambiguous:
        yield from _wrapped(doubt(match.ambiguous), 6, "? ")


def _wrapped(text: str, indent: int, sign: str = "") -> Iterator[str]:
    yield from textwrap.wrap(
        printable(text, 100_000),
        _WIDE,
        initial_indent=" " * indent + sign,
        subsequent_indent=" " * (indent + len(sign)),
        break_on_hyphens=False,
    )


def word_lines(parts: Iterable[Run], paint: Paint) -> Iterator[str]:
    """Words in lines, each marked by itself, so that colours end where lines do."""
    plain = paint("x", "red") == "x"
    line, width = "", 0
    for part in parts:
        words = printable(part.text, 100_000).split()
        for at, word in enumerate(words):
            shown = word
            if plain and part.sign:
                opens, closes = ("[-", "-]") if part.sign == "-" else ("{+", "+}")
                shown = opens * (at == 0) + word + closes * (at == len(words) - 1)
            if line and width + 1 + len(shown) > _WIDE - 4:
                yield f"    {line}"
                line, width = "", 0
            space = " " if line else ""
            width += len(space) + len(shown)
            if not plain and part.sign:
                shown = paint(shown, "red" if part.sign == "-" else "green")
            line += space + shown
    if line:
        yield f"    {line}"

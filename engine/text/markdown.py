"""A difference of two issues as Markdown, for a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..compare import code
from ..compare import plain as unmarked
from .marks import ELEMENTS, Run
from .matching import Match
from .telling import (
    TITLES,
    Diff,
    also,
    doubt,
    head,
    hidden,
    numbered,
    numbers_say_all,
    shortened,
    size,
    worded,
)


def diff_markdown(diff: Diff, every: bool) -> str:
    """A difference as Markdown: how much of each kind, then each group."""
    old, new = diff.old, diff.new
    lines = [f"## {code(old.file)} and {code(new.file)}", ""]
    lines += ["| issue | date | rules |", "|---|---|---:|"]
    lines += [f"| {code(i.file)} | {i.date} | {size(i):,} |" for i in (old, new)]
    if diff.only:
        lines += ["", f"Only {', '.join(map(code, diff.only))}."]
    lines += ["", "| kind | rules |", "|---|---:|"]
    lines += [f"| {kind} | {number:,} |" for kind, number in diff.counts.items() if number]
    for kind, matches in diff.groups(every):
        lines += ["", f"### {TITLES[kind].capitalize()}: {len(matches):,}", ""]
        for match in matches:
            if not numbers_say_all(match):
                lines += _item(match, kind)
        short = [match for match in matches if numbers_say_all(match)]
        for evidence, numbers in numbered(short):
            lines.append(f"- {unmarked(evidence)}: {unmarked(numbers)}")
    if said := hidden(diff, every):
        lines += ["", f"{unmarked(said).capitalize()}."]
    return "\n".join(lines)


def _item(match: Match, kind: str) -> Iterator[str]:
    more = also(match, kind)
    yield f"- **{unmarked(head(match))}**" + f" ({more})" * bool(more)
    parts = [] if numbers_say_all(match._replace(ambiguous=())) else worded(match)
    if parts:
        yield f"  <br>{words_in_markdown(shortened(parts))}"
    yield f"  <br><sub>{unmarked(match.evidence)}</sub>"
    if match.ambiguous:
        yield f"  <br>**{unmarked(doubt(match.ambiguous))}**"


def words_in_markdown(parts: Iterable[Run]) -> str:
    """Words of which those that went and came are marked."""
    out = []
    for part in parts:
        element = ELEMENTS.get(part.sign)
        text = " ".join(map(unmarked, part.text.split()))
        out.append(f"<{element}>{text}</{element}>" if element else text)
    return " ".join(out)

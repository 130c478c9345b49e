"""What a check of a book's sections against an issue is told as: faults, data, and Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..compare import code, folded, plain
from ..errors import DONE, LintError, Place, SeatlogError, many, printable
from .checking import (
    GONE,
    NEW,
    POINTER,
    RENUMBERED,
    REWORDED,
    UNCHECKED,
    Checked,
    Held,
    New,
    listed,
)
from .issue import Issue, Rule
from .markdown import words_in_markdown
from .marks import Run, runs
from .resting import NOTHING, Resting
from .telling import shortened

MOST, MOST_IN_MARKDOWN = 5, 40
"""So many scenarios are named of each section in words; all of them are in the data."""
Placed = Callable[[Place | None], Place | None]
"""A place as other programs find it."""


def dated(issue: Issue) -> str:
    """An issue by its file and its day."""
    return (
        f"{printable(issue.file)} ({issue.stated} {issue.date})"
        if issue.date
        else (f"{printable(issue.file)} (no date is stated)")
    )


def said(found: Held | New) -> str:
    """What a section is in the issue, or that a rule is new, in a sentence."""
    if isinstance(found, New):
        there = "" if found.covered else ", in a chapter that isn't covered"
        what = {True: "is new", False: "has no section", None: "may be new"}[found.added]
        return f"{found.rule.number} {what}{there}: {found.evidence}"
    number, kind = found.number, found.kind
    there = f", and is {listed(found.at)} now" * found.elsewhere
    if kind == REWORDED and found.old is None:
        return f"{number} is reworded, or another rule: {found.evidence}"
    what = {
        RENUMBERED: f"{number} is {listed(found.at)} now",
        POINTER: f"{number} points to other numbers only{there}",
        GONE: f"{number} is gone" + ", or reworded under another number" * (found.old is None),
        UNCHECKED: f"{number} was never checked",
    }.get(kind, f"{number} is typeset otherwise{there}")
    if kind == REWORDED:
        what = f"{number} is reworded{there}"
    return f"{what}: {found.evidence}"


def advice(found: Held | New, file: str) -> str:
    """What to do about it."""
    if isinstance(found, New):
        which = found.rule.number
        rest = (
            "" if found.added is not False else "; in `covers` without a section it is a known gap"
        )
        return f"read it, and write a section: `seatlog text digest {file} {which}` heads it{rest}"
    number = found.number
    if found.elsewhere:
        there = found.at[0].number
        first = "read what changed, and " * (found.kind != RENUMBERED)
        return (
            f"{first}call the section {there} where it stands and is cited, or write "
            f'numbers = {{ "{number}" = "{there}" }} into an edition.toml on top'
        )
    if found.kind == UNCHECKED:
        return f"read the rule; `seatlog text digest {file} {number} --write` records that"
    if found.kind == GONE:
        return "drop the section, or read what stands there instead"
    if found.old is None:
        return "name the issue that it was checked against: --old FILE"
    return f"read it, and what rests on it; --accept {number} records that"


def faults(checked: Checked, placed: Placed) -> list[SeatlogError]:
    """Everything to look at, as faults that stand in the book's files; with the status 0 where no
    clause rests on it and nothing that is covered is new.
    """
    out: list[SeatlogError] = []
    for found in loud(checked):
        fault = LintError(
            said(found) + _resting(found),
            place=placed(found.place),
            hint=advice(found, checked.issue.file),
            code=kind_of(found),
        )
        if not found.fails:
            fault.status = DONE
        out.append(fault)
    return out


def loud(checked: Checked) -> Sequence[Held | New]:
    """What somebody has to look at: sections, then what is new."""
    return [*(held for held in checked.sections if not held.quiet), *checked.new]


def kind_of(found: Held | New) -> str:
    """The class of a section, or of what is new."""
    return NEW if isinstance(found, New) else found.kind


def number_of(found: Held | New) -> str:
    """The number of a section, or of what is new."""
    return found.rule.number if isinstance(found, New) else found.number


def _rests(found: Held | New) -> Resting:
    return NOTHING if isinstance(found, New) else found.rests


def _resting(found: Held | New) -> str:
    rests = _rests(found)
    parts = [many(len(rests.clauses), "clause")] * bool(rests.clauses)
    parts += [many(len(rests.scenarios), "scenario")] * bool(rests.scenarios)
    parts += [many(len(rests.verdicts), "verb")] * bool(rests.verdicts)
    parts += [many(len(rests.sections), "other section")] * bool(rests.sections)
    return f"; on it rest {', '.join(parts)}" if parts else ""


def resting_lines(rests: Resting, placed: Placed, most: int = MOST) -> Iterator[tuple[str, str]]:
    """What rests on a section: what it is, and where."""
    if rests.clauses:
        yield "clauses", ", ".join(places(rests.clauses, placed))
    if rests.scenarios:
        yield "scenarios", _by_file(rests.scenarios, most)
    verdicts = [*rests.verdicts, *["what tables are refused"] * rests.refuses]
    if verdicts:
        yield "verdicts", ", ".join(verdicts)
    if rests.sections:
        yield "sections", ", ".join(rests.sections)


def _by_file(scenarios: Sequence[str], most: int) -> str:
    """Scenarios below the names of their files, which are said once."""
    out, last = [], ""
    for each in scenarios[:most]:
        file, _, name = printable(each).partition(": ")
        out.append(name if file == last else f"{file}: {name}")
        last = file
    left = len(scenarios) - most
    return "; ".join([*out, *[f"and {left:,} more"] * (left > 0)])


def places(found: Sequence[Place], placed: Placed) -> list[str]:
    """Places with file and line, the file once."""
    out, last = [], ""
    for place in map(placed, found):
        assert place is not None
        out.append(
            f":{place.line}" if place.file == last else f"{printable(place.file)}:{place.line}"
        )
        last = place.file
    return out


def as_data(checked: Checked, placed: Placed) -> dict[str, Any]:
    """A check as plain data."""
    return {
        "edition": checked.book.name,
        "issue": issue_data(checked.issue),
        "old": issue_data(checked.old) if checked.old else None,
        "counts": dict(checked.counts),
        "fails": checked.fails,
        "sections": [_held(each, placed) for each in checked.sections],
        "new": [_new(each, placed) for each in checked.new],
        "remarks": list(checked.remarks),
    }


def issue_data(issue: Issue) -> dict[str, Any]:
    """An issue as plain data."""
    return {"file": issue.file, "date": issue.date, "stated": issue.stated}


def _held(held: Held, placed: Placed) -> dict[str, Any]:
    rests = held.rests
    clauses = [where for each in rests.clauses if (where := placed(each))]
    return {
        "number": held.number,
        "class": held.kind,
        "fails": held.fails,
        "at": [_at(rule) for rule in held.at],
        "old": _at(held.old) if held.old else None,
        "source": held.source,
        "evidence": held.evidence,
        "words": [run._asdict() for run in changed_words(held)],
        "certain": held.certain,
        **_where(placed(held.place)),
        "clauses": [{"file": each.file, "line": each.line} for each in clauses],
        "scenarios": list(rests.scenarios),
        "verdicts": list(rests.verdicts),
        "refuses": rests.refuses,
        "sections": list(rests.sections),
    }


def _new(new: New, placed: Placed) -> dict[str, Any]:
    return {
        **_at(new.rule),
        "fails": new.fails,
        "evidence": new.evidence,
        "added": new.added,
        "behind": _where(placed(new.place)) if new.place else None,
    }


def _at(rule: Rule) -> dict[str, Any]:
    return {"number": rule.number, "line": rule.line}


def _where(place: Place | None) -> dict[str, Any]:
    return {"file": place.file if place else None, "line": place.line if place else None}


def changed_words(found: Held | New) -> list[Run]:
    """How a section's rule was reworded, as far as the older issue tells."""
    if isinstance(found, New) or found.old is None or not found.at or found.quiet:
        return []
    parts = list(runs(found.old.text, " ".join(rule.text for rule in found.at)))
    return list(shortened(parts)) if any(part.sign for part in parts) else []


def as_markdown(checked: Checked, placed: Placed) -> str:
    """A check as Markdown for a pull request: the sums in sight, the details to be opened."""
    verdict = "something has to be looked at" if checked.fails else "nothing has to be done"
    lines = [f"## {code(checked.book.name)} against {code(dated(checked.issue))}: {verdict}", ""]
    lines += ["| class | number |", "|---|---:|"]
    lines += [f"| {kind} | {number} |" for kind, number in checked.counts.items()]
    found = loud(checked)
    if found:
        lines += ["", "| | rule | where | clauses | scenarios | verdicts | sections |"]
        lines.append("|---|---|---|---:|---:|---|---|")
        lines += [_row(each, placed) for each in found]
    for each in found:
        lines += ["", *_details(each, placed, checked.issue.file)]
    lines += [f"{'' if at else chr(10)}- {plain(said)}" for at, said in enumerate(checked.remarks)]
    return "\n".join(lines)


def _row(found: Held | New, placed: Placed) -> str:
    place, rests = placed(found.place), _rests(found)
    cells = [
        f"**{kind_of(found)}**" if found.fails else kind_of(found),
        code(number_of(found)),
        code(f"{place.file}:{place.line}") if place else "",
        str(len(rests.clauses) or ""),
        str(len(rests.scenarios) or ""),
        ", ".join(map(code, rests.verdicts)),
        ", ".join(map(code, rests.sections)),
    ]
    return f"| {' | '.join(cells)} |"


def _details(found: Held | New, placed: Placed, file: str) -> list[str]:
    inner = [plain(said(found))]
    words = changed_words(found)
    inner += ["", words_in_markdown(words)] * bool(words)
    resting = list(resting_lines(_rests(found), placed, MOST_IN_MARKDOWN))
    if resting:
        inner += ["", *(f"- {name}: {plain(text)}" for name, text in resting)]
    inner += ["", f"To do: {plain(advice(found, file))}"]
    return folded(f"{kind_of(found)}: {number_of(found)}", inner)

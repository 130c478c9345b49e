"""A comparison as people read it: at a terminal both explanations side by side.

Where there is no room for two columns the explanations stand one under the other.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from unicodedata import combining, east_asian_width

from ..errors import differ, many, printable
from ..language import clause_lines
from ..table import data_lines
from .report import Difference, Group, Report, Searched
from .sections import SectionDifference, Texts, Worded
from .sittings import LIST, NO, NO_RULE, TAKEN, YES, Side

WIDEST = 160
NARROW = 100
"""What is narrower than this has no room for two columns."""
FEW = 5
"""So many more questions of a group are named."""
MANY = 30
"""Of more sections that differ only the numbers are named, and of what else differs a few."""

NOTHING_ASKED = "no verdict was compared: name --scenarios, --table or --bound"
UNSHOWN = "verdicts differ, but in no game that comes out so when both books are asked again"
_GAP = " | "
_HEADS = (YES, NO, "none")

Paint = Callable[[str, str], str]


def report_lines(report: Report, width: int, every: bool, paint: Paint) -> Iterator[str]:
    """A report in lines; ``every`` difference with both explanations, or the first of its kind."""
    names = (report.a.label, report.b.label)
    long = max(map(len, names))
    for each in (report.a, report.b):
        dated = f", {each.book.date}" if each.book.date else ""
        yield printable(f"{each.label.ljust(long)}  {each.book.title}{dated}")
    if report.texts is not None:
        yield ""
        yield from _texts(report.texts, names, every, paint)
    for searched in report.searched:
        yield ""
        yield from searched_lines(searched)
    if not report.searched:
        yield ""
        yield NOTHING_ASKED
    for group in report.groups:
        yield ""
        yield from _group(group, names, width, every, paint)
    found_none = [] if report.unshown else list(nothing_found(report))
    if report.unshown:
        yield ""
        yield UNSHOWN
    if found_none:
        yield ""
        yield from found_none


def nothing_found(report: Report) -> Iterator[str]:
    """That no verdict differs where none does, within what, and how sure that is."""
    if report.groups or (report.texts and not report.searched):
        return
    said = "no verdict differs" if report.texts else "no difference"
    bounded = [each for each in report.searched if each.bound]
    if not bounded:
        yield said
    for each in bounded:
        within = f"within {counted(each.bound)}{_at_most(each)}"
        if each.games is not None:
            within = f"in {many(each.games, 'game')} {within}"
        yield f"{said} {within}" + ": searched, not proved" * (not each.proved)


def _at_most(searched: Searched) -> str:
    """How many games there are within a bound."""
    return "" if searched.power is None else f" (at most 10^{searched.power} games)"


def _texts(texts: Texts, names: tuple[str, str], every: bool, paint: Paint) -> Iterator[str]:
    yield f"sections: {differ(len(texts.sections))}, {texts.alike} alike"
    if texts.renumbered:
        yield from _listed(
            "alike under another number",
            [f"{one} is {other} there" for one, other in texts.renumbered],
        )
    if every or len(texts.sections) <= MANY:
        for section in texts.sections:
            yield from _section(section, names, paint)
    else:
        for line in numbers_of(texts.sections, names):
            head, _, numbers = line.partition(": ")
            yield from _listed(head, [numbers])
        yield "  their clauses: --section NUMBER for one, --reasons for all"
    moved = shown_of(len(texts.moved), every)
    for one, other, text in texts.moved[:moved]:
        yield from _listed(f"stands in {one} and there in {other}", [text])
    yield from _left(len(texts.moved) - moved, "clauses that stand elsewhere")
    named = shown_of(len(texts.predicates), every)
    worded = worded_of(texts, every)
    for name, what in texts.predicates[:named]:
        yield printable(f"  {name} differs in {what}")
        if name in worded:
            for line in worded_lines(worded[name]):
                yield f"    {paint(line, 'red' if line[0] == '-' else 'green')}"
    yield from _left(len(texts.predicates) - named, "predicates of which something differs")
    for label, verbs in zip(names, texts.verbs, strict=True):
        for verb in verbs:
            yield printable(f"  only {label} can be asked: {verb}")


def numbers_of(sections: Sequence[SectionDifference], names: tuple[str, str]) -> Iterator[str]:
    """The numbers of sections that differ, by which of two books has them."""
    heads = (f"only in {names[0]}", f"only in {names[1]}", "in both, and differ")
    found: dict[str, list[str]] = {head: [] for head in heads}
    for section in sections:
        one, other = section.numbers
        if other is None:
            found[heads[0]].append(section.number)
        elif one is None:
            found[heads[1]].append(section.number)
        else:
            found[heads[2]].append(one if one == other else f"{one} (there {other})")
    for head, numbers in found.items():
        if numbers:
            yield f"{head}: {', '.join(numbers)}"


def shown_of(number: int, every: bool) -> int:
    """How many of so many are shown: all that aren't too many, or a few."""
    return number if every or number <= MANY else FEW


def _left(number: int, what: str) -> Iterator[str]:
    if number:
        yield f"  and {number:,} more {what}"


def _listed(head: str, items: Sequence[str]) -> Iterator[str]:
    yield from textwrap.wrap(
        printable(f"{head}: {', '.join(items)}", 4_000),
        NARROW,
        initial_indent="  ",
        subsequent_indent="    ",
    )


def section_head(section: SectionDifference, names: tuple[str, str]) -> str:
    """A section's number and title in either book, and which of them has it."""
    one, other = section.numbers
    if one is None or other is None:
        title = section.titles[0] or section.titles[1]
        return printable(f"{section.number}  only in {names[other is not None]}: {title}")
    number = one if one == other else f"{one}, there {other}"
    if section.titles[0] == section.titles[1]:
        return printable(f"{number}  {section.titles[0]}")
    return printable(f"{number}  {section.titles[0]}; there: {section.titles[1]}", 1_000)


def _section(section: SectionDifference, names: tuple[str, str], paint: Paint) -> Iterator[str]:
    yield f"  {section_head(section, names)}"
    if section.note and section.note != "title":
        yield printable(f"    differs in: {section.note}")
    for line in clause_difference(section):
        colour = {"-": "red", "+": "green"}.get(line[:1], "")
        yield f"    {paint(line, colour) if colour else line}"


def clause_difference(section: SectionDifference) -> Iterator[str]:
    """The clauses of a section that differ, as the lines of a difference."""
    for one, other in section.changed:
        yield from _signed("-", one)
        yield from _signed("+", other)
    for text in section.less:
        yield from _signed("-", text)
    for text in section.more:
        yield from _signed("+", text)


def worded_of(texts: Texts, every: bool) -> dict[str, Worded]:
    """The sentences that are shown, by predicate: none where too many predicates differ."""
    many_differ = len(texts.predicates) > MANY
    return {w.predicate: w for w in texts.worded if every or not many_differ}


def worded_lines(worded: Worded) -> Iterator[str]:
    """The sentences of a predicate that only one of two books has."""
    yield from (printable(f"- {text}", 1_000) for text in worded.less)
    yield from (printable(f"+ {text}", 1_000) for text in worded.more)


def _signed(sign: str, clause: str) -> Iterator[str]:
    yield from (printable(f"{sign} {line}", 1_000) for line in clause_lines(clause))


def searched_lines(searched: Searched) -> Iterator[str]:
    """What was looked through, and how sure an end is."""
    within = f" within {counted(searched.bound)}{_at_most(searched)}" if searched.bound else ""
    if not searched.counted:
        yield printable(
            f"{searched.what}{within}: verdicts differ, in one game here and maybe in others", 1_000
        )
        yield from (printable(f"  note: {remark}", 1_000) for remark in searched.remarks)
        return
    said = f"{searched.what}{within}: {many(searched.asked, 'verdict')}"
    games = searched.games
    if games not in (None, 1) and not searched.what.startswith(f"{games:,} "):
        said += f" over {many(games or 0, 'game' if searched.bound else 'table')}"
    said += f": {differ(searched.asked - searched.alike)}, {searched.alike:,} alike"
    if searched.proved:
        said += ", proved" + f" ({searched.same:,} without a solver)" * bool(searched.same)
    elif searched.proved is not None:
        said += ": searched, not proved"
    if searched.skipped:
        said += f"; {searched.skipped:,} skipped"
    yield printable(said, 1_000)
    if searched.numbers:
        ends = (f"{sort} {low} to {high}" for sort, (low, high) in searched.numbers.items())
        yield printable(f"  numbers there: {', '.join(ends)}", 1_000)
    yield from (printable(f"  note: {remark}", 1_000) for remark in searched.remarks)


def counted(sizes: Mapping[str, int]) -> str:
    """How many there are of what: 4 players, 3 things."""
    return ", ".join(many(number, what) for what, number in sizes.items())


def group_head(group: Group) -> str:
    """The verb, and what becomes of its verdict."""
    one, other = group.kind
    return printable(f"{group_name(group)}: {one} -> {other} ({group.number:,})")


def group_name(group: Group) -> str:
    """The verb, or what stands in its place."""
    return group.verb or ("the table itself" if TAKEN in group.kind else "in clause syntax")


def _group(
    group: Group, names: tuple[str, str], width: int, every: bool, paint: Paint
) -> Iterator[str]:
    yield paint(group_head(group), "yellow")
    shown = group.differences if every else group.differences[:1]
    others = group.differences[len(shown) :]
    games = [difference for difference in others if difference.size]
    told = {text for difference in (*shown, *games) for text in lacking(difference)}
    lacks = [text for text in group.lacks if text not in told]
    for difference in shown:
        yield from _difference(difference, names, width)
    yield from (printable(f"  also: {text}", 1_000) for text in lacks[:FEW])
    if len(lacks) > FEW:
        yield f"  and {len(lacks) - FEW:,} more that it has no rule on"
    rest = [": ".join([difference_head(d), *(lacking(d) * bool(d.size))]) for d in others]
    rest += group.more
    for text in rest if every else rest[:FEW]:
        yield printable(f"  also: {text}")
    if len(rest) > FEW and not every:
        yield f"  and {len(rest) - FEW:,} more"


def difference_head(difference: Difference) -> str:
    """The question, the table it is asked at, and what is known of its size."""
    size = counted(difference.size)
    if difference.smallest:
        size += ", proved smallest"
    text = f"{difference.question.text}  ({difference.origin}{f': {size}' if size else ''})"
    return printable(text, 1_000)


def lacking(difference: Difference) -> list[str]:
    """What a book has no rule on, where that is why it says nothing."""
    sides = (difference.a, difference.b)
    return [side.lacks for side in sides if side.verdict == NO_RULE and side.lacks]


def game_lines(difference: Difference) -> list[str]:
    """The game that a search has found, as lines of a table; nothing of what has a file."""
    return [line for line in data_lines(difference.data) if line] if difference.size else []


def _difference(difference: Difference, names: tuple[str, str], width: int) -> Iterator[str]:
    yield f"  {difference_head(difference)}"
    yield from (printable(f"    {line}", 1_000) for line in game_lines(difference))
    yield from (f"    {line}" for line in row_lines(difference, names))
    texts = [
        [f"{name}: {side.said}", *reason(side)]
        for name, side in zip(names, (difference.a, difference.b), strict=True)
    ]
    room = min(width, WIDEST) - 4
    if width < NARROW:
        for text in texts:
            yield from (f"    {line}" for line in wrapped(text, room))
        return
    column = (room - len(_GAP)) // 2
    for left, right in zip_longest(*(wrapped(text, column) for text in texts), fillvalue=""):
        yield f"    {padded(left, column)}{_GAP}{right}".rstrip()


def row_lines(difference: Difference, names: tuple[str, str]) -> Iterator[str]:
    """The rows of a list that only one book has, and those that only one leaves open."""
    sides = (difference.a, difference.b)
    if LIST not in (side.verdict for side in sides):
        return
    for name, side, other in zip(names, sides, sides[::-1], strict=True):
        if not {side.verdict, other.verdict} <= {LIST, NO}:
            continue
        for what, own, theirs in (
            ("only", side.rows, other.rows),
            ("open only", side.doubtful, other.doubtful),
        ):
            alone = [", ".join(map(str, row)) for row in own if row not in theirs]
            if alone:
                yield printable(f"{what} in {name}: {'; '.join(alone)}", 1_000)


def reason(side: Side) -> list[str]:
    """The lines of an answer below its verdict."""
    lines = side.text.split("\n")
    return lines[lines[0] in _HEADS :]


def wrapped(lines: Sequence[str], width: int) -> list[str]:
    """Lines no wider than a column; what goes on stands further in."""
    out = []
    for line in lines:
        line = printable(line, 4_000)
        indent = line[: len(line) - len(line.lstrip())]
        rest = _broken(line.lstrip(), max(10, width - len(indent) - 2))
        out += [f"{indent}{rest[0]}", *(f"{indent}  {part}" for part in rest[1:])]
    return out


def _broken(text: str, width: int) -> list[str]:
    """A text in parts that a column holds, broken between words where that can be done."""
    parts, now = [], ""
    for word in text.split(" "):
        trial = f"{now} {word}" if now else word
        if across(trial) <= width:
            now = trial
            continue
        parts += [now] if now else []
        now = word
        while across(now) > width:
            cut = next(n for n in range(len(now), 0, -1) if across(now[:n]) <= width)
            parts.append(now[:cut])
            now = now[cut:]
    return [*parts, now] if now or not parts else parts


def across(text: str) -> int:
    """How many columns a text takes at a terminal."""
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def padded(text: str, width: int) -> str:
    """A text filled up with spaces."""
    return text + " " * (width - across(text))

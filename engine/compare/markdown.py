"""A comparison as Markdown, for a pull request: the sums in sight, the details to be opened.

What it holds comes from clause files, tables and sentences: names from anybody stand in code, where
nothing in them is markup.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..errors import differ, printable
from ..table import data_lines
from .report import Difference, Group, Report
from .sections import Texts
from .sittings import NO_RULE
from .text import (
    MANY,
    NOTHING_ASKED,
    UNSHOWN,
    clause_difference,
    difference_head,
    group_name,
    lacking,
    nothing_found,
    numbers_of,
    row_lines,
    searched_lines,
    section_head,
    shown_of,
    worded_lines,
    worded_of,
)

MOST = 20
"""So many differences of a group are shown whole; where a book has no rule, one for each lack."""


def as_markdown(report: Report) -> str:
    """A report as Markdown."""
    names = (report.a.label, report.b.label)
    lines = [f"## {code(names[0])} and {code(names[1])}", ""]
    lines += ["| book | title | date |", "|---|---|---|"]
    for each in (report.a, report.b):
        cells = (each.label, each.book.title, each.book.date)
        lines.append(f"| {' | '.join(code(c) if c else '' for c in cells)} |")
    if report.texts is not None:
        lines += ["", *_texts(report.texts, names)]
    for searched in report.searched:
        first, *more = searched_lines(searched)
        lines += ["", plain(first), *(f"- {plain(line.strip())}" for line in more)]
    if not report.searched:
        lines += ["", plain(NOTHING_ASKED)]
    if report.groups:
        lines += ["", "| verb | " + " | ".join(map(code, names)) + " | differences |"]
        lines.append("|---|---|---|---:|")
        lines += [f"| {_name(g)} | {g.kind[0]} | {g.kind[1]} | {g.number} |" for g in report.groups]
        tables = _shared(report.groups)
        for group in report.groups:
            lines += ["", *_group(group, names, tables)]
        lines += _below(tables)
    if report.unshown:
        lines += ["", plain(UNSHOWN)]
    else:
        for line in nothing_found(report):
            lines += ["", plain(f"{line[:1].upper()}{line[1:]}.")]
    return "\n".join(lines)


def code(text: str) -> str:
    """A text as a span of code, whatever is in it; a table's cells stay whole."""
    text = printable(text, 1_000)
    ticks = "`" * (_longest(text) + 1)
    inner = f" {text} " if text[:1] == "`" or text[-1:] == "`" or not text.strip() else text
    return f"{ticks}{inner}{ticks}".replace("|", r"\|")


def plain(text: str) -> str:
    """A text in which nothing is markup."""
    text = printable(text, 2_000).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]#|~@])", r"\\\1", text)


def fenced(lines: Sequence[str], language: str = "") -> list[str]:
    """Lines as a block of code, whatever is in them."""
    ticks = "`" * max(3, _longest("\n".join(lines)) + 1)
    return [ticks + language, *lines, ticks]


def _longest(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def folded(head: str, inner: Sequence[str]) -> list[str]:
    """What is opened by a click."""
    return [f"<details><summary>{_html(head)}</summary>", "", *inner, "", "</details>"]


def _html(text: str) -> str:
    text = printable(text, 1_000).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("@", "&#64;")


def _texts(texts: Texts, names: tuple[str, str]) -> Iterator[str]:
    yield f"**Sections**: {differ(len(texts.sections))}, {texts.alike} alike."
    if len(texts.sections) > MANY:
        yield ""
        yield from (f"- {plain(line)}" for line in numbers_of(texts.sections, names))
    for section in texts.sections if len(texts.sections) <= MANY else ():
        yield ""
        body = [printable(line, 1_000) for line in clause_difference(section)]
        inner = fenced(body, "diff") if body else []
        if section.note:
            inner = [f"Differs in: {plain(section.note)}.", "", *inner]
        yield from folded(section_head(section, names), inner)
    more = [f"{one} is {other} there, and alike." for one, other in texts.renumbered]
    moved = shown_of(len(texts.moved), False)
    more += [f"{code(t)} stands in {one}, and there in {o}." for one, o, t in texts.moved[:moved]]
    if len(texts.moved) > moved:
        more.append(f"{len(texts.moved) - moved:,} more clauses stand elsewhere.")
    named = shown_of(len(texts.predicates), False)
    worded = worded_of(texts, False)
    for name, what in texts.predicates[:named]:
        more.append(f"{code(name)} differs in {what}.")
        if name in worded:
            more += [
                "",
                *(f"  {line}" for line in fenced([*worded_lines(worded[name])], "diff")),
                "",
            ]
    if len(texts.predicates) > named:
        more.append(f"Of {len(texts.predicates) - named:,} more predicates something differs.")
    for label, verbs in zip(names, texts.verbs, strict=True):
        more += [f"Only {code(label)} can be asked: {code(verb)}." for verb in verbs]
    if more:
        yield ""
        yield from (line if line[:1] in ("", " ") else f"- {line}" for line in more)


def _name(group: Group) -> str:
    return code(group.verb) if group.verb else group_name(group)


def _shared(groups: Sequence[Group]) -> dict[tuple[str, ...], int]:
    """The tables at which several of the shown differences stand, with numbers from 1."""
    found = Counter(_table(d) for group in groups for d in _shown(group))
    several = (table for table, number in found.items() if number > 1)
    return {table: number for number, table in enumerate(several, 1)}


def _shown(group: Group) -> list[Difference]:
    """The differences of a group that are shown whole."""
    if NO_RULE not in group.kind:
        return list(group.differences[:MOST])
    first: dict[tuple[str, ...], Difference] = {}
    for difference in group.differences:
        first.setdefault(tuple(lacking(difference)), difference)
    return list(first.values())[:MOST]


def _below(tables: Mapping[tuple[str, ...], int]) -> Iterator[str]:
    """The tables that differences name by their numbers, each once."""
    if tables:
        yield from ("### Tables of several differences", "")
    for table, number in tables.items():
        yield from folded(f"Table {number}", fenced(table, "toml"))
        yield ""


def _table(difference: Difference) -> tuple[str, ...]:
    return tuple(data_lines(difference.data))


def _group(
    group: Group, names: tuple[str, str], tables: Mapping[tuple[str, ...], int]
) -> Iterator[str]:
    yield f"### {_name(group)}: {' → '.join(group.kind)}"
    yield ""
    yield from (f"- {plain(text)}" for text in group.lacks)
    if group.lacks:
        yield ""
    shown = _shown(group)
    for difference in shown:
        yield from _difference(difference, names, tables)
        yield ""
    left = (d for d in group.differences if not any(d is each for each in shown))
    rest = [difference_head(d) for d in left] + list(group.more)
    if rest:
        yield from folded(f"{len(rest):,} more", fenced([printable(text) for text in rest]))
        yield ""


def _difference(
    difference: Difference, names: tuple[str, str], tables: Mapping[tuple[str, ...], int]
) -> Iterator[str]:
    inner = [f"- {plain(line)}" for line in row_lines(difference, names)]
    for name, side in zip(names, (difference.a, difference.b), strict=True):
        lines = [printable(line, 4_000) for line in side.text.split("\n")]
        inner += [*[""] * bool(inner), f"{code(name)}: **{side.said}**", "", *fenced(lines, "text")]
    table = _table(difference)
    number = tables.get(table)
    shown = [f"At table {number}, below."] if number else ["The table:", "", *fenced(table, "toml")]
    inner += ["", *shown]
    yield from folded(difference_head(difference), inner)

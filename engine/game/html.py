"""An answer as a notebook shows it. Every text is escaped; nothing is loaded from anywhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from html import escape

from ..explain import Line, said
from ..model import Row

MOST_ROWS = 100
_COLOURS = {True: "#1a7f37", False: "#cf222e"}
_LEFT = 'style="text-align:left;padding:0 1em 0 0"'
_LIST = '<ul style="margin:0;list-style:none;padding-left:1.2em">'


def framed(
    parts: Sequence[str],
    doubts: Mapping[str, Sequence[str]],
    notes: Sequence[str],
    cites: Sequence[str],
    book: str,
) -> str:
    """The parts of an answer in one box: what is open and of which rows, notes, rules, the book."""
    out = list(parts)
    for doubt, rows in doubts.items():
        out.append(f"<p><b>open:</b> {escape(doubt)}</p>")
        out += [f"<p><small>{escape(each)}</small></p>" for each in rows]
    out += [f"<p><b>note:</b> {escape(note)}</p>" for note in notes]
    if book:
        out.append(f"<p><small>book: {escape(book)}</small></p>")
    if cites:
        out.append(f"<p><small>rules: {escape(', '.join(cites))}</small></p>")
    return f'<div class="seatlog">{"".join(out)}</div>'


def as_verdict(word: str, holds: bool) -> str:
    """The verdict, coloured."""
    style = f"color:{_COLOURS[holds]};font-size:1.2em"
    return f'<p style="margin:0"><b style="{style}">{escape(word)}</b></p>'


def as_row(text: str) -> str:
    """A row by itself, above its reason."""
    return f'<p style="margin:0.5em 0 0"><b>{escape(text)}</b></p>'


def as_table(variables: Sequence[str], rows: Sequence[Row]) -> str:
    """The rows of an open question under their variables."""
    head = "".join(f"<th {_LEFT}>{escape(name)}</th>" for name in variables)
    body = "".join(
        "<tr>" + "".join(f"<td {_LEFT}>{escape(str(value))}</td>" for value in row) + "</tr>"
        for row in rows[:MOST_ROWS]
    )
    more = len(rows) - MOST_ROWS
    left = f"<p>… and {more:,} more</p>" if more > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{left}"


def as_list(lines: Sequence[Line], names: Collection[str]) -> str:
    """Sentences as nested lists, their rules small behind them."""
    out: list[str] = []
    open_at: list[int] = []
    for line in lines:
        while open_at and open_at[-1] > line.depth:
            out.append("</li></ul>")
            open_at.pop()
        if open_at and open_at[-1] == line.depth:
            out.append("</li>")
        else:
            out.append(_LIST)
            open_at.append(line.depth)
        rules = f" <small>({escape(', '.join(line.rules))})</small>" if line.rules else ""
        out.append(f"<li>{escape(said(line._replace(rules=()), names))}{rules}")
    return "".join([*out, "</li></ul>" * len(open_at)])

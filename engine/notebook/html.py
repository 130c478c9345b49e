"""What a notebook shows beside answers: edits, texts, rings, differences.

Every text is escaped and nothing is loaded from anywhere. What a colour says is said by a word or a
sign as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from unicodedata import east_asian_width

from ..authoring import Changes, Edit, Part, Tried
from ..errors import many, printable
from ..views import Checked

_GONE, _NEW = "#cf222e", "#1a7f37"
_CELL = 'style="text-align:left;padding:0 1em 0 0"'
_LIST = '<ul style="margin:0;list-style:none;padding-left:1.2em">'
_CODE = "white-space:pre-wrap"
_PLAIN = "text-decoration:none;background:none"
_ONE_COLUMN = 80
"""A width at which explanations stand one under the other."""
MOST_DRAWN = 30
"""More names than these don't fit on a ring."""


def boxed(parts: Iterable[str]) -> str:
    """Parts in one box."""
    return f'<div class="seatlog">{"".join(parts)}</div>'


def text(line: str) -> str:
    """A line of text on one line, without control characters."""
    return escape(printable(line, 2_000))


def beside(line: str, page: str) -> str:
    """What somebody else says, under a line and behind a rule."""
    style = "margin:0.5em 0 0;border-left:3px solid;padding-left:0.6em"
    return f'<div style="{style}">{heading(line)}{page}</div>'


def heading(line: str) -> str:
    """A line that says what is below it."""
    return f'<p style="margin:0"><b>{text(line)}</b></p>'


def listed(lines: Iterable[str]) -> str:
    """Lines as a list, those of an excerpt below their fault."""
    items = "".join(f"<li>{_said(line)}</li>" for line in lines)
    return f"{_LIST}{items}</ul>" if items else ""


def _said(line: str) -> str:
    """A line, or several that are laid out below each other and have to stay so."""
    if "\n" not in line:
        return text(line)
    return f'<pre style="white-space:pre;overflow-x:auto;margin:0">{_lines(line)}</pre>'


def _lines(said: str) -> str:
    return "\n".join(map(text, said.split("\n")))


def code(said: str) -> str:
    """A text as it stands in a file."""
    return f'<pre style="{_CODE};margin:0"><code>{_lines(said.expandtabs(4))}</code></pre>'


def edit(found: Edit) -> str:
    """An edit: what was done, all that it lost and brought, and what the linter says of it."""
    parts = [heading(found.done)]
    for lost, own in ((True, found.lost), (False, found.new)):
        if own:
            items = "".join(f"<li>{_part(part, lost)}</li>" for part in own)
            parts += [f'<p style="margin:0">{_counted(own, lost)}</p>{_LIST}{items}</ul>']
    parts.append(listed(found.cares))
    return boxed(parts)


def _counted(parts: Sequence[Part], lost: bool) -> str:
    """How many parts of which kinds were lost, or are new."""
    kinds = dict.fromkeys(part.kind for part in parts)
    said = [many(sum(part.kind == kind for part in parts), kind) for kind in kinds]
    return text(f"{'lost' if lost else 'new'}: {', '.join(said)}")


def _part(part: Part, lost: bool) -> str:
    return marked("\n".join(part.lines), lost)


def marked(said: str, lost: bool) -> str:
    """Lines that are gone, or new: by an element, a sign before each, and a colour."""
    sign, element, colour = ("-", "del", _GONE) if lost else ("+", "ins", _NEW)
    lines = "\n".join(f"{sign} {text(line)}" for line in said.split("\n"))
    style = f"{_PLAIN};{_CODE};color:{colour}"
    return f'<{element} style="{style}"><code style="{_PLAIN};{_CODE}">{lines}</code></{element}>'


def changes(found: Changes) -> str:
    """What a draft changes: both explanations one under the other, lost and new clauses marked."""
    lines = []
    for line in found.lines(_ONE_COLUMN):
        inner = line.lstrip()
        space = line[: len(line) - len(inner)]
        if space and inner[:2] in ("- ", "+ "):
            lines.append(space + marked(inner[2:], inner[0] == "-"))
        else:
            lines.append(space + text(inner) if space or not inner else f"<b>{text(inner)}</b>")
    body = "\n".join(lines)
    return boxed([f'<pre style="{_CODE};margin:0">{body}</pre>'])


def tried(found: Tried) -> str:
    """What came of running scenarios: how many passed, and what went wrong."""
    head, *wrong = str(found).split("\n")
    below = code("\n".join(wrong)) if wrong else ""
    return boxed([heading(head), below])


def laid(found: Checked, below: Sequence[str]) -> str:
    """A table that questions are asked of: who and what is there, and what is to be said of it."""
    rows = "".join(
        f"<tr><th {_CELL}>{text(sort)}</th><td {_CELL}>{text(', '.join(names))}</td></tr>"
        for sort, names in found.names.items()
    )
    about = f"{found.title}: {many(found.facts, 'fact')}"
    names = f"<table><tbody>{rows}</tbody></table>" if rows else ""
    return boxed([heading(about), names, listed(below)])


def ring(
    names: Sequence[str],
    verb: str,
    reached: Mapping[str, Sequence[str]],
    gone: Mapping[str, str],
    below: Sequence[str],
) -> str:
    """Who sits where as a picture, and below it whom each reaches, or why it is gone."""
    shown = {name: f"({name})" if name in gone else name for name in names}
    rows = []
    for name in names:
        others = ", ".join(reached[name]) or "nobody"
        said = gone.get(name) or f"{verb}: {others}"
        rows.append(f"<tr><th {_CELL}>{text(shown[name])}</th><td {_CELL}>{text(said)}</td></tr>")
    table = f"<table><tbody>{''.join(rows)}</tbody></table>"
    return boxed([_picture(list(shown.values())), table, listed(below)])


def _picture(names: Sequence[str]) -> str:
    """The names on an ellipse; the first on top, the next ones clockwise, which is to the left."""
    if len(names) > MOST_DRAWN:
        return f'<p style="margin:0">{len(names)} in a ring</p>'
    said = [name if len(name) <= 20 else f"{name[:19]}…" for name in names]
    across, down = max(90, 22 * len(said)), max(50, 12 * len(said))
    side = max(map(_pixels, said)) + 20
    width, height = 2 * (across + side), 2 * (down + 30)
    middle = f'cx="{width // 2}" cy="{height // 2}"'
    label = text(f"round the table: {', '.join(names)}")
    parts = "".join(_seats(said, width // 2, height // 2, across, down))
    return (
        f'<svg role="img" aria-label="{label}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" style="max-width:100%;overflow:visible" font-size="14" '
        'fill="currentColor">'
        f'<ellipse {middle} rx="{across}" ry="{down}" fill="none" stroke="currentColor" '
        f'opacity="0.4"></ellipse>{parts}</svg>'
    )


def _pixels(name: str) -> int:
    """How wide a name may come out, whatever the font."""
    wide = (18 if east_asian_width(c) in "WF" else 14 if c.isupper() else 9 for c in name)
    return sum(wide)


def _seats(names: Sequence[str], x: int, y: int, across: int, down: int) -> Iterator[str]:
    """A dot for each name, and the name outside of the ring."""
    for at, name in enumerate(names):
        angle = 2 * math.pi * at / len(names)
        right, up = math.sin(angle), math.cos(angle)
        spot = x + across * right, y - down * up
        anchor = "middle" if abs(right) < 0.2 else "start" if right > 0 else "end"
        beside = spot[0] + 12 * right, spot[1] - 14 * up + 5
        yield f'<circle cx="{spot[0]:.0f}" cy="{spot[1]:.0f}" r="4"></circle>'
        yield (
            f'<text x="{beside[0]:.0f}" y="{beside[1]:.0f}" text-anchor="{anchor}">'
            f"{text(name)}</text>"
        )

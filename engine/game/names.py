"""Let people write a table's names bare in a question: ``likes(Ann, old tom)``."""

from __future__ import annotations

import re
from collections.abc import Collection

_PIECE = re.compile(
    r"""(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<word>[^\s'"(),&~=<>!]+)|.""", re.DOTALL
)
_ENDS = ",)&=<>!"
MAX_QUESTION = 8_000
SHORT = 2


def with_names(question: str, names: Collection[str]) -> tuple[str, list[str]]:
    """The question with the table's names in quotes, whatever their case, and notes about it.

    Only terms are looked at, never what is quoted already. A note is made of every word that looks
    like a variable too: a very short one, or one written otherwise than the name.
    """
    alike: dict[str, str] = {}
    for name in names:
        key = name.casefold()
        alike[key] = name if key not in alike else ""
    exact = {name: name for name in names}
    if not exact or len(question) > MAX_QUESTION:
        return question, []
    longest = max(map(len, exact))
    out: list[str] = []
    notes: list[str] = []
    at = depth = 0
    while at < len(question):
        match = _PIECE.match(question, at)
        assert match is not None
        piece = match.group()
        depth += (piece == "(") - (piece == ")")
        if match["word"] and depth > 0:
            found = _longest(question, at, at + longest, exact, alike)
            if found:
                shown, name = found
                could = shown.isidentifier() and (shown[0].isupper() or shown[0] == "_")
                if could and (len(shown) < SHORT or shown != name):
                    notes.append(f"{shown} is read as the name {name!r}, not as a variable")
                out.append(_quote(name))
                at += len(shown)
                continue
        out.append(piece)
        at += len(piece)
    return "".join(out), list(dict.fromkeys(notes))


def _longest(
    text: str, at: int, most: int, exact: dict[str, str], alike: dict[str, str]
) -> tuple[str, str] | None:
    """The longest run of text from here that is a name and ends where a term may end."""
    stop = at
    while stop < min(most, len(text)) and text[stop] not in "()&,=<>":
        stop += 1
    while stop > at:
        shown = text[at:stop].rstrip()
        name = exact.get(shown) or alike.get(shown.casefold())
        if name and text[at + len(shown) :].lstrip()[:1] in _ENDS:
            return shown, name
        stop -= 1
    return None


def _quote(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'

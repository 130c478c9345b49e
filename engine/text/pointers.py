"""The numbers of other rules that stand in a wording, and whether a change only follows them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

_POINTER = re.compile(
    r"\b(\d{3}\.\d+[a-z]{0,2}(?:-[a-z])?\b|(?<=\brule )\d{3}\b|(?<=\brules )\d{3}\b"
    r"|(?<=\brules \d{3} and )\d{3}\b|(?<=\bsection )\d\b|\d{3}(?=, \"))"
    r'(?:, "([^"]{1,80})")?'
)
_NUMBER = re.compile(r"[0-9]{3}\.[0-9]+[a-z]{0,2}")
_DIGITS = re.compile(r"[0-9]{3}|section [0-9]")
HOLE = "#"
"""What stands for a number, where wordings are held against each other."""


class Pointer(NamedTuple):
    """A number in a wording, and the name of that rule where it is said beside it."""

    numbers: tuple[str, ...]
    """One, or both ends of a row of letters."""
    title: str


class Masked(NamedTuple):
    """A wording whose pointers are taken out, titles with them where they are the rule's own."""

    text: str
    pointers: tuple[Pointer, ...]


def holed(plain: str) -> str:
    """A wording in which every number of another rule looks alike."""
    return _POINTER.sub(_hole, plain) if _DIGITS.search(plain) else plain


def _hole(found: re.Match[str]) -> str:
    return HOLE + found[0][len(found[1]) :]


def pointed(text: str) -> list[str]:
    """The numbers of rules, not of sections, that a text has: each once, as they stand."""
    return list(dict.fromkeys(_NUMBER.findall(text)))


def masked(plain: str, titles: Mapping[str, str]) -> Masked:
    """A wording without its pointers; ``titles`` are what rules are called, by their numbers."""
    pointers = []

    def taken(found: re.Match[str]) -> str:
        said = found[2] or ""
        title = said.rstrip(".,").casefold()
        own = titles.get(found[1], "")
        pointers.append(Pointer(_ends(found[1]), title))
        if said and title == own:
            return HOLE + said[len(title) :]
        return _hole(found)

    text = _POINTER.sub(taken, plain)
    return Masked(text, tuple(pointers))


def _ends(number: str) -> tuple[str, ...]:
    start, dash, end = number.partition("-")
    return (start, start[:-1] + end) if dash and start[-1:].isalpha() else (start,)


def astray(
    old: Sequence[Pointer], new: Sequence[Pointer], led: Mapping[str, Collection[str]]
) -> list[tuple[str, str]]:
    """The pointers that don't lead to where they led before.

    ``led`` is what became of each number. The wordings around them are the same, so that there
    are as many here as there.
    """
    found = []
    for one, other in zip(old, new, strict=True):
        if len(one.numbers) != len(other.numbers):
            found.append(("-".join(one.numbers), "-".join(other.numbers)))
            continue
        for was, now in zip(one.numbers, other.numbers, strict=True):
            if now not in led.get(was, (was,)):
                found.append((was, now))
    return found

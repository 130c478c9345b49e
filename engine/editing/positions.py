"""Lines and columns of the reader as an editor counts them, and back.

The reader counts lines from 1 and columns in characters from 1; an editor counts both from 0, takes
a lone carriage return for the end of a line, and columns in the units of an encoding.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from ..errors import Place

_WIDTHS = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
_ENDS = re.compile("[\n\r]")

Point = tuple[int, int]
"""A line and a column as an editor counts them."""


class Span(NamedTuple):
    """From a point to a point."""

    start: Point
    end: Point


class Positions:
    """The positions of a text, whose line ends are plain or a carriage return and a line feed."""

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = text.replace("\r\n", "\n")
        self.encoding = encoding if encoding in _WIDTHS else "utf-16"
        self._ours = [0, *(n + 1 for n, c in enumerate(self.text) if c == "\n")]
        self._theirs = [0, *(found.end() for found in _ENDS.finditer(self.text))]

    def span(self, place: Place | None) -> Span:
        """Where a place lies; the first line for none."""
        if place is None or place.line < 1 or place.line > len(self._ours):
            return Span(self._point(0), self._point(self._end(0)))
        start = self._ours[place.line - 1]
        stop = self._end(start)
        if place.column < 1:
            return Span(self._point(start), self._point(stop))
        begin = min(start + place.column - 1, stop)
        return Span(self._point(begin), self._point(min(begin + max(place.width, 1), stop)))

    def lines(self, first: int, last: int) -> Span:
        """The lines from one of the reader's to another, both included."""
        start = self._ours[max(0, min(first, len(self._ours)) - 1)]
        stop = self._end(self._ours[max(0, min(last, len(self._ours)) - 1)])
        return Span(self._point(start), self._point(max(start, stop)))

    def spot(self, point: Point) -> tuple[int, int]:
        """The reader's line and column at a point; the nearest there is."""
        line = max(0, min(point[0], len(self._theirs) - 1))
        start = self._theirs[line]
        stop = self._theirs[line + 1] - 1 if line + 1 < len(self._theirs) else len(self.text)
        at = start + self._characters(self.text[start:stop], max(0, point[1]))
        ours = bisect_right(self._ours, at) - 1
        return ours + 1, at - self._ours[ours] + 1

    def _end(self, at: int) -> int:
        found = self.text.find("\n", at)
        return len(self.text) if found < 0 else found

    def _point(self, at: int) -> Point:
        line = bisect_right(self._theirs, at) - 1
        return line, self._units(self.text[self._theirs[line] : at])

    def _units(self, text: str) -> int:
        """How many units a text has."""
        if text.isascii():
            return len(text)
        coded = text.encode(f"{self.encoding}{'-le' * (self.encoding != 'utf-8')}", "surrogatepass")
        return len(coded) // _WIDTHS[self.encoding]

    def _characters(self, text: str, units: int) -> int:
        """How many characters of a text lie within so many units."""
        if text.isascii():
            return min(units, len(text))
        used = 0
        for number, character in enumerate(text):
            used += self._units(character)
            if used > units:
                return number
        return len(text)


class Put(NamedTuple):
    """Lines of a text, counted from 0, the last left out, and what is to stand there."""

    first: int
    last: int
    text: str


def changed(old: str, new: str) -> Put | None:
    """What makes one text the other: the lines between those that stay at its start and end."""
    if old == new:
        return None
    before, after = old.split("\n"), new.split("\n")
    start, most = 0, min(len(before), len(after)) - 1
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    if not end:
        return Put(start, len(before), "\n".join(after[start:]))
    lines = after[start : len(after) - end]
    return Put(start, len(before) - end, "".join(f"{line}\n" for line in lines))

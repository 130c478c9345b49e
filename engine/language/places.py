"""Find where a key stands in a TOML text, for messages only.

``tomllib`` gives values without lines. This looks for the key's header and line, and in it for the
value; when a file is written in an unusual way, the message falls back to the file's name.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from ..model import Path

_HEADER = re.compile(r"\s*\[\[?(?P<keys>[^\]#]+)\]\]?\s*(?:#.*)?$")
_WORD = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_KEY = re.compile(rf"\s*(?P<keys>{_WORD}(?:\s*\.\s*{_WORD})*)\s*=")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")


class _Key(NamedTuple):
    """A header, or a key before its value: where it stands, and its whole path."""

    line: int
    column: int
    width: int
    path: tuple[str, ...]
    value: int = 0


Spot = tuple[int, int, int]


def locate(lines: tuple[str, ...], path: Path) -> Spot | None:
    """Line, column and width of the value or key at a path of keys and list positions, or None."""
    words = tuple(str(w) for w in path if isinstance(w, str))
    index = path[-1] if path and isinstance(path[-1], int) else None
    best: Spot | None = None
    depth = 0
    for key in _keys(lines):
        if depth < len(key.path) <= len(words) and key.path == words[: len(key.path)]:
            depth = len(key.path)
            inner = _inside(lines, key, words[depth:], index) if key.value else None
            best = inner or (key.line, key.column, key.width)
    return best


@lru_cache(maxsize=1)
def _keys(lines: tuple[str, ...]) -> tuple[_Key, ...]:
    """The headers and keys of a text, in the order they stand."""
    found: list[_Key] = []
    prefix: tuple[str, ...] = ()
    for number, line in enumerate(lines, 1):
        header = _HEADER.match(line)
        if header and "=" not in line.partition('"')[0]:
            keys = header["keys"].strip()
            prefix = _parts(keys)
            found.append(_Key(number, line.find(keys) + 1, len(keys), prefix))
        elif key := _KEY.match(line):
            keys = key["keys"]
            path = prefix + _parts(keys)
            found.append(_Key(number, key.start("keys") + 1, len(keys), path, key.end()))
    return tuple(found)


def _inside(
    lines: tuple[str, ...], key: _Key, words: tuple[str, ...], index: int | None
) -> Spot | None:
    """Narrow a place down to an inner key or to the nth item of the list behind ``=``."""
    line, column = key.line, key.value
    text = lines[line - 1]
    for word in words:
        spot = text.find(word, column)
        if spot < 0:
            return None
        column = spot + len(word)
        best = (line, spot + 1, len(word))
        if word == words[-1] and index is None:
            return best
    if index is None:
        return None
    item = next(islice(_PART.finditer(text, column), max(0, index - 1), None), None)
    return (line, item.start() + 1, len(item.group())) if item else None


def _parts(keys: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(keys))

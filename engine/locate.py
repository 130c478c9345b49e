"""Find where a key stands in a TOML text, for messages only.

``tomllib`` gives values without lines. This looks for the key's header and line, and in it for the
value; when a file is written in an unusual way, the message falls back to the file's name.
"""

from __future__ import annotations

import re

from .errors import Place
from .model import Path
from .scan import Source

_HEADER = re.compile(r"\s*\[\[?\s*(?P<keys>[^\]#]+?)\s*\]\]?\s*(?:#.*)?$")
_WORD = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_KEY = re.compile(rf"\s*(?P<keys>{_WORD}(?:\s*\.\s*{_WORD})*)\s*=")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")


def locate(src: Source, path: Path) -> Place:
    """The best place for a path of keys and list positions: its value, its key, or the file."""
    if not src.lines:
        return Place(", ".join((src.file, *(w for w in path[:2] if isinstance(w, str)))))
    words = tuple(str(w) for w in path if isinstance(w, str))
    index = path[-1] if path and isinstance(path[-1], int) else None
    best: Place | None = None
    depth = 0
    prefix: tuple[str, ...] = ()
    for number, line in enumerate(src.lines, 1):
        header = _HEADER.match(line)
        if header and "=" not in line.partition('"')[0]:
            prefix = _parts(header["keys"])
            found = _common(prefix, words)
            if found == len(prefix) and found > depth:
                depth = found
                best = src.at(number, header.start("keys") + 1, len(header["keys"]))
            continue
        key = _KEY.match(line)
        if not key:
            continue
        here = prefix + _parts(key["keys"])
        found = _common(here, words)
        if found == len(here) and found > depth:
            depth = found
            best = src.at(number, key.start("keys") + 1, len(key["keys"]))
            best = _inside(src, number, key.end(), words[found:], index) or best
    return best or Place(src.file)


def _inside(
    src: Source, line: int, column: int, words: tuple[str, ...], index: int | None
) -> Place | None:
    """Narrow a place down to an inner key or to the nth item of the list behind ``=``."""
    text = src.lines[line - 1]
    for word in words:
        spot = text.find(word, column)
        if spot < 0:
            return None
        column = spot + len(word)
        best = src.at(line, spot + 1, len(word))
        if word == words[-1] and index is None:
            return best
    if index is None:
        return None
    items = list(_PART.finditer(text, column))
    if 0 < index <= len(items):
        item = items[index - 1]
        return src.at(line, item.start() + 1, len(item.group()))
    return None


def _parts(keys: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(keys))


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count

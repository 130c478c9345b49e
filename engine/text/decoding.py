"""The bytes of a rule book's file as lines, whatever program has saved it."""

from __future__ import annotations

import re
from typing import NamedTuple

_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_RARE = {"nel": "\x85", "ls": "\u2028", "ps": "\u2029", "vt": "\v", "ff": "\f"}
_LONGEST = 20_000
"""Characters to a line, on the average, of a text whose lines end otherwise than usual."""
_WINDOWS = {
    0xDC00 + byte: bytes([byte]).decode("cp1252", errors="replace") for byte in range(128, 256)
}
_HIGH = bytes(range(128, 256))
_NOTHING = "\ufeff\u200b\u2060\u00ad"
"""Characters that nobody sees."""
_TWICE = re.compile("â€|Â\u00a0|Â®")


class Lines(NamedTuple):
    """A file's physical lines, how they were written, and what was amiss."""

    lines: list[str]
    encoding: str
    endings: dict[str, int]
    remarks: list[str]


def read_lines(data: bytes) -> Lines:
    """The lines of a text in any encoding that rule books come in, with any line ends."""
    remarks: list[str] = []
    text, encoding = _decoded(data, remarks)
    if encoding != "ascii":
        for char in _NOTHING:
            if char in text:
                text = text.replace(char, "")
    damaged = text.count("\ufffd")
    lines, endings = _divided(text)
    if damaged:
        first = next(n for n, line in enumerate(lines, 1) if "\ufffd" in line)
        remarks.append(f"damaged characters: {damaged:,}, the first in line {first}")
    return Lines(lines, encoding, endings, remarks)


def _decoded(data: bytes, remarks: list[str]) -> tuple[str, str]:
    """The text and its encoding; what can't be read stands in it as U+FFFD."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _by(data[len(mark) :], encoding, remarks)
    if data.isascii() and b"\0" not in data:
        return data.decode("ascii"), "ascii"
    nulls = data.count(0)
    if nulls * 100 > len(data):
        even = data[::2].count(0)
        return _by(data, "utf-16-be" if even * 2 > nulls else "utf-16-le", remarks)
    return _by(data, "utf-8", remarks)


def _by(data: bytes, encoding: str, remarks: list[str]) -> tuple[str, str]:
    if encoding.startswith("utf-16"):
        return data.decode(encoding, errors="replace"), encoding
    try:
        text = data.decode()
    except UnicodeDecodeError:
        sound = data.decode(errors="ignore")
        stray = len(data) - len(sound.encode())
        if stray > len(sound) - len(data.translate(None, _HIGH)):
            return data.decode("cp1252", errors="replace"), "cp1252"
        text = data.decode(errors="surrogateescape")
        remarks.append(f"bytes that are no UTF-8, read as those of Windows: {stray:,}")
        text = text.translate(_WINDOWS)
    if _TWICE.search(text):
        text = _undone(text, remarks)
    return text, encoding


def _undone(text: str, remarks: list[str]) -> str:
    """A text that was encoded twice, once; as it is where it wasn't."""
    back = bytearray()
    for char in text:
        try:
            back += char.encode("cp1252")
        except UnicodeEncodeError:
            if ord(char) > 255:
                return text
            back.append(ord(char))
    try:
        once = back.decode()
    except UnicodeDecodeError:
        return text
    remarks.append("the text was encoded twice; read as it was before")
    return once


def _divided(text: str) -> tuple[list[str], dict[str, int]]:
    """The physical lines, and how many end in which way.

    What only some programs take for a line end is one where a text has hardly any other.
    """
    both = text.count("\r\n")
    endings = {"crlf": both, "cr": text.count("\r") - both, "lf": text.count("\n") - both}
    plain = text
    if endings["cr"] or both:
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
    if sum(endings.values()) * _LONGEST < len(text):
        for name, char in _RARE.items():
            endings[name] = plain.count(char)
            plain = plain.replace(char, "\n")
    lines = plain.split("\n")
    if not lines[-1]:
        del lines[-1]
    return lines, {name: number for name, number in endings.items() if number}

"""Digests of the official wording, so that a section knows which text it was checked against.

The wording itself is never stored: a section carries 16 hexadecimal digits of a hash, and a
reader who owns a rule book can compare.
"""

from __future__ import annotations

import hashlib
import re

_EMPHASIS = re.compile(r"(?<!\w)_+|_+(?!\w)")
_LOST = re.compile(r"(?<=\w)[?\ufffd](?=[\w\[])|(?<= )[?\ufffd](?= |$)")
_ASCII = tuple(
    {
        "‘": "'",
        "’": "'",
        "“": '"',
        "”": '"',
        "–": "-",
        "—": "-",
        "−": "-",
        "\u00a0": " ",
        "\u2028": " ",
        "\u2029": " ",
        "…": "...",
    }.items()
)
_FOLDED = (
    *((mark, "") for mark in ("(r)", "(R)", "(tm)", "(TM)", "®", "™")),
    *(("--", "-") for _ in range(2)),
    *((f" {sign}", sign) for sign in "-.,;:()"),
    ("- ", "-"),
    ("( ", "("),
    *((f'"{sign}', f'{sign}"') for sign in ".,"),
)


def plain(wording: str) -> str:
    """A wording as it is compared: however it is typeset, it comes out the same."""
    if not wording.isascii():
        for sign, typed in _ASCII:
            wording = wording.replace(sign, typed)
    return " ".join(wording.split())


def folded(plain: str) -> str:
    """A plain wording without what files differ in by their making, for comparing alone.

    Emphasis, spaces at signs, trademarks, commas in or after quotes, dashes: where a file couldn't
    say one there is a question mark in a word, or by itself.
    """
    text = _EMPHASIS.sub("", plain) if "_" in plain else plain
    if "?" in text or "\ufffd" in text:
        text = _LOST.sub("-", text)
    for one, other in _FOLDED:
        text = text.replace(one, other)
    return text


def digest(wording: str) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a wording, however it is typeset."""
    return hashlib.sha256(plain(wording).encode()).hexdigest()[:16]

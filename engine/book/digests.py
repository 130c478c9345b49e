"""Digests of the official wording, so that a section knows which text it was checked against.

The wording itself is never stored: a section carries 16 hexadecimal digits of a hash, and a
reader who owns a rule book can compare.
"""

from __future__ import annotations

import hashlib
import re

_RULE = re.compile(r"(\d{3}\.\d+[a-z]?)\.?\s+(.*)$")
_HEADING = re.compile(r"\d{3}\.\s|Glossary$|Credits$")
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


def wordings(text: str) -> dict[str, str]:
    """The wording of every rule in a rule book's text, by number, without examples."""
    out: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in re.split(r"\r\n|\r|\n", text):
        words = line.strip().lstrip("\ufeff")
        rule = _RULE.match(words)
        if rule:
            current = out[rule[1]] = [rule[2]]
        elif _HEADING.match(words) or words.startswith(("Example", "Examples")):
            current = None
        elif words and current is not None:
            current.append(words)
    return {number: " ".join(parts) for number, parts in out.items()}


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


def decode(data: bytes) -> str:
    """The text of a rule book file in any of the encodings they come in."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")

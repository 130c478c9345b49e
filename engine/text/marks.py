"""Which words of a text went, and which came in their place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ..book import folded, plain

_MOST = 60_000
"""With more places at which words are the same, beginning and end aside, all count as others."""

ELEMENTS = {"-": "del", "+": "ins"}
"""How a page marks words that went, and those that came."""


class Run(NamedTuple):
    """Words that stand in both texts, or only in the old one or the new one."""

    sign: str
    """"" for both, "-" or "+"."""
    text: str


def runs(old: str, new: str) -> Iterator[Run]:
    """The words of two texts in order: what both have, what went, what came in its place.

    What only differs in typography is what both have, as the new text has it; where nothing else
    differs, it is marked.
    """
    words = old.split(), new.split()
    said = {word: folded(plain(word)) for word in {*words[0], *words[1]}}
    one, other = ([said[word] for word in side] for side in words)
    if one == other:
        one, other = words
    start = 0
    shorter = min(len(one), len(other))
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    last, until = len(one) - end, len(other) - end
    yield from _run("", words[1][:start])
    for kind, a, b, c, d in _middle(one[start:last], other[start:until]):
        if kind == "equal":
            yield from _run("", words[1][start + c : start + d])
        else:
            yield from _run("-", words[0][start + a : start + b])
            yield from _run("+", words[1][start + c : start + d])
    yield from _run("", words[1][until:])


def _middle(one: Sequence[str], other: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    here = Counter(other)
    if sum(here[word] for word in one) > _MOST:
        return [("replace", 0, len(one), 0, len(other))]
    return SequenceMatcher(None, one, other, autojunk=False).get_opcodes()


def _run(sign: str, words: Sequence[str]) -> Iterator[Run]:
    if words:
        yield Run(sign, " ".join(words))

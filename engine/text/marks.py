"""Which words of a text went, and which came in their place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

_MOST = 60_000
"""With more places at which words are the same, beginning and end aside, all count as others."""


class Run(NamedTuple):
    """Words that stand in both texts, or only in the old one or the new one."""

    sign: str
    """"" for both, "-" or "+"."""
    text: str


def runs(old: str, new: str) -> Iterator[Run]:
    """The words of two texts in order: what both have, what went, what came in its place."""
    one, other = old.split(), new.split()
    start = 0
    shorter = min(len(one), len(other))
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    yield from _run("", one[:start])
    yield from _middle(one[start : len(one) - end], other[start : len(other) - end])
    yield from _run("", one[len(one) - end :])


def _middle(one: Sequence[str], other: Sequence[str]) -> Iterator[Run]:
    here = Counter(other)
    if sum(here[word] for word in one) > _MOST:
        yield from _run("-", one)
        yield from _run("+", other)
        return
    for kind, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from _run("", one[a:b])
        else:
            yield from _run("-", one[a:b])
            yield from _run("+", other[c:d])


def _run(sign: str, words: Sequence[str]) -> Iterator[Run]:
    if words:
        yield Run(sign, " ".join(words))

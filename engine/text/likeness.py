"""How like each other wordings are, by the words and pairs of words that few of them share.

What is looked at grows with the wordings, not with their pairs: only those are compared that share
something rare, or that are named.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

_SPACED = str.maketrans(dict.fromkeys(".,;:()[]{}\"'’“”‘—–-_/<>!?", " "))
_SHARED = 24
"""What more pairs of wordings share says little of any."""
_NEAREST = 4
"""So many that share most are looked at whole, for each wording."""
_LOOKED_AT = 250
"""So many of the wordings around say what is common there."""
_ONE = 1_000_000
_LONGEST = 4_000
"""More words than these of one wording say no more of it."""

Features = frozenset[Hashable]


class Like(NamedTuple):
    """How like two wordings are: how much they share, and how much of either stands in the other.

    The shares are of what they weigh by rarity.
    """

    shared: float
    old: float
    new: float
    weight: float


def features(text: str) -> Features:
    """The words of a wording and its pairs of words."""
    words = text.lower().translate(_SPACED).split()[:_LONGEST]
    return frozenset((*words, *pairwise(words)))


class Likeness:
    """Wordings of an old and a new text, held against each other.

    ``beside`` are wordings around them, of which some are looked at to tell what is common: what
    stands in a single wording weighs 1, what stands in all of them next to nothing.
    """

    def __init__(self, old: Sequence[str], new: Sequence[str], beside: Sequence[str]) -> None:
        known = {text: features(text) for text in {*old, *new}}
        self.old = [known[text] for text in old]
        self.new = [known[text] for text in new]
        around: Counter[Hashable] = Counter()
        step = len(beside) // _LOOKED_AT + 1
        for text in beside[::step]:
            around.update(features(text))
        here, there = (Counter(chain.from_iterable(side)) for side in (self.old, self.new))
        size = len(self.old) + len(self.new) + len(beside)
        whole = math.log(1 + size)
        self.weights = {
            feature: round(_ONE * math.log(1 + size / (number + step * around[feature])) / whole)
            for feature, number in (here + there).items()
        }
        self._telling = frozenset(
            feature for feature, number in here.items() if 0 < number * there[feature] <= _SHARED
        )
        self._whole = (
            [self.weight(each) for each in self.old],
            [self.weight(each) for each in self.new],
        )

    def weight(self, found: Iterable[Hashable]) -> int:
        """What some features weigh: whole numbers, so that no order of adding matters."""
        return sum(map(self.weights.__getitem__, found))

    def share(self, found: Iterable[Hashable]) -> float:
        """How many wordings' own features some weigh as much as."""
        return self.weight(found) / _ONE

    def like(self, one: int, other: int) -> Like:
        """How like an old wording and a new one are."""
        shared = self.weight(self.old[one] & self.new[other])
        old, new = self._whole[0][one], self._whole[1][other]
        both = old + new
        return Like(
            2 * shared / both if both else 1.0,
            shared / old if old else 1.0,
            shared / new if new else 1.0,
            shared / _ONE,
        )

    def near(self) -> Iterator[tuple[int, int]]:
        """Pairs that share something rare: for each wording those that share most of it."""
        there: defaultdict[Hashable, list[int]] = defaultdict(list)
        for at, each in enumerate(self.new):
            for feature in each & self._telling:
                there[feature].append(at)
        rows: list[dict[int, int]] = [{} for _ in self.old]
        columns: list[dict[int, int]] = [{} for _ in self.new]
        for one, each in enumerate(self.old):
            row = rows[one]
            for feature in each & self._telling:
                weight = self.weights[feature]
                for other in there[feature]:
                    row[other] = row.get(other, 0) + weight
            for other, weight in row.items():
                columns[other][one] = weight
        for one, row in enumerate(rows):
            for other in _most(row):
                yield one, other
        for other, column in enumerate(columns):
            for one in _most(column):
                yield one, other


def _most(weights: dict[int, int]) -> list[int]:
    if len(weights) <= _NEAREST:
        return list(weights)
    return sorted(weights, key=lambda at: (-weights[at], at))[:_NEAREST]

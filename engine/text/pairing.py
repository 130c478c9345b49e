"""Which rule of one issue is which of another: by what it says, then by where it stands.

What is the same is found first; what is left is paired by likeness, the most alike first, and
numbers and neighbours only turn the scale. Every pair says what it rests on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..book import folded, plain
from .issue import Rule, above
from .likeness import Features, Like, Likeness
from .pointers import holed

ALIKE = 0.5
"""What is so like another is taken for it, wherever either stands."""
AKIN = 0.22
"""What is so like another is taken for it where it stands in the same place."""
SURELY = 0.65
"""What stands below another name has to be so like."""
INSIDE = 0.7
"""What stands so far inside another is a part of it."""
TELLING = 9.0
"""What weighs less than this can stand inside another by chance."""
MOST = 80
"""Longer than this no name of a rule is."""
CLOSE = 0.1
"""What is no further behind the best might be meant as well."""
_FAINT = 10
"""Whom something is no more like than this isn't named."""
_SAME_NUMBER, _SAME_PLACE, _SAME_SECTION = 0.08, 0.1, 0.08


class Rival(NamedTuple):
    """A pair that might be meant in place of another, and how like its two are, of a hundred."""

    old: str
    new: str
    like: int

    def as_dict(self) -> dict[str, object]:
        """The same as data."""
        return {"old": self.old, "new": self.new, "like": self.like}


class Pair(NamedTuple):
    """Rules that are each other's, by where they stand in their issues, and why."""

    old: tuple[int, ...]
    new: tuple[int, ...]
    evidence: str
    rivals: tuple[Rival, ...] = ()


_Texts = Mapping[int, str] | Sequence[str]


class Pairing:
    """The rules of two issues while they are paired."""

    def __init__(self, old: Sequence[Rule], new: Sequence[Rule]) -> None:
        self.rules = (old, new)
        self.plain: list[dict[int, str]] = []
        self.holed: list[dict[int, str]] = []
        self.to: dict[int, int] = {}
        self.back: dict[int, int] = {}
        self.why: dict[int, str] = {}
        self.rivals: dict[int, tuple[Rival, ...]] = {}
        self.more: dict[int, list[int]] = {}
        """More new rules that an old one became, beside the one in ``to``."""
        self.from_more: dict[int, list[int]] = {}
        """More old rules that became a new one."""
        self.nearest: dict[tuple[int, int], str] = {}
        """For a rule without a pair, by side and place, what comes closest to it."""

    def pairs(self) -> Iterator[Pair]:
        """All rules, each once, in the order of the new issue; what is gone after what it followed.

        Every rule of either issue is in just one pair.
        """
        self._same([[rule.text for rule in side] for side in self.rules], "the same text")
        self.plain = [{at: plain(self.rules[n][at].text) for at in self._left(n)} for n in (0, 1)]
        self._same(self.plain, "the same text")
        texts = [{at: folded(self.plain[n][at]) for at in self._left(n)} for n in (0, 1)]
        self._same(texts, "the same text but for typography")
        self.holed = [{at: holed(texts[n][at]) for at in self._left(n)} for n in (0, 1)]
        self._same(self.holed, "the same text but for numbers")
        self._by_likeness()
        self._titles()
        yield from self._made()

    def _left(self, side: int) -> list[int]:
        taken = self.back if side else self.to
        return [at for at in range(len(self.rules[side])) if at not in taken]

    def _pair(self, one: int, other: int, why: str) -> None:
        self.to[one], self.back[other] = other, one
        self.why[other] = why

    # What is the same

    def _same(self, texts: Sequence[_Texts], said: str) -> None:
        """Pair what has the same text: alone with it, or of several the one in the same place."""
        groups: defaultdict[tuple[str, str], tuple[list[int], list[int]]]
        groups = defaultdict(lambda: ([], []))
        for side in (0, 1):
            for at in self._left(side):
                groups[_level(self.rules[side][at]), texts[side][at]][side].append(at)
        several = []
        for olds, news in groups.values():
            if len(olds) == len(news) == 1:
                self._pair(olds[0], news[0], f"{said}, which stands nowhere else")
            elif olds and news:
                several.append((olds, news))
        for olds, news in several:
            self._among(olds, news, said)

    def _among(self, olds: list[int], news: list[int], said: str) -> None:
        """Pair what stands several times: by numbers, by neighbours, and then in order."""
        old, new = self.rules
        times = max(len(olds), len(news))
        by_number: dict[str, int] = {}
        for other in news:
            by_number.setdefault(new[other].number, other)
        for one in olds:
            found = by_number.get(old[one].number)
            if found is not None and found not in self.back:
                self._pair(one, found, f"{said} and number; it stands {times} times")
        wanted = {other for other in news if other not in self.back}
        for one in olds:
            if one in self.to:
                continue
            for step in (-1, 1):
                beside = self.to.get(one + step)
                if beside is not None and beside - step in wanted:
                    wanted.discard(beside - step)
                    self._pair(one, beside - step, f"{said} beside the same rule")
                    break
        left = [one for one in olds if one not in self.to]
        rest = [other for other in news if other not in self.back]
        if len(left) == len(rest) == 1:
            self._pair(left[0], rest[0], f"{said}; all others with it are paired")
        elif len(left) == len(rest):
            for one, other in zip(left, rest, strict=True):
                self._pair(one, other, f"{said}, which stands {len(left)} times; in this order")
                self.rivals[other] = tuple(
                    Rival(old[one].number, new[each].number, 100) for each in rest if each != other
                )[:3]

    # What is alike

    def _by_likeness(self) -> None:
        """Pair what is alike, then find what was split and what was merged."""
        old, new = self.rules
        olds = [at for at in self._left(0) if not old[at].heading]
        news = [at for at in self._left(1) if not new[at].heading]
        if not olds or not news:
            return
        likeness = Likeness(
            [self.holed[0][at] for at in olds],
            [self.holed[1][at] for at in news],
            [old[at].text for at in self.to if not old[at].heading],
        )
        places = self._places(olds, news)
        candidates = dict.fromkeys((*likeness.near(), *places))
        likes = {pair: likeness.like(*pair) for pair in candidates}
        parted = self._parted(olds, news, candidates)
        enough = {
            pair
            for pair, like in likes.items()
            if _enough(like, pair in places) and (pair not in parted or like.shared >= SURELY)
        }
        went = self._sections()
        scores = {}
        for pair, found in likes.items():
            sections = old[olds[pair[0]]].number[:3], new[news[pair[1]]].number[:3]
            share = went.get(sections, 0.0)
            scores[pair] = found.shared + places.get(pair, 0.0) + _SAME_SECTION * share
        order = sorted(scores, key=lambda pair: (-scores[pair], pair))
        taken: dict[int, float] = {}
        for one, other in order:
            if olds[one] in self.to or news[other] in self.back or (one, other) not in enough:
                continue
            said = self._alike(olds[one], news[other], likes[one, other])
            self._pair(olds[one], news[other], said)
            taken[one] = taken[~other] = scores[one, other]
        rivals: defaultdict[int, list[Rival]] = defaultdict(list)
        for one, other in order:
            if self.to.get(olds[one]) == news[other] or (one, other) not in enough:
                continue
            score = scores[one, other]
            if max(taken.get(one, score), taken.get(~other, score)) - score > CLOSE:
                continue
            like = _percent(likes[one, other].shared)
            rival = Rival(old[olds[one]].number, new[news[other]].number, like)
            for at in {self.to.get(olds[one]), news[other]} - {None}:
                if at in self.back:
                    rivals[at].append(rival)
        self.rivals.update((at, tuple(found[:3])) for at, found in rivals.items())
        self._parts(likeness, order, likes, olds, news)
        for one, other in order:
            like = _percent(likes[one, other].shared)
            if like < _FAINT:
                continue
            for side, at, number in (
                (0, olds[one], new[news[other]].number),
                (1, news[other], old[olds[one]].number),
            ):
                self.nearest.setdefault((side, at), f"{number} is nearest, {like}% alike")

    def _sections(self) -> dict[tuple[str, str], float]:
        """Which share of the rules of a section went to which, of those that have a pair."""
        old, new = self.rules
        counted = Counter((old[a].number[:3], new[b].number[:3]) for a, b in self.to.items())
        size: Counter[str] = Counter()
        for (one, _), times in counted.items():
            size[one] += times
        return {pair: times / size[pair[0]] for pair, times in counted.items()}

    def _parted(
        self, olds: Sequence[int], news: Sequence[int], pairs: Iterable[tuple[int, int]]
    ) -> set[tuple[int, int]]:
        """The pairs of letters below other names: they may only share a frame."""
        numbers = [{rule.number: at for at, rule in enumerate(side)} for side in self.rules]
        parted = set()
        for one, other in pairs:
            number, to = self.rules[0][olds[one]].number, self.rules[1][news[other]].number
            inner, outer = above(number)[2:], above(to)[2:]
            if not inner or not outer:
                continue
            was, now = numbers[0].get(inner[0]), numbers[1].get(outer[0])
            if was is None or now is None or self.to.get(was) == now:
                continue
            if self._title(0, was) and self._title(1, now):
                parted.add((one, other))
        return parted

    def _places(self, olds: Sequence[int], news: Sequence[int]) -> dict[tuple[int, int], float]:
        """Pairs with the same number, or between the same neighbours, and what that weighs."""
        old, new = self.rules
        weights: defaultdict[tuple[int, int], float] = defaultdict(float)
        where = {at: n for n, at in enumerate(news)}
        numbers: defaultdict[str, list[int]] = defaultdict(list)
        for n, at in enumerate(news):
            numbers[new[at].number].append(n)
        for one, at in enumerate(olds):
            for other in numbers.get(old[at].number, ())[:2]:
                weights[one, other] = _SAME_NUMBER
            for step in (-1, 1):
                beside = self.to.get(at + step)
                near = where.get(beside - step) if beside is not None else None
                if near is not None:
                    weights[one, near] += _SAME_PLACE / 2
        return dict(weights)

    def _alike(self, one: int, other: int, like: Like) -> str:
        said = f"{_percent(like.shared)}% of their words are shared, weighed by rarity"
        if like.shared < ALIKE and _part_of(like):
            which, share = ("old", like.old) if like.old > like.new else ("new", like.new)
            said += f"; {_percent(share)}% of the {which} text stands in the other"
        if self.rules[0][one].number == self.rules[1][other].number:
            said += "; the same number"
        beside = [self.to.get(one + step) == other + step for step in (-1, 1)]
        if all(beside):
            return f"{said}; between the same rules"
        return said + "; beside the same rule" * any(beside)

    # What was split, and what was merged

    def _parts(
        self,
        likeness: Likeness,
        candidates: Iterable[tuple[int, int]],
        likes: dict[tuple[int, int], Like],
        olds: Sequence[int],
        news: Sequence[int],
    ) -> None:
        """What is inside of what another was or became, beyond what its pair has of it."""
        into: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
        outof: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
        for one, other in candidates:
            like = likes[one, other]
            if like.new >= ALIKE and news[other] not in self.back and olds[one] in self.to:
                into[other].append((one, like.new))
            if like.old >= ALIKE and olds[one] not in self.to and news[other] in self.back:
                outof[one].append((other, like.old))
        where = {at: n for n, at in enumerate(news)}, {at: n for n, at in enumerate(olds)}
        for other, found in into.items():
            for one, share in sorted(found, key=lambda each: (-each[1], each[0])):
                paired = [where[0][n] for n in (self.to[olds[one]], *self.more.get(olds[one], ()))]
                has = frozenset[object]().union(*(likeness.new[n] for n in paired))
                if self._beyond(likeness, likeness.old[one] - has, likeness.new[other], share):
                    self.more.setdefault(olds[one], []).append(news[other])
                    self._inside(news[other], olds[one], share, 1)
                    break
        for one, found in outof.items():
            for other, share in sorted(found, key=lambda each: (-each[1], each[0])):
                if self.back[news[other]] in self.more:
                    continue
                before = (self.back[news[other]], *self.from_more.get(news[other], ()))
                has = frozenset[object]().union(*(likeness.old[where[1][n]] for n in before))
                if self._beyond(likeness, likeness.new[other] - has, likeness.old[one], share):
                    self.from_more.setdefault(news[other], []).append(olds[one])
                    self._inside(olds[one], news[other], share, 0)
                    break

    @staticmethod
    def _beyond(likeness: Likeness, more: Features, part: Features, share: float) -> bool:
        """Whether a part is what is left of a whole, and not what the whole's pair has as well.

        Half of a part may be new where nearly all that is left stands in it.
        """
        weight, whole = likeness.share(more & part), likeness.share(part)
        if share >= INSIDE:
            return weight >= max(TELLING, whole) / 2
        return weight >= max(TELLING, share * whole / 2, INSIDE * likeness.share(more))

    def _inside(self, part: int, whole: int, share: float, side: int) -> None:
        number, other = self.rules[side][part].number, self.rules[1 - side][whole].number
        main = self.to[whole] if side else whole
        if side:
            self.back[part] = whole
        else:
            self.to[part] = whole
        ages = ("new", "old") if side else ("old", "new")
        said = f"{_percent(share)}% of the {ages[0]} {number} stands in the {ages[1]} {other}, too"
        self.why[main] = f"{self.why[main]}; {said}"

    # Titles

    def _titles(self) -> None:
        """What only has a name is what holds most of the rules that it held before."""
        old, new = self.rules
        below: defaultdict[str, Counter[str]] = defaultdict(Counter)
        size: Counter[str] = Counter()
        for one, other in self.to.items():
            if not old[one].heading and not new[other].heading:
                outer = above(new[other].number)
                for inner in above(old[one].number):
                    size[inner] += 1
                    for each in outer:
                        below[inner][each] += 1
        there = {new[at].number: at for at in self._left(1) if self._title(1, at)}
        found = []
        for at in self._left(0):
            number = old[at].number
            if self._title(0, at):
                for to, times in below[number].items():
                    if to in there and (2 * times > size[number]):
                        same = self.plain[0][at] == self.plain[1][there[to]]
                        level = _level(old[at]) == _level(new[there[to]])
                        if same or level:
                            found.append((not same, -times, at, there[to], size[number]))
        for _, times, one, other, of in sorted(found):
            if one not in self.to and other not in self.back:
                said = f"{-times} of {of} rules below it stand there"
                self._pair(one, other, f"the same title; {said}" if not _ else said)

    def _title(self, side: int, at: int) -> bool:
        rule = self.rules[side][at]
        return rule.heading or is_title(rule.text)

    def _made(self) -> Iterator[Pair]:
        gone = [at for at in range(len(self.rules[0])) if at not in self.to]
        after: defaultdict[int, list[int]] = defaultdict(list)
        last = -1
        waiting = set(gone)
        for at in range(len(self.rules[0])):
            if at in waiting:
                after[last].append(at)
            else:
                last = self.to[at]
        yield from map(self._gone, after[-1])
        parts = {part for found in self.more.values() for part in found}
        for at in range(len(self.rules[1])):
            if at not in self.back:
                near = self.nearest.get((1, at), "nothing is like it")
                yield Pair((), (at,), f"not in the old issue: {near}")
            elif at not in parts:
                one = self.back[at]
                olds = tuple(sorted((one, *self.from_more.get(at, ()))))
                news = tuple(sorted((at, *self.more.get(one, ()))))
                yield Pair(olds, news, self.why[at], self._others(olds, news))
            yield from map(self._gone, after[at])

    def _others(self, olds: Iterable[int], news: Iterable[int]) -> tuple[Rival, ...]:
        """The rivals of a pair that aren't in it."""
        old = {self.rules[0][at].number for at in olds}
        new = {self.rules[1][at].number for at in news}
        found = (rival for at in sorted(news) for rival in self.rivals.get(at, ()))
        return tuple(r for r in found if r.old not in old or r.new not in new)

    def _gone(self, at: int) -> Pair:
        near = self.nearest.get((0, at), "nothing is like it")
        return Pair((at,), (), f"not in the new issue: {near}")


def _enough(like: Like, placed: bool) -> bool:
    """Whether two wordings are so alike that one is taken for the other."""
    return like.shared >= (AKIN if placed else ALIKE) or _part_of(like)


def _part_of(like: Like) -> bool:
    """Whether one of two wordings stands in the other, and not by chance."""
    return max(like.old, like.new) >= INSIDE and like.weight >= TELLING


def _percent(share: float) -> int:
    return min(99, round(100 * share))


def _level(rule: Rule) -> str:
    """What can be the same rule as another: headings of chapters, of sections, and rules."""
    return str(len(rule.number)) if rule.heading else ""


def is_title(plain: str) -> bool:
    """Whether a wording is but a name."""
    return len(plain) <= MOST and plain[-1:] not in '.:?!")'

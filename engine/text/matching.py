"""What became of each rule of a rule book in a later issue, whatever its number."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from ..book import folded, plain
from .issue import Issue, Rule, above, under
from .pairing import MOST, Pair, Pairing, Rival, is_title
from .pointers import astray, masked, pointed

KINDS = (
    "same",
    "typography",
    "pointer",
    "wording",
    "example",
    "renumbered",
    "moved",
    "split",
    "merged",
    "added",
    "removed",
)
"""What can have become of a rule. Of several at once "same" is none."""
NOISE = frozenset({"same", "typography"})
"""What says the same: nobody needs to look at it."""


_MANY = 4
"""One in so many is enough to say that what stood below a number went somewhere."""
_Sides = tuple[Sequence[Rule], Sequence[Rule]]


class Match(NamedTuple):
    """Rules of two issues that are each other's, and what differs."""

    kinds: tuple[str, ...]
    old: tuple[Rule, ...]
    new: tuple[Rule, ...]
    evidence: str
    ambiguous: tuple[Rival, ...] = ()

    @property
    def noise(self) -> bool:
        """Whether it says the same as before, under the same number."""
        return NOISE.issuperset(self.kinds)


def matched(old: Issue, new: Issue, only: Collection[str] = ()) -> tuple[Match, ...]:
    """What became of every rule, in the order of the new issue.

    With ``only`` what was or is under one of these numbers: a chapter, a section, or a rule with
    what its letters say. Rules are looked for in the whole issues.
    """
    sides = (old.rules, new.rules)
    pairs = tuple(Pairing(*sides).pairs())
    judge = _Judge(sides, pairs)
    wanted = frozenset(only)
    return tuple(judge.match(pair) for pair in pairs if not wanted or _is_of(pair, sides, wanted))


def _is_of(pair: Pair, sides: _Sides, wanted: Collection[str]) -> bool:
    """Whether a rule of a pair is or was under one of these numbers."""
    numbers = (sides[n][at].number for n, places in enumerate(pair[:2]) for at in places)
    return any(under(number, wanted) for number in numbers)


class _Judge:
    """Says what differs between rules that are each other's."""

    def __init__(self, sides: _Sides, pairs: Sequence[Pair]) -> None:
        self.sides = sides
        self.titles = [_titles(side) for side in sides]
        self.became = _became(sides, pairs)
        self.led = _led(sides, pairs, self.became)
        self.changed = {n for n, to in self.became.items() if not any(under(t, (n,)) for t in to)}
        self.moved = _moved(sides, pairs)

    def match(self, pair: Pair) -> Match:
        old = tuple(self.sides[0][at] for at in pair.old)
        new = tuple(self.sides[1][at] for at in pair.new)
        if not old or not new:
            return Match(("removed" if old else "added",), old, new, pair.evidence)
        text, notes = self._text(old, new)
        kinds = list(text)
        if len(old) > 1 or len(new) > 1:
            kinds.append("merged" if len(old) > 1 else "split")
        elif old[0].number != new[0].number:
            kinds.append("moved" if pair.new[0] in self.moved else "renumbered")
        evidence = "; ".join((pair.evidence, *notes))
        return Match(tuple(kinds) or ("same",), old, new, evidence, pair.rivals)

    def _text(self, old: Sequence[Rule], new: Sequence[Rule]) -> tuple[list[str], list[str]]:
        """What differs in the words and in the examples, and what is to be said of it."""
        words = [" ".join(rule.text for rule in side) for side in (old, new)]
        examples = [" ".join(e for rule in side for e in rule.examples) for side in (old, new)]
        kinds, notes = self._differs(*words)
        if not kinds and self.changed and len(old) == len(new) == 1:
            stale = [n for n in pointed(words[0]) if n in self.changed]
            if stale:
                kinds = ["pointer"]
                notes = [f"it still says {n}, which became {self._became(n)}" for n in stale[:3]]
        if examples[0] != examples[1]:
            shown, _ = self._differs(*examples)
            for kind in shown:
                kind = "example" if kind == "wording" else kind
                if kind not in kinds and not (kind == "typography" and kinds):
                    kinds.append(kind)
        if len(kinds) > 1 and "typography" in kinds:
            kinds.remove("typography")
        return kinds, notes

    def _differs(self, old: str, new: str) -> tuple[list[str], list[str]]:
        if old == new:
            return [], []
        old, new = folded(plain(old)), folded(plain(new))
        if old == new:
            return ["typography"], []
        one, other = masked(old, self.titles[0]), masked(new, self.titles[1])
        if one.text != other.text:
            return ["wording"], []
        lost = astray(one.pointers, other.pointers, self.led)
        if not lost:
            return ["pointer"], []
        notes = [f"it says {now} for {was}, which became {self._became(was)}" for was, now in lost]
        return ["wording"], notes[:3]

    def _became(self, number: str) -> str:
        return " and ".join(sorted(self.became.get(number, ()))) or "nothing"


def _titles(rules: Sequence[Rule]) -> Mapping[str, str]:
    """What rules are called that have nothing but a name."""
    return {
        rule.number: plain(rule.text).rstrip(".").casefold()
        for rule in rules
        if len(rule.text) <= MOST and (rule.heading or is_title(rule.text))
    }


def _became(sides: _Sides, pairs: Sequence[Pair]) -> Mapping[str, set[str]]:
    """What became of each number."""
    became: defaultdict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        for at in pair.old:
            became[sides[0][at].number].update(sides[1][other].number for other in pair.new)
    return became


def _led(
    sides: _Sides, pairs: Sequence[Pair], became: Mapping[str, Collection[str]]
) -> Mapping[str, Collection[str]]:
    """Where one may point in place of each number: also to where many rules below it went."""
    led = {number: set(to) for number, to in became.items()}
    below: defaultdict[str, Counter[str]] = defaultdict(Counter)
    size: Counter[str] = Counter()
    for pair in pairs:
        for at in pair.old:
            rule = sides[0][at]
            if rule.heading:
                continue
            for other in pair.new:
                outer = above(sides[1][other].number)[1:]
                for inner in above(rule.number):
                    size[inner] += 1
                    for each in outer:
                        below[inner][each] += 1
    for number, counted in below.items():
        most = (to for to, times in counted.items() if _MANY * times >= size[number])
        led.setdefault(number, set()).update(most)
    return led


def _moved(sides: _Sides, pairs: Sequence[Pair]) -> frozenset[int]:
    """The new places of rules that stand elsewhere among those they stood with.

    A section that is another now as a whole hasn't moved its rules.
    """
    single = [p for p in pairs if len(p.old) == len(p.new) == 1 and not sides[0][p.old[0]].heading]
    sections = [(sides[0][p.old[0]].number[:3], sides[1][p.new[0]].number[:3]) for p in single]
    there: defaultdict[str, Counter[str]] = defaultdict(Counter)
    back: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one, other in sections:
        there[one][other] += 1
        back[other][one] += 1
    out: set[int] = set()
    inside: defaultdict[tuple[str, str], list[tuple[int, int, int]]] = defaultdict(list)
    for pair, (one, other) in zip(single, sections, strict=True):
        goes = there[one].most_common(1)[0][0] == other
        comes = back[other].most_common(1)[0][0] == one
        if goes or comes:
            was, now = pair.old[0], pair.new[0]
            stays = sides[0][was].number == sides[1][now].number
            inside[one, other].append((was, now, 3 if stays else 2))
        else:
            out.add(pair.new[0])
    for places in inside.values():
        places.sort()
        out |= _crossing([now for _, now, _ in places], [weight for *_, weight in places])
    return frozenset(out)


def _crossing(places: Sequence[int], weights: Sequence[int]) -> set[int]:
    """The lightest of these without which the others stand in order; of two that change, both."""
    kept = _in_order(places, weights)
    crossing = {at for at in range(len(places)) if at not in kept}
    for at in sorted(crossing):
        for one in (at - 1, at + 1):
            if one in kept and (one - at) * (places[one] - places[at]) < 0:
                beyond = [n for n in (min(one, at) - 1, max(one, at) + 1) if 0 <= n < len(places)]
                if all((n - at) * (places[n] - places[at]) > 0 for n in beyond):
                    crossing.add(one)
    return {places[at] for at in crossing}


def _in_order(places: Sequence[int], weights: Sequence[int]) -> set[int]:
    """The heaviest of these that stand in order."""
    rank = {place: n for n, place in enumerate(sorted(places), 1)}
    best: list[tuple[int, int]] = [(0, -1)] * (len(places) + 1)
    """For stretches of ranks, as a tree in an array: the heaviest row, and its end."""
    before = []
    heaviest = (0, -1)
    for at, place in enumerate(places):
        n, found = rank[place] - 1, (0, -1)
        while n:
            found = max(found, best[n])
            n -= n & -n
        before.append(found[1])
        found = (found[0] + weights[at], at)
        heaviest = max(heaviest, found)
        n = rank[place]
        while n < len(best):
            best[n] = max(best[n], found)
            n += n & -n
    kept = set()
    at = heaviest[1]
    while at >= 0:
        kept.add(at)
        at = before[at]
    return kept

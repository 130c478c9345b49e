"""What an author is told after each save: only what has changed since the look before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..errors import many, printable, printable_lines
from .rounds import Asked, Fault, Round

MOST = 20
"""So many verdicts are shown at once as text; the others are counted."""


class Turned(NamedTuple):
    """A question whose answer is another one than in the look before.

    ``base`` is what the base says, ``before`` and ``now`` what the edition said and says.
    """

    asked: Asked
    base: str
    before: str
    now: str

    def as_dict(self) -> dict[str, str]:
        """As plain data."""
        origin, question = self.asked
        own = {"base": self.base, "before": self.before, "now": self.now}
        return {"question": question, "origin": origin, **own}


class News(NamedTuple):
    """What differs between two looks at an edition; ``now`` is the later one, and all is known.

    ``new`` and ``gone`` are faults, ``fails`` scenarios that fail now and didn't, or failed
    otherwise, ``passes`` those that pass again, ``dropped`` those that failed and aren't there any
    more. ``sections`` are numbers whose text differs now from the base's, ``back`` those that are
    as there again.
    """

    now: Round
    new: tuple[Fault, ...] = ()
    gone: tuple[Fault, ...] = ()
    fails: tuple[tuple[str, str], ...] = ()
    passes: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    verdicts: tuple[Turned, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything has changed."""
        return any(self[1:])

    def lines(self) -> Iterator[str]:
        """All of it as text, one change a line and what belongs to it below."""
        base = self.now.base or "its base"
        for fault in self.new:
            yield from _indented("fault", fault.text)
        for fault in self.gone:
            first = fault.text.partition("\n")[0]
            yield f"mended: {first}"
        for name, trouble in self.fails:
            yield from _indented("fails", f"{name}\n{trouble}")
        yield from (f"passes again: {name}" for name in self.passes)
        yield from (f"failed and is gone: {name}" for name in self.dropped)
        if self.sections:
            yield f"differs from {base}: {', '.join(self.sections)}"
        if self.back:
            yield f"as in {base} again: {', '.join(self.back)}"
        for each in self.verdicts[:MOST]:
            yield from _turned(each, base)
        left = len(self.verdicts) - MOST
        if left > 0:
            yield f"and {many(left, 'verdict')} more"

    @property
    def summary(self) -> str:
        """How it stands now, in one line."""
        now = self.now
        said = [many(len(now.faults), "fault") if now.faults else "no faults"]
        if now.scenarios:
            number = len(now.scenarios)
            passing = f"{number - now.failing} of " * bool(now.failing)
            said.append(f"{passing}{many(number, 'scenario')} pass{'es' * (number == 1)}")
        elif now.scenarios is not None:
            said.append("no scenarios")
        other = ((now.sections, "section"), (now.verdicts, "verdict"))
        counted = [many(len(each), noun) for each, noun in other if each is not None]
        if now.base and counted:
            said.append(f"{' and '.join(counted)} other than in {now.base}")
        return printable(f"{now.edition}: {', '.join(said)}", 500)

    def as_dict(self) -> dict[str, object]:
        """As plain data that is ready for JSON."""
        now = self.now
        known = {
            "scenarios": None if now.scenarios is None else len(now.scenarios),
            "failing": None if now.scenarios is None else now.failing,
            "sections": None if now.sections is None else len(now.sections),
            "verdicts": None if now.verdicts is None else len(now.verdicts),
        }
        return {
            "edition": now.edition,
            "base": now.base,
            "faults": [dict(fault.data) for fault in self.new],
            "mended": [dict(fault.data) for fault in self.gone],
            "fails": [{"scenario": name, "trouble": trouble} for name, trouble in self.fails],
            "passes": list(self.passes),
            "dropped": list(self.dropped),
            "sections": list(self.sections),
            "back": list(self.back),
            "verdicts": [each.as_dict() for each in self.verdicts],
            "totals": {"faults": len(now.faults), **known},
        }


def news(before: Round | None, after: Round) -> News:
    """What a look found that the one before hadn't; of a first one everything.

    ``before`` has to be whole, as the ``now`` of the changes before is.
    """
    now = after.over(before)
    old = before or Round(now.edition)
    marks = {fault.mark for fault in now.faults}
    known = {fault.mark for fault in old.faults}
    theirs, ours = old.scenarios or {}, now.scenarios or {}
    lost = [name for name, trouble in theirs.items() if trouble and not ours.get(name)]
    return News(
        now,
        tuple(fault for fault in now.faults if fault.mark not in known),
        tuple(fault for fault in old.faults if fault.mark not in marks),
        tuple((n, trouble) for n, trouble in ours.items() if trouble and trouble != theirs.get(n)),
        tuple(name for name in lost if name in ours),
        tuple(name for name in lost if name not in ours),
        _only(now.sections, old.sections),
        _only(old.sections, now.sections),
        tuple(_differing(old, now)),
    )


def _only(ones: tuple[str, ...] | None, others: tuple[str, ...] | None) -> tuple[str, ...]:
    return tuple(one for one in ones or () if one not in (others or ()))


def _differing(old: Round, now: Round) -> Iterator[Turned]:
    """What is answered otherwise than before; what isn't listed is answered as the base does.

    Nobody asks any more what a scenario asked that has changed, or is gone.
    """
    before, after = old.verdicts or {}, now.verdicts or {}
    for asked in dict.fromkeys((*before, *after)):
        base = (after.get(asked) or before[asked]).base
        was = before[asked].here if asked in before else base
        new = after[asked].here if asked in after else base
        still = asked in after or old.cases.get(asked[0]) == now.cases.get(asked[0], -1)
        if was != new and still:
            yield Turned(asked, base, was, new)


def _turned(each: Turned, base: str) -> Iterator[str]:
    origin, question = each.asked
    yield printable(f"verdict: {question}: {each.before} -> {each.now}", 1_000)
    as_there = "as in" if each.now == each.base else f"{each.base} in"
    yield printable(f"  {as_there} {base}; {origin}", 1_000)


def _indented(word: str, text: str) -> Iterator[str]:
    first, *more = printable_lines(text).split("\n")
    yield f"{word}: {first}"
    yield from (f"  {line}" for line in more)

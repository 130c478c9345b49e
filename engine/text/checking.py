"""The sections of a book against an issue of the rule book that they were written from.

A section knows its wording by a digest, so a rule is known by what it says, never by its number.
What was said before only an older issue can tell: with it a rule that changed is matched with what
became of it, without it the rule under the same number may be the same one reworded, or another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from string import ascii_lowercase
from typing import NamedTuple

from ..book import Book, Section, rule_order
from ..cases import Scenario, numbers
from ..errors import Place
from .issue import Issue, Rule
from .matching import Match, matched
from .resting import NOTHING, Resting, rests_on
from .telling import reversed_days

SAME = "same"
TYPOGRAPHY = "typography"
POINTER = "pointer"
REWORDED = "reworded"
RENUMBERED = "renumbered"
GONE = "gone"
UNCHECKED = "unchecked"
OWN = "own"
NEW = "new"
CLASSES = (SAME, TYPOGRAPHY, POINTER, REWORDED, RENUMBERED, GONE, UNCHECKED, OWN, NEW)
_HARMLESS = frozenset((SAME, TYPOGRAPHY, POINTER, OWN))
"""What no verdict can differ for."""
_NUMBERS = frozenset(("renumbered", "moved"))
_NO_WORDS = frozenset(("same", "typography", "example", "pointer"))


class Held(NamedTuple):
    """A section held against an issue.

    ``at`` are the rules that it is there, ``old`` the one that it was checked against in the older
    issue, ``source`` the digest's that fits; ``certain`` isn't so where only an older issue
    could tell.
    """

    number: str
    kind: str
    place: Place
    evidence: str
    at: tuple[Rule, ...] = ()
    old: Rule | None = None
    source: str = ""
    certain: bool = True
    rests: Resting = NOTHING

    @property
    def fails(self) -> bool:
        """Whether a clause rests on what isn't as it was."""
        return self.kind not in _HARMLESS and bool(self.rests.clauses)

    @property
    def quiet(self) -> bool:
        """Whether nobody has to look at it: its digest fits, or it never had one."""
        return bool(self.source and self.kind in (SAME, TYPOGRAPHY)) or self.kind == OWN

    @property
    def elsewhere(self) -> bool:
        """Whether it is there under other numbers only."""
        return bool(self.at) and all(rule.number != self.number for rule in self.at)


class New(NamedTuple):
    """A rule that no section has; ``place`` is the section before it.

    It is ``covered`` where it stands in a chapter that the book sets out to answer. Whether it was
    ``added`` an older issue tells; without one that is None.
    """

    rule: Rule
    place: Place | None
    evidence: str
    covered: bool
    added: bool | None

    @property
    def fails(self) -> bool:
        """Whether the book sets out to answer it."""
        return self.covered


class Checked(NamedTuple):
    """A book held against an issue: every numbered section in rule order, and what is new."""

    book: Book
    issue: Issue
    old: Issue | None
    sections: tuple[Held, ...]
    new: tuple[New, ...]
    remarks: tuple[str, ...]

    @property
    def fails(self) -> bool:
        """Whether a clause rests on what isn't as it was, or something new is uncovered."""
        return any(each.fails for each in self.sections) or any(each.fails for each in self.new)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many there are of each class."""
        kinds = [*(held.kind for held in self.sections), *(NEW for _ in self.new)]
        return {kind: kinds.count(kind) for kind in CLASSES if kind in kinds}


def checked(
    issue: Issue, book: Book, scenarios: Iterable[Scenario] = (), old: Issue | None = None
) -> Checked:
    """Hold the sections of a book against an issue, with ``old`` the one they were written from."""
    work = _Checking(issue, book, old)
    held = [work.held(book.sections[number]) for number in numbers(book)]
    loud = [each.number for each in held if not each.quiet]
    rests = rests_on(book, loud, scenarios)
    sections = tuple(each._replace(rests=rests.get(each.number, NOTHING)) for each in held)
    return Checked(book, issue, old, sections, tuple(work.new(sections)), tuple(work.remarks()))


class _Checking:
    """An issue and what is known of its rules by their digests."""

    def __init__(self, issue: Issue, book: Book, old: Issue | None) -> None:
        self.issue, self.book, self.old = issue, book, old
        self.there = _by_digest(issue)
        self.before = _by_digest(old) if old else {}
        found = matched(old, issue) if old else ()
        self.became = {rule: match for match in found for rule in match.old}
        self.came = {rule: match for match in found for rule in match.new}
        known = {d for s in book.sections.values() for d in s.digests.values()}
        self.known = {rule for d in known for rule in self.there.get(d, ())}
        self.unfound: list[str] = []

    def held(self, section: Section) -> Held:
        """What a section is in the issue."""
        found = {
            rule: source
            for source, known in section.digests.items()
            for rule in self.there.get(known, ())
        }
        if found:
            return self._found(section, found)
        here = self.issue.of(section.number)
        if not section.digests:
            if here:
                evidence = "it was checked against no wording, and the issue has this number"
                return Held(section.number, UNCHECKED, section.place, evidence, here)
            evidence = "it was checked against no wording, and the issue has no such number"
            return Held(section.number, OWN, section.place, evidence)
        before = self._before(section, section.digests.values())
        if before is not None:
            return self._followed(section, before)
        if self.old:
            self.unfound.append(section.number)
        left = tuple(rule for rule in here if rule not in self.known)
        if left:
            evidence = "what it was checked against is nowhere; the rule under its number differs"
            return Held(section.number, REWORDED, section.place, evidence, left, certain=False)
        evidence = "what it was checked against is nowhere, and " + (
            f"{section.number} is another rule" if here else "there is no such number"
        )
        return Held(section.number, GONE, section.place, evidence, certain=False)

    def _before(self, section: Section, digests: Iterable[str]) -> Rule | None:
        """The rule of the older issue that has one of these digests of a section."""
        known = [rule for each in digests for rule in self.before.get(each, ())]
        return next((r for r in known if r.number == section.number), (*known, None)[0])

    def _found(self, section: Section, found: Mapping[Rule, str]) -> Held:
        """A section whose wording is there, under its number or another one."""
        here = [rule for rule in found if rule.number == section.number]
        at = tuple(here or found)
        source = found[at[0]]
        before = self._before(section, (section.digests[source],))
        if not here:
            match = self.became.get(before) if before and len(at) > 1 else None
            at = tuple(rule for rule in match.new if rule in found) or at if match else at
            evidence = f"its wording ({source}) stands under {listed(at)}"
            evidence += ": one of them" * (len(at) > 1)
            return Held(section.number, RENUMBERED, section.place, evidence, at, before, source)
        if before is None or before.text in {rule.text for rule in at}:
            evidence = f"the wording that was checked ({source})"
            kind = SAME
        else:
            evidence = f"the wording that was checked ({source}), typeset otherwise"
            kind = TYPOGRAPHY
        return Held(
            section.number, kind, section.place, evidence, at, before, source, before is not None
        )

    def _followed(self, section: Section, before: Rule) -> Held:
        """What became of a rule of the older issue whose wording is no longer there."""
        match = self.became.get(before)
        at = match.new if match else ()
        if match is None or not at:
            evidence = match.evidence if match else "nothing in the issue is like it"
            return Held(section.number, GONE, section.place, evidence, old=before)
        kind = _kind(match, any(rule.number == section.number for rule in at))
        evidence = match.evidence
        if match.ambiguous:
            evidence += "; it could be another one"
        return Held(
            section.number, kind, section.place, evidence, at, before, certain=not match.ambiguous
        )

    def new(self, sections: Sequence[Held]) -> Iterator[New]:
        """The rules that no section has, of chapters that the book covers.

        Where an older issue tells what was added, those too that stand below a rule of which the
        book has a section, or for a book that doesn't say what it covers, in one of its chapters.
        """
        covers = self.book.settings.get("covers", ())
        known = [held.number for held in sections if self.book.sections[held.number].digests]
        stands = _chapters(known)
        wide = _chapters(covers) - (_chapters(held.number for held in sections) - stands)
        near = stands if not covers else frozenset(map(_rule, known))
        taken = {*self.known, *(rule for held in sections for rule in _taken(held))}
        for rule in self.issue.rules:
            chapter = _chapter(rule.number)
            covered = chapter in wide
            if (
                rule.heading
                or rule in taken
                or not (covered or {chapter, _rule(rule.number)} & near)
            ):
                continue
            match = self.came.get(rule)
            added = match is not None and bool({"added", "split"} & {*match.kinds})
            gap = rule.number in covers and rule.number not in self.book.sections
            if added or (covered and not gap):
                place = self._near(rule, sections)
                yield New(
                    rule, place, _evidence(match), covered or not covers, added if match else None
                )

    def _near(self, rule: Rule, sections: Sequence[Held]) -> Place | None:
        """The place of the section that stands before where a rule's own would."""
        chapter = _chapter(rule.number)
        own = [s for s in sections if _chapter(s.number) == chapter]
        order = rule_order(rule.number)
        before = [s for s in own if rule_order(s.number) <= order] or own[:1]
        return before[-1].place if before else None

    def remarks(self) -> Iterator[str]:
        """What can't be told, and why."""
        if self.old is None:
            yield (
                "without the issue that the book was checked against (--old FILE) only digests are "
                "known: a change of typography alone counts as the same, and how a rule was "
                "reworded, or whether it is another rule, can't be told"
            )
            if not self.book.settings.get("covers"):
                yield (
                    "the book doesn't say which numbers it covers (`covers` in edition.toml): "
                    "what is new can't be told"
                )
        elif self.unfound:
            yield f"{self.old.file} hasn't the wording that was checked of {_few(self.unfound)}"
        if self.old:
            yield from reversed_days(self.old, self.issue)
        if not any(section.digests for section in self.book.sections.values()):
            yield "no section of the book was checked against any wording: nothing can be told"
        yield from self.issue.remarks


def _evidence(match: Match | None) -> str:
    """How it is known that a rule is new, or that it was there before."""
    if match is None:
        return "no section was checked against it; whether it was there before, --old FILE tells"
    if match.old:
        there = ", ".join(rule.number for rule in match.old)
        return f"none was checked against it; in the old issue it is {there}: {match.evidence}"
    return match.evidence


def _by_digest(issue: Issue) -> dict[str, list[Rule]]:
    """The rules of an issue by the digests of their wordings."""
    out: dict[str, list[Rule]] = {}
    for rule in issue.rules:
        out.setdefault(rule.digest, []).append(rule)
    return out


def _kind(match: Match, here: bool) -> str:
    """What a section's rule is by how the older issue's was matched; the digest isn't there.

    A section that is called as the rule is ``here``, wherever that was before.
    """
    kinds = {*match.kinds} - (_NUMBERS if here else frozenset())
    if not kinds <= _NO_WORDS | _NUMBERS:
        return REWORDED
    if kinds & _NUMBERS:
        return RENUMBERED
    return POINTER if "pointer" in kinds else TYPOGRAPHY


def _taken(held: Held) -> tuple[Rule, ...]:
    """The rules of an issue that a section answers for: of a rule that was split the one under its
    own number, if there is one.
    """
    own = tuple(rule for rule in held.at if rule.number == held.number)
    return own or held.at


def _chapter(number: str) -> str:
    return number.partition(".")[0]


def _rule(number: str) -> str:
    """A rule without its letter."""
    return number.rstrip(ascii_lowercase)


def _chapters(found: Iterable[str]) -> frozenset[str]:
    return frozenset(map(_chapter, found))


def listed(rules: Collection[Rule]) -> str:
    """The numbers of some rules."""
    return ", ".join(dict.fromkeys(rule.number for rule in rules))


def _few(found: Sequence[str], most: int = 8) -> str:
    left = len(found) - most
    return ", ".join(found[:most]) + (f" and {left:,} more" if left > 0 else "")

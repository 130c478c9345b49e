"""The rules of a rule book, read from the file that its publisher issues.

Where a rule begins is said by its number at the beginning of a line, where no sentence is left open
that a number ends ("see rule" … "5.2k"). What is in no rule is told by where it stands. Each line
gets one kind, so that none is lost in silence.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ..book import rule_order
from ..errors import Place, TextError
from ..language import read_bytes, stem
from .decoding import read_lines
from .issue import Issue, Rule, Term

MAX_ISSUE = 20_000_000

_BULLET = r"(?:[-•*·‣–]\s*)?"
_BULLET_NAMED = r"(?P<bullet>[-•*·‣–]\s*)?"
_NUMBER = re.compile(
    _BULLET_NAMED + r"(?P<printed>(?P<section>[0-9]{3})\.(?P<gap>\s{0,3})(?P<part>[0-9]{1,3})"
    r"(?P<letter>(?P<one>[a-z])(?P=one)?)?"
    r"(?P<point>\.(?![0-9])|(?=\s|$|[^\W\da-z_]|[“\"「『《(（\[])))(?P<text>.*)$",
    re.DOTALL,
)
_HEADING = re.compile(
    _BULLET + r"(?P<number>[0-9]{3})(?P<point>\.?)(?P<text>\s.*|(?<=\.)[^\W\d].*)$"
)
_CHAPTER = re.compile(_BULLET + r"(?P<number>[1-9])(?P<point>\.?)(?P<text>\s.*|(?<=\.)[^\W\d].*)$")
_EXAMPLE = re.compile(_BULLET + r"(?:Examples?|EXAMPLES?|例)\s*[:：.)）]\s*")
_INNER_EXAMPLE = re.compile(r"(?<=[.!?:)\]\"”'’])\s+(?=Examples?\s*:)")
_CONTENTS = re.compile(r"(?:table of )?contents:?$|目次$", re.IGNORECASE)
_GLOSSARY = re.compile(r"glossary$|用語集$", re.IGNORECASE)
_CREDITS = re.compile(r"credits$|クレジット$", re.IGNORECASE)
_POINTERS = frozenset(
    ("rule", "rules", "subrule", "subrules", "section", "sections", "see", "and", "or", "through")
)
"""Words that leave a sentence open for a number, whatever stands between the lines."""
_OPEN = frozenset(
    ("a", "an", "are", "as", "at", "by", "from", "in", "is", "least", "of", "step", "steps")
).union(("than", "the", "then", "to", "under", "with"))
"""Words that leave it open where the lines are next to each other."""
_TITLE = re.compile(_BULLET + r"[0-9]{1,3}\.\s[^.]{,80}\b[A-Z]\w*$")
_CLOSED = re.compile(r"[.!?…。！？][\"'”’)\]）」》]*$")
_HYPHEN = re.compile(r"[^\W_]-$")
_SOFT_HYPHENED = re.compile(r"(?<=[^\W_]-)[\u2028\u2029]\s*(?!(?:and|or|nor)\b(?!-))(?=[^\W_])")
_AFTER_HYPHEN = re.compile(r"(?!(?:and|or|nor)\b(?!-))[^\W_]")
_MONTHS = "january february march april may june july august september october november december"
_MONTH = {name[:3]: number for number, name in enumerate(_MONTHS.split(), 1)}
_DATE = re.compile(
    r"\b(?P<stated>effective|current)\s+(?:as\s+of|from|on)\s+(?:"
    r"(?P<month>[A-Za-z]{3,9})\.?\s+(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?,?\s+(?P<year>[0-9]{4})|"
    r"(?P<day2>[0-9]{1,2})(?:st|nd|rd|th)?\s+(?P<month2>[A-Za-z]{3,9})\.?,?\s+(?P<year2>[0-9]{4})|"
    r"(?P<year3>[0-9]{4})[-/](?P<month3>[0-9]{1,2})[-/](?P<day3>[0-9]{1,2}))",
    re.IGNORECASE,
)
_DATE_JA = re.compile(
    r"(?:総合ルール\s*|今の時点\s*[(（]\s*)([12][0-9]{3})[-/年]?([01][0-9])[-/月]?([0-3][0-9])"
)
_DATE_IN_NAME = re.compile(r"(?<![0-9])([12][0-9]{3})-?([01][0-9])-?([0-3][0-9])(?![0-9])")
_HAS_LETTERS = re.compile(r"[^\W\d_]")
_WHICH = "give the publisher's text file, in which each rule begins with its number"
_NOWHERE = "unaccounted"
_WRAPPED = 60
_FEWEST = 20
"""A rule book has a rule to so many lines at least."""


class _Line(NamedTuple):
    """A line that isn't blank: its number in the file, its words, how many ends stand before it."""

    number: int
    words: str
    gap: int


def open_issue(path: str | os.PathLike[str]) -> Issue:
    """The issue that a file holds. Raises TextError where it can't be read or is no rule book."""
    name = os.fspath(path)
    try:
        data = read_bytes(path, name, MAX_ISSUE)
    except TextError as error:
        if error.code or Path(path).is_dir():
            error.hint = _WHICH
        raise
    return read_issue(data, name)


def read_issue(data: bytes, file: str) -> Issue:
    """The issue that a file's bytes are. Raises TextError where they are no rule book."""
    physical, encoding, endings, remarks = read_lines(data)
    lines = _lines(physical)
    reading = _Reading(lines, physical)
    if not reading.rules or sum(not r.heading for r in reading.rules) * _FEWEST < reading.size:
        raise TextError(
            "this is no rule book: hardly a line begins with a rule's number",
            place=Place(file),
            hint=_WHICH,
        )
    day, stated, others = _dated(reading.outer, file)
    doubts = (*remarks, *others, *reading.lacking())
    return Issue(
        file,
        encoding,
        endings,
        day,
        stated,
        tuple(reading.rules),
        tuple(reading.terms),
        {kind: many for kind, many in sorted(Counter(reading.kinds).items()) if kind != _NOWHERE},
        tuple(reading.unaccounted),
        (*doubts, *reading.remarks, *_order(reading.rules)),
        doubts,
    )


def _lines(physical: Sequence[str]) -> list[_Line]:
    """The lines that aren't blank; where each line end is doubled, as if it weren't.

    An example that begins within a line is a line of its own.
    """
    out: list[_Line] = []
    before = 0
    for number, line in enumerate(physical, 1):
        words = line.strip()
        if not words:
            continue
        gap = number - before
        before = number
        if "Example" in words:
            words, *more = _INNER_EXAMPLE.split(words)
            out.append(_Line(number, words, gap))
            out.extend(_Line(number, each, 1) for each in more)
        else:
            out.append(_Line(number, words, gap))
    gaps = Counter(line.gap for line in out[1:])
    if _doubled(gaps):
        out = [line._replace(gap=(line.gap + 1) // 2) for line in out]
    return out


def _doubled(gaps: Counter[int]) -> bool:
    """Whether each line end stands twice: hardly a line is next to another, and some are."""
    odd = sum(number for gap, number in gaps.items() if gap % 2)
    wide = sum(number for gap, number in gaps.items() if gap > 2)
    return odd * 50 < gaps[2] and wide * 50 > gaps[2]


class _Rule:
    """A rule, or a heading, while its lines are read."""

    def __init__(self, number: str, printed: str, heading: bool, text: str, line: int) -> None:
        self.number, self.printed, self.heading = number, printed, heading
        self.line = self.last = line
        self.parts = [text]
        self.examples: list[list[str]] = []

    def made(self) -> Rule:
        """The rule as it is handed on."""
        return Rule(
            self.number,
            _joined(self.parts),
            tuple(map(_joined, self.examples)),
            self.line,
            self.last,
            self.printed,
            self.heading,
        )


def _joined(parts: Sequence[str]) -> str:
    """The words of several lines on one; a word that was parted at its hyphen is whole."""
    text = parts[0]
    for part in parts[1:]:
        whole = _HYPHEN.search(text[-2:]) and _AFTER_HYPHEN.match(part)
        text += part if whole else f" {part}"
    if "\u2028" in text or "\u2029" in text:
        text = _SOFT_HYPHENED.sub("", text)
    return " ".join(text.split())


class _Reading:
    """What each line of a rule book is, from front to credits."""

    def __init__(self, lines: Sequence[_Line], physical: Sequence[str]) -> None:
        self.lines = lines
        self.physical = physical
        self.kinds = ["blank"] * len(physical)
        self.rules: list[Rule] = []
        self.terms: list[Term] = []
        self.unaccounted: list[tuple[int, str]] = []
        self.remarks: list[str] = []
        self.outer: list[str] = []
        self.listed: list[str] = []
        """The sections that the contents name."""
        self.numbers = [_number(line.words) for line in lines]
        self.size = 0
        body = self._body()
        if body is None:
            return
        end = self._until(_GLOSSARY, body)
        credits = self._until(_CREDITS, end)
        self._front(body)
        self._rules(body, end)
        self.size = end
        self._glossary(end, credits)
        self._mark("credits", credits, len(lines))
        self.outer += [line.words for line in lines[credits:]]

    def _mark(self, kind: str, start: int, end: int) -> None:
        for line in self.lines[start:end]:
            self.kinds[line.number - 1] = kind

    def _body(self) -> int | None:
        """Where the rules begin: at the first, or the headings above it."""
        for i, found in enumerate(self.numbers):
            if found and (found["bullet"] or not self._open(i)):
                break
        else:
            return None
        section = found["section"]
        for above in range(i - 1, max(i - 4, -1), -1):
            heading = _HEADING.match(self.lines[above].words)
            if heading and heading["number"] == section:
                over = _CHAPTER.match(self.lines[above - 1].words) if above else None
                return above - bool(over and over["number"] == section[0])
        return i

    def _until(self, wanted: re.Pattern[str], start: int) -> int:
        """Where a part of the book begins that is called so, after its rules; else their end."""
        for i in range(start, len(self.lines)):
            if wanted.match(self.lines[i].words) and not self._open(i):
                return i
        return len(self.lines)

    def _open(self, i: int) -> bool:
        """Whether the line before ends in the middle of a sentence that can go on with a number."""
        if not i:
            return False
        before = self.lines[i - 1].words
        last = before[-1]
        if not last.isalpha():
            return last in ",–—" or (last in "([{/-" and self.lines[i].gap == 1)
        word = before[-12:].split()[-1].lstrip("([{").lower()
        if word in _POINTERS or (word in _OPEN and self.lines[i].gap == 1):
            return not _TITLE.match(before)
        return False

    def _front(self, body: int) -> None:
        """What stands before the rules: an introduction, and contents that name the headings."""
        lines = self.lines[:body]
        start = body
        for i, line in enumerate(lines):
            follows = i + 1 < body and lines[i + 1].gap == 1
            heading = follows and self._heading(i) and self._heading(i + 1)
            if _CONTENTS.match(line.words) or heading:
                start = i
                break
        self._mark("front", 0, start)
        self._mark("contents", start, body)
        self.outer = [line.words for line in lines[:start]]
        found = map(_HEADING.match, (line.words for line in lines[start:]))
        self.listed = [heading["number"] for heading in found if heading]

    def lacking(self) -> Iterator[str]:
        """That sections are missing which the contents name, if some are."""
        there = {rule.number[:3] for rule in self.rules}
        gone = [number for number in dict.fromkeys(self.listed) if number not in there]
        if gone:
            which = gone[0] + f" and {len(gone) - 1:,} more" * (len(gone) > 1)
            yield f"the contents name section {which}, not to be found here: is the file whole?"

    def _heading(self, i: int) -> re.Match[str] | None:
        words = self.lines[i].words
        return _HEADING.match(words) or _CHAPTER.match(words)

    def _rules(self, start: int, end: int) -> None:
        """The rules and headings, and the lines that go on with them."""
        lines = self.lines
        section_after = self._sections(start, end)
        current: _Rule | None = None
        last = ""
        for i in range(start, end):
            line = lines[i]
            found = self.numbers[i]
            kind = "continued"
            began = found is not None and self._begins(i, found, last)
            heading = None if began else self._headed(i, end, last, section_after)
            if began and found is not None:
                self._keep(current)
                current = _rule(found, line.number)
                last = current.number
                kind = "rule"
            elif heading:
                self._keep(current)
                number = heading["number"]
                text = heading["text"]
                current = _Rule(number, number, True, text, line.number)
                last = number if len(number) > 1 else last
                kind = "heading"
            elif current and not current.heading and (example := _EXAMPLE.match(line.words)):
                current.examples.append([line.words[example.end() :]])
                current.last = line.number
                kind = "example"
            elif self._unnumbered(i, end, current):
                self._keep(current)
                current = None
                kind = "heading"
                self.remarks.append(f"line {line.number}: a heading without a number")
            elif current is None or (current.heading and not self._wrapped(i)):
                kind = _NOWHERE
            else:
                if line.gap > 1 and _CLOSED.search(lines[i - 1].words[-8:]):
                    self.remarks.append(
                        f"line {line.number}: a paragraph without a number, read with "
                        f"{current.number}"
                    )
                parts = current.examples[-1] if current.examples else current.parts
                if self._torn(i):
                    parts[-1] += line.words
                else:
                    parts.append(line.words)
                current.last = line.number
                kind = "example" if current.examples else kind
            if self.kinds[line.number - 1] == "blank":
                self.kinds[line.number - 1] = kind
                if kind == _NOWHERE:
                    self.unaccounted.append((line.number, line.words))
        self._keep(current)

    def _keep(self, rule: _Rule | None) -> None:
        if rule:
            self.rules.append(rule.made())

    def _sections(self, start: int, end: int) -> list[str]:
        """For each line the section of the next number at or after it."""
        out = [""] * len(self.lines)
        after = ""
        for i in range(end - 1, start - 1, -1):
            found = self.numbers[i]
            if found and (found["bullet"] or not self._open(i)):
                after = found["section"]
            out[i] = after
        return out

    def _begins(self, i: int, found: re.Match[str], last: str) -> bool:
        """Whether a rule begins with the number that begins a line."""
        if found["bullet"]:
            return True
        if self._open(i):
            return False
        line = self.lines[i]
        if line.gap > 1 or not i or _CLOSED.search(self.lines[i - 1].words[-8:]):
            return True
        return not last or rule_order(last) < rule_order(_canonical(found))

    def _headed(
        self, i: int, end: int, last: str, section_after: Sequence[str]
    ) -> re.Match[str] | None:
        """The heading that a line is, if it is one."""
        line = self.lines[i]
        if not line.words[0].isascii() and line.words[0] not in "•·‣–":
            return None
        found = self._heading(i)
        if not found or self._open(i) or not _HAS_LETTERS.search(found["text"]):
            return None
        text = found["text"].lstrip()
        if not found["point"] and text[0].islower():
            return None
        follows = i + 1 < end
        number = found["number"]
        if len(number) == 1:
            below = _HEADING.match(self.lines[i + 1].words) if follows else None
            return found if below and below["number"][0] == number else None
        if section_after[i] == number:
            return found
        if not found["point"]:
            return None
        above = follows and self._heading(i + 1) is not None
        due = last[:3] < number < section_after[i] and bool(
            _CLOSED.search(self.lines[i - 1].words[-8:])
        )
        return found if line.gap > 1 or above or due else None

    def _unnumbered(self, i: int, end: int, current: _Rule | None) -> bool:
        """Whether a line is a heading that has no number: short, alone, and of no sentence."""
        line = self.lines[i]
        if len(line.words) > _WRAPPED or re.search(r"[.。!?:;,…]$", line.words):
            return False
        if i and not (current and current.heading):
            before = self.lines[i - 1].words
            if line.gap == 1 or not (current is None or _CLOSED.search(before[-8:])):
                return False
        elif self._wrapped(i):
            return False
        if i + 1 >= end:
            return False
        starts = self.numbers[i + 1] or self._heading(i + 1)
        return bool(starts) and (self.lines[i + 1].gap > 1 or line.gap == 1)

    def _wrapped(self, i: int) -> bool:
        """Whether a line can go on with the line before, which was too long."""
        return self.lines[i].gap == 1 and len(self.lines[i - 1].words) >= _WRAPPED

    def _named(self, i: int, end: int) -> bool:
        """Whether a line looks like the name of an entry, where no blank lines part entries."""
        words = self.lines[i].words
        before = self.lines[i - 1].words
        return (
            i + 1 < end
            and len(words) <= _WRAPPED
            and not words[0].islower()
            and not _CLOSED.search(words[-8:])
            and bool(_CLOSED.search(before[-8:]))
        )

    def _torn(self, i: int) -> bool:
        """Whether a web address was broken off where the line before is full."""
        before = self.lines[i - 1]
        whole = "://" in before.words[before.words.rfind(" ") + 1 :]
        return whole and len(self.physical[before.number - 1].rstrip()) == self._width

    @cached_property
    def _width(self) -> int:
        return max(len(line.rstrip()) for line in self.physical)

    def _glossary(self, start: int, end: int) -> None:
        """The entries of the glossary: blocks of lines, of which the first is the name."""
        self._mark("glossary", start, end)
        block: list[_Line] = []
        dense = all(line.gap == 1 for line in self.lines[start + 2 : end])
        for i in range(start + 1, end):
            line = self.lines[i]
            apart = self._named(i, end) if dense and i > start + 1 else line.gap > 1
            if apart and block:
                self.terms.append(_term(block))
                block = []
            block.append(line)
        if block:
            self.terms.append(_term(block))


def _number(words: str) -> re.Match[str] | None:
    """A rule's number at the beginning of a line, with what follows it."""
    if not words[0].isdigit() and words[0] not in "-•*·‣–":
        return None
    found = _NUMBER.match(words)
    if not found or not _HAS_LETTERS.search(found["text"]):
        return None
    return found if not found["gap"] or found["letter"] or found["point"] else None


def _canonical(found: re.Match[str]) -> str:
    return f"{found['section']}.{found['part']}{found['letter'] or ''}"


def _rule(found: re.Match[str], line: int) -> _Rule:
    number = _canonical(found)
    printed = found["printed"].rstrip()
    usual = (number,) if found["letter"] else (number, f"{number}.")
    return _Rule(number, number if printed in usual else printed, False, found["text"], line)


def _term(block: Sequence[_Line]) -> Term:
    name, *text = (line.words for line in block)
    return Term(name, _joined(text) if text else "", block[0].number, block[-1].number)


def _order(rules: Sequence[Rule]) -> Iterator[str]:
    """Remarks on numbers: those that stand twice, out of order, or are misprinted."""
    places: dict[str, list[int]] = {}
    before, at = "", rule_order("")
    for rule in rules:
        number = rule.number
        places.setdefault(number, []).append(rule.line)
        if rule.printed != number:
            yield f'line {rule.line}: the number {number} is printed "{rule.printed}", {_odd(rule)}'
        if len(number) > 1:
            here = rule_order(number)
            if here < at:
                yield f"line {rule.line}: {number} comes after {before}"
            before, at = number, here
    for number, lines in places.items():
        if len(lines) > 1:
            yield f"{number} stands {len(lines)} times, in lines {', '.join(map(str, lines))}"


def _odd(rule: Rule) -> str:
    """What is odd about how a number is printed."""
    odd = ["with a space in it"] * any(map(str.isspace, rule.printed))
    odd += ["with a point after its letter"] * rule.printed.endswith(".")
    return " and ".join(odd) or "unlike others"


def _dated(outer: Sequence[str], file: str) -> tuple[str, str, list[str]]:
    """The day that a book says it is of, how it says so, and what speaks against it."""
    text = " ".join(" ".join(outer).split())
    found: list[tuple[str, str]] = []
    for match in _DATE.finditer(text):
        year, month, day = (
            next(filter(None, (match[f"{part}{n}"] for n in ("", "2", "3"))))
            for part in ("year", "month", "day")
        )
        number = int(month) if month.isdigit() else _MONTH.get(month[:3].lower(), 0)
        found.append((f"{year}-{number:02}-{int(day):02}", match["stated"].lower()))
    found += (("-".join(m.groups()), "current") for m in _DATE_JA.finditer(text))
    found = [(day, how) for day, how in found if _is_day(day)]
    if not found:
        return "", "", []
    first, stated = found[0]
    others = sorted({day for day, _ in found} - {first})
    doubts = [f"another day is stated, too: {day}" for day in others]
    named = _DATE_IN_NAME.search(stem(file))
    if named and (other := "-".join(named.groups())) != first:
        doubts.append(f"the file's name says {other}, the text {first}")
    return first, stated, doubts


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True

"""One issue of a rule book: its rules, its glossary, and what each of its lines is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from ..book import digest

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Rule(NamedTuple):
    """A rule, or a heading, and where it stands.

    ``text`` is without number and examples, on one line, in the typography as it is printed.
    ``line`` and ``last`` are lines of the file from 1. ``printed`` is the number as it is printed
    where that is not how numbers are, else the number.
    """

    number: str
    text: str
    examples: tuple[str, ...]
    line: int
    last: int
    printed: str
    heading: bool

    @property
    def digest(self) -> str:
        """The digest of the wording, however it is typeset."""
        return digest(self.text)


class Term(NamedTuple):
    """An entry of the glossary."""

    name: str
    text: str
    line: int
    last: int


class Issue(NamedTuple):
    """A rule book as one file has it.

    ``rules`` are in the order of the file, headings among them; a number that stands twice is
    there twice. ``lines`` counts the lines of each kind, ``unaccounted`` are those of none, and
    ``remarks`` say what a reader should know: doubled numbers, damaged characters. Those of them
    that put the whole file in question are its ``doubts``.
    """

    file: str
    encoding: str
    endings: Mapping[str, int]
    date: str
    stated: str
    rules: tuple[Rule, ...]
    terms: tuple[Term, ...]
    lines: Mapping[str, int]
    unaccounted: tuple[tuple[int, str], ...]
    remarks: tuple[str, ...]
    doubts: tuple[str, ...] = ()

    def of(self, number: str) -> tuple[Rule, ...]:
        """What stands under a number: nothing, a rule, or several where it is printed twice."""
        return tuple(rule for rule in self.rules if rule.number == number)

    def wordings(self) -> dict[str, str]:
        """What stands under each number that is no heading; of one that stands twice, the last."""
        return {rule.number: rule.text for rule in self.rules if not rule.heading}

    def within(self, chapters: Collection[str]) -> Iterator[Rule]:
        """The rules under these numbers: 5 and 5.2 of 5, 5.2 and 5.2a of 5.2."""
        for rule in self.rules:
            if under(rule.number, chapters):
                yield rule


@lru_cache(1 << 14)
def above(number: str) -> tuple[str, ...]:
    """What a rule stands below: its chapter, its section, and for a letter its rule."""
    section, point, _ = number.partition(".")
    if not point:
        return (number[:1],)
    rule = number.rstrip(LETTERS)
    return (number[:1], section) if rule == number else (number[:1], section, rule)


def under(number: str, numbers: Collection[str]) -> bool:
    """Whether a number is one of these, or stands below one of them."""
    return number in numbers or any(each in numbers for each in above(number))

"""Mutants that are known to change no verdict, each with a reason: ``equivalent.toml`` of a book.

A file holds ``[[equivalent]]`` groups: ``rule`` and ``head`` name the clause, ``clause`` says which
of several (the first is 1), ``wrong`` is what `seatlog mutate` says of the mutant, or a list of
that, and ``reason`` why no table tells it from the book; or ``bound`` within which that was proved.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import BookError, Place, did_you_mean, printable, refuse
from ..language import read_file
from ..model import Clause
from .mutants import Mutant

FILE = "equivalent.toml"
_KEYS = {"rule": str, "head": str, "clause": int, "wrong": list, "reason": str, "bound": str}
_NEEDED = ("rule", "head", "wrong")
_WHY = ("reason", "bound")
NO_MUTANT = "there is no such mutant"


class Mark(NamedTuple):
    """One mutant that is marked as equivalent: of clause ``number`` of its head, or of any.

    ``bound`` is empty where ``reason`` isn't that it was proved within one.
    """

    rule: str
    head: str
    number: int
    wrong: str
    reason: str
    bound: str = ""

    def __str__(self) -> str:
        number = f" (clause {self.number})" if self.number else ""
        return f"{self.rule} {self.head}{number}: {self.wrong}"


def marks_of(folder: Path) -> list[Mark]:
    """What an edition's folder marks as equivalent. Raises BookError, Faults."""
    path = folder / FILE
    if not os.path.lexists(path):
        return []
    place = Place(str(path))
    try:
        data = tomllib.loads(read_file(path))
    except ValueError as error:
        raise BookError(f"this is not TOML: {printable(str(error))}", place=place) from None
    groups = data.get("equivalent")
    if set(data) != {"equivalent"} or not isinstance(groups, list):
        raise BookError("this holds [[equivalent]] groups and nothing else", place=place)
    errors = [e for number, each in enumerate(groups, 1) if (e := _wrong(each, number, place))]
    refuse(errors)
    return [
        Mark(each["rule"], each["head"], each.get("clause", 0), wrong, *_why(each))
        for each in groups
        for wrong in _listed(each["wrong"])
    ]


def _why(group: Mapping[str, Any]) -> tuple[str, str]:
    """The reason of a group, and its bound."""
    bound = group.get("bound", "")
    return group.get("reason") or f"no game within {bound} tells it apart: proved", bound


def _listed(wrong: Any) -> list[Any]:
    return wrong if isinstance(wrong, list) else [wrong]


def _wrong(group: Any, number: int, place: Place) -> BookError | None:
    """What is wrong with a group of a file, if anything is."""
    what = hint = ""
    if not isinstance(group, dict):
        what, hint = "is no group of keys", 'like: rule = "1.2"'
    elif unknown := next((key for key in group if key not in _KEYS), ""):
        what = f"has no use for {printable(unknown)}"
        hint = did_you_mean(unknown, _KEYS) or "known: " + ", ".join(_KEYS)
    elif lacking := next((key for key in _NEEDED if not group.get(key)), ""):
        what, hint = f"lacks {lacking}", f"needed: {', '.join(_NEEDED)}, {' or '.join(_WHY)}"
    elif not any(group.get(key) for key in _WHY):
        what, hint = "doesn't say why", f"needed: {' or '.join(_WHY)}"
    elif not all(isinstance(w, str) for w in _listed(group["wrong"])):
        what, hint = "has another wrong than a text or a list of texts", "as `mutate` says it"
    elif bad := next((k for k, v in group.items() if k != "wrong" and type(v) is not _KEYS[k]), ""):
        what, hint = f"has a wrong kind of {bad}", f"{bad} is a {_KEYS[bad].__name__}"
    return BookError(f"[[equivalent]] {number} {what}", place=place, hint=hint) if what else None


class Marked:
    """Marks held against the mutants of a book's clauses."""

    def __init__(self, marks: Iterable[Mark], clauses: Sequence[Clause]) -> None:
        self.marks = list(marks)
        self._number: dict[int, int] = {}
        counts: dict[tuple[str, str], int] = {}
        for clause in clauses:
            key = (clause.rule, clause.head.name)
            counts[key] = self._number[id(clause)] = counts.get(key, 0) + 1

    def of(self, mutant: Mutant) -> Mark | None:
        """The mark that a mutant has."""
        clause = mutant.clause
        number = self._number.get(id(clause), 0)
        for mark in self.marks:
            named = (mark.rule, mark.head) == (clause.rule, clause.head.name)
            if named and mark.wrong == mutant.wrong and mark.number in (0, number):
                return mark
        return None

    def stale(self, mutants: Iterable[Mutant], killed: Mapping[int, bool]) -> dict[Mark, str]:
        """The marks that don't fit, and why: no mutant has them, or one that is killed does."""
        found: dict[Mark, list[bool]] = {mark: [] for mark in self.marks}
        for mutant in mutants:
            mark = self.of(mutant)
            if mark is not None:
                found[mark].append(killed[id(mutant)])
        out = {}
        for mark, fates in found.items():
            if not fates:
                out[mark] = NO_MUTANT
            elif any(fates):
                out[mark] = "a scenario notices it"
        return out

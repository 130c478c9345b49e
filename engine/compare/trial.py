"""A book's mutants on trial by its scenarios: what is killed, what is marked, what survives."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..book import Book, rule_order
from ..cases import Scenario, read_scenarios, scenario_files
from ..editions import load_book
from ..errors import QuestionError, did_you_mean, printable
from ..model import Clause
from .equivalent import NO_MUTANT, Mark, Marked
from .kills import kill_matrix
from .mutants import KINDS, MORE, Mutant, Mutants


class Trial(NamedTuple):
    """What came out: ``alive`` are the mutants that no scenario kills.

    ``marked`` are those of them with a mark, by their ``id``; ``stale`` the marks that don't fit,
    and why.
    """

    mutants: tuple[Mutant, ...]
    alive: tuple[Mutant, ...]
    clauses: int
    marked: Mapping[int, Mark]
    stale: Mapping[Mark, str]

    @property
    def survivors(self) -> list[Mutant]:
        """The mutants that no scenario kills and nothing marks."""
        return [m for m in self.alive if id(m) not in self.marked]


def percent(part: int, whole: int) -> float:
    """How many per cent, to one digit and never up to the whole; all of nothing is all."""
    return int(1000 * part / whole) / 10 if whole else 100.0


def own_clauses(book: Book, sections: Collection[str] = ()) -> list[Clause]:
    """The clauses in a book's own files, or those of some sections. Raises QuestionError."""
    for number in sections:
        if number not in book.sections:
            what = f"{book.name} has no section {printable(number)!r}"
            raise QuestionError(what, hint=did_you_mean(number, book.sections))
    if sections:
        return [c for c in book.clauses if c.rule in sections]
    folder, default = f"{book.name}/", bool(book.settings.get("default"))
    return [
        c
        for c in book.clauses
        if c.place.file.startswith(folder) or (default and "/" not in c.place.file)
    ]


def scenarios_of(book: Book, paths: Iterable[Path]) -> list[Scenario]:
    """The scenarios that ask a book, those of one table together. Raises SeatlogError."""
    default = load_book().name
    found = []
    for path in paths:
        for file in scenario_files(path):
            own = read_scenarios(file)
            found += [s for s in own if Path(s.edition or default).name == book.name]
    first: dict[str, int] = {}
    return sorted(found, key=lambda s: first.setdefault(repr(s.data), len(first)))


def tried(
    book: Book,
    scenarios: Sequence[Scenario],
    kinds: Collection[str],
    clauses: Sequence[Clause],
    marks: Iterable[Mark] = (),
    tell: Callable[[Scenario, int], object] = lambda *_: None,
) -> Trial:
    """Put the mutants of some of a book's clauses on trial. ``tell`` is as in ``kill_matrix``.

    A mark of a kind that isn't wanted, or of a clause that isn't on trial, fits none and is fine.
    """
    mutants = tuple(Mutants(book, kinds).every(clauses))
    killed = kill_matrix(book, mutants, scenarios, tell).killed
    alive = tuple(m for number, m in enumerate(mutants, 1) if not killed >> number & 1)
    every = tuple(marks)
    heads = {(c.rule, c.head.name) for c in clauses}
    marked = Marked([m for m in every if (m.rule, m.head) in heads], book.clauses)
    left = {id(m) for m in alive}
    found = {id(m): mark for m in alive if (mark := marked.of(m))}
    stale = marked.stale(mutants, {id(m): id(m) not in left for m in mutants})
    others = {*KINDS, *MORE} - {*kinds}
    if others and NO_MUTANT in stale.values():
        untried = {marked.of(m) for m in Mutants(book, others).every(clauses)}
        stale = {m: why for m, why in stale.items() if why != NO_MUTANT or m not in untried}
    known = {(c.rule, c.head.name) for c in book.clauses}
    stale |= {m: "there is no such clause" for m in every if (m.rule, m.head) not in known}
    return Trial(mutants, alive, len(clauses), found, stale)


def by_clause(mutants: Iterable[Mutant]) -> list[tuple[Clause, list[Mutant]]]:
    """Mutants with their clauses, in rule order."""
    found: dict[int, tuple[Clause, list[Mutant]]] = {}
    for mutant in mutants:
        found.setdefault(id(mutant.clause), (mutant.clause, []))[1].append(mutant)
    return sorted(found.values(), key=lambda each: (rule_order(each[0].rule), each[0].place[:2]))

"""Marks that rest on a proof, proved again: no game within the bound that they name differs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..book import Book
from ..errors import SeatlogError
from ..worlds import read_bound
from .equivalent import Mark
from .mutants import CLAUSE, Mutant
from .witness import Witnesses


def unproved(
    book: Book,
    marked: Iterable[tuple[Mutant, Mark]],
    tell: Callable[[Mutant], object] = lambda _: None,
) -> dict[Mark, str]:
    """The marks with a bound that aren't proved within it, and why.

    A proof has to be about games in which the clause counts: where none within the bound notices
    that all of it is dropped, nothing is proved. Where no verdict rests on a clause, what it says
    itself is looked at. ``tell`` is called with each mutant before it is looked at. Raises
    SeatlogError where python-sat isn't installed.
    """
    by_bound: dict[str, list[tuple[Mutant, Mark]]] = {}
    for mutant, mark in marked:
        if mark.bound:
            by_bound.setdefault(mark.bound, []).append((mutant, mark))
    out: dict[Mark, str] = {}
    for bound, own in by_bound.items():
        out.update(_unproved(book, bound, own, tell))
    return out


def _unproved(
    book: Book,
    bound: str,
    marked: Iterable[tuple[Mutant, Mark]],
    tell: Callable[[Mutant], object],
) -> Iterator[tuple[Mark, str]]:
    """Of marks of one bound those that aren't proved, and why."""
    try:
        sizes = read_bound(bound, book.vocabulary)
    except SeatlogError as error:
        yield from ((mark, error.what) for _, mark in marked)
        return
    verdicts = Witnesses(book, sizes)
    counting: dict[int, Witnesses | None] = {}
    try:
        for mutant, mark in marked:
            tell(mutant)
            clause = mutant.clause
            if id(clause) not in counting:
                whole = Mutant(clause, None, CLAUSE, "drops the clause")
                itself = Witnesses(book, sizes, [clause.head.name])
                counting[id(clause)] = next((w for w in (verdicts, itself) if w.some(whole)), None)
            witnesses = counting[id(clause)]
            if witnesses is None:
                yield mark, f"no game within {bound} notices the whole clause dropped either"
            elif not witnesses.none(mutant):
                yield mark, f"a game within {bound} tells it from the book"
    finally:
        for each in {id(w): w for w in (verdicts, *counting.values()) if w}.values():
            each.close()

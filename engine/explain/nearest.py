"""What came closest to being an answer to a literal that has none."""

from __future__ import annotations

from itertools import islice, product
from math import prod
from typing import NamedTuple

from ..book import Book, roots
from ..model import Const, Literal, Value, Var
from ..solvers import ground
from .node import Node
from .prove import Prover
from .tracing import Tracer

MOST = 12
MAX_LOOKED_AT, MAX_REFUTED = 60, 24
MAX_STEPS = 100


class Nearest(NamedTuple):
    """What came closest, the closest first, and how many there are that could be asked about.

    A term stays open in them that could be any number or text.
    """

    literals: tuple[Literal, ...]
    number: int


def nearest(tracer: Tracer, literal: Literal) -> Nearest:
    """The names of the right sorts for which a literal would hold soonest.

    Closest is what fewest conditions keep from it, and what is forbidden rather than lacking
    something. Among equals those come first of which the book has something to tell, then those
    that name nobody twice, then the shortest reasons. Where there are very many, only the first at
    the table are looked at.
    """
    prover = tracer.prover
    names = {
        term.name: _names(prover, literal.name, spot)
        for spot, term in enumerate(literal.args)
        if isinstance(term, Var)
    }
    known = {name: values for name, values in names.items() if values is not None}
    if literal.negated or not known or literal.name not in prover.by_head:
        return Nearest((), 0)
    every = product(*known.values())
    found = [
        ground(literal, dict(zip(known, values, strict=True)))
        for values in islice(every, MAX_LOOKED_AT)
    ]
    short = {each: prover.short_of(each) for each in found}
    found = sorted(found, key=short.__getitem__)[:MAX_REFUTED]
    far = {each: (short[each], *_distance(tracer, each)) for each in found}
    found.sort(key=far.__getitem__)
    return Nearest(tuple(found[:MOST]), prod(map(len, known.values())))


def _names(prover: Prover, name: str, spot: int) -> list[Value] | None:
    """The names at the table that a term can be, or None where it can be anything."""
    book = prover.book
    inferred = book.arg_sorts[name][spot]
    if inferred is None:
        return None
    allowed = _declared(book, name, spot)
    fitting = inferred if allowed is None else inferred & allowed
    return [known for known, sort in prover.names.items() if sort in fitting]


def _declared(book: Book, name: str, spot: int) -> frozenset[str] | None:
    """The sorts that the name of a term stands for."""
    fact = book.vocabulary.facts.get(name)
    named = fact.sorts[spot] if fact else book.predicates[name].params[spot].rstrip("0123456789")
    sort = book.vocabulary.sorts.get(named)
    return roots(sort, book.vocabulary.sorts) if sort else None


def _distance(tracer: Tracer, literal: Literal) -> tuple[bool, bool, int]:
    """Whether a no tells nothing, names somebody twice, and how many steps it has."""
    steps, untold = 0, True
    todo: list[Node] = [tracer.prover.refute(literal)]
    while todo and steps < MAX_STEPS:
        steps += 1
        step = todo.pop()
        todo += step.children
        item = step.item
        untold = untold and not (isinstance(item, Literal) and tracer.told(item))
    values = [term.value for term in literal.args if isinstance(term, Const)]
    again = len(values) > len(set(values))
    return untold, again, steps

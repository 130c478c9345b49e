"""What the rules leave open, as clauses: for each predicate with doubts those of its rows.

The same rows as ``explain/doubts.py`` finds on one table, said beforehand for every table. A doubt
that speaks of all terms of its predicate concerns those rows; of one that speaks of some terms only
the others are what the predicate's answers and clauses could come to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from ..book import Book, Predicate, Words
from ..errors import Place
from ..model import Clause, Comparison, Const, Item, Literal, Term, Var, variables
from .universe import names_of

_PLACE = Place("doubts")


def open_rows(book: Book) -> tuple[dict[str, list[Clause]], dict[str, str]]:
    """Clauses of the predicates that hold of open rows, by head; for which predicate each is."""
    clauses: dict[str, list[Clause]] = {}
    doubted: dict[str, str] = {}
    for predicate in book.predicates.values():
        if predicate.doubts:
            head = doubted[predicate.name] = f"{predicate.name} open"
            for clause in _about(book, predicate, head):
                clauses.setdefault(clause.head.name, []).append(clause)
    return clauses, doubted


def saying(book: Book) -> list[Clause]:
    """The clauses out of which a book's verdicts come, those of what it leaves open among them."""
    return [*book.clauses, *(clause for own in open_rows(book)[0].values() for clause in own)]


def _about(book: Book, predicate: Predicate, name: str) -> Iterator[Clause]:
    params = tuple(Var(p) for p in predicate.params)
    head = Literal(name, params)
    for doubt in predicate.doubts:
        if set(predicate.params) <= set(variables(doubt.args)):
            yield Clause(head, (doubt,), "", _PLACE)
            continue
        yield Clause(head, (doubt, Literal(predicate.name, params)), "", _PLACE)
        for clause in book.clauses_of(predicate.name):
            yield from _by_clause(book, predicate, name, doubt, _apart(clause))


def _apart(clause: Clause) -> Clause:
    """A clause whose variables are those of no other."""
    mark = count()
    names: dict[str, str] = {}

    def name(term: Term) -> Term:
        if isinstance(term, Var):
            return Var(names.setdefault(term.name, f"C{next(mark)}"))
        return term

    def renamed(literal: Literal) -> Literal:
        return literal._replace(args=tuple(name(t) for t in literal.args))

    body = tuple(renamed(i) for i in clause.body if isinstance(i, Literal) and not i.negated)
    return clause._replace(head=renamed(clause.head), body=body)


def _by_clause(
    book: Book, predicate: Predicate, name: str, doubt: Literal, clause: Clause
) -> Iterator[Clause]:
    """The rows by what a clause says alone of those terms of its head that a doubt leaves out."""
    head = clause.head.args
    terms: Mapping[str, Term] = dict(zip(predicate.params, head, strict=True))
    spoken = set(variables(doubt.args))
    said = doubt._replace(
        args=tuple(terms.get(t.name, t) if isinstance(t, Var) else t for t in doubt.args)
    )
    left = {i for i, p in enumerate(predicate.params) if p not in spoken}
    free = set(variables(head))
    body: list[Item] = [said]
    rest = [i for i in clause.body if isinstance(i, Literal)]
    wanted = set(variables(head[spot] for spot in left))
    while guard := next(
        (i for i in rest if (n := set(variables(i.args))) <= free and n & wanted), None
    ):
        body.append(guard)
        rest = [i for i in rest if i is not guard]
        names = set(variables(guard.args))
        left = {spot for spot in left if not set(variables((head[spot],))) <= names}
        wanted = set(variables(head[spot] for spot in left))
    for choice in _anything(book, predicate, sorted(left), head):
        yield Clause(Literal(name, head), (*body, *choice), "", _PLACE)


def _anything(
    book: Book, predicate: Predicate, left: list[int], head: tuple[Term, ...]
) -> Iterator[tuple[Item, ...]]:
    """Every way to fill the terms of which nothing is said, by their sorts."""
    if not left:
        yield ()
        return
    spot, term = left[0], head[left[0]]
    sorts = book.arg_sorts[predicate.name][spot]
    declared = book.vocabulary.sorts.get(predicate.params[spot].rstrip("0123456789"))
    ways: list[Item] = []
    if sorts is not None:
        ways += [Literal(names_of(sort), (term,)) for sort in sorted(sorts)]
    elif isinstance(declared, Words):
        ways += [Comparison("==", term, Const(word)) for word in declared.words]
    else:
        args = tuple(term if i == spot else Var(f"A{spot}x{i}") for i in range(len(head)))
        ways.append(Literal(predicate.name, args))
    for rest in _anything(book, predicate, left[1:], head):
        for way in ways:
            yield (way, *rest)

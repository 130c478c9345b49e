"""Many games as one table, so that an engine is asked once for all of them.

Every predicate has one more term, the game, and each clause speaks of one game throughout. What the
rules leave open is asked in clauses, too: a predicate that rests on something open has two beside
it, what holds for certain and what may hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from seatlog.book import Book, Clauses, Predicate
from seatlog.errors import Place
from seatlog.model import (
    Clause,
    Comparison,
    Const,
    Count,
    Item,
    Literal,
    Row,
    Statement,
    Var,
    literals,
)
from seatlog.solvers import Solver
from seatlog.worlds.doubting import open_rows
from seatlog.worlds.universe import naming

GAME = "game"
_GAME = Var("the game")
_PLACE = Place("test")
SURE, MAY = "surely ", "maybe "
NUMBER = "a number"
MOST = 40
"""Counts of what may hold come to no more."""


def in_one(book: Book) -> Book:
    """The book whose predicates have the game as their first term, but those of plain facts."""
    plain = {name for name, own in book.by_head.items() if not any(c.body for c in own)}

    def placed(literal: Literal) -> Literal:
        if literal.name in plain:
            return literal
        return literal._replace(args=(_GAME, *literal.args))

    def item(each: Item) -> Item:
        if isinstance(each, Count):
            return each._replace(literal=placed(each.literal))
        return placed(each) if isinstance(each, Literal) else each

    def clause(each: Clause) -> Clause:
        if each.head.name in plain:
            return each
        body = tuple(map(item, each.body))
        if not any(isinstance(i, Literal) and not i.negated and _GAME in i.args for i in body):
            body = (Literal(GAME, (_GAME,)), *body)
        return each._replace(head=placed(each.head), body=body, spots=())

    facts = book.vocabulary.facts
    lifted = {n: f if n in plain else f._replace(args=(GAME, *f.args)) for n, f in facts.items()}
    lifted[GAME] = next(iter(facts.values()))._replace(name=GAME, args=(GAME,))
    return _with(
        book._replace(vocabulary=book.vocabulary._replace(facts=lifted)), map(clause, book.clauses)
    )


def stated_in_one(games: Iterable[Sequence[Statement]]) -> Iterator[Statement]:
    """What all games state, each under its number."""
    for number, facts in enumerate(games):
        yield Statement(GAME, (number,))
        for name, row, _ in facts:
            yield Statement(name, (number, *row))


def columns_of(solver: Solver, book: Book, name: str, games: int) -> dict[Row, int]:
    """The rows of a predicate with a bit for each game in which they hold, as a solver has it."""
    literal = Literal(name, tuple(map(Var, book.predicates[name].params)))
    if _GAME.name not in book.predicates[name].params:
        return dict.fromkeys(solver.rows(literal), (1 << games) - 1)
    found: dict[Row, int] = {}
    for game, *rest in solver.rows(literal):
        row = tuple(rest)
        found[row] = found.get(row, 0) | 1 << int(game)
    return found


def doubly(book: Book) -> Book:
    """The book with two more predicates for each that rests on something open."""
    opening, doubted = open_rows(book)
    clauses = [*book.clauses]
    for more in (*opening.values(), *naming(book.vocabulary).values()):
        clauses += more
    twins = resting_on_doubts(book)
    for clause in book.clauses:
        if clause.head.name in twins:
            clauses += [_surely(clause, twins, doubted), _maybe(clause, twins)]
    for name, own in doubted.items():
        terms = tuple(map(Var, book.predicates[name].params))
        clauses.append(Clause(Literal(MAY + name, terms), (Literal(own, terms),), "", _PLACE))
    for number in range(MOST):
        clauses.append(Clause(Literal(NUMBER, (Const(number),)), (), "", _PLACE))
    return _with(book, clauses)


def _surely(clause: Clause, twins: set[str], doubted: Mapping[str, str]) -> Clause:
    """What holds for certain: what is needed does, what is denied can't, and a count is settled."""
    body: list[Item] = []
    for item in clause.body:
        if isinstance(item, Count):
            both = {_twin(item.literal, twins, SURE), _twin(item.literal, twins, MAY)}
            body += [item._replace(literal=literal) for literal in sorted(both)]
        else:
            body.append(_turned(item, twins, SURE, MAY))
    own = doubted.get(clause.head.name)
    if own is not None:
        body.append(Literal(own, clause.head.args, negated=True))
    return _headed(clause, SURE, body)


def _maybe(clause: Clause, twins: set[str]) -> Clause:
    """What may hold: what is needed may, what is denied isn't certain, a count comes between."""
    body: list[Item] = []
    for at, item in enumerate(clause.body):
        if isinstance(item, Count) and item.literal.name in twins:
            least, most = Var(f"least {at}"), Var(f"most {at}")
            body += [
                item._replace(result=least, literal=_twin(item.literal, twins, SURE)),
                item._replace(result=most, literal=_twin(item.literal, twins, MAY)),
                Literal(NUMBER, (item.result,)),
                Comparison("<=", least, item.result),
                Comparison("<=", item.result, most),
            ]
        else:
            body.append(_turned(item, twins, MAY, SURE))
    return _headed(clause, MAY, body)


def _headed(clause: Clause, way: str, body: Iterable[Item]) -> Clause:
    head = clause.head._replace(name=way + clause.head.name)
    return Clause(head, tuple(body), clause.rule, clause.place)


def _turned(item: Item, twins: set[str], needed: str, denied: str) -> Item:
    if not isinstance(item, Literal):
        return item
    return _twin(item, twins, denied if item.negated else needed)


def _twin(literal: Literal, twins: set[str], way: str) -> Literal:
    return literal._replace(name=way + literal.name) if literal.name in twins else literal


def _with(book: Book, clauses: Iterable[Clause]) -> Book:
    """A book of other clauses, and the predicates that they have."""
    own = tuple(clauses)
    made = {
        name: Predicate(name, tuple(_GAME.name if t == _GAME else f"V{i}" for i, t in spots))
        for name, spots in ((c.head.name, enumerate(c.head.args)) for c in own)
    }
    return book._replace(clauses=Clauses(own), predicates={**book.predicates, **made}, key="")


def resting_on_doubts(book: Book) -> set[str]:
    """The predicates that rest on something open."""
    found: set[str] = set()
    new = {predicate.name for predicate in book.predicates.values() if predicate.doubts}
    while new:
        found |= new
        new = {c.head.name for c in book.clauses if any(x.name in new for x in literals(c.body))}
        new -= found
    return found

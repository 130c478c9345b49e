"""Tables that a book refuses: clauses whose head raises an alarm."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from ..book import Book, PerBook, Predicate, sentence
from ..errors import SeatlogError, TableError
from ..explain import Explainer, Node
from ..model import Const, Literal, Var
from ..solvers import PerReduced, row_of
from ..table import Table, asked

MAX_ROWS = 20


def _alarming(book: Book) -> Callable[[Collection[str]], list[Predicate]]:
    """Which alarms of a book can be raised by tables that state some predicates."""
    kept: dict[frozenset[str], list[Predicate]] = {}

    def raisable(possible: Collection[str]) -> list[Predicate]:
        mark = frozenset(possible)
        if mark not in kept:
            kept[mark] = [p for p in book.predicates.values() if p.alarm and p.name in mark]
        return kept[mark]

    return raisable


_alarms = PerBook(_alarming)
_possible = PerReduced(lambda reduced: reduced.possible)


def _raisable(book: Book, stated: Collection[str]) -> list[Predicate]:
    """The alarms that can be raised where a table states these predicates and no others."""
    return _alarms(book)(_possible(book, stated))


def alarms(book: Book, table: Table, explainer: Explainer) -> list[SeatlogError]:
    """One error for each alarm that a table raises, with the place of the fact behind it.

    An alarm under a rule number names that rule.
    """
    errors: list[SeatlogError] = []
    prover = explainer.prover
    stated = {fact.name for fact in asked(table, book.vocabulary)}
    for predicate in _raisable(book, stated):
        args = tuple(Var(f"V{i}") for i in range(predicate.arity))
        for row in prover.solver.rows(Literal(predicate.name, args))[:MAX_ROWS]:
            literal = Literal(predicate.name, tuple(Const(v) for v in row))
            proof = prover.prove(literal)
            if proof and proof.clause:
                error = _alarm(table, explainer.speaker.sentence(proof), proof, proof.clause.rule)
                error.hint = _assumed(book, table, proof)
                errors.append(error)
    return errors


def _assumed(book: Book, table: Table, proof: Node) -> str:
    """What an alarm rests on that the table doesn't say."""
    leaves = {(x.name, row_of(x)) for x in facts_of(proof)}
    found = []
    for said in table.facts:
        if not said.origin and (said.name, said.row) in leaves:
            fact = book.vocabulary.facts[said.name]
            key = fact.shapes[0].path[0] if fact.shapes else fact.name
            found.append(f"{key} isn't said, so {sentence(fact, said.row)}")
    return "; ".join(found)


def _alarm(table: Table, text: str, proof: Node, rule: str) -> TableError:
    number = rule if rule[:1].isdigit() else ""
    said = {(f.name, f.row): f for f in table.facts}
    places = [
        table.place(said[(leaf.name, row)])
        for leaf in facts_of(proof)
        if (row := row_of(leaf)) is not None and (leaf.name, row) in said
    ]
    place = max(places, key=lambda p: (p.line, p.column)) if places else None
    error = TableError(f"{text} ({number})" if number else text, place=place)
    error.rule = number
    return error


def facts_of(node: Node) -> Iterator[Literal]:
    """The declared facts a proof rests on."""
    if isinstance(node.item, Literal) and node.clause is None and not node.item.negated:
        yield node.item
    for child in node.children:
        yield from facts_of(child)

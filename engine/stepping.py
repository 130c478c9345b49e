"""From one state of a table to the next: what clauses say becomes of its facts.

A predicate with ``# becomes:``, ``# ends:`` or ``# goes:`` decides, for each of its answers, what
is said in the next state. All of it is asked of the state before, so a step has no order; facts
that were momentary are over once it is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .answer import said as spoken
from .book import Fact, Outcome, Predicate, Statement, Vocabulary
from .errors import NoRule
from .explain import Reason
from .join import unhurried_memory
from .model import Const, Literal, Row, Value, Var
from .session import Session
from .tables import Table, restated


class Advanced(NamedTuple):
    """The table after a step, and the literals of the state before that made it so."""

    table: Table
    said: tuple[Statement, ...]
    happened: tuple[Literal, ...]
    changed: bool


def advance(game: Session) -> Advanced:
    """The next state of a session's table. Raises NoRule for a book that knows no next state.

    Raises TableError or Faults when what the clauses make of the facts contradicts itself.
    """
    if not any(p.outcomes for p in game.book.predicates.values()):
        raise NoRule(f"{game.book.title} has no rule on what comes next")
    before = tuple(f for f in game.table.facts if f.origin)
    with unhurried_memory():
        found = [
            (predicate, row)
            for predicate in game.book.predicates.values()
            if predicate.outcomes
            for row in _answers(game, predicate)
        ]
    said = tuple(_made(before, found, game.book.vocabulary))
    after = restated(game.table, said, game.book.vocabulary)
    changed = {(f.name, f.row) for f in said} != {(f.name, f.row) for f in before}
    happened = tuple(_literal(p, row) for p, row in found if p.speaks)
    return Advanced(after, said, happened, changed)


def events(game: Session, done: Advanced) -> list[Reason]:
    """What happened in a step, each with its reason; ``game`` is the session before it."""
    with unhurried_memory():
        return [game.explainer.reason(literal) for literal in done.happened]


def doubts(game: Session, done: Advanced) -> list[str]:
    """What the rules leave open in a step: why, and the reading taken."""
    with unhurried_memory():
        found = [d for literal in done.happened for d in game.explainer.doubts(literal)]
    return list(dict.fromkeys(found))


def listed(game: Session, names: Sequence[str]) -> list[Reason]:
    """Everything for which some predicates hold, each with its reason."""
    known = [game.book.predicates[name] for name in names if name in game.book.predicates]
    return [game.explainer.reason(_literal(p, row)) for p in known for row in _answers(game, p)]


def told(reasons: Sequence[Reason], depth: int = 9) -> list[str]:
    """Reasons as lines: what is so, and indented below it why, so far down."""
    every = (line for reason in reasons for line in reason.lines)
    return ["  " * line.depth + spoken(line) for line in every if line.depth <= depth]


def _literal(predicate: Predicate, row: Row) -> Literal:
    return Literal(predicate.name, tuple(Const(v) for v in row))


def _answers(game: Session, predicate: Predicate) -> Sequence[Row]:
    literal = Literal(predicate.name, tuple(Var(f"V{i}") for i in range(predicate.arity)))
    return game.solver.rows(literal)


def _made(
    before: Sequence[Statement], found: Sequence[tuple[Predicate, Row]], vocabulary: Vocabulary
) -> Iterator[Statement]:
    """The facts of the next state: what stays as it stood, then what is new."""
    gone: set[Value] = set()
    ended: set[tuple[str, Row]] = set()
    new: dict[tuple[str, Row], Statement] = {}
    for predicate, row in found:
        env = dict(zip(predicate.params, row, strict=True))
        for outcome in predicate.outcomes:
            values = _values(outcome, env)
            if outcome.kind == "goes":
                gone.add(values[0])
            elif outcome.kind == "ends":
                ended.add((outcome.fact.name, values))
            else:
                mark = (outcome.fact.name, values)
                new[mark] = Statement(*mark, ("next", outcome.fact.name))
    taken = {
        (name, number, tuple(row[i] for i in key))
        for name, row in new
        for number, key in enumerate(vocabulary.facts[name].keys)
    }
    for fact in before:
        declared = vocabulary.facts[fact.name]
        mark = (fact.name, fact.row)
        if declared.momentary or mark in ended or _speaks_of(fact, declared, gone, vocabulary):
            continue
        if mark in new:
            del new[mark]
        elif any(
            (fact.name, number, tuple(fact.row[i] for i in key)) in taken
            for number, key in enumerate(declared.keys)
        ):
            continue
        yield fact
    for fact in new.values():
        declared = vocabulary.facts[fact.name]
        if not declared.momentary and not _speaks_of(fact, declared, gone, vocabulary):
            yield fact


def _values(outcome: Outcome, env: dict[str, Value]) -> Row:
    return tuple(
        env[t.name] if isinstance(t, Var) else t.value
        for t in outcome.fact.args
        if isinstance(t, Var | Const)
    )


def _speaks_of(fact: Statement, declared: Fact, gone: set[Value], vocabulary: Vocabulary) -> bool:
    """Whether a fact names something that is gone."""
    return any(
        value in gone and vocabulary.sorts[sort].kind in ("name", "any")
        for value, sort in zip(fact.row, declared.sorts, strict=True)
    )

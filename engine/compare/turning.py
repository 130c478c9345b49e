"""The smallest set of facts that turns an answer, where no single one does.

The table's own names and facts are laid into a circuit with what could be said of these names
instead. A SAT solver looks for the fewest changes, in a table that the book takes: a new value for
a key counts as one, and who and what is at the table stays. It is asked again of the session's own
solver before it is told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from ..book import Fact, Names, Numbers, Vocabulary, Words, roots, sentence
from ..errors import SeatlogError
from ..game import NUMBERS, Answer, Session, closure
from ..model import Const, Literal, Row, Statement, Value
from ..table import Table, asked
from ..worlds import FALSE, Games, Slots, Worlds, installed

MOST_ROWS = 400
"""A fact that could be said in more ways than that is left as it is."""


class Turn(NamedTuple):
    """Facts less and facts more that turn a verdict together, so many changes; in words as well."""

    drop: tuple[Statement, ...]
    add: tuple[Statement, ...]
    text: str
    number: int

    def said(self, verdict: bool) -> str:
        """The changes as a sentence about a verdict."""
        return f"it would be {'no' if verdict else 'yes'} if {self.text}"


def smallest_turn(session: Session, answer: Answer) -> Turn | None:
    """The fewest changes of a table that turn the answer to a ground question of one literal.

    None where there are none, the question is another one, or python-sat isn't installed. Of as few
    changes those are taken that the vocabulary declares most welcome.
    """
    found = answer.literals()
    if answer.open or len(found) != 1 or found[0].negated or not installed():
        return None
    near = _Near(session, found[0].name)
    worlds = Worlds(near)
    judged = worlds.judged(session.book, [found[0].name])
    row = tuple(t.value for t in found[0].args if isinstance(t, Const))
    verdict = judged.verdicts(found[0].name).get(row)
    holds = verdict.holds if verdict is not None else FALSE
    held = [-holds if answer.verdict else holds, -judged.refused, *worlds.names.values()]
    groups = _changes(near, worlds)
    with Games(worlds) as games:
        facts = games.fewest([n for nodes in groups.values() for n in nodes], *held)
        if facts is None:
            return None
        found_first = _told(session, near, worlds, facts)
        for least in sorted(groups, reverse=True):
            fixed = [-n for p, nodes in groups.items() if p < least for n in nodes]
            moved = [n for p, nodes in groups.items() if p >= least for n in nodes]
            facts = games.fewest(moved, *held, *fixed)
            turn = None if facts is None else _told(session, near, worlds, facts)
            if turn is not None and turn.number == found_first.number:
                return turn if _turns(session, turn, found[0], answer.verdict) else None
    return None


class _Near(Slots):
    """The tables near one: the same names, and other facts about them.

    ``changing`` are the facts that may be said otherwise, ``own`` those that are said.
    """

    def __init__(self, session: Session, predicate: str) -> None:
        vocabulary = session.book.vocabulary
        super().__init__(vocabulary, {})
        self._table: Table = session.table
        self.own: dict[str, list[Row]] = {}
        for said in asked(session.table, vocabulary):
            self.own.setdefault(said.name, []).append(said.row)
        rests = closure(session.book, predicate)
        self.changing: dict[str, Fact] = {}
        self._may: dict[str, tuple[Row, ...]] = {}
        for fact in vocabulary.facts.values():
            own = tuple(self.own.get(fact.name, ()))
            welcome = fact.prefer and fact.name in rests and len(fact.keys) < 2
            more = self._ways(fact) if welcome else None
            if more is not None:
                self.changing[fact.name] = fact
            elif own:
                self.stated[fact.name] = own
            self._may[fact.name] = tuple(dict.fromkeys((*own, *(more or ()))))

    def names(self, sort: str) -> tuple[Value, ...]:
        """The table's names of a sort."""
        if not isinstance(self.vocabulary.sorts[sort], Names):
            return ()
        return tuple(n for n, kind in self._table.names.items() if kind == sort)

    def rows(self, name: str) -> Collection[Row]:
        """What is said, and what could be."""
        return self._may.get(name, ())

    def _ways(self, fact: Fact) -> list[Row] | None:
        """The rows that a fact could have about the table's names; None where they are too many."""
        columns = [self._near(s, i, fact) for i, s in enumerate(fact.sorts)]
        size = 1
        for column in columns:
            size *= len(column)
        return list(product(*columns)) if size <= MOST_ROWS else None

    def _near(self, name: str, spot: int, fact: Fact) -> list[Value]:
        """What may stand at one spot of a fact."""
        sort = self.vocabulary.sorts[name]
        if isinstance(sort, Words):
            return list(sort.words)
        if isinstance(sort, Numbers):
            used = {row[spot] for row in self.own.get(fact.name, ())}
            numbers = sorted(n for n in used if isinstance(n, int)) or [sort.lowest]
            near = [*numbers, *(n + d for d in NUMBERS for n in numbers)]
            return list(dict.fromkeys(n for n in near if not sort.fault(n)))
        allowed = roots(sort, self.vocabulary.sorts) or ()
        return [n for n, kind in self._table.names.items() if kind in allowed]


def _changes(near: _Near, worlds: Worlds) -> dict[int, list[int]]:
    """By how welcome they are: for each key the node that holds where it has another value."""
    out: dict[int, list[int]] = {}
    for name, fact in near.changing.items():
        by_key: dict[Row, list[int]] = {}
        own = set(near.own.get(name, ()))
        for row in near.rows(name):
            node = worlds.circuit.fact(name, row)
            mark = fact.marks(row)[0][1] if fact.keys else row
            by_key.setdefault(mark, []).append(-node if row in own else node)
        out.setdefault(fact.prefer, []).extend(map(worlds.circuit.any_of, by_key.values()))
    return out


def _told(session: Session, near: _Near, worlds: Worlds, facts: Mapping[int, bool]) -> Turn:
    """What changes where the nodes of some facts hold and others don't."""
    drop: list[tuple[str, Row]] = []
    add: list[tuple[str, Row]] = []
    for node, holds in facts.items():
        name, row = worlds.circuit.facts[node]
        said = row in near.own.get(name, ())
        if name in near.changing and said != holds:
            (add if holds else drop).append((name, row))
    vocabulary = session.book.vocabulary
    texts: list[str] = []
    for name, row in sorted(add):
        texts.append(str(sentence(vocabulary.facts[name], row)))
    replaced = {(n, m) for n, r in add for m in _marks(vocabulary, n, r)}
    for name, row in sorted(drop):
        if not replaced & {(name, m) for m in _marks(vocabulary, name, row)}:
            texts.append(f"it were not so that {sentence(vocabulary.facts[name], row)}")
    known = {(f.name, f.row): f for f in session.table.facts}
    return Turn(
        tuple(known[d] for d in sorted(drop) if d in known),
        tuple(Statement(n, r, ("changed",)) for n, r in sorted(add)),
        " and ".join(texts),
        len(texts),
    )


def _marks(vocabulary: Vocabulary, name: str, row: Row) -> Iterable[tuple[int, Row]]:
    return vocabulary.facts[name].marks(row)


def _turns(session: Session, turn: Turn, literal: Literal, verdict: bool) -> bool:
    """Whether the changes turn a verdict indeed, as the solver has it that answers people."""
    facts: Sequence[Statement] = [f for f in session.table.facts if f not in turn.drop]
    state = session.table._replace(facts=(*facts, *turn.add), data=None)
    try:
        return bool(Session(session.book, state).solver.rows(literal)) != verdict
    except SeatlogError:
        return False

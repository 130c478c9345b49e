"""The smallest change: the fewest facts that would turn a no into a yes, or that carry a yes.

A bounded search, single facts first and then sets of them (``together``): only predicates that the
question rests on, only names its reason speaks of, keys respected (a new value for the same key
replaces the old one), the most welcome change first as the vocabulary declares it. Every candidate
is asked in a table of its own, so nothing here knows any rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from time import process_time
from typing import NamedTuple

from ..book import Book, Fact, Numbers, Sort, Words, denial, roots, sentence
from ..errors import BudgetError, SeatlogError
from ..explain import Node
from ..model import Const, Literal, Row, Statement, Value
from ..solvers import row_of
from ..table import asked
from .alarms import facts_of
from .answer import Answer
from .session import Session
from .together import Single, turning

MAX_TRIED = 300
MAX_SETS = 40
NUMBERS = (1, -1, 2, -2, 3)


class Change(NamedTuple):
    """Facts less, facts more, or some in place of others, as few as there can be; in words as well.

    >>> import seatlog
    >>> found = seatlog.change("four_in_a_ring", "Alex", "reach", "Carissa")
    >>> found.said(False)
    "it would be yes if everybody's range is 2"
    """

    drops: tuple[Statement, ...]
    adds: tuple[Statement, ...]
    text: str

    def said(self, verdict: bool) -> str:
        """The change as a sentence about a verdict."""
        if verdict:
            return f"it would be no if {self.text}"
        return f"it would be yes if {self.text}"


def smallest_change(session: Session, literal: Literal, seconds: float = 0) -> Change | None:
    """The fewest and most welcome facts that turn a ground literal's verdict, or None.

    For a literal that holds only facts are taken away: one its proof rests on, or else some that it
    may rest on. Raises BudgetError where it takes more than these ``seconds`` of processor time; 0
    is no limit.
    """
    end = process_time() + seconds
    holds = bool(session.solver.rows(literal))
    for each in _ways(session, literal, holds):
        if seconds and process_time() > end:
            raise BudgetError(f"gave up after {seconds:g} seconds")
        drops = tuple(s.drop for s in each if s.drop)
        adds = tuple(s.add for s in each if s.add)
        facts = [f for f in session.table.facts if f not in drops]
        facts += adds
        if _holds(session, facts, literal, holds) != holds and not _open(session, facts, literal):
            return Change(drops, adds, ", and ".join(s.text for s in each))
    return None


def _ways(session: Session, literal: Literal, holds: bool) -> Iterator[tuple[Single, ...]]:
    """Changes worth trying: single ones, then sets that are known to turn the literal."""
    singles = list(islice(candidates(session, literal, holds), MAX_TRIED))
    yield from ((each,) for each in singles)
    every = list(_taken_away(session, literal, None))
    if not holds:
        every = [*singles, *(each for each in every if each not in singles)]
    yield from islice(turning(session, literal, every, holds), MAX_SETS)


def change_for(session: Session, answer: Answer, seconds: float = 0) -> Change | None:
    """The smallest change for an answer to a ground question of one literal, else None.

    Raises BudgetError as ``smallest_change`` does.
    """
    found = answer.literals()
    if answer.open or len(found) != 1 or found[0].negated:
        return None
    return smallest_change(session, found[0], seconds)


def _holds(session: Session, facts: list[Statement], literal: Literal, before: bool) -> bool:
    """Whether a literal holds over other facts; a table that would be refused changes nothing.

    A fact that is only taken away from under a yes may leave a table nobody would write.
    """
    if before:
        less = session.table._replace(facts=tuple(facts))
        return bool(session.solver.but(asked(less, session.book.vocabulary)).rows(literal))
    try:
        state = session.table._replace(facts=tuple(facts))
        other = Session(session.book, state, None, session.solver.name)
        return bool(other.solver.rows(literal))
    except SeatlogError:
        return before


def _open(session: Session, facts: list[Statement], literal: Literal) -> bool:
    """Whether a table with other facts leaves a ground literal open: that is neither yes nor no."""
    try:
        state = session.table._replace(facts=tuple(facts))
        other = Session(session.book, state, None, session.solver.name)
        return bool(other.doubts_of(literal.name, *(row_of(literal) or ())))
    except SeatlogError:
        return False


def candidates(session: Session, literal: Literal, holds: bool) -> Iterator[Single]:
    """Single changes worth trying, the most welcome first, ties in the vocabulary's order."""
    node = session.node(literal)
    if holds:
        yield from _taken_away(session, literal, set(facts_of(node)))
        return
    spoken = _spoken(session, literal, node)
    for fact, own in _welcome(session, literal):
        key = fact.keys[0] if fact.keys else tuple(range(len(fact.args)))
        have = {tuple(f.row[i] for i in key): f for f in own}
        for row in _rows(session, fact, key, spoken, own):
            before = have.get(tuple(row[i] for i in key))
            if before is None or before.row != row:
                yield Single(before, Statement(fact.name, row), sentence(fact, row))
        for mark, old in have.items():
            if set(mark) <= spoken:
                yield _less(fact, old)


def _taken_away(
    session: Session, literal: Literal, leaves: set[Literal] | None
) -> Iterator[Single]:
    """Facts to be taken away, where ``leaves`` are given only those."""
    for fact, own in _welcome(session, literal):
        for old in own:
            if leaves is None or Literal(old.name, tuple(Const(v) for v in old.row)) in leaves:
                yield _less(fact, old)


def _less(fact: Fact, old: Statement) -> Single:
    return Single(old, None, denial(fact, old.row))


def _welcome(session: Session, literal: Literal) -> Iterator[tuple[Fact, list[Statement]]]:
    """The facts that a literal rests on and that are welcome as changes, with what is said."""
    vocabulary = session.book.vocabulary
    rests = closure(session.book, literal.name)
    order = sorted(
        (f for f in vocabulary.facts.values() if f.prefer and f.name in rests and len(f.keys) < 2),
        key=lambda f: -f.prefer,
    )
    for fact in order:
        yield fact, [f for f in session.table.facts if f.name == fact.name]


def closure(book: Book, name: str) -> set[str]:
    """Every predicate that a predicate rests on, itself included."""
    below: dict[str, set[str]] = {}
    for head, needed, others in book.clauses.rests:
        below.setdefault(head, set()).update(needed, others)
    found, todo = {name}, [name]
    while todo:
        for each in below.get(todo.pop(), ()):
            if each not in found:
                found.add(each)
                todo.append(each)
    return found


def _spoken(session: Session, literal: Literal, node: Node) -> set[Value]:
    """The names a question and its reason speak of."""
    out: set[Value] = {t.value for t in literal.args if isinstance(t, Const)}
    todo = [node]
    for step in session.explainer.tracer.steps(todo):
        if isinstance(step.item, Literal):
            out |= {t.value for t in step.item.args if isinstance(t, Const)}
    return {v for v in out if isinstance(v, str)}


def _rows(
    session: Session, fact: Fact, key: tuple[int, ...], spoken: set[Value], own: list[Statement]
) -> Iterator[Row]:
    """Rows a fact could have: keys among the names spoken of, values among what the sort allows."""
    columns: list[list[Value]] = []
    for position, name in enumerate(fact.sorts):
        sort = session.book.vocabulary.sorts[name]
        every = _values(session, sort, [f.row[position] for f in own])
        narrow = position in key and not isinstance(sort, Numbers | Words)
        columns.append([v for v in every if v in spoken] if narrow else every)
    return islice(product(*columns), MAX_TRIED)


def _values(session: Session, sort: Sort, used: list[Value]) -> list[Value]:
    if isinstance(sort, Words):
        return list(sort.words)
    if isinstance(sort, Numbers):
        numbers = sorted({u for u in used if isinstance(u, int)}) or [sort.lowest]
        near = [n + d for d in NUMBERS for n in numbers]
        return list(dict.fromkeys(n for n in near if n >= sort.lowest))
    allowed = roots(sort, session.book.vocabulary.sorts)
    return [n for n, kind in session.table.names.items() if allowed and kind in allowed]

"""From one state of a table to the next: what clauses say becomes of its facts.

A predicate with ``# becomes:``, ``# ends:`` or ``# goes:`` decides, for each of its answers, what
is said in the next state. All of it is asked of the state before, so a step has no order; facts
that were momentary are over once it is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..book import Fact, Outcome, Predicate, Vocabulary, sentence
from ..errors import NoRule, Place, SeatlogError, TableError, quoted
from ..explain import Reason
from ..explain import said as spoken
from ..model import Const, Literal, Row, Statement, Value, Var
from ..solvers import unhurried_memory
from ..table import Table, given, restated, statements
from .session import Session


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
    game.refuse_unread(lambda book: {p.name for p in book.predicates.values() if p.outcomes})
    vocabulary = game.book.vocabulary
    before = tuple(f for f in game.table.facts if f.origin)
    known = {(f.name, f.row) for f in game.table.facts}
    made = _Made(vocabulary)
    happened = []
    with unhurried_memory():
        for predicate in game.book.predicates.values():
            if not predicate.outcomes:
                continue
            place = _place(game, predicate)
            for row in _answers(game, predicate):
                if made.take(predicate, row, known, place) and predicate.speaks:
                    happened.append(_literal(predicate, row))
    said = tuple(made.facts(before))
    try:
        after = restated(game.table, said, vocabulary)
    except SeatlogError as error:
        for each in error.errors:
            each.what = f"the next state contradicts itself: {each.what}"
            each.hint = "the step isn't made" + f"; {each.hint}" * bool(each.hint)
        raise
    stood = {(f.name, f.row) for f in before if not vocabulary.facts[f.name].momentary}
    changed = {(f.name, f.row) for f in said} != stood
    return Advanced(after, said, tuple(happened), changed)


def turn(game: Session, **happens: Any) -> Session:
    """The session after a step in which something happens: ``turn(game, done=["Ann"])``.

    Its ``happened`` says what. ``happens`` are keys of table files; ``game`` stays as it is.
    Raises SeatlogError for what nobody knows, and for a book without a next state.
    """
    vocabulary = game.book.vocabulary
    if "edition" in happens:
        raise TableError("a step has no edition of its own", hint="open the table with it")
    said = statements(given(happens), vocabulary)
    for fact in (vocabulary.facts[each.name] for each in said):
        if not fact.momentary:
            key = fact.shapes[0].path[0]
            known = [f.shapes[0].path[0] for f in vocabulary.facts.values() if f.momentary]
            hint = f"what can: {', '.join(known)}"
            raise TableError(f"{key} says how things stand, and can't happen", hint=hint)
    stated = [f for f in game.table.facts if f.origin and f not in said]
    before = Session(game.book, restated(game.table, [*stated, *said], vocabulary))
    done = advance(before)
    after = Session(game.book, done.table)
    after.happened = happened(before, done)
    return after


def happened(game: Session, done: Advanced) -> list[str]:
    """What happened in a step, or of what nothing came; ``game`` is the session before it."""
    if done.changed:
        return told(game, [_cited(reason) for reason in events(game, done)], 0)
    facts = game.book.vocabulary.facts
    idle = [
        quoted(sentence(facts[f.name], f.row)) for f in game.table.facts if facts[f.name].momentary
    ]
    return ["nothing changes" + (f": no rule makes anything of {', '.join(idle)}" if idle else "")]


def _cited(reason: Reason) -> Reason:
    """A reason whose first line names all rules that it rests on, if it names any."""
    first, *rest = reason.lines
    return reason._replace(lines=(first._replace(rules=first.rules and reason.cites), *rest))


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


def stands(game: Session) -> list[str]:
    """How things stand at a table, as far as its book has that listed."""
    return told(game, listed(game, game.book.settings.get("standing", ())))


def told(game: Session, reasons: Sequence[Reason], depth: int = 9) -> list[str]:
    """Reasons as lines: what is so, and indented below it why, so far down and only once."""
    lines = (line for reason in reasons for line in reason.lines if line.depth <= depth)
    every = ("  " * line.depth + spoken(line, game.table.names) for line in lines)
    return list(dict.fromkeys(every))


def _place(game: Session, predicate: Predicate) -> Place:
    """Where the first clause of a predicate stands."""
    return next((c.place for c in game.book.clauses_of(predicate.name)), Place(game.book.name))


def _literal(predicate: Predicate, row: Row) -> Literal:
    return Literal(predicate.name, tuple(Const(v) for v in row))


def _answers(game: Session, predicate: Predicate) -> Sequence[Row]:
    literal = Literal(predicate.name, tuple(Var(f"V{i}") for i in range(predicate.arity)))
    return game.solver.rows(literal)


class _Made:
    """What the answers make of the facts."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.gone: set[Value] = set()
        self.ended: set[tuple[str, Row]] = set()
        self.new: dict[tuple[str, Row], Statement] = {}
        self.taken: set[tuple[str, int, Row]] = set()

    def take(
        self, predicate: Predicate, row: Row, known: set[tuple[str, Row]], place: Place
    ) -> bool:
        """Note what one answer makes of the facts; whether that is anything new."""
        env = dict(zip(predicate.params, row, strict=True))
        changes = False
        for outcome in predicate.outcomes:
            mark = (outcome.fact.name, _values(outcome, env))
            if outcome.kind == "goes":
                self.gone.add(mark[1][0])
            elif outcome.kind == "ends":
                self.ended.add(mark)
            else:
                self.new[mark] = new = Statement(*mark, place)
                self.taken.update((new.name, *m) for m in self._fact(new).marks(new.row))
            changes = (
                changes or outcome.kind == "goes" or (outcome.kind == "ends") == (mark in known)
            )
        return changes

    def facts(self, before: Sequence[Statement]) -> list[Statement]:
        """The facts of the next state: what stays as it stood, then what is new."""
        kept = [f for f in before if self._stays(f)]
        here = {(f.name, f.row) for f in kept}
        kept += [f for mark, f in self.new.items() if mark not in here]
        out = [f for f in kept if not self._fact(f).momentary]
        lost = set(self.gone)
        while lost:
            left = [f for f in out if not self._speaks_of(f, lost)]
            lost = self._introduced(out) - self._introduced(left)
            out = left
        return out

    def _stays(self, fact: Statement) -> bool:
        mark = (fact.name, fact.row)
        if mark in self.new:
            return True
        marks = {(fact.name, *m) for m in self._fact(fact).marks(fact.row)}
        return mark not in self.ended and not marks & self.taken

    def _fact(self, said: Statement) -> Fact:
        return self.vocabulary.facts[said.name]

    def _introduced(self, facts: Sequence[Statement]) -> set[Value]:
        return {f.row[spot] for f in facts for spot in self._fact(f).names}

    def _speaks_of(self, fact: Statement, names: set[Value]) -> bool:
        """Whether a fact names one of these; words that only look like them don't count."""
        return any(
            value in names and self.vocabulary.sorts[sort].named
            for value, sort in zip(fact.row, self._fact(fact).sorts, strict=True)
        )


def _values(outcome: Outcome, env: dict[str, Value]) -> Row:
    return tuple(
        env[t.name] if isinstance(t, Var) else t.value
        for t in outcome.fact.args
        if isinstance(t, Var | Const)
    )

"""From one state of a table to the next: what clauses say becomes of its facts.

A predicate with ``# becomes:``, ``# ends:`` or ``# goes:`` decides, for each of its answers, what
is said in the next state. All of it is asked of the state before, so a step has no order; facts
that were momentary are over once it is made.

A step tells what becomes of facts, and of the predicates that its book lists as ``follows`` the
answers that are new: those that there would not be if nothing happened, and those of the state
after. What it was said to happen and no rule decides is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..book import Fact, Outcome, Predicate, Vocabulary, rule_order
from ..errors import NoRule, Place, SeatlogError, TableError
from ..explain import Explainer, Prover, Reason
from ..explain import said as spoken
from ..model import Const, Literal, Row, Statement, Value, Var
from ..solvers import unhurried_memory
from ..table import Table, given, restated, statements
from .moments import Moments, any_of, followed, key_of, rows_of, stepped
from .session import Session
from .unread import refuse_unread


class Advanced(NamedTuple):
    """The table after a step, and the literals of the state before that made it so."""

    table: Table
    said: tuple[Statement, ...]
    happened: tuple[Literal, ...]
    changed: bool


class Step(NamedTuple):
    """A step that was taken: the session after it, and what is to be said of it.

    ``said`` are the facts of the next state, ``happened`` what came of the step, ``doubts`` where
    the rules leave it open, ``cites`` the rules. ``told`` are the answers that it spoke of.
    """

    after: Session
    said: tuple[Statement, ...]
    happened: tuple[str, ...]
    doubts: tuple[str, ...]
    cites: tuple[str, ...]
    told: frozenset[Literal]


def advance(game: Session) -> Advanced:
    """The next state of a session's table. Raises NoRule for a book that knows no next state.

    Raises TableError or Faults when what the clauses make of the facts contradicts itself.
    """
    if not any(p.outcomes for p in game.book.predicates.values()):
        raise NoRule(f"{game.book.title} has no rule on what comes next")
    refuse_unread(game.book, game.table, game.unread, stepped)
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
            for row in rows_of(game.book, game.solver, predicate.name):
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


def take(game: Session) -> Step:
    """Take the step that a session's table tells of.

    Raises NoRule where the book decides nothing of what was said to happen, or of some of it, and
    where nothing was said and nothing comes of itself; TableError or Faults for a next state that
    contradicts itself.
    """
    return _taken(game, True)


def _taken(game: Session, must: bool) -> Step:
    """A step; ``must``: whether anything must come of it where nothing was said to happen."""
    done = advance(game)
    with unhurried_memory():
        moments = Moments(game)
        after = Session(game.book, done.table, game._announce, game.solver.name)
        follows = list(moments.new(followed(game.book)))
        idle = moments.idle([*done.happened, *follows])
        decided = [moments.decided(fact) for fact in idle]
        still = None if done.changed or moments.said else moments.nothing()
        if still and must:
            raise still
        reasons = [game.explainer.reason(x) for x in (*done.happened, *follows)]
        known = {*follows, *done.happened}
        late = [x for x in _new(after, moments) if x not in known]
        reasons += [after.explainer.reason(x) for x in late]
        doubts = _doubts(game, after, moments, [*done.happened, *follows], late)
    happened = told(game, [_cited(reason) for reason in reasons], 0)
    happened += [each.text for each in decided if each.text not in happened]
    happened += [f"nothing changes: {still.what}"] if still else []
    rules = {c for reason in reasons for c in reason.cites}
    rules |= {c for each in decided for c in each.cites}
    cites = sorted(rules, key=rule_order)
    after.happened, after.doubts = happened, doubts
    spoke = frozenset((*known, *late))
    return Step(after, done.said, tuple(happened), tuple(doubts), tuple(cites), spoke)


def turn(game: Session, /, **happens: Any) -> Session:
    """The session after a step in which something happens: ``turn(game, done=["Ann"])``.

    Its ``happened`` says what, its ``doubts`` where the rules leave it open. ``happens`` are keys
    of table files; ``game`` stays as it is. Raises SeatlogError for what nobody knows; NoRule for
    a book without a next state, and for what it decides nothing of.
    """
    vocabulary = game.book.vocabulary
    if "edition" in happens:
        raise TableError("a step has no edition of its own", hint="open the table with it")
    said = statements(given(happens), vocabulary)
    for fact in (vocabulary.facts[each.name] for each in said):
        if not fact.momentary:
            known = [key_of(f) for f in vocabulary.facts.values() if f.momentary]
            hint = f"what can: {', '.join(known)}"
            raise TableError(f"{key_of(fact)} says how things stand, and can't happen", hint=hint)
    stated = [f for f in game.table.facts if f.origin and f not in said]
    told = restated(game.table, [*stated, *said], vocabulary)
    before = Session(game.book, told, game._announce, game.solver.name)
    return _taken(before, False).after


def _new(after: Session, moments: Moments) -> list[Literal]:
    """What a step tells of the state after it: what was not so before."""
    out = []
    for name in followed(after.book):
        old = set(rows_of(after.book, moments.plain, name))
        new = (row for row in rows_of(after.book, after.solver, name) if row not in old)
        out += [Literal(name, tuple(Const(v) for v in row)) for row in new]
    return out


def _doubts(
    game: Session,
    after: Session,
    moments: Moments,
    happened: Sequence[Literal],
    late: Sequence[Literal],
) -> list[str]:
    """What the rules leave open of what happened, and of what might have."""
    without = Explainer(Prover(game.book, moments.plain, dict(game.table.names)))
    told_of = [doubt for literal in happened for doubt in game.explainer.doubts(literal)]
    told_of += [doubt for literal in late for doubt in after.explainer.doubts(literal)]
    told_of += [
        d for f in moments.said for x in moments.spoken(f) for d in game.explainer.doubts(x)
    ]
    follows = set(followed(game.book))
    for name in stepped(game.book):
        literal = any_of(game.book, name)
        explainers = (game.explainer, after.explainer) if name in follows else (game.explainer,)
        found = [doubt for explainer in explainers for doubt in explainer.doubts(literal)]
        if found:
            before = set(without.doubts(literal))
            told_of += [doubt for doubt in found if doubt not in before]
    return list(dict.fromkeys(told_of))


def _cited(reason: Reason) -> Reason:
    """A reason whose first line names all rules that it rests on, if it names any."""
    first, *rest = reason.lines
    return reason._replace(lines=(first._replace(rules=first.rules and reason.cites), *rest))


def listed(
    game: Session, names: Sequence[str], but: frozenset[Literal] = frozenset()
) -> list[Reason]:
    """Everything for which some predicates hold, each with its reason, but for what is ``but``."""
    known = [game.book.predicates[name] for name in names if name in game.book.predicates]
    every = [_literal(p, row) for p in known for row in rows_of(game.book, game.solver, p.name)]
    return [game.explainer.reason(each) for each in every if each not in but]


def stands(game: Session, but: frozenset[Literal] = frozenset()) -> list[str]:
    """How things stand at a table, as far as its book lists that and ``but`` doesn't."""
    return told(game, listed(game, game.book.settings.get("standing", ()), but))


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

"""Which facts, and which declared words in them, bear on some predicates of a book.

A backward slice of the clauses, made without asking anything. A fact bears on a predicate when a
clause that can hold at all looks at it, through any number of others. A word in it does when,
following variables from the fact, a clause can hold that would not hold with another word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ..model import (
    Clause,
    Comparison,
    Const,
    Item,
    Literal,
    Row,
    Statement,
    Value,
    Var,
    item_variables,
    literals,
)
from .book import Bearing, Predicate, Verb
from .vocabulary import Vocabulary

Values = frozenset[Value] | None
"""What can stand in a term: some values, or anything."""
_NOTHING: frozenset[Value] = frozenset()
NOTHING_ASKED: Mapping[str, Values] = {}


def questions(
    clauses: Iterable[Clause], predicates: Mapping[str, Predicate], verbs: Iterable[Verb]
) -> frozenset[str]:
    """The predicates for which a book is asked: verdicts, prohibitions, verbs, doubts, steps.

    What no clause looks at and no reason tells is asked for its own sake too; alarms never are.
    """
    used = {x.name for clause in clauses for x in literals(clause.body)}
    used |= {x.name for p in predicates.values() for x in p.tells}
    found = {verb.predicate for verb in verbs}
    for name, predicate in predicates.items():
        if not predicate.alarm and (predicate.role or predicate.outcomes or name not in used):
            found.add(name)
            found.update(x.name for x in predicate.doubts)
    return frozenset(found)


def unread(bearing: Bearing, name: str, row: Row) -> tuple[int, ...] | None:
    """The terms of a fact whose words bear on nothing, none where the whole fact doesn't bear.

    None where all of it does.
    """
    words = bearing.get(name)
    if words is None:
        return ()
    spots = [i for i, known in enumerate(words) if known is not None and row[i] not in known]
    return tuple(spots) or None


class Relevance:
    """The clauses of one book that can hold at all, and what can stand in each term.

    With what a table has ``said`` they are those that can hold with no other declared words.
    """

    def __init__(
        self,
        clauses: Iterable[Clause],
        predicates: Mapping[str, Predicate],
        vocabulary: Vocabulary,
        said: Iterable[Statement] | None = None,
    ) -> None:
        self.predicates, self.vocabulary = predicates, vocabulary
        self.values: dict[str, list[Values]] = {}
        for fact in vocabulary.facts.values():
            sorts = [vocabulary.sorts[s] for s in fact.sorts]
            if said is None or not any(s.closed for s in sorts):
                self.values[fact.name] = [frozenset(s.words) if s.closed else None for s in sorts]
        for each in said or ():
            self._say(each)
        self.clauses = self._possible(list(clauses))

    def _say(self, said: Statement) -> None:
        row = self.values.setdefault(said.name, [_NOTHING for _ in said.row])
        for spot, value in enumerate(said.row):
            new = frozenset([value]) if self._closed(said.name, spot) else None
            row[spot] = _either(row[spot], new)

    def of(self, asked: Collection[str]) -> Bearing:
        """The facts and words that bear on some predicates, which are asked for their own sake.

        What only describes bears on everything.
        """
        live, clauses = self._live(asked)
        telling: dict[str, list[Values]] = {
            name: [None if name in asked else _NOTHING for _ in self.values.get(name, ())]
            for name in live
        }
        changed = True
        while changed:
            changed = False
            for clause in clauses:
                changed |= self._follow(clause, telling)
        found = {
            name: tuple(
                self._words(name, spot, told) if self._closed(name, spot) else None
                for spot, told in enumerate(telling[name])
            )
            for name in self.vocabulary.facts
            if name in live and name in self.values
        }
        facts = self.vocabulary.facts
        alone = [n for n, terms in self.vocabulary.describing.items() if n in facts and not terms]
        return {**found, **{name: self._whole(name) for name in alone}}

    def _closed(self, name: str, spot: int) -> bool:
        fact = self.vocabulary.facts[name]
        return self.vocabulary.sorts[fact.sorts[spot]].closed

    def _words(self, name: str, spot: int, told: Values) -> frozenset[str]:
        fact = self.vocabulary.facts[name]
        sort = self.vocabulary.sorts[fact.sorts[spot]]
        known = self.vocabulary.describing.get(sort.name, ())
        if fact.args[spot] in self.vocabulary.describing.get(name, ()):
            known = sort.words
        return frozenset(w for w in sort.words if told is None or w in told or w in known)

    def _whole(self, name: str) -> tuple[frozenset[str] | None, ...]:
        sorts = (self.vocabulary.sorts[s] for s in self.vocabulary.facts[name].sorts)
        return tuple(frozenset(s.words) if s.closed else None for s in sorts)

    def _live(self, asked: Collection[str]) -> tuple[set[str], list[Clause]]:
        """The predicates that some predicates rest on, doubts included, and by which clauses.

        What is asked of a predicate is followed down, as in magic sets (Bancilhon, Maier, Sagiv and
        Ullman 1986): a clause about one word is no concern of who asks about another.
        """
        wanted: dict[str, list[Values]] = {}
        for name in asked:
            wanted[name] = [None for _ in self.values.get(name, ())]
        live: dict[int, Clause] = {}
        changed = True
        while changed:
            changed = False
            for name in list(wanted):
                doubts = self.predicates[name].doubts if name in self.predicates else ()
                for doubt in doubts:
                    params = dict(zip(self.predicates[name].params, wanted[name], strict=False))
                    changed |= self._want(wanted, doubt, params)
            for number, clause in enumerate(self.clauses):
                allowed = self._asked_of(clause, wanted)
                if allowed is None:
                    continue
                live[number] = clause
                for literal in literals(clause.body):
                    changed |= self._want(wanted, literal, allowed)
        return set(wanted), [live[number] for number in sorted(live)]

    def _asked_of(
        self, clause: Clause, wanted: Mapping[str, list[Values]]
    ) -> dict[str, Values] | None:
        """What each variable of a clause can be where its head is wanted; None where it isn't."""
        row = wanted.get(clause.head.name)
        if row is None:
            return None
        start: dict[str, Values] = {}
        for term, values in zip(clause.head.args, row, strict=False):
            if isinstance(term, Const) and values is not None and term.value not in values:
                return None
            if isinstance(term, Var):
                start[term.name] = _both(start.get(term.name), values)
        return self._allowed(clause.body, None, start)

    def _want(
        self,
        wanted: dict[str, list[Values]],
        literal: Literal,
        allowed: Mapping[str, Values],
    ) -> bool:
        """Add what is asked of a literal's predicate; whether that is more than was known."""
        new = literal.name not in wanted
        row = wanted.setdefault(literal.name, [_NOTHING for _ in literal.args])
        return _widen(row, literal, allowed) or new

    def _possible(self, todo: list[Clause]) -> list[Clause]:
        """The clauses that can hold at all, by the least fixpoint of what their heads can be."""
        users: dict[str, list[int]] = {}
        for number, clause in enumerate(todo):
            for item in clause.body:
                if isinstance(item, Literal) and not item.negated:
                    users.setdefault(item.name, []).append(number)
        found: set[int] = set()
        waiting = dict.fromkeys(range(len(todo)))
        while waiting:
            number = next(iter(waiting))
            del waiting[number]
            head = todo[number].head
            allowed = self._allowed(todo[number].body)
            if allowed is not None:
                found.add(number)
                new = head.name not in self.values
                if self._grow(head, allowed) or new:
                    waiting.update(dict.fromkeys(users.get(head.name, ())))
        return [clause for number, clause in enumerate(todo) if number in found]

    def _grow(self, head: Literal, allowed: Mapping[str, Values]) -> bool:
        """Add what a head can be; whether that is more than was known."""
        row = self.values.setdefault(head.name, [_NOTHING for _ in head.args])
        return _widen(row, head, allowed)

    def _allowed(
        self,
        body: Iterable[Item],
        less: Item | None = None,
        start: Mapping[str, Values] = NOTHING_ASKED,
    ) -> dict[str, Values] | None:
        """What each variable of a body can be; None where it can't hold. ``less`` is left out."""
        out: dict[str, Values] = dict(start)
        items = [item for item in body if item is not less]
        for item in items:
            if not isinstance(item, Literal) or item.negated:
                continue
            row = self.values.get(item.name)
            if row is None:
                return None
            for term, values in zip(item.args, row, strict=False):
                if isinstance(term, Var):
                    out[term.name] = _both(out.get(term.name), values)
                elif isinstance(term, Const) and values is not None and term.value not in values:
                    return None
        for item in items:
            for name, value in _compared(item):
                if isinstance(item, Comparison) and item.op == "==":
                    out[name] = _both(out.get(name), frozenset([value]))
                elif (now := out.get(name)) is not None:
                    out[name] = now - {value}
        return None if _NOTHING in out.values() else out

    def _follow(self, clause: Clause, telling: dict[str, list[Values]]) -> bool:
        """Follow the terms of a clause's literals to what tells words apart; whether any is new."""
        changed = False
        for item in clause.body:
            literal = next(literals([item]), None)
            if literal is None or literal.name not in telling:
                continue
            row = telling[literal.name]
            for spot, term in enumerate(literal.args[: len(row)]):
                if isinstance(term, Const):
                    new: Values = frozenset([term.value])
                elif isinstance(term, Var) and (own := self.values[literal.name][spot]) is not None:
                    new = self._told(clause, item, (term.name, own), telling)
                else:
                    continue
                merged = _either(row[spot], new)
                if merged != row[spot]:
                    row[spot], changed = merged, True
        return changed

    def _told(
        self,
        clause: Clause,
        item: Item,
        own: tuple[str, frozenset[Value]],
        telling: dict[str, list[Values]],
    ) -> Values:
        """Of what stands in a variable of an item: the values that the rest of a clause tells."""
        name = own[0]
        others = self._allowed(clause.body, item, dict([own]))
        if others is None:
            return _NOTHING
        told: Values = _NOTHING
        for other in clause.body:
            if other is not item and name in item_variables(other):
                told = _either(told, self._met(other, name))
        for spot, term in enumerate(clause.head.args):
            if isinstance(term, Var) and term.name == name:
                told = _either(told, telling[clause.head.name][spot])
        return _both(told, others.get(name))

    def _met(self, item: Item, name: str) -> Values:
        """The values of a variable that an item tells apart; what is denied has to be met first."""
        literal = next(literals([item]), None)
        if literal is None:
            return None
        met: Values = _NOTHING
        for term, values in zip(literal.args, self.values.get(literal.name, ()), strict=False):
            if isinstance(term, Var) and term.name == name:
                met = _either(met, values)
        return met


def _compared(item: Item) -> list[tuple[str, Value]]:
    """A variable and a constant that a comparison holds equal, or unequal."""
    if not isinstance(item, Comparison) or item.op not in ("==", "!="):
        return []
    pairs = [(item.left, item.right), (item.right, item.left)]
    return [(v.name, c.value) for v, c in pairs if isinstance(v, Var) and isinstance(c, Const)]


def _both(one: Values, other: Values) -> Values:
    """What is in both; None is anything."""
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _either(one: Values, other: Values) -> Values:
    """What is in one of them; None is anything."""
    return None if one is None or other is None else one | other


def _widen(row: list[Values], literal: Literal, allowed: Mapping[str, Values]) -> bool:
    """Add what a literal's terms can be to what was known of them; whether that is more."""
    before = list(row)
    for spot, term in enumerate(literal.args[: len(row)]):
        values: Values = None
        if isinstance(term, Const):
            values = frozenset([term.value])
        elif isinstance(term, Var):
            values = allowed.get(term.name)
        row[spot] = _either(row[spot], values)
    return row != before

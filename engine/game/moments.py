"""What is said to happen: whether a book decides anything of it, and what it would need for that.

The ways are followed through the clauses, from a fact of the moment up to the predicates that a
step asks. What no such way leads up from, no step of the book decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..book import Book, Fact, PerBook, sentence
from ..errors import NoRule, quoted
from ..model import Clause, Const, Item, Literal, Row, Statement, Var, literals
from ..solvers import Solver, row_of
from ..table import asked
from .alarms import facts_of
from .session import Session

FOLLOWS = "follows"
"""The key of an edition's predicates that a step tells although they make no fact."""

Spots = tuple[int | None, ...]
"""Where the terms of a fact stand in a predicate, as far as they do."""


class Way(NamedTuple):
    """How a fact of the moment bears on a predicate that steps ask, and by which clauses."""

    predicate: str
    spots: Spots
    clauses: tuple[Clause, ...]

    def literal(self, row: Row, arity: int) -> Literal | None:
        """The predicate about what the fact is about; nothing where it is about nothing of it."""
        args: list[Const | Var] = [Var(f"V{spot}") for spot in range(arity)]
        for value, spot in zip(row, self.spots, strict=True):
            if spot is not None:
                args[spot] = Const(value)
        about = any(isinstance(arg, Const) for arg in args)
        return Literal(self.predicate, tuple(args)) if about else None


def stepped(book: Book) -> list[str]:
    """The predicates that a step asks: those of which facts become, and those that it tells."""
    made = [name for name, predicate in book.predicates.items() if predicate.outcomes]
    return list(dict.fromkeys([*made, *followed(book)]))


def followed(book: Book) -> list[str]:
    """The predicates whose new answers a step tells although no fact becomes of them."""
    return [name for name in book.settings.get(FOLLOWS, ()) if name in book.predicates]


def _uses(book: Book) -> dict[str, list[tuple[Clause, Literal]]]:
    """The clauses that each predicate stands in, each with its literal there."""
    found: dict[str, list[tuple[Clause, Literal]]] = {}
    for clause in book.clauses:
        if not book.predicates[clause.head.name].alarm:
            for literal in literals(clause.body):
                found.setdefault(literal.name, []).append((clause, literal))
    return found


def _ways(book: Book) -> dict[str, tuple[Way, ...]]:
    """The ways up from each fact of the moment, the shortest first."""
    uses, wanted = _uses(book), set(stepped(book))
    out = {}
    for fact in book.vocabulary.facts.values():
        if fact.momentary:
            start = Way(fact.name, tuple(range(len(fact.args))), ())
            todo, seen, found = [start], {start[:2]}, []
            while todo:
                way = todo.pop(0)
                if way.predicate in wanted:
                    found.append(way)
                for clause, literal in uses.get(way.predicate, ()):
                    up = _up(way, clause, literal)
                    if up[:2] not in seen:
                        seen.add(up[:2])
                        todo.append(up)
            out[fact.name] = tuple(found)
    return out


def _up(way: Way, clause: Clause, literal: Literal) -> Way:
    """A way one clause further up. Of what is denied or counted the terms are not followed."""
    plain = any(item is literal for item in clause.body) and not literal.negated
    heads = {t.name: spot for spot, t in enumerate(clause.head.args) if isinstance(t, Var)}
    spots: list[int | None] = []
    for spot in way.spots:
        term = literal.args[spot] if plain and spot is not None else None
        spots.append(heads.get(term.name) if isinstance(term, Var) else None)
    return Way(clause.head.name, tuple(spots), (*way.clauses, clause))


ways = PerBook(_ways)


class Idle(NamedTuple):
    """What is to be said of something of which nothing new comes, and the rules behind it."""

    text: str
    cites: tuple[str, ...]


class Moments:
    """What a session's table says to happen, against what its book makes of it."""

    def __init__(self, game: Session) -> None:
        self.game, self.book = game, game.book
        self.facts = game.book.vocabulary.facts
        self.table = asked(game.table, game.book.vocabulary)
        self.said = [f for f in self.table if self.facts[f.name].momentary]
        self.without = [f for f in self.table if not self.facts[f.name].momentary]
        self.plain: Solver = game.solver.but(self.without) if self.said else game.solver

    def new(self, names: Iterable[str]) -> Iterator[Literal]:
        """The answers of some predicates that there would not be if nothing happened."""
        for name in names if self.said else ():
            old = set(rows_of(self.book, self.plain, name))
            for row in rows_of(self.book, self.game.solver, name):
                if row not in old:
                    yield Literal(name, tuple(Const(v) for v in row))

    def idle(self, happened: Iterable[Literal]) -> list[Statement]:
        """What was said to happen without making a difference to anything that the step asks."""
        used = set()
        for literal in happened:
            proof = self.game.prover.prove(literal)
            for leaf in facts_of(proof) if proof else ():
                used.add((leaf.name, row_of(leaf)))
        rest = [f for f in self.said if (f.name, f.row) not in used]
        if not rest:
            return []
        none, every = self._all(self.plain), self._all(self.game.solver)
        out = []
        for fact in rest:
            alone = self.game.solver.but([*self.without, fact])
            if self._all(alone) == none:
                others = [f for f in self.table if f != fact]
                if self._all(self.game.solver.but(others)) == every:
                    out.append(fact)
        return out

    def _all(self, solver: Solver) -> list[set[Row]]:
        return [set(rows_of(self.book, solver, name)) for name in stepped(self.book)]

    def spoken(self, fact: Statement) -> list[Literal]:
        """What a step asks about the very thing that a fact is about, the nearest first."""
        found = []
        for way in ways(self.book)[fact.name]:
            literal = way.literal(fact.row, self.book.predicates[way.predicate].arity)
            if literal is not None:
                found.append(literal)
        return list(dict.fromkeys(found))

    def decided(self, fact: Statement) -> Idle:
        """Why nothing new comes of what was said to happen. Raises NoRule if no rule says so."""
        key, said = key_of(self.facts[fact.name]), self._sentence(fact)
        found = ways(self.book)[fact.name]
        if not found:
            self.game.meaning.look_elsewhere(lambda book: bool(ways(book)[fact.name]), key)
            what = f"{self.book.title} has no rule on {quoted(key)}: nothing comes of {said}"
            raise NoRule(what, hint="the step isn't made")
        missing = self.missing(fact.name)
        if missing:
            raise NoRule(f"nothing comes of {said}: {self._lacks(missing)}", hint=_say(missing))
        for literal in self.spoken(fact):
            if self._possible_at_all(literal.name):
                reason = self.game.explainer.reason(self._bound(literal))
                why = [line.text for line in reason.lines if line.depth] or [
                    line.text for line in reason.lines
                ]
                if why:
                    rules = f" ({', '.join(reason.cites)})" if reason.cites else ""
                    text = f"nothing comes of {said}: {'; '.join(map(str, why))}{rules}"
                    return Idle(text, reason.cites)
        what = f"{self.book.title} has no rule by which anything comes of {said}"
        raise NoRule(what, hint=f"leave {key} out, or say what it needs; the step isn't made")

    def nothing(self) -> NoRule:
        """What is to be said where nothing was said to happen and nothing comes of itself."""
        known = [f for f in self.facts.values() if f.momentary and ways(self.book)[f.name]]
        missing = [m for f in known if f.command for m in self.missing(f.name)]
        what = "nothing was said to happen, and nothing comes of itself"
        if missing:
            what += f"; {self._lacks(missing)}"
        can = f"what can happen: {', '.join(key_of(f) for f in known)}"
        return NoRule(what, hint="; ".join(([_say(missing)] if missing else []) + [can]))

    def missing(self, name: str) -> list[Fact]:
        """The facts without which nothing can come of another one, where nothing is said of them.

        Nothing, where one of the ways up from it is free.
        """
        every = ways(self.book)[name]
        made = [way for way in every if self.book.predicates[way.predicate].outcomes]
        found = made or every
        held = [way for way in found if self._holding_up(way.clauses, name)]
        if len(held) < len(found) or not held:
            return []
        least = len(held[0].clauses)
        names: list[str] = []
        for way in held:
            if len(way.clauses) == least:
                names += self._holding_up(way.clauses, name)
        return [self.facts[n] for n in dict.fromkeys(names) if not self.facts[n].momentary]

    def _holding_up(self, clauses: Iterable[Clause], happens: str) -> list[str]:
        """The facts of which nothing is said, and without which these clauses can't all hold."""
        possible = self._possible(happens)
        out: list[str] = []
        for clause in clauses:
            for literal in _needed(clause.body):
                if not self._can_hold(literal, possible):
                    out += self._empty(literal.name, possible, set())
        return out

    def _possible_at_all(self, name: str) -> bool:
        """Whether a predicate could hold of anything, as far as facts are said at all."""
        return name in self._possible("")

    def _possible(self, happens: str) -> set[str]:
        """The predicates that could hold, by the facts of which something is said."""
        there = {f.name for f in self.table} | {happens}
        heads = self.book.by_head
        while True:
            new = {
                head
                for head, clauses in heads.items()
                if head not in there
                and any(all(self._can_hold(x, there) for x in _needed(c.body)) for c in clauses)
            }
            if not new:
                return there
            there |= new

    def _can_hold(self, literal: Literal, there: set[str]) -> bool:
        """Whether a literal could hold: its predicate could, and its words are said."""
        if literal.name not in there:
            return False
        words = [(spot, t.value) for spot, t in enumerate(literal.args) if isinstance(t, Const)]
        if not words or literal.name not in self.facts:
            return True
        rows = [f.row for f in self.table if f.name == literal.name]
        return any(all(row[spot] == word for spot, word in words) for row in rows)

    def _empty(self, name: str, there: set[str], seen: set[str]) -> list[str]:
        """The facts of which nothing is said, and on which a predicate that can't hold rests."""
        if name in self.facts:
            return [name] if name not in there else []
        if name in seen:
            return []
        seen.add(name)
        out: list[str] = []
        for clause in self.book.clauses_of(name):
            for literal in _needed(clause.body):
                if not self._can_hold(literal, there):
                    out += self._empty(literal.name, there, seen)
        return out

    def _bound(self, literal: Literal) -> Literal:
        """A literal with the values of its first answer, if it has one."""
        rows = self.game.solver.rows(literal)
        return Literal(literal.name, tuple(Const(v) for v in rows[0])) if rows else literal

    def _sentence(self, fact: Statement) -> str:
        return quoted(sentence(self.facts[fact.name], fact.row))

    def _lacks(self, missing: Sequence[Fact]) -> str:
        """What a table doesn't say, in the words of the facts."""
        said = []
        for fact in dict.fromkeys(missing):
            plain = [text for text in fact.tree_no if "{" not in text]
            said.append(plain[0] if plain else f"nothing is said of {key_of(fact)}")
        return ", and ".join(said)


def any_of(book: Book, name: str) -> Literal:
    """A predicate of anybody and anything."""
    arity = book.predicates[name].arity
    return Literal(name, tuple(Var(f"V{spot}") for spot in range(arity)))


def rows_of(book: Book, solver: Solver, name: str) -> Sequence[Row]:
    """Every answer of a predicate."""
    return solver.rows(any_of(book, name))


def key_of(fact: Fact) -> str:
    """The key of table files by which a fact is said."""
    return fact.shapes[0].path[0] if fact.shapes else fact.name


def _say(missing: Sequence[Fact]) -> str:
    return f"say it with {' or '.join(quoted(key_of(fact)) for fact in dict.fromkeys(missing))}"


def _needed(body: Iterable[Item]) -> list[Literal]:
    return [x for x in body if isinstance(x, Literal) and not x.negated]

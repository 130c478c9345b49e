"""Every list on random tables against the questions about its candidates alone.

A list and a single question come to what is open by different ways: one from the doubtful rows of a
whole predicate, the other from a literal without variables, each in a session of its own. Rows,
doubts and verdicts have to be equal. ``make soak`` takes 5,000 tables; ``SEATLOG_LISTS`` says how
many.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

import draft_oracle
from bulk import bulk, shipped
from marker_simulation import random_game
from random_more import random_more
from seatlog.book import Book, Clauses, Predicate
from seatlog.errors import Place, SeatlogError
from seatlog.game import Answer, Session, unread_in
from seatlog.model import Clause, Const, Literal, Row, Value, Var
from seatlog.solvers import open_solver
from seatlog.table import restated
from seatlog.table import table as read
from test_markers import happens, said

TABLES = int(os.environ.get("SEATLOG_LISTS", "300"))
BATCHES = 10
CANDIDATES = 4
"""So many candidates of a list are asked about alone, drawn at random, and all that it names."""
LISTS = 3
"""So many lists without doubts are looked at for each table, beside those with doubts."""

Table = dict[str, Any]


def tables(batch: int) -> Iterator[tuple[str, Table]]:
    """Editions and tables: both books of today, the draft, and steps of its Grand Melee."""
    rng = random.Random(f"lists {batch}")
    for number in range(batch, TABLES, BATCHES):
        kind = number // BATCHES % 5
        if kind in (0, 1):
            yield ("cr", "cr2021")[kind], random_more(rng)
        elif kind == 2:
            yield "cr", worlds(rng)
        elif kind == 3:
            yield "draft2004", draft_oracle.random_table(rng)
        else:
            state, events, _ = rng.choice(random_game(rng, rng.randint(11, 14), 12))
            yield "draft2004", {**said(state), **happens(events)}


def worlds(rng: random.Random) -> Table:
    """World permanents, some of them out of each other's range."""
    seats = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Flo"][: rng.randint(3, 6)]
    since = rng.sample(range(1, 9), 4)
    objects = {
        f"World {turn}": {
            "controller": rng.choice(seats),
            "types": ["enchantment"],
            "world_since": turn,
        }
        for turn in since
    }
    return {"seats": seats, "range": rng.randint(0, 2), "objects": objects}


def opened(edition: str, table: Table) -> Session | None:
    """A session on a table, less what no rule of the edition reads."""
    book = shipped(edition)
    try:
        state = read(table, book.vocabulary)
        vain = {each.said for each in unread_in(book, state)}
        kept = [fact for fact in state.facts if fact.origin and fact not in vain]
        state = restated(state, kept, book.vocabulary) if vain else state
        return Session(book, state, None, bulk(len(state.facts)))
    except SeatlogError:
        return None


def candidates(game: Session, name: str, rng: random.Random) -> list[Row]:
    """Rows that a predicate could have, by the sorts of its terms."""
    known = game.rows(name, *open_terms(game, name))
    columns: list[list[Value]] = []
    for spot, sorts in enumerate(game.book.arg_sorts[name]):
        names: list[Value] = [n for n, sort in game.table.names.items() if sort in (sorts or ())]
        columns.append(names or list(dict.fromkeys(row[spot] for row in known)))
    every = list(product(*columns))
    return rng.sample(every, min(len(every), CANDIDATES))


def open_terms(game: Session, name: str) -> list[None]:
    """As many open terms as a predicate has."""
    return [None] * game.book.predicates[name].arity


def literal(name: str, row: Row | int) -> Literal:
    """A predicate of a row, or with so many variables."""
    if isinstance(row, int):
        return Literal(name, tuple(Var(f"V{i}") for i in range(row)))
    return Literal(name, tuple(Const(v) for v in row))


def asked(game: Session) -> list[str]:
    """The predicates of verbs, and those with doubts or such below them that people read."""
    book = game.book
    above = {p.name for p in book.predicates.values() if p.doubts}
    for _ in range(3):
        above |= {c.head.name for c in book.clauses if any(n in above for n in needs(c.body))}
    verbs = {v.predicate for v in book.verbs}
    readable = {p.name for p in book.predicates.values() if p.speaks}
    return sorted(verbs | (above & readable))


def needs(body: tuple[Any, ...]) -> list[str]:
    return [i.name for i in body if isinstance(i, Literal)]


def alone(game: Session, name: str, row: Row) -> Answer:
    return game.ask(str(literal(name, row)))


def differences(edition: str, table: Table, seen: Counter[str], rng: random.Random) -> list[str]:
    """Where a list and the questions about its candidates part."""
    lists, singles = opened(edition, table), opened(edition, table)
    if lists is None or singles is None:
        seen["refused"] += 1
        return []
    out = []
    seen["tables"] += 1
    every = asked(lists)
    doubtful = [name for name in every if lists.doubts_of(name, *open_terms(lists, name))]
    for name in dict.fromkeys((*doubtful, *rng.sample(every, LISTS))):
        answer = lists.ask(str(literal(name, len(open_terms(lists, name)))))
        lacks = answer.lacks
        rows = dict.fromkeys((*candidates(lists, name, rng), *answer.rows[:CANDIDATES], *lacks))
        for row in rows:
            single = alone(singles, name, row)
            doubts = answer.doubts_of(row) if row in answer.rows or row in lacks else ()
            if single.verdict != (row in answer.rows) or single.doubts != doubts:
                out.append(f"{name}{row}: {single} against {doubts}")
            if (not single.verdict and bool(single.doubts)) != (row in lacks):
                out.append(f"{name}{row} is in the wrong list")
            if set(doubts) - set(answer.doubts):
                out.append(f"{name}{row}: a doubt is lost")
            seen["yes" if single else "no"] += 1
            seen["open yes" if single else "open no"] += bool(single.doubts)
        if not answer.rows:
            out += unlike(singles, answer)
            seen["none"] += bool(answer.nearest)
        if name in doubtful:
            out += counted_otherwise(lists, name, answer)
            sorts = lists.book.arg_sorts
            like = [e for e in every if sorts[e] == sorts[name] and e != name and all(sorts[e])]
            for other in rng.sample(like, min(len(like), 3)):
                out += joined_otherwise(lists, name, answer, other, seen)
    return [f"{each}\n{edition}: {table}" for each in out]


def unlike(game: Session, answer: Answer) -> list[str]:
    """What comes near has the reason and the rules that its single question gives."""
    out = []
    for near in answer.nearest[:3]:
        single = game.ask(near.question)
        if (near.lines, near.cites) != (single.reason, single.cites):
            out.append(f"{near.question}: {near} against {single}")
    return out


def counted_otherwise(game: Session, name: str, answer: Answer) -> list[str]:
    """A count is open where a row of its list is, and may come to what the list may come to."""
    *free, last = answer.variables
    if free:
        given = (answer.rows or answer.lacks)[0][:-1]
        known = literal(name, given).args
    else:
        known = ()
    inner = Literal(name, (*known, Var(last)))
    several = game.ask(str(inner))
    count = game.ask(f"(Number == count({last}, {inner}))")
    number, open_ones = len(several.rows), sum(bool(several.doubts_of(r)) for r in several.rows)
    could = set(range(number - open_ones, number + len(several.lacks) + 1)) - {number}
    fine = count.rows == [(number,)] and set(count.doubts) == set(several.doubts)
    return [] if fine and {n for (n,) in count.lacks} == could else [f"{count} against {several}"]


def joined_otherwise(
    game: Session, name: str, answer: Answer, other: str, seen: Counter[str]
) -> list[str]:
    """One list less another: open where either is and neither rules the row out."""
    less = game.ask(str(literal(other, len(answer.variables))))
    both = game.ask(f"{answer.question} & ~{less.question}")
    out = []
    for row in dict.fromkeys((*answer.rows, *answer.lacks)):
        why = {*answer.doubts_of(row), *(less.doubts_of(row) if row in spoken(less) else ())}
        held, ruled_out = row in answer.rows, row in less.rows
        sure = ruled_out and not less.doubts_of(row)
        wanted = ("yes" if held and not ruled_out else "no", set() if sure else why)
        found = both.doubts_of(row) if row in spoken(both) else ()
        if wanted != ("yes" if row in both.rows else "no", set(found)):
            out.append(f"{both.question}, {row}: {wanted} against {found}")
        seen["joined"] += bool(found)
    return out


def spoken(answer: Answer) -> list[Row]:
    """The rows that a list has or may lack."""
    return [*answer.rows, *answer.lacks]


def otherwise(book: Book, name: str, row: Row, holds: bool) -> Book:
    """The book with a clause more, so that one row of a predicate holds, or doesn't."""
    place = Place("test")
    if holds:
        clause = Clause(literal(name, row), (), "test", place)
        return book._replace(clauses=Clauses([*book.clauses, clause]), key="")
    predicates = dict(book.predicates)
    params = predicates[name].params
    before, but = f"{name} before", f"{name} but"
    predicates[before], predicates[but] = Predicate(before, params), Predicate(but, params)
    terms = literal(name, len(params)).args
    body = (Literal(before, terms), Literal(but, terms, True))
    clauses = [
        c._replace(head=c.head._replace(name=before)) if c.head.name == name else c
        for c in book.clauses
    ]
    clauses.append(Clause(Literal(name, terms), body, "test", place))
    clauses.append(Clause(literal(but, row), (), "test", place))
    return book._replace(clauses=Clauses(clauses), predicates=predicates, key="")


def unforeseen(edition: str, table: Table, rng: random.Random, seen: Counter[str]) -> list[str]:
    """What changes where a doubt is settled the other way, and wasn't said to be open."""
    game = opened(edition, table)
    if game is None:
        return []
    out = []
    for predicate in game.book.predicates.values():
        doubtful = game.doubts_of(predicate.name, *open_terms(game, predicate.name))
        if not predicate.doubts or not doubtful:
            continue
        row = rng.choice(list(doubtful))
        book = otherwise(game.book, predicate.name, row, not game.holds(predicate.name, *row))
        solver = open_solver(book, game.table.facts, game.solver.name)
        for name in asked(game):
            goal = literal(name, len(open_terms(game, name)))
            changed = set(game.solver.rows(goal)) ^ set(solver.rows(goal))
            seen["changed"] += len(changed - {row})
            left = changed - set(game.doubts_of(name, *open_terms(game, name)))
            out += [f"{predicate.name}{row} settles {name}{each}" for each in left]
    return [f"{each}\n{edition}: {table}" for each in out]


def test_settling_a_doubt_changes_only_what_was_open() -> None:
    """Each doubtful row turned to the other answer, as a ruling would: what changes was open."""
    seen: Counter[str] = Counter()
    rng = random.Random("settled")
    every = (pair for batch in range(3) for pair in tables(batch))
    found = [d for e, t in every for d in unforeseen(e, t, rng, seen)]
    assert not found, "\n".join(found[:3])
    assert seen["changed"], "no doubt that was settled has changed anything"


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_list_is_what_its_single_questions_are(batch: int) -> None:
    seen: Counter[str] = Counter()
    rng = random.Random(batch)
    found = [d for e, t in tables(batch) for d in differences(e, t, seen, rng)]
    assert not found, "\n".join(found[:3])
    seen["open"] = seen["open yes"] + seen["open no"]
    assert all(seen[each] for each in ("yes", "no", "open", "none")), seen

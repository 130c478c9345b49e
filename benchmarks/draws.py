"""Games drawn fact by fact out of a universe: each fact with the games that state it, as bits."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable

from seatlog.book import Book
from seatlog.model import Const, Literal, Row, Statement, literals
from seatlog.worlds import Slots

Facts = dict[tuple[str, Row], int]
OFTEN, SELDOM, RIVALS = 0.3, 0.06, 0.5
"""How often a fact is stated: one that clauses look for by a word, another, some one of a key."""
SPOKEN = 0.6
"""How often a predicate is spoken of at all."""


def below(book: Book, names: Iterable[str]) -> set[str]:
    """Some predicates and all that they rest on, facts among them."""
    seen, todo = set(names), list(names)
    while todo:
        new = {x.name for c in book.clauses_of(todo.pop()) for x in literals(c.body)} - seen
        seen |= new
        todo += new
    return seen


def rests_on(book: Book, names: Iterable[str]) -> list[str]:
    """The facts that some predicates rest on."""
    return sorted(below(book, names) & set(book.vocabulary.facts))


def drawn(book: Book, universe: Slots, names: Iterable[str], games: int, seed: int) -> Facts:
    """So many games that state facts of some predicates: of a key one row, numbers without gaps."""
    rng, full = random.Random(seed), (1 << games) - 1
    words: dict[str, set[tuple[int, object]]] = {}
    for literal in (x for clause in book.clauses for x in literals(clause.body)):
        words.setdefault(literal.name, set()).update(_words(literal))
    out: Facts = {}
    for name in names:
        rows = list(universe.rows(name))
        groups = {row: universe.groups(name, row) for row in rows}
        if _lined(rows, groups.values()):
            held = full
            for number, row in enumerate(sorted(rows, key=lambda row: row[-1])):
                held &= full if number < 2 else _some(rng, games, 0.85)
                out[name, row] = held
            continue
        spoken = _some(rng, games, SPOKEN)
        taken: dict[int, int] = {}
        looked = words.get(name, set())
        for row in rng.sample(rows, len(rows)):
            rivals = max((sum(g in groups[r] for r in rows) for g in groups[row]), default=0)
            share = SELDOM if looked and looked.isdisjoint(enumerate(row)) else OFTEN
            held = _some(
                rng, games, max(share, RIVALS / max(rivals, 1) ** 0.5) if rivals else share
            )
            held &= spoken
            for group in groups[row]:
                held &= ~taken.get(group, 0)
            taken.update((group, taken.get(group, 0) | held) for group in groups[row])
            out[name, row] = held
    return out


def stated(facts: Facts, game: int) -> list[Statement]:
    """What one game states."""
    return [Statement(name, row) for (name, row), held in facts.items() if held >> game & 1]


def _words(literal: Literal) -> Iterable[tuple[int, object]]:
    return ((i, t.value) for i, t in enumerate(literal.args) if isinstance(t, Const))


def _lined(rows: Collection[Row], groups: Collection[tuple[int, ...]]) -> bool:
    """Whether each row is alone with all of its keys: names in their order."""
    every = [group for own in groups for group in own]
    return len(rows) > 1 and len(every) == len(set(every)) == 2 * len(rows)


def _some(rng: random.Random, games: int, share: float) -> int:
    """Bits of which about so many are set: the share to six binary places."""
    out, places = 0, int(min(share, 1) * 64)
    for place in range(6):
        new = rng.getrandbits(games)
        out = out | new if places >> place & 1 else out & new
    return out

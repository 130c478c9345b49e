"""Corpora: many games packed, one bit per game for each fact, kept in files and made of tables.

A corpus belongs to a universe: names stand in its slots, numbers within its bound. Its file is one
line of JSON and, behind it, the columns as they are; it holds no code, and its head has to tell
its exact size before anything is read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..book import Numbers, Texts, Vocabulary
from ..editions import fingerprint
from ..errors import Place, SeatlogError, TableError, many, quoted
from ..language import read_bytes, replace_bytes
from ..model import Row, Statement, Value
from ..table import Table, as_data, asked, without_defaults
from .circuit import Stated
from .kept import as_lists, of_lists
from .run import Columns, columns, width
from .universe import Slots, bound_text

MAGIC = b"seatlog games\n"
LAYOUT = 1
MOST_GAMES = 50_000_000
MOST_HEAD = 16_000_000
MOST_BYTES = 2_000_000_000


class Corpus(NamedTuple):
    """Games of one universe, as columns, with the bound and the vocabulary that they are of.

    ``titles`` say where each game comes from, or are empty.
    """

    columns: Columns
    bound: Mapping[str, int]
    vocabulary: str
    titles: tuple[str, ...] = ()

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.columns.games

    def facts(self, game: int) -> tuple[Statement, ...]:
        """What one game states. Raises IndexError where there is none of that number."""
        if not 0 <= game < self.games:
            raise IndexError(game)
        size, (at, bit) = self.columns.width, divmod(game, 8)
        data = self.columns.data
        return tuple(
            Statement(name, row, ("game",))
            for number, (name, row) in enumerate(self.columns.facts)
            if data[number * size + at] >> bit & 1
        )


def packed(universe: Slots, held: Iterable[tuple[Stated, int]], games: int) -> Corpus:
    """A corpus of columns, each a number whose bit ``k`` is game ``k``."""
    made = columns(held, games)
    return Corpus(made, dict(universe.bound), digest_of(universe.vocabulary))


def joined(parts: Sequence[Corpus]) -> Corpus:
    """The games of several corpora of one universe, one after the other, as one corpus."""
    held: dict[Stated, int] = {}
    games = 0
    for part in parts:
        for at, fact in enumerate(part.columns.facts):
            held[fact] = held.get(fact, 0) | part.columns.column(at) << games
        games += part.games
    titles = tuple(title for part in parts for title in part.titles)
    return parts[0]._replace(
        columns=columns(held.items(), games), titles=titles if len(titles) == games else ()
    )


def digest_of(vocabulary: Vocabulary) -> str:
    """What tells vocabularies apart by what a table can say in them: 64 hexadecimal digits."""
    facts = [
        (f.name, f.args, f.sorts, f.keys, f.names, f.default) for f in vocabulary.facts.values()
    ]
    sorts = [(s.kind, s.name, s.parts()) for s in vocabulary.sorts.values()]
    return fingerprint(json.dumps([facts, sorts]).encode())


def game_data(
    corpus: Corpus, game: int, vocabulary: Vocabulary, edition: str | None = None
) -> dict[str, Any]:
    """One game as table data, which ``seatlog.open`` takes. Raises TableError, IndexError."""
    return as_data(without_defaults(corpus.facts(game), vocabulary), vocabulary, edition)


def fits(corpus: Corpus, universe: Slots) -> None:
    """Raise SeatlogError where a corpus isn't one of a universe."""
    if corpus.vocabulary != digest_of(universe.vocabulary):
        raise SeatlogError(
            "these games were packed with another vocabulary",
            hint="pack them again with this one",
        )
    if dict(corpus.bound) != universe.bound:
        said = [bound_text(bound) or "the smallest" for bound in (corpus.bound, universe.bound)]
        raise SeatlogError(
            f"these games are within {said[0]}, not {said[1]}",
            hint="ask for the bound of the games, or pack them within this one",
        )
    rows: dict[str, set[Row]] = {}
    for number, (name, row) in enumerate(corpus.columns.facts):
        if name not in rows:
            rows[name] = set(universe.rows(name))
        if row not in rows[name] and corpus.columns.column(number):
            raise SeatlogError(f"some of these games state {Statement(name, row)}, which is beyond")


def save_corpus(corpus: Corpus, file: str | os.PathLike[str]) -> None:
    """Write a corpus, whole or not at all. Raises OSError."""
    data = bytes(corpus.columns.data)
    head = {
        "layout": LAYOUT,
        "games": corpus.games,
        "bound": dict(corpus.bound),
        "vocabulary": corpus.vocabulary,
        "facts": as_lists(corpus.columns.facts),
        "titles": list(corpus.titles),
        "digest": fingerprint(data),
    }
    line = json.dumps(head, separators=(",", ":")).encode()
    replace_bytes(file, MAGIC + line + b"\n" + data)


def load_corpus(file: str | os.PathLike[str]) -> Corpus:
    """The corpus of a file. Raises SeatlogError for any other file, and for one that is damaged."""
    name = os.fspath(file)
    found = read_bytes(file, name, MOST_BYTES)
    if not found.startswith(MAGIC):
        raise _no_corpus(name, "this is no file of packed games")
    end = found.find(b"\n", len(MAGIC), len(MAGIC) + MOST_HEAD)
    try:
        head = json.loads(found[len(MAGIC) : end]) if end > 0 else None
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict):
        raise _no_corpus(name, "the head of these packed games is damaged")
    if head.get("layout") != LAYOUT:
        raise _no_corpus(name, "these games were packed by another version of Seatlog")
    data = memoryview(found)[end + 1 :]
    try:
        return _corpus(head, data)
    except (ValueError, TypeError, KeyError):
        raise _no_corpus(name, "these packed games are damaged") from None


def _corpus(head: Mapping[str, Any], data: memoryview) -> Corpus:
    """Raises ValueError, TypeError or KeyError where the head isn't that of the data."""
    facts, games = of_lists(head["facts"]), head["games"]
    if type(games) is not int or not 0 <= games <= MOST_GAMES:
        raise ValueError("no number of games")
    if len(data) != len(facts) * width(games) or fingerprint(bytes(data)) != head["digest"]:
        raise ValueError("other data")
    bound, titles = head["bound"], head["titles"]
    if not isinstance(bound, dict) or not all(type(n) is int for n in bound.values()):
        raise ValueError("no bound")
    if not all(isinstance(t, str) for t in [*titles]) or len(titles) not in (0, games):
        raise ValueError("no titles")
    if not isinstance(head["vocabulary"], str) or len(set(facts)) != len(facts):
        raise ValueError("no vocabulary, or a fact twice")
    made = Columns(tuple(facts), games, data)
    return Corpus(made, bound, head["vocabulary"], tuple(titles))


def _no_corpus(name: str, what: str) -> SeatlogError:
    return SeatlogError(what, place=Place(name), hint="pack the games again")


class Left(NamedTuple):
    """A table that no slot of a universe can hold, and why."""

    title: str
    why: str


def of_tables(universe: Slots, tables: Iterable[Table]) -> tuple[Corpus, list[Left]]:
    """Tables as a corpus, their names put into slots; and those that don't fit.

    Names of a sort go by the order in which they come, or by their numbers where every name of the
    sort has its own. Texts that no clause looks for go into slots as well.
    """
    slots = _Slotted(universe)
    held: dict[Stated, int] = {}
    left: list[Left] = []
    titles: list[str] = []
    for table in tables:
        try:
            facts = slots.facts(table)
        except TableError as error:
            left.append(Left(table.title, error.what))
            continue
        for fact in facts:
            held[fact] = held.get(fact, 0) | 1 << len(titles)
        titles.append(table.title)
    made = packed(universe, sorted(held.items(), key=lambda each: str(each[0])), len(titles))
    return made._replace(titles=tuple(titles)), left


class _Slotted:
    """Puts what tables say into the slots of a universe."""

    def __init__(self, universe: Slots) -> None:
        self.universe, self.vocabulary = universe, universe.vocabulary
        self.rows = {name: frozenset(universe.rows(name)) for name in self.vocabulary.facts}
        self.numbered: dict[str, tuple[int, dict[Value, Value]]] = {}
        for fact in self.vocabulary.facts.values():
            spot = universe.numbered(fact)
            if spot is not None:
                names = {row[1 - spot]: row[spot] for row in self.rows[fact.name]}
                self.numbered[fact.name] = spot, names

    def facts(self, table: Table) -> list[Stated]:
        """The facts of a table in slots. Raises TableError where some fit in none."""
        said = asked(table, self.vocabulary)
        known = self._named(table, said)
        out = []
        for fact in said:
            sorts = self.vocabulary.facts[fact.name].sorts
            slotted = tuple(self._value(v, s, known) for v, s in zip(fact.row, sorts, strict=True))
            if slotted not in self.rows[fact.name]:
                raise self._beyond(fact)
            out.append((fact.name, slotted))
        return out

    def _beyond(self, fact: Statement) -> TableError:
        return TableError(f"{fact} is beyond {bound_text(self.universe.bound)}")

    def _named(self, table: Table, said: Sequence[Statement]) -> dict[tuple[str, Value], Value]:
        """The slot of each name."""
        known: dict[tuple[str, Value], Value] = {}
        for fact in said:
            if fact.name in self.numbered:
                spot, names = self.numbered[fact.name]
                slot = names.get(fact.row[1 - spot])
                if slot is None:
                    raise self._beyond(fact)
                known[table.names[str(fact.row[spot])], fact.row[spot]] = slot
        taken: dict[str, list[Value]] = {}
        for name, sort in table.names.items():
            if (sort, name) in known:
                continue
            free = taken.setdefault(sort, list(self.universe.names(sort)))
            if not free:
                most = len(self.universe.names(sort))
                raise TableError(f"it has more than {most} of {quoted(sort)}")
            known[sort, name] = free.pop(0)
        return {("", name): slot for (_, name), slot in known.items()}

    def _value(self, value: Value, sort: str, known: dict[tuple[str, Value], Value]) -> Value:
        declared = self.vocabulary.sorts[sort]
        if isinstance(declared, Numbers) or declared.closed:
            return value
        if not isinstance(declared, Texts):
            return known["", value]
        slots = self.universe.other_texts(sort)
        if value not in slots and value in self.universe.domain(sort):
            return value
        if (sort, value) not in known:
            used = {slot for (s, _), slot in known.items() if s == sort}
            free = [text for text in slots if text not in used]
            if not free:
                raise TableError(f"it says more than {many(len(used), 'text')} of {quoted(sort)}")
            known[sort, value] = free[0]
        return known[sort, value]

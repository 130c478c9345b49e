"""Books as text and back, one line of JSON for each predicate's clauses.

A question needs few of a book's clauses, so those are read when they are looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ..book import (
    Book,
    Clauses,
    Fact,
    Outcome,
    Predicate,
    Rests,
    Section,
    Shape,
    Verb,
    Vocabulary,
    made,
)
from ..errors import BookError, Place
from ..model import Clause, Comparison, Const, Count, Item, Literal, Sum, Term, Var


def pack(book: Book) -> str:
    """The text of a book."""
    numbers: dict[str, list[int]] = {}
    for number, clause in enumerate(book.clauses):
        numbers.setdefault(clause.head.name, []).append(number)
    lines: list[Any] = [_plain(book, list(numbers.items()))]
    for own in numbers.values():
        clauses = [book.clauses[n] for n in own]
        lines.append(
            [
                [_item(c.head), [_item(i) for i in c.body], c.rule, c.place, *_said(c)]
                for c in clauses
            ]
        )
    return "\n".join([json.dumps(line, separators=(",", ":")) for line in lines])


def unpack(text: str, key: str) -> Book:
    """The book of a text."""
    first, *lines = text.split("\n")
    return _book(json.loads(first), lines, key)


def _damaged() -> BookError:
    """What a part of a prepared book can't be is only seen when it is needed."""
    return BookError("a prepared book is damaged", hint="empty Seatlog's cache, and ask again")


class Unread(Clauses):
    """The clauses of a book in rule order, of which each predicate's are read when needed."""

    def __init__(self, heads: list[tuple[str, list[int]]], lines: list[str], own: Rests) -> None:
        super().__init__(())
        self._heads, self._own = heads, own
        self._lines = _ByHead({name: line for (name, _), line in zip(heads, lines, strict=True)})

    @property
    def by_head(self) -> Mapping[str, list[Clause]]:
        """The clauses of each predicate, each read when it is looked at."""
        return self._lines

    @property
    def rests(self) -> Rests:
        """What each clause rests on, as it was when the book was checked."""
        return self._own

    def whole(self) -> tuple[Clause, ...]:
        """Every clause, read now at the latest. Raises BookError when that can't be done."""
        if not self._all:
            found: dict[int, Clause] = {}
            for name, numbers in self._heads:
                own = self.by_head[name]
                if len(own) != len(numbers):
                    raise _damaged()
                found.update(zip(numbers, own, strict=True))
            self._all = tuple([found[n] for n in range(len(self))])
        return self._all

    def __len__(self) -> int:
        return len(self._own)


class _ByHead(Mapping[str, list[Clause]]):
    """The clauses of each predicate, read from its line once."""

    def __init__(self, lines: dict[str, str]) -> None:
        self._lines = lines
        self._read: dict[str, list[Clause]] = {}

    def __getitem__(self, name: str) -> list[Clause]:
        found = self._read.get(name)
        if found is None:
            line = self._lines[name]
            try:
                found = [_clause(*parts) for parts in json.loads(line)]
            except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
                raise _damaged() from None
            self._read[name] = found
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._lines

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


def _plain(book: Book, heads: list[tuple[str, list[int]]]) -> dict[str, Any]:
    return {
        "about": [book.name, book.title, book.date],
        "sections": [
            [s.number, s.title, s.place, s.digests, s.left_out, s.stands_for, s.joins]
            for s in book.sections.values()
        ],
        "heads": heads,
        "rests": book.clauses.rests,
        "predicates": [
            [
                *(p.name, p.params, p.role, p.yes, p.no, p.tree_yes, p.tree_no),
                *(p.bookkeeping, p.walk, p.alarm),
                [_item(t) for t in p.tells],
                [_item(t) for t in p.tells_none],
                [_item(t) for t in p.doubts],
                [[o.kind, _item(o.fact)] for o in p.outcomes],
                p.telling,
            ]
            for p in book.predicates.values()
        ],
        "verbs": book.verbs,
        "facts": list(book.vocabulary.facts.values()),
        "sorts": [[s.kind, s.name, s.parts()] for s in book.vocabulary.sorts.values()],
        "folder": book.vocabulary.folder,
        "editions": book.vocabulary.editions,
        "roles": book.vocabulary.roles,
        "who": book.vocabulary.who,
        "hints": book.vocabulary.hints,
        "describing": book.vocabulary.describing,
        "arg_sorts": {
            name: [None if a is None else sorted(a) for a in row]
            for name, row in book.arg_sorts.items()
        },
        "settings": book.settings,
        "bearing": {
            name: [None if w is None else sorted(w) for w in row]
            for name, row in book.bearing.items()
        },
    }


def _item(item: Item) -> list[Any]:
    if isinstance(item, Literal):
        return [int(item.negated), item.name, [_term(t) for t in item.args]]
    if isinstance(item, Comparison):
        return [2, item.op, _term(item.left), _term(item.right)]
    return [3, item.result.name, item.counted.name, _item(item.literal)]


def _term(term: Term) -> Any:
    if isinstance(term, Const):
        return term.value
    if isinstance(term, Var):
        return [term.name]
    return [term.op, _term(term.left), _term(term.right)]


def _book(data: dict[str, Any], lines: list[str], key: str) -> Book:
    sections = {}
    for number, title, place, digests, *kind in data["sections"]:
        section = sections[number] = Section(number, title, Place(*place))
        section.digests = digests
        section.left_out, section.stands_for, section.joins = kind
    predicates = {}
    for name, params, role, yes, no, tree_yes, tree_no, *rest in data["predicates"]:
        bookkeeping, walk, alarm, tells, tells_none, doubts, ends, telling = rest
        predicate = predicates[name] = Predicate(name, tuple(params), role)
        predicate.tree_yes, predicate.tree_no = tree_yes, tuple(tree_no)
        predicate.bookkeeping = bookkeeping
        predicate.yes, predicate.no, predicate.walk, predicate.alarm = yes, no, walk, alarm
        predicate.tells = tuple(_literal(t) for t in tells)
        predicate.tells_none = tuple(_literal(t) for t in tells_none)
        predicate.telling = tuple(telling)
        predicate.doubts = tuple(_literal(t) for t in doubts)
        predicate.outcomes = tuple(Outcome(kind, _literal(fact)) for kind, fact in ends)
    name, title, date = data["about"]
    return Book(
        name,
        title,
        date,
        sections,
        Unread(data["heads"], lines, data["rests"]),
        predicates,
        tuple(_verb(*v) for v in data["verbs"]),
        Vocabulary(
            {f[0]: _fact(f) for f in data["facts"]},
            {name: made(kind, name, parts) for kind, name, parts in data["sorts"]},
            data["folder"],
            tuple(data["editions"]),
            data["roles"],
            tuple(data["who"]),
            data["hints"],
            {name: tuple(words) for name, words in data["describing"].items()},
        ),
        key,
        {
            name: tuple([None if a is None else frozenset(a) for a in row])
            for name, row in data["arg_sorts"].items()
        },
        {name: tuple(row) for name, row in data["settings"].items()},
        {
            name: tuple([None if w is None else frozenset(w) for w in row])
            for name, row in data["bearing"].items()
        },
    )


def _literal(data: list[Any]) -> Literal:
    return Literal(data[1], tuple([_read_term(t) for t in data[2]]), data[0] == 1)


def _clause(head: list[Any], body: list[Any], rule: str, at: list[Any], *said: str) -> Clause:
    yes, no, but = said or ("", "", "")
    return Clause(
        _literal(head), tuple([_read_item(i) for i in body]), rule, Place(*at), yes, no, but
    )


def _said(clause: Clause) -> list[str]:
    """The sentences of a clause; most have none."""
    said = [clause.yes, clause.no, clause.but]
    return said if any(said) else []


def _read_item(data: list[Any]) -> Item:
    if data[0] == 2:
        return Comparison(data[1], _read_term(data[2]), _read_term(data[3]))
    if data[0] == 3:
        return Count(Var(data[1]), Var(data[2]), _literal(data[3]))
    return _literal(data)


def _read_term(data: Any) -> Term:
    if not isinstance(data, list):
        return Const(data)
    if len(data) == 1:
        return Var(data[0])
    return Sum(_read_term(data[1]), data[0], _read_term(data[2]))


def _verb(
    word: str, who: int, what: int | None, predicate: str, others: list[tuple[str, int]]
) -> Verb:
    return Verb(word, who, what, predicate, tuple((p, i) for p, i in others))


def _fact(data: list[Any]) -> Fact:
    name, args, sorts, keys, names, shapes, about, yes, no, *rest = data
    tree_no, default, command, prefer, place, momentary = rest
    return Fact(
        name,
        tuple(args),
        tuple(sorts),
        tuple(tuple(k) for k in keys),
        tuple(names),
        tuple(Shape(tuple(path), value, many) for path, value, many in shapes),
        about,
        yes,
        no,
        tuple(tree_no),
        tuple(default) if default is not None else None,
        command,
        prefer,
        Place(*place),
        momentary,
    )

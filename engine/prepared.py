"""Keep a checked book in the user's cache, so that the next start needn't read it again.

The file is JSON, named after a hash of everything the book was made from, so it can't be stale; a
missing, unwritable or damaged cache only means that the book is read again.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import TYPE_CHECKING, Any

from .book import Book, Fact, Predicate, Section, Shape, Sort, Verb, Vocabulary
from .errors import Place, SeatlogError
from .files import read_file
from .model import Clause, Comparison, Const, Count, Item, Literal, Sum, Term, Var
from .version import VERSION

try:
    from _blake2 import blake2b  # hashlib's own, without OpenSSL at every start
except ImportError:
    from hashlib import blake2b

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = f"seatlog {VERSION} prepared 8"
_MAX = 2_000_000


def folder() -> Path | None:
    """Where prepared books are kept, or None when there is no such place."""
    from pathlib import Path

    found = _folder()
    return Path(found) if found else None


def _folder() -> str | None:
    chosen = os.environ.get("SEATLOG_CACHE")
    if chosen is not None:
        return chosen or None
    base = os.environ.get("XDG_CACHE_HOME")
    if not base:
        if sys.platform == "win32":
            base = os.environ.get("LOCALAPPDATA")
        elif home := os.environ.get("HOME"):
            base = f"{home}/.cache"
    return f"{base}/seatlog" if base else None


def fingerprint(data: bytes) -> str:
    """64 hexadecimal digits of BLAKE2b."""
    return blake2b(data, digest_size=32).hexdigest()


def load(key: str) -> Book | None:
    """The prepared book of this key, or None."""
    where = _folder()
    if where is None:
        return None
    try:
        digest, _, data = read_file(f"{where}/{key}.json", limit=_MAX).partition("\n")
        if fingerprint(data.encode()) != digest:
            return None
        return _book(json.loads(data), key)
    except (SeatlogError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def save(key: str, book: Book) -> None:
    """Keep a book."""
    data = json.dumps(_plain(book), separators=(",", ":"))
    keep(f"{key}.json", f"{fingerprint(data.encode())}\n{data}")


def keep(name: str, text: str) -> None:
    """Keep a file whole or not at all; silently nothing when that can't be done."""
    where = folder()
    if where is None or len(text) > _MAX:
        return
    with contextlib.suppress(OSError, ValueError):
        where.mkdir(parents=True, exist_ok=True)
        draft = where / f"{name}.{os.getpid()}.tmp"
        with draft.open("x", encoding="ascii") as stream:
            stream.write(text)
        draft.replace(where / name)


def _plain(book: Book) -> dict[str, Any]:
    return {
        "about": [book.name, book.title, book.date],
        "sections": [
            [s.number, s.title, s.place, s.digests, s.left_out, s.stands_for]
            for s in book.sections.values()
        ],
        "clauses": [
            [_item(c.head), [_item(i) for i in c.body], c.rule, c.place, c.yes]
            for c in book.clauses
        ],
        "predicates": [
            [
                *(p.name, p.params, p.yes, p.no, p.walk, p.alarm),
                [_item(t) for t in p.tells],
                [_item(t) for t in p.doubts],
            ]
            for p in book.predicates.values()
        ],
        "verbs": book.verbs,
        "facts": list(book.vocabulary.facts.values()),
        "sorts": list(book.vocabulary.sorts.values()),
        "folder": book.vocabulary.folder,
        "arg_sorts": {
            name: [None if a is None else sorted(a) for a in row]
            for name, row in book.arg_sorts.items()
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


def _book(data: dict[str, Any], key: str) -> Book:
    sections = {}
    for number, title, place, digests, left_out, stands_for in data["sections"]:
        section = sections[number] = Section(number, title, Place(*place))
        section.digests, section.left_out, section.stands_for = digests, left_out, stands_for
    predicates = {}
    for name, params, yes, no, walk, alarm, tells, doubts in data["predicates"]:
        predicate = predicates[name] = Predicate(name, tuple(params))
        predicate.yes, predicate.no, predicate.walk, predicate.alarm = yes, no, walk, alarm
        predicate.tells = tuple(_literal(t) for t in tells)
        predicate.doubts = tuple(_literal(t) for t in doubts)
    clauses = tuple(
        Clause(_literal(head), tuple(_read_item(i) for i in body), rule, Place(*place), yes)
        for head, body, rule, place, yes in data["clauses"]
    )
    name, title, date = data["about"]
    return Book(
        name,
        title,
        date,
        sections,
        clauses,
        predicates,
        tuple(_verb(*v) for v in data["verbs"]),
        Vocabulary(
            {f[0]: _fact(f) for f in data["facts"]},
            {s[0]: _sort(s) for s in data["sorts"]},
            data["folder"],
        ),
        key,
        {
            name: tuple([None if a is None else frozenset(a) for a in row])
            for name, row in data["arg_sorts"].items()
        },
    )


def _literal(data: list[Any]) -> Literal:
    return Literal(data[1], tuple([_read_term(t) for t in data[2]]), data[0] == 1)


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


def _sort(data: list[Any]) -> Sort:
    name, kind, choices, low, high = data
    return Sort(name, kind, tuple(choices), low, high)


def _fact(data: list[Any]) -> Fact:
    name, args, sorts, keys, names, shapes, about, yes, no, default, command, prefer, place = data
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
        tuple(default) if default is not None else None,
        command,
        prefer,
        Place(*place),
    )

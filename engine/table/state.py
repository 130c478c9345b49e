"""Game states: TOML files, keyword data and quick flags, turned into facts and checked.

Nothing is worked out here. A table is copied into ground facts as the vocabulary's shapes say;
what follows from them is for the clauses.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..book import Book, Files, Vocabulary
from ..editions import load_book, names, where
from ..errors import Place, TableError, did_you_mean, printable, quoted, refuse
from ..language import Source, beneath, is_file, read_file, stem
from ..model import Row, Statement
from .aside import KEY, key_names, set_aside
from .checking import Checker
from .data import given, kind, laid_over, plain
from .keys import Shaper

MAX_FILE = 8_000_000
DEAL = "deal"
_HINTS = {
    "Unclosed array": "put a comma between the items, and a ] behind the last",
    "Invalid value": 'a text goes in quotes, a list in []: ["one", "two"]',
    "Cannot overwrite": "this key is there already: keep one",
    "Cannot declare": "this heading is there already: keep one",
}


class Table(NamedTuple):
    """A game state: its facts, the names in it with their sort, and the edition it asks for.

    ``data`` is what was said, as TOML has it, where the facts were not changed since. ``aside`` are
    the keys that are set aside: their facts are here, and ``asked`` leaves them out.
    """

    title: str
    facts: tuple[Statement, ...]
    names: Mapping[str, str]
    edition: str | None = None
    source: Source = Source("table", ())
    data: Mapping[str, Any] | None = None
    aside: tuple[str, ...] = ()

    def place(self, fact: Statement) -> Place:
        """Where a fact was said."""
        if isinstance(fact.origin, Place):
            return fact.origin
        return self.source.locate(fact.origin)


def read_table(file: str) -> tuple[dict[str, Any], Source]:
    """The data of a table file, or of a shipped example by its name. Raises TableError."""
    path = file
    if len(file) < 100 and not {"/", os.sep, "."} & set(file) and not is_file(file):
        tables = f"{where('facts')}/tables"
        files = sorted(n for _, n in beneath(tables, ".toml"))
        shipped = {n.removesuffix(".toml"): f"{tables}/{n}" for n in files}
        if file not in shipped:
            raise TableError(
                f"no table is called {quoted(file)}",
                hint=did_you_mean(file, shipped)
                or f"a table is a .toml file, or one of these: {', '.join(shipped)}",
            )
        path = shipped[file]
    return parsed(read_file(path, file, MAX_FILE), file)


def parsed(text: str, file: str) -> tuple[dict[str, Any], Source]:
    """The data of a text as a table file has it. Raises TableError."""
    src = Source(file, tuple(text.split("\n")))
    try:
        return tomllib.loads(text), src
    except tomllib.TOMLDecodeError as error:
        what = str(error)
        line, column = getattr(error, "lineno", 0), getattr(error, "colno", 0)
        if not line:
            what, _, spot = what.rpartition(" (at ")
            numbers = [int(n) for n in "".join(c if c.isdigit() else " " for c in spot).split()]
            line, column = numbers if numbers else (len(src.lines), len(src.lines[-1]) + 1)
        raise TableError(
            f"this is not TOML: {printable(what)}",
            place=src.at(line or 1, column or 1),
            hint=next(
                (hint for start, hint in _HINTS.items() if what.startswith(start)),
                'a table file is made of lines like: key = ["one", "two"]',
            ),
        ) from None
    except (RecursionError, ValueError) as error:
        raise TableError(
            "this file can't be read: it is nested too deeply or holds a number too large",
            place=Place(file),
        ) from error


def table(
    data: Mapping[str, Any], vocabulary: Vocabulary, src: Source | None = None, title: str = ""
) -> Table:
    """A checked table from TOML-like data. Raises TableError or Faults with every contradiction."""
    src = src or Source(title or "table", ())
    said = data
    data = _with_files(data, vocabulary)
    shaper = Shaper(vocabulary, src)
    shaper.copy(data)
    edition = data.get("edition")
    if edition is not None and not isinstance(edition, str):
        shaper.fault(("edition",), "edition is a name", 'like: edition = "…"')
    facts = tuple(dict.fromkeys(shaper.facts))
    aside = set_aside(data[KEY], facts, vocabulary, shaper) if KEY in data else ()
    refuse(shaper.errors)
    checker = Checker(vocabulary, src)
    introduced = checker.check(facts)
    refuse(checker.errors)
    whole = with_defaults(facts, vocabulary)
    return Table(title or src.file, whole, introduced, edition and str(edition), src, said, aside)


def restated(state: Table, said: Sequence[Statement], vocabulary: Vocabulary) -> Table:
    """The table with other facts. Raises TableError or Faults for what contradicts itself."""
    checker = Checker(vocabulary, state.source)
    introduced = checker.check(said)
    refuse(checker.errors)
    return state._replace(facts=with_defaults(said, vocabulary), names=introduced, data=None)


def format_keys(vocabulary: Vocabulary) -> dict[str, Files]:
    """The keys that name a format's file, with the sort that says in which folder it lies."""
    out = {}
    for fact in vocabulary.facts.values():
        for shape in fact.shapes:
            sort = vocabulary.sorts[fact.sorts[0]] if fact.sorts else None
            if isinstance(sort, Files) and len(shape.path) == 1:
                out[shape.path[0]] = sort
    return out


def format_file(
    name: str, sort: Files, vocabulary: Vocabulary
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a format's file says for the editions of a book: table keys, and how it is dealt.

    A group named like an edition lies over the file's other keys and is for that edition only.
    """
    file = f"{name}.toml"
    data, src = parsed(read_file(f"{vocabulary.folder}/{sort.folder}/{file}", file), file)
    parts = {*names(), *vocabulary.editions}
    keys = {k: v for k, v in data.items() if k not in parts}
    dealt: dict[str, Any] = {}
    for part in (keys, *(data.get(e, {}) for e in vocabulary.editions)):
        own = part.get(DEAL, {}) if isinstance(part, dict) else None
        if not isinstance(own, dict):
            raise TableError(
                "an edition's part of a format, and how it is dealt, are groups of keys",
                place=Place(src.file),
                hint=f"like: [{(*vocabulary.editions, src.file)[0]}.{DEAL}]",
            )
        keys = {**keys, **part}
        dealt = {**dealt, **own}
    keys = {k: v for k, v in keys.items() if k != DEAL}
    for key in [k for k in ("edition", *format_keys(vocabulary)) if k in {**keys, **dealt}]:
        raise TableError(
            f"a format's file can't say {key}: that is for tables",
            place=src.locate((key,)),
            hint="take the line away",
        )
    return keys, dealt


def _with_files(data: Mapping[str, Any], vocabulary: Vocabulary) -> dict[str, Any]:
    """The data with the file that a key names laid underneath."""
    merged = dict(data)
    for key, sort in format_keys(vocabulary).items():
        value = data.get(key)
        if isinstance(value, str) and value in sort.words:
            merged = {**format_file(value, sort, vocabulary)[0], **merged}
    return merged


def with_defaults(said: Sequence[Statement], vocabulary: Vocabulary) -> tuple[Statement, ...]:
    """Facts, and the default of each predicate that nothing is said about."""
    spoken = {f.name for f in said}
    assumed = [
        Statement(f.name, f.default)
        for f in vocabulary.facts.values()
        if f.default is not None and f.name not in spoken
    ]
    return (*said, *assumed)


def without_defaults(said: Sequence[Statement], vocabulary: Vocabulary) -> tuple[Statement, ...]:
    """Facts less those that are assumed anyhow where nothing is said."""
    rows: dict[str, set[Row]] = {}
    for fact in said:
        rows.setdefault(fact.name, set()).add(fact.row)
    return tuple(f for f in said if rows[f.name] != {vocabulary.facts[f.name].default})


def asked(state: Table, vocabulary: Vocabulary) -> tuple[Statement, ...]:
    """The facts that questions are asked of: all, less those that are set aside."""
    if not state.aside:
        return state.facts
    known = key_names(vocabulary)
    gone = {fact for name in state.aside for fact in known[name]}
    return with_defaults([f for f in state.facts if f.origin and f.name not in gone], vocabulary)


class Opened(NamedTuple):
    """A table and its book. Whether the book's alarms take the table isn't asked yet."""

    book: Book
    table: Table


def open_table(
    state: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    edition: str | os.PathLike[str] | None = None,
    keys: Mapping[str, Any] | None = None,
) -> Opened:
    """A table from a file, a shipped table's name, or data; ``keys`` lie over what it says.

    Raises SeatlogError for what can't be read or contradicts the vocabulary.
    """
    data: Mapping[str, Any] = {}
    source = None
    if isinstance(state, Mapping):
        data = plain(state)
    elif isinstance(state, str | os.PathLike):
        data, source = read_table(_path(state, "a table's name", 'like: "game.toml"'))
    elif state is not None:
        what = f"a table is a file's name or a mapping, not {kind(state)}"
        raise TableError(what, hint='like: "game.toml" or {"seats": ["Ann", "Bob"]}')
    data = laid_over(data, given(keys or {}))
    wanted = data.get("edition") if edition is None else edition
    if isinstance(wanted, os.PathLike):
        wanted = _path(wanted, "edition", 'like: edition = "…"')
    if wanted is not None:
        if not isinstance(wanted, str) or not wanted:
            raise TableError("edition is a name", hint='like: edition = "…"')
        data = {**data, "edition": wanted}
    book = load_book(wanted)
    title = stem(source.file) if source else "table"
    return Opened(book, table(data, book.vocabulary, source, title))


def _path(value: str | os.PathLike[str], what: str, like: str) -> str:
    """The text of a path, whatever says one. Raises TableError."""
    said: object = value if isinstance(value, str) else value.__fspath__()
    if not isinstance(said, str):
        raise TableError(f"{what} is a text, not {kind(said)}", hint=like)
    return said

"""Game states: TOML files, keyword data and quick flags, turned into facts and checked.

Nothing is worked out here. A table is copied into ground facts as the vocabulary's shapes say;
what follows from them is for the clauses.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path as File
from typing import Any, NamedTuple

from .editions import home
from .errors import Place, SeatlogError, TableError, did_you_mean, printable, quoted, refuse
from .locate import locate
from .model import Fact, Path, Row, Shape, Sort, Statement, Value, Vocabulary
from .reader import read_facts, read_file
from .scan import Source
from .syntax import MAX_INT

MAX_FILE = 8_000_000
MAX_FACTS = 500_000
MAX_NAME = 200
OWN_KEYS = ("edition", "facts")


class Table(NamedTuple):
    """A game state: its facts, the names in it with their sort, and the edition it asks for."""

    title: str
    facts: tuple[Statement, ...]
    names: Mapping[str, str]
    edition: str | None = None
    source: Source = Source("table", ())

    def place(self, fact: Statement) -> Place:
        """Where a fact was said."""
        if isinstance(fact.origin, Place):
            return fact.origin
        return locate(self.source, fact.origin)


def read_table(file: str) -> tuple[dict[str, Any], Source]:
    """The data of a table file, or of a shipped example by its name. Raises TableError."""
    path = File(file)
    if "/" not in file and not file.endswith(".toml") and len(file) < 100:
        shipped = home("facts") / "tables" / f"{file}.toml"
        path = shipped if shipped.is_file() else path
    return _parse(read_file(path, file, MAX_FILE), file)


def _parse(text: str, file: str) -> tuple[dict[str, Any], Source]:
    src = Source(file, tuple(text.split("\n")))
    try:
        return tomllib.loads(text), src
    except tomllib.TOMLDecodeError as error:
        what = str(error)
        line, column = getattr(error, "lineno", 0), getattr(error, "colno", 0)
        if not line and "(at line " in what:
            what, _, spot = what.partition(" (at line ")
            numbers = [int(n) for n in "".join(c if c.isdigit() else " " for c in spot).split()]
            line, column = (numbers + [0, 0])[:2]
        raise TableError(
            f"this is not TOML: {printable(what)}",
            place=src.at(line or 1, column or 1),
            hint='a table file looks like: seats = ["Alex", "Rob"]',
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
    maker = _Maker(vocabulary, src)
    maker.include(data)
    edition = data.get("edition")
    if edition is not None and not isinstance(edition, str):
        maker.fault(("edition",), "edition is a name", 'like: edition = "cr"')
    if "facts" in data:
        maker.raw(data["facts"])
    refuse(maker.errors)
    facts = tuple(dict.fromkeys(maker.facts))
    names = maker.check(facts)
    refuse(maker.errors)
    return Table(
        title or src.file, maker.with_defaults(facts), names, edition and str(edition), src
    )


class _Maker:
    """Copies data into facts, shape by shape, and collects what is wrong with it."""

    def __init__(self, vocabulary: Vocabulary, src: Source) -> None:
        self.vocabulary, self.src = vocabulary, src
        self.facts: list[Statement] = []
        self.errors: list[SeatlogError] = []
        self.shapes: list[tuple[Fact, Shape]] = [
            (fact, shape) for fact in vocabulary.facts.values() for shape in fact.shapes
        ]

    def fault(self, path: Path, what: str, hint: str = "") -> None:
        if len(self.errors) < 50:
            self.errors.append(TableError(what, place=locate(self.src, path), hint=hint))

    def include(self, data: Mapping[str, Any]) -> None:
        """Copy the data; a key that names a file lays that file's data underneath."""
        merged = dict(data)
        for key, value in data.items():
            for fact, shape in self.shapes:
                sort = self.vocabulary.sorts[fact.sorts[0]]
                if shape.path == (key,) and sort.kind == "file" and value in sort.choices[1:]:
                    file = home("facts") / sort.choices[0] / f"{value}.toml"
                    below, _ = _parse(read_file(file), file.name)
                    merged = {**below, **merged}
        for key, value in merged.items():
            if key not in OWN_KEYS:
                self.take(value, [s for s in self.shapes if s[1].path[0] == key], (key,), {})

    def take(
        self, value: Any, shapes: list[tuple[Fact, Shape]], path: Path, bound: dict[str, Value]
    ) -> None:
        """Match one value of the data against the shapes that lead here."""
        if len(self.facts) > MAX_FACTS:
            refuse([TableError(f"more than {MAX_FACTS:,} facts", place=Place(self.src.file))])
        if not shapes:
            known = {s.path[0] for _, s in self.shapes} | set(OWN_KEYS)
            self.fault(
                path, f"no table key is called {quoted(path[-1])}", _known(str(path[-1]), known)
            )
            return
        depth = len(path)
        deeper = [(f, s) for f, s in shapes if len(s.path) > depth]
        ends = [(f, s) for f, s in shapes if len(s.path) == depth]
        indexed = [x for x in deeper if self._is_index(*x, depth)]
        if isinstance(value, dict) and (deeper or any(s.value == "table" for _, s in ends)):
            for fact, shape in ends:
                if shape.value == "table":
                    self._say(fact, bound, path)
            for key, inner in value.items():
                self._descend(key, inner, deeper, path, bound)
        elif isinstance(value, list) and indexed:
            for number, inner in enumerate(value, 1):
                for fact, shape in indexed:
                    name = shape.path[depth]
                    self.take(inner, [(fact, shape)], (*path, number), {**bound, name: number})
        elif ends:
            self._end(value, ends, path, bound)
        else:
            self.fault(path, f"{path[-1]} can't be {_kind(value)}", self._example(shapes))

    def _is_index(self, fact: Fact, shape: Shape, depth: int) -> bool:
        name = shape.path[depth]
        return name in fact.args and self._sort(fact, name).is_number

    def _descend(
        self,
        key: str,
        value: Any,
        shapes: list[tuple[Fact, Shape]],
        path: Path,
        bound: dict[str, Value],
    ) -> None:
        depth = len(path)
        exact = [(f, s) for f, s in shapes if s.path[depth] == key]
        if exact:
            self.take(value, exact, (*path, key), bound)
            return
        open_ones = [(f, s) for f, s in shapes if s.path[depth] in f.args]
        if not open_ones:
            known = {s.path[depth] for _, s in shapes}
            self.fault((*path, key), f"no key is called {quoted(key)} here", _known(key, known))
            return
        more: dict[str, Value] = {}
        for fact, shape in open_ones:
            name = shape.path[depth]
            number = self._sort(fact, name).is_number and key.lstrip("-").isdigit()
            more[name] = int(key) if number else key
        self.take(value, open_ones, (*path, key), {**bound, **more})

    def _end(
        self, value: Any, ends: list[tuple[Fact, Shape]], path: Path, bound: dict[str, Value]
    ) -> None:
        for fact, shape in ends:
            if shape.value in ("true", "table"):
                if not isinstance(value, bool) or shape.value == "table":
                    self.fault(path, f"{path[-1]} can't be {_kind(value)}", self._example(ends))
                elif value:
                    self._say(fact, bound, path)
            elif isinstance(value, list) and shape.many:
                for number, each in enumerate(value, 1):
                    self._scalar(fact, shape, each, (*path, number), bound)
            else:
                self._scalar(fact, shape, value, path, bound)

    def _scalar(
        self, fact: Fact, shape: Shape, value: Any, path: Path, bound: dict[str, Value]
    ) -> None:
        if type(value) not in (str, int):
            self.fault(path, f"{_key(path)} can't be {_kind(value)}", self._example([(fact, shape)]))
            return
        self._say(fact, {**bound, shape.value: value}, path)

    def _say(self, fact: Fact, bound: Mapping[str, Value], path: Path) -> None:
        self.facts.append(Statement(fact.name, tuple(bound[a] for a in fact.args), path))

    def _sort(self, fact: Fact, arg: str) -> Sort:
        return self.vocabulary.sorts[fact.sorts[fact.args.index(arg)]]

    def _example(self, shapes: Iterable[tuple[Fact, Shape]]) -> str:
        return "like: " + " or ".join(dict.fromkeys(shape_text(f, s) for f, s in shapes))

    def raw(self, text: Any) -> None:
        """Facts in clause syntax, from the key ``facts``."""
        if not isinstance(text, str):
            self.fault(("facts",), "facts is a text in clause syntax", "like: + name('A', 1)")
            return
        first = locate(self.src, ("facts",)).line or 1
        opening = self.src.lines[first - 1] if first <= len(self.src.lines) else ""
        first += opening.rstrip().endswith(('"""', "'''"))
        try:
            said = read_facts(text, self.src, first)
        except SeatlogError as error:
            self.errors.append(error)
            return
        for fact in said:
            declared = self.vocabulary.facts.get(fact.name)
            assert isinstance(fact.origin, Place)
            if declared is None:
                self.errors.append(
                    TableError(
                        f"no fact is called {fact.name}: a table states facts, never conclusions",
                        place=fact.origin,
                        hint=_known(fact.name, self.vocabulary.facts),
                    )
                )
            elif len(declared.args) != len(fact.row):
                self.errors.append(
                    TableError(
                        f"{fact.name} takes {len(declared.args)} terms, not {len(fact.row)}",
                        place=fact.origin,
                        hint=f"like: + {fact.name}({', '.join(declared.args)})",
                    )
                )
            else:
                self.facts.append(fact)

    def with_defaults(self, facts: Sequence[Statement]) -> tuple[Statement, ...]:
        """The facts, with the default of each predicate that nothing is said about."""
        said = {f.name for f in facts}
        extra = [
            Statement(f.name, f.default)
            for f in self.vocabulary.facts.values()
            if f.default is not None and f.name not in said
        ]
        return (*facts, *extra)

    def check(self, facts: Sequence[Statement]) -> dict[str, str]:
        """Names, sorts and keys of all facts; returns each name's sort."""
        names = self._introduced(facts)
        for fact in facts:
            declared = self.vocabulary.facts[fact.name]
            for value, sort in zip(fact.row, declared.sorts, strict=True):
                trouble = self._misfit(value, self.vocabulary.sorts[sort], names)
                if trouble:
                    self._blame(fact, *trouble)
        self._gaps(facts)
        said: dict[tuple[str, int, Row], Statement] = {}
        for fact in facts:
            declared = self.vocabulary.facts[fact.name]
            for number, group in enumerate(declared.keys):
                mark = (fact.name, number, tuple(fact.row[i] for i in group))
                first = said.setdefault(mark, fact)
                if first.row != fact.row:
                    self._blame(
                        fact,
                        f"{sentence(declared, first.row)} and {sentence(declared, fact.row)}: "
                        "both can't be",
                        "keep one of them",
                    )
        return names

    def _gaps(self, facts: Sequence[Statement]) -> None:
        """Numbers of a sort without gaps run from its lowest on."""
        used: dict[str, dict[int, Statement]] = {}
        for fact in facts:
            declared = self.vocabulary.facts[fact.name]
            for value, sort in zip(fact.row, declared.sorts, strict=True):
                if "dense" in self.vocabulary.sorts[sort].choices and isinstance(value, int):
                    used.setdefault(sort, {}).setdefault(value, fact)
        for sort, numbers in used.items():
            low = self.vocabulary.sorts[sort].low or 0
            if max(numbers) - low + 1 != len(numbers):
                missing = next(n for n in range(low, max(numbers)) if n not in numbers)
                self._blame(
                    numbers[max(numbers)],
                    f"{sort} {missing} is missing, but there is {sort} {max(numbers)}",
                    f"number {sort} from {low} on without gaps",
                )

    def _introduced(self, facts: Sequence[Statement]) -> dict[str, str]:
        names: dict[str, str] = {}
        for fact in facts:
            declared = self.vocabulary.facts[fact.name]
            for spot in declared.names:
                value, sort = fact.row[spot], self._root(declared.sorts[spot])
                if not isinstance(value, str):
                    continue
                if not value.strip() or len(value) > MAX_NAME or not value.isprintable():
                    self._blame(
                        fact,
                        f"{quoted(value)} can't be a name",
                        f"a name is printable text of 1 to {MAX_NAME} characters",
                    )
                elif names.setdefault(value, sort) != sort:
                    self._blame(
                        fact,
                        f"{quoted(value)} would be two things: {names[value]} and {sort}",
                        "give one of them another name",
                    )
        return names

    def _root(self, sort: str) -> str:
        declared = self.vocabulary.sorts[sort]
        while declared.kind == "any" and len(declared.choices) == 1:
            declared = self.vocabulary.sorts[declared.choices[0]]
        return declared.name

    def _misfit(
        self, value: Value, sort: Sort, names: Mapping[str, str]
    ) -> tuple[str, str] | None:
        if sort.kind == "number":
            low = -MAX_INT if sort.low is None else sort.low
            high = MAX_INT if sort.high is None else sort.high
            if not isinstance(value, int):
                return f"{quoted(value)} is no number, and {sort.name} is one", ""
            if not low <= value <= high:
                bounds = f"from {low}" if sort.high is None else f"from {low} to {high}"
                return f"{sort.name} can't be {value}", f"{sort.name} is a number {bounds}"
            return None
        if isinstance(value, int):
            return f"{value} is a number, and {sort.name} is a name", "put it in quotes"
        if sort.kind in ("word", "file"):
            known = set(sort.choices[1:] if sort.kind == "file" else sort.choices)
            if value not in known:
                return f"{sort.name} can't be {quoted(value)}", _known(value, known)
            return None
        wanted = self._sorts_under(sort)
        if names.get(value) not in wanted:
            what = f"the table has no {sort.name} called {quoted(value)}"
            return what, _known(value, {n for n, s in names.items() if s in wanted})
        return None

    def _sorts_under(self, sort: Sort) -> set[str]:
        if sort.kind != "any":
            return {sort.name}
        return set().union(*(self._sorts_under(self.vocabulary.sorts[s]) for s in sort.choices))

    def _blame(self, fact: Statement, what: str, hint: str) -> None:
        if isinstance(fact.origin, Place):
            self.errors.append(TableError(what, place=fact.origin, hint=hint))
        else:
            self.fault(fact.origin, what, hint)


def shape_text(fact: Fact, shape: Shape) -> str:
    """A table key as a person would write it."""
    keys = [w if w not in fact.args else f"<{w}>" for w in shape.path]
    if shape.value in ("true", "table"):
        return f"{'.'.join(keys)} = {'true' if shape.value == 'true' else '{ … }'}"
    value = f"[<{shape.value}>, …]" if shape.many else f"<{shape.value}>"
    return f"{'.'.join(keys)} = {value}"


def sentence(fact: Fact, row: Row) -> str:
    """A fact in its own words."""
    text = fact.yes or f"{fact.name}({', '.join('{' + a + '}' for a in fact.args)})"
    for arg, value in zip(fact.args, row, strict=True):
        text = text.replace("{" + arg + "}", str(value))
    return text


def _known(word: str, known: Iterable[str]) -> str:
    choices = sorted(known)
    near = did_you_mean(word, choices)
    if near or not choices:
        return near
    shown = ", ".join(printable(c, 40) for c in choices[:12])
    return f"there are: {shown}" + (", …" if len(choices) > 12 else "")


def _key(path: Path) -> str:
    return next((w for w in reversed(path) if isinstance(w, str)), "this")


def _kind(value: Any) -> str:
    kinds = {bool: "true or false", str: "text", int: "a number", float: "a fraction"}
    kinds |= {list: "a list", dict: "a group of keys"}
    return kinds.get(type(value), "a date or time")

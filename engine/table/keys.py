"""Copy a table's data into ground facts, key by key, as the vocabulary's shapes say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..book import FACT, TABLE, Fact, Shape, Sort, Vocabulary, Words
from ..errors import (
    Place,
    SeatlogError,
    TableError,
    TextError,
    did_you_mean,
    printable,
    quoted,
    refuse,
)
from ..language import Source
from ..model import MAX_INT, Path, Statement, Value
from .data import kind

MAX_FACTS = 500_000
MAX_ERRORS = 50
MAX_SHOWN = 400
MAX_EXAMPLES = 4
OWN_KEYS = ("edition", "facts", "aside")
_NUMBER = re.compile(r"-?[0-9]{1,10}")


Shaped = tuple[Fact, Shape]


class _Group:
    """The shapes that lead through some keys: those that end there, and those that go on.

    What a key leads to is worked out when it is first met.
    """

    def __init__(self, shapes: list[Shaped], depth: int, vocabulary: Vocabulary) -> None:
        self.shapes, self._depth, self._vocabulary = shapes, depth, vocabulary
        self.ends = [x for x in shapes if len(x[1].path) == depth]
        self.tables = [fact for fact, shape in self.ends if shape.value == "table"]
        deeper = [x for x in shapes if len(x[1].path) > depth]
        self.goes_on = bool(deeper)
        self._said: dict[str, list[Shaped]] = {}
        self.named: list[tuple[str, Sort, Shaped]] = []
        for fact, shape in deeper:
            key = shape.path[depth]
            if key in fact.args:
                self.named.append((key, sort_of(fact, key, vocabulary), (fact, shape)))
            else:
                self._said.setdefault(key, []).append((fact, shape))
        self.keys = list(self._said)
        self._exact: dict[str, _Group] = {}
        self._open: dict[tuple[int, ...], _Group] = {}
        self.indexed = [
            (name, _Group([each], depth + 1, vocabulary))
            for name, sort, each in self.named
            if sort.is_number
        ]

    def exact(self, key: str) -> _Group | None:
        """What a key leads to that stands in a shape as it is."""
        if key not in self._exact and key in self._said:
            self._exact[key] = _Group(self._said[key], self._depth + 1, self._vocabulary)
        return self._exact.get(key)

    def open(self, spots: tuple[int, ...]) -> _Group:
        """What a key leads to that stands for a term of these of the ``named``."""
        if spots not in self._open:
            shapes = [self.named[spot][2] for spot in spots]
            self._open[spots] = _Group(shapes, self._depth + 1, self._vocabulary)
        return self._open[spots]


_latest: dict[int, tuple[Vocabulary, dict[str, _Group]]] = {}
_MOST = 8


def _groups(vocabulary: Vocabulary) -> dict[str, _Group]:
    """What each table key leads to; kept for the vocabularies that were met last."""
    kept = _latest.get(id(vocabulary))
    if kept is None or kept[0] is not vocabulary:
        by_key: dict[str, list[Shaped]] = {}
        for fact in vocabulary.facts.values():
            for shape in fact.shapes:
                by_key.setdefault(shape.path[0], []).append((fact, shape))
        kept = vocabulary, {k: _Group(own, 1, vocabulary) for k, own in by_key.items()}
        if len(_latest) >= _MOST:
            _latest.clear()
        _latest[id(vocabulary)] = kept
    return kept[1]


def sort_of(fact: Fact, arg: str, vocabulary: Vocabulary) -> Sort:
    """The sort of a fact's term."""
    return vocabulary.sorts[fact.sorts[fact.args.index(arg)]]


class Shaper:
    """Turns data into facts and collects what is wrong with it."""

    def __init__(self, vocabulary: Vocabulary, src: Source) -> None:
        self.vocabulary, self.src = vocabulary, src
        self.facts: list[Statement] = []
        self.errors: list[SeatlogError] = []
        self._groups = _groups(vocabulary)

    def fault(self, path: Path, what: str, hint: str = "") -> None:
        """Note an error at a path of keys."""
        self._blame(TableError(what, place=self.src.locate(path), hint=hint))

    def _blame(self, error: SeatlogError) -> None:
        """Note an error. Raises Faults when there are too many to go on."""
        self.errors.append(error)
        if len(self.errors) >= MAX_ERRORS:
            refuse(self.errors)

    def copy(self, data: Mapping[str, Any]) -> None:
        """Copy every key of the data."""
        for key, value in data.items():
            if key in OWN_KEYS:
                continue
            if key in self._groups:
                self.take(value, self._groups[key], (key,), {})
            else:
                hint = hint_key(str(key), {*self._groups, *OWN_KEYS}, TABLE, self.vocabulary)
                self.fault((key,), f"no table key is called {quoted(key)}", hint)
        if "facts" in data:
            self.raw(data["facts"])

    def take(self, value: Any, group: _Group, path: Path, bound: dict[str, Value]) -> None:
        """Match one value of the data against the shapes that lead here."""
        if len(self.facts) > MAX_FACTS:
            refuse([TableError(f"more than {MAX_FACTS:,} facts", place=Place(self.src.file))])
        if isinstance(value, dict) and (group.goes_on or group.tables):
            for fact in group.tables:
                self._say(fact, bound, path)
            for key, inner in value.items():
                self._descend(key, inner, group, path, bound)
        elif isinstance(value, list) and group.indexed:
            for number, inner in enumerate(value, 1):
                for name, other in group.indexed:
                    self.take(inner, other, (*path, number), {**bound, name: number})
        elif group.ends:
            self._end(value, group.ends, path, bound)
        else:
            self.fault(path, f"{path[-1]} can't be {kind(value)}", self._example(group.shapes))

    def _descend(
        self, key: str, value: Any, group: _Group, path: Path, bound: dict[str, Value]
    ) -> None:
        exact = group.exact(key)
        if exact:
            self.take(value, exact, (*path, key), bound)
            return
        fitting = tuple(
            [
                spot
                for spot, (_, sort, _) in enumerate(group.named)
                if not (isinstance(sort, Words) and key not in sort.words)
            ]
        )
        if not fitting:
            closed = [sort.words for _, sort, _ in group.named]
            hint = hint_key(key, set(group.keys).union(*closed), str(path[0]), self.vocabulary)
            self.fault((*path, key), f"no key is called {quoted(key)} here", hint)
            return
        more: dict[str, Value] = {}
        for spot in fitting:
            name, sort, _ = group.named[spot]
            number = sort.is_number and _NUMBER.fullmatch(key)
            more[name] = int(key) if number else key
        self.take(value, group.open(fitting), (*path, key), {**bound, **more})

    def _end(
        self, value: Any, ends: list[tuple[Fact, Shape]], path: Path, bound: dict[str, Value]
    ) -> None:
        for fact, shape in ends:
            if shape.switch is not None or shape.value == "table":
                if not isinstance(value, bool) or shape.value == "table":
                    self.fault(path, f"{path[-1]} can't be {kind(value)}", self._example(ends))
                elif value is shape.switch:
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
            self.fault(path, f"{_key(path)} can't be {kind(value)}", self._example([(fact, shape)]))
            return
        if isinstance(value, int) and abs(value) > MAX_INT:
            self.fault(path, f"{_key(path)} is too large a number", f"at most {MAX_INT}")
            return
        value = self._as_declared(value, sort_of(fact, shape.value, self.vocabulary))
        self._say(fact, {**bound, shape.value: value}, path)

    @staticmethod
    def _as_declared(value: Value, sort: Sort) -> Value:
        """A declared word as it is declared, whatever its case."""
        if not isinstance(sort, Words) or value in sort.words or not isinstance(value, str):
            return value
        return sort.word(value) or value

    def _say(self, fact: Fact, bound: Mapping[str, Value], path: Path) -> None:
        self.facts.append(Statement(fact.name, tuple(bound[a] for a in fact.args), path))

    def _example(self, shapes: Iterable[tuple[Fact, Shape]]) -> str:
        texts = dict.fromkeys(written(f, s, self.vocabulary) for f, s in shapes)
        shown = list(texts)[:MAX_EXAMPLES]
        return "like: " + " or ".join([*shown, *["…"] * (len(texts) > len(shown))])

    def raw(self, text: Any) -> None:
        """Facts in clause syntax, from the key ``facts``."""
        if not isinstance(text, str):
            self.fault(("facts",), "facts is a text in clause syntax", "like: + name('A', 1)")
            return
        from ..language import each_fact

        first = self.src.locate(("facts",)).line or 1
        opening = self.src.lines[first - 1] if first <= len(self.src.lines) else ""
        first += opening.rstrip().endswith(('"""', "'''"))
        try:
            for fact in each_fact(text, self.src, first):
                self._stated(fact)
        except TextError as error:
            self._blame(error)

    def _stated(self, fact: Statement) -> None:
        declared = self.vocabulary.facts.get(fact.name)
        place = fact.origin if isinstance(fact.origin, Place) else None
        if declared is None:
            what = f"no fact is called {fact.name}: a table states facts, never conclusions"
            known = self.vocabulary.facts
            hint = self.vocabulary.hint(FACT, fact.name) or hint_known(fact.name, known)
            self._blame(TableError(what, place=place, hint=hint))
        elif len(declared.args) != len(fact.row):
            what = f"{fact.name} takes {len(declared.args)} terms, not {len(fact.row)}"
            hint = f"like: + {fact.name}({', '.join(declared.args)})"
            self._blame(TableError(what, place=place, hint=hint))
        else:
            self.facts.append(fact)


def shape_text(fact: Fact, shape: Shape) -> str:
    """A table key as a person would write it."""
    keys = [w if w not in fact.args else f"<{w}>" for w in shape.path]
    if shape.switch is not None or shape.value == "table":
        return f"{'.'.join(keys)} = {'{ … }' if shape.switch is None else shape.value}"
    value = f"[<{shape.value}>, …]" if shape.many else f"<{shape.value}>"
    return f"{'.'.join(keys)} = {value}"


def written(fact: Fact, shape: Shape, vocabulary: Vocabulary) -> str:
    """A key as it is written, a group that numbers its names as a list."""
    last = shape.path[1] if len(shape.path) == 2 else ""
    sort = fact.sorts[fact.args.index(last)] if last in fact.args else ""
    if sort and vocabulary.sorts[sort].is_number:
        return f"{shape.path[0]} = [<{shape.value}>, …]"
    return shape_text(fact, shape)


def statements(data: Mapping[str, Any], vocabulary: Vocabulary) -> list[Statement]:
    """Data as facts, not yet checked against others. Raises TableError or Faults."""
    shaper = Shaper(vocabulary, Source("table", ()))
    shaper.copy(data)
    refuse(shaper.errors)
    return list(dict.fromkeys(shaper.facts))


def hint_key(word: str, known: Iterable[str], place: str, vocabulary: Vocabulary) -> str:
    """What helps on who says a key that isn't known in a place: the table itself, or a group.

    What the vocabulary says of it; else a near key, and where the word is a key.
    """
    declared = vocabulary.hint(place, word)
    if declared:
        return declared
    shapes = [(f, s) for f in vocabulary.facts.values() for s in f.shapes]
    there = [
        written(f, s, vocabulary)
        for f, s in shapes
        if s.path[0] != place and word in (w for w in s.path if w not in f.args)
    ]
    there = list(dict.fromkeys(there))[:MAX_EXAMPLES]
    near = did_you_mean(word, known)
    if not there:
        return hint_known(word, known)
    return f"{near} " * bool(near) + f"{quoted(word)} is a key elsewhere: {' or '.join(there)}"


def hint_word(word: str, sort: Sort, vocabulary: Vocabulary) -> str:
    """What helps on who says a word that isn't one of its sort.

    What the vocabulary says of it; else a near word, and the keys that take the word.
    """
    declared = vocabulary.hint(sort.name, word)
    if declared:
        return declared
    near = did_you_mean(word, sort.words)
    there = [
        written(f, s, vocabulary)
        for f in vocabulary.facts.values()
        for s in f.shapes
        if s.value in f.args
        and isinstance(other := vocabulary.sorts[f.sorts[f.args.index(s.value)]], Words)
        and other.word(word)
    ]
    there = list(dict.fromkeys(there))[:MAX_EXAMPLES]
    if not there:
        return hint_known(word, sort.words)
    return f"{near} " * bool(near) + f"{quoted(word)} is a word for {' or '.join(there)}"


def hint_known(word: str, known: Iterable[str]) -> str:
    """``did you mean …`` or the known words, if they are not too many."""
    choices = sorted(known)
    near = did_you_mean(word, choices)
    if near or not choices:
        return near
    shown: list[str] = []
    for choice in choices:
        shown.append(printable(choice, 40))
        if sum(map(len, shown)) > MAX_SHOWN and len(shown) < len(choices):
            return f"there are: {', '.join(shown)}, … ({len(choices):,} in all)"
    return f"there are: {', '.join(shown)}"


def _key(path: Path) -> str:
    return next((w for w in reversed(path) if isinstance(w, str)), "this")

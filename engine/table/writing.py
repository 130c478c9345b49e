"""Write a table file from facts, in the shapes the vocabulary gives its keys.

Each fact takes the first of its shapes that says it and nothing else, beside what is written
already; what fits no shape stands in clause syntax. A text is only handed out after it was read
back to the same facts.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..book import Fact, Files, Shape, Vocabulary
from ..errors import SeatlogError, TableError, printable, quoted
from ..language import put
from ..model import Statement, Value
from .aside import KEY, still_aside
from .state import table, with_defaults

_BARE = re.compile(r"[A-Za-z0-9_-]+")
WIDTH = 100


def as_text(
    said: Sequence[Statement],
    vocabulary: Vocabulary,
    edition: str | None,
    remarks: Sequence[str],
    aside: Sequence[str] = (),
) -> str:
    """A table file's text, ``remarks`` above it. Raises TableError when none says these facts.

    Of the keys set ``aside`` those are written that still say something.
    """
    aside = still_aside(aside, said, vocabulary)
    for plain in _plainer(said, vocabulary):
        data, rest = _shaped(said, vocabulary, plain)
        lines = [
            *(f"# {remark}".rstrip() for remark in remarks),
            *_lines(data, rest, edition, aside),
        ]
        text = "\n".join([*lines, ""])
        if _reads_back(text, said, vocabulary):
            return text
    raise TableError("no table file can say these facts")


def keep(text: str, file: str, over: bool, hint: str) -> Path:
    """Write a table file whole or not at all, over an old one only when told so.

    Raises TableError; ``hint`` says how to write over a file.
    """
    if not file.isprintable() or Path(file).name.strip() in ("", ".."):
        raise TableError(f"{quoted(file)} can't be the name of a file", hint="like: game.toml")
    try:
        path = Path(file).expanduser()
        if file.endswith(("/", os.sep)):
            raise TableError(f"{printable(file)} is a folder", hint="add the name of a file")
        named = path.suffix or (path.exists() and not path.is_dir())
        path = path if named else path.with_suffix(".toml")
    except (OSError, ValueError, RuntimeError) as error:
        raise TableError(
            f"{printable(file)} can't be written ({error})", hint="name another file"
        ) from None
    put(path, text, over, hint, TableError)
    return path


def as_keys(said: Sequence[Statement], vocabulary: Vocabulary) -> dict[str, Any]:
    """Facts as a table file's data, less those that fit no key."""
    return _shaped(said, vocabulary, set())[0]


def as_data(
    said: Sequence[Statement],
    vocabulary: Vocabulary,
    edition: str | None,
    aside: Sequence[str] = (),
) -> dict[str, Any]:
    """Facts as data that opens as the same table. Raises TableError when none does."""
    aside = still_aside(aside, said, vocabulary)
    for plain in _plainer(said, vocabulary):
        data, rest = _shaped(said, vocabulary, plain)
        if aside:
            data = {KEY: list(aside), **data}
        if edition:
            data = {"edition": edition, **data}
        if rest:
            data = {**data, "facts": "\n".join(f"+ {statement}" for statement in rest)}
        if _is_same(data, said, vocabulary):
            return data
    raise TableError("no table can say these facts")


def _plainer(said: Sequence[Statement], vocabulary: Vocabulary) -> Iterator[set[str]]:
    """Which facts are not shaped into keys: none, those that name a file, or all."""
    every = {f.name for f in said}
    yield from (set(), {n for n in every if _names_a_file(vocabulary, n)}, every)


def _is_same(data: dict[str, Any], said: Sequence[Statement], vocabulary: Vocabulary) -> bool:
    try:
        again = table(data, vocabulary)
    except SeatlogError:
        return False
    wanted = with_defaults(said, vocabulary)
    return {(f.name, f.row) for f in again.facts} == {(f.name, f.row) for f in wanted}


def _reads_back(text: str, said: Sequence[Statement], vocabulary: Vocabulary) -> bool:
    try:
        return _is_same(tomllib.loads(text), said, vocabulary)
    except tomllib.TOMLDecodeError:
        return False


def _names_a_file(vocabulary: Vocabulary, name: str) -> bool:
    """Whether a fact's key in a table file would bring in another file."""
    sorts = vocabulary.facts[name].sorts
    return any(isinstance(vocabulary.sorts[s], Files) for s in sorts)


def _shaped(
    statements: Sequence[Statement], vocabulary: Vocabulary, plain: set[str]
) -> tuple[dict[str, Any], list[Statement]]:
    """The facts as nested data, and those that fit no shape or are to be ``plain``."""
    said = {(f.name, f.row) for f in statements}
    data: dict[str, Any] = {}
    rest = []
    for statement in statements:
        fact = vocabulary.facts[statement.name]
        bound = dict(zip(fact.args, statement.row, strict=True))
        for shape in fact.shapes if fact.name not in plain else ():
            implied = _implied(vocabulary, shape, bound)
            if implied <= said and _put(data, fact, shape, bound):
                break
        else:
            rest.append(statement)
    return _with_lists(data, vocabulary), rest


def _implied(
    vocabulary: Vocabulary, shape: Shape, bound: dict[str, Value]
) -> set[tuple[str, tuple[Value, ...]]]:
    """What a key also says: that the group it stands in is there, whatever its names are called."""
    out = set()
    for fact in vocabulary.facts.values():
        for other in fact.shapes:
            if other.value != "table" or len(other.path) > len(shape.path):
                continue
            pairs = list(zip(other.path, shape.path, strict=False))
            named = {word: bound[own] for word, own in pairs if word in fact.args and own in bound}
            inside = all(word in named or word == own for word, own in pairs)
            if inside and set(fact.args) <= set(named):
                out.add((fact.name, tuple(named[a] for a in fact.args)))
    return out


def _put(data: dict[str, Any], fact: Fact, shape: Shape, bound: dict[str, Value]) -> bool:
    """Lay one fact into the data, unless something else stands there."""
    keys = [str(bound[w]) if w in fact.args else w for w in shape.path]
    group: Any = data
    for key in keys if shape.value == "table" else keys[:-1]:
        group = group.setdefault(key, {})
        if not isinstance(group, dict):
            return False
    if shape.value == "table":
        return True
    value: Any = bound[shape.value] if shape.switch is None else shape.switch
    if shape.many:
        found = group.setdefault(keys[-1], [])
        if isinstance(found, list):
            found.append(value)
        return isinstance(found, list)
    return group.setdefault(keys[-1], value) is value


def _with_lists(data: dict[str, Any], vocabulary: Vocabulary) -> dict[str, Any]:
    """Groups whose keys count from 1 as lists, where the vocabulary numbers them so."""
    out = dict(data)
    for fact in vocabulary.facts.values():
        for shape in fact.shapes:
            if len(shape.path) == 2 and shape.path[1] in fact.args:
                sort = vocabulary.sorts[fact.sorts[fact.args.index(shape.path[1])]]
                group = out.get(shape.path[0])
                if sort.is_number and isinstance(group, dict):
                    wanted = [str(n) for n in range(1, len(group) + 1)]
                    if set(wanted) == set(group):
                        out[shape.path[0]] = [group[n] for n in wanted]
    return out


def _lines(
    data: dict[str, Any], rest: list[Statement], edition: str | None, aside: Sequence[str]
) -> Iterator[str]:
    if edition:
        yield f"edition = {_string(edition)}"
    if aside:
        yield f"{KEY} = {value_text(list(aside))}"
    groups = {k: v for k, v in data.items() if isinstance(v, dict) and _deep(v.values())}
    for key, value in data.items():
        if key not in groups:
            yield f"{key_text(key)} = {value_text(value)}"
    if rest:
        yield 'facts = """'
        yield from (f"+ {_escaped(str(statement))}" for statement in rest)
        yield '"""'
    for key, group in groups.items():
        yield f"\n[{key_text(key)}]"
        yield from (f"{key_text(k)} = {value_text(v)}" for k, v in group.items())


def data_lines(data: Mapping[str, Any], under: Sequence[str] = ()) -> Iterator[str]:
    """A table's data as lines of TOML, as it was said; ``under`` are the keys it stands below."""
    head = ".".join(map(key_text, under))
    if head:
        yield f"[{head}]"
    groups = {k: v for k, v in data.items() if isinstance(v, dict) and _deep(v.values())}
    for key, value in data.items():
        if isinstance(value, str) and "\n" in value:
            yield f'{key_text(key)} = """'
            yield from _escaped(value).split("\n")
            yield '"""'
        elif key not in groups:
            yield f"{key_text(key)} = {value_text(value)}"
    for key, group in groups.items():
        yield ""
        yield f"[{'.'.join(map(key_text, (*under, key)))}]"
        yield from (f"{key_text(k)} = {value_text(v)}" for k, v in group.items())


def _deep(values: Iterable[Any]) -> bool:
    values = list(values)
    return len(str(values)) > WIDTH or any(isinstance(v, dict) for v in values)


def key_text(key: str) -> str:
    """A key as TOML writes it."""
    return key if _BARE.fullmatch(key) else _string(key)


def value_text(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, value))}]"
    inner = ", ".join(f"{key_text(k)} = {value_text(v)}" for k, v in value.items())
    return f"{{ {inner} }}" if inner else "{}"


def _string(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')

"""Quick flags: a table's top-level keys on the command line, from the vocabulary's shapes.

``--list A,B --number 1 --groups "A: one, two; B: three"`` says what a file would. A name with a
comma, colon or semicolon in it goes in double quotes.
"""

from __future__ import annotations

import re
from typing import Any

from ..book import Fact, Files, Shape, Vocabulary
from ..errors import TableError, quoted
from .aside import KEY as ASIDE
from .keys import shape_text


def flag_keys(vocabulary: Vocabulary) -> dict[str, list[tuple[Fact, Shape]]]:
    """The keys that fit on a command line, with the shapes behind each."""
    out: dict[str, list[tuple[Fact, Shape]]] = {}
    for fact in vocabulary.facts.values():
        for shape in fact.shapes:
            if len(shape.path) <= 2 and shape.value != "table":
                out.setdefault(shape.path[0], []).append((fact, shape))
    return out


def flag_help(shapes: list[tuple[Fact, Shape]]) -> str:
    """One line of help for a key."""
    return "; ".join(dict.fromkeys(fact.about for fact, _ in shapes if fact.about))


def flag_example(shapes: list[tuple[Fact, Shape]], vocabulary: Vocabulary) -> str:
    """What a flag's value looks like."""
    out = []
    for fact, shape in shapes:
        value = (
            f"{shape.value},…" if shape.many or _listed(fact, shape, vocabulary) else shape.value
        )
        keyed = len(shape.path) == 2 and not _listed(fact, shape, vocabulary)
        out.append(f'"{shape.path[1]}: {value}"' if keyed else value)
    return " | ".join(dict.fromkeys(out))


def flag_files(shapes: list[tuple[Fact, Shape]], vocabulary: Vocabulary) -> list[str]:
    """The files that a key can name."""
    sorts = [vocabulary.sorts[s] for fact, _ in shapes for s in fact.sorts]
    return [name for sort in sorts if isinstance(sort, Files) for name in sort.words]


def parse_flag(key: str, texts: tuple[str, ...], vocabulary: Vocabulary) -> Any:
    """The value of a key from its flag's texts, as a table file would hold it."""
    if key == ASIDE:
        return [name for text in texts for name in listed_names(text)]
    shapes = flag_keys(vocabulary)[key]
    found: Any = None
    for text in texts:
        found = _merge(found, _value(key, text, shapes, vocabulary), f"--{key}")
    return found


def listed_names(text: str) -> list[str]:
    """The names in a list like ``Ann,Bob,"Tom, the Elder"``."""
    return [str(_word(w, False)) for w in _split(text, ",")]


def _listed(fact: Fact, shape: Shape, vocabulary: Vocabulary) -> bool:
    """Whether a key numbers its values: ``seats.Seat = Player`` is a list."""
    if len(shape.path) != 2:
        return False
    sort = fact.sorts[fact.args.index(shape.path[1])]
    return vocabulary.sorts[sort].is_number


def _value(key: str, text: str, shapes: list[tuple[Fact, Shape]], vocabulary: Vocabulary) -> Any:
    keyed = [(f, s) for f, s in shapes if len(s.path) == 2 and not _listed(f, s, vocabulary)]
    plain = [(f, s) for f, s in shapes if (f, s) not in keyed]
    if keyed and (not plain or _split(text, ":")[1:]):
        many = any(s.many for _, s in keyed)
        fact, shape = keyed[0]
        return _pairs(
            key, text, many, _number(fact, shape.value, vocabulary), shape_text(*keyed[0])
        )
    fact, shape = plain[0]
    if shape.switch is not None:
        said = text.strip().lower()
        if said not in ("true", "false"):
            raise TableError(
                f"--{key} is true or false, not {quoted(text)}", hint="say one of them"
            )
        return said == "true"
    number = _number(fact, shape.value, vocabulary)
    if shape.many or _listed(fact, shape, vocabulary):
        return [_word(w, number) for w in _split(text, ",")]
    return _word(text, number)


def _pairs(key: str, text: str, many: bool, number: bool, like: str) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for entry in (
        _split(text, ";") if many else [p for e in _split(text, ";") for p in _split(e, ",")]
    ):
        head, colon, rest = _first(entry)
        if not colon:
            raise TableError(
                f"--{key} {quoted(text)}: a colon is missing",
                hint=f'like: --{key} "Name: …" for {like}',
            )
        value: Any = [_word(w, number) for w in _split(rest, ",")] if many else _word(rest, number)
        name = str(_word(head, False))
        out[name] = _merge(out.get(name), value, f"--{key}, {name}")
    return out


def _merge(old: Any, new: Any, what: str) -> Any:
    """Two values of a key together: lists, and groups name by name. Raises TableError."""
    if old is None:
        return new
    if isinstance(old, list) and isinstance(new, list):
        return old + new
    if isinstance(old, dict) and isinstance(new, dict):
        return {**old, **{k: _merge(old.get(k), v, f"{what}, {k}") for k, v in new.items()}}
    raise TableError(f"{what} is said twice", hint="keep one")


def _number(fact: Fact, arg: str, vocabulary: Vocabulary) -> bool:
    return arg in fact.args and vocabulary.sorts[fact.sorts[fact.args.index(arg)]].is_number


def _split(text: str, mark: str) -> list[str]:
    parts = re.findall(rf'(?:"[^"]*"|[^"{mark}]|"(?![^"]*"))+', text)
    return [p.strip() for p in parts if p.strip()]


def _first(entry: str) -> tuple[str, str, str]:
    match = re.match(r'\s*("[^"]*"|[^":]*)\s*(:?)(.*)$', entry, re.DOTALL)
    return (match[1], match[2], match[3]) if match else (entry, "", "")


def _word(text: str, number: bool) -> str | int:
    word = text.strip()
    if len(word) > 1 and word[0] == word[-1] == '"':
        return word[1:-1]
    if number and re.fullmatch(r"-?\d{1,12}", word):
        return int(word)
    return word

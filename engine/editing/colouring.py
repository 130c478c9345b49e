"""The grammar by which editors colour clause files, in the way of TextMate.

It is made from the tables by which files are read, so that a note or an operator that is added
there is coloured as well. Its patterns are of the kind that Python's ``re`` and Oniguruma share.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from ..language import COUNT, DECLARED, LITERALS, NAMING, NOTES, OPERATORS, SENTENCES

NAME = "seatlog"
SCOPE = "source.seatlog"
_END = r"^(?!# {4}\s*\S)"
"""Where a note ends: before a line that doesn't go on with it."""


def grammar() -> str:
    """The grammar as the text of its file."""
    made = {
        "name": NAME,
        "scopeName": SCOPE,
        "fileTypes": ["dl"],
        "patterns": _included("heading", "notes", "comment", "clause"),
        "repository": {
            "heading": _heading(),
            "notes": {"patterns": list(_notes())},
            "comment": _match(r"#.*$", "comment.line.number-sign"),
            "more": _match(r"^#(?= {4})", "punctuation.definition.comment"),
            "hole": _match(r"(\{)(\w+)(\})", "meta.hole", *_hole()),
            "string": {"patterns": [_string("'", "single"), _string('"', "double")]},
            "clause": {"patterns": [*_included("string"), *_code()]},
        },
    }
    return json.dumps(made, indent=2) + "\n"


def _heading() -> dict[str, Any]:
    return _match(
        r"^(##)\s+(\S+)(?:\s+(.+))?$",
        "markup.heading",
        "punctuation.definition.heading",
        "entity.name.section",
        "string.unquoted.title",
    )


def _notes() -> Iterable[dict[str, Any]]:
    """The notes, by what stands in them; what looks like one and isn't known is a fault."""
    sentences = _of(SENTENCES)
    literals = _of((*LITERALS, *DECLARED))
    naming = _of(NAMING)
    kept = {*SENTENCES, *LITERALS, *DECLARED, *NAMING}
    others = _of(key for key in NOTES if key not in kept)
    yield _note(sentences, "string.unquoted.sentence", _included("more", "hole"))
    yield _note(literals, "meta.literal", _included("more", "clause"))
    named = _match(r"\b[A-Z]\w*", "variable.parameter")
    yield _note(naming, "string.unquoted.names", [*_included("more"), named])
    yield _note(others, "string.unquoted.note", _included("more"))
    yield _match(r"^# [A-Za-z][A-Za-z ]{0,15}:(?=\s|$)", "invalid.illegal.note")


def _note(keys: str, scope: str, patterns: list[dict[str, Any]]) -> dict[str, Any]:
    captures = ("punctuation.definition.comment", "keyword.other.note", "punctuation.separator")
    return {
        "name": "meta.note",
        "contentName": scope,
        "begin": rf"^(#)\s({keys})(:)(?=\s|$)",
        "end": _END,
        "beginCaptures": _captures(captures),
        "patterns": patterns,
    }


def _code() -> Iterable[dict[str, Any]]:
    """What clauses are made of, but for strings."""
    name = r"[a-z][A-Za-z0-9_]*(?=\s*\()"
    signs = "|".join(re.escape(sign) for sign in _longest(OPERATORS.values()))
    yield _match(rf"\b{COUNT}(?=\s*\()", "support.function")
    yield _match(rf"^(\+)\s*({name})", "", "keyword.operator.fact", "entity.name.function.head")
    yield _match(rf"^{name}", "entity.name.function.head")
    yield _match(rf"\b{name}", "entity.name.function.body")
    yield _match(r"\b[A-Z_][A-Za-z0-9_]*", "variable.other")
    yield _match(r"\b[0-9]+\b", "constant.numeric")
    yield _match(r"<=(?=\s*(?:[(~a-z]|$))", "keyword.operator.definition")
    yield _match(signs, "keyword.operator.comparison")
    yield _match(r"~", "keyword.operator.negation")
    yield _match(r"&", "keyword.operator.conjunction")
    yield _match(r"[+-]", "keyword.operator.arithmetic")
    yield _match(r"[(),]", "punctuation.section")
    yield _match(r"\S", "invalid.illegal")


def _string(quote: str, kind: str) -> dict[str, Any]:
    return {
        "name": f"string.quoted.{kind}",
        "begin": quote,
        "end": rf"{quote}|$",
        "patterns": [
            _match(r"""\\[\\'"]""", "constant.character.escape"),
            _match(r"\\.", "invalid.illegal.escape"),
        ],
    }


def _hole() -> tuple[str, str, str]:
    edge = "punctuation.definition.variable"
    return edge, "variable.parameter", edge


def _match(pattern: str, name: str, *captures: str) -> dict[str, Any]:
    made: dict[str, Any] = {"name": name} if name else {}
    made["match"] = pattern
    if captures:
        made["captures"] = _captures(captures)
    return made


def _captures(names: Iterable[str]) -> dict[str, Any]:
    return {str(number): {"name": name} for number, name in enumerate(names, 1)}


def _included(*names: str) -> list[dict[str, Any]]:
    return [{"include": f"#{name}"} for name in names]


def _of(words: Iterable[str]) -> str:
    """One of some words, the longer ones first: no word is taken for the start of another."""
    return "|".join(re.escape(word).replace(r"\ ", " ") for word in _longest(words))


def _longest(words: Iterable[str]) -> list[str]:
    return sorted(words, key=lambda word: (-len(word), word))

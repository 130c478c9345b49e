"""A table file to start from: what was said, and every other key as a comment with its meaning."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from .book import Vocabulary
from .shaping import shape_text

SHORT = 2
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def started(data: Mapping[str, Any], vocabulary: Vocabulary, edition: str | None = None) -> str:
    """The text of a table file that holds the data and explains the other keys."""
    lines = [f"edition = {_value(edition)}"] if edition else []
    groups = []
    for key, value in data.items():
        about = _about(key, vocabulary)
        if isinstance(value, dict):
            groups += ["", f"[{_key(key)}]" + (f"  # {about}" if about else "")]
            groups += [f"{_key(k)} = {_value(v)}" for k, v in value.items()]
        else:
            lines.append(f"{_key(key)} = {_value(value)}" + (f"  # {about}" if about else ""))
    lines += ["", "# More that can be said, one key a line:"]
    seen = set()
    deep: dict[str, None] = {}
    for fact in vocabulary.facts.values():
        for shape in () if fact.momentary else fact.shapes:
            text = shape_text(fact, shape)
            if len(shape.path) > SHORT:
                deep.setdefault(shape.path[0])
            elif shape.path[0] not in data and text not in seen and shape.value != "table":
                seen.add(text)
                lines.append(f"# {text}" + (f"  ({fact.about})" if fact.about else ""))
    if deep:
        lines += [f"# {', '.join(deep)}: `seatlog show --vocabulary` lists what these hold"]
    return "\n".join([*lines, *groups, ""])


def _about(key: str, vocabulary: Vocabulary) -> str:
    said = (f.about for f in vocabulary.facts.values() for s in f.shapes if s.path[0] == key)
    return next((a for a in said if a), "")


def _key(word: str) -> str:
    return word if _BARE.fullmatch(word) else _value(word)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    return str(value) if isinstance(value, int) else json.dumps(str(value), ensure_ascii=False)

"""A table file to start from: what was said, and every other key as a comment with its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..book import Vocabulary
from .keys import shape_text
from .writing import key_text, value_text

SHORT = 2


def started(
    data: Mapping[str, Any], vocabulary: Vocabulary, edition: str | None = None, remark: str = ""
) -> str:
    """The text of a table file that holds the data, a remark above, and explains the other keys."""
    lines = [f"# {remark}"] if remark else []
    lines += [f"edition = {value_text(edition)}"] if edition else []
    groups = []
    for key, value in data.items():
        about = _about(key, vocabulary)
        if isinstance(value, dict):
            groups += ["", f"[{key_text(key)}]" + (f"  # {about}" if about else "")]
            groups += [f"{key_text(k)} = {value_text(v)}" for k, v in value.items()]
        else:
            lines.append(
                f"{key_text(key)} = {value_text(value)}" + (f"  # {about}" if about else "")
            )
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

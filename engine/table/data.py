"""A table's data as somebody hands it over: mappings and sequences of any kind, made plain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import TableError, did_you_mean, printable, quoted

MAX_DEPTH = 20
_KINDS = {
    bool: "true or false",
    str: "text",
    int: "a number",
    float: "a fraction",
    list: "a list",
    dict: "a group of keys",
    bytes: "bytes",
    type(None): "None",
}


def kind(value: Any) -> str:
    """What a value is, in words."""
    named = f"a {type(value).__name__}"
    times = "a date or time" if type(value).__module__ == "datetime" else named
    return _KINDS.get(type(value), times)


def plain(data: Mapping[Any, Any]) -> dict[str, Any]:
    """Data as TOML has it: groups with texts as keys, lists, and what stands in them.

    Tuples are lists. Raises TableError for keys that are no text, and for data without an end.
    """
    out = _plain(data, 0)
    assert isinstance(out, dict)
    return out


def _plain(value: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise TableError("this table is nested too deeply", hint="a table has few levels of keys")
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str | int) or isinstance(key, bool):
                raise TableError(
                    f"a key of a table is a text, not {kind(key)}: {printable(repr(key), 60)}",
                    hint='like: {"range": 1}',
                )
        return {str(key): _plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner, depth + 1) for inner in value]
    return value


def given(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Keys that somebody laid over a table. Raises TableError for one that says nothing."""
    out = plain(keys)
    for key, value in out.items():
        if value == [] or value == {}:
            raise TableError(f"{key} is empty: nothing is said by it", hint="leave it out")
    return out


def laid_over(data: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """Data with other keys over it; a group of keys lies over a group key by key, at each level."""
    out = dict(data)
    for key, value in keys.items():
        below = out.get(key)
        both = isinstance(value, Mapping) and isinstance(below, Mapping)
        out[key] = laid_over(below, value) if both else value  # type: ignore[arg-type]
    return out


def changed(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Data with changes laid over it, of which None takes a key away. Raises TableError."""
    said = plain(changes)
    return laid_over(_without(data, said), given(_said(said)))


def _without(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Data less the keys that are None in changes, at each level. Raises TableError."""
    out = dict(data)
    for key, value in changes.items():
        group = out.get(key)
        if value is None:
            if key not in out:
                hint = did_you_mean(key, out) or f"it says: {', '.join(list(out)[:12])}" * bool(out)
                raise TableError(f"the table says nothing of {quoted(key)}", hint=hint)
            del out[key]
        elif isinstance(value, dict) and isinstance(group, dict):
            left = _without(group, value)
            out[key] = left
            if not left and not _said(value):
                del out[key]
    return out


def _said(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Changes less what they take away."""
    out = {}
    for key, value in changes.items():
        left = _said(value) if isinstance(value, dict) and value else value
        if left is not None and (left != {} or value == {}):
            out[key] = left
    return out

"""What an ``edition.toml`` may say, and what a book takes from its layers' ones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..errors import BookError, did_you_mean, printable

_TAKEN = ("draw", "gone", "standing", "follows", "covers")
"""What an edition takes over from its base where it says nothing of its own."""
_TEXTS = {"title", "date", "base", "draw", "gone"}
_LISTS = {"drop", "examples", "standing", "follows", "covers"}
_KEYS = {*_TEXTS, *_LISTS, "numbers", "default"}
_COVERED = re.compile(r"[0-9][0-9A-Za-z.]{0,19}(?: [a-z]{1,26})?")


def check(toml: Mapping[str, object]) -> None:
    """Raise BookError for a key that nobody knows, or what can't stand under one."""
    for key, value in toml.items():
        if key not in _KEYS:
            raise BookError(
                f"edition.toml knows no key {printable(key)!r}", hint=did_you_mean(key, _KEYS)
            )
        _check(key, value)


def settings(tomls: Sequence[Mapping[str, object]]) -> dict[str, tuple[str, ...]]:
    """What a book says of itself, from its layers' tomls, innermost base first.

    ``draw`` is the verb whose answers are drawn, ``gone`` the predicate of who is gone,
    ``standing`` the predicates listed after each step, ``follows`` those of which a step tells what
    is new, ``default`` isn't empty where it is asked unless another one is named, ``covers`` the
    numbers of the source that the book sets out to answer, whether it does or not.
    """
    out: dict[str, tuple[str, ...]] = {}
    for toml in tomls:
        for key in _TAKEN:
            if key in toml:
                out[key] = tuple(listed(toml[key]))
        out["default"] = ("yes",) if toml.get("default") else ()
        dropped = listed(toml.get("drop", []))
        numbers = (n for entry in out.get("covers", ()) for n in _expanded(entry))
        out["covers"] = tuple(n for n in numbers if n not in dropped)
    return out


def listed(value: object) -> list[str]:
    """A list of texts, which may be a single text as well."""
    return [str(x) for x in value] if isinstance(value, list) else [str(value)]


def _expanded(entry: str) -> list[str]:
    """``7.2 abd`` is short for 7.2, 7.2a, 7.2b and 7.2d."""
    number, _, letters = entry.partition(" ")
    return [number, *(number + letter for letter in letters)]


def _check(key: str, value: object) -> None:
    if key == "default":
        fits, what, like = isinstance(value, bool), "true or false", "true"
    elif key == "numbers":
        fits = isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
        what, like = "a group of texts", '{ "1.2" = "1.3" }'
    elif key in _LISTS:
        fits = isinstance(value, str) or (
            isinstance(value, list) and all(isinstance(v, str) for v in value)
        )
        what, like = "a text or a list of texts", '["…", "…"]'
    else:
        fits, what, like = isinstance(value, str), "a text", '"…"'
    if fits and key == "covers" and not all(map(_COVERED.fullmatch, listed(value))):
        fits, what, like = False, "numbers, some with letters behind them", '["7.1", "7.2 abd"]'
    if not fits:
        raise BookError(f"edition.toml: {key} is {what}", hint=f"like: {key} = {like}")

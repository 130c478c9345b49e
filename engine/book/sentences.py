"""Sentences with holes: what a fact or a step says once names stand in them.

A hole is a term's name in braces: ``{Player} attacks {Target}``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..model import Row
from .vocabulary import Fact

HOLE = re.compile(r"\{(\w*)\}")
_NOUN_AND_HOLE = re.compile(r"(?:\b(\w+) )?\{(\w+)\}")


def holes(text: str) -> list[str]:
    """The names of a sentence's holes, in its order."""
    return HOLE.findall(text)


def in_braces(text: str, hole: str) -> str:
    """The key under which the place of a sentence's hole is kept, beside the sentence's own."""
    return f"{text}\n{{{hole}}}"


def without_holes(text: str) -> str:
    """What is left of a sentence when its holes are cut out."""
    return HOLE.sub("", text)


def fill(text: str, env: Mapping[str, str]) -> str:
    """A sentence with its holes filled, or ``""`` when nobody knows what belongs in one."""
    if not {*holes(text)} <= set(env):
        return ""
    return _NOUN_AND_HOLE.sub(lambda found: _filled(found[1], env[found[2]]), text)


def sentence(fact: Fact, row: Row) -> str:
    """A fact in its own words."""
    text = fact.yes or f"{fact.name}({', '.join('{' + a + '}' for a in fact.args)})"
    return fill(text, dict(zip(fact.args, map(str, row), strict=True)))


def _filled(noun: str | None, value: str) -> str:
    """A value behind the word before it; ``team`` isn't said again before ``Team A``."""
    if noun is None or value.casefold().startswith(f"{noun.casefold()} "):
        return value
    return f"{noun} {value}"

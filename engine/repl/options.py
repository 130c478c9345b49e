"""What stands behind a command or a magic: words, and options with ``--``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection
from typing import Any, NamedTuple

from ..errors import QuestionError, did_you_mean, printable, quoted

WIDE = ("bound", "games", "seed", "verb")
"""The options that say what a difference looks at."""
NONE = "none"
_NUMBER = re.compile("[0-9]{1,9}")
_QUOTES = "a name that holds a quote or a space goes in quotes of the other kind"


class Said(NamedTuple):
    """The words of a line, and its options with what each was given; a switch has no text."""

    words: tuple[str, ...]
    options: dict[str, tuple[str, ...]]

    def one(self, option: str) -> str | None:
        """What an option was given, or None where it isn't there. Raises QuestionError for two."""
        found = self.options.get(option, ())
        if len(found) > 1:
            raise QuestionError(f"--{option} is said twice", hint="keep one")
        return found[0] if found else None

    def number(self, option: str, otherwise: int) -> int:
        """What number an option was given. Raises QuestionError for what is none."""
        text = self.one(option)
        if text is None:
            return otherwise
        if not _NUMBER.fullmatch(text):
            raise QuestionError(f"--{option} takes a number, not {quoted(text)}")
        return int(text)


def said(line: str, switches: Collection[str] = (), valued: Collection[str] = ()) -> Said:
    """Read a line. Raises QuestionError for an option that isn't there or lacks its text."""
    try:
        rest = shlex.split(line)[::-1]
    except ValueError:
        raise QuestionError("a quote is never closed", hint=_QUOTES) from None
    words: list[str] = []
    options: dict[str, tuple[str, ...]] = {}
    while rest:
        word = rest.pop()
        if not word.startswith("--"):
            words.append(word)
            continue
        name, equals, text = word[2:].partition("=")
        if name in valued and not equals:
            if not rest or rest[-1].startswith("--"):
                raise QuestionError(f"--{name} needs something behind it")
            text = rest.pop()
        elif name in switches and equals:
            raise QuestionError(f"--{name} takes nothing behind it")
        elif name not in switches and name not in valued:
            known = [f"--{each}" for each in (*switches, *valued)]
            raise unknown(name, known)
        options[name] = (*options.get(name, ()), text)
    return Said(tuple(words), options)


def unknown(name: str, known: Collection[str]) -> QuestionError:
    """What is wrong with an option that isn't one of those known, which have their dashes."""
    said = f"there are: {', '.join(known)}" if known else "there are none here"
    hint = did_you_mean(f"--{name}", known) or said
    return QuestionError(f"no option is called --{printable(name, 80)}", hint=hint)


def looked_at(found: Said) -> dict[str, Any]:
    """What the options of WIDE say, as ``Draft.diff`` takes it. ``--bound none``: not all games.

    Raises QuestionError.
    """
    bound = found.one("bound")
    if "seed" in found.options and "games" not in found.options:
        raise QuestionError("--seed is for the games of --games: say both")
    return {
        "bound": None if bound == NONE else bound or "",
        "games": found.number("games", 0),
        "seed": found.number("seed", 1),
        "verbs": found.options.get("verb", ()),
    }

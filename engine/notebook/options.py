"""What stands behind a magic: words, and options with ``--``."""

from __future__ import annotations

import shlex
from collections.abc import Collection
from typing import NamedTuple

from ..errors import QuestionError, did_you_mean, printable

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
            every = f"there are: {', '.join(known)}" if known else "there are none here"
            hint = did_you_mean(f"--{name}", known) or every
            raise QuestionError(f"no option is called --{printable(name, 80)}", hint=hint)
        options[name] = (*options.get(name, ()), text)
    return Said(tuple(words), options)

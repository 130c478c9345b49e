"""What a line is: a command, a fact, or a question; and when it is finished.

It is once brackets are closed and nothing dangles; a section's text goes on until an empty line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

from ..errors import QuestionError
from ..game import QUOTES, Word, is_clause, one_name

RULE, REPLACE = "rule", "replace"
ASKING = ("why", "tree", "change")
MAX_SPLITS = 2_000
MAX_SECTION = 100_000
"""So many characters of a section's text can be typed in one go."""
NUMBER = re.compile(r"\A\d[\w.]*\s+")
"""The number of a section before a clause."""
_SECTION = re.compile(r"\d[\w.]*\s*(\n|\Z)")
"""A number with nothing behind it: what comes on the next lines is several clauses, or a text."""
_STRING = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\"""")
_DANGLING = ("&", "<=", ",", "~", "==", "!=", "<", ">")


class Command(NamedTuple):
    """``:name rest``."""

    name: str
    rest: str


def command(text: str) -> Command | None:
    """The command a line is, if it is one. A bare ``?`` asks for help."""
    text = text.strip()
    if text.startswith("?"):
        return Command("help", text[1:].strip())
    if not text.startswith(":"):
        return None
    parts = text[1:].split(None, 1)
    return Command(parts[0] if parts else "", parts[1] if len(parts) > 1 else "")


def is_fact(text: str) -> bool:
    """Whether a line states a fact, or takes one away, in clause syntax."""
    return text[:1] in ("+", "-")


def is_block(text: str) -> bool:
    """Whether a line begins what goes on until an empty line: a section's text, or clauses."""
    said = command(text)
    if said is None or not said.rest:
        return False
    name = said.name.casefold()
    return name == REPLACE or (name == RULE and bool(_SECTION.match(said.rest)))


def finished(text: str) -> bool:
    """Whether a line is whole. An empty line behind it always finishes it."""
    if not text.strip() or ("\n" in text and not text.rpartition("\n")[2].strip()):
        return True
    said = command(text)
    body = said.rest if said else text.strip()
    if said and is_block(text):
        return False
    if said and not (said.name == RULE or (said.name in ASKING and is_clause(body))):
        return True
    if not body or (not said and not is_clause(body) and not is_fact(body)):
        return True
    lines = NUMBER.sub("", body, count=1).split("\n")
    if lines[-1].lstrip().startswith("#"):
        return False
    bare = _STRING.sub("''", "\n".join(x for x in lines if not x.lstrip().startswith("#")))
    depth = sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))
    return depth <= 0 and not bare.rstrip().endswith(_DANGLING)


def splits(said: Sequence[Word], number: int) -> Iterator[list[Sequence[Word]]]:
    """Every way to cut words into this many names, those in quotes or behind a comma kept apart."""
    if number == 0 or number > len(said):
        if number == len(said):
            yield []
        return
    for tried, cuts in enumerate(combinations(range(1, len(said)), number - 1)):
        if tried >= MAX_SPLITS:
            raise QuestionError("this can be read in too many ways", hint=QUOTES)
        spots = (0, *cuts, len(said))
        parts = [said[a:b] for a, b in pairwise(spots)]
        if all(one_name(part) for part in parts):
            yield parts


def needed(text: str, what: str) -> str:
    """What a command needs behind it. Raises QuestionError when it isn't there."""
    if text:
        return text
    raise QuestionError(f"{what}?", hint="`:help` lists how commands are used")


def unquoted(file: str) -> str:
    """A file's name without the quotes around it."""
    quoted_whole = len(file) > 1 and file[0] == file[-1] and file[0] in "\"'"
    return file[1:-1] if quoted_whole else file


def whole_name(file: str) -> str:
    """A file's name as it is from everywhere; what is no file is named as it is."""
    try:
        path = Path(file).expanduser()
        return str(path.resolve()) if path.exists() else file
    except (OSError, ValueError, RuntimeError):
        return file

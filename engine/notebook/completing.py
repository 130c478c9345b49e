"""What could be typed next in a magic: what the interactive session would complete there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..errors import SeatlogError
from ..repl import Candidate, complete
from ..table import flag_keys
from .desk import ASIDE, DIFF, RULES, WHOLE, Desk

_LINE = re.compile(r"\A\s*(?:[\w.]+\s*=\s*)?%{1,2}(?P<magic>\w+)\s(?P<rest>.*)\Z", re.DOTALL)
_CELL = re.compile(r"\A\s*%%rules\b[^\n]*\n(?P<body>.*)\Z", re.DOTALL)
_OPTION = re.compile(r"(?:\A|\s)--(?P<option>[\w-]*)\Z")
_BEHIND = re.compile(r"(?:\A|.*\s)--(?P<option>[\w-]+)[ =](?P<rest>\S*)\Z", re.DOTALL)

_AS = {
    "can": "",
    "why": ":why ",
    "draw": ":draw ",
    "table": ":load ",
    "diff": ":load ",
    "test": ":test ",
}
"""The line of the interactive session that has the same behind it."""
_NUMBER, _BOOK = ":show ", "edition"


def completions(desk: Desk, before: str, line: str) -> list[Candidate]:
    """What could go on from a cell's text ``before`` the cursor, of which ``line`` is the last.

    Nothing where no magic of these stands there.
    """
    cell = _CELL.match(before)
    found = _LINE.match(line) if cell is None else None
    try:
        if cell is not None:
            return complete(desk.state(), f":rule {cell['body']}")
        if found is None:
            return []
        return _behind(desk, found["magic"], found["rest"])
    except SeatlogError:
        return []


def _behind(desk: Desk, magic: str, rest: str) -> list[Candidate]:
    option = _OPTION.search(rest)
    if option is not None:
        return _options(_known(desk, magic), option["option"])
    behind = _BEHIND.match(rest)
    if magic == "rules":
        if behind is None or behind["option"] in ("add", "drop"):
            typed = rest if behind is None else behind["rest"]
            return complete(desk.state(), f"{_NUMBER}{typed}")
        return _editions(behind["rest"]) if behind["option"] == _BOOK else []
    if magic == "diff" and behind is not None:
        verb = behind["option"] == "verb"
        return complete(desk.state(), f"{_AS['draw']}{behind['rest']}") if verb else []
    if magic == "why":
        rest = rest.removeprefix(f"{WHOLE} ")
    elif magic not in _AS or behind is not None:
        return []
    return complete(desk.state(), f"{_AS[magic]}{rest}")


def _known(desk: Desk, magic: str) -> Iterable[str]:
    """The options of a magic."""
    if magic == "rules":
        return (*RULES["switches"], *RULES["valued"])
    if magic == "table":
        return (*flag_keys(desk.draft.base.vocabulary), ASIDE)
    return {"why": (WHOLE[2:],), "diff": DIFF}.get(magic, ())


def _options(known: Iterable[str], typed: str) -> list[Candidate]:
    return [Candidate(f"--{o}", len(typed) + 2) for o in known if o.startswith(typed)]


def _editions(typed: str) -> list[Candidate]:
    from ..editions import editions

    return [Candidate(name, len(typed)) for name in editions() if name.startswith(typed)]

"""The cites that a scenario would have by what its book says now, and how they get into its file.

Only where the verdict is the expected one: which rules stand behind a wrong answer is of no use.
What is written is the array alone. Comments, order and layout stay, and what comes out is read
again before anything is written: it has to hold the same but for the cites.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..book import rule_order
from ..errors import Place, ScenarioError, SeatlogError
from ..language import as_text, read_bytes, replace
from .scenarios import Outcome

MAX_FILE = 8_000_000
_SPACE = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_KEY = re.compile(
    r"""(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')(?:\s*\.\s*(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'))*"""
    r"""[ \t]*=[ \t]*"""
)
_TEXT = re.compile(
    r'''"""(?:[^\\]|\\.)*?"""+|\'\'\'.*?\'\'\'+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*\'''', re.DOTALL
)
_ITEM = re.compile(rf"(?P<text>{_TEXT.pattern})(?P<comma>[ \t]*,[ \t]*)?|#[^\n]*", re.DOTALL)
_EMPTIED = re.compile(r"\n[ \t]+(?=\n)")
_HEADING = re.compile(r"""\[\[\s*(?:scenario|"scenario"|'scenario')\s*\]\]""")


class Proposal(NamedTuple):
    """The cites that a scenario has (None where it has none yet), and those it would have."""

    outcome: Outcome
    number: int
    said: tuple[str, ...] | None
    cites: tuple[str, ...]

    @property
    def lines(self) -> list[str]:
        """What would change, as the lines of a difference."""
        old = [] if self.said is None else [f"- {written(self.said)}"]
        return [*old, f"+ {written(self.cites)}"]


class _Said(NamedTuple):
    """A key of a scenario: where its value begins and ends, and where its line does."""

    key: str
    start: int
    value: int
    end: int
    line: int


def proposed(outcomes: Sequence[tuple[int, Outcome]]) -> list[Proposal]:
    """What could be cited where the answer is the expected one, and the cites aren't.

    Each outcome comes with the number of its scenario in the file, from 0.
    """
    return [
        Proposal(o, number, o.scenario.cites if o.scenario.cited else None, ordered(o.cites))
        for number, o in outcomes
        if o.miscited or (o.passed and not o.scenario.cited)
    ]


def ordered(cites: Sequence[str]) -> tuple[str, ...]:
    """Rule numbers in rule order."""
    return tuple(sorted(cites, key=rule_order))


def written(cites: Sequence[str]) -> str:
    """The key as a line of TOML."""
    return f"cites = [{', '.join(json.dumps(c, ensure_ascii=False) for c in ordered(cites))}]"


def write(found: Sequence[Proposal]) -> list[str]:
    """Write proposals into their files, all of them or none; returns the files' names.

    Raises ScenarioError for a file where that can't be done without touching anything else.
    """
    texts: dict[Path, str] = {}
    for file in dict.fromkeys(p.outcome.scenario.file for p in found):
        data = read_bytes(file, file, MAX_FILE)
        own = {p.number: p.cites for p in found if p.outcome.scenario.file == file}
        new = with_cites(as_text(data, file), own, file)
        ends = data.count(b"\r\n")
        if ends not in (0, data.count(b"\n")):
            raise _unwritable(file)
        start = "\ufeff" * data.startswith(b"\xef\xbb\xbf")
        texts[Path(file)] = start + (new.replace("\n", "\r\n") if ends else new)
    try:
        replace(texts)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        at = Place(str(getattr(error, "filename", None) or next(iter(texts), "")))
        raise ScenarioError(
            f"this file can't be written ({why}), so none was",
            place=at,
            hint="check the permissions, and the room on the disk",
        ) from None
    return [str(path) for path in texts]


def with_cites(text: str, cites: Mapping[int, Sequence[str]], file: str) -> str:
    """The text of a scenario file with the cites of some scenarios, by their numbers from 0.

    Raises ScenarioError where the text is laid out in a way that isn't understood here.
    """
    groups = list(_scenarios(text))
    new = text
    for number in sorted(cites, reverse=True):
        if number >= len(groups):
            raise _unwritable(file)
        own = {said.key: said for said in groups[number]}
        old, answer = own.get("cites"), own.get("answer")
        answer = max(filter(None, (answer, own.get("open"))), default=None)
        if old is not None:
            changed = _array(text[old.value : old.end], cites[number])
            new = new[: old.value] + changed + new[old.end :]
        elif answer is not None:
            new = _with_line(new, answer, written(cites[number]))
        else:
            raise _unwritable(file)
    wanted = tomllib.loads(text)
    for number, each in cites.items():
        wanted["scenario"][number]["cites"] = list(ordered(each))
    try:
        if _plain(tomllib.loads(new)) != _plain(wanted):
            raise _unwritable(file)
    except tomllib.TOMLDecodeError:
        raise _unwritable(file) from None
    return new


def _plain(data: Mapping[str, Any]) -> Any:
    """Data with the cites in rule order, which don't depend on it."""
    cases = [
        {**case, "cites": list(ordered(case["cites"]))} if "cites" in case else case
        for case in data["scenario"]
    ]
    return {**data, "scenario": cases}


def _unwritable(file: str) -> SeatlogError:
    return ScenarioError(
        "the cites can't be written here without touching anything else",
        place=Place(file),
        hint="put them in by hand, as they are shown without --write",
    )


def _with_line(text: str, before: _Said, line: str) -> str:
    """The text with a line below that of a key, indented as it is."""
    start = text.rfind("\n", 0, before.start) + 1
    indent = text[start : before.start]
    head, rest = text[: before.line], text[before.line :]
    if not head.endswith("\n"):
        return f"{head}\n{indent}{line}\n"
    return f"{head}{indent}{line}\n{rest}"


def _array(old: str, cites: Sequence[str]) -> str:
    """An array with other texts in it; where it has lines of its own, these stay as they are."""
    if "\n" not in old and "#" not in old:
        return written(cites).partition(" = ")[2]
    edits: list[tuple[int, int, str]] = []
    have: list[str] = []
    at, comma = 1, True
    for match in _ITEM.finditer(old):
        if match["text"] is None:
            continue
        value = tomllib.loads(f"x = {match['text']}")["x"]
        if value not in cites or value in have:
            edits.append((match.start(), match.end(), ""))
        else:
            have.append(value)
            at, comma = match.end(), bool(match["comma"])
    more = ", ".join(json.dumps(c, ensure_ascii=False) for c in ordered(cites) if c not in have)
    if more:
        edits.append((at, at, f" {more}," if have and comma else f", {more}" if have else more))
    new = old
    for start, end, text in sorted(edits, reverse=True):
        new = new[:start] + text + new[end:]
    return _EMPTIED.sub("", new) if any(not text for *_, text in edits) else new


def _scenarios(text: str) -> Iterator[list[_Said]]:
    """The keys that stand directly under each ``[[scenario]]``, one list for each."""
    own: list[_Said] | None = None
    direct = False
    at = 0
    while True:
        blank = _SPACE.match(text, at)
        at = blank.end() if blank else at
        if at >= len(text):
            break
        if text[at] == "[":
            end = _line_end(text, at)
            direct = bool(_HEADING.match(text, at))
            if direct:
                if own is not None:
                    yield own
                own = []
            at = end
            continue
        key = _KEY.match(text, at)
        if key is None:
            return
        end = _value_end(text, key.end())
        line = _line_end(text, end)
        if direct and own is not None:
            name = key.group().rpartition("=")[0].strip().strip("\"'")
            own.append(_Said(name, at, key.end(), end, line))
        at = line
    if own is not None:
        yield own


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def _value_end(text: str, at: int) -> int:
    """Where a value ends: behind its last bracket or quote, before a comment."""
    depth, end = 0, at
    while at < len(text):
        match = _TEXT.match(text, at)
        if match:
            at = end = match.end()
            continue
        sign = text[at]
        if sign == "#":
            at = _line_end(text, at) - 1
            if depth == 0:
                return end
        elif sign == "\n" and depth == 0:
            return end
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
        at += 1
        if not sign.isspace() and sign != "#":
            end = at
    return end

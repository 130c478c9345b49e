"""Scenarios: a table, a question, the answer and the exact rules cited.

A scenario file is TOML: an optional ``edition`` and ``[table]`` for all, then ``[[scenario]]`` with
``name``, optionally its own ``table`` (laid over the common one), ``can = [who, verb, what]`` or
``ask = "…"``, ``answer`` ("yes", "no", "refused", "no rule" or the complete list), ``cites``
(unless there is no rule), and ``open = true`` where the rules leave the case open.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..book import Book
from ..editions import load_book
from ..errors import NoRule, Place, ScenarioError, SeatlogError, did_you_mean, printable
from ..game import Answer, Session
from ..language import LOCK, read_file
from ..model import MAX_INT
from ..table import table

DEFAULT = Path("tests/scenarios")
MISCITED = "cites:"
_KEYS = {"name", "table", "can", "ask", "answer", "cites", "open", "edition", "says"}
NO_RULE = "no rule"
BULK = "compiled"
"""The solver that is asked where much is asked and nobody is told."""
_TOP = {"edition", "table", "scenario"}


class Scenario(NamedTuple):
    """One case. ``answer`` is "yes", "no", "refused", "no rule" or a sorted list of rows."""

    name: str
    file: str
    edition: str | None
    data: Mapping[str, Any]
    can: tuple[str, ...]
    ask: str
    answer: str | list[tuple[Any, ...]]
    cites: tuple[str, ...]
    open: bool = False
    cited: bool = True
    """Whether the file says which rules are cited at all."""
    says: str = ""
    """What the words of a refusal hold, for one that stands under no rule number."""

    def command(self, edition: str | None = None) -> str:
        """How to run this one again on the command line, by the edition that was asked for."""
        said = [] if edition is None else ["--edition", edition]
        name = ["-k", self.name] if self.name else []
        return shlex.join(printable(w) for w in ["seatlog", "test", *said, self.file, *name])


class Outcome(NamedTuple):
    """What came out of a scenario; ``trouble`` is empty when all is as expected."""

    scenario: Scenario
    answer: str | list[tuple[Any, ...]]
    cites: tuple[str, ...]
    trouble: str

    @property
    def passed(self) -> bool:
        return not self.trouble

    @property
    def miscited(self) -> bool:
        """Whether all is as expected but the rules cited."""
        return self.trouble.startswith(MISCITED)


def counted(passed: int, failed: int, skipped: int) -> str:
    """The sum of scenarios that were run, and of those that weren't."""
    more = f", {skipped:,} skipped: another edition is named there" if skipped else ""
    return f"{passed:,} passed, {failed:,} failed{more}"


def scenario_files(path: Path) -> list[Path]:
    """A file, or every TOML file under a folder, in order; locks of editors are none."""
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.rglob("*.toml") if not file.name.startswith(LOCK))


def unreadable(path: Path, error: SeatlogError) -> Outcome:
    """What comes out of a file that holds no scenario that could be run."""
    return Outcome(Scenario("", str(path), None, {}, (), "", "", ()), "", (), str(error))


def read_scenarios(path: Path, uncited: bool = False) -> list[Scenario]:
    """The scenarios of a file, with ``uncited`` those too that cite nothing yet.

    Raises ScenarioError.
    """
    return scenarios_in(read_file(path), path, uncited)


def scenarios_in(text: str, path: Path, uncited: bool = False) -> list[Scenario]:
    """The scenarios of a file's text. Raises ScenarioError."""
    place = Place(str(path))
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise ScenarioError("this is nested too deeply", place=place) from None
    except ValueError as error:
        raise ScenarioError(f"this is not TOML: {printable(str(error))}", place=place) from None
    _known(data, _TOP, place)
    cases = data.get("scenario")
    if not isinstance(cases, list) or not cases:
        raise ScenarioError("there is no [[scenario]] here", place=place, hint="add one")
    common = data.get("table", {})
    return [_scenario(c, common, data.get("edition"), path, uncited) for c in cases]


def _scenario(case: Any, common: Any, edition: Any, path: Path, uncited: bool) -> Scenario:
    place = Place(str(path))
    if not isinstance(case, dict) or not isinstance(case.get("name"), str):
        raise ScenarioError("a scenario without a name", place=place, hint='name = "…"')
    name = case["name"]
    _known(case, _KEYS, place)
    own = case.get("table", {})
    if not isinstance(own, dict) or not isinstance(common, dict):
        raise ScenarioError(f"{name}: table is a group of keys", place=place)
    can, ask = case.get("can", []), case.get("ask", "")
    words = isinstance(can, list) and all(isinstance(w, str) for w in can)
    if bool(can) == bool(ask) or not words or len(can) == 1 or not isinstance(ask, str):
        raise ScenarioError(
            f"{name}: one question, please",
            place=place,
            hint='can = ["who", "verb", "what"] or ask = "…"',
        )
    answer, cites = case.get("answer"), case.get("cites")
    if isinstance(answer, list) and all(_value(v) for r in answer for v in _row(r)):
        answer = sorted((_row(r) for r in answer), key=repr)
    elif answer not in ("yes", "no", "refused", NO_RULE):
        raise ScenarioError(
            f"{name}: answer is missing",
            place=place,
            hint='"yes", "no", "refused", "no rule" or a list',
        )
    if answer == NO_RULE and "cites" not in case:
        cites = []
    if cites is None and not uncited:
        hint = 'like: cites = ["1.2", "1.3"]; `seatlog test --cite` says which'
        raise ScenarioError(f"{name}: cites is missing", place=place, hint=hint)
    if cites is not None and not (isinstance(cites, list) and all(map(_is_text, cites))):
        hint = 'like: cites = ["1.2", "1.3"]'
        raise ScenarioError(f"{name}: cites is a list of texts", place=place, hint=hint)
    listed = cites or []
    twice = next((c for c in listed if listed.count(c) > 1), "")
    if twice:
        what = f"{name}: cites says {printable(twice)} twice"
        raise ScenarioError(what, place=place, hint="keep one")
    says = case.get("says", "")
    if not isinstance(says, str) or ("says" in case and (not says or answer != "refused")):
        what = f"{name}: says is a text, and goes with a table that is refused"
        raise ScenarioError(what, place=place, hint='answer = "refused"')
    left_open = case.get("open", False)
    if not isinstance(left_open, bool):
        raise ScenarioError(f"{name}: open is true or false", place=place, hint="open = true")
    chosen = case.get("edition", edition)
    if chosen is not None and not isinstance(chosen, str):
        raise ScenarioError(f"{name}: edition is a name", place=place)
    return Scenario(
        name,
        str(path),
        chosen,
        {**common, **own},
        tuple(can),
        ask,
        answer,
        tuple(sorted(listed)),
        left_open,
        cites is not None,
        says,
    )


def _row(row: Any) -> tuple[Any, ...]:
    return tuple(row) if isinstance(row, list) else (row,)


def _value(value: Any) -> bool:
    return isinstance(value, str) or (type(value) is int and abs(value) <= MAX_INT)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _known(data: Mapping[str, Any], known: set[str], place: Place) -> None:
    for key in data:
        if key not in known:
            raise ScenarioError(
                f"no scenario key is called {printable(key)!r}",
                place=place,
                hint=did_you_mean(key, known)
                or f"known: {', '.join(sorted(known))}"
                + f"; what a table says stands under it: table.{printable(key)} = …"
                * ("table" in known),
            )


def put(scenario: Scenario, game: Session) -> Answer:
    """The answer to a scenario's question at a table. Raises SeatlogError."""
    return game.say(scenario.can) if scenario.can else game.ask(scenario.ask)


class Sessions:
    """Sessions on scenarios' tables: equal ones are opened once, and the latest kept."""

    def __init__(self, solver: str = BULK, most: int = 16) -> None:
        self._solver, self._most = solver, most
        self._kept: dict[str, tuple[Book, Session]] = {}

    def on(self, scenario: Scenario, book: Book) -> Session:
        """A session on a scenario's table.

        Raises TableError or Faults when the book refuses the table.
        """
        mark = repr(scenario.data)
        kept = self._kept.pop(mark, None)
        if kept is None or kept[0] is not book:
            state = table(scenario.data, book.vocabulary, None, scenario.name)
            kept = (book, Session(book, state, None, self._solver))
        self._kept[mark] = kept
        for old in list(self._kept)[: -self._most]:
            del self._kept[old]
        return kept[1]


def verdict(
    scenario: Scenario, book: Book, sessions: Sessions | None = None
) -> tuple[str | list[tuple[Any, ...]], Answer]:
    """The answer of a scenario in its own terms, and the answer itself.

    Raises TableError or Faults when the book refuses the table.
    """
    answer = put(scenario, (sessions or Sessions()).on(scenario, book))
    if answer.open:
        return sorted(answer.rows, key=repr), answer
    return ("yes" if answer else "no"), answer


def answered(scenario: Scenario, edition: str | None = None) -> str:
    """The answer to a scenario's question as a person reads it, or why there is none."""
    try:
        return verdict(scenario, load_book(edition or scenario.edition))[1].text()
    except SeatlogError as error:
        return str(error)


def run(
    scenario: Scenario,
    load: Callable[[str | None], Book] = load_book,
    sessions: Sessions | None = None,
) -> Outcome:
    """Ask a scenario's question and compare. Errors become the outcome's trouble."""
    try:
        found, answer = verdict(scenario, load(scenario.edition), sessions)
        cites, doubtful = answer.cites, bool(answer.doubts)
    except NoRule as error:
        if scenario.answer != NO_RULE:
            return Outcome(scenario, NO_RULE, (), f"answer: no rule\n{error}")
        found, cites, doubtful = NO_RULE, (), False
    except SeatlogError as error:
        rules = {e.rule for e in error.errors}
        if scenario.answer != "refused" or ("" in rules and not scenario.says):
            return Outcome(scenario, "", (), str(error))
        if scenario.says not in str(error):
            return Outcome(scenario, "", (), f"says: expected {scenario.says}\n{error}")
        found, cites, doubtful = "refused", tuple(sorted(rules - {""})), False
    trouble = []
    if found != scenario.answer:
        trouble.append(f"answer: expected {scenario.answer}, found {found}")
    if doubtful != scenario.open:
        trouble.append(f"open: expected {scenario.open}, found {doubtful}")
    if sorted(cites) != list(scenario.cites):
        trouble.append(f"{MISCITED} expected {list(scenario.cites)}, found {sorted(cites)}")
    return Outcome(scenario, found, tuple(sorted(cites)), "\n".join(trouble))

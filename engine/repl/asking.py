"""Ask: what is worked out from a state, as plain data that can be handed from process to process.

Everything here may take for ever or be ended at any moment, so it alters nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..budget import Step
from ..errors import SeatlogError
from ..game import Change, Session, change_for, stands, take
from ..model import Statement
from ..views import drawing
from . import rulings
from .state import State

if TYPE_CHECKING:
    from ..authoring import Draft

Data = dict[str, Any]
Work = Callable[[Step], Data]
Run = Callable[[Work, State, str], Data]
"""Runs work about a state, wherever that is safe; the text is the question, if there is one."""


class Asked(NamedTuple):
    """A question of the session: as it was typed, in clause syntax, and what came out."""

    text: str
    question: str
    verdict: bool
    rows: tuple[tuple[Any, ...], ...]


def _opened(state: State, step: Step) -> Session:
    return state.session(step.goal)


def inside(work: Work, _state: State, _text: str) -> Data:
    """Run work in this very process."""
    return work(Step(bytearray(8_192), lambda _sign: None))


def ask(state: State, text: str, tree: bool | str = False) -> Work:
    """The answer to a question, with ``tree`` step by step."""

    def work(step: Step) -> Data:
        step.turn(f"while asking: {text}")
        game = _opened(state, step)
        answer = game.answer(text)
        return {
            "text": answer.text(tree),
            "verdict": answer.verdict,
            "open": answer.open,
            "question": answer.question,
            "rows": [list(row) for row in answer.rows],
            "notes": game.notes,
        }

    return work


def draw(state: State, verb: str) -> Work:
    """The ring, and who reaches whom by a verb."""

    def work(step: Step) -> Data:
        step.turn("while drawing")
        game = _opened(state, step)
        return {"text": drawing(game, verb or None)}

    return work


def check(state: State) -> Work:
    """Nothing, unless the book refuses the table."""

    def work(step: Step) -> Data:
        step.turn("while checking the table")
        _opened(state, step)
        return {}

    return work


def step(state: State) -> Work:
    """The facts of the next state, what happened, and how things stand."""

    def work(step: Step) -> Data:
        step.turn("while working out what comes next")
        game = _opened(state, step)
        done = take(game)
        doubts = (f"open: {doubt}" for doubt in done.doubts)
        return {
            "said": [[f.name, list(f.row)] for f in done.said],
            "text": [
                *done.happened,
                *doubts,
                *stands(done.after, done.told),
                *game.about(),
            ],
        }

    return work


def change(state: State, text: str) -> Work:
    """The smallest change that turns the answer to a question."""

    def work(step: Step) -> Data:
        step.turn(f"while looking for a change to: {text}")
        game = _opened(state, step)
        answer = game.answer(text)
        literals = answer.literals()
        if answer.open or len(literals) != 1 or literals[0].negated:
            return {"asks": False}
        found: Change | None = change_for(game, answer)
        if found is None:
            return {"asks": True, "verdict": answer.verdict}
        return {
            "asks": True,
            "verdict": answer.verdict,
            "text": found.said(answer.verdict),
            "drops": [_plain(each) for each in found.drops],
            "adds": [_plain(each) for each in found.adds],
        }

    return work


def _plain(statement: Statement) -> list[Any]:
    return [statement.name, list(statement.row)]


def differences(state: State, questions: list[str]) -> Work:
    """For each question its answer by the book and by the session's rules, or the error."""

    def work(step: Step) -> Data:
        before = state._replace(book=state.read)
        out = []
        for question in questions:
            pair = []
            for each in (before, state):
                step(f"while asking again: {question}")
                pair.append(_outcome(each, question, step))
            out.append(pair)
        return {"answers": out}

    return work


def _outcome(state: State, question: str, step: Step) -> Data:
    try:
        answer = _opened(state, step).ask(question)
    except SeatlogError as error:
        return {"error": error.what}
    return {"verdict": answer.verdict, "open": answer.open, "rows": [list(r) for r in answer.rows]}


def changes(
    state: State,
    draft: Draft,
    scenarios: Path | None,
    tables: Sequence[Mapping[str, Any]],
    wide: Mapping[str, Any],
) -> Work:
    """What the session's rules change in the text, in scenarios, at tables and in any game.

    ``wide`` says which games are looked at beside the tables, as ``Draft.diff`` takes it.
    """

    def work(step: Step) -> Data:
        step.turn("while looking at what has changed")
        found = draft.diff(
            *tables,
            scenarios=scenarios,
            **wide,
            tell=step,
            book=state.book,
            label=rulings.OWN,
        )
        return {"lines": list(found.lines())}

    return work


def test(state: State, draft: Draft, paths: Sequence[Path]) -> Work:
    """What comes of scenarios under the session's rules."""

    def work(step: Step) -> Data:
        step.turn("while reading scenarios")
        return {"text": str(draft.test(*paths, book=state.book, tell=step))}

    return work


def difference(before: Data, now: Data) -> list[str]:
    """How two outcomes of one question differ, a line each; nothing when they don't."""
    if before == now:
        return []
    if "error" in before or "error" in now or not now["open"]:
        return [f"{_said(before)} -> {_said(now)}"]
    gone = [row for row in before["rows"] if row not in now["rows"]]
    new = [row for row in now["rows"] if row not in before["rows"]]
    return [f"- {_row(row)}" for row in gone] + [f"+ {_row(row)}" for row in new]


def _said(outcome: Data) -> str:
    if "error" in outcome:
        return f"can't be asked ({outcome['error']})"
    if outcome["open"]:
        return f"{len(outcome['rows'])} answers"
    return "yes" if outcome["verdict"] else "no"


def _row(row: list[Any]) -> str:
    return ", ".join(map(str, row))

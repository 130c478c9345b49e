"""What the commands share: options, colour, sessions under a budget."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from ..answer import Answer, said
from ..errors import NO, YES, SeatlogError
from ..model import Literal, Row
from ..session import Session, open_session
from ..solvers import Solver
from ..supervise import Step, budget, supervised

F = TypeVar("F", bound=Callable[..., Any])


def paint(text: str, colour: str, err: bool = False) -> str:
    """The text in a colour when a terminal is there to show it and ``NO_COLOR`` is not set."""
    stream = sys.stderr if err else sys.stdout
    if os.environ.get("NO_COLOR") or not stream.isatty():
        return text
    return click.style(text, fg=colour, bold=True)


def common(command: F) -> F:
    """``--edition``, ``--budget`` and ``--json``."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Answer as JSON."),
        click.option("--budget", metavar="30s,500MB", help="Time a step and memory may take."),
        click.option("--edition", metavar="NAME", help="Rule book: a name or a folder."),
    ):
        command = option(command)
    return command


def watched(
    work: Callable[[Step], int], allowed: str | None, as_json: bool, seconds: float = 2.0
) -> int:
    """Run a command's work under its budget; errors come out in words or JSON."""
    from ..cli import complain

    return supervised(work, budget(allowed, seconds), lambda error: complain(error, as_json))


class Telling:
    """A solver that announces each literal before it is worked out."""

    def __init__(self, inner: Solver, step: Step) -> None:
        self.inner, self.step = inner, step

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """The inner solver's rows."""
        return self.inner.rows(literal)


def session(state: str | None, edition: str | None, keys: Mapping[str, Any], step: Step) -> Session:
    """A session whose steps are announced."""
    step(f"while reading {state or 'the table'}")
    return open_session(state, edition, **keys)


def give(answer: Answer, as_json: bool, tree: bool, notes: list[str]) -> int:
    """Print an answer; returns the exit code."""
    for note in notes:
        click.echo(f"note: {note}", err=True)
    if as_json:
        data = answer.as_dict()
        if tree:
            data["tree"] = [
                {"depth": x.depth, "text": x.text, "rules": list(x.rules), "holds": x.holds}
                for x in answer.tree()
            ]
        click.echo(json.dumps(data, ensure_ascii=False))
    else:
        head, _, rest = answer.text(tree).partition("\n")
        if not answer.open:
            head = paint(head, "green" if answer else "red")
        click.echo(f"{head}\n{rest}" if rest else head)
    return YES if answer else NO


__all__ = ["SeatlogError", "common", "give", "paint", "said", "session", "watched"]

"""What the commands share: options, colour, sessions under a budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from ..budget import Step, budget, supervised
from ..errors import NO, OPEN, YES, BudgetError, SeatlogError
from .talk import as_json_text, complain, guarded, paint

if TYPE_CHECKING:  # else in the child that works; what the parent has loaded slows its fork down
    from ..game import Answer, Session

UNWATCHED = "note: no process can be made here, so no budget holds this book to anything"

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def completed(what: str) -> Callable[[click.Context, click.Parameter, str], Any]:
    """What a shell completes, from ``completing``, which is loaded only when a shell asks."""

    def items(ctx: click.Context, param: click.Parameter, typed: str) -> Any:
        from importlib import import_module

        return getattr(import_module(".completing", __package__), what)(ctx, param, typed)

    return items


def answering(command: F) -> F:
    """``--budget`` and ``--json``."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Answer as JSON."),
        click.option("--budget", metavar="30s,500MB", help="Time a step may take, and memory."),
    ):
        command = option(command)
    return command


def common(command: F) -> F:
    """``--edition``, ``--budget`` and ``--json``."""
    return click.option(
        "--edition",
        metavar="NAME",
        help="Rule book: a name or a folder.",
        shell_complete=completed("books"),
    )(answering(command))


def solving(command: F) -> F:
    """``--solver``; the one that answers people where none is named."""
    return click.option(
        "--solver",
        metavar="NAME",
        help="What works answers out: pydatalog (if nothing is said), compiled or clingo; "
        "with `+` a second one is asked the same beside.",
        shell_complete=completed("solvers"),
    )(command)


LISTED = "`seatlog show --verbs` lists what can be asked"
TREES = ("brief", "all")


def stepwise(command: F) -> F:
    """``--tree``, which may be followed by how much of it is wanted."""
    return click.option(
        "--tree",
        type=click.Choice(TREES),
        metavar="[all]",
        help="The steps of the reason; `--tree all`: every step there is.",
    )(command)


def reasoned(command: F) -> F:
    """``--reasons``."""
    return click.option(
        "--reasons",
        is_flag=True,
        help="Each row of a list with its reason; of none: everything that is near.",
    )(command)


def watched(
    work: Callable[[Step], int],
    allowed: str | None,
    as_json: bool,
    seconds: float = 2.0,
    suspect: Callable[[str], str] | None = None,
    megabytes: int = 200,
) -> int:
    """Run a command's work under its budget; errors come out in words or JSON.

    ``seconds`` and ``megabytes`` hold where ``allowed`` doesn't say. ``suspect`` says
    what is to blame when the budget runs out, given the goal at work.
    """
    return supervised(
        lambda step: guarded(lambda: work(step), as_json),
        budget(allowed, seconds, megabytes),
        lambda error: complain(error, as_json),
        suspect,
    )


class Asked(NamedTuple):
    """What a command line asks: a table, the keys laid over it, and the other words."""

    state: str | None
    keys: dict[str, Any]
    words: tuple[str, ...] = ()


def session(asked: Asked, edition: str | None, step: Step, solver: str | None = None) -> Session:
    """A session whose steps are announced."""
    from ..editions import editions
    from ..game import open_session
    from ..solvers import PLAIN

    step(f"while reading {asked.state or 'the table'}")
    named = PLAIN if solver is None else solver
    found = open_session(asked.state, edition, step.goal, named, **asked.keys)
    if not step.watched and found.book.name not in editions():
        click.echo(UNWATCHED, err=True)
    return found


def blamed(asked: Asked, edition: str | None, goal: str) -> str:
    """What is to blame for a budget that ran out; a shipped book never is."""
    from ..editions import editions
    from ..game import blame
    from ..table import open_table

    opened = open_table(asked.state, edition, asked.keys)
    texts = (goal, *asked.words[:1][: len(asked.words) == 1])
    return blame(opened, texts, opened.book.name in editions())


GIVEN_UP = "{} was given up: --budget allows more"
_SHARE = 0.8
"""How much of its time what comes on top of an answer may take: that still has to be written."""


def give(
    answer: Answer,
    as_json: bool,
    tree: str | None,
    game: Session,
    step: Step,
    change: str = "",
    allowed: str | None = None,
    reasons: bool = False,
) -> int:
    """Print an answer, and what would change it: ``change`` is "wanted", or "shown" if there is.

    A tree, or a search for a change, that takes more than is ``allowed`` is given up: the answer
    and its reason stand. Returns the exit code.
    """
    given_up = []
    data = answer.as_dict() if as_json else {}
    said = "" if as_json else answer.text(False, reasons)
    if tree:
        step("while working out the steps")
        made = _on_top(
            allowed, game, lambda: answer.as_dict(tree) if as_json else answer.text(tree, reasons)
        )
        if made is None:
            given_up.append(GIVEN_UP.format("the tree"))
        data, said = (made, said) if isinstance(made, dict) else (data, made or said)
    turned: str | None = ""
    if change:
        step("while looking for the smallest change")
        turned = _on_top(allowed, game, lambda: _turned(game, answer, allowed))
        if turned is None:
            given_up.append(GIVEN_UP.format("the search for a change"))
        elif change == "wanted" and answer.open:
            game.notes.append("a change is looked for what is answered by yes or no")
        elif change == "wanted" and not turned:
            verdict = "yes" if answer else "no"
            game.notes.append(f"no change was found that would turn this {verdict}")
    for note in game.notes:
        click.echo(f"note: {note}", err=True)
    if as_json:
        if change:
            data["change"] = turned
        text = as_json_text(data)
    else:
        head, _, rest = said.partition("\n")
        if not answer.open:
            head = paint(head, "green" if answer else "red")
        text = f"{head}\n{rest}" if rest else head
        text = "\n".join([text, *filter(None, [turned]), *given_up])
    step.rest()
    click.echo(text)
    if answer.doubts:
        return OPEN
    return YES if answer else NO


def _on_top(allowed: str | None, game: Session, work: Callable[[], T]) -> T | None:
    """What comes on top of an answer, or None when it would take too long.

    For a game with few names nobody else watches it: it looks at the time itself.
    """
    limits = budget(allowed)
    try:
        if not limits.seconds or not game.prover.crowd:
            return work()
        from ..budget import within

        return within(limits._replace(seconds=limits.seconds * _SHARE), work)
    except BudgetError:
        return None


def _turned(game: Session, answer: Answer, allowed: str | None) -> str:
    """What would turn an answer, ``""`` if nothing does. Raises BudgetError."""
    from ..game import change_for

    found = change_for(game, answer, budget(allowed).seconds * _SHARE)
    return found.said(answer.verdict) if found else ""


__all__ = [
    "LISTED",
    "Asked",
    "SeatlogError",
    "answering",
    "blamed",
    "common",
    "completed",
    "give",
    "paint",
    "reasoned",
    "session",
    "solving",
    "stepwise",
    "watched",
]

"""``seatlog ask``: a question in clause syntax."""

from __future__ import annotations

import click

from ..budget import Step
from .sharing import blamed, common, completed, give, reasoned, session, solving, stepwise, watched
from .tables import Flags, TableCommand, split_table

USAGE = "seatlog ask [TABLE] QUESTION"


@click.command(cls=TableCommand)
@click.argument("words", nargs=-1, metavar="[TABLE] QUESTION", shell_complete=completed("tables"))
@stepwise
@reasoned
@solving
@common
def command(
    words: tuple[str, ...],
    tree: str | None,
    reasons: bool,
    as_json: bool,
    budget: str | None,
    edition: str | None,
    solver: str | None,
    flags: Flags,
) -> int:
    """Ask in clause syntax; capitalised words that are no names are variables."""

    def work(step: Step) -> int:
        asked = split_table(words, flags, USAGE, 1)
        if len(asked.words) != 1:
            raise click.UsageError(f"one question, in quotes.\nUsage: {USAGE}")
        game = session(asked, edition, step, solver)
        step.turn(f"while asking: {asked.words[0]}")
        answer = game.ask(asked.words[0])
        return give(answer, as_json, tree, game, step, allowed=budget, reasons=reasons)

    def suspect(goal: str) -> str:
        return blamed(split_table(words, flags, USAGE, 1), edition, goal)

    return watched(work, budget, as_json, suspect=suspect)

"""``seatlog can``: a question in players' words."""

from __future__ import annotations

import click

from ..budget import Step
from .sharing import (
    LISTED,
    blamed,
    common,
    completed,
    give,
    reasoned,
    session,
    solving,
    stepwise,
    watched,
)
from .tables import AskingCommand, Flags, split_table

USAGE = "seatlog can [TABLE] WHO VERB [WHAT]"


@click.command(cls=AskingCommand, options_metavar="[OPTIONS]")
@click.argument(
    "words", nargs=-1, metavar="[TABLE] WHO VERB [WHAT]", shell_complete=completed("words")
)
@stepwise
@reasoned
@click.option("--change", is_flag=True, help="The smallest change that would turn the verdict.")
@solving
@common
def command(
    words: tuple[str, ...],
    tree: str | None,
    reasons: bool,
    change: bool,
    as_json: bool,
    budget: str | None,
    edition: str | None,
    solver: str | None,
    flags: Flags,
) -> int:
    """Can WHO do that to WHAT? Without WHAT: to whom; `who` or `what` as WHO: all who can."""
    others = flags.behind

    def work(step: Step) -> int:
        asked = split_table(words, flags, USAGE, 2)
        game = session(asked, edition, step, solver)
        if not "".join(asked.words).strip():
            raise click.UsageError(f"who does what? {LISTED}\nUsage: {USAGE}")
        step.turn(f"while asking: can {' '.join(asked.words)}")
        answer = game.say(asked.words, **others)
        wanted = "wanted" if change else ""
        return give(answer, as_json, tree, game, step, wanted, budget, reasons)

    def suspect(goal: str) -> str:
        return blamed(split_table(words, flags, USAGE, 2), edition, goal)

    return watched(work, budget, as_json, suspect=suspect)

"""``seatlog why``: every step of a reason."""

from __future__ import annotations

import click

from ..budget import Step
from .sharing import LISTED, blamed, common, completed, give, session, solving, stepwise, watched
from .tables import AskingCommand, Flags, split_table

USAGE = "seatlog why [TABLE] QUESTION   or   seatlog why [TABLE] WHO VERB [WHAT]"


@click.command(cls=AskingCommand)
@click.argument(
    "words",
    nargs=-1,
    metavar="[TABLE] QUESTION | [TABLE] WHO VERB [WHAT]",
    shell_complete=completed("words"),
)
@stepwise
@solving
@common
def command(
    words: tuple[str, ...],
    tree: str | None,
    as_json: bool,
    budget: str | None,
    edition: str | None,
    solver: str | None,
    flags: Flags,
) -> int:
    """Show the reason of an answer step by step; --tree all shows every step there is."""
    others = flags.behind

    def work(step: Step) -> int:
        asked = split_table(words, flags, USAGE, 1)
        game = session(asked, edition, step, solver)
        rest = asked.words
        step.turn(f"while asking: {' '.join(rest)}")
        if len(rest) > 1:
            answer = game.say(rest, **others)
        elif rest and others:
            raise click.UsageError(f"--{next(iter(others))} stands behind a verb.\nUsage: {USAGE}")
        elif rest and rest[0] not in game.table.names:
            answer = game.answer(rest[0])
        elif rest:
            answer = game.say(rest)
        else:
            raise click.UsageError(f"why what? {LISTED}\nUsage: {USAGE}")
        return give(answer, as_json, tree or "brief", game, step, "shown", budget)

    def suspect(goal: str) -> str:
        return blamed(split_table(words, flags, USAGE, 1), edition, goal)

    return watched(work, budget, as_json, suspect=suspect)

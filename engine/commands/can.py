"""``seatlog can``: a question in players' words."""

from __future__ import annotations

from typing import Any

import click

from ..budget import Step
from .sharing import blamed, common, completed, give, session, watched
from .tabling import AskingCommand, behind, split_table

USAGE = "seatlog can [TABLE] WHO VERB [WHAT]"


@click.command(cls=AskingCommand, options_metavar="[OPTIONS]")
@click.argument(
    "words", nargs=-1, metavar="[TABLE] WHO VERB [WHAT]", shell_complete=completed("words")
)
@click.option("--tree", is_flag=True, help="Every step of the reason.")
@click.option("--change", is_flag=True, help="The smallest change that would turn the verdict.")
@common
def command(
    words: tuple[str, ...],
    tree: bool,
    change: bool,
    as_json: bool,
    budget: str | None,
    edition: str | None,
    **given: Any,
) -> int:
    """Can WHO do that to WHAT? Without WHAT: to whom and what."""
    others = behind(given)

    def work(step: Step) -> int:
        asked = split_table(words, given, USAGE, 2)
        game = session(asked, edition, step)
        if len(asked.words) < 2:
            verbs = ", ".join(game.verbs())
            raise click.UsageError(f"who does what? Verbs: {verbs}\nUsage: {USAGE}")
        step.turn(f"while asking: can {' '.join(asked.words)}")
        answer = game.say(asked.words, **others)
        return give(answer, as_json, tree, game, step, change)

    def suspect(goal: str) -> str:
        return blamed(split_table(words, given, USAGE, 2), edition, goal)

    return watched(work, budget, as_json, suspect=suspect)

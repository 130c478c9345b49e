"""``seatlog ask``: a question in clause syntax."""

from __future__ import annotations

from typing import Any

import click

from . import common, give, session, watched
from .tabling import TableCommand, split_table, table_keys

USAGE = "seatlog ask [TABLE] QUESTION   like: seatlog ask game.toml \"can_target('Alex', X)\""


@click.command(cls=TableCommand)
@click.argument("words", nargs=-1, metavar="[TABLE] QUESTION")
@click.option("--tree", is_flag=True, help="Every step of the reason.")
@common
def command(
    words: tuple[str, ...],
    tree: bool,
    as_json: bool,
    budget: str | None,
    edition: str | None,
    **given: Any,
) -> int:
    """Ask in clause syntax; capitalised words that are no names are variables.

    \b
    seatlog ask four_in_a_ring "can_target(Alex, X)"
    seatlog ask four_in_a_ring "in_range(Alex, X) & ~in_range(X, 'Runeclaw Bear')"
    """

    def work(step: Any) -> int:
        keys = table_keys(given)
        state, rest = split_table(words, keys, USAGE, 1)
        if len(rest) != 1:
            raise click.UsageError(f"one question, in quotes.\nUsage: {USAGE}")
        game = session(state, edition, keys, step)
        step(f"while asking: {rest[0]}")
        return give(game.ask(rest[0]), as_json, tree, game.notes)

    return watched(work, budget, as_json)

"""``seatlog draw``: the ring of a table, and who reaches whom."""

from __future__ import annotations

import click

from ..budget import Step
from ..game import stands
from ..views import arrow, drawn, gone, reached, ring
from .sharing import common, completed, session, solving, watched
from .tables import Flags, TableCommand, only_table
from .talk import as_json_text


@click.command(cls=TableCommand)
@click.argument("table", required=False, shell_complete=completed("tables"))
@click.option(
    "--verb",
    metavar="VERB",
    shell_complete=completed("verbs"),
    help="Which verb the arrows stand for.",
)
@solving
@common
def command(
    table: str | None,
    verb: str | None,
    as_json: bool,
    budget: str | None,
    edition: str | None,
    solver: str | None,
    flags: Flags,
) -> int:
    """Draw a table: who sits where, and who reaches whom."""

    def work(step: Step) -> int:
        game = session(only_table(table, flags), edition, step, solver)
        names = ring(game)
        chosen = arrow(game, verb)
        step.turn("while drawing")
        left, now = gone(game), stands(game)
        if as_json:
            found = reached(game, names, chosen)
            data = {"ring": names, "verb": chosen, "reached": found, "gone": [*left]}
            data.update(standing=now, about=game.about(), edition=game.book.name)
            text = as_json_text(data)
        else:
            text = drawn(game, names, chosen, left, now)
        step.rest()
        click.echo(text)
        return 0

    return watched(work, budget, as_json)

"""``seatlog draw``: the ring of a table, and who reaches whom."""

from __future__ import annotations

import json
from typing import Any

import click

from ..drawing import gone, picture, reached, ring
from ..editions import drawn_verb, gone_predicate
from ..errors import QuestionError, quoted
from ..supervise import Step
from . import Asked, common, completing, session, watched
from .tabling import TableCommand, table_keys


@click.command(cls=TableCommand)
@click.argument("table", required=False, shell_complete=completing.tables)
@click.option(
    "--verb",
    metavar="VERB",
    shell_complete=completing.verbs,
    help="Which verb the arrows stand for.",
)
@common
def command(
    table: str | None,
    verb: str | None,
    as_json: bool,
    budget: str | None,
    edition: str | None,
    **given: Any,
) -> int:
    """Draw a table: who sits where, and who reaches whom."""

    def work(step: Step) -> int:
        keys = table_keys(given)
        if table is None and not keys:
            raise click.UsageError("which table? Give a file, a shipped table's name, or flags.")
        game = session(Asked(table, keys), edition, step)
        names = ring(game)
        known = game.verbs()
        arrow = verb or drawn_verb(edition) or next(iter(known), "")
        if arrow not in known:
            raise QuestionError(
                f"nobody can {quoted(arrow)}: no such verb", hint="verbs: " + ", ".join(known)
            )
        step.turn("while drawing")
        found = reached(game, names, arrow)
        left = gone(game, gone_predicate(edition))
        step.rest()
        if as_json:
            data = {"ring": names, "verb": arrow, "reached": found, "gone": [*left]}
            click.echo(json.dumps(data, ensure_ascii=False))
            return 0
        shown = {name: f"({name})" if name in left else name for name in names}
        click.echo(picture(list(shown.values())) + "\n")
        widest = max(map(len, shown.values()))
        for name in names:
            others = ", ".join(found[name]) or "nobody"
            said = left[name].why if name in left else f"{arrow}: {others}"
            click.echo(f"{shown[name]:<{widest}}  {said}")
        return 0

    return watched(work, budget, as_json)

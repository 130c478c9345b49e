"""``seatlog check``: is this table free of contradictions?"""

from __future__ import annotations

import json
from typing import Any

import click

from ..supervise import Step
from . import Asked, blame, common, completing, session, watched
from .tabling import TableCommand, table_keys


@click.command(cls=TableCommand)
@click.argument("table", required=False, shell_complete=completing.tables)
@common
def command(
    table: str | None, as_json: bool, budget: str | None, edition: str | None, **given: Any
) -> int:
    """Check a table: names, numbers, contradictions, and what its format asks for."""

    def work(step: Step) -> int:
        asked = Asked(table, table_keys(given))
        if table is None and not asked.keys:
            raise click.UsageError("which table? Give a file, a shipped table's name, or flags.")
        game = session(asked, edition, step)
        step.rest()
        names: dict[str, list[str]] = {}
        for name, sort in game.table.names.items():
            names.setdefault(sort, []).append(name)
        if as_json:
            data = {"table": game.table.title, "facts": len(game.table.facts), "names": names}
            click.echo(json.dumps(data, ensure_ascii=False))
        else:
            said = ", ".join(f"{len(v)} {k.lower()}{'s' * (len(v) != 1)}" for k, v in names.items())
            click.echo(
                f"{game.table.title}: {len(game.table.facts)} facts, {said or 'no names'}: fine"
            )
        return 0

    def suspect(goal: str) -> str:
        return blame(Asked(table, table_keys(given)), edition, goal)

    return watched(work, budget, as_json, suspect=suspect)

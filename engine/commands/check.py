"""``seatlog check``: is this table free of contradictions?"""

from __future__ import annotations

import json
from typing import Any

import click

from . import common, session, watched
from .tabling import TableCommand, table_keys


@click.command(cls=TableCommand)
@click.argument("table", required=False)
@common
def command(
    table: str | None, as_json: bool, budget: str | None, edition: str | None, **given: Any
) -> int:
    """Check a table: names, numbers, contradictions, and what its format asks for."""

    def work(step: Any) -> int:
        keys = table_keys(given)
        if table is None and not keys:
            raise click.UsageError("which table? Give a file, a shipped table's name, or flags.")
        game = session(table, edition, keys, step)
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

    return watched(work, budget, as_json)

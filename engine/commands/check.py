"""``seatlog check``: is this table free of contradictions?"""

from __future__ import annotations

import json

import click

from ..budget import Step
from ..errors import FAILED, many
from ..views import Gone, gone
from .sharing import blamed, common, completed, session, watched
from .tables import Flags, TableCommand, only_table

MOST = 20


def _remarks(name: str, found: Gone) -> list[str]:
    """What a table says of somebody who is gone: allowed, for the rules say what becomes of it."""
    return [f"{found.why}, and the table says: {each}" for each in found.said[:MOST]]


@click.command(cls=TableCommand)
@click.argument("table", required=False, shell_complete=completed("tables"))
@common
def command(
    table: str | None, as_json: bool, budget: str | None, edition: str | None, flags: Flags
) -> int:
    """Check a table: names, numbers, contradictions, and what its format asks for."""

    def work(step: Step) -> int:
        asked = only_table(table, flags)
        game = session(asked, edition, step)
        known = [r for g in gone(game).items() for r in _remarks(*g)]
        step.rest()
        names: dict[str, list[str]] = {}
        for name, sort in game.table.names.items():
            names.setdefault(sort, []).append(name)
        said = [f for f in game.table.facts if f.origin]
        if as_json:
            data = {
                "table": game.table.title,
                "facts": len(said),
                "names": names,
                "remarks": known,
            }
            click.echo(json.dumps(data, ensure_ascii=False))
        else:
            counted = ", ".join(many(len(v), k.lower()) for k, v in names.items())
            verdict = "fine" if names else "there is nobody to ask about; say who is at the table"
            click.echo(
                f"{game.table.title}: {many(len(said), 'fact')}, {counted or 'no names'}: {verdict}"
            )
            for remark in known:
                click.echo(f"  {remark}")
        return 0 if names else FAILED

    def suspect(goal: str) -> str:
        return blamed(only_table(table, flags), edition, goal)

    return watched(work, budget, as_json, suspect=suspect)

"""``seatlog check``: is this table free of contradictions?"""

from __future__ import annotations

import click

from ..budget import Step
from ..errors import FAILED, many
from ..views import checked
from .sharing import blamed, common, completed, session, solving, watched
from .tables import Flags, TableCommand, only_table
from .talk import tell


@click.command(cls=TableCommand)
@click.argument("table", required=False, shell_complete=completed("tables"))
@solving
@common
def command(
    table: str | None,
    as_json: bool,
    budget: str | None,
    edition: str | None,
    solver: str | None,
    flags: Flags,
) -> int:
    """Check a table: names, numbers, contradictions, and what its format asks for."""

    def work(step: Step) -> int:
        asked = only_table(table, flags)
        game = session(asked, edition, step, solver)
        found = checked(game)
        step.rest()
        if as_json:
            data = {
                "table": found.title,
                "facts": found.facts,
                "names": found.names,
                "remarks": found.remarks,
                "unread": found.unread,
            }
            tell(data)
        else:
            counted = ", ".join(many(len(v), k.lower()) for k, v in found.names.items())
            verdict = "fine"
            if not found.names:
                verdict = "there is nobody to ask about; say who is at the table"
            elif found.unread:
                verdict = "not all that it says is read"
            click.echo(
                f"{found.title}: {many(found.facts, 'fact')}, {counted or 'no names'}: {verdict}"
            )
            for remark in [*found.unread, *found.remarks]:
                click.echo(f"  {remark}")
        return 0 if found else FAILED

    def suspect(goal: str) -> str:
        return blamed(only_table(table, flags), edition, goal)

    return watched(work, budget, as_json, suspect=suspect)

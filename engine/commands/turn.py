"""``seatlog turn``: the next state of a table."""

from __future__ import annotations

import click

from ..budget import Step
from ..errors import DONE, OPEN, printable
from ..game import stands, take
from ..table import as_text, keep
from .sharing import common, session, solving, watched
from .tables import Flags, TableCommand, only_table
from .talk import tell

SECONDS = 10.0


@click.command(cls=TableCommand, options_metavar="[OPTIONS]")
@click.argument("table", required=False)
@click.option("--to", "target", metavar="FILE", help="Where the next table is written.")
@click.option("--over", is_flag=True, help="Write over a file that is there already.")
@solving
@common
def command(
    table: str | None,
    target: str | None,
    over: bool,
    as_json: bool,
    budget: str | None,
    edition: str | None,
    solver: str | None,
    flags: Flags,
) -> int:
    """Go on to a table's next state: what happens, who waits, and the next table file."""

    if over and target is None:
        raise click.UsageError("--over is for a file, and --to names none")

    def work(step: Step) -> int:
        nonlocal target
        game = session(only_table(table, flags), edition, step, solver)
        step.turn("while working out what comes next")
        done = take(game)
        now = stands(done.after, frozenset() if as_json else done.told)
        about = game.about()
        lines = [*done.happened, *(f"open: {doubt}" for doubt in done.doubts), *now, *about]
        said = edition or game.table.edition
        shown = lines if target is None else []
        text = as_text(done.said, game.book.vocabulary, said, shown, game.table.aside)
        step.rest()
        if target is not None:
            target = str(keep(text, target, over, "--over writes over it"))
        if as_json:
            data: dict[str, object] = {
                "happened": done.happened,
                "open": done.doubts,
                "standing": now,
            }
            data.update(about=about, edition=game.book.name, cites=done.cites)
            tell({**data, "text": text, "file": target})
        elif target is not None:
            click.echo("\n".join([*lines, f"{printable(target)}: written"]))
        else:
            click.echo(text.rstrip())
        return OPEN if done.doubts else DONE

    return watched(work, budget, as_json, SECONDS)

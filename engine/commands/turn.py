"""``seatlog turn``: the next state of a table."""

from __future__ import annotations

import click

from ..book import rule_order
from ..budget import Step
from ..errors import printable
from ..game import Session, advance, doubts, events, stands
from ..game import happened as spoken
from ..table import as_text, keep
from .sharing import common, session, watched
from .tables import Flags, TableCommand, only_table
from .talk import tell

SECONDS = 10.0
NOTHING = "nothing changes"
HOW = f"{NOTHING}: say what happens, by flags like those of `seatlog turn --help`"


@click.command(cls=TableCommand, options_metavar="[OPTIONS]")
@click.argument("table", required=False)
@click.option("--to", "target", metavar="FILE", help="Where the next table is written.")
@click.option("--over", is_flag=True, help="Write over a file that is there already.")
@common
def command(
    table: str | None,
    target: str | None,
    over: bool,
    as_json: bool,
    budget: str | None,
    edition: str | None,
    flags: Flags,
) -> int:
    """Go on to a table's next state: what happens, who waits, and the next table file."""

    def work(step: Step) -> int:
        nonlocal target
        game = session(only_table(table, flags), edition, step)
        step.turn("while working out what comes next")
        done = advance(game)
        after = Session(game.book, done.table, step.goal)
        reasons = events(game, done)
        cites = sorted({c for r in reasons for c in r.cites}, key=rule_order)
        happened = [HOW if line == NOTHING else line for line in spoken(game, done)]
        left_open = doubts(game, done)
        open_lines = [f"open: {doubt}" for doubt in left_open]
        now = stands(after)
        said = edition or game.table.edition
        lines = [*happened, *open_lines, *now]
        text = as_text(
            done.said, game.book.vocabulary, said, lines if target is None else [], game.table.aside
        )
        step.rest()
        if target is not None:
            target = str(keep(text, target, over, "--over writes over it"))
        if as_json:
            data = {"happened": happened, "open": left_open, "standing": now, "cites": cites}
            tell({**data, "text": text, "file": target})
        elif target is not None:
            click.echo("\n".join([*lines, f"{printable(target)}: written"]))
        else:
            click.echo(text.rstrip())
        return 0

    return watched(work, budget, as_json, SECONDS)

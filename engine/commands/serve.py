"""``seatlog serve``: a language server, which editors start."""

from __future__ import annotations

import gc

import click

from ..budget import budget as read_budget
from ..errors import SeatlogError
from .tables import OnceCommand

SECONDS, MEGABYTES = 5.0, 500
NO_JSON = "the answers of a language server are JSON already"


def _refuse(_ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted:
        raise click.UsageError(NO_JSON)


@click.command(cls=OnceCommand)
@click.option("--budget", metavar="5s,500MB", help="Time and memory to check an edition in.")
@click.option("--json", is_flag=True, hidden=True, expose_value=False, callback=_refuse)
def command(budget: str | None) -> int:
    """Tell an editor faults, meanings and places in clause files: a language server.

    It speaks the language server protocol over standard input and output; an editor starts it.
    """
    allowed = read_budget(budget, SECONDS, MEGABYTES)
    try:
        from ..server import serve
    except ImportError:
        raise SeatlogError(
            "a language server needs pygls, which isn't installed",
            hint="pip install 'seatlog[lsp]'",
        ) from None
    gc.enable()
    return serve(allowed)

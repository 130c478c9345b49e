"""``seatlog repl``: an interactive session."""

from __future__ import annotations

import gc
import signal
import sys
from typing import Any

import click

from ..budget import budget as read_budget
from ..errors import QuestionError, printable
from ..language import read_file
from .sharing import completed, paint, solving
from .tables import Flags, TableCommand

SECONDS = 30.0
NO_JSON = "a session is lines of text: `seatlog can --json` and `seatlog ask --json` give JSON"


def _refuse(_ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted:
        raise click.UsageError(NO_JSON)


@click.command(cls=TableCommand)
@click.argument("table", required=False, shell_complete=completed("tables"))
@click.option("--budget", metavar="30s,500MB", help="Time a question may take, and memory.")
@click.option(
    "--edition",
    metavar="NAME",
    help="Rule book: a name or a folder.",
    shell_complete=completed("books"),
)
@click.option("--json", is_flag=True, hidden=True, expose_value=False, callback=_refuse)
@solving
def command(
    table: str | None, budget: str | None, edition: str | None, solver: str | None, flags: Flags
) -> int:
    """Ask, change the table or the rules, and ask again, in one session."""
    from ..repl import Began, Repl, in_child, opened, start
    from ..solvers import PLAIN

    gc.enable()
    allowed = read_budget(budget, SECONDS)
    typed = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    keys = flags.keys()
    state = opened(table, edition, keys, solver or PLAIN)
    repl = Repl(state, in_child(allowed), _edited if typed else None)
    repl.open()
    return start(repl, _show, Began(table, edition, keys))


def _edited(text: str) -> str:
    """A text as the author's editor left it. Raises QuestionError where there is none.

    Ctrl-C is for the editor alone, which may live on.
    """
    import tempfile
    from pathlib import Path

    before = signal.getsignal(signal.SIGINT)
    try:
        with tempfile.TemporaryDirectory(prefix="seatlog-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "section.dl"
            path.write_text(text + "\n", encoding="utf-8")
            signal.signal(signal.SIGINT, lambda _number, _frame: None)
            click.edit(filename=str(path))
            return read_file(path, "the text")
    except (click.ClickException, OSError, ValueError) as error:
        what = error.message if isinstance(error, click.ClickException) else str(error)
        raise QuestionError(
            f"the editor can't be used ({printable(what)})",
            hint="say which one in $VISUAL or $EDITOR",
        ) from None
    finally:
        signal.signal(signal.SIGINT, before)


def _show(reply: Any) -> None:
    """Say what came of a line: answers on standard output, the rest on standard error."""
    for note in reply.notes:
        click.echo(f"note: {printable(note)}", err=True)
    if reply.text:
        head, newline, rest = reply.text.partition("\n")
        if reply.verdict is not None:
            head = paint(head, "green" if reply.verdict else "red")
        click.echo(f"{head}{newline}{rest}")
    if reply.error:
        click.echo(f"{paint('error:', 'red', err=True)} {reply.error}", err=True)

"""The command line: one group, one module a command, loaded when it is used."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Callable, Sequence

import click

from .commands import Commands, about, guarded, shown
from .errors import BAD, SeatlogError
from .version import VERSION

COMPLETING = "_SEATLOG_COMPLETE"
_SHELLS = "(?:bash|fish|zsh)_"
COMMANDS = (
    "ask",
    "can",
    "check",
    "compare",
    "completion",
    "draw",
    "fmt",
    "lint",
    "mutate",
    "new",
    "repl",
    "serve",
    "show",
    "test",
    "text",
    "turn",
    "watch",
    "why",
)


def _version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted:
        from .editions import load_book
        from .solvers import describe

        book = load_book()
        click.echo(f"seatlog {VERSION}, {book.title} as of {book.date}, {describe()}")
        ctx.exit()


@click.group(cls=Commands, known=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Version, date of the rule book, solver.",
)
def group() -> None:
    """Ask a rule book about a table, and be told why.

    Exit codes: 0 yes or done, 1 no or failed, 2 bad usage or input, 3 no rule or open.
    """


group.help = group.help or about(__file__)


def _completed(work: Callable[[], object]) -> int:
    """What a shell completes: nothing rather than an error, a long wait or much memory."""
    from .budget import Budget, Step, supervised

    def quietly(_step: Step) -> int:
        try:
            work()
        except SystemExit:
            pass
        except (Exception, KeyboardInterrupt):
            return BAD
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
        return 0

    try:
        return supervised(quietly, Budget(2.0, 200), lambda error: error.status)
    except KeyboardInterrupt:
        return BAD


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code, leaving the tidying up to the system."""
    code = run(args)
    if args is not None or sys.flags.dev_mode:
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            if stream:
                stream.flush()
    os._exit(code)


def _completes() -> bool:
    """Whether a shell asks what can be completed, or for the script that does so."""
    said = os.environ.get(COMPLETING, "")
    asked = re.fullmatch(_SHELLS + "complete", said) and "COMP_WORDS" in os.environ
    return bool(asked or re.fullmatch(_SHELLS + "source", said))


def run(args: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code. Nothing a person types ends in a traceback."""
    with shown():
        return _run(list(sys.argv[1:] if args is None else args))


def _run(given: list[str]) -> int:
    completes = _completes()

    def work() -> object:
        if sys.stdout is None:
            raise SeatlogError("there is nowhere to write the answer: standard output is closed")
        variable = COMPLETING if completes else ""
        return group.main(
            given, prog_name="seatlog", standalone_mode=False, complete_var=variable, color=True
        )

    if completes:
        return _completed(work)
    try:
        return guarded(work, "--json" in given)
    except MemoryError:
        click.echo("error: this input is too large to be worked off", err=True)
        return BAD

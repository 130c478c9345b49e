"""``seatlog completion``: what a shell needs to complete commands, flags, names and verbs."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from .tables import OnceCommand
from .talk import tell

SHELLS = ("bash", "fish", "zsh")


@click.command(cls=OnceCommand)
@click.argument("shell", type=click.Choice(SHELLS))
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
@click.pass_context
def command(ctx: click.Context, shell: str, as_json: bool) -> int:
    """Print a script that makes a shell (bash, fish, zsh) complete commands, names, verbs.

    Put its output where your shell looks, like: seatlog completion bash >> ~/.bashrc
    """
    chosen = get_completion_class(shell)
    assert chosen is not None
    root = ctx.find_root()
    script = chosen(root.command, {}, "seatlog", "_SEATLOG_COMPLETE").source()
    if as_json:
        tell({"shell": shell, "script": script})
    else:
        click.echo(script)
    return 0

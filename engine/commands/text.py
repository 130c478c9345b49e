"""``seatlog text``: issues of the rule book itself, and what rests on their wordings."""

from __future__ import annotations

import importlib

import click

SUBCOMMANDS = ("check", "digest")


class Subcommands(click.Group):
    """Finds subcommands by name without importing the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The one of this name."""
        if name not in SUBCOMMANDS:
            return None
        found: click.Command = importlib.import_module(f".text_{name}", __package__).command
        return found


@click.group(cls=Subcommands)
def command() -> None:
    """Issues of the rule book: what changed in the text, and what rests on it."""

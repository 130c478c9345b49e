"""Every command of the command line, those that stand below another one too."""

from __future__ import annotations

import click

from seatlog.cli import COMMANDS, group


def commands() -> dict[str, click.Command]:
    """The commands by the words that call them; of a group its parts instead."""
    out: dict[str, click.Command] = {}
    for name in COMMANDS:
        found = group.get_command(click.Context(group), name)
        assert found is not None
        if isinstance(found, click.Group):
            inner = click.Context(found)
            for part in found.list_commands(inner):
                below = found.get_command(inner, part)
                assert below is not None
                out[f"{name} {part}"] = below
        else:
            out[name] = found
    return out

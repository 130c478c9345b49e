"""``seatlog text``: the rule book's own text, and what rests on it."""

from __future__ import annotations

import click

from .grouped import Commands

PARTS = ("check", "diff", "digest", "trace")


@click.group(cls=Commands, known=PARTS, stem="text_")
def command() -> None:
    """What changes in the rule book's own text from one issue to the next, and what rests on it."""

"""``seatlog new``: a commented table file to start from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from .. import flags
from ..editions import load_book
from ..errors import TableError, printable
from ..starting import started
from ..supervise import Step
from ..tables import table as checked
from . import common, watched
from .tabling import TableCommand, table_keys


@click.command(cls=TableCommand)
@click.argument("file", required=False)
@common
def command(
    file: str | None, as_json: bool, budget: str | None, edition: str | None, **given: Any
) -> int:
    """Write a commented table file from quick flags; without FILE, to standard output."""

    def work(step: Step) -> int:
        step(f"while writing {file or 'a table'}")
        keys = table_keys(given)
        vocabulary = load_book(edition).vocabulary
        if not keys:
            known = ", ".join(f"--{key}" for key in flags.keys(vocabulary))
            raise click.UsageError(f"say what the table starts with, by at least one of {known}")
        checked(keys, vocabulary)
        text = started(keys, vocabulary, edition)
        if file is None:
            click.echo(json.dumps({"text": text}, ensure_ascii=False) if as_json else text.rstrip())
            return 0
        path = Path(file)
        try:
            with path.open("x", encoding="utf-8") as stream:
                stream.write(text)
        except FileExistsError:
            raise TableError(
                f"{printable(file)} is there already", hint="choose another name"
            ) from None
        if as_json:
            click.echo(json.dumps({"file": file, "text": text}, ensure_ascii=False))
        else:
            shown = printable(file)
            click.echo(f"{shown}: written; `seatlog check {shown}` looks it over")
        return 0

    return watched(work, budget, as_json)

"""``seatlog lint``: does a rule text say what it seems to say?"""

from __future__ import annotations

import json

import click

from ..editions import editions, load_book
from ..supervise import Step
from . import common, watched


@click.command()
@click.argument("book", required=False, metavar="[EDITION]")
@common
def command(book: str | None, as_json: bool, budget: str | None, edition: str | None) -> int:
    """Check rule books: an edition's name or a folder; all shipped ones when none is named."""

    def work(step: Step) -> int:
        wanted = edition if book is None else book
        names = list(editions()) if wanted is None else [wanted]
        done = []
        for name in names:
            step(f"while checking {name}")
            found = load_book(name)
            done.append({"edition": found.name, "clauses": len(found.clauses)})
        if as_json:
            click.echo(json.dumps({"errors": [], "books": done}))
        else:
            for each in done:
                click.echo(f"{each['edition']}: {each['clauses']} clauses, no faults")
        return 0

    return watched(work, budget, as_json)

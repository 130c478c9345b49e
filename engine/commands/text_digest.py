"""``seatlog text digest``: how the section of a rule begins, once somebody has read it."""

from __future__ import annotations

from functools import partial

import click

from ..budget import Step
from ..editions import find, load_book
from ..errors import DONE, Place
from ..text import first, issue_data, open_issue, recorded, rules_named, same_wording
from .sharing import common, watched
from .tables import OnceCommand
from .talk import placed, tell

SECONDS, MEGABYTES = 10.0, 500


@click.command(cls=OnceCommand)
@click.argument("file")
@click.argument("numbers", metavar="NUMBER...", nargs=-1, required=True)
@click.option("--write", is_flag=True, help="Put the digests into the sections of the edition.")
@common
def command(
    file: str,
    numbers: tuple[str, ...],
    write: bool,
    as_json: bool,
    budget: str | None,
    edition: str | None,
) -> int:
    """Say how new sections begin, with the digests of the rules that they are written from.

    With --write the sections are there, and get the digests that they lack.
    """

    def work(step: Step) -> int:
        step(f"while reading {file}")
        issue = open_issue(file)
        step(f"while reading {edition or 'the rules'}")
        book = load_book(edition)
        headers = first(rules_named(issue, numbers), issue, book)
        if write:
            headers = recorded(find(edition), book, headers, True)
        step.rest()
        if as_json:
            rows = [each.as_dict() for each in headers]
            tell({"edition": book.name, "issue": issue_data(issue), "headers": rows})
            return DONE
        where = partial(placed, names=[edition] if edition else [])
        for at, each in enumerate(headers):
            for other in same_wording(book, each):
                click.echo(f"note: section {other} was checked against this wording", err=True)
            if each.file:
                click.echo(f"{each.number}: {where(Place(each.file, each.line))} says {each.text}")
            else:
                click.echo("\n" * (at > 0) + "\n".join(each.lines))
        return DONE

    return watched(work, budget, as_json, SECONDS, megabytes=MEGABYTES)

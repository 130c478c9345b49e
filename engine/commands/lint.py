"""``seatlog lint``: does a rule text say what it seems to say?"""

from __future__ import annotations

import click

from ..budget import Step
from ..editions import editions, load_book
from ..errors import FAILED, SeatlogError, many, printable
from ..lint import FORMATS, report, style
from .sharing import common, completed, watched
from .tables import OnceCommand
from .talk import placed, tell

_GONE = "{} is a command of its own now: `seatlog text {}`"


@click.command(cls=OnceCommand)
@click.argument("book", required=False, metavar="[EDITION]", shell_complete=completed("books"))
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="For machines.")
@click.option("--text", metavar="FILE", hidden=True)
@click.option("--digest", "number", metavar="NUMBER", hidden=True)
@common
def command(
    book: str | None,
    form: str,
    text: str | None,
    number: str | None,
    as_json: bool,
    budget: str | None,
    edition: str | None,
) -> int:
    """Check rule books: an edition's name or a folder; all shipped ones when none is named."""
    if number is not None:
        raise click.UsageError(_GONE.format("--digest", "digest FILE NUMBER"))
    if text is not None:
        raise click.UsageError(_GONE.format("--text", "check FILE EDITION"))
    if as_json and form not in ("text", "json"):
        raise click.UsageError(f"--json or --format {form}, not both")
    if book is not None and edition is not None:
        raise click.UsageError(
            f"{printable(book)} or --edition {printable(edition)}: say which book once"
        )
    form = "json" if as_json else form

    def work(step: Step) -> int:
        wanted = edition if book is None else book
        names = list(editions()) if wanted is None else [wanted]
        faults: list[SeatlogError] = []
        done: list[tuple[str, int]] = []
        for name in names:
            step(f"while checking {name}")
            try:
                found = load_book(name)
            except SeatlogError as error:
                if form in ("text", "json"):
                    raise
                faults += error.errors
                continue
            faults += style(found)
            done.append((found.name, len(found.clauses)))
        if form != "text":
            for fault in faults:
                fault.place = placed(fault.place, names)
        if form == "json":
            errors = [f.as_dict() for f in faults]
            books = [{"edition": name, "clauses": size} for name, size in done]
            tell({"errors": errors, "books": books})
        elif faults or form == "sarif":
            click.echo(report(faults, form))
        elif form == "text":
            for name, size in done:
                click.echo(f"{name}: {many(size, 'clause')}, no faults")
        return max((FAILED if f.code.startswith("W") else f.status for f in faults), default=0)

    return watched(work, budget, form == "json")

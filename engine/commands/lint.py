"""``seatlog lint``: does a rule text say what it seems to say?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from ..book import decode, digest, wordings
from ..budget import Step
from ..editions import editions, load_book
from ..errors import FAILED, Place, QuestionError, SeatlogError, did_you_mean, many, printable
from ..language import is_file, read_bytes
from ..lint import FORMATS, report, style
from .sharing import common, completed, watched
from .tables import OnceCommand
from .talk import tell

MAX_OFFICIAL = 20_000_000


@click.command(cls=OnceCommand)
@click.argument("book", required=False, metavar="[EDITION]", shell_complete=completed("books"))
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="For machines.")
@click.option("--text", metavar="FILE", help="Compare numbers and digests with a rule book.")
@click.option(
    "--digest", "number", metavar="NUMBER", help="Say the digest of one rule of --text, once read."
)
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
    """Check rule books: an edition's name or a folder; all shipped ones when none is named.

    With --text the one that is asked where none is named, for a text is that of one edition.
    """
    if number is not None and text is None:
        raise click.UsageError("--digest is about a rule of a text: name its file with --text")
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
        chosen = bool(text) and wanted is None
        if chosen:
            del names[1:]
        if text:
            step(f"while reading {text}")
        official = wordings(decode(read_bytes(Path(text), text, MAX_OFFICIAL))) if text else None
        if number is not None and official is not None:
            return _tell_digest(number, official, form)
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
            faults += style(found, official)
            done.append((found.name, len(found.clauses)))
        if form != "text":
            for fault in faults:
                fault.place = _placed(fault.place, names)
        if form == "json":
            errors = [f.as_dict() for f in faults]
            books = [{"edition": name, "clauses": size} for name, size in done]
            tell({"errors": errors, "books": books})
        elif faults or form == "sarif":
            click.echo(report(faults, form))
        elif form == "text":
            for name, size in done:
                click.echo(f"{name}: {many(size, 'clause')}, no faults")
        if chosen and form == "text":
            note = f"note: only {names[0]} was held against {text}; name an edition for another"
            click.echo(note, err=True)
        return max((FAILED if f.code.startswith("W") else f.status for f in faults), default=0)

    return watched(work, budget, form == "json")


def _tell_digest(number: str, official: Mapping[str, str], form: str) -> int:
    """Say the digest of one rule's wording. Raises QuestionError where there is no such rule."""
    wording = official.get(number)
    if wording is None:
        raise QuestionError(
            f"the rule book has no number {printable(number)}",
            hint=did_you_mean(number, official),
        )
    line = f"sha256:{digest(wording)}"
    if form == "json":
        tell({"errors": [], "books": [], "digest": line})
    else:
        click.echo(f"# text: {line}  EDITION DATE")
    return 0


def _placed(place: Place | None, names: Sequence[str]) -> Place | None:
    """A place whose file is named as other programs find it: from where the command runs."""
    if place is None:
        return None
    book, _, inner = place.file.partition("/")
    if not inner:
        return place._replace(file=f"facts/{book}")
    folders = [name.rstrip("/") for name in names if is_file(f"{name}/edition.toml")]
    folder = next((f for f in folders if Path(f).name == book), f"rules/{book}")
    return place._replace(file=f"{folder}/{inner}")

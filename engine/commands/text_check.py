"""``seatlog text check``: the sections of a book against an issue of the rule book."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click

from ..budget import Step
from ..cases import DEFAULT
from ..editions import editions, find, layers_of, load_book
from ..errors import DONE, FAILED, Place, TextError, many, printable
from ..lint import FORMATS, report
from ..text import (
    Checked,
    Held,
    New,
    Placed,
    advice,
    as_data,
    as_markdown,
    changed_words,
    checked,
    dated,
    faults,
    kind_of,
    loud,
    number_of,
    open_issue,
    recorded,
    resting_lines,
    reviewed,
    said,
    word_lines,
)
from .citing import NO_SCENARIOS, citing
from .sharing import answering, completed, paint, watched
from .tables import OnceCommand
from .talk import placed, tell

SECONDS, MEGABYTES = 20.0, 500


@click.command(cls=OnceCommand)
@click.argument("file")
@click.argument("edition", required=False, shell_complete=completed("books"))
@click.option("--old", metavar="FILE", help="The issue that the book was checked against.")
@click.option(
    "--accept",
    "numbers",
    metavar="NUMBER",
    multiple=True,
    help="Record that you have read a rule: digest and date, in its section; again for more.",
)
@click.option(
    "--scenarios", "path", metavar="PATH", help=f"Scenarios that cite; {DEFAULT} where it is there."
)
@click.option("--all", "every", is_flag=True, help="Sections that are as they were, too.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="For machines.")
@click.option("--markdown", is_flag=True, help="A summary for a pull request.")
@answering
def command(
    file: str,
    edition: str | None,
    old: str | None,
    numbers: tuple[str, ...],
    path: str | None,
    every: bool,
    form: str,
    markdown: bool,
    as_json: bool,
    budget: str | None,
) -> int:
    """Hold a book's sections against an issue of the rule book, and say what rests on what changed.

    Exit code 1 where a clause rests on changed wording, or something new is uncovered.
    """
    chosen = [f"--format {form}"] * (form != "text") + ["--markdown"] * markdown
    chosen += ["--json"] * as_json
    if len(chosen) > 1 and {*chosen} != {"--format json", "--json"}:
        raise click.UsageError(f"{' and '.join(chosen)} are different things to print: keep one")
    if every and chosen:
        raise click.UsageError(f"--all or {chosen[0]}, not both")
    form = "json" if as_json else form
    if path == "":
        raise click.UsageError("--scenarios names nothing")

    def work(step: Step) -> int:
        step(f"while reading {file}")
        issue = open_issue(file)
        step(f"while reading {old or file}")
        before = open_issue(old) if old is not None else None
        step(f"while reading {edition or 'the rules'}")
        book = load_book(edition)
        if path is not None and not Path(path).exists():
            raise TextError("there are no scenarios here", place=Place(path))
        scenarios = citing(book, edition, Path(path) if path is not None else DEFAULT)
        step(f"while holding {book.name} against {file}")
        found = checked(issue, book, scenarios, before)
        headers = []
        if numbers:
            headers = recorded(find(edition), book, reviewed(found, numbers), False)
            found = checked(issue, load_book(edition), scenarios, before)
        if path is None and not DEFAULT.is_dir() and loud(found):
            click.echo(f"note: scenarios weren't looked at: {NO_SCENARIOS}", err=True)
        where = partial(placed, names=_folders(edition))
        step.rest()
        if form == "json":
            accepted = [each.as_dict() for each in headers]
            tell({**as_data(found, where), "accepted": accepted})
        elif markdown:
            click.echo(as_markdown(found, where))
        elif form != "text":
            told = faults(found, where)
            if told or form == "sarif":
                click.echo(report(told, form))
        else:
            for each in headers:
                spot = where(Place(each.file, each.line))
                click.echo(f"{each.number}: {spot} says {each.text}")
            click.echo("\n".join(_lines(found, where, every)))
        return FAILED if found.fails else DONE

    return watched(work, budget, form == "json", SECONDS, megabytes=MEGABYTES)


def _folders(edition: str | None) -> list[str]:
    """The folders of an edition and its bases, as far as they aren't installed."""
    shipped = set(editions().values())
    return [str(each.folder) for each in layers_of(edition) if each.folder not in shipped]


def _lines(found: Checked, where: Placed, every: bool) -> Iterator[str]:
    """A check in words."""
    head = f"{printable(found.book.name)} against {dated(found.issue)}"
    yield head + (f", beside {dated(found.old)}" if found.old else "")
    for held in found.sections if every else ():
        if held.quiet:
            yield f"{paint(held.kind, 'green')}  {held.number}: {held.evidence}"
    for each in loud(found):
        yield from _about(each, where, found.issue.file)
    counts = ", ".join(f"{number:,} {kind}" for kind, number in found.counts.items())
    yield f"{many(len(found.sections), 'section')}: {counts or 'nothing'}"
    for remark in found.remarks:
        yield f"note: {printable(remark)}"


def _about(found: Held | New, where: Placed, file: str) -> Iterator[str]:
    """All about what has to be looked at."""
    kind = paint(kind_of(found), "red" if found.fails else "yellow")
    place = where(found.place)
    yield f"{kind}  {number_of(found)}" + (f"  {place.file}:{place.line}" if place else "")
    yield f"  {printable(said(found), 600)}"
    if isinstance(found, New):
        yield f"  {printable(file)}:{found.rule.line}: {printable(found.rule.text, 400)}"
    else:
        yield from word_lines(changed_words(found), paint)
        for name, text in resting_lines(found.rests, where):
            yield f"  {name}: {text}"
    yield f"  {paint('to do', 'cyan')}: {printable(advice(found, file), 400)}"

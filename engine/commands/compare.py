"""``seatlog compare``: what two books have that differs, and what they answer differently."""

from __future__ import annotations

import gc
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from ..budget import Step
from ..cases import DEFAULT
from ..compare import (
    Comparing,
    Gathered,
    Labelled,
    Report,
    Work,
    among,
    as_markdown,
    differing,
    drawn_from,
    exported,
    free,
    made,
    report_lines,
    same_facts,
    wanted,
    within,
    write,
)
from ..editions import lineage, load_book
from ..errors import FAILED, ScenarioError, many, printable
from ..worlds import read_bound, shared_out, solve
from .sharing import answering, completed, paint, watched
from .tables import OnceCommand
from .talk import tell

_TIDIED, _SHOWN = 500, 20
_DECIDING, _DRAWING, _MEGABYTES = 60.0, 300.0, 1_500
"""What games may take where no budget is said: both books lie in one circuit."""
_BEGINS, _WIDE = ("while ", "in a game"), 70


@click.command(cls=OnceCommand)
@click.argument("a", metavar="A", shell_complete=completed("books"))
@click.argument("b", metavar="B", shell_complete=completed("books"))
@click.option(
    "--scenarios", "path", metavar="PATH", help=f"Scenarios to ask; {DEFAULT} where it is there."
)
@click.option(
    "--table",
    "tables",
    metavar="FILE",
    multiple=True,
    help="Every verdict of a table; again for more.",
)
@click.option(
    "--verb",
    "verbs",
    metavar="VERB",
    multiple=True,
    help="Only verdicts of this verb; again for more.",
)
@click.option(
    "--section",
    "sections",
    metavar="NUMBER",
    multiple=True,
    help="Only this section, and the verdicts that rest on it; again for more.",
)
@click.option("--format", "form", metavar="NAME", help="Only tables of this format.")
@click.option(
    "--bound",
    metavar="players=4,things=3",
    help="Decide all games of so many names and numbers; of other names 1, of numbers 3.",
)
@click.option(
    "--games",
    metavar="N",
    type=click.IntRange(1, 10_000_000),
    help="Search N games within the bound, drawn at random, in place of deciding all.",
)
@click.option(
    "--workers", metavar="N", type=click.IntRange(1, 1024), help="Processes that ask the games."
)
@click.option("--scheduler", metavar="ADDRESS", help="A Dask cluster that asks the games.")
@click.option("--seed", metavar="N", type=int, help="The same games again: 1 where it isn't said.")
@click.option("--verdicts", "bare", is_flag=True, help="Don't compare the books' own text.")
@click.option(
    "--reasons", is_flag=True, help="Both explanations of every difference, and all clauses."
)
@click.option("--markdown", "marked", is_flag=True, help="Markdown, for a pull request.")
@click.option("--to", "folder", metavar="FOLDER", help="Write differences as tables and scenarios.")
@click.option("--over", is_flag=True, help="Write over files that are there.")
@answering
def command(
    a: str,
    b: str,
    path: str | None,
    tables: tuple[str, ...],
    verbs: tuple[str, ...],
    sections: tuple[str, ...],
    form: str | None,
    bound: str | None,
    games: int | None,
    workers: int | None,
    scheduler: str | None,
    seed: int | None,
    bare: bool,
    reasons: bool,
    marked: bool,
    folder: str | None,
    over: bool,
    as_json: bool,
    budget: str | None,
) -> int:
    """What differs between two rule books: an edition's name or a folder each.

    Their sections, and the verdicts of scenarios and tables. Exit code 1 where anything differs.
    """
    if as_json and marked:
        raise click.UsageError("--json or --markdown, not both")
    for option, word in (
        ("--scenarios", path),
        ("--format", form),
        ("--to", folder),
        ("--scheduler", scheduler),
    ):
        if word == "":
            raise click.UsageError(f"{option} names nothing")
    if over and folder is None:
        raise click.UsageError("--over is for the files of --to: say both")
    if seed is not None and games is None:
        raise click.UsageError("--seed is for the games of --games: say both")
    if (workers is not None or scheduler is not None) and games is None:
        raise click.UsageError("--workers and --scheduler are for the games of --games")
    if workers is not None and scheduler is not None:
        raise click.UsageError("--workers or --scheduler, not both")
    if reasons and (as_json or marked):
        raise click.UsageError("--reasons is for text: --json and --markdown have them all")

    asking: Work = solve
    if workers is not None or scheduler is not None:
        asking = partial(shared_out, workers=workers or 0, scheduler=scheduler or "")

    def work(step: Step) -> int:
        if folder is not None:
            free(Path(folder), over)
        step(f"while reading {a}")
        one = Labelled(a, load_book(a))
        step(f"while reading {b}")
        other = Labelled(b, load_book(b))
        same_facts(one.book, other.book)
        step("while comparing sections")
        lines = lineage(a), lineage(b)
        only = wanted(one.book, other.book, verbs, sections, form or "")
        texts = None if bare else differing(one.book, other.book, lines, sections)
        comparing = Comparing(one, other, only, _telling(step))
        sizes = read_bound(bound, one.book.vocabulary) if bound is not None else None
        if sizes is None and games is not None:
            sizes = drawn_from(one.book.vocabulary)
        found = _found(comparing, path, tables)
        if sizes is not None and games is not None:
            found.append(among(comparing, sizes, only, games, 1 if seed is None else seed, asking))
        elif sizes is not None:
            found.append(within(comparing, sizes, only))
        report = made(one, other, texts, found)
        written = None
        if folder is not None:
            kept = exported(report.differences, one, other, Path(folder), step)
            write(kept.texts, over)
            written = sorted(map(str, kept.texts)), kept.failed
        _show("")
        step.rest()
        _say(report, written, as_json, marked, reasons)
        return FAILED if report else 0

    if bound is None and games is None:
        return watched(work, budget, as_json)
    seconds = _DECIDING if games is None else _DRAWING
    return watched(work, budget, as_json, seconds, megabytes=_MEGABYTES)


def _found(comparing: Comparing, path: str | None, tables: tuple[str, ...]) -> list[Gathered]:
    """What scenarios and tables bring."""
    found: list[Gathered] = []
    place = Path(path) if path else DEFAULT
    if path and not place.exists():
        raise ScenarioError(f"there is nothing at {printable(path)}", hint="name a file or folder")
    if place.exists():
        found.append(comparing.scenarios(place, _progress))
    return found + [comparing.table(file) for file in tables]


def _telling(step: Step) -> Callable[[str], object]:
    """Each thing that is begun starts the clock anew, and is shown on a terminal."""

    def tell(text: str) -> None:
        step(text)
        if text.startswith(_BEGINS):
            _show(text)

    return tell


def _show(text: str) -> None:
    """A line on a terminal in the place of the one before."""
    if sys.stderr and sys.stderr.isatty():
        line = printable(text, _WIDE).ljust(_WIDE)
        click.echo(f"\r{line}\r", nl=False, err=True)


def _progress(count: int, every: int) -> None:
    """How far it is, on a terminal; what was worked out for old tables is given back."""
    if count % _TIDIED == 0:
        gc.collect()
    if count % _SHOWN == 0:
        _show(f"{count:,}/{every:,} scenarios")


def _say(
    report: Report,
    written: tuple[list[str], tuple[str, ...]] | None,
    as_json: bool,
    marked: bool,
    reasons: bool,
) -> None:
    files, failed = written or ([], ())
    if as_json:
        data = report.as_dict()
        if written is not None:
            data |= {"written": files, "not_written": list(failed)}
        tell(data)
        return
    if marked:
        click.echo(as_markdown(report))
    else:
        width = shutil.get_terminal_size().columns
        click.echo("\n".join(report_lines(report, width, reasons, paint)))
    to = sys.stderr if marked else sys.stdout
    if written is not None:
        click.echo(f"{many(len(files), 'file')} written", file=to)
    for line in failed:
        click.echo(printable(f"not written: {line}", 1_000), file=to)

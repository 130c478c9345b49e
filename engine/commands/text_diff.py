"""``seatlog text diff``: what became of each rule from one issue to another."""

from __future__ import annotations

from pathlib import Path

import click

from ..budget import Step
from ..errors import FAILED, QuestionError, SeatlogError, did_you_mean, printable
from ..language import put
from ..text import (
    diff_lines,
    diff_markdown,
    diff_page,
    differing,
    doubts,
    open_issue,
    reversed_days,
)
from .sharing import answering, paint, watched
from .tables import OnceCommand
from .talk import remark, tell

SECONDS, MEGABYTES = 20.0, 500


@click.command(cls=OnceCommand)
@click.argument("old", metavar="OLD", type=click.Path())
@click.argument("new", metavar="NEW", type=click.Path())
@click.option(
    "--section",
    "sections",
    metavar="NUMBER",
    multiple=True,
    help="Only what is or was under this number; again for more.",
)
@click.option("--all", "every", is_flag=True, help="Show what only differs in typography, too.")
@click.option("--markdown", "marked", is_flag=True, help="Markdown, for a pull request.")
@click.option("--html", "page", metavar="FILE", help="Write a page that stands by itself.")
@click.option("--over", is_flag=True, help="Write over a page that is there.")
@answering
def command(
    old: str,
    new: str,
    sections: tuple[str, ...],
    every: bool,
    marked: bool,
    page: str | None,
    over: bool,
    as_json: bool,
    budget: str | None,
) -> int:
    """What became of each rule from one issue of the rule book to another.

    Rules are matched by what they say, not by their numbers, and each match says what it rests on.
    Exit code 1 where anything differs but typography.
    """
    if as_json and marked:
        raise click.UsageError("--json or --markdown, not both")
    if page == "":
        raise click.UsageError("--html names nothing")
    if "" in sections:
        raise click.UsageError("--section names nothing")
    if over and page is None:
        raise click.UsageError("--over is for the page of --html: say both")

    def work(step: Step) -> int:
        step(f"while reading {old}")
        one = open_issue(old)
        step(f"while reading {new}")
        other = open_issue(new)
        step("while matching rules")
        diff = differing(one, other, sections)
        for section in diff.only:
            if not any((*one.within((section,)), *other.within((section,)))):
                known = (rule.number for issue in (one, other) for rule in issue.rules)
                raise QuestionError(
                    f"neither issue has a number {printable(section)}",
                    hint=did_you_mean(section, known),
                )
        remark(*doubts(one, other), *reversed_days(one, other))
        step("while writing")
        if page is not None:
            text = diff_page(diff, every)
            step.rest()
            if any(_same_file(page, file) for file in (old, new)):
                raise SeatlogError(
                    f"{printable(page)} is an issue: no page is written over it",
                    hint="name another file for the page",
                )
            put(Path(page), text, over, "--over writes over it", SeatlogError)
        if as_json:
            tell(diff.as_dict(every))
        elif marked:
            click.echo(diff_markdown(diff, every))
        else:
            click.echo("\n".join(diff_lines(diff, every, paint)))
        return FAILED if diff.differs else 0

    return watched(work, budget, as_json, SECONDS, megabytes=MEGABYTES)


def _same_file(one: str, other: str) -> bool:
    """Whether two names are of one file."""
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):
        return False

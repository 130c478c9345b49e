"""``seatlog text trace``: a rule's life through any number of issues."""

from __future__ import annotations

import click

from ..budget import Step
from ..text import dating, doubts, open_issue, trace_lines, traced
from .sharing import answering, watched
from .tables import OnceCommand
from .talk import remark, tell
from .text_diff import MEGABYTES, SECONDS


@click.command(cls=OnceCommand)
@click.argument("number", metavar="NUMBER")
@click.argument("files", metavar="FILES...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--as-of",
    "day",
    metavar="DATE",
    type=click.DateTime(("%Y-%m-%d",)),
    help="The number is that of the issue in force on this day, not of the newest.",
)
@answering
def command(
    number: str, files: tuple[str, ...], day: object, as_json: bool, budget: str | None
) -> int:
    """A rule's life through issues of the rule book: its number and what changed in each.

    The issues are taken by their dates, in whatever order they are named.
    """
    asked = str(day)[:10] if day else ""

    def work(step: Step) -> int:
        issues = []
        for file in files:
            step(f"while reading {file}")
            issues.append(open_issue(file))
        trace = traced(number, issues, asked, step)
        remark(*doubts(*issues), *dating(issues))
        if as_json:
            tell(trace.as_dict())
        else:
            click.echo("\n".join(trace_lines(trace)))
        return 0

    return watched(work, budget, as_json, SECONDS, megabytes=MEGABYTES)

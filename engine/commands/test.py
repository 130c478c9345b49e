"""``seatlog test``: run scenarios."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ..budget import Step
from ..cases import (
    DEFAULT,
    Outcome,
    Scenario,
    read_scenarios,
    run,
    scenario_files,
)
from ..editions import load_book
from ..errors import FAILED, ScenarioError
from .sharing import common, paint, watched
from .tables import OnceCommand
from .talk import tell


@click.command(cls=OnceCommand)
@click.argument("paths", nargs=-1)
@click.option("-k", "word", metavar="WORD", help="Only scenarios with this in file or name.")
@common
def command(
    paths: tuple[str, ...],
    word: str | None,
    as_json: bool,
    budget: str | None,
    edition: str | None,
) -> int:
    """Run scenario files or folders (tests/scenarios when none is named)."""

    def work(step: Step) -> int:
        wanted = _wanted(paths, word, edition, step)
        if not wanted:
            raise ScenarioError(
                "no scenario was run", hint=f"name a file or folder; the default is {DEFAULT}"
            )
        outcomes: list[Outcome] = []
        shown = bool(sys.stderr and sys.stderr.isatty())
        for number, scenario in enumerate(wanted, 1):
            step(f"in scenario {scenario.name!r} of {scenario.file}")
            if shown and number % 20 == 0:
                click.echo(f"\r{number}/{len(wanted)} ", nl=False, err=True)
            outcomes.append(run(scenario, lambda name: load_book(edition or name)))
            if number % 50 == 0:
                gc.collect()
        if shown:
            click.echo("\r", nl=False, err=True)
        step.rest()
        return _report(outcomes, as_json)

    return watched(work, budget, as_json)


def _wanted(
    paths: Sequence[str], word: str | None, edition: str | None, step: Step
) -> list[Scenario]:
    found: list[Scenario] = []
    book = load_book(edition).name if edition else None
    for path in paths or (str(DEFAULT),):
        for file in scenario_files(Path(path)):
            step(f"while reading {file}")
            found += [
                s
                for s in read_scenarios(file)
                if (not word or word in s.name or word in s.file)
                and (not book or s.edition in (None, book))
            ]
    return found


def _report(outcomes: list[Outcome], as_json: bool) -> int:
    failed = [o for o in outcomes if not o.passed]
    if as_json:
        data = [
            {
                "name": o.scenario.name,
                "file": o.scenario.file,
                "passed": o.passed,
                "answer": o.answer,
                "cites": list(o.cites),
                "trouble": o.trouble,
            }
            for o in outcomes
        ]
        tell({"scenarios": data, "failed": len(failed)})
    else:
        for o in failed:
            click.echo(f"{paint('failed', 'red')} {o.scenario.file}: {o.scenario.name}")
            click.echo("  " + o.trouble.replace("\n", "\n  "))
            click.echo(f"  {o.scenario.command}")
        click.echo(f"{len(outcomes) - len(failed)} passed, {len(failed)} failed")
    return FAILED if failed else 0

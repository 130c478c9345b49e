"""``seatlog test``: run scenarios."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from functools import cache
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..budget import Step
from ..cases import (
    BULK,
    DEFAULT,
    Outcome,
    Proposal,
    Scenario,
    Sessions,
    answered,
    counted,
    proposed,
    read_scenarios,
    run,
    scenario_files,
    unreadable,
    write,
)
from ..editions import load_book
from ..errors import FAILED, ScenarioError, SeatlogError, many, printable, printable_lines, refuse
from ..solvers import known_solver
from .sharing import common, completed, paint, watched
from .tables import OnceCommand
from .talk import tell

if TYPE_CHECKING:
    from .covering import Covering


AT_ONCE = 500
"""After so many scenarios what little they have left behind is collected."""


class Wanted(NamedTuple):
    """Scenarios to run, each with its number in its file; files that can't be read; the skipped."""

    scenarios: list[tuple[int, Scenario]]
    unread: list[tuple[Path, SeatlogError]]
    skipped: int


@click.command(cls=OnceCommand)
@click.argument("paths", nargs=-1)
@click.option("-k", "word", metavar="WORD", help="Only scenarios with this in file or name.")
@click.option("--cite", is_flag=True, help="Propose cites where the answer is the expected one.")
@click.option("--write", "writes", is_flag=True, help="Write what --cite proposes into the files.")
@click.option("--coverage", is_flag=True, help="Say which clauses and literals no answer rests on.")
@click.option(
    "--section",
    "sections",
    metavar="NUMBER",
    multiple=True,
    help="Only what --coverage finds in this section; again for more.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Fail where --coverage finds less of a book covered.",
)
@click.option(
    "--solver",
    metavar="NAME",
    default=BULK,
    help=f"What works answers out: {BULK} (if nothing is said), pydatalog or clingo; with `+` a "
    "second one is asked the same beside.",
    shell_complete=completed("solvers"),
)
@common
def command(
    paths: tuple[str, ...],
    word: str | None,
    cite: bool,
    writes: bool,
    coverage: bool,
    sections: tuple[str, ...],
    threshold: float | None,
    as_json: bool,
    budget: str | None,
    edition: str | None,
    solver: str,
) -> int:
    """Run scenario files or folders (tests/scenarios when none is named), or propose cites."""
    if writes and not cite:
        raise click.UsageError("--write is for what --cite proposes: say both")
    if threshold is not None and not coverage:
        raise click.UsageError("--threshold is for what --coverage finds: say both")
    if sections and not coverage:
        raise click.UsageError("--section is for what --coverage finds: say both")
    if threshold is not None and isnan(threshold):
        raise click.UsageError("--threshold is a number from 0 to 100")
    if coverage and cite:
        raise click.UsageError("--cite or --coverage, not both")

    def work(step: Step) -> int:
        known_solver(solver)
        wanted = _wanted(paths, word, edition, cite, step)
        if not wanted.scenarios:
            refuse([error for _, error in wanted.unread])
            raise _nothing(wanted.skipped, edition)
        outcomes: list[tuple[int, Outcome]] = []
        asking = [scenario for _, scenario in wanted.scenarios]
        covering = _covering(asking, edition, sections) if coverage else None
        load, sessions = cache(lambda name: load_book(edition or name)), Sessions(solver)
        shown = bool(sys.stderr and sys.stderr.isatty())
        for count, (number, scenario) in enumerate(wanted.scenarios, 1):
            step(f"in scenario {scenario.name!r} of {scenario.file}")
            if shown and count % 20 == 0:
                click.echo(f"\r{count}/{len(wanted.scenarios)} ", nl=False, err=True)
            outcomes.append((number, run(scenario, load, sessions)))
            if covering and outcomes[-1][1].passed:
                covering.take(scenario)
            if count % AT_ONCE == 0:
                gc.collect()
        if shown:
            click.echo("\r", nl=False, err=True)
        outcomes += [(0, unreadable(path, error)) for path, error in wanted.unread]
        if cite:
            return _cite(outcomes, edition, writes, as_json, step)
        step.rest()
        told = [o for _, o in outcomes]
        return _report(told, wanted.skipped, edition, as_json, covering, threshold or 0)

    return watched(work, budget, as_json)


def _nothing(skipped: int, edition: str | None) -> ScenarioError:
    if skipped and edition:
        other = "names another edition" if skipped == 1 else "name another edition"
        return ScenarioError(
            f"no scenario was run: {many(skipped, 'scenario')} {other} than {printable(edition)}",
            hint="leave --edition out, or name scenarios of that edition",
        )
    return ScenarioError(
        "no scenario was run", hint=f"name a file or folder; the default is {DEFAULT}"
    )


def _wanted(
    paths: Sequence[str], word: str | None, edition: str | None, uncited: bool, step: Step
) -> Wanted:
    found: list[tuple[int, Scenario]] = []
    unread: list[tuple[Path, SeatlogError]] = []
    skipped = 0
    book = load_book(edition).name if edition else None
    for path in paths or (str(DEFAULT),):
        for file in scenario_files(Path(path)):
            step(f"while reading {file}")
            try:
                own = read_scenarios(file, uncited)
            except SeatlogError as error:
                unread.append((file, error))
                continue
            for number, each in enumerate(own):
                if word and word not in each.name and word not in each.file:
                    continue
                if book and each.edition and Path(each.edition).name != book:
                    skipped += 1
                    continue
                found.append((number, each))
    return Wanted(found, unread, skipped)


def _covering(
    scenarios: Sequence[Scenario], edition: str | None, sections: Sequence[str]
) -> Covering:
    from .covering import Covering

    return Covering(scenarios, edition, sections)


def _report(
    outcomes: list[Outcome],
    skipped: int,
    edition: str | None,
    as_json: bool,
    covering: Covering | None,
    threshold: float,
) -> int:
    failed = [o for o in outcomes if not o.passed]
    if as_json:
        data = [_plain(o) for o in outcomes]
        more = {"coverage": covering.plain()} if covering else {}
        tell({"scenarios": data, "failed": len(failed), "skipped": skipped, **more})
    else:
        for o in failed:
            _tell_failed(o, edition)
        for line in covering.lines() if covering else ():
            click.echo(line)
        click.echo(counted(len(outcomes) - len(failed), len(failed), skipped))
    if covering and covering.percent < threshold:
        click.echo(f"{covering.percent:.1f} % is covered, less than {threshold:g} %", err=True)
        return FAILED
    return FAILED if failed else 0


def _plain(o: Outcome) -> dict[str, Any]:
    return {
        "name": o.scenario.name,
        "file": o.scenario.file,
        "passed": o.passed,
        "answer": o.answer,
        "cites": list(o.cites),
        "trouble": o.trouble,
    }


def _tell_failed(o: Outcome, edition: str | None) -> None:
    about = f"{o.scenario.file}: {o.scenario.name}" if o.scenario.name else o.scenario.file
    click.echo(f"{paint('failed', 'red')} {printable(about)}")
    click.echo("  " + printable_lines(o.trouble).replace("\n", "\n  "))
    click.echo(f"  {o.scenario.command(edition)}")


def _cite(
    outcomes: list[tuple[int, Outcome]],
    edition: str | None,
    writes: bool,
    as_json: bool,
    step: Step,
) -> int:
    """Show what could be cited, with the answer to look at first; write it where that is wanted."""
    found = proposed(outcomes)
    shown = {id(p.outcome) for p in found}
    failed = [o for _, o in outcomes if not o.passed and id(o) not in shown]
    answers = [answered(p.outcome.scenario, edition) for p in found]
    step.rest()
    files = write(found) if writes else []
    if as_json:
        data = [_proposed(p, text) for p, text in zip(found, answers, strict=True)]
        tell({"proposals": data, "failed": len(failed), "written": files})
        return FAILED if failed or (found and not writes) else 0
    for p, text in zip(found, answers, strict=True):
        click.echo(printable(f"{p.outcome.scenario.file}: {p.outcome.scenario.name}"))
        for line in [*text.split("\n"), *p.lines]:
            click.echo(f"  {line}")
    for o in failed:
        _tell_failed(o, edition)
    good = len(outcomes) - len(found) - len(failed)
    counted = f"{good} cited as they answer, {len(found)} proposed, {len(failed)} failed"
    click.echo(counted + (f"; written: {', '.join(map(printable, files))}" if files else ""))
    if found and not writes:
        click.echo("look at each answer first; --write puts the proposals into the files")
    return FAILED if failed or (found and not writes) else 0


def _proposed(p: Proposal, text: str) -> dict[str, Any]:
    return {
        "name": p.outcome.scenario.name,
        "file": p.outcome.scenario.file,
        "said": None if p.said is None else list(p.said),
        "cites": list(p.cites),
        "answer": text,
    }

"""``seatlog mutate``: which faults in a rule text its scenarios would notice."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Any

import click

from ..budget import Step
from ..cases import DEFAULT, Scenario
from ..compare import (
    KINDS,
    MORE,
    Excerpts,
    Mutant,
    Trial,
    by_clause,
    marks_of,
    own_clauses,
    percent,
    scenarios_of,
    tried,
)
from ..editions import find, load_book, texts_of
from ..errors import FAILED, ScenarioError, many, printable
from .sharing import answering, completed, paint, watched
from .tables import OnceCommand
from .talk import project_file, tell

_EVERY = {**KINDS, **MORE}
_TIDIED = 50


@click.command(cls=OnceCommand)
@click.argument("book", required=False, metavar="[EDITION]", shell_complete=completed("books"))
@click.option("--section", "sections", metavar="NUMBER", multiple=True, help="Only this section.")
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(list(_EVERY)),
    multiple=True,
    help=f"Only this kind of fault; {' and '.join(MORE)} only when named.",
)
@click.option("--scenarios", "paths", metavar="PATH", multiple=True, help=f"Instead of {DEFAULT}.")
@answering
def command(
    book: str | None,
    sections: tuple[str, ...],
    kinds: tuple[str, ...],
    paths: tuple[str, ...],
    as_json: bool,
    budget: str | None,
) -> int:
    """Seed faults into a rule book, one at a time, and tell which no scenario notices.

    Exit code 1 where any survives that `equivalent.toml` in the edition's folder doesn't mark, with
    a reason, as changing no verdict; or where a mark doesn't fit.
    """

    def work(step: Step) -> int:
        step("while reading the book")
        found = load_book(book)
        clauses = own_clauses(found, sections)
        folder = find(book or found.name)
        step("while reading scenarios")
        for path in paths:
            if not Path(path).exists():
                what = f"there is nothing at {printable(path)}"
                raise ScenarioError(what, hint="name a file or folder")
        scenarios = scenarios_of(found, map(Path, paths or (str(DEFAULT),)))
        if not scenarios:
            what = f"no scenario asks {printable(found.name)}"
            raise ScenarioError(what, hint=f"--scenarios names a folder; the default is {DEFAULT}")

        def say(scenario: Scenario, done: int) -> None:
            step(f"in scenario {scenario.name!r} of {scenario.file}")
            _progress(done, len(scenarios))

        wanted = kinds or tuple(KINDS)
        trial = tried(found, scenarios, wanted, clauses, marks_of(folder), say)
        step.rest()
        _clear()
        if as_json:
            tell(_plain(found.name, trial, len(scenarios)))
        else:
            for line in _lines(found.name, trial, len(scenarios), Excerpts(texts_of(book))):
                click.echo(line)
        return FAILED if trial.survivors or trial.stale else 0

    return watched(work, budget, as_json, seconds=60.0)


def _progress(done: int, every: int) -> None:
    if done % _TIDIED == 0:
        gc.collect()
    if sys.stderr and sys.stderr.isatty() and (done % 10 == 0 or done == every):
        what = f"{done}/{every}" if done < every else "what is left open"
        click.echo(f"\r{what:20}", nl=False, err=True)


def _clear() -> None:
    if sys.stderr and sys.stderr.isatty():
        click.echo("\r" + " " * 20 + "\r", nl=False, err=True)


def _lines(name: str, trial: Trial, scenarios: int, excerpts: Excerpts) -> list[str]:
    out = []
    for clause, mutants in by_clause(trial.survivors):
        at = f"{project_file(clause.place.file)}:{clause.place.line}"
        out.append(f"{paint(at, 'cyan')}  {clause.rule} {clause.head.name}")
        out += [f"    {line}" for line in excerpts.lines(clause)]
        out += [f"  {paint('survives', 'red')}: {printable(m.wrong, 1_000)}" for m in mutants]
        out.append("")
    for mark, why in trial.stale.items():
        out.append(f"{paint('mark', 'red')} {printable(str(mark), 1_000)}: {why}")
    asked = f"{many(trial.clauses, 'clause')}, {many(scenarios, 'scenario')}"
    out.append(f"{printable(name)}: {asked}")
    out.append(f"  {'mutants':12}{'all':>7}{'killed':>8}{'marked':>8}{'survive':>9}")
    for kind, each in _counted(trial).items():
        numbers = "{mutants:>7}{killed:>8}{equivalent:>8}{survivors:>9}".format(**each)
        out.append(f"  {kind:12}{numbers}  {each['score']:.1f} %")
    return out


def _counted(trial: Trial) -> dict[str, dict[str, Any]]:
    alive = {id(m) for m in trial.matrix.survivors}
    out: dict[str, dict[str, Any]] = {}
    of: dict[str, list[Mutant]] = {}
    for mutant in trial.matrix.mutants:
        of.setdefault(mutant.kind, []).append(mutant)
    for kind, mutants in (*((k, of[k]) for k in _EVERY if k in of), ("all", trial.matrix.mutants)):
        marked = sum(id(m) in trial.marked for m in mutants)
        killed = sum(id(m) not in alive for m in mutants)
        out[kind] = {
            "mutants": len(mutants),
            "killed": killed,
            "equivalent": marked,
            "survivors": len(mutants) - killed - marked,
            "score": percent(killed, len(mutants) - marked),
        }
    return out


def _plain(name: str, trial: Trial, scenarios: int) -> dict[str, Any]:
    return {
        "edition": name,
        "clauses": trial.clauses,
        "scenarios": scenarios,
        "kinds": _counted(trial),
        "survivors": [_mutant(m) for _, own in by_clause(trial.survivors) for m in own],
        "equivalent": [
            {**_mutant(m), "reason": trial.marked[id(m)].reason}
            for m in trial.matrix.survivors
            if id(m) in trial.marked
        ],
        "stale": [{"mark": str(mark), "why": why} for mark, why in trial.stale.items()],
    }


def _mutant(mutant: Mutant) -> dict[str, Any]:
    place = mutant.clause.place
    return {
        "rule": mutant.clause.rule,
        "head": mutant.clause.head.name,
        "file": project_file(place.file),
        "line": place.line,
        "clause": str(mutant.clause),
        "kind": mutant.kind,
        "wrong": mutant.wrong,
    }

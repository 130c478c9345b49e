"""``seatlog mutate``: which faults in a rule text its scenarios would notice."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..book import Book
from ..budget import Step
from ..cases import DEFAULT, Scenario
from ..compare import (
    KINDS,
    MORE,
    Excerpts,
    Mark,
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
from ..table import data_lines
from ..worlds import read_bound
from .sharing import answering, completed, paint, watched
from .tables import OnceCommand
from .talk import project_file, tell

if TYPE_CHECKING:
    from ..compare import Witnesses

_EVERY = {**KINDS, **MORE}
_TIDIED = 50


@click.command(cls=OnceCommand)
@click.argument("book", required=False, metavar="[EDITION]", shell_complete=completed("books"))
@click.option(
    "--section",
    "sections",
    metavar="NUMBER",
    multiple=True,
    help="Only this section; again for more.",
)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(list(_EVERY)),
    multiple=True,
    help=f"Only this kind of fault; {' and '.join(MORE)} aren't seeded unless named.",
)
@click.option("--scenarios", "paths", metavar="PATH", multiple=True, help=f"Instead of {DEFAULT}.")
@click.option(
    "--bound",
    metavar="players=4,things=3",
    help="For each survivor the smallest game that would kill it, or that none so large does.",
)
@click.option(
    "--prove",
    is_flag=True,
    help="Prove each mark again that names a bound; takes seconds a mark.",
)
@answering
def command(
    book: str | None,
    sections: tuple[str, ...],
    kinds: tuple[str, ...],
    paths: tuple[str, ...],
    bound: str | None,
    prove: bool,
    as_json: bool,
    budget: str | None,
) -> int:
    """Seed faults into a rule book, one at a time, and tell which no scenario notices.

    Exit code 1 where any survives that `equivalent.toml` in the edition's folder doesn't mark, with
    a reason, as changing no verdict; or where a mark doesn't fit, or --prove doesn't prove it. With
    --bound a survivor doesn't count where it is proved that no game of that size tells it from the
    book.
    """

    def work(step: Step) -> int:
        step("while reading the book")
        found = load_book(book)
        witnesses = _witnesses(found, bound)
        clauses = own_clauses(found, sections)
        folder = find(book or found.name)
        step("while reading scenarios")
        for path in paths or (str(DEFAULT),):
            if not path or not Path(path).exists():
                what = f"there is nothing at {printable(path)}"
                raise ScenarioError(what, hint="--scenarios names a file or folder")
        scenarios = scenarios_of(found, map(Path, paths or (str(DEFAULT),)))
        if not scenarios:
            what = f"no scenario asks {printable(found.name)}"
            hint = f"above them stands: edition = {json.dumps(book or found.name)}; "
            hint += f"they are looked for in {DEFAULT} or where --scenarios says"
            raise ScenarioError(what, hint=hint)

        def say(scenario: Scenario, done: int) -> None:
            step(f"in scenario {scenario.name!r} of {scenario.file}")
            _progress(done, len(scenarios))

        wanted = kinds or tuple(KINDS)
        trial = tried(found, scenarios, wanted, clauses, marks_of(folder), say)
        shown = _shown(witnesses, trial, step) if witnesses else {}
        if prove:
            trial = trial._replace(stale={**trial.stale, **_unproved(found, trial, step)})
        step.rest()
        _clear()
        if as_json:
            tell(_plain(found.name, trial, len(scenarios), shown))
        else:
            for line in _lines(found.name, trial, len(scenarios), Excerpts(texts_of(book)), shown):
                click.echo(line)
        left = [m for m in trial.survivors if id(m) not in shown or shown[id(m)].found]
        return FAILED if left or trial.stale else 0

    proving = prove or bound is not None
    return watched(work, budget, as_json, 60.0, megabytes=1_500 if proving else 200)


class _Shown(NamedTuple):
    """What was found of a survivor: a game, whether it came out so again, and its scenario."""

    found: bool
    confirmed: bool = False
    data: Mapping[str, object] = {}
    lines: tuple[str, ...] = ()


def _witnesses(book: Book, bound: str | None) -> Witnesses | None:
    """What looks for games within a bound; what hinders it is said before anything is tried."""
    if bound is None:
        return None
    from ..compare import Witnesses

    return Witnesses(book, read_bound(bound, book.vocabulary))


def _shown(witnesses: Witnesses, trial: Trial, step: Step) -> dict[int, _Shown]:
    """For each survivor the smallest game that would kill it, by the mutant's ``id``."""
    out = {}
    try:
        for done, mutant in enumerate(trial.survivors):
            step(f"while looking for the smallest game of {mutant}")
            _progress(done, len(trial.survivors))
            game = witnesses.of(mutant)
            out[id(mutant)] = _Shown(False)
            if game is not None:
                lines = tuple(witnesses.scenario(mutant, game))
                out[id(mutant)] = _Shown(True, game.confirmed, game.data, lines)
    finally:
        witnesses.close()
    return out


def _unproved(book: Book, trial: Trial, step: Step) -> dict[Mark, str]:
    """The marks that aren't proved within the bound that they name."""
    from ..compare import unproved

    pairs = [(m, trial.marked[id(m)]) for m in trial.alive if id(m) in trial.marked]
    told = iter(range(len(pairs)))

    def tell(mutant: Mutant) -> None:
        step(f"while proving {mutant}")
        _progress(next(told), len(pairs))

    return unproved(book, pairs, tell)


def _progress(done: int, every: int) -> None:
    if done % _TIDIED == 0:
        gc.collect()
    if sys.stderr and sys.stderr.isatty() and (done % 10 == 0 or done == every):
        what = f"{done}/{every}" if done < every else "what is left open"
        click.echo(f"\r{what:20}", nl=False, err=True)


def _clear() -> None:
    if sys.stderr and sys.stderr.isatty():
        click.echo("\r" + " " * 20 + "\r", nl=False, err=True)


def _lines(
    name: str, trial: Trial, scenarios: int, excerpts: Excerpts, shown: Mapping[int, _Shown]
) -> list[str]:
    out = []
    for clause, mutants in by_clause(trial.survivors):
        at = f"{project_file(clause.place.file)}:{clause.place.line}"
        out.append(f"{paint(at, 'cyan')}  {clause.rule} {clause.head.name}")
        out += [f"    {line}" for line in excerpts.lines(clause)]
        for mutant in mutants:
            out.append(f"  {paint('survives', 'red')}: {printable(mutant.wrong, 1_000)}")
            if id(mutant) in shown:
                out += _found(shown[id(mutant)])
        out.append("")
    for mark, why in trial.stale.items():
        out.append(f"{paint('mark', 'red')} {printable(str(mark), 1_000)}: {why}")
    asked = f"{many(trial.clauses, 'clause')}, {many(scenarios, 'scenario')}"
    out.append(f"{printable(name)}: {asked}")
    out.append(f"  {'mutants':12}{'all':>7}{'killed':>8}{'marked':>8}{'survive':>9}")
    for kind, each in _counted(trial).items():
        numbers = "{mutants:>7}{killed:>8}{equivalent:>8}{survivors:>9}".format(**each)
        out.append(f"  {kind:12}{numbers}  {each['percent']:.1f} %")
    return out


def _found(shown: _Shown) -> list[str]:
    """What was found of a survivor, as lines below it."""
    if not shown.found:
        return ["    no game within the bound tells it from the book: that is proved"]
    lines = shown.lines or ("# no scenario can ask this:", *data_lines(shown.data))
    odd = [] if shown.confirmed else ["    asked again, the game is no different: see by hand"]
    return [*odd, *(f"    | {line}".rstrip() for line in lines)]


def _counted(trial: Trial) -> dict[str, dict[str, Any]]:
    alive = {id(m) for m in trial.alive}
    out: dict[str, dict[str, Any]] = {}
    of: dict[str, list[Mutant]] = {}
    for mutant in trial.mutants:
        of.setdefault(mutant.kind, []).append(mutant)
    for kind, mutants in (*((k, of[k]) for k in _EVERY if k in of), ("all", trial.mutants)):
        marked = sum(id(m) in trial.marked for m in mutants)
        killed = sum(id(m) not in alive for m in mutants)
        out[kind] = {
            "mutants": len(mutants),
            "killed": killed,
            "equivalent": marked,
            "survivors": len(mutants) - killed - marked,
            "percent": percent(killed, len(mutants) - marked),
        }
    return out


def _plain(name: str, trial: Trial, scenarios: int, shown: Mapping[int, _Shown]) -> dict[str, Any]:
    return {
        "edition": name,
        "clauses": trial.clauses,
        "scenarios": scenarios,
        "kinds": {k: {**n, "percent": int(n["percent"])} for k, n in _counted(trial).items()},
        "survivors": [
            {**_mutant(m), **_game(shown.get(id(m)))}
            for _, own in by_clause(trial.survivors)
            for m in own
        ],
        "equivalent": [
            {**_mutant(m), "reason": trial.marked[id(m)].reason}
            for m in trial.alive
            if id(m) in trial.marked
        ],
        "stale": [{"mark": str(mark), "why": why} for mark, why in trial.stale.items()],
    }


def _game(shown: _Shown | None) -> dict[str, Any]:
    if shown is None:
        return {}
    return {"game": shown.data if shown.found else None, "scenario": "\n".join(shown.lines)}


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

"""``seatlog show``: the rules, or one of them with its clauses and scenarios."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from .. import overview
from ..book import Book, rule_order
from ..editions import covers, load_book
from ..errors import FAILED, NoRule
from ..model import literals
from ..scenarios import DEFAULT, Scenario, read_scenarios, scenario_files
from ..supervise import Step
from . import common, completing, paint, watched
from .tabling import BookCommand


@click.command(cls=BookCommand)
@click.argument("number", required=False, shell_complete=completing.rules)
@click.option("--cites", is_flag=True, help="What rests on the rule, and what it rests on.")
@click.option("--gaps", is_flag=True, help="Sections without clauses or scenarios.")
@click.option("--paste", is_flag=True, help="A script for a plain pyDatalog session.")
@common
def command(
    number: str | None,
    cites: bool,
    gaps: bool,
    paste: bool,
    as_json: bool,
    budget: str | None,
    edition: str | None,
) -> int:
    """Show all rules, or one by its number: title, file, clauses, scenarios in tests/scenarios."""

    def work(step: Step) -> int:
        step(f"while reading {edition or 'the rules'}")
        book = load_book(edition)
        wanted = _wanted(book, number)
        if paste:
            from ..paste import script

            click.echo(script(_needed(book, wanted) if number else book, ()), nl=False)
            return 0
        scenarios = _scenarios(book)
        if gaps:
            return _gaps(book, edition, scenarios, as_json)
        found = [overview.section(book, n, scenarios) for n in wanted]
        if as_json:
            click.echo(json.dumps({"edition": book.name, "sections": found}, ensure_ascii=False))
        elif number:
            click.echo("\n\n".join(_cites(s) if cites else _text(s) for s in found))
        else:
            click.echo("\n".join(_row(s) for s in found))
            left = sum(bool(s["left_out"]) for s in found)
            clauses = sum(len(s["clauses"]) for s in found)
            click.echo(f"{len(found)} sections, {clauses} clauses, {left} left out")
        return 0

    return watched(work, budget, as_json)


def _wanted(book: Book, number: str | None) -> list[str]:
    if number is None:
        return overview.numbers(book)
    found = [n for n in book.sections if n == number or _inside(n, number)]
    if not found:
        known = overview.numbers(book)
        raise NoRule(
            f"{book.title} as of {book.date}: no rule {number} here",
            hint=f"{len(known)} sections, from {known[0]} to {known[-1]}" if known else "",
        )
    return sorted(found, key=rule_order)


def _inside(number: str, wanted: str) -> bool:
    """Whether a section is one of a rule's letters, or of a chapter's rules."""
    rest = number[len(wanted) :]
    return number.startswith(wanted) and (rest.isalpha() or rest[:1] == ".")


def _scenarios(book: Book) -> list[Scenario]:
    files = scenario_files(DEFAULT) if DEFAULT.is_dir() else []
    every = [s for path in files for s in read_scenarios(path)]
    return [s for s in every if (s.edition or book.name) == book.name]


def _needed(book: Book, sections: Sequence[str]) -> Book:
    """The book with only what some sections rest on."""
    todo = [c.head.name for c in book.clauses if c.rule in sections]
    names: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in names:
            names.add(name)
            todo += [x.name for c in book.clauses_of(name) for x in literals(c.body)]
    return book._replace(clauses=tuple(c for c in book.clauses if c.head.name in names))


def _gaps(book: Book, edition: str | None, scenarios: Sequence[Scenario], as_json: bool) -> int:
    wanted = covers(edition)
    found = overview.gaps(book, scenarios, wanted)
    counts = overview.counts(book, scenarios)
    if as_json:
        chapters = [c._asdict() for c in counts]
        data = {"edition": book.name, "gaps": found, "covers": wanted, "chapters": chapters}
        click.echo(json.dumps(data, ensure_ascii=False))
        return FAILED if found else 0
    for c in counts:
        parts = [f"{c.numbers} number{'s' * (c.numbers != 1)}"]
        parts += [f"{c.ruled} with clauses"] * bool(c.ruled)
        parts += [f"{c.left_out} left out"] * bool(c.left_out)
        parts += [f"{c.background} background"] * bool(c.background)
        click.echo(
            f"{paint(f'{c.chapter:<5}', 'cyan')} {', '.join(parts)}; {c.scenarios} scenarios"
        )
    have = sum(number in book.sections for number in wanted)
    covered = f"{have} of {len(wanted)} numbers that the book sets out to answer; " * bool(wanted)
    click.echo("\n".join(found) or f"{covered}{len(overview.numbers(book))} sections, no gaps")
    return FAILED if found else 0


def _row(section: dict[str, Any]) -> str:
    number = paint(f"{section['number']:<8}", "cyan")
    if section["left_out"]:
        return f"{number} {section['title']} (left out: {section['left_out']})"
    counts = f"{len(section['clauses'])} clauses, {len(section['scenarios'])} scenarios"
    return f"{number} {section['title']} ({counts})"


def _cites(section: dict[str, Any]) -> str:
    lines = [f"{paint(section['number'], 'cyan')}  {section['title']}"]
    lines.append("  rests on: " + (", ".join(section["rests_on"]) or "facts alone"))
    lines.append("  carries: " + (", ".join(section["carries"]) or "nothing but questions"))
    lines.append(f"  cited by {len(section['scenarios'])} scenarios")
    lines += [f"    {s}" for s in section["scenarios"]]
    return "\n".join(lines)


def _text(section: dict[str, Any]) -> str:
    lines = [f"{paint(section['number'], 'cyan')}  {section['title']}"]
    lines.append(f"  {section['file']}:{section['line']}")
    if section["stands_for"]:
        lines.append("  background: only as far as other rules need it")
    if section["left_out"]:
        lines.append(f"  left out: {section['left_out']}")
    lines += [f"  {c['text']}" for c in section["clauses"]]
    if section["scenarios"]:
        lines.append("  scenarios:")
        lines += [f"    {s}" for s in section["scenarios"]]
    return "\n".join(lines)

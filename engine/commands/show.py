"""``seatlog show``: one rule, its clauses and the scenarios that rest on it."""

from __future__ import annotations

import json
from typing import Any

import click

from ..book import Book, rule_order
from ..editions import load_book
from ..errors import NoRule
from ..scenarios import DEFAULT, read_scenarios, scenario_files
from ..supervise import Step
from . import common, paint, watched
from .tabling import BookCommand


@click.command(cls=BookCommand)
@click.argument("number")
@common
def command(number: str, as_json: bool, budget: str | None, edition: str | None) -> int:
    """Show a rule by its number: title, file, clauses, scenarios under tests/scenarios."""

    def work(step: Step) -> int:
        step(f"while reading {edition or 'the rules'}")
        book = load_book(edition)
        wanted = [n for n in book.sections if n == number or _letters(n, number)]
        if not wanted:
            raise NoRule(
                f"{book.title} as of {book.date}: no rule {number} here",
                hint=_range(book),
            )
        found = [_section(book, n) for n in sorted(wanted, key=rule_order)]
        if as_json:
            click.echo(json.dumps({"edition": book.name, "sections": found}, ensure_ascii=False))
        else:
            click.echo("\n\n".join(_text(s) for s in found))
        return 0

    return watched(work, budget, as_json)


def _letters(number: str, wanted: str) -> bool:
    rest = number[len(wanted) :]
    return number.startswith(wanted) and rest.isalpha()


def _range(book: Book) -> str:
    numbers = [n for n in sorted(book.sections, key=rule_order) if n[:1].isdigit()]
    return f"{len(numbers)} sections, from {numbers[0]} to {numbers[-1]}" if numbers else ""


def _section(book: Book, number: str) -> dict[str, Any]:
    section = book.sections[number]
    clauses = [c for c in book.clauses if c.rule == number]
    scenarios = []
    for path in scenario_files(DEFAULT) if DEFAULT.is_dir() else []:
        for scenario in read_scenarios(path):
            if number in scenario.cites and (scenario.edition or book.name) == book.name:
                scenarios.append(f"{path}: {scenario.name}")
    return {
        "number": number,
        "title": section.title,
        "file": section.place.file,
        "line": section.place.line,
        "left_out": section.left_out,
        "stands_for": section.stands_for,
        "digest": section.digest,
        "clauses": [{"line": c.place.line, "text": str(c), "yes": c.yes} for c in clauses],
        "scenarios": scenarios,
    }


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

"""What the README shows is what the program prints."""

from __future__ import annotations

import re

import click

from places import ROOT
from seatlog.cases import numbers
from seatlog.cli import COMMANDS, group
from seatlog.editions import editions, load_book
from shown import blocks, marked, remade, same, transcript

README = ROOT / "README.md"


def commands() -> str:
    context = click.Context(group)
    rows = []
    for name in COMMANDS:
        command = group.get_command(context, name)
        assert command is not None
        rows.append(f"| `seatlog {name}` | {command.get_short_help_str(200).rstrip('.')} |")
    return "\n".join(["| command | does |", "|---|---|", *rows])


def books() -> str:
    """The shipped editions: what each is, as of when, the numbers it answers, its sections."""
    rows = []
    for name in editions():
        book = load_book(name)
        counted = f"{len(book.settings['covers'])} | {len(numbers(book))}"
        rows.append(f"| `{name}` | {book.title} | {book.date} | {counted} |")
    head = "| edition | is | as of | numbers | sections |"
    return "\n".join([head, "|---|---|---|---|---|", *rows])


def test_the_readme_shows_what_the_program_prints() -> None:
    text = README.read_text(encoding="utf-8")
    text = marked(text, {"commands": commands(), "editions": books()})
    same(README, remade(text, ROOT))


def test_the_transcript_has_a_ring_and_an_answer_with_rules() -> None:
    shown = next(b.body for b in blocks(README.read_text(encoding="utf-8")) if b.file == "")
    assert "Alex     reach: Alex, Rob, Dana\n" in shown
    assert "\nno\n" in shown
    assert re.search(r"^rules: .*801\.4$", shown, re.MULTILINE)


def test_what_it_is_good_at_fits_in_ten_lines() -> None:
    text = README.read_text(encoding="utf-8")
    part = text.partition("What it is good at:\n\n")[2].partition("\n\n")[0]
    assert 5 <= len(part.splitlines()) <= 10


def test_shipped_tables_are_fine() -> None:
    tables = sorted((ROOT / "facts" / "tables").glob("*.toml"))
    assert tables
    for path in tables:
        assert transcript(f"$ seatlog check {path.stem}", ROOT).endswith("fine\n")

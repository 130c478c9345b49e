"""What the README shows is what the program prints."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import click
import pytest

import processes
from places import ROOT
from seatlog.cli import COMMANDS, group
from seatlog.editions import editions, load_book

README = ROOT / "README.md"
WRITE = os.environ.get("SEATLOG_GOLDEN") == "write"


def run(line: str) -> str:
    words = shlex.split(line)
    assert words[0] == "seatlog"
    done = processes.run(*words[1:])
    assert not done.stderr
    return done.stdout.rstrip("\n")


def transcript(block: str) -> str:
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    return "\n".join(f"$ {c}\n{run(c)}" for c in commands) + "\n"


def commands() -> str:
    context = click.Context(group)
    rows = []
    for name in COMMANDS:
        command = group.get_command(context, name)
        assert command is not None
        rows.append(f"| `seatlog {name}` | {command.get_short_help_str(200).rstrip('.')} |")
    return "\n".join(["| command | does |", "|---|---|", *rows])


def books() -> str:
    """The shipped editions: what each is, as of when, and how many numbers it answers."""
    rows = []
    for name in editions():
        book = load_book(name)
        rows.append(f"| `{name}` | {book.title} | {book.date} | {len(book.settings['covers'])} |")
    return "\n".join(["| edition | is | as of | numbers |", "|---|---|---|---|", *rows])


def current() -> str:
    text = README.read_text(encoding="utf-8")
    text = re.sub(
        r"```console\n(.*?)```",
        lambda m: f"```console\n{transcript(m[1])}```",
        text,
        flags=re.DOTALL,
    )
    for mark, table in (("commands", commands()), ("editions", books())):
        start, end = text.index(f"<!-- {mark} -->"), text.index("<!-- end -->", text.index(mark))
        text = f"{text[:start]}<!-- {mark} -->\n\n{table}\n{text[end:]}"
    return text


def test_the_readme_shows_what_the_program_prints() -> None:
    old, new = README.read_text(encoding="utf-8"), current()
    if WRITE and new != old:
        README.write_text(new, encoding="utf-8")
        pytest.fail("README.md was rewritten: read the diff, then run again")
    assert new == old


def test_the_transcript_has_a_yes_and_a_no_with_rules() -> None:
    block = re.search(r"```console\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert block
    lines = block[1].splitlines()
    assert "yes" in lines and "no" in lines
    assert sum(line.startswith("rules: 801.2") for line in lines) == 2


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    block = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert block
    exec(compile(block[1], "README.md", "exec"), {})  # noqa: S102
    assert "801.4" in capsys.readouterr().out


def test_the_example_table_is_fine(tmp_path: Path) -> None:
    block = re.search(r"```toml\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert block
    path = tmp_path / "game.toml"
    path.write_text(block[1], encoding="utf-8")
    assert run(f"seatlog check {shlex.quote(str(path))}").endswith("fine")


def test_shipped_tables_are_fine() -> None:
    tables = sorted((ROOT / "facts" / "tables").glob("*.toml"))
    assert tables
    for path in tables:
        assert run(f"seatlog check {path.stem}").endswith("fine")

"""The scenarios that cite a book's sections, as far as they can be read."""

from __future__ import annotations

from pathlib import Path

import click

from ..book import Book
from ..cases import DEFAULT, Scenario, read_scenarios, scenario_files
from ..editions import renumbered
from ..errors import SeatlogError

NO_SCENARIOS = f"there is no folder {DEFAULT} here"


def citing(book: Book, edition: str | None, path: Path = DEFAULT) -> list[Scenario]:
    """The scenarios of a book, and those of its base as far as they cite what it takes over."""
    files = scenario_files(path) if path.exists() else []
    every = [s for file in files for s in _read(file)]
    out = [s for s in every if (s.edition or book.name) == book.name]
    own = {n for n, s in book.sections.items() if s.place.file.startswith(f"{book.name}/")}
    moved = renumbered(edition)
    for each in every:
        if each.edition != book.name and each.edition in book.vocabulary.editions:
            cites = (moved.get(c, c) for c in each.cites if c not in own)
            out.append(each._replace(cites=tuple(cites)))
    return out


def _read(path: Path) -> list[Scenario]:
    """The scenarios of a file; of one that can't be read only a note."""
    try:
        return read_scenarios(path)
    except SeatlogError as error:
        click.echo(f"note: scenarios weren't looked at: {error.said(False)}", err=True)
        return []

"""What is wrong with an edition or a text, and where an editor shows it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..book import Book, load_vocabulary
from ..editions import assemble
from ..errors import Place, SeatlogError, printable_lines
from ..lint import style
from .desk import SETTINGS, VOCABULARY, Desk, Edition

MOST_SHOWN = 100
"""So many faults of a file are shown at most."""


class Fault(NamedTuple):
    """A fault as an editor shows it; without a place it is one of the whole file."""

    text: str
    place: Place | None
    code: str = ""
    care: bool = False


def put_together(desk: Desk, edition: Edition) -> Book:
    """The book of an edition with its open texts. Raises what is wrong with it."""
    declared = edition.texts[VOCABULARY]
    return assemble(edition.layers, edition.facts, "", desk.read, declared)


def checked(desk: Desk, edition: Edition) -> tuple[SeatlogError, ...]:
    """What is wrong with an edition; of a sound one what lacks care."""
    try:
        return tuple(style(put_together(desk, edition)))
    except SeatlogError as error:
        return error.errors


def misread(desk: Desk, path: Path) -> tuple[SeatlogError, ...]:
    """What can be told of an open text by itself: what can't be read, or declared."""
    text = desk.texts.get(path, "")
    if path.name != VOCABULARY:
        return desk.read(text, path.name).errors
    try:
        return load_vocabulary(path.parent, text)[2].errors
    except SeatlogError as error:
        return error.errors


def prepare(desk: Desk, edition: Edition) -> None:
    """Read all texts of an edition, so that they are known to whoever checks it."""
    for name, text in edition.texts.items():
        if name != VOCABULARY:
            desk.read(text, name)


def shown(errors: Iterable[SeatlogError], edition: Edition) -> dict[Path, list[Fault]]:
    """Faults by the files in which an editor shows them.

    What has no place in the edition's own files is shown in its settings.
    """
    own = set(edition.own)
    found: dict[Path, list[Fault]] = {}
    for error in errors:
        at = error.place
        here = at is not None and at.file in own
        path = edition.paths[at.file] if at and here else edition.folder / SETTINGS
        lead = f"{at}: " if at and not here else ""
        _add(found.setdefault(path, []), fault(error, lead, here))
    return found


def listed(errors: Iterable[SeatlogError]) -> list[Fault]:
    """The faults of one text as an editor shows them."""
    found: list[Fault] = []
    for error in errors:
        _add(found, fault(error))
    return found


def fault(error: SeatlogError, lead: str = "", here: bool = True) -> Fault:
    """An error as an editor shows it."""
    text = f"{lead}{error.what}" + (f"\n{error.hint}" if error.hint else "")
    place = error.place if here else None
    return Fault(printable_lines(text), place, error.code, error.code.startswith("W"))


def _add(found: list[Fault], one: Fault) -> None:
    if len(found) < MOST_SHOWN:
        found.append(one)
    elif len(found) == MOST_SHOWN:
        found.append(Fault(f"more than {MOST_SHOWN} faults; the others aren't shown", None))

"""Write a draft as an edition's folder, whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ..editions import editions
from ..errors import BookError, printable
from ..language import beneath, replace

SETTINGS = "edition.toml"


def saved(
    folder: Path,
    settings: Mapping[str, str | Sequence[str]],
    texts: Mapping[str, str],
    over: bool,
    bases: Iterable[Path] = (),
) -> list[str]:
    """Write the settings and clause files of an edition; the names of what was written.

    Raises BookError where the folder holds anything, unless it is an edition that may be written
    ``over``; then its clause files that have no text now are taken away. The ``bases`` are what the
    edition rests on: nothing is written there, nor in any edition that is shipped.
    """
    name = printable(str(folder))
    try:
        there = _there(folder, name, over, [*bases, *editions().values()])
        folder.mkdir(parents=True, exist_ok=True)
        lines = [f"{key} = {_toml(value)}\n" for key, value in settings.items() if value]
        replace({folder / n: t for n, t in {SETTINGS: "".join(lines), **texts}.items()})
        for file in there:
            if file.suffix == ".dl" and file.name not in texts:
                file.unlink()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BookError(f"{name} can't be written: {printable(why)}") from None
    return [SETTINGS, *texts]


def _there(folder: Path, name: str, over: bool, bases: Iterable[Path]) -> list[Path]:
    """What a folder holds that may be written over. Raises BookError, OSError."""
    other = "name another folder"
    whole = Path(os.path.realpath(folder))
    for each in bases:
        base = Path(os.path.realpath(each))
        if whole == base:
            raise BookError(f"{name} is what this edition rests on, or is shipped", hint=other)
        if base in whole.parents:
            raise BookError(f"{name} lies in another edition, and would be part of it", hint=other)
    if not folder.is_dir():
        if folder.exists() or folder.is_symlink():
            raise BookError(f"{name} is no folder", hint="name another one")
        return []
    there = sorted(folder.iterdir())
    if there and not (folder / SETTINGS).is_file():
        raise BookError(f"{name} holds something, and no edition", hint=other)
    if there and not over:
        raise BookError(f"{name} isn't empty", hint="say over=True to write over an edition")
    deep = next((inner for _, inner in beneath(str(folder), ".dl") if "/" in inner), "")
    if deep:
        raise BookError(
            f"{name} holds clause files in folders, which would stay ({printable(deep)})",
            hint=other,
        )
    return there


def _toml(value: str | Sequence[str]) -> str:
    """A text, or a list of texts, as TOML has it: as JSON does."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return "[" + ", ".join(map(_toml, value)) + "]"

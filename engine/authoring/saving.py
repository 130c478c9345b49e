"""Write a draft as an edition's folder, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..errors import BookError, printable
from ..language import replace

SETTINGS = "edition.toml"


def saved(
    folder: Path, settings: Mapping[str, str | Sequence[str]], texts: Mapping[str, str], over: bool
) -> list[str]:
    """Write the settings and clause files of an edition; the names of what was written.

    Raises BookError where the folder holds anything, unless it is an edition that may be written
    ``over``; then its clause files that have no text now are taken away.
    """
    there = sorted(folder.iterdir()) if folder.is_dir() else []
    if folder.exists() and not folder.is_dir():
        raise BookError(f"{printable(str(folder))} is no folder", hint="name another one")
    if there and not over:
        raise BookError(
            f"{printable(str(folder))} isn't empty", hint="say over=True to write over an edition"
        )
    if there and not (folder / SETTINGS).is_file():
        raise BookError(
            f"{printable(str(folder))} holds something, and no edition", hint="name another folder"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lines = [f"{key} = {_toml(value)}\n" for key, value in settings.items() if value]
        replace({folder / n: t for n, t in {SETTINGS: "".join(lines), **texts}.items()})
        for file in there:
            if file.suffix == ".dl" and file.name not in texts:
                file.unlink()
    except OSError as error:
        raise BookError(
            f"{printable(str(folder))} can't be written: {printable(error.strerror or '')}"
        ) from None
    return [SETTINGS, *texts]


def _toml(value: str | Sequence[str]) -> str:
    """A text, or a list of texts, as TOML has it: as JSON does."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return "[" + ", ".join(map(_toml, value)) + "]"

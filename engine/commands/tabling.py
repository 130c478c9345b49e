"""The class of commands that take a table: a file, a shipped name, or quick flags."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .. import flags
from ..editions import load_book
from ..model import Vocabulary
from . import Asked


class TableCommand(click.Command):
    """A command with one flag for each top-level key of table files."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        vocabulary = load_book().vocabulary
        options: list[click.Parameter] = []
        for key, shapes in flags.keys(vocabulary).items():
            options.append(
                click.Option(
                    [f"--{key}", f"key_{key}"],
                    multiple=True,
                    metavar=flags.example(shapes, vocabulary),
                    help=flags.about(shapes),
                )
            )
        own = super().get_params(ctx)
        taken = {o for p in own for o in p.opts}
        return [*own, *(o for o in options if not taken & set(o.opts))]


def table_keys(given: dict[str, Any], vocabulary: Vocabulary | None = None) -> dict[str, Any]:
    """The quick flags that were given, as a table file's data; they are taken out of ``given``."""
    words = vocabulary or load_book().vocabulary
    out: dict[str, Any] = {}
    for name in [n for n in given if n.startswith("key_")]:
        texts = given.pop(name)
        if texts:
            out[name[4:]] = flags.parse(name[4:], texts, words)
    return out


def is_table(word: str) -> bool:
    """Whether a word on the command line names a table: a file, or a shipped table."""
    if word.endswith(".toml") or "/" in word:
        return True
    from ..editions import home

    try:
        return Path(word).is_file() or (home("facts") / "tables" / f"{word}.toml").is_file()
    except (OSError, ValueError):
        return False


def split_table(words: tuple[str, ...], given: dict[str, Any], usage: str, most: int) -> Asked:
    """The table among the words, the quick flags, and the other words. Raises click.UsageError."""
    keys = table_keys(given)
    if words and is_table(words[0]) and (len(words) > 1 or not keys):
        return Asked(words[0], keys, words[1:])
    if keys:
        return Asked(None, keys, words)
    if len(words) >= most + 1:
        return Asked(words[0], keys, words[1:])
    raise click.UsageError(
        f"which table? Give a file, a shipped table's name, or quick flags.\nUsage: {usage}"
    )

"""``seatlog new``: a commented table file to start from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from .. import flags
from ..book import Vocabulary
from ..dealing import GROUPS, Format, deal, find_format, formats
from ..editions import load_book, names
from ..errors import TableError, printable
from ..session import Session
from ..starting import started
from ..supervise import Step
from ..tables import table as checked
from . import common, watched
from .tabling import TableCommand, table_keys

WHO = "Who is dealt in; in teams one team after the other."
SEED = "The same number deals the same table again."


@click.command(cls=TableCommand)
@click.argument("words", metavar="[FORMAT] [FILE]", nargs=-1)
@click.option("--players", metavar="A,B,…", help=WHO)
@click.option("--seed", type=int, metavar="NUMBER", help=SEED)
@common
def command(
    words: tuple[str, ...],
    players: str | None,
    seed: int | None,
    as_json: bool,
    budget: str | None,
    edition: str | None,
    **given: Any,
) -> int:
    """Write a commented table file, from quick flags or dealt as a format says; without FILE, to
    standard output."""

    def work(step: Step) -> int:
        file = _file(words, players)
        step(f"while writing {file or 'a table'}")
        if words and words[0] != file:
            keys, chosen = _dealt(words[0], players, seed, edition, given)
        else:
            keys, chosen = _said(edition, given), edition
        text = started(keys, load_book(chosen).vocabulary, chosen)
        if file is None:
            click.echo(json.dumps({"text": text}, ensure_ascii=False) if as_json else text.rstrip())
            return 0
        _write(file, text)
        if as_json:
            click.echo(json.dumps({"file": file, "text": text}, ensure_ascii=False))
        else:
            shown = printable(file)
            click.echo(f"{shown}: written; `seatlog check {shown}` looks it over")
        return 0

    return watched(work, budget, as_json)


def _file(words: tuple[str, ...], players: str | None) -> str | None:
    """The file among the words: the last, unless it is the only one and names a format."""
    if len(words) > 2:
        raise click.UsageError(f"got unexpected extra argument ({printable(words[2])})")
    if len(words) == 1 and (players is not None or words[0] in formats(load_book().vocabulary)):
        return None
    return words[-1] if words else None


def _said(edition: str | None, given: dict[str, Any]) -> dict[str, Any]:
    """The keys of quick flags, checked."""
    keys = table_keys(given)
    if not keys:
        raise click.UsageError("say what the table starts with, by at least one flag")
    checked(keys, load_book(edition).vocabulary)
    return keys


def _dealt(
    name: str, players: str | None, seed: int | None, edition: str | None, given: dict[str, Any]
) -> tuple[dict[str, Any], str]:
    """The keys of a table dealt as its format says, and the edition that says so.

    Quick flags lie over what was dealt. The book looks the whole table over.
    """
    form, chosen = _format(name, edition)
    book = load_book(chosen)
    groups: int | Mapping[str, list[str]] = _number(form, given) or GROUPS
    keys = table_keys(given, book.vocabulary)
    said = keys.pop(form.group_key, None)
    if isinstance(said, dict):
        groups = said
    people = flags.people(players or "")
    if isinstance(groups, Mapping):
        people = people or [p for members in groups.values() for p in members]
    if not people:
        raise click.UsageError("who plays? Say it with --players A,B,…")
    import random

    chance = random.SystemRandom() if seed is None else random.Random(seed)
    table = deal(form, people, groups, book.vocabulary, chance)
    for key, value in keys.items():
        both = isinstance(value, dict) and isinstance(table.get(key), dict)
        table[key] = {**table[key], **value} if both else value
    Session(book, checked(table, book.vocabulary, None, name))
    return table, chosen


def _format(name: str, edition: str | None) -> tuple[Format, str]:
    """A format that can be dealt, and the first edition that says how, the default one first."""
    vocabulary: Vocabulary = load_book(edition).vocabulary
    form = find_format(name, vocabulary)
    if form and edition:
        return form, edition
    for other in names():
        form = find_format(name, vocabulary._replace(editions=(other,)))
        if form and not edition:
            return form, other
        if form:
            raise TableError(
                f"{printable(str(edition))} doesn't say how {name} is dealt",
                hint=f"{other} does: --edition {other}",
            )
    raise TableError(
        f"no edition says how {name} is dealt", hint="say the table with flags: --variant … --seats …"
    )


def _number(form: Format, given: dict[str, Any]) -> int | None:
    """How many groups, when the flag of the groups' key says only a number."""
    texts = given.get(f"key_{form.group_key}")
    if not texts or not texts[-1].strip().lstrip("-").isdecimal():
        return None
    given.pop(f"key_{form.group_key}")
    return int(texts[-1])


def _write(file: str, text: str) -> None:
    """Write a file that isn't there yet."""
    try:
        with Path(file).open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise TableError(
            f"{printable(file)} is there already", hint="choose another name"
        ) from None

"""``seatlog new``: a commented table file to start from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import click

from ..budget import Step
from ..editions import load_book
from ..errors import SeatlogError, did_you_mean, printable, quoted
from ..game import Session, advance
from ..solvers import PLAIN, known_solver
from ..table import (
    GROUPS,
    Format,
    as_keys,
    choose,
    deal,
    flag_keys,
    formats,
    keep,
    laid_over,
    listed_names,
    started,
)
from ..table import table as checked
from .sharing import common, solving, watched
from .tables import Flags, TableCommand
from .talk import as_json_text, tell

WHO = "Who is dealt in; where there are teams, one team after the other."
_NUMBER = re.compile(r"-?[0-9]{1,9}")
SEED = "The same number deals the same table again."


@click.command(cls=TableCommand)
@click.argument("words", metavar="[FORMAT] [FILE]", nargs=-1)
@click.option("--players", metavar="A,B,…", help=WHO)
@click.option("--seed", type=int, metavar="NUMBER", help=SEED)
@solving
@common
def command(
    words: tuple[str, ...],
    players: str | None,
    seed: int | None,
    as_json: bool,
    budget: str | None,
    edition: str | None,
    solver: str | None,
    flags: Flags,
) -> int:
    """Write a table file from quick flags, or dealt as a format says.

    Without FILE it goes to standard output.

    Dealt tables are looked over first: what the format's rules don't take is refused.
    """

    def work(step: Step) -> int:
        form, file = _words(words, players is not None or seed is not None)
        step(f"while writing {file or 'a table'}")
        if form is None:
            if solver is not None:
                raise click.UsageError("--solver is for a format that is dealt: nothing is asked")
            keys, chosen, dealt = _said(edition, flags, file), edition, ""
        else:
            keys, chosen = _dealt(form, edition, players, seed, flags, solver or PLAIN)
            book = load_book(chosen)
            dated = f"{book.name}, {book.date}" if book.date else book.name
            dealt = f"{form}, dealt as {book.title} ({dated}) has it"
        text = started(keys, load_book(chosen).vocabulary, chosen, dealt)
        data = {"edition": load_book(chosen).name, "format": form}
        if file is None:
            click.echo(as_json_text({**data, "text": text}) if as_json else text.rstrip())
            return 0
        file = str(keep(text, file, False, "choose another name"))
        if as_json:
            tell({**data, "file": file, "text": text})
        else:
            shown = printable(file)
            said = f", {dealt}" * bool(dealt)
            click.echo(f"{shown}: written{said}; `seatlog check {shown}` looks it over")
        return 0

    return watched(work, budget, as_json)


def _words(words: tuple[str, ...], dealing: bool) -> tuple[str | None, str | None]:
    """The format and the file that the words name; a word alone may be either."""
    if len(words) > 2:
        raise click.UsageError(f"got unexpected extra argument ({printable(words[2])})")
    if dealing and not words:
        raise click.UsageError("which format is dealt? Say it first: new FORMAT --players A,B,…")
    if len(words) == 2:
        return words[0], words[1]
    if words and (dealing or words[0] in formats(load_book().vocabulary)):
        return words[0], None
    return None, words[0] if words else None


def _said(edition: str | None, flags: Flags, word: str | None) -> dict[str, Any]:
    """The keys of quick flags, checked; ``word`` may be a format that nobody knows."""
    keys = flags.keys()
    vocabulary = load_book(edition).vocabulary
    if not keys:
        raise click.UsageError(_nothing_said(flag_keys(vocabulary), formats(vocabulary), word))
    checked(keys, vocabulary)
    return keys


def _nothing_said(keys: Iterable[str], known: Iterable[str], word: str | None) -> str:
    """What to say when a table is wanted of which nothing is said."""
    near = did_you_mean(word or "", known)
    if near:
        return f"no format is called {quoted(word)}. {near}"
    some = f"at least one of {', '.join(f'--{key}' for key in keys)}"
    dealt = f"name a format to be dealt ({', '.join(known)}), or " if known else ""
    return f"{dealt}say what the table starts with, by {some}"


def _dealt(
    name: str,
    edition: str | None,
    players: str | None,
    seed: int | None,
    flags: Flags,
    solver: str,
) -> tuple[dict[str, Any], str]:
    """The keys of a table dealt as its format says, and the edition that says so.

    Quick flags lie over what was dealt. The book looks the whole table over.
    """
    known_solver(solver)
    form, book, chosen = choose(name, edition)
    number = _number(form, flags)
    keys = (flags if number is None else flags.without(form.group_key)).keys(book.vocabulary)
    if form.key in keys:
        raise click.UsageError(f"{name} says which format it is: leave --{form.key} out")
    if seed is not None and not form.by_chance(keys):
        raise click.UsageError("--seed is for what is left to chance, and nothing is here")
    groups = keys.get(form.group_key)
    people = listed_names(players or "")
    if isinstance(groups, dict):
        if people:
            raise click.UsageError(f"say who plays by --players or by --{form.group_key}, not both")
        people = [p for members in groups.values() for p in members]
    if not people:
        raise click.UsageError("who plays? Say it with --players A,B,…")
    dealt = deal(
        form, people, groups or (GROUPS if number is None else number), book.vocabulary, seed
    )
    table = laid_over(dealt, {k: v for k, v in keys.items() if k != form.group_key})
    try:
        game = Session(book, checked(table, book.vocabulary, None, name), None, solver)
    except SeatlogError as error:
        for each in error.errors:
            each.place = None
        raise
    return {**table, **_begun(game)}, chosen


def _begun(game: Session) -> dict[str, Any]:
    """What a first step, in which nothing happens, adds to a table."""
    if not any(p.outcomes for p in game.book.predicates.values()):
        return {}
    before = {(f.name, f.row) for f in game.table.facts}
    new = [f for f in advance(game).said if (f.name, f.row) not in before]
    return as_keys(new, game.book.vocabulary)


def _number(form: Format, flags: Flags) -> int | None:
    """How many groups: what the flag of the groups' key says, when that is only a number."""
    said = flags.texts.get(form.group_key, ("",))
    numbers = [int(text) for text in said if _NUMBER.fullmatch(text)]
    if numbers and len(said) > 1:
        raise click.UsageError(f"--{form.group_key} is said twice: keep one")
    return next(iter(numbers), None)

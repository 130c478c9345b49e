"""What a shell can complete: tables, editions, names at the table, verbs, rule numbers."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

import click
from click.shell_completion import CompletionItem

from ..cases import numbers
from ..editions import editions, home, load_book
from ..errors import SeatlogError
from ..game import asking, asks_for, kinds, players, prepositions
from ..solvers import SOLVERS
from ..table import Opened, open_table
from .tables import is_table

Items = list[CompletionItem]
MOST = 200


def words(ctx: click.Context, _param: click.Parameter, typed: str) -> Items:
    """The next word of a question: a table, then who, a verb, what, a preposition."""
    try:
        said = list(ctx.params.get("words") or ())
        keys = ctx.params["flags"].keys()
        state, *said = said if said and is_table(said[0]) else [None, *said]
        if state is None and not keys:
            return tables(ctx, _param, typed)
        game = open_table(state, ctx.params.get("edition"), keys)
        if [word.casefold() for word in said[:1]] == ["can"] and "can" not in game.table.names:
            said = said[1:]
        return _items(_next(game, said), typed)
    except (SeatlogError, click.ClickException, OSError):
        return []


def _next(game: Opened, said: list[str]) -> Iterator[tuple[str, str]]:
    verbs = game.book.verbs
    at = next((i for i, word in enumerate(said) if i and word in {v.word for v in verbs}), 0)
    if said and not at:
        who = " ".join(said).casefold()
        if who in asking(game.book):
            yield from ((v.word, "verb") for v in verbs if asks_for(who, v, game.book))
            return
        sort = next((s for n, s in game.table.names.items() if n.casefold() == who), "")
        yield from (
            (v.word, "verb") for v in verbs if sort in kinds(v, game.book, game.table.names)
        )
        return
    yield from game.table.names.items()
    if not said:
        yield from ((word, "all who can") for word in asking(game.book)[:2])
    if at and said[at + 1 :]:
        yield from ((p, "") for p in prepositions(v for v in verbs if v.word == said[at]))


def tables(_ctx: click.Context, _param: click.Parameter, typed: str) -> Items:
    """Shipped tables by their names; the shell adds files."""
    shipped = sorted(p.stem for p in (home("facts") / "tables").glob("*.toml"))
    return [*_items(((n, "shipped table") for n in shipped), typed), CompletionItem(typed, "file")]


def books(_ctx: click.Context, _param: click.Parameter, typed: str) -> Items:
    """The shipped editions; the shell adds folders."""
    return [*_items(((n, "") for n in editions()), typed), CompletionItem(typed, "dir")]


def solvers(_ctx: click.Context, _param: click.Parameter, typed: str) -> Items:
    """What works answers out."""
    return _items(SOLVERS.items(), typed)


def layouts(_ctx: click.Context, _param: click.Parameter, typed: str) -> Items:
    """What can be laid out: the shipped editions; the shell adds files."""
    return [*_items(((n, "") for n in editions()), typed), CompletionItem(typed, "file")]


def rules(ctx: click.Context, _param: click.Parameter, typed: str) -> Items:
    """The numbers of an edition's sections, with their titles; from a letter on, predicates."""
    try:
        book = load_book(ctx.params.get("edition"))
    except SeatlogError:
        return []
    named = book.predicates if typed else ()
    titles = [(n, book.sections[n].title) for n in numbers(book)]
    return _items([*titles, *((name, "") for name in named)], typed)


def verbs(ctx: click.Context, _param: click.Parameter, typed: str) -> Items:
    """The verbs of an edition."""
    try:
        book = load_book(ctx.params.get("edition"))
    except SeatlogError:
        return []
    return _items(((word, "") for word in players(book)), typed)


def _items(known: Iterable[tuple[str, str]], typed: str) -> Items:
    folded = typed.casefold()
    found = dict(pair for pair in known if pair[0].casefold().startswith(folded))
    return [
        CompletionItem(_typed(n), help=about or None) for n, about in list(found.items())[:MOST]
    ]


def _typed(name: str) -> str:
    """A name as a shell takes it: only bash wants what has spaces in it escaped already."""
    if os.environ.get("_SEATLOG_COMPLETE", "").startswith("bash"):
        return re.sub(r"([^\w.+/@:%-])", r"\\\1", name)
    return name

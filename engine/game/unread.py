"""What a table says that its book doesn't read, and which shipped editions would read it.

A fact, or a declared word in it, is unread when nothing that can be asked of the book rests on it
(``Book.bearing``). Where another edition's answer rests on it, this book's is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from ..book import Bearing, Book, Fact, Files, Shape, Texts, Vocabulary, Words, unread
from ..editions import editions, load_book
from ..errors import NoRule, Place, many, quoted
from ..model import Statement
from ..table import Table, asked, key_name

MOST = 20

Asks = Callable[[Book], Collection[str]]
"""The predicates of a book that a question asks."""


class Unread(NamedTuple):
    """A fact that a book doesn't read, or of which it doesn't read some words.

    ``spots`` are the terms whose words aren't read; none where the whole fact isn't. ``key`` is how
    a table file says it, ``name`` how ``aside`` calls that key, ``about`` that with a word or text
    that stands there, but not with the table's own names and numbers.
    """

    said: Statement
    spots: tuple[int, ...]
    key: str
    name: str
    about: str
    place: Place

    def is_read(self, bearing: Bearing) -> bool:
        """Whether what bears on something takes in what is unread here."""
        spots = unread(bearing, self.said.name, self.said.row)
        return spots is None or (bool(spots) and set(spots).isdisjoint(self.spots))

    def readers(self, book: Book) -> list[str]:
        """The names of the other shipped editions that read it."""
        return [other.name for other in others(book) if self.is_read(other.bearing)]


def unread_in(book: Book, table: Table) -> list[Unread]:
    """What a table says in vain, in the order in which it says it."""
    out = []
    for fact in asked(table, book.vocabulary):
        spots = unread(book.bearing, fact.name, fact.row)
        if fact.origin and spots is not None:
            declared = book.vocabulary.facts[fact.name]
            shape = _shape(declared, fact)
            key = _key(declared, shape, fact) if shape else str(fact)
            key += ", as the format has it" * bool(shape and _from_format(table, shape))
            name = key_name(declared, shape) if shape else fact.name
            about = name + _word(book.vocabulary, declared, shape, fact)
            out.append(Unread(fact, spots, key, name, about, table.place(fact)))
    return out


def others(book: Book) -> Iterator[Book]:
    """The shipped editions but this one, as far as they know the same tables."""
    every = (load_book(name) for name in editions() if name != book.name)
    return (each for each in every if each.vocabulary.folder == book.vocabulary.folder)


def rests_on(
    book: Book, table: Table, found: Sequence[Unread], asks: Asks
) -> Iterator[tuple[Unread, str]]:
    """What is unread here though another edition's answer rests on it, with that edition."""
    from ..book import Relevance

    for other in others(book) if found else ():
        asked_there = asks(other)
        if asked_there:
            facts = other.vocabulary.facts
            said = [fact for fact in asked(table, book.vocabulary) if fact.name in facts]
            known = Relevance(other.clauses, other.predicates, other.vocabulary, said)
            bearing = known.of(asked_there)
            yield from ((each, other.name) for each in found if each.is_read(bearing))


def refuse_unread(book: Book, table: Table, found: Sequence[Unread], asks: Asks) -> None:
    """Raise NoRule where another edition's answer rests on what is unread here."""
    hits = list(rests_on(book, table, found, asks))
    if not hits:
        return
    first, by = hits[0]
    more = len({each.said for each, _ in hits}) - 1
    error = NoRule(
        f"{book.title} has no rule here on {first.key}"
        + f", nor on {many(more, 'more thing')} that the table says" * bool(more),
        place=first.place,
        hint=f"{by} has one: --edition {by}; to ask without it: --aside {first.name}, or "
        f'aside = ["{first.name}"] above the groups of the table',
    )
    error.about = f"{book.title} has no rule here on {first.about}"
    raise error


def unread_remarks(book: Book, found: Sequence[Unread], places: bool = True) -> list[str]:
    """A sentence for each thing that is unread: place, key, and the editions that would read it."""
    out = []
    for each in found[:MOST]:
        by = ", ".join(each.readers(book))
        where = f"{each.place}: " if places and each.place.line else ""
        would = f"; {by} would" * bool(by)
        out.append(f"{where}{each.key}: no rule of {book.name} reads it{would}")
    if len(found) > MOST:
        out.append(f"and {many(len(found) - MOST, 'more thing')} that no rule reads")
    return out


def _shape(fact: Fact, said: Statement) -> Shape | None:
    """The key by which a fact was said, or could be."""
    path = (
        said.origin if isinstance(said.origin, tuple) and not isinstance(said.origin, Place) else ()
    )
    for shape in fact.shapes:
        if shape.value != "table" and all(w in fact.args or w in path for w in shape.path):
            return shape
    return next((s for s in fact.shapes if s.value != "table"), None)


def _from_format(table: Table, shape: Shape) -> bool:
    """Whether a key stands in the file of the table's format, and not in what the table says."""
    return table.data is not None and not {shape.path[0], "facts"} & set(table.data)


def _word(vocabulary: Vocabulary, fact: Fact, shape: Shape | None, said: Statement) -> str:
    """The word or text that a key has for its value, as a table file says it; else nothing."""
    if shape is None or shape.value not in fact.args:
        return ""
    spot = fact.args.index(shape.value)
    if not isinstance(vocabulary.sorts[fact.sorts[spot]], Files | Texts | Words):
        return ""
    return f" = {quoted(said.row[spot])}"


def _key(fact: Fact, shape: Shape, said: Statement) -> str:
    """A fact as a table file says it."""
    from ..table import key_text, value_text

    terms = dict(zip(fact.args, said.row, strict=True))
    keys = [key_text(str(terms.get(word, word))) for word in shape.path]
    if len(keys) == 2 and isinstance(terms.get(shape.path[1]), int):
        return f"{keys[0]} = [{value_text(terms[shape.value])}]"
    value = "true" if shape.value == "true" else value_text(terms[shape.value])
    return f"{'.'.join(keys)} = {f'[{value}]' if shape.many else value}"

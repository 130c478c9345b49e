"""What can be said and asked: keys of table files, what they may hold, and verbs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..book import Book, Vocabulary
from ..table import written


class Key(NamedTuple):
    """A key of table files: what it says, the sorts it speaks of, and its fact as a literal."""

    key: str
    about: str
    sorts: list[str]
    literal: str
    yes: str


def table_keys(vocabulary: Vocabulary, word: str | None = None) -> list[Key]:
    """Each key of table files, or those that have to do with a word."""
    out: dict[str, Key] = {}
    for fact in vocabulary.facts.values():
        for shape in fact.shapes:
            if word is None or word in (*shape.path, shape.value, fact.name, *fact.sorts):
                args = [w for w in (*shape.path, shape.value) if w in fact.args]
                sorts = [fact.sorts[fact.args.index(a)] for a in args]
                key = written(fact, shape, vocabulary)
                literal = f"{fact.name}({', '.join(fact.args)})"
                out.setdefault(key, Key(key, fact.about, sorts, literal, fact.yes))
    return list(out.values())


def glossary_words(vocabulary: Vocabulary) -> set[str]:
    """The words that have something to do with keys: those of keys, sorts, facts."""
    facts = vocabulary.facts.values()
    keys = {w for f in facts for s in f.shapes for w in (*s.path, s.value)}
    return keys | {*vocabulary.facts} | {*vocabulary.sorts}


def glossary_lines(book: Book, word: str | None = None) -> list[str]:
    """The keys and what they may hold; of a word what has to do with it, facts as literals, too."""
    keys = table_keys(book.vocabulary, word)
    spoken = {s for k in keys for s in k.sorts} | {word}
    sorts = [s for name, s in book.vocabulary.sorts.items() if name in spoken]
    stated = {k.literal: k.yes for k in keys} if word else {}
    parts = [
        _table((k.key, k.about) for k in keys),
        _table(stated.items()),
        _table((s.name, s.holds()) for s in sorts),
    ]
    return [line for part in parts if part for line in ("", *part)][1:]


def _table(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Lines of two columns."""
    found = list(rows)
    widest = max((len(left) for left, _ in found), default=0)
    return [f"{left:<{widest}}  {right}".rstrip() for left, right in found]

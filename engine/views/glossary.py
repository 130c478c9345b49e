"""What can be said and asked: keys of table files, what they may hold, and verbs."""

from __future__ import annotations

from ..book import Book, Vocabulary
from ..table import written


def table_keys(vocabulary: Vocabulary, word: str | None = None) -> list[tuple[str, str, list[str]]]:
    """Each key of table files, what it says, and the sorts it speaks of; or those with a word."""
    out: dict[str, tuple[str, list[str]]] = {}
    for fact in vocabulary.facts.values():
        for shape in fact.shapes:
            if word is None or word in (*shape.path, shape.value, fact.name):
                args = [w for w in (*shape.path, shape.value) if w in fact.args]
                sorts = [fact.sorts[fact.args.index(a)] for a in args]
                out.setdefault(written(fact, shape, vocabulary), (fact.about, sorts))
    return [(key, about, sorts) for key, (about, sorts) in out.items()]


def glossary_words(vocabulary: Vocabulary) -> set[str]:
    """The words that have something to do with keys: those of keys, sorts, facts."""
    facts = vocabulary.facts.values()
    keys = {w for f in facts for s in f.shapes for w in (*s.path, s.value)}
    return keys | {*vocabulary.facts} | {*vocabulary.sorts}


def glossary_lines(book: Book, word: str | None = None) -> list[str]:
    """The keys and what they may hold, or those that have to do with one word, as lines."""
    keys = table_keys(book.vocabulary, word)
    spoken = dict.fromkeys(s for _, _, sorts in keys for s in sorts)
    spoken = dict.fromkeys(s for s in book.vocabulary.sorts if s in spoken or s == word)
    widest = max((len(key) for key, _, _ in keys), default=0)
    lines = [f"{key:<{widest}}  {about}".rstrip() for key, about, _ in keys]
    widest = max(map(len, spoken), default=0)
    lines += [""] if lines and spoken else []
    return [*lines, *(f"{s:<{widest}}  {book.vocabulary.sorts[s].holds()}" for s in spoken)]

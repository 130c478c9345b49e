"""Take a question in players' words apart: who, verb, what, and what stands behind prepositions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .book import Book, Verb, Vocabulary
from .errors import QuestionError, did_you_mean, quoted
from .model import Value

Cut = tuple[str, str, str | None, dict[str, str]]


def cut(words: Sequence[str], verbs: Sequence[Verb], names: Iterable[str]) -> Cut:
    """Who, verb, what, and the names behind prepositions, from separate words.

    Names of several words need no quotes.
    """
    at = _verb_at(words, {v.word for v in verbs}, {n.casefold() for n in names})
    verb = words[at]
    known = prepositions(v for v in verbs if v.word == verb)
    said: dict[str, list[str]] = {"": []}
    last = ""
    for word in words[at + 1 :]:
        if word in known and said[last]:
            last = word
            said[last] = []
        else:
            said[last].append(word)
    what = " ".join(said.pop("")) or None
    return " ".join(words[:at]), verb, what, {p: " ".join(w) for p, w in said.items()}


def players(book: Book) -> list[str]:
    """The players' verbs of a book."""
    return sorted({verb.word for verb in book.verbs})


def prepositions(verbs: Iterable[Verb]) -> list[str]:
    """The prepositions that some verbs take."""
    return sorted({p for verb in verbs for p, _ in verb.others})


def _verb_at(words: Sequence[str], verbs: set[str], names: set[str]) -> int:
    """Where the verb stands: behind the first words that are a name together."""
    for at in range(1, len(words)):
        if words[at] in verbs and " ".join(words[:at]).casefold() in names:
            return at
    return 1


def declared_value(param: str, word: str, vocabulary: Vocabulary) -> Value | None:
    """The number or declared word that a term takes, None where it takes a name.

    Raises QuestionError for what is neither.
    """
    sort = vocabulary.sorts.get(param.rstrip("0123456789"))
    if sort and sort.is_number:
        if not (word.isdecimal() and len(word) < 10):
            raise QuestionError(f"{quoted(word)} is no number, but {param} has to be one")
        return int(word)
    if sort and sort.kind == "word":
        if found := sort.word(word):
            return found
        hint = did_you_mean(word, sort.choices) or "there are: " + ", ".join(sort.choices)
        raise QuestionError(f"no {param} is called {quoted(word)}", hint=hint)
    return None

"""Questions that two books are asked alike: a verb with names, or a text in clause syntax.

What a book calls the predicate behind a verb is its own matter: a question is who, which verb, what
and what stands behind prepositions, and each book finds its predicate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..book import Book, Verb
from ..errors import quoted
from ..game import Session, kinds
from ..model import Const, Literal, Row, Value, show_value

_CALLED, _COUNT = re.compile(r"\b([A-Za-z_]\w*)\s*\("), "count"
_TEXT = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_PLAIN = re.compile(r"[^\s\"',:?]+")


class Question(NamedTuple):
    """Who does what to whom; or, where ``ask`` isn't empty, a question in clause syntax.

    One without either is about the table itself: whether a book takes it. ``said`` are the words of
    a question that was written by somebody, to be read as they stand.
    """

    who: str | None
    verb: str
    what: Value | None = None
    others: tuple[tuple[str, Value], ...] = ()
    ask: str = ""
    said: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The question as a person types it behind ``seatlog can TABLE``, or ``seatlog ask``."""
        if self.ask:
            return self.ask
        if self.said:
            return " ".join(map(_typed, self.said))
        if not self.verb:
            return "the table itself"
        said = ["who" if self.who is None else _typed(self.who), self.verb]
        said += [] if self.what is None else [_typed(self.what)]
        for preposition, name in self.others:
            said += [preposition, _typed(name)]
        return " ".join(said)

    @property
    def words(self) -> list[str]:
        """The words of ``can`` in a scenario; none for a question in clause syntax."""
        if self.ask or self.said:
            return list(self.said)
        said = ["who" if self.who is None else self.who, self.verb]
        said += [] if self.what is None else [str(self.what)]
        for preposition, name in self.others:
            said += [preposition, str(name)]
        return said


THE_TABLE = Question(None, "")
"""Whether a book takes a table."""


def _typed(name: Value) -> str:
    """A name as it is typed: in quotes where it isn't one word."""
    return str(name) if isinstance(name, int) or _PLAIN.fullmatch(name) else quoted(name)


def of_words(said: Sequence[str], books: Iterable[Book]) -> Question:
    """A question in somebody's own words; its verb is the first word that is one in some book."""
    known = {verb.word for book in books for verb in book.verbs}
    behind = [word.casefold() for word in " ".join(said[1:]).split()]
    verb = next((word for word in behind if word in known), (*behind, "")[0])
    return Question(None, verb, said=tuple(said))


def predicates(ask: str) -> set[str]:
    """The predicates that a question in clause syntax speaks of."""
    return set(_CALLED.findall(re.sub(_TEXT, "", ask))) - {_COUNT}


def of_row(verb: Verb, row: Row) -> Question:
    """The question that a row of a verb's predicate answers."""
    return Question(
        str(row[verb.who]),
        verb.word,
        None if verb.what is None else row[verb.what],
        tuple((preposition, row[spot]) for preposition, spot in verb.others),
    )


def of_literal(book: Book, word: str, literal: Literal) -> Question | None:
    """The question that a ground literal answers, asked by a verb of this word, if one does."""
    row = tuple(t.value for t in literal.args if isinstance(t, Const))
    for verb in book.verbs:
        if (verb.word, verb.predicate) == (word, literal.name) and len(row) == len(literal.args):
            return of_row(verb, row)
    return None


def as_clause(book: Book, question: Question, sorts: Mapping[str, str]) -> str:
    """A question with every term named in clause syntax, by a book's own predicate; or nothing.

    ``sorts`` are those of the names at the table.
    """
    behind = {preposition for preposition, _ in question.others}
    for verb in book.verbs:
        own = {preposition for preposition, _ in verb.others}
        fits = verb.word == question.verb and own == behind
        if not fits or (verb.what is None) != (question.what is None) or question.who is None:
            continue
        if sorts.get(question.who) not in kinds(verb, book, sorts):
            continue
        terms: dict[int, Value] = {verb.who: question.who}
        if verb.what is not None and question.what is not None:
            terms[verb.what] = question.what
        terms |= {spot: dict(question.others)[p] for p, spot in verb.others}
        return f"{verb.predicate}({', '.join(show_value(terms[i]) for i in sorted(terms))})"
    return ""


def subjects(game: Session, word: str) -> Iterator[str]:
    """Those at a table of whom a verb can be asked, whatever stands behind it."""
    own = [kinds(v, game.book, game.table.names) for v in game.book.verbs if v.word == word]
    for name, sort in game.table.names.items():
        if any(sort in each for each in own):
            yield name

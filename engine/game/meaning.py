"""What words mean over one book and one table: names, verbs, predicates and their terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ..book import AnyOf, Book, Verb, Words
from ..editions import editions, load_book
from ..errors import NoRule, QuestionError, a, did_you_mean, many, quoted
from ..model import Const, Literal, Value, Var
from ..table import kind
from .grammar import declared_value, kinds, players
from .names import NUMBER
from .names import kind as kind_of


class Meaning:
    """Finds what is meant by words, or says what was wanted. Every method raises QuestionError."""

    def __init__(self, book: Book, names: Mapping[str, str]) -> None:
        self.book, self.names = book, names
        self._who: dict[Verb, frozenset[str]] = {}

    def name(self, word: Value | None) -> str:
        """The name at the table that a person means, whatever its case. Raises QuestionError."""
        names = self.names
        word = said_text(word, "a name", "WHO VERB WHAT")
        if word in names:
            return word
        folded = [n for n in names if n.casefold() == word.casefold()]
        if len(folded) == 1:
            return folded[0]
        hint = did_you_mean(word, names)
        if not hint:
            shown = ", ".join(list(names)[:12])
            hint = f"at the table: {shown}" if shown else "the table names nobody"
        raise QuestionError(f"nobody and nothing at the table is called {quoted(word)}", hint=hint)

    def meant(self, param: str, word: str | int) -> Const:
        """What a word stands for as a term: a number, a declared word, or a name at the table."""
        value = declared_value(param, word, self.book.vocabulary)
        return Const(self.name(word) if value is None else value)

    def verb(self, word: str, subject: str, prepositions: set[str]) -> Verb:
        """The verb that fits who is asked, with all these prepositions."""
        known = [v for v in self.book.verbs if v.word == word]
        if not known:
            self.look_elsewhere(lambda book: any(v.word == word for v in book.verbs), word)
            hint = did_you_mean(word, players(self.book)) or "verbs: " + ", ".join(
                players(self.book)
            )
            raise QuestionError(f"nobody can {quoted(word)}: no such verb", hint=hint)
        sort = self.names[subject]
        for verb in known:
            if sort in self._kinds(verb) and prepositions <= set(dict(verb.others)):
                return verb
        if not any(prepositions <= set(dict(v.others)) for v in known):
            known_words = sorted({p for v in known for p, _ in v.others})
            said = " or ".join(map(quoted, sorted(prepositions)))
            raise QuestionError(
                f"{word} takes nothing behind {said} here",
                hint="it takes: " + ", ".join(known_words) if known_words else "",
            )
        wanted = sorted({kind for v in known for kind in self._asked_of(v)})
        raise QuestionError(
            f"{quoted(subject)} is {a(sort.lower())}, and can't {word}",
            hint="this can be asked of " + " or ".join(a(w.lower()) for w in wanted),
        )

    def _kinds(self, verb: Verb) -> frozenset[str]:
        """The sorts of names that can be who of a verb."""
        found = self._who.get(verb)
        if found is None:
            found = self._who[verb] = kinds(verb, self.book, self.names)
        return found

    def _asked_of(self, verb: Verb) -> Sequence[str]:
        """Who can be who of a verb: its sort, or the sorts of which it is any."""
        param = self.book.predicates[verb.predicate].params[verb.who]
        sort = self.book.vocabulary.sorts.get(param)
        return sort.sorts if isinstance(sort, AnyOf) else [param]

    def literal(self, predicate: str, args: Sequence[Value | None]) -> Literal:
        """A predicate with values and open terms. Raises QuestionError."""
        known = self.book.arg_sorts
        predicate = said_text(predicate, "a predicate", next(iter(known), "name"))
        if predicate not in known:
            self.look_elsewhere(lambda book: predicate in book.arg_sorts, predicate)
            hint = did_you_mean(predicate, known)
            raise QuestionError(f"no predicate is called {quoted(predicate)}", hint=hint)
        sorts = known[predicate]
        fact = self.book.vocabulary.facts.get(predicate)
        terms = self.terms(predicate)
        takes = fact.sorts if fact else terms
        if len(args) != len(sorts):
            raise QuestionError(
                f"{predicate} takes {many(len(sorts), 'term')}, not {len(args)}",
                hint=f"like: {predicate}({', '.join(terms)}); None leaves a term open",
            )
        out: list[Const | Var] = []
        for spot, (value, allowed) in enumerate(zip(args, sorts, strict=True)):
            if value is None:
                out.append(Var(f"V{spot}"))
            elif allowed is not None:
                out.append(Const(self.name(value)))
            elif type(value) is str and kind_of(self.book, predicate, spot) == NUMBER:
                out.append(Const(_number(terms[spot], value)))
            elif type(value) in (str, int):
                out.append(Const(self._term(takes[spot], value, fact is not None)))
            else:
                raise QuestionError(
                    f"a term is a text, a number or None, not {kind(value)}",
                    hint="None leaves a term open",
                )
        return Literal(predicate, tuple(out))

    def terms(self, predicate: str) -> Sequence[str]:
        """What a predicate's terms are called."""
        fact = self.book.vocabulary.facts.get(predicate)
        return fact.args if fact else self.book.predicates[predicate].params

    def _term(self, param: str, value: Value, stated: bool) -> Value:
        """A term that is no name: a number where there are only numbers, a word as declared.

        What a table states takes no other word. Raises QuestionError.
        """
        sort = self.book.vocabulary.sorts.get(param.rstrip("0123456789"))
        if sort and (sort.is_number or stated):
            found = declared_value(param, value, self.book.vocabulary)
            return value if found is None else found
        known = sort.word(value) if isinstance(sort, Words) and isinstance(value, str) else None
        return known or value

    def look_elsewhere(self, knows: Callable[[Book], bool], word: str) -> None:
        """Raise NoRule where another shipped edition knows a word that this one doesn't."""
        for name in editions():
            if name != self.book.name and knows(load_book(name)):
                raise NoRule(
                    f"{self.book.title} has no rule on {quoted(word)}", hint=f"{name} has one"
                )


def _number(term: str, said: str) -> int:
    """The number that a text is. Raises QuestionError."""
    if re.fullmatch(r"-?[0-9]{1,9}", said):
        return int(said)
    raise QuestionError(f"{quoted(said)} is no number, but {term} has to be one", hint="like: 2")


def said_text(value: object, what: str, like: str) -> str:
    """A text, which is what was wanted. Raises QuestionError for anything else."""
    if isinstance(value, str):
        return value
    raise QuestionError(f"{what} is a text, not {kind(value)}", hint=f"like: {like}")

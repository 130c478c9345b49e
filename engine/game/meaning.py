"""What words mean over one book and one table: names, verbs, predicates and their terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ..book import VERB, AnyOf, Book, Verb, Words, roots
from ..editions import editions, load_book
from ..errors import NoRule, QuestionError, a, did_you_mean, many, quoted
from ..model import Const, Literal, Value, Var
from ..table import kind
from .grammar import ASKING, WHICH, asking, asks_for, declared_value, kinds, players


class Meaning:
    """Finds what is meant by words, or says what was wanted. Every method raises QuestionError."""

    def __init__(self, book: Book, names: Mapping[str, str]) -> None:
        self.book, self.names = book, names
        self._who: dict[Verb, frozenset[str]] = {}
        self._verbs: dict[str, list[Verb]] = {}
        self._asking: list[str] | None = None
        self._asks: frozenset[str] = frozenset()

    @property
    def asking(self) -> list[str]:
        """The words that ask for names: who, what, and which of each sort that can do something."""
        if self._asking is None:
            self._asking = asking(self.book)
            self._asks = frozenset(self._asking)
        return self._asking

    def asks(self, word: str) -> bool:
        """Whether a word asks for names."""
        return bool(self.asking) and word.casefold() in self._asks

    def subject(self, word: Value | None) -> str | None:
        """The name of who is asked about, or None where names are asked for.

        None, and a word that asks for names, stand for everybody; a name goes before such a word.
        """
        if word is None:
            return None
        word = said_text(word, "a name", "WHO VERB WHAT")
        if self._named(word) is None and self.asks(word):
            return None
        return self.name(word, self.asking)

    def _named(self, word: str) -> str | None:
        """The one name that is this word, whatever its case."""
        if word in self.names:
            return word
        folded = [n for n in self.names if n.casefold() == word.casefold()]
        return folded[0] if len(folded) == 1 else None

    def name(self, word: Value | None, others: Sequence[str] = ()) -> str:
        """The name at the table that a person means, whatever its case. Raises QuestionError.

        ``others`` are words that would do as well, for the hint.
        """
        word = said_text(word, "a name", "WHO VERB WHAT")
        found = self._named(word)
        if found is not None:
            return found
        if self.asks(word):
            raise QuestionError(
                f"{quoted(word)} asks for names, and can only stand before the verb",
                hint="leave it out: what is left open is answered by all for which it is so",
            )
        raise self.nobody(word, others)

    def nobody(self, word: str, others: Sequence[str] = ()) -> QuestionError:
        """A name that isn't at the table, with what was meant or what is there."""
        hint = did_you_mean(word, [*self.names, *others])
        if not hint:
            shown = ", ".join(list(self.names)[:12])
            hint = f"at the table: {shown}" if shown else "the table names nobody"
        return QuestionError(f"nobody and nothing at the table is called {quoted(word)}", hint=hint)

    def meant(self, param: str, word: str | int) -> Const:
        """What a word stands for as a term: a number, a declared word, or a name at the table."""
        value = declared_value(param, word, self.book.vocabulary)
        return Const(self.name(word) if value is None else value)

    def verb(
        self,
        word: str,
        subject: str | None,
        prepositions: set[str],
        asked: str = "",
        what: object = None,
    ) -> Verb:
        """The verb that fits who is asked about, with all these prepositions.

        Without a subject it is the one that fits ``asked``, a word that asks for names, and
        ``what`` where one is named.
        """
        known = self._verbs.get(word)
        if known is None:
            known = self._verbs[word] = [v for v in self.book.verbs if v.word == word]
        if not known:
            self.look_elsewhere(lambda book: any(v.word == word for v in book.verbs), word)
            raise self._no_verb(word, subject)
        fitting = known
        if prepositions:
            fitting = [v for v in known if prepositions <= set(dict(v.others))]
        if not fitting:
            known_words = sorted({p for v in known for p, _ in v.others})
            said = " or ".join(map(quoted, sorted(prepositions)))
            raise QuestionError(
                f"{word} takes nothing behind {said} here",
                hint="it takes: " + ", ".join(known_words) if known_words else "",
            )
        if subject is None:
            return self._of_all(word, fitting, asked, what)
        sort = self.names[subject]
        for verb in fitting:
            if sort in self._kinds(verb):
                return verb
        wanted = sorted({kind for v in known for kind in self._asked_of(v)})
        raise QuestionError(
            f"{quoted(subject)} is {a(sort.lower())}, and can't {word}",
            hint="this can be asked of " + " or ".join(a(w.lower()) for w in wanted),
        )

    def _of_all(self, word: str, fitting: Sequence[Verb], asked: str, what: object) -> Verb:
        """The verb that is meant where names are asked for: by who, what, or which of a sort."""
        found = [v for v in fitting if asks_for(asked, v, self.book)]
        if not found:
            ways = self._ways(fitting)
            raise QuestionError(
                f"{quoted(asked)} can't {word}",
                hint=f"did you mean {' or '.join(quoted(f'{way} {word}') for way in ways)}?",
            )
        if len({self._param(v) for v in found}) > 1 and isinstance(what, str):
            sort = self.names.get(self._named(what) or "")
            found = [v for v in found if self._takes(v, sort)] or found
        if len({self._param(v) for v in found}) > 1:
            ways = self._ways(found)
            raise QuestionError(
                f"who or what is meant to {word}: this can be read in more than one way",
                hint="say " + " or ".join(quoted(f"{way} {word}") for way in ways),
            )
        return found[0]

    def _ways(self, verbs: Sequence[Verb]) -> list[str]:
        """The shortest words that ask for who of each verb, each of them once."""
        out = []
        for verb in verbs:
            own = [w for w in ASKING if asks_for(w, verb, self.book)]
            alone = [
                w
                for w in own
                if all(
                    self._param(v) == self._param(verb) or not asks_for(w, v, self.book)
                    for v in verbs
                )
            ]
            out.append((*alone, f"{WHICH} {self._param(verb)}")[0])
        return list(dict.fromkeys(out))

    def _param(self, verb: Verb) -> str:
        """What is called who of a verb, in small letters."""
        return self.book.predicates[verb.predicate].params[verb.who].casefold()

    def _takes(self, verb: Verb, sort: str | None) -> bool:
        """Whether a name of a sort can be what of a verb."""
        if verb.what is None or sort is None:
            return verb.what is not None
        inferred = self.book.arg_sorts[verb.predicate][verb.what]
        declared = self.book.vocabulary.sorts.get(
            self.book.predicates[verb.predicate].params[verb.what]
        )
        allowed = roots(declared, self.book.vocabulary.sorts) if declared else None
        return all(each is None or sort in each for each in (inferred, allowed))

    def _no_verb(self, word: str, subject: str | None) -> QuestionError:
        """A word that is no verb: what is meant, or what else can be asked of a subject."""
        hint = self.book.vocabulary.hint(VERB, word) or did_you_mean(word, players(self.book))
        return QuestionError(
            f"nobody can {quoted(word)}: no such verb", hint=hint or self.askable(subject)
        )

    def askable(self, subject: str | None) -> str:
        """What can be asked of a name at the table, or of anybody, for a hint."""
        sort = self.names.get(subject or "", "")
        own = [v for v in self.book.verbs if not sort or sort in self._kinds(v)]
        whose = f"what {a(sort.lower())} can be asked: " if sort else "verbs: "
        return whose + ", ".join(sorted({v.word for v in own}))

    def wants_verb(self, said: Sequence[str]) -> None:
        """Raise QuestionError for words that are nothing but a name at the table."""
        subject = self._named(" ".join(said)) if said else None
        if subject is not None:
            raise QuestionError(
                f"{subject} is at the table, but a verb is missing",
                hint=self.askable(subject),
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
            elif type(value) is str and self._is_number(predicate, spot):
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

    def _is_number(self, predicate: str, spot: int) -> bool:
        """Whether a term of a predicate can only be a number."""
        from .names import NUMBER
        from .names import kind as kind_of

        return kind_of(self.book, predicate, spot) == NUMBER

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

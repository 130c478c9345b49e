"""The grammar of players' words: who, verb, what, and what stands behind prepositions.

The same for every face: names of several words may stand bare where that can be read in one way
only, or in quotes; "can" before and a question mark behind are welcome.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from ..book import Book, Verb, Vocabulary, Words, roots
from ..errors import QuestionError, closest, did_you_mean, quoted
from ..model import Value

MAX_WORDS = 40
MAX_SPOTS = 10
WHO, WHAT, WHICH = "who", "what", "which"
ASKING = (WHO, WHAT)
"""The words in a name's stead that ask for all names of which something is true."""
QUOTES = 'put names of several words in quotes, like "Two Words"'
_WORD = (
    r"""\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'(?=[,:]?(?:\s|$))|(?P<plain>[^\s"]+?))"""
    r"""(?P<end>[,:]?)(?=\s|$)"""
)
_CLAUSE = r"~?\s*[A-Za-z_]\w*\s*\(|~?\s*\("


class Word(NamedTuple):
    """A word, or several in quotes; a comma or colon behind it ends what it is part of."""

    text: str
    quoted: bool = False
    ends: bool = False


class Spoken(NamedTuple):
    """A question in players' words: ``others`` are names behind a preposition.

    ``who`` is a name, or a word that asks for names, like "who" or "which" and a sort.
    """

    who: str
    verb: str
    what: str | None = None
    others: tuple[tuple[str, str], ...] = ()


def is_clause(text: str) -> bool:
    """Whether a question is in clause syntax rather than in players' words."""
    return bool(re.match(_CLAUSE, text))


def words(text: str) -> list[Word]:
    """The words of a line; names of several words may stand in quotes. Raises QuestionError."""
    out: list[Word] = []
    pattern = re.compile(_WORD)
    at, text = 0, text.strip()
    while at < len(text):
        match = pattern.match(text, at)
        if match is None:
            shown = quoted(text[at:].strip())
            raise QuestionError(f"a quote is open, or a word runs into it: {shown}")
        inner = match["plain"] if match["plain"] is not None else match["double"]
        inner = inner if inner is not None else match["single"]
        out.append(Word(inner, match["plain"] is None, bool(match["end"])))
        at = match.end()
        if len(out) > MAX_WORDS:
            raise QuestionError(f"more than {MAX_WORDS} words are too many to be read")
    return out


def parts(said: Sequence[str]) -> list[Word]:
    """Words that come apart already, as from a shell; one alone is read as a line.

    What has a space in it is one name.
    """
    if len(said) == 1 and " " in said[0].strip():
        return words(said[0])
    return [Word(text, quoted=" " in text) for text in said]


def joined(part: Sequence[Word]) -> str:
    """Words as one name."""
    return " ".join(w.text for w in part)


def near_miss(word: str, known: Iterable[str]) -> str:
    """The word a person most likely meant, two letters that changed places included, or nothing."""
    choices = list(known)
    letters = sorted(word.casefold())
    swapped = (c for c in choices if sorted(c.casefold()) == letters)
    return closest(word, choices) or next(swapped, "")


def one_name(part: Sequence[Word]) -> bool:
    """Whether words can be one name: none of several is in quotes or ends what it is part of."""
    return bool(part) and (
        len(part) == 1 or not any(w.quoted or (w.ends and w is not part[-1]) for w in part)
    )


def players(book: Book) -> list[str]:
    """The players' verbs of a book."""
    return sorted({verb.word for verb in book.verbs})


def kinds(verb: Verb, book: Book, names: Mapping[str, str]) -> frozenset[str]:
    """The sorts of names at a table that can be who of a verb."""
    every = frozenset(names.values())
    allowed = asked_of(verb, book)
    return every if allowed is None else every & allowed


def asked_of(verb: Verb, book: Book) -> frozenset[str] | None:
    """The sorts of names that can be who of a verb, whatever the table; None for any."""
    sorts = book.vocabulary.sorts
    declared = sorts.get(book.predicates[verb.predicate].params[verb.who])
    allowed = roots(declared, sorts) if declared else None
    inferred = book.arg_sorts[verb.predicate][verb.who]
    if allowed is None or inferred is None:
        return inferred if allowed is None else allowed
    return allowed & inferred


def asks_for(word: str, verb: Verb, book: Book) -> bool:
    """Whether a word asks for what can be who of a verb; an empty one asks for anything."""
    word, vocabulary = word.casefold(), book.vocabulary
    if word not in ASKING:
        return (
            not word
            or word == f"{WHICH} {book.predicates[verb.predicate].params[verb.who]}".casefold()
        )
    if not vocabulary.who:
        return True
    found = [roots(vocabulary.sorts[s], vocabulary.sorts) or frozenset() for s in vocabulary.who]
    persons = frozenset[str]().union(*found)
    allowed = asked_of(verb, book)
    return allowed is None or bool(allowed & persons if word == WHO else allowed - persons)


def asking(book: Book) -> list[str]:
    """The words that ask for names: who, what, and which of each sort that can do something."""
    params = (book.predicates[v.predicate].params[v.who] for v in book.verbs)
    return [*ASKING, *sorted({f"{WHICH} {p.casefold()}" for p in params})]


def prepositions(verbs: Iterable[Verb]) -> list[str]:
    """The prepositions that some verbs take."""
    return sorted({p for verb in verbs for p, _ in verb.others})


def spoken(
    said: Sequence[Word],
    names: Iterable[str],
    verbs: Sequence[Verb],
    asking: Sequence[str] = ASKING,
) -> Spoken:
    """A question in players' words, with or without its "can" and its question mark.

    ``asking`` are the words that ask for names; a name at the table goes before them. Raises
    QuestionError when it can't be one, or could be two.
    """
    known, variants = Known(names), [said]
    open_words = {word: word for word in asking if known.get(word) is None}
    if said and said[-1].text.endswith("?"):
        last = said[-1]._replace(text=said[-1].text[:-1])
        said = [*said[:-1], last] if last.text else said[:-1]
        variants.append(said)
    if not all(word.text.strip() for word in said):
        raise QuestionError("a word of the question is empty", hint="leave it out")
    if not said:
        raise QuestionError("a question is missing", hint="like: WHO VERB WHAT")
    if said[0].text.casefold() == "can" and not said[0].quoted and len(said) > 1:
        variants += [variant[1:] for variant in variants]
    found = dict.fromkeys(s for v in variants for s in _readings(v, known, open_words, verbs))
    if len(found) == 1:
        return next(iter(found))
    if found:
        shown = " or ".join(_shown(s) for s in found)
        raise QuestionError(f"this can be read in more than one way: {shown}", hint=QUOTES)
    return _unread(variants[-1], known, open_words, verbs)


def _readings(
    said: Sequence[Word],
    known: Known,
    asking: Mapping[str, str],
    verbs: Sequence[Verb],
) -> Iterator[Spoken]:
    """Readings in which every name is one at the table, or who is asked for."""
    for at, word in enumerate(said):
        before = joined(said[:at])
        who = known.get(before) or asking.get(before.casefold())
        spoken_verbs = [v for v in verbs if v.word == word.text.casefold()]
        if not spoken_verbs or who is None or word.quoted or not one_name(said[:at]):
            continue
        rest = said[at + 1 :]
        prepositions = {p for v in spoken_verbs for p, _ in v.others}
        spots = [i for i, w in enumerate(rest) if w.text in prepositions and not w.quoted]
        if len(spots) > MAX_SPOTS:
            raise QuestionError("this can be read in too many ways", hint=QUOTES)
        for number in range(len(spots) + 1):
            for chosen in combinations(spots, number):
                parts = _cut(rest, chosen)
                named = [known.get(joined(p)) for p in parts if p]
                whole = all(one_name(p) for p in parts[not parts[0] :])
                if whole and None not in named and all(parts[1:]):
                    what = named[0] if parts[0] else None
                    behind = [n for n in named if n is not None][bool(parts[0]) :]
                    pairs = zip((rest[i].text for i in chosen), behind, strict=True)
                    yield Spoken(who, spoken_verbs[0].word, what, tuple(pairs))


def _cut(rest: Sequence[Word], chosen: Sequence[int]) -> list[Sequence[Word]]:
    spots = [-1, *chosen, len(rest)]
    return [rest[a + 1 : b] for a, b in pairwise(spots)]


def _shown(said: Spoken) -> str:
    behind = [f"{preposition} {quoted(name)}" for preposition, name in said.others]
    what = [quoted(said.what)] if said.what else []
    return " ".join([quoted(said.who), said.verb, *what, *behind])


def _unread(
    said: Sequence[Word], known: Known, asking: Mapping[str, str], every: Sequence[Verb]
) -> Spoken:
    """The likeliest reading of what can't be right, so that asking it says what is wrong."""
    verbs = {v.word for v in every}
    at = next((i for i, w in enumerate(said) if i and w.text.casefold() in verbs), 0)
    if not at:
        heads = {i: joined(said[:i]) for i in range(1, len(said))}
        starts = [i for i, word in heads.items() if known.get(word) or word.casefold() in asking]
        at = starts[-1] if starts else 1
        near = next((i for i in range(1, len(said)) if closest(said[i].text, verbs)), 0)
        at = near if near and not starts else at
    if at >= len(said):
        raise QuestionError(
            f"{quoted(joined(said))} is no question",
            hint="like: WHO VERB WHAT",
        )
    verb = said[at].text.casefold() if said[at].text.casefold() in verbs else said[at].text
    rest = said[at + 1 :]
    prepositions = {p for v in every if v.word == verb for p, _ in v.others}
    spots = [i for i, w in enumerate(rest[:-1]) if i and w.text in prepositions]
    what, *behind = (joined(part) for part in _cut(rest, spots))
    pairs = zip((rest[i].text for i in spots), behind, strict=True)
    return Spoken(joined(said[:at]), verb, what or None, tuple(pairs))


class Known:
    """The names at a table, in any case where that leaves no choice."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = set(names)
        self._folded: dict[str, str | None] = {}
        for name in self._names:
            folded = name.casefold()
            self._folded[folded] = None if folded in self._folded else name

    def get(self, word: str) -> str | None:
        """The name that is meant by a word, or None."""
        return word if word in self._names else self._folded.get(word.casefold())


def crossing(said: Spoken, names: Iterable[str]) -> list[str]:
    """The names that the words of a question hold across what they were read as."""
    behind = [part for pair in said.others for part in pair]
    whole = [said.who, said.verb, *([said.what] if said.what else []), *behind]
    words = [(word, spot) for spot, part in enumerate(whole) for word in part.casefold().split()]
    links = {said.verb, *(preposition for preposition, _ in said.others)}
    found = []
    for name in names:
        own = name.casefold().split()
        if len(own) > 1 and links & set(own):
            runs = (words[i : i + len(own)] for i in range(len(words) - len(own) + 1))
            if any([w for w, _ in run] == own and run[0][1] != run[-1][1] for run in runs):
                found.append(name)
    return found


def declared_value(param: str, word: Value, vocabulary: Vocabulary) -> Value | None:
    """The number or declared word that a term takes, None where it takes a name.

    Raises QuestionError for what is neither.
    """
    sort = vocabulary.sorts.get(param.rstrip("0123456789"))
    if sort and sort.is_number:
        if isinstance(word, int) and not isinstance(word, bool):
            return word
        if not (isinstance(word, str) and word.isdecimal() and len(word) < 10):
            what = f"{quoted(word)} is no number, but {param} has to be one"
            raise QuestionError(what, hint="like: 2")
        return int(word)
    if isinstance(sort, Words) and isinstance(word, str):
        if found := sort.word(word):
            return found
        hint = did_you_mean(word, sort.words) or "there are: " + ", ".join(sort.words)
        raise QuestionError(f"no {param} is called {quoted(word)}", hint=hint)
    return None

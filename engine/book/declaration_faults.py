"""Check a vocabulary once all of it has been read: sorts that fit together, holes that exist."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..errors import BookError, Place, did_you_mean
from ..model import Value
from .sentences import holes
from .sorts import AnyOf, Names, Numbers, Sort, Words
from .vocabulary import COMMAND, FACT, PLACES, TABLE, Fact, Vocabulary

MOST_SORTS = 100


def doubtful(vocabulary: Vocabulary, places: Mapping[str, Place]) -> Iterator[BookError]:
    """Everything in a vocabulary that nobody could use as it stands."""
    for fact in vocabulary.facts.values():
        yield from _fact(fact, vocabulary.sorts)
    for sort in vocabulary.sorts.values():
        yield from _sort(sort, vocabulary.sorts, places.get(sort.name, Place("")))


def _fact(fact: Fact, sorts: Mapping[str, Sort]) -> Iterator[BookError]:
    for name in fact.sorts:
        if name not in sorts:
            yield BookError(
                f"no sort is called {name}",
                place=fact.place,
                hint=did_you_mean(name, sorts) or "declare it: # sort: …",
                code="V01",
            )
    for value, sort in zip(fact.default or (), (sorts.get(s) for s in fact.sorts), strict=False):
        if sort and not _fits(value, sort):
            yield BookError(
                f"{value} can't be assumed: it is no {sort.name}", place=fact.place, code="V02"
            )
    for text in (fact.yes, fact.no, *fact.tree_no):
        for hole in holes(text):
            if hole not in fact.args:
                yield BookError(
                    f"the sentence of {fact.name} speaks of {{{hole}}}, which isn't there",
                    place=fact.place,
                    hint=did_you_mean(hole, fact.args) or "use: " + ", ".join(fact.args),
                    code="L10",
                )


def misplaced(
    vocabulary: Vocabulary, hinted: Iterable[tuple[str, str, Place]]
) -> Iterator[BookError]:
    """Hints that nobody would ever see: in no place there is, or for a word that is right there."""
    known = {place: {*words} for place, words in _known(vocabulary).items()}
    for place, word, at in hinted:
        if place not in known:
            yield BookError(
                f"nobody looks for words in {place}",
                place=at,
                hint=did_you_mean(place, known)
                or f"say a sort, a group of keys, or one of: {', '.join(PLACES)}",
                code="V02",
            )
        elif word in known[place]:
            yield BookError(
                f"{word} is right there, and needs no hint",
                place=at,
                hint="take it out of the hint",
                code="V02",
            )


def _known(vocabulary: Vocabulary) -> dict[str, list[str]]:
    """The words that are right, by the place where they are looked for."""
    out: dict[str, list[str]] = {name: [] for name in PLACES}
    out |= {s.name: [w.casefold() for w in s.words] for s in vocabulary.sorts.values()}
    out[FACT] = list(vocabulary.facts)
    for fact in vocabulary.facts.values():
        out[COMMAND].append(fact.command)
        for shape in fact.shapes:
            group, *inner = shape.path
            out[TABLE].append(group)
            out.setdefault(group, []).extend(w for w in inner if w not in fact.args)
    return out


def _fits(value: Value, sort: Sort) -> bool:
    """Whether a value may be assumed: a number in bounds, a declared word, any name."""
    if isinstance(sort, Words):
        return value in sort.words
    return sort.is_number == isinstance(value, int) and not sort.fault(value)


def _sort(sort: Sort, sorts: Mapping[str, Sort], place: Place) -> Iterator[BookError]:
    if isinstance(sort, Numbers) and None not in (sort.low, sort.high) and sort.low > sort.high:  # type: ignore[operator]
        yield BookError(
            f"{sort.name} runs from {sort.low} down to {sort.high}",
            place=place,
            hint="the lower number comes first",
            code="V02",
        )
    if isinstance(sort, Words) and "" in sort.words:
        yield BookError(
            f"{sort.name} is one of words, and one is missing",
            place=place,
            hint="a comma stands between two words",
            code="V02",
        )
    for name in sort.shared if isinstance(sort, Names) else ():
        if name not in sorts:
            yield BookError(
                f"no sort is called {name}",
                place=place,
                hint=did_you_mean(name, sorts) or "declare it: # sort: …",
                code="V01",
            )
    if not isinstance(sort, AnyOf):
        return
    seen, todo = {sort.name}, list(sort.sorts)
    while todo:
        name = todo.pop()
        if name not in sorts:
            yield BookError(
                f"no sort is called {name}",
                place=place,
                hint=did_you_mean(name, sorts) or "declare it: # sort: …",
                code="V01",
            )
        elif name == sort.name and name > min(seen):
            return
        elif name == sort.name:
            yield BookError(
                f"{sort.name} is only like itself", place=place, hint="break the circle", code="V02"
            )
            return
        elif len(seen) > MOST_SORTS:
            yield BookError(
                f"{sort.name} is any of more than {MOST_SORTS} sorts",
                place=place,
                hint="say it with fewer",
                code="V02",
            )
            return
        elif name not in seen:
            seen.add(name)
            inner = sorts[name]
            todo += inner.sorts if isinstance(inner, AnyOf) else ()

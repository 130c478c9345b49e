"""Check a vocabulary once all of it has been read: sorts that fit together, holes that exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..errors import BookError, Place, did_you_mean
from ..model import MAX_INT, Value
from .sentences import holes
from .vocabulary import Fact, Sort, Vocabulary

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
    for text in (fact.yes, fact.no, fact.tree_no):
        for hole in holes(text):
            if hole not in fact.args:
                yield BookError(
                    f"the sentence of {fact.name} speaks of {{{hole}}}, which isn't there",
                    place=fact.place,
                    hint=did_you_mean(hole, fact.args) or "use: " + ", ".join(fact.args),
                    code="L10",
                )


def _fits(value: Value, sort: Sort) -> bool:
    """Whether a value may be assumed: a number in bounds, a declared word, any name."""
    if sort.kind == "number" or isinstance(value, int):
        low = -MAX_INT if sort.low is None else sort.low
        high = MAX_INT if sort.high is None else sort.high
        return sort.is_number and isinstance(value, int) and low <= value <= high
    return sort.kind != "word" or value in sort.choices


def _sort(sort: Sort, sorts: Mapping[str, Sort], place: Place) -> Iterator[BookError]:
    if sort.low is not None and sort.high is not None and sort.low > sort.high:
        yield BookError(
            f"{sort.name} runs from {sort.low} down to {sort.high}",
            place=place,
            hint="the lower number comes first",
            code="V02",
        )
    if sort.kind == "word" and "" in sort.choices:
        yield BookError(
            f"{sort.name} is one of words, and one is missing",
            place=place,
            hint="a comma stands between two words",
            code="V02",
        )
    if sort.kind != "any":
        return
    seen, todo = {sort.name}, list(sort.choices)
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
            todo += sorts[name].choices if sorts[name].kind == "any" else ()

"""Fit words to the arguments of a fact by their sorts.

Names of several words may stand without quotes where that can be read in one way only. What can be
worked out may be left out: the next of numbers without gaps, and a value that some other fact gives
for the whole table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from ..book import Fact, Numbers, Texts, borrowed, roots, sentence
from ..errors import TableError, quoted
from ..game import QUOTES, Word, joined, near_miss
from ..model import Row, Statement, Value
from ..table import hint_word
from .lines import splits
from .state import State

_NUMBER = re.compile(r"-?\d{1,10}")


class Fit(NamedTuple):
    """One way to read words as a fact; the one with the least cost is meant."""

    cost: tuple[int, int]
    fact: Fact
    row: Row
    notes: tuple[str, ...]


def fit(state: State, facts: Sequence[Fact], said: Sequence[Word], like: str) -> Fit:
    """The fact that words are. Raises TableError when there is none, or more than one."""
    fits = sorted(_fits(state, facts, said), key=lambda f: f.cost)
    best = [f for f in fits if f.cost == fits[0].cost]
    if len({(f.fact.name, f.row) for f in best}) > 1:
        shown = " or ".join(dict.fromkeys(sentence(f.fact, f.row) for f in best[:4]))
        raise TableError(f"this can be read in more than one way: {shown}", hint=QUOTES)
    if not best:
        raise _misfit(state, facts, said, like)
    return best[0]


def _fits(state: State, facts: Sequence[Fact], said: Sequence[Word]) -> Iterator[Fit]:
    for fact in facts:
        filled = worked_out(state, fact)
        for omitted in _choices_of(filled):
            spots = [i for i in range(len(fact.args)) if i not in omitted]
            for parts in splits(said, len(spots)):
                read = {
                    i: value_of(state, fact, i, part, bool(omitted))
                    for i, part in zip(spots, parts, strict=True)
                }
                given = {i: v for i, v in read.items() if v is not None}
                if len(given) == len(read):
                    yield _filled(state, fact, given, {i: filled[i] for i in omitted})


def _choices_of(filled: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """What may be left out together, least first."""
    spots = tuple(filled)
    return (some for number in range(len(spots) + 1) for some in combinations(spots, number))


def _filled(
    state: State, fact: Fact, given: dict[int, Value], omitted: dict[int, tuple[Value, str]]
) -> Fit:
    """A fit from the values that were given and those worked out."""
    new = [
        f"new {fact.args[i]}: {v}"
        for i, v in given.items()
        if i in fact.names and v not in state.table.names
    ]
    values = {**{i: v for i, (v, _) in omitted.items()}, **given}
    row = tuple(values[i] for i in range(len(fact.args)))
    notes = [note for _, note in omitted.values()]
    if any(state.vocabulary.sorts[fact.sorts[i]].dense for i in omitted):
        for old in state.said:
            if old.name == fact.name and all(old.row[i] == v for i, v in given.items()):
                row, notes = old.row, []
    return Fit((len(omitted), len(new)), fact, row, (*notes, *new))


def value_of(
    state: State, fact: Fact, spot: int, part: Sequence[Word], short: bool
) -> Value | None:
    """Words as a value of an argument's sort, or None. ``short``: something was left out."""
    text, bare = joined(part), not part[0].quoted
    sort = state.vocabulary.sorts[fact.sorts[spot]]
    if sort.is_number:
        return int(text) if bare and _NUMBER.fullmatch(text) else None
    folded = text.casefold()
    if sort.closed:
        return sort.word(text)
    if isinstance(sort, Texts):
        return text
    names = state.table.names
    allowed = (roots(sort, state.vocabulary.sorts) or frozenset()) | borrowed(
        sort, state.vocabulary.sorts
    )
    same = [text] if text in names else [n for n in names if n.casefold() == folded]
    if same:
        meant = [n for n in same if names[n] in allowed]
        return meant[0] if len(meant) == 1 else None
    number = short and bare and _NUMBER.fullmatch(text)
    return text if spot in fact.names and not number else None


def choices(state: State, fact: Fact, spot: int) -> list[str]:
    """The words and names that an argument can be, as far as they are known."""
    sort = state.vocabulary.sorts[fact.sorts[spot]]
    if sort.closed:
        return list(sort.words)
    allowed = roots(sort, state.vocabulary.sorts) or frozenset()
    return [n for n, s in state.table.names.items() if s in allowed]


def worked_out(state: State, fact: Fact) -> dict[int, tuple[Value, str]]:
    """The arguments that can be left out: by position their value, and how that is said."""
    out: dict[int, tuple[Value, str]] = {}
    for spot, name in enumerate(fact.sorts):
        sort = state.vocabulary.sorts[name]
        if isinstance(sort, Numbers) and sort.dense:
            used = [v for f in state.table.facts for v in _numbers(state, f, name)]
            following = max(used, default=sort.lowest - 1) + 1
            out[spot] = following, f"{fact.args[spot]} is {following}, the next one"
            continue
        for other in state.vocabulary.facts.values():
            rows = [f.row for f in state.table.facts if f.name == other.name]
            if () in other.keys and other != fact and other.sorts.count(name) == 1 and rows:
                value = rows[0][other.sorts.index(name)]
                out[spot] = value, f"{fact.args[spot]} is {value}: {sentence(other, rows[0])}"
    return out


def _numbers(state: State, said: Statement, sort: str) -> Iterator[int]:
    for value, name in zip(said.row, state.vocabulary.facts[said.name].sorts, strict=True):
        if name == sort and isinstance(value, int):
            yield value


def _misfit(state: State, facts: Sequence[Fact], said: Sequence[Word], like: str) -> TableError:
    """What keeps words from being a fact: too few of them, or one that fits nowhere."""
    least: tuple[int, Fact, int, str] | None = None
    for fact in facts:
        for omitted in _choices_of(worked_out(state, fact)):
            spots = [i for i in range(len(fact.args)) if i not in omitted]
            for parts in splits(said, len(spots)):
                wrong = [
                    (spot, joined(part))
                    for spot, part in zip(spots, parts, strict=True)
                    if value_of(state, fact, spot, part, bool(omitted)) is None
                ]
                if wrong and (least is None or len(wrong) < least[0]):
                    least = len(wrong), fact, *wrong[0]
    if least:
        return _wrong(state, *least[1:], like)
    return TableError("something is missing" if said else "who or what is missing", hint=like)


def _wrong(state: State, fact: Fact, spot: int, text: str, like: str) -> TableError:
    sort = state.vocabulary.sorts[fact.sorts[spot]]
    near = near_miss(text, choices(state, fact, spot))
    near = f"did you mean {quoted(near)}?" if near else ""
    if sort.is_number:
        return TableError(f"{quoted(text)} is no number, but {sort.name} has to be one", hint=like)
    if sort.closed:
        known = near or hint_word(text, sort, state.vocabulary)
        hint = state.vocabulary.hint(sort.name, text) or known
        return TableError(f"{sort.name} can't be {quoted(text)}", hint=hint)
    what = f"the table has no {sort.name} called {quoted(text)}"
    return TableError(what, hint=near or like)

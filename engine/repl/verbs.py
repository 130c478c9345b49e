"""Change a table: by the verbs the vocabulary declares, or by facts in clause syntax.

A fact makes those with the same key give way. What comes out is all facts of the table afterwards;
whether they contradict each other is for who makes a state of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from ..book import FACT, Fact, sentence
from ..errors import Place, TableError, did_you_mean, quoted
from ..game import Word, joined, with_names, words
from ..language import Source, read_facts
from ..model import Statement, Value
from .fitting import fit, worked_out
from .state import State

MAX_SHOWN = 12


class Made(NamedTuple):
    """All facts of a table after a change, and what was done in sentences."""

    said: tuple[Statement, ...]
    text: tuple[str, ...]
    momentary: bool = False


def verbs(state: State) -> dict[str, list[Fact]]:
    """The vocabulary's verbs with the facts each can state."""
    out: dict[str, list[Fact]] = {}
    steps = any(p.outcomes for p in state.book.predicates.values())
    for fact in state.vocabulary.facts.values():
        if fact.command and (steps or not fact.momentary):
            out.setdefault(fact.command, []).append(fact)
    return out


def usage(state: State, verb: str, facts: Sequence[Fact]) -> str:
    """How a verb is used; what can be left out is in brackets."""
    out = []
    for fact in facts:
        less = worked_out(state, fact)
        args = [f"[<{a}>]" if i in less else f"<{a}>" for i, a in enumerate(fact.args)]
        out.append(" ".join([f":{verb}", *args]))
    return " or ".join(out)


def typed(statement: Statement, state: State) -> str:
    """The line that would state a fact."""
    fact = state.vocabulary.facts[statement.name]
    if not fact.command:
        return f"+ {statement}"
    return f":{fact.command} {' '.join(_shown(v) for v in statement.row)}".rstrip()


def _shown(value: Value) -> str:
    plain = isinstance(value, int) or re.fullmatch(r"""[^\s"',:]+""", value)
    return str(value) if plain else f'"{value}"'


def state_fact(state: State, verb: str, text: str) -> Made:
    """The facts once a verb's fact is stated. Raises QuestionError or TableError."""
    facts = verbs(state)[verb]
    like = f"like: {usage(state, verb, facts)}"
    said = words(text)
    several = [f for f in facts if f.momentary] if any(w.ends for w in said[:-1]) else []
    made = Made(state.said, ())
    for part in _parts(said) if several else [said]:
        found = fit(state, several or facts, part, like)
        new = Statement(found.fact.name, found.row, Place(f":{verb} {text}".strip()))
        made = _with(state._replace(said=made.said), found.fact, new, found.notes)
        made = made._replace(momentary=found.fact.momentary)
    return made


def _parts(said: Sequence[Word]) -> list[list[Word]]:
    """What happens to several at once, ``:leave Ann, Bob``, each for itself."""
    parts: list[list[Word]] = [[]]
    for word in said:
        parts[-1].append(word)
        if word.ends:
            parts.append([])
    return [part for part in parts if part]


def _with(state: State, fact: Fact, new: Statement, notes: Sequence[str] = ()) -> Made:
    """The facts with one more; those with the same key make way for it."""
    if any(f.name == new.name and f.row == new.row for f in state.said):
        return Made(state.said, (f"{sentence(fact, new.row)}: that is so already",))
    marks = {*fact.marks(new.row)}
    gone = [f for f in state.said if f.name == new.name and marks & {*fact.marks(f.row)}]
    at = state.said.index(gone[0]) if gone else len(state.said)
    after = [f for f in state.said[at:] if f not in gone]
    text = str(sentence(fact, new.row))
    if gone:
        text += f" (no longer: {'; '.join(sentence(fact, f.row) for f in gone)})"
    return Made((*state.said[:at], new, *after), (text, *notes))


def take_away(state: State, verb: str, text: str) -> Made:
    """The facts less the one that some of its arguments tell apart. Raises TableError."""
    folded = joined(words(text)).casefold()
    own = [f for f in state.said if state.vocabulary.facts[f.name].command == verb]
    found = [f for f in own if _is_meant(f, folded)]
    whole = [f for f in found if joined_row(f.row) == folded]
    return _less(state, whole or found, own, f":{verb} {text}".strip())


def joined_row(row: Sequence[Value]) -> str:
    """Values as they are typed one after the other, whatever their case."""
    return " ".join(map(str, row)).casefold()


def _is_meant(said: Statement, folded: str) -> bool:
    """Whether some of a fact's values, in their order, are what was typed."""
    numbers = range(len(said.row) + 1)
    return any(joined_row(some) == folded for n in numbers for some in combinations(said.row, n))


def _less(state: State, found: list[Statement], own: list[Statement], what: str) -> Made:
    if len(found) == 1:
        gone = found[0]
        kept = tuple(f for f in state.said if f is not gone)
        return Made(kept, (f"no longer: {sentence(state.vocabulary.facts[gone.name], gone.row)}",))
    if found:
        shown = ", ".join(typed(f, state) for f in found[:MAX_SHOWN])
        raise TableError(f"{quoted(what)} can mean {len(found)} facts", hint=f"say which: {shown}")
    choices = [typed(f, state) for f in own]
    near = did_you_mean(what, choices)
    known = "at the table: " + ", ".join(choices[:MAX_SHOWN])
    raise TableError(f"nothing at the table says {quoted(what)}", hint=near or known if own else "")


def by_clause(state: State, text: str) -> Made:
    """The facts after ``+ fact(…)`` or ``- fact(…)`` in clause syntax. Raises SeatlogError."""
    named, _ = with_names("+" + text[1:], state.table.names, state.book)
    found = read_facts(named, Source("fact", tuple(named.split("\n"))))
    if len(found) != 1:
        raise TableError("one fact at a time", hint="like: + name('A', 1)")
    new = found[0]
    place = new.origin if isinstance(new.origin, Place) else None
    fact = state.vocabulary.facts.get(new.name)
    if fact is None:
        near = did_you_mean(new.name, state.vocabulary.facts)
        hint = state.vocabulary.hint(FACT, new.name) or near or "`:help` lists what can be said"
        raise TableError(f"no fact is called {new.name}", place=place, hint=hint)
    if len(fact.args) != len(new.row):
        what = f"{new.name} takes {len(fact.args)} terms, not {len(new.row)}"
        raise TableError(what, place=place, hint=f"like: + {fact.name}({', '.join(fact.args)})")
    if text[0] == "+":
        return _with(state, fact, new)
    same = [f for f in state.said if f.name == new.name]
    return _less(state, [f for f in same if f.row == new.row], same, text)

"""Look at a session: its facts, its names, its rules by their numbers."""

from __future__ import annotations

from ..book import rule_order, sentence
from ..errors import NoRule, did_you_mean, quoted
from . import rulings
from .state import State
from .verbs import typed


def facts(state: State, word: str) -> str:
    """The facts in their sentences and as they would be typed; with a word only those with it."""
    rows = []
    for fact in (*state.said, *state.assumed()):
        text = sentence(state.vocabulary.facts[fact.name], fact.row)
        rows.append((text, typed(fact, state) if fact.origin else "assumed, nothing being said"))
    folded = word.casefold()
    rows = [row for row in rows if folded in " ".join(row).casefold()]
    if not rows:
        return f"no fact speaks of {quoted(word)}" if word else "no facts"
    wide = min(max(len(text) for text, _ in rows), 60)
    return "\n".join(f"{text:{wide}}  {line}" for text, line in rows)


def names(state: State) -> str:
    """The names at the table, by what they are names of."""
    found: dict[str, list[str]] = {}
    for name, sort in state.table.names.items():
        found.setdefault(sort, []).append(name)
    return "\n".join(f"{sort}: {', '.join(n)}" for sort, n in found.items()) or "no names"


def numbers(state: State) -> list[str]:
    """The section numbers of the book as it is in this session."""
    return sorted(state.book.sections, key=rule_order)


def section(state: State, number: str) -> str:
    """A section and those that are its letters, as the session has them. Raises NoRule."""
    found = [n for n in numbers(state) if n == number or _is_letter(n, number)]
    if not found:
        near = did_you_mean(number, state.book.sections)
        raise NoRule(f"{state.book.title} has no rule {quoted(number)}", hint=near)
    return "\n\n".join(_section(state, n) for n in found)


def _is_letter(number: str, wanted: str) -> bool:
    rest = number[len(wanted) :]
    return number.startswith(wanted) and rest.isalpha()


def _section(state: State, number: str) -> str:
    about = state.book.sections[number]
    lines = [f"{number}  {about.title}", f"  {about.place.file}:{about.place.line}"]
    if about.stands_for:
        lines.append("  background: only as far as other rules need it")
    if about.left_out:
        lines.append(f"  left out: {about.left_out}")
    own = [a.clause for a in state.rules.added]
    for clause in state.book.clauses:
        if clause.rule == number:
            added = any(c.head == clause.head and c.body == clause.body for c in own)
            lines.append(f"  {clause}{'   (added in this session)' if added else ''}")
    for at in sorted(state.rules.dropped):
        if state.base.clauses[at].rule == number:
            lines.append(f"  {state.base.clauses[at]}   (taken out in this session)")
    return "\n".join(lines)


def rules(state: State) -> str:
    """What the session changed in the book."""
    found = rulings.listed(state.base, state.rules)
    return "\n".join(found) or "no clause was added or taken out in this session"

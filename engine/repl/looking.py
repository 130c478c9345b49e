"""Look at a session: its facts, its names, its rules by their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..book import rule_order, sentence
from ..editions import texts_of
from ..errors import NoRule, SeatlogError, did_you_mean, quoted
from ..language import laid_out
from ..model import Clause
from ..views import section_lines
from . import rulings
from .sections import lines_of
from .state import State
from .verbs import typed

if TYPE_CHECKING:
    from ..authoring import Draft

ADDED = "   (added in this session)"
REPLACED = "   (replaced in this session)"
TAKEN_OUT = "   (taken out in this session)"


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
    texts = _texts(state)
    return "\n\n".join(_section(state, n, texts) for n in found)


def _is_letter(number: str, wanted: str) -> bool:
    rest = number[len(wanted) :]
    return number.startswith(wanted) and rest.isalpha()


def _section(state: State, number: str, texts: Mapping[str, str]) -> str:
    gone = [state.base.clauses[at] for at in sorted(state.rules.dropped)]
    if state.draft is not None and number in state.draft.changed:
        lines = _replaced(state.draft, number, [c for c in gone if c.rule == number])
    elif number in state.base.sections:
        marks = {(clause.place.file, clause.place.line): TAKEN_OUT for clause in gone}
        lines = section_lines(state.base, number, texts, marks, str)
    else:
        about = state.book.sections[number]
        lines = [f"{number}  {about.title}", f"  {about.place.file}:{about.place.line}"]
    for added in state.rules.added:
        if added.number == number:
            lines += _added(added)
    return "\n".join(lines)


def _replaced(draft: Draft, number: str, gone: Sequence[Clause]) -> list[str]:
    """A section as it was typed, with a mark behind what was taken out of it since."""
    text = draft.show(number)
    heading, *rest = text.split("\n")
    marks = dict.fromkeys(lines_of(text, gone), TAKEN_OUT)
    own = (f"  {line}{marks.get(at, '')}".rstrip() for at, line in enumerate(rest, 2))
    return [f"{heading.lstrip('# ')}{REPLACED}", *own]


def _added(added: rulings.Added) -> list[str]:
    """A clause of the session laid out, its notes above it."""
    headed = added.text.startswith("##")
    text = added.text if headed else f"## {added.number}\n{added.text}"
    lines = [f"  {line}" for line in laid_out(text, rulings.RULE_FILE).split("\n")[1:] if line]
    first = next(at for at, line in enumerate(lines) if not line.startswith("  #"))
    lines[first] += ADDED
    return lines


def _texts(state: State) -> Mapping[str, str]:
    """The files of the session's book, as far as they can be found."""
    try:
        return texts_of(state.named)
    except (SeatlogError, OSError):
        return {}


def rules(state: State) -> str:
    """What the session changed in the book."""
    edits = [f"{number} replaced" for number in state.draft.changed] if state.draft else []
    found = edits + rulings.listed(state.base, state.rules)
    return "\n".join(found) or "no clause was added or taken out in this session"

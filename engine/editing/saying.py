"""What is said of a name while the pointer rests on it, from the texts as they are typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..book import Fact, Vocabulary, load_vocabulary, rule_order
from ..errors import SeatlogError, many, printable
from ..language import NOTES, Note, Word
from ..model import Clause, Var
from .desk import VOCABULARY, Desk, Edition, Part, standing

SAID = ("yes", "no", "tree yes", "tree no", "alarm", "bookkeeping", "doubt", "tells", "verb")
"""The notes that are shown, in this order."""
MOST_LINES = 40


def hover(desk: Desk, edition: Edition, word: Word) -> str:
    """What there is to say of a predicate or a fact; nothing of what isn't known."""
    fact = _declared(edition, word.text)
    lines = list(_fact(fact)) if fact else list(_predicate(desk, edition, word.text))
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], f"… and {many(len(lines) - MOST_LINES + 1, 'line')}"]
    return "\n".join(printable(line) for line in lines)


def titled(desk: Desk, edition: Edition, number: str) -> str:
    """A rule's number and title, or nothing where no rule has the number."""
    found = standing(desk, edition).get(number)
    return printable(_title(number, found)) if found else ""


def _title(number: str, found: Sequence[Part]) -> str:
    title = next((part.heading.title for part in found if part.heading.title), "")
    return f"{number}  {title}".rstrip()


def vocabulary(edition: Edition) -> Vocabulary | None:
    """What tables may say; None while that has faults."""
    try:
        return load_vocabulary(edition.facts, edition.texts[VOCABULARY])[0]
    except SeatlogError:
        return None


def _declared(edition: Edition, name: str) -> Fact | None:
    found = vocabulary(edition)
    return found.facts.get(name) if found else None


def _fact(fact: Fact) -> Iterator[str]:
    yield f"{fact.name}({', '.join(fact.args)})  what a table says"
    if fact.about:
        yield fact.about
    for key, sentence in (("yes", fact.yes), ("no", fact.no)):
        if sentence:
            yield f"{key}: {sentence}"
    for shape in fact.shapes:
        yield f"table: {'.'.join(shape.path)} = {f'[{shape.value}]' if shape.many else shape.value}"


def _predicate(desk: Desk, edition: Edition, name: str) -> Iterator[str]:
    """A predicate's terms, its sentences and notes, and the sections that define it."""
    said: dict[str, dict[str, None]] = {key: {} for key in SAID}
    terms = ""
    sections: list[str] = []
    found = standing(desk, edition)
    for number in sorted(found, key=rule_order):
        counted = 0
        for part in found[number]:
            above: list[Note] = []
            for entry in part.entries:
                if isinstance(entry, Note):
                    above += [entry] * (NOTES[entry.key] == "clause")
                    continue
                if isinstance(entry, Clause) and entry.head.name == name:
                    counted += 1
                    terms = terms or _terms(entry, above)
                    for note in above:
                        said.get(note.key, {})[note.text] = None
                above = []
        if counted:
            sections.append(f"{_title(number, found[number])} ({many(counted, 'clause')})")
    if not sections:
        return
    known = vocabulary(edition)
    role = known.role(name) if known else ""
    yield f"{name}({terms})" + f"  {role}" * bool(role)
    for key, texts in said.items():
        yield from (f"{key}: {text}" for text in texts)
    yield from sections


def _terms(clause: Clause, above: list[Note]) -> str:
    """By which names the terms of a clause's head are spoken of."""
    named = next((note.text for note in above if note.key == "terms"), "")
    own = (t.name if isinstance(t, Var) else repr(t) for t in clause.head.args)
    return named or ", ".join(own)

"""What a rule text should have but answers without: faults of care, told by ``seatlog lint``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from ..book import DUTY, SILENT, VERDICT, Book, digest
from ..errors import LintError, did_you_mean
from ..model import Clause, Count, item_variables, literals, spot, variables

_HOLE = re.compile(r"\{(\w+)\}")


def style(book: Book, official: Mapping[str, str] | None = None) -> list[LintError]:
    """Faults of care in a book; ``official`` is the wording of a rule book by number."""
    found = [
        *(e for clause in book.clauses for e in _variables(clause)),
        *_unused(book),
        *_silent(book),
        *_wordless(book),
        *(_numbers(book, official) if official is not None else ()),
    ]
    return sorted(found, key=lambda e: (str(e.place), e.code, e.what))


def _variables(clause: Clause) -> Iterator[LintError]:
    names = Counter(variables(clause.head.args))
    for item in clause.body:
        names.update(item_variables(item))
        if isinstance(item, Count):
            names[item.counted.name] += 1
    said = f"{clause.yes} {clause.no} {clause.but}"
    names.update(name for name in _HOLE.findall(said) if name in names)
    for name, times in names.items():
        if times == 1 and not name.startswith("_"):
            yield LintError(
                f"{name} is used once",
                place=spot(clause, name),
                hint=f"write _{name} if nothing else is meant",
                code="W01",
            )
        elif times > 1 and name.startswith("_"):
            yield LintError(
                f"{name} is used {times} times, so it means the same thing each time",
                place=spot(clause, name),
                hint=f"write {name.lstrip('_')}, or give each a name of its own",
                code="W02",
            )


def _unused(book: Book) -> Iterator[LintError]:
    used = {x.name for c in book.clauses for x in literals(c.body) if x.name != c.head.name}
    used |= {v.predicate for v in book.verbs}
    for predicate in book.predicates.values():
        used |= {x.name for x in (*predicate.tells, *predicate.tells_none, *predicate.doubts)}
    for name, predicate in book.predicates.items():
        if (
            name in used
            or predicate.alarm
            or predicate.speaks
            or predicate.outcomes
            or predicate.role in (VERDICT, DUTY)
        ):
            continue
        clause = next(c for c in book.clauses if c.head.name == name)
        yield LintError(
            f"nothing uses {name}",
            place=spot(clause, name),
            hint=did_you_mean(name, used - {name})
            or "take it away, or give it a `# yes:` of its own if people ask for it",
            code="W03",
        )


def _wordless(book: Book) -> Iterator[LintError]:
    """Predicates that a tree can show, holding or denied, and nobody put into words for that."""
    asked = {v.predicate for v in book.verbs}
    asked |= {x.name for c in book.clauses for x in literals(c.body)}
    told = {x.name for p in book.predicates.values() for x in (*p.tells, *p.tells_none, *p.doubts)}
    for name, predicate in book.predicates.items():
        own = book.clauses_of(name)
        if predicate.role in (VERDICT, DUTY):
            asked.add(name)
        shown = name in asked or name in told or predicate.outcomes
        if not own or not shown or predicate.bookkeeping or predicate.alarm:
            continue
        always = _says(predicate.yes) or _says(predicate.tree_yes)
        silent = [c for c in own if not (_says(c.yes) or _says(c.no))]
        if silent and not always:
            what, kind = "has no words for a tree to show", "yes"
        elif name in asked and not (always or predicate.no or predicate.tree_no):
            what, kind = "has no words for a tree to deny it in", "no"
        else:
            continue
        yield LintError(
            f"{name} {what}",
            place=spot((silent or own)[0], name),
            hint=f"give it a `# {kind}:` or `# tree {kind}:`, or mark it with `# bookkeeping:`",
            code="W07",
        )


def _says(text: str) -> bool:
    return text not in ("", SILENT)


def _silent(book: Book) -> Iterator[LintError]:
    for section in book.sections.values():
        own = [c for c in book.clauses if c.rule == section.number]
        if not own or section.stands_for:
            continue
        if not any(c.yes or c.no or book.predicates[c.head.name].speaks for c in own):
            yield LintError(
                f"section {section.number} has no sentence",
                place=section.place,
                hint="give one of its predicates a `# yes:` or `# no:`",
                code="W04",
            )


def _numbers(book: Book, official: Mapping[str, str]) -> Iterator[LintError]:
    for section in book.sections.values():
        if not section.number[:1].isdigit():
            continue
        wording = official.get(section.number)
        if wording is None:
            yield LintError(
                f"the rule book has no number {section.number}",
                place=section.place,
                hint="was it renumbered?",
                code="W05",
            )
        elif digest(wording) not in section.digests.values():
            yield LintError(
                f"section {section.number} was checked against another wording",
                place=section.place,
                hint=f"read the rule again; then: # text: sha256:{digest(wording)}  edition date",
                code="W06",
            )

"""What a rule text should have but answers without: faults of care, told by ``seatlog lint``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ..book import DUTY, PROHIBITION, SILENT, VERDICT, Book
from ..errors import LintError, closest, quoted
from ..model import Clause, Count, item_variables, literals, spot, variables

_NOTS = ("not_", "t_", "nt_")
_HOLE = re.compile(r"\{(\w+)\}")


def style(book: Book) -> list[LintError]:
    """Faults of care in a book."""
    found = [
        *(e for clause in book.clauses for e in _variables(clause)),
        *_unused(book),
        *_silent(book),
        *_wordless(book),
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
    used |= {name for key in ("gone", "standing") for name in book.settings.get(key, ())}
    for predicate in book.predicates.values():
        used |= {x.name for x in (*predicate.tells, *predicate.tells_none, *predicate.doubts)}
    for name, predicate in book.predicates.items():
        if name in used or predicate.alarm or predicate.outcomes:
            continue
        meant = _misspelt(name, book)
        asked = predicate.role in (VERDICT, DUTY) or (predicate.speaks and not predicate.role)
        if asked and not meant:
            continue
        clause = next(c for c in book.clauses if c.head.name == name)
        near = meant or closest(name, used - {name})
        hint = f"did you mean {quoted(near)}?" if near else ""
        yield LintError(
            f"nothing uses {name}",
            place=spot(clause, name),
            hint=hint or "take it away, or give it a `# yes:` of its own if people ask for it",
            code="W03",
        )


def _misspelt(name: str, book: Book) -> str:
    """The prohibition that was meant by a name which nearly is one, or nothing.

    A name that starts in another way is one where its end is that of a prohibition, and its start
    nearly that of a role; one that starts as a verdict's does, where it says "not" behind that.
    """
    roles = book.vocabulary.roles
    starts = [start for start, role in roles.items() if role == PROHIBITION]
    for other in roles:
        if name.startswith(other) and roles[other] == VERDICT:
            ends = [name.removeprefix(f"{other}{word}") for word in _NOTS]
            return next((s + e for s in starts for e in ends if s + e in book.predicates), "")
    if book.role(name):
        return ""
    first, line, rest = name.partition("_")
    known = [s + rest for s in starts if s + rest in book.predicates]
    if known and closest(first + line, roles):
        return known[0]
    alike = [n for n, p in book.predicates.items() if p.arity == book.predicates[name].arity]
    near = closest(name, [n for n in alike if n != name])
    letters = sorted(name), sorted(near)
    return near if near and (letters[0] == letters[1] or _one_more(name, near)) else ""


def _one_more(one: str, other: str) -> bool:
    """Whether two words differ by one letter."""
    if len(one) > len(other):
        one, other = other, one
    if len(one) == len(other):
        return sum(a != b for a, b in zip(one, other, strict=True)) == 1
    return any(other[:i] + other[i + 1 :] == one for i in range(len(other)))


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

"""A rule book with clauses added and taken out for the length of a session.

What was added is read and linted as a book's clauses are. A predicate that loses its last clause
stays known and is never true, so that what rests on it can still be asked.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..book import (
    AnyOf,
    Book,
    Clauses,
    Collected,
    Fact,
    Numbers,
    Predicate,
    Sort,
    Texts,
    Vocabulary,
    infer,
    rule_order,
)
from ..errors import BookError, Place, SeatlogError, TextError, did_you_mean, quoted, refuse
from ..language import Reading, Source, read_section, statements
from ..lint import lint, mixed_kinds
from ..model import Clause, Comparison, Const, Literal, Var
from .lines import NUMBER

OWN = "session"
"""The section of clauses that were added under no number."""


class Added(NamedTuple):
    """A clause of the session: the section it stands in, and its text with its notes."""

    number: str
    text: str
    clause: Clause


class Rules(NamedTuple):
    """What was added, and the positions of the book's clauses that were taken out."""

    added: tuple[Added, ...] = ()
    dropped: frozenset[int] = frozenset()


def read(text: str) -> tuple[Added, ...]:
    """Clauses as typed: ``[NUMBER] clause``, notes like ``# no: …`` on lines above each.

    Each keeps the lines at which it was typed. Raises what is wrong with them, with its place.
    """
    match = NUMBER.match(text)
    number = match[0].strip() if match else OWN
    body = text[match.end() :] if match else text
    reading = _reading(number, body)
    refuse(reading.errors)
    clauses = [e for e in reading.entries if isinstance(e, Clause)]
    if not clauses:
        raise TextError(
            "a clause is missing", hint="one like: head(X) <= (first(X, Y) & ~second(Y))"
        )
    lines = body.split("\n")
    ends = [_last(body, clause.place.line) for clause in clauses[:-1]] + [len(lines)]
    starts = [0, *ends[:-1]]
    return tuple(
        Added(clause.rule, "\n" * start + "\n".join(lines[start:end]), clause)
        for clause, start, end in zip(clauses, starts, ends, strict=True)
    )


def _last(text: str, line: int) -> int:
    """The last line of the clause that begins at a line."""
    source = Source(RULE_FILE, tuple(text.split("\n")))
    for found in statements(text, source):
        if not isinstance(found, SeatlogError) and found.line == line:
            return found.last
    return line


RULE_FILE = "your clause"


def _reading(number: str, body: str) -> Reading:
    """The entries of a clause under a heading that isn't counted among its lines."""
    return read_section(number, "added in this session", body, RULE_FILE)


def build(base: Book, rules: Rules) -> Book:
    """The book with the session's clauses in it. Raises LintError or Faults.

    Only faults that came with what was added are refused: where clauses are taken out, those that
    rested on them may have nothing left to say.
    """
    if rules == Rules():
        return base
    book, errors = _put_together(base, rules)
    faults = errors or _lint(book)
    if faults:
        less, _ = _put_together(base, Rules((), rules.dropped))
        known = {str(fault) for fault in _lint(less)}
        refuse([fault for fault in faults if str(fault) not in known])
    return book


def _lint(book: Book) -> list[SeatlogError]:
    return [*lint(book.clauses, book.predicates, book.verbs, book.vocabulary)]


def _put_together(base: Book, rules: Rules) -> tuple[Book, list[SeatlogError]]:
    """The book as the rules have it, and what is wrong with the notes of what was added."""
    errors: list[SeatlogError] = []
    collected = Collected(errors, base.vocabulary)
    collected.predicates = {name: copy.copy(p) for name, p in base.predicates.items()}
    collected.sections = {number: copy.copy(s) for number, s in base.sections.items()}
    for added in rules.added:
        reading = _reading(added.number, added.text)
        collected.take(reading.source, list(reading.entries))
    clauses = [c for i, c in enumerate(base.clauses) if i not in rules.dropped]
    clauses += [c for c in collected.clauses if c.rule != OWN]
    clauses.sort(key=lambda c: rule_order(c.rule))
    clauses += [c for c in collected.clauses if c.rule == OWN]
    heads = {c.head.name for c in clauses}
    gone = [p for name, p in collected.predicates.items() if name not in heads]
    vocabulary = _with_hollow(base, gone)
    book = base._replace(
        sections=collected.sections,
        clauses=Clauses(clauses),
        predicates=collected.predicates,
        verbs=(*base.verbs, *collected.verbs),
        vocabulary=vocabulary,
        key="",
        arg_sorts=infer(clauses, vocabulary),
    )
    return book, errors


def _with_hollow(base: Book, gone: Iterable[Predicate]) -> Vocabulary:
    """The vocabulary with predicates that nothing derives as facts that no table states."""
    facts, sorts = dict(base.vocabulary.facts), dict(base.vocabulary.sorts)
    for predicate in gone:
        own = []
        for spot in range(predicate.arity):
            allowed = base.arg_sorts[predicate.name][spot]
            if allowed:
                sort: Sort = AnyOf(" or ".join(sorted(allowed)), sorted(allowed))
            else:
                number = _is_number(base, predicate, spot)
                sort = Numbers("any number") if number else Texts("any text")
            own.append(sort.name)
            sorts.setdefault(sort.name, sort)
        yes = predicate.yes or predicate.name
        facts[predicate.name] = Fact(
            predicate.name, predicate.params, tuple(own), yes=yes, no=predicate.no
        )
    return base.vocabulary._replace(facts=facts, sorts=sorts)


def _is_number(base: Book, predicate: Predicate, spot: int) -> bool:
    """Whether a term of a predicate can only be a number: the linter says so of a comparison."""
    args = tuple(Var(f"V{i}") for i in range(predicate.arity))
    body = (Literal(predicate.name, args), Comparison("<", args[spot], Const(0)))
    probe = Clause(Literal("probe ", args), body, "", Place("probe"))
    known = {name: len(row) for name, row in base.arg_sorts.items()}
    return not any(mixed_kinds([*base.clauses, probe], known, base.vocabulary))


def head_of(clause: Clause) -> str:
    """``name/number of terms``."""
    return f"{clause.head.name}/{len(clause.head.args)}"


def without(base: Book, rules: Rules, target: str) -> tuple[Rules, list[Clause]]:
    """The rules less the clauses of a section or a head, and those clauses.

    ``target`` is a section's number, ``head/n`` or a head's name. Raises BookError for neither.
    """

    def meant(clause: Clause) -> bool:
        return target in (clause.rule, head_of(clause), clause.head.name)

    taken = {i for i, c in enumerate(base.clauses) if i not in rules.dropped and meant(c)}
    added = [a for a in rules.added if meant(a.clause)]
    if not taken and not added:
        raise BookError(
            f"no clause stands under {quoted(target)}, or has it as its head",
            hint=did_you_mean(target, targets(base, rules))
            or "give a section's number, or a head like name/2",
        )
    kept = tuple(a for a in rules.added if a not in added)
    clauses = [base.clauses[i] for i in sorted(taken)] + [a.clause for a in added]
    return Rules(kept, rules.dropped | taken), clauses


def carried(before: Book, after: Book, rules: Rules, number: str) -> Rules:
    """The same rules over a book in which a section was given another text.

    What was added to that section or taken out of it has given way.
    """
    gone = (before.clauses[at] for at in rules.dropped)
    left = Counter((c.rule, str(c)) for c in gone if c.rule != number)
    dropped = set()
    for at, clause in enumerate(after.clauses if left else ()):
        mark = (clause.rule, str(clause))
        if left[mark] > 0:
            left[mark] -= 1
            dropped.add(at)
    kept = tuple(added for added in rules.added if added.number != number)
    return Rules(kept, frozenset(dropped))


def targets(base: Book, rules: Rules) -> list[str]:
    """What clauses can be taken out by: section numbers and heads."""
    clauses = [c for i, c in enumerate(base.clauses) if i not in rules.dropped]
    clauses += [a.clause for a in rules.added]
    return list(dict.fromkeys([c.rule for c in clauses] + [head_of(c) for c in clauses]))


def listed(base: Book, rules: Rules) -> list[str]:
    """What the session changed, a clause a line."""
    return signed("-", [base.clauses[i] for i in sorted(rules.dropped)]) + signed(
        "+", [a.clause for a in rules.added]
    )


def signed(sign: str, clauses: Sequence[Clause]) -> list[str]:
    """Clauses with a sign and their section before them."""
    return [f"{sign} {c.rule}: {c}" for c in clauses]

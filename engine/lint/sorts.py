"""Terms in the wrong place: a variable that would be two sorts at once, a word no sort knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..book import Sort, Vocabulary, infer
from ..errors import LintError, did_you_mean
from ..model import Clause, Comparison, Const, Count, Item, Literal, Var, spot

Allowed = Mapping[str, tuple[frozenset[str] | None, ...]]
"""For each predicate, per term, the sorts of names that can stand there; None: not a name."""


def misfits(
    clauses: Sequence[Clause], vocabulary: Vocabulary, allowed: Allowed | None = None
) -> Iterator[LintError]:
    """Every term that can't be what its places ask for; such a clause never holds.

    What is ``allowed`` is inferred from these clauses where it isn't given.
    """
    if any(n not in vocabulary.sorts for f in vocabulary.facts.values() for n in f.sorts):
        return
    allowed = infer(clauses, vocabulary) if allowed is None else allowed
    for clause in clauses:
        held: dict[str, tuple[frozenset[str], str]] = {}
        for item, literal in sorted(_literals(clause.body), key=_is_negated):
            for term, sorts in zip(literal.args, allowed.get(literal.name, ()), strict=False):
                if not isinstance(term, Var) or not sorts:
                    continue
                before, where = held.get(term.name, (sorts, literal.name))
                if not before & sorts:
                    yield LintError(
                        f"{term.name} is a {_either(before)} in {where} "
                        f"and a {_either(sorts)} in {literal.name}",
                        place=spot(clause, term.name, item),
                        hint="are two terms swapped?",
                        code="L13",
                    )
                    break
                if not literal.negated:
                    held[term.name] = (before & sorts, where)
        yield from _words(clause, vocabulary)


def _literals(body: Sequence[Item]) -> Iterator[tuple[Item, Literal]]:
    for item in body:
        if isinstance(item, Literal):
            yield item, item
        elif isinstance(item, Count):
            yield item, item.literal


def _either(sorts: frozenset[str]) -> str:
    return " or ".join(sorted(sorts)).lower()


def _words(clause: Clause, vocabulary: Vocabulary) -> Iterator[LintError]:
    """Constants where only some words can stand, also compared with a variable of that sort."""
    held: dict[str, Sort] = {}
    for item, literal in _literals(clause.body):
        fact = vocabulary.facts.get(literal.name)
        if fact is None or len(fact.sorts) != len(literal.args):
            continue
        for term, name in zip(literal.args, fact.sorts, strict=True):
            sort = vocabulary.sorts[name]
            if isinstance(term, Var):
                held[term.name] = sort
            elif isinstance(term, Const):
                yield from _unknown(clause, item, term, sort)
    for item in clause.body:
        if isinstance(item, Comparison) and isinstance(item.left, Var):
            compared = held.get(item.left.name)
            if compared and isinstance(item.right, Const):
                yield from _unknown(clause, item, item.right, compared)


def _unknown(clause: Clause, item: Item, term: Const, sort: Sort) -> Iterator[LintError]:
    if not isinstance(term.value, str):
        return
    known = sort.words
    if sort.closed and term.value not in known:
        yield LintError(
            f"no {sort.name} is called {term.value!r}",
            place=spot(clause, term.value, item),
            hint=did_you_mean(term.value, known) or "there are: " + ", ".join(known),
            code="L14",
        )


def _is_negated(found: tuple[Item, Literal]) -> bool:
    return found[1].negated

"""Refuse what would answer wrongly in silence, or never.

Each check yields errors with a code, the place, the author's own words and a hint. What is on
trial is the clauses of one book together with the vocabulary they stand on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from .errors import LintError, Place, did_you_mean
from .model import (
    Clause,
    Comparison,
    Const,
    Count,
    Item,
    Literal,
    Predicate,
    Sum,
    Term,
    Var,
    Verb,
    Vocabulary,
    item_variables,
    variables,
)
from .plan import plan

_HOLE = re.compile(r"\{(\w*)\}")
_ORDERED = {"<", "<=", ">", ">="}


def lint(
    clauses: Sequence[Clause],
    predicates: Mapping[str, Predicate],
    verbs: Iterable[Verb],
    vocabulary: Vocabulary,
) -> list[LintError]:
    """Every fault of a set of clauses, in the order they stand."""
    known = {name: len(fact.args) for name, fact in vocabulary.facts.items()}
    for clause in clauses:
        known.setdefault(clause.head.name, len(clause.head.args))
    errors: list[LintError] = []
    for clause in clauses:
        errors += _names(clause, known, vocabulary)
        errors += _bindings(clause)
        errors += _prohibition(clause)
        errors += _sentence(clause.yes, {v for v in _clause_variables(clause)}, clause.place)
    for predicate in predicates.values():
        errors += _speech(predicate, clauses, known, predicates, vocabulary)
    errors += _cycles(clauses, predicates)
    errors += _sorts(clauses, known, vocabulary)
    seen: set[tuple[str, str | None]] = set()
    unique = []
    for error in sorted(errors, key=_position):
        mark = (str(error.place), error.code)
        if mark not in seen:
            seen.add(mark)
            unique.append(error)
    return unique


def _position(error: LintError) -> tuple[str, int, int, str]:
    at = error.place or Place("")
    return (at.file, at.line, at.column, error.code)


def _clause_variables(clause: Clause) -> Iterator[str]:
    yield from variables(clause.head.args)
    for item in clause.body:
        yield from item_variables(item)


def literals(body: Iterable[Item]) -> Iterator[Literal]:
    """The literals of a body, those inside counts included."""
    for item in body:
        if isinstance(item, Literal):
            yield item
        elif isinstance(item, Count):
            yield item.literal


def spot(clause: Clause, word: str) -> Place:
    """The place of a word inside a clause's first line, else the clause itself."""
    at = clause.place
    found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", at.excerpt)
    if found:
        return at._replace(column=found.start() + 1, width=len(word))
    return at


def _names(
    clause: Clause, known: Mapping[str, int], vocabulary: Vocabulary
) -> Iterator[LintError]:
    head = clause.head
    if head.name in vocabulary.facts:
        yield LintError(
            f"{head.name} is a declared fact: only tables say it",
            place=clause.place,
            hint="derive a predicate with another name from it",
            code="L11",
        )
    for literal in (head, *literals(clause.body)):
        if literal.name not in known:
            yield LintError(
                f"no predicate is called {literal.name}",
                place=spot(clause, literal.name),
                hint=did_you_mean(literal.name, known) or "define it, or declare it as a fact",
                code="L01",
            )
        elif known[literal.name] != len(literal.args):
            yield LintError(
                f"{literal.name} takes {known[literal.name]} terms, not {len(literal.args)}",
                place=spot(clause, literal.name),
                hint="one name, one number of terms",
                code="L02",
            )


def _bindings(clause: Clause) -> Iterator[LintError]:
    order = plan(clause.body)
    for item, lacking in order.stuck:
        word = lacking[0]
        if isinstance(item, Comparison):
            code, what = "L05", f"nothing binds {word} before it is compared in {item}"
        elif isinstance(item, Count):
            code, what = "L05", f"nothing binds {word} before {item} is counted"
        else:
            code, what = "L04", f"nothing binds {word} before {item} is asked"
        yield LintError(
            what,
            place=spot(clause, word),
            hint=f"add a positive literal that binds {word}",
            code=code,
        )
    for item in clause.body:
        if isinstance(item, Count) and item.counted.name in order.bound:
            yield LintError(
                f"{item.counted.name} is counted, so it can't stand outside the count",
                place=spot(clause, item.counted.name),
                hint="give the counted variable a name of its own",
                code="L05",
            )
    for name in dict.fromkeys(variables(clause.head.args)):
        if name not in order.bound:
            yield LintError(
                f"nothing in the body binds {name} of the head",
                place=spot(clause, name),
                hint=f"add a positive literal that binds {name}",
                code="L03",
            )


def _prohibition(clause: Clause) -> Iterator[LintError]:
    """A ``cannot_`` whose head variables meet only under a negation costs their product."""
    if not clause.head.name.startswith("cannot_"):
        return
    group: dict[str, str] = {}

    def find(name: str) -> str:
        while group.setdefault(name, name) != name:
            name = group[name]
        return name

    for item in clause.body:
        if isinstance(item, Literal) and item.negated:
            continue
        if isinstance(item, Comparison) and item.op == "!=":
            continue
        names = list(item_variables(item))
        for name in names[1:]:
            group[find(name)] = find(names[0])
    for item in clause.body:
        if isinstance(item, Literal) and item.negated:
            sides = {find(v) for v in item_variables(item)}
            heads = {find(v) for v in variables(clause.head.args)}
            if len(sides & heads) > 1:
                yield LintError(
                    f"{clause.head.name} is restricted by {item} only: "
                    "every pair would have to be tried",
                    place=spot(clause, item.name),
                    hint="make what is allowed the candidate instead: "
                    f"{item.name}(…) as first literal of the permission",
                    code="L08",
                )


def _sentence(text: str, names: set[str], place: Place) -> Iterator[LintError]:
    rest = _HOLE.sub("", text)
    if "{" in rest or "}" in rest:
        yield LintError(
            "a brace without its partner in a sentence",
            place=place,
            hint="holes look like {Player}",
            code="L10",
        )
    for hole in _HOLE.findall(text):
        if hole not in names:
            yield LintError(
                f"the sentence speaks of {{{hole}}}, which isn't there",
                place=place,
                hint=did_you_mean(hole, names) or "use: " + ", ".join(sorted(names)),
                code="L10",
            )


def _speech(
    predicate: Predicate,
    clauses: Sequence[Clause],
    known: Mapping[str, int],
    predicates: Mapping[str, Predicate],
    vocabulary: Vocabulary,
) -> Iterator[LintError]:
    place = next((c.place for c in clauses if c.head.name == predicate.name), Place(""))
    yield from _sentence(predicate.no, set(predicate.params), place)
    for told in predicate.tells:
        fact = vocabulary.facts.get(told.name)
        spoken = fact.yes if fact else (predicates[told.name].yes if told.name in predicates else "")
        if told.name not in known or known[told.name] != len(told.args):
            yield LintError(
                f"{predicate.name} tells {told}, which no clause defines",
                place=place,
                hint=did_you_mean(told.name, known),
                code="L12",
            )
        elif not spoken:
            yield LintError(
                f"{predicate.name} tells {told.name}, which has no sentence",
                place=place,
                hint=f"give {told.name} a `# yes:`",
                code="L12",
            )


def _cycles(
    clauses: Sequence[Clause], predicates: Mapping[str, Predicate]
) -> Iterator[LintError]:
    edges: dict[str, dict[str, Clause]] = {}
    for clause in clauses:
        row = edges.setdefault(clause.head.name, {})
        for literal in literals(clause.body):
            row.setdefault(literal.name, clause)
            if literal.name == clause.head.name:
                yield from _walk(clause, predicates)
    for path in _loops(edges):
        clause = edges[path[0]][path[1]]
        yield LintError(
            "these predicates rest on each other: " + " -> ".join(path),
            place=spot(clause, path[1]),
            hint="break the circle: only a declared walk may call itself",
            code="L06",
        )


def _loops(edges: Mapping[str, Mapping[str, Clause]]) -> Iterator[list[str]]:
    """One path per cycle of two or more predicates, found without recursion."""
    colour: dict[str, int] = {}
    for root in edges:
        if colour.get(root):
            continue
        trail = [root]
        todo = [iter(edges.get(root, ()))]
        colour[root] = 1
        while todo:
            for name in todo[-1]:
                if name == trail[-1]:
                    continue
                if colour.get(name) == 1:
                    yield [*trail[trail.index(name) :], name]
                elif not colour.get(name):
                    colour[name] = 1
                    trail.append(name)
                    todo.append(iter(edges.get(name, ())))
                    break
            else:
                colour[trail.pop()] = 2
                todo.pop()


def _walk(clause: Clause, predicates: Mapping[str, Predicate]) -> Iterator[LintError]:
    head = clause.head
    own = [x for x in literals(clause.body) if x.name == head.name]
    first = clause.body[0]
    fault = ""
    if not predicates[head.name].walk:
        fault = f"{head.name} calls itself: {head.name} -> {head.name}"
    elif len(own) != 1 or own[0].negated or first != own[0]:
        fault = f"the walk {head.name} must call itself once, as its first literal"
    elif not head.args or head.args[0] != own[0].args[0] or not isinstance(head.args[0], Var):
        fault = f"the walk {head.name} must keep its first term unchanged"
    else:
        grows = {
            i.left.name: set(variables((i.right,)))
            for i in clause.body
            if isinstance(i, Comparison)
            and i.op == "=="
            and isinstance(i.left, Var)
            and isinstance(i.right, Sum)
        }
        bounded = {
            v
            for i in clause.body
            if isinstance(i, Comparison) and i.op in _ORDERED
            for v in item_variables(i)
        }
        for name in variables(head.args):
            if name in grows and not (grows[name] | {name}) & bounded:
                fault = f"nothing stops the walk {head.name}: {name} grows without a bound"
    if fault:
        yield LintError(
            fault,
            place=spot(clause, head.name),
            hint="a walk is declared (`# walk: …`), calls itself first with its first term kept, "
            "and is bounded by a comparison",
            code="L07",
        )


Slot = tuple[str, int | str]


def _sorts(
    clauses: Sequence[Clause], known: Mapping[str, int], vocabulary: Vocabulary
) -> Iterator[LintError]:
    """Numbers and names never meet: inferred over all clauses by union-find."""
    parent: dict[Slot, Slot] = {}
    kind: dict[Slot, bool] = {}

    def find(slot: Slot) -> Slot:
        while parent.setdefault(slot, slot) != slot:
            slot = parent[slot]
        return slot

    def mark(slot: Slot, number: bool) -> bool:
        return kind.setdefault(find(slot), number) == number

    def join(one: Slot, other: Slot) -> bool:
        a, b = find(one), find(other)
        if a == b:
            return True
        parent[a] = b
        if a in kind:
            return kind.setdefault(b, kind[a]) == kind[a]
        return True

    for fact in vocabulary.facts.values():
        for i, sort in enumerate(fact.sorts):
            mark((fact.name, i), bool(sort in vocabulary.sorts and vocabulary.sorts[sort].is_number))

    for number, clause in enumerate(clauses):
        scope = f"#{number}"

        def slot_of(term: Term, scope: str = scope) -> Slot | None:
            return (scope, term.name) if isinstance(term, Var) else None

        def fault(term: Term, clause: Clause = clause) -> LintError:
            word = term.name if isinstance(term, Var) else repr(term)
            return LintError(
                f"{word} is used as a number and as a name",
                place=spot(clause, word),
                hint="calculate and compare numbers only; names only with == and !=",
                code="L09",
            )

        for literal in (clause.head, *literals(clause.body)):
            if known.get(literal.name) != len(literal.args):
                continue
            for i, term in enumerate(literal.args):
                mine = slot_of(term)
                if mine:
                    ok = join(mine, (literal.name, i))
                else:
                    ok = mark((literal.name, i), _is_number(term))
                if not ok:
                    yield fault(term)
        for item in clause.body:
            if isinstance(item, Count):
                if not mark((scope, item.result.name), True):
                    yield fault(item.result)
            elif isinstance(item, Comparison):
                numeric = item.op in _ORDERED or any(
                    isinstance(t, Sum) for t in (item.left, item.right)
                )
                sides = [t for t in (item.left, item.right) if not isinstance(t, Sum)]
                names = [(scope, v) for v in item_variables(item)]
                if numeric:
                    for name in names:
                        if not mark(name, True):
                            yield fault(Var(str(name[1])))
                    bad = [
                        t for t in _constants((item.left, item.right)) if not _is_number(t)
                    ]
                    if bad:
                        yield fault(bad[0])
                elif len(names) == 2:
                    if not join(*names):
                        yield fault(sides[0])
                elif names:
                    constant = next(t for t in sides if isinstance(t, Const))
                    if not mark(names[0], _is_number(constant)):
                        yield fault(constant)


def _is_number(term: Term) -> bool:
    return isinstance(term, Const) and isinstance(term.value, int)


def _constants(terms: Iterable[Term]) -> Iterator[Term]:
    for term in terms:
        if isinstance(term, Const):
            yield term
        elif isinstance(term, Sum):
            yield from _constants((term.left, term.right))

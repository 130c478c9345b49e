"""Refuse what would answer wrongly in silence, or never.

Each check yields errors with a code, the place, the author's own words and a hint. What is on
trial is the clauses of one book together with the vocabulary they stand on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..book import (
    PROHIBITION,
    Book,
    PerBook,
    Predicate,
    Verb,
    Vocabulary,
    holes,
    in_braces,
    infer,
    without_holes,
)
from ..errors import LintError, Place, did_you_mean
from ..language import plan
from ..model import Clause, Comparison, Count, Literal, item_variables, spot, variables
from .kinds import Kinds, mixed_kinds
from .recursion import cycles, told_circles
from .sorts import Allowed, misfits

NOWHERE: Mapping[str, Place] = {}
_NAMELESS = "say it without holes; `# terms:` names the terms of a predicate's first plain fact"


def lint(
    clauses: Sequence[Clause],
    predicates: Mapping[str, Predicate],
    verbs: Iterable[Verb],
    vocabulary: Vocabulary,
    places: Mapping[str, Place] = NOWHERE,
) -> list[LintError]:
    """Every fault of a set of clauses, in the order they stand.

    ``places`` says where the texts of notes stand.
    """
    known = _arities(clauses, vocabulary)
    errors: list[LintError] = []
    for clause in clauses:
        errors += _names(clause, known, vocabulary)
        errors += _bindings(clause, vocabulary)
        predicate = predicates.get(clause.head.name)
        if predicate and predicate.role == PROHIBITION:
            errors += _prohibition(clause)
        for text in (clause.yes, clause.no, clause.but):
            errors += _sentence(text, set(_clause_variables(clause)), places, clause.place)
    own: dict[str, list[Clause]] = {}
    for clause in clauses:
        own.setdefault(clause.head.name, []).append(clause)
    for predicate in predicates.values():
        errors += _speech(predicate, own, known, predicates, vocabulary, places)
    errors += cycles(clauses, predicates)
    errors += told_circles(predicates, places)
    errors += mixed_kinds(clauses, known, vocabulary)
    errors += misfits(clauses, vocabulary)
    return _told(errors)


def lint_question(clause: Clause, book: Book) -> list[LintError]:
    """Every fault of a clause that asks a book, as ``lint`` has them of it beside the book's own.

    Those are looked at once; nothing rests on the clause's head.
    """
    kinds, allowed = _standing(book)
    own = kinds.copy()
    own.known = {**kinds.known, clause.head.name: len(clause.head.args)}
    errors = [*_names(clause, own.known, book.vocabulary), *_bindings(clause, book.vocabulary)]
    errors += own.take(clause)
    errors += misfits((clause,), book.vocabulary, allowed)
    return _told(errors)


def _stand(book: Book) -> tuple[Kinds, Allowed]:
    """What a question's terms have to go with: kinds and sorts of all predicates' terms."""
    kinds = Kinds(_arities(book.clauses, book.vocabulary), book.vocabulary)
    for clause in book.clauses:
        for _ in kinds.take(clause):
            pass
    return kinds, infer(book.clauses, book.vocabulary)


_standing = PerBook(_stand)


def _arities(clauses: Iterable[Clause], vocabulary: Vocabulary) -> dict[str, int]:
    """How many terms each predicate has."""
    known = {name: len(fact.args) for name, fact in vocabulary.facts.items()}
    for clause in clauses:
        known.setdefault(clause.head.name, len(clause.head.args))
    return known


def _told(errors: Iterable[LintError]) -> list[LintError]:
    """Each fault once, in the order in which they stand."""
    unique: dict[tuple[str, str, str], LintError] = {}
    for error in sorted(errors, key=_position):
        unique.setdefault((str(error.place), error.code, error.what), error)
    return list(unique.values())


def _position(error: LintError) -> tuple[str, int, int, str]:
    at = error.place or Place("")
    return (at.file, at.line, at.column, error.code)


def _clause_variables(clause: Clause) -> Iterator[str]:
    yield from variables(clause.head.args)
    for item in clause.body:
        yield from item_variables(item)


def _names(clause: Clause, known: Mapping[str, int], vocabulary: Vocabulary) -> Iterator[LintError]:
    head = clause.head
    if head.name in vocabulary.facts:
        yield LintError(
            f"{head.name} is a declared fact: only tables say it",
            place=clause.place,
            hint="derive a predicate with another name from it",
            code="L11",
        )
    for item in (head, *clause.body):
        literal = item.literal if isinstance(item, Count) else item
        if isinstance(literal, Comparison):
            continue
        if literal.name not in known:
            yield LintError(
                f"no predicate is called {literal.name}",
                place=spot(clause, literal.name, item),
                hint=did_you_mean(literal.name, known) or "define it, or declare it as a fact",
                code="L01",
            )
        elif known[literal.name] != len(literal.args):
            yield LintError(
                f"{literal.name} takes {known[literal.name]} terms, not {len(literal.args)}",
                place=spot(clause, literal.name, item),
                hint="one name, one number of terms",
                code="L02",
            )


def _binder(name: str, vocabulary: Vocabulary) -> str:
    """What to do about a variable that nothing binds, with a fact that could."""
    sort = name.lstrip("_").rstrip("0123456789")
    facts = (f for f in vocabulary.facts.values() if sort in f.args)
    like = next((f", like {f.name}({', '.join(f.args)})" for f in facts), "")
    return f"add a literal without `~` that says what {name} is{like}"


def _bindings(clause: Clause, vocabulary: Vocabulary) -> Iterator[LintError]:
    order = plan(clause.body)
    said = set()
    for item, lacking in order.stuck:
        word = lacking[0]
        said.add(word)
        if isinstance(item, Comparison):
            code, what = "L05", f"nothing binds {word} before it is compared in {item}"
        elif isinstance(item, Count):
            code, what = "L05", f"nothing binds {word} before {item} is counted"
        else:
            code, what = "L04", f"nothing binds {word} before {item} is asked"
        yield LintError(
            what,
            place=spot(clause, word, item),
            hint=_binder(word, vocabulary),
            code=code,
        )
    for item in clause.body:
        if isinstance(item, Count) and item.counted.name in order.bound:
            yield LintError(
                f"{item.counted.name} is counted, so it can't stand outside the count",
                place=spot(clause, item.counted.name, item),
                hint="give the counted variable a name of its own",
                code="L05",
            )
    for name in dict.fromkeys(variables(clause.head.args)):
        if name not in order.bound and name not in said:
            yield LintError(
                f"nothing in the body binds {name} of the head",
                place=spot(clause, name),
                hint=_binder(name, vocabulary),
                code="L03",
            )


def _prohibition(clause: Clause) -> Iterator[LintError]:
    """A prohibition whose head variables meet only under a negation costs their product."""
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
            spoken = {v for v in item_variables(item) if find(v) in heads}
            if len(sides & heads) > 1:
                yield LintError(
                    f"only {item} says what {' and '.join(sorted(spoken))} have to do with each "
                    "other: every pair would have to be tried",
                    place=spot(clause, item.name),
                    hint="say by a literal without `~` whom it hits: "
                    f"{item.name}(…) with another variable, and (One != Other); or make what is "
                    f"allowed the candidate: {item.name}(…) as first literal of the permission",
                    code="L08",
                )


def _sentence(
    text: str, names: set[str], places: Mapping[str, Place], place: Place
) -> Iterator[LintError]:
    rest, place = without_holes(text), places.get(text, place)
    if "{" in rest or "}" in rest:
        yield LintError(
            "a brace without its partner in a sentence",
            place=place,
            hint="holes look like {Player}",
            code="L10",
        )
    for hole in holes(text):
        if hole not in names:
            yield LintError(
                f"the sentence speaks of {{{hole}}}, which isn't there",
                place=places.get(in_braces(text, hole), place),
                hint=did_you_mean(hole, names)
                or "use: " * bool(names) + (", ".join(sorted(names)) or _NAMELESS),
                code="L10",
            )


def _speech(
    predicate: Predicate,
    own: Mapping[str, Sequence[Clause]],
    known: Mapping[str, int],
    predicates: Mapping[str, Predicate],
    vocabulary: Vocabulary,
    places: Mapping[str, Place],
) -> Iterator[LintError]:
    place = next((c.place for c in own.get(predicate.name, ())), Place(""))
    for text in (predicate.yes, predicate.no, predicate.tree_yes, *predicate.tree_no):
        yield from _sentence(text, set(predicate.params), places, place)
    yield from _outcomes(predicate, vocabulary, places, place)
    for told in (*predicate.tells, *predicate.tells_none, *predicate.doubts):
        speaker = vocabulary.facts.get(told.name) or predicates.get(told.name)
        spoken = (speaker and speaker.yes) or any(c.yes for c in own.get(told.name, ()))
        if told.name not in known or known[told.name] != len(told.args):
            yield LintError(
                f"{predicate.name} tells {told}, which no clause defines",
                place=places.get(str(told), place),
                hint=did_you_mean(told.name, known),
                code="L12",
            )
        elif not spoken:
            yield LintError(
                f"{predicate.name} tells {told.name}, which has no sentence",
                place=places.get(str(told), place),
                hint=f"give {told.name} a `# yes:`",
                code="L12",
            )


def _outcomes(
    predicate: Predicate, vocabulary: Vocabulary, places: Mapping[str, Place], place: Place
) -> Iterator[LintError]:
    """A next state is made of declared facts, and of what the head binds."""
    for kind, made in predicate.outcomes:
        at = places.get(str(made) if made.name else str(made.args[0]), place)
        fact = vocabulary.facts.get(made.name)
        if made.name and (made.negated or fact is None or len(fact.args) != len(made.args)):
            yield LintError(
                f"{predicate.name} says that {made} {kind}, which no declared fact is",
                place=at,
                hint=did_you_mean(made.name, vocabulary.facts) if fact is None else str(fact.name),
                code="L16",
            )
        elif fact and fact.momentary:
            yield LintError(
                f"{predicate.name} says that {made} {kind}, which is over after each step anyway",
                place=at,
                hint="a momentary fact is only told",
                code="L16",
            )
        for name in variables(made.args):
            if name not in predicate.params:
                yield LintError(
                    f"{predicate.name} doesn't say what {name} is",
                    place=at,
                    hint=did_you_mean(name, predicate.params)
                    or "use: " + ", ".join(predicate.params),
                    code="L16",
                )

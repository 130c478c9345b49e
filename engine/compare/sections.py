"""What the text of two books has that differs: sections, clauses, predicates, verbs.

Clauses are compared as clauses. Where an edition gives its base's sections other numbers, its
section is compared with the one that it was in their common base.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from ..book import Book, Predicate, Verb, rule_order
from ..errors import BookError, many
from ..model import Clause, Comparison, Item, literals
from .clauses import Difference, variants

Lineage = Sequence[tuple[str, Mapping[str, str]]]
"""An edition and its bases, innermost base first: names, and the numbers each gives to sections."""


class SectionDifference(NamedTuple):
    """A section that differs. ``numbers`` and ``titles`` are those of either book, None for none.

    ``less`` are clauses of the first book alone, ``more`` of the other alone, ``changed`` pairs
    that are about the same predicate. ``note`` says what differs beside clauses.
    """

    numbers: tuple[str | None, str | None]
    titles: tuple[str | None, str | None]
    less: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    changed: tuple[tuple[str, str], ...] = ()
    note: str = ""

    @property
    def number(self) -> str:
        """The number in the first book, or else in the other."""
        return self.numbers[0] or self.numbers[1] or ""

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        a, b = (
            None if number is None else {"number": number, "title": title}
            for number, title in zip(self.numbers, self.titles, strict=True)
        )
        return {
            "a": a,
            "b": b,
            "removed": list(self.less),
            "added": list(self.more),
            "changed": [list(pair) for pair in self.changed],
            "note": self.note,
        }


class Worded(NamedTuple):
    """The sentences of a predicate that only the first book has, and those of the other."""

    predicate: str
    less: tuple[str, ...]
    more: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"predicate": self.predicate, "less": [*self.less], "more": [*self.more]}


class Texts(NamedTuple):
    """What differs in the text of two books, and how much doesn't.

    ``renumbered`` are sections that differ in their number alone, ``predicates`` what is said of a
    predicate beside its clauses, ``worded`` the sentences that only one of the books has for some,
    ``verbs`` the ways to ask that only one has.
    """

    sections: tuple[SectionDifference, ...]
    alike: int
    renumbered: tuple[tuple[str, str], ...]
    moved: tuple[tuple[str, str, str], ...]
    predicates: tuple[tuple[str, str], ...]
    verbs: tuple[tuple[str, ...], tuple[str, ...]]
    worded: tuple[Worded, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything differs but numbers."""
        return bool(self.sections or self.predicates or any(self.verbs))

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "differ": [each.as_dict() for each in self.sections],
            "alike": self.alike,
            "renumbered": dict(self.renumbered),
            "moved": [list(each) for each in self.moved],
            "predicates": dict(self.predicates),
            "worded": [each.as_dict() for each in self.worded],
            "verbs": [list(each) for each in self.verbs],
        }


def same_facts(a: Book, b: Book) -> None:
    """Raise BookError where two books don't know the same facts and sorts."""
    mine, theirs = a.vocabulary, b.vocabulary
    said = []
    for kind, ones, others in (
        ("fact", mine.facts, theirs.facts),
        ("sort", mine.sorts, theirs.sorts),
    ):
        found: Iterable[tuple[str, Collection[str]]] = (
            ("only in the first", sorted(set(ones) - set(others))),
            ("only in the other", sorted(set(others) - set(ones))),
            (
                "not the same",
                sorted(k for k in ones if k in others and _differ(ones[k], others[k])),
            ),
        )
        said += [f"{many(len(n), kind)} {how}: {', '.join(n)}" for how, n in found if n]
    if said:
        raise BookError(
            f"{a.name} and {b.name} don't know the same tables: {'; '.join(said)}",
            hint="books are compared over the same facts: declare them alike in vocabulary.dl",
        )


def _differ(one: Any, other: Any) -> bool:
    """Whether two declarations differ; where they stand and how they speak doesn't count."""
    if hasattr(one, "shapes"):
        return bool(
            (one.args, one.sorts, one.keys, one.names, one.shapes, one.default, one.momentary)
            != (
                *(other.args, other.sorts, other.keys, other.names, other.shapes),
                *(other.default, other.momentary),
            )
        )
    return bool(one != other)


def differing(a: Book, b: Book, lines: tuple[Lineage, Lineage], only: Collection[str]) -> Texts:
    """What differs in the text of two books; of ``only`` some sections where any are named."""
    own, others = _by_rule(a), _by_rule(b)
    mine, theirs = _repaired(own, others, *paired(a, b, lines))
    found: list[SectionDifference] = []
    moved: list[tuple[str, str]] = []
    gone: list[tuple[str, Clause]] = []
    come: list[tuple[str, Clause]] = []
    alike = 0
    for one, other in [*mine.items(), *((None, n) for n in theirs)]:
        if only and one not in only and other not in only:
            continue
        difference = Difference(own.get(one or "", ()), others.get(other or "", ()))
        gone += [(one or "", c) for c in (*difference.less, *(x for x, _ in difference.changed))]
        come += [(other or "", c) for c in (*difference.more, *(y for _, y in difference.changed))]
        each = _section(a, b, (one, other), difference)
        if each is not None:
            found.append(each)
            continue
        alike += 1
        if one and other and one != other:
            moved.append((one, other))
    return Texts(
        tuple(sorted(found, key=lambda each: rule_order(each.number))),
        alike,
        tuple(moved),
        tuple(_moved(gone, come)),
        tuple(_predicates(a, b)) if not only else (),
        _verbs(a, b) if not only else ((), ()),
        tuple(_worded(a, b)) if not only else (),
    )


def paired(
    a: Book, b: Book, lines: tuple[Lineage, Lineage]
) -> tuple[dict[str, str | None], list[str]]:
    """The sections of the first book with those of the other; those that only the other has."""
    there, back = numbers_there(a, b, lines)
    mine = {
        n: there.get(n, n if n in b.sections and n not in back else None)
        for n in sorted(a.sections, key=rule_order)
    }
    taken = set(mine.values())
    return mine, [n for n in sorted(b.sections, key=rule_order) if n not in taken]


def numbers_there(
    a: Book, b: Book, lines: tuple[Lineage, Lineage]
) -> tuple[dict[str, str], dict[str, str]]:
    """The sections whose numbers differ: from the first book's to the other's, and back.

    Both books' numbers are followed to their last common base.
    """
    both = zip(*([name for name, _ in line] for line in lines), strict=False)
    common = len(list(takewhile(lambda pair: pair[0] == pair[1], both)))
    steps = [[numbers for _, numbers in line[common:]] if common else [] for line in lines]
    known = {n for own in steps for numbers in own for n in numbers}
    there = {}
    for number in known:
        one, other = (_followed(number, own) for own in steps)
        if one in a.sections and other in b.sections:
            there[one] = other
    return there, {other: one for one, other in there.items()}


def _followed(number: str, steps: Sequence[Mapping[str, str]]) -> str:
    for numbers in steps:
        number = numbers.get(number, number)
    return number


def _repaired(
    own: Mapping[str, Sequence[Clause]],
    others: Mapping[str, Sequence[Clause]],
    mine: Mapping[str, str | None],
    theirs: Sequence[str],
) -> tuple[dict[str, str | None], list[str]]:
    """Sections paired by their clauses, where numbers pair some that differ.

    Those with the same clauses first, then those left that are most alike, if more than half is.
    """
    paired = dict(mine)
    left = [
        n for n, other in mine.items() if Difference(own.get(n, ()), others.get(other or "", ()))
    ]
    free = [*(m for n in left if (m := mine[n]) is not None), *theirs]
    numbered = {n: mine[n] for n in left}
    for least in (1.0, _MOST_ALIKE):
        found = [
            (-share, rule_order(n), rule_order(m), n, m)
            for n in left
            for m in free
            if (share := _alike(own.get(n, ()), others.get(m, ()))) >= least
            and (least == 1.0 or n not in numbered or numbered[n] not in free or numbered[n] == m)
        ]
        for *_, n, m in sorted(found):
            if n in left and m in free:
                left.remove(n)
                free.remove(m)
                paired[n] = m
    for n in left:
        m = numbered[n]
        paired[n] = m if m in free else None
        free = [each for each in free if each != m]
    return paired, free


_MOST_ALIKE = 0.6


def _alike(ones: Sequence[Clause], others: Sequence[Clause]) -> float:
    """How much of two sections' clauses is alike: 1 where all are variants, 0 without clauses."""
    if not ones or not others:
        return 0.0
    if {c.head.name for c in ones} != {c.head.name for c in others}:
        return 0.0
    if not Difference(ones, others):
        return 1.0
    mine, theirs = ({_sketch(i) for c in own for i in c.body} for own in (ones, others))
    both = mine | theirs
    return 0.99 * len(mine & theirs) / len(both) if both else 0.0


def _sketch(item: Item) -> str:
    """What an item is about, without its terms."""
    if isinstance(item, Comparison):
        return item.op
    return " ".join(("~" if x.negated else "") + x.name for x in literals([item]))


def _by_rule(book: Book) -> dict[str, list[Clause]]:
    out: dict[str, list[Clause]] = {}
    for clause in book.clauses:
        out.setdefault(clause.rule, []).append(clause)
    return out


def _section(
    a: Book, b: Book, numbers: tuple[str | None, str | None], found: Difference
) -> SectionDifference | None:
    """How a section differs, or None."""
    one, other = a.sections.get(numbers[0] or ""), b.sections.get(numbers[1] or "")
    notes = []
    if one and other:
        if one.title != other.title:
            notes.append("title")
        if one.left_out != other.left_out:
            notes.append("why it is left out")
        if (one.stands_for, one.joins) != (other.stands_for, other.joins):
            notes.append("what kind of section it is")
    if one and other and not found and not notes:
        return None
    return SectionDifference(
        numbers,
        (one.title if one else None, other.title if other else None),
        tuple(map(clause_text, found.less)),
        tuple(map(clause_text, found.more)),
        tuple((clause_text(x), clause_text(y)) for x, y in found.changed),
        ", ".join(notes),
    )


def clause_text(clause: Clause) -> str:
    """A clause in one line of clause syntax."""
    return str(clause)


def _moved(
    gone: Sequence[tuple[str, Clause]], come: Sequence[tuple[str, Clause]]
) -> Iterator[tuple[str, str, str]]:
    """Clauses that stand in another section in the other book: from where, where to, which."""
    left = list(come)
    for number, clause in gone:
        found = next((e for e in left if e[0] != number and variants(clause, e[1])), None)
        if found is not None:
            left.remove(found)
            yield number, found[0], clause_text(clause)


_SAID = {
    "role": "what it is",
    "alarm": "whether it refuses a table",
    "doubts": "where it is left open",
    "outcomes": "what becomes of it in a step",
    "sentences": "its sentences",
}


def _predicates(a: Book, b: Book) -> Iterator[tuple[str, str]]:
    """What differs in what is said of a predicate that both books have."""
    for name in sorted(set(a.predicates) & set(b.predicates)):
        one, other = _about(a.predicates[name]), _about(b.predicates[name])
        found = [_SAID[k] for k in _SAID if one[k] != other[k]]
        if found:
            yield name, ", ".join(found)


def _worded(a: Book, b: Book) -> Iterator[Worded]:
    """The sentences of predicates that both books have and word differently."""
    for name in sorted(set(a.predicates) & set(b.predicates)):
        one, other = _sentences(a.predicates[name]), _sentences(b.predicates[name])
        less = tuple(each for each in one if each not in other)
        more = tuple(each for each in other if each not in one)
        if less or more:
            yield Worded(name, less, more)


def _sentences(predicate: Predicate) -> list[str]:
    """What is said of a predicate in words, each as a note of a clause file has it."""
    said = [
        *((f"yes: {predicate.yes}", predicate.yes), (f"no: {predicate.no}", predicate.no)),
        (f"tree yes: {predicate.tree_yes}", predicate.tree_yes),
        *((f"tree no: {text}", text) for text in predicate.tree_no),
        *((f"tells: {told}", told) for told in predicate.tells),
        *((f"tells none: {told}", told) for told in predicate.tells_none),
        ("bookkeeping:", predicate.bookkeeping),
    ]
    return [line for line, there in said if there]


def _about(predicate: Predicate) -> dict[str, object]:
    return {
        "role": (predicate.role, predicate.arity, predicate.walk),
        "alarm": predicate.alarm,
        "doubts": predicate.doubts,
        "outcomes": predicate.outcomes,
        "sentences": (
            *(predicate.yes, predicate.no, predicate.tree_yes, predicate.tree_no),
            *(predicate.tells, predicate.tells_none, predicate.bookkeeping),
        ),
    }


def _verbs(a: Book, b: Book) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ways to ask that only one of two books has, as words with their terms."""
    mine, theirs = ({form_text(book, v) for v in book.verbs} for book in (a, b))
    return tuple(sorted(mine - theirs)), tuple(sorted(theirs - mine))


def form_text(book: Book, verb: Verb) -> str:
    """A verb with the names of its terms: ``Player target Target``."""
    params = book.predicates[verb.predicate].params
    words = [params[verb.who], verb.word]
    words += [params[verb.what]] if verb.what is not None else []
    for preposition, spot in verb.others:
        words += [preposition, params[spot]]
    return " ".join(words)

"""Whether two clauses say the same: variants of each other, whatever their variables are called.

A *variant* differs by a renaming of variables alone (Lloyd, Foundations of Logic Programming,
1987). Layout is no part of a clause, and the order of a body says nothing, so two bodies are
compared as they are as conjunctions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..model import Clause, Comparison, Const, Count, Item, Literal, Sum, Term, Var

MOST_STEPS = 20_000
"""Pairs of items that are tried before two clauses count as different."""

_ROUNDS = 3


class Difference:
    """What two lists of clauses don't have in common: ``less`` in the first, ``more`` in the other.

    ``changed`` are pairs about the same predicate, in the order in which they stand.
    """

    def __init__(self, ones: Sequence[Clause], others: Sequence[Clause]) -> None:
        less, more = unmatched(ones, others)
        self.changed: list[tuple[Clause, Clause]] = []
        self.less: list[Clause] = []
        for clause in less:
            partner = next((c for c in more if c.head.name == clause.head.name), None)
            if partner is None:
                self.less.append(clause)
            else:
                more.remove(partner)
                self.changed.append((clause, partner))
        self.more = more

    def __bool__(self) -> bool:
        return bool(self.changed or self.less or self.more)


def unmatched(
    ones: Sequence[Clause], others: Sequence[Clause]
) -> tuple[list[Clause], list[Clause]]:
    """The clauses of each list that are no variant of one in the other, each matched once.

    Those that are equal are matched first: only of the others renamings are looked for.
    """
    same = Counter(map(_said, ones)) & Counter(map(_said, others))
    ones, others = _without(ones, same), _without(others, same)
    waiting: dict[object, list[Clause]] = {}
    for clause in others:
        waiting.setdefault(_colour(clause), []).append(clause)
    less = []
    for clause in ones:
        near = waiting.get(_colour(clause), [])
        found = next((c for c in near if variants(clause, c)), None)
        if found is None:
            less.append(clause)
        else:
            near.remove(found)
    left = {id(c) for near in waiting.values() for c in near}
    return less, [c for c in others if id(c) in left]


_Said = tuple[Literal, Sequence[Item]]


def _said(clause: Clause) -> _Said:
    return clause.head, clause.body


def _without(clauses: Sequence[Clause], same: Counter[_Said]) -> list[Clause]:
    """Clauses less so many of some that are equal to them."""
    left = Counter(same)
    out = []
    for clause in clauses:
        said = _said(clause)
        if left[said] > 0:
            left[said] -= 1
        else:
            out.append(clause)
    return out


def variants(one: Clause, other: Clause) -> bool:
    """Whether two clauses are the same but for the names of variables and the body's order."""
    if len(one.body) != len(other.body):
        return False
    renamed = _Renaming()
    if not renamed.item(one.head, other.head) or _odd(one, other) != _odd(other, one):
        return False
    mine, theirs = _coloured(one), _coloured(other)
    return _Matching(mine, theirs).matches(renamed)


def _odd(one: Clause, other: Clause) -> Counter[object]:
    """What the items of a body that another doesn't share are but for their variables."""
    shared = set(map(id, other.body))
    return Counter(_shape(item, {}) for item in one.body if id(item) not in shared)


class _Renaming:
    """Which variable of one clause is which of the other, both ways, with an undo."""

    def __init__(self) -> None:
        self._there: dict[str, str] = {}
        self._back: dict[str, str] = {}
        self._trail: list[str] = []

    def mark(self) -> int:
        """Where ``undo`` can go back to."""
        return len(self._trail)

    def undo(self, mark: int) -> None:
        """Forget what was found since."""
        while len(self._trail) > mark:
            self._back.pop(self._there.pop(self._trail.pop()))

    def item(self, one: Item, other: Item) -> bool:
        """Whether two items of a body can be the same."""
        if isinstance(one, Literal) and isinstance(other, Literal):
            return (
                (one.name, one.negated, len(one.args))
                == (other.name, other.negated, len(other.args))
            ) and all(map(self.term, one.args, other.args))
        if isinstance(one, Comparison) and isinstance(other, Comparison):
            return (
                one.op == other.op
                and self.term(one.left, other.left)
                and self.term(one.right, other.right)
            )
        return (
            isinstance(one, Count)
            and isinstance(other, Count)
            and self.term(one.result, other.result)
            and self.term(one.counted, other.counted)
            and self.item(one.literal, other.literal)
        )

    def term(self, one: Term, other: Term) -> bool:
        """Whether two terms can be the same."""
        if isinstance(one, Var) and isinstance(other, Var):
            known, back = self._there.get(one.name), self._back.get(other.name)
            if known is None and back is None:
                self._there[one.name], self._back[other.name] = other.name, one.name
                self._trail.append(one.name)
                return True
            return known == other.name and back == one.name
        if isinstance(one, Sum) and isinstance(other, Sum):
            return (
                one.op == other.op
                and self.term(one.left, other.left)
                and self.term(one.right, other.right)
            )
        return isinstance(one, Const) and one == other


class _Matching:
    """Items of two bodies, those first that have fewest partners."""

    def __init__(
        self, mine: Sequence[tuple[object, Item]], theirs: Sequence[tuple[object, Item]]
    ) -> None:
        number: dict[object, int] = {}
        for colour, _ in theirs:
            number[colour] = number.get(colour, 0) + 1
        self._mine = sorted(mine, key=lambda each: number.get(each[0], 0))
        self._theirs, self._steps = list(theirs), 0

    def matches(self, renamed: _Renaming, at: int = 0) -> bool:
        """Whether the rest of the items can be paired."""
        if at == len(self._mine):
            return True
        colour, item = self._mine[at]
        for spot, (other_colour, other) in enumerate(self._theirs):
            self._steps += 1
            if other_colour != colour or self._steps > MOST_STEPS:
                continue
            mark = renamed.mark()
            if renamed.item(item, other):
                taken = self._theirs.pop(spot)
                if self.matches(renamed, at + 1):
                    return True
                self._theirs.insert(spot, taken)
            renamed.undo(mark)
        return False


def _colour(clause: Clause) -> object:
    """What two variants have in common, to find them by."""
    body = sorted(hash(colour) for colour, _ in _coloured(clause))
    return clause.head.name, len(clause.head.args), tuple(body)


def _coloured(clause: Clause) -> list[tuple[object, Item]]:
    """Each item of a body with what it shares with its partner in any variant.

    Colours of variables are refined by where they stand (Weisfeiler and Leman 1968).
    """
    colours: Mapping[str, int] = {}
    for _ in range(_ROUNDS):
        found: dict[str, list[int]] = {}
        for item in (clause.head, *clause.body):
            seen = hash((item is clause.head, _shape(item, colours)))
            for spot, name in enumerate(_names(item)):
                found.setdefault(name, []).append(hash((seen, spot)))
        colours = {name: hash(tuple(sorted(spots))) for name, spots in found.items()}
    return [(_shape(item, colours), item) for item in clause.body]


def _names(item: Item) -> Iterator[str]:
    """The variables of an item, in the order of its terms."""
    todo: list[Term] = list(reversed(_terms(item)))
    while todo:
        term = todo.pop()
        if isinstance(term, Var):
            yield term.name
        elif isinstance(term, Sum):
            todo += [term.right, term.left]


def _terms(item: Item) -> list[Term]:
    if isinstance(item, Literal):
        return list(item.args)
    if isinstance(item, Comparison):
        return [item.left, item.right]
    return [item.result, item.counted, *item.literal.args]


def _shape(item: Item, colours: Mapping[str, int]) -> object:
    kind: tuple[object, ...]
    if isinstance(item, Literal):
        kind = (item.name, item.negated)
    elif isinstance(item, Comparison):
        kind = (item.op,)
    else:
        kind = (item.literal.name, item.literal.negated, "counted")
    return (*kind, *(_term_shape(t, colours) for t in _terms(item)))


def _term_shape(term: Term, colours: Mapping[str, int]) -> object:
    if isinstance(term, Var):
        return colours.get(term.name, 0)
    if isinstance(term, Sum):
        return term.op, _term_shape(term.left, colours), _term_shape(term.right, colours)
    return type(term.value).__name__, term.value

"""A book's clauses less what can't matter while a table states nothing of some predicates.

A predicate is *possible* when some clause of it has only possible positive literals, or when the
table states it. A positive literal that isn't possible takes its clause away, a negation of it is
always true, and a count of it is 0. Found as in the linear test of Dowling and Gallier (1984).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

from ..book import Book, PerBook
from ..language import plan
from ..model import Clause, Comparison, Const, Count, Item, Literal, Var

T = TypeVar("T")

MOST_KEPT = 16
"""Of so many sets of predicates that tables state, those asked of last, is kept what was made."""


class Outline(NamedTuple):
    """What a book's clauses rest on: arities, whom clauses wait for, who waits for a predicate.

    ``above`` are the heads of the clauses that look at a predicate in any way.
    """

    arity: dict[str, int]
    waits: list[tuple[str, int]]
    users: dict[str, list[int]]
    used: frozenset[str]
    above: dict[str, set[str]]


class Reduced:
    """The clauses of one book for the tables that state these predicates and no others."""

    def __init__(self, book: Book, stated: Collection[str]) -> None:
        outline = _outline(book)
        self.arity, self.by_head, self._above = outline.arity, book.by_head, outline.above
        self.possible: frozenset[str] = _possible(outline, stated)
        self._stands_for: dict[str, tuple[Literal, Literal] | None] = {}

    def resting_on(self, names: Iterable[str]) -> set[str]:
        """These predicates and all whose clauses look at one of them, however far down."""
        found, todo = set(names), list(names)
        while todo:
            new = self._above.get(todo.pop(), set()) - found
            found |= new
            todo += new
        return found

    def clauses(self, name: str) -> Iterator[tuple[Literal, list[Item]]]:
        """Heads and bodies of a predicate's clauses, in a safe order."""
        for clause in self.by_head.get(name, ()):
            body = self._body(clause)
            if body is not None:
                items = enumerate(plan(body).items)
                yield clause.head, [self._plainer(item, f"{i} ") for i, item in items]

    def _plainer(self, item: Item, mark: str) -> Item:
        """A literal in place of one that only stands for it."""
        while isinstance(item, Literal) and (meant := self._meant(item.name)):
            head, body = meant
            values = dict(zip([repr(t) for t in head.args], item.args, strict=True))
            args = [
                values.get(t.name) or Var(mark + t.name) if isinstance(t, Var) else t
                for t in body.args
            ]
            item, mark = Literal(body.name, tuple(args), item.negated), mark + " "
        return item

    def _meant(self, name: str) -> tuple[Literal, Literal] | None:
        """Head and body of a predicate's only clause, where that does no more than rename."""
        if name not in self._stands_for:
            own = [(c.head, self._body(c)) for c in self.by_head.get(name, ())]
            left = [(head, body) for head, body in own if body is not None]
            self._stands_for[name] = _renaming(*left[0]) if len(left) == 1 else None
        return self._stands_for[name]

    def _body(self, clause: Clause) -> list[Item] | None:
        out: list[Item] = []
        for item in clause.body:
            name = "" if isinstance(item, Comparison) else _literal(item).name
            if not name or name in self.possible:
                out.append(item)
            elif isinstance(item, Count):
                out.append(Comparison("==", item.result, Const(0)))
            elif isinstance(item, Literal) and not item.negated:
                return None
        return out


def _renaming(head: Literal, body: list[Item]) -> tuple[Literal, Literal] | None:
    """A head and the one literal of its body, which says the same whatever stands there."""
    item = body[0] if len(body) == 1 else None
    spoken = {t.name for t in head.args if isinstance(t, Var)}
    if not isinstance(item, Literal) or item.negated or len(spoken) != len(head.args):
        return None
    return (head, item) if all(isinstance(t, Var | Const) for t in item.args) else None


def _literal(item: Literal | Count) -> Literal:
    return item if isinstance(item, Literal) else item.literal


def arities(book: Book) -> dict[str, int]:
    """How many terms each fact of the vocabulary and each predicate of a book has."""
    arity = {name: len(fact.args) for name, fact in book.vocabulary.facts.items()}
    for name, declared in book.predicates.items():
        arity.setdefault(name, declared.arity)
    return arity


def _outlined(book: Book) -> Outline:
    waits: list[tuple[str, int]] = []
    users: dict[str, list[int]] = {}
    used: set[str] = set()
    above: dict[str, set[str]] = {}
    for number, (head, needed, others) in enumerate(book.clauses.rests):
        waits.append((head, len(needed)))
        for name in needed:
            users.setdefault(name, []).append(number)
        used.update(needed, others)
        for name in (*needed, *others):
            above.setdefault(name, set()).add(head)
    return Outline(arities(book), waits, users, frozenset(used), above)


_outline = PerBook(_outlined)


def _possible(outline: Outline, stated: Collection[str]) -> frozenset[str]:
    left = [number for _, number in outline.waits]
    todo = [*stated, *(head for head, number in outline.waits if not number)]
    found: set[str] = set()
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        for number in outline.users.get(name, ()):
            left[number] -= 1
            if not left[number]:
                todo.append(outline.waits[number][0])
    return frozenset(found)


class PerReduced(Generic[T]):
    """Something made once of a book's clauses reduced to what a table states; the latest kept."""

    def __init__(self, make: Callable[[Reduced], T], most: int = MOST_KEPT) -> None:
        self._make, self._most = make, most
        self._kept: PerBook[dict[frozenset[str], T]] = PerBook(lambda _book: {})

    def __call__(self, book: Book, stated: Collection[str]) -> T:
        """What belongs to this book where a table states these predicates."""
        mark = _outline(book).used.intersection(stated)
        return _kept(self._kept(book), mark, lambda: self._make(_reduced(book, mark)), self._most)


def _reduced(book: Book, mark: frozenset[str]) -> Reduced:
    """The clauses reduced, once for all that is made of them."""
    return _kept(_reductions(book), mark, lambda: Reduced(book, mark), MOST_KEPT)


_reductions: PerBook[dict[frozenset[str], Reduced]] = PerBook(lambda _book: {})


def _kept(
    kept: dict[frozenset[str], T], mark: frozenset[str], make: Callable[[], T], most: int
) -> T:
    """What is kept under a mark, or made now; what was asked for longest ago is let go."""
    found = kept.pop(mark, None)
    if found is None:
        found = make()
    kept[mark] = found
    for old in list(kept)[:-most]:
        kept.pop(old, None)
    return found


possible_with = PerReduced(lambda reduced: reduced.possible)
"""The predicates of a book that can hold where a table states these."""

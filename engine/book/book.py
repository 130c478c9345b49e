"""What a rule book is made of above its clauses: sections, predicates, declared facts, the book."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar, overload

from ..errors import Place
from ..model import Clause, Literal, literals
from .vocabulary import Vocabulary

T = TypeVar("T")


class Section:
    """One numbered rule: title, clauses or why there are none.

    ``digests`` are those of the official wordings that it was checked against, by their source.
    One that ``joins`` lets permissions and prohibitions meet, and decides nothing else.
    """

    __slots__ = ("digests", "joins", "left_out", "number", "place", "stands_for", "title")

    def __init__(self, number: str, title: str, place: Place) -> None:
        self.number = number
        self.title = title
        self.place = place
        self.digests: dict[str, str] = {}
        self.left_out = ""
        self.stands_for = False
        self.joins = False


class Outcome(NamedTuple):
    """What a predicate's answers make of the table's facts in the next state.

    ``becomes``: the fact holds, and those with the same key give way; ``ends``: it holds no more;
    ``goes``: nothing is said any more of the only term.
    """

    kind: str
    fact: Literal


class Predicate:
    """What the book says about one predicate: its role, its sentences, and what comes of it.

    ``telling`` are the sections in which what it ``tells`` is said.
    """

    __slots__ = (
        *("alarm", "arity", "bookkeeping", "doubts", "name", "no", "outcomes", "params", "role"),
        *("telling", "tells", "tells_none", "tree_no", "tree_yes", "walk", "yes"),
    )

    def __init__(self, name: str, params: tuple[str, ...], role: str = "") -> None:
        self.name = name
        self.role = role
        self.arity = len(params)
        self.params = params
        self.yes = ""
        self.no = ""
        self.tree_yes = ""
        self.tree_no: tuple[str, ...] = ()
        self.bookkeeping = False
        self.tells: tuple[Literal, ...] = ()
        self.telling: tuple[str, ...] = ()
        self.tells_none: tuple[Literal, ...] = ()
        self.doubts: tuple[Literal, ...] = ()
        self.outcomes: tuple[Outcome, ...] = ()
        self.walk = False
        self.alarm = ""

    @property
    def speaks(self) -> bool:
        """Whether the short reason can say it in a sentence of its own."""
        return bool(self.yes or self.no)


class Verb(NamedTuple):
    """A way to ask a predicate in players' words: which argument is who, which is what.

    ``others`` are arguments behind a preposition: ``choose Target for Choice``.
    """

    word: str
    who: int
    what: int | None
    predicate: str
    others: tuple[tuple[str, int], ...] = ()


Bearing = Mapping[str, tuple[frozenset[str] | None, ...]]
"""The facts that bear on something, and for each of their terms the words that do; None where a
term holds no declared words."""

Rests = list[tuple[str, list[str], list[str]]]
"""The head of each clause, the predicates its body needs, and those it denies or counts."""


class Clauses(Sequence[Clause]):
    """Clauses in rule order."""

    def __init__(self, clauses: Iterable[Clause]) -> None:
        self._all = tuple(clauses)
        self._by_head: dict[str, list[Clause]] = {}

    @property
    def by_head(self) -> Mapping[str, list[Clause]]:
        """The clauses of each predicate that has some, in rule order."""
        if not self._by_head:
            for clause in self._all:
                self._by_head.setdefault(clause.head.name, []).append(clause)
        return self._by_head

    @property
    def rests(self) -> Rests:
        """What each clause rests on, in rule order."""
        found: Rests = []
        for clause in self:
            needed = {i.name for i in clause.body if isinstance(i, Literal) and not i.negated}
            every = {x.name for x in literals(clause.body)}
            found.append((clause.head.name, sorted(needed), sorted(every - needed)))
        return found

    def whole(self) -> tuple[Clause, ...]:
        """Every clause."""
        return self._all

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Clause]:
        return iter(self.whole())

    @overload
    def __getitem__(self, at: int) -> Clause: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Clause]: ...
    def __getitem__(self, at: int | slice) -> Clause | Sequence[Clause]:
        return self.whole()[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Clauses) and self.whole() == other.whole()

    def __hash__(self) -> int:
        return hash(len(self))


class Book(NamedTuple):
    """A rule book ready to be asked: sections, clauses in rule order, predicates, vocabulary.

    A session has one as its ``book``. ``settings`` are what the ``edition.toml`` says beside (see
    ``settings.py``), ``bearing`` the facts and words that bear on anything that can be asked.

    >>> import seatlog
    >>> book = seatlog.open("four_in_a_ring").book
    >>> book
    <Book cr: Comprehensive Rules, 2026-08-07>
    >>> book.name, book.date, book.sections["801.4"].title
    ('cr', '2026-08-07', 'Nothing out of range can be targeted')
    """

    name: str
    title: str
    date: str
    sections: Mapping[str, Section]
    clauses: Clauses
    predicates: Mapping[str, Predicate]
    verbs: tuple[Verb, ...]
    vocabulary: Vocabulary
    key: str = ""
    arg_sorts: Mapping[str, tuple[frozenset[str] | None, ...]] = {}
    settings: Mapping[str, tuple[str, ...]] = {}
    bearing: Mapping[str, tuple[frozenset[str] | None, ...]] = {}

    def __repr__(self) -> str:
        """Which book it is: all of it would fill a session's screen many times over."""
        return f"<Book {self.name}: {self.title}, {self.date}>"

    @property
    def by_head(self) -> Mapping[str, list[Clause]]:
        """The clauses of each predicate that has some, in rule order."""
        return self.clauses.by_head

    def role(self, name: str) -> str:
        """What a predicate is: one of ``ROLES``, or nothing for a helper and a declared fact."""
        found = self.predicates.get(name)
        return found.role if found else ""

    def clauses_of(self, name: str) -> list[Clause]:
        """The clauses whose head is this predicate, in rule order."""
        return list(self.by_head.get(name, ()))


class PerBook(Generic[T]):
    """Something that is made of a book once, and kept for the books that were met last."""

    def __init__(self, make: Callable[[Book], T], most: int = 8) -> None:
        self._make, self._most = make, most
        self._kept: dict[int, tuple[Book, T]] = {}

    def __call__(self, book: Book) -> T:
        """What belongs to this very book."""
        kept = self._kept.pop(id(book), None)
        if kept is None or kept[0] is not book:
            kept = (book, self._make(book))
        self._kept[id(book)] = kept
        for old in list(self._kept)[: -self._most]:
            self._kept.pop(old, None)
        return kept[1]


def rule_order(number: str) -> tuple[tuple[int, str, int, str], ...]:
    """A sort key that puts 5.2 before 5.2a before 5.2z before 5.2aa before 5.10."""
    out: list[tuple[int, str, int, str]] = []
    for part in number.split("."):
        rest = part.lstrip("0123456789")
        digits = part[: len(part) - len(rest)]
        out.append((len(digits), digits, len(rest) if digits else 0, rest))
    return tuple(out)

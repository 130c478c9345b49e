"""The games within a bound: so many names of each sort, so many numbers, every declared word.

Made of the vocabulary alone. Names stand in slots that look alike, so games that differ by nothing
but names are one game where that can be said beforehand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod

from ..book import (
    AnyOf,
    Fact,
    Files,
    Names,
    Numbers,
    Sort,
    Texts,
    Vocabulary,
    borrowed,
    roots,
    under,
)
from ..errors import SeatlogError, did_you_mean, plural, quoted
from ..model import (
    Clause,
    Comparison,
    Const,
    Item,
    Literal,
    Row,
    Statement,
    Term,
    Value,
    Var,
    literals,
)
from ..table import format_file, format_keys, table

MOST = 40
"""So many names or numbers of a sort are taken at most."""
FEW = 3
"""So many numbers of a sort are taken where the bound doesn't say."""
NAME, NUMBER = 1, FEW


class Slots:
    """A universe of slots; ``bound`` says how many there are of some sorts.

    ``texts`` are the clauses out of which the texts come that a table may say where any is allowed.
    ``stated`` are facts that every game states: of those predicates it states nothing else.
    ``spoken`` are names that rules speak of, which are like no other.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        bound: Mapping[str, int],
        texts: Iterable[Clause] = (),
        stated: Sequence[Statement] = (),
        spoken: Collection[str] = (),
    ) -> None:
        self.vocabulary, self.bound, self.spoken = vocabulary, dict(bound), spoken
        self._texts = _texts(vocabulary, texts)
        self._domains: dict[str, tuple[Value, ...]] = {}
        self._rows: dict[str, tuple[Row, ...]] = {}
        self._groups: dict[object, int] = {}
        self.stated: dict[str, tuple[Row, ...]] = {}
        for each in stated:
            self.stated[each.name] = (*self.stated.get(each.name, ()), each.row)

    def domain(self, sort: str) -> tuple[Value, ...]:
        """The values of a sort."""
        found = self._domains.get(sort)
        if found is None:
            found = self._domains[sort] = tuple(dict.fromkeys(self._values(sort)))
        return found

    def names(self, sort: str) -> tuple[Value, ...]:
        """The names in the slots of a sort of names, none that it borrows."""
        if sort in self.bound or isinstance(self.vocabulary.sorts[sort], Names):
            return tuple(f"{sort}{i + 1}" for i in range(self.bound.get(sort, NAME)))
        return ()

    def leading(self, row: Row) -> Row:
        """The row that stands for all that come of a row by exchanging slots that look alike.

        Clauses hold names against each other as the same or not, so a game says the same of others
        when its names are exchanged; but not those that a fact gives numbers.
        """
        taken: Counter[str] = Counter()
        instead: dict[Value, Value] = {}
        for value in dict.fromkeys(row):
            sort = self._alike.get(value)
            if sort is not None:
                instead[value] = self.names(sort)[taken[sort]]
                taken[sort] += 1
        return tuple(instead.get(value, value) for value in row)

    @cached_property
    def _alike(self) -> dict[Value, str]:
        """The names of the slots that look alike, each with its sort."""
        facts = self.vocabulary.facts.values()
        spots = [(fact, self.numbered(fact)) for fact in facts]
        numbered = {fact.sorts[spot] for fact, spot in spots if spot is not None}
        told = {value for rows in self.stated.values() for row in rows for value in row}
        told |= {*self.spoken}
        return {
            name: sort
            for sort in self.vocabulary.sorts
            if sort not in numbered and told.isdisjoint(self.names(sort))
            for name in self.names(sort)
        }

    @property
    def told_apart(self) -> tuple[tuple[str, tuple[Value, ...]], ...]:
        """The texts that clauses tell from any other, by the sort that takes any text."""
        return tuple((sort, tuple(texts)) for sort, texts in sorted(self._texts.items()))

    def other_texts(self, sort: str) -> tuple[str, ...]:
        """The texts of a sort that stand for those that no clause looks for."""
        return tuple(f"{sort}{i + 1}" for i in range(self.bound.get(sort, NAME)))

    def rows(self, name: str) -> Collection[Row]:
        """Every row that a game may state of a declared fact."""
        found = self._rows.get(name)
        if found is None:
            found = self._rows[name] = self._possible(name)
        return found

    def always(self, name: str, row: Row) -> bool:
        """Whether every game states it."""
        return row in self.stated.get(name, ())

    def groups(self, name: str, row: Row) -> tuple[int, ...]:
        """The keys of the fact, where they leave something open: of one key a game says one row."""
        fact = self.vocabulary.facts.get(name)
        if fact is None:
            return ()
        marks = [
            (name, number, values)
            for (number, values), key in zip(fact.marks(row), fact.keys, strict=True)
            if len(set(key)) < len(row)
        ]
        return tuple(self._groups.setdefault(mark, len(self._groups)) for mark in marks)

    def games(self, names: Iterable[str] | None = None) -> int:
        """At most so many games there are, told apart by the facts of some predicates, or of all.

        Of the rows that share a key a game states one or none. What else a table has to be isn't
        looked at, nor that names which look alike may be exchanged.
        """
        number = 1
        for name in self.vocabulary.facts if names is None else set(names):
            number *= self._stating(name)
        return number

    def _stating(self, name: str) -> int:
        """In how many ways a game may state rows of a fact, at most."""
        rows, fact = self.rows(name), self.vocabulary.facts.get(name)
        if name in self.stated or fact is None:
            return 1
        ways = [1 << len(rows)]
        for key in fact.keys:
            sharing = Counter(tuple(row[spot] for spot in key) for row in rows)
            ways.append(prod(number + 1 for number in sharing.values()))
        return min(ways)

    def numbers(self, facts: Iterable[str]) -> dict[str, tuple[int, int]]:
        """The lowest and the highest number that games may say in some facts, by sort."""
        known = self.vocabulary.sorts
        found: dict[str, set[int]] = {}
        for name in facts:
            for spot, sort in enumerate(self.vocabulary.facts[name].sorts):
                if isinstance(known[sort], Numbers):
                    values = {v for row in self.rows(name) if isinstance(v := row[spot], int)}
                    found.setdefault(sort, set()).update(values)
        return {s: (min(found[s]), max(found[s])) for s in known if found.get(s)}

    def _possible(self, name: str) -> tuple[Row, ...]:
        if name in self.stated:
            return self.stated[name]
        fact = self.vocabulary.facts.get(name)
        if fact is None:
            return ()
        lined = self._lined(fact)
        if lined:
            return lined
        return tuple(product(*(self.domain(s) for s in fact.sorts)))

    def _lined(self, fact: Fact) -> tuple[Row, ...]:
        """The rows of a fact that gives each name of a sort its own number, without gaps.

        Where no other fact brings such names to a table, they may as well be numbered in order.
        """
        spot = self.numbered(fact)
        if spot is None:
            return ()
        number = self.vocabulary.sorts[fact.sorts[1 - spot]]
        assert isinstance(number, Numbers)
        pairs = enumerate(self.names(fact.sorts[spot]), number.lowest)
        return tuple((each, k) if spot == 0 else (k, each) for k, each in pairs)

    def numbered(self, fact: Fact) -> int | None:
        """At which spot a fact has the names that it alone brings and gives a number each."""
        if len(fact.args) != 2 or set(fact.keys) != {(0,), (1,)} or len(fact.names) != 1:
            return None
        spot = fact.names[0]
        name, number = fact.sorts[spot], self.vocabulary.sorts[fact.sorts[1 - spot]]
        others = [f for f, s in _introducing(self.vocabulary, name) if f is not fact]
        return spot if isinstance(number, Numbers) and number.dense and not others else None

    def _values(self, sort: str) -> Iterator[Value]:
        declared = self.vocabulary.sorts[sort]
        if isinstance(declared, Numbers):
            yield from _numbers(declared, self.bound.get(sort, NUMBER))
        elif isinstance(declared, AnyOf):
            for each in under(declared, self.vocabulary.sorts):
                yield from self.domain(each.name)
        elif isinstance(declared, Names):
            yield from self.names(sort)
            for other in sorted(borrowed(declared, self.vocabulary.sorts)):
                yield from self.names(other)
        elif isinstance(declared, Texts):
            yield from self._texts.get(sort, ())
            yield from self.other_texts(sort)
        elif not isinstance(declared, Files):
            yield from declared.words


def _numbers(sort: Numbers, many: int) -> Iterator[int]:
    """The lowest numbers; of a sort that goes far below 0 those around it."""
    low = sort.low if sort.low is not None and sort.low >= -1 else -1
    for number in range(low, low + many):
        if sort.high is None or number <= sort.high:
            yield number


def _texts(vocabulary: Vocabulary, clauses: Iterable[Clause]) -> dict[str, list[Value]]:
    """For each sort that takes any text, the texts that clauses look for."""
    found = _looked_for(vocabulary, list(clauses), Texts)
    return {sort: sorted(values, key=str) for sort, values in found.items()}


def names_said(vocabulary: Vocabulary, clauses: Iterable[Clause]) -> list[str]:
    """The names that clauses speak of: of such a name other things hold than of any other.

    A declared word is one of them where a clause looks for it among names: somebody may have it.
    """
    found = _looked_for(vocabulary, list(clauses), Names)
    return sorted({v for values in found.values() for v in values if isinstance(v, str)})


def _looked_for(
    vocabulary: Vocabulary, clauses: Sequence[Clause], kind: type[Sort]
) -> dict[str, set[Value]]:
    """For each sort of a kind the constants that stand, or are compared, where it can stand.

    What can stand in a term of a predicate is followed from facts through variables, and from one
    variable to another that it is compared with.
    """
    places: dict[tuple[str, int], frozenset[str]] = {}
    for fact in vocabulary.facts.values():
        for spot, sort in enumerate(fact.sorts):
            every = under(vocabulary.sorts[sort], vocabulary.sorts)
            places[fact.name, spot] = frozenset(s.name for s in every if isinstance(s, kind))
    known: list[dict[str, frozenset[str]]] = [{} for _ in clauses]
    changed = True
    while changed:
        changed = False
        for clause, own in zip(clauses, known, strict=True):
            before = dict(own)
            for term, sorts in (*_standing(clause, places), *_compared(clause.body, own)):
                if isinstance(term, Var):
                    own[term.name] = own.get(term.name, _NONE) | sorts
            changed |= own != before
            for literal in (clause.head, *literals(clause.body)):
                for spot, term in enumerate(literal.args):
                    sorts = own.get(term.name, _NONE) if isinstance(term, Var) else _NONE
                    there = places.get((literal.name, spot), _NONE)
                    if literal.name not in vocabulary.facts and not sorts <= there:
                        places[literal.name, spot] = there | sorts
                        changed = True
    found: dict[str, set[Value]] = {}
    for clause, own in zip(clauses, known, strict=True):
        for term, sorts in (*_standing(clause, places), *_compared(clause.body, own)):
            if isinstance(term, Const):
                for sort in sorts:
                    found.setdefault(sort, set()).add(term.value)
    return found


_NONE: frozenset[str] = frozenset()


def _standing(
    clause: Clause, places: Mapping[tuple[str, int], frozenset[str]]
) -> Iterator[tuple[Term, frozenset[str]]]:
    """The terms of a clause's literals with the sorts that can stand there."""
    for literal in (clause.head, *literals(clause.body)):
        for spot, term in enumerate(literal.args):
            sorts = places.get((literal.name, spot), _NONE)
            if sorts:
                yield term, sorts


def _compared(
    body: Sequence[Item], known: Mapping[str, frozenset[str]]
) -> Iterator[tuple[Term, frozenset[str]]]:
    """What variables are compared with, and the sorts of those."""
    for item in body:
        if isinstance(item, Comparison):
            for one, other in ((item.left, item.right), (item.right, item.left)):
                if isinstance(one, Var):
                    yield other, known.get(one.name, _NONE)


def _introducing(vocabulary: Vocabulary, sort: str) -> Iterator[tuple[Fact, int]]:
    """The facts that bring names of a sort to a table, each with the spot at which it does."""
    for fact in vocabulary.facts.values():
        for spot in fact.names:
            if sort in (roots(vocabulary.sorts[fact.sorts[spot]], vocabulary.sorts) or ()):
                yield fact, spot


def naming(vocabulary: Vocabulary) -> dict[str, list[Clause]]:
    """Clauses that tell which names are at a table: ``a Sort(Name)``, by their heads."""
    out: dict[str, list[Clause]] = {}
    for name, sort in vocabulary.sorts.items():
        if not isinstance(sort, Names):
            continue
        head = Literal(names_of(name), (Var("Name"),))
        for fact, spot in _introducing(vocabulary, name):
            args = tuple(Var("Name" if i == spot else f"V{i}") for i in range(len(fact.args)))
            body = (Literal(fact.name, args),)
            out.setdefault(head.name, []).append(Clause(head, body, "", fact.place))
    return out


def names_of(sort: str) -> str:
    """The predicate of ``naming`` that holds of the names of a sort."""
    return f"a {sort}"


def read_bound(said: str, vocabulary: Vocabulary) -> dict[str, int]:
    """``players=4,things=3`` as a number for each sort, said in any case and as one or many.

    Raises SeatlogError for a sort that isn't there, or has nothing to count.
    """
    counted = {
        form: name
        for name, sort in vocabulary.sorts.items()
        if isinstance(sort, Names | Numbers | Texts)
        for form in _forms(name)
    }
    out: dict[str, int] = {}
    for part in said.split(","):
        word, equals, number = (each.strip() for each in part.partition("="))
        known = counted.get(word.casefold())
        like = "like: players=4,things=3"
        if not equals or not number.isdecimal() or len(number) > 9:
            raise SeatlogError(f"{quoted(part.strip())} is no bound", hint=like)
        if known is None:
            hint = did_you_mean(word.casefold(), counted) or "there are: " + ", ".join(
                sorted({_forms(name)[-1] for name in counted.values()})
            )
            raise SeatlogError(f"nothing is called {quoted(word)} that a bound counts", hint=hint)
        if known in out:
            raise SeatlogError(f"the bound says {quoted(word)} twice", hint="keep one")
        if int(number) > MOST:
            raise SeatlogError(f"{number} {word} are too many", hint=f"at most {MOST}")
        out[known] = int(number)
    return out


def bound_text(bound: Mapping[str, int]) -> str:
    """A bound as it is said: ``players=4,things=3``."""
    return ",".join(f"{_forms(name)[-1]}={number}" for name, number in bound.items())


def _forms(sort: str) -> tuple[str, str]:
    """A sort's name as one types it, of one and of many."""
    one = sort.casefold()
    return one, plural(one)


def of_format(name: str, vocabulary: Vocabulary) -> tuple[Statement, ...]:
    """The facts that a format fixes for every game of it. Raises SeatlogError."""
    for key, sort in format_keys(vocabulary).items():
        if name in sort.words:
            format_file(name, sort, vocabulary)
            return tuple(f for f in table({key: name}, vocabulary).facts if f.origin)
    every = sorted({w for sort in format_keys(vocabulary).values() for w in sort.words})
    hint = did_you_mean(name, every) or "there are: " + ", ".join(every)
    raise SeatlogError(f"no format is called {quoted(name)}", hint=hint)


def sorts_of(row: Row, fact: Fact, vocabulary: Vocabulary) -> Iterator[tuple[Value, Sort]]:
    """The values of a fact with their sorts."""
    for value, sort in zip(row, fact.sorts, strict=True):
        yield value, vocabulary.sorts[sort]

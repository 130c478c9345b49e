"""``count`` in bodies against plain Python: none is 0, values count once, counts of counts."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from seatlog.book import Book
from seatlog.editions import load_book
from seatlog.game import Session
from seatlog.model import Const, Literal, Row, Term, Value, Var
from seatlog.solvers import SOLVERS, open_solver
from seatlog.table import table

VOCABULARY = """\
# role: can_ is a verdict
# role: cannot_ is a prohibition
# sort: Person is a name
# sort: Other is like Person
# sort: Number is a number from 0
# sort: Good is one of bread, milk, salt

# fact: age(Person, Number)
# table: age.Person = Number
# key: Person
# names: Person

# fact: knows(Person, Other)
# table: knows.Person = [Other]
# key: Person, Other

# fact: trades(Person, Other, Good)
# table: trades.Person.Other = [Good]
# key: Person, Other, Good
"""

RULES = """\
## 1.1  Counts
person(P) <= (age(P, _N))

# Nobody known is 0.
knows_many(P, N) <= (person(P) & (N == count(O, knows(P, O))))
knows_nobody(P) <= (person(P) & (N == count(O, knows(P, O))) & (N == 0))

# A partner with whom two goods are traded is one partner.
partner(P, O) <= (trades(P, O, _Good))
partners(P, N) <= (person(P) & (N == count(O, partner(P, O))))
goods(P, O, N) <= (partner(P, O) & (N == count(G, trades(P, O, G))))

# Of a derived predicate with a negation in it, in two clauses that overlap.
odd(P, O) <= (knows(P, O) & ~knows(O, P))
odd(P, O) <= (partner(P, O) & ~knows(P, O))
odd_ones(P, N) <= (person(P) & (N == count(O, odd(P, O))))

# A count decides who is counted, twice over.
popular(P) <= (person(P) & (N == count(O, knows(O, P))) & (N >= 2))
popular_friend(P, O) <= (knows(P, O) & popular(O))
popular_friends(P, N) <= (person(P) & (N == count(O, popular_friend(P, O))))
proud(P) <= (popular_friends(P, N) & (N > 0) & ~popular(P))
proud_ones(N) <= (N == count(P, proud(P)))

# How many know that many; the number is what is grouped by.
as_many(N, M) <= (knows_many(_P, N) & (M == count(P, knows_many(P, N))))
numbers(M) <= (M == count(N, as_number(N)))
as_number(N) <= (as_many(N, _M))

# The result is bound before, compared after, and calculated with.
as_old(P) <= (age(P, N) & (N == count(O, knows(P, O))))
balanced(P) <= (person(P) & (N == count(O, knows(P, O))) & (N == count(Q, knows(Q, P))))
surplus(P, D) <= (
    person(P) & (N == count(O, knows(P, O))) & (M == count(Q, knows(Q, P))) & (D == N - M)
)
ahead(P, O) <= (knows_many(P, N) & knows_many(O, M) & (M < N))

# The same variable twice, constants, and a result that is a key as well.
selfish(N) <= (N == count(P, knows(P, P)))
know_ann(N) <= (N == count(P, knows(P, 'Ann')))
age_groups(N) <= (age(_P, N) & (N == count(P, age(P, N))))

# Under a negation.
modest(P) <= (person(P) & ~knows_many(P, 0) & ~popular(P))
"""

NAMES = ("Ann", "Bob", "Cleo", "O'Neill", "花子")
GOODS = ("bread", "milk", "salt")
Pair = tuple[str, str]


class Facts:
    """A small set of facts, as a table says them and as Python counts them."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.people = list(NAMES[: rng.randint(1, len(NAMES))])
        self.age = {p: rng.randint(0, 4) for p in self.people}
        pairs = [(p, o) for p in self.people for o in self.people]
        density = rng.choice((0.0, 0.2, 0.5, 1.0))
        self.knows = {x for x in pairs if rng.random() < density}
        self.trades = {(*x, g) for x in pairs for g in GOODS if rng.random() < 0.25}

    def data(self) -> dict[str, Any]:
        out: dict[str, Any] = {"age": self.age, "knows": {}, "trades": {}}
        for p, o in sorted(self.knows):
            out["knows"].setdefault(p, []).append(o)
        for p, o, g in sorted(self.trades):
            out["trades"].setdefault(p, {}).setdefault(o, []).append(g)
        return out

    def known(self, p: str) -> int:
        return len({o for q, o in self.knows if q == p})

    def knowing(self, p: str) -> int:
        return len({q for q, o in self.knows if o == p})

    def popular(self, p: str) -> bool:
        return self.knowing(p) >= 2

    def popular_friends(self, p: str) -> int:
        return sum(self.popular(o) for q, o in self.knows if q == p)

    def partners(self) -> set[Pair]:
        return {(p, o) for p, o, _ in self.trades}

    def odd(self) -> set[Pair]:
        return {(p, o) for p, o in self.knows if (o, p) not in self.knows} | (
            self.partners() - self.knows
        )

    def expected(self) -> dict[str, set[Row]]:
        people, known = self.people, self.known
        numbers = [known(p) for p in people]
        proud = [p for p in people if self.popular_friends(p) and not self.popular(p)]
        ages = list(self.age.values())
        return {
            "knows_many": {(p, known(p)) for p in people},
            "knows_nobody": {(p,) for p in people if not known(p)},
            "partners": {(p, sum(q == p for q, _ in self.partners())) for p in people},
            "goods": {
                (p, o, sum(t[:2] == (p, o) for t in self.trades)) for p, o in self.partners()
            },
            "odd_ones": {(p, sum(q == p for q, _ in self.odd())) for p in people},
            "popular": {(p,) for p in people if self.popular(p)},
            "popular_friends": {(p, self.popular_friends(p)) for p in people},
            "proud": {(p,) for p in proud},
            "proud_ones": {(len(proud),)},
            "as_many": {(n, numbers.count(n)) for n in numbers},
            "numbers": {(len(set(numbers)),)},
            "as_old": {(p,) for p in people if self.age[p] == known(p)},
            "balanced": {(p,) for p in people if known(p) == self.knowing(p)},
            "surplus": {(p, known(p) - self.knowing(p)) for p in people},
            "ahead": {(p, o) for p in people for o in people if known(p) > known(o)},
            "selfish": {(sum(p == o for p, o in self.knows),)},
            "know_ann": {(self.knowing("Ann"),)},
            "age_groups": {(n,) for n in ages if ages.count(n) == n},
            "modest": {(p,) for p in people if known(p) and not self.popular(p)},
        }


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    folder = tmp_path_factory.mktemp("counts")
    (folder / "facts").mkdir()
    (folder / "facts" / "vocabulary.dl").write_text(VOCABULARY, encoding="utf-8")
    (folder / "book").mkdir()
    (folder / "book" / "edition.toml").write_text('title = "Counts"\n', encoding="utf-8")
    (folder / "book" / "1.1_counts.dl").write_text(RULES, encoding="utf-8")
    return load_book(str(folder / "book"), folder / "facts")


@pytest.fixture(scope="module")
def game(book: Book) -> Callable[[int], Session]:
    @cache
    def of(seed: int) -> Session:
        return Session(book, table(Facts(seed).data(), book.vocabulary))

    return of


def asks(row: Row, rng: random.Random) -> tuple[Term, ...]:
    """A row's values, some of them replaced by variables."""
    return tuple(Var(f"V{i}") if rng.random() < 0.5 else Const(v) for i, v in enumerate(row))


@pytest.mark.parametrize("seed", range(50))
def test_counts_are_those_of_plain_python(game: Callable[[int], Session], seed: int) -> None:
    session, facts = game(seed), Facts(seed)
    beside = open_solver(session.book, session.table.facts, "compiled")
    for name, wanted in facts.expected().items():
        arity = session.book.predicates[name].arity
        literal = Literal(name, tuple(Var(f"V{i}") for i in range(arity)))
        found = session.solver.rows(literal)
        assert set(found) == wanted, f"{name} {facts.data()}"
        assert len(found) == len(wanted)
        assert beside.rows(literal) == found


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(0, 50, 2))
def test_counts_with_bound_terms(game: Callable[[int], Session], seed: int, solver: str) -> None:
    """The same with some terms given, right and wrong ones, on a solver that knows nothing yet."""
    facts, rng = Facts(seed), random.Random(seed)
    book = game(seed).book
    asked = open_solver(book, table(facts.data(), book.vocabulary).facts, solver)
    values: list[Value] = [*facts.people, 0, 1, 2, 3, 7]
    cases = [
        (name, asks(tuple(rng.choice(values) for _ in range(book.predicates[name].arity)), rng))
        for name in facts.expected()
        for _ in range(3)
    ]
    cases += [
        (name, asks(row, rng))
        for name, rows in facts.expected().items()
        for row in sorted(rows)[:3]
    ]
    rng.shuffle(cases)
    for name, args in cases:
        wanted = {
            row
            for row in facts.expected()[name]
            if all(not isinstance(t, Const) or t.value == v for t, v in zip(args, row, strict=True))
        }
        assert set(asked.rows(Literal(name, args))) == wanted, (name, args, facts.data())


def test_the_facts_are_a_fair_mix() -> None:
    every = [Facts(seed).expected() for seed in range(50)]
    for name in ("knows_nobody", "popular", "proud", "balanced", "as_old", "age_groups", "modest"):
        assert sum(bool(e[name]) for e in every) >= 5, name
        assert sum(not e[name] for e in every) >= 5, name
    assert sum((0,) in e["selfish"] for e in every) >= 5


@pytest.mark.parametrize("seed", range(0, 50, 10))
def test_a_count_can_be_asked(game: Callable[[int], Session], seed: int) -> None:
    session, facts = game(seed), Facts(seed)
    answer = session.ask("(N == count(O, knows('Ann', O)))")
    assert (answer.variables, answer.rows) == (("N",), [(facts.known("Ann"),)])
    answer = session.ask("person(P) & (N == count(O, odd(P, O)))")
    assert answer.variables == ("P", "N")
    assert set(answer.rows) == facts.expected()["odd_ones"]
    answer = session.ask("(N == count(O, knows('Ann', O))) & (N > 99)")
    assert (answer.variables, answer.rows) == (("N",), [])


def test_the_reason_of_a_number(game: Callable[[int], Session]) -> None:
    seed = next(s for s in range(50) if Facts(s).known("Ann") == 2)
    session = game(seed)
    right = session.ask("knows_many('Ann', 2)")
    assert right
    assert "2 is how often it is so that knows('Ann', O)" in right.text(tree="all"), right.text(
        tree="all"
    )
    assert right.cites == ("1.1",)
    wrong = session.ask("knows_many('Ann', 3)")
    assert not wrong
    assert "3 is how often" not in wrong.text(), wrong.text()
    assert "3 is how often" not in wrong.text(tree="all"), wrong.text(tree="all")

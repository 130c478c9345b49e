"""Clauses are compared as clauses: whatever variables are called, and however a body is ordered."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from seatlog.book import Book
from seatlog.compare.clauses import Difference, unmatched, variants
from seatlog.editions import load_book
from seatlog.errors import Place
from seatlog.language import read_clauses
from seatlog.model import Clause, Comparison, Const, Count, Item, Literal, Sum, Term, Var


def clause(text: str) -> Clause:
    """A clause read from text."""
    (found,) = [e for e in read_clauses(f"## 1.1  X\n\n{text}\n", "x.dl").entries if _is(e)]
    assert isinstance(found, Clause)
    return found


def _is(entry: object) -> bool:
    return isinstance(entry, Clause)


def renamed(term: Term, names: dict[str, str]) -> Term:
    if isinstance(term, Var):
        return Var(names[term.name])
    if isinstance(term, Sum):
        return Sum(renamed(term.left, names), term.op, renamed(term.right, names))
    return term


def rewritten(item: Item, names: dict[str, str]) -> Item:
    if isinstance(item, Literal):
        return item._replace(args=tuple(renamed(t, names) for t in item.args))
    if isinstance(item, Comparison):
        return Comparison(item.op, renamed(item.left, names), renamed(item.right, names))
    inner = rewritten(item.literal, names)
    assert isinstance(inner, Literal)
    return Count(Var(names[item.result.name]), Var(names[item.counted.name]), inner)


def names_in(each: Clause) -> list[str]:
    def walk(term: Term) -> Iterator[str]:
        if isinstance(term, Var):
            yield term.name
        elif isinstance(term, Sum):
            yield from walk(term.left)
            yield from walk(term.right)

    def terms(item: Item) -> list[Term]:
        if isinstance(item, Literal):
            return list(item.args)
        if isinstance(item, Comparison):
            return [item.left, item.right]
        return [item.result, item.counted, *item.literal.args]

    found = (n for i in (each.head, *each.body) for t in terms(i) for n in walk(t))
    return list(dict.fromkeys(found))


def disguised(each: Clause, chance: random.Random) -> Clause:
    """The same clause with other variables and another order."""
    own = names_in(each)
    fresh = [f"V{i}" for i in range(len(own))]
    chance.shuffle(fresh)
    names = dict(zip(own, fresh, strict=True))
    body = [rewritten(item, names) for item in each.body]
    chance.shuffle(body)
    head = rewritten(each.head, names)
    assert isinstance(head, Literal)
    return Clause(head, tuple(body), each.rule, Place("elsewhere.dl", 7))


@pytest.mark.parametrize("edition", ["cr", "draft2004"])
def test_every_clause_is_found_in_disguise_and_no_other(edition: str) -> None:
    book: Book = load_book(edition)
    chance = random.Random(4)
    others = [disguised(c, chance) for c in book.clauses]
    chance.shuffle(others)
    assert unmatched(book.clauses, others) == ([], [])
    turned = [disguised(each, chance) for c in book.clauses for each in flipped(c)]
    assert len(turned) > 1000
    asked = [c for c in book.clauses for _ in flipped(c)]
    assert not any(map(variants, asked, turned))


def flipped(each: Clause) -> Iterator[Clause]:
    """The clause with one literal denied that wasn't, or the other way round."""
    for spot, item in enumerate(each.body):
        if isinstance(item, Literal):
            other = item._replace(negated=not item.negated)
            yield each._replace(body=(*each.body[:spot], other, *each.body[spot + 1 :]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("p(X) <= (q(X) & r(X, Y) & r(Y, X))", "p(A) <= (r(B, A) & q(A) & r(A, B))"),
        ("p(X) <= (r(X, Y) & r(Y, Z) & r(Z, X))", "p(B) <= (r(C, A) & r(A, B) & r(B, C))"),
        (
            "p(N) <= (s(X) & (N == count(Y, r(X, Y))) & (N + 1 > 2))",
            "p(M) <= (s(A) & (M == count(B, r(A, B))) & (M + 1 > 2))",
        ),
    ],
)
def test_variants(one: str, other: str) -> None:
    assert variants(clause(one), clause(other))
    assert variants(clause(other), clause(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("p(X) <= (q(X) & r(X, Y))", "p(X) <= (q(X) & r(Y, X))"),
        ("p(X) <= (q(X) & r(X, Y) & s(Y))", "p(X) <= (q(X) & r(X, Y) & s(X))"),
        ("p(X) <= (q(X) & r(X, Y))", "p(X) <= (q(X) & r(X, X))"),
        ("p(X) <= (q(X) & s(X))", "p(X) <= (q(X) & ~s(X))"),
        ("p(X) <= (q(X, N) & (N < 2))", "p(X) <= (q(X, N) & (N <= 2))"),
        ("p(X) <= (q(X, N) & (N < 2))", "p(X) <= (q(X, N) & (2 < N))"),
        ("p(X) <= (q(X, N) & (N == 1))", "p(X) <= (q(X, N) & (N == '1'))"),
        ("p(X) <= (q(X) & q(X))", "p(X) <= (q(X))"),
        ("p(X, Y) <= (q(X) & s(Y))", "p(Y, X) <= (q(X) & s(Y))"),
        (
            "p(X) <= (r(X, Y) & r(Y, Z) & r(Z, X))",
            "p(X) <= (r(X, Y) & r(Y, Z) & r(X, Z))",
        ),
    ],
)
def test_no_variants(one: str, other: str) -> None:
    assert not variants(clause(one), clause(other))


def test_a_body_that_is_all_alike_takes_no_for_ever() -> None:
    """Forty literals that differ by their variables alone, in a cycle and in two."""
    ring = [f"r(V{i}, V{(i + 1) % 40})" for i in range(40)]
    rings = [f"r(V{i}, V{i // 20 * 20 + (i + 1) % 20})" for i in range(40)]
    one = clause(f"p(V0) <= (q(V0) & {' & '.join(ring)})")
    other = clause(f"p(V0) <= (q(V0) & {' & '.join(rings)})")
    assert variants(one, disguised(one, random.Random(1)))
    assert not variants(one, other)


def test_what_is_left_is_paired_by_its_predicate() -> None:
    ones = [clause("p(X) <= q(X)"), clause("p(X) <= s(X)"), clause("t(X) <= s(X)")]
    others = [clause("u(X) <= s(X)"), clause("p(A) <= s(A)"), clause("p(A) <= ~q(A) & s(A)")]
    found = Difference(ones, others)
    assert [(str(x.head), str(y.head)) for x, y in found.changed] == [("p(X)", "p(A)")]
    assert [str(c.head) for c in found.less] == ["t(X)"]
    assert [str(c.head) for c in found.more] == ["u(X)"]
    assert not Difference(ones, [disguised(c, random.Random(2)) for c in reversed(ones)])


def test_constants_are_what_they_are() -> None:
    assert Const(1) != Const("1")

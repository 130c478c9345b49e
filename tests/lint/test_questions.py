"""A question is refused for what a clause beside the book's own would be refused for."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from places import ROOT
from seatlog.book import Book
from seatlog.editions import load_book
from seatlog.errors import Place
from seatlog.language import plan
from seatlog.lint import lint, lint_question
from seatlog.model import Clause, Comparison, Const, Item, Literal, Term, Var
from seatlog.model import Count as Counted

OTHER = ROOT / "tests/other_book"
CODES = {"L01", "L02", "L04", "L05", "L09", "L13", "L14"}


def questions(book: Book, number: int) -> Iterator[Clause]:
    """Bodies of a book's clauses, with things in them that somebody may have got wrong."""
    rng = random.Random(3)
    bodies = [clause.body for clause in book.clauses if clause.body]
    facts = [Literal(f.name, tuple(map(Var, f.args))) for f in book.vocabulary.facts.values()]

    def term(each: Term) -> Term:
        other: list[Term] = [Var("Player"), Var("One"), Var("N"), Const(3), Const("nonsense")]
        return rng.choice(other) if rng.random() < 0.2 else each

    def item(each: Item) -> Item:
        if isinstance(each, Comparison):
            op = rng.choice(["<", "==", each.op])
            return each._replace(op=op, left=term(each.left), right=term(each.right))
        if isinstance(each, Counted):
            return each
        name = f"{each.name}s" if rng.random() < 0.05 else each.name
        args = tuple(map(term, each.args))
        args = args[:-1] if rng.random() < 0.05 else args
        return Literal(name, args, each.negated != (rng.random() < 0.1))

    for at in range(number):
        body = tuple(map(item, (*rng.choice(bodies), rng.choice(facts))))
        head = Literal("question ", tuple(map(Var, plan(body).bound)))
        yield Clause(head, body, "", Place("question", 1, 1, 1, f"{at}"))


def test_a_question_has_the_faults_of_a_clause() -> None:
    book = load_book(str(OTHER / "rules/row"), OTHER / "facts")
    seen = Counter[str]()
    for each in questions(book, 120):
        every = lint([*book.clauses, each], book.predicates, (), book.vocabulary)
        wanted = [e for e in every if e.place and e.place.file == "question"]
        found = lint_question(each, book)
        assert list(map(str, found)) == list(map(str, wanted)), each
        seen.update({e.code for e in found})
        seen["sound"] += not found
    assert seen["sound"]
    assert set(seen) >= CODES, seen

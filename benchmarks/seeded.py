"""One wrong literal seeded into each section: every one that can change a verdict is found.

    python benchmarks/seeded.py [SECTION] [SEED] [BOUND]

A section's number stands for all that begin with it. Each fault is decided over all games within
the bound; the smallest game is asked again by pyDatalog in both books, and of its facts none can
be spared: without it there is no table, it is refused, or both books say the same.
"""

from __future__ import annotations

import random
import sys
import time

from seatlog.book import Book
from seatlog.compare import Decider, Found, Mutants, asked_in
from seatlog.editions import load_book
from seatlog.errors import SeatlogError
from seatlog.game import Session
from seatlog.lint import lint
from seatlog.model import Statement
from seatlog.table import as_data, table
from seatlog.worlds import Slots, Worlds, read_bound

LITERAL = ("literal", "variable", "terms", "number", "negation", "comparison", "predicate")


def is_read(book: Book) -> bool:
    """Whether the linter has nothing against a book."""
    return not lint(list(book.clauses), book.predicates, (), book.vocabulary)


def said(book: Book, facts: tuple[Statement, ...], found: Found) -> str:
    """What a book says of the question that tells two apart, asked through a session."""
    assert found.verb is not None
    try:
        game = Session(book, table(as_data(facts, book.vocabulary, None), book.vocabulary))
        name, row = found.verb.predicate, found.row
        return "open" if game.doubts_of(name, *row) else "yes" if game.holds(name, *row) else "no"
    except SeatlogError:
        return "no table"


def spare(a: Book, b: Book, found: Found) -> list[Statement]:
    """The facts without which the books still part."""
    out = []
    for gone in found.facts:
        less = tuple(f for f in found.facts if f != gone)
        one, other = said(a, less, found), said(b, less, found)
        if one != other and "no table" not in (one, other):
            out.append(gone)
    return out


def main(section: str = "801", seed: str = "1", bound: str = "players=4,things=5") -> int:
    """Seed, decide, check; the number of faults that were not dealt with as they should be."""
    book = load_book("cr")
    clock = time.process_time
    start = clock()
    slots = Slots(book.vocabulary, read_bound(bound, book.vocabulary), book.clauses)
    worlds, asked = Worlds(slots), asked_in(book, book)
    worlds.judged(book, [verb.predicate for each in asked for verb in each.a])
    print(f"cr over all games of {bound}: laid out in {clock() - start:.1f} s")
    mutants, rng = Mutants(book), random.Random(int(seed))
    wrong, found_, alike, spent = 0, 0, 0, []
    sections = sorted({c.rule for c in book.clauses if c.rule.startswith(section)})
    for number in sections:
        every = [m for c in book.clauses if c.rule == number for m in mutants.of(c)]
        rng.shuffle(every)
        mutant = next((m for m in every if m.kind in LITERAL and is_read(m.book(book))), None)
        if mutant is None:
            print(f"{number:8} has no literal that could be wrong and still be read")
            continue
        other = mutant.book(book)
        start = clock()
        with Decider(book, other, slots, asked, worlds) as decider:
            points = [point for each in asked for point in decider.points(each, leading=True)]
            found = decider.smallest(points)
        spent.append(clock() - start)
        if found is None:
            alike += 1
            told = "proved alike"
        else:
            found_ += 1
            assert found.verb is not None
            again = said(book, found.facts, found), said(other, found.facts, found)
            extra = spare(book, other, found)
            good = again == (found.a, found.b) and not extra
            wrong += not good
            told = (
                f"{found.verb.word} {', '.join(map(str, found.row))}: {found.a} -> {found.b}, "
                f"{found.size.first} players, {found.size.others} others, {found.size.facts} facts"
                + (", checked" if good else f", BUT pyDatalog says {again}, to spare: {extra}")
            )
        print(f"{number:8} {mutant.wrong[:60]:60} {spent[-1]:5.2f} s  {told}", flush=True)
    each = sorted(spent)
    print(
        f"{len(spent)} faults: {found_} found, {alike} proved alike within the bound, "
        f"{wrong} wrong; median {each[len(each) // 2]:.2f} s, most {each[-1]:.2f} s each"
    )
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(*sys.argv[1:])))

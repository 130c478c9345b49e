"""All games within a bound decided, against running through a corpus of them.

    python benchmarks/decide.py [BOUND]

Two books that differ in one comparison; three verdicts over all games of the bound, then every
verb. How long a corpus of a million games takes is ``benchmarks/worlds.py`` to say.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Sequence

from seatlog.book import Book, Clauses
from seatlog.compare import Decider, asked_in
from seatlog.editions import load_book
from seatlog.model import Comparison
from seatlog.worlds import Slots, Worlds, bound_text, read_bound

THREE = ("reach", "target", "attack")
RULE = "801.2c"
TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}


def turned(book: Book) -> list[Book]:
    """The book with each ordering of one rule's clauses taking in one number more or less."""
    out = []
    for clause in book.clauses:
        for at, item in enumerate(clause.body):
            if clause.rule == RULE and isinstance(item, Comparison) and item.op in TURNED:
                other = item._replace(op=TURNED[item.op])
                body = (*clause.body[:at], other, *clause.body[at + 1 :])
                changed = clause._replace(body=body)
                every = (changed if c is clause else c for c in book.clauses)
                out.append(book._replace(clauses=Clauses(every)))
    return out


def measure(a: Book, b: Book, words: Sequence[str], bound: str) -> str:
    """What deciding takes, in processor seconds, step by step."""
    clock = time.process_time
    asked = asked_in(a, b, words)
    slots = Slots(a.vocabulary, read_bound(bound, a.vocabulary), [*a.clauses, *b.clauses])
    start = clock()
    worlds = Worlds(slots)
    worlds.judged(a, [verb.predicate for each in asked for verb in each.a])
    first = clock()
    with Decider(a, b, slots, asked, worlds) as decider:
        points = [point for each in asked for point in decider.points(each, leading=True)]
        wired = clock()
        part = decider.part(points)
        known = clock()
        found = decider.smallest(points)
        smallest = clock()
        every = [point for each in asked for point in decider.points(each)]
        counts = decider.decided(every) if words else None
        end = clock()
    assert part == (found is not None)
    told = f"{found.size}" if found else "proved alike"
    decided = f", all {counts.questions} decided {end - smallest:.2f}" if counts else ""
    return (
        f"{bound_text(slots.bound)}: first book {first - start:.2f}, edited book "
        f"{wired - first:.2f}, whether they part {known - wired:.2f}, smallest game "
        f"{smallest - known:.2f}{decided}: {told}"
    )


def main(bound: str = "players=4,things=5") -> None:
    """Print the figures."""
    book = load_book("cr")
    edited = turned(book)
    other = edited[0]
    for each in dict.fromkeys(["players=4,things=5", bound]):
        print("three verdicts,", measure(book, other, THREE, each), flush=True)
    small = "players=4,things=2"
    for number, each_book in enumerate(edited):
        print(f"every verb, edit {number + 1},", measure(book, each_book, (), small), flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory: {peak:.0f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])

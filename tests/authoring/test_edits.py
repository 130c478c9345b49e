"""Random edits: a draft, the folder it is saved in, and a book read from there say the same."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import small_books
from seatlog.authoring import Draft
from seatlog.book import Book
from seatlog.compare import Mutants, affected
from seatlog.editions import load_book
from seatlog.errors import SeatlogError
from seatlog.model import Literal, Var
from seatlog.solvers import open_solver
from seatlog.table import table

EDITS = int(os.environ.get("SEATLOG_EDITS", "150"))
EACH = 25
"""So many edits are made of one draft before another is begun."""
LONGEST = 20.0
"""No edit may take so many seconds, however busy the machine is."""
TABLES = (
    {"seats": ["Ann", "Ben", "Cy"], "active": ["Ben"]},
    {"seats": ["Ann", "Ben", "Cy", "Di"], "turn": 7},
)
NEW = (
    "can_reach(Player, Player) <= (seat(Player, _Seat))",
    "# no: {Player} is first\ncannot_rest(Player) <= (seat(Player, 1))",
    "# yes: {Player} waits\nwaits(Player) <= (seat(Player, _Seat) & ~can_rest(Player))",
    "# verb: Player wave Other\n# yes: {Player} waves to {Other}\n# no: {Player} waves to nobody\n"
    "can_wave(Player, Other) <= (can_reach(Player, Other) & ~can_reach(Other, Player))",
    "can_reach(Player, Other) <= (seat(Player, Sat))",
    "this is no clause",
    "",
    "## 1.9  Out of place\nfar(Player) <= (seat(Player, 3))",
)


def edited(draft: Draft, chance: random.Random) -> None:
    """One edit, drawn. Raises SeatlogError where the draft refuses it."""
    number = chance.choice([*draft.book.sections, "1.1", "1.2", "1.3", "1.4", "2.1"])
    kind = chance.choice(["replace", "add", "add", "drop", "undo", "redo", "other", "own"])
    if kind in ("undo", "redo"):
        draft.undo() if kind == "undo" else draft.redo()
    elif kind == "drop":
        draft.drop(number)
    elif kind == "add":
        draft.add(number, chance.choice(NEW))
    elif kind == "replace":
        draft.replace(number, chance.choice(NEW))
    elif kind == "own":
        draft.replace(number, draft.show(number))
    else:
        other = chance.choice([small_books.RULES, small_books.SAME, small_books.OTHER])
        found = [part for part in other.split("## ") if part.startswith(f"{number} ")]
        draft.replace(number, f"## {found[0]}" if found else other)


def said(book: Book) -> list[object]:
    """All that a book says of some tables: every row of every predicate."""
    out: list[object] = []
    for data in TABLES:
        solver = open_solver(book, table(data, book.vocabulary).facts, "compiled")
        for name in sorted(book.by_head):
            arity = book.predicates[name].arity
            free = Literal(name, tuple(Var(f"V{i}") for i in range(arity)))
            out.append((name, sorted(solver.rows(free), key=repr)))
    out.append([(v.word, v.predicate) for v in book.verbs])
    out.append({n: (s.title, s.left_out, s.digests) for n, s in book.sections.items()})
    out.append({n: (p.yes, p.no, p.doubts, p.alarm, p.tells) for n, p in book.predicates.items()})
    return out


def test_a_draft_its_folder_and_a_book_read_from_scratch_say_the_same(tmp_path: Path) -> None:
    chance = random.Random(11)
    low = small_books.book(tmp_path / "low", small_books.RULES)
    made = refused = saved = 0
    draft = Draft(low)
    for number in range(EDITS):
        if number % EACH == 0:
            draft = Draft(low)
        before = draft.book, draft.changed, draft.show()
        start = time.monotonic()
        try:
            edited(draft, chance)
            made += 1
        except SeatlogError:
            refused += 1
            assert (draft.book, draft.changed, draft.show()) == before
        assert time.monotonic() - start < LONGEST
        if number % 3 == 0 and draft.changed:
            folder = tmp_path / "saved" / f"{number}"
            draft.save(folder)
            assert said(load_book(str(folder))) == said(draft.book)
            saved += 1
    assert made > EDITS // 4
    assert refused > EDITS // 8
    assert saved > EDITS // 8


def test_of_what_is_not_touched_no_answer_changes() -> None:
    """Every verdict of a book with one clause changed that may differ is said to be touched."""
    book = load_book("cr")
    every = Mutants(book).every()
    chance = random.Random(5)
    touched = 0
    for mutant in chance.sample(list(every), 12):
        other = mutant.book(book)
        may = affected(book, other)
        assert may is not None
        if may.verbs is None:
            continue
        names = may.predicates
        touched += 1
        heads = {clause.head.name for clause in mutant.clauses}
        assert heads <= names
        for head, needed, others in other.clauses.rests:
            assert head in names or names.isdisjoint((*needed, *others))
        for name, predicate in other.predicates.items():
            assert name in names or names.isdisjoint(d.name for d in predicate.doubts)
    assert touched > 3

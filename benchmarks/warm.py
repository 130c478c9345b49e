"""Questions in a running process: to a session, to the loaded plain script, by hand."""

from __future__ import annotations

import tomllib
from typing import Any

from by_hand import Game
from measure import Clock, Contender, alternate, equal, table
from pyDatalog import pyDatalog
from whole import TABLE, WHAT, WHO

import seatlog
from seatlog.game import Session
from seatlog.model import Const, Literal
from seatlog.solvers import open_solver
from seatlog.table import Table
from seatlog.table import table as read
from seatlog.views import script

TEXT = f"can_target({WHO!r}, {WHAT!r})"
LITERAL = Literal("can_target", (Const(WHO), Const(WHAT)))
PLAIN = "pyDatalog.ask(text), plain script loaded"
AGAIN = "pyDatalog: clear, load the plain script, ask"
COMPILED = "compiled"
READ = "book and table read, session opened, question, reason"


def run(runs: int, clock: Clock) -> None:
    """Measure and print."""
    game = seatlog.open(str(TABLE))
    book, state = game.book, game.table
    fast = seatlog.open(str(TABLE), solver=COMPILED)
    with TABLE.open("rb") as stream:
        by_hand = Game(tomllib.load(stream))
    circle = read(twenty_players(), book.vocabulary)
    program: dict[str, object] = {}
    text = script(book, state.facts)
    exec(text, program)  # noqa: S102

    def again(_ready: object) -> object:
        pyDatalog.clear()
        exec(text, program)  # noqa: S102
        return pyDatalog.ask(TEXT)

    equal(
        {
            PLAIN: pyDatalog.ask(TEXT) is not None,
            AGAIN: again(None) is not None,
            "by hand": by_hand.can_target(WHO, WHAT),
            "session": bool(game.can(WHO, "target", WHAT)),
            "solver": bool(game.solver.rows(LITERAL)),
            "session, compiled": bool(fast.can(WHO, "target", WHAT)),
            "solver, compiled": bool(fast.solver.rows(LITERAL)),
        }
    )

    def opened() -> Session:
        return Session(book, state)

    def opened_fast() -> Session:
        return Session(book, state, None, COMPILED)

    def first() -> Session:
        return Session(book._replace(), state)

    def next_to(twenty: Table) -> bool:
        return bool(Session(book, twenty).can("Player 2", "target", "Player 3"))

    def verdict(fresh: Session) -> bool:
        return bool(fresh.can(WHO, "target", WHAT))

    def reason(fresh: Session) -> str:
        return str(fresh.can(WHO, "target", WHAT))

    def answered() -> Session:
        fresh = opened()
        verdict(fresh)
        return fresh

    def whole(_ready: object) -> str:
        return reason(seatlog.open(str(TABLE)))

    contenders = {
        "hand-written Python, table read": Contender(
            lambda _: by_hand.can_target(WHO, WHAT), times=1000
        ),
        PLAIN: Contender(lambda _: pyDatalog.ask(TEXT), times=3),
        "solver just made, first question": Contender(
            lambda s: s.rows(LITERAL), lambda: open_solver(book, state.facts)
        ),
        "session just opened, first question": Contender(verdict, opened),
        "first session of a book, first question": Contender(verdict, first),
        "session just opened, first question with its reason": Contender(reason, opened),
        "session, first reason of a question answered before": Contender(reason, answered),
        "solver, repeated question": Contender(lambda _: game.solver.rows(LITERAL), times=1000),
        "session, repeated question": Contender(lambda _: verdict(game), times=300),
        "session, repeated question with its reason": Contender(lambda _: reason(game), times=100),
        "opening a session, book and table read": Contender(lambda _: opened()),
        "session of 20 players opened, and asked": Contender(lambda _: next_to(circle)),
        "compiled solver just made, first question": Contender(
            lambda s: s.rows(LITERAL), lambda: open_solver(book, state.facts, COMPILED)
        ),
        "compiled session just opened, first question": Contender(verdict, opened_fast),
        "the same with its reason": Contender(reason, opened_fast),
        "compiled session, repeated question": Contender(lambda _: verdict(fast), times=300),
        "compiled solver, repeated question": Contender(
            lambda _: fast.solver.rows(LITERAL), times=1000
        ),
        AGAIN: Contender(again),
        READ: Contender(whole),
    }
    medians = alternate(contenders, runs, clock.inside)
    rows = []
    for name, seconds in medians.items():
        base = AGAIN if name in (AGAIN, READ) else PLAIN
        rows.append((name, seconds, f"{medians[base] / seconds:.3g} x as fast as {_short(base)}"))
    table("One question in a running process", rows)


def twenty_players() -> dict[str, Any]:
    """A table of 20 players with a creature each, range 1, one of whom has left."""
    seats = [f"Player {number}" for number in range(1, 21)]
    creatures = {f"Bear of {p}": {"controller": p, "types": ["creature"]} for p in seats}
    return {"seats": seats, "range": 1, "turn": 3, "left": {seats[4]: 2}, "objects": creatures}


def _short(base: str) -> str:
    return "pyDatalog.ask" if base == PLAIN else "clear, load, ask"

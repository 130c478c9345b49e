"""Seatlog: multiplayer range rules as a logic program. Ask, and be told why.

>>> import seatlog
>>> game = seatlog.open("four_in_a_ring")
>>> bool(game.can("Alex", "target", "Rob"))
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .version import VERSION as __version__

if TYPE_CHECKING:
    from .game import Answer, Session

__all__ = ["__version__", "ask", "can", "open", "turn", "why"]


def open(table: Any = None, edition: str | None = None, **keys: Any) -> Session:
    """A session on a table: a file, a shipped table's name, a mapping, or keys such as ``range=1``.

    Raises SeatlogError with every contradiction found.
    """
    from .game import open_session

    return open_session(table, edition, **keys)


def ask(table: Any, question: str, edition: str | None = None) -> Answer:
    """Answer a question in clause syntax about a table."""
    return open(table, edition).ask(question)


def can(
    table: Any, who: str, verb: str, what: str | None = None, edition: str | None = None
) -> Answer:
    """Answer a question in players' words about a table."""
    return open(table, edition).can(who, verb, what)


def why(
    table: Any, who: str, verb: str, what: str | None = None, edition: str | None = None
) -> str:
    """The whole reason of an answer, step by step, as text."""
    return open(table, edition).can(who, verb, what).text(tree=True)


def turn(game: Session, **happens: Any) -> Session:
    """The session after a step: ``seatlog.turn(game, done=["Ann"])``; its ``happened`` says what.

    ``happens`` are keys of table files that say what happens at this moment.
    """
    from .game import turn as step

    return step(game, **happens)

"""Whether a table is free of contradictions, and what else is worth saying of it."""

from __future__ import annotations

from typing import NamedTuple

from ..game import Session, unread_remarks
from .circle import gone

MOST = 20


class Checked(NamedTuple):
    """A table that its book takes: its title, how many facts it states, names by their sort.

    ``remarks`` are what may not have been meant, like facts about somebody who is gone; ``unread``
    is what no rule of the book reads, with the key, the place and the editions that would.

    >>> import seatlog
    >>> found = seatlog.check("four_in_a_ring")
    >>> found.title, found.facts, found.remarks
    ('four_in_a_ring', 11, [])
    """

    title: str
    facts: int
    names: dict[str, list[str]]
    remarks: list[str]
    unread: list[str]

    def __bool__(self) -> bool:
        """Whether there is anybody to ask about, and nothing is said in vain."""
        return bool(self.names) and not self.unread


def checked(game: Session) -> Checked:
    """What there is to say of a session's table, which was taken when the session was opened."""
    names: dict[str, list[str]] = {}
    for name, sort in game.table.names.items():
        names.setdefault(sort, []).append(name)
    remarks = [
        f"{found.why}, and the table says: {each}"
        for found in gone(game).values()
        for each in found.said[:MOST]
    ]
    if game.table.aside:
        remarks.append(f"asked without {', '.join(game.table.aside)}")
    said = sum(bool(f.origin) for f in game.table.facts)
    return Checked(game.table.title, said, names, remarks, unread_remarks(game.book, game.unread))

"""One book and one table: questions in players' words, answers, changes, and the next state.

A session is opened here; what it is asked in players' words has one grammar for every face.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .alarms import facts_of as facts_of
    from .answer import ALL as ALL
    from .answer import JSON_VERSION as JSON_VERSION
    from .answer import Answer as Answer
    from .answer import line_data as line_data
    from .change import Change as Change
    from .change import change_for as change_for
    from .change import smallest_change as smallest_change
    from .grammar import QUOTES as QUOTES
    from .grammar import WHAT as WHAT
    from .grammar import WHO as WHO
    from .grammar import Spoken as Spoken
    from .grammar import Word as Word
    from .grammar import asked_of as asked_of
    from .grammar import asking as asking
    from .grammar import asks_for as asks_for
    from .grammar import is_clause as is_clause
    from .grammar import joined as joined
    from .grammar import kinds as kinds
    from .grammar import near_miss as near_miss
    from .grammar import one_name as one_name
    from .grammar import players as players
    from .grammar import prepositions as prepositions
    from .grammar import spoken as spoken
    from .grammar import words as words
    from .names import with_names as with_names
    from .session import Announce as Announce
    from .session import Session as Session
    from .session import open_session as open_session
    from .step import Advanced as Advanced
    from .step import advance as advance
    from .step import listed as listed
    from .step import stands as stands
    from .step import take as take
    from .step import told as told
    from .step import turn as turn
    from .suspects import blame as blame
    from .unread import unread_in as unread_in
    from .unread import unread_remarks as unread_remarks
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        alarms="facts_of",
        answer="ALL Answer JSON_VERSION line_data",
        change="Change change_for smallest_change",
        grammar=(
            "QUOTES Spoken WHAT WHO Word asked_of asking asks_for is_clause joined kinds "
            "near_miss one_name players prepositions spoken words"
        ),
        names="with_names",
        session="Announce Session open_session",
        step="Advanced advance listed stands take told turn",
        suspects="blame",
        unread="unread_in unread_remarks",
    )

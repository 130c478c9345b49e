"""The interactive session: ask, change the table or the rules, ask again.

``core`` is the session itself, without a terminal; ``terminal`` and ``plain`` are two ways to get
lines, and ``loop`` is where they meet. Nothing in this room prints: what is to be said goes to
whoever started the session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .child import in_child as in_child
    from .completing import Candidate as Candidate
    from .completing import complete as complete
    from .core import Repl as Repl
    from .journal import Began as Began
    from .loop import start as start
    from .options import WIDE as WIDE
    from .options import Said as Said
    from .options import looked_at as looked_at
    from .options import said as said
    from .options import unknown as unknown
    from .state import State as State
    from .state import opened as opened
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        child="in_child",
        completing="Candidate complete",
        core="Repl",
        journal="Began",
        loop="start",
        options="WIDE Said looked_at said unknown",
        state="State opened",
    )

"""A book over many games at once.

Clauses are grounded over the slots of a universe (``ground``), laid into a circuit of ANDs and ORs
over the facts that a game may state (``circuit``), and asked there: of one game, of a packed corpus
with one bit per game, or of every game within a bound. No rule is known here, only clauses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .circuit import FALSE as FALSE
    from .circuit import TRUE as TRUE
    from .circuit import Circuit as Circuit
    from .circuit import Wiring as Wiring
    from .ground import Grounder as Grounder
    from .judged import Judged as Judged
    from .judged import Verdict as Verdict
    from .judged import Without as Without
    from .judged import Worlds as Worlds
    from .sat import Games as Games
    from .sat import Size as Size
    from .universe import Slots as Slots
    from .universe import of_format as of_format
    from .universe import read_bound as read_bound
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        circuit="Circuit FALSE TRUE Wiring",
        ground="Grounder",
        judged="Judged Verdict Without Worlds",
        sat="Games Size",
        universe="Slots of_format read_bound",
    )

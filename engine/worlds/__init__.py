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
    from .circuit import Stated as Stated
    from .circuit import Wiring as Wiring
    from .circuit import places as places
    from .doubting import saying as saying
    from .ground import Grounder as Grounder
    from .judged import Judged as Judged
    from .judged import Verdict as Verdict
    from .judged import Without as Without
    from .judged import Worlds as Worlds
    from .judged import pairs as pairs
    from .kept import keep_circuit as keep_circuit
    from .kept import keep_plan as keep_plan
    from .kept import kept_circuit as kept_circuit
    from .kept import kept_plan as kept_plan
    from .kept import key_of as key_of
    from .pack import Corpus as Corpus
    from .pack import fits as fits
    from .pack import game_data as game_data
    from .pack import joined as joined
    from .pack import load_corpus as load_corpus
    from .pack import of_tables as of_tables
    from .pack import save_corpus as save_corpus
    from .rich import Rich as Rich
    from .rich import Share as Share
    from .run import Columns as Columns
    from .run import Plan as Plan
    from .run import columns as columns
    from .run import planned as planned
    from .run import solve as solve
    from .sat import Games as Games
    from .sat import Pairs as Pairs
    from .sat import Size as Size
    from .sat import sat_solver as sat_solver
    from .spread import shared_out as shared_out
    from .universe import Slots as Slots
    from .universe import bound_text as bound_text
    from .universe import names_said as names_said
    from .universe import of_format as of_format
    from .universe import read_bound as read_bound
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        circuit="Circuit FALSE Stated TRUE Wiring places",
        doubting="saying",
        ground="Grounder",
        judged="Judged Verdict Without Worlds pairs",
        kept="keep_circuit keep_plan kept_circuit kept_plan key_of",
        pack="Corpus fits game_data joined load_corpus of_tables save_corpus",
        rich="Rich Share",
        run="Columns Plan columns planned solve",
        sat="Games Pairs Size sat_solver",
        spread="shared_out",
        universe="Slots bound_text names_said of_format read_bound",
    )

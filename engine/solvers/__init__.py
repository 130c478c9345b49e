"""Answers to single literals over a book and a table, and what is made of them.

The protocol and the engines behind it; all tricks of speed stay in here. A solver is one module and
one line in ``SOLVERS``; only that module imports its library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .bodies import Goal as Goal
    from .compiled import Program as Program
    from .estimate import costliest as costliest
    from .facts import row_order as row_order
    from .functions import Function as Function
    from .goals import unhurried_memory as unhurried_memory
    from .join import Env as Env
    from .join import ground as ground
    from .join import match as match
    from .join import put as put
    from .join import row_of as row_of
    from .join import solutions as solutions
    from .join import steps as steps
    from .pruned import PerReduced as PerReduced
    from .pruned import Reduced as Reduced
    from .solver import PLAIN as PLAIN
    from .solver import SOLVERS as SOLVERS
    from .solver import Announcing as Announcing
    from .solver import Beside as Beside
    from .solver import Rows as Rows
    from .solver import Solver as Solver
    from .solver import describe as describe
    from .solver import known_solver as known_solver
    from .solver import open_solver as open_solver
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        bodies="Goal",
        compiled="Program",
        estimate="costliest",
        facts="row_order",
        functions="Function",
        goals="unhurried_memory",
        join="Env ground match put row_of solutions steps",
        pruned="PerReduced Reduced",
        solver="Announcing Beside PLAIN Rows SOLVERS Solver describe known_solver open_solver",
    )

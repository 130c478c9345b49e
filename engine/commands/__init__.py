"""The command line's commands, one module each, and what they share: options, tables, talk.

Thin: a command reads what was typed, has the work done under its budget, and says what came of it.
A command's module is loaded when the command is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .grouped import Commands as Commands
    from .grouped import about as about
    from .streams import shown as shown
    from .talk import guarded as guarded
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        grouped="Commands about",
        streams="shown",
        talk="guarded",
    )

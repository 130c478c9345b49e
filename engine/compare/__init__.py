"""Two books held against each other: what differs, and the smallest game that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass
else:
    from ..doors import door

    __getattr__ = door(__name__)

"""What is refused before anything is asked, and what only lacks care.

Each check yields errors with a code, a place, the author's own words and a hint; reports put them
into the formats of other tools.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .care import style as style
    from .clauses import lint as lint
    from .clauses import lint_question as lint_question
    from .kinds import mixed_kinds as mixed_kinds
    from .recursion import walks as walks
    from .reports import FORMATS as FORMATS
    from .reports import report as report
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        care="style",
        clauses="lint lint_question",
        kinds="mixed_kinds",
        recursion="walks",
        reports="FORMATS report",
    )

"""A book under change: sections replaced, added and dropped in memory, and what that changes.

What an author gives is read, linted and put together as an edition over its base would be, so that
a draft, the folder it is saved in, and a book read from there answer alike. An edition that is
written in a folder can be looked at again after each save, and what has changed is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .changes import Changes as Changes
    from .draft import Draft as Draft
    from .losses import Edit as Edit
    from .losses import Part as Part
    from .losses import repeated as repeated
    from .rounds import Round as Round
    from .rounds import failed as failed
    from .rounds import folders_of as folders_of
    from .rounds import look as look
    from .trying import Tried as Tried
    from .watching import News as News
    from .watching import news as news
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        changes="Changes",
        draft="Draft",
        losses="Edit Part repeated",
        rounds="Round failed folders_of look",
        trying="Tried",
        watching="News news",
    )

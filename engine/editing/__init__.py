"""What an editor can be told of clause files while they are written: faults, meanings, places.

A desk holds the texts that are open, and reads editions with them in the place of what is on disc.
Everything else here is a function over such texts and gives plain values; who asks, in which
protocol, is no matter of this room. The grammar by which editors colour clause files is made here
as well, from the tables of the reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .checking import Fault as Fault
    from .checking import checked as checked
    from .checking import listed as listed
    from .checking import misread as misread
    from .checking import prepare as prepare
    from .checking import shown as shown
    from .colouring import grammar as grammar
    from .desk import VOCABULARY as VOCABULARY
    from .desk import Desk as Desk
    from .desk import Edition as Edition
    from .desk import beside as beside
    from .desk import edition_of as edition_of
    from .finding import Symbol as Symbol
    from .finding import definitions as definitions
    from .finding import heading as heading
    from .finding import number_at as number_at
    from .finding import references as references
    from .finding import symbols as symbols
    from .finding import word_at as word_at
    from .positions import Positions as Positions
    from .positions import Span as Span
    from .positions import changed as changed
    from .renaming import Refused as Refused
    from .renaming import renamed as renamed
    from .renaming import sound as sound
    from .saying import hover as hover
    from .saying import titled as titled
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        checking="Fault checked listed misread prepare shown",
        desk="Desk Edition VOCABULARY beside edition_of",
        finding="Symbol definitions heading number_at references symbols word_at",
        colouring="grammar",
        saying="hover titled",
        positions="Positions Span changed",
        renaming="Refused renamed sound",
    )

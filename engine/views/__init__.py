"""What can be looked at: the ring of a table, the keys and verbs of a book, a script to paste, a
section as it stands in its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .circle import arrow as arrow
    from .circle import drawing as drawing
    from .circle import drawn as drawn
    from .circle import gone as gone
    from .circle import picture as picture
    from .circle import reached as reached
    from .circle import ring as ring
    from .glance import overview as overview
    from .glossary import glossary_lines as glossary_lines
    from .glossary import table_keys as table_keys
    from .glossary import verb_forms as verb_forms
    from .paste import Writer as Writer
    from .paste import script as script
    from .remarks import Checked as Checked
    from .remarks import checked as checked
    from .section import section_lines as section_lines
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        circle="arrow drawing drawn gone picture reached ring",
        glance="overview",
        glossary="glossary_lines table_keys verb_forms",
        paste="Writer script",
        remarks="Checked checked",
        section="section_lines",
    )

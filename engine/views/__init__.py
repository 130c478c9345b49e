"""What can be looked at: the ring of a table, the keys and verbs of a book, a script to paste, a
section as it stands in its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .drawing import Gone as Gone
    from .drawing import arrow as arrow
    from .drawing import drawn as drawn
    from .drawing import gone as gone
    from .drawing import picture as picture
    from .drawing import reached as reached
    from .drawing import ring as ring
    from .glossary import glossary_lines as glossary_lines
    from .glossary import holds as holds
    from .glossary import table_keys as table_keys
    from .glossary import verb_forms as verb_forms
    from .paste import Writer as Writer
    from .paste import script as script
    from .section import section_lines as section_lines
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        drawing="Gone arrow drawn gone picture reached ring",
        glossary="glossary_lines holds table_keys verb_forms",
        paste="Writer script",
        section="section_lines",
    )

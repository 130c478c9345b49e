"""What can be looked at: the ring of a table, the keys and verbs of a book, a script to paste, a
section as it stands in its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .asking import about_form as about_form
    from .asking import by_sort as by_sort
    from .asking import forms as forms
    from .asking import sort_lines as sort_lines
    from .asking import verb_lines as verb_lines
    from .asking import words_by_sort as words_by_sort
    from .circle import arrow as arrow
    from .circle import drawing as drawing
    from .circle import drawn as drawn
    from .circle import gone as gone
    from .circle import picture as picture
    from .circle import reached as reached
    from .circle import ring as ring
    from .glance import overview as overview
    from .glossary import glossary_lines as glossary_lines
    from .glossary import glossary_words as glossary_words
    from .glossary import table_keys as table_keys
    from .paste import Writer as Writer
    from .paste import script as script
    from .paste import section_script as section_script
    from .remarks import Checked as Checked
    from .remarks import checked as checked
    from .section import section_lines as section_lines
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        asking="about_form by_sort forms sort_lines verb_lines words_by_sort",
        circle="arrow drawing drawn gone picture reached ring",
        glance="overview",
        glossary="glossary_lines glossary_words table_keys",
        paste="Writer script section_script",
        remarks="Checked checked",
        section="section_lines",
    )

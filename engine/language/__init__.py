"""Clause text and the model behind it: files, logical lines, terms, clauses, sections with notes.

Text becomes literals and clauses with their places here, by a white list over Python's own syntax
trees; nothing is executed. The order in which a body can be worked off belongs to the language as
well, and so does the layout of clause files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .files import Source as Source
    from .files import beneath as beneath
    from .files import is_file as is_file
    from .files import read_bytes as read_bytes
    from .files import read_file as read_file
    from .files import stem as stem
    from .lines import MAX_STATEMENT as MAX_STATEMENT
    from .order import binds as binds
    from .order import missing as missing
    from .order import plan as plan
    from .reader import NOTES as NOTES
    from .reader import Entry as Entry
    from .reader import Heading as Heading
    from .reader import Note as Note
    from .reader import Reading as Reading
    from .reader import each_fact as each_fact
    from .reader import note_literal as note_literal
    from .reader import read_clauses as read_clauses
    from .reader import read_facts as read_facts
    from .reader import read_question as read_question
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        files="Source beneath is_file read_bytes read_file stem",
        lines="MAX_STATEMENT",
        order="binds missing plan",
        reader=(
            "Entry Heading NOTES Note Reading each_fact note_literal read_clauses read_facts "
            "read_question"
        ),
    )

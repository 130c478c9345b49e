"""Clause text and the model behind it: files, logical lines, terms, clauses, sections with notes.

Text becomes literals and clauses with their places here, by a white list over Python's own syntax
trees; nothing is executed. The order in which a body can be worked off belongs to the language as
well, and so do the layout of clause files and the way files are written whole or not at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .files import LOCK as LOCK
    from .files import MAX_TEXT as MAX_TEXT
    from .files import Source as Source
    from .files import as_text as as_text
    from .files import beneath as beneath
    from .files import bounded as bounded
    from .files import is_file as is_file
    from .files import read_bytes as read_bytes
    from .files import read_file as read_file
    from .files import stem as stem
    from .keeping import create as create
    from .keeping import put as put
    from .keeping import replace as replace
    from .keeping import replace_bytes as replace_bytes
    from .layout import clause_lines as clause_lines
    from .layout import laid_out as laid_out
    from .lines import MAX_STATEMENT as MAX_STATEMENT
    from .lines import statements as statements
    from .naming import COUNT as COUNT
    from .naming import DECLARED as DECLARED
    from .naming import LITERALS as LITERALS
    from .naming import NAMING as NAMING
    from .naming import PREDICATE as PREDICATE
    from .naming import VARIABLE as VARIABLE
    from .naming import Word as Word
    from .naming import words as words
    from .order import binds as binds
    from .order import missing as missing
    from .order import plan as plan
    from .reader import NOTES as NOTES
    from .reader import SENTENCES as SENTENCES
    from .reader import Entry as Entry
    from .reader import Heading as Heading
    from .reader import Note as Note
    from .reader import Reading as Reading
    from .reader import each_fact as each_fact
    from .reader import headed as headed
    from .reader import note_literal as note_literal
    from .reader import read_clauses as read_clauses
    from .reader import read_facts as read_facts
    from .reader import read_question as read_question
    from .reader import read_section as read_section
    from .syntax import OPERATORS as OPERATORS
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        files="LOCK MAX_TEXT Source as_text beneath bounded is_file read_bytes read_file stem",
        keeping="create put replace replace_bytes",
        layout="clause_lines laid_out",
        lines="MAX_STATEMENT statements",
        order="binds missing plan",
        reader=(
            "Entry Heading NOTES Note Reading SENTENCES each_fact headed note_literal read_clauses "
            "read_facts read_question read_section"
        ),
        syntax="OPERATORS",
        naming="COUNT DECLARED LITERALS NAMING PREDICATE VARIABLE Word words",
    )

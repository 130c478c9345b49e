"""Game states: TOML files, flags and mappings as checked facts, and facts as files again.

Nothing is worked out here: what follows from a table is for clauses. Also how a format is dealt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .aside import key_name as key_name
    from .checking import of_two_sorts as of_two_sorts
    from .data import changed as changed
    from .data import given as given
    from .data import kind as kind
    from .data import laid_over as laid_over
    from .data import plain as plain
    from .dealing import GROUPS as GROUPS
    from .dealing import Format as Format
    from .dealing import choose as choose
    from .dealing import deal as deal
    from .dealing import find_format as find_format
    from .dealing import formats as formats
    from .dealing import split as split
    from .flags import flag_example as flag_example
    from .flags import flag_files as flag_files
    from .flags import flag_help as flag_help
    from .flags import flag_keys as flag_keys
    from .flags import listed_names as listed_names
    from .flags import parse_flag as parse_flag
    from .keys import hint_word as hint_word
    from .keys import statements as statements
    from .keys import written as written
    from .state import Opened as Opened
    from .state import Table as Table
    from .state import asked as asked
    from .state import format_file as format_file
    from .state import format_keys as format_keys
    from .state import open_table as open_table
    from .state import parsed as parsed
    from .state import read_table as read_table
    from .state import restated as restated
    from .state import table as table
    from .state import with_defaults as with_defaults
    from .state import without_defaults as without_defaults
    from .template import started as started
    from .writing import as_data as as_data
    from .writing import as_keys as as_keys
    from .writing import as_text as as_text
    from .writing import data_lines as data_lines
    from .writing import keep as keep
    from .writing import key_text as key_text
    from .writing import value_text as value_text
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        aside="key_name",
        checking="of_two_sorts",
        data="changed given kind laid_over plain",
        dealing="Format GROUPS choose deal find_format formats split",
        flags="flag_example flag_files flag_help flag_keys listed_names parse_flag",
        keys="hint_word statements written",
        state="Opened Table asked format_file format_keys open_table parsed read_table restated "
        "table with_defaults without_defaults",
        template="started",
        writing="as_data as_keys as_text data_lines keep key_text value_text",
    )

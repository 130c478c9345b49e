"""A rule book with clauses added and taken out for the length of a session.

What was added is read and linted as a book's clauses are. A predicate that loses its last clause
stays known and is never true, so that what rests on it can still be asked.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import NamedTuple

from ..draft import Draft
from ..errors import BookError, Place, SeatlogError, did_you_mean, refuse
from ..kinds import mixed_kinds
from ..lint import lint
from ..model import (
    Book,
    Clause,
    Comparison,
    Const,
    Fact,
    Heading,
    Literal,
    Predicate,
    Section,
    Sort,
    Var,
    Vocabulary,
    rule_order,
)
from ..reader import read_clauses
from ..scan import Source
from ..sorts import infer

OWN = "session"
"""The section of clauses that were added under no number."""

"""What is to blame when a budget runs out."""

from __future__ import annotations

from collections.abc import Iterable

from ..language import read_question
from ..solvers import costliest
from ..table import Opened
from .grammar import is_clause
from .names import with_names


def blame(opened: Opened, texts: Iterable[str], trusted: bool) -> str:
    """What goes through most combinations, if that is many: a clause, or else the question.

    ``texts`` are what was being worked out and what was asked. The clauses of a ``trusted`` book
    are beyond suspicion.
    """
    book, table = opened
    for text in texts:
        if is_clause(text):
            items = read_question(with_names(text, table.names, book)[0])
            found = costliest(book.clauses, table.facts, items, alone=trusted)
            if found:
                return str(found)
    return ""

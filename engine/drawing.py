"""Draw a table: the names that a fact numbers without gaps as a ring, and who reaches whom."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .book import Vocabulary
from .errors import QuestionError, SeatlogError
from .model import Value
from .session import Session

MOST = 60


def ring(session: Session) -> list[str]:
    """The names round the table, in order. Raises QuestionError when the book has no ring."""
    name, place, number = _numbered(session.book.vocabulary)
    rows = [f.row for f in session.table.facts if f.name == name]
    if not rows:
        raise QuestionError("nobody sits at this table", hint="say who sits where")
    return [str(r[place]) for r in sorted(rows, key=lambda r: _number(r[number]))]


def picture(names: Sequence[str], width: int = 72) -> str:
    """The names on an ellipse; the first on top, the next ones clockwise, which is to the left."""
    if len(names) > MOST:
        return f"{len(names)} in a ring: " + ", ".join([*names[:8], "…", names[-1]])
    shown = [n if len(n) <= 20 else n[:19] + "…" for n in names]
    longest = max(map(len, shown))
    rows = max(3, len(shown) // 2 * 2 + 1)
    across = min(width - longest - 2, max(12, 5 * len(shown)))
    canvas = [[" "] * (across + longest + 2) for _ in range(rows)]
    for i, word in enumerate(shown):
        angle = 2 * math.pi * i / len(shown)
        row = round((1 - math.cos(angle)) / 2 * (rows - 1))
        column = round((1 + math.sin(angle)) / 2 * across)
        column = max(0, min(column + (longest - len(word)) // 2, len(canvas[0]) - len(word)))
        canvas[row][column : column + len(word)] = word
    return "\n".join("".join(line).rstrip() for line in canvas)


def reached(session: Session, names: Sequence[str], verb: str) -> dict[str, list[str]]:
    """Whom of the ring each name reaches, by a verb of the book; nobody where it can't be asked."""
    out: dict[str, list[str]] = {}
    for name in names:
        try:
            rows = session.can(name, verb).rows
        except SeatlogError:
            rows = []
        out[name] = [n for n in names if any(n in row for row in rows)]
    return out


def _numbered(vocabulary: Vocabulary) -> tuple[str, int, int]:
    """The fact that numbers names without gaps: its name, where the name and number stand."""
    for fact in vocabulary.facts.values():
        kinds = [vocabulary.sorts[s] for s in fact.sorts]
        numbers = [i for i, s in enumerate(kinds) if s.is_number and "dense" in s.choices]
        names = [i for i, s in enumerate(kinds) if s.kind == "name"]
        if numbers and names:
            return fact.name, names[0], numbers[0]
    raise QuestionError("this book numbers nobody, so there is no ring to draw")


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0

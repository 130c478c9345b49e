"""Clauses as they stand in their files, with marks under some of their items."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..errors import Place
from ..language import clause_lines, read_clauses
from ..model import Clause


class Excerpts:
    """The clauses of a book's files; ``texts`` are the files by the names that places give.

    A clause whose file has changed since the book was read is laid out anew, without marks.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._read: dict[str, dict[int, Clause]] = {}

    def lines(self, clause: Clause, marked: Collection[int] = ()) -> list[str]:
        """The lines of a clause; below each line with marked items a line that points at them."""
        found = self._found(clause)
        if found is None:
            text = str(clause) if clause.body else f"+ {clause.head}"
            return clause_lines(text)
        lines = self._texts[clause.place.file].splitlines()
        first = found.place.line
        last = max([first, *(spot.line for spot in found.spots)])
        if last < len(lines) and lines[last].strip() == ")":
            last += 1
        spots = [found.spots[at + 1] for at in marked]
        out = []
        for number in range(first, last + 1):
            out.append(lines[number - 1].rstrip())
            own = [spot for spot in spots if spot.line == number]
            if own:
                out.append(_pointing(own))
        return out

    def _found(self, clause: Clause) -> Clause | None:
        file, line = clause.place[:2]
        if file not in self._read:
            reading = read_clauses(self._texts.get(file, ""), file)
            clauses = [entry for entry in reading.entries if isinstance(entry, Clause)]
            self._read[file] = {each.place.line: each for each in clauses}
        found = self._read[file].get(line)
        same = found is not None and (found.head, found.body) == (clause.head, clause.body)
        return found if same else None


def _pointing(spots: Collection[Place]) -> str:
    """Carets under some spots of one line."""
    out = ""
    for spot in sorted(spots, key=lambda each: each.column):
        out = out.ljust(spot.column - 1) + "^" * spot.width
    return out

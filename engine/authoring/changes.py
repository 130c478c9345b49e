"""What a draft changes: in the text, in scenarios, at tables, and in all games within a bound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..compare import Gathered, Glimpse, Report, as_markdown, report_lines
from ..errors import many

WIDTH = 100


class Changes(NamedTuple):
    """What two books part in. True where any verdict differs, or the text.

    ``report`` has the sections that differ, and the questions of scenarios and tables that are
    answered otherwise; ``glimpse`` what was seen of all games within a bound, ``drawn`` what was
    found in some drawn at random, None where that wasn't looked at. Of scenarios ``asked`` were
    asked of both books, and ``untouched`` rest on nothing that has changed.
    """

    report: Report
    glimpse: Glimpse | None
    drawn: Gathered | None
    asked: int
    untouched: int

    def __bool__(self) -> bool:
        return bool(self.report) or (self.glimpse is not None and self.glimpse.parts)

    @property
    def game(self) -> dict[str, Any] | None:
        """A game in which both books part, as a table that ``seatlog.open`` takes, if there is one.

        It is a smallest one where ``glimpse.proved`` says so, else nothing can be left out of it;
        of games that were drawn the one with the fewest facts.
        """
        found = self.glimpse.gathered.differences if self.glimpse else ()
        if not found and self.drawn is not None:
            found = self.drawn.differences
        game = min(found, key=lambda each: each.size.get("fact", 0), default=None)
        return dict(game.data) if game else None

    def lines(self, width: int = WIDTH) -> Iterator[str]:
        """As text, both explanations side by side where there is room."""
        yield from report_lines(self.report, width, False, lambda text, _: text)
        if self.untouched:
            yield ""
            verb = "rests" if self.untouched == 1 else "rest"
            yield f"{many(self.untouched, 'scenario')} {verb} on nothing that has changed"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        """The text itself, so that a session shows it at once."""
        return str(self)

    def markdown(self) -> str:
        """As Markdown, for a pull request."""
        return as_markdown(self.report)

    def as_dict(self) -> dict[str, Any]:
        """As plain data that is ready for JSON, as ``seatlog compare --json`` has it.

        ``parts``: whether any verdict differs within the bound, ``proved`` as in ``glimpse``, both
        None where not all games were looked at.
        """
        seen = self.glimpse
        return {
            **self.report.as_dict(),
            "untouched": self.untouched,
            "parts": None if seen is None else seen.parts,
            "proved": None if seen is None else seen.proved,
        }

"""Reasons that were worked out before an answer left its process."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from ..explain import Line, Nearest, Open, Reason
from ..model import Item, Literal


class Source(Protocol):
    """Where an answer has its reasons from."""

    edition: str
    date: str
    names: frozenset[str]
    book: str

    @property
    def notes(self) -> tuple[str, ...]:
        """What goes with each answer."""

    def reason(self, literal: Literal) -> Reason:
        """The short reason of a literal, and the rules cited."""

    def open(self, items: Sequence[Item], variables: Sequence[str]) -> Open:
        """The rows of a question that the rules leave open."""

    def candidates(self, literal: Literal) -> Nearest:
        """What came closest to being an answer to a literal that has none."""

    def tree(self, literal: Literal, whole: bool) -> Sequence[Line]:
        """The steps of its reason."""

    def nearest(self, items: Sequence[Item]) -> Sequence[Literal]:
        """How far several items get that have no answer together."""


class Worked(NamedTuple):
    """All about one literal."""

    reason: Reason
    brief: tuple[Line, ...]
    whole: tuple[Line, ...]


class Kept:
    """What a session knew of some literals, without the session."""

    def __init__(
        self,
        source: Source,
        found: dict[Literal, Worked],
        near: tuple[Literal, ...],
        left_open: Open,
        candidates: Nearest,
    ) -> None:
        self._found, self._near = found, near
        self._open, self._candidates = left_open, candidates
        self.edition, self.date, self.names = source.edition, source.date, source.names
        self.book, self._notes = source.book, source.notes

    @classmethod
    def of(
        cls,
        source: Source,
        literals: Iterable[Literal],
        near: tuple[Literal, ...],
        left_open: Open,
        candidates: Nearest,
    ) -> Kept:
        """All that a source knows of some literals; ``near`` are those that it explains."""
        found = {
            x: Worked(
                source.reason(x),
                tuple(source.tree(x, False)),
                tuple(source.tree(x, True)),
            )
            for x in literals
        }
        return cls(source, found, near, left_open, candidates)

    @property
    def notes(self) -> tuple[str, ...]:
        """As they were."""
        return self._notes

    def reason(self, literal: Literal) -> Reason:
        """As it was."""
        return self._found[literal].reason

    def open(self, items: Sequence[Item], variables: Sequence[str]) -> Open:
        """As it was."""
        return self._open

    def candidates(self, literal: Literal) -> Nearest:
        """As they were."""
        return self._candidates

    def tree(self, literal: Literal, whole: bool) -> Sequence[Line]:
        """As it was."""
        found = self._found[literal]
        return found.whole if whole else found.brief

    def nearest(self, items: Sequence[Item]) -> Sequence[Literal]:
        """As it was."""
        return self._near

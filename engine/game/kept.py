"""Reasons that were worked out before an answer left its process."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from ..explain import Line, Reason
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

    def doubts(self, literal: Literal) -> Sequence[str]:
        """Where the rules leave it open."""

    def tree(self, literal: Literal, whole: bool) -> Sequence[Line]:
        """The steps of its reason."""

    def nearest(self, items: Sequence[Item]) -> Sequence[Literal]:
        """How far several items get that have no answer together."""


class Worked(NamedTuple):
    """All about one literal."""

    reason: Reason
    doubts: tuple[str, ...]
    brief: tuple[Line, ...]
    whole: tuple[Line, ...]


class Kept:
    """What a session knew of some literals, without the session."""

    def __init__(
        self,
        source: Source,
        found: dict[Literal, Worked],
        near: tuple[Literal, ...],
    ) -> None:
        self._found, self._near = found, near
        self.edition, self.date, self.names = source.edition, source.date, source.names
        self.book, self._notes = source.book, source.notes

    @classmethod
    def of(cls, source: Source, literals: Iterable[Literal], near: tuple[Literal, ...]) -> Kept:
        """All that a source knows of some literals; ``near`` are those that it explains."""
        found = {
            x: Worked(
                source.reason(x),
                tuple(source.doubts(x)),
                tuple(source.tree(x, False)),
                tuple(source.tree(x, True)),
            )
            for x in literals
        }
        return cls(source, found, near)

    @property
    def notes(self) -> tuple[str, ...]:
        """As they were."""
        return self._notes

    def reason(self, literal: Literal) -> Reason:
        """As it was."""
        return self._found[literal].reason

    def doubts(self, literal: Literal) -> Sequence[str]:
        """As they were."""
        return self._found[literal].doubts

    def tree(self, literal: Literal, whole: bool) -> Sequence[Line]:
        """As it was."""
        found = self._found[literal]
        return found.whole if whole else found.brief

    def nearest(self, items: Sequence[Item]) -> Sequence[Literal]:
        """As it was."""
        return self._near

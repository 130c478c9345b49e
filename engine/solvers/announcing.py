"""A solver that says what it is about to work out."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..model import Literal, Row, Statement
from .solver import Solver


class Announcing:
    """Announces each literal, as text, before the inner solver works it out."""

    def __init__(self, inner: Solver, say: Callable[[str], object]) -> None:
        self.inner, self.say = inner, say
        self.known: dict[Literal, tuple[Row, ...]] = {}

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """The inner solver's rows; what was worked out before is not announced again."""
        found = self.known.get(literal)
        if found is None:
            self.say(str(literal))
            found = self.known[literal] = self.inner.rows(literal)
        return found

    def but(self, facts: Iterable[Statement]) -> Announcing:
        """The same of the inner solver for other facts."""
        return Announcing(self.inner.but(facts), self.say)

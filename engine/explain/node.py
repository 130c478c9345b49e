"""The steps that explanations are made of."""

from __future__ import annotations

from collections.abc import Callable

from ..model import Clause, Item, Literal
from ..solvers import Env

NOTHING: Env = {}


class Node:
    """One step of an explanation.

    ``holds`` says whether the item is true; ``clause`` which clause instance decides it (None for
    facts and comparisons); ``children`` the steps it rests on; ``met`` the literals that named
    somebody before a refuted clause failed; ``cost`` the clauses in its proof. Children that come
    ``later`` are worked out when somebody looks at them.
    """

    __slots__ = ("_children", "_later", "clause", "cost", "env", "holds", "item", "met")

    def __init__(
        self,
        item: Item,
        holds: bool,
        clause: Clause | None = None,
        env: Env = NOTHING,
        children: tuple[Node, ...] = (),
        met: tuple[Literal, ...] = (),
        cost: int = 0,
        later: Callable[[], tuple[Node, ...]] | None = None,
    ) -> None:
        self.item, self.holds, self.clause, self.env = item, holds, clause, env
        self.met, self.cost = met, cost
        self._children, self._later = children, later

    @property
    def children(self) -> tuple[Node, ...]:
        """The steps this one rests on."""
        if self._later is not None:
            self._children, self._later = self._later(), None
        return self._children

    @property
    def alone(self) -> bool:
        """Whether it rests on no other step."""
        return self._later is None and not self._children

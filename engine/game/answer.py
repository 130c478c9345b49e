"""An answer: the verdict, its rows, and the reason, worked out when somebody looks."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Any

from ..book import Book, rule_order
from ..explain import Explainer, Line, Reason
from ..model import Const, Item, Literal, Row, Var
from ..solvers import unhurried_memory

ALL = "all"
"""The tree with every step."""


class Answer:
    """A verdict with its reason. ``bool(answer)`` is the verdict; ``print(answer)`` says why.

    ``variables`` and ``rows`` hold the answers of an open question; ``cites`` the rule numbers.
    """

    def __init__(
        self,
        items: tuple[Item, ...],
        variables: tuple[str, ...],
        rows: list[Row],
        explainer: Explainer,
        book: Book,
    ) -> None:
        self._items, self._explainer, self._book = items, explainer, book
        self.variables, self.rows = variables, rows
        self.verdict = bool(rows)

    def __bool__(self) -> bool:
        return self.verdict

    @property
    def open(self) -> bool:
        """Whether the question had variables."""
        return bool(self.variables)

    @property
    def question(self) -> str:
        """The question in clause syntax."""
        return " & ".join(str(i) for i in self._items)

    def literals(self) -> list[Literal]:
        """The literals to explain: one for each row of an open question's literal."""
        found = [i for i in self._items if isinstance(i, Literal)]
        if not self.open or not self.rows:
            return found
        out = []
        for row in self.rows:
            env = dict(zip(self.variables, row, strict=True))
            for literal in found:
                args = tuple(
                    Const(env[t.name]) if isinstance(t, Var) and t.name in env else t
                    for t in literal.args
                )
                out.append(Literal(literal.name, args, literal.negated))
        return list(dict.fromkeys(out))

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """The short reason of each literal."""
        with unhurried_memory():
            return tuple(self._explainer.reason(x.atom) for x in self.literals())

    @cached_property
    def reason(self) -> tuple[Line, ...]:
        """The sentences of the reason."""
        return tuple(line for reason in self.reasons for line in reason.lines)

    @cached_property
    def cites(self) -> tuple[str, ...]:
        """The rule numbers the answer rests on, in rule order."""
        return tuple(sorted({c for r in self.reasons for c in r.cites}, key=rule_order))

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """Where the rules leave the answer open: why, and the reading taken."""
        if not any(p.doubts for p in self._book.predicates.values()):
            return ()
        found = [d for x in self.literals() for d in self._explainer.doubts(x.atom)]
        return tuple(dict.fromkeys(found))

    def tree(self, whole: bool = False) -> list[Line]:
        """The steps of the reason: those that people read, or each of them."""
        return [line for x in self.literals() for line in self._explainer.tree(x.atom, whole)]

    def as_dict(self) -> dict[str, Any]:
        """The answer as plain data, for ``--json``."""
        return {
            "question": self.question,
            "verdict": "yes" if self.verdict else "no",
            "variables": list(self.variables),
            "rows": [list(r) for r in self.rows],
            "reason": [{"text": x.text, "rules": list(x.rules)} for x in self.reason],
            "cites": list(self.cites),
            "open": list(self.doubts),
            "edition": self._book.name,
            "date": self._book.date,
        }

    def text(self, tree: bool | str = False) -> str:
        """The answer as a person reads it; with the steps of its reason, ``"all"`` with each."""
        lines = []
        names = self._explainer.prover.names
        if not self.open:
            lines.append("yes" if self.verdict else "no")
        elif not self.rows:
            lines.append("none")
        else:
            lines += [", ".join(str(v) for v in row) for row in self.rows]
        if tree:
            lines += [f"  {'  ' * x.depth}{said(x, names)}" for x in self.tree(tree == ALL)]
        elif not self.open or not self.rows:
            lines += [f"  {'  ' * x.depth}{said(x, names)}" for x in self.reason]
        lines += [f"open: {doubt}" for doubt in self.doubts]
        if self.cites:
            lines.append("rules: " + ", ".join(self.cites))
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


def said(line: Line, names: Collection[str] = ()) -> str:
    """A sentence with its rule numbers in brackets; a name of one word keeps its small letter."""
    text = str(line.text)
    first = text.partition(" ")[0].removesuffix("'s")
    if first not in names and " " in text.partition("(")[0]:
        text = text[:1].upper() + text[1:]
    return f"{text} ({', '.join(line.rules)})" if line.rules else text

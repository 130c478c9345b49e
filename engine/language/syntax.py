"""Turn one statement into a clause, a fact or a question.

The text is parsed with ``ast`` and never compiled or run. Whatever is not on the white list is
refused, and the traps of the notation (commas, ``and``, missing parentheses) each have their own
message.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from ..errors import Place, TextError
from ..model import Comparison, Const, Count, Item, Literal, Value, Var
from .files import Source
from .lines import LogicalLine
from .terms import At, Terms, called

MAX_BODY = 64

OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_FLIP = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Parsed(NamedTuple):
    """A clause as it was read, with the place of its head and of each body item."""

    head: Literal
    body: tuple[Item, ...]
    place: Place
    spots: tuple[Place, ...]


class Parser:
    """Reads one logical statement, whose terms and literals ``terms`` reads."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms

    def clause(self) -> Parsed:
        """``head <= (body)``, or ``+ head`` for a fact of the rules: a clause without a body."""
        node = self.terms.expression()
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd):
            name, row = self.fact()
            fact = Literal(name, tuple(Const(value) for value in row))
            return Parsed(fact, (), self.terms.place(node), (self.terms.place(node.operand),))
        if isinstance(node, ast.Call):
            raise self.terms.fail(
                node, "this says nothing: a clause has a `<=`", "a fact starts with `+`", "S10"
            )
        self.terms.trap(node)
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.LtE):
            raise self.terms.fail(
                node,
                "this is not a clause",
                "a clause looks like: head(X) <= (first(X, Y) & ~second(Y))",
                "S03",
            )
        if len(node.ops) > 1:
            raise self.terms.fail(
                joined(node.comparators[0])[-1],
                "a comparison without parentheses",
                "write each comparison as (X < Y)",
                "S06",
            )
        head = self.terms.literal(node.left)
        if head.negated:
            raise self.terms.fail(
                node.left,
                "a head can't be negated",
                "a prohibition is a clause with a head of its own",
                "S03",
            )
        parts = self.parts(node.comparators[0])
        spots = tuple(self.terms.place(n) for n in (node.left, *parts))
        return Parsed(head, tuple(self.item(n) for n in parts), self.terms.place(node), spots)

    def fact(self) -> tuple[str, tuple[Value, ...]]:
        """``+ name('constant', 1)``."""
        node = self.terms.expression()
        if isinstance(node, ast.Call):
            raise self.terms.fail(node, "a fact without its `+`", "write `+` before it", "S10")
        self.terms.trap(node)
        if not (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd)):
            raise self.terms.fail(
                node, "this is not a fact", "a fact looks like: + name('A', 1)", "S03"
            )
        literal = self.terms.literal(node.operand)
        if literal.negated:
            raise self.terms.fail(
                node.operand,
                "a fact can't be negated: what isn't stated doesn't hold",
                "take it away",
                "S03",
            )
        values: list[Value] = []
        for term in literal.args:
            if not isinstance(term, Const):
                raise self.terms.fail(
                    node.operand,
                    f"{term!r} is not a constant: a fact holds names in quotes and numbers",
                    "put names in quotes",
                    "S08",
                )
            values.append(term.value)
        return literal.name, tuple(values)

    def question(self) -> tuple[Item, ...]:
        """A conjunction of literals and comparisons."""
        node = self.terms.expression()
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Call):
            raise self.terms.fail(
                node, "this is a clause, not a question", "ask for its head alone", "S03"
            )
        return self.conjunction(node)

    def conjunction(self, node: ast.expr) -> tuple[Item, ...]:
        """The items joined by ``&``."""
        return tuple(self.item(n) for n in self.parts(node))

    def parts(self, node: ast.expr) -> list[ast.expr]:
        """The expressions joined by ``&``."""
        nodes = joined(node)
        if len(nodes) > MAX_BODY:
            raise self.terms.fail(
                nodes[0],
                f"{len(nodes)} literals in one body; {MAX_BODY} are the most",
                "split it through a helper predicate",
                "S02",
            )
        return nodes

    def item(self, node: ast.expr) -> Item:
        """One literal, comparison or count."""
        self.terms.trap(node)
        if not isinstance(node, ast.Compare):
            return self.terms.literal(node)
        if len(node.ops) > 1:
            raise self.terms.fail(
                node, "a chained comparison", "write two: (X < Y) & (Y < Z)", "S06"
            )
        left, right = node.left, node.comparators[0]
        if any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.BitAnd) for n in (left, right)):
            raise self.terms.fail(
                joined(left)[-1],
                "a comparison without parentheses",
                "write each comparison as (X < Y)",
                "S06",
            )
        op = OPERATORS.get(type(node.ops[0]))
        if op is None:
            known = "known: == != < <= > >="
            raise self.terms.fail(node, "this comparison isn't known", known, "S11")
        for one, other in ((left, right), (right, left)):
            if isinstance(one, ast.Call) and called(one) == "count":
                return self._count(one, other, op)
        first, second = self.terms.term(left), self.terms.term(right)
        if isinstance(second, Var) and not isinstance(first, Var):
            first, second, op = second, first, _FLIP[op]
        return Comparison(op, first, second)

    def _count(self, call: ast.Call, other: ast.expr, op: str) -> Count:
        result = self.terms.term(other)
        if op != "==" or not isinstance(result, Var) or len(call.args) != 2 or call.keywords:
            raise self.terms.fail(
                call, "a count stands alone", "write (N == count(X, literal(X, …)))", "S11"
            )
        counted, literal = self.terms.term(call.args[0]), self.terms.literal(call.args[1])
        if not isinstance(counted, Var) or literal.negated or counted not in literal.args:
            raise self.terms.fail(
                call,
                "a count counts a variable of a positive literal",
                "write (N == count(X, literal(X, …)))",
                "S11",
            )
        return Count(result, counted, literal)


def joined(node: ast.expr) -> list[ast.expr]:
    """The expressions joined by ``&``, in their order."""
    nodes: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
        nodes.append(node.right)
        node = node.left
    return [node, *reversed(nodes)]


def read(
    statement: LogicalLine, src: Source, how: Callable[[Parser], object], at: At | None = None
) -> object:
    """Parse one statement and apply a reading to it, with deep recursion as an ordinary error."""
    try:
        return how(Parser(Terms(statement, src, at)))
    except RecursionError:
        raise TextError(
            "this is nested too deeply",
            place=src.at(statement.line),
            hint="split it through a helper predicate",
            code="S02",
        ) from None

"""Turn one statement into a clause, a fact or a question: a white list of Python's syntax trees.

The text is parsed with ``ast`` and never compiled or run. Whatever is not on the list is refused,
and the traps of the notation (commas, ``and``, missing parentheses) each have their own message.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from .errors import Place, TextError
from .model import Comparison, Const, Count, Item, Literal, Sum, Term, Value, Var
from .scan import Source
from .scan import Statement as Logical

MAX_BODY = 64
MAX_ARGS = 16
MAX_INT = 2**31 - 1

_OPS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_FLIP = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Parser:
    """Reads one logical statement; ``place`` maps its nodes to the file."""

    def __init__(self, statement: Logical, src: Source, shift: int = 0) -> None:
        self.statement, self.src, self.shift = statement, src, shift
        self.lines = statement.text.split("\n")
        try:
            self.tree = ast.parse(statement.text)
        except SyntaxError as error:
            raise self._syntax(error) from None
        except (RecursionError, MemoryError, ValueError, OverflowError) as error:
            raise TextError(
                "this can't be read: it is nested too deeply or holds a number too large",
                place=src.at(statement.line),
                hint="split it through a helper predicate",
                code="S02",
            ) from error

    def _syntax(self, error: SyntaxError) -> TextError:
        line = self.statement.line + max(0, (error.lineno or 1) - 1)
        place = self.src.at(line, max(1, error.offset or 1) + self._indent(error.lineno or 1))
        hint = "a clause looks like: head(X) <= (first(X, Y) & ~second(Y))"
        if any(word in self.statement.text.split() for word in ("not", "or", "and")):
            hint = "write `~` for not, `&` for and, and a second clause for or"
        return TextError(f"this can't be read ({error.msg})", place=place, hint=hint, code="S01")

    def _indent(self, line: int) -> int:
        return self.shift if line == 1 else 0

    def place(self, node: ast.AST) -> Place:
        """Where a node stands in the file."""
        line = getattr(node, "lineno", 1)
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        column = len(text.encode()[: getattr(node, "col_offset", 0)].decode(errors="replace"))
        end = getattr(node, "end_col_offset", None)
        same = getattr(node, "end_lineno", line) == line
        stop = len(text.encode()[:end].decode(errors="replace")) if same and end else len(text)
        return self.src.at(
            self.statement.line + line - 1,
            column + 1 + self._indent(line),
            max(1, stop - column),
        )

    def fail(self, node: ast.AST, what: str, hint: str, code: str) -> TextError:
        return TextError(what, place=self.place(node), hint=hint, code=code)

    def expression(self) -> ast.expr:
        """The one expression the statement consists of."""
        body = self.tree.body
        if len(body) != 1 or not isinstance(body[0], ast.Expr):
            node: ast.AST = body[0] if body else self.tree
            raise self.fail(
                node,
                "this is neither a clause nor a fact",
                "a clause looks like: head(X) <= (first(X, Y) & ~second(Y))",
                "S03",
            )
        return body[0].value

    def clause(self) -> tuple[Literal, tuple[Item, ...]]:
        """``head <= (body)``."""
        node = self.expression()
        if isinstance(node, ast.Call):
            raise self.fail(
                node, "this says nothing: a clause has a `<=`", "a fact starts with `+`", "S10"
            )
        self._trap(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd):
            raise self.fail(
                node, "facts belong in a table, not among the clauses", "write a clause", "S03"
            )
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.LtE):
            raise self.fail(
                node,
                "this is not a clause",
                "a clause looks like: head(X) <= (first(X, Y) & ~second(Y))",
                "S03",
            )
        if len(node.ops) > 1:
            raise self.fail(
                node.comparators[0],
                "a comparison without parentheses",
                "write each comparison as (X < Y)",
                "S06",
            )
        head = self.literal(node.left)
        if head.negated:
            raise self.fail(
                node.left, "a head can't be negated", "turn it into a cannot_… clause", "S03"
            )
        return head, self.conjunction(node.comparators[0])

    def fact(self) -> tuple[str, tuple[Value, ...]]:
        """``+ name('constant', 1)``."""
        node = self.expression()
        if isinstance(node, ast.Call):
            raise self.fail(node, "a fact without its `+`", "write `+` before it", "S10")
        self._trap(node)
        if not (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd)):
            raise self.fail(node, "this is not a fact", "a fact looks like: + name('A', 1)", "S03")
        literal = self.literal(node.operand)
        values: list[Value] = []
        for term in literal.args:
            if not isinstance(term, Const):
                raise self.fail(
                    node.operand,
                    f"{term!r} is not a constant: a fact holds names in quotes and numbers",
                    "put names in quotes",
                    "S08",
                )
            values.append(term.value)
        return literal.name, tuple(values)

    def question(self) -> tuple[Item, ...]:
        """A conjunction of literals and comparisons."""
        node = self.expression()
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Call):
            raise self.fail(
                node, "this is a clause, not a question", "ask for its head alone", "S03"
            )
        return self.conjunction(node)

    def conjunction(self, node: ast.expr) -> tuple[Item, ...]:
        """The items joined by ``&``."""
        nodes: list[ast.expr] = []
        while isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
            nodes.append(node.right)
            node = node.left
        nodes.append(node)
        if len(nodes) > MAX_BODY:
            raise self.fail(
                node,
                f"{len(nodes)} literals in one body; {MAX_BODY} are the most",
                "split it through a helper predicate",
                "S02",
            )
        return tuple(self.item(n) for n in reversed(nodes))

    def item(self, node: ast.expr) -> Item:
        """One literal, comparison or count."""
        self._trap(node)
        if not isinstance(node, ast.Compare):
            return self.literal(node)
        if len(node.ops) > 1:
            raise self.fail(node, "a chained comparison", "write two: (X < Y) & (Y < Z)", "S06")
        left, right = node.left, node.comparators[0]
        if isinstance(left, ast.BinOp) and isinstance(left.op, ast.BitAnd):
            raise self.fail(
                node, "a comparison without parentheses", "write each comparison as (X < Y)", "S06"
            )
        op = _OPS.get(type(node.ops[0]))
        if op is None:
            raise self.fail(node, "this comparison isn't known", "known: == != < <= > >=", "S11")
        for one, other in ((left, right), (right, left)):
            if isinstance(one, ast.Call) and _called(one) == "count":
                return self._count(one, other, op)
        first, second = self.term(left), self.term(right)
        if isinstance(second, Var) and not isinstance(first, Var):
            first, second, op = second, first, _FLIP[op]
        return Comparison(op, first, second)

    def _count(self, call: ast.Call, other: ast.expr, op: str) -> Count:
        result = self.term(other)
        if op != "==" or not isinstance(result, Var) or len(call.args) != 2 or call.keywords:
            raise self.fail(
                call, "a count stands alone", "write (N == count(X, literal(X, …)))", "S11"
            )
        counted, literal = self.term(call.args[0]), self.literal(call.args[1])
        if not isinstance(counted, Var) or literal.negated or counted not in literal.args:
            raise self.fail(
                call,
                "a count counts a variable of a positive literal",
                "write (N == count(X, literal(X, …)))",
                "S11",
            )
        return Count(result, counted, literal)

    def literal(self, node: ast.expr) -> Literal:
        """``name(terms)`` or ``~name(terms)``."""
        self._trap(node)
        negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert)
        inner = node.operand if isinstance(node, ast.UnaryOp) and negated else node
        name = _called(inner)
        if not isinstance(inner, ast.Call) or not name:
            what = "a double negation" if _is_invert(inner) else "this is not a literal"
            raise self.fail(inner, what, "a literal looks like: name(X, 'word', 3)", "S03")
        if inner.keywords or len(inner.args) > MAX_ARGS:
            raise self.fail(
                inner, f"a literal takes up to {MAX_ARGS} plain terms", "shorten it", "S11"
            )
        if not name[0].islower():
            raise self.fail(
                inner.func, f"predicate {name} must start with a small letter", "rename it", "S03"
            )
        terms = tuple(self.term(a) for a in inner.args)
        for term, arg in zip(terms, inner.args, strict=True):
            if isinstance(term, Sum):
                raise self.fail(
                    arg, "a literal can't calculate", "bind it first: (Y == X + 1)", "S11"
                )
        return Literal(name, terms, negated)

    def term(self, node: ast.expr) -> Term:
        """A variable, a quoted name, an integer, or a sum of those."""
        if isinstance(node, ast.Name):
            if node.id == "_":
                raise self.fail(
                    node,
                    "a bare `_`: used twice it would mean the same thing twice",
                    "give it a name of its own, like _Player",
                    "S07",
                )
            if node.id[0].isupper() or node.id[0] == "_":
                return Var(node.id)
            raise self.fail(
                node,
                f"{node.id} is neither a variable nor a quoted name",
                f"write '{node.id}' for the word, {node.id[0].upper()}{node.id[1:]} for a variable",
                "S08",
            )
        if isinstance(node, ast.Constant) and type(node.value) in (str, int):
            return self._constant(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.term(node.operand)
            if isinstance(inner, Const) and isinstance(inner.value, int):
                return Const(-inner.value)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            op = "+" if isinstance(node.op, ast.Add) else "-"
            return Sum(self.term(node.left), op, self.term(node.right))
        raise self.fail(
            node, "this can't stand as a term", "terms: Variable, 'name', 3, X + 1, X - Y", "S11"
        )

    def _constant(self, node: ast.Constant) -> Const:
        value = node.value
        assert isinstance(value, str | int)
        if isinstance(value, int) and value > MAX_INT:
            raise self.fail(node, "this number is too large", f"at most {MAX_INT}", "S11")
        if isinstance(value, str) and not value.isprintable():
            raise self.fail(
                node, "a control character in a name", "names are printable text", "S14"
            )
        return Const(value)

    def _trap(self, node: ast.expr) -> None:
        if isinstance(node, ast.Tuple):
            raise self.fail(
                node.elts[-1], "a comma between literals drops what follows", "write `&`", "S04"
            )
        if isinstance(node, ast.BoolOp):
            raise self.fail(
                node, "`and` and `or` don't join literals", "write `&`, or a second clause", "S05"
            )
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            raise self.fail(node, "`not` doesn't negate a literal", "write `~`", "S05")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            raise self.fail(node, "`|` doesn't join literals", "write a second clause", "S05")


def read(
    statement: Logical, src: Source, how: Callable[[Parser], object], shift: int = 0
) -> object:
    """Parse one statement and apply a reading to it, with deep recursion as an ordinary error."""
    try:
        return how(Parser(statement, src, shift))
    except RecursionError:
        raise TextError(
            "this is nested too deeply",
            place=src.at(statement.line),
            hint="split it through a helper predicate",
            code="S02",
        ) from None


def _called(node: ast.expr) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id
    return ""


def _is_invert(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert)

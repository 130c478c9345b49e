"""Terms and literals out of Python's syntax trees: a white list, with a message for each trap."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable

from ..errors import Place, TextError
from ..model import MAX_INT, Const, Literal, Sum, Term, Var
from .files import Source
from .lines import LogicalLine

MAX_ARGS = 16

At = Callable[[int, int, int], Place]

_SLIPS = {
    "Maybe you meant '=='": (
        "a single `=`",
        "a clause looks like: head(X) <= (…); a comparison has `==`",
    ),
    "illegal target for annotation": ("a `:`", "a clause has `<=` where Prolog has `:-`"),
    "forgot a comma": ("something is missing here", "terms want a `,` between, literals an `&`"),
}


class Terms:
    """The terms and literals of one logical statement; ``place`` maps its nodes to the file.

    ``at`` says where a line, column and width of the statement's text are, when it doesn't stand in
    the file as it is.
    """

    def __init__(self, statement: LogicalLine, src: Source, at: At | None = None) -> None:
        self.statement, self.src, self._elsewhere = statement, src, at
        self.lines = statement.text.split("\n")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
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
        place = self._at(max(1, error.lineno or 1), max(1, error.offset or 1), 1)
        what = f"this can't be read ({error.msg})".replace(" (invalid syntax)", " from here on")
        hint = "a clause looks like: head(X) <= (first(X, Y) & ~second(Y))"
        if any(word in self.statement.text.split() for word in ("not", "or", "and")):
            hint = "write `~` for not, `&` for and, and a second clause for or"
        for said, meant in _SLIPS.items():
            if said in (error.msg or ""):
                what, hint = meant
        return TextError(what, place=place, hint=hint, code="S01")

    def _at(self, line: int, column: int, width: int) -> Place:
        if self._elsewhere is not None:
            return self._elsewhere(line, column, width)
        return self.src.at(self.statement.line + line - 1, column, width)

    def place(self, node: ast.AST) -> Place:
        """Where a node stands in the file."""
        line = getattr(node, "lineno", 1)
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        column = _characters(text, getattr(node, "col_offset", 0))
        end = getattr(node, "end_col_offset", None)
        same = getattr(node, "end_lineno", line) == line
        stop = _characters(text, end) if same and end else len(text)
        return self._at(line, column + 1, max(1, stop - column))

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

    def literal(self, node: ast.expr) -> Literal:
        """``name(terms)`` or ``~name(terms)``."""
        self.trap(node)
        negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert)
        inner = node.operand if isinstance(node, ast.UnaryOp) and negated else node
        name = called(inner)
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

    def trap(self, node: ast.expr) -> None:
        """Refuse what Python reads in a way its author did not mean."""
        if isinstance(node, ast.Tuple) and node.elts:
            raise self.fail(
                node.elts[-1],
                "a comma between literals drops what follows",
                "write `&`",
                "S04",
            )
        if isinstance(node, ast.BoolOp):
            raise self.fail(
                node, "`and` and `or` don't join literals", "write `&`, or a second clause", "S05"
            )
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            raise self.fail(node, "`not` doesn't negate a literal", "write `~`", "S05")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            raise self.fail(node, "`|` doesn't join literals", "write a second clause", "S05")


def called(node: ast.expr) -> str:
    """The name of what is called, or an empty string."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id
    return ""


def _characters(text: str, size: int) -> int:
    """How many characters of a line take so many bytes."""
    if text.isascii():
        return min(size, len(text))
    return len(text.encode()[:size].decode(errors="replace"))


def _is_invert(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert)

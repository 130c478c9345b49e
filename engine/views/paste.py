"""A book and a table as one plain pyDatalog script, to be pasted into a Python session.

The clauses come in pyDatalog's own notation, which is close to the book's but has traps: words it
keeps for itself, comparisons that fall apart unless a variable stands alone on the left, a negated
predicate that raises when nobody ever stated it, and a ``len_`` that has no answer for nothing.
"""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable, Iterator
from itertools import count, groupby

from ..book import Book
from ..errors import QuestionError, printable, quoted
from ..language import plan, read_question
from ..model import (
    Clause,
    Comparison,
    Const,
    Count,
    Item,
    Literal,
    Statement,
    Sum,
    Term,
    Value,
    Var,
    item_variables,
    literals,
)

_AGGREGATES = "concat format len linear_regression max mean min range rank running_sum sum tuple"
_KEPT = (
    {*dir(builtins), *keyword.kwlist, "ask"}
    | {w + "_" for w in _AGGREGATES.split()}
    | {"_" + w for w in _AGGREGATES.split()}
    | set(_AGGREGATES.split())
)
_UNREADABLE = ("True", "False", "??", "_pyD_class")
_FLIP = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def script(book: Book, facts: Iterable[Statement], question: str | None = None) -> str:
    """The script: one import, one ``load``, and for a question one ``ask``.

    Raises QuestionError for a name that pyDatalog can't be told, and for a question that can't be
    read or worked off.
    """
    return Writer(book, facts).script(question)


class Writer:
    """Writes a book and a table in pyDatalog's notation, and questions that fit them."""

    def __init__(self, book: Book, facts: Iterable[Statement]) -> None:
        self.book, self.facts = book, tuple(facts)
        self.helpers: list[str] = []
        self._names: dict[str, str] = {}
        self._counted: dict[tuple[Literal, Var], str] = {}
        self._arity = {name: len(fact.args) for name, fact in book.vocabulary.facts.items()}
        self._arity.update((c.head.name, len(c.head.args)) for c in book.clauses)
        for name in sorted(self._arity):
            self._names[name] = self._free(name, self._arity)
        self._taken = set(self._arity) | set(self._names.values())

    def script(self, question: str | None = None) -> str:
        """The whole script."""
        asked = None if question is None else self.question(question)
        lines = ["# facts", *(self._fact(f.name, f.row) for f in self.facts)]
        lines += [line for name in self._unstated() for line in self._declared(name)]
        for rule, clauses in groupby(self.book.clauses, lambda c: c.rule):
            section = self.book.sections.get(rule)
            lines.append(printable(f"# {rule}  {section.title}" if section else f"# {rule}"))
            lines += [line for clause in clauses for line in self._clause(clause)]
        if self.helpers:
            lines += ["# asked for", *self.helpers]
        text = "\n".join(lines).replace("\\", "\\\\").replace('"""', '\\"' * 3)
        out = f'from pyDatalog import pyDatalog\n\npyDatalog.load("""\n{text}\n""")\n'
        return out if asked is None else f"{out}print(pyDatalog.ask({asked!r}))\n"

    def question(self, text: str) -> str:
        """A question in pyDatalog's notation. Raises QuestionError."""
        items = read_question(text)
        for literal in literals(items):
            if self._arity.get(literal.name) != len(literal.args):
                raise QuestionError(f"no predicate {literal.name} with {len(literal.args)} terms")
        ordered = plan(items)
        if ordered.stuck:
            item, lacking = ordered.stuck[0]
            raise QuestionError(f"nothing binds {lacking[0]} in {item}")
        body = " & ".join(self._items(ordered.items, self.helpers))
        columns = _columns(items)
        bare = all(isinstance(i.left, Var) for i in items if isinstance(i, Comparison))
        if bare and columns == _columns(ordered.items):
            return body
        head = f"{self._helpers('question')[0]}({', '.join(map(_variable, columns)) or 0})"
        self.helpers.append(f"{head} <= ({body})")
        return head

    def _free(self, name: str, taken: Iterable[str]) -> str:
        while name in _KEPT or (name in self._names.values()):
            name += "_"
            while name in taken:
                name += "_"
        return name

    def _unstated(self) -> list[str]:
        """Predicates that pyDatalog would never hear of: no fact, no clause, no literal of it."""
        bodies = [x for c in self.book.clauses for x in literals(c.body)]
        heard = {f.name for f in self.facts} | {c.head.name for c in self.book.clauses}
        heard |= {x.name for x in bodies if not x.negated}
        return [name for name in self.book.vocabulary.facts if name not in heard]

    def _fact(self, name: str, row: Iterable[Value], sign: str = "+") -> str:
        return f"{sign} {self._names[name]}({', '.join(map(_value, row))})"

    def _declared(self, name: str) -> list[str]:
        row = [0] * len(self.book.vocabulary.facts[name].args)
        return [self._fact(name, row), self._fact(name, row, "-")]

    def _clause(self, clause: Clause) -> list[str]:
        lines: list[str] = []
        items = self._items(plan(clause.body).items, lines)
        body = " & ".join(items)
        if not items:
            return [f"+ {self._literal(clause.head)}"]
        return [*lines, f"{self._literal(clause.head)} <= ({body})"]

    def _items(self, items: Iterable[Item], lines: list[str]) -> list[str]:
        items = tuple(items)
        taken = {v for i in items for v in item_variables(i)}
        return [text for item in items for text in self._item(item, taken, lines)]

    def _item(self, item: Item, taken: set[str], lines: list[str]) -> Iterator[str]:
        if isinstance(item, Literal):
            yield self._literal(item)
        elif isinstance(item, Count):
            yield self._count(item, lines)
        else:
            yield from _compared(item, taken)

    def _literal(self, literal: Literal) -> str:
        sign = "~" if literal.negated else ""
        return f"{sign}{self._names[literal.name]}({', '.join(map(_term, literal.args))})"

    def _count(self, item: Count, lines: list[str]) -> str:
        """A count through a function for some and a clause for none; both need the keys bound."""
        known = self._counted.get((item.literal, item.counted))
        result = _variable(item.result.name)
        if known:
            return f"{known}, {result})"
        literal, counted = self._literal(item.literal), _variable(item.counted.name)
        names = [t.name for t in item.literal.args if isinstance(t, Var) and t != item.counted]
        keys = ", ".join(_variable(k) for k in dict.fromkeys(names))
        given, more = keys, ""
        number, some, length, one = self._helpers(item.literal.name)
        if not keys:
            lines.append(f"+ {one}(0)")
            keys, given, more = "Key_", "0", f" & {one}(Key_)"
        lines += [
            f"({length}[{keys}] == len_({counted})) <= ({literal}{more})",
            f"{some}({keys}) <= ({literal}{more})",
            f"{number}({keys}, Number_) <= ({length}[{keys}] == Number_)",
            f"{number}({keys}, 0) <= (~{some}({keys}))",
        ]
        self._counted[item.literal, item.counted] = f"{number}({given}"
        return f"{number}({given}, {result})"

    def _helpers(self, base: str) -> list[str]:
        """Names for the predicates behind one count that nothing else has."""
        while True:
            names = [f"{base}_{word}" for word in ("number", "some", "len", "one")]
            if self._taken.isdisjoint(names):
                self._taken.update(names)
                return names
            base += "_"


def _columns(items: Iterable[Item]) -> list[str]:
    """The variables an answer has values for, in order: those inside a count have none."""
    inner = {i.counted.name for i in items if isinstance(i, Count)}
    return [v for v in dict.fromkeys(v for i in items for v in item_variables(i)) if v not in inner]


def _compared(item: Comparison, taken: set[str]) -> Iterator[str]:
    """A comparison with a variable alone on its left."""
    op, left, right = item.op, item.left, item.right
    if isinstance(right, Var) and not isinstance(left, Var):
        op, left, right = _FLIP[op], right, left
    if not isinstance(left, Var):
        name = next(n for n in map("Value{}".format, count(1)) if n not in taken)
        taken.add(name)
        yield f"({name} == {_term(left)})"
        left = Var(name)
    yield f"({_term(left)} {op} {_term(right)})"


def _term(term: Term) -> str:
    if isinstance(term, Var):
        return _variable(term.name)
    if isinstance(term, Const):
        return _value(term.value)
    assert isinstance(term, Sum)
    right = _term(term.right)
    return f"{_term(term.left)} {term.op} {f'({right})' if isinstance(term.right, Sum) else right}"


def _variable(name: str) -> str:
    """A variable's name; those with a meaning to Python, pyDatalog or this module get a prefix."""
    kept = name in _KEPT or name.startswith(("__", "_pyD", "V_")) or name.endswith("_")
    return f"V_{name}" if kept else name


def _value(value: Value) -> str:
    if value in _UNREADABLE:
        raise QuestionError(
            f"pyDatalog can't be told the name {quoted(value)}: it reads a truth value or a "
            "variable in it",
            hint="give it another name",
        )
    return repr(value)

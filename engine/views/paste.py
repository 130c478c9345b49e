"""A book and a table as one plain pyDatalog script, to be pasted into a Python session.

The clauses come in pyDatalog's own notation, which is close to the book's but has traps: words it
keeps for itself, comparisons that fall apart unless a variable stands alone on the left, a negated
predicate that raises when nobody ever stated it, and a ``len_`` that has no answer for nothing.

The script of a section has all that the section rests on and nothing else, with headings and
sentences as comments, and asks at its end what the section says.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import count, groupby

from ..book import SILENT, Book, Clauses
from ..errors import QuestionError, many, printable, quoted
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
from ..solvers import describe

_AGGREGATES = "concat format len linear_regression max mean min range rank running_sum sum tuple"
_KEPT = (
    {*dir(builtins), *keyword.kwlist, "ask"}
    | {"copyright", "credits", "display", "exit", "get_ipython", "license", "quit"}
    | {w + "_" for w in _AGGREGATES.split()}
    | {"_" + w for w in _AGGREGATES.split()}
    | set(_AGGREGATES.split())
)
_UNREADABLE = ("True", "False", "??", "_pyD_class")
_FLIP = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_WIDE, _FEW = 100, 3
"""A clause stands on one line where it fits and has so few items."""
_LONGEST = 2_000
_PLAIN = re.compile(r"[A-Z]\w*", re.ASCII)

_FACTS = "Here the facts of a table belong"
_HEAD = """\
# A script for plain {engine}: run it, or paste it into a Python session.
# What that session's pyDatalog knew before is forgotten.
"""
_TAIL = """\
for question in [
{questions}
]:
    print(question)
    answer = pyDatalog.ask(question)
    for row in sorted(answer.answers, key=repr) if answer else ["none"]:
        print(" ", row if row == "none" else ", ".join(map(repr, row)))

"""


def script(book: Book, facts: Iterable[Statement], question: str | None = None) -> str:
    """The script: one import, one ``load``, and for a question one ``ask``.

    Raises QuestionError for a name that pyDatalog can't be told, and for a question that can't be
    read or worked off.
    """
    return Writer(book, facts).script(question)


def section_script(
    book: Book, sections: Collection[str], facts: Iterable[Statement], title: str = ""
) -> str:
    """The script of some sections, with those facts of a table called ``title`` that they look at.

    Raises QuestionError for a name that pyDatalog can't be told.
    """
    needed = book._replace(clauses=Clauses(_needed(book, sections)))
    read = {x.name for c in needed.clauses for x in literals(c.body)}
    every = tuple(facts)
    writer = Writer(needed, (f for f in every if f.name in read))
    return writer.of_sections(sections, read, len(every) - len(writer.facts), title)


def _needed(book: Book, sections: Collection[str]) -> Iterator[Clause]:
    """The clauses that say what some sections speak of, and all that they rest on."""
    todo = [c.head.name for c in book.clauses if c.rule in sections]
    names: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in names:
            names.add(name)
            todo += [x.name for c in book.clauses_of(name) for x in literals(c.body)]
    return (c for c in book.clauses if c.head.name in names)


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
            lines.append(self._heading(rule))
            lines += [line for clause in clauses for line in self._clause(clause)]
        if self.helpers:
            lines += ["# asked for", *self.helpers]
        out = f"from pyDatalog import pyDatalog\n\n{_load(lines)}"
        return out if asked is None else f"{out}print(pyDatalog.ask({asked!r}))\n"

    def of_sections(
        self, sections: Collection[str], read: Collection[str], unread: int, title: str
    ) -> str:
        """The script of some sections; ``read`` are the predicates that its clauses look at.

        ``unread`` is how many facts of the table called ``title`` they don't.
        """
        book = self.book
        own = list(dict.fromkeys(c.head.name for c in book.clauses if c.rule in sections))
        said_by = f"What the table says: {printable(title)}" if title else _FACTS
        lines = [f"# {said_by}"]
        lines += [self._fact(f.name, f.row) for f in self.facts]
        lines += [f"# and {many(unread, 'fact')} that no clause here looks at"] * bool(unread)
        silent = [name for name in self._unstated() if name in read]
        if silent:
            lines += ["", "# What it doesn't say has to be known all the same, where it is denied"]
            lines += [line for name in silent for line in self._declared(name)]
        said: set[str] = set()
        for rule, clauses in groupby(book.clauses, lambda c: c.rule):
            lines += ["", self._heading(rule)]
            for clause in clauses:
                lines += self._sentences(clause, clause.head.name not in said)
                said.add(clause.head.name)
                lines += self._clause(clause, True)
        asked = ",\n".join(f"    {self._open(name)!r}" for name in own)
        head = [_HEAD.format(engine=describe().partition(" (")[0])]
        head += [f"{self._heading(number)}\n" for number in sections]
        head += [f"# {printable(book.title)} as of {printable(book.date)}\n"]
        head += ["from pyDatalog import pyDatalog\n\npyDatalog.clear()\n"]
        tail = _TAIL.format(questions=asked) if own else ""
        return "".join([*head, _load(lines), "\n" * bool(tail), tail])

    def _heading(self, rule: str) -> str:
        section = self.book.sections.get(rule)
        return printable(f"# {rule}  {section.title}" if section else f"# {rule}")

    def _sentences(self, clause: Clause, first: bool) -> Iterator[str]:
        """What is said of a clause, and with the first one what is said of its predicate."""
        own = self.book.predicates[clause.head.name]
        yes = clause.yes or (own.yes or own.tree_yes) * first
        no = (own.no or next(iter(own.tree_no), "")) * first
        for key, text in (("yes", yes), ("no", no)):
            if text and text != SILENT:
                yield printable(f"# {key}: {text}", _LONGEST)

    def _open(self, name: str) -> str:
        """A question for everything of which a predicate holds."""
        params = self.book.predicates[name].params
        if len(set(params)) < len(params) or not all(map(_PLAIN.fullmatch, params)):
            params = tuple(f"Term{at}" for at, _ in enumerate(params, 1))
        return f"{self._names[name]}({', '.join(map(_variable, params))})"

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

    def _clause(self, clause: Clause, laid_out: bool = False) -> list[str]:
        """A clause, behind those that its counts need; over several lines where it is long."""
        lines: list[str] = []
        items = self._items(plan(clause.body).items, lines)
        head = self._literal(clause.head)
        if not items:
            return [f"+ {head}"]
        line = f"{head} <= ({' & '.join(items)})"
        if not laid_out or (len(line) <= _WIDE and len(items) <= _FEW):
            return [*lines, line]
        first, *rest = items
        return [*lines, f"{head} <= (", f"    {first}", *(f"    & {each}" for each in rest), ")"]

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


def _load(lines: Iterable[str]) -> str:
    """A call that loads some lines."""
    text = "\n".join(lines).replace("\\", "\\\\").replace('"""', '\\"' * 3)
    return f'pyDatalog.load("""\n{text}\n""")\n'


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

"""Answers from clingo, which works out bottom-up all that holds (Gebser et al. 2019).

It shares clauses and facts with the other engines, and no line of what works them off. No word of a
rule or a table reaches it: predicates, variables and names go in under numbers of our own (``p17``,
``V3``, ``n42``), so nothing in them can be taken for program text. It counts in 32 bits and goes
round without a word, drops what can't be calculated, and puts every name above every number; beside
each clause that calculates stand rules that find where this would matter, and then nothing is
answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import Generic, TypeVar

import clingo

from ..book import Book, PerBook
from ..errors import BookError, QuestionError
from ..language import plan
from ..model import (
    MAX_INT,
    Clause,
    Comparison,
    Const,
    Item,
    Literal,
    Row,
    Statement,
    Sum,
    Term,
    Value,
    Var,
    literals,
    show_value,
)
from .facts import Stated, goal_key, row_order
from .pruned import arities

_OPTIONS = ["-Wno-atom-undefined", "-Wno-global-variable"]
_UNORDERED = {"<": "u1", "<=": "u2", ">": "u3", ">=": "u4"}
_UNSUMMED = {"+": "s1", "-": "s2"}
_TOO_FAR = {"+": "f1", "-": "f2"}
T = TypeVar("T")


def solver(book: Book, facts: Iterable[Statement]) -> Clingo:
    """A solver for this book and these facts."""
    return Clingo(_program(book), Stated(facts))


def description() -> str:
    """Name and version of the engine."""
    return f"clingo {clingo.__version__}"


class _Numbered(Generic[T]):
    """Words of our own for things: a letter and a number each."""

    def __init__(self, letter: str) -> None:
        self._letter, self._next = letter, count()
        self.words: dict[T, str] = {}

    def word(self, thing: T) -> str:
        """The word of a thing, the same each time, in whatever thread."""
        found = self.words.get(thing)
        if found is None:
            found = self.words.setdefault(thing, f"{self._letter}{next(self._next)}")
        return found


class _Program:
    """The clauses of one book as clingo reads them, predicate by predicate."""

    def __init__(self, book: Book) -> None:
        self.by_head = book.by_head
        self.arity = arities(book)
        self.predicates: _Numbered[str] = _Numbered("p")
        constants = {x for clause in book.clauses for x in _constants(clause)}
        self.names: dict[Value, str] = {x: f"n{i}" for i, x in enumerate(sorted(constants))}
        self._texts: dict[str, str] = {}
        self._rests: dict[str, tuple[str, ...]] = {}
        self._closures: dict[str, frozenset[str]] = {}

    def text(self, name: str) -> str:
        """The clauses of a predicate, and the rules that find what clingo would get wrong."""
        found = self._texts.get(name)
        if found is None:
            rules = (line for clause in self.by_head[name] for line in _Rules(self, clause).lines())
            found = self._texts[name] = "\n".join(rules)
        return found

    def rests_on(self, name: str) -> tuple[str, ...]:
        """The predicates that a predicate's clauses look at."""
        found = self._rests.get(name)
        if found is None:
            below = (x.name for clause in self.by_head.get(name, ()) for x in literals(clause.body))
            found = self._rests[name] = tuple(dict.fromkeys(below))
        return found

    def closure(self, name: str) -> frozenset[str]:
        """A predicate and all that it rests on, however far down."""
        found = self._closures.get(name)
        if found is None:
            seen, todo = {name}, [name]
            while todo:
                new = set(self.rests_on(todo.pop())) - seen
                seen |= new
                todo += new
            found = self._closures[name] = frozenset(seen)
        return found


class _Rules:
    """One clause as rules of clingo's language."""

    def __init__(self, program: _Program, clause: Clause) -> None:
        self._program, self._clause = program, clause
        self._variables: _Numbered[str] = _Numbered("V")

    def lines(self) -> Iterator[str]:
        """The clause itself, and what finds its traps, each behind what is worked out before it."""
        body = plan(self._clause.body).items
        yield _rule(self._literal(self._clause.head), [self._item(item) for item in body])
        before: list[str] = []
        for item in body:
            if isinstance(item, Comparison):
                for sign, trapped in self._traps(item):
                    yield _rule(sign, [*before, *trapped])
            before.append(self._item(item))

    def _item(self, item: Item) -> str:
        if isinstance(item, Literal):
            return ("not " if item.negated else "") + self._literal(item)
        if isinstance(item, Comparison):
            op = "=" if item.op == "==" else item.op
            return f"{self._term(item.left)}{op}{self._term(item.right)}"
        element = ",".join(map(self._term, item.literal.args))
        return f"{self._term(item.result)}=#count{{{element}:{self._literal(item.literal)}}}"

    def _literal(self, literal: Literal) -> str:
        args = ",".join(map(self._term, literal.args))
        return f"{self._program.predicates.word(literal.name)}({args})"

    def _term(self, term: Term) -> str:
        if isinstance(term, Var):
            return self._variables.word(term.name)
        if isinstance(term, Sum):
            return f"({self._term(term.left)}{term.op}{self._term(term.right)})"
        if isinstance(term.value, int):
            return f"({_number(term.value)})" if term.value < 0 else _number(term.value)
        return self._program.names[term.value]

    def _traps(self, item: Comparison) -> Iterator[tuple[str, list[str]]]:
        """For each way in which values can be no numbers, or too large ones: a sign, and when."""
        if item.op in _UNORDERED:
            yield from self._names(_UNORDERED[item.op], item.left, item.right)
        yield from self._sums(item.left)
        yield from self._sums(item.right)

    def _names(self, sign: str, left: Term, right: Term) -> Iterator[tuple[str, list[str]]]:
        atom = f"{sign}({self._term(left)},{self._term(right)})"
        for term in (left, right):
            if not isinstance(term, Sum) and not (_is_number(term)):
                yield atom, [f"{self._term(term)}>{MAX_INT}"]

    def _sums(self, term: Term) -> Iterator[tuple[str, list[str]]]:
        if not isinstance(term, Sum):
            return
        yield from self._sums(term.left)
        yield from self._sums(term.right)
        yield from self._names(_UNSUMMED[term.op], term.left, term.right)
        left, right = self._term(term.left), self._term(term.right)
        back = "-" if term.op == "+" else "+"
        atom = f"{_TOO_FAR[term.op]}({left},{right})"
        up, down = (">", "<") if term.op == "+" else ("<", ">")
        yield atom, [f"{right}{up}0", f"{left}>{MAX_INT}{back}{right}"]
        yield atom, [f"{right}{down}0", f"{left}<-{MAX_INT}{back}{right}"]


class Clingo:
    """One table under the program of its book. What was found is kept, predicate by predicate."""

    name = "clingo"

    def __init__(self, program: _Program, stated: Stated) -> None:
        self._program, self._stated = program, stated
        self._names: _Numbered[Value] = _Numbered("m")
        self._values: dict[str, Value] = {}
        self._texts: dict[str, str] = {}
        self._controls: dict[str, clingo.Control] = {}
        self._found: dict[str, Stated] = {}
        self._answers: dict[object, tuple[Row, ...]] = {}

    def rows(self, literal: Literal) -> tuple[Row, ...]:
        """Every ground instance of a positive literal that holds, sorted.

        Raises QuestionError where a clause that the literal rests on puts names in an order,
        calculates with them, or gets beyond what clingo counts to.
        """
        if self._program.arity.get(literal.name) != len(literal.args):
            raise BookError(f"no predicate {literal.name} with {len(literal.args)} terms")
        key = goal_key(literal)
        found = self._answers.get(key)
        if found is None:
            found = self._answers[key] = self._all(literal.name).rows(literal)
        return found

    def but(self, facts: Iterable[Statement]) -> Clingo:
        """The solver for other facts; what rests on no changed fact is not worked out again."""
        other = Clingo(self._program, Stated(facts))
        differing = self._stated.differing(other._stated)
        for name, rows in list(self._found.items()):
            if self._program.closure(name).isdisjoint(differing):
                other._found[name] = rows
        return other

    def _all(self, name: str) -> Stated:
        """All rows of a predicate."""
        if name not in self._program.by_head:
            return self._stated
        found = self._found.get(name)
        if found is None:
            if name not in self._controls:
                self.ground([name])
            found = self._found[name] = Stated(self._read(self._controls[name], name))
        return found

    def ground(self, names: Iterable[str]) -> None:
        """Have predicates worked out, in one go what isn't known yet of all they rest on.

        Asking for one after the other does the same, in more time.
        """
        new: dict[str, str] = {}
        known = {*self._found, *self._controls}
        todo = [name for name in names if name not in known]
        if not todo:
            return
        while todo:
            each = todo.pop()
            if each in new:
                continue
            if each in known or each not in self._program.by_head:
                new[each] = self._facts(each)
            else:
                new[each] = self._program.text(each)
                todo += self._program.rests_on(each)
        said: list[str] = []
        control = clingo.Control(_OPTIONS, logger=lambda _code, text: said.append(text))
        trouble = ""
        try:
            control.add("base", [], "\n".join(new.values()))
            control.ground([("base", [])])
        except RuntimeError as error:
            trouble = str(error)
        if not trouble:
            self._refuse(control)
        if trouble or said:
            raise BookError(
                f"the engine gave up: {' '.join([*said, trouble]).strip()}",
                hint="`seatlog lint` says what in a rule text can do that",
            )
        for each in new.keys() & self._program.by_head.keys() - known:
            self._controls[each] = control

    def _refuse(self, control: clingo.Control) -> None:
        """Raise QuestionError if a clause came to an operation that clingo gets wrong."""
        for signs, wrong in (
            (_UNORDERED, ": only numbers have an order"),
            (_UNSUMMED, " can't be worked out"),
            (_TOO_FAR, f": clingo counts no further than {MAX_INT}"),
        ):
            for op, sign in signs.items():
                atoms = control.symbolic_atoms.by_signature(sign, 2)
                rows = sorted((self._row(str(atom.symbol)) for atom in atoms), key=row_order)
                if rows:
                    left, right = map(show_value, rows[0])
                    raise QuestionError(f"{left} {op} {right}{wrong}")

    def _facts(self, name: str) -> str:
        """The rows of a predicate as facts in clingo's language."""
        found = self._texts.get(name)
        if found is None:
            rows = self._all(name).by_name.get(name, ())
            word = self._program.predicates.word(name)
            found = "\n".join(f"{word}({','.join(map(self._word, row))})." for row in rows)
            self._texts[name] = found
        return found

    def _word(self, value: Value) -> str:
        """A value in clingo's language."""
        if isinstance(value, int):
            return _number(value)
        return self._program.names.get(value) or self._names.word(value)

    def _read(self, control: clingo.Control, name: str) -> Iterator[Statement]:
        """What clingo has worked out of a predicate."""
        word = self._program.predicates.word(name)
        for atom in control.symbolic_atoms.by_signature(word, self._program.arity[name]):
            if not atom.is_fact:
                raise BookError(f"{name} rests on what it denies itself")
            yield Statement(name, self._row(str(atom.symbol)))

    def _row(self, atom: str) -> Row:
        """The values of an atom that clingo shows."""
        words = atom[atom.index("(") + 1 : -1].split(",")
        return tuple([self._value(word) for word in words])

    def _value(self, word: str) -> Value:
        found = self._values.get(word)
        if found is None:
            names = (*self._program.names.items(), *self._names.words.items())
            self._values.update((said, name) for name, said in names)
            if word not in self._values:
                self._values[word] = int(word)
            found = self._values[word]
        return found


_program = PerBook(_Program)


def _constants(clause: Clause) -> Iterator[str]:
    """The names that stand in a clause."""
    todo: list[Term] = list(clause.head.args)
    for item in clause.body:
        if isinstance(item, Comparison):
            todo += (item.left, item.right)
        else:
            todo += (item if isinstance(item, Literal) else item.literal).args
    for term in todo:
        if isinstance(term, Sum):
            todo += (term.left, term.right)
        elif isinstance(term, Const) and isinstance(term.value, str):
            yield term.value


def _rule(head: str, body: list[str]) -> str:
    return f"{head}:-{','.join(body)}." if body else f"{head}."


def _number(value: int) -> str:
    """A number in clingo's language. Raises QuestionError for one it would take for another."""
    if abs(value) > MAX_INT:
        raise QuestionError(
            f"{value} is beyond what clingo counts with",
            hint=f"it counts from -{MAX_INT} to {MAX_INT}; pyDatalog takes any whole number",
        )
    return f"{int(value)}"


def _is_number(term: Term) -> bool:
    return isinstance(term, Const) and isinstance(term.value, int)

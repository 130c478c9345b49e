"""Python text for a goal: a function that gives its rows, or whether there is one.

A function takes the memory of a table first, then the bound terms. What it gives is kept in that
memory under the function's name, by the bound terms. The names are ours: ``f`` for what tables
state, ``k`` for plain facts of the rules, ``p`` for what clauses derive, ``w`` for the whole rows
of a walk, each with the number of the predicate and the pattern of the goal.

A goal that rests on very many others would be more calls within each other than Python allows: its
function is a generator, which hands inner goals of that kind to a loop instead of calling them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..errors import BookError
from ..model import Item, Literal, Value, Var, literals, variables
from .bodies import ANY, BOUND, WANTED, Body, Goal, tuple_of

Definition = tuple[Literal, Sequence[Item]]
"""Head and body of a clause, the body in a safe order."""

STATED, PLAIN, DERIVED, WALK = "fkpw"
"""What a predicate is: said by tables, by the rules, derived, derived from itself."""

_RANKS = {STATED: 0, PLAIN: 0, DERIVED: 5, WALK: 8}


class Shape(Protocol):
    """What is known of predicates by those whose clauses look at them."""

    def kind(self, name: str) -> str:
        """``STATED``, ``PLAIN``, ``DERIVED`` or ``WALK``."""

    def number(self, name: str) -> int:
        """Its number in the book."""

    def deep(self, name: str) -> bool:
        """Whether its functions are generators."""

    def definitions(self, name: str) -> Sequence[Definition]:
        """Its clauses."""


class Function:
    """The text of one goal's function, and what has to be passed in.

    ``constants`` are values, ``needs`` goals that it calls, ``rows`` plain facts and ``stated``
    facts of tables that it looks at, each under the name that it has in the text.
    """

    def __init__(self, shape: Shape, goal: Goal) -> None:
        self._shape, self._goal = shape, goal
        letter = WALK if goal.whole else DERIVED
        self.name = f"{letter}{shape.number(goal.name)}_{goal.pattern}"
        self.constants: dict[str, Value] = {}
        self.needs: dict[str, Goal] = {}
        self.rows: dict[str, Goal] = {}
        self.stated: dict[str, Goal] = {}
        self._known: dict[tuple[type, Value], str] = {}
        self._lines: list[str] = []
        self._bound = [f"a{i}" for i, known in enumerate(goal.pattern) if known == BOUND]
        if goal.whole:
            self._frontier()
        elif shape.kind(goal.name) == WALK:
            self._lookup()
        else:
            self._derive()
        self.text = "\n".join([*self._lines, ""])

    def constant(self, value: Value) -> str:
        """The name under which a value is passed in."""
        key = (type(value), value)
        name = self._known.get(key)
        if name is None:
            name = self._known[key] = f"c{self.name[1:]}_{len(self._known)}"
            self.constants[name] = value
        return name

    def rank(self, goal: Goal) -> int:
        """Facts before what has to be derived, walks last."""
        return _RANKS[self._shape.kind(goal.name)]

    def call(self, goal: Goal, values: Sequence[str]) -> str:
        """An expression for what a goal gives."""
        kind = self._shape.kind(goal.name)
        letter = DERIVED if kind == WALK and not goal.whole else kind
        name = f"{letter}{self._shape.number(goal.name)}_{goal.pattern}"
        if kind in (DERIVED, WALK):
            self.needs[name] = goal
            call = f"{name}({', '.join(['t', *values])})"
            return f"(yield {call})" if self._shape.deep(goal.name) else call
        tests = goal.tests
        if tests and values:
            goal = goal._replace(pattern=goal.pattern.replace(ANY, WANTED))
            name = f"{kind}{self._shape.number(goal.name)}_{goal.pattern}"
        if kind == PLAIN:
            self.rows[name] = goal
        else:
            self.stated[name] = goal
            name = f"t.{name}"
        if tests:
            return name if goal.pattern and not values else f"({tuple_of(values)} in {name})"
        return f"{name}.get({tuple_of(values)}, nothing)" if values else name

    def _say(self, *lines: str) -> None:
        self._lines += lines

    def _head(self, found: str) -> str:
        """The first lines; gives the key by which is remembered what is found."""
        key = tuple_of(self._bound)
        self._say(
            f"def {self.name}({', '.join(['t', *self._bound])}):",
            f" m = t.{self.name}",
            f" {found} = m.get({key})",
            f" if {found} is not None: return {found}",
        )
        return key

    def _derive(self) -> None:
        goal = self._goal
        key = self._head("r")
        done = f"m[{key}] = True; return True"
        if not goal.tests:
            self._say(" o = {}")
        plain = False
        for head, items in self._shape.definitions(goal.name):
            if not items:
                plain = True
                continue
            body, env = Body(self, self._lines, 2), dict[str, str]()
            terms = list(zip(head.args, goal.pattern, strict=True))
            for at, (term, known) in enumerate(terms):
                if known == BOUND:
                    body.meet([term], [f"a{at}"], env)
            wanted = [term for term, known in terms if known == WANTED]
            names = list(variables(wanted))
            body.work_off(items, env, names)
            if goal.tests:
                body.say(done)
            else:
                row = tuple_of([body.value(term, env) for term in wanted])
                body.finish(f"o[{row}] = None", names, env)
            body.close()
        if plain:
            self._plain(done)
        end = f"m[{key}] = False; return False"
        self._say(f" {end}" if goal.tests else f" r = m[{key}] = [*o]; return r")

    def _plain(self, done: str) -> None:
        """Take in the clauses without a body, all at once."""
        goal, values = self._goal, self._bound
        name = f"{PLAIN}{self.name[1:]}"
        self.rows[name] = goal
        if goal.tests:
            found = name if ANY in goal.pattern and not values else f"{tuple_of(values)} in {name}"
            self._say(f" if {found}: {done}")
        else:
            rows = f"{name}.get({tuple_of(values)}, nothing)" if values else name
            self._say(f" for v in {rows}: o[v] = None")

    def _frontier(self) -> None:
        """All rows of a walk: those without a step, and those one step on until none is new."""
        goal = self._goal
        key = self._head("o")
        self._say(" o = {}")
        first, steps = parted(self._shape.definitions(goal.name), goal.name)
        for head, items in first:
            body, env = Body(self, self._lines, 2), dict[str, str]()
            if self._bound:
                body.meet(head.args[:1], self._bound, env)
            body.work_off(items, env, variables(head.args))
            body.say(f"o[{tuple_of([body.value(term, env) for term in head.args])}] = None")
            body.close()
        self._say(" q = [*o]", " while q:", "  r = q.pop()")
        for head, own, items in steps:
            body, env = Body(self, self._lines, 3), dict[str, str]()
            body.unpack(own.args, "r", env)
            body.work_off(items, env, variables(head.args))
            body.say(f"n = {tuple_of([body.value(term, env) for term in head.args])}")
            body.say("if n not in o: o[n] = None; q.append(n)")
            body.close()
        self._say(f" m[{key}] = o", " return o")

    def _lookup(self) -> None:
        """The rows of a walk that fit, by an index of those that are found from its first term."""
        goal, pattern = self._goal, self._goal.pattern
        first = BOUND if keeps_first(self._shape.definitions(goal.name), goal.name) else WANTED
        start = self._bound[:1] if first == pattern[:1] == BOUND else []
        rows = self.call(Goal(goal.name, BOUND if start else WANTED, whole=True), start)
        others = [at for at, known in enumerate(pattern) if known == BOUND][len(start) :]
        rest = [f"a{at}" for at in others]
        wanted = [at for at, known in enumerate(pattern) if known == WANTED]
        self._say(f"def {self.name}({', '.join(['t', *self._bound])}):")
        if goal.tests and ANY not in pattern:
            self._say(f" return {tuple_of(self._bound)} in {rows}")
            return
        key = tuple_of(start)
        partly = ANY in pattern
        if len(pattern) == 1:
            rows = f"[(v,) for v in {rows}]"
        whole = f"indexed({rows}, {tuple(others)}, {tuple(wanted)}, {partly})"
        self._say(
            f" m = t.{self.name}",
            f" i = m.get({key})",
            f" if i is None: i = m[{key}] = {whole}",
            f" return i.get({tuple_of(rest)}, nothing)",
        )


def parted(
    definitions: Sequence[Definition], name: str
) -> tuple[list[Definition], list[tuple[Literal, Literal, list[Item]]]]:
    """The clauses of a walk that begin it, and those that go on, with the step before.

    Raises BookError for a predicate that rests on itself in any other way.
    """
    first: list[Definition] = []
    steps: list[tuple[Literal, Literal, list[Item]]] = []
    for head, items in definitions:
        own = [literal for literal in literals(items) if literal.name == name]
        if not own:
            first.append((head, items))
        elif len(own) == 1 and own[0] in items and not own[0].negated:
            steps.append((head, own[0], [item for item in items if item != own[0]]))
        else:
            raise BookError(f"{name} rests on itself, and is no walk")
    return first, steps


def keeps_first(definitions: Sequence[Definition], name: str) -> bool:
    """Whether all steps of a walk keep its first term, so that it can be walked from that alone."""
    return all(
        isinstance(head.args[0], Var) and head.args[0] == own.args[0]
        for head, own, _ in parted(definitions, name)[1]
    )

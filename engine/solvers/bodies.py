"""Python text for one body: nested loops over rows, tests as soon as they can be made.

The text holds names of ours and nothing else: a value, a predicate and a word of a rule are told by
number. The next item is always the one that leaves the fewest rows, as far as that shows without a
table: tests, then literals with most of their terms bound (Selinger et al. 1979 without figures).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from ..errors import BookError
from ..model import (
    Comparison,
    Const,
    Count,
    Item,
    Literal,
    Sum,
    Term,
    Value,
    Var,
    item_variables,
    variables,
)

BOUND, WANTED, ANY = "bfx"
"""What is known of a term of a goal: its value; nothing, and it is wanted; nothing, and any will
do."""

MOST_LOOPS = 12
"""Loops within each other; Python takes 20 blocks. What lives on is gathered, and looped over."""


class Goal(NamedTuple):
    """A predicate asked with some terms bound.

    ``whole`` asks a walk for whole rows, by its first term alone if that is bound.
    """

    name: str
    pattern: str
    whole: bool = False

    @property
    def tests(self) -> bool:
        """Whether it is only asked if there is a row at all."""
        return WANTED not in self.pattern


class Names(Protocol):
    """How the text of a body calls what lies outside it."""

    def constant(self, value: Value) -> str:
        """The name under which a value is passed in."""

    def call(self, goal: Goal, values: Sequence[str]) -> str:
        """An expression for what a goal gives.

        That is something true or false where it only tests, else the rows of wanted terms.
        """

    def rank(self, goal: Goal) -> int:
        """How costly a goal is beside others with as many terms bound: 0 to 9."""


def tuple_of(names: Sequence[str]) -> str:
    """A row in the text: of one value the value itself."""
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


class Body:
    """The lines that work off a conjunction, a loop or a test at a time.

    They stand in a block of their own, which is left where a test fails outside of all loops.
    """

    def __init__(self, names: Names, lines: list[str], depth: int) -> None:
        self._names, self.lines, self._depth = names, lines, depth
        lines.append(" " * (depth - 1) + "while 1:")
        self._base, self._start = depth, len(lines)
        self._loops, self._stages, self._made = 0, 0, 0
        self._numbers: set[str] = set()
        self._inner: set[str] = set()
        self._sure: set[str] = set()

    def say(self, text: str) -> None:
        """Add a line where the body has come to."""
        self.lines.append(" " * self._depth + text)

    def unless(self, test: str) -> None:
        """Go on only where a test holds."""
        self.skip_if(f"not {test}")

    def skip_if(self, test: str) -> None:
        """Go on only where a test doesn't hold."""
        self.say(f"if {test}: {'continue' if self._loops else 'break'}")

    def work_off(self, items: Iterable[Item], env: dict[str, str], wanted: Iterable[str]) -> None:
        """Bind in ``env`` what the items bind; the lines that follow are within their loops.

        ``env`` gives variables names, ``wanted`` are those that are needed afterwards.
        """
        left, wanted = list(items), set(wanted)
        uses = Counter(v for item in left for v in item_variables(item))
        once = {v for v, times in uses.items() if times == 1} - wanted
        while left:
            item = min(left, key=lambda each: self._cost(each, env, once))
            if self._cost(item, env, once) >= _STUCK:
                raise BookError(f"nothing binds what {item} needs")
            left.remove(item)
            if isinstance(item, Comparison):
                self._compare(item, env)
            elif isinstance(item, Count):
                self._count(item, env)
            else:
                self._literal(item, env, once)
            if not (isinstance(item, Literal) and item.negated):
                self._sure.update(item_variables(item))
            if self._loops == MOST_LOOPS and left:
                needed = wanted.union(*(item_variables(each) for each in left))
                self._gather(env, needed)

    def finish(self, found: str, wanted: Iterable[str], env: Mapping[str, str]) -> None:
        """A last line; the innermost loop ends where it binds nothing of what is wanted."""
        self.say(found)
        if self._loops and not self._inner & {env[v] for v in wanted}:
            self.say("break")

    def close(self) -> None:
        """Leave all loops, and the block."""
        self._depth, self._loops = self._base, 0
        self.say("break")

    def unpack(self, terms: Sequence[Term], row: str, env: dict[str, str]) -> None:
        """Bind terms to the values of a row."""
        self._sure.update(variables(terms))
        names = [self.fresh() for _ in terms]
        self.say(f"{tuple_of(names)} = {row}")
        self.meet(terms, names, env)

    def meet(self, terms: Sequence[Term], names: Sequence[str], env: dict[str, str]) -> None:
        """Let terms be what names hold: variables are bound, all else is tested."""
        for term, name in zip(terms, names, strict=True):
            if isinstance(term, Var) and term.name not in env:
                env[term.name] = name
            else:
                self.unless(f"{name} == {self.value(term, env)}")

    def fresh(self) -> str:
        """A name that is used nowhere else in the body."""
        self._made += 1
        name = f"v{self._made}"
        self._inner.add(name)
        return name

    def value(self, term: Term, env: Mapping[str, str]) -> str:
        """An expression for a bound term; what can't be summed up is refused before."""
        if isinstance(term, Const):
            return self._names.constant(term.value)
        if isinstance(term, Var):
            if term.name not in env:
                raise BookError(f"nothing binds {term.name}")
            return env[term.name]
        left, right = self.value(term.left, env), self.value(term.right, env)
        self._number((left, term.left), (right, term.right), f"summed({left}, {right})")
        made = self.fresh()
        self._numbers.add(made)
        self.say(f"{made} = {left} {'+' if term.op == '+' else '-'} {right}")
        return made

    def _number(self, left: tuple[str, Term], right: tuple[str, Term], refuse: str) -> None:
        """Refuse what is no number, where that isn't plain already."""
        tests = [
            f"type({name}) is not int"
            for name, term in (left, right)
            if name not in self._numbers and not _is_number(term)
        ]
        if tests:
            self.say(f"if {' or '.join(tests)}: {refuse}")

    def _cost(self, item: Item, env: Mapping[str, str], once: set[str]) -> int:
        free = [v for v in dict.fromkeys(item_variables(item)) if v not in env]
        if isinstance(item, Comparison):
            ready = self._sure.issuperset(_counting(item)) and (not free or _binds(item, env))
            return 0 if ready else _STUCK
        if isinstance(item, Count):
            keys = {v for v in variables(item.literal.args) if v != item.counted.name}
            if env.keys() >= keys:
                return 40 + self._names.rank(self._goal(item.literal, env, set()))
            return _STUCK
        goal = self._goal(item, env, once)
        if item.negated:
            return 25 + self._names.rank(goal) if once.issuperset(free) else _STUCK
        wanted = goal.pattern.count(WANTED)
        if not wanted:
            bound = 10 if BOUND in goal.pattern or not goal.pattern else 20
            return bound + self._names.rank(goal)
        if BOUND in goal.pattern:
            return 100 * wanted + self._names.rank(goal)
        return 10_000 + 100 * wanted + self._names.rank(goal)

    def _goal(self, literal: Literal, env: Mapping[str, str], once: set[str]) -> Goal:
        return Goal(literal.name, "".join([_known(t, env, once) for t in literal.args]))

    def _compare(self, item: Comparison, env: dict[str, str]) -> None:
        binds = _binds(item, env)
        if binds:
            variable, other = binds
            value = self.value(other, env)
            if _is_number(other):
                self._numbers.add(value)
            env[variable] = value
            return
        left, right = self.value(item.left, env), self.value(item.right, env)
        if item.op not in ("==", "!="):
            refuse = f"compared('{_OPERATORS[item.op]}', {left}, {right})"
            self._number((left, item.left), (right, item.right), refuse)
        self.unless(f"{left} {_OPERATORS[item.op]} {right}")

    def _count(self, item: Count, env: dict[str, str]) -> None:
        literal, counted = item.literal, item.counted
        inner = {name: value for name, value in env.items() if name != counted.name}
        call = self._call(literal, inner, set())
        spots = [t for t in literal.args if t == counted]
        if not spots:
            call = f"(1 if {call} else 0)"
        elif len(spots) == 1:
            call = f"len({call})"
        else:
            names = [f"u{i}" for i in range(len(spots))]
            alike = " == ".join(names)
            call = f"len([1 for {', '.join(names)} in {call} if {alike}])"
        if item.result.name in env:
            self.unless(f"{env[item.result.name]} == {call}")
        else:
            made = env[item.result.name] = self.fresh()
            self._numbers.add(made)
            self.say(f"{made} = {call}")

    def _literal(self, item: Literal, env: dict[str, str], once: set[str]) -> None:
        call = self._call(item, env, once)
        if item.negated:
            self.skip_if(call)
            return
        known = env.keys() | once
        free = [t for t in item.args if isinstance(t, Var) and t.name not in known]
        if not free:
            self.unless(call)
            return
        names = [self.fresh() for _ in free]
        self.say(f"for {tuple_of(names)} in {call}:")
        self._depth, self._loops, self._inner = self._depth + 1, self._loops + 1, set(names)
        self.meet(free, names, env)

    def _call(self, literal: Literal, env: Mapping[str, str], once: set[str]) -> str:
        goal = self._goal(literal, env, once)
        bound = [t for t, known in zip(literal.args, goal.pattern, strict=True) if known == BOUND]
        return self._names.call(goal, [self.value(t, env) for t in bound])

    def _gather(self, env: dict[str, str], needed: set[str]) -> None:
        """Gather what lives on, each combination once, and go on in a loop over that."""
        alive = [name for name in env if name in needed]
        self._stages += 1
        stage = f"s{self._stages}"
        self.say(f"{stage}[{tuple_of([env[name] for name in alive])}] = None")
        self.lines.insert(self._start, f"{' ' * self._base}{stage} = {{}}")
        self._depth, self._loops = self._base, 0
        names = [self.fresh() for _ in alive]
        self._numbers |= {
            name for name, old in zip(names, alive, strict=True) if env[old] in self._numbers
        }
        self.say(f"for {tuple_of(names) if alive else '_'} in {stage}:")
        self._depth, self._loops, self._inner = self._depth + 1, 1, set(names)
        env.clear()
        env.update(zip(alive, names, strict=True))


_STUCK = 1_000_000
_OPERATORS = {op: op for op in ("==", "!=", "<", "<=", ">", ">=")}
"""Taken from here, never from a clause."""


def _known(term: Term, env: Mapping[str, str], once: set[str]) -> str:
    if not isinstance(term, Var):
        return BOUND
    return BOUND if term.name in env else ANY if term.name in once else WANTED


def _binds(item: Comparison, env: Mapping[str, str]) -> tuple[str, Term] | None:
    """The variable that an equation binds, and what to."""
    if item.op == "==":
        for one, other in ((item.left, item.right), (item.right, item.left)):
            if isinstance(one, Var) and one.name not in env:
                spoken = item_variables(Comparison("==", other, other))
                if all(name in env for name in spoken):
                    return one.name, other
    return None


def _counting(item: Comparison) -> Iterable[str]:
    """The variables that a comparison takes for numbers.

    A value given from outside may be none; where a literal says so, no row of it has that value.
    """
    terms = (item.left, item.right)
    if item.op in ("==", "!="):
        return variables([term for term in terms if isinstance(term, Sum)])
    return variables(terms)


def _is_number(term: Term) -> bool:
    return isinstance(term, Const) and isinstance(term.value, int)

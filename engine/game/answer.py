"""An answer: the verdict, its rows, and the reason, worked out when somebody looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ..book import rule_order
from ..errors import QuestionError
from ..explain import SETTLED, TOO_MUCH, Explainer, Line, Nearest, Open, Reason, said
from ..model import Const, Item, Literal, Row, Value, Var
from ..solvers import unhurried_memory

if TYPE_CHECKING:
    from .kept import Kept

ALL = "all"
"""The tree with every step."""

FEW, MOST_NEAR, MOST_ROWS = 3, 12, 8
"""How much of what is near is said, at once and on demand, and how many rows of a doubt."""

JSON_VERSION = 1
"""Counted up when the shape of what commands write as JSON changes."""


class Live:
    """Where a session's answers have their reasons from: worked out when somebody looks.

    ``edition`` and ``date`` are the book's, ``names`` those at the table and ``rank`` their order,
    ``book`` is what a text says of the book, ``remarks`` makes the notes that go with each answer.
    """

    def __init__(
        self,
        explainer: Explainer,
        rank: Mapping[str, int],
        remarks: Callable[[], tuple[str, ...]],
        book: str,
    ) -> None:
        self.explainer, self._remarks, self.book = explainer, remarks, book
        self.edition, self.date = explainer.book.name, explainer.book.date
        self.names, self._rank = frozenset(rank), rank

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was set aside, and what the book doesn't read."""
        return self._remarks()

    def reason(self, literal: Literal) -> Reason:
        """As the explainer has it."""
        with unhurried_memory():
            return self.explainer.reason(literal)

    def open(self, items: Sequence[Item], variables: Sequence[str]) -> Open:
        """As the explainer has it, in the table's order."""
        with unhurried_memory():
            found = self.explainer.open(items, variables)
        if not found.rows:
            return found
        rows = sorted(found.rows, key=lambda row: in_order(row, self._rank))
        return found._replace(rows={row: found.rows[row] for row in rows})

    def candidates(self, literal: Literal) -> Nearest:
        """As the explainer has them."""
        with unhurried_memory():
            return self.explainer.candidates(literal)

    def tree(self, literal: Literal, whole: bool) -> Sequence[Line]:
        """As the explainer has it."""
        return self.explainer.tree(literal, whole)

    def nearest(self, items: Sequence[Item]) -> Sequence[Literal]:
        """As the explainer has it."""
        with unhurried_memory():
            return self.explainer.nearest(tuple(items))


class Near(NamedTuple):
    """Something that a list without rows might have held: the question about it, and why not."""

    question: str
    lines: tuple[Line, ...]
    cites: tuple[str, ...]


def in_order(row: Row, rank: Mapping[str, int]) -> tuple[tuple[int, int, str], ...]:
    """What rows are sorted by: names in the order the table names them, numbers by size."""
    return tuple((0, v, "") if isinstance(v, int) else (1, rank.get(v, len(rank)), v) for v in row)


class Answer:
    """A verdict with its reason.

    ``bool(answer)`` is the verdict and ``print(answer)`` says why. ``cites`` are the rule numbers.
    The answer to a question with variables iterates over its rows: over the values themselves where
    there is one variable. Answers compare, and pickle with their reasons.

    >>> import seatlog
    >>> game = seatlog.open("four_in_a_ring")
    >>> answer = game.can("Alex", "target", "Runeclaw Bear")
    >>> answer
    <no: can_target('Alex', 'Runeclaw Bear') (801.2, 801.2a, 801.2d, 801.4)>
    >>> [name for name in game.can("Alex", "reach") if name in ("Rob", "Carissa")]
    ['Rob']
    """

    def __init__(
        self,
        items: tuple[Item, ...],
        variables: tuple[str, ...],
        rows: Sequence[Row],
        source: Live | Kept,
    ) -> None:
        self._items, self._source = items, source
        self.variables, self.rows = variables, list(rows)
        self.verdict = bool(rows)

    def __bool__(self) -> bool:
        return self.verdict

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row | Value]:
        """The rows of an open question in the table's order; bare values for one variable."""
        alone = len(self.variables) == 1
        return iter([row[0] if alone else row for row in self.rows])

    def __contains__(self, value: object) -> bool:
        return value in list(self)

    def __eq__(self, other: object) -> bool:
        """Whether the same question got the same rows for the same rules, with the same doubts."""
        if not isinstance(other, Answer):
            return NotImplemented
        mine, theirs = (self.question, self.rows), (other.question, other.rows)
        return mine == theirs and (self.cites, self.doubts) == (other.cites, other.doubts)

    def __hash__(self) -> int:
        return hash((self.question, tuple(self.rows)))

    @property
    def open(self) -> bool:
        """Whether the question had variables."""
        return bool(self.variables)

    @property
    def question(self) -> str:
        """The question in clause syntax."""
        return " & ".join(str(i) for i in self._items)

    @property
    def items(self) -> tuple[Item, ...]:
        """What was asked: literals and comparisons, with their variables."""
        return self._items

    def literals(self, row: Row | Value | None = None) -> list[Literal]:
        """The literals to explain: of one row, or one for each row of an open question.

        Where several have no row together, how far they get, and where that ends.
        """
        found = [i for i in self._items if isinstance(i, Literal)]
        rows = self.rows if row is None else [self._row(row)]
        if not self.open:
            return found
        if not self.rows:
            return list(self._source.nearest(self._items)) if len(found) > 1 else found
        out = []
        for each in rows:
            env = dict(zip(self.variables, each, strict=True))
            for literal in found:
                args = tuple(
                    Const(env[t.name]) if isinstance(t, Var) and t.name in env else t
                    for t in literal.args
                )
                out.append(Literal(literal.name, args, literal.negated))
        return list(dict.fromkeys(out))

    def _row(self, wanted: object, more: Sequence[Row] = ()) -> Row:
        """A row of this answer, or one more; where there is one variable its value will do."""
        for row in (*self.rows, *more) if self.open else ():
            if wanted == row or (len(row) == 1 and wanted == row[0]):
                return row
        hint = f"like: {self.rows[0]}" if self.open and self.rows else "leave it out"
        raise QuestionError("this is no row of the answer", hint=hint)

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """The short reason of each literal."""
        return tuple(self._source.reason(x.atom) for x in self.literals())

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
        if self._open is SETTLED:
            return ()
        found = [doubt for doubts in self._open.rows.values() for doubt in doubts]
        return tuple(dict.fromkeys(found if self._open.whole else [*found, TOO_MUCH]))

    @cached_property
    def lacks(self) -> list[Row]:
        """The rows that an open question may lack: the rules leave open whether they hold.

        >>> import seatlog
        >>> seatlog.open("four_in_a_ring").can("Alex", "reach").lacks
        []
        """
        listed = set(self.rows)
        return [row for row in self._open.rows if self.open and row not in listed]

    def doubts_of(self, row: Row | Value) -> tuple[str, ...]:
        """Where the rules leave one row open, whether it is among the answers or lacking there.

        Raises QuestionError for what is no row of this answer.

        >>> import seatlog
        >>> seatlog.open("four_in_a_ring").can("Alex", "reach").doubts_of("Rob")
        ()
        """
        return self._open.rows.get(self._row(row, self.lacks), ())

    @cached_property
    def _open(self) -> Open:
        return self._source.open(self._items, self.variables)

    @cached_property
    def nearest(self) -> tuple[Near, ...]:
        """What came closest to being in a list without rows, each with its own reason.

        Those are the reasons that the questions about them alone have.

        >>> import seatlog
        >>> game = seatlog.open(seats=["Ann", "Bob"], range=0)
        >>> for near in game.can("Ann", "attack").nearest:
        ...     print(near.question, near.lines[-1].text)
        can_have_attacked('Ann', 'Bob') Bob sits at distance 1 from Ann, whose range is 0
        can_have_attacked('Ann', 'Ann') Ann is no opponent of Ann
        """
        return self._closest(MOST_NEAR)

    def _closest(self, most: int) -> tuple[Near, ...]:
        found = []
        for literal in self._candidates.literals[:most]:
            reason = self._source.reason(literal)
            found.append(Near(str(literal), reason.lines, reason.cites))
        return tuple(found)

    @cached_property
    def _candidates(self) -> Nearest:
        """Those of a question of one literal; of several is said how far they get together."""
        first = self._items[0]
        if self.rows or not self.open or self._items[1:] or not isinstance(first, Literal):
            return Nearest((), 0)
        return self._source.candidates(first)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the table says and the answer doesn't rest on: set aside, or read by no rule."""
        return self._source.notes

    def because(self, row: Row | Value | None = None) -> tuple[Line, ...]:
        """The sentences of the reason of one row; of the whole answer without one.

        Raises QuestionError for what is no row of this answer.

        >>> import seatlog
        >>> answer = seatlog.open("four_in_a_ring").can("Alex", "reach")
        >>> print(answer.because("Dana")[0].text)
        Dana is within Alex's range of influence
        """
        wanted = self.literals(row)
        return tuple(line for x in wanted for line in self._source.reason(x.atom).lines)

    def tree(self, whole: bool = False) -> list[Line]:
        """The steps of the reason: those that people read, or each of them."""
        return [line for x in self.literals() for line in self._source.tree(x.atom, whole)]

    def as_dict(self, tree: bool | str = False) -> dict[str, Any]:
        """The answer as plain data that is ready for JSON, as ``--json`` writes it.

        ``reason`` is a list of sentences, each with its ``depth``, its ``text``, the ``rules`` it
        rests on and whether it ``holds``. ``template.format(**args)`` is the text, but for a word
        that a name begins with, which isn't said twice: ``team {Team}`` and "Team A" make "Team A".
        ``reasons`` has a ``row``, its ``reason`` and ``cites`` for each row of an open question.
        ``open`` says where the rules leave it open, of the answer and of each row; ``lacks`` are
        rows that may be missing, and why. ``nearest`` is what came closest to being in a list
        without rows. With ``tree`` the steps come along, with ``tree="all"`` each of them.

        >>> import seatlog
        >>> answer = seatlog.open("four_in_a_ring").can("Alex", "reach", "Rob")
        >>> first = answer.as_dict()["reason"][0]
        >>> first["template"], first["args"]
        ("{Target} is within {Player}'s range of influence", {'Target': 'Rob', 'Player': 'Alex'})
        """
        data: dict[str, Any] = {
            "version": JSON_VERSION,
            "question": self.question,
            "verdict": "yes" if self.verdict else "no",
            "variables": list(self.variables),
            "rows": [list(r) for r in self.rows],
            "reason": [line_data(x) for x in self.reason],
            "reasons": [self._row_data(r) for r in self.rows if self.open],
            "nearest": [self._near_data(near) for near in self.nearest],
            "cites": list(self.cites),
            "open": list(self.doubts),
            "lacks": [{"row": [*r], "open": [*self.doubts_of(r)]} for r in self.lacks],
            "notes": list(self.notes),
            "edition": self._source.edition,
            "date": self._source.date,
        }
        if tree:
            data["tree"] = [line_data(x) for x in self.tree(tree == ALL)]
        return data

    def _row_data(self, row: Row) -> dict[str, Any]:
        found = [self._source.reason(x.atom) for x in self.literals(row)]
        return {
            "row": list(row),
            "reason": [line_data(line) for reason in found for line in reason.lines],
            "cites": sorted({c for reason in found for c in reason.cites}, key=rule_order),
            "open": list(self._open.rows.get(row, ())),
        }

    def _near_data(self, near: Near) -> dict[str, Any]:
        return {
            "question": near.question,
            "reason": [line_data(line) for line in near.lines],
            "cites": list(near.cites),
        }

    def text(self, tree: bool | str = False, reasons: bool = False) -> str:
        """The answer as a person reads it; with the steps of its reason, ``"all"`` with each.

        With ``reasons``: each row of an open question with its own, or everything that is near.
        """
        lines = [] if self.open and self.rows else [self._head()]
        if not (self.open and self.rows):
            lines += self._said(self.tree(tree == ALL) if tree else self.reason)
            lines += self._nearest_said(MOST_NEAR if tree or reasons else FEW)
        elif tree or reasons:
            for row in self.rows:
                lines += [_shown(row), *self._said(self._about(row, tree))]
        else:
            lines += map(_shown, self.rows)
        for doubt, more in self.doubted().items() if self.doubts else ():
            lines += [f"open: {doubt}", *(f"  {each}" for each in more)]
        lines += [f"note: {note}" for note in self.notes]
        if self.cites:
            lines.append("rules: " + ", ".join(self.cites))
        if self._source.book:
            lines.append(f"book: {self._source.book}")
        return "\n".join(lines)

    def _said(self, lines: Sequence[Line]) -> list[str]:
        return [f"  {'  ' * x.depth}{said(x, self._source.names)}" for x in lines]

    def _about(self, row: Row, tree: bool | str) -> Sequence[Line]:
        """The reason of one row, or its steps."""
        if not tree:
            return self.because(row)
        wanted = self.literals(row)
        return [line for x in wanted for line in self._source.tree(x.atom, tree == ALL)]

    def _nearest_said(self, most: int) -> list[str]:
        """What came closest to being in a list without rows, and how many others there are."""
        near = self._closest(most)
        if not near:
            return []
        left = self._candidates.number - len(near)
        known, lines = {tuple(self._said(self.reason))}, ["nearest:"]
        for each in near:
            named = each.lines and each.lines[0].depth == 0
            told = (*([] if named else [f"  not {each.question}"]), *self._said(each.lines))
            lines += () if told in known else told
            known.add(told)
        if lines[1:]:
            return [*lines, f"  and {left:,} more"] if left else lines
        return []

    def doubted(self) -> dict[str, list[str]]:
        """Each doubt, and below it the rows of an open question that it leaves open."""
        out: dict[str, list[str]] = {}
        listed = set(self.rows)
        for doubt in self.doubts:
            rows = [row for row, why in self._open.rows.items() if doubt in why and self.open]
            known = [row for row in rows if row in listed]
            lacking = [row for row in rows if row not in listed]
            out[doubt] = [
                f"{what}: {_some(found)}"
                for what, found in (("so open", known), ("open too, and not listed", lacking))
                if found
            ]
        return out

    def _head(self) -> str:
        if not self.open:
            return "yes" if self.verdict else "no"
        return f"{len(self.rows)} rows" if len(self.rows) > 1 else "1 row" if self.rows else "none"

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        """The verdict, the question and the rules cited, on one line."""
        cites = f" ({', '.join(self.cites)})" if self.cites and not self.open else ""
        return f"<{self._head()}: {self.question}{cites}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows: the answer as a person reads it."""
        printer.text(repr(self) if cycle else self.text())

    def _repr_html_(self) -> str:
        """What a notebook shows: the verdict, the rows or the reason, and the rules."""
        return self.html()

    def html(self, tree: bool | str = False) -> str:
        """The same as ``text`` as HTML: every text is escaped, and nothing is loaded from anywhere.

        With ``tree`` the steps of the reason, of each row of an open question; ``"all"`` each step.

        >>> import seatlog
        >>> page = seatlog.open("four_in_a_ring").can("Alex", "reach", "Alex").html(tree=True)
        >>> "Alex sits in seat 1" in page
        True
        """
        from .html import as_list, as_row, as_table, as_verdict, framed

        names = self._source.names
        if self.open and self.rows:
            parts = [as_table(self.variables, self.rows)]
            for row in self.rows if tree else ():
                parts += [as_row(_shown(row)), as_list(self._about(row, tree), names)]
        else:
            lines = self.tree(tree == ALL) if tree else self.reason
            parts = [as_verdict(self._head(), self.verdict), as_list(lines, names)]
        return framed(parts, self.doubted(), self.notes, self.cites, self._source.book)

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the session: what was not worked out yet is worked out now."""
        from .kept import Kept

        explained = tuple(self.literals())
        wanted = [x.atom for x in (*explained, *self._candidates.literals)]
        kept = Kept.of(self._source, wanted, explained, self._open, self._candidates)
        return {
            "_items": self._items,
            "variables": self.variables,
            "rows": self.rows,
            "verdict": self.verdict,
            "_source": kept,
        }


def _shown(row: Row) -> str:
    return ", ".join(map(str, row))


def _some(rows: Sequence[Row]) -> str:
    """Some rows, and how many more there are."""
    left = len(rows) - MOST_ROWS
    return "; ".join(map(_shown, rows[:MOST_ROWS])) + (f"; and {left:,} more" if left > 0 else "")


def line_data(line: Line) -> dict[str, Any]:
    """A line as plain data: its text, and the template and its arguments apart."""
    return {
        "depth": line.depth,
        "text": str(line.text),
        "template": line.text.template,
        "args": dict(line.text.args),
        "rules": list(line.rules),
        "holds": line.holds,
    }

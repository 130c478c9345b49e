"""Everything a person can get wrong, as one tree of exceptions.

Each error says where (file, line, column, the line itself with a caret), what is wrong in the
person's own words, and what to do about it. ``str(error)`` is the whole message.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

YES = DONE = 0
NO = FAILED = 1
BAD = 2
OPEN = 3

_WIDEST = 100
MOST_COMPARED = 200


class Place(NamedTuple):
    """A spot in a text: 1-based line and column, and how many characters it spans."""

    file: str
    line: int = 0
    column: int = 0
    width: int = 1
    excerpt: str = ""

    def __str__(self) -> str:
        spot = ":".join(str(n) for n in (self.line, self.column) if n)
        return f"{printable(self.file)}:{spot}" if spot else printable(self.file)


class SeatlogError(Exception):
    """The root of the tree: everything that a person can get wrong.

    ``what`` is wrong, ``place`` is where if that is known, ``hint`` is what to do; ``errors`` are
    those that were found together, ``status`` is the exit code of the command line.

    >>> import seatlog
    >>> try:
    ...     seatlog.can("four_in_a_ring", "Alex", "raech", "Rob")
    ... except seatlog.SeatlogError as error:
    ...     print(f"{error.what} | {error.hint}")
    nobody can "raech": no such verb | did you mean "reach"?
    """

    status = BAD
    kind = "error"
    rule = ""
    """The number of the rule that refuses something, when one does."""

    @property
    def errors(self) -> tuple[SeatlogError, ...]:
        """This error, or each of those that were found together."""
        return (self,)

    def __init__(
        self, what: str, *, place: Place | None = None, hint: str = "", code: str = ""
    ) -> None:
        super().__init__(what)
        self.what = what
        self.place = place
        self.hint = hint
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        """What an error is made from, so that it can go from process to process."""
        return _made_again, (type(self), self.args, self.__dict__)

    def __str__(self) -> str:
        return self.said(True)

    def said(self, excerpt: bool) -> str:
        """The whole message, with the line it is about if that is wanted."""
        lead = f"{self.place}: " if self.place else ""
        lines = [f"{lead}{self.code + ' ' if self.code else ''}{printable_lines(self.what)}"]
        if excerpt and self.place and self.place.excerpt and self.place.column:
            lines += _caret(self.place)
        if self.hint:
            lines.append(f"  {printable_lines(self.hint)}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, object]:
        """The same, for ``--json``."""
        at = self.place
        return {
            "kind": self.kind,
            "code": self.code,
            "what": self.what,
            "hint": self.hint,
            "file": at.file if at else None,
            "line": at.line if at else None,
            "column": at.column if at else None,
        }


class TextError(SeatlogError):
    """A clause or question that can't be read.

    >>> import seatlog
    >>> seatlog.ask("four_in_a_ring", "reaches(Alex, X")
    Traceback (most recent call last):
    ...
    seatlog.errors.TextError: question:1:8: S01 this ( is never closed
        reaches("Alex", X
               ^
      close it
    """

    kind = "text"


class LintError(SeatlogError):
    """A clause that can be read but would answer wrongly, or never.

    >>> import seatlog
    >>> seatlog.ask("four_in_a_ring", "~reaches(Alex, X)")
    Traceback (most recent call last):
    ...
    seatlog.errors.LintError: question:1:18: L04 nothing binds X before ~reaches('Alex', X) is asked
        ~reaches('Alex', X)
                         ^
      add a literal without `~` that says what X is
    """

    kind = "lint"


class BookError(SeatlogError):
    """A rule book that can't be put together.

    >>> import seatlog
    >>> seatlog.open(edition="cr2020")
    Traceback (most recent call last):
    ...
    seatlog.errors.BookError: no edition is called 'cr2020'
      did you mean "cr2021"?
    """

    kind = "book"


class TableError(SeatlogError):
    """A game state that contradicts itself or says something nobody knows.

    >>> import seatlog
    >>> seatlog.open(seats=["Ann", "Bob"], trun=3)
    Traceback (most recent call last):
    ...
    seatlog.errors.TableError: table, trun: no table key is called "trun"
      did you mean "turn"?
    """

    kind = "table"


class QuestionError(SeatlogError):
    """A question nobody can answer as it stands.

    >>> import seatlog
    >>> seatlog.can("four_in_a_ring", "Alex", "reach", "Carisa")
    Traceback (most recent call last):
    ...
    seatlog.errors.QuestionError: nobody and nothing at the table is called "Carisa"
      did you mean "Carissa"?
    """

    kind = "question"


class NoRule(SeatlogError):
    """The edition has no rule on that.

    >>> import seatlog
    >>> seatlog.can("four_in_a_ring", "Alex", "deploy", "Grizzly Bears")
    Traceback (most recent call last):
    ...
    seatlog.errors.NoRule: Comprehensive Rules has no rule on "deploy"
      draft2004 has one
    """

    status = OPEN
    kind = "no rule"

    about = ""
    """What it is about as a kind of thing that tables say, without this table's names."""


class ScenarioError(SeatlogError):
    """A scenario file that can't be read, which only ``seatlog test`` and pytest do.

    >>> import seatlog
    >>> print(seatlog.ScenarioError("one question, please", hint='like: ask = "…"'))
    one question, please
      like: ask = "…"
    """

    kind = "scenario"


class SolverError(SeatlogError):
    """Two solvers that were asked the same answer differently: a fault of one of them.

    >>> import seatlog
    >>> game = seatlog.open("four_in_a_ring", solver="compiled+pydatalog")
    >>> game.can("Alex", "reach", "Carissa").verdict  # both say so
    False
    """

    kind = "solver"


class BudgetError(SeatlogError):
    """Time or memory ran out.

    >>> import seatlog
    >>> seatlog.within("0.2s", lambda: [None for _ in iter(int, 1) if _])
    Traceback (most recent call last):
    ...
    seatlog.errors.BudgetError: gave up after 0.2 seconds
      a budget of "3s" allows more
    """

    kind = "budget"


class Faults(SeatlogError):
    """Several errors at once, each with its own place.

    >>> import seatlog
    >>> seatlog.open(seats=["Ann", "Bob"], turn=0, range=-1)
    Traceback (most recent call last):
    ...
    seatlog.errors.Faults: table, turn: Turn can't be 0
      Turn is a number from 1
    table, range: Reach can't be -1
      Reach is a number from 0
    """

    kind = "faults"

    def __init__(self, errors: Sequence[SeatlogError]) -> None:
        super().__init__(errors[0].what if errors else "no faults")
        self._errors = tuple(errors)

    @property
    def errors(self) -> tuple[SeatlogError, ...]:
        """Each error that was found."""
        return self._errors

    def __str__(self) -> str:
        """Each error; a line that a rule refuses more than once is shown by the first of them."""
        out, seen = [], set()
        for error in self.errors:
            rule, at = error.rule, error.place
            mark = (rule, at.file, at.line) if rule and at else None
            out.append(error.said(mark not in seen))
            seen |= {mark} - {None}
        return "\n".join(out)


def _made_again(kind: type[SeatlogError], args: Any, state: dict[str, Any]) -> SeatlogError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


def refuse(errors: Sequence[SeatlogError]) -> None:
    """Raise what was found: nothing, the one error, or all of them together."""
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise Faults(errors)


def printable(text: str, limit: int = 300) -> str:
    """The text on one line without control characters, cut to ``limit`` characters."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    if cut.isprintable():
        return cut
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in cut)


def printable_lines(text: str) -> str:
    """A text of one or more lines without other control characters."""
    return "\n".join(printable(line, 4_000) for line in text.split("\n"))


def quoted(value: object) -> str:
    """A value as it is shown in a message."""
    return f'"{printable(value, 80)}"' if isinstance(value, str) else printable(str(value), 80)


def a(noun: str) -> str:
    """A noun behind its article: a thing, an ability."""
    return f"{'an' if noun[:1].casefold() in 'aeiou' else 'a'} {noun}"


def many(number: int, noun: str) -> str:
    """How many there are: 1 fact, 2 facts."""
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """A noun as one says it of several: facts, queries, reaches, lives."""
    end = noun.casefold()
    if end.endswith("y") and end[-2:-1] not in ("a", "e", "i", "o", "u"):
        return noun[:-1] + "ies"
    if end.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    return noun[:-2] + "ves" if end.endswith("ife") else noun + "s"


def differ(number: int) -> str:
    """How many differ: 1 differs, 2 differ."""
    return f"{number:,} {'differs' if number == 1 else 'differ'}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``did you mean …?`` for a near miss, or an empty string."""
    near = closest(word, known)
    return f"did you mean {quoted(near)}?" if near else ""


def closest(word: str, known: Iterable[str]) -> str:
    """The known word a person most likely meant, or an empty string.

    Case and the way accents are written don't count; the only word that goes on as typed is meant
    too. Of many words only those with most pairs of letters in common are compared.
    """
    if len(word) > 80:
        return ""
    folded = _folded(word)
    by_fold: dict[str, str] = {}
    for choice in sorted({k for k in known if len(k) <= 120}, reverse=True):
        by_fold[_folded(choice)] = choice
    if folded in by_fold:
        return by_fold[folded]
    import difflib

    near = sorted(by_fold)
    if len(near) > MOST_COMPARED:
        pairs = {folded[i : i + 2] for i in range(len(folded) - 1)}
        near.sort(key=lambda choice: -sum(pair in choice for pair in pairs))
        near = sorted(near[:MOST_COMPARED])
    found = difflib.get_close_matches(folded, near, n=1, cutoff=0.7)
    if not found and len(folded) > 2:
        longer = [c for c in by_fold if c.startswith(folded)]
        found = longer if len(longer) == 1 else []
    return by_fold[found[0]] if found else ""


def _folded(text: str) -> str:
    """A text for comparison: whatever its case, and however its accents are written."""
    if text.isascii():
        return text.casefold()
    from unicodedata import normalize

    return normalize("NFC", text).casefold()


def _caret(place: Place) -> list[str]:
    start = 0
    column = place.column - 1
    if len(place.excerpt) > _WIDEST:
        start = max(0, min(column - _WIDEST // 2, len(place.excerpt) - _WIDEST))
    shown = "".join(c if c.isprintable() else "?" for c in place.excerpt[start : start + _WIDEST])
    width = max(1, min(place.width, _WIDEST - (column - start)))
    if start and column > start:
        shown = f"…{shown[1:]}"
    if start + _WIDEST < len(place.excerpt) and column - start + width < _WIDEST:
        shown = f"{shown[:-1]}…"
    return [f"    {shown}", "    " + " " * (column - start) + "^" * width]

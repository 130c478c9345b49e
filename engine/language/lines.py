"""Cut a text into logical statements without trusting it.

One pass over the characters finds strings, comments and brackets, holds every size cap, and
refuses what Python would read in a way its author did not mean (other alphabets outside quotes,
strings side by side, escapes). Nothing is executed, here or later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..errors import Place, TextError
from .files import MAX_TEXT, Source

MAX_LINE = 2_000
MAX_STATEMENT = 8_000
MAX_DEPTH = 20
MAX_OPERATORS = 400

_TOKEN = re.compile(
    r"""(?P<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")
      | (?P<quote>['"])
      | (?P<comment>\#[^\n]*)
      | (?P<open>[(\[{]) | (?P<close>[)\]}])
      | (?P<operator>[&|~+\-*/%<>=^@!.])
      | (?P<newline>\n) | (?P<blank>[ \t\r]+)
      | (?P<word>[A-Za-z0-9_]+) | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


class LogicalLine(NamedTuple):
    """One logical line: its text, the line it starts on (1-based), and whether it is a comment.

    ``last`` is the line it ends on, ``inside`` the comments between its lines and behind them.
    """

    text: str
    line: int
    comment: bool = False
    last: int = 0
    inside: tuple[str, ...] = ()


def source(text: str, file: str) -> Source:
    """The text with its lines, refused when it is too large."""
    if len(text) > MAX_TEXT:
        raise TextError(
            f"this text has {len(text):,} characters; {MAX_TEXT:,} are the most that is read",
            place=Place(file),
            hint="split it into several files",
            code="S02",
        )
    return Source(file, tuple(text.split("\n")))


def statements(text: str, src: Source) -> Iterator[LogicalLine | TextError]:
    """The logical statements of a text, each or the error that keeps it from being read.

    A comment line comes as a statement of its own. Errors are yielded, not raised, so that a file
    is reported whole.
    """
    for number, line in enumerate(src.lines, 1):
        fault = _line(src, number, line)
        if fault:
            yield fault
            return
    cut = _Cut(src)
    for match in _TOKEN.finditer(text):
        found = cut.take(match)
        if found is not None:
            yield found
    found = cut.end()
    if found is not None:
        yield found


class _Cut:
    """The state of one pass."""

    def __init__(self, src: Source) -> None:
        self.src = src
        self.line, self.start_of_line = 1, 0
        self.parts: list[str] = []
        self.first = self.until = 0
        self.comments: list[str] = []
        self.open: list[tuple[str, int, int]] = []
        self.operators = 0
        self.last = ""
        self.fault: TextError | None = None
        self.after_fault = False
        self.goes_on = False
        """Whether this is only more of what was wrong above it."""
        self.checks: dict[str, Callable[[str, int], None]] = {
            "string": self._string,
            "quote": self._quote,
            "open": self._open,
            "close": self._close,
            "operator": self._operator,
            "word": self._word,
            "other": self._other,
        }

    def take(self, match: re.Match[str]) -> LogicalLine | TextError | None:
        """The next token; returns what came to its end with it."""
        kind, text = match.lastgroup or "other", match.group()
        column = match.start() - self.start_of_line + 1
        if kind == "newline":
            self.line += 1
            self.start_of_line = match.end()
            if self.parts:
                if not self.open:
                    return self.end()
                self.parts.append("\n")
            return None
        if kind == "comment":
            if not self.parts:
                return LogicalLine(text, self.line, column == 1, self.line)
            self.comments.append(text)
            return None
        if kind == "blank":
            if self.parts:
                self.parts.append(text)
            return None
        if not self.parts:
            self.first = self.line
            self.goes_on = self.after_fault and (column > 1 or kind == "close")
            if column > 1:
                self._fail(column, 1, "a clause starts at the left margin", "unindent it", "S01")
        self.checks[kind](text, column)
        self.parts.append(text)
        self.last, self.until = kind, self.line
        return None

    def end(self) -> LogicalLine | TextError | None:
        """What stands there so far as a whole, or what is wrong with it."""
        if not self.parts:
            return None
        text = "".join(self.parts).rstrip()
        if self.open and not self.fault:
            bracket, line, column = self.open[-1]
            self.fault = _error(
                self.src, line, column, f"this {bracket} is never closed", "close it", "S01"
            )
        if len(text) > MAX_STATEMENT and not self.fault:
            self._too_much(f"a clause of {len(text):,} characters; {MAX_STATEMENT:,} are the most")
        if self.operators > MAX_OPERATORS and not self.fault:
            self._too_much(f"{self.operators} operators in a clause; {MAX_OPERATORS} are the most")
        elif self.last == "operator" and text.endswith(("<=", "&")) and not self.fault:
            column = len(self.src.lines[self.until - 1].rstrip())
            what = "the clause ends here, in the middle"
            hint = "a body of several lines stands in brackets: head(X) <= ("
            self.fault = _error(self.src, self.until, column, what, hint, "S01")
        found: LogicalLine | TextError | None = None
        if not self.goes_on:
            self.after_fault = self.fault is not None
            whole = LogicalLine(text, self.first, False, self.until, tuple(self.comments))
            found = self.fault or whole
        self.parts, self.open, self.operators, self.last, self.fault = [], [], 0, "", None
        self.comments = []
        return found

    def _too_much(self, what: str) -> None:
        hint = "split it through a helper predicate"
        self.fault = _error(self.src, self.first, 1, what, hint, "S02")

    def _fail(self, column: int, width: int, what: str, hint: str, code: str) -> None:
        if self.fault is None:
            self.fault = _error(self.src, self.line, column, what, hint, code, width)

    def _string(self, text: str, column: int) -> None:
        if self.last == "string":
            self._fail(column, len(text), "two strings side by side", "put a comma between", "S14")
        elif self.parts and self.last == "word" and not self.parts[-1].isspace():
            self._fail(column, 1, "a word runs into this quote", "start a name at its quote", "S14")
        for escape in _ESCAPE.finditer(text):
            if escape.group(1) not in "\\'\"":
                self._fail(
                    column + escape.start(),
                    2,
                    "this escape isn't one",
                    "write a backslash as two",
                    "S14",
                )

    def _word(self, text: str, column: int) -> None:
        """A word behind a closed bracket lacks what joins it."""
        if self.last != "close":
            return
        if text in ("and", "or", "not"):
            what = f"`{text}` doesn't join literals"
            self._fail(column, len(text), what, "write `&`, or a second clause", "S05")
        else:
            hint = "terms want a `,` between, literals an `&`"
            self._fail(column, len(text), "something is missing here", hint, "S01")

    def _quote(self, text: str, column: int) -> None:
        self._fail(column, 1, "this quote is never closed", f"end it with {text}", "S01")

    def _open(self, text: str, column: int) -> None:
        self.open.append((text, self.line, column))
        if len(self.open) > MAX_DEPTH:
            self._fail(
                column,
                1,
                f"brackets nested more than {MAX_DEPTH} deep",
                "split it through a helper predicate",
                "S02",
            )

    def _close(self, text: str, column: int) -> None:
        if not self.open or self.open.pop()[0] != {")": "(", "]": "[", "}": "{"}[text]:
            self._fail(column, 1, f"this {text} closes nothing", "take it away", "S01")

    def _operator(self, text: str, column: int) -> None:
        self.operators += 1

    def _other(self, text: str, column: int) -> None:
        if ord(text) > 127:
            self._fail(
                column,
                1,
                f"{text!r} outside quotes",
                "names in other alphabets are strings: put them in quotes",
                "S09",
            )


def _line(src: Source, number: int, line: str) -> TextError | None:
    """What keeps a line from being looked at: its length, or what can't be seen in it."""
    if len(line) > MAX_LINE:
        return _error(
            src,
            number,
            MAX_LINE,
            f"this line has {len(line):,} characters; {MAX_LINE:,} are the most that is read",
            "break it after a `&`",
            "S02",
        )
    if line.replace("\t", " ").isprintable():
        return None
    column = next(i for i, c in enumerate(line, 1) if not c.isprintable() and c != "\t")
    return _error(
        src,
        number,
        column,
        f"a character that can't be seen (U+{ord(line[column - 1]):04X})",
        "take it away, or type the space or line end anew",
        "S14",
    )


def _error(
    src: Source, line: int, column: int, what: str, hint: str, code: str, width: int = 1
) -> TextError:
    return TextError(what, place=src.at(line, column, width), hint=hint, code=code)

"""Where lines come in, replies go out, and Ctrl-C and the end of input are met."""

from __future__ import annotations

import importlib.util
import signal
import sys
from collections.abc import Callable
from typing import Protocol

from ..errors import BAD, DONE, SeatlogError
from .core import Repl, Reply
from .journal import Began, Journal
from .lines import whole_name
from .plain import Plain

Show = Callable[[Reply], None]
MISSING = "completion, history and editing of lines come with: pip install prompt_toolkit"
PIPED = "reading lines; in a terminal there are completion, history and editing as well"
_ENDING = [getattr(signal, n) for n in ("SIGTERM", "SIGHUP") if hasattr(signal, n)]


class Reader(Protocol):
    """A source of lines."""

    def read(self, prompt: str) -> str:
        """The next line. EOFError: there are no more. KeyboardInterrupt: this one is no more."""


def start(repl: Repl, show: Show, began: Began) -> int:
    """Run a session that began with a table and keys until it is left; returns the exit code.

    At a terminal nothing that goes wrong ends it or is a failure, and its changes can be taken up
    when the program was killed. Lines from elsewhere are a script: Ctrl-C ends it, and the exit
    code says whether a line could not be done.
    """
    typed = _is_terminal(sys.stdin)
    if typed and signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # each Ctrl-C is met, not only one
    if not (typed and _is_terminal(sys.stdout)):
        show(Reply(notes=(PIPED,)))
        return _loop(repl, Plain(), show, typed)
    for number in _ENDING:
        signal.signal(number, _leave)
    about = f"{repl.state.book.title} as of {repl.state.book.date}"
    show(Reply(f"{about}. `:help` says what can be typed, Ctrl-D leaves."))
    table = began.table and whole_name(began.table)
    edition = began.edition and whole_name(began.edition)
    repl.journal = Journal(Began(table, edition, began.keys), repl.state.table.title)
    show(repl.offer())
    code = _loop(repl, _reader(repl, show), show, True)
    if code == DONE:
        repl.journal.end()
    return code


def _reader(repl: Repl, show: Show) -> Reader:
    if importlib.util.find_spec("prompt_toolkit") is None:
        show(Reply(notes=(MISSING,)))
        return Plain()
    from .terminal import Terminal

    return Terminal(lambda: repl.state)


def _loop(repl: Repl, reader: Reader, show: Show, typed: bool) -> int:
    code = DONE
    while True:
        if repl.journal is not None and repl.journal.trouble:
            show(Reply(notes=(repl.journal.trouble,)))
            repl.journal.trouble = ""
        try:
            line = reader.read(repl.prompt)
        except EOFError as error:
            if not error.args:
                return code
            show(Reply(error=str(error)))
            return BAD
        except SeatlogError as error:
            show(Reply(error=str(error)))
            code = code if typed else BAD
            continue
        except KeyboardInterrupt:
            if not typed:
                raise
            show(Reply())
            continue
        try:
            reply = repl.execute(line)
            show(reply)
        except KeyboardInterrupt:
            if not typed:
                raise
            reply = Reply(error="cancelled")
            sys.stderr.write("\n")
            show(reply)
        if reply.error and not typed:
            code = BAD
        if reply.over:
            return code


def _is_terminal(stream: object) -> bool:
    return bool(stream) and bool(stream.isatty())  # type: ignore[attr-defined]


def _leave(number: int, _frame: object) -> None:
    """Told to end: unwinding puts the terminal back and ends a child that is at work."""
    raise SystemExit(128 + number)

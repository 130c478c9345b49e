"""A child that works: how it is waited for, how it is ended, and how it ends with its parent."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time

with contextlib.suppress(ImportError):
    import fcntl

REST = b"-"
"""The sign that only the writing is left, which may take its time."""
_GRACE = 2.0
_LONGEST = 2_000_000_000


class Worker:
    """A child; how it ended is lost where somebody else waited for it first."""

    def __init__(self, child: int) -> None:
        self.child = child
        self.ended = False
        self.status: int | None = None
        self.used = 0.0

    def wait(self, options: int = 0) -> None:
        """Wait for its end, or for what else is asked for."""
        if self.ended:
            return
        try:
            child, status, usage = os.wait4(self.child, options)
        except ChildProcessError:
            self.ended = True
            return
        if child and not os.WIFSTOPPED(status):
            self.ended, self.status = True, status
            self.used = usage.ru_utime + usage.ru_stime

    def stop(self) -> None:
        """Let it do nothing more until it is told to; it may have ended before."""
        self._send(signal.SIGSTOP)
        self.wait(os.WUNTRACED)

    def go_on(self) -> None:
        """Let it go on after a stop."""
        self._send(signal.SIGCONT)

    def kill(self) -> None:
        """End it, and wait for that."""
        self._send(signal.SIGKILL)
        self.wait()

    def _send(self, number: int) -> None:
        if not self.ended:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.child, number)


class Watch:
    """Waits at the pipe through which a child gives signs; ``since`` is when the last one came."""

    def __init__(self, reading: int) -> None:
        self.reading = reading
        self.since = time.monotonic()

    def ends(self, seconds: float) -> bool:
        """Whether the child comes to an end before it gave no sign for so long; 0 is no limit."""
        left = seconds or None
        while _ready(self.reading, left):
            signs = os.read(self.reading, 4_096)
            if not signs:
                return True
            self.since = time.monotonic()
            left = None if signs.endswith(REST) else seconds or None
        return False

    def ends_soon(self) -> bool:
        """Whether a child that is writing gets to its end: no file is to be left half written."""
        while _ready(self.reading, _GRACE):
            if not os.read(self.reading, 4_096):
                return True
        return False


def _ready(file: int, seconds: float | None) -> bool:
    """Whether there is something to be read within some seconds, whatever the file's number."""
    if not hasattr(select, "poll"):
        return bool(select.select([file], [], [], seconds)[0])
    poll = select.poll()
    poll.register(file, select.POLLIN)
    return bool(poll.poll(None if seconds is None else min(int(seconds * 1000) + 1, _LONGEST)))


class Lifeline:
    """A child ends with its parent, however that came to its end, where the system can do so."""

    def __init__(self) -> None:
        self._pipe = list(os.pipe()) if sys.platform == "linux" else []

    def hold(self) -> None:
        """The parent's part: nobody writes, but the pipe is closed when it is gone."""
        for file in self._pipe[:1]:
            os.close(file)
            del self._pipe[0]

    def take(self) -> None:
        """The child's part: to be ended by the system once the pipe is closed."""
        if sys.platform == "linux" and self._pipe:
            reading, writing = self._pipe
            os.close(writing)
            signal.signal(signal.SIGIO, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGIO])
            fcntl.fcntl(reading, fcntl.F_SETOWN, os.getpid())
            fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
            if _ready(reading, 0):
                os._exit(2)

    def close(self) -> None:
        """Both parts that are open still."""
        while self._pipe:
            os.close(self._pipe.pop())

"""Ctrl-C and its like while a child is at work: they end the wait for it, and nothing else.

A second one in the middle of ending the child would leave it running, so what comes outside of the
wait is noted and met afterwards.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

ENDING = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n)]


class Held:
    """Holds the signals that end a process from when it is made until ``release``."""

    def __init__(self) -> None:
        self.mask = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        self._waiting = False
        self._late: list[int] = []
        self._before: dict[int, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for number in ENDING:
                before = signal.getsignal(number)
                if before not in (None, signal.SIG_IGN):
                    self._before[number] = before
                    signal.signal(number, self._come)

    def _come(self, number: int, frame: FrameType | None) -> None:
        if not self._waiting:
            self._late.append(number)
            return
        self._waiting = False
        self._meet(number, frame)
        self._waiting = True

    def _meet(self, number: int, frame: FrameType | None = None) -> None:
        """What would have happened; what ends a process does so by KeyboardInterrupt."""
        before = self._before[number]
        if not callable(before):
            raise KeyboardInterrupt
        before(number, frame)

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """While this lasts they are met at once: KeyboardInterrupt, or what a handler raises."""
        try:
            self._waiting = True
            signal.pthread_sigmask(signal.SIG_SETMASK, self.mask)
            while self._late:
                self._meet(self._late.pop())
            yield
        finally:
            self._waiting = False

    def release(self, meet: bool) -> None:
        """Put everything back, and ``meet`` what came too late to be met."""
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        self._put_back()
        signal.pthread_sigmask(signal.SIG_SETMASK, self.mask)
        for number in self._late if meet else ():
            self._meet(number)

    def in_child(self) -> None:
        """In a child nothing is held; Ctrl-C, which goes to the whole group, is the parent's."""
        self._put_back()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, self.mask)

    def _put_back(self) -> None:
        for number, before in self._before.items():
            if signal.getsignal(number) == self._come:
                signal.signal(number, before)

"""The command line as somebody else's program: what it says, and how it ends."""

from __future__ import annotations

import locale
import os
import re
import subprocess
from functools import cache
from pathlib import Path

from forks import Warm
from places import ROOT

Done = subprocess.CompletedProcess[str]


def run(*words: str, cwd: Path = ROOT, **env: str) -> Done:
    """Run ``seatlog`` with these words and, over the surroundings, these variables.

    It is forked from a warm interpreter, unless Python itself goes by a variable.
    """
    return _run(words, cwd, env, False)


def start(*words: str, cwd: Path = ROOT, **env: str) -> Done:
    """The same by a Python that is started for it."""
    return _run(words, cwd, env, True)


def _run(words: tuple[str, ...], cwd: Path, env: dict[str, str], cold: bool) -> Done:
    ended = warm().run(words, cwd, {**os.environ, **env}, cold=cold)
    out, err = (text.decode(locale.getencoding()) for text in (ended.out, ended.err))
    return Done(words, ended.code, _lines(out), _lines(err))


def _lines(text: str) -> str:
    return re.sub("\r\n?", "\n", text)


@cache
def warm() -> Warm:
    """The warm interpreter of all tests of this process."""
    return Warm(os.environ)


def alone() -> None:
    """End the warm interpreter, if there is one: no child is left until the next ``run``."""
    if warm.cache_info().currsize:
        warm().close()
        warm.cache_clear()

"""Keep prepared books of test runs out of the user's cache, and Ctrl-C as a terminal has it.

Garbage is collected less often: books and circuits are looked through each time, and stay.
"""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

gc.set_threshold(50_000, 20, 50)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell's background jobs ignore it, and what the tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEATLOG_CACHE", str(folder))
        yield folder

"""The command line as somebody else's program: what it says, and how it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from places import ROOT


def run(*words: str, cwd: Path = ROOT, **env: str) -> subprocess.CompletedProcess[str]:
    """Run ``seatlog`` with these words and, over the surroundings, these variables."""
    return subprocess.run(
        [sys.executable, "-m", "seatlog", *words],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **env},
        check=False,
    )

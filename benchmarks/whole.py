"""One question as a whole process: started, answered, ended."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from measure import Clock, Contender, alternate, equal, table

import seatlog
from seatlog.views import script

HERE = Path(__file__).parent
TABLE = HERE.parent / "facts" / "tables" / "four_in_a_ring.toml"
WHO, WHAT = "Alex", "Runeclaw Bear"
SAID = {"yes": "yes", "no": "no", "{()}": "yes", "None": "no"}
PLAIN = "plain pyDatalog script"
ENGINE = "import click; from pyDatalog import pyEngine"


def run(runs: int, clock: Clock) -> None:
    """Measure and print."""
    console = Path(sys.executable).with_name("seatlog")
    if not console.exists():
        raise SystemExit("there is no seatlog beside this Python: install the project into it")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        pasted = work / "pasted.py"
        game = seatlog.open(str(TABLE))
        question = f"can_target({WHO!r}, {WHAT!r})"
        pasted.write_text(script(game.book, game.table.facts, question), encoding="utf-8")
        _compare(work, [str(console)], pasted, runs, clock)


def _compare(work: Path, console: list[str], pasted: Path, runs: int, clock: Clock) -> None:
    python = [sys.executable]
    asked = ["can", str(TABLE), WHO, "target", WHAT]
    ready = {"SEATLOG_CACHE": str(work / "prepared")}
    answering = {
        "hand-written Python": ([*python, str(HERE / "by_hand.py"), str(TABLE), WHO, WHAT], ready),
        PLAIN: ([*python, str(pasted)], ready),
        "seatlog can": ([*console, *asked], ready),
        "python -m seatlog can": ([*python, "-m", "seatlog", *asked], ready),
    }
    equal({name: SAID.get(_first_line(*call)) for name, call in answering.items()})
    idle = {
        "Python that does nothing": ([*python, "-c", "pass"], ready),
        "click and the engine of pyDatalog imported, no more": ([*python, "-c", ENGINE], ready),
    }
    contenders = {name: _process(*call) for name, call in (idle | answering).items()}
    contenders["seatlog can, no book prepared yet"] = _cold(work, [*console, *asked])
    medians = alternate(contenders, runs, clock.children)
    base = medians[PLAIN]
    rows = [(name, t, f"{t / base:.2f} of the plain script") for name, t in medians.items()]
    table("One question, whole process: reading the table and giving the reason included", rows)


def _first_line(command: list[str], extra: Mapping[str, str]) -> str:
    done = subprocess.run(
        command, env={**os.environ, **extra}, capture_output=True, text=True, encoding="utf-8"
    )
    return done.stdout.partition("\n")[0].strip()


def _process(command: list[str], extra: Mapping[str, str]) -> Contender:
    environment = {**os.environ, **extra}

    def work(_ready: object) -> None:
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)

    return Contender(work)


def _cold(work: Path, command: list[str]) -> Contender:
    def prepare() -> dict[str, str]:
        return {**os.environ, "SEATLOG_CACHE": tempfile.mkdtemp(dir=work)}

    def run_once(environment: dict[str, str]) -> None:
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)

    return Contender(run_once, prepare)

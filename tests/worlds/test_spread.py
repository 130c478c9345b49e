"""Blocks of games over several processes, and over a cluster that loses a worker on the way."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seatlog.errors import SeatlogError
from seatlog.worlds import Columns, Plan, columns, shared_out, solve

GAMES = 64 * 40 + 7
PLAN = Plan(
    (("f", (1,)), ("f", (2,))),
    ((0, 0, 1, 4), (1, 0, 1, 5), (2, 4, 3, 4)),
    (4, 5, 0),
    6,
)


def given(games: int = GAMES) -> Columns:
    chance = random.Random(3)
    return columns([(fact, chance.getrandbits(games)) for fact in PLAN.facts], games)


def test_local_workers_say_the_same() -> None:
    told: list[int] = []
    assert shared_out(PLAN, given(), told.append, workers=2, share=640) == solve(PLAN, given())
    assert told[-1] == GAMES
    assert len(told) == 5


def test_one_worker_and_few_games() -> None:
    assert shared_out(PLAN, given(5), workers=1) == solve(PLAN, given(5))


ENDLESS = """
import sys
from test_spread import PLAN, given
from seatlog.worlds import shared_out
shared_out(PLAN, given(64 * 4_000), lambda done: print(done, flush=True), workers=2, share=64)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is killed from outside there")
def test_workers_end_with_who_started_them_and_say_nothing() -> None:
    """A budget that runs out, or Ctrl-C, kills the process that workers are waiting for."""
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parent,
        start_new_session=True,
    ) as process:
        assert process.stdout and process.stderr
        assert process.stdout.readline().strip()
        process.kill()
        try:
            _, said = process.communicate(timeout=10)  # workers hold the pipes open
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            pytest.fail("workers live on")
        assert said == b""


def test_where_no_scheduler_answers_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seatlog.worlds.spread.WAITING", 1)
    with pytest.raises(SeatlogError, match="no scheduler answers"):
        shared_out(PLAN, given(), scheduler="tcp://127.0.0.1:9")
    with pytest.raises(SeatlogError, match="no scheduler answers"):
        shared_out(PLAN, given(), scheduler="nonsense://x")


def started(*words: str, cwd: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=cwd,
        start_new_session=True,
    )


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and its two workers."""
    file = tmp_path / "scheduler.json"
    words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    every = [started("dask_scheduler", *words, "--scheduler-file", str(file), cwd=tmp_path)]
    try:
        end = time.monotonic() + 60
        while not file.exists() and time.monotonic() < end:
            time.sleep(0.1)
        for _ in range(2):
            own = ("--scheduler-file", str(file), "--nthreads", "1", "--no-nanny", "--no-dashboard")
            every.append(started("dask_worker", *own, cwd=tmp_path))
        import json

        address = json.loads(file.read_text(encoding="utf-8"))["address"]
        yield address, every[1:]
    finally:
        for each in every:
            if each.poll() is None:
                each.kill()
            each.wait()


def test_a_cluster_goes_on_where_a_worker_is_killed(
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    address, workers = cluster
    from distributed import Client

    made: Any = Client
    with made(address, timeout=30, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    games = 64 * 400 + 3
    gone: list[int] = []

    def told(done: int) -> None:
        if not gone:
            os.kill(workers[0].pid, signal.SIGKILL)
            gone.append(done)

    found = shared_out(PLAN, given(games), scheduler=address, told=told, share=640)
    assert found == solve(PLAN, given(games))
    assert gone
    assert gone[0] < games, "the worker went while there was work left"
    assert workers[0].wait(10) == -signal.SIGKILL
    assert workers[1].poll() is None

"""Blocks of games worked off by several processes, on this machine or on others, through joblib.

What is handed over is data: a plan, which is numbers and facts, and the columns of some games.
Where workers are lost on the way a Dask cluster gives their blocks to others.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ..errors import SeatlogError, printable
from .run import Columns, Plan, blocks, width

SHARE = 131_072
"""So many games are handed over at once."""
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""What would have a worker use more than its core."""
PINNED = {**dict.fromkeys(THREADS, "1"), "PYTHONWARNINGS": "ignore"}
"""What workers start with: what they clear away when they are ended early isn't told to people."""
WATCHING = 0.3
"""So many seconds a worker may live on when who started it is gone."""
WAITING = 10
"""So many seconds a scheduler has to answer."""


def shared_out(
    plan: Plan,
    given: Columns,
    told: Callable[[int], object] = lambda _: None,
    workers: int = 0,
    scheduler: str = "",
    share: int = SHARE,
) -> list[int]:
    """The games in which each node of a plan holds, as ``solve`` gives them.

    Worked off by so many local ``workers``, by default one for each core, or by the cluster whose
    ``scheduler`` has this address. ``told`` hears how many games are done. Raises SeatlogError
    where a library or the cluster is missing.
    """
    starts = range(0, given.games, max(share // 64, 1) * 64)
    found: dict[int, list[bytes]] = {}
    done = 0
    with _parallel(workers, scheduler) as parallel:
        delayed = _joblib().delayed
        tasks = (delayed(_block)(plan, given.part(start, starts.step), start) for start in starts)
        for start, part in parallel(tasks):
            found[start] = part
            done += min(starts.step, given.games - start)
            told(done)
    # joined once: to add block after block to a long number takes longer than to work them off
    empty = bytes(starts.step // 8)
    return [
        int.from_bytes(b"".join(found[start][at] or empty for start in starts), "little")
        for at in range(len(plan.results))
    ]


def _block(plan: Plan, part: Columns, start: int) -> tuple[int, list[bytes]]:
    """What a worker does: a part of the column of each result, nothing for one that is empty."""
    parts = [found for _, found in blocks(plan, part)]
    whole = [b"".join(column) for column in zip(*parts, strict=True)]
    empty = bytes(width(part.games))
    return start, [b"" if column == empty else column for column in whole]


def _ends_with(parent: int) -> None:
    """Have a worker end soon after a parent that can't end it: one that was killed, on Ctrl-C too.

    It gets no signal of its own then, and would wait for work for minutes.
    """
    signal = import_module("signal")  # there is one where there are workers
    if os.getpid() == parent or not hasattr(signal, "setitimer"):
        return

    def look(_number: int, _frame: object) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, WATCHING, WATCHING)


def _joblib() -> Any:
    try:
        return import_module("joblib")
    except ImportError:
        raise SeatlogError(
            "joblib isn't installed, so only one process can work",
            hint="pip install 'seatlog[cores]'",
        ) from None


@contextmanager
def _parallel(workers: int, scheduler: str) -> Iterator[Any]:
    """What runs tasks, and gives what they come to as soon as it is there, in any order."""
    joblib = _joblib()
    if not scheduler:
        try:
            with _pinned():
                yield joblib.Parallel(
                    n_jobs=workers or -1,
                    return_as="generator_unordered",
                    initializer=_ends_with,
                    initargs=(os.getpid(),),
                )
        finally:
            loky = import_module("joblib.externals.loky")
            executor = loky.get_reusable_executor(reuse=True)
            # joblib's own clears away the folder, too, that it shares with its workers
            getattr(executor, "terminate", executor.shutdown)(kill_workers=True)
        return
    client = _client(scheduler)
    try:
        with joblib.parallel_config(
            backend="dask", client=client, wait_for_workers_timeout=WAITING
        ):
            yield joblib.Parallel(return_as="generator_unordered")
    finally:
        client.close()


def _client(scheduler: str) -> Any:
    """A client of an existing cluster. Raises SeatlogError where there is none."""
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise SeatlogError(
            "distributed isn't installed, so no cluster can work",
            hint="pip install 'seatlog[cluster]'",
        ) from None
    try:
        return distributed.Client(scheduler, timeout=WAITING, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SeatlogError(
            f"no scheduler answers at {printable(scheduler)} ({type(error).__name__})",
            hint="like: tcp://10.0.0.5:8786; `dask scheduler` starts one",
        ) from None


@contextmanager
def _pinned() -> Iterator[None]:
    """Each worker on one core, without threads of its own, and silent."""
    before = {name: os.environ.get(name) for name in PINNED}
    os.environ.update(PINNED)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

"""Side by side: contenders take turns, medians are compared, and their answers must be equal."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Contender(NamedTuple):
    """Something to be timed: ``prepare`` isn't, ``work`` is, ``times`` over in each run."""

    work: Callable[[Any], object]
    prepare: Callable[[], object] = lambda: None
    times: int = 1


class Clock(NamedTuple):
    """What seconds are counted: those that pass, or those a processor works."""

    inside: Callable[[], float] = time.perf_counter
    children: Callable[[], float] = time.perf_counter


def _children() -> float:
    import resource

    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


WALL = Clock()
WORK = Clock(time.process_time, _children)


def alternate(
    contenders: Mapping[str, Contender], runs: int, clock: Callable[[], float]
) -> dict[str, float]:
    """The median seconds of each contender, taken in turns; the first turn doesn't count."""
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(runs + 1):
        for name, contender in contenders.items():
            ready = contender.prepare()
            gc.collect()
            start = clock()
            for _ in range(contender.times):
                contender.work(ready)
            spent = (clock() - start) / contender.times
            if turn:
                taken[name].append(spent)
    return {name: statistics.median(times) for name, times in taken.items()}


def equal(answers: Mapping[str, object]) -> None:
    """Refuse to compare contenders whose answers differ."""
    first, *others = answers.items()
    for name, answer in others:
        if answer != first[1]:
            raise SystemExit(f"{name} and {first[0]} answer differently: nothing was measured")


def table(title: str, rows: Sequence[tuple[str, float, str]]) -> None:
    """Print lines of a name, seconds and what they amount to."""
    print(f"\n{title}\n")
    for name, seconds, said in rows:
        print(f"  {name:<58} {_shown(seconds):>10}   {said}")


def _shown(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.0f} ns"

"""Runs one hostile input through the real command line and measures what it does."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from forks import Ended, Warm

AUDIT = Path(__file__).with_name("hostile_audit.py")
CANARY = "canary"
SEATLOG = (sys.executable, "-m", "seatlog")
PATIENCE = 60

# What is ignored here, as under ``nohup``, would be ignored by what is run, too.
for _number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.SIG_DFL)

_WARM_UP = """
import difflib, importlib, os, pkgutil
import seatlog, seatlog.facts, seatlog.rules
for module in pkgutil.walk_packages(seatlog.__path__, "seatlog."):
    if module.name not in ("seatlog.__main__", "seatlog.cases.plugin"):
        importlib.import_module(module.name)
folders = [next(iter(m.__path__)) for m in (seatlog, seatlog.rules, seatlog.facts)]
print(os.pathsep.join(folders), end="")
"""

Words = Sequence[str | bytes]
_threads = threading.local()
_making = threading.Lock()


class Case(NamedTuple):
    """One input: how to lay it out in a folder, and what the message has to say (a pattern).

    ``sends`` is a signal for the middle of the work; ``out`` what standard output is: a device,
    ``closed`` or ``broken``; ``writes`` are the files it may write. A folder ``facts`` or ``rules``
    that is laid out takes the place of the shipped one. ``cold`` is whether Python is started for
    it: so it is where a case says how, and otherwise only where one asks for it.
    """

    group: str
    name: str
    prepare: Callable[[Path], Words]
    says: str
    code: int = 2
    env: Mapping[str, str] = {}
    sends: int = 0
    out: str = ""
    writes: Sequence[str] = ()
    cold: bool = False

    def __str__(self) -> str:
        return f"{self.group}: {self.name}"


class Result(NamedTuple):
    """What came of a case; ``deeds`` is what the audit reported, ``left`` what stayed behind.

    ``changed`` are the files that are new, gone or other than before. ``seconds`` are the
    processor's: how long a case takes beside others is nobody's fault.
    """

    code: int
    out: str
    err: str
    seconds: float
    megabytes: float
    deeds: list[str]
    left: list[str]
    changed: list[str]


Work = Callable[[Words, Path, Mapping[str, str], Case], Ended]


def attempt(case: Case, folder: Path) -> Result:
    """Lay a case out in a folder of its own, run it, and clear it away."""
    here = folder / "here"
    here.mkdir(parents=True)
    try:
        return _watched(case.prepare(here), here, case, _run)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(command: Words, here: Path, case: Case) -> Result:
    """Run a command under audit."""
    return _watched(command, here, case, _start)


def _watched(words: Words, here: Path, case: Case, work: Work) -> Result:
    log = here.parent / "log"
    environment = _environment(log, here, case)
    before = _files(here, environment["SEATLOG_CACHE"])
    pid, code, out, err = work(words, here, environment, case)
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    peaks = [int(line.split()[1]) for line in lines if line.startswith("peak ")]
    used = [float(line.split()[1]) for line in lines if line.startswith("used ")]
    after = _files(here, environment["SEATLOG_CACHE"])
    return Result(
        code,
        out.decode(errors="replace"),
        err.decode(errors="replace"),
        max(used, default=PATIENCE),
        max(peaks, default=0) / 1024,
        [line for line in lines if not line.startswith(("peak ", "used "))],
        [*_left_running(pid), *(str(p) for p in here.rglob(CANARY))],
        sorted(name for name in {*before, *after} if before.get(name) != after.get(name)),
    )


def _run(words: Words, here: Path, environment: Mapping[str, str], case: Case) -> Ended:
    """Run a command line; one that is signalled, or writes elsewhere, by a Python of its own."""
    if case.sends or case.out:
        return _start([*SEATLOG, *words], here, environment, case)
    return _warm().run(words, here, environment, seconds=PATIENCE, cold=case.cold)


def _start(command: Words, here: Path, environment: Mapping[str, str], case: Case) -> Ended:
    """Start a process, and wait for its end."""
    if case.out == "closed":
        command = ["/bin/sh", "-c", 'exec "$0" "$@" >&-', *command]
    with _standard_output(case.out) as stdout:
        process = subprocess.Popen(
            command,
            cwd=here,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    if case.sends:
        _interrupt(process.pid, case.sends)
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
    return Ended(process.pid, process.returncode, out or b"", err)


def _warm() -> Warm:
    """The warm interpreter of this thread, in which each child is watched before all else."""
    found: Warm | None = getattr(_threads, "warm", None)
    if found is None:
        found = _threads.warm = Warm(_starting(), "sitecustomize:install")
    return found


def _files(here: Path, cache: str) -> dict[str, object]:
    """What lies in a folder, less the cache: kind, size, and what is in small files."""
    out: dict[str, object] = {}
    for path in here.rglob("*"):
        name = str(path.relative_to(here))
        if not cache or Path(name).parts[0] != Path(cache).parts[0]:
            found = path.lstat()
            small = stat.S_ISREG(found.st_mode) and found.st_size < 200_000
            out[name] = (found.st_mode, found.st_size, path.read_bytes() if small else b"")
    return out


def _environment(log: Path, here: Path, case: Case) -> dict[str, str]:
    shared = _shared()
    environment = {
        **_starting(),
        "SEATLOG_CACHE": str(shared / "cache"),
        "HOSTILE_LOG": str(log),
        "HOSTILE_PACKAGE": (shared / "package").read_text(encoding="utf-8"),
        **case.env,
    }
    environment["HOSTILE_WRITES"] = "\n".join(str(here / name) for name in case.writes)
    for kind in ("facts", "rules"):
        if (here / kind).is_dir():
            environment[f"HOSTILE_{kind.upper()}"] = str(here / kind)
    environment["HOSTILE_CACHE"] = str(here / (environment["SEATLOG_CACHE"] or "nowhere"))
    return environment


def _starting() -> dict[str, str]:
    """The surroundings that Python itself goes by."""
    shared = _shared()
    return {
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": _python_path(shared),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPYCACHEPREFIX": str(shared / "compiled"),
        "PYTHONUTF8": "1",
    }


def _python_path(shared: Path) -> str:
    given = os.environ.get("PYTHONPATH")
    return os.pathsep.join([str(shared), given] if given else [str(shared)])


def _shared() -> Path:
    """What all cases have in common: the audit, compiled modules, where the package lies."""
    with _making:  # or two threads would make one each
        return _made()


@cache
def _made() -> Path:
    shared = Path(tempfile.mkdtemp(prefix="hostile"))
    atexit.register(shutil.rmtree, shared, ignore_errors=True)
    shutil.copyfile(AUDIT, shared / "sitecustomize.py")
    environment = {
        **os.environ,
        "PYTHONPATH": _python_path(shared),
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(shared / "compiled"),
    }
    done = subprocess.run(
        [sys.executable, "-c", _WARM_UP], env=environment, check=True, capture_output=True
    )
    (shared / "package").write_bytes(done.stdout)
    return shared


@contextlib.contextmanager
def _standard_output(kind: str) -> Iterator[int]:
    """What a process gets as its standard output; this process keeps none of it open."""
    if kind in ("", "closed"):
        yield subprocess.PIPE
        return
    if kind == "broken":
        reading, sink = os.pipe()
        os.close(reading)
    else:
        sink = os.open(kind, os.O_WRONLY)
    try:
        yield sink
    finally:
        os.close(sink)


def _interrupt(process: int, number: int) -> None:
    """Send a signal once the work has begun: Ctrl-C goes to the whole group, others don't."""
    first_child(process)
    time.sleep(0.3)
    if number == signal.SIGINT:
        os.killpg(process, number)
    else:
        os.kill(process, number)


def first_child(process: int) -> int:
    """The child that does the work, once there is one."""
    children = Path(f"/proc/{process}/task/{process}/children")
    for _ in range(500):
        found = children.read_text(encoding="ascii").split()
        if found:
            return int(found[0])
        time.sleep(0.01)
    raise TimeoutError(f"process {process} has no child")


def _left_running(group: int) -> list[str]:
    """Whatever is still alive of a process's group a moment after its end."""
    for _ in range(20):
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            return []
        time.sleep(0.01)
    os.killpg(group, signal.SIGKILL)
    return ["a process"]

"""Processes of ``seatlog`` without the wait for Python and its modules.

A *warm* interpreter has loaded the modules of Seatlog, and has done nothing with them. For each
command line it forks a child with arguments, folder, surroundings and pipes of its own, which goes
on as ``python -m seatlog`` would from there. What depends on how Python starts needs a cold one.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

CAN_FORK = sys.platform == "linux"
"""Whether processes can be forked, and pipes handed on by their names under /proc."""
LATER = (
    *("__main__", "budget.aside", "budget.parcel", "cases.plugin", "repl", "server"),
    "solvers.clingo",
)
"""The modules that a child loads itself when it needs them, as they load what is ``UNWANTED``."""
UNWANTED = {"clingo", "ctypes", "numpy", "pickle", "socket", "subprocess", "webbrowser"}
"""What most command lines never load: who watches them has to see it happen."""
PIPE = 65_536
_STARTING = ("PYTHON", "LC_", "LANG")


class Ended(NamedTuple):
    """How a process ended and what it wrote; ``pid`` was its number, and that of its group."""

    pid: int
    code: int
    out: bytes
    err: bytes


class Warm:
    """A warm interpreter for one thread, with the surroundings that Python itself goes by.

    ``before`` is a function of a module, ``module:function``, which each child calls first.
    """

    def __init__(self, env: Mapping[str, str], before: str = "") -> None:
        self._starting, self._owner = _starting(env), os.getpid()
        self._forks: Any = None
        if CAN_FORK:
            import subprocess

            pipe = subprocess.PIPE
            command = [sys.executable, __file__, before]
            self._forks = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=env, text=True)
            atexit.register(self.close)

    def close(self) -> None:
        """End it, in the process that has started it."""
        atexit.unregister(self.close)
        if self._forks is not None and os.getpid() == self._owner:
            self._forks.kill()
            self._forks.communicate()

    def run(
        self,
        args: Sequence[str | bytes],
        cwd: Path,
        env: Mapping[str, str],
        data: bytes = b"",
        seconds: float = 60,
        cold: bool = False,
    ) -> Ended:
        """Run a command line to its end, or kill its group after so many seconds.

        ``data``, at most ``PIPE`` bytes of it, is what it can read. Python is started for it where
        that is asked for, or where it would start otherwise with these surroundings.
        """
        assert len(data) <= PIPE
        if cold or self._forks is None or self._starting != _starting(env):
            return _started(args, cwd, env, data, seconds)
        with contextlib.ExitStack() as ours:
            pipes = [os.pipe() for _ in range(3)]
            feed, (out, out_end), (err, err_end) = pipes
            for own in (feed[0], out, err):
                ours.callback(os.close, own)
            os.write(feed[1], data)
            os.close(feed[1])
            here = f"/proc/{os.getpid()}/fd"
            said = {
                "args": list(map(os.fsdecode, args)),
                "cwd": str(cwd),
                "env": dict(env),
                "files": [f"{here}/{end}" for end in (feed[0], out_end, err_end)],
            }
            try:
                print(json.dumps(said), file=self._forks.stdin, flush=True)
                pid = int(self._forks.stdout.readline())
            finally:
                os.close(out_end)
                os.close(err_end)
            written = _read([out, err], pid, seconds)
            return Ended(pid, int(self._forks.stdout.readline()), *written)


def _started(
    args: Sequence[str | bytes], cwd: Path, env: Mapping[str, str], data: bytes, seconds: float
) -> Ended:
    import subprocess

    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [sys.executable, "-m", "seatlog", *args],
        cwd=cwd,
        env=env,
        stdin=pipe if data else subprocess.DEVNULL,
        stdout=pipe,
        stderr=pipe,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(data or None, timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
    return Ended(process.pid, process.returncode, out, err)


def _starting(env: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in env.items() if name.startswith(_STARTING)}


def _read(files: list[int], pid: int, seconds: float) -> list[bytes]:
    """All that comes out of pipes until nobody can write into them."""
    poll, ends = select.poll(), time.monotonic() + seconds
    parts: dict[int, list[bytes]] = {each: [] for each in files}
    for file in files:
        poll.register(file, select.POLLIN)
    left = set(files)
    while left:
        ready = poll.poll(max(ends - time.monotonic(), 0.001) * 1000)
        if not ready:
            os.killpg(pid, signal.SIGKILL)
            ends += seconds
        for file, _ in ready:
            parts[file].append(os.read(file, PIPE))
            if not parts[file][-1]:
                poll.unregister(file)
                left.discard(file)
    return [b"".join(parts[file]) for file in files]


def _serve(before: str) -> None:
    """Fork a child for each line that comes, and say its number, then how it ended."""
    asked, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    _warm_up()
    module, _, function = before.partition(":")
    first = getattr(importlib.import_module(module), function) if module else None
    loaded = UNWANTED & set(sys.modules)
    assert not loaded, loaded
    gc.freeze()
    modes = (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY)
    for line in iter(asked.readline, ""):
        said = json.loads(line)
        files = [os.open(*each) for each in zip(said["files"], modes, strict=True)]
        child = os.fork()
        if not child:
            for number, file in enumerate(files):
                os.dup2(file, number)
            for file in (asked.fileno(), answers.fileno(), *files):
                os.close(file)
            _go_on(said, first)
        for file in files:
            os.close(file)
        print(child, file=answers, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=answers, flush=True)


def _warm_up() -> None:
    import seatlog

    for module in pkgutil.walk_packages(seatlog.__path__, "seatlog."):
        if not module.name.removeprefix("seatlog.").startswith(LATER):
            importlib.import_module(module.name)
    import pyDatalog.pyDatalog  # noqa: F401


def _go_on(said: Mapping[str, Any], first: Callable[[], object] | None) -> NoReturn:
    """The child's part: what ``python -m seatlog`` does once it is there."""
    os.setsid()
    os.chdir(said["cwd"])
    os.environ.clear()
    os.environ.update(said["env"])
    sys.path[0] = said["cwd"]
    sys.stdin, sys.stdout, sys.stderr = map(_anew, (sys.stdin, sys.stdout, sys.stderr))
    if first:
        first()
    code = 1
    try:
        from seatlog import __main__

        sys.argv = [str(__main__.__file__), *said["args"]]
        __main__.main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


def _anew(stream: Any) -> Any:
    """A standard stream, as it would be opened by Python itself."""
    number, mode = stream.fileno(), stream.mode
    return open(
        number,
        mode,
        1 if stream.line_buffering else -1,
        stream.encoding,
        stream.errors,
        closefd=False,
    )


if __name__ == "__main__":
    _serve(sys.argv[1])

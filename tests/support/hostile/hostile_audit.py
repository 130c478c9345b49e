"""Runs as ``sitecustomize`` in a Seatlog process: writes down every deed that isn't allowed.

Reading files, importing Seatlog and what it stands on, parsing without running, the functions of
compiled clauses, one fork to be supervised and the cache are allowed. Whatever else Python's audit
events tell of (PEP 578) goes to the log, and so do the peak memory and the processor time of all
processes when the first one ends.
"""

from __future__ import annotations

import atexit
import os
import resource
import site
import sys
import sysconfig
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NoReturn, TypeGuard

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
HARMLESS = {
    "builtins.id",
    "cpython.run_module",
    "glob.glob",
    "glob.glob/2",
    "mmap.__new__",
    "object.__getattr__",
    "object.__setattr__",
    "os.listdir",
    "os.scandir",
    "os.walk",
    "pathlib.Path.glob",
    "pathlib.Path.rglob",
    "resource.setrlimit",
    "sys._getframe",
}
PACKAGES = {"click", "org", "pyDatalog", "seatlog"}
UNWANTED = {"ctypes", "pickle", "socket", "subprocess", "urllib", "webbrowser"}
MODULES = set(sys.stdlib_module_names) | PACKAGES
LIBRARY = [*site.getsitepackages(), *sysconfig.get_paths().values()]


class Audit:
    """Judges events by their arguments and by the file whose code caused them."""

    def __init__(self, log: str, cache: str, package: list[str], writes: list[str]) -> None:
        self.log = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self.cache, self.package, self.writes = cache, package, [w for w in writes if w]
        self._compiled = f"{package[0]}{os.sep}solvers{os.sep}compiled.py"
        self.roots = tuple({os.path.realpath(p) + os.sep for p in [*LIBRARY, *package] if p})

    def hook(self, event: str, args: tuple[Any, ...]) -> None:
        if event in HARMLESS:
            return
        try:
            frame = sys._getframe().f_back
            fine = self.allowed(event, args, frame.f_code.co_filename if frame else "")
        except Exception:
            fine = False
        if not fine:
            self.write(f"{event} {args!r:.300}")

    def write(self, text: str) -> None:
        os.write(self.log, (text.replace("\n", " ") + "\n").encode(errors="replace"))

    def allowed(self, event: str, args: tuple[Any, ...], caller: str) -> bool:
        if event == "import":
            name = str(args[0]).partition(".")[0]
            return name in MODULES - UNWANTED
        if event == "exec":
            code: CodeType = args[0]
            if caller == self._compiled:
                return code.co_filename == "<clauses>"
            return self._shipped(code.co_filename) or caller == self._library("collections")
        if event == "compile":
            only_parsed = args[1] == "<unknown>" and caller == self._library("ast")
            if caller == self._compiled:
                return str(args[1]) == "<clauses>"
            classes = caller in (self._library("collections"), self._library("typing"))
            return only_parsed or classes or self._shipped(str(args[1]))
        if event == "marshal.loads":
            return caller.startswith("<frozen importlib")
        if event == "open":
            mode, flags = args[1] or "", args[2] or 0
            writes = any(c in mode for c in "wax+") or bool(flags & WRITES)
            free = not writes or args[0] == os.devnull
            return free or self._cached(args[0]) or self._wanted(args[0])
        if event in ("os.fork", "os.kill", "fcntl.fcntl"):
            budget = f"{self.package[0]}{os.sep}budget{os.sep}"
            return caller in (f"{budget}supervise.py", f"{budget}worker.py")
        if event == "os.utime":
            return caller == f"{self.package[0]}{os.sep}editions{os.sep}cache.py"
        if event == "os.remove" and self._cached(args[0]):
            return True
        if event == "os.mkdir":
            return self._cached(args[0])
        if event == "os.rename":
            cached = self._cached(args[0]) and self._cached(args[1])
            return cached or (self._wanted(args[0]) and self._wanted(args[1]))
        return event in ("os.chmod", "os.remove") and self._wanted(args[0])

    def _shipped(self, file: str) -> bool:
        return file.startswith("<frozen ") or os.path.realpath(file).startswith(self.roots)

    def _library(self, module: str) -> str:
        """The file of a module that compiles what programs say about their classes."""
        return str(sys.modules[module].__file__) if module in sys.modules else "?"

    def _cached(self, path: object) -> bool:
        """Whether a path lies in the cache, or the cache in it."""
        if not isinstance(path, str):
            return False
        one, other = os.path.normpath(Path.cwd() / path) + os.sep, self.cache + os.sep
        return one.startswith(other) or other.startswith(one)

    def _wanted(self, path: object) -> bool:
        """Whether a path is a file that was to be written, or its draft beside it."""
        whole = os.path.normpath(Path.cwd() / os.fsdecode(path)) if _named(path) else ""
        drafts = whole.endswith(".tmp") and any(whole.startswith(f"{w}.") for w in self.writes)
        return whole in self.writes or drafts

    def peak(self) -> None:
        """The most memory this process and the largest of its children held, together."""
        status = Path("/proc/self/status").read_text(encoding="ascii")
        own = int(status.partition("VmHWM:")[2].split()[0])
        children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.write(f"peak {own + children}")
        self.write(f"used {sum(os.times()[:4])}")


def _named(path: object) -> TypeGuard[str | bytes | os.PathLike[str]]:
    return isinstance(path, str | bytes | os.PathLike)


def replace(kind: str) -> None:
    """Let a stranger's folder take the place of the shipped one."""
    folder = os.environ.get(f"HOSTILE_{kind.upper()}")
    if folder:
        module = sys.modules[f"seatlog.{kind}"] = ModuleType(f"seatlog.{kind}")
        module.__path__ = [folder]


def install() -> None:
    """Watch this process and those it forks."""
    replace("facts")
    replace("rules")
    log = os.environ.get("HOSTILE_LOG")
    if log:
        package = os.environ["HOSTILE_PACKAGE"].split(os.pathsep)
        writes = os.environ["HOSTILE_WRITES"].split("\n")
        audit = Audit(log, os.environ["HOSTILE_CACHE"], package, writes)
        atexit.register(audit.peak)
        first, leave = os.getpid(), os._exit

        def exit_at_once(status: int) -> NoReturn:
            if os.getpid() == first:
                audit.peak()
            leave(status)

        os._exit = exit_at_once
        sys.addaudithook(audit.hook)


install()

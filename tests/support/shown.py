"""What a text shows is made anew and compared, so that nothing in it is typed.

``SEATLOG_GOLDEN=write`` writes over what has changed and fails once, so that the difference is
read. In a Markdown text these are made anew, in the order they stand and in one folder:

- blocks of ``console``: each line after ``$`` is run, and what it prints stands below it;
- blocks of ``ipython``: each cell after ``In [1]: `` is run in a shell, one a text, and what it
  prints stands below it;
- blocks of ``python``: with ``>>>`` what each statement prints stands below it, else it only runs;
- any block below a line that ends in a file's name in backticks and a colon is written there first;
- what stands between ``<!-- name -->`` and ``<!-- end -->`` is put in by whoever knows that name.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import processes

WRITE = os.environ.get("SEATLOG_GOLDEN") == "write"

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"`([\w./-]+\.\w+)`:$")
_MORE = "   ...: "
_CELL = re.compile(rf"^In \[\d+\]: (.*)\n(?:{re.escape(_MORE.rstrip())}.*\n)*", re.MULTILINE)
_MARK = re.compile(r"<!-- (\w+) -->\n.*?<!-- end -->", re.DOTALL)


class Block(NamedTuple):
    """A fenced block: its language, what stands in it, and the file that it is, if it is one."""

    language: str
    body: str
    file: str


def same(path: Path, made: str) -> None:
    """What was made is what a file holds; where that is wanted, it is written there, and fails."""
    known = path.read_text(encoding="utf-8") if path.is_file() else ""
    if WRITE and made != known:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made, encoding="utf-8")
        pytest.fail(f"{path.name} was rewritten: read the difference, then run again")
    assert made.splitlines() == known.splitlines()


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a text."""
    return [_block(text, found) for found in _BLOCK.finditer(text)]


def marked(text: str, known: Mapping[str, str]) -> str:
    """The text with what belongs between its marks."""

    def put(found: re.Match[str]) -> str:
        return f"<!-- {found[1]} -->\n\n{known[found[1]]}\n<!-- end -->"

    return _MARK.sub(put, text)


def remade(text: str, folder: Path) -> str:
    """The text with its blocks made anew, one after the other, in a folder."""
    names: dict[str, Any] = {"__name__": "__main__"}
    shells: list[Any] = []

    def make(found: re.Match[str]) -> str:
        block = _block(text, found)
        if block.file:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.body, encoding="utf-8")
        elif block.language == "console":
            return _fenced(block, transcript(block.body, folder))
        elif block.language == "python":
            with contextlib.chdir(folder):
                return _fenced(block, session(block.body, names))
        elif block.language == "ipython":
            shell = shells[0] if shells else _shell(folder)
            shells[:] = [shell]
            with contextlib.chdir(folder):
                return _fenced(block, cells(block.body, shell))
        return found[0]

    return _BLOCK.sub(make, text)


def transcript(shown: str, folder: Path) -> str:
    """The commands of a transcript, each with what it prints now."""
    out = []
    for line in shown.splitlines():
        if line.startswith("$ "):
            words = shlex.split(line[2:])
            assert words[0] == "seatlog", line
            done = processes.run(*words[1:], cwd=folder, COLUMNS="100")
            out += [line, *f"{done.stdout}{done.stderr}".splitlines()]
    return "".join(f"{line}\n" for line in out)


def session(shown: str, names: dict[str, Any]) -> str:
    """Python statements, each with what it prints now; a block without ``>>>`` only runs."""
    parsed = doctest.DocTestParser().parse(shown)
    if not any(isinstance(part, doctest.Example) for part in parsed):
        exec(compile(shown, "python", "exec"), names)  # noqa: S102 (our own documentation)
        return shown
    return "".join(part if isinstance(part, str) else _run(part, names) for part in parsed)


def _shell(folder: Path) -> Any:
    """An IPython shell that keeps its history to itself."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    made: Any = InteractiveShell
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(folder / ".ipython"))
        return made(config=Config(HistoryManager=Config(enabled=False)))


def cells(shown: str, shell: Any) -> str:
    """The cells of a shell, each with what it prints now."""
    out = []
    for found in _CELL.finditer(shown):
        typed = found[0].rstrip("\n").split("\n")
        text = "\n".join([found[1], *(line[len(_MORE) :] for line in typed[1:])])
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            shell.run_cell(text, store_history=True)
        printed = (line.rstrip() for line in said.getvalue().strip().splitlines())
        out.append("".join(f"{line}\n" for line in (*typed, *printed)))
    return "\n".join(out)


def _run(example: doctest.Example, names: dict[str, Any]) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            exec(compile(example.source, "python", "single"), names)  # noqa: S102
        except Exception as error:
            print("Traceback (most recent call last):\n    ...")
            print("".join(traceback.format_exception_only(error)), end="")
    first, *more = example.source.splitlines()
    lines = [f">>> {first}", *(f"... {line}".rstrip() for line in more)]
    lines += [line or "<BLANKLINE>" for line in said.getvalue().splitlines()]
    return "".join(f"{line}\n" for line in lines)


def _block(text: str, found: re.Match[str]) -> Block:
    above = text[: found.start()].rstrip().rpartition("\n")[2]
    file = _FILE.search(above)
    return Block(found[1], found[2], file[1] if file else "")


def _fenced(block: Block, body: str) -> str:
    return f"```{block.language}\n{body}```"


def headings(text: str) -> Iterator[str]:
    """The headings of a text, as the links to them are written."""
    for line in _BLOCK.sub("", text).splitlines():
        if line.startswith("#"):
            words = re.sub(r"[^\w\s-]", "", line.lstrip("#").strip().lower())
            yield words.replace(" ", "-")

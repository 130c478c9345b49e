"""What the documentation shows is what comes out, and what it lists is what there is."""

from __future__ import annotations

import ast
import functools
import importlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import click
import pytest

import processes
import seatlog
from places import ROOT, TESTS
from seatlog import cli, errors
from seatlog.language import NOTES
from shown import headings, marked, remade, same
from test_layers import MODULES, ROOMS, TOP_LEVEL, tree

DOCS = sorted((ROOT / "docs").glob("*.md"))
TEXTS = [*DOCS, *(ROOT / n for n in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))]
TEXTS.append(TESTS / "README.md")

UNTRACED = {"cli.main", "language.reader.read_clauses", "editions.assembling.assemble"}
"""Steps that a question of a prepared book doesn't take, and the one that ends the process."""


def text(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def rooms() -> str:
    """The rooms of the engine: what each is for, and what it may use."""
    rows = []
    for room, uses in ROOMS.items():
        about = (ast.get_docstring(tree(room)) or "").partition("\n\n")[0]
        first = re.split(r"(?<=\.)\s", " ".join(about.split()))[0].replace("``", "`")
        inner = MODULES[room].name == "__init__.py" and room != "__init__"
        allowed = ", ".join(f"`{use}`" for use in uses.split())
        rows.append(f"| `{room}{'/' * inner}` | {first} | {allowed} |")
    return "\n".join(["| room | is for | may use |", "|---|---|---|", *rows])


def codes() -> str:
    """Each fault's code, and its example."""
    rows = []
    for path in sorted((TESTS / "bad").glob("*.dl")):
        code, _, words = path.stem.partition("_")
        rows.append(f"| {code} | [{words.replace('_', ' ')}](../tests/bad/{path.name}) |")
    return "\n".join(["| code | example |", "|---|---|", *rows])


def recipes() -> str:
    """The table that stands atop the dealing."""
    about = importlib.import_module("seatlog.table.dealing").__doc__ or ""
    return "\n".join(x for x in about.splitlines() if x.startswith("|")).replace("``", "`")


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.stem)
def test_the_documentation_shows_what_comes_out(path: Path, tmp_path: Path) -> None:
    known = path.read_text(encoding="utf-8")
    made = marked(known, {"rooms": rooms(), "codes": codes(), "recipes": recipes()})
    same(path, remade(made, tmp_path))


def links() -> Iterator[tuple[Path, str]]:
    for path in TEXTS:
        for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
            yield path, target


def test_links_lead_somewhere() -> None:
    wrong = []
    for path, target in links():
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        if not there.exists() or not there.is_relative_to(ROOT):
            wrong.append(f"{path.name}: {target}")
        elif anchor and anchor not in headings(there.read_text(encoding="utf-8")):
            wrong.append(f"{path.name}: {target} (no such heading)")
    assert not wrong
    assert len(list(links())) > 20


def test_files_that_are_named_are_there() -> None:
    named = re.compile(rf"`((?:{'|'.join(map(re.escape, sorted(TOP_LEVEL)))})(?:/[\w./-]*)?)`")
    found = {(p, n) for p in TEXTS for n in named.findall(p.read_text(encoding="utf-8"))}
    made = {(p.name, n) for p, n in found if not (ROOT / n).exists()}
    assert made == {("rule-in-ten-minutes.md", "tests/scenarios/950.1_neighbours.toml")}
    assert len(found) > 15


def test_every_page_is_found_from_the_readme() -> None:
    linked = {target for path, target in links() if path == ROOT / "README.md"}
    assert {f"docs/{p.name}" for p in DOCS} <= linked


def noted(heading: str) -> set[str]:
    """The notes in the table below a heading of the reference."""
    part = text("reference.md").partition(f"# {heading}\n")[2].partition("\n#")[0]
    return set(re.findall(r"^\| `# ([a-z ]+):.*?` \|", part, re.MULTILINE))


def test_every_note_is_in_the_reference() -> None:
    for kind, heading in (
        ("section", "Notes on a section"),
        ("clause", "Notes on a clause"),
        ("vocabulary", "The vocabulary"),
    ):
        assert noted(heading) == {note for note, where in NOTES.items() if where == kind}


@pytest.mark.parametrize(
    ("heading", "module", "keys"),
    [
        ("Editions", "seatlog.editions.settings", "_KEYS"),
        ("Scenarios", "seatlog.cases.scenarios", "_KEYS"),
    ],
)
def test_every_key_is_in_the_reference(heading: str, module: str, keys: str) -> None:
    part = text("reference.md").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    said = re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE)
    assert sorted(said) == sorted(getattr(importlib.import_module(module), keys))


def test_every_public_name_and_error_is_on_the_page_about_python() -> None:
    page = text("python.md")
    said = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    known = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.SeatlogError)
    }
    assert said == known - {"SeatlogError"}
    functions = {n for n in seatlog.__all__ if n.islower() and not n.startswith("_")}
    missing = {n for n in functions if not re.search(rf"seatlog\.{n}\b|`{n}`", page)}
    assert not missing
    session = {n for n in vars(seatlog.Session) if not n.startswith("_")}
    untold = {n for n in session if not re.search(rf"\.{n}\b|`{n}`", page)}
    assert untold == {"name", "node"}


def hops() -> list[str]:
    """The functions on a question's way, in the order in which the page names them."""
    part = text("engine.md").partition("## One question\n")[2]
    rooms = "|".join(room for room in ROOMS if not room.startswith("_"))
    return re.findall(rf"`((?:{rooms})(?:\.\w+)+)`", part)


def resolved(name: str) -> Any:
    """What a name like ``room.module.Class.function`` stands for."""
    module = max((m for m in MODULES if name.startswith(f"{m}.")), key=len)
    found: Any = importlib.import_module(f"seatlog.{module}")
    for part in name.removeprefix(f"{module}.").split("."):
        found = getattr(found, part)
    return found


def code_of(name: str) -> CodeType:
    """What runs when it is called."""
    found = resolved(name)
    if isinstance(found, click.Command):
        found = found.callback
    if isinstance(found, functools.cached_property):
        found = found.func
    found = vars(found)["__init__"] if isinstance(found, type) else found
    code: CodeType = found.__code__
    return code


def test_the_way_of_a_question_is_the_one_it_goes() -> None:
    """Every function that is named exists, and they are first called in the order on the page."""
    names = list(dict.fromkeys(hops()))
    assert len(names) > 30
    for name in names:
        assert resolved(name), name
    asked = re.search(r"The way of `seatlog (.*?)`", text("engine.md"))
    assert asked
    words = [*shlex.split(asked[1]), "--budget", "none"]
    assert processes.run(*words).returncode == 0, "the book is prepared before"
    called = first_calls(words)
    steps = [n for n in names if n in called]
    assert steps == called
    behind = text("engine.md").partition("Had the budget run out")[2]
    assert set(names) - set(called) == UNTRACED | set(re.findall(r"`(.*?)`", behind))


def first_calls(words: list[str]) -> list[str]:
    """The functions that are named, in the order in which a command first calls them.

    In a process of its own, in which nothing has been called before.
    """
    script = f"import sys, test_docs; print(test_docs.traced({words!r}), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
    )
    found: list[str] = ast.literal_eval(done.stderr)
    return found


def traced(words: list[str]) -> list[str]:
    """The same in this process."""
    known = {code_of(name): name for name in dict.fromkeys(hops())}
    found: dict[str, None] = {}

    def note(frame: FrameType, event: str, _arg: object) -> None:
        if event == "call" and frame.f_code in known:
            found.setdefault(known[frame.f_code])

    sys.setprofile(note)
    cli.run(words)
    sys.setprofile(None)
    return list(found)

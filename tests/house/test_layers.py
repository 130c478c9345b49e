"""The house keeps its order: who imports whom, and that the engine knows no book.

Everything is read from the sources with ``ast``; nothing of the engine runs, except to learn the
names that the shipped books declare.
"""

from __future__ import annotations

import ast
import fnmatch
import importlib
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from places import ROOT
from seatlog.cli import COMMANDS
from seatlog.editions import editions, load_book

ENGINE = ROOT / "engine"

ROOMS = {
    "errors": "",
    "doors": "",
    "version": "",
    "model": "errors",
    "budget": "errors doors",
    "language": "model doors",
    "book": "language",
    "lint": "book version",
    "editions": "lint",
    "table": "editions",
    "solvers": "book",
    "worlds": "table solvers",
    "explain": "solvers",
    "game": "worlds explain",
    "views": "game",
    "cases": "game budget",
    "compare": "cases worlds",
    "authoring": "compare",
    "text": "compare",
    "repl": "views budget authoring",
    "notebook": "repl authoring",
    "editing": "editions",
    "server": "editing budget",
    "commands": "repl authoring text server",
    "cli": "commands",
    "__init__": "notebook",
    "__main__": "cli",
}
"""Each room, or module beside them, and the rooms that it may use, with those that these may."""

CORE = [
    "errors",
    "doors",
    "model",
    "language",
    "book",
    "lint",
    "editions",
    "table",
    "solvers",
    "explain",
    "game",
    "views",
    "cases",
    "compare",
    "authoring",
    "text",
    "editing",
]
"""What runs where there are no processes, threads or sockets."""

BEYOND_CORE = {
    "_thread",
    "asyncio",
    "concurrent",
    "multiprocessing",
    "select",
    "signal",
    "socket",
    "subprocess",
    "threading",
}

FACES = ("commands", "repl")
"""Rooms whose ``__init__`` does something by itself."""

TOP_LEVEL = {
    "benchmarks",
    "docs",
    "engine",
    "facts",
    "rules",
    "tests",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "pyproject.toml",
    "ruff.toml",
    "setup.cfg",
}

RULE_NUMBER = re.compile(r"\b\d{3}\.\d+[a-z]?\b")


def name_of(path: Path) -> str:
    """``commands.can`` for ``engine/commands/can.py``."""
    parts = path.relative_to(ENGINE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "__init__"


MODULES = {name_of(p): p for p in sorted(ENGINE.rglob("*.py")) if "__pycache__" not in p.parts}


@cache
def text(name: str) -> str:
    return MODULES[name].read_text(encoding="utf-8")


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(text(name))


@cache
def nodes(name: str) -> list[ast.AST]:
    """All nodes of a module's tree."""
    return list(ast.walk(tree(name)))


def room(name: str) -> str:
    """The room that a module stands in, or the module itself where it stands in none."""
    return name.partition(".")[0]


@cache
def usable(name: str) -> frozenset[str]:
    """The rooms that a room may use."""
    own = ROOMS[name].split()
    return frozenset(own).union(*(usable(each) for each in own))


def imports(name: str) -> Iterator[tuple[str, int]]:
    """Every module that a module imports, wherever it does so, with the line.

    Modules of the engine come with a leading dot.
    """
    package = MODULES[name].relative_to(ENGINE).parts[:-1]
    for node in nodes(name):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or "", node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1]
            start = ".".join((*base, *filter(None, [node.module])))
            for alias in node.names:
                inner = f"{start}.{alias.name}".strip(".")
                yield "." + (inner if inner in MODULES else start or "__init__"), node.lineno


def outside(name: str) -> Iterator[tuple[str, int]]:
    """The packages from outside the engine that a module imports."""
    for imported, line in imports(name):
        if not imported.startswith("."):
            yield imported.partition(".")[0], line


def show(name: str, line: int) -> str:
    return f"{MODULES[name].relative_to(ROOT)}:{line}"


def test_every_module_stands_in_a_room() -> None:
    assert {room(name) for name in MODULES} == set(ROOMS)
    assert {f"commands.{c}" for c in COMMANDS} <= set(MODULES)


def test_a_room_uses_what_it_may() -> None:
    wrong = []
    for name in MODULES:
        for imported, line in imports(name):
            theirs = room(imported[1:]) if imported.startswith(".") else ""
            if theirs and theirs not in {room(name), *usable(room(name))}:
                wrong.append(f"{show(name, line)} {name} imports {imported[1:]}")
    assert not wrong, "\n".join(wrong)


def test_a_room_is_entered_by_its_door() -> None:
    """Nobody outside names a module that stands in a room."""
    wrong = [
        f"{show(name, line)} {imported[1:]}"
        for name in MODULES
        for imported, line in imports(name)
        if imported.startswith(".") and "." in imported[1:] and room(imported[1:]) != room(name)
    ]
    assert not wrong, "\n".join(wrong)


DOORS = sorted({room(n) for n in MODULES if "." in n} - set(FACES))


@pytest.mark.parametrize("name", DOORS)
def test_a_room_hands_on_the_same_to_all(name: str) -> None:
    """What type checkers read is what there is, no more, and somebody uses each of it."""
    typed: dict[str, str] = {}
    said: dict[str, str] = {}
    for node in nodes(name):
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
            typed.update((alias.name, node.module) for alias in node.names)
            assert all(alias.asname == alias.name for alias in node.names)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "door":
            for keyword in node.keywords:
                words = ast.literal_eval(keyword.value).split()
                said.update((word, str(keyword.arg)) for word in words)
                assert words == sorted(words)
    assert said == typed
    package = importlib.import_module(f"seatlog.{name}")
    for word in said:
        assert getattr(package, word) is not None
    with pytest.raises(AttributeError, match="hands on no 'anything'"):
        package.anything  # noqa: B018
    about = ast.get_docstring(tree(name)) or ""
    assert len(about.split()) > 15, "a room says in a paragraph what it is for"


def test_what_a_room_hands_on_is_wanted_outside() -> None:
    handed = {f"{name}.{word}" for name in DOORS for word in handed_on(name)}
    others = [p for f in ("tests", "benchmarks") for p in (ROOT / f).rglob("*.py")]
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in others)
    walks = (*map(nodes, MODULES), *map(ast.walk, trees))
    for walk in walks:
        for node in walk:
            if isinstance(node, ast.ImportFrom) and node.module:
                start = node.module.removeprefix("seatlog.")
                handed -= {f"{start}.{alias.name}" for alias in node.names}
    assert not handed


def handed_on(name: str) -> Iterator[str]:
    """The names that a room hands on."""
    for node in nodes(name):
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
            yield from (alias.name for alias in node.names)


def test_nothing_imports_in_a_circle() -> None:
    left = {n: {i[1:] for i, _ in imports(n) if i.startswith(".")} - {n} for n in MODULES}
    while free := [n for n, needs in left.items() if not needs & set(left)]:
        for name in free:
            del left[name]
    assert not left, {n: sorted(needs & set(left)) for n, needs in left.items()}


def test_the_engine_imports_itself_relatively() -> None:
    wrong = [
        show(name, line)
        for name in MODULES
        for imported, line in outside(name)
        if imported in ("seatlog", "engine", "rules", "facts")
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("library", "where"),
    [
        ("pyDatalog", {"solvers.pydatalog"}),
        ("clingo", {"solvers.clingo"}),
        ("click", {"cli", "commands"}),
        ("watchfiles", {"commands.watch"}),
        ("pytest", {"cases.plugin"}),
        ("IPython", {"notebook.magics"}),
        ("pygls", {"server"}),
        ("lsprotocol", {"server"}),
    ],
)
def test_who_imports_a_library(library: str, where: set[str]) -> None:
    wrong = [
        show(name, line)
        for name in MODULES
        for imported, line in outside(name)
        if imported == library and name not in where and name.partition(".")[0] not in where
    ]
    assert not wrong


def test_a_solver_imports_no_library_but_its_own() -> None:
    libraries = {n.partition(".")[2] for n in MODULES if n.startswith("solvers.")}
    for name in MODULES:
        for imported, line in outside(name):
            if imported.lower() in libraries:
                assert name == f"solvers.{imported.lower()}", show(name, line)


def test_the_core_needs_no_processes_threads_or_sockets() -> None:
    wrong = [
        f"{show(name, line)} {imported}"
        for name in MODULES
        if room(name) in CORE
        for imported, line in outside(name)
        if imported in BEYOND_CORE and (name, imported) != ("solvers.pydatalog", "threading")
    ]
    assert not wrong
    used = {
        node.attr
        for node in ast.walk(tree("solvers.pydatalog"))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "threading"
    }
    assert used <= {"Lock", "RLock"}


def docstrings(module: ast.Module) -> set[int]:
    """The nodes that are docstrings."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {
        id(node.body[0].value)
        for node in ast.walk(module)
        if isinstance(node, kinds)
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    }


def strings(name: str) -> Iterator[tuple[str, int]]:
    """The strings of a module that are no docstrings, those inside f-strings included."""
    skip = docstrings(tree(name))
    for node in nodes(name):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skip:
            yield node.value, node.lineno


def comments(name: str) -> Iterator[tuple[str, int]]:
    for token in tokenize.generate_tokens(io.StringIO(text(name)).readline):
        if token.type == tokenize.COMMENT:
            yield token.string, token.start[0]


def identifiers(name: str) -> Iterator[tuple[str, int]]:
    for node in nodes(name):
        words: list[str | None] = []
        if isinstance(node, ast.Name):
            words = [node.id]
        elif isinstance(node, ast.Attribute):
            words = [node.attr]
        elif isinstance(node, ast.arg | ast.keyword):
            words = [node.arg]
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            words = [node.name]
        elif isinstance(node, ast.alias):
            words = [node.name, node.asname]
        line = getattr(node, "lineno", 0)
        yield from ((w, line) for w in words if w)


def declared() -> set[str]:
    """Every predicate of every shipped edition."""
    out: set[str] = set()
    for edition in editions():
        book = load_book(edition)
        out |= {*book.predicates, *book.vocabulary.facts}
    return out


def test_no_rule_number_in_the_engine() -> None:
    wrong = [
        f"{show(name, line)} {said!r}"
        for name in MODULES
        for said, line in (*strings(name), *comments(name))
        if RULE_NUMBER.search(said)
    ]
    assert not wrong, "\n".join(wrong)


def meant_as_names(module: ast.Module) -> Iterator[tuple[str, int]]:
    """Strings that stand where a predicate's name stands.

    The first argument of ``Literal`` and its like, what a ``name`` is compared with, and keys of
    what is kept by name.
    """

    def said(*nodes: ast.expr) -> Iterator[tuple[str, int]]:
        for node in nodes:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    yield inner.value, inner.lineno

    by_name = {"facts", "predicates", "by_head", "arg_sorts"}
    makers = {"Literal", "Statement", "Predicate", "Fact", "clauses_of", "rows"}
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            made = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
            holder = getattr(getattr(node.func, "value", None), "attr", "")
            if node.args and (made in makers or (made == "get" and holder in by_name)):
                yield from said(node.args[0])
        elif isinstance(node, ast.Subscript) and getattr(node.value, "attr", "") in by_name:
            yield from said(node.slice)
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(getattr(side, "attr", "") in ("name", "predicate") for side in sides):
                yield from said(*sides)


def test_no_predicate_name_in_the_engine() -> None:
    """A name in two words is a trace anywhere; a plain English word where only a name can stand."""
    names = declared()
    assert len(names) > 50
    joined = {n for n in names if "_" in n}
    used = re.compile(rf"\b(?:{'|'.join(sorted(names))})\(")
    wrong = []
    for name in MODULES:
        for word, line in identifiers(name):
            if word in joined:
                wrong.append(f"{show(name, line)} {word}")
        for said, line in meant_as_names(tree(name)):
            if said in names:
                wrong.append(f"{show(name, line)} {said!r}")
        for said, line in (*strings(name), *comments(name)):
            if joined & set(re.findall(r"\w+", said)) or used.search(said):
                wrong.append(f"{show(name, line)} {said!r}")
    assert not wrong, "\n".join(wrong)


def test_the_search_for_names_finds_them() -> None:
    assert RULE_NUMBER.search("see 801.2a, please")
    assert not RULE_NUMBER.search("version 0.22.4 of 2026")
    assert any("_" in n for n in declared())
    code = """
Literal("one", ())
if clause.head.name == "two" or fact.name in ("three", "four"): pass
facts = book.vocabulary.facts["five"], book.predicates.get("six"), words["seven"], f("eight")
"""
    found = [word for word, _ in meant_as_names(ast.parse(code))]
    assert sorted(found) == ["five", "four", "one", "six", "three", "two"]


def test_no_module_is_a_drawer_for_everything() -> None:
    names = {part for name in MODULES for part in name.split(".")}
    assert not names & {"utils", "util", "helpers", "helper", "misc", "common", "tools"}


def test_public_functions_and_classes_say_what_they_do() -> None:
    wrong = [name for name in MODULES if not ast.get_docstring(tree(name))]
    for name in MODULES:
        for node in tree(name).body:
            if (
                isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
                and not node.name.startswith("_")
                and not ast.get_docstring(node)
            ):
                wrong.append(f"{show(name, node.lineno)} {node.name}")
    assert not wrong, "\n".join(wrong)


def ignored() -> list[str]:
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    return [line.rstrip("/") for line in lines]


def test_the_top_level_holds_what_it_should() -> None:
    found = {p.name for p in ROOT.iterdir() if not p.name.startswith(".")}
    built = {n for n in found if any(fnmatch.fnmatch(n, i) for i in ignored())}
    assert found - built <= TOP_LEVEL


def project_files() -> list[Path]:
    """The files of the project: those git knows or would take, else all that isn't ignored."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
        names = [n for n in done.stdout.decode().split("\0") if n]
        return [p for n in names if (p := ROOT / n).is_file()]
    except (OSError, subprocess.CalledProcessError):
        skip = ignored()
        return [
            p
            for p in ROOT.rglob("*")
            if p.is_file()
            and not any(
                part == ".git" or fnmatch.fnmatch(part, i)
                for part in p.relative_to(ROOT).parts
                for i in skip
            )
        ]


HOMES = ("home", "root", "tmp", "work", "usr", "opt", "var", "mnt", "srv", "media", "Users")
ABSOLUTE = re.compile(
    rf"""(?<![\w.~:/$}}<\])-])/(?:{"|".join(HOMES)})/(?!bin/env\b)|\b[A-Z]:\\\w|\bfile:/"""
)
HOSTS = re.compile(
    "|".join(
        ("py" + "pi", "python" + "hosted", "index" + "-url", "npm" + "js", r"crates\.i" + "o")
    ),
    re.IGNORECASE,
)


@pytest.mark.parametrize("pattern", [ABSOLUTE, HOSTS], ids=["absolute path", "registry host"])
def test_files_speak_of_no_machine(pattern: re.Pattern[str]) -> None:
    wrong = []
    for path in project_files():
        if path == Path(__file__):
            continue
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        wrong += [
            f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}"
            for number, line in enumerate(lines, 1)
            if pattern.search(line) or str(ROOT) in line
        ]
    assert not wrong, "\n".join(wrong)


def test_the_search_for_paths_finds_them() -> None:
    for path in ("see /home/me/x", '"/tmp/x"', "open('/usr/lib/x')", r"C:\x", "file:///x"):
        assert ABSOLUTE.search(path), path
    for fine in ("#!/usr/bin/env bash", "tests/tmp/x", "$HOME/work/x", "a /work b", "~/tmp/x"):
        assert not ABSOLUTE.search(fine), fine

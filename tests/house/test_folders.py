"""Tests lie in folders that say what they hold, and what helps them lies apart."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from places import TESTS

FILES = [p.relative_to(TESTS) for p in sorted(TESTS.rglob("*.py"))]


def misplaced(file: Path) -> str:
    """What is wrong with where a file lies below ``tests``, if anything."""
    folder, test = file.parts[:-1], file.name.startswith("test_")
    if folder[:1] == ("support",):
        return "a test among helpers" if test or file.name == "conftest.py" else ""
    if test:
        return "" if len(folder) == 1 else "a test outside a folder"
    return "" if file == Path("conftest.py") else "a helper among tests"


def test_tests_lie_in_folders_and_helpers_apart() -> None:
    assert not {str(file): wrong for file in FILES if (wrong := misplaced(file))}


@pytest.mark.parametrize(
    ("file", "wrong"),
    [
        ("test_x.py", "a test outside a folder"),
        ("game/more/test_x.py", "a test outside a folder"),
        ("x.py", "a helper among tests"),
        ("game/x.py", "a helper among tests"),
        ("game/conftest.py", "a helper among tests"),
        ("support/test_x.py", "a test among helpers"),
        ("support/tables/test_x.py", "a test among helpers"),
        ("support/tables/x.py", ""),
        ("game/test_x.py", ""),
        ("conftest.py", ""),
    ],
)
def test_what_lies_wrong_is_found(file: str, wrong: str) -> None:
    assert misplaced(Path(file)) == wrong


def test_no_two_files_share_a_name() -> None:
    """pytest and mypy know tests and helpers by their bare names."""
    assert not [name for name, times in Counter(file.name for file in FILES).items() if times > 1]


def test_every_folder_of_helpers_is_on_the_path(pytestconfig: pytest.Config) -> None:
    folders = {(TESTS / file).parent for file in FILES if file.parts[0] == "support"}
    assert set(pytestconfig.getini("pythonpath")) == folders


def test_the_readme_names_every_folder() -> None:
    said = re.findall(r"`(\w+)/`", (TESTS / "README.md").read_text(encoding="utf-8"))
    files = [p for p in TESTS.rglob("*/*") if p.is_file() and p.suffix != ".pyc"]
    assert sorted(said) == sorted({p.relative_to(TESTS).parts[0] for p in files})

"""Other people's tests go on with Seatlog beside them, whatever their pytest.

Each pytest is installed into an environment of its own, which needs a package index: asked for with
``SEATLOG_PYTESTS=1``, as ``make soak`` does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from places import ROOT

pytestmark = pytest.mark.skipif(
    not os.environ.get("SEATLOG_PYTESTS"), reason="needs a package index: SEATLOG_PYTESTS=1"
)
SOURCES = ("engine", "rules", "facts", "setup.cfg", "pyproject.toml", "README.md", "LICENSE")
SCENARIO = """
[[scenario]]
name = "next door"
table.seats = ["Ann", "Ben", "Cy", "Di"]
table.range = 1
can = ["Ann", "reach", "{}"]
answer = "yes"
cites = ["801.2", "801.2a"]
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is installed, since building leaves things behind."""
    folder = tmp_path_factory.mktemp("sources")
    for name in SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    return folder


@pytest.mark.parametrize("version", [6, 7, 8, 9])
def test_an_unrelated_project_is_tested_as_before(
    version: int, sources: Path, tmp_path: Path
) -> None:
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    install: list[str | Path] = [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        sources,
        f"pytest=={version}.*",
    ]
    subprocess.run(install, check=True)
    project = tmp_path / "project"
    (project / "cases").mkdir(parents=True)
    (project / "test_own.py").write_text("def test_own():\n    assert True\n", encoding="utf-8")
    (project / "own.toml").write_text("a = 1\n", encoding="utf-8")
    ini = project / "pytest.ini"
    ini.write_text("[pytest]\nfilterwarnings = error\n", encoding="utf-8")

    def run() -> subprocess.CompletedProcess[str]:
        command: list[str | Path] = [python, "-m", "pytest", "-p", "no:cacheprovider"]
        return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)

    plain = run()
    assert (plain.returncode, plain.stderr) == (0, ""), plain.stdout
    assert "1 passed" in plain.stdout and "seatlog" not in plain.stdout.partition("plugins")[0]
    for name, whom in (("good.toml", "Ben"), ("bad.toml", "Cy")):
        (project / "cases" / name).write_text(SCENARIO.format(whom), encoding="utf-8")
    with ini.open("a", encoding="utf-8") as stream:
        stream.write("seatlog_scenarios = cases\n")
    done = run()
    if version == 6:
        assert done.returncode == 4
        assert "seatlog_scenarios needs pytest 7 or newer" in done.stderr
    else:
        assert done.returncode == 1
        assert "1 failed, 2 passed" in done.stdout
        assert "answer: expected yes, found no" in done.stdout
        assert "Traceback" not in done.stdout

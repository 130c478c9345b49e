"""A new issue arrives: the page about it, the job file, and the hooks that go before commits."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from places import ROOT
from processes import run
from shown import blocks
from small_issues import RULES, beds, issue

PAGE = (ROOT / "docs" / "new-issue.md").read_text(encoding="utf-8")
JOB = (ROOT / "docs" / "ci" / "rule-text.yml").read_text(encoding="utf-8")
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")


def files(folder: Path) -> None:
    """The files of the page, as they stand there at last."""
    for block in blocks(PAGE):
        if block.file:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.body, encoding="utf-8")


def test_the_page_comes_to_a_green_check_in_six_commands(tmp_path: Path) -> None:
    files(tmp_path)
    way = PAGE.partition("## 1. ")[2].partition("## When only")[0]
    commands = [shlex.split(line[2:])[1:] for line in way.splitlines() if line.startswith("$ ")]
    assert len(commands) == 6 and "six\ncommands" in PAGE
    codes = [run(*words, cwd=tmp_path).returncode for words in commands]
    assert codes == [1, 1, 0, 1, 0, 0]
    assert run("test", "cup.toml", cwd=tmp_path).returncode == 0
    for book in ("cup", "cup2032"):
        assert run("lint", book, cwd=tmp_path).returncode == 0
        assert run("fmt", book, "--check", cwd=tmp_path).returncode == 0


def step(name: str) -> str:
    """The script of a step of the job."""
    part = JOB.partition(f"- name: {name}\n        run: |\n")[2]
    lines = re.match(r"(?: {10}.*\n|\n)+", part)
    assert lines
    return "".join(line[10:] for line in lines[0].splitlines(keepends=True))


@pytest.mark.parametrize("old", [True, False])
@pytest.mark.parametrize("same", [True, False])
def test_the_job_checks_and_sums_up(tmp_path: Path, old: bool, same: bool) -> None:
    """The scripts of its steps as they stand, in a shell that stops where one of them fails."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash here")
    beds(tmp_path)
    if old:
        issue(tmp_path, "old.txt", RULES)
    new = RULES if same else {**RULES, "900.1": RULES["900.1"].replace("noon", "dawn")}
    issue(tmp_path, "new.txt", new, "June 2, 2032")
    seatlog = f'seatlog() {{ {shlex.quote(sys.executable)} -m seatlog "$@"; }}\n'
    done = subprocess.run(
        [bash, "-e", "-o", "pipefail", "-c", seatlog + step("check")],
        cwd=tmp_path,
        env={**os.environ, "EDITION": "beds", "GITHUB_STEP_SUMMARY": str(tmp_path / "sum.md")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == (0 if same else 1), done.stderr
    assert ("::error file=beds/rules.dl,line=" in done.stdout) is not same
    summary = (tmp_path / "sum.md").read_text(encoding="utf-8")
    assert summary.startswith("## `beds` against `new.txt")
    assert ("| reworded | 1 |" in summary) is not same
    assert ("<ins>dawn" in summary) is (old and not same)


def test_the_job_fetches_only_what_it_is_told() -> None:
    script = step("fetch the issues")
    assert '"$NEW"' in script and '"$OLD"' in script and "http" not in JOB
    assert "vars.RULE_BOOK }}" in JOB and "vars.RULE_BOOK_BEFORE }}" in JOB


def test_hooks_run_what_they_name(tmp_path: Path) -> None:
    files(tmp_path)
    scenarios = tmp_path / "tests" / "scenarios"
    scenarios.mkdir(parents=True)
    shutil.copy(tmp_path / "cup.toml", scenarios)
    hooks = {
        hook["id"]: hook
        for part in re.split(r"^- ", HOOKS, flags=re.MULTILINE)[1:]
        if (hook := dict(re.findall(r"^\s*(\w+): (.*)$", part, re.MULTILINE)))
    }
    assert sorted(hooks) == ["seatlog-fmt", "seatlog-lint", "seatlog-test"]
    assert set(re.findall(r"- id: (\S+)", PAGE)) == set(hooks)
    clauses = ["cup/900.1_passing.dl", "cup/900.2_turns.dl"]
    given = {"seatlog-fmt": clauses, "seatlog-lint": ["cup"], "seatlog-test": []}
    for name, hook in hooks.items():
        program, *words = hook["entry"].split()
        assert program == "seatlog" and hook["language"] == "python"
        assert (hook.get("pass_filenames") == "false") is (given[name] != clauses)
        done = run(*words, *given[name], cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert re.search(hook["files"], clauses[0])
    assert re.search(hooks["seatlog-lint"]["files"], "rules/cup/edition.toml")

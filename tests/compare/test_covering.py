"""What scenarios are said to cover: by way of what is open, of alarms, and of one section alone."""

from __future__ import annotations

from pathlib import Path

import pytest

import processes
import small_books
from seatlog.cases import Scenario, read_scenarios
from seatlog.commands import covering
from seatlog.commands.covering import Covering
from seatlog.compare import Coverage
from seatlog.editions import load_book
from seatlog.errors import QuestionError


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_books.books(tmp_path_factory.mktemp("covered"))


@pytest.fixture(scope="module")
def cases(top: Path) -> dict[str, Scenario]:
    return {each.name: each for each in read_scenarios(top / "cases.toml")}


@pytest.mark.parametrize(
    ("name", "heads"),
    [
        ("said nowhere", {"can_rest", "unclear", "accompanied"}),
        ("next door", {"can_reach", "accompanied"}),
        ("alone", {"alone"}),
    ],
)
def test_a_clause_is_covered_by_what_rests_on_it(
    top: Path, cases: dict[str, Scenario], name: str, heads: set[str]
) -> None:
    """An answer that is open rests on why, and a table that is taken on what no alarm is about."""
    book = load_book(str(top / "low"))
    coverage = Coverage(book)
    coverage.take(cases[name])
    left = {each.clause.head.name for each in coverage.uncovered() if not each.holds}
    assert {clause.head.name for clause in coverage.clauses} - left == heads


def test_one_section_can_be_looked_at_alone(top: Path, cases: dict[str, Scenario]) -> None:
    found = Covering([cases["next door"]], str(top / "low"), ["1.2"])
    found.take(cases["next door"])
    (plain,) = found.plain()
    assert list(plain["sections"]) == ["1.2"]
    assert plain["whole"] == plain["sections"]["1.2"]
    assert {each["rule"] for each in plain["uncovered"]} == {"1.2"}
    with pytest.raises(QuestionError, match=r"no book that was asked has a section '1\.9'"):
        Covering([cases["next door"]], str(top / "low"), ["1.9"])


@pytest.mark.parametrize(
    ("asked", "editions"),
    [
        (("low", "same"), {"low": ["1.1", "1.2"], "same": ["1.2"]}),
        (("same",), {"same": ["1.1", "1.2"]}),
    ],
)
def test_a_section_is_looked_at_in_the_books_whose_files_have_it(
    top: Path, cases: dict[str, Scenario], asked: tuple[str, ...], editions: dict[str, list[str]]
) -> None:
    scenarios = [cases["next door"]._replace(edition=str(top / name)) for name in asked]
    found = Covering(scenarios, None, ["1.1", "1.2"]).plain()
    assert {each["edition"]: list(each["sections"]) for each in found} == editions


def test_of_many_sections_only_the_shares_are_shown(
    top: Path, cases: dict[str, Scenario], monkeypatch: pytest.MonkeyPatch
) -> None:
    every = Covering([cases["next door"]], str(top / "low"))
    assert any(line.endswith("no answer rests on it") for line in every.lines())
    monkeypatch.setattr(covering, "MANY", 0)
    *shares, last = every.lines()
    assert all(" sections covered whole" in line or " clauses " in line for line in shares)
    assert last == "what isn't covered of a section: --section NUMBER"
    named = Covering([cases["next door"]], str(top / "low"), ["1.2"])
    assert any(line.endswith("no answer rests on it") for line in named.lines())


def test_sections_are_for_what_is_covered(top: Path) -> None:
    done = processes.run("test", "--section", "1.2", "cases.toml", cwd=top)
    assert done.returncode == 2
    assert "--section is for what --coverage finds" in done.stderr

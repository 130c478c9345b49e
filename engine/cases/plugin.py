"""Scenarios as pytest items: the ini option ``seatlog_scenarios`` names their folders.

The plugin is registered by the package and does nothing where that option isn't set.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .scenarios import Scenario


def pytest_addoption(parser: pytest.Parser) -> None:
    """The ini option ``seatlog_scenarios``."""
    parser.addini("seatlog_scenarios", "folders with scenario files", type="paths", default=[])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect the scenario files under the folders that were named."""
    folders: list[Path] = parent.config.getini("seatlog_scenarios")
    if file_path.suffix == ".toml" and any(f in file_path.parents for f in folders):
        collector: pytest.Collector = ScenarioFile.from_parent(parent, path=file_path)
        return collector
    return None


class ScenarioFile(pytest.File):
    """One scenario file."""

    def collect(self) -> Iterator[pytest.Item]:
        """Its scenarios."""
        from .scenarios import read_scenarios

        for scenario in read_scenarios(self.path):
            item: ScenarioItem = ScenarioItem.from_parent(
                self, name=scenario.name, scenario=scenario
            )
            yield item


class ScenarioFailed(Exception):
    """The answer or the rules cited are not the expected ones."""


class ScenarioItem(pytest.Item):
    """One scenario."""

    def __init__(self, *, scenario: Scenario, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.scenario = scenario

    def runtest(self) -> None:
        """Ask, and compare answer and rules cited."""
        from .scenarios import run

        outcome = run(self.scenario)
        if not outcome.passed:
            raise ScenarioFailed(outcome.trouble)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The comparison alone, without a traceback."""
        if isinstance(excinfo.value, ScenarioFailed):
            return f"{self.name}\n{excinfo.value}\n{self.scenario.command()}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the scenario stands."""
        return self.path, None, self.name

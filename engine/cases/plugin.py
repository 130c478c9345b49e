"""Scenarios as pytest items: the ini option ``seatlog_scenarios`` names their folders.

The plugin is registered by the package and does nothing where that option isn't set. pytest before
7 has another way to collect files: there the option is known, and setting it is refused.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ..budget import Budget, Step
    from .scenarios import Outcome, Scenario

_FOLDERS, _BUDGET = "seatlog_scenarios", "seatlog_budget"
_OLD = not hasattr(pytest, "version_tuple")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The ini options ``seatlog_scenarios`` and ``seatlog_budget``."""
    kind: Any = "pathlist" if _OLD else "paths"
    parser.addini(_FOLDERS, "folders with scenario files", type=kind, default=[])
    parser.addini(_BUDGET, "time and memory that a scenario may take, like 2s,200MB", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a wrong budget, and a pytest that can't collect scenarios."""
    if config.getini(_FOLDERS):
        if _OLD:
            raise pytest.UsageError(f"{_FOLDERS} needs pytest 7 or newer")
        from ..errors import SeatlogError

        try:
            _allowed(config)
        except SeatlogError as error:
            raise pytest.UsageError(f"{_BUDGET}: {error}") from None


def _allowed(config: pytest.Config) -> Budget:
    from ..budget import budget

    return budget(config.getini(_BUDGET) or None)


if not _OLD:

    def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect the scenario files under the folders that were named."""
        folders: list[Path] = parent.config.getini(_FOLDERS)
        if file_path.suffix == ".toml" and any(f in file_path.parents for f in folders):
            collector: pytest.Collector = ScenarioFile.from_parent(parent, path=file_path)
            return collector
        return None


class ScenarioFile(pytest.File):
    """One scenario file. Its scenarios are asked together, in a process that can be ended."""

    _outcomes: dict[ScenarioItem, Outcome]

    def collect(self) -> Iterator[pytest.Item]:
        """Its scenarios."""
        from ..errors import printable
        from .scenarios import read_scenarios

        self._outcomes = {}
        for scenario in read_scenarios(self.path):
            item: ScenarioItem = ScenarioItem.from_parent(
                self, name=printable(scenario.name), scenario=scenario
            )
            yield item

    def outcome(self, item: ScenarioItem) -> Outcome:
        """What came out of one of them, asked with those that are chosen as well.

        Raises BudgetError.
        """
        from ..errors import BudgetError

        allowed = _allowed(self.config)
        if item not in self._outcomes:
            chosen = [i for i in self.session.items if isinstance(i, ScenarioItem)]
            every = [i for i in chosen if i.parent is self] if not self._outcomes else []
            try:
                self._outcomes |= _asked([item, *(i for i in every if i is not item)], allowed)
            except BudgetError:
                self._outcomes |= _asked([item], allowed)
        return self._outcomes[item]


class ScenarioFailed(Exception):
    """The answer or the rules cited are not the expected ones."""


class ScenarioItem(pytest.Item):
    """One scenario."""

    def __init__(self, *, scenario: Scenario, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.scenario = scenario

    def runtest(self) -> None:
        """Ask, and compare answer and rules cited."""
        assert isinstance(self.parent, ScenarioFile)
        outcome = self.parent.outcome(self)
        if not outcome.passed:
            raise ScenarioFailed(outcome.trouble)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The comparison alone, or how the budget ran out, without a traceback."""
        from ..errors import BudgetError

        if isinstance(excinfo.value, ScenarioFailed | BudgetError):
            return f"{self.name}\n{excinfo.value}\n{self.scenario.command()}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the scenario stands."""
        return self.path, None, self.name


def _asked(items: Sequence[ScenarioItem], allowed: Budget) -> dict[ScenarioItem, Outcome]:
    """What comes out of scenarios, each held to a budget. Raises BudgetError."""
    from ..budget import apart, within
    from ..errors import BudgetError
    from .scenarios import Outcome, run

    def work(step: Step) -> bytes:
        found = []
        for item in items:
            step(f"in scenario {item.scenario.name!r}")
            found.append(run(item.scenario)[1:])
        return pickle.dumps(found)

    data = apart(work, allowed, allows=f'{_BUDGET} = "{{}}" allows more')
    if not data and items[1:]:
        raise BudgetError("a scenario ended its process")
    if not data:
        return {items[0]: within(allowed, run, items[0].scenario)}
    found: list[Any] = pickle.loads(data)  # noqa: S301
    return {i: Outcome(i.scenario, *rest) for i, rest in zip(items, found, strict=True)}

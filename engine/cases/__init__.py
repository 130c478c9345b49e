"""Scenarios: tables, questions, and the answers and rules cited that are expected.

Also which of a book's sections they cite, and the plugin that makes them items of pytest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .proposals import Proposal as Proposal
    from .proposals import proposed as proposed
    from .proposals import write as write
    from .proposals import written as written
    from .scenarios import BULK as BULK
    from .scenarios import DEFAULT as DEFAULT
    from .scenarios import Outcome as Outcome
    from .scenarios import Scenario as Scenario
    from .scenarios import Sessions as Sessions
    from .scenarios import answered as answered
    from .scenarios import counted as counted
    from .scenarios import put as put
    from .scenarios import read_scenarios as read_scenarios
    from .scenarios import run as run
    from .scenarios import scenario_files as scenario_files
    from .scenarios import scenarios_in as scenarios_in
    from .scenarios import unreadable as unreadable
    from .scenarios import verdict as verdict
    from .sections import about_sections as about_sections
    from .sections import chapters as chapters
    from .sections import gaps_of as gaps_of
    from .sections import numbers as numbers
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        proposals="Proposal proposed write written",
        scenarios=(
            "BULK DEFAULT Outcome Scenario Sessions answered counted put read_scenarios "
            "run scenario_files scenarios_in unreadable verdict"
        ),
        sections="about_sections chapters gaps_of numbers",
    )

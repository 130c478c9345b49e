"""Issues of a rule book as they are printed: their rules, what changed, and what rests on it.

Nothing of the text is kept: what a book of clauses says of it are numbers and digests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .checking import QUIET as QUIET
    from .checking import Checked as Checked
    from .checking import Held as Held
    from .checking import New as New
    from .checking import checked as checked
    from .issue import Issue as Issue
    from .issue import Rule as Rule
    from .issue import Term as Term
    from .markdown import diff_markdown as diff_markdown
    from .marks import Run as Run
    from .marks import runs as runs
    from .matching import KINDS as KINDS
    from .matching import NOISE as NOISE
    from .matching import Match as Match
    from .matching import matched as matched
    from .page import diff_page as diff_page
    from .pairing import Rival as Rival
    from .reading import MAX_ISSUE as MAX_ISSUE
    from .reading import open_issue as open_issue
    from .reading import read_issue as read_issue
    from .recording import Header as Header
    from .recording import first as first
    from .recording import recorded as recorded
    from .recording import reviewed as reviewed
    from .recording import rules_named as rules_named
    from .recording import same_wording as same_wording
    from .report import Placed as Placed
    from .report import advice as advice
    from .report import as_data as as_data
    from .report import as_markdown as as_markdown
    from .report import dated as dated
    from .report import faults as faults
    from .report import in_signs as in_signs
    from .report import issue_data as issue_data
    from .report import kind_of as kind_of
    from .report import loud as loud
    from .report import marked as marked
    from .report import number_of as number_of
    from .report import resting_lines as resting_lines
    from .report import said as said
    from .telling import diff_lines as diff_lines
    from .telling import differing as differing
    from .tracing import trace_lines as trace_lines
    from .tracing import traced as traced
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        checking="Checked Held New QUIET checked",
        issue="Issue Rule Term",
        markdown="diff_markdown",
        marks="Run runs",
        matching="KINDS Match NOISE matched",
        page="diff_page",
        pairing="Rival",
        reading="MAX_ISSUE open_issue read_issue",
        recording="Header first recorded reviewed rules_named same_wording",
        report=(
            "Placed advice as_data as_markdown dated faults in_signs issue_data kind_of loud "
            "marked number_of resting_lines said"
        ),
        telling="diff_lines differing",
        tracing="trace_lines traced",
    )

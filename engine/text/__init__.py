"""Issues of a rule book as they are printed: their rules, what changed, and what rests on it.

Nothing of the text is kept: what a book of clauses says of it are numbers and digests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .checking import Checked as Checked
    from .checking import Held as Held
    from .checking import New as New
    from .checking import checked as checked
    from .issue import Issue as Issue
    from .issue import Rule as Rule
    from .markdown import diff_markdown as diff_markdown
    from .matching import KINDS as KINDS
    from .matching import Match as Match
    from .matching import matched as matched
    from .page import diff_page as diff_page
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
    from .report import changed_words as changed_words
    from .report import dated as dated
    from .report import faults as faults
    from .report import issue_data as issue_data
    from .report import kind_of as kind_of
    from .report import loud as loud
    from .report import number_of as number_of
    from .report import resting_lines as resting_lines
    from .report import said as said
    from .telling import diff_lines as diff_lines
    from .telling import differing as differing
    from .telling import doubts as doubts
    from .telling import reversed_days as reversed_days
    from .telling import word_lines as word_lines
    from .tracing import dating as dating
    from .tracing import trace_lines as trace_lines
    from .tracing import traced as traced
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        checking="Checked Held New checked",
        issue="Issue Rule",
        markdown="diff_markdown",
        matching="KINDS Match matched",
        page="diff_page",
        reading="open_issue read_issue",
        recording="Header first recorded reviewed rules_named same_wording",
        report=(
            "Placed advice as_data as_markdown changed_words dated faults issue_data kind_of "
            "loud number_of resting_lines said"
        ),
        telling="diff_lines differing doubts reversed_days word_lines",
        tracing="dating trace_lines traced",
    )

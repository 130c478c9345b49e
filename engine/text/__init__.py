"""The text of rule books as their publisher issues it: its rules, by number, and where they stand.

Nothing of it is kept: what a book of clauses says of the text are numbers and digests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .issue import Issue as Issue
    from .issue import Rule as Rule
    from .issue import Term as Term
    from .markdown import diff_markdown as diff_markdown
    from .matching import KINDS as KINDS
    from .matching import Match as Match
    from .matching import matched as matched
    from .page import diff_page as diff_page
    from .reading import MAX_ISSUE as MAX_ISSUE
    from .reading import open_issue as open_issue
    from .reading import read_issue as read_issue
    from .telling import diff_lines as diff_lines
    from .telling import differing as differing
    from .tracing import trace_lines as trace_lines
    from .tracing import traced as traced
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        issue="Issue Rule Term",
        markdown="diff_markdown",
        matching="KINDS Match matched",
        page="diff_page",
        reading="MAX_ISSUE open_issue read_issue",
        telling="diff_lines differing",
        tracing="trace_lines traced",
    )

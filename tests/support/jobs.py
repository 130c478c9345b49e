"""Three things that an author may want to try, each as an edit of a draft of ``cr``."""

from __future__ import annotations

from collections.abc import Callable

from places import ROOT
from seatlog.authoring import Draft, Edit
from shown import blocks

PAGE = (ROOT / "docs" / "two-more-rules.md").read_text(encoding="utf-8")
BESIDE, HELP = (
    next(block.body for block in blocks(PAGE) if block.file == name)
    for name in ("beside.dl", "help.dl")
)
"""What an author writes, as the documentation has it."""


def only_opponents_count(draft: Draft) -> Edit:
    """Range counts opponents' seats only."""
    text = draft.show("801.2")
    counted = "    & counts(Next)\n"
    assert text.count(counted) == 2
    return draft.replace(
        "801.2", text.replace(counted, f"{counted}    & against(Player, Next)\n") + BESIDE
    )


def nobody_helps_opponents(draft: Draft) -> Edit:
    """A new prohibition, with a verb of its own."""
    return draft.add("801.20", HELP)


def the_other_way_round(draft: Draft) -> Edit:
    """What leaves the battlefield is looked at after the event, everything else before."""
    text = draft.show("801.7a")
    for old, new in (
        ("    & looks_back(Ability)\n    & held_before", "    & LOOKS\n    & held_before"),
        ("    & ~looks_back(Ability)\n", "    & looks_back(Ability)\n"),
        ("    & LOOKS\n", "    & ~looks_back(Ability)\n"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    return draft.replace("801.7a", text)


JOBS: tuple[Callable[[Draft], Edit], ...] = (
    only_opponents_count,
    nobody_helps_opponents,
    the_other_way_round,
)

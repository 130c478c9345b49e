"""Three things that an author may want to try, each as an edit of a draft of ``cr``."""

from __future__ import annotations

from collections.abc import Callable

from seatlog.authoring import Draft, Edit

BESIDE = """\

# Whoever sits on one's own side is stepped over, and adds nothing to the distance.
# bookkeeping:
against(Player, Seat) <= (seat(Other, Seat) & opponent(Player, Other))
# bookkeeping:
beside(Player, Seat) <= (
    seat(Player, _Own)
    & seat(Other, Seat)
    & in_game(Other)
    & ~opponent(Player, Other)
)
to_left(Player, Steps, Next) <= (
    to_left(Player, Steps, Seat)
    & next_seat(Seat, Next)
    & beside(Player, Next)
    & ~seat(Player, Next)
)
to_right(Player, Steps, Next) <= (
    to_right(Player, Steps, Seat)
    & seat_before(Seat, Next)
    & beside(Player, Next)
    & ~seat(Player, Next)
)
"""

HELP = """\
## 801.20  Nobody helps an opponent, or somebody out of range

# verb: Player help Other
# yes: {Player} may help {Other}
# no: {Player} can't help {Other}
can_help(Player, Other) <= (in_range(Player, Other) & in_game(Other) & ~cannot_help(Player, Other))

# no: {Other} is an opponent of {Player}'s
cannot_help(Player, Other) <= opponent(Player, Other)
"""


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

"""In players' words a sort of words takes its words, a number a number, anything else a name."""

from __future__ import annotations

import pytest

import seatlog
from seatlog.errors import QuestionError

TABLE = {
    "seats": ["Alex", "Rob"],
    "objects": {
        "Ox": {"controller": "Rob", "types": ["creature"]},
        "hand": {"controller": "Alex", "types": ["creature"]},
    },
    "events": {
        "Bounce": {"subject": "Ox", "to": "hand"},
        "Bite": {"happens": "is dealt damage", "subject": "Ox", "by": "hand", "amount": 2},
    },
}


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("Bounce put Ox in hand", True),
        ("Bounce put Ox in HAND", True),
        ("Bounce put Ox in exile", False),
        ("Alex have library", True),
        ("Alex have stack", False),
        ("Bite damage Ox by 2", True),
        ("Bite damage Ox by 3", False),
        ("Alex target hand", True),
    ],
)
def test_a_word_means_what_its_place_takes(words: str, verdict: bool) -> None:
    """A zone's word is a zone, even where something at the table is called the same."""
    assert bool(seatlog.open(TABLE).say(words.split())) is verdict


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("Bounce put Ox in cellar", 'no Zone is called "cellar"'),
        ("Bounce put Ox in exil", "exile"),
        ("Bite damage Ox by two", '"two" is no number, but Amount has to be one'),
    ],
)
def test_a_word_that_fits_nothing_is_refused(words: str, message: str) -> None:
    """With what there is, or what was probably meant."""
    with pytest.raises(QuestionError) as caught:
        seatlog.open(TABLE).say(words.split())
    assert message in str(caught.value)

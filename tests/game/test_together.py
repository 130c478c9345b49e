"""Sets of changes: the first that is found is as small as any."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

import seatlog
from random_tables import random_table
from seatlog.game import Session, change_for
from seatlog.game.change import Change, _holds, _taken_away
from seatlog.game.together import turning
from seatlog.model import Literal, Statement

IRON = {"owner": "Rob", "default_controller": "Carissa", "controller": "Dana"}
TABLE = {
    "seats": ["Alex", "Rob", "Carissa", "Dana"],
    "range": 1,
    "objects": {"Iron": {"types": ["creature"], **IRON}},
}


def test_a_single_fact_comes_before_sets_that_it_is_in() -> None:
    session = seatlog.open(TABLE)
    answer = session.can("Alex", "target", "Iron")
    assert answer
    (literal,) = answer.literals()
    every = list(_taken_away(session, literal, None))
    sizes = [len(found) for found in turning(session, literal, every, True)]
    assert sizes[0] == 1
    assert sizes == sorted(sizes)
    assert len(sizes) > 1


def _units(session: Session, change: Change) -> list[tuple[list[Statement], list[Statement]]]:
    """What of a change can be left out alone: a fact in place of another is one."""
    drops, units = list(change.drops), []
    for more in change.adds:
        key = next(iter(session.book.vocabulary.facts[more.name].keys), ())
        same = [d for d in drops if key and d.name == more.name]
        less = [d for d in same if all(d.row[k] == more.row[k] for k in key)]
        drops = [d for d in drops if d not in less]
        units.append((less, [more]))
    return [*units, *(([each], []) for each in drops)]


def _turns(
    session: Session, literal: Literal, units: list[tuple[list[Statement], list[Statement]]]
) -> bool:
    less = [fact for unit in units for fact in unit[0]]
    facts = [fact for fact in session.table.facts if fact not in less]
    facts += [fact for unit in units for fact in unit[1]]
    holds = bool(session.solver.rows(literal))
    return _holds(session, facts, literal, holds) != holds


@pytest.mark.parametrize("seed", range(3))
def test_no_part_of_a_change_is_enough(seed: int) -> None:
    rng = random.Random(seed)
    sets = 0
    while sets < 2:
        session = seatlog.open(random_table(rng))
        names = sorted(session.table.names)
        who = rng.choice([n for n in names if "Player" in session.table.names[n]])
        answer = session.can(who, rng.choice(["see", "target"]), rng.choice(names))
        change = change_for(session, answer)
        if change is None:
            continue
        (literal,) = answer.literals()
        units = _units(session, change)
        sets += len(units) > 1
        assert _turns(session, literal, units)
        for number in range(1, len(units)):
            for some in combinations(units, number):
                assert not _turns(session, literal, list(some)), (change, some)

"""Three jobs of rule authors, from another wording to the verdicts that it changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import seatlog
from jobs import JOBS, nobody_helps_opponents, only_opponents_count, the_other_way_round
from places import TESTS
from seatlog.authoring import Changes, Draft, Edit
from seatlog.editions import load_book


@cache
def base() -> Draft:
    """One draft for all jobs: what its base says is asked once."""
    return seatlog.draft("cr")


def drafted(job: Callable[[Draft], Edit] | None = None) -> Draft:
    """The draft with one job done and nothing else."""
    while base().changed:
        base().undo()
    if job is not None:
        job(base())
    return base()


@cache
def changes_of(job: Callable[[Draft], Edit]) -> tuple[Edit, Changes]:
    """A job's edit, and what it changes."""
    edit = job(drafted())
    return edit, base().diff("four_in_a_ring", scenarios=TESTS / "scenarios" / "cr")


def done(job: Callable[[Draft], Edit]) -> tuple[Edit, Changes, Draft]:
    """A job's edit, what it changes, and the draft that has it."""
    return *changes_of(job), drafted(job)


@pytest.mark.parametrize("job", JOBS)
def test_the_game_that_is_shown_tells_the_books_apart(job: Callable[[Draft], Edit]) -> None:
    _, changes, draft = done(job)
    assert changes
    assert changes.glimpse is not None
    assert changes.glimpse.parts
    assert changes.glimpse.proved
    (shown,) = changes.glimpse.gathered.differences
    table = changes.game
    assert table is not None
    question = shown.question.text
    now = draft.ask(table, question)
    assert ("yes" if now else "no") == shown.b.said
    if shown.a.said == "no rule":
        with pytest.raises(seatlog.SeatlogError):
            seatlog.open(table, edition="cr").answer(question)
    else:
        before = seatlog.open(table, edition="cr").answer(question)
        assert ("yes" if before else "no") == shown.a.said


def test_range_that_counts_only_opponents() -> None:
    edit, changes, draft = done(only_opponents_count)
    assert [part.kind for part in edit.lost] == ["clause", "clause"]
    assert changes.game == {
        "seats": ["Player1", "Player2"],
        "range": 1,
        "teams": {"Team1": ["Player1", "Player2"]},
    }
    verbs = {(group.verb, *group.kind) for group in changes.report.groups}
    assert {("reach", "yes", "no"), ("attack", "no", "yes")} <= verbs
    assert changes.untouched > 200, "what rests on no range isn't asked again"
    assert not any(d.origin == "four_in_a_ring" for d in changes.report.differences)
    assert len(draft.test(TESTS / "scenarios" / "cr" / "801.3_attacks.toml").failed) > 3


def test_a_new_prohibition_with_a_verb_of_its_own(tmp_path: Path) -> None:
    edit, changes, draft = done(nobody_helps_opponents)
    assert not edit.lost
    assert {part.kind for part in edit.new} >= {"clause", "sentence", "verb"}
    assert changes.asked == 0, "no scenario rests on what is new"
    (group, *_) = [g for g in changes.report.groups if g.verb == "help"]
    assert group.kind[0] == "no rule"
    game = {"seats": ["Ann", "Ben", "Cy"], "teams": {"Red": ["Ann", "Ben"], "Blue": ["Cy"]}}
    answer = draft.ask(game, "can Ann help Cy?")
    assert not answer
    assert "Cy is an opponent of Ann's" in str(answer)
    assert draft.ask(game, "can Ann help Ben?")
    assert answer.cites[-1] == "801.20"
    draft.save(tmp_path / "helpful")
    assert "801.20" in load_book(str(tmp_path / "helpful")).sections


def test_triggers_read_the_other_way_round() -> None:
    edit, changes, _ = done(the_other_way_round)
    assert len(edit.lost) == len(edit.new) == 2
    asked, differ = changes.asked, [d for d in changes.report.differences if not d.size]
    assert 50 < asked < 500
    assert {("trigger", "yes", "no"), ("trigger", "no", "yes")} <= {
        (group.verb, *group.kind) for group in changes.report.groups
    }
    assert any("801.7a" in d.a.cites for d in differ)
    said = str(changes)
    assert "smallest game" in said
    assert "rest on nothing that has changed" in said
    assert changes.as_dict()["parts"] is True
    assert changes.markdown().startswith("## `cr` and `draft`")


def test_where_nothing_can_differ_that_is_proved() -> None:
    draft = drafted()
    text = draft.show("801.4")
    old = "(in_range(Player, Target))"
    assert old in text
    draft.replace(
        "801.4", text.replace(old, "(in_range(Player, Target) & reaches(Player, _Other))")
    )
    changes = draft.diff(scenarios=TESTS / "scenarios" / "cr" / "801.4_targets.toml")
    assert changes.glimpse is not None
    assert not changes.glimpse.parts
    assert changes.glimpse.proved
    assert "proved" in str(changes)
    assert changes.game is None

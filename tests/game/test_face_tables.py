"""Tables as data and back, and the same table with something changed."""

from __future__ import annotations

import json
import os
import random
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

import seatlog
from places import TESTS
from seatlog import Answer, NoRule, SeatlogError, Session
from seatlog.cases import Scenario, read_scenarios, scenario_files
from seatlog.table import as_text

CHANGED = int(os.environ.get("SEATLOG_TABLES", "30"))
TABLES, TURNED = 5 * CHANGED, CHANGED


@cache
def scenarios() -> list[Scenario]:
    """All scenarios in a random order that is the same each time."""
    found = [s for f in scenario_files(TESTS / "scenarios") for s in read_scenarios(f)]
    random.Random(801).shuffle(found)
    return found


def opened(most: int) -> Iterator[Session]:
    """The tables of scenarios whose book takes them."""
    left = most
    for scenario in scenarios():
        try:
            yield seatlog.open(scenario.data, scenario.edition)
        except SeatlogError:
            continue
        left -= 1
        if not left:
            return


def facts(game: Session) -> set[tuple[str, tuple[str | int, ...]]]:
    return {(f.name, f.row) for f in game.table.facts}


def same(game: Session, again: Session) -> None:
    """The same facts, the same names in the same order, and the same book."""
    assert facts(game) == facts(again)
    assert list(game.table.names.items()) == list(again.table.names.items())
    assert game.book is again.book


def test_data_opens_as_the_same_table() -> None:
    editions = set()
    for game in opened(TABLES):
        data = game.data()
        same(game, seatlog.open(data))
        same(game, seatlog.open(json.loads(json.dumps(data))))
        editions.add(game.book.name)
    assert editions == {"cr", "cr2021", "draft2004"}


def test_data_after_a_turn_opens_as_the_same_table() -> None:
    turned = 0
    for game in opened(TURNED):
        try:
            after = seatlog.turn(game)
        except NoRule:
            continue
        turned += 1
        data = after.data()
        same(after, seatlog.open(json.loads(json.dumps(data))))
        said = [f for f in after.table.facts if f.origin]
        text = as_text(said, after.book.vocabulary, after.table.edition, ())
        assert facts(seatlog.open(tomllib.loads(text))) == facts(after)
    assert turned > TURNED / 3


def test_data_is_the_callers_own() -> None:
    game = seatlog.open("four_in_a_ring")
    mine = game.data()
    mine["seats"].append("Zed")
    mine["objects"].clear()
    assert game.data() == seatlog.open("four_in_a_ring").data()
    said = {"seats": ["Ann", "Bob"], "objects": {}}
    game = seatlog.open(said)
    said["seats"] = ["Cy"]
    assert game.data()["seats"] == ["Ann", "Bob"]


def test_an_edition_asked_for_is_part_of_the_data() -> None:
    game = seatlog.open("four_in_a_ring", edition="cr2021")
    assert seatlog.open(game.data()).book.name == "cr2021"
    assert seatlog.open(seatlog.turn(game).data()).book.name == "cr2021"


def test_a_sessions_rows_name_what_can_be_asked_again() -> None:
    """Every row that ``rows`` gives holds."""
    for game in opened(5):
        for name, sorts in game.book.arg_sorts.items():
            for row in game.rows(name, *[None] * len(sorts))[:20]:
                assert game.holds(name, *row), (name, row)


# The same table with something changed


def refusal(work: Callable[[], Session]) -> Session | str:
    try:
        return work()
    except SeatlogError as error:
        return "; ".join(each.what for each in error.errors)


def changed(rng: random.Random, data: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """One to three changes of a table: keys of another one, keys and names taken away."""
    keep = ("seats", "edition")
    out: dict[str, Any] = {}
    mine = [k for k in data if k not in keep]
    groups = [k for k in mine if isinstance(data[k], dict) and data[k]]
    for _ in range(rng.randint(1, 3)):
        match rng.randint(1, 5):
            case 1:
                out["range"] = rng.randint(0, 3)
            case 2:
                out["turn"] = rng.randint(1, 9)
            case 3 if mine:
                out[rng.choice(mine)] = None
            case 4 if groups:
                key = rng.choice(groups)
                out[key] = {rng.choice(list(data[key])): None}
            case 5:
                theirs = [k for k in other if k not in keep and other[k] not in ({}, [])]
                out.update({k: other[k] for k in rng.sample(theirs, min(1, len(theirs)))})
    return out


def laid(data: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """What a changed table says, written out plainly."""
    out: dict[str, Any] = json.loads(json.dumps(data))
    for key, value in changes.items():
        if value is None:
            del out[key]
        elif isinstance(value, dict) and isinstance(out.get(key), dict):
            out[key] = laid(out[key], value)
            if not out[key]:
                del out[key]
        else:
            out[key] = value
    return out


def questions(rng: random.Random, game: Session, most: int) -> list[tuple[str, ...]]:
    names = list(game.table.names)
    found: list[tuple[str, ...]] = []
    for _ in range(most):
        words = (rng.choice(names), rng.choice(game.verbs()))
        found.append(words if rng.random() < 0.3 else (*words, rng.choice(names)))
    return found


def answers(game: Session, asked: list[tuple[str, ...]]) -> list[Answer | str]:
    out: list[Answer | str] = []
    for words in asked:
        try:
            out.append(game.can(*words))
        except SeatlogError as error:
            out.append(error.what)
    return out


def shown(found: list[Answer | str]) -> list[Any]:
    return [x if isinstance(x, str) else (x.as_dict(), x.cites, x.doubts) for x in found]


def test_a_changed_table_answers_as_one_that_is_opened() -> None:
    """Verdicts, rows, reasons and rules, after much was asked; the old one stays as it is."""
    rng = random.Random(42)
    games = [game for game in opened(CHANGED) if not game.unread]
    compared = reused = 0
    for game in games:
        asked = questions(rng, game, 8)
        before = shown(answers(game, asked))
        spots = {n: [None] * len(s) for n, s in game.book.arg_sorts.items()}
        names = rng.sample(sorted(spots), 8)
        for name in names:
            game.rows(name, *spots[name])
        other = rng.choice([g for g in games if g.book is game.book])
        changes = changed(rng, game.data(), other.data())
        # What a scenario's table was opened with goes for the changed one too.
        wanted = laid(game.data(), changes)
        one = refusal(lambda game=game, changes=changes: game.but(**changes))  # type: ignore[misc]
        two = refusal(lambda wanted=wanted: seatlog.open(wanted))  # type: ignore[misc]
        if isinstance(one, str) or isinstance(two, str):
            assert one == two, changes
            continue
        same(one, two)
        assert one.table.facts == two.table.facts
        assert one.data() == two.data()
        if one.unread:
            continue
        reused += bool(one.solver._answers)  # type: ignore[attr-defined]
        asked += questions(rng, one, 6)
        assert shown(answers(one, asked)) == shown(answers(two, asked)), changes
        for name in names:
            found = one.rows(name, *spots[name])
            assert found == two.rows(name, *spots[name]), (name, changes)
        assert shown(answers(game, asked[:8])) == before
        compared += 1
    assert compared > CHANGED // 3
    assert reused > compared // 2


def runs(game: Session) -> list[str]:
    """Notes from now on what the engine of a session is made to work out."""
    found: list[str] = []
    search = game.solver._search  # type: ignore[attr-defined]

    def noted(goal: Any, literal: Any, state: Any) -> Any:
        found.append(str(literal))
        return search(goal, literal, state)

    game.solver._search = noted  # type: ignore[attr-defined]
    return found


def test_what_rests_on_no_change_is_not_worked_out_again() -> None:
    game = seatlog.open("four_in_a_ring", objects={"Ox": {"controller": "Rob"}})
    first = game.can("Alex", "reach", "Carissa")
    assert not first
    other = game.but(objects={"Ox": None})
    worked = runs(other)
    assert other.can("Alex", "reach", "Carissa").text() == first.text()
    assert not [w for w in worked if w.startswith("reaches")]
    nearer = game.but(range=2)
    worked = runs(nearer)
    assert nearer.can("Alex", "reach", "Carissa")
    assert worked


def test_a_goal_that_rests_on_a_change_is_worked_out_again() -> None:
    """As its engine keeps it, also where only something wider was asked before."""
    game = seatlog.open("four_in_a_ring")
    assert list(game.ask("reaches(X, Y) & (X != Y)"))
    for width, far in ((0, False), (2, True), (1, False), (3, True)):
        game = game.but(range=width)
        assert game.holds("reaches", "Alex", "Carissa") is far
        assert bool(game.can("Alex", "target", "Runeclaw Bear")) is far
    assert game.but(objects={"Runeclaw Bear": {"controller": "Rob"}}).rows(
        "controls", None, "Runeclaw Bear"
    ) == [("Rob", "Runeclaw Bear")]


def test_a_changed_table_keeps_what_it_is_called() -> None:
    game = seatlog.open("four_in_a_ring")
    for other in (game.but(), game.but(range=2), game.but(edition="cr2021")):
        assert other.table.title == "four_in_a_ring"
    assert game.but(edition="cr2021").book.name == "cr2021"
    assert game.but(edition="cr2021").but(edition=None).book is game.book
    assert game.but(edition="cr2021").but(range=2).book.name == "cr2021"


def test_a_group_is_changed_key_by_key() -> None:
    game = seatlog.open("four_in_a_ring")
    bear = {"controller": "Alex", "types": ["creature"]}
    more = game.but(objects={"Ox": bear, "Runeclaw Bear": None})
    assert sorted(more.data()["objects"]) == ["Grizzly Bears", "Ox"]
    none = game.but(objects={"Grizzly Bears": None, "Runeclaw Bear": None})
    assert "objects" not in none.data()
    assert sorted(game.data()["objects"]) == ["Grizzly Bears", "Runeclaw Bear"]


def test_a_format_lies_under_a_changed_table() -> None:
    table = {"seats": ["A", "B", "C", "D", "E", "F"], "edition": "draft2004"}
    game = seatlog.open(table, teams={"1": ["A", "B", "C"], "2": ["D", "E", "F"]})
    key = next(k for k in ("variant", "format", "option") if not isinstance(_tried(game, k), str))
    made = game.but(**{key: "free_for_all"})
    same(made, seatlog.open(made.data()))
    same(made.but(**{key: None}), game)


def _tried(game: Session, key: str) -> Session | str:
    return refusal(lambda: game.but(**{key: "free_for_all"}))


def test_the_announcer_goes_along() -> None:
    from seatlog.game import open_session

    heard: list[str] = []
    game = open_session("four_in_a_ring", None, heard.append)
    game.but(range=2).but(range=3).can("Alex", "reach", "Rob")
    assert any("Rob" in each for each in heard)
    heard.clear()
    game.but(range=2).but(edition="cr2021").can("Alex", "reach", "Rob")
    assert heard


def test_tables_are_changed_beside_questions_in_other_threads() -> None:
    game = seatlog.open("four_in_a_ring")
    names = list(game.table.names)
    wrong: list[object] = []
    done = threading.Event()

    def ask() -> None:
        rng = random.Random(threading.get_ident())
        try:
            while not done.is_set():
                fresh = seatlog.open("four_in_a_ring", range=rng.randint(0, 3))
                for _ in range(20):
                    game.can(rng.choice(names[:4]), "reach", rng.choice(names))
                    fresh.can(rng.choice(names[:4]), "target", rng.choice(names))
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    often = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    for each in threads:
        each.start()
    try:
        for number in range(120):
            width = number % 4
            found = game.but(range=width).can("Alex", "target", "Runeclaw Bear")
            if bool(found) is not (width > 1):
                wrong.append((width, found))
    finally:
        sys.setswitchinterval(often)
        done.set()
        for each in threads:
            each.join()
    assert not wrong
    assert not game.can("Alex", "target", "Runeclaw Bear")


def test_sessions_are_taken_to_other_processes() -> None:
    import copy
    import pickle

    game = seatlog.turn("four_in_a_ring", leaves=["Rob"])
    for again in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):  # noqa: S301
        same(game, again)
        assert (again.table.title, again.happened) == (game.table.title, game.happened)
        assert again.can("Alex", "reach", "Dana") == game.can("Alex", "reach", "Dana")
    game.book = game.book._replace(key="of another time")
    with pytest.raises(seatlog.BookError, match="has changed since"):
        pickle.loads(pickle.dumps(game))  # noqa: S301


def test_a_switch_may_be_one_that_is_off() -> None:
    """What is so unless said is told by ``false``, and ``true`` says what holds anyway."""
    blow = {"happens": "is dealt damage", "subject": "Ben", "by": "Ox"}
    objects = {"Ox": {"controller": "Ann"}}
    data = {"seats": ["Ann", "Ben"], "objects": objects, "events": {"Blow": blow}}
    plain = seatlog.open(data)
    said = seatlog.open({**data, "events": {"Blow": {**blow, "combat": False}}})
    assert facts(said) - facts(plain) == {("noncombat", ("Blow",))}
    assert facts(seatlog.open({**data, "events": {"Blow": {**blow, "combat": True}}})) == facts(
        plain
    )
    assert "combat = false" in as_text(said.table.facts, said.book.vocabulary, None, ())
    same(said, seatlog.open(said.data()))
    with pytest.raises(SeatlogError, match="combat can't be text"):
        seatlog.open({**data, "events": {"Blow": {**blow, "combat": "off"}}})

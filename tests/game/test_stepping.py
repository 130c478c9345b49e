"""The next state of a table: what becomes, what ends, what goes, and what was momentary."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import seatlog
from seatlog.book import Book
from seatlog.editions import load_book
from seatlog.errors import Faults, NoRule, TableError
from seatlog.game import Advanced, Session, advance, listed, take, told
from seatlog.model import Row
from seatlog.table import table

VOCABULARY = """\
# role: can_ is a verdict
# role: cannot_ is a prohibition
# sort: Person is a name
# sort: Other is like Person
# sort: Years is a number from 0
# sort: Mood is one of happy, sad
# sort: Name is any text

# fact: age(Person, Years)
# table: age.Person = Years
# key: Person
# names: Person

# fact: knows(Person, Other)
# table: knows.Person = [Other]
# key: Person, Other

# fact: mood(Person, Mood)
# table: mood.Person = Mood
# key: Person

# fact: called(Person, Name)
# table: called.Person = Name
# key: Person

# fact: day(Years)
# table: day = Years
# default: day(1)
# key:

# fact: meets(Person, Other)
# table: meets.Person = [Other]
# key: Person, Other
# momentary:

# fact: moves_away(Person)
# table: moves_away = [Person]
# key: Person
# momentary:

# fact: quarrels(Person)
# table: quarrels = [Person]
# key: Person
# momentary:
"""

RULES = """\
## 1.1  Meeting
# yes: {Person} gets to know {Other}
# becomes: knows(Person, Other)
gets_to_know(Person, Other) <= (meets(Person, Other) & ~knows(Person, Other))
# yes: {Person} is in a {Mood} mood now
# becomes: mood(Person, Mood)
# doubt: torn(Person)
cheered(Person, Mood) <= (meets(Person, _Other) & kind(Person, Mood))
kind(Person, 'happy') <= (age(Person, _Years))
kind(Person, 'sad') <= (quarrels(Person))
# yes: it is open what {Person} feels
torn(Person) <= (meets(Person, Person))

## 1.2  Quarrels
# yes: {Person} no longer knows {Other}
# ends: knows(Person, Other)
drops(Person, Other) <= (quarrels(Person) & knows(Person, Other))

## 1.3  Moving away
# yes: {Person} moves away
# goes: Person
leaves_town(Person) <= (moves_away(Person))

# yes: {Person} and {Other} come to blows
brawls(Person, Other) <= (quarrels(Person) & quarrels(Other) & (Person != Other))
# yes: {Person} knows nobody
# no: {Person} knows somebody
lonely(Person) <= (age(Person, _Years) & ~acquainted(Person))
acquainted(Person) <= (knows(Person, _Other))

## 1.4  Days
# becomes: day(Next)
next_day(Next) <= (day(Now) & (Next == Now + 1))
"""

TOWN = {
    "age": {"Ann": 30, "Bob": 30, "Cy": 4},
    "knows": {"Ann": ["Bob", "Cy"], "Bob": ["Cy"]},
    "mood": {"Ann": "sad"},
    "called": {"Bob": "Cy"},
}


@pytest.fixture(name="book", scope="module")
def book_of(tmp_path_factory: pytest.TempPathFactory) -> Book:
    return made(tmp_path_factory.mktemp("town"), RULES, ["lonely", "brawls"])


def made(folder: Path, rules: str, follows: Sequence[str] = ()) -> Book:
    (folder / "facts").mkdir()
    (folder / "facts" / "vocabulary.dl").write_text(VOCABULARY, encoding="utf-8")
    (folder / "book").mkdir()
    toml = f'title = "A town"\nfollows = {json.dumps(follows)}\n'
    (folder / "book" / "edition.toml").write_text(toml, encoding="utf-8")
    (folder / "book" / "rules.dl").write_text(rules, encoding="utf-8")
    return load_book(str(folder / "book"), folder / "facts")


def session(book: Book, **more: Any) -> Session:
    return Session(book, table({**TOWN, **more}, book.vocabulary))


def said(done: Advanced) -> set[tuple[str, Row]]:
    return {(f.name, f.row) for f in done.said}


def test_what_happens_becomes_a_fact_and_is_over(book: Book) -> None:
    game = session(book, meets={"Cy": ["Ann"]})
    done = advance(game)
    assert said(done) - said(advance(session(book))) == {
        ("knows", ("Cy", "Ann")),
        ("mood", ("Cy", "happy")),
    }
    assert done.changed
    step = take(game)
    assert step.happened == (
        "Cy gets to know Ann (1.1)",
        "Cy is in a happy mood now (1.1)",
    )
    assert (step.said, step.cites, step.doubts) == (done.said, ("1.1",), ())


def test_the_same_key_gives_way(book: Book) -> None:
    done = advance(session(book, meets={"Ann": ["Bob"]}))
    assert ("mood", ("Ann", "happy")) in said(done)
    assert ("mood", ("Ann", "sad")) not in said(done)


def test_a_default_gives_way_too(book: Book) -> None:
    first = advance(session(book))
    assert ("day", (2,)) in said(first)
    again = advance(Session(book, first.table))
    assert ("day", (3,)) in said(again)
    assert [f.row for f in again.table.facts if f.name == "day"] == [(3,)]


def test_facts_end(book: Book) -> None:
    done = advance(session(book, quarrels=["Ann"]))
    assert {f for f in said(done) if f[0] == "knows"} == {("knows", ("Bob", "Cy"))}


def test_who_goes_is_spoken_of_no_more_but_words_stay(book: Book) -> None:
    done = advance(session(book, moves_away=["Cy"]))
    assert not [f for f in said(done) if "Cy" in f[1] and f[0] != "called"]
    assert ("called", ("Bob", "Cy")) in said(done)
    assert set(done.table.names) == {"Ann", "Bob"}


def test_what_follows_is_told_and_only_what_is_new(book: Book) -> None:
    told_of = take(session(book, quarrels=["Ann"])).happened
    assert "Ann knows nobody (1.3)" in told_of and not [x for x in told_of if "Cy knows" in x]
    told_of = take(session(book, quarrels=["Ann", "Bob"])).happened
    assert "Ann and Bob come to blows (1.3)" in told_of


def test_who_goes_gets_to_know_nobody(book: Book) -> None:
    done = advance(session(book, moves_away=["Cy"], meets={"Cy": ["Ann"]}))
    assert not [f for f in said(done) if f[0] == "knows" and "Cy" in f[1]]


def test_two_outcomes_that_contradict_are_refused(book: Book) -> None:
    with pytest.raises((TableError, Faults), match="mood"):
        advance(session(book, meets={"Ann": ["Cy"]}, quarrels=["Ann"]))


def test_a_doubt_is_said(book: Book) -> None:
    step = take(session(book, meets={"Ann": ["Ann"]}))
    assert step.doubts == ("it is open what Ann feels",)
    assert step.after.doubts == list(step.doubts)


def test_how_things_stand_is_listed_with_its_reason(book: Book) -> None:
    game = session(book, quarrels=["Bob"])
    assert told(game, listed(game, ["drops", "no_such"])) == ["Bob no longer knows Cy (1.2)"]


def test_a_book_without_outcomes_knows_no_next_state(tmp_path: Path) -> None:
    book = made(tmp_path, "## 1.1  Old\nold(Person) <= (age(Person, 30))\n")
    with pytest.raises(NoRule, match="what comes next"):
        advance(session(book))


def test_a_step_is_taken_from_python() -> None:
    before = seatlog.open(seats=["Ann", "Bo", "Cy"], active=["Ann"], edition="draft2004")
    after = seatlog.turn(before, done=["Ann"])
    assert after.happened == ["Ann's turn is over", "Bo takes the next turn"] and not after.doubts
    assert after.ask("active(Bo)") and before.ask("active(Ann)") and not before.happened
    left = seatlog.turn(after, leaves=["Bo"])
    assert left.ask("active(Cy)") and "it is open whether that turn goes on" in left.doubts[0]


def test_of_what_nothing_comes_it_is_said_why() -> None:
    game = seatlog.open(seats=["Ann", "Bo", "Cy"], active=["Ann"], left={"Cy": 1})
    (said,) = seatlog.turn(game, done=["Bo"]).happened
    assert said == "nothing comes of \"Bo ends the turn\": it isn't Bo's turn (101.4)"
    (said,) = seatlog.turn(game, leaves=["Cy"]).happened
    assert said == 'nothing comes of "Cy leaves the game": Cy has left the game (800.4)'
    *_, said = seatlog.turn(game, done=["Ann", "Bo"]).happened
    assert said == "nothing comes of \"Bo ends the turn\": it isn't Bo's turn (101.4)"


@pytest.mark.parametrize("edition", ["cr", "cr2021"])
@pytest.mark.parametrize(
    ("key", "happens"),
    [
        ("gains_turn", {"gains_turn": ["Bo"]}),
        ("gains_turn", {"gains_turn": ["Bo"], "done": ["Ann"]}),
        ("beaten", {"beaten": ["Bo"]}),
        ("resolves", {"resolves": ["Boon"]}),
        ("loses", {"loses": {"Bo": 3}}),
        ("sets", {"sets": {"Bo": 3}}),
    ],
)
def test_what_no_rule_decides_makes_no_step(
    edition: str, key: str, happens: dict[str, Any]
) -> None:
    game = seatlog.open(
        seats=["Ann", "Bo", "Cy"],
        active=["Ann"],
        objects={"Oath": {"controller": "Ann", "types": ["enchantment"]}},
        effects={"Boon": {"source": "Oath", "affects": ["you"]}},
        edition=edition,
    )
    with pytest.raises(NoRule, match=f'no rule (?:here )?on "?{key}'):
        seatlog.turn(game, **happens)


def test_an_effect_that_decides_nothing_makes_no_step() -> None:
    game = seatlog.open(
        seats=["Ann", "Bo", "Cy"],
        active=["Ann"],
        objects={"Oath": {"controller": "Ann", "types": ["enchantment"]}},
        effects={
            "Boon": {"source": "Oath", "affects": ["you"]},
            "Win": {"source": "Oath", "says": "you win the game"},
        },
        edition="draft2004",
    )
    with pytest.raises(NoRule, match="no rule by which anything comes of"):
        seatlog.turn(game, resolves=["Boon"])
    assert seatlog.turn(game, resolves=["Win"]).ask("left_in(Bo, Turn) & left_in(Cy, Turn)")


@pytest.mark.parametrize(
    ("edition", "happens", "keys"),
    [
        ("cr", {"done": ["Ann"]}, '"active"'),
        ("draft2004", {"done": ["Ann"]}, '"active" or "markers"'),
        ("draft2004", {"loses": {"Ann": 3}}, '"life"'),
    ],
)
def test_what_a_step_lacks_is_named(edition: str, happens: dict[str, Any], keys: str) -> None:
    game = seatlog.open(seats=["Ann", "Bo", "Cy"], edition=edition)
    with pytest.raises(NoRule) as caught:
        seatlog.turn(game, **happens)
    assert f"say it with {keys}" in caught.value.hint


def test_where_nothing_was_said_to_happen_it_is_said_what_can() -> None:
    game = seatlog.open(seats=["Ann", "Bo"], active=["Ann"])
    with pytest.raises(NoRule, match="nothing was said to happen") as caught:
        take(game)
    assert caught.value.hint == "what can happen: done, leaves"
    (said,) = seatlog.turn(game).happened
    assert said == "nothing changes: nothing was said to happen, and nothing comes of itself"


@pytest.mark.parametrize(
    ("edition", "keys"), [("cr", '"active"'), ("draft2004", '"active" or "markers"')]
)
def test_where_nobodys_turn_is_told_it_is_said_how_to(edition: str, keys: str) -> None:
    game = seatlog.open(seats=["Ann", "Bo", "Cy"], edition=edition)
    with pytest.raises(NoRule, match="nothing says whose turn it is") as caught:
        take(game)
    assert f"say it with {keys}; what can happen: done" in caught.value.hint


def test_a_step_of_itself_needs_nothing_said() -> None:
    game = seatlog.open(seats=["Ann", "Bo", "Cy"], starts="Bo", edition="draft2004")
    after = seatlog.turn(game)
    assert after.happened == ["Bo takes the first turn"]
    with pytest.raises(NoRule, match="nothing was said to happen"):
        take(after)


def test_only_what_happens_is_taken_for_a_step() -> None:
    game = seatlog.open(seats=["Ann", "Bo"])
    with pytest.raises(TableError, match="range says how things stand"):
        seatlog.turn(game, range=1)
    with pytest.raises(TableError, match="no Player called"):
        seatlog.turn(game, done=["Cy"])


@pytest.mark.parametrize(("edition", "rule"), [("cr", "800.4j"), ("cr2021", "800.4i")])
def test_a_turn_goes_on_without_its_player(edition: str, rule: str) -> None:
    """Ranges stay as well, until it is over and the next one begins."""
    game = seatlog.open(
        seats=["Ann", "Bo", "Cy", "Di"], active=["Bo"], range=1, turn=5, edition=edition
    )
    gone = seatlog.turn(game, leaves=["Bo"])
    assert gone.data()["active"] == ["Bo"] and gone.data()["turn"] == 5
    assert listed(gone, ["turn_goes_on"])[0].cites == (rule,)
    assert not gone.can("Ann", "reach", "Cy")
    later = seatlog.turn(gone, done=["Bo"])
    assert later.data()["active"] == ["Cy"] and later.can("Ann", "reach", "Cy")


def test_extra_turns_are_taken_before_the_order_goes_on() -> None:
    game = seatlog.open(seats=["Ann", "Bo", "Cy", "Di"], active=["Bo"], edition="draft2004")
    game = seatlog.turn(game, gains_turn=["Di", "Di"])
    assert game.data()["extra_turns"] == ["Di", "Di"]
    order = []
    for _ in range(5):
        (active,) = game.data()["active"]
        order.append(active)
        game = seatlog.turn(game, done=[active])
    assert order == ["Bo", "Di", "Di", "Cy", "Di"]
    assert "extra_turns" not in game.data() and "order_at" not in game.data()


def test_a_session_takes_what_its_step_told_along() -> None:
    game = seatlog.open(seats=["Ann", "Bo", "Cy"], active=["Ann"], edition="draft2004")
    after = seatlog.turn(game, leaves=["Ann"])
    kept = pickle.loads(pickle.dumps(after))  # noqa: S301
    assert (kept.happened, kept.doubts) == (after.happened, after.doubts) and kept.doubts

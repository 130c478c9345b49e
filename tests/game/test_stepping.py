"""The next state of a table: what becomes, what ends, what goes, and what was momentary."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import seatlog
from seatlog.book import Book
from seatlog.editions import load_book
from seatlog.errors import Faults, NoRule, TableError
from seatlog.game import Advanced, Session, advance, doubts, events, listed, told
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
    return made(tmp_path_factory.mktemp("town"), RULES)


def made(folder: Path, rules: str) -> Book:
    (folder / "facts").mkdir()
    (folder / "facts" / "vocabulary.dl").write_text(VOCABULARY, encoding="utf-8")
    (folder / "book").mkdir()
    (folder / "book" / "edition.toml").write_text('title = "A town"\n', encoding="utf-8")
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
    assert told(game, events(game, done)) == [
        "Cy gets to know Ann (1.1)",
        "Cy is in a happy mood now (1.1)",
    ]
    assert not doubts(game, done)
    assert done.changed


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


def test_who_goes_gets_to_know_nobody(book: Book) -> None:
    done = advance(session(book, moves_away=["Cy"], meets={"Cy": ["Ann"]}))
    assert not [f for f in said(done) if f[0] == "knows" and "Cy" in f[1]]


def test_two_outcomes_that_contradict_are_refused(book: Book) -> None:
    with pytest.raises((TableError, Faults), match="mood"):
        advance(session(book, meets={"Ann": ["Cy"]}, quarrels=["Ann"]))


def test_a_doubt_is_said(book: Book) -> None:
    game = session(book, meets={"Ann": ["Ann"]})
    assert doubts(game, advance(game)) == ["it is open what Ann feels"]


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
    assert after.happened == ["Ann's turn is over", "Bo takes the next turn"]
    assert after.ask("active(Bo)") and before.ask("active(Ann)") and not before.happened
    assert seatlog.turn(after, leaves=["Bo"]).ask("active(Cy)")


def test_of_what_nothing_comes_is_said() -> None:
    game = seatlog.open(seats=["Ann", "Bo"], active=["Ann"])
    assert seatlog.turn(game).happened == ["nothing changes"]
    (said,) = seatlog.turn(game, done=["Bo"]).happened
    assert said == 'nothing changes: no rule makes anything of "Bo ends the turn"'


def test_only_what_happens_is_taken_for_a_step() -> None:
    game = seatlog.open(seats=["Ann", "Bo"])
    with pytest.raises(TableError, match="range says how things stand"):
        seatlog.turn(game, range=1)
    with pytest.raises(TableError, match="no Player called"):
        seatlog.turn(game, done=["Cy"])

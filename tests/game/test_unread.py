"""Everything that a table can say is read by its book, or is told: check, questions, notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import seatlog
from seatlog.book import Book, Fact
from seatlog.editions import load_book, names
from seatlog.errors import NoRule, SeatlogError, TableError
from seatlog.game import Session
from seatlog.model import Row, Statement, Value
from seatlog.table import restated, table
from seatlog.views import checked

EDITIONS = names()
NAMES = {
    "Player": "Ann",
    "Thing": "Bear",
    "Team": "East",
    "Ability": "Roar",
    "Effect": "Surge",
    "Event": "Fall",
    "Choice": "Pick",
    "Option": "Left Way",
    "Loop": "Wheel",
}
BASE: dict[str, Any] = {
    "seats": ["Ann", "Ben", "Cy", "Di", "Eve", "Flo"],
    "range": 1,
    "objects": {
        "Bear": {"controller": "Ann", "types": ["creature"]},
        "Elk": {"controller": "Ben", "types": ["creature"]},
    },
    "abilities": {"Roar": {"source": "Bear"}},
    "effects": {"Surge": {"source": "Bear"}},
    "choices": {"Pick": {"of": "Bear", "asks": "any player"}},
    "events": {"Fall": {"subject": "Elk", "happens": "is dealt damage", "by": "Bear"}},
}


class Said(NamedTuple):
    """One fact in one book: with the words that stand in it, and whether the book reads it."""

    edition: str
    fact: Fact
    row: Row
    read: bool


def rows(book: Book, fact: Fact) -> Iterator[Row]:
    """A row of a fact for each declared word that can stand in it."""
    sorts = [book.vocabulary.sorts[name] for name in fact.sorts]
    plain: list[Value] = []
    for arg, sort in zip(fact.args, sorts, strict=True):
        if sort.closed:
            plain.append(sort.words[0])
        elif sort.is_number:
            plain.append(getattr(sort, "lowest", 1))
        else:
            parts = [arg.rstrip("0123456789"), *getattr(sort, "sorts", ())]
            known = [NAMES[p] for p in parts if p in NAMES]
            plain.append(known[0] if known else "Bear")
    found = [tuple(plain)]
    for spot, sort in enumerate(sorts):
        if sort.closed:
            found += [(*plain[:spot], word, *plain[spot + 1 :]) for word in sort.words]
    yield from dict.fromkeys(found)


def every() -> list[Said]:
    """Every fact of the vocabulary with every word, in every book."""
    out = []
    for edition in EDITIONS:
        book = load_book(edition)
        for fact in book.vocabulary.facts.values():
            known = book.bearing.get(fact.name)
            for row in rows(book, fact):
                read = known is not None and all(
                    words is None or value in words for words, value in zip(known, row, strict=True)
                )
                out.append(Said(edition, fact, row, read))
    return out


EVERY = every()


def same_key(said: Said, fact: Statement) -> bool:
    """Whether another fact gives way to what is said."""
    if fact.name != said.fact.name:
        return False
    return bool(set(said.fact.marks(said.row)) & set(said.fact.marks(fact.row)))


def opened(said: Said) -> Session | None:
    """A session in which it is said, unless such a table can't be."""
    book = load_book(said.edition)
    vocabulary = book.vocabulary
    stated = Statement(said.fact.name, said.row, ("said",))
    try:
        base = table(BASE, vocabulary)
        others = [f for f in base.facts if f.origin and not same_key(said, f)]
        return Session(book, restated(base, [*others, stated], vocabulary))
    except SeatlogError:
        return None


def test_what_is_said_is_read_or_told() -> None:
    """Of each fact and word that no rule reads ``check`` says so, and every question heeds it."""
    count = {"read": 0, "told": 0, "refused": 0}
    for said in EVERY:
        game = opened(said)
        if game is None:
            count["refused"] += 1
            continue
        mine = [each for each in game.unread if each.said.row == said.row]
        assert bool([e for e in mine if e.said.name == said.fact.name]) == (not said.read), said
        if said.read:
            count["read"] += 1
            continue
        count["told"] += 1
        found = checked(game)
        assert not found
        (line,) = [text for text in found.unread if text.startswith(mine[0].key)]
        would = [n for n in EDITIONS if n != said.edition and mine[0].is_read(load_book(n).bearing)]
        assert all(name in line for name in would)
        assert ("would" in line) == bool(would)
    assert count["told"] > 150, count
    assert count["read"] > 250, count
    assert count["refused"] < 0.2 * len(EVERY), count


ATTACK = {"seats": ["Ann", "Ben", "Cy", "Di"], "range": 1, "active": ["Ann"]}
OX = {"objects": {"Ox": {"controller": "Ann", "types": ["creature"]}}}


@pytest.mark.parametrize(
    ("keys", "question", "silent"),
    [
        ({"options": ["attack left"]}, ("Ox", "attack"), ("Ann", "target")),
        ({"options": ["attack right"]}, ("Ann", "attack", "Ben"), ("Ann", "reach")),
        ({"objects": {"Ox": {"controller": "Ann", "types": ["creature"], "new": True}}},
         ("Ox", "attack", "Ben"), ("Ann", "reach")),
        ({"attacks": {"Ox": "Ben"}, "objects": {"Ox": {"controller": "Ann", "types": ["creature"],
          "lets_attack": 1}}}, ("Ox", "attack", "Ben"), ("Ann", "target", "Ox")),
        ({"abilities": {"Lash": {"source": "Ox"}},
          "effects": {"Hit": {"source": "Lash", "affects": ["defending player"]}}},
         ("Hit", "affect"), ("Ann", "target")),
        ({"variant": "grand_melee"}, ("Ox", "attack"), ("Ann", "target")),
        ({"variant": "emperor"}, ("Ox", "attack"), ("Ann", "activate")),
    ],
)  # fmt: skip
def test_no_rule_where_another_edition_rests_on_it(
    keys: dict[str, Any], question: tuple[str, ...], silent: tuple[str, ...]
) -> None:
    game = seatlog.open({**ATTACK, **OX, **keys})
    with pytest.raises(NoRule) as caught:
        game.can(*question)
    assert "draft2004 has one" in caught.value.hint
    assert "aside = [" in caught.value.hint
    answer = game.can(*silent)
    assert any("no rule of cr reads it" in note for note in answer.notes)
    assert "\nnote: " in answer.text()
    assert answer.as_dict()["notes"] == list(answer.notes)
    assert not seatlog.check(game)


def test_each_way_of_asking_ends_so() -> None:
    game = seatlog.open({**ATTACK, **OX, "options": ["attack left"]})
    for ask in (
        lambda: game.ask("can_attack(Ox, X)"),
        lambda: game.rows("can_attack", "Ox", None),
        lambda: game.holds("can_attack", "Ox", "Ben"),
        lambda: game.why("Ox", "attack", "Ben"),
        lambda: game.answer("Ox attack Ben"),
        lambda: game.say(["Ox", "attack", "Ben"]),
        lambda: seatlog.change(game, "Ox", "attack", "Ben"),
        lambda: seatlog.draw(game, "attack"),
    ):
        with pytest.raises(NoRule):
            ask()
    assert game.ask("in_range(Ann, X)").notes
    assert (
        seatlog.overview(game, ["attack"])["verbs"]["attack"]["Ox"]["Ben"]["verdict"] == "no rule"
    )


def test_what_is_set_aside_is_not_asked_and_each_answer_says_so() -> None:
    game = seatlog.open({**ATTACK, **OX, "options": ["attack left"], "aside": ["options"]})
    answer = game.can("Ox", "attack", "Ben")
    assert answer
    assert answer.notes == ("asked without options, as the table says",)
    assert "note: asked without options" in str(answer)
    assert seatlog.check(game)
    assert game.data()["aside"] == ["options"]
    draft = seatlog.open({**game.data(), "edition": "draft2004"})
    assert draft.can("Ox", "attack", "Di"), "an edition that reads it is asked without it as well"
    assert not draft.but(aside=None).can("Ox", "attack", "Di")


@pytest.mark.parametrize("name", ["new", "objects.new"])
def test_a_key_in_a_group_is_set_aside_for_all(name: str) -> None:
    ox = {"Ox": {"controller": "Ann", "types": ["creature"], "new": True}}
    game = seatlog.open({**ATTACK, "objects": ox, "aside": [name]})
    assert game.can("Ox", "attack", "Ben")


@pytest.mark.parametrize(
    ("aside", "what"),
    [
        (["options"], "options is set aside, but the table doesn't say it"),
        (["optons"], 'no table key is called "optons"'),
        (["from"], 'no table key is called "from"'),
        ([3], "aside names keys of the table"),
        ("optons", 'no table key is called "optons"'),
    ],
)
def test_only_what_is_said_can_be_set_aside(aside: object, what: str) -> None:
    with pytest.raises(TableError, match=what):
        seatlog.open({**ATTACK, "aside": aside})


def test_a_step_keeps_what_is_set_aside() -> None:
    game = seatlog.open({**ATTACK, **OX, "options": ["attack left"], "aside": ["options"]})
    after = seatlog.turn(game, done=["Ann"])
    assert after.data()["options"] == ["attack left"]
    assert after.data()["aside"] == ["options"]
    assert after.can("Ox", "attack", "Ben").notes == ("asked without options, as the table says",)


def test_a_step_on_what_no_rule_reads_is_no_rule() -> None:
    with pytest.raises(NoRule, match="gains_turn"):
        seatlog.turn({**ATTACK}, gains_turn=["Cy"], done=["Ann"])


def test_an_answer_names_its_book_where_that_isnt_plain() -> None:
    plain = seatlog.open(ATTACK).can("Ann", "reach", "Ben")
    assert "book:" not in str(plain)
    other = seatlog.open(ATTACK, edition="draft2004").can("Ann", "reach", "Ben")
    assert str(other).splitlines()[-1].startswith("book: Draft of the multiplayer rules (draft2004")
    game = seatlog.open({**ATTACK, "variant": "grand_melee"})
    assert str(game.can("Ann", "reach", "Ben")).endswith("(cr, 2026-08-07), format grand_melee")
    assert "book:" in seatlog.draw({**ATTACK, "variant": "grand_melee"})

"""Questions the other way round: who target Anna, what attack Ben."""

from __future__ import annotations

from pathlib import Path

import pytest

import seatlog
from places import ROOT
from processes import run
from seatlog.errors import QuestionError
from seatlog.game import asked_of, asks_for
from seatlog.repl import Repl, opened

TABLE = "four_in_a_ring"
GAME = seatlog.open(TABLE)


@pytest.mark.parametrize("edition", ["cr", "cr2021", "draft2004"])
def test_all_who_can_are_those_of_whom_it_is_true(edition: str) -> None:
    """Every verb that takes nothing behind a preposition, against each single question."""
    game = seatlog.open(TABLE, edition=edition)
    tried = 0
    for verb in game.book.verbs:
        params = game.book.predicates[verb.predicate].params
        sort = game.book.vocabulary.sorts.get(params[verb.what or 0])
        if verb.what is None or verb.others or (sort and not sort.named):
            continue
        way = f"which {params[verb.who].casefold()}"
        kinds = asked_of(verb, game.book)
        for what in game.table.names:
            expected = []
            for who, kind in game.table.names.items():
                if kinds is None or kind in kinds:
                    single = game.meaning.verb(verb.word, who, set())
                    if single == verb:
                        expected += [who] * bool(game.can(who, verb.word, what))
            found = game.can(way, verb.word, what)
            assert [row for row in found if row in expected] == expected, (verb, what)
            tried += bool(expected)
    assert tried > 5


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        ("who target Alex", ["Alex", "Rob", "Dana"]),
        ("can who target alex?", ["Alex", "Rob", "Dana"]),
        ("Who Target Alex", ["Alex", "Rob", "Dana"]),
        ("what attack Rob", ["Runeclaw Bear"]),
        ("who attack Rob", ["Alex", "Carissa"]),
        ("which creature attack rob", ["Runeclaw Bear"]),
        ("WHICH Player attack Rob", ["Alex", "Carissa"]),
        ("who reach Runeclaw Bear", ["Rob", "Carissa", "Dana"]),
    ],
)
def test_the_same_in_every_face(words: str, rows: list[str]) -> None:
    assert list(GAME.answer(words)) == rows
    assert list(GAME.say(words.split())) == rows
    done = run("can", TABLE, *words.split())
    assert done.stdout.splitlines()[:-1] == rows and done.returncode == 0
    said = Repl(opened(TABLE, None, {})).execute(words)
    assert said.text.splitlines()[:-1] == rows


def test_pairs_come_in_the_tables_order() -> None:
    pairs = GAME.answer("who target").rows
    rank = list(GAME.table.names).index
    assert pairs == sorted(pairs, key=lambda row: [rank(str(name)) for name in row])
    assert {row[0] for row in pairs} == {"Alex", "Rob", "Carissa", "Dana"}
    assert [row[1] for row in pairs if row[0] == "Alex"] == list(GAME.can("Alex", "target"))


def test_why_takes_them_too() -> None:
    done = run("why", TABLE, "who", "reach", "Alex")
    rows = [line for line in done.stdout.splitlines() if not line.startswith((" ", "rules:"))]
    assert done.returncode == 0 and rows == ["Alex", "Rob", "Dana"]


def test_python_takes_none() -> None:
    assert list(GAME.can(None, "target", "Alex")) == list(GAME.can("who", "target", "Alex"))
    assert list(seatlog.can(TABLE, None, "reach", "Alex")) == ["Alex", "Rob", "Dana"]
    with pytest.raises(QuestionError, match='say "what attack" or "who attack"'):
        GAME.can(None, "attack", "Rob")


CHOICE = {
    "seats": ["Ann", "Ben"],
    "objects": {
        "Ox": {"controller": "Ben", "types": ["creature"]},
        "Edict": {"controller": "Ann", "types": ["sorcery"], "zone": "stack"},
    },
    "choices": {"Pick": {"of": "Edict", "asks": "you", "takes": ["creature"]}},
}


def test_prepositions_stand_behind_as_ever() -> None:
    game = seatlog.open(CHOICE)
    assert list(game.say(["who", "choose", "Ox", "for", "Pick"])) == ["Ann"]
    assert game.say(["who", "choose", "for", "Pick"]).rows == [("Ann", "Ox")]
    assert list(game.can("who", "choose", "Ox", **{"for": "Pick"})) == ["Ann"]
    with pytest.raises(QuestionError, match='"for" is said twice'):
        game.say(["who", "choose", "Ox", "for", "Pick"], **{"for": "Pick"})


def test_a_name_goes_before_the_word() -> None:
    game = seatlog.open(seats=["Who", "Anna", "Ben", "Cy"], range=1)
    assert game.say(["who", "reach", "Ben"]).verdict is False
    assert any("which player" in note for note in game.notes)
    assert list(game.say(["which", "player", "reach", "Ben"])) == ["Anna", "Ben", "Cy"]
    assert list(game.can(None, "reach", "Ben")) == ["Anna", "Ben", "Cy"]
    assert seatlog.open(seats=["Anna", "Ben"]).can("who", "reach", "Ben").open


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("whoo target Alex", 'did you mean "who"?'),
        ("who traget Alex", 'did you mean "target"?'),
        ("what target Alex", 'did you mean "who target"?'),
        ("which creature target Alex", 'did you mean "who target"?'),
        ("what draw Alex", 'say "which effect draw" or "which loop draw"'),
        ("who target Alix", 'did you mean "Alex"?'),
        ("Alex target who", "leave it out"),
    ],
)
def test_near_misses_are_told(words: str, hint: str) -> None:
    with pytest.raises(QuestionError) as caught:
        GAME.answer(words)
    assert hint in caught.value.hint


def test_of_whom_a_verb_is_asked_decides_the_word() -> None:
    words = {
        (v.word, w) for v in GAME.book.verbs for w in ("who", "what") if asks_for(w, v, GAME.book)
    }
    assert ("target", "who") in words and ("target", "what") not in words
    assert ("enchant", "what") in words and ("enchant", "who") not in words


def test_scenarios_take_them(tmp_path: Path) -> None:
    file = tmp_path / "reverse.toml"
    text = '[table]\nseats = ["Anna", "Ben", "Cy", "Di"]\nrange = 1\n[[scenario]]\nname = "who"\n'
    text += 'can = ["who", "target", "Anna"]\nanswer = ["Anna", "Ben", "Di"]\n'
    file.write_text(text + 'cites = ["801.2", "801.2a", "801.2b", "801.4"]\n', encoding="utf-8")
    done = run("test", str(file))
    assert done.stdout == "1 passed, 0 failed\n", done


def test_completion_offers_them() -> None:
    env = {"_SEATLOG_COMPLETE": "bash_complete", "COMP_CWORD": "3"}
    done = run(cwd=ROOT, **env, COMP_WORDS=f"seatlog can {TABLE} wh")
    assert done.stdout.split() == ["plain,who", "plain,what"]
    env["COMP_CWORD"] = "4"
    verbs = run(cwd=ROOT, **env, COMP_WORDS=f"seatlog can {TABLE} what ").stdout.split()
    assert "plain,enchant" in verbs and "plain,target" not in verbs


def test_help_says_what_can_be_asked_of_whom() -> None:
    session = Repl(opened(TABLE, None, {}))
    page = session.execute(":help").text
    assert "a player " in page and "who VERB [WHAT]" in page
    both = session.execute(":help target").text
    assert ":target <Spell> <Target>" in both and "of all:  who target Target" in both
    assert "clause:  in_range(Player, Target)" in session.execute(":help reach").text
    assert session.execute(":help Loop").text.startswith("of a loop:\n  Loop draw Player")
    assert 'did you mean "reach"?' in session.execute(":help raech").error
    shown = run("show", "--verbs").stdout
    assert shown.startswith("of a player:\n") and "\nof an effect:\n" in shown
    assert 'did you mean "target"?' in run("show", "--verbs", "tagret").stderr

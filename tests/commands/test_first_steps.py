"""What somebody stumbles over who uses the program for the first time."""

from __future__ import annotations

import json
import shlex
import time
from pathlib import Path
from typing import Any

import pytest

import seatlog
from places import ROOT
from processes import run
from seatlog.errors import QuestionError, closest
from seatlog.game import Session


@pytest.mark.parametrize(
    ("keys", "question", "said"),
    [
        ({"types": {"Charm": ["land"]}}, ("Charm", "enchant", "Ann"), "doesn't have type aura"),
        ({"types": {"Charm": ["land"]}}, ("Charm", "hit", "Ann"), "Charm doesn't target Ann"),
        ({"types": {"Charm": ["land"]}}, ("Charm", "equip", "Ann"), "Ann is a player"),
        (
            {"types": {"Charm": ["creature"]}, "left": {"Cy": 1}},
            ("Charm", "attack", "Bo"),
            "Cy has",
        ),
    ],
)
def test_a_no_says_what_is_lacking(
    keys: dict[str, Any], question: tuple[str, str, str], said: str
) -> None:
    game = seatlog.open(seats=["Ann", "Bo", "Cy"], range=1, controls={"Cy": ["Charm"]}, **keys)
    answer = game.can(*question)
    assert not answer
    assert any(said in line.text for line in answer.reason[1:])
    assert not any("may attack" in line.text for line in answer.reason)


def test_declared_words_are_known_whatever_their_case() -> None:
    game = seatlog.open(
        seats=["Ann", "Bo"],
        objects={"Charm": {"controller": "Ann", "types": ["Enchantment"], "subtypes": ["Aura"]}},
    )
    assert game.ask("is_a(Charm, 'enchantment')")
    assert game.can("Charm", "enchant", "Bo")


CHOICE = """
seats = ["Ann", "Bo"]
[objects]
"Old Wall" = { controller = "Ann", types = ["creature"] }
Spell = { controller = "Ann", types = ["sorcery"], zone = "stack" }
[choices]
"Which One" = { of = "Spell", takes = ["creature"] }
"""


@pytest.mark.parametrize(
    "words",
    [
        "Ann choose Old Wall for Which One",
        "Ann choose Old Wall --for 'Which One'",
        "Ann choose --for='Which One' Old Wall",
        "ann choose 'old wall' --for 'which one'",
    ],
)
def test_prepositions_are_words_or_flags(tmp_path: Path, words: str) -> None:
    file = tmp_path / "game.toml"
    file.write_text(CHOICE, encoding="utf-8")
    for command in ("can", "why"):
        done = run(command, str(file), *shlex.split(words))
        assert done.stderr == "" and done.stdout.startswith("yes\n"), done


def test_a_number_behind_a_preposition_is_a_number() -> None:
    game = seatlog.open(
        seats=["Ann", "Bo"],
        objects={"Ox": {"controller": "Ann", "types": ["creature"]}},
        events={"Hit": {"happens": "is dealt damage", "subject": "Bo", "by": "Ox", "amount": 3}},
    )
    assert game.can("Hit", "damage", "Bo", by="3")
    assert not game.say(["Hit", "damage", "Bo", "by", "2"])
    with pytest.raises(seatlog.errors.SeatlogError, match="no number"):
        game.can("Hit", "damage", "Bo", by="many")


def test_draw_marks_who_has_left() -> None:
    done = run("draw", "--seats", "Ann,Bo,Cy,Di", "--range", "1", "--left", "Bo: 1")
    assert "(Bo)  Bo has left the game" in done.stdout
    assert json.loads(run("draw", "four_in_a_ring", "--json").stdout)["gone"] == []


def test_check_says_what_speaks_of_somebody_who_has_left() -> None:
    flags = ["--seats", "Ann,Bo", "--controls", "Ann: Gate", "--types", "Gate: battle"]
    done = run("check", *flags, "--protects", "Bo: Gate", "--left", "Bo: 1")
    assert done.returncode == 0
    assert "Bo has left the game, and the table says: Bo is the protector" in done.stdout
    own = run("check", *flags, "--subtypes", "Gate: Siege", "--protects", "Ann: Gate")
    assert own.returncode == 2 and "310.12a" in own.stderr


def test_check_is_not_content_with_an_empty_table(tmp_path: Path) -> None:
    file = tmp_path / "empty.toml"
    file.touch()
    done = run("check", str(file))
    assert done.returncode == 1 and "0 facts, no names: there is nobody" in done.stdout


def test_an_error_that_rests_on_what_nobody_said_tells_so() -> None:
    done = run("check", "--seats", "Ann,Bo", "--left", "Bo: 4")
    assert "it is only turn 1" in done.stderr and "turn isn't said, so it is turn 1" in done.stderr
    assert "isn't said" not in run("check", "--seats", "Ann,Bo", "--turn=2", "--left=Bo: 4").stderr


def test_show_says_where_scenarios_are_missing(tmp_path: Path) -> None:
    done = run("show", cwd=tmp_path)
    assert "scenarios)" not in done.stdout and "there is no folder tests/scenarios" in done.stderr
    gaps = run("show", "--gaps", cwd=tmp_path)
    assert gaps.returncode == 0 and "no gaps" in gaps.stdout and "note: " in gaps.stderr
    cites = run("show", "801.4", "--cites", cwd=tmp_path)
    assert "there is no folder" in cites.stdout and "cited by" not in cites.stdout


def test_show_and_lint_count_the_same_clauses() -> None:
    last = run("show").stdout.splitlines()[-1]
    assert last.split(", ")[1].split(" (")[0] in run("lint", "cr").stdout


@pytest.mark.parametrize(
    "words", [["can", "--nonsense"], ["nonsense"], ["can"], ["show", "1", "2"]]
)
def test_errors_look_alike(words: list[str]) -> None:
    done = run(*words)
    assert done.returncode == 2 and done.stderr.startswith("error: ")
    assert "usage: seatlog" in done.stderr
    data = json.loads(run(*words, "--json").stdout)
    assert data["errors"][0]["kind"] == "usage"


def test_what_may_be_said_is_listed_whole() -> None:
    with pytest.raises(seatlog.errors.SeatlogError, match=r"vanguard$"):
        seatlog.open(seats=["Ann"], objects={"Ox": {"controller": "Ann", "types": ["zzz"]}})
    ability = {"source": "Ox", "watches": "enters"}
    with pytest.raises(seatlog.errors.SeatlogError, match='mean "enters the battlefield"'):
        seatlog.open(
            seats=["Ann"], objects={"Ox": {"controller": "Ann"}}, abilities={"Eye": ability}
        )


def test_an_effect_without_its_source_is_told_the_key() -> None:
    with pytest.raises(seatlog.errors.SeatlogError) as caught:
        seatlog.open(seats=["Ann"], effects={"Glow": {"affects": ["creature"], "prevents": True}})
    assert str(caught.value).count("lacks the key source or controller") == 1
    assert "effects.Glow.source = <Maker>" in str(caught.value)


def test_near_misses_are_found_among_many_and_however_accents_are_written() -> None:
    many = [f"{'Old' if n % 2 else 'New'} Wall of Number {n} by the River" for n in range(10_000)]
    start = time.process_time()
    assert closest("Old Wall of Number 4711 by teh River", many)
    assert time.process_time() - start < 5
    assert closest("Zoe\u0308", ["Zoë", "Max"]) == "Zoë"


def test_a_note_is_made_only_of_what_looks_like_a_variable() -> None:
    game = seatlog.open(seats=["Ann", "X"])
    game.ask("in_range(Ann, X)")
    assert game.notes == ["X is read as the name 'X', not as a variable"]


def emperors(**keys: Any) -> Session:
    """Two teams of three by the 2004 draft."""
    teams = {"Team A": ["Ann", "Bo", "Cy"], "Team B": ["Dee", "Eve", "Flo"]}
    seats = [*teams["Team A"], *teams["Team B"]]
    state = {"variant": "emperor", "seats": seats, "teams": teams, "emperors": ["Bo", "Eve"]}
    return seatlog.open(state, "draft2004", **keys)


def test_a_team_is_not_called_team_twice() -> None:
    answer = emperors(leaves=["Bo"]).can("Ann", "leave")
    assert [line.text for line in answer.reason] == [
        "Ann leaves the game at this moment",
        "Team A has lost the game, and Ann with it",
        "Bo, the emperor of Team A, has lost",
    ]


def test_a_step_says_who_has_won() -> None:
    after = seatlog.turn(emperors(active=["Eve"]), leaves=["Bo"])
    assert after.happened[0] == "Ann leaves the game in turn 1 (102.6, 102.7, 610.5a)"
    assert after.can("Eve", "win")


def test_a_verb_asked_of_the_wrong_one_says_who_can_be_asked() -> None:
    game = seatlog.open(seats=["Ann", "Bo"], controls={"Bo": ["Ox"]})
    with pytest.raises(QuestionError, match="this can be asked of an ability or an effect"):
        game.can("Ann", "find", "Ox", after="Ox")
    with pytest.raises(
        QuestionError, match='find takes nothing behind "by" here\n  it takes: after'
    ):
        game.can("Ann", "find", "Ox", by="Ox")


def test_a_name_of_one_word_keeps_its_small_letter() -> None:
    dies = {"subject": "Ox", "from": "battlefield", "to": "graveyard"}
    game = seatlog.open(seats=["Ann"], controls={"Ann": ["Ox"]}, events={"dies": dies})
    assert "\n  dies moves Ox" in str(game.can("dies", "move", "Ox"))


def test_words_go_before_comparisons_and_silence_is_not_said() -> None:
    controls, types = {"Ann": ["Shrine", "Ox"]}, {"Shrine": ["enchantment"], "Ox": ["creature"]}
    game = seatlog.open(
        seats=["Ann"], controls=controls, types=types, subtypes={"Shrine": ["Hill"]}
    )
    said = [line.text for line in game.can("Shrine", "enchant", "Ox").reason]
    assert "Shrine doesn't have type aura" in said
    assert not any(" is not " in text for text in said)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "607.7"], "--edition draft2004 has it"),
        (["new", "emporer"], 'no format is called "emporer". did you mean "emperor"?'),
        (["new"], "name a format to be dealt (emperor, "),
    ],
)
def test_what_lies_elsewhere_is_named(words: list[str], said: str) -> None:
    assert said in run(*words).stderr


def test_a_drawing_says_whose_turn_it_is() -> None:
    done = run("draw", "four_in_a_ring", "--active", "Rob")
    assert done.stdout.rstrip().splitlines()[-1].startswith("It is Rob's turn")


def test_a_line_with_several_errors_is_shown_once(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_text('variant = "emperor"\nseats = ["Ann", "Bo"]\n', encoding="utf-8")
    assert run("check", str(file)).stderr.count("    seats = ") == 1


def test_scenarios_run_by_the_book_in_a_folder() -> None:
    done = run("test", "--edition", "rules/cr", "-k", "801.4_", cwd=ROOT)
    assert done.returncode == 0 and "0 failed" in done.stdout

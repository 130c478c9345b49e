"""Nothing on a command line is passed over: said twice, left without effect, at odds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest

import seatlog
from faces import commands
from processes import run
from seatlog.editions import load_book
from seatlog.errors import QuestionError, SeatlogError, TableError
from seatlog.table import flag_keys, parse_flag

TABLE = "four_in_a_ring"
VOCABULARY = load_book().vocabulary


def options() -> list[tuple[str, click.Option]]:
    """The options of all commands, less those that tables give, that list and that end it all."""
    found = []
    for name, command in commands().items():
        own = [p for p in command.params if isinstance(p, click.Option)]
        found += [(name, p) for p in own if not p.is_eager and not p.multiple]
    return found


@pytest.mark.parametrize(("name", "option"), options(), ids=lambda x: str(getattr(x, "name", x)))
def test_an_option_is_said_once(name: str, option: click.Option) -> None:
    command = commands()[name]
    kind: Any = option.type
    value = next(iter(getattr(kind, "choices", ["1"])))
    said = [option.opts[0]] if option.is_flag else [option.opts[0], str(value)]
    with pytest.raises(click.UsageError, match="is said twice: keep one"):
        command.make_context(name, [*said, *said])


@pytest.mark.parametrize("key", flag_keys(VOCABULARY))
def test_a_key_that_takes_one_value_is_said_once(key: str) -> None:
    """Lists go on where a flag is said again; what takes one value is refused, name by name."""
    once = parse_flag(key, ("A: 1",), VOCABULARY)
    many = once["A"] if isinstance(once, dict) else once
    if isinstance(many, list):
        twice = parse_flag(key, ("A: 1", "A: 1"), VOCABULARY)
        assert (twice["A"] if isinstance(twice, dict) else twice) == many * 2
        return
    for texts in (("A: 1", "A: 1"), ("A: 1", "A: 2"), ("A: 1; A: 2",) * isinstance(once, dict)):
        if texts:
            with pytest.raises(TableError, match="is said twice"):
                parse_flag(key, texts, VOCABULARY)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("can four_in_a_ring --range 1 --range 2 Alex reach Rob", "--range is said twice"),
        ("can four_in_a_ring --range 1 --range 1 Alex reach Rob", "--range is said twice"),
        ("can four_in_a_ring --range 1 --range Alex:2 Alex reach Rob", "--range is said twice"),
        ("can four_in_a_ring --edition cr --edition=cr Alex reach Rob", "--edition is said twice"),
        ("why four_in_a_ring --tree --tree all Alex reach Rob", "--tree is said twice"),
        ("lint cr --edition cr2021", "say which book once"),
        ("lint --edition cr cr", "say which book once"),
        ("show --gaps --cites", "keep one"),
        ("show --verbs --vocabulary", "keep one"),
        ("show 801.4 --gaps", "leave 801.4 out"),
        ("turn four_in_a_ring --over --leaves Rob", "--to names none"),
        ("test --write", "say both"),
        ("new emperor --players A,B,C,D,E,F --variant melee", "leave --variant out"),
        ("new emperor --players A,B,C,D,E,F --teams 2 --teams 3", "--teams is said twice"),
        ("new free_for_all --players A,B --seats A,B --starts A --seed 1", "left to chance"),
        ("draw four_in_a_ring --verb=", "no such verb"),
        ("can four_in_a_ring --protector Ann Alex reach Rob", "protects = "),
    ],
)
def test_what_would_be_passed_over_is_refused(line: str, said: str) -> None:
    done = run(*line.split())
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("error: ") and said in done.stderr


def test_what_comes_to_nothing_is_told() -> None:
    done = run("lint", "cr", "--json", "--format", "sarif")
    assert done.returncode == 2 and "--json or --format sarif, not both" in done.stdout
    done = run("can", TABLE, "Alex", "target", "--change")
    assert "a change is looked for what is answered by yes or no" in done.stderr
    done = run("can", "--seats", "A,B", "A", "reach", "A", "--change")
    assert done.returncode == 0 and "no change was found that would turn this yes" in done.stderr
    assert run("why", TABLE, "Alex", "target").stderr == ""


def test_lists_and_groups_go_together() -> None:
    assert parse_flag("seats", ("A,B", "C"), VOCABULARY) == ["A", "B", "C"]
    assert parse_flag("ranges", ("A: 1", "B: 2"), VOCABULARY) == {"A": 1, "B": 2}
    assert parse_flag("controls", ("A: X", "A: Y"), VOCABULARY) == {"A": ["X", "Y"]}


@pytest.mark.parametrize("name", ["self", "game", "table", "state", "announce", "session"])
def test_keys_called_like_arguments_are_keys(name: str) -> None:
    game = seatlog.open(TABLE)
    for call in (game.but, lambda **k: seatlog.turn(game, **k)):
        with pytest.raises(TableError, match="no table key is called"):
            call(**{name: 1})
    keys: dict[str, Any] = {name: 1}
    if name != "table":
        with pytest.raises(TableError, match="no table key is called"):
            seatlog.open(**keys)


@pytest.mark.parametrize(
    "question",
    [
        "reaches('Zed', X)",
        "reaches(X, 'Zed')",
        "reaches(Alex, X) & ~reaches(Rob, 'Zed')",
        "(N == count(X, reaches(X, 'Zed')))",
        "reaches(Alex, X) & (X != 'Zed')",
        "seat('Zed', X)",
        "in_range('Zed', 'Alex')",
    ],
)
def test_ask_refuses_a_name_that_isnt_there(question: str) -> None:
    with pytest.raises(QuestionError, match='called "Zed"'):
        seatlog.ask(TABLE, question)


def test_ask_says_who_may_be_meant() -> None:
    with pytest.raises(QuestionError, match='did you mean "Carissa"'):
        seatlog.ask(TABLE, "reaches('Carisa', X)")
    assert seatlog.ask(TABLE, "is_a(X, 'creature')") and seatlog.ask(TABLE, "reaches('Alex', X)")
    assert not seatlog.ask(TABLE, "subtype(X, 'Zed')")


def test_reports_name_files_as_they_are_found(tmp_path: Path) -> None:
    book = tmp_path / "books" / "own"
    (book / "900").mkdir(parents=True)
    head = 'title = "Own"\ndate = "2026-09-01"\nbase = "cr"\n'
    (book / "edition.toml").write_text(head, encoding="utf-8")
    rule = "## 900.1  Own\n\n# yes: {Player} is odd\ncant_target(Player, Target) <= (\n"
    rule += "    seat(Player, 1)\n    & object(Target)\n)\n"
    (book / "900" / "900.1_own.dl").write_text(rule, encoding="utf-8")
    done = run("lint", "books/own", "--format", "github", cwd=tmp_path)
    assert "file=books/own/900/900.1_own.dl,line=4" in done.stdout
    assert 'did you mean "cannot_target"?' in done.stdout


def test_every_error_of_a_verb_names_what_can_be_asked() -> None:
    with pytest.raises(SeatlogError) as caught:
        seatlog.can(TABLE, "Alex", "frobnicate")
    assert caught.value.hint.startswith("what a player can be asked: ")
    assert "enchant" not in caught.value.hint and "reach" in caught.value.hint


def test_help_fits_on_a_screen() -> None:
    for name in commands():
        page = run(*name.split(), "--help").stdout.splitlines()
        assert len(page) < 50, name
    assert "--seats" in run("can", "--help").stdout
    shown = run("show", "--keys").stdout
    assert "--leaves Player,…" in shown and "who leaves the game now" in shown
    assert 'did you mean "range' in run("show", "--keys", "rnage").stderr


def test_draw_takes_verbs_of_those_in_the_ring() -> None:
    done = run("draw", TABLE, "--verb", "enchant")
    assert done.returncode == 2 and "can't be asked of those round the table" in done.stderr
    assert "Alex     target: Alex, Rob, Dana" in run("draw", TABLE, "--verb", "target").stdout

"""Formats are dealt as their rules say, whatever the dice, and nothing else is taken."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from processes import run
from seatlog.book import Files, Vocabulary
from seatlog.editions import cache as prepared
from seatlog.editions import load_book
from seatlog.errors import BookError, SeatlogError, TableError
from seatlog.game import Session, open_session
from seatlog.table import GROUPS, choose, deal, find_format, split, started, table

DRAFT = "draft2004"
Dealt = Mapping[str, Any]


def people(number: int) -> list[str]:
    return [f"P{i}" for i in range(1, number + 1)]


def dealt(name: str, number: int, groups: int = GROUPS, seed: int | None = 1) -> dict[str, Any]:
    """What the file of a dealt table says, read again; the book has looked it over."""
    form, book, edition = choose(name, None)
    assert edition == DRAFT
    keys = deal(form, people(number), groups, book.vocabulary, seed)
    data = tomllib.loads(started(keys, book.vocabulary, edition))
    assert open_session(data).book.name == DRAFT
    return data


def refusals(name: str, number: int, groups: int = GROUPS) -> set[str]:
    """The numbers of the rules that refuse a dealt table."""
    try:
        dealt(name, number, groups)
    except SeatlogError as error:
        return {getattr(each, "rule", "") for each in getattr(error, "errors", (error,))}
    return set()


def alone(data: Dealt) -> None:
    """Everybody for themselves: no teams, 20 life each, anybody begins."""
    assert not {"teams", "emperors", "team_life"} & set(data)
    assert data["starts"] in data["seats"]
    assert data["life"] == dict.fromkeys(data["seats"], 20)


def alternating(data: Dealt) -> None:
    """The first of each team, then the second of each, and so on."""
    teams = list(data["teams"].values())
    assert data["seats"] == [team[i] for i in range(len(teams[0])) for team in teams]
    assert data["starts"] in data["seats"]
    assert data["life"] == dict.fromkeys(data["seats"], 20)


def sides(data: Dealt) -> list[list[str]]:
    """Two equal teams, one after the other round the table."""
    first, second = data["teams"].values()
    assert data["seats"] == [*first, *second] and len(first) == len(second)
    return [first, second]


def giants(data: Dealt) -> None:
    """A second head begins, and life is shared: 20 for each head."""
    teams = sides(data)
    assert data["starts"] in {team[1] for team in teams}
    assert set(data["team_life"].values()) == {20 * len(teams[0])}
    assert set(data["team_life"]) == set(data["teams"]) and "life" not in data


def emperors(data: Dealt) -> None:
    """The emperor sits in the middle of each team, and an emperor begins."""
    teams = sides(data)
    assert len(teams[0]) in (3, 5)
    assert data["emperors"] == [team[len(team) // 2] for team in teams]
    assert data["starts"] in data["emperors"]
    assert data["life"] == dict.fromkeys(data["seats"], 20)


MANY = 97
SIZES: dict[str, tuple[Callable[[Dealt], Any], list[int], str, list[int]]] = {
    "free_for_all": (alone, [3, 4, 5, 6], "605.1", [1, 2, 7, 8, 11]),
    "melee": (alone, [6, 7, 8, 9, 10], "606.1", [1, 2, 3, 4, 5, 11, 12]),
    "grand_melee": (alone, [*range(11, 25), MANY], "607.1", [1, 2, 6, 9, 10]),
    "team": (alternating, [2, 4, 6, 8, 12], "608.1", [1, 3, 5, 7, 9]),
    "two_headed_giant": (giants, [4, 6, 8, 10, 200], "609.1", [1, 2, 3, 5, 7]),
    "emperor": (emperors, [6, 10], "610.1", [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 14]),
    "pentagon": (alone, [5], "611.1", [1, 2, 3, 4, 6, 7, 10]),
}
"""For each format what holds, the sizes it takes, the rule that says so, and sizes refused."""

TAKEN = [(name, size) for name, (_, sizes, _, _) in SIZES.items() for size in sizes]
REFUSED = [(name, size) for name, (_, _, _, sizes) in SIZES.items() for size in sizes]


@pytest.mark.parametrize(("name", "size"), TAKEN)
def test_a_size_that_a_format_takes(name: str, size: int) -> None:
    """The file is fine, everybody sits down once, and what the rules of seating say holds."""
    data = dealt(name, size)
    assert (data["edition"], data["variant"]) == (DRAFT, name)
    assert sorted(data["seats"]) == sorted(people(size))
    SIZES[name][0](data)


@pytest.mark.parametrize(("name", "size"), REFUSED)
def test_a_size_that_a_format_refuses(name: str, size: int) -> None:
    """By the number of the rule that says so; another of its chapter may have a say as well."""
    rule = SIZES[name][2]
    found = refusals(name, size)
    assert rule in found and {r.partition(".")[0] for r in found} == {rule.partition(".")[0]}


@pytest.mark.parametrize("groups", [2, 3, 4, 6])
def test_team_games_have_any_number_of_teams(groups: int) -> None:
    data = dealt("team", 12, groups)
    alternating(data)
    assert len(data["teams"]) == groups


def test_other_formats_have_two_teams() -> None:
    assert refusals("team", 4, 1) == {"608.1"}
    assert refusals("two_headed_giant", 6, 3) == {"609.1"}
    assert refusals("emperor", 9, 3) == {"610.1"}


@pytest.mark.parametrize("name", SIZES)
def test_a_seed_deals_the_same_table_again(name: str) -> None:
    size = SIZES[name][1][-1]
    assert dealt(name, size, seed=7) == dealt(name, size, seed=7)


@pytest.mark.parametrize(
    ("name", "size", "starters"),
    [
        ("free_for_all", 4, {"P1", "P2", "P3", "P4"}),
        ("pentagon", 5, {"P1", "P2", "P3", "P4", "P5"}),
        ("team", 4, {"P1", "P2", "P3", "P4"}),
        ("two_headed_giant", 6, {"P2", "P5"}),
        ("emperor", 6, {"P2", "P5"}),
        ("emperor", 10, {"P3", "P8"}),
    ],
)
def test_seeds_let_everybody_begin_who_may(name: str, size: int, starters: set[str]) -> None:
    """Nobody else ever does; the rules say the same of the first of these tables."""
    form, book, _ = choose(name, None)
    tables = [deal(form, people(size), GROUPS, book.vocabulary, seed) for seed in range(60)]
    assert {t["starts"] for t in tables} == starters
    game = Session(book, table(tables[0], book.vocabulary))
    assert {row[0] for row in game.ask("can_start(Player)").rows} == starters


def test_seats_are_drawn_only_where_the_rules_say_so() -> None:
    for name in ("free_for_all", "melee", "grand_melee", "pentagon"):
        size = SIZES[name][1][0]
        assert len({tuple(dealt(name, size, seed=s)["seats"]) for s in range(6)}) > 1
    for name in ("team", "two_headed_giant", "emperor"):
        size = SIZES[name][1][-1]
        assert len({tuple(dealt(name, size, seed=s)["seats"]) for s in range(6)}) == 1


def test_without_a_seed_chance_decides() -> None:
    assert len({tuple(dealt("grand_melee", 24, seed=None)["seats"]) for _ in range(3)}) == 3


def test_groups_are_as_equal_as_can_be() -> None:
    assert split(people(7), 3) == [["P1", "P2", "P3"], ["P4", "P5"], ["P6", "P7"]]
    assert split(people(2), 5) == [["P1"], ["P2"]]
    with pytest.raises(TableError):
        split(people(2), 0)


def test_no_team_is_called_like_a_player() -> None:
    form, book, _ = choose("team", None)
    keys = deal(form, ["Team A", "Ann", "Team C", "Bob"], 2, book.vocabulary, 1)
    assert list(keys["teams"]) == ["Team B", "Team D"]


# --- Files of formats ---------------------------------------------------------------------------


def ranges(edition: str, variant: str) -> list[int]:
    """The range that a format's file gives everybody in an edition."""
    book = load_book(edition)
    state = table({"variant": variant, "seats": ["Ann", "Bob"]}, book.vocabulary)
    return [int(f.row[0]) for f in state.facts if f.name == "range_for_all"]


def test_what_a_format_says_for_today_stays_as_it_was() -> None:
    assert {name: ranges("cr", name) for name in SIZES} == {
        name: [1] if name == "grand_melee" else [] for name in SIZES
    }
    assert ranges(DRAFT, "grand_melee") == []


def test_the_edition_may_be_said_by_the_table_or_beside_it() -> None:
    state = {"variant": "grand_melee", "seats": people(11)}
    for game in (open_session({**state, "edition": DRAFT}), open_session(state, DRAFT)):
        assert game.ask("usual_reach(1)")
        assert "range_for_all" not in {f.name for f in game.table.facts}
    assert open_session({**state, "edition": DRAFT}, "cr").can("P1", "reach", "P2").cites


def test_a_prepared_book_still_knows_which_parts_are_its_own() -> None:
    """Or a format would say something else from the second start on."""
    book = load_book(DRAFT)
    prepared.save(book.key, book)
    again = prepared.load(book.key)
    assert again and again.vocabulary.editions == (DRAFT,)


def written(folder: Path, text: str) -> Vocabulary:
    """A vocabulary that knows one format, ``odd``, with this file."""
    (folder / "variants").mkdir()
    (folder / "variants" / "odd.toml").write_text(text, encoding="utf-8")
    known = load_book(DRAFT).vocabulary
    sort = Files("Format", "variants", ["odd"])
    return known._replace(folder=str(folder), sorts={**known.sorts, "Format": sort})


def test_an_editions_part_lies_over_the_rest(tmp_path: Path) -> None:
    text = "range = 1\nturn = 3\n[draft2004]\nrange = 2\n[cr]\nrange = 4\n"
    vocabulary = written(tmp_path, text)
    facts = {str(f) for f in table({"variant": "odd", "seats": ["Ann"]}, vocabulary).facts}
    assert {"range_for_all(2)", "turn(3)"} <= facts
    own = table({"variant": "odd", "seats": ["Ann"], "range": 5}, vocabulary)
    assert "range_for_all(5)" in {str(f) for f in own.facts}
    derived = table(
        {"variant": "odd", "seats": ["Ann"]}, vocabulary._replace(editions=("cr", "house"))
    )
    assert "range_for_all(4)" in {str(f) for f in derived.facts}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("draft2004 = 3", "groups of keys"),
        ("[draft2004]\ndeal = 3", "groups of keys"),
        ("deal = 3", "groups of keys"),
        ("[draft2005]\nrange = 1", "no table key is called"),
        ("[draft2004.deel]\nseats = 'shuffled'", "no table key is called"),
    ],
)
def test_a_file_that_says_something_else_is_refused(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(TableError, match=what):
        table({"variant": "odd", "seats": ["Ann"]}, written(tmp_path, text))


@pytest.mark.parametrize("recipe", ['"shuffeld"', "3", "{ each = '20' }", '"third of a group"'])
def test_a_recipe_that_nobody_knows_is_refused(tmp_path: Path, recipe: str) -> None:
    vocabulary = written(tmp_path, f"[deal]\nseats = {recipe}")
    form = find_format("odd", vocabulary)
    assert form
    with pytest.raises(BookError, match="nobody knows how to deal seats"):
        deal(form, ["Ann"], 1, vocabulary, 1)


@pytest.mark.parametrize(
    ("recipe", "value"),
    [
        ("first of each group", ["P1", "P4"]),
        ("last of each group", ["P3", "P5"]),
        ("middle of each group", ["P2", "P4"]),
        ("second of each group", ["P2", "P5"]),
        ("alternating", ["P1", "P4", "P2", "P5", "P3"]),
        ("side by side", ["P1", "P2", "P3", "P4", "P5"]),
    ],
)
def test_recipes_with_uneven_groups(tmp_path: Path, recipe: str, value: list[str]) -> None:
    vocabulary = written(tmp_path, f'[deal]\nseats = "{recipe}"')
    form = find_format("odd", vocabulary)
    assert form
    assert deal(form, people(5), 2, vocabulary, 1) == {"variant": "odd", "seats": value}


# --- The command --------------------------------------------------------------------------------


def test_a_dealt_file_passes_check(tmp_path: Path) -> None:
    names = "Ann,Bob,Cas,Dan,Eve,Fay"
    done = run("new", "emperor", "game.toml", "--players", names, "--seed", "5", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    emperors(tomllib.loads((tmp_path / "game.toml").read_text(encoding="utf-8")))
    done = run("check", "game.toml", cwd=tmp_path)
    assert done.stdout == "game: 23 facts, 6 players, 2 teams: fine\n"
    done = run("can", "game.toml", "Ann", "start", cwd=tmp_path)
    assert done.returncode == 1 and "rules: 103.2, 610.3" in done.stdout


def test_a_refused_table_is_not_written(tmp_path: Path) -> None:
    done = run("new", "pentagon", "game.toml", "--players", "Ann,Bob", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.endswith("(611.1)\n") and "variant" not in done.stderr
    assert not (tmp_path / "game.toml").exists()


def test_flags_lie_over_what_is_dealt() -> None:
    teams = "Red: Ann, Bob; Blue: Cas, Dan"
    words = ("new", "team", "--teams", teams, "--life", "Ann: 30", "--starts", "Cas", "--json")
    data = tomllib.loads(json.loads(run(*words).stdout)["text"])
    assert data["seats"] == ["Ann", "Cas", "Bob", "Dan"]
    assert data["teams"] == {"Red": ["Ann", "Bob"], "Blue": ["Cas", "Dan"]}
    assert data["life"]["Ann"] == 30 and data["life"]["Bob"] == 20
    assert data["starts"] == "Cas"


def test_how_many_teams_is_a_number() -> None:
    names = "Ann,Bob,Cas,Dan,Eve,Fay"
    done = run("new", "team", "--players", names, "--teams", "3")
    data = tomllib.loads(done.stdout)
    assert data["seats"] == ["Ann", "Cas", "Eve", "Bob", "Dan", "Fay"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("new", "emperor"), "who plays?"),
        (("new", "emporer", "--players", "Ann"), "did you mean"),
        (("new", "emperor", "--players", "Ann", "--edition", "cr"), "--edition draft2004"),
        (("new", "--seed", "1"), "which format"),
        (("new", "team", "--players", "Ann", "--teams", "Red: Ann"), "not both"),
        (("new", "team", "a.toml", "b.toml", "--players", "Ann"), "unexpected"),
    ],
)
def test_what_the_command_needs(words: tuple[str, ...], said: str) -> None:
    done = run(*words)
    assert done.returncode == 2 and said in done.stderr

"""What a search over all games finds comes out so when it is asked again, or is said not to."""

from __future__ import annotations

from pathlib import Path

import pytest

import processes
import small_books
from seatlog.compare import export
from seatlog.compare.comparing import Comparing, Wanted
from seatlog.compare.report import Labelled
from seatlog.compare.search import within
from seatlog.compare.witness import Witnesses
from seatlog.editions import load_book
from seatlog.errors import SeatlogError, TableError
from seatlog.language import create
from seatlog.worlds import Slots, names_said


def test_a_word_counts_where_it_is_told_from_others_and_not_for_being_one() -> None:
    """A source that is named in words of which one book lacks some is named in both."""
    a, b = (Labelled(name, load_book(name)) for name in ("cr", "draft2004"))
    only = Wanted(frozenset({"damage"}))
    comparing = Comparing(a, b, only, lambda _: None)
    found = within(comparing, {"Player": 2, "Thing": 1}, only)
    assert found.searched.remarks == ()
    said = [(text, d.kind) for d in found.differences if "prevents" in (text := str(dict(d.data)))]
    assert any("no rule" in kind and "planeswalker" in text for text, kind in said)


HELD = """\
## 1.1  Who controls reaches

# verb: Player reach Thing
# yes: {{Player}} reaches {{Thing}}
# no: {{Player}} doesn't reach {{Thing}}
can_reach(Player, Thing) <= {}
"""


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("held")
    small_books.book(top / "one", HELD.format("controls(Player, Thing)"))
    small_books.book(top / "two", HELD.format("(controls(Player, Thing) & ~active(Player))"))
    return top


@pytest.mark.parametrize("marked", [(), ("--markdown",)])
def test_what_differs_and_cant_be_shown_is_no_agreement(held: Path, marked: tuple[str]) -> None:
    """Neither book has seats, so neither has a rule where the shipped editions have one."""
    words = ("compare", "one", "two", "--verdicts", "--bound", "players=1,things=1", *marked)
    done = processes.run(*words, cwd=held)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 differs, 0 alike" in done.stdout
    assert "asked again both say no rule" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("verdicts differ, but in no game")


@pytest.mark.parametrize("option", ["--to", "--format", "--scenarios", "--scheduler"])
def test_an_option_that_names_nothing_is_refused(held: Path, option: str) -> None:
    done = processes.run("compare", "one", "two", option, "", "--games", "1", cwd=held)
    assert done.returncode == 2, done.stdout
    assert f"{option} names nothing" in done.stderr


def test_a_folder_is_looked_at_before_anything_is_compared(held: Path) -> None:
    for folder in ("one/rules.dl/found", "one/edition.toml"):
        done = processes.run("compare", "one", "two", "--to", folder, cwd=held)
        assert done.returncode == 2, done.stdout
        assert not done.stdout
        assert "folder" in done.stderr


def test_it_is_said_what_cant_be_written_over(tmp_path: Path) -> None:
    table = 'seats = ["Ann"]\ncontrols = { Ann = ["Bear"] }\n'
    (tmp_path / "held.toml").write_text(table, encoding="utf-8")
    seated = "(seat(Player, _Seat) & controls(Player, Thing){})"
    small_books.book(tmp_path / "one", HELD.format(seated.format("")))
    small_books.book(tmp_path / "none", HELD.format(seated.format(" & ~controls(Player, Thing)")))
    asked = ("compare", "one", "none", "--verdicts", "--table", "held.toml")
    words = (*asked, "--to", "found", "--over")
    done = processes.run(*words, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    (file,) = (tmp_path / "found" / "tables").iterdir()
    file.unlink()
    file.mkdir()
    done = processes.run(*words, cwd=tmp_path)
    assert done.returncode == 2
    where = Path("found", "tables", file.name)
    assert done.stderr.startswith(f"error: {where} can't be written (it is a folder)"), done.stderr


READINGS = """\
## 1.1  Who sits holds

# verb: Player hold Thing
# yes: {{Player}} holds {{Thing}}
# no: {{Player}} doesn't hold {{Thing}}
# doubt: unclear(Player, Thing)
can_hold(Player, Thing) <= (seat(Player, _Seat) & controls(Player, Thing){})

# yes: whether {{Player}} holds {{Thing}} is said nowhere
unclear(Player, Thing) <= (seat(Player, _Seat) & controls(Player, Thing){})
"""


def test_two_readings_of_what_is_open_are_a_difference_that_is_shown(tmp_path: Path) -> None:
    """Both leave it open, and by one it is yes; beside a book that leaves it open only in turn."""
    small_books.book(tmp_path / "one", READINGS.format("", ""))
    small_books.book(tmp_path / "two", READINGS.format(" & active(Player)", ""))
    some = READINGS.format(" & active(Player)", " & turn(2)")
    small_books.book(tmp_path / "three", some)
    words = ("--verdicts", "--bound", "players=1,things=1")
    done = processes.run("compare", "one", "two", *words, cwd=tmp_path)
    assert done.returncode == 1
    assert "hold: open (yes) -> open (no) (1)" in done.stdout, done.stdout
    done = processes.run("compare", "one", "three", *words, cwd=tmp_path)
    kinds = [line for line in done.stdout.splitlines() if line.startswith("hold: ")]
    assert kinds == [
        "hold: open (yes) -> no (1)",
        "hold: open (yes) -> open (no) (1)",
        "hold: open (yes) -> yes (1)",
    ]


def test_what_neither_book_reads_hides_no_difference(tmp_path: Path) -> None:
    """A player is brought to a table by a seat, which neither reads."""
    rules = HELD.replace("reach", "hold")
    small_books.book(tmp_path / "one", rules.format("owns(Player, Thing)"))
    small_books.book(tmp_path / "two", rules.format("(owns(Player, Thing) & owns(Player, _Other))"))
    small_books.book(tmp_path / "three", rules.format("(owns(_Who, Thing) & owns(Player, _Other))"))
    words = ("--verdicts", "--bound", "players=2,things=2")
    done = processes.run("compare", "one", "two", *words, cwd=tmp_path)
    said = done.stdout.splitlines()[-1]
    assert said.startswith("no difference within 2 players, 2 things"), done.stdout + done.stderr
    done = processes.run("compare", "one", "three", *words, cwd=tmp_path)
    assert done.returncode == 1
    assert "hold: no -> yes (1)" in done.stdout, done.stdout


def holding_but(tmp_path: Path, unless: str) -> processes.Done:
    """Two books compared: owners hold what they own, in the second only where that is so, too."""
    rules = HELD.replace("reach", "hold")
    small_books.book(tmp_path / "one", rules.format("owns(Player, Thing)"))
    small_books.book(tmp_path / "two", rules.format(f"(owns(Player, Thing) & ({unless}))"))
    words = ("--verdicts", "--bound", "players=2,things=2")
    return processes.run("compare", "one", "two", *words, cwd=tmp_path)


def test_where_rules_speak_of_a_name_nothing_is_proved(tmp_path: Path) -> None:
    done = holding_but(tmp_path, "Player != 'Ann'")
    assert "searched, not proved" in done.stdout, done.stdout + done.stderr
    assert 'speak of, so nothing is proved: "Ann"' in done.stdout
    with pytest.raises(SeatlogError, match='speaks of "Ann"'):
        Witnesses(load_book(str(tmp_path / "two")), {"Player": 2})


LOVED = """
# bookkeeping: loved
loved('Bear') <= turn(_Turn)
"""


@pytest.mark.parametrize(
    "rules",
    [
        HELD.format("(controls(Player, Thing) & (Bear == 'Bear') & (Thing != Bear))"),
        HELD.format("(controls(Player, Thing) & loved(Other) & (Thing != Other))") + LOVED,
        HELD.format("(controls(Player, Thing) & (Thing != 'creature'))"),
        HELD.format("controls(Player, Thing)").replace(
            "can_reach", "# doubt: unclear(Player, 'Bear')\ncan_reach", 1
        )
        + "\n# yes: {Player} isn't clear of {Thing}\n"
        + "unclear(Player, Thing) <= owns(Player, Thing)\n",
    ],
    ids=["by a variable", "by a head", "by a word", "by a doubt"],
)
def test_a_name_is_spoken_of_however_it_comes_in(tmp_path: Path, held: Path, rules: str) -> None:
    """In a game with that name the books part, and no name in a slot is like it."""
    small_books.book(tmp_path / "two", rules)
    words = ("--verdicts", "--bound", "players=1,things=1")
    done = processes.run("compare", str(held / "one"), "two", *words, cwd=tmp_path)
    assert "so nothing is proved: " in done.stdout, done.stdout + done.stderr
    assert "proved (" not in done.stdout
    last = done.stdout.splitlines()[-1]
    assert last.startswith("no difference within") and "0 games" not in last
    with pytest.raises(SeatlogError, match="speaks of "):
        Witnesses(load_book(str(tmp_path / "two")), {"Player": 2})


@pytest.mark.parametrize(
    ("bound", "said"), [("players=2", 'two speaks of "Ann"'), ("widgets=2", "nothing is called")]
)
def test_what_hinders_a_search_is_said_before_mutants_are_tried(
    tmp_path: Path, bound: str, said: str
) -> None:
    """No scenario asks the book: that would be said next."""
    known = "(controls(Player, Thing) & (Player != 'Ann'))"
    small_books.book(tmp_path / "two", HELD.format(known))
    (tmp_path / "none.toml").write_text("", encoding="utf-8")
    words = ("mutate", "two", "--scenarios", "none.toml", "--bound", bound)
    done = processes.run(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {said}"), done.stderr


def test_a_name_that_rules_speak_of_stands_for_no_other(tmp_path: Path) -> None:
    """Of the second thing alone the books say different things."""
    done = holding_but(tmp_path, "Thing != 'Thing2'")
    assert "4 verdicts: 2 differ" in done.stdout, done.stdout + done.stderr
    assert "Player1 hold Thing2" in done.stdout


def test_games_say_a_text_that_a_rule_comes_to_by_a_variable(tmp_path: Path) -> None:
    known = "(controls(Player, Thing) & subtype(Thing, Kind) & (God == 'God') & (Kind == God))"
    small_books.book(tmp_path / "one", HELD.format(known))
    book = load_book(str(tmp_path / "one"))
    assert "God" in Slots(book.vocabulary, {}, book.clauses).domain("Subtype")


@pytest.mark.parametrize("edition", ["cr", "draft2004"])
def test_games_say_the_texts_that_rules_look_for(edition: str) -> None:
    """``named_kind`` compares a word with them, and is looked at by what names kinds."""
    book = load_book(edition)
    assert {"Aura", "aura", "Siege"} <= set(
        Slots(book.vocabulary, {}, book.clauses).domain("Subtype")
    )
    assert names_said(book.vocabulary, book.clauses) == []


@pytest.mark.parametrize(
    ("error", "seen"), [(KeyboardInterrupt(), KeyboardInterrupt), (OSError(28, "full"), TableError)]
)
def test_what_is_stopped_while_it_writes_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, seen: type[BaseException]
) -> None:
    def stopped(path: Path, text: str) -> None:
        if text == "second":
            raise error
        create(path, text)

    monkeypatch.setattr(export, "create", stopped)
    (tmp_path / "own").mkdir()
    files = [tmp_path / name for name in ("own/new/tables/1", "own/new/scenarios/1", "own/2")]
    with pytest.raises(seen):
        export.write(dict(zip(files, ("first", "second", "third"), strict=True)), over=False)
    assert [p.name for p in tmp_path.rglob("*")] == ["own"]


def test_a_threshold_is_a_number(held: Path) -> None:
    done = processes.run("test", "--coverage", "--threshold", "nan", cwd=held)
    assert done.returncode == 2
    assert "--threshold is a number" in done.stderr

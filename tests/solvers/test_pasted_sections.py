"""A section's script, run where only pyDatalog can be imported, says what Seatlog says.

Of every shipped edition some sections are drawn; with ``SEATLOG_PASTED=200`` all are taken.
"""

from __future__ import annotations

import ast
import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import processes
import seatlog
import small_books
from places import TESTS
from random_facts import FactMaker
from seatlog.book import Book
from seatlog.cases import read_scenarios, scenario_files
from seatlog.editions import editions, lineage, load_book
from seatlog.errors import QuestionError
from seatlog.model import Literal, Row, Statement, Var
from seatlog.solvers import open_solver
from seatlog.table import asked, table
from seatlog.views import section_script

PASTED = int(os.environ.get("SEATLOG_PASTED", "4"))
CITING, DRAWN = 2, 1
"""How many tables of scenarios that cite a section are taken, and how many drawn at random."""
TOGETHER = 40
"""So many scripts run in one process, one after another."""

RUNNER = """
import contextlib, importlib.util, io, json, sys
assert importlib.util.find_spec("pyDatalog") and not importlib.util.find_spec("seatlog")
said = []
for script in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(script, "pasted", "exec"), {"__name__": "__main__"})
    said.append(out.getvalue())
print(json.dumps(said))
"""

Rows = dict[str, set[Row]]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which pyDatalog lies and nothing else."""
    from pyDatalog import pyEngine

    folder = tmp_path_factory.mktemp("alone")
    (folder / "pyDatalog").symlink_to(Path(pyEngine.__file__).parent)
    return folder


def bare(alone: Path, *args: str, given: str) -> str:
    """What a Python says that has neither site packages nor this project."""
    start = f"import sys; sys.path.append({str(alone)!r})\n"
    flags = ["-I", "-S", "-B", "-X", "utf8"]
    done = subprocess.run(
        [sys.executable, *flags, *args, *(["-c", start + RUNNER] if not args else [])],
        input=given if not args else start + given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
    )
    assert not done.returncode and "Error" not in done.stderr, done.stderr[-2000:]
    return done.stdout


def ran(alone: Path, scripts: Sequence[str]) -> list[Rows]:
    """The rows that each script prints, by the name of what was asked for."""
    found: list[str] = []
    for at in range(0, len(scripts), TOGETHER):
        found += json.loads(bare(alone, given=json.dumps(scripts[at : at + TOGETHER])))
    return [read(text) for text in found]


def read(text: str) -> Rows:
    """The rows in what a script has printed."""
    rows: Rows = {}
    for line in text.splitlines():
        if not line.startswith(" "):
            last = rows.setdefault(line.partition("(")[0], set())
        elif line.strip() != "none":
            last.add(ast.literal_eval(f"({line.strip()},)"))
    return rows


def told(book: Book, section: str, facts: Sequence[Statement]) -> Rows:
    """What Seatlog has for the predicates of a section."""
    solver = open_solver(book, facts, "compiled")
    rows: Rows = {}
    for name in dict.fromkeys(c.head.name for c in book.clauses if c.rule == section):
        terms = tuple(Var(f"Term{at}") for at, _ in enumerate(book.predicates[name].params))
        rows[name] = set(solver.rows(Literal(name, terms)))
    return rows


def plain(rows: Rows, names: Mapping[str, object]) -> Rows:
    """Rows by the names of the book, where pyDatalog had to be told others."""
    return {name if name in names else name.rstrip("_"): own for name, own in rows.items()}


def tables(book: Book) -> dict[str, list[Sequence[Statement]]]:
    """The facts of the tables in the book's scenarios, by the sections that they cite."""
    found: dict[str, list[Sequence[Statement]]] = {}
    folders = [TESTS / "scenarios" / name for name, _ in lineage(book.name)]
    for each in (
        s for top in folders for file in scenario_files(top) for s in read_scenarios(file)
    ):
        if each.answer not in ("refused", "no rule"):
            state = table(each.data, book.vocabulary, None, each.name)
            for number in each.cites:
                found.setdefault(number, []).append(asked(state, book.vocabulary))
    return found


@pytest.mark.parametrize("edition", editions())
def test_every_section_answers_alike(alone: Path, edition: str) -> None:
    """Some tables are those of scenarios; others say much of everything, drawn at random."""
    rng = random.Random(edition)
    book = load_book(edition)
    sections = list(dict.fromkeys(c.rule for c in book.clauses))
    maker, known = FactMaker(book), tables(book)
    cases: list[tuple[str, Sequence[Statement]]] = []
    for section in rng.sample(sections, min(PASTED, len(sections))):
        own = known.get(section, [])
        facts = rng.sample(own, min(CITING, len(own)))
        facts += [maker.made(rng) for _ in range(DRAWN)]
        cases += [(section, each) for each in facts]
    some = 0
    scripts = [section_script(book, [section], facts) for section, facts in cases]
    for (section, each), found in zip(cases, ran(alone, scripts), strict=True):
        wanted = told(book, section, each)
        assert plain(found, wanted) == wanted, f"{edition} {section}"
        some += any(wanted.values())
    assert some, "not all tables can leave everything unsaid"


TRAPS = '''\
## 1  Words, "quotes""" and backslashes\\N{x}

# no: {Player} isn't first""" or \\n
exit(Player) <= (seat(Player, 1))
range(Player) <= (exit(Player) & ~quit(Player) & ~emperor(Player))
quit(Player) <= (starts(Player))
sum(Player, Exception) <= (seat(Player, Exception) & ~range(Player))

## 2  How many

aims(Player, Number) <= (seat(Player, _Seat) & (Number == count(Thing, controls(Player, Thing))))
most(Player) <= (aims(Player, Number) & (1 < Number))
all_of(Player, Number, Nobody) <= (
    seat(Player, 1)
    & (Number == count(Who, active(Who)))
    & (Nobody == count(Who, starts(Who)))
)

## 3  A walk

# walk: walks(Player, Steps, Seat)
walks(Player, 0, Seat) <= (seat(Player, Seat))
walks(Player, More, Next) <= (
    walks(Player, Steps, Seat)
    & (Steps < 5)
    & (Next == Seat + 1)
    & seat(_Other, Next)
    & (More == Steps + 1)
)
far(Player, Seat) <= (walks(Player, Steps, Seat) & (Steps - 1 > 1))
'''
SEATS = ["O'Neill", '"', "\\n", '"""', "太郎"]
OWNERS = {"Ox": '"', "{}": '"', "%s": "\\n"}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> seatlog.Session:
    folder = small_books.book(tmp_path_factory.mktemp("traps") / "book", TRAPS)
    things = {name: {"controller": owner} for name, owner in OWNERS.items()}
    return seatlog.open(seats=SEATS, objects=things, active=['"'], edition=str(folder))


def test_traps_are_worked_around(alone: Path, game: seatlog.Session) -> None:
    facts, sections = game.table.facts, ["1", "2", "3"]
    scripts = [section_script(game.book, [s], facts) for s in sections]
    twice = ran(alone, [*scripts, *scripts])
    for section, found, again in zip(sections, twice[:3], twice[3:], strict=True):
        wanted = told(game.book, section, facts)
        assert plain(found, wanted) == wanted
        assert again == found, "what was there before is forgotten"
    assert set(twice[0]) == {"exit_", "range__", "quit_", "sum__"}
    assert twice[0]["sum__"] == {(who, seat) for seat, who in enumerate(SEATS, 1) if seat > 1}
    aims = {(who, [*OWNERS.values()].count(who)) for who in SEATS}
    assert twice[1]["aims"] == aims and ("太郎", 0) in aims
    assert twice[1]["all_of"] == {("O'Neill", 1, 0)}
    assert twice[2]["far"] == {("O'Neill", 4), ("O'Neill", 5), ('"', 5)}


def test_it_holds_what_the_section_rests_on_and_no_more(game: seatlog.Session) -> None:
    script = section_script(game.book, ["2"], game.table.facts, "odd")
    assert "# 2  How many\n" in script and "# 1 " not in script and "walks" not in script
    assert "# What the table says: odd\n" in script and "controls('\"', 'Ox')" in script
    left = [f for f in game.table.facts if f.name not in ("seat", "controls", "active")]
    assert left and f"# and {len(left)} fact" in script
    assert "turn(" not in script, "nothing here looks at it"
    assert "+ emperor(0)\n- emperor(0)\n" in section_script(game.book, ["1"], ())
    whole = section_script(game.book, ["1", "2", "3"], ())
    assert whole.index("\n# 1  ") < whole.index("\n# 2  ") < whole.index("\n# 3  ")
    assert "# no: {Player} isn't first" in whole


def test_it_can_be_typed_into_a_session(alone: Path, game: seatlog.Session) -> None:
    scripts = [section_script(game.book, [s], game.table.facts) for s in ("1", "2", "3")]
    typed = bare(alone, "-i", "-q", given="".join(scripts))
    assert read(typed) == {name: own for rows in ran(alone, scripts) for name, own in rows.items()}


def test_the_command_prints_it(alone: Path) -> None:
    done = processes.run("show", "801.4", "--paste", "--table", "four_in_a_ring")
    assert not done.returncode and not done.stderr
    (rows,) = ran(alone, [done.stdout])
    game = seatlog.open("four_in_a_ring")
    assert rows["may_target"] == set(game.rows("may_target", None, None)) != set()
    without = processes.run("show", "801.4", "--paste")
    assert "--table FILE puts in" in without.stderr
    assert not any(ran(alone, [without.stdout])[0].values())
    alone_ = processes.run("show", "801.4", "--table", "four_in_a_ring")
    assert alone_.returncode == 2 and "--table is for --paste" in alone_.stderr


@pytest.mark.parametrize("table", [[], ["--table", "four_in_a_ring"]])
def test_where_there_is_nothing_to_paste_that_is_said(table: list[str]) -> None:
    done = processes.run("show", "600.1", "--paste", "--edition", "draft2004", *table)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith(
        "error: 600.1 has no clauses, so there is nothing to paste\n  left"
    )
    done = processes.run("show", "", "--paste", *table)
    assert (done.returncode, done.stdout) == (3, ""), "which isn't the whole book"


def test_a_table_brings_its_edition(alone: Path, tmp_path: Path) -> None:
    file = tmp_path / "old.toml"
    file.write_text('edition = "draft2004"\nseats = ["Ann", "Ben"]\nrange = 1\n', encoding="utf-8")
    game = seatlog.open(file)
    section = next(c.rule for c in game.book.clauses if c.head.name == "in_range")
    done = processes.run("show", section, "--paste", "--table", str(file))
    assert not done.returncode, done.stderr
    (rows,) = ran(alone, [done.stdout])
    assert rows["in_range"] == set(game.rows("in_range", None, None)) != set()


def test_a_name_that_pydatalog_would_change_is_refused() -> None:
    game = seatlog.open(seats=["Alex", "True"])
    with pytest.raises(QuestionError, match="can't be told"):
        section_script(game.book, ["801.2"], game.table.facts)

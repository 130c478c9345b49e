"""The engine knows no book: every command works on one about an allotment garden.

The package is put together anew from ``engine`` and from the rules and facts in ``other_book``, and
run from outside the project. What it says is compared with the files in ``golden/other_book``;
``SEATLOG_GOLDEN=write`` rewrites them and fails once, so that the difference is read.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from forks import Warm
from places import ROOT, TESTS
from seatlog.book import Book
from seatlog.cli import COMMANDS
from seatlog.editions import editions, home, load_book
from shown import same

OURS = TESTS / "other_book"
GOLDEN = TESTS / "golden" / "other_book"
ENGINE = ROOT / "engine"

CASES: dict[str, tuple[str, ...]] = {
    "seatlog": ("", "--help", "--version", "--versoin", "water", "aks slope 'bed(X)'"),
    "can": (
        "can --help",
        "can",
        "can slope Ines",
        "can slope Ines water 'Long Bed'",
        "can slope Ines water Fallow",
        "can slope ines WATER fallow",
        "can slope ines water fallow --tree",
        'can slope Noor water "tom\'s beans"',
        'can slope Noor water "tom\'s beans" --edition terrace',
        "can slope 花子 water 'Herb Bed' --edition terrace",
        "can slope --dry 8 Noor water 'Long Bed'",
        "can slope --dry 8 Noor water 'Cold Frame'",
        "can slope --dry 8 Noor water 'Cold Frame' --json",
        "can slope Ines water Fallow --json --tree",
        "can slope Noor sow",
        "can slope Noor sow 'Herb Bed'",
        "can slope --grows 'Cold Frame: beans' Noor sow 'Long Bed'",
        "can slope --edition terrace Noor sow 'Herb Bed'",
        "can slope Noor sow Roses",
        "can slope 'Old Tom' sow Roses",
        "can slope --minds 'Ines: \"Cold Frame\"; 花子: \"Cold Frame\"' Ines sow 'Cold Frame'",
        "can slope Ines lend 'Herb Bed'",
        "can slope 'Old Tom' lend Roses",
        "can slope Ines lend 'Herb Bed' to Noor",
        "can slope Ines lend Herb Bed --to Noor",
        "can slope Ines lend Herb Bed --from Noor",
        "can slope Noor rest",
        "can slope 花子 rest",
        "can slope 'Long Bed' rest",
        "can slope Fallow rest",
        "can slope Ines fence 'Herb Bed'",
        "can slope Ines fence 'Herb Bed' --edition terrace",
        "can slope Ines rest Fallow",
        "can slope Ines dig 'Long Bed'",
        "can slope Ines water 'Lng Bed'",
        "can slope Fallow water 'Long Bed'",
        "can slope Ines water Fallow --edition terace",
        "can slope Ines water Fallow --budget soon",
        "can sloppe Ines water Fallow",
        "can orchard.toml 'ó briain' water 'long bed'",
        "can orchard.toml 'Tom, the Elder' water",
        "can --plots 'Ines,\"Tom, the Elder\"' --minds 'Ines: \"Tom, the Elder\"' Ines rest",
        "can --plots Ines,Tom --minds 'Ines: Ines' Ines rest",
    ),
    "ask": (
        "ask --help",
        "ask",
        "ask slope",
        'ask slope "can_water(X, Y)"',
        'ask slope "can_water(Ines, Y) & ~glazed(Y) & grows(Y, Crop)"',
        'ask slope "can_water(Ines, Long Bed)" --tree',
        "ask slope \"can_water('Ines', Bed) & (Bed != 'Fallow')\" --json",
        'ask slope "too_far(Gardener, Bed, Plots, Span) & (Plots > 2)"',
        "ask slope \"grown('Old Tom', Crops)\"",
        "ask slope \"season('winter')\"",
        'ask slope "hose(Span)" --season winter',
        'ask --plots Ines --season spring "hose(Span)"',
        'ask --plots Ines --season spring --edition terrace "hose(Span)"',
        'ask slope "can_watr(X, Y)"',
        'ask slope "can_water(X)"',
        'ask slope "can_water(X, Y), bed(Y)"',
        'ask slope "~can_water(X, Y)"',
        'ask slope "keeps(X, Y) & (Y > 2)"',
        'ask slope "must_fence(X, Y)" --edition terrace',
        'ask --plots Ines,Tom "keeps(X, Y)"',
        'ask --plots Ines,Tom "plot(X, Plot)" --json',
    ),
    "fmt": (
        "fmt --help",
        "fmt",
        "fmt row",
        "fmt --check",
        "fmt row --check --json",
        "fmt --edition terrace --check",
        "fmt rough/odd.dl --check",
        "fmt rough/odd.dl --diff",
        "fmt rough/odd.dl --diff --check --json",
        "fmt - < rough/odd.dl",
        "fmt - --json < rough/odd.dl",
        "fmt - --check --diff < rough/odd.dl",
        "fmt - < rough/torn.dl",
        "fmt - rough/odd.dl < nothing.txt",
        "fmt rough/odd.dl rough/torn.dl rough/wrong.dl",
        "fmt rough/wrong.dl --check --json",
        "fmt broken --check",
        "fmt broken",
        "fmt orchard.toml",
        "fmt rough",
        "fmt missing.dl",
        "fmt terace",
        "fmt rough/odd.dl rough/../rough/odd.dl",
        "fmt rough/odd.dl --check",
        "fmt rough/odd.dl --json",
    ),
    "why": (
        "why --help",
        "why",
        "why slope",
        "why slope Ines water 'Long Bed'",
        "why slope Noor sow Fallow",
        "why slope --dry 8 Noor water 'Long Bed'",
        "why slope \"grown('Noor', 2)\"",
        "why slope \"can_sow('Noor', 'Herb Bed')\" --json",
    ),
    "repl": (
        "repl --help",
        "repl slope < day.txt",
        "repl --plots Ines,Tom --dry 2 < nothing.txt",
        "repl sloppe < nothing.txt",
        "repl slope --edition terace < nothing.txt",
    ),
    "serve": ("serve --help", "serve --json", "serve --budget soon", "serve slope"),
    "show": (
        "show --help",
        "show --verbs",
        "show --verbs lend",
        "show --verbs --json",
        "show --vocabulary",
        "show --vocabulary crops",
        "show --vocabulary Crop --json",
        "show --vocabulary nothing",
        "show",
        "show 1.1",
        "show 2.1",
        "show 2.1 --edition terrace",
        "show 2.2",
        "show 3.3",
        "show 3.3 --json",
        "show 3.3 --edition terrace",
        "show --gaps",
        "show --gaps --edition terrace",
        "show 99",
        "show table",
    ),
    "lint": (
        "lint --help",
        "lint",
        "lint row",
        "lint terrace --json",
        "lint --edition terrace",
        "lint terace",
        "lint broken",
        "lint broken --json",
    ),
    "check": (
        "check --help",
        "check",
        "check slope",
        "check slope --json",
        "check orchard.toml",
        "check wrong.toml",
        "check wrong.toml --json",
        "check nobody.toml",
        "check twice.toml",
        "check strays.toml",
        "check torn.toml",
        "check missing.toml",
        "check --plots Ines,Tom --season winter --hose 12",
        "check --plots Ines,Tom --season autumn",
        "check --plots Ines,Tom --dry wet",
        "check --plots Ines,Tom --glazed Fallow",
        "check --plots Ines,Tom --grows kale",
        "check slope --beds Fallow",
    ),
    "compare": (
        "compare --help",
        "compare",
        "compare row",
        "compare row terrace",
        "compare row terrace --section 2.1 --table slope --verb water --reasons --verdicts",
        "compare row terrace --table slope --verb sow --json",
        "compare row terrace --verb sow --table slope --markdown",
        "compare row row --verdicts",
        "compare row terace",
        "compare row terrace --verb watr",
        "compare row terrace --section 9",
        "compare row terrace --format sprng",
        "compare row terrace --format spring --verdicts",
        "compare row terrace --bound gardeners=2,beds=2 --verdicts --verb fence --verb sow",
        "compare row row --bound gardeners=2 --verdicts",
        "compare row terrace --bound gardners=2",
        "compare row terrace --table wrong.toml",
        "compare row terrace --scenarios failing/unreadable.toml --verdicts",
        "compare row terrace --verdicts --verb fence --to out",
        "compare row terrace --verdicts --verb fence --to ./out",
        "compare row terrace --verdicts --verb fence --to out --over",
        "compare row terrace --over",
        "compare row broken",
    ),
    "completion": ("completion --help", "completion", "completion csh", "completion bash"),
    "draw": (
        "draw --help",
        "draw",
        "draw slope",
        "draw slope --json",
        "draw slope --verb rest",
        "draw slope --verb raest",
        "draw --plots Ines,Tom,Noor --hose 1",
        "draw missing.toml",
    ),
    "mutate": (
        "mutate --help",
        "mutate row",
        "mutate row --json",
        "mutate row --section 1.1 --kind clause",
        "mutate terrace",
        "mutate row --section 99",
        "mutate row --kind number --kind word",
        "mutate row --scenarios missing",
        "mutate row --scenarios failing",
        "mutate terace",
        "mutate broken",
    ),
    "new": (
        "new --help",
        "new",
        "new --plots Ines,Tom --season summer --minds 'Ines: Tom'",
        "new --plots Ines,Tom --season summer --hose 1",
        "new --plots Ines,Ines --season summer",
        "new fresh.toml --plots Ines,Tom --season summer",
        "new slope.toml --plots Ines",
        "new --plots Ines --json",
        "new spring --players Ines,Tom,Noor,花子 --seed 4",
        "new spring drawn.toml --players 'Ines,\"Tom, the Elder\"' --edition terrace",
        "new spring --players Ines,Tom --minds 'Ines: Ines'",
        "new spring --players Ines,Tom,Ines --edition terrace",
        "new spring",
        "new winter --players Ines",
        "new sprng --players Ines",
        "new --players Ines",
        "new spring drawn.toml drawn.toml",
    ),
    "test": (
        "test --help",
        "test",
        "test --json",
        "test -k plot",
        "test --edition terrace",
        "test failing/wrong.toml",
        "test failing/wrong.toml --json",
        "test failing/unreadable.toml",
        "test failing/asks_twice.toml",
        "test -k nothing",
        "test --coverage",
        "test --coverage --section 2.1 --section 2.1a",
        "test --coverage --section 2.7",
        "test -k plot --coverage --json",
        "test --edition terrace --coverage --threshold 99",
        "test --threshold 50",
        "test --cite --coverage",
        "test --coverage --threshold -1",
    ),
    "text": (
        "text --help",
        "text",
        "text chekc",
        "text check --help",
        "text check",
        "text check almanac.txt",
        "text check almanac.txt fences",
        "text check almanac.txt fences --all --old almanac.txt",
        "text check newer.txt fences",
        "text check newer.txt fences --old almanac.txt",
        "text check newer.txt fences --old almanac.txt --markdown",
        "text check newer.txt fences --format github",
        "text check newer.txt fences --old almanac.txt --json",
        "text check newer.txt fences --accept 201.1",
        "text check newer.txt fences --old almanac.txt --accept 201.2",
        "text check newer.txt fences --old almanac.txt --accept 201.1",
        "text check orchard.toml",
        "text check missing.txt",
        "text check newer.txt terace",
        "text digest --help",
        "text digest newer.txt",
        "text digest newer.txt 201.2",
        "text digest newer.txt 201.4 --edition fences",
        "text digest newer.txt 201.2 --edition fences",
        "text digest newer.txt 201.9",
        "text diff --help",
        "text diff spring.txt autumn.txt",
        "text diff spring.txt autumn.txt --section 950 --json",
        "text diff spring.txt autumn.txt --section 951 --markdown",
        "text diff spring.txt spring.txt --all",
        "text diff spring.txt autumn.txt --section 102",
        "text diff spring.txt autumn.txt --html changes.html",
        "text diff spring.txt autumn.txt --html changes.html",
        "text diff spring.txt autumn.txt --json --markdown",
        "text diff spring.txt nothing.txt",
        "text diff spring.txt gone.txt",
        "text trace --help",
        "text trace 951.4 autumn.txt spring.txt",
        "text trace 951.3 autumn.txt spring.txt --as-of 2026-04-01 --json",
        "text trace 951.40 autumn.txt spring.txt",
        "text trace 951.3 autumn.txt spring.txt --as-of 2020-01-01",
    ),
    "turn": (
        "turn --help",
        "turn",
        "turn slope",
        "turn slope --passes 5",
        "turn slope --passes 5 --json",
        "turn slope --picked 'Fallow: mint'",
        "turn slope --picked 'Herb Bed: mint; Fallow: beans'",
        "turn slope --picked 'Herb Bed: mint; Fallow: beans' --json",
        "turn --plots Ines,Tom --passes 1",
        "turn --plots Ines,Tom --passes 1 --json",
        "turn slope --picked 'Herb Bed: mint' --levelled Roses --to next.toml",
        "turn slope --passes 5 --to next.toml",
        "turn slope --passes 5 --to next.toml --over",
        "turn next.toml --passes 1 --edition terrace",
        "turn next.toml --levelled Rses",
        "turn sloppe --passes 1",
    ),
    "watch": (
        "watch --help",
        "watch",
        "watch row --once",
        "watch terrace --once",
        "watch terrace --once --json",
        "watch terrace --once --scenarios failing",
        "watch broken --once",
        "watch broken --once --json",
        "watch terace --once",
        "watch terrace --once --scenarios missing",
    ),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the package as ``seatlog`` and an empty garden shed to work in."""
    top = tmp_path_factory.mktemp("other_book")
    shutil.copytree(ENGINE, top / "seatlog", ignore=shutil.ignore_patterns("__pycache__"))
    for kind in ("rules", "facts"):
        shutil.copytree(OURS / kind, top / "seatlog" / kind)
        (top / "seatlog" / kind / "__init__.py").touch()
    shed = top / "shed"
    shutil.copytree(OURS / "scenarios", shed / "tests" / "scenarios")
    shutil.copytree(OURS / "failing", shed / "failing")
    shutil.copytree(OURS / "broken", shed / "broken")
    shutil.copytree(OURS / "rough", shed / "rough")
    shutil.copytree(OURS / "fences", shed / "fences")
    for path in (p for kind in ("tables", "sessions", "texts") for p in (OURS / kind).iterdir()):
        shutil.copy(path, shed)
    (shed / "nothing.txt").touch()
    yield top
    warm(top).close()
    warm.cache_clear()


def surroundings(place: Path) -> dict[str, str]:
    """The other package's, and nothing of this one's."""
    return {
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": str(place),
        "PYTHONUTF8": "1",
        "SEATLOG_CACHE": str(place / "cache"),
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }


def python(place: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Python with the other package."""
    return subprocess.run(
        [sys.executable, *args],
        cwd=place / "shed",
        env=surroundings(place),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@cache
def warm(place: Path) -> Warm:
    """A warm interpreter with the other package; the pages of help come from cold ones."""
    return Warm(surroundings(place))


@cache
def transcript(place: Path, command: str) -> str:
    """What a command says: its line, standard output, standard error after ``!``, exit code.

    Versions, and what click words differently from one to the next, are left out.
    """
    words, _, session = command.partition(" < ")
    typed = (place / "shed" / session).read_bytes() if session else b""
    args, cold = shlex.split(words), words.endswith("--help")
    done = warm(place).run(args, place / "shed", surroundings(place), typed, cold=cold)
    lines = [f"$ seatlog {command}".rstrip(), *done.out.decode().splitlines()]
    lines += [f"! {line}".rstrip() for line in done.err.decode().splitlines()]
    text = "\n".join([*lines, f"[{done.code}]", ""])
    for pattern, put in (
        (r"seatlog \d+\.\d+\.\d+\S*,", "seatlog VERSION,"),
        (r"\((compiled|pure Python)\)", "(KIND)"),
        (r"(?<=no such option).*", " …"),
    ):
        text = re.sub(pattern, put, text)
    return text


@pytest.mark.parametrize("name", CASES)
def test_full_output(place: Path, name: str) -> None:
    found = "\n".join(transcript(place, command) for command in CASES[name])
    same(GOLDEN / f"{name}.txt", found)


def test_every_command_is_tested_and_no_golden_file_is_left_over() -> None:
    assert sorted(CASES) == sorted(("seatlog", *COMMANDS))
    for name in COMMANDS:
        assert all(case.split()[0] == name for case in CASES[name])
        assert f"{name} --help" in CASES[name]
    assert sorted(p.stem for p in GOLDEN.iterdir()) == sorted(CASES)


@pytest.mark.parametrize("name", CASES)
def test_no_traceback_and_no_silence(place: Path, name: str) -> None:
    for command in CASES[name]:
        said = transcript(place, command)
        assert "Traceback" not in said, said
        assert "itself failed" not in said, said
        assert len(said.splitlines()) > 2, f"nothing is said:\n{said}"


@pytest.mark.parametrize("name", CASES)
def test_errors_are_on_standard_error(place: Path, name: str) -> None:
    for command in CASES[name]:
        said = transcript(place, command).splitlines()
        if said[-1] == "[2]" and "--json" not in command and " < day" not in command:
            assert all(line.startswith("! ") or line == "!" for line in said[1:-1]), said


def test_a_name_may_be_the_name_of_its_sort(place: Path) -> None:
    said = transcript(place, "check --plots Gardener --grows 'Bed: kale' --minds 'Gardener: Bed'")
    assert 'the table has no Bed called "Bed"' in said, said


def test_from_python(place: Path) -> None:
    done = python(
        place,
        "-c",
        "import seatlog\n"
        "print(seatlog.__file__)\n"
        "game = seatlog.open('slope', dry=8)\n"
        "print(game.can('Noor', 'water', 'Long Bed').cites)\n"
        "print(seatlog.ask('slope', 'must_fence(X, Y)').rows)\n"
        "print(bool(seatlog.can('slope', '花子', 'rest', edition='terrace')))\n"
        "print(bool(game.can('Ines', 'lend', 'Herb Bed', to='Noor')))\n"
        "print(seatlog.why('slope', 'Fallow', 'rest').splitlines()[0])\n",
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        str(place / "seatlog" / "__init__.py"),
        "('3.1', '9.1')",
        "[('Ines', 'Herb Bed')]",
        "True",
        "True",
        "yes",
    ]


def test_scenarios_as_pytest_items(place: Path) -> None:
    (place / "shed" / "pytest.ini").write_text(
        "[pytest]\nseatlog_scenarios = tests/scenarios failing\n", encoding="utf-8"
    )
    plugin = ("-p", "seatlog.cases.plugin", "-p", "no:cacheprovider")
    env_off = "import os, sys, pytest; os.environ['PYTEST_DISABLE_PLUGIN_AUTOLOAD'] = '1'; "
    run = f"{env_off}sys.exit(pytest.main([*{plugin!r}, *sys.argv[1:]]))"
    done = python(place, "-c", run, "tests/scenarios")
    assert "5 passed" in done.stdout, done.stdout + done.stderr
    done = python(place, "-c", run, "failing/wrong.toml")
    assert "1 failed" in done.stdout
    assert "answer: expected no, found yes" in done.stdout
    assert "Traceback" not in done.stdout


def books() -> Iterator[Book]:
    for name in editions():
        yield load_book(name)


def traces() -> list[str]:
    """Words by which the shipped book would be known, as patterns."""
    words = {name for name in editions() if len(name) > 1}
    for book in books():
        declared = {*book.predicates, *book.vocabulary.facts}
        words |= {name for name in declared if "_" in name}
        words |= {book.title, *book.vocabulary.sorts}
    for path in sorted(home("facts").glob("tables/*.toml")):
        words.add(path.stem)
        words |= set(_names(tomllib.loads(path.read_text(encoding="utf-8"))))
    ours = "\n".join(p.read_text(encoding="utf-8") for p in OURS.rglob("*") if p.is_file())
    kept = sorted(w for w in words if not re.search(rf"\b{re.escape(w)}\b", ours))
    chapters = "|".join({*re.findall(r"\b(\d{3})\.\d", ours)})
    return [rf"\b(?!(?:{chapters})\.)\d{{3}}\.\d", *(rf"\b{re.escape(w)}\b" for w in kept)]


def _names(data: object) -> Iterator[str]:
    """The capitalised strings of a table, keys and values."""
    if isinstance(data, str):
        if data[:1].isupper():
            yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from _names(key)
            yield from _names(value)
    elif isinstance(data, list):
        for value in data:
            yield from _names(value)


def test_nothing_of_the_shipped_book_is_said(place: Path) -> None:
    known = re.compile("|".join(traces()))
    own = set(re.findall(r"\b\d{3}\.\d", "".join(map(Path.read_text, (OURS / "texts").iterdir()))))
    found = [
        f"{match.group()!r} in: {line.strip()}   ($ seatlog {command})"
        for commands in CASES.values()
        for command in commands
        for line in transcript(place, command).splitlines()[1:]
        for match in known.finditer(line)
        if match.group() not in own
    ]
    assert not found, "\n".join(found)


def test_the_shipped_book_would_be_noticed() -> None:
    known = re.compile("|".join(traces()))
    for book in books():
        for section in book.sections.values():
            if section.number[:1].isdigit() and any(c.rule == section.number for c in book.clauses):
                assert known.search(section.number)

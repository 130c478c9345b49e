"""What comes out as JSON is what ``docs/json.md`` says, key by key, nested ones too.

The page's tables are read as shapes. Each output has to fit its shape, and all outputs together
have to show every key, and every alternative, that the page speaks of.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import processes
import seatlog
import small_books
import small_issues
from faces import commands
from places import ROOT
from seatlog import errors
from seatlog.authoring import look, news
from seatlog.game import JSON_VERSION
from seatlog.text import open_issue

PAGE = ROOT / "docs" / "json.md"
BASE: dict[str, Callable[[Any], bool]] = {
    "text": lambda x: isinstance(x, str),
    "number": lambda x: type(x) is int,
    "value": lambda x: isinstance(x, str) or type(x) is int,
    "anything": lambda x: True,
}
_ROW = re.compile(r"\| `(\w+)` \| ([^|]+) \| ([^|]*)\| [^|]*\|$")
SCENARIOS = """\
edition = "cr"

[table]
seats = ["Ann", "Ben"]
range = 1

[[scenario]]
name = "next door"
can = ["Ann", "target", "Ben"]
answer = "yes"
cites = ["801.2", "801.2a", "801.4"]

[[scenario]]
name = "expects what doesn't come"
ask = "in_range(Ann, Ben) & opponent(Ann, Ann)"
answer = "yes"
cites = []

[[scenario]]
name = "a list"
can = ["Ann", "reach"]
answer = ["Ann", "Ben"]
cites = ["801.2", "801.2a", "801.2b"]

[[scenario]]
name = "a table that isn't taken"
table.protects.Ann = ["Gate"]
table.objects.Gate = { controller = "Ann", types = ["battle"], subtypes = ["Siege"] }
can = ["Ann", "reach", "Ben"]
answer = "refused"
cites = []
"""

OPEN = """\
seats = ["Ann", "Ben", "Cy", "Di", "Ed"]
range = 2
left = { Ben = 3 }
turn = 3
active = ["Ann"]

[objects]
Old = { controller = "Ben", types = ["creature"] }
"""
MARKERS = """\
edition = "draft2004"
variant = "grand_melee"
seats = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon", "Kim", "Lou", "Mia"]
markers = { Ann = 1, Eve = 2, Ivy = 3 }
"""
DAMAGE = """\
seats = ["Ann", "Ben", "Cy", "Di"]
range = 1

[objects]
Axe = { controller = "Ann", types = ["sorcery"], zone = "stack" }

[events]
Throw = { happens = "is dealt damage", subject = "Ben", by = "Axe", amount = 5 }

[effects]
Move = { controller = "Di", redirects = { Ben = "Ann" } }
"""
LISTED = """\
[[scenario]]
name = "a list that cites something else"
table = { seats = ["Ann", "Ben"], range = 1 }
can = ["Ann", "reach"]
answer = ["Ann", "Ben"]
cites = ["801.2"]
"""
WORLDS = """\
seats = ["Ann", "Ben", "Cy", "Di", "Ed", "Flo"]
range = 1

[objects]
Old = { controller = "Ann", types = ["enchantment"], world_since = 1 }
Newer = { controller = "Ben", types = ["enchantment"], world_since = 2 }
Far = { controller = "Di", types = ["enchantment"], world_since = 3 }
"""
ODD = """\
## 900.1  Wordless

# verb: Player hum
odd(Player) <= (seat(Player, 1) & seat(_Somebody, 1))
"""
HOUSE = """\
edition = "house"

[[scenario]]
name = "the second seat"
table = { seats = ["Ann", "Ben"] }
ask = "odd(Ben)"
answer = "no"
cites = []
"""
MORE = """\

[[scenario]]
name = "next door"
edition = "cr"
table = { seats = ["Ann", "Ben"] }
can = ["Ann", "target", "Ben"]
answer = "yes"
cites = ["801.2", "801.4"]
"""
MARKS = """\
[[equivalent]]
rule = "900.1"
head = "odd"
wrong = "seat(Player, 0) for seat(Player, 1)"
reason = "there is no seat 0"

[[equivalent]]
rule = "900.1"
head = "odd"
wrong = "seat(Player, 2) for seat(Player, 1)"
reason = "not so"
"""
LEFT = ["attack left"]
LENT = "103.{} Whoever lends a {} to a neighbour for the week writes that into the book."
ISSUES = {
    2025: (LENT.format("1.", "wheelbarrow"), "103.2. The gate stays shut."),
    2026: (
        LENT.format("5.", "sieve"),
        "103.2. The gate stays open.",
        LENT.format("7.", "bucket"),
    ),
}
BEDS = small_issues.RULES
NEWER = {
    "900.1": BEDS["900.1"].replace("noon", "dawn"),
    "900.2": BEDS["900.2"].replace("'", "’"),
    "900.2a": BEDS["900.2a"].replace("900.4", "900.5"),
    "900.3": "In spring every gardener mends a fence, and paints it.",
    "900.4": BEDS["900.3"],
    "900.5": BEDS["900.4"],
    "900.6": "Moles are welcome on paths and nowhere else at all.",
    "901.1": BEDS["901.1"],
    "901.1a": "The lock is oiled with what is left of the rape.",
    "901.2": BEDS["901.2"],
    "902.2": "Bees are kept by whoever isn't afraid of them.",
}
MORE_BEDS = """
## 900.6  Moles
# left out: nobody asks

## 901.1  The shed
# text: sha256:{digest}  beds 2031-05-01
# left out: nobody asks

## 950.1  Frost at the end of the row

# alarm: {{Player}} sits in the frost
frosty(Player) <= (frozen(Player) & seat(Player, 9))
"""
FILES = {
    **{
        f"{year}.txt": f"Rules as of\n\neffective as of May 1, {year}\n\n" + "\n\n".join(rules)
        for year, rules in ISSUES.items()
    },
    "tests/scenarios/some.toml": SCENARIOS,
    "uncited.toml": SCENARIOS.replace('cites = ["801.2", "801.2a", "801.4"]\n', "", 1),
    "listed.toml": LISTED,
    "odd.dl": "## 1.1  Odd\np(X) <= (q(X)&r(X))\n",
    "wrong.dl": "## 1.1  Wrong\np(X) <= (q(X)\n",
    "open.toml": OPEN,
    "markers.toml": MARKERS,
    "damage.toml": DAMAGE,
    "worlds.toml": WORLDS,
    "écoute/日.toml": 'seats = ["Ä", "日"]\nrange = 1\n',
    "torn.toml": "seats = [\n",
    "twice.toml": 'seats = ["Ann", "Ann"]\n',
    "torn/tests/scenarios/x.toml": "scenario = 1\n",
    "house/edition.toml": 'title = "House"\ndate = "2026-09-01"\nbase = "cr"\n',
    "house/900/900.1_x.dl": ODD,
    "house/equivalent.toml": MARKS,
    "house.toml": HOUSE,
    "bad/edition.toml": 'title = "Bad"\ndate = "2026-09-01"\nbase = "cr"\n',
    "bad/900/900.1_x.dl": "## 900.1  Wrong\n\nodd(Player) <= (seet(Player, 1))\n",
}

CASES: dict[str, tuple[str, ...]] = {
    "seatlog can": (
        "can four_in_a_ring Alex target 'Runeclaw Bear'",
        "can four_in_a_ring Alex target Rob --tree --change",
        "can four_in_a_ring Alex reach",
        "can open.toml Ann reach Cy --tree all",
        "can damage.toml Throw damage Ann",
        "can --seats A,B,C --range 0 A attack",
        "can --seats A,B,C --options 'attack left' A reach B",
        "can écoute/日.toml Ä reach 日",
    ),
    "seatlog ask": (
        "ask four_in_a_ring 'apart(Alex, Other, Seats, Reach)'",
        "ask four_in_a_ring 'in_range(Alex, Carissa)'",
        "ask worlds.toml 'world_goes(Thing, Who)'",
        "ask worlds.toml '(Number == count(Thing, world_goes(Thing, Ben)))'",
        "can worlds.toml Ann attack",
    ),
    "seatlog why": ("why four_in_a_ring Alex reach Carissa",),
    "seatlog check": (
        "check four_in_a_ring",
        "check open.toml",
        "check --seats A,B --options 'attack left'",
    ),
    "seatlog compare": (
        "compare low high --scenarios cases.toml --table many.toml --bound players=2,turns=7",
        "compare low high --table one.toml --table many.toml --to out",
        "compare cr cr2021",
        "compare low high --verdicts --games 50 --bound players=2,turns=7",
        "compare low same --verdicts --table one.toml",
    ),
    "seatlog completion": ("completion bash", "completion fish"),
    "seatlog draw": (
        "draw four_in_a_ring",
        "draw open.toml",
        "draw --seats A,B --options 'attack left'",
    ),
    "seatlog fmt": (
        "fmt odd.dl --check",
        "fmt odd.dl --diff",
        "fmt odd.dl",
        "fmt odd.dl",
        "fmt -",
    ),
    "seatlog lint": (
        "lint house",
        "lint cr --format json",
    ),
    "seatlog mutate": (
        "mutate house --scenarios house.toml",
        "mutate house --scenarios house.toml --bound players=2,things=1",
    ),
    "seatlog new": ("new --seats A,B --range 1", "new free_for_all fresh.toml --players A,B,C,D"),
    "seatlog show": ("show 801", "show 400.7 --cites", "show 102", "show 801.4"),
    "seatlog show --gaps": ("show --gaps",),
    "seatlog show --paste": ("show --paste", "show 801.4 --paste"),
    "seatlog show --verbs": (
        "show --verbs",
        "show --verbs reach",
        "show --verbs choose",
        "show --verbs win",
    ),
    "seatlog show --keys": ("show --keys", "show --keys range"),
    "seatlog show --vocabulary": ("show --vocabulary", "show --vocabulary Team"),
    "seatlog test": ("test", "test -k door --coverage"),
    "seatlog test --cite": (
        "test --cite",
        "test --cite uncited.toml",
        "test --cite listed.toml",
        "test --cite --write uncited.toml",
    ),
    "seatlog text check": (
        "text check older.txt beds",
        "text check newer.txt beds",
        "text check newer.txt beds --old older.txt --scenarios beds.toml",
        "text check newer.txt beds --old older.txt --accept 900.1",
        "text check newer.txt beds --old newer.txt",
        "text check older.txt beds --old newer.txt --scenarios beds.toml",
    ),
    "seatlog text digest": (
        "text digest newer.txt 900.5 --edition beds",
        "text digest newer.txt 900.1 --edition beds",
        "text digest newer.txt 900.6 --edition beds --write",
    ),
    "seatlog text diff": (
        "text diff 2025.txt 2026.txt",
        "text diff 2025.txt 2026.txt --all --section 103",
    ),
    "seatlog text trace": ("text trace 103.5 2025.txt 2026.txt",),
    "seatlog turn": (
        "turn open.toml --done Ann",
        "turn markers.toml --leaves Eve",
        "turn four_in_a_ring --leaves Rob --to next.toml",
    ),
    "seatlog watch": (
        "watch house --once --scenarios house.toml",
        "watch bad --once",
        "watch cr --once --scenarios uncited.toml",
    ),
    "Errors": (
        "can four_in_a_ring Alex target Rbo",
        "can four_in_a_ring Alex sing Rob",
        "can four_in_a_ring Alex",
        "can four_in_a_ring Alex target Rob --budget soon",
        "ask four_in_a_ring 'in_range(Alex'",
        "check torn.toml",
        "check écoute/gone.toml",
        "check twice.toml",
        "show 1.1",
        "lint bad",
        "fmt wrong.dl",
        "fmt nothing",
        "test torn/tests/scenarios",
        "lint --edition nowhere",
        "new four.toml --players A",
        "lint cr --edition cr",
    ),
}


class Alternative(NamedTuple):
    """One thing that may stand under a key: a base word or literal, or lists and maps of others."""

    kind: str
    inner: tuple[Alternative, ...] = ()


class Key(NamedTuple):
    """What the page says of a key."""

    holds: tuple[Alternative, ...]
    always: bool


Shape = dict[str, Key]


def alternatives(text: str) -> tuple[Alternative, ...]:
    """``list of text or null`` is a list or null."""
    return tuple(_alternative(part.strip()) for part in text.split(" or "))


def _alternative(text: str) -> Alternative:
    for kind in ("list", "map"):
        if text.startswith(f"{kind} of "):
            return Alternative(kind, (_alternative(text.removeprefix(f"{kind} of ")),))
    return Alternative(text)


@cache
def page() -> dict[str, Shape]:
    """The shapes of the page by the names in their headings."""
    out: dict[str, Shape] = {}
    for part in re.split(r"^##+ ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title = part.partition("\n")[0]
        shape: Shape = {}
        for line in part.splitlines():
            row = _ROW.match(line)
            if row:
                holds = re.sub(r"\[(\w+)\]\(#\1\)", r"\1", row[2])
                assert row[1] not in shape, f"{row[1]} stands twice under {title}"
                shape[row[1]] = Key(alternatives(holds), not row[3].strip())
            else:
                assert not line.startswith("| `") or len(line.split("|")) != 6, line
        if shape:
            out.update(dict.fromkeys(re.findall(r"`([^`]+)`", title) or [title], shape))
    return out


def fits(data: Any, wanted: Alternative, seen: set[str], at: str) -> bool:
    """Whether data is what the page says; what was met on the way is added to ``seen``."""
    kind = wanted.kind
    if kind in ("list", "map"):
        if not isinstance(data, list if kind == "list" else dict):
            return False
        seen.add(f"{at} {kind}")
        inner = data.values() if isinstance(data, dict) else data
        return all(fits(x, wanted.inner[0], seen, f"{at} {kind}") for x in inner)
    if kind in BASE:
        good = BASE[kind](data)
    elif kind in page():
        good = isinstance(data, dict)
        if good:
            shaped(data, kind, seen)
    else:
        good = json.dumps(data) == kind
    if good:
        seen.add(f"{at} {kind}")
    return good


def shaped(data: dict[str, Any], name: str, seen: set[str]) -> None:
    """Compare an object with its shape."""
    shape = page()[name]
    assert set(data) <= set(shape), f"{name}: nobody documents {set(data) - set(shape)}"
    missing = {key for key, said in shape.items() if said.always} - set(data)
    assert not missing, f"{name}: {missing} should always be there"
    for key, value in data.items():
        at = f"{same_table(name)}.{key}"
        good = [fits(value, each, seen, at) for each in shape[key].holds]
        assert any(good), f"{at} can't hold {value!r}"


def same_table(name: str) -> str:
    """The first of the names that stand over one table."""
    return next(n for n, shape in page().items() if shape is page()[name])


def promised() -> Iterator[str]:
    """Everything that the page says may come."""

    def walk(at: str, wanted: Alternative) -> Iterator[str]:
        yield f"{at} {wanted.kind}"
        for inner in wanted.inner:
            yield from walk(f"{at} {wanted.kind}", inner)

    for name, shape in page().items():
        if same_table(name) == name:
            for key, said in shape.items():
                for each in said.holds:
                    yield from walk(f"{name}.{key}", each)


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, dict[str, Any]]]:
    """What each case prints: the heading it belongs to, the command, the data."""
    folder = tmp_path_factory.mktemp("json")
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    small_books.books(folder)
    home = small_issues.beds(folder, covers='["900.1", "900.2 ab", "900.3", "900.4", "902.1"]')
    small_issues.issue(folder, "newer.txt", NEWER, "June 2, 2032")
    older = open_issue(small_issues.issue(folder, "older.txt", BEDS))
    with (home / "rules.dl").open("a", encoding="utf-8") as file:
        file.write(MORE_BEDS.format(digest=older.of("901.1")[0].digest))
    found = [
        (heading, line, run(folder, line)) for heading, lines in CASES.items() for line in lines
    ]
    game = seatlog.open(folder / "open.toml")
    other = seatlog.open("four_in_a_ring")
    found += [
        ("Answer.as_dict()", "as_dict", game.can("Ann", "reach", "Cy").as_dict()),
        ("Answer.as_dict()", "as_dict", other.ask("reaches(X, Y)").as_dict(tree="all")),
        ("seatlog.overview()", "overview", seatlog.overview(game)),
        ("seatlog.overview()", "overview", seatlog.overview(other)),
        ("seatlog.overview()", "overview", seatlog.overview(folder / "damage.toml", ["damage"])),
        ("seatlog.overview()", "overview", seatlog.overview(other.but(options=LEFT), ["attack"])),
    ]
    return found + [("seatlog watch", "watch", look) for look in looks(folder)]


def looks(folder: Path) -> Iterator[dict[str, Any]]:
    """What is told of an edition that is broken and mended."""
    house, cases = folder / "house", folder / "house.toml"
    file = house / "900/900.1_x.dl"
    target = "cannot_target(Player, Target) <= (in_game(Player) & in_game(Target))\n"
    changed = f"## 702.18a  Nobody is a target\n\n{target}"
    before, good = None, HOUSE.replace("[]", '["900.1"]') + MORE
    for odd, own, said in (
        (ODD.replace("1)", "2)"), changed, good),
        (ODD, changed, good),
        (ODD, "", good),
        (ODD.replace("1)", "2)"), "", good),
        (ODD, "", MORE),
    ):
        file.write_text(odd, encoding="utf-8")
        cases.write_text(said, encoding="utf-8")
        if own:
            (house / "702.18_x.dl").write_text(own, encoding="utf-8")
        else:
            (house / "702.18_x.dl").unlink(missing_ok=True)
        found = news(before, look(str(house), cases, lambda _text: None))
        yield {"version": JSON_VERSION, **found.as_dict()}
        before = found.now


def run(folder: Path, line: str) -> dict[str, Any]:
    done = processes.run(*shlex.split(line), "--json", cwd=folder)
    assert done.stdout.count("\n") == 1, (line, done.stdout, done.stderr)
    assert done.stdout.isascii(), "the same bytes in every encoding"
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def test_what_comes_out_is_documented(outputs: list[tuple[str, str, dict[str, Any]]]) -> None:
    for heading, line, data in outputs:
        try:
            shaped(data, heading, set())
        except AssertionError as error:
            raise AssertionError(f"seatlog {line}: {error}") from None


def test_what_is_documented_comes_out(outputs: list[tuple[str, str, dict[str, Any]]]) -> None:
    seen: set[str] = set()
    for heading, _line, data in outputs:
        shaped(data, heading, seen)
    unseen = sorted(set(promised()) - seen)
    assert not unseen, f"nothing that comes out shows {unseen}"


def test_every_command_with_json_is_documented() -> None:
    able = {n for n, c in commands().items() if any(p.name == "as_json" for p in c.params)}
    said = {name.removeprefix("seatlog ") for name in page() if name.startswith("seatlog ")}
    assert {" ".join(w for w in name.split() if w[0] != "-") for name in said} == able
    without = re.search(r"Every command but (.*) takes", PAGE.read_text(encoding="utf-8"))
    assert without
    assert set(re.findall(r"`([\w ]+)`", without[1])) == set(commands()) - able


def test_the_version_is_the_one_documented() -> None:
    for name, shape in page().items():
        if "version" in shape:
            assert shape["version"].holds == (Alternative(str(JSON_VERSION)),), name


def test_kinds_of_errors_are_documented(outputs: list[tuple[str, str, dict[str, Any]]]) -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## Kinds of errors")[2]
    said = {kind: int(code) for kind, code in re.findall(r"\| `([\w ]+)` \|.*\| (\d) \|", text)}
    classes = [c for c in vars(errors).values() if isinstance(c, type)]
    known = {
        c.kind: c.status
        for c in classes
        if issubclass(c, errors.SeatlogError) and c is not errors.Faults
    }
    assert said == {**known, "usage": errors.BAD}
    met = {e["kind"] for heading, _, data in outputs if heading == "Errors" for e in data["errors"]}
    assert met == set(said) - {"error", "solver"}, "no two solvers are known to differ"

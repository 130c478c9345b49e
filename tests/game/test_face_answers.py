"""Answers as Python has them: compared, iterated, pickled, shown, and as plain data."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest

import seatlog
from places import TESTS
from seatlog import Answer, SeatlogError
from seatlog.cases import read_scenarios, scenario_files

GAME = seatlog.open("four_in_a_ring")
HOSTILE = (
    "<script>alert(1)</script>",
    "A&B \"q\" 'x'",
    "</ul><b>Bold",
    "{Player}",
    "%s {0}",
    "\\n",
)
ODD = seatlog.open(
    seats=list(HOSTILE),
    range=2,
    objects={"</p><td>": {"controller": HOSTILE[2], "types": ["creature"]}},
)


@cache
def doubtful() -> Answer:
    """An answer that the rules leave open."""
    for file in scenario_files(TESTS / "scenarios/cr"):
        for case in read_scenarios(file):
            if case.open and case.can:
                return seatlog.open(case.data, case.edition).say(case.can)
    raise AssertionError


ANSWERS: dict[str, Callable[[], Answer]] = {
    "yes": lambda: GAME.can("Alex", "target", "Grizzly Bears"),
    "no": lambda: GAME.can("Alex", "target", "Runeclaw Bear"),
    "rows": lambda: GAME.can("Alex", "reach"),
    "pairs": lambda: GAME.ask("reaches(X, Y) & ~reaches(Y, X) & (X != Y)"),
    "all pairs": lambda: GAME.ask("reaches(X, Y) & reaches(Y, X) & (X != Y)"),
    "numbers": lambda: GAME.ask("seat(Name, Number)"),
    "none": lambda: GAME.ask("is_a(X, 'land')"),
    "none of parts": lambda: GAME.ask("in_range(Alex, X) & is_a(X, 'land')"),
    "both": lambda: GAME.ask("reaches(Alex, Rob) & ~reaches(Alex, Carissa)"),
    "open": doubtful,
    "hostile": lambda: ODD.can(HOSTILE[0], "target", "</p><td>"),
    "hostile no": lambda: ODD.can(HOSTILE[0], "reach", HOSTILE[3]),
    "hostile rows": lambda: ODD.can(HOSTILE[1], "reach"),
    "within": lambda: seatlog.within("5s", GAME.can, "Alex", "reach"),
}
ALL = pytest.mark.parametrize("make", ANSWERS.values(), ids=list(ANSWERS))


def everything(answer: Answer) -> list[Any]:
    rows = [answer.because(row) for row in answer.rows] if answer.open else []
    return [
        *(answer.question, answer.rows, answer.variables, answer.verdict, len(answer)),
        *(answer.reason, answer.cites, answer.doubts, answer.tree(), answer.tree(True), rows),
        *(answer.text(), answer.text(True), answer.text("all"), repr(answer)),
        *(answer.as_dict(), answer.as_dict("all"), answer._repr_html_()),
    ]


@ALL
def test_an_answer_goes_from_process_to_process(make: Callable[[], Answer]) -> None:
    """With all that can be asked of it, without its session, and asked anew it is the same."""
    answer = make()
    for protocol in (2, pickle.HIGHEST_PROTOCOL):
        again = pickle.loads(pickle.dumps(answer, protocol))  # noqa: S301
        assert again == answer
        assert hash(again) == hash(answer)
        assert everything(again) == everything(answer)
        assert everything(pickle.loads(pickle.dumps(again, protocol))) == everything(answer)  # noqa: S301
    assert answer == make()
    assert {answer, make()} == {answer}


def test_an_answer_drags_no_session_along() -> None:
    """A table a hundred times the size makes the answer no larger."""
    seats = ["Ann", "Bob", "Cy", "Di", *(f"P{i}" for i in range(60))]
    objects = {f"Ox {i}": {"controller": "Ann", "types": ["creature"]} for i in range(200)}
    large = seatlog.open(seats=seats, range=1, objects=objects).can("Ann", "reach", "Bob")
    small = seatlog.open(seats=seats, range=1).can("Ann", "reach", "Bob")
    sizes = [len(pickle.dumps(x)) - len(pickle.dumps(x._source.names)) for x in (small, large)]
    assert max(sizes) < 12_000
    assert abs(sizes[0] - sizes[1]) < 600


def test_an_answer_is_read_in_a_fresh_process() -> None:
    answer = GAME.can("Alex", "reach")
    code = (
        "import pickle, sys; a = pickle.load(sys.stdin.buffer)\n"
        "print(a); print(repr(a)); print(list(a), a.because('Rob')[0].text)\n"
        "print('seatlog.solvers.pydatalog' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(answer), capture_output=True, check=True
    )
    said = f"{answer}\n{answer!r}\n{list(answer)} {answer.because('Rob')[0].text}\nFalse\n"
    assert done.stdout.decode() == said


def test_answers_compare_by_question_rows_and_rules() -> None:
    yes, no = ANSWERS["yes"](), ANSWERS["no"]()
    assert yes != no
    assert yes != "yes"
    assert yes.__eq__(True) is NotImplemented
    assert GAME.but(range=2).can("Alex", "reach", "Rob") == GAME.can("Alex", "reach", "Rob")
    assert GAME.but(range=2).can("Alex", "reach") != GAME.can("Alex", "reach")
    other = GAME.but(range=None)
    assert other.can("Alex", "reach", "Rob") != GAME.can("Alex", "reach", "Rob")
    assert len({yes, no, ANSWERS["yes"]()}) == 2


def test_answers_are_collections() -> None:
    rows = GAME.can("Alex", "reach")
    assert (list(rows), len(rows), bool(rows)) == (
        ["Alex", "Rob", "Dana", "Grizzly Bears"],
        4,
        True,
    )
    assert "Rob" in rows
    assert "Carissa" not in rows
    assert ["Rob"] not in rows
    pairs = GAME.ask("seat(Name, Number)")
    assert ("Rob", 2) in pairs
    assert list(pairs)[1] == ("Rob", 2)
    yes, none = ANSWERS["yes"](), ANSWERS["none"]()
    assert (list(yes), len(yes), bool(yes)) == ([()], 1, True)
    assert (list(none), len(none), bool(none)) == ([], 0, False)
    assert (len(ANSWERS["no"]()), bool(ANSWERS["no"]())) == (0, False)


def test_reasons_belong_to_rows() -> None:
    answer = GAME.can("Alex", "reach")
    data = answer.as_dict()
    assert [tuple(r["row"]) for r in data["reasons"]] == answer.rows
    for each in data["reasons"]:
        (name,) = each["row"]
        alone = GAME.can("Alex", "reach", name)
        assert each["reason"] == alone.as_dict()["reason"]
        assert tuple(each["cites"]) == alone.cites
        assert answer.because(name) == answer.because((name,)) == alone.reason
    assert set(answer.cites) == {c for each in data["reasons"] for c in each["cites"]}
    assert set(answer.reason) == {line for row in answer.rows for line in answer.because(row)}
    assert ANSWERS["yes"]().as_dict()["reasons"] == []


def test_a_none_denies_nothing_that_holds() -> None:
    """It says how far the parts get together, and where that ends."""
    assert ANSWERS["none of parts"]().text() == "none"
    both = GAME.ask("in_range(Alex, X) & is_a(X, 'creature') & controls(Dana, X)")
    assert "outside" not in both.text()
    mutual = GAME.ask("reaches(X, Y) & ~reaches(Y, X) & (X != Y)")
    assert [str(line.text) for line in mutual.reason if not line.depth] == [
        "Dana is within Alex's range of influence",
        "Alex is within Dana's range of influence",
    ]
    assert "outside" in GAME.ask("in_range(Alex, Carissa) & in_range(X, Carissa)").text()


@ALL
def test_as_dict_is_json_and_templates_make_the_text(make: Callable[[], Answer]) -> None:
    data = make().as_dict("all")
    assert json.loads(json.dumps(data)) == data
    assert data["verdict"] in ("yes", "no")
    lines = [*data["reason"], *data["tree"], *(x for r in data["reasons"] for x in r["reason"])]
    for line in lines:
        assert set(line) == {"depth", "text", "template", "args", "rules", "holds"}
        assert line["template"].format(**line["args"]) == line["text"]


def test_a_word_before_a_hole_is_not_said_again() -> None:
    """The one way in which a text differs from its template filled in."""
    table = {"seats": ["A", "B", "C", "D"], "teams": {"Team Red": ["A", "B"], "Blue": ["C", "D"]}}
    found = seatlog.open(table).ask("opponent(A, X)").as_dict("all")["tree"]
    differing = [x for x in found if x["template"].format(**x["args"]) != x["text"]]
    for line in differing:
        plain = line["template"].format(**line["args"])
        assert plain.replace("team Team", "Team") == line["text"]


@ALL
def test_repr_is_one_short_line(make: Callable[[], Answer]) -> None:
    shown = repr(make())
    assert shown.isprintable()
    assert shown.startswith("<")
    assert shown.endswith(">")
    assert len(shown) < 400


def test_sessions_show_on_one_line() -> None:
    assert repr(ODD).isprintable()
    assert repr(ODD.but(range=1)) == "<Session: table, 10 facts, cr as of 2026-08-07>"


TAGS = {"div", "p", "b", "ul", "li", "small", "table", "thead", "tbody", "tr", "th", "td"}


class Nesting(HTMLParser):
    """Whether every tag is closed where it should be, and what stands between them."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "ul":
            assert self.open[-1] in ("div", "li"), "a list stands in a list's item"
        self.open.append(tag)
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"style", "class"}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f"{data}\n"


@ALL
def test_html_is_well_formed_and_escaped(make: Callable[[], Answer]) -> None:
    answer = make()
    page = answer._repr_html_()
    root = ElementTree.fromstring(page)
    parser = Nesting()
    parser.feed(page)
    parser.close()
    assert not parser.open
    assert parser.tags <= TAGS
    assert root.get("class") == "seatlog"
    values = [str(v) for row in answer.rows for v in row] if answer.open else []
    for text in (*values, *answer.doubts, ", ".join(answer.cites)):
        assert text in parser.text
    if not (answer.open and answer.rows):
        shown = "".join(root.itertext())
        for line in answer.reason:
            assert str(line.text)[1:] in shown


@ALL
@pytest.mark.parametrize("tree", [True, "all"])
def test_html_has_the_steps_that_the_text_has(make: Callable[[], Answer], tree: bool | str) -> None:
    answer = make()
    shown = "".join(ElementTree.fromstring(answer.html(tree)).itertext())
    for line in answer.tree(tree == "all"):
        assert str(line.text)[1:] in shown


def test_html_of_many_rows_ends() -> None:
    seats = [f"P{i}" for i in range(30)]
    page = seatlog.open(seats=seats).ask("reaches(X, Y)")._repr_html_()
    assert page.count("<tr>") == 101
    assert "… and 800 more" in page


class Printer:
    """As much of IPython's printer as is needed."""

    def __init__(self) -> None:
        self.said = ""

    def text(self, said: str) -> None:
        self.said += said


@ALL
def test_pretty_is_what_people_read(make: Callable[[], Answer]) -> None:
    answer, printer, circle = make(), Printer(), Printer()
    answer._repr_pretty_(printer, False)
    answer._repr_pretty_(circle, True)
    assert printer.said == answer.text()
    assert circle.said == repr(answer)


# Every verdict at a glance


@pytest.mark.parametrize("edition", ["cr", "cr2021", "draft2004"])
def test_an_overview_is_what_single_questions_say(edition: str) -> None:
    game = seatlog.open("four_in_a_ring", edition=edition)
    found = seatlog.overview(game)
    assert json.loads(json.dumps(found)) == found
    assert list(found) == ["version", "table", "edition", "date", "names", "verbs"]
    assert (found["edition"], found["names"]) == (edition, dict(game.table.names))
    assert list(found["verbs"]) == game.verbs()
    asked = 0
    for verb, everybody in found["verbs"].items():
        for who, verdicts in everybody.items():
            for what, said in verdicts.items():
                answer = game.can(who, verb, what or None)
                data = answer.as_dict()
                wanted = {k: data[k] for k in ("verdict", "reason", "cites", "open")}
                if answer.open:
                    wanted["rows"] = data["rows"]
                assert said == wanted, (who, verb, what)
                asked += 1
    assert asked > 30
    for who in game.table.names:
        for verb in game.verbs():
            try:
                game.can(who, verb)
            except SeatlogError:
                assert who not in found["verbs"][verb]
            else:
                assert who in found["verbs"][verb], (who, verb)


def test_an_overview_takes_any_list_of_verbs() -> None:
    one = seatlog.overview(GAME, ["reach", "target", "reach"])
    assert list(one["verbs"]) == ["reach", "target"]
    for verbs in (("reach", "target"), iter(["reach", "target"]), {"reach": 1, "target": 2}.keys()):
        assert seatlog.overview(GAME, verbs) == one

"""The magics of a notebook, in an IPython shell of this process."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from IPython.core import completer
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import seatlog
from seatlog import Draft, SeatlogError
from seatlog.notebook import Desk, load_ipython_extension, unload_ipython_extension
from small_books import RULES, book

RING = "%table four_in_a_ring"
OWN = "801.2b"
"""A section that one question rests on, and that can be dropped."""
ROW = "%%table\nseats = ['Ann', 'Ben', 'Cy']"
NODS = "# yes: {P} nods\n# no: {P} doesn't nod\nnods(P) <= seat(P, _Seat)"
NEAR = "# verb: P reach Q\n# yes: {P} is near {Q}\ncan_reach(P, Q) <= (seat(P, 1) & seat(Q, 2))"
CASE = """\
[[scenario]]
name = "<i>"
table.seats = ["Ann", "Ben"]
can = ["Ann", "rest"]
answer = "no"
cites = ["1.2"]
"""
SCRIPT = "<script>alert(1)</script>"
LOADS = ("href", "src")
NOT_DRAWN = {"script", "img", "iframe", "object", "link", "a", "style"}


@pytest.fixture(scope="module")
def ipython(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A shell that keeps no history."""
    config = Config()
    config.HistoryManager.enabled = False
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        made: Any = InteractiveShell
        yield made(config=config)


class Shell:
    """A shell with the magics."""

    def __init__(self, shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
        self.shell, self._capsys = shell, capsys

    def run(self, *cells: str) -> Any:
        """What the last of some cells gives; each has to work."""
        for cell in cells:
            done = self.shell.run_cell(cell)
            assert done.success, self._capsys.readouterr().out
        return done.result

    def shown(self, value: Any) -> tuple[str, str]:
        """What is shown of a value: as text, and as HTML."""
        data, _ = self.shell.display_formatter.format(value)
        return data["text/plain"], sound(data["text/html"])

    def fails(self, cell: str) -> tuple[Any, str]:
        """The error of a cell, and what is shown of it."""
        self._capsys.readouterr()
        done = self.shell.run_cell(cell)
        assert isinstance(done.error_in_exec, SeatlogError)
        return done.error_in_exec, self._capsys.readouterr().out.strip("\n")

    def completed(self, text: str) -> list[str]:
        """A cell as it is after each completion of its end."""
        with completer.provisionalcompleter():
            found = list(self.shell.Completer.completions(text, len(text)))
        return [text[: each.start] + each.text + text[each.end :] for each in found]


@pytest.fixture(scope="module")
def low(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small book, whose drafts are made fast."""
    return book(tmp_path_factory.mktemp("books") / "low", RULES)


@pytest.fixture
def shell(ipython: Any, capsys: pytest.CaptureFixture[str]) -> Iterator[Shell]:
    load_ipython_extension(ipython)
    yield Shell(ipython, capsys)
    unload_ipython_extension(ipython)


@pytest.fixture
def small(shell: Shell, low: Path) -> Shell:
    """A shell with a draft of the small book, and a table."""
    shell.run(f"%rules --edition {low}", ROW)
    return shell


def sound(page: str) -> str:
    """HTML that is well formed, and in which no text has become an element."""
    root = ElementTree.fromstring(page)
    assert root.get("class") == "seatlog"
    for element in root.iter():
        assert element.tag not in NOT_DRAWN
        assert not [name for name in element.attrib if name[:2] == "on" or name in LOADS]
    return page


def words(page: str) -> str:
    """The text of a page."""
    return "\n".join(ElementTree.fromstring(page).itertext())


def marks(page: str, element: str) -> list[str]:
    """What stands in the elements of a kind."""
    return ["".join(each.itertext()) for each in ElementTree.fromstring(page).iter(element)]


def test_the_extension_is_loaded_by_the_name_of_the_package(ipython: Any) -> None:
    assert ipython.run_cell("%load_ext seatlog").success
    found = {"rules", "table", "can", "why", "diff", "test", "draw"}
    assert found <= set(ipython.magics_manager.magics["line"])
    assert {"rules", "table"} <= set(ipython.magics_manager.magics["cell"])
    matchers = list(ipython.Completer.custom_matchers)
    assert ipython.run_cell("%reload_ext seatlog").success
    assert len(ipython.Completer.custom_matchers) == len(matchers) == 1
    assert ipython.run_cell("%unload_ext seatlog").success
    assert not found & set(ipython.magics_manager.magics["line"])
    assert not ipython.Completer.custom_matchers
    unload_ipython_extension(ipython)


# Questions


def test_questions_are_answered_at_the_table_with_their_reason(shell: Shell) -> None:
    asked = shell.run(RING, "%can Alex target Runeclaw Bear")
    alone = seatlog.can("four_in_a_ring", "Alex", "target", "Runeclaw Bear")
    assert asked.answer == alone
    assert not asked
    text, page = shell.shown(asked)
    assert text == alone.text()
    assert alone._repr_html_() in page
    assert "answers" not in text, "nothing is changed, so there is nothing to say of the base"
    assert list(shell.run("found = %can reaches(Alex, X)", "found")) == ["Alex", "Rob", "Dana"]


@pytest.mark.parametrize("mark", ["?", " ? ", ""])
def test_a_question_may_end_as_it_is_said(shell: Shell, mark: str) -> None:
    assert shell.run(RING, f"%can alex target grizzly bears{mark}").answer.verdict
    assert len(shell.run(f"found = %can alex reach{mark}", "found")) == 4
    assert shell.run("%can?") is None, "which shows what the magic does"


def test_why_goes_step_by_step(shell: Shell) -> None:
    for line, tree in (("%why Alex reach Alex", True), ("%why --all Alex reach Alex", "all")):
        asked = shell.run(RING, line)
        text, page = shell.shown(asked)
        assert text == asked.answer.text(tree)
        assert "Alex sits in seat 1" in words(page)
    text, page = shell.shown(shell.run("%why Alex reach"))
    assert "Dana sits in seat 4" in text
    assert "Dana sits in seat 4" in words(page)


def test_where_the_base_answers_otherwise_that_is_said(shell: Shell) -> None:
    shell.run(RING, f"%rules --drop {OWN}")
    asked = shell.run("%can Alex reach Alex")
    assert (asked.answer.verdict, asked.base.verdict) == (False, True)
    text, page = shell.shown(asked)
    assert text.startswith("no\n")
    assert "\ncr answers otherwise:\n  yes\n" in text
    assert "cr answers otherwise:" in words(page)
    assert asked.base._repr_html_() in page
    assert shell.run("%can Alex reach Rob").base is None
    assert [*shell.run("%can Alex reach").base] == ["Alex", "Rob", "Dana", "Grizzly Bears"]
    shell.run("%rules --undo")
    assert shell.run("%can Alex reach Alex").base is None


def test_the_same_verdict_by_other_rules_is_told_apart(small: Shell) -> None:
    text = small.run("%rules 1.1").text.partition("\n")[2]
    small.run("%rules --drop 1.1", f"%%rules --add 1.4\n{text}")
    asked = small.run("%can Ann reach Ben")
    assert asked.answer.verdict and asked.base.verdict
    assert (asked.answer.cites, asked.base.cites) == (("1.4",), ("1.1",))
    assert asked.said == "low answers the same by other rules"


def test_what_the_base_cannot_be_asked_and_the_draft_can(small: Shell) -> None:
    small.run(f"%%rules --add 1.4\n{NODS}")
    asked = small.run("%can nods(Ann)")
    assert asked.answer.verdict and isinstance(asked.base, SeatlogError)
    text, page = small.shown(asked)
    assert "low can't be asked this:" in text
    assert text.endswith(f"  {asked.base.what}") and asked.base.what in words(page)
    assert asked.base.hint and asked.base.hint not in text
    small.run("%rules --undo")
    error, _ = small.fails("%can nods(Ann)")
    assert "low" not in error.hint


def test_what_the_draft_cannot_be_asked_and_the_base_can(small: Shell) -> None:
    small.run("%rules --drop 1.1")
    _, said = small.fails("%can Ann reach Ben")
    assert said.startswith('Low, draft has no rule on "reach"\n')
    assert said.endswith("\n  low can be asked it, and answers: yes")
    assert "answers" not in small.fails("%can Ann raech Ben")[1]


# Rules


def test_a_cell_replaces_a_section(small: Shell, low: Path) -> None:
    assert small.run("%rules 1.1").text == seatlog.draft(low).show("1.1")
    edited = small.run(f"%%rules 1.1\n{NEAR}")
    assert {"clause", "sentence", "verb"} <= {part.kind for part in edited.edit.lost}
    text, page = small.shown(edited)
    assert text == str(edited.edit)
    said = words(page)
    assert "1.1 replaced" in said
    assert "lost: 1 clause, 2 sentences, 1 verb" in said
    assert "new: 1 clause, 1 sentence, 1 verb" in said
    lost, new = (marks(page, element) for element in ("del", "ins"))
    assert lost[0].startswith("- can_reach(Player, Other) <= (")
    assert "- # no: {Player} doesn't reach {Other}" in lost
    assert new[0] == "+ can_reach(P, Q) <= (seat(P, 1) & seat(Q, 2))"
    for care in edited.edit.cares:
        assert care.split("\n")[0] in said
    assert "is near" in small.run("%rules 1.1").text


def test_rules_alone_says_what_was_changed(small: Shell) -> None:
    assert repr(small.run("%rules")) == "low: nothing changed"
    loose = NODS.replace("_Seat", "Seat")
    small.run(f"%%rules --add 1.4\n{loose}")
    told = small.run("%rules")
    assert isinstance(told.value, Draft)
    text, page = small.shown(told)
    assert text.startswith("low: 1.4 changed\n  1.4 added")
    assert told.value.lint()
    for care in told.value.lint():
        assert str(care).split("\n")[0] in text
        assert str(care).split("\n")[0] in words(page)
    assert small.run("%rules --undo").said == "taken back: 1.4 added"
    assert small.run("%rules --redo").said == "made again: 1.4 added"


def test_a_draft_is_saved_and_opened_again(small: Shell, tmp_path: Path) -> None:
    small.run(f"%%rules --add 1.4\n{NODS}")
    folder = tmp_path / "my <b>rules"
    told = small.run(f'%rules --save "{folder}" --title Mine')
    assert told.lines == ("edition.toml", "1.4.dl")
    assert small.shown(told)[0].startswith(str(folder))
    error = small.fails(f'%rules --save "{folder}"')[1]
    assert "isn't empty" in error and "--over writes over it" in error
    small.run(f'%rules --save "{folder}" --over')
    told = small.run(f'%rules --edition "{folder}"')
    assert "left as it is: the draft of low" in told.lines
    assert small.run("%can nods(Ann)"), "the table has come along"


def test_another_edition_has_another_draft(shell: Shell) -> None:
    shell.run("%%table\nseats = ['Ann', 'Ben']")
    assert shell.run("%rules --edition draft2004").value.base.name == "draft2004"
    asked = shell.run("%can Ann reach Ben")
    assert (asked.answer.cites[0][:3], asked.name) == ("601", "draft2004")
    assert "no edition is called" in shell.fails("%rules --edition cr2020")[1]
    assert shell.run("%rules").said == "draft2004: nothing changed"


def test_a_table_that_another_edition_refuses_is_left_out(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text("seats = ['Ann', 'Ben']")
    shell.run(f"%table {file}")
    file.write_text("seats = 'Ann'")
    told = shell.run("%rules --edition draft2004")
    assert told.lines[0].startswith("the table is left out: ")
    assert "no table is there" in shell.fails("%can Ann reach Ben")[1]


# Tables and rings


def test_a_table_is_a_file_or_keys_or_a_cell(shell: Shell, tmp_path: Path) -> None:
    laid = shell.run(RING)
    assert laid.checked.names["Thing"] == ["Runeclaw Bear", "Grizzly Bears"]
    text, page = shell.shown(laid)
    assert text.split("\n")[:2] == [
        "four_in_a_ring: 11 facts",
        "  Player: Alex, Rob, Carissa, Dana",
    ]
    assert "Runeclaw Bear, Grizzly Bears" in words(page)
    assert shell.run("%can Alex reach Carissa", "%table four_in_a_ring --range 2").checked == (
        laid.checked
    )
    assert shell.run("%can Alex reach Carissa")
    assert shell.run('%table --seats "Ann,Ben,Cy" --range=0').checked.facts == 4
    assert not shell.run("%can Ann reach Ben")
    shell.run("%%table --range 1\nseats = ['Di', 'Ed', 'Flo']\nrange = 0")
    assert shell.run("%can Di reach Ed")
    assert shell.run("%table").checked.names == {"Player": ["Di", "Ed", "Flo"]}
    file = tmp_path / "two words.toml"
    file.write_text("seats = ['Gus', 'Hal']\nrange = 1")
    assert shell.run(f'%table "{file}"').checked.title == "two words"


@pytest.mark.parametrize(
    ("cell", "wrong"),
    [
        ("%can Ann reach Ben", "no table is there to be asked"),
        ("%draw", "no table is there to be asked"),
        ("%table", "no table is there to be asked"),
        ("%table four_in_a_rign", 'did you mean "four_in_a_ring"?'),
        ("%table --seets Ann", "no option is called --seets"),
        ("%table --range", "--range needs something behind it"),
        ("%table one two", "one table at a time"),
        ('%table "one', "a quote is never closed"),
        ("%%table\nseats = ['Ann'\n", "cell:2:1: this is not TOML"),
        ("%%table\nseats = ['Ann', 'Ben']\ntrun = 3", 'cell:2:1: no table key is called "trun"'),
        ("%%table four_in_a_ring\nseats = ['Ann', 'Ben']", "one table at a time"),
        ("%%rules\nx(X) <= y(X)", "a cell's text is for one section"),
        ("%%rules --undo\nx(X) <= y(X)", "a cell's text is for one section"),
        ("%%rules 801.4\n# no: {X\nx(X) <= (y(X)", "draft/801.4.dl:2"),
        ("%rules 801.4 --undo", "one thing at a time"),
        ("%rules 801.4 801.5", "one thing at a time"),
        ("%rules --over", "--over and --title are for --save"),
        ("%rules --undo=2", "--undo takes nothing behind it"),
        ("%rules --drop 1.1 --drop 1.2", "--drop is said twice"),
        ("%rules --add 801.20", "the text to add stands in a cell"),
        ("%rules --undoo", 'did you mean "--undo"?'),
        ("%rules --undo", "nothing is there to be taken back"),
        ("%rules 801.999", "cr has no section"),
        ("%can", "a question is missing"),
        ("%draw reach target", "one verb at a time"),
        ("%test --verb reach", "there are none here"),
        ("%test nowhere.toml", "can't be read"),
        ("%diff --verbs reach", 'did you mean "--verb"?'),
    ],
)
def test_errors_are_messages_without_a_traceback(shell: Shell, cell: str, wrong: str) -> None:
    error, said = shell.fails(cell)
    assert said == str(error)
    assert wrong in said
    assert "Traceback" not in said
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert again._render_traceback_() == said.split("\n")


def test_a_refused_change_leaves_all_as_it_was(small: Shell) -> None:
    small.run("%rules --drop 1.1")
    for cell in ("%table four_in_a_rign", "%%rules 1.2\nx(", "%%table\nseats = 3", "%can who"):
        small.fails(cell)
    assert small.run("%table").checked.names == {"Player": ["Ann", "Ben", "Cy"]}
    assert small.run("%rules").value.changed == ["1.1"]


def test_a_ring_is_drawn_and_said(shell: Shell) -> None:
    drawn = shell.run(RING, "%draw")
    text, page = shell.shown(drawn)
    assert text == seatlog.draw("four_in_a_ring")
    root = ElementTree.fromstring(page)
    picture = next(root.iter("svg"))
    assert picture.get("aria-label") == "round the table: Alex, Rob, Carissa, Dana"
    assert [each.text for each in picture.iter("text")] == ["Alex", "Rob", "Carissa", "Dana"]
    rows = [[cell.text for cell in row] for row in root.iter("tr")]
    assert rows[0] == ["Alex", "reach: Alex, Rob, Dana"]
    assert shell.run("%draw attack").verb == "attack"
    assert "no such verb" in shell.fails("%draw atack")[1]


def test_a_ring_says_who_is_gone_and_a_large_one_is_not_drawn(shell: Shell) -> None:
    drawn = shell.run("%table four_in_a_ring --left 'Rob: 1'", "%draw")
    _, page = shell.shown(drawn)
    assert "(Rob)" in words(page) and "Rob has left" in words(page)
    many = ",".join(f"P{n}" for n in range(40))
    _, page = shell.shown(shell.run(f"%table --seats {many}", "%draw"))
    assert "<svg" not in page
    assert "40 in a ring" in words(page) and "P39" in words(page)


# Differences


def test_a_difference_is_that_of_the_draft(
    small: Shell, low: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(low)  # where no scenarios are
    small.run(f"%%rules 1.1\n## 1.1  {SCRIPT}\n{NEAR}")
    found = small.run("%diff --bound none")
    assert found
    text, page = small.shown(found)
    assert text == str(found.found)
    (lost,) = marks(page, "del")[:1]
    assert lost.startswith("- can_reach(Player, Other) <= (")
    new = marks(page, "ins")
    assert new[0] == "+ can_reach(P, Q) <= (seat(P, 1) & seat(Q, 2))"
    assert "+ yes: {P} is near {Q}" in new
    assert SCRIPT in words(page)
    assert "Ben reach Cy" in words(page) and "Ben reach Cy" in text
    assert "".join(ElementTree.fromstring(page).itertext()) == "\n".join(found.found.lines(80))
    assert found.as_dict() == found.found.as_dict()
    assert small.shown(found.found)[1] == page
    small.run("%rules --undo")
    assert not small.run("%diff --bound none")


@pytest.mark.parametrize(
    ("cells", "tables", "options"),
    [
        (["%diff"], (), {"verbs": ()}),
        ([RING, "%diff"], ("four_in_a_ring",), {"verbs": ()}),
        (["%table --seats Ann", "%diff --bound none"], ({"seats": ["Ann"]},), {"bound": None}),
        (["%%table\nseats = ['Ann']", "%diff"], ({"seats": ["Ann"]},), {"scenarios": None}),
        (["%diff a.toml b.toml --scenarios c"], ("a.toml", "b.toml"), {"scenarios": "c"}),
        (["%diff --bound players=3 --verb go"], (), {"bound": "players=3", "verbs": ("go",)}),
    ],
)
def test_what_is_compared(
    shell: Shell,
    monkeypatch: pytest.MonkeyPatch,
    cells: list[str],
    tables: tuple[Any, ...],
    options: dict[str, Any],
) -> None:
    given: list[Any] = []

    def diff(_draft: Draft, *tables: Any, **options: Any) -> Any:
        given.append((tables, options))
        raise seatlog.BookError("enough")

    monkeypatch.setattr(Draft, "diff", diff)
    for cell in cells[:-1]:
        shell.run(cell)
    shell.fails(cells[-1])
    ((found, said),) = given
    assert found == tables
    assert options.items() <= said.items()
    assert set(said) <= {"scenarios", "verbs", *options}


# What is shown


def test_no_text_of_a_rule_or_a_table_becomes_an_element(small: Shell) -> None:
    text = small.run("%rules 1.1").text.partition("\n")[2].replace(" reaches ", f" {SCRIPT} ")
    small.run(f'%%table\nseats = ["{SCRIPT}", "Ben & \'co\'"]')
    edited = small.run(f"%%rules 1.1\n## 1.1  {SCRIPT}\n{text}")
    values = [
        edited,
        edited.edit,
        *(small.run(cell) for cell in ("%table", "%draw", "%rules 1.1")),
        small.run(f'%can "{SCRIPT}" reach "Ben & \'co\'"'),
        small.run(f'%why "{SCRIPT}" reach'),
    ]
    for value in values:
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in small.shown(value)[1]
    assert SCRIPT in words(small.shown(small.run("%table"))[1])


def test_control_characters_stay_out(small: Shell, tmp_path: Path) -> None:
    small.run("%rules --drop 1.1")
    for shown in small.shown(small.run(f"%rules --save {tmp_path}/turned\u202eround")):
        assert "\u202e" not in shown
        assert "turned\\x202eround" in shown


def test_scenarios_are_run_under_the_draft(small: Shell, tmp_path: Path) -> None:
    cases = tmp_path / "my cases.toml"
    cases.write_text(CASE.replace('"no"', '"yes"'), encoding="utf-8")
    assert small.run(f"%test '{cases}'").passed == 1
    small.run("%rules --drop 1.2")
    tried = small.run(f"%test '{cases}'")
    text, page = small.shown(tried)
    assert not tried and text.startswith("0 passed, 1 failed\n")
    assert "0 passed, 1 failed" in words(page)


def test_what_a_draft_gives_in_python_shows_itself_where_the_magics_are(
    shell: Shell, ipython: Any, low: Path, tmp_path: Path
) -> None:
    draft = seatlog.draft(low)
    edit = draft.drop("1.1")
    text, page = shell.shown(edit)
    assert text == str(edit)
    assert marks(page, "del")
    cases = tmp_path / "cases.toml"
    cases.write_text(CASE, encoding="utf-8")
    tried = draft.test(cases)
    text, page = shell.shown(tried)
    assert text == str(tried)
    assert "0 passed, 1 failed" in words(page) and "cases.toml: <i>" in words(page)
    assert "yes" in words(page), "what the book says"
    unload_ipython_extension(ipython)
    for value in (edit, tried):
        data, _ = ipython.display_formatter.format(value)
        assert "text/html" not in data


# What could be typed next


@pytest.mark.parametrize(
    ("typed", "becomes"),
    [
        ("%can ale", ["%can Alex"]),
        ("%can Alex targ", ["%can Alex target"]),
        ("found = %can Alex targ", ["found = %can Alex target"]),
        ('%can Alex target "Runec', ['%can Alex target "Runeclaw Bear"']),
        ("%can alex target runeclaw b", ["%can alex target Runeclaw Bear"]),
        ("%can in_range(Alex, Ca", ["%can in_range(Alex, Carissa"]),
        ("%why --all Alex rea", ["%why --all Alex reach"]),
        ("%why --a", ["%why --all"]),
        ("%draw rea", ["%draw reach"]),
        ("%diff --verb rea", ["%diff --verb reach"]),
        ("%diff four_in", ["%diff four_in_a_ring"]),
        ("%rules 801.2", [f"%rules 801.2{letter}" for letter in ("", *"abcd")]),
        ("%%rules 801.2d", ["%%rules 801.2d"]),
        ("%rules --drop 801.2d", ["%rules --drop 801.2d"]),
        ("%rules --dr", ["%rules --drop"]),
        ("%rules --edition draft", ["%rules --edition draft2004"]),
        ("%table four_in", ["%table four_in_a_ring"]),
        ("%table --rang", ["%table --range", "%table --ranges"]),
        ("%%rules 801.4\nmine(X) <= in_ra", ["%%rules 801.4\nmine(X) <= in_range("]),
        ("%%rules 801.4\nmine(X) <= (\n  in_ra", ["%%rules 801.4\nmine(X) <= (\n  in_range("]),
    ],
)
def test_names_verbs_and_numbers_are_completed(
    shell: Shell, typed: str, becomes: list[str]
) -> None:
    shell.run(RING)
    assert shell.completed(typed) == becomes


def test_where_no_magic_stands_nothing_is_completed(shell: Shell) -> None:
    shell.run(RING)
    for typed in ("print(Alex targ", "x = 'Alex targ", "%%timeit\nAlex targ", "%time Alex targ"):
        assert not [text for text in shell.completed(typed) if text.endswith("target")]
    assert shell.completed("%can Alex target xyzzy") == []


def test_sections_of_the_draft_are_completed(small: Shell) -> None:
    small.run(f"%%rules --add 1.4\n{NODS}")
    assert small.completed("%rules 1.4") == ["%rules 1.4"]
    assert small.completed("%can nod") == ["%can nods("]


def test_a_desk_needs_no_shell() -> None:
    desk = Desk()
    desk.table("four_in_a_ring")
    assert desk.can("Alex reach Rob")

"""An editor and the language server, over the protocol itself: one server for all that is asked."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from editor import Editor, applied, at, cut, uri
from places import ROOT, TESTS
from seatlog.language import Heading, read_clauses

SHIPPED = sorted((ROOT / "rules").rglob("*.dl"))
VOCABULARY = ROOT / "facts" / "vocabulary.dl"
ODD = "# 日本語 😀 weather\n"


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    made = Editor()
    yield made
    assert made.close() == 0


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """A project about an allotment garden that may be changed."""
    project = tmp_path / "garden 日"
    for folder in ("rules", "facts"):
        shutil.copytree(TESTS / "other_book" / folder, project / folder)
    return project


def test_every_shipped_file_is_fine(editor: Editor) -> None:
    files = [*SHIPPED, VOCABULARY]
    for path in files:
        editor.open(path)
    try:
        for path in files:
            editor.expect(path)
            assert editor.layout(path) == [], path
            entries = read_clauses(path.read_text(encoding="utf-8"), path.name).entries
            numbers = [entry.number for entry in entries if isinstance(entry, Heading)]
            assert [s.name.split()[0] for s in editor.symbols(path)] == numbers
        assert not any(editor.told.values())
    finally:
        for path in files:
            editor.shut(path)
    assert len(files) > 60


def test_what_it_can_do_is_said(editor: Editor) -> None:
    can = editor.can
    assert can.position_encoding == "utf-16"
    assert can.hover_provider
    assert can.definition_provider
    assert can.references_provider
    assert can.document_formatting_provider
    assert can.document_symbol_provider
    assert can.rename_provider == types.RenameOptions(prepare_provider=True)


def test_a_fault_is_shown_where_it_is_typed_and_goes_when_it_is_mended(
    editor: Editor, garden: Path
) -> None:
    path = garden / "rules" / "row" / "3" / "3.1_drought.dl"
    text = path.read_text(encoding="utf-8")
    with editor.opened(path):
        editor.expect(path)
        wrong = text.replace("# yes: it", f"{ODD}# yes: it").replace("~glazed(Bed)", "~glased(Bed)")
        editor.type(path, wrong)
        (fault,) = editor.expect(path, "L01")
        assert cut(wrong, fault.range) == "glased"
        assert fault.severity == types.DiagnosticSeverity.Error
        assert fault.source == "seatlog"
        assert fault.message == 'no predicate is called glased\ndid you mean "glazed"?'
        editor.type(path, text)
        editor.expect(path)
        wrong = text.replace("(Days > 7)", "(Days > '日😀') and '😀' x")
        editor.type(path, wrong)
        (fault,) = editor.expect(path, "S05")
        assert cut(wrong, fault.range) == "and"
        editor.type(path, text)
        editor.expect(path)
        careless = f"{text}idle(Bed) <= (bed(Bed) & hose(Span))\n"
        editor.type(path, careless)
        (_, fault) = editor.expect(path, "W03", "W01")
        assert cut(careless, fault.range) == "Span"
        assert fault.severity == types.DiagnosticSeverity.Warning


def test_a_fault_is_shown_in_the_file_that_has_it(editor: Editor, garden: Path) -> None:
    rules = garden / "rules" / "row"
    here, there = rules / "2" / "2.1_hoses.dl", rules / "verdicts.dl"
    with editor.opened(here):
        editor.expect(here)
        text = here.read_text(encoding="utf-8")
        editor.type(here, text.replace("gets_to(", "goes_to("))
        (fault,) = editor.expect(there, "L01")
        assert cut(there.read_text(encoding="utf-8"), fault.range) == "gets_to"
        editor.type(here, text)
        editor.expect(there)
    base = garden / "rules" / "terrace" / "2.1_hoses.dl"
    with editor.opened(base), editor.opened(rules / "verdicts.dl"):
        editor.expect(base)
        text = there.read_text(encoding="utf-8")
        editor.type(there, text.replace("may_tend(", "may_trend("))
        editor.expect(there, "L01")
        (fault,) = editor.expect(garden / "rules" / "terrace" / "edition.toml", "L01")
        assert fault.message.startswith("row/verdicts.dl:")
        editor.type(there, text)
        editor.expect(garden / "rules" / "terrace" / "edition.toml")


def test_an_unsaved_vocabulary_counts(editor: Editor, garden: Path) -> None:
    facts = garden / "facts" / "vocabulary.dl"
    path = garden / "rules" / "row" / "3" / "3.1_drought.dl"
    text = facts.read_text(encoding="utf-8")
    with editor.opened(path), editor.opened(facts):
        editor.expect(path)
        editor.expect(facts)
        editor.type(path, path.read_text(encoding="utf-8").replace("dry(Days)", "arid(Days)"))
        editor.expect(path, "L01")
        editor.type(facts, text + "\n# fact: arid(Days)\n# table: arid = Days\n")
        editor.expect(path)
        editor.type(facts, text + "\n# fact: arid(Weeks)\n# table: arid = Weeks\n")
        (fault,) = editor.expect(facts, "V01")
        assert "Weeks" in fault.message


def test_settings_that_are_wrong_are_said(editor: Editor, garden: Path) -> None:
    settings = garden / "rules" / "row" / "edition.toml"
    path = garden / "rules" / "row" / "verdicts.dl"
    good = settings.read_text(encoding="utf-8")
    with editor.opened(path):
        editor.expect(path)
        settings.write_text("titel = 'x'\n", encoding="utf-8")
        editor.save(path)
        editor.until(lambda: editor.told.get(uri(settings)), "what is wrong with the settings")
        assert "titel" in editor.told[uri(settings)][0].message
        settings.write_text(good, encoding="utf-8")
        editor.save(path)
        editor.expect(settings)


def test_hover(editor: Editor, garden: Path) -> None:
    rules = garden / "rules" / "row"
    path = rules / "4" / "4.1_minding.dl"
    text = ODD + path.read_text(encoding="utf-8")
    with editor.opened(path, text):
        assert editor.hover(path, at(text, "may_tend", 3)).splitlines() == [
            "may_tend(Gardener, Bed)",
            "yes: {Gardener} may work in {Bed}",
            "yes: {Gardener} looks after the beds of {Other}, and {Bed} is one of them",
            "no: {Gardener} has no business in {Bed}",
            "4.1  Whose beds one may work in (3 clauses)",
        ]
        assert "what a table says" in editor.hover(path, at(text, "minds(Gardener"))
        assert editor.hover(path, at(text, "4.1  Whose")) == "4.1  Whose beds one may work in"
        assert editor.hover(path, at(text, "{Gardener} may", 1)) == ""
        assert editor.hover(path, types.Position(10_000, 10_000)) == ""


def test_definitions_and_references(editor: Editor, garden: Path) -> None:
    rules = garden / "rules" / "row"
    path = rules / "verdicts.dl"
    text = ODD + path.read_text(encoding="utf-8")
    minding = rules / "4" / "4.1_minding.dl"
    with editor.opened(path, text):
        found = editor.definitions(path, at(text, "may_tend(", 8))
        assert {each.uri for each in found} == {uri(minding)}
        assert [each.range.start.line for each in found] == [4, 5, 8]
        where = editor.references(path, at(text, "may_tend("))
        assert uri(path) in {each.uri for each in where}
        assert len(where) > len(found)
        for each in where:
            if each.uri == uri(path):
                assert cut(text, each.range) == "may_tend"
        (noted,) = editor.definitions(path, at(text, "shared(Gardener"))
        assert noted.uri == uri(minding)
        (head,) = editor.definitions(path, at(text, "9.1"))
        assert (head.uri, head.range.start.line) == (uri(path), 3)
    with editor.opened(minding):
        (fact,) = editor.definitions(minding, at(minding.read_text(encoding="utf-8"), "minds("))
        assert fact.uri == uri(garden / "facts" / "vocabulary.dl")
        said = (garden / "facts" / "vocabulary.dl").read_text(encoding="utf-8")
        assert cut(said, fact.range) == "minds"
    terrace = garden / "rules" / "terrace" / "2.1_hoses.dl"
    with editor.opened(terrace):
        own = editor.definitions(terrace, at(terrace.read_text(encoding="utf-8"), "gets_to"))
        assert {each.uri for each in own} == {uri(terrace)}


def test_a_predicate_is_renamed_in_all_files(editor: Editor, garden: Path) -> None:
    rules = garden / "rules" / "row"
    path = rules / "4" / "4.1_minding.dl"
    text = path.read_text(encoding="utf-8")
    with editor.opened(path):
        params = types.PrepareRenameParams(editor.named(path), at(text, "may_tend("))
        where = editor.run(editor.client.text_document_prepare_rename_async(params))
        assert isinstance(where, types.Range)
        assert cut(text, where) == "may_tend"
        made = editor.rename(path, at(text, "may_tend("), "may_work")
        assert set(made) == {
            file for file in rules.rglob("*.dl") if "may_tend(" in file.read_text(encoding="utf-8")
        }
        for file, after in made.items():
            before = file.read_text(encoding="utf-8")
            assert after == before.replace("may_tend(", "may_work(")
        shared = editor.rename(path, at(text, "shared("), "both_mind")
        assert "# doubt: both_mind(Gardener" in shared[rules / "verdicts.dl"]
        rest = next(f for f in rules.rglob("*.dl") if "may_rest(" in f.read_text(encoding="utf-8"))
        said = rest.read_text(encoding="utf-8")
        with editor.opened(rest):
            made = editor.rename(rest, at(said, "may_rest("), "may_idle")
        assert 'follows = ["may_idle"]' in made[rules / "edition.toml"]


def test_a_variable_is_renamed_in_its_clause_and_the_notes_above(
    editor: Editor, garden: Path
) -> None:
    path = garden / "rules" / "row" / "2" / "2.1_hoses.dl"
    text = path.read_text(encoding="utf-8")
    with editor.opened(path):
        made = editor.rename(path, at(text, "{Plots}", 1), "Steps")
        start = text.index("# yes: {Bed} lies")
        assert made == {path: text[:start] + text[start:].replace("Plots", "Steps")}


@pytest.mark.parametrize(
    ("file", "word", "name", "why"),
    [
        ("row/4/4.1_minding.dl", "may_tend(", "Tend", "can't be the name of a predicate"),
        ("row/4/4.1_minding.dl", "may_tend(", "not", "can't be the name of a predicate"),
        ("row/4/4.1_minding.dl", "may_tend(", "gets_to", "the name of another predicate"),
        ("row/4/4.1_minding.dl", "may_tend(", "minds", "the name of another predicate"),
        ("row/4/4.1_minding.dl", "may_tend(", "must_tend", "would be a duty"),
        ("row/4/4.1_minding.dl", "minds(", "tends", "what all editions share"),
        ("row/4/4.1_minding.dl", "may_tend(", "count", "can't be the name of a predicate"),
        ("terrace/2.1_hoses.dl", "gets_to(", "goes_to", "stands in the base"),
        ("row/2/2.1_hoses.dl", "gets_to(", "goes_to", "whose base this is names gets_to, too"),
        ("row/4/4.1_minding.dl", "shared(", "too_far_back", "base this is names too_far_back"),
        ("row/4/4.1_minding.dl", "Gardener, Bed)", "Bed", "something else"),
        ("row/4/4.1_minding.dl", "Gardener, Bed)", "who", "can't be the name of a variable"),
        ("row/4/4.1_minding.dl", "Gardener, Bed)", "Who", "sentences would be lost"),
        ("row/4/4.1_minding.dl", "Whose", "Who", "only names in an edition's clauses"),
    ],
)
def test_a_rename_that_would_say_something_else_is_refused(
    editor: Editor, garden: Path, file: str, word: str, name: str, why: str
) -> None:
    path = garden / "rules" / file
    with editor.opened(path), pytest.raises(JsonRpcException, match=why):
        editor.rename(path, at(path.read_text(encoding="utf-8"), word), name)


def test_layout(editor: Editor, garden: Path) -> None:
    path = garden / "rules" / "row" / "3" / "3.1_drought.dl"
    text = path.read_text(encoding="utf-8")
    rough = text.replace("    & bed(Bed)\n    & ~glazed", "&bed( Bed )&~ glazed").rstrip("\n")
    with editor.opened(path, rough):
        assert applied(rough, editor.layout(path)) == text
        editor.type(path, text.replace("\n", "\r\n"))
        assert editor.layout(path) == []
        rough = rough.replace("\n", "\r\n")
        editor.type(path, rough)
        assert applied(rough, editor.layout(path)) == text.replace("\n", "\r\n")
        editor.type(path, "## 3.1  Drought\nodd((\n")
        assert editor.layout(path) == []


def test_symbols(editor: Editor, garden: Path) -> None:
    path = garden / "rules" / "row" / "2" / "2.1_hoses.dl"
    with editor.opened(path):
        first, second = editor.symbols(path)
    assert (first.name, second.name) == (
        "2.1  Hoses run downhill",
        "2.1a  A hose spans a number of plots",
    )
    assert [each.name for each in first.children or ()] == ["gets_to", "hose_end", "below"]
    assert first.range.end.line + 1 == second.range.start.line


def test_a_text_of_no_edition_is_read_by_itself(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "alone.dl"
    text = "## 1  One\na(X) <= (b(X), c(X))\n"
    with editor.opened(path, text):
        (fault,) = editor.expect(path, "S04")
        assert cut(text, fault.range) == "c(X)"
        editor.type(path, text.replace(",", " &"))
        editor.expect(path)
    editor.expect(path)


@pytest.mark.parametrize("scheme", ["untitled:Untitled-1", "git:", "file:"])
def test_what_an_editor_calls_a_text_is_what_it_is_told(
    editor: Editor, garden: Path, scheme: str
) -> None:
    """A text that is no file, one of a file's past, and a file whose name is written otherwise."""
    path = garden / "rules" / "row" / "3" / "3.1_drought.dl"
    other = uri(path).replace("drought", "%64rought")
    name = {"git:": f"git:{uri(path)[5:]}?HEAD", "file:": other}.get(scheme, scheme)
    good = path.read_text(encoding="utf-8")
    with editor.opened(garden / "rules" / "row" / "verdicts.dl"):
        item = types.TextDocumentItem(name, "seatlog", 1, "odd((\n")
        editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        editor.until(lambda: editor.told.get(name), "what is wrong with it")
        if scheme != "file:":
            with editor.opened(path):
                assert editor.hover(path, at(good, "glazed"))
        closed = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(name))
        editor.client.text_document_did_close(closed)
        editor.until(lambda: editor.told.get(name) == [], "that it is forgotten")
    assert not editor.told.get(uri(path))


HOSTILE = {
    "brackets": "## 1  x\n" + "(" * 200_000,
    "quotes": "## 1  x\n" + "'" * 1_999 + "\n",
    "too large": "#" * 1_000_001,
    "headings": "## 1\n" * 5_000,
    "marks": "## 1  x\n# yes: " + "{" * 1_900 + "\na(X) <= (b(X))\n",
    "controls": "## 1  x\r\u2028\x0b\x00 a(X)\r",
    "alone": "\ud800",
}
ENDLESS = "## 3.1  x\n" + "".join(f"p{i}(X) <= (q{i}(X))\n" for i in range(5_000))


def test_no_text_keeps_the_editor_waiting(editor: Editor, garden: Path) -> None:
    path = garden / "rules" / "row" / "3" / "3.1_drought.dl"
    good = path.read_text(encoding="utf-8")
    with editor.opened(path):
        editor.expect(path)
        for text in HOSTILE.values():
            editor.type(path, text)
            editor.symbols(path)
            editor.layout(path)
            editor.hover(path, types.Position(1, 3))
            editor.definitions(path, types.Position(0, 3))
            editor.references(path, types.Position(2, 3))
        editor.type(path, good)
        editor.expect(path)
        assert editor.hover(path, at(good, "glazed"))


def test_an_edition_that_takes_too_long_to_be_checked_is_given_up(
    editor: Editor, garden: Path
) -> None:
    path = garden / "rules" / "row" / "3" / "3.1_drought.dl"
    good = path.read_text(encoding="utf-8")
    settings = uri(garden / "rules" / "row" / "edition.toml")
    with editor.opened(path, ENDLESS):
        editor.until(lambda: editor.told.get(settings), "that it was given up")
        (fault,) = editor.told[settings]
        assert fault.message.startswith("this edition isn't checked: gave up after 2 seconds")
        editor.type(path, good)
        editor.until(lambda: editor.told[settings] == [], "that it is checked again")
        editor.expect(path)


def test_it_ends_when_its_editor_is_gone() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "seatlog", "serve"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_without_its_library_it_says_what_to_install() -> None:
    script = "import sys; sys.modules['pygls'] = None; from seatlog.cli import run; run(['serve'])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stderr == (
        "error: a language server needs pygls, which isn't installed\n"
        "  pip install 'seatlog[lsp]'\n"
    )
    assert done.stdout == ""

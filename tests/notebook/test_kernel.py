"""A notebook run by a kernel of its own, as readers of it would run it."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from small_books import RULES, book

CELLS = """\
%load_ext seatlog

%rules --edition low

%%table
seats = ["Ann", "Ben", "<script>"]

%draw

%rules --drop 1.2

%can Ann reach Ben

%%rules 1.1
# verb: Player reach Other
# yes: {Player} reaches {Other}
# no: {Player} doesn't reach {Other}
can_reach(Player, Other) <= (seat(Player, Seat) & seat(Other, Seat))

%can Ann reach Ben

%why Ann reach Ann

%can Ann raech Ben"""


def outputs(cell: Any) -> list[Any]:
    return [each for each in cell.outputs if each.output_type != "stream"]


@pytest.mark.filterwarnings("default")
def test_a_notebook_runs_in_a_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    book(tmp_path / "low", RULES)
    made: Any = nbformat.v4
    cells = [made.new_code_cell(text) for text in CELLS.split("\n\n")]
    notebook = made.new_notebook(cells=cells)
    where = {"metadata": {"path": str(tmp_path)}}
    client = NotebookClient(notebook, timeout=120, startup_timeout=120, resources=where)
    with pytest.raises(CellExecutionError):
        client.execute()
    nbformat.validate(notebook)
    loaded, *shown, failed = notebook.cells
    assert loaded.outputs == []
    pages = []
    for cell in shown:
        (output,) = outputs(cell)
        assert output.output_type == "execute_result"
        pages.append(ElementTree.fromstring(output.data["text/html"]))
        assert output.data["text/plain"]
    texts = ["".join(page.itertext()) for page in pages]
    started, laid, drawn, dropped, before, replaced, after, why = texts
    assert started == "a draft of Low (low)"
    assert "Ann, Ben, <script>" in laid and "Ann, Ben, <script>" not in started
    assert [name.text for name in pages[2].iter("text")] == ["Ann", "Ben", "<script>"]
    assert "1.2 dropped" in dropped and list(pages[3].iter("del"))
    assert before.startswith("yes") and "otherwise" not in before
    assert "1.1 replaced" in replaced
    assert after.startswith("no") and "low answers otherwise:yes" in after
    assert "Ann sits in seat 1" in why
    (error,) = outputs(failed)
    assert error.output_type == "error"
    assert error.ename == "QuestionError"
    assert error.traceback == ['nobody can "raech": no such verb', '  did you mean "reach"?']
    assert not [page for page in pages if list(page.iter("script"))]
    assert drawn.count("reach:") == 3

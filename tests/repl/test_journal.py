"""What is kept of a session as it is typed, and what becomes of files that others left there."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from seatlog.repl import journal
from seatlog.repl.asking import inside
from seatlog.repl.core import Repl
from seatlog.repl.journal import Began, Journal
from seatlog.repl.state import State, opened

TABLE = "four_in_a_ring"
BEGAN = Began(TABLE, None, {})
HEAD = json.dumps({**BEGAN._asdict(), "title": TABLE})


@pytest.fixture
def state() -> State:
    return opened(TABLE, None, {})


def session(state: State, cache: Path, began: Began = BEGAN) -> Repl:
    found = Repl(state)
    found.journal = Journal(began, TABLE, cache)
    return found


def left(cache: Path, *lines: str, head: str = HEAD, at: int = 1) -> Path:
    """A file as a session leaves it that was ended from outside."""
    folder = cache / journal.FOLDER
    folder.mkdir(exist_ok=True)
    path = folder / f"{at:020d}-7.jsonl"
    path.write_text("".join(f"{line}\n" for line in (head, *lines)), encoding="utf-8")
    path.chmod(0o600)
    return path


def typed(*lines: str) -> list[str]:
    return [json.dumps(line) for line in lines]


def files(cache: Path) -> list[str]:
    return sorted(path.name for path in (cache / journal.FOLDER).iterdir())


def lost(found: Repl) -> None:
    """End a session as a program that is killed does: its file stays, and nobody holds it."""
    assert found.journal is not None
    os.close(found.journal._handle)
    found.journal._handle = -1


CHANGES = (
    ":seat Eve",
    ":range 2",
    "+ range_for_all(3)",
    ":no range",
    ":undo",
    ":redo",
    ":rule 801.4\n# yes: {X} is odd\nodd(X) <= (seat(X, 1))\neven(X) <= (seat(X, 2))",
    ":rule polite(X) <= (seat(X, _S))",
    ":drop polite",
    ":replace 801.2b\nin_range(Player, Player) <= (seat(Player, 1))",
    ":turn",
)


def test_what_changes_something_is_kept_and_done_again(state: State, tmp_path: Path) -> None:
    found = session(state, tmp_path)
    assert found.journal is not None and found.journal.unfinished == []
    for line in (*CHANGES, "Alex target Rob", ":facts", ":seat", ":nonsense", ":drop nothing/3"):
        error = found.execute(line).error
        assert (error == "") is (line not in (":seat", ":nonsense", ":drop nothing/3", ":turn"))
    lost(found)
    again = session(state, tmp_path)
    done = [line for line in CHANGES if line != ":turn"]
    assert f"{len(done)} lines of a session on {TABLE} that ended" in again.offer().notes[0]
    assert again.execute(":resume").text == f"{len(done)} lines taken up"
    for mine, theirs in ((again.state, found.state), (again.past[-1].state, found.past[-1].state)):
        assert mine.said == theirs.said and mine.rules == theirs.rules
        assert list(map(str, mine.book.clauses)) == list(map(str, theirs.book.clauses))
    assert [past.done for past in again.past] == [past.done for past in found.past]
    assert len(files(tmp_path)) == 1
    lost(again)
    once_more = session(state, tmp_path)
    assert once_more.journal is not None
    assert list(once_more.journal.unfinished[0].lines) == done
    assert once_more.execute(":forget").text == f"dropped: {len(done)} lines of {TABLE}"
    assert files(tmp_path) == []
    assert "no session is there" in once_more.execute(":resume").error
    assert "no session is there" in once_more.execute(":forget").error
    assert once_more.offer().notes == ()


def test_it_is_taken_up_whole_or_not_at_all(
    state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = left(tmp_path, *typed(":seat Eve", ":seat Flo"))
    found = session(state, tmp_path)
    number = 0

    def interrupted(*args: Any) -> Any:
        nonlocal number
        number += 1
        if number == 2:
            raise KeyboardInterrupt
        return inside(*args)

    monkeypatch.setattr(found, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        found.execute(":resume")
    assert found.state is state and found.past == [] and path.exists()
    assert files(tmp_path) == [path.name]
    assert found.execute(":seat Eve").error == ""
    assert "already" in found.execute(":resume").error
    found.execute(":undo")
    assert found.state is state
    assert "already" in found.execute(":resume").error


def test_a_session_on_another_table_is_taken_up_as_it_began(state: State, tmp_path: Path) -> None:
    game = tmp_path / "game.toml"
    game.write_text('seats = ["Ann", "Bo", "Cy"]\n', encoding="utf-8")
    began = Began(str(game), "cr", {"range": 1})
    left(tmp_path, *typed(":seat Di"), head=json.dumps({**began._asdict(), "title": "game"}))
    found = session(state, tmp_path)
    assert found.execute(":resume").text == "1 line taken up"
    assert found.state.table.title == "game" and found.state.edition == "cr"
    assert found.execute("Ann reach Di").verdict is True
    assert found.journal is not None and found.journal.began == began
    game.unlink()
    lost(found)
    again = session(state, tmp_path)
    assert "game.toml" in again.execute(":resume").error
    assert again.state is state
    assert again.journal is not None and again.journal.began == BEGAN
    assert len(files(tmp_path)) == 1


def test_another_table_is_found_from_everywhere(
    state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game.toml").write_text('seats = ["Ann", "Bo"]\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = session(state, tmp_path)
    assert found.execute(":load game.toml").error == ""
    lost(found)
    monkeypatch.chdir(tmp_path.parent)
    again = session(state, tmp_path)
    assert again.execute(":resume").error == ""
    assert again.state.table.title == "game"


def test_lines_that_cannot_be_done_are_said_and_stay(state: State, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("mine", encoding="utf-8")
    hostile = [f":save! {secret}", f":save-rules! {tmp_path}/x", ":edit 801.4", ":quit", ":forget"]
    hostile += [
        ":resume",
        "Alex target Rob",
        f":save {tmp_path}/y.toml",
        ":draw",
        "",
        "#",
        ":\x1b[2J",
    ]
    path = left(tmp_path, *typed(*hostile, ":seat Eve", ":seat", ":drop 9.9"))
    found = session(state, tmp_path)
    reply = found.execute(":resume")
    assert reply.text == f"{len(hostile) + 3} lines taken up but for these"
    assert reply.error.startswith("what could be done is; `:forget` drops the rest")
    assert reply.error.count("this is no change") >= 9
    assert reply.error.replace("\n", "").isprintable()
    assert [past.done for past in found.past] == [":seat Eve"]
    assert secret.read_text(encoding="utf-8") == "mine"
    assert sorted(tmp_path.iterdir()) == [secret, tmp_path / journal.FOLDER]
    assert path.exists() and len(files(tmp_path)) == 2
    assert found.execute(":forget").error == ""
    assert not path.exists()


NESTED = "[" * 100_000


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n\n",
        random.Random(3).randbytes(5_000),
        b"\0" * 5_000,
        NESTED.encode(),
        f"{HEAD}\n{NESTED}\n".encode(),
        f"{HEAD}\n".encode() + b'"\xff"\n',
        f'{HEAD}\n"\\ud800"\n'.encode(),
        f'{HEAD}\n"no line end"'.encode(),
        f"{HEAD}\n".encode() + b'"' + b"x" * 300_000 + b'"\n',
        f"{HEAD}\n".encode() + b'":seat A"\n' * 200_000,
        b'[]\n":seat Eve"\n',
        b'{}\n":seat Eve"\n',
        b'{"table": null, "kind": 2}\n":seat Eve"\n',
        b'{"table": 1, "edition": null, "keys": {}, "title": "x"}\n":seat Eve"\n',
        b'{"table": null, "edition": null, "keys": [], "title": "x"}\n":seat Eve"\n',
        b'{"table": null, "edition": null, "keys": {}, "title": ["x"]}\n":seat Eve"\n',
    ],
    ids=lambda data: ascii(data[:20]),
)
def test_a_file_that_no_session_wrote_is_no_session(
    state: State, tmp_path: Path, data: bytes
) -> None:
    path = left(tmp_path)
    path.write_bytes(data)
    found = session(state, tmp_path)
    assert found.offer().notes == ()
    assert "no session" in found.execute(":resume").error
    assert found.execute(":seat Eve").error == ""


@pytest.mark.parametrize("keys", [{"nonsense": 1}, {"seats": {"a": [1]}}, {"range": "x" * 9_999}])
def test_a_beginning_that_makes_no_table_is_refused(
    state: State, tmp_path: Path, keys: dict[str, Any]
) -> None:
    head = {"table": None, "edition": None, "keys": keys, "title": "\x1b[2J" + "x" * 9_999}
    left(tmp_path, *typed(":seat Eve"), head=json.dumps(head))
    found = session(state, tmp_path)
    (note,) = found.offer().notes
    assert note.isprintable() and len(note) < 300
    error = found.execute(":resume").error
    assert error and "itself failed" not in error
    assert found.state is state


def test_what_is_read_has_an_end(state: State, tmp_path: Path) -> None:
    left(tmp_path, *typed(*[":seat A"] * (journal.MOST_LINES + 9)))
    found = Journal(BEGAN, TABLE, tmp_path)
    assert len(found.unfinished[0].lines) == journal.MOST_LINES
    left(tmp_path, *typed(":seat A", ":seat B"), "nonsense", *typed(":seat C"))
    assert Journal(BEGAN, TABLE, tmp_path).unfinished[0].lines == (":seat A", ":seat B")
    torn = left(tmp_path, *typed(":seat A", ":seat B"))
    torn.write_bytes(torn.read_bytes()[:-3])
    assert Journal(BEGAN, TABLE, tmp_path).unfinished[0].lines == (":seat A",)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes, links or owners here")
def test_links_pipes_and_files_of_others_are_left_alone(state: State, tmp_path: Path) -> None:
    path = left(tmp_path, *typed(":seat Eve"))
    other = path.rename(tmp_path / "elsewhere")
    path.symlink_to(other)
    assert Journal(BEGAN, TABLE, tmp_path).unfinished == []
    path.unlink()
    os.mkfifo(path)
    assert Journal(BEGAN, TABLE, tmp_path).unfinished == []
    path.unlink()
    path.mkdir()
    assert Journal(BEGAN, TABLE, tmp_path).unfinished == []
    path.rmdir()
    other.rename(path)
    path.chmod(0o666)
    assert Journal(BEGAN, TABLE, tmp_path).unfinished == []
    path.chmod(0o600)
    assert len(Journal(BEGAN, TABLE, tmp_path).unfinished) == 1


@pytest.mark.parametrize("where", ["file", "file/below", "closed", "x" * 5_000, "a\0b"])
def test_a_folder_that_cannot_be_written_does_no_harm(
    state: State, tmp_path: Path, where: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "closed").mkdir(mode=0o500)
    if where == "closed" and os.access(tmp_path / "closed", os.W_OK):
        pytest.skip("nothing is closed to this user")
    found = session(state, tmp_path / where)
    assert found.execute(":seat Eve").error == ""
    assert found.journal is not None
    assert found.journal.trouble.startswith("what is typed here is lost with the program (")
    assert found.execute(":undo").error == ""


def test_without_a_place_nothing_is_kept(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEATLOG_CACHE", "")
    found = Repl(state)
    found.journal = Journal(BEGAN, TABLE)
    assert found.journal.where is None
    assert found.execute(":seat Eve").error == ""
    assert found.journal.trouble == ""


def test_the_newest_is_offered_first_and_then_the_one_before(state: State, tmp_path: Path) -> None:
    left(tmp_path, *typed(":seat Eve"), at=1)
    left(tmp_path, *typed(":seat Eve", ":seat Flo"), at=2)
    found = session(state, tmp_path)
    assert found.offer().notes[0].startswith("2 lines of ")
    assert found.execute(":forget").notes[0].startswith("1 line of ")
    assert found.execute(":resume").text == "1 line taken up"
    assert "Eve" in found.execute(":names").text and "Flo" not in found.execute(":names").text


def test_a_file_has_a_largest_size_and_files_a_largest_number(
    state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(1, 30):
        left(tmp_path, *typed(f":seat P{at}"), at=at)
    monkeypatch.setattr(journal, "MOST_BYTES", 1_000)
    found = session(state, tmp_path)
    assert found.journal is not None
    assert [u.lines[0] for u in found.journal.unfinished][:2] == [":seat P29", ":seat P28"]
    assert len(found.journal.unfinished) == journal.MOST_FILES
    found.execute(":seat Eve")
    assert len(files(tmp_path)) == journal.MOST_FILES
    assert files(tmp_path)[0] == f"{11:020d}-7.jsonl"
    for _ in range(100):
        found.execute(":undo")
        found.execute(":redo")
    assert found.journal.trouble == journal.FULL
    newest = tmp_path / journal.FOLDER / files(tmp_path)[-1]
    assert 900 < newest.stat().st_size <= 1_000
    found.journal.end()
    assert not newest.exists()


def test_no_more_lines_are_kept_than_are_read(
    state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "MOST_LINES", 3)
    found = session(state, tmp_path)
    assert found.journal is not None
    for line in (":seat Eve", ":undo", ":redo"):
        found.execute(line)
        assert found.journal.trouble == ""
    found.execute(":undo")
    assert found.journal.trouble == journal.FULL
    lost(found)
    assert Journal(BEGAN, TABLE, tmp_path).unfinished[0].lines == (":seat Eve", ":undo", ":redo")


HOLDS = """
import pathlib, sys, time
from seatlog.repl.journal import Began, Journal
found = Journal(Began("four_in_a_ring", None, {}), "held", pathlib.Path(sys.argv[1]))
found(":seat Eve")
print("held", flush=True)
time.sleep(60)
"""


def test_a_file_that_a_session_holds_is_neither_offered_nor_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fcntl")
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(tmp_path)], stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None and other.stdout.readline() == b"held\n"
        (name,) = files(tmp_path)
        assert Journal(BEGAN, TABLE, tmp_path).unfinished == []
        monkeypatch.setattr(journal, "MOST_FILES", 1)
        mine = Journal(BEGAN, TABLE, tmp_path)
        mine(":seat Flo")
        assert name in files(tmp_path) and len(files(tmp_path)) == 2
        mine.end()
        other.send_signal(signal.SIGKILL)
        other.wait()
    end = time.monotonic() + 5
    while not (found := Journal(BEGAN, TABLE, tmp_path).unfinished) and time.monotonic() < end:
        time.sleep(0.01)
    assert [each.title for each in found] == ["held"]

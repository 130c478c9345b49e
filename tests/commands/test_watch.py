"""``seatlog watch``: what is told of two looks at a folder, and a real one from start to Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import pytest

import processes
import small_books
from seatlog.authoring import News, failed, look, news
from seatlog.budget import budget
from seatlog.commands import watch
from seatlog.errors import BudgetError

OWN = """\
## 1.1  A neighbour is reached

# verb: Player reach Other
# yes: {Player} reaches {Other}
# no: {Player} doesn't reach {Other}
can_reach(Player, Other) <= (
    seat(Player, Seat)
    & seat(Other, Next)
    & (Next == Seat + STEPS)
)
"""
"""A section of ``low`` anew, with another number of steps."""

CASES = """\
edition = "mine"

[table]
seats = ["Ann", "Ben", "Cy"]

[[scenario]]
name = "next door"
can = ["Ann", "reach", "Ben"]
answer = "yes"
cites = ["1.1"]
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """An edition over ``low`` that says the same, with scenarios of both."""
    top = small_books.books(tmp_path)
    folder = top / "mine"
    small_books.book(folder, OWN.replace("STEPS", "1"), base=json.dumps(str(top / "low")))
    cases = top / "cases"
    cases.mkdir()
    (top / "cases.toml").rename(cases / "low.toml")
    text = (cases / "low.toml").read_text(encoding="utf-8")
    (cases / "low.toml").write_text('edition = "low"\n' + text, encoding="utf-8")
    (cases / "mine.toml").write_text(CASES, encoding="utf-8")
    return folder


def rules(folder: Path, text: str) -> None:
    (folder / "rules.dl").write_text(text, encoding="utf-8")


def steps(folder: Path, number: int) -> None:
    rules(folder, OWN.replace("STEPS", str(number)))


def looked(folder: Path, before: News | None = None) -> News:
    found = look(str(folder), folder.parent / "cases", lambda _text: None)
    return news(None if before is None else before.now, found)


def said(found: News) -> str:
    return "\n".join(found.lines())


def test_a_first_look_tells_everything(mine: Path) -> None:
    steps(mine, 2)
    found = looked(mine)
    assert found.sections == ("1.1",) and not found.back
    assert [name.rpartition(": ")[2] for name, _ in found.fails] == ["next door"]
    assert "expected yes, found no" in found.fails[0][1]
    turned = {each.asked[1]: (each.base, each.before, each.now) for each in found.verdicts}
    assert turned["Ann reach Ben"] == ("yes", "yes", "no")
    assert turned["can_reach(Who, Other)"] == (
        "(Ann, Ben), (Ben, Cy)",
        "(Ann, Ben), (Ben, Cy)",
        "(Ann, Cy)",
    )
    assert not found.now.good
    assert found.summary == (
        f"mine: no faults, 0 of 1 scenario passes, 1 section and {len(found.verdicts)} verdicts "
        "other than in low"
    )


def test_the_same_as_its_base_has_nothing_to_tell(mine: Path) -> None:
    found = looked(mine)
    assert not found and not list(found.lines()) and found.now.good
    assert found.summary == "mine: no faults, 1 scenario passes, 0 sections and 0 verdicts " + (
        "other than in low"
    )


def test_only_what_changed_is_told(mine: Path) -> None:
    first = looked(mine)
    steps(mine, 2)
    second = looked(mine, first)
    assert second.fails and second.sections == ("1.1",)
    assert "fails: " in said(second) and "differs from low: 1.1" in said(second)
    assert "verdict: Ann reach Ben: yes -> no\n  yes in low; " in said(second)
    third = looked(mine, second)
    assert not third and third.now == second.now
    steps(mine, 1)
    fourth = looked(mine, third)
    assert not fourth.fails and not fourth.sections and fourth.back == ("1.1",)
    assert len(fourth.passes) == 1 and "passes again: " in said(fourth)
    assert "verdict: Ann reach Ben: no -> yes\n  as in low; " in said(fourth)
    assert {e.asked for e in fourth.verdicts} == {e.asked for e in second.verdicts}


def test_what_a_broken_book_hides_is_not_mended(mine: Path) -> None:
    careless = OWN.replace("STEPS", "2").replace("_Seat", "Seat") + "\nidle(X) <= (seat(X, 1))\n"
    rules(mine, careless)
    first = looked(mine)
    cares = {fault.mark[1] for fault in first.new}
    assert cares and all(code.startswith("W") for code in cares)
    rules(mine, careless + "torn(X) <= (seat(X, 1)\n")
    second = looked(mine, first)
    assert [fault.mark[1] for fault in second.new] == ["S01"] and not second.gone
    assert not second.fails and not second.passes and not second.verdicts
    assert second.now.scenarios == first.now.scenarios and len(second.now.faults) > 1
    (mine / "edition.toml").rename(mine / "aside.txt")
    third = looked(mine, second)
    assert [fault.mark[0] for fault in third.new] == ["book"] and not third.gone
    (mine / "aside.txt").rename(mine / "edition.toml")
    steps(mine, 2)
    fourth = looked(mine, third)
    assert not fourth.new and len(fourth.gone) == len(third.now.faults) > 2
    assert said(fourth).count("mended: ") == len(fourth.gone)
    assert not fourth.fails, "it failed before the book broke"


def test_a_fault_that_only_moves_is_not_told_again(mine: Path) -> None:
    rules(mine, OWN.replace("STEPS", "1") + "\nidle(X) <= (seat(X, 1))\n")
    first = looked(mine)
    rules(mine, OWN.replace("STEPS", "1") + "\n# a comment\n\nidle(X) <= (seat(X, 1))\n")
    assert first.new and not looked(mine, first)


def test_scenarios_come_and_go(mine: Path) -> None:
    steps(mine, 2)
    first = looked(mine)
    file = mine.parent / "cases" / "mine.toml"
    file.write_text(CASES.replace("next door", "another"), encoding="utf-8")
    second = looked(mine, first)
    assert [n.rpartition(": ")[2] for n, _ in second.fails] == ["another"] and second.dropped
    assert "failed and is gone: " in said(second)
    assert not [e for e in second.verdicts if "next door" in e.asked[0]], "nobody asks that now"
    file.write_text("scenario = 1\n", encoding="utf-8")
    third = looked(mine, second)
    assert [fault.mark[0] for fault in third.new] == ["scenario"]
    assert third.now.verdicts == second.now.verdicts, "nobody knows others"
    file.write_text(CASES.replace('"yes"', '"no"'), encoding="utf-8")
    assert looked(mine, third).now.good


def test_a_budget_that_ran_out_hides_everything(mine: Path) -> None:
    steps(mine, 2)
    first = looked(mine)
    found = news(first.now, failed(str(mine), BudgetError("gave up")))
    assert [fault.mark[0] for fault in found.new] == ["budget"] and not found.gone
    assert found.now.verdicts == first.now.verdicts and found.now.base == "low"
    again = looked(mine, found)
    assert [fault.mark[0] for fault in again.gone] == ["budget"] and not again.verdicts


def test_an_edition_without_a_base_has_only_faults_and_scenarios(mine: Path) -> None:
    first = looked(mine)
    assert first.now.base == "low" and len(first.now.folders) == 2
    low = look(str(mine.parent / "low"), mine.parent / "cases", lambda _text: None)
    assert low.base is None and low.verdicts == {} and low.sections == ()
    assert news(None, low).summary == "low: no faults, 8 of 9 scenarios pass", "nobody hums"
    assert news(first.now, low).now.base is None
    alone = look(str(mine), None, lambda _text: None)
    assert alone.scenarios is None and alone.verdicts is None and alone.sections == ()


@pytest.mark.parametrize(
    ("old", "new", "number"),
    [
        ("# doubt: unclear(Player)\n", "", 3),
        ("turn(7)", "turn(8)", 3),
        (" & ~accompanied(Player)", "", 0),
    ],
)
def test_what_rests_on_a_doubt_or_an_alarm_is_asked(
    tmp_path: Path, old: str, new: str, number: int
) -> None:
    """What is left open, and tables that are refused, count as verdicts."""
    top = small_books.books(tmp_path)
    assert old in small_books.RULES
    base = json.dumps(str(top / "low"))
    folder = small_books.book(top / "mine", small_books.RULES.replace(old, new), base=base)
    found = look(str(folder), top / "cases.toml", lambda _text: None)
    assert found.verdicts is not None
    if number:
        assert len(found.verdicts) == number
        assert all("rest" in asked for _, asked in found.verdicts)
    else:
        assert len(found.verdicts) > 5
        assert "refused" in {told.here for told in found.verdicts.values()}


def test_a_look_is_told_as_json(mine: Path) -> None:
    steps(mine, 2)
    found = looked(mine).as_dict()
    assert json.loads(json.dumps(found)) == found
    assert found["totals"] == {
        "faults": 0,
        "scenarios": 1,
        "failing": 1,
        "sections": 1,
        "verdicts": len(looked(mine).verdicts),
    }


# --- the command


def once(mine: Path, *more: str) -> processes.Done:
    cases = str(mine.parent / "cases")
    return processes.run("watch", str(mine), "--once", "--scenarios", cases, *more)


def test_one_look_ends_with_its_exit_code(mine: Path) -> None:
    good = once(mine)
    assert (good.returncode, good.stderr) == (0, "")
    steps(mine, 2)
    bad = once(mine)
    assert (
        bad.returncode == 1 and "fails: " in bad.stdout and "0 of 1 scenario passes" in bad.stdout
    )
    data = json.loads(once(mine, "--json").stdout)
    assert data["edition"] == "mine" and data["fails"][0]["scenario"].endswith("next door")
    rules(mine, "## 1.1  Torn\np(X) <= (seat(X, 1)\n")
    torn = once(mine)
    assert torn.returncode == 1 and "S01" in torn.stdout and not torn.stderr


def test_what_is_not_there_is_refused(mine: Path) -> None:
    for words in (
        ("watch", str(mine.parent)),
        ("watch", "nowhere"),
        ("watch", str(mine), "--scenarios", "nowhere"),
        ("watch", str(mine), "--scenarios", ""),
        ("watch", str(mine), "--budget", "soon"),
    ):
        done = processes.run(*words, "--once")
        assert done.returncode == 2 and done.stderr.startswith("error: "), words


def huge(mine: Path) -> None:
    """Give the edition a question that takes very long."""
    names = ", ".join(f'"P{i}"' for i in range(60))
    rows = " & ".join(f"seat(P{i}, S{i})" for i in range(6)) + " & (S0 + S1 + S2 + S3 + S4 == S5)"
    rows += " & (S5 + S4 + S3 + S2 + S1 + S0 == 999)"
    terms = ", ".join(f"P{i}" for i in range(6))
    rules(mine, OWN.replace("STEPS", "1") + f"\nhuge({terms}) <= ({rows})\n")
    (mine.parent / "cases" / "mine.toml").write_text(
        f'[[scenario]]\nname = "huge"\ntable = {{ seats = [{names}] }}\n'
        'ask = "huge(A, B, C, D, E, F)"\nanswer = "no"\ncites = []\n',
        encoding="utf-8",
    )


def test_a_look_is_held_to_its_budget(mine: Path) -> None:
    huge(mine)
    done = once(mine, "--budget", "0.3s")
    assert done.returncode == 1 and "gave up" in done.stdout and "'huge'" in done.stdout


class Watching:
    """A real ``seatlog watch --json`` on a folder, and what it says round by round."""

    last: dict[str, Any]

    def __init__(self, mine: Path, *more: str) -> None:
        words = ["watch", str(mine), "--scenarios", str(mine.parent / "cases"), "--json", *more]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "seatlog", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONUTF8": "1"},
        )
        self._lines: Queue[str] = Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)

    def next(self, seconds: float = 60) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._lines.get(timeout=seconds))
        return found

    def quiet(self, seconds: float) -> bool:
        """Whether nothing is said for so long."""
        try:
            self.last = self.next(seconds)
        except Empty:
            return True
        return False

    def interrupt(self) -> tuple[int, str]:
        """Ctrl-C: the exit code, and what stands on standard error."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(30)
        self._reader.join(30)
        assert self.process.stderr
        return code, self.process.stderr.read()


@pytest.fixture
def watching(mine: Path) -> Iterator[Callable[..., Watching]]:
    """Starts it, and sees to it that it comes to an end."""
    started: list[Watching] = []

    def start(*more: str) -> Watching:
        started.append(Watching(mine, *more))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()
        for stream in (each.process.stdout, each.process.stderr):
            if stream:
                stream.close()


def at_once(session: Watching, mine: Path) -> bool:
    """Whether several saves are told as one; a busy system may tell them apart."""
    for number in (3, 4, 5, 1):
        steps(mine, number)
        (mine / "edition.toml").touch()
    found = [session.next()]
    while not session.quiet(2.5):
        found.append(session.last)
    assert found[-1]["totals"]["verdicts"] == 0
    return len(found) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Ctrl-C can't be sent to one process here")
def test_a_folder_is_watched_until_ctrl_c(mine: Path, watching: Callable[..., Watching]) -> None:
    pytest.importorskip("watchfiles")
    session = watching()
    first = session.next()
    assert first["totals"] == {
        "faults": 0,
        "scenarios": 1,
        "failing": 0,
        "sections": 0,
        "verdicts": 0,
    }
    steps(mine, 2)
    changed = session.next()
    assert [f["scenario"].rpartition(": ")[2] for f in changed["fails"]] == ["next door"]
    assert changed["sections"] == ["1.1"] and changed["verdicts"] and not changed["faults"]
    rules(mine, "## 1.1  Torn\np(X) <= (seat(X, 1)\n")
    torn = session.next()
    assert [e["code"] for e in torn["faults"]] == ["S01"] and not torn["verdicts"]
    steps(mine, 1)
    mended = session.next()
    assert [e["code"] for e in mended["mended"]] == ["S01"]
    assert mended["passes"] and mended["back"] == ["1.1"] and mended["totals"]["verdicts"] == 0
    (mine / "notes.txt").write_text("not read", encoding="utf-8")
    assert session.quiet(2.5), "nothing was saved that is read"
    assert any(at_once(session, mine) for _ in range(3)), "several saves at once are one"
    cases = mine.parent / "cases" / "mine.toml"
    cases.write_text(CASES.replace('"yes"', '"no"'), encoding="utf-8")
    assert session.next()["fails"]
    assert session.interrupt() == (0, "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Ctrl-C can't be sent to one process here")
def test_ctrl_c_ends_a_look_as_well(mine: Path, watching: Callable[..., Watching]) -> None:
    pytest.importorskip("watchfiles")
    huge(mine)
    session = watching("--budget", "100s")
    assert session.quiet(3), "it is still looking"
    assert session.interrupt() == (0, "")


@pytest.mark.parametrize("there", [True, False])
def test_a_look_without_scenarios_says_what_it_goes_by(
    mine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], there: bool
) -> None:
    monkeypatch.setattr(watch, "_saves", lambda _places, _once: iter([None, None]))
    place = mine.parent / ("cases" if there else "none")
    assert watch._watch(str(mine), place, budget(None), False, False) == 0
    out, err = capsys.readouterr()
    assert ("no verdict is looked at: --scenarios" in err) != there
    assert out.splitlines()[-1] == watch.SAME


def test_without_the_library_it_says_what_to_install(mine: Path, tmp_path: Path) -> None:
    shadow = tmp_path / "shadow"
    shadow.mkdir()
    (shadow / "watchfiles.py").write_text("raise ImportError\n", encoding="utf-8")
    done = processes.start("watch", str(mine), PYTHONPATH=str(shadow))
    assert done.returncode == 2 and "pip install 'seatlog[watch]'" in done.stderr
    assert processes.start("watch", str(mine), "--once", PYTHONPATH=str(shadow)).returncode == 0

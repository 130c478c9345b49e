"""A corpus asked of two books: what it finds differs, and it finds what the solver finds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import processes
from seatlog.compare import Decider, Found, asked_in, difference_plan, drawn, drawn_from, tallied
from seatlog.compare.decide import Point
from seatlog.editions import load_book
from seatlog.worlds import FALSE, Corpus, Slots, keep_plan, kept_plan, key_of

A, B = load_book("cr"), load_book("cr2021")
VERBS = ("reach", "target")
GAMES = 600


def kinds(found: Iterable[Found]) -> set[tuple[str, str, str]]:
    """The verb and the verdicts of each kind of difference."""
    return {(f.asked.word if f.asked else "", f.a, f.b) for f in found}


def universe() -> Slots:
    return Slots(A.vocabulary, {"Player": 3, "Thing": 2}, [*A.clauses, *B.clauses])


@pytest.fixture(scope="module")
def decider() -> Iterator[Decider]:
    with Decider(A, B, universe(), asked_in(A, B, VERBS)) as found:
        yield found


@pytest.fixture(scope="module")
def corpus(decider: Decider) -> Corpus:
    return drawn(decider, GAMES, 5)


def test_a_corpus_finds_what_the_solver_finds(decider: Decider, corpus: Corpus) -> None:
    assert corpus.games == GAMES
    counts, games, found = decider.searched([corpus])
    assert games == GAMES
    assert kinds(found) == kinds(decider.found())
    assert sum(counts[1:]) == counts.questions
    assert all(each.size.facts == len(each.facts) > 0 for each in found)


def test_a_kept_plan_counts_the_same(
    decider: Decider, corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEATLOG_CACHE", str(tmp_path))
    plan, labels = difference_plan(decider)
    key = key_of("differences", A.key, B.key, {"Player": 3, "Thing": 2}, VERBS)
    keep_plan(key, plan, labels)
    again = kept_plan(key)
    assert again is not None
    found = tallied(*again, corpus)
    assert found == tallied(plan, labels, corpus)
    assert set(found) <= set(VERBS)


def test_a_question_stands_for_those_in_other_names() -> None:
    """That the first of things that look alike is enough to ask about, asked of all of them."""
    asked = asked_in(A, B, ("target", "put"))
    with Decider(A, B, universe(), asked) as decider:
        for each in asked:
            every = decider.points(each)
            leading = {p.row: p for p in decider.points(each, leading=True)}
            assert len(leading) < len(every)
            for point in every:
                first = leading[decider.worlds.universe.leading(point.row)]
                assert _apart(decider, point) == _apart(decider, first)
            counts = decider.decided(every)
            assert counts.questions == len(every)
            assert counts.differing == sum(_apart(decider, point) for point in every)


def _apart(decider: Decider, point: Point) -> bool:
    node = decider.differs(point)
    return node != FALSE and decider.games.any(node, point.there, *decider.taken)


def test_where_no_bound_is_said_there_is_one() -> None:
    assert drawn_from(A.vocabulary) == {"Player": 4, "Thing": 3}


def compared(where: Path, *words: str) -> tuple[int, str]:
    said = ["compare", "cr", "cr2021", "--verdicts", "--verb", "reach", *words]
    done = processes.run(*said, cwd=where)
    return done.returncode, done.stderr if done.returncode == 2 else done.stdout


def test_the_command_searches_and_says_so(tmp_path: Path) -> None:
    """The same each time, in one process as in several."""
    words = ("--games", "400", "--seed", "3", "--bound", "players=3,things=2", "--json")
    code, said = compared(tmp_path, *words)
    assert code == 1, said
    report = json.loads(said)
    searched = report["searched"][-1]
    assert (searched["games"], searched["proved"]) == (400, False)
    assert searched["what"] == "400 games drawn from the seed 3"
    assert not any(d["smallest"] for group in report["verdicts"] for d in group["differences"])
    assert compared(tmp_path, *words, "--workers", "2") == (code, said)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("--seed", "3"), "--seed is for the games of --games"),
        (("--workers", "2"), "--workers and --scheduler are for the games of --games"),
        (("--scheduler", "x"), "--workers and --scheduler are for the games of --games"),
        (("--games", "9", "--workers", "2", "--scheduler", "x"), "not both"),
        (("--games", "0"), "0 is not in the range"),
    ],
)
def test_what_an_option_is_not_for_is_refused(
    tmp_path: Path, words: tuple[str, ...], what: str
) -> None:
    code, said = compared(tmp_path, *words)
    assert code == 2
    assert what in said

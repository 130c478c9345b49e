"""A book under change: each edit counts or leaves everything as it was, and says what it lost."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import seatlog
import small_books
from seatlog.authoring import Draft
from seatlog.authoring.losses import Part
from seatlog.editions import load_book
from seatlog.errors import BookError, Faults, LintError, QuestionError, SeatlogError, TextError

NEIGHBOURS = {"seats": ["Ann", "Ben", "Cy"]}
TWO_ON = """\
# verb: Player reach Other
# yes: {Player} reaches {Other}
can_reach(Player, Other) <= (seat(Player, Seat) & seat(Other, Next) & (Next == Seat + 2))
"""

ALONE = "# alarm: {Player} sits alone\nalone(Player) <= (seat(Player, 9) & turn(7))"


@pytest.fixture
def low(tmp_path: Path) -> Draft:
    return Draft(small_books.book(tmp_path / "low", small_books.RULES))


def reached(draft: Draft) -> list[object]:
    return list(draft.ask(NEIGHBOURS, "can_reach('Ann', X)"))


def test_a_section_is_replaced_and_says_what_it_lost(low: Draft) -> None:
    assert reached(low) == ["Ben"]
    edit = low.replace("1.1", TWO_ON)
    assert reached(low) == ["Cy"]
    assert low.changed == ["1.1"]
    assert repr(low) == "<Draft of low: 1.1 changed>"
    assert low.show("1.1") == f"## 1.1  A neighbour is reached\n{TWO_ON}"
    assert [part.kind for part in edit.lost] == ["clause", "sentence"]
    assert edit.lost[1] == Part("sentence", "# no: {Player} doesn't reach {Other}")
    said = str(edit).splitlines()
    assert said[:2] == ["1.1 replaced", "  lost: 1 clause"]
    assert [line[:14] for line in said if "can_reach" in line] == [
        "  - can_reach(",
        "  + can_reach(",
    ]
    assert edit.as_dict()["sections"] == ["1.1"]


def test_a_verb_a_doubt_and_a_digest_that_go_are_named(tmp_path: Path) -> None:
    text = small_books.RULES.replace(
        "## 1.2  Whoever sits may rest\n",
        "## 1.2  Whoever sits may rest\n# text: sha256:0123456789abcdef  low 2030\n",
    )
    draft = Draft(small_books.book(tmp_path / "low", text))
    edit = draft.replace("1.2", "can_rest(Player) <= (seat(Player, _Seat))")
    kinds = [part.kind for part in edit.lost]
    assert kinds.count("clause") == 3
    assert kinds.count("verb") == kinds.count("doubt") == kinds.count("digest") == 1
    assert kinds.count("sentence") == 4
    assert any("can_rest" in care for care in edit.cares), "nobody can ask it now"


def test_the_same_in_other_words_loses_nothing(low: Draft) -> None:
    edit = low.replace("1.2", small_books.SAME)
    assert not edit.lost
    assert not edit.new
    assert not low.diff(bound=None, scenarios=None)


def test_what_is_added_stands_with_the_rest(low: Draft) -> None:
    before = low.show("1.1")
    low.add("1.1", "can_reach(Player, Player) <= (seat(Player, _Seat))")
    assert reached(low) == ["Ann", "Ben"]
    assert low.show("1.1").startswith(before)
    edit = low.add("1.4", "## 1.4  Nobody stands\n# left out: it is about chairs\n")
    assert edit.done == "1.4 added"
    assert low.book.sections["1.4"].left_out == "it is about chairs"
    low.add("1.4", "# yes: {Player} stands\nstands(Player) <= (active(Player))")
    assert low.changed == ["1.1", "1.4"]


def test_a_section_is_dropped_and_can_come_again(low: Draft) -> None:
    low.drop("1.1")
    with pytest.raises(SeatlogError):
        reached(low)
    with pytest.raises(BookError, match="is dropped"):
        low.show("1.1")
    with pytest.raises(BookError, match="is dropped"):
        low.drop("1.1")
    low.add("1.1", f"## 1.1  Two on\n{TWO_ON}")
    assert reached(low) == ["Cy"]
    low.drop("1.1")
    assert "1.1" not in low.book.sections


def test_undo_restores_every_byte_and_redo_makes_it_again(low: Draft) -> None:
    before, book = low.show("1.1"), low.book
    low.replace("1.1", TWO_ON)
    low.drop("1.3")
    assert low.show() == "1.1 replaced\n1.3 dropped"
    assert low.undo() == "taken back: 1.3 dropped"
    assert low.undo() == "taken back: 1.1 replaced"
    assert low.show("1.1") == before
    assert low.book is book
    with pytest.raises(BookError, match="nothing is there"):
        low.undo()
    assert low.redo() == "made again: 1.1 replaced"
    assert reached(low) == ["Cy"]
    low.drop("1.3")
    with pytest.raises(BookError, match="nothing is there"):
        low.redo()


def test_a_fault_has_its_place_in_the_text_that_was_given(low: Draft) -> None:
    wrong = TWO_ON.replace("Seat + 2", "Sat + 2")
    with pytest.raises(LintError) as found:
        low.replace("1.1", wrong)
    place = found.value.place
    assert place is not None
    assert place.line == 3
    assert place.excerpt == wrong.splitlines()[2]
    assert place.excerpt[place.column - 1 :].startswith("Sat")
    with pytest.raises(LintError) as found:
        low.replace("1.1", f"## 1.1  With a heading\n{wrong}")
    assert found.value.place is not None
    assert found.value.place.line == 4
    with pytest.raises(LintError) as found:
        low.add("1.1", wrong.replace("# verb", "# Verb is said above"))
    assert found.value.place is not None
    assert found.value.place.line == 3
    assert low.changed == []
    assert reached(low) == ["Ben"]


def test_what_is_refused_leaves_the_draft_as_it_was(low: Draft) -> None:
    low.drop("1.3")
    for text in ("can_reach(", "import os", "## 9.9  Another\nf(X) <= (seat(X, _Y))", "", " \n"):
        with pytest.raises((TextError, BookError, Faults)):
            low.replace("1.1", text)
        with pytest.raises((TextError, BookError, Faults)):
            low.add("1.1", text)
    with pytest.raises(BookError, match=r"did you mean") as near:
        low.replace("1.11", TWO_ON)
    with pytest.raises(BookError, match="no section") as far:
        low.replace("7", TWO_ON)
    assert "is added" in near.value.hint and "is added" in far.value.hint
    with pytest.raises(BookError, match="has no section"):
        low.drop("7")
    with pytest.raises(BookError, match="string"):
        low.replace("1.1", b"x\n" * 3)  # type: ignore[arg-type]
    assert low.changed == ["1.3"]
    assert low.show() == "1.3 dropped"


def test_what_stands_with_the_declared_facts_cant_be_replaced() -> None:
    draft = seatlog.draft("cr")
    shared = [n for n, own in draft._texts.items() if all(each.shared for each in own)]
    assert shared
    with pytest.raises(BookError, match="all editions share"):
        draft.drop(shared[0])
    with pytest.raises(BookError, match="all editions share"):
        draft.replace(shared[0], "x(Y) <= (seat(Y, _Z))")


def test_a_draft_is_saved_as_an_edition_and_read_again(low: Draft, tmp_path: Path) -> None:
    with pytest.raises(BookError, match="nothing to save"):
        low.save(tmp_path / "mine")
    low.replace("1.1", TWO_ON)
    low.add("1.1", "can_reach(Player, Player) <= (seat(Player, _Seat))")
    low.add("1.4", "## 1.4  Nobody stands\n# left out: chairs\n")
    low.drop("1.3")
    assert low.save(tmp_path / "mine") == ["edition.toml", "1.1.dl", "1.4.dl"]
    book = load_book(str(tmp_path / "mine"))
    assert list(map(str, book.clauses)) == list(map(str, low.book.clauses))
    assert set(book.sections) == set(low.book.sections)
    game = seatlog.open(NEIGHBOURS, edition=str(tmp_path / "mine"))
    assert list(game.ask("can_reach('Ann', X)")) == ["Ann", "Cy"]
    with pytest.raises(BookError, match="isn't empty"):
        low.save(tmp_path / "mine")
    low.undo()
    low.undo()
    low.save(tmp_path / "mine", title="Mine", over=True)
    assert sorted(p.name for p in (tmp_path / "mine").iterdir()) == ["1.1.dl", "edition.toml"]
    assert load_book(str(tmp_path / "mine")).title == "Mine"
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(BookError, match="holds something, and no edition"):
        low.save(tmp_path / "other", over=True)
    with pytest.raises(BookError, match="is no folder"):
        low.save(tmp_path / "other" / "letter.txt")


def test_what_a_draft_rests_on_is_never_written_over(low: Draft, tmp_path: Path) -> None:
    low.add("1.4", ALONE)
    low.save(tmp_path / "mine")
    (tmp_path / "other").symlink_to(tmp_path / "mine")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    mine = Draft(str(tmp_path / "mine"))
    mine.replace("1.1", TWO_ON)
    for folder in ("mine", "low", "other"):
        with pytest.raises(BookError, match="is what this edition rests on"):
            mine.save(tmp_path / folder, over=True)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before
    mine.save(tmp_path / "next")
    assert sorted(load_book(str(tmp_path / "next")).sections) == sorted(mine.book.sections)


@pytest.mark.parametrize("edition", ["cr", "cr2021", "draft2004"])
def test_every_section_is_its_own_text(edition: str) -> None:
    """Replaced by what it shows, a section loses and gains nothing; nor does the whole book."""
    draft = seatlog.draft(edition)
    for number, stretches in draft._texts.items():
        if any(not each.shared for each in stretches):
            assert f"## {number}" in draft.show(number)
    numbers = [n for n, own in draft._texts.items() if not all(each.shared for each in own)]
    for number in numbers[:: len(numbers) // 4]:
        own = [each.text for each in draft._texts[number] if not each.shared]
        edit = draft.replace(number, "\n".join([own[0], *(t.partition("\n")[2] for t in own[1:])]))
        assert not edit.lost, number
        assert not edit.new, number
    assert sorted(map(str, draft.book.clauses)) == sorted(map(str, draft.base.clauses))


def test_what_is_added_under_its_heading_has_it_once(low: Draft) -> None:
    own = "## 1.1  A neighbour is reached\ncan_reach(Player, Player) <= (seat(Player, _Seat))"
    edit = low.add("1.1", own)
    assert [part.kind for part in edit.new] == ["clause"]
    assert low.show("1.1").count("## 1.1") == 1
    assert low.replace("1.1", low.show("1.1")).new == ()
    assert reached(low) == ["Ann", "Ben"]


def test_a_clause_that_stands_there_already_is_told(low: Draft) -> None:
    own = "can_reach(Player, Player) <= (seat(Player, _Seat))"
    said = "this clause stands in 1.1 already: can_reach"
    assert not [care for care in low.add("1.1", own).cares if said in care]
    other = "can_reach(X, X) <= (seat(X, _Y))"
    assert [care for care in low.add("1.1", other).cares if said in care]
    assert not low.add("1.4", f"# yes: {{P}} sits\nsits(P) <= (seat(P, _S))\n{other}").cares
    twice = Draft(low.edition).replace("1.1", f"{TWO_ON}\n{own}\n{other}")
    assert [care for care in twice.cares if said in care]
    assert not low.replace("1.1", low.show("1.1")).cares


def test_a_scenario_that_cites_nothing_is_about_its_answer(low: Draft, tmp_path: Path) -> None:
    file = tmp_path / "cases.toml"
    lines = ['table = { seats = ["Ann", "Ben"] }', 'ask = "can_reach(Ann, Ben)"']
    text = "\n".join(["[[scenario]]", 'name = "next door"', *lines, 'answer = "yes"'])
    file.write_text(text, encoding="utf-8")
    assert low.test(file)
    low.replace("1.1", TWO_ON)
    tried = low.test(file)
    assert not tried
    assert repr(tried).splitlines()[0] == "0 passed, 1 failed"
    assert tried.as_dict()["failed"][0]["name"] == "next door"


def test_the_smallest_game_of_each_kind_reads_like_a_comparison(low: Draft) -> None:
    low.replace("1.1", TWO_ON)
    found = low.smallest("players=3")
    assert found
    assert repr(found) == str(found)
    assert str(found).count("proved smallest") == 2, "yes -> no, and no -> yes"
    changes = low.diff(bound="players=3")
    assert "verdicts differ, in one game here and maybe in others" in str(changes)
    assert changes.as_dict()["proved"] is True


def test_games_are_drawn_and_a_small_one_of_each_kind_is_shown(low: Draft) -> None:
    low.replace("1.1", TWO_ON)
    changes = low.diff(bound=None, games=40, seed=3)
    assert changes.glimpse is None
    assert changes.drawn is not None
    assert changes.drawn.searched.games == 40
    assert changes.drawn.searched.proved is False
    kinds = {(group.verb, group.kind) for group in changes.report.groups}
    assert kinds == {("reach", ("yes", "no")), ("reach", ("no", "yes"))}
    assert changes and changes.game is not None
    (shown, *_) = [d for d in changes.drawn.differences if d.data == changes.game]
    question = shown.question.text
    assert bool(low.ask(changes.game, question)) is (shown.b.said == "yes")
    assert bool(seatlog.open(changes.game, low.edition).answer(question)) is (shown.a.said == "yes")
    assert str(low.diff(bound=None, games=40, seed=3)) == str(changes), "the same from a seed"
    assert changes.as_dict()["parts"] is None


def test_where_no_verb_rests_on_a_change_no_game_is_drawn(low: Draft) -> None:
    low.replace("1.1", low.show("1.1"))
    changes = low.diff(bound=None, games=40)
    assert not changes
    assert "no verb rests on what has changed" in str(changes)


def test_without_a_solver_games_are_drawn_and_nothing_is_proved(
    low: Draft, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    low.replace("1.1", TWO_ON)
    said = str(low.diff())
    assert "200 games drawn from the seed 1 within 3 players, 2 things" in said
    assert "searched, not proved" in said
    assert "pip install 'seatlog[sat]'" in said


@pytest.mark.parametrize("games", [-1, 10_000_001])
def test_a_number_of_games_has_ends(low: Draft, games: int) -> None:
    with pytest.raises(QuestionError, match="games is from 0 to 10,000,000"):
        low.diff(games=games)


def test_several_sections_are_changed_at_once(low: Draft) -> None:
    low.add("1.1", "# yes: {Player} is far\nfar(Player) <= (seat(Player, 3))")
    low.add("1.2", "# yes: {Player} is further\nfurther(Player) <= far(Player)")
    base = Draft(low.edition)
    with pytest.raises(LintError, match="far"):
        low.replace("1.1", TWO_ON)
    edit = low.change({"1.1": TWO_ON, "1.2": base.show("1.2"), "1.3": None}, {"1.3": ALONE})
    assert edit.done == "1.1, 1.2, 1.3 changed"
    assert edit.numbers == ("1.1", "1.2", "1.3")
    assert any("further" in part.text for part in edit.lost)
    assert low.show("1.3").endswith(ALONE)
    assert low.undo() == "taken back: 1.1, 1.2, 1.3 changed"
    assert "far(Player)" in low.show("1.2")
    low.redo()
    with pytest.raises(SeatlogError):
        low.change({"1.2": TWO_ON, "9.9": None})
    assert low.show("1.2") == base.show("1.2")


def test_a_branch_goes_its_own_way(low: Draft) -> None:
    low.replace("1.1", TWO_ON)
    other = low.branch()
    assert reached(other) == ["Cy"]
    with pytest.raises(BookError, match="nothing is there"):
        other.undo()
    other.drop("1.3")
    assert low.changed == ["1.1"]
    low.undo()
    assert reached(low) == ["Ben"]
    assert other.changed == ["1.1", "1.3"]


def test_another_book_is_tried_in_place_of_the_drafts(low: Draft, tmp_path: Path) -> None:
    cases = tmp_path / "cases.toml"
    case = 'can = ["Ann", "reach", "Cy"]\nanswer = "yes"\ncites = ["1.1"]\n'
    text = f'[table]\nseats = ["Ann", "Ben", "Cy"]\n[[scenario]]\nname = "two on"\n{case}'
    cases.write_text(text, encoding="utf-8")
    other = low.branch()
    other.replace("1.1", TWO_ON)
    assert not low.test(cases)
    heard: list[str] = []
    assert low.test(cases, book=other.book, tell=heard.append)
    assert heard == [f"in scenario 'two on' of {cases}"]
    changes = low.diff(NEIGHBOURS, bound=None, scenarios=cases, book=other.book, label="other")
    assert changes
    assert "other: yes" in str(changes)
    assert not low.diff(NEIGHBOURS, bound=None, scenarios=cases)

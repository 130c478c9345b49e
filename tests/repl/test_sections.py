"""Rule authors at the session: sections with another text, tried, compared, saved."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

import small_books
from seatlog.authoring import Draft
from seatlog.budget import Budget
from seatlog.editions import editions
from seatlog.errors import BookError
from seatlog.language import NOTES, Heading, Note, read_clauses
from seatlog.model import Clause
from seatlog.repl.child import in_child
from seatlog.repl.completing import complete
from seatlog.repl.core import Repl
from seatlog.repl.lines import finished
from seatlog.repl.sections import without
from seatlog.repl.state import State, opened

SEATS = {"seats": ["Ann", "Ben", "Cy"]}
TWO_ON = """\
# verb: Player reach Other
# yes: {Player} reaches {Other}
can_reach(Player, Other) <= (seat(Player, Seat) & seat(Other, Next) & (Next == Seat + 2))"""
STAYS = "# yes: {Player} stays\nstays(Player) <= (seat(Player, _Seat))"
RESTS = "can_rest(Player) <= (seat(Player, 2) & ~cannot_rest(Player))"
NEXT = "can_reach(Player, Other) <= (seat(Player, 1) & seat(Other, 3))"
ONESELF = "can_reach(Player, Player) <= (seat(Player, _Seat))"


@pytest.fixture
def low(tmp_path: Path) -> State:
    folder = small_books.book(tmp_path / "low", small_books.RULES)
    return opened(None, str(folder), SEATS)


def reached(found: Repl) -> list[str]:
    return found.execute("can_reach(Ann, X)").text.partition("\nrules:")[0].splitlines()


def done(found: Repl, *lines: str) -> list[str]:
    """What is said to some lines, none of which is refused."""
    replies = [found.execute(line) for line in lines]
    assert not [reply.error for reply in replies if reply.error]
    return [reply.text for reply in replies]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (":replace", True),
        (":replace 1.1", False),
        (":replace 1.1\n# yes: {Player} sits", False),
        (f":replace 1.1\n{TWO_ON}", False),
        (f":REPLACE 1.1\n{TWO_ON}\n", True),
        (":rule 1.1", False),
        (f":rule 1.1\n{ONESELF}", False),
        (f":rule 1.1\n{ONESELF}\n", True),
        (f":rule 1.1 {ONESELF}", True),
        (f":rule 1.1 # yes: so it is\n{ONESELF}", True),
    ],
)
def test_a_sections_text_goes_on_until_an_empty_line(text: str, whole: bool) -> None:
    assert finished(text) is whole


def test_a_section_is_replaced_and_says_what_it_lost(low: State) -> None:
    found = Repl(low)
    assert reached(found) == ["Ben"]
    (said,) = done(found, f":replace 1.1\n{TWO_ON}")
    assert said == str(Draft(low.edition).replace("1.1", TWO_ON))
    assert "lost: 1 sentence\n  - # no: {Player} doesn't reach {Other}" in said
    assert reached(found) == ["Cy"]
    shown = found.execute(":show 1.1").text
    assert shown.startswith("1.1  A neighbour is reached   (replaced in this session)\n")
    assert [line[2:] for line in shown.splitlines()[1:]] == TWO_ON.splitlines()
    assert found.execute(":rule").text == "1.1 replaced"
    assert found.state.draft is not None


def test_back_and_forth_is_to_the_byte(low: State) -> None:
    found = Repl(low)
    lines = [
        f":replace 1.1\n{TWO_ON}",
        f":rule 1.1 {ONESELF}",
        ":drop 1.3",
        f":replace 1.3\n{ALONE}",
    ]
    states = [found.state]
    for line in lines:
        done(found, line)
        states.append(found.state)
    for before in reversed(states[:-1]):
        assert found.execute(":undo").error == ""
        assert found.state is before
    assert "nothing is there" in found.execute(":undo").error
    assert reached(found) == ["Ben"]
    for after in states[1:]:
        assert found.execute(":redo").error == ""
        assert found.state is after
    assert found.execute(":undo").text == "taken back: :replace 1.3"


ALONE = """\
# alarm: {Player} sits alone
alone(Player) <= (seat(Player, 9) & ~accompanied(Player))
# yes: {Player} has company
accompanied(Player) <= (seat(Player, _Seat) & seat(Other, _Next) & (Player != Other))"""


def test_edits_and_clauses_of_the_session_live_together(low: State) -> None:
    found = Repl(low)
    done(found, f":rule 1.1 {ONESELF}", ":rule odd(X) <= (seat(X, 1))", ":drop cannot_rest/1")
    done(found, f":replace 1.3\n{ALONE}")
    assert reached(found) == ["Ann", "Ben"]
    assert found.execute("odd(X)").text.startswith("Ann\n")
    assert found.execute(":rule").text.splitlines() == [
        "1.3 replaced",
        "- 1.2: cannot_rest(Player) <= (active(Player))",
        f"+ 1.1: {ONESELF}",
        "+ session: odd(X) <= (seat(X, 1))",
    ]
    done(found, ":drop accompanied")
    gone = found.execute(":show 1.3").text.splitlines()[-1]
    assert gone.startswith("  accompanied(") and gone.endswith("(taken out in this session)")
    (said,) = done(found, f":replace 1.1\n{TWO_ON}")
    assert f"  - {ONESELF}".replace("(seat(Player, _Seat))", "") in said
    assert reached(found) == ["Cy"]
    assert len(found.execute(":rule").text.splitlines()) == 5


def test_what_rests_on_a_section_that_goes_is_refused(low: State) -> None:
    found = Repl(low)
    done(found, f":replace 1.1\n{TWO_ON}\nfar(Player) <= (can_reach(Player, _Other))")
    done(found, ":rule distant(X) <= (far(X))")
    before = found.state
    assert "no predicate is called far" in found.execute(f":replace 1.1\n{TWO_ON}").error
    assert found.state is before
    done(found, ":drop distant", f":replace 1.1\n{TWO_ON}")


def test_what_is_no_section_is_refused_in_its_place(low: State) -> None:
    found = Repl(low)
    error = found.execute(f":replace 1.1\n{TWO_ON.replace('+ 2', '+ Two')}").error
    assert "1.1.dl:3:" in error
    assert "which section?" in found.execute(":replace").error
    assert "on the next lines" in found.execute(":replace 1.1").error
    assert "no section" in found.execute(f":replace 1.11\n{TWO_ON}").error
    assert "holds 1.2" in found.execute(f":replace 1.1\n## 1.2  Rest\n{TWO_ON}").error
    assert found.state is low


def test_several_clauses_and_their_notes_are_added_at_once(low: State) -> None:
    found = Repl(low)
    notes = "# yes: {X} sits first\nfirst(X) <= (seat(X, 1))\n# verb: X lead\n# yes: {X} leads\n"
    (said,) = done(found, f":rule 1.4\n{notes}can_lead(X) <= (\n    first(X)\n)\n")
    assert said == "+ 1.4: first(X) <= (seat(X, 1))\n+ 1.4: can_lead(X) <= (first(X))"
    assert found.execute("Ann lead").text.startswith("yes\n  Ann leads (1.4)")
    assert found.execute(":show 1.4").text.count("(added in this session)") == 2
    error = found.execute(f":rule 1.5\n{ONESELF}\n\nfar(X) <= (nothing(X))").error
    assert "your clause:3:" in error and "L01" in error
    done(found, ":drop can_lead")
    assert "first(X)" in found.execute(":rule").text
    done(found, ":undo", ":undo")
    assert found.state is low


def test_a_section_is_edited(low: State) -> None:
    texts = ["", "## 1.1  Two on\n" + TWO_ON + "\n", " \n"]
    opened_with: list[str] = []

    def editor(text: str) -> str:
        opened_with.append(text)
        return texts.pop(0) or text + "\n"

    found = Repl(low, editor=editor)
    assert done(found, ":edit 1.1") == ["1.1: unchanged"]
    assert found.state is low
    (said,) = done(found, ":edit 1.1")
    assert "lost: 1 title" in said
    assert found.state.book.sections["1.1"].title == "Two on"
    assert "`:drop 1.1`" in found.execute(":edit 1.1").error
    assert opened_with[0] == Draft(low.edition).show("1.1")
    assert opened_with[2] == f"## 1.1  Two on\n{TWO_ON}"
    assert "no terminal" in Repl(low).execute(":edit 1.1").error
    assert "no section" in found.execute(":edit 7.7").error


def test_the_editor_has_what_the_session_added_and_took_out(low: State) -> None:
    seen: list[str] = []
    found = Repl(low, editor=lambda text: seen.append(text) or text)  # type: ignore[func-returns-value]
    done(found, f":rule 1.1 {ONESELF}", ":drop cannot_rest", ":edit 1.1", ":edit 1.2")
    assert seen[0].endswith(f"\n\n{ONESELF}")
    assert "can_rest(Player) <=" in seen[1]
    assert "cannot_rest(Player) <=" in seen[1], "what rests on it couldn't be saved without"


def test_a_text_that_was_refused_is_opened_again(low: State) -> None:
    seen: list[str] = []
    wrong = TWO_ON.replace("seat(Other", "seet(Other")

    def editor(text: str) -> str:
        seen.append(text)
        return wrong if len(seen) == 1 else text.replace("seet", "seat")

    found = Repl(low, editor=editor)
    assert "`:edit 1.1` opens this text again" in found.execute(":edit 1.1").error
    assert found.state is low
    done(found, ":edit 1.1")
    assert seen[1] == wrong
    assert reached(found) == ["Cy"]


def test_a_table_of_the_same_book_keeps_the_edits(low: State, tmp_path: Path) -> None:
    found = Repl(low)
    done(found, f":replace 1.1\n{TWO_ON}")
    (tmp_path / "more.toml").write_text('seats = ["Di", "Ed", "Flo"]\n', encoding="utf-8")
    reply = found.execute(f":load {tmp_path}/more.toml")
    assert reply.error == "" and reply.notes == ()
    assert found.execute("can_reach(Di, X)").text.startswith("Flo\n")


def test_clauses_go_with_their_notes_or_leave_them_to_an_heir() -> None:
    text = (
        "## 1.1  One\n# text: sha256:0123456789abcdef  low\n#     1\n"
        "# verb: X run\n# yes: {X} runs\n#     far\nruns(X) <= (seat(X, 1))\n\n"
        "# no: {X} stands\nruns(X) <= (\n    seat(X, 2)\n)\n"
        "# yes: {X} sits\nsits(X) <= (seat(X, 3))"
    )

    clauses = [e for e in read_clauses(text, "").entries if isinstance(e, Clause)]
    less = without(text, clauses[:1])
    assert less == (
        "## 1.1  One\n# text: sha256:0123456789abcdef  low\n#     1\n\n"
        "# no: {X} stands\n# verb: X run\n# yes: {X} runs\n#     far\n"
        "runs(X) <= (\n    seat(X, 2)\n)\n"
        "# yes: {X} sits\nsits(X) <= (seat(X, 3))"
    )
    assert without(text, clauses) == "## 1.1  One\n# text: sha256:0123456789abcdef  low\n#     1"
    with pytest.raises(BookError, match="isn't found"):
        without(text, [clauses[0], clauses[0]])


def test_every_clause_of_the_book_is_found_in_its_sections_text() -> None:
    draft = Draft()
    own = Counter(clause.rule for clause in draft.base.clauses)
    for number in list(own)[::5]:
        clauses = [clause for clause in draft.base.clauses if clause.rule == number]
        left = without(draft.show(number), clauses)
        entries = read_clauses(left, "").entries
        assert all(
            isinstance(e, Heading) or (isinstance(e, Note) and NOTES[e.key] == "section")
            for e in entries
        ), number


def test_help_and_completion_know_what_authors_type(low: State) -> None:
    found = Repl(low)
    assert "next lines" in found.execute(":help replace").text
    assert "$EDITOR" in found.execute(":help edit").text
    assert [c.text for c in complete(low, ":replace 1")] == ["1.1", "1.2", "1.3"]
    assert [c.text for c in complete(low, ":edit 1.2")] == ["1.2"]


# What a change changes

CASES = f"""\
{small_books.TABLE}
[[scenario]]
name = "the next one"
can = ["Ann", "reach", "Ben"]
answer = "yes"
cites = ["1.1"]

[[scenario]]
name = "whoever has no turn"
can = ["Ann", "rest"]
answer = "yes"
cites = ["1.2"]
"""


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "cases.toml"
    path.write_text(CASES, encoding="utf-8")
    return path


def test_a_diff_goes_over_what_was_asked_scenarios_the_table_and_all_games(
    low: State, cases: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pysat")
    monkeypatch.chdir(cases.parent)
    found = Repl(low)
    done(found, "Ann reach Ben", "Ann rest", f":replace 1.1\n{TWO_ON}")
    (said,) = done(found, f":diff {cases}")
    lines = said.splitlines()
    assert lines[:4] == ["Ann reach Ben", "  yes -> no", "1 of 2 questions answered otherwise", ""]
    assert "sections: 1 differs, 3 alike" in said
    assert "all games within 4 players, 2 things: verdicts differ" in said
    assert "scenarios: 1 verdict: 1 differs, 0 alike" in said
    assert "1 scenario rests on nothing that has changed" in said
    assert "the table: " in said
    assert f"({cases}: the next one)" in said
    done(found, f":replace 1.1\n{Draft(low.edition).show('1.1')}")
    (same,) = done(found, ":diff")
    assert same.startswith("0 of 2 questions answered otherwise\n")
    assert "no difference within 4 players, 2 things" in same
    assert "scenario" not in same


def test_clauses_on_top_of_the_book_are_looked_at_as_well(low: State, cases: Path) -> None:
    pytest.importorskip("pysat")
    found = Repl(low)
    done(found, f":rule 1.1 {ONESELF}", f":replace 1.3\n{ALONE}")
    (said,) = done(found, f":diff {cases}")
    assert f"+ {ONESELF}" in said and "verdicts differ" in said
    assert "sections: 2 differ, 2 alike" in said


def test_without_proofs_the_rest_of_a_diff_is_said(
    low: State, cases: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    found = Repl(low)
    done(found, "Ann reach Ben", f":replace 1.1\n{TWO_ON}")
    reply = found.execute(f":diff {cases}")
    assert reply.error == ""
    assert "  yes -> no" in reply.text and "scenarios: 1 verdict: 1 differs" in reply.text
    assert "all games within" not in reply.text
    assert "200 games drawn from the seed 1 within 3 players, 2 things" in reply.text
    assert "searched, not proved" in reply.text and "seatlog[sat]" in reply.text


def test_what_a_diff_looks_at_can_be_said(
    low: State, cases: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(cases.parent)
    found = Repl(low)
    done(found, f":replace 1.1\n{TWO_ON}")
    (bare,) = done(found, ":diff --bound none")
    assert "games" not in bare
    (said,) = done(found, f":diff {cases} --bound none --games 30 --seed 2 --verb reach")
    assert "30 games drawn from the seed 2 within 3 players, 2 things" in said
    assert "scenarios: 1 verdict: 1 differs" in said
    assert "one of 30 games drawn from the seed 2" in said
    for line, word in (
        (":diff --games x", '--games takes a number, not "x"'),
        (":diff --seed 1", "--seed is for the games of --games"),
        (":diff --gmes 1", 'did you mean "--games"?'),
        (":diff a b", "one file or folder at a time"),
        (":diff --verb rech", 'did you mean "reach"?'),
    ):
        assert word in found.execute(line).error


def test_scenarios_are_run_under_the_sessions_rules(low: State, cases: Path) -> None:
    found = Repl(low)
    assert done(found, f":test {cases}") == ["2 passed, 0 failed"]
    done(found, f":replace 1.1\n{TWO_ON}")
    (said,) = done(found, f':test "{cases}"')
    assert said.splitlines()[:2] == ["1 passed, 1 failed", f"{cases}: the next one"]
    done(found, f":replace 1.1\n{Draft(low.edition).show('1.1')}")
    assert done(found, f":test {cases}")[0].startswith("2 passed")
    other = cases.with_name("other.toml")
    other.write_text(f'edition = "other"\n{cases.read_text("utf-8")}', "utf-8")
    said = "0 passed, 0 failed, 2 skipped: another edition is named there"
    assert done(found, f":test {other}") == [said]
    for path in (f"{cases}x", "a\0b", "x" * 5_000, "~nobody-is-called-so/x"):
        for name in ("test", "diff"):
            error = found.execute(f":{name} {path}").error
            assert error and "itself failed" not in error, (name, path)


def test_what_has_no_end_is_ended_and_what_was_asked_is_still_said(low: State, cases: Path) -> None:
    endless = " & ".join(f"seat({n}, {n}{n})" for n in "ABCDEFGHIJKLMN") + " & (NN > 100)"
    found = Repl(low, in_child(Budget(0.3, 1_000)))
    done(
        found,
        "Ann rest",
        f":rule 1.1 can_reach(Y, Z) <= ({endless} & seat(Y, YY) & seat(Z, ZZ))",
    )
    error = found.execute(f":test {cases}").error
    assert "gave up after 0.3 seconds in scenario 'the next one'" in error
    reply = found.execute(f":diff {cases}")
    assert "gave up after 0.3 seconds" in reply.error and "the table: who can reach" in reply.error
    assert reply.text == "0 of 1 question answered otherwise"


# What is kept

QUESTIONS = ("can_reach(X, Y)", "can_rest(X)", "accompanied(X)", "Ann reach Ben", "Ann rest")


def answers(found: Repl) -> list[str]:
    """Each question's answer with its reason, less the line that names the book."""
    replies = [found.execute(question) for question in QUESTIONS]
    return [f"{r.text.partition('book: ')[0].rstrip()} {r.error}" for r in replies]


@pytest.mark.parametrize(
    "lines",
    [
        [f":replace 1.1\n{TWO_ON}"],
        [f":rule 1.1 {ONESELF}", ":drop alone"],
        [":drop can_reach", f":rule 1.1 {NEXT}"],
        [":rule 1.4\n# yes: {X} is odd\nodd(X) <= (seat(X, 1))", f":rule 1.1 {ONESELF}"],
        [f":replace 1.1\n{TWO_ON}", f":rule 1.1 {ONESELF}", f":replace 1.3\n{ALONE}"],
        [f":replace 1.1\n{TWO_ON}\n{ONESELF}\n{STAYS}", ":drop can_rest", f":rule 1.2 {RESTS}"],
    ],
    ids=str,
)
def test_an_edition_that_was_saved_answers_as_the_session_does(
    low: State, tmp_path: Path, lines: list[str]
) -> None:
    found = Repl(low)
    done(found, *lines)
    (said,) = done(found, f":save-rules {tmp_path}/mine")
    assert said.startswith(f"{tmp_path}/mine: an edition on top of low, ")
    again = Repl(opened(None, str(tmp_path / "mine"), SEATS))
    assert answers(again) == answers(found)
    assert answers(again) != answers(Repl(low))


def test_what_goes_with_its_clauses_in_an_edition_is_said(low: State, tmp_path: Path) -> None:
    found = Repl(low)
    done(found, ":drop 1.3", ":drop can_reach", f":rule 1.1 {ONESELF}")
    reply = found.execute(f":save-rules {tmp_path}/mine")
    assert reply.error == ""
    assert reply.notes[:2] == (
        "nothing is left of accompanied, which the edition doesn't know any more",
        "nothing is left of alone, which the edition doesn't know any more",
    )
    assert "went with its clause: # verb: Player reach Other" in reply.notes
    assert len(reply.notes) == 9
    mine = opened(None, str(tmp_path / "mine"), SEATS)
    assert not {"alone", "accompanied"} & mine.book.predicates.keys()
    assert not any(verb.word == "reach" for verb in mine.book.verbs)


def test_only_what_differs_is_saved_and_an_old_edition_only_when_told_so(
    low: State, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    found = Repl(low)
    assert "nothing is changed" in found.execute(f":save-rules {mine}").error
    done(found, f":replace 1.1\n{TWO_ON}", f':save-rules "{mine}"')
    assert sorted(path.name for path in mine.iterdir()) == ["1.1.dl", "edition.toml"]
    heading = "## 1.1  A neighbour is reached\n"
    assert (mine / "1.1.dl").read_text(encoding="utf-8") == f"{heading}{TWO_ON}\n"
    error = found.execute(f":save-rules {mine}").error
    assert "isn't empty" in error and f"`:save-rules! {mine}` writes over it" in error
    done(found, ":drop 1.3", f":save-rules! {mine}")
    assert 'drop = ["1.3"]' in (mine / "edition.toml").read_text(encoding="utf-8")


def test_what_cannot_be_an_edition_is_refused_with_what_to_do(low: State, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    found = Repl(low)
    done(found, ":rule odd(X) <= (seat(X, 1))")
    error = found.execute(f":save-rules {mine}").error
    assert "1 clause of this session stands in no section" in error
    assert "`:drop odd/1`, and `:rule NUMBER CLAUSE` instead" in error
    done(found, ":undo", ":drop cannot_rest")
    assert "cannot_rest" in found.execute(f":save-rules {mine}").error
    for folder in ("", "a\0b", "x" * 5_000, f"{tmp_path}/low/1.1.dl/x"):
        error = found.execute(f":save-rules {folder}").error
        assert error and "itself failed" not in error, folder
    assert not mine.exists()


@pytest.mark.parametrize("folder", ["low", "low/new", "link", "low/../low", "cr", "cr/new"])
def test_what_an_edition_rests_on_is_never_written_over(
    low: State, tmp_path: Path, folder: str
) -> None:
    (tmp_path / "link").symlink_to("low")
    before = {path: path.read_bytes() for path in (tmp_path / "low").iterdir()}
    found = Repl(low)
    done(found, f":replace 1.1\n{TWO_ON}")
    top = tmp_path if "low" in folder or folder == "link" else editions()["cr"].parent
    for command in (":save-rules", ":save-rules!"):
        error = found.execute(f"{command} {top}/{folder}").error
        assert "rests on" in error or "lies in another edition" in error
        assert "save-rules!" not in error
    assert {path: path.read_bytes() for path in (tmp_path / "low").iterdir()} == before


def test_an_edition_that_is_written_over_says_what_the_session_does(
    low: State, tmp_path: Path
) -> None:
    found = Repl(low)
    done(found, f":replace 1.1\n{TWO_ON}")
    small_books.book(tmp_path / "mine" / "inner", "")
    error = found.execute(f":save-rules {tmp_path}/mine").error
    assert "no edition" in error and "save-rules!" not in error
    other = small_books.book(tmp_path / "other", "## 1.9  Old\n")
    small_books.book(other / "chapter", "## 1.8  Older\n")
    assert "chapter/rules.dl" in found.execute(f":save-rules! {other}").error
    assert (other / "rules.dl").exists()
    (tmp_path / "nowhere").symlink_to("gone")
    assert "is no folder" in found.execute(f":save-rules {tmp_path}/nowhere").error


def test_an_edition_is_saved_for_every_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_books.book(tmp_path / "low", small_books.RULES)
    monkeypatch.chdir(tmp_path)
    found = Repl(opened(None, "low", SEATS))
    done(found, f":replace 1.1\n{TWO_ON}", ":save-rules mine")
    monkeypatch.chdir("/")
    again = Repl(opened(None, str(tmp_path / "mine"), SEATS))
    assert reached(again) == ["Cy"]


def test_a_clause_that_stands_there_already_is_told(low: State) -> None:
    found = Repl(low)
    line = f":rule 1.1 {ONESELF}"
    assert found.execute(line).notes == ()
    assert "this clause stands in 1.1 already: can_reach" in found.execute(line).notes[0]
    assert found.execute(f":rule 1.2 {ONESELF}").notes == ()
    done(found, ":drop 1.1")
    assert found.execute(line).notes == ()


def test_what_an_edition_lacks_words_for_is_said(low: State, tmp_path: Path) -> None:
    found = Repl(low)
    done(found, ":rule 1.1 can_rest(P) <= (seat(P, 1))")
    (note,) = found.execute(f":save-rules {tmp_path}/mine").notes
    assert "W07 can_rest has no words" in note

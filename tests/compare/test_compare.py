"""Two books held against each other: what is found, how it is said, and what is written out."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import processes
import small_books
from seatlog.book import Book, Fact
from seatlog.budget import budget
from seatlog.compare.comparing import Comparing, Wanted
from seatlog.compare.decide import Decider
from seatlog.compare.markdown import as_markdown
from seatlog.compare.report import Labelled, Report
from seatlog.compare.search import over
from seatlog.compare.sections import differing, same_facts
from seatlog.compare.text import MANY, report_lines, searched_lines
from seatlog.editions import lineage, load_book
from seatlog.errors import BookError
from seatlog.table import table as checked
from seatlog.worlds import Corpus, of_tables


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_books.books(tmp_path_factory.mktemp("compared"))


def said(top: Path, *words: str, status: int = 1, **env: str) -> str:
    done = processes.run("compare", *words, cwd=top, **env)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def data(top: Path, *words: str, status: int = 1) -> dict[str, Any]:
    done = processes.run("compare", *words, "--json", cwd=top)
    assert done.returncode == status, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def kinds(found: dict[str, Any]) -> dict[tuple[str, str, str], list[str]]:
    """The questions of each verb and each pair of verdicts."""
    return {
        (group["verb"], *group["verdicts"]): [
            *(d["question"] for d in group["differences"]),
            *group["more"],
        ]
        for group in found["verdicts"]
    }


def test_the_same_in_other_words_is_no_difference(top: Path) -> None:
    text = said(top, "low", "same", "--scenarios", "cases.toml", status=0)
    assert "sections: 0 differ, 4 alike" in text
    assert "9 verdicts over 4 tables: 0 differ, 9 alike; 1 skipped" in text
    assert text.splitlines()[-1] == "no difference"
    assert data(top, "low", "same", "--scenarios", "cases.toml", status=0)["verdicts"] == []


def test_sections_that_differ(top: Path) -> None:
    found = data(top, "low", "high", status=1)["sections"]
    by_number = {(s["a"] or s["b"])["number"]: s for s in found["differ"]}
    assert list(by_number) == ["1.1", "1.2", "1.3", "1.4"]
    assert by_number["1.3"]["b"] is by_number["1.4"]["a"] is None
    assert by_number["1.4"]["b"] == {"number": "1.4", "title": "The one in seat 1 hums"}
    ((one, other),) = by_number["1.1"]["changed"]
    assert "Seat + 1" in one
    assert "Seat + 2" in other
    assert found["verbs"] == [[], ["Player hum"]]


def test_what_is_said_of_a_predicate_counts_as_well(top: Path) -> None:
    found = data(top, "low", "high", status=1)["sections"]
    assert found["predicates"] == {"can_rest": "where it is left open"}


def test_sentences_that_differ_are_shown(top: Path, tmp_path: Path) -> None:
    small_books.book(
        tmp_path / "said", small_books.RULES.replace("reaches {Other}", "is by {Other}")
    )
    words = (str(top / "low"), str(tmp_path / "said"))
    lines = ["- yes: {Player} reaches {Other}", "+ yes: {Player} is by {Other}"]
    found = data(tmp_path, *words)["sections"]
    assert found["predicates"] == {"can_reach": "its sentences"}
    assert found["worded"] == [
        {"predicate": "can_reach", "less": [lines[0][2:]], "more": [lines[1][2:]]}
    ]
    text = said(tmp_path, *words)
    assert "\n".join(["  can_reach differs in its sentences", *(f"    {x}" for x in lines)]) in text
    marked = said(tmp_path, *words, "--markdown")
    inner = ["", "  ```diff", *(f"  {x}" for x in lines), "  ```", ""]
    assert "\n".join(["- `can_reach` differs in its sentences.", *inner]) in marked


def test_each_verdict_is_one_of_its_own(top: Path) -> None:
    found = kinds(data(top, "low", "high", "--scenarios", "cases.toml"))
    assert found == {
        ("", "list", "list"): ["can_reach(Who, Other)", "can_rest(Who)"],
        ("hum", "no rule", "yes"): ["Ann hum"],
        ("reach", "yes", "no"): ["Ann reach Ben", "Ann reach Ben"],
        ("reach", "no", "yes"): ["Ann reach Cy"],
        ("rest", "open (yes)", "yes"): ["Ben rest"],
        ("rest", "open (no)", "no"): ["Ann rest"],
        ("rest", "refused", "yes"): ["Ann rest"],
    }


def test_every_verdict_of_a_table(top: Path) -> None:
    found = data(top, "low", "high", "--table", "four.toml")
    assert kinds(found) == {
        ("hum", "no rule", "yes"): ["Ann hum"],
        ("reach", "yes", "no"): ["Ann reach Ben", "Ben reach Cy", "Cy reach Di"],
        ("reach", "no", "yes"): ["Ann reach Cy", "Ben reach Di"],
    }
    (searched,) = found["searched"]
    assert (searched["asked"], searched["alike"], searched["proved"]) == (9, 3, None)


def test_of_many_rows_some_are_explained_and_all_are_counted(top: Path) -> None:
    found = data(top, "low", "high", "--table", "many.toml", "--verdicts")
    (group,) = [g for g in found["verdicts"] if g["verdicts"] == ["yes", "no"]]
    assert (group["number"], len(group["differences"]), len(group["more"])) == (24, 20, 4)
    assert "P23 reach P24" in group["more"]
    text = said(top, "low", "high", "--table", "many.toml", "--verdicts", "--reasons")
    assert "also: P23 reach P24" in text


def test_a_table_that_one_book_refuses(top: Path) -> None:
    found = data(top, "low", "high", "--table", "one.toml", "--verdicts")
    assert found["sections"] is None
    assert kinds(found) == {("", "refused", "taken"): ["the table itself"]}
    assert found["verdicts"][0]["differences"][0]["a"]["cites"] == ["1.3"]
    again = said(top, "low", "same", "--table", "one.toml", status=0)
    assert "one.toml is refused by both books" in again


def test_a_table_that_is_none_is_an_error(top: Path) -> None:
    (top / "torn.toml").write_text('seats = ["Ann", "Ann"]\n', encoding="utf-8")
    assert "Ann" in said(top, "low", "high", "--table", "torn.toml", status=2)
    assert "no table is called" in said(top, "low", "high", "--table", "gone", status=2)


def test_only_some_verbs_and_sections(top: Path) -> None:
    words = ("low", "high", "--scenarios", "cases.toml", "--verdicts")
    found = kinds(data(top, *words, "--verb", "rest"))
    assert {verb for verb, *_ in found} == {"", "rest"}
    assert found["", "list", "list"] == ["can_rest(Who)"]
    found = kinds(data(top, *words, "--section", "1.1"))
    assert {verb for verb, *_ in found} == {"", "reach"}
    both = data(top, *words, "--section", "1.1", "--verb", "rest", status=0)
    assert both["searched"][0]["asked"] == 0
    assert 'did you mean "reach"' in said(top, *words, "--verb", "raech", status=2)
    for option in ((), ("--verdicts",)):
        assert "neither low nor high has a section" in said(
            top, "low", "high", "--section", "9.9", *option, status=2
        )


def test_only_tables_of_a_format(top: Path) -> None:
    words = ("low", "high", "--scenarios", "cases.toml", "--verdicts")
    found = data(top, *words, "--format", "free_for_all", status=0)
    assert found["searched"][0]["skipped"] == 10
    assert "no format is called" in said(top, *words, "--format", "free_for_al", status=2)


def test_both_explanations_stand_side_by_side_where_there_is_room(top: Path) -> None:
    words = ("low", "high", "--scenarios", "cases.toml", "--verb", "reach", "--verdicts")
    wide = said(top, *words, COLUMNS="120").splitlines()
    (line,) = [x for x in wide if "low: yes" in x and "|" in x]
    assert re.fullmatch(r" {4}low: yes {2,}\| high: no", line)
    assert all(len(x) <= 120 for x in wide if " | " in x)
    narrow = said(top, *words, COLUMNS="70").splitlines()
    assert "    low: yes" in narrow
    assert narrow.index("    low: yes") < narrow.index("    high: no")
    assert not any(" | " in x for x in narrow)


def test_the_first_of_a_kind_is_explained_and_with_reasons_every_one(top: Path) -> None:
    words = ("low", "high", "--table", "four.toml", "--verdicts")
    assert said(top, *words, COLUMNS="70").count("    low: yes") == 1
    assert said(top, *words, "--reasons", COLUMNS="70").count("    low: yes") == 3


def test_what_is_written_out_runs_at_once(top: Path, tmp_path: Path) -> None:
    words = ("low", "high", "--scenarios", "cases.toml", "--table", "one.toml")
    found = data(top, *words, "--to", str(tmp_path / "out"))
    assert [line for line in found["not_written"] if "low" not in line] == []
    tables = sorted((tmp_path / "out" / "tables").iterdir())
    scenarios = sorted((tmp_path / "out" / "scenarios").iterdir())
    assert sorted(map(str, tables + scenarios)) == found["written"]
    assert len(tables) == sum(len(g["differences"]) for g in found["verdicts"])
    done = processes.run("test", str(tmp_path / "out" / "scenarios"), cwd=top)
    assert done.returncode == 0, done.stdout
    assert f"{len(scenarios)} passed" in done.stdout
    for table in tables:
        for line in table.read_text(encoding="utf-8").splitlines():
            if line.startswith("# seatlog "):
                assert "Traceback" not in _run(line[2:], top)


def _run(line: str, top: Path) -> str:
    import shlex

    done = processes.run(*shlex.split(line)[1:], cwd=top)
    return done.stdout + done.stderr


def test_nothing_is_written_over_in_silence(top: Path, tmp_path: Path) -> None:
    words = ("low", "high", "--scenarios", "cases.toml", "--to", str(tmp_path / "out"))
    said(top, *words)
    before = {p: p.read_bytes() for p in (tmp_path / "out").rglob("*.toml")}
    first = min(before)
    first.write_text("mine\n", encoding="utf-8")
    assert "is there already" in said(top, *words, status=2)
    assert first.read_text(encoding="utf-8") == "mine\n"
    said(top, *words, "--over")
    assert {p: p.read_bytes() for p in (tmp_path / "out").rglob("*.toml")} == before
    assert "--over is for the files of --to" in said(top, "low", "high", "--over", status=2)


def test_a_folder_that_cant_be_written_to(top: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    text = said(
        top, *("low", "high", "--scenarios", "cases.toml", "--to", str(tmp_path / "file")), status=2
    )
    assert "is no folder" in text
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_markdown_keeps_names_from_being_markup(top: Path, tmp_path: Path) -> None:
    table = tmp_path / "odd.toml"
    names = ["</details><script>x", "a`b``c", "|x|", "@ann *b* _c_"]
    table.write_text(f"seats = {json.dumps(names)}\n", encoding="utf-8")
    text = said(top, "low", "high", "--table", str(table), "--markdown", "--verdicts")
    outside = re.sub(r"^(`{3,})\w*\n.*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    outside = re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", outside)
    assert "<script>" not in outside
    assert outside.count("<details>") == outside.count("</details>") >= 3
    assert not re.search(r"(?<!\\)@ann", outside)


def test_markdown_has_sums_and_details(top: Path) -> None:
    text = said(top, "low", "high", "--scenarios", "cases.toml", "--markdown")
    assert "| `reach` | yes | no | 2 |" in text
    assert re.search(r"<details><summary>Ann reach Cy  \(.*cases.toml: .*\)</summary>", text)
    assert "```diff\n- can_reach(Player, Other) <= (" in text
    assert "No difference." in said(top, "low", "same", "--markdown", status=0)


_GATE = 'objects.Gate = { controller = "Ann", types = ["battle"], protector = '


@pytest.mark.parametrize(
    ("other", "verb", "texts", "about"),
    [
        (
            "cr2021",
            "target",
            [_GATE + '"Ben" }', _GATE.replace("Gate", "Keep") + '"Cy" }'],
            ["Comprehensive Rules of 2021 has no rule here on objects.protector"],
        ),
        (
            "draft2004",
            "attack",
            ['options = ["attack left"]', 'options = ["attack right"]'],
            [
                'Comprehensive Rules has no rule here on options = "attack left"',
                'Comprehensive Rules has no rule here on options = "attack right"',
            ],
        ),
    ],
)
def test_what_a_book_has_no_rule_on_is_named_once_for_each_kind(
    tmp_path: Path, other: str, verb: str, texts: list[str], about: list[str]
) -> None:
    """Whose things they are doesn't count, but which word stands there does."""
    (tmp_path / "empty").mkdir()
    words = ["--scenarios", "empty", "--verdicts", "--verb", verb]
    for at, text in enumerate(texts):
        seats = 'seats = ["Ann", "Ben", "Cy"]\nobjects.Ox = { controller = "Ann" }\n'
        (tmp_path / f"{at}.toml").write_text(seats + text, encoding="utf-8")
        words += ["--table", f"{at}.toml"]
    groups = data(tmp_path, "cr", other, *words)["verdicts"]
    assert [group["lacks"] for group in groups if group["lacks"]] == [about] * len(groups)
    marked = said(tmp_path, "cr", other, *words, "--markdown")
    assert marked.count("**no rule**") == len(about) * len(groups)
    assert sum(len(group["differences"]) for group in groups) > len(about) * len(groups)


def test_markdown_has_each_table_once(top: Path) -> None:
    """One that several differences stand at has a number, and stands below all of them."""
    text = said(top, "low", "high", "--scenarios", "cases.toml", "--markdown")
    tables = re.findall(r"^```toml\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert len(tables) == len(set(tables)) > 1
    below = text.index("### Tables of several differences")
    numbers = re.findall(r"^At table (\d+), below\.$", text[:below], re.MULTILINE)
    there = re.findall(r"<summary>Table (\d+)</summary>", text[below:])
    assert there == sorted(set(numbers), key=int)
    assert all(numbers.count(number) > 1 for number in there)
    assert "At table" not in text[below:]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("low",), "missing argument"),
        (("low", "nowhere"), "no edition is called"),
        (("low", "high", "--json", "--markdown"), "--json or --markdown"),
        (("low", "high", "--reasons", "--markdown"), "--reasons is for text"),
        (("low", "high", "--scenarios", "gone.toml"), "there is nothing at gone.toml"),
        (("low", "high", "--scenarios", "a", "--scenarios", "b"), "said twice"),
        (("low", "high", "--bound", "players"), "is no bound"),
        (("low", "high", "--bound", "plaiers=2"), "did you mean"),
        (("low", "high", "--edition", "cr"), "no such option"),
    ],
)
def test_what_is_refused(top: Path, words: tuple[str, ...], what: str) -> None:
    assert what in said(top, *words, status=2).lower()


def test_a_stranger_cant_send_it_astray(top: Path, tmp_path: Path) -> None:
    """A book with a fault, and scenarios that are none, are errors with a place."""
    bad = small_books.book(tmp_path / "bad", "## 1.1  Odd\n\np(Player) <= (seet(Player, 1))\n")
    assert "rules.dl:3" in said(top, "low", str(bad), status=2)
    torn = tmp_path / "torn.toml"
    torn.write_text("scenario = 1\n", encoding="utf-8")
    assert "[[scenario]]" in said(top, "low", "high", "--scenarios", str(torn), status=2)
    torn.write_text("x = " + "[" * 3000, encoding="utf-8")
    assert "nested too deeply" in said(top, "low", "high", "--scenarios", str(torn), status=2)


def test_a_question_that_neither_can_read_is_told(top: Path, tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(
        '[[scenario]]\nname = "odd"\ntable.seats = ["Ann", "Ben"]\n'
        'can = ["Ann", "reach", "Nobody"]\nanswer = "no"\ncites = []\n',
        encoding="utf-8",
    )
    found = data(top, "low", "high", "--scenarios", str(path), "--verdicts", status=0)
    (searched,) = found["searched"]
    assert searched["skipped"] == 1
    assert "can't be asked" in searched["remarks"][0]


def test_numbers_are_mapped_to_the_common_base(top: Path, tmp_path: Path) -> None:
    shutil.copytree(top / "low", tmp_path / "low")
    settings = f'title = "New"\ndate = "2031"\nbase = "{tmp_path / "low"}"\n'
    one = tmp_path / "one"
    one.mkdir()
    (one / "edition.toml").write_text(
        settings + 'numbers = { "1.1" = "5.1", "1.2" = "1.1" }\n', encoding="utf-8"
    )
    two = tmp_path / "two"
    two.mkdir()
    (two / "edition.toml").write_text(settings + 'numbers = { "1.1" = "1.7" }\n', encoding="utf-8")
    found = _texts(tmp_path / "low", one)
    assert not found.sections
    assert dict(found.renumbered) == {"1.1": "5.1", "1.2": "1.1"}
    found = _texts(one, two)
    assert not found.sections
    assert dict(found.renumbered) == {"5.1": "1.7", "1.1": "1.2"}


def _texts(a: Path, b: Path) -> Any:
    books = load_book(str(a)), load_book(str(b))
    return differing(*books, (lineage(str(a)), lineage(str(b))), ())


def test_sections_are_known_by_their_clauses_where_numbers_say_nothing(tmp_path: Path) -> None:
    old = small_books.book(tmp_path / "old", small_books.RULES)
    swapped = small_books.RULES.replace("## 1.1 ", "## 1.9 ").replace("## 1.3 ", "## 1.1 ")
    new = small_books.book(tmp_path / "new", swapped)
    found = _texts(old, new)
    assert not found.sections
    assert dict(found.renumbered) == {"1.1": "1.9", "1.3": "1.1"}


def test_a_clause_that_stands_elsewhere_is_said_to(tmp_path: Path) -> None:
    old = small_books.book(tmp_path / "old", small_books.RULES)
    more = "\n# yes: {Player} sits first\nfirst(Player) <= seat(Player, 1)\n"
    used = "\n# verb: Player go\n# yes: {Player} goes\n# no: {Player} stays\n"
    used += "can_go(Player) <= first(Player)\n"
    first, rest = small_books.RULES.split("## 1.2")
    one = small_books.book(tmp_path / "one", f"{first}{more}{used}\n## 1.2{rest}")
    other = small_books.book(tmp_path / "other", f"{first}{used}\n## 1.2{rest}{more}")
    assert [m[:2] for m in _texts(one, other).moved] == [("1.1", "1.3")]
    assert not _texts(old, old)


def test_books_over_other_facts_are_refused() -> None:
    book = load_book("cr")
    facts: dict[str, Fact] = dict(book.vocabulary.facts)
    gone, changed = list(facts)[:2]
    del facts[gone]
    facts[changed] = facts[changed]._replace(keys=((0,), (0,)))
    other: Book = book._replace(name="mine", vocabulary=book.vocabulary._replace(facts=facts))
    with pytest.raises(BookError) as error:
        same_facts(book, other)
    assert f"1 fact only in the first: {gone}" in str(error.value)
    assert f"1 fact not the same: {changed}" in str(error.value)
    same_facts(book, load_book("draft2004"))


def test_all_games_of_a_size_are_decided(top: Path, tmp_path: Path) -> None:
    words = ("low", "high", "--verdicts", "--bound", "players=3,turns=7")
    found = data(top, *words, "--to", str(tmp_path / "out"))
    (searched,) = found["searched"]
    assert (searched["proved"], searched["games"], searched["remarks"]) == (True, None, [])
    assert searched["bound"] == {"player": 3, "turn": 7}
    by_kind = {
        (g["verb"], *g["verdicts"]): [(d["size"], d["smallest"]) for d in g["differences"]]
        for g in found["verdicts"]
    }
    small = {"player": 2, "fact": 2}
    assert searched["power"] > 0
    assert by_kind[("reach", "yes", "no")] == [(small, True)]
    assert by_kind[("reach", "no", "yes")] == [({**small, "player": 3, "fact": 3}, True)]
    assert by_kind[("", "refused", "taken")] == [({**small, "player": 1, "fact": 1}, True)]
    assert by_kind[("hum", "no rule", "yes")] == [(small, True)]
    assert by_kind[("rest", "open (yes)", "yes")] == [({**small, "fact": 3}, True)]
    assert len(by_kind) == 5
    done = processes.run("test", str(tmp_path / "out" / "scenarios"), cwd=top)
    assert done.returncode == 0, done.stdout


def test_what_is_alike_is_proved_so(top: Path) -> None:
    text = said(top, "low", "same", "--bound", "players=4", "--verdicts", status=0)
    assert re.search(r"\(at most 10\^\d+ games\): (\d+) verdicts: 0 differ, \1 alike, pro", text)
    assert re.fullmatch(
        r"no difference within 4 players \(at most 10\^\d+ games\)", text.splitlines()[-1]
    )
    text = said(top, "low", "same", "--bound", "players=4", "--verdicts", "--markdown", status=0)
    assert re.fullmatch(
        r"No difference within 4 players \(at most 10^\d+ games\)\.".replace("^", r"\^"),
        text.splitlines()[-1],
    )


def test_where_only_the_text_differs_that_is_said(top: Path, tmp_path: Path) -> None:
    """A clause more that decides nothing: a section differs, no verdict does."""
    more = top / "more"
    if not more.exists():
        shutil.copytree(top / "low", more)
    (file,) = more.rglob("*.dl")
    idle = "\n# yes: {Player} sits\nsits(Player) <= (seat(Player, _Seat))\n"
    file.write_text(file.read_text(encoding="utf-8") + idle, encoding="utf-8")
    text = said(top, "low", "more", "--bound", "players=2")
    assert "sections: 1 differ" in text
    assert text.splitlines()[-1].startswith("no verdict differs within 2 players (at most 10^")
    text = said(top, "low", "more", "--games", "50", "--bound", "players=2")
    assert re.search(
        r"^no verdict differs in 50 games within 2 players \(at most .*: searched, not proved$",
        text,
        re.MULTILINE,
    )


def test_a_game_that_was_found_is_shown_as_a_table(top: Path) -> None:
    text = said(top, "low", "high", "--verdicts", "--bound", "players=3,turns=7", "--verb", "reach")
    at = text.index("reach: yes -> no")
    lines = text[at:].splitlines()
    assert lines[1].endswith("(smallest game: 2 players, 2 facts, proved smallest)")
    assert lines[2] == '    seats = ["Player1", "Player2"]'


def test_of_many_sections_only_the_numbers_are_named() -> None:
    a, b = (Labelled(name, load_book(name)) for name in ("cr", "draft2004"))
    texts = differing(a.book, b.book, (lineage("cr"), lineage("draft2004")), ())
    report = Report(a, b, texts, (), ())
    few = list(report_lines(report, 80, False, lambda text, _: text))
    every = list(report_lines(report, 80, True, lambda text, _: text))
    assert len(texts.sections) > MANY
    assert "  their clauses: --section NUMBER for one, --reasons for all" in few
    assert not any(line.startswith(("    - ", "    + ")) for line in few)
    assert len(few) < 120 < 1_000 < len(every)
    said = re.findall(r"[\d.]+[a-z]?", " ".join(few))
    assert {section.number for section in texts.sections} <= set(said)
    marked = as_markdown(report)
    assert "- only in draft2004: 100.1, " in marked
    assert len(marked) < 10_000


def test_a_corpus_is_searched_and_proves_nothing(top: Path) -> None:
    """Every table of one to four players, as one corpus, and each of them asked one by one."""
    a, b = (Labelled(name, load_book(str(top / name))) for name in ("low", "high"))
    seats = ["Ann", "Ben", "Cy", "Di"]
    every: list[dict[str, Any]] = [
        {"seats": seats[:n], **more} for n in range(1, 5) for more in ({}, {"turn": 7})
    ]
    tables = [checked(each, a.book.vocabulary, None, str(each)) for each in every]

    def corpora(decider: Decider) -> Iterator[Corpus]:
        for part in (tables[:3], tables[3:]):
            made, left = of_tables(decider.worlds.universe, part)
            assert not left
            yield made

    told: list[str] = []
    comparing = Comparing(a, b, Wanted(), told.append)
    bound = {"Player": 4, "Turn": 7}
    found = over(comparing, bound, Wanted(), corpora, "tables of one to four")
    searched = found.searched
    assert (searched.games, searched.proved, searched.remarks) == (len(every), False, ())
    kinds = {(d.question.verb, *d.kind): d.size["player"] for d in found.differences}
    assert kinds == {
        ("", "refused", "taken"): 1,
        ("hum", "no rule", "yes"): 2,
        ("reach", "yes", "no"): 2,
        ("reach", "no", "yes"): 3,
        ("rest", "open (yes)", "yes"): 2,
    }
    assert not any(d.smallest for d in found.differences)
    one_by_one = {
        (d.question.verb, *d.kind)
        for each in every
        for d in comparing.game(each, "a table").differences
    }
    other_readers = {("reach", "yes", "no rule")}  # a shipped edition rests on the turn there
    assert one_by_one == set(kinds) | other_readers
    line, said = searched_lines(searched)
    assert "over 8 games" in line
    assert line.endswith(": searched, not proved")
    assert said.startswith("  numbers there: seat 1 to 4, turn 1 to 7, ")
    assert any("8 so far" in each for each in told)


def test_a_book_that_no_scenario_asks_is_told_how_one_would(top: Path) -> None:
    done = processes.run("mutate", "same", "--scenarios", "cases.toml", cwd=top)
    assert (done.returncode, done.stdout) == (2, "")
    assert 'above them stands: edition = "same"' in done.stderr


def test_games_may_take_more_than_a_question() -> None:
    assert budget(None, 60.0, 1_500) == (60.0, 1_500)
    assert budget("5s", 60.0, 1_500) == (5.0, 1_500)
    assert budget("300MB", 60.0, 1_500) == (60.0, 300)

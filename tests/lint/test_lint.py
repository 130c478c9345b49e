"""Every fault a rule text can have is refused, with its place, the author's words and a hint.

``bad`` holds one file for each fault code the engine knows. The other tests are the traps of the
notation one by one: what pyDatalog would take in silence and answer wrongly.
"""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from places import ROOT, TESTS
from seatlog.book import Book
from seatlog.editions import load_book
from seatlog.errors import Faults, SeatlogError
from seatlog.game import Session
from seatlog.lint import style
from seatlog.model import Const, Literal, Var
from seatlog.table import table
from seatlog.views import script

BAD = TESTS / "bad"
ENGINE = ROOT / "engine"

VOCABULARY = """\
# role: can_ is a verdict
# role: cannot_ is a prohibition
# sort: Person is a name
# sort: Other is like Person
# sort: Years is a number from 0

# fact: age(Person, Years)
# table: age.Person = Years
# key: Person
# names: Person

# fact: knows(Person, Other)
# yes: {Person} knows {Other}
# table: knows.Person = [Other]
# key: Person, Other

# sort: Pet is a name
# sort: Colour is one of red, blue

# fact: owns(Person, Pet)
# names: Pet

# fact: likes(Person, Colour)
"""


class Expected(NamedTuple):
    """Where a bad file's fault is: line, the text before the caret, the text above it; a hint."""

    line: int
    before: str
    marked: str
    hint: str


EXPECTED = {
    "S01": Expected(2, "adult(Person) <= ", "(", "close it"),
    "S02": Expected(2, "adult(Person) <= " + "(" * 20, "(", "through a helper predicate"),
    "S03": Expected(2, "", "~adult(Person)", "a head of its own"),
    "S04": Expected(
        2,
        "friend(Person, Other) <= knows(Person, Other), ",
        "knows(Other, Person)",
        "write `&`",
    ),
    "S05": Expected(
        2,
        "friend(Person, Other) <= (knows(Person, Other) ",
        "and",
        "write `&`",
    ),
    "S06": Expected(
        2,
        "adult(Person) <= (age(Person, Years) & ",
        "Years",
        "write each comparison as (X < Y",
    ),
    "S07": Expected(2, "social(Person) <= (knows(Person, ", "_", "a name of its own"),
    "S08": Expected(2, "friend(Person) <= (knows(Person, ", "bob", "write 'bob' for the word, Bob"),
    "S09": Expected(2, "adult(", "Ｐ", "put them in quotes"),
    "S10": Expected(2, "", "knows('Ann', 'Bob')", "starts with `+`"),
    "S11": Expected(2, "toddler(Person) <= (age(Person, Years) & (Years < ", "2.5", "terms: Var"),
    "S12": Expected(2, "# ", "wlak", 'did you mean "walk"?'),
    "S13": Expected(1, "", "e", "put `## number  title` above it"),
    "S14": Expected(2, "friend(Person) <= (knows(Person, 'Ann' ", "'Bob'", "a comma between"),
    "B01": Expected(1, "", "## 2.3  A section in another number's file", "holds 1.1 and its"),
    "L01": Expected(
        2, "friend(Person, Other) <= (knows(Person, Other) & ", "knwos", 'did you mean "knows"?'
    ),
    "L02": Expected(2, "social(Person) <= (", "knows", "one name, one number of terms"),
    "L03": Expected(2, "rival(Person, ", "Other", "says what Other is, like knows(Person, Other)"),
    "L04": Expected(
        2, "social(Person) <= (age(Person, _Years) & ~knows(", "Other", "says what Other is"
    ),
    "L05": Expected(
        2, "elder(Person) <= (knows(Person, _Other) & (", "Years", "says what Years is"
    ),
    "L06": Expected(
        2, "happy(Person) <= (knows(Person, Other) & ", "content", "only a declared walk"
    ),
    "L07": Expected(3, "", "linked", "a walk is declared"),
    "L08": Expected(
        2,
        "cannot_greet(Person, Other) <= (age(Person, _Years) & age(Other, _More) & ~",
        "knows",
        "make what is allowed the candidate",
    ),
    "L09": Expected(2, "elder(Person) <= (knows(Person, ", "Other", "names only with == and !="),
    "L10": Expected(2, "", "# yes: {Person} is older than {Othr}", 'did you mean "Other"?'),
    "L11": Expected(
        2,
        "",
        "knows(Person, Other) <= (age(Person, Years) & age(Other, Years))",
        "a predicate with another name",
    ),
    "L12": Expected(2, "", "# tells: knwos(Person, Other)", 'did you mean "knows"?'),
    "L13": Expected(
        2, "keeper(Person) <= (owns(Person, _Animal) & owns(_Other, ", "Person", "terms swapped"
    ),
    "L14": Expected(2, "warm(Person) <= (likes(Person, '", "bleu", 'did you mean "blue"?'),
    "L15": Expected(3, "# tells: ", "liked(Person)", "tell what rests on facts"),
    "L16": Expected(3, "", "# becomes: knwos(Person, Other)", 'did you mean "knows"?'),
    "V01": Expected(4, "", "# fact: age(Persn, Years)", 'did you mean "Person"?'),
    "V02": Expected(5, "", "# key: Persn", 'did you mean "Person"?'),
    "V03": Expected(7, "", "# fact: age(Person, Years)", ""),
}
WHOLE_LINES = {"L10", "L12", "L16", "V01", "V02", "V03"}
"""Notes: the caret may stand under the whole note or under the word in it that is wrong."""


def write_book(
    folder: Path, text: str, vocabulary: str = VOCABULARY, name: str = "1.1_rules.dl"
) -> None:
    """An edition of one file, and a folder of facts."""
    (folder / "facts").mkdir(parents=True)
    (folder / "facts" / "vocabulary.dl").write_text(vocabulary, encoding="utf-8")
    (folder / "book").mkdir()
    (folder / "book" / "edition.toml").write_text('title = "A book"\n', encoding="utf-8")
    (folder / "book" / name).write_text(text, encoding="utf-8")


def load(folder: Path) -> Book:
    return load_book(str(folder / "book"), folder / "facts")


def book_of(folder: Path, *lines: str, vocabulary: str = VOCABULARY) -> Book:
    """The book of these lines under 1.1."""
    write_book(folder, "\n".join(("## 1.1  Rules", *lines, "")), vocabulary)
    return load(folder)


def faults_of(folder: Path, *lines: str, vocabulary: str = VOCABULARY) -> list[SeatlogError]:
    """What is wrong with these lines under 1.1: an empty list when the book is fine."""
    try:
        book_of(folder, *lines, vocabulary=vocabulary)
    except SeatlogError as error:
        return list(getattr(error, "errors", (error,)))
    return []


def codes_of(folder: Path, *lines: str) -> list[str]:
    return [e.code for e in faults_of(folder, *lines)]


def the_fault(folder: Path, *lines: str) -> SeatlogError:
    found = faults_of(folder, *lines)
    assert len(found) == 1, [str(e) for e in found]
    return found[0]


def marked(error: SeatlogError) -> str:
    """The text above the caret, read from the message as a person sees it."""
    lines = str(error).split("\n")
    caret = next(i for i, line in enumerate(lines) if line.strip() and not line.strip(" ^"))
    start = lines[caret].index("^")
    return lines[caret - 1][start : start + lines[caret].count("^")]


def codes_in_the_engine() -> set[str]:
    found = set()
    for path in ENGINE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= set(re.findall(r"^[A-Z]\d\d$", node.value))
    return found


def bad_files(care: bool = False) -> list[Path]:
    """The files that are refused, or those that only lack care."""
    return [p for p in sorted(BAD.glob("*.dl")) if p.name.startswith("W") == care]


def test_every_code_has_a_bad_file_and_every_bad_file_a_code() -> None:
    refused, careless = bad_files(), bad_files(care=True)
    codes = [p.name[:3] for p in (*refused, *careless)]
    assert codes == sorted(set(codes))
    assert set(codes) == codes_in_the_engine()
    assert {p.name[:3] for p in refused} == set(EXPECTED)
    assert all(re.fullmatch(r"[A-Z]\d\d_[a-z_]+\.dl", p.name) for p in (*refused, *careless))


@pytest.mark.parametrize("path", bad_files(care=True), ids=lambda p: p.stem)
def test_a_careless_file_loads_and_is_told_what_it_lacks(path: Path, tmp_path: Path) -> None:
    write_book(tmp_path, path.read_text(encoding="utf-8"), name="1.1_rules.dl")
    found = style(load(tmp_path))
    assert [e.code for e in found] == [path.name[:3]], [str(e) for e in found]
    assert found[0].place and found[0].place.line and found[0].hint


@pytest.mark.parametrize("path", bad_files(), ids=lambda p: p.stem)
def test_a_bad_file_is_refused_for_what_is_wrong_with_it(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    code, _, slug = path.name.partition("_")
    if code.startswith("V"):
        write_book(tmp_path, "## 1.1  Fine\nfine(Person) <= (age(Person, _Years))\n", text)
        file = "vocabulary.dl"
    else:
        write_book(tmp_path, text, name=f"1.1_{slug}")
        file = f"book/1.1_{slug}"
    with pytest.raises(SeatlogError) as caught:
        load(tmp_path)
    error, want = caught.value, EXPECTED[code]
    assert not isinstance(error, Faults), str(error)
    assert error.code == code, str(error)
    place = error.place
    assert place is not None
    assert (place.file, place.line) == (file, want.line), str(error)
    assert place.excerpt == text.split("\n")[want.line - 1]
    shown = str(error).split("\n")
    assert shown[0].startswith(f"{file}:{want.line}:{place.column}: {code} "), shown[0]
    assert shown[1] == "    " + place.excerpt
    assert shown[2].strip() == "^" * place.width
    if not (code in WHOLE_LINES and marked(error) in want.marked):
        assert (place.excerpt[: place.column - 1], marked(error)) == (want.before, want.marked)
    assert error.hint and want.hint in error.hint, str(error)


def test_a_good_file_is_not_refused(tmp_path: Path) -> None:
    assert faults_of(tmp_path, "adult(Person) <= (age(Person, Years) & (Years > 17))") == []


def test_several_faults_are_all_reported(tmp_path: Path) -> None:
    found = faults_of(
        tmp_path,
        "adult(Person) <= (aeg(Person, Years) & (Years > 17))",
        "friend(Person) <= (knows(Person, bob))",
        "friend(Person, Other) <= knows(Person, Other), knows(Other, Person)",
        "social(Person) <= (knows(Person))",
        "rival(Person, Other) <= (knows(Person, _Friend))",
        "lonely(Person) <= (knws(Person, _Other) & ~knwos(_Other, Person))",
        "old(Person) <= (age(Person, Years) & Years > 60)",
    )
    spots = {(e.place.line if e.place else 0, e.code) for e in found}
    assert spots == {
        (2, "L01"),
        (3, "S08"),
        (4, "S04"),
        (5, "L02"),
        (6, "L03"),
        (7, "L01"),
        (8, "S06"),
    }
    assert [e.code for e in found].count("L01") == 3


def test_nothing_is_half_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEATLOG_CACHE", str(tmp_path / "cache"))
    good = "adult(Person) <= (age(Person, Years) & (Years > 17))"
    assert codes_of(tmp_path / "one", good, "friend(Person) <= (knows(Person, bob))") == ["S08"]
    assert not list((tmp_path / "cache").glob("*"))
    assert codes_of(tmp_path / "two", good) == []
    assert len(list((tmp_path / "cache").glob("*"))) == 1
    assert codes_of(tmp_path / "three", good, "adult(Person) <= (aeg(Person, 3))") == ["L01"]
    assert len(list((tmp_path / "cache").glob("*"))) == 1


def test_a_fault_in_the_third_line_of_a_clause_is_shown_there(tmp_path: Path) -> None:
    found = faults_of(
        tmp_path,
        "rival(Person, Other) <= (",
        "    knows(Person, Other)",
        "    & ~knwos(Other, Person)",
        "    & ~konws(Other, Person)",
        ")",
    )
    assert [(e.place.line, marked(e)) for e in found if e.place] == [(4, "knwos"), (5, "konws")]


def test_the_place_is_that_of_the_literal_that_is_wrong(tmp_path: Path) -> None:
    error = the_fault(tmp_path, "social(Person) <= (knows(Person, _Other) & knows(Person))")
    assert error.code == "L02"
    assert error.place is not None
    assert error.place.column == 44


# What the notation lets slip in, one by one.


@pytest.mark.parametrize(
    ("line", "code", "mark"),
    [
        ("p(X) <= knows(X, X), age(X, 1)", "S04", "age(X, 1)"),
        ("p(X) <= (knows(X, X), age(X, 1))", "S04", "age(X, 1)"),
        ("p(X) <= (knows(X, X),)", "S04", "knows(X, X)"),
        ("p(X) <= knows(X, X) and age(X, 1)", "S05", "and"),
        ("p(X) <= (knows(X, X) and age(X, 1))", "S05", "and"),
        ("p(X) <= (knows(X, X) or age(X, 1))", "S05", "or"),
        ("p(X) <= (knows(X, X) & (not age(X, 1)))", "S05", "not age(X, 1)"),
        ("p(X) <= (knows(X, X) | age(X, 1))", "S05", "knows(X, X) | age(X, 1)"),
        ("p(X) <= knows(X, X) | age(X, 1)", "S05", "knows(X, X) | age(X, 1)"),
        ("p(X) <= age(X, Y) & Y > 1", "S06", "Y"),
        ("p(X) <= (age(X, Y) & Y > 1)", "S06", "Y"),
        ("p(X) <= (age(X, Y) & (1 < Y < 5))", "S06", "1 < Y < 5"),
        ("p(X) <= (knows(X, _) & knows(_, X))", "S07", "_"),
        ("p(X) <= (knows(X, alice))", "S08", "alice"),
        ("p(x) <= (knows(x, x))", "S08", "x"),
        ("p(Élan) <= (knows(Élan, Élan))", "S09", "É"),
        ("p(X) <= (knows(X, プレイヤー))", "S09", "プ"),
        ("p(Ｘ) <= (knows(Ｘ, 'Ann'))", "S09", "Ｘ"),
        ("knows('Ann', 'Bob')", "S10", "knows('Ann', 'Bob')"),
        ("+ knows('Ann', 'Bob')", "L11", "+ knows('Ann', 'Bob')"),
        ("- knows('Ann', 'Bob')", "S03", "- knows('Ann', 'Bob')"),
        ("p(X) == knows(X, X)", "S03", "p(X) == knows(X, X)"),
        ("P(X) <= (knows(X, X))", "S03", "P"),
        ("p(X) <= (~~knows(X, X))", "S03", "~knows(X, X)"),
        ("p(X) <= (lambda: 1)", "S03", "lambda: 1"),
        ("p(X) <= knows(X, X); q(X) <= knows(X, X)", "S03", "p(X) <= knows(X, X)"),
        ("import os", "S03", "import os"),
        ("__import__('os').system('true')", "S10", "__import__('os').system('true')"),
        ("p(X) <= (knows.x(X, X))", "S03", "knows.x(X, X)"),
        ("p(X + 1) <= (age(_P, X))", "S11", "X + 1"),
        ("p(X) <= (age(X, 1.5))", "S11", "1.5"),
        ("p(X) <= (age(X, True))", "S11", "True"),
        ("p(X) <= (age(X, None))", "S11", "None"),
        ("p(X) <= (age(X, [1]))", "S11", "[1]"),
        ("p(X) <= (age(X, Y=1))", "S11", "age(X, Y=1)"),
        ("p(X) <= (age(*X))", "S11", "*X"),
        ("p(X) <= (knows(X, f'Ann'))", "S14", "'"),
        ("p(X) <= (knows(X, f'{X}'))", "S14", "'"),
        ("p(X) <= (knows(X, b'Ann'))", "S14", "'"),
        ("p(X) <= (knows(X, 'Ann' + 'Bob'))", "S11", "'Ann' + 'Bob'"),
        ("p(X) <= (age(X, Y) & (Z == Y * 2) & (Z > 1))", "S11", "Y * 2"),
        ("p(X) <= (age(X, 2147483648))", "S11", "2147483648"),
        ("p(X) <= (age(X, Y) & (Y in [1]))", "S11", "Y in [1]"),
        ("p(X) <= (knows(X, 'Ann' 'Bob'))", "S14", "'Bob'"),
        ("p(X) <= (knows(X, 'A\\n'))", "S14", "\\n"),
        ("p(X) <= (knows(X, 'A\u200b'))", "S14", "?"),
    ],
)
def test_traps_of_the_notation(tmp_path: Path, line: str, code: str, mark: str) -> None:
    error = the_fault(tmp_path, line)
    assert error.code == code, str(error)
    assert marked(error) == mark, str(error)
    assert error.hint
    assert error.place
    assert error.place.line == 2


def test_what_is_wrong_in_a_long_clause_is_marked_where_it_stands(tmp_path: Path) -> None:
    text = "# no: {X} is no friend\np(X) <= (\n    knows(X, Y)\n    %s\n)\nq(X) <= (knows(X, X))"
    for line, code, mark in (
        ("and age(X, 1)", "S05", "and"),
        ("age(X, 1)", "S01", "age"),
        ("& Y != X", "S06", "Y"),
    ):
        (tmp_path / code).mkdir()
        (error,) = faults_of(tmp_path / code, text % line)
        assert (error.code, marked(error)) == (code, mark), str(error)
        assert error.place and error.place.line == 5


def test_a_line_that_is_shown_in_part_says_so_where_it_was_cut(tmp_path: Path) -> None:
    more = [f"knows(X, Y{n})" for n in range(20)]
    for at, cut in ((0, (False, True)), (10, (True, True)), (20, (True, False))):
        body = " & ".join([*more[:at], "knwos(X, X)", *more[at:]])
        (tmp_path / str(at)).mkdir()
        (error,) = faults_of(tmp_path / str(at), f"# no: {{X}} is no friend\np(X) <= ({body})")
        shown = str(error).split("\n")[1].strip()
        assert (shown.startswith("…"), shown.endswith("…")) == cut, shown
        assert marked(error) == "knwos"
        assert shown.strip("…") in f"p(X) <= ({body})"


def test_a_body_without_its_bracket_is_one_fault(tmp_path: Path) -> None:
    lines = "# no: {X} is no friend\np(X) <=\n    knows(X, Y)\n    & knows(Y, X)\n)\n"
    (error,) = faults_of(tmp_path, lines + "q(X) <= (knows(X, X))")
    assert error.place and error.place.line == 3 and "head(X) <= (" in error.hint


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("# yes {X} is a friend", "# yes: …"),
        ("# No {X} is a friend", "# no: …"),
        ("# yes: {X} is a friend\n# of {Y}", "four spaces"),
    ],
)
def test_sentences_are_not_lost_in_comments(tmp_path: Path, line: str, hint: str) -> None:
    error = the_fault(tmp_path, f"{line}\np(X) <= (knows(X, Y))")
    assert error.code == "S12" and hint in error.hint


def test_hints_name_what_binds_a_variable_and_what_a_head_may_be(tmp_path: Path) -> None:
    for name in ("fault", "book"):
        (tmp_path / name).mkdir()
    error = the_fault(tmp_path / "fault", "p(Person) <= (~knows(Person, Person))")
    assert error.hint.endswith("says what Person is, like age(Person, Years)")
    book = book_of(
        tmp_path / "book",
        "# yes: {P} may",
        "# no: {P} may not",
        "can_x(P) <= (knows(P, P) & ~cannot_x(P))",
        "# tree yes: {P} is barred",
        "cannot_x(P) <= (knows(P, P))",
        "# tree yes: {P} is barred",
        "cannt_x(P) <= (knows(P, P))",
    )
    found = [f for f in style(book) if f.code == "W03"]
    assert [f.hint for f in found] == ['did you mean "cannot_x"?']


def test_a_plain_fact_of_the_rules_is_asked_and_cited_like_a_clause(tmp_path: Path) -> None:
    book = book_of(
        tmp_path,
        "# yes: {Person} may vote",
        "# no: {Person} may not vote",
        "votes(Person) <= (age(Person, Years) & of_age(Years))",
        "# terms: Years",
        "# yes: {Years} is an age to vote at",
        "# no: {Years} is no age to vote at",
        "+ of_age(18)",
        "+ of_age(19)",
    )
    game = Session(book, table({"age": {"Ann": 18, "Bob": 19, "Cy": 2}}, book.vocabulary))
    answer = game.ask("votes(X)")
    assert [row[0] for row in answer.rows] == ["Ann", "Bob"]
    assert game.ask("votes('Ann')").cites == ("1.1",)
    assert [str(c) for c in book.clauses_of("of_age")] == ["+ of_age(18)", "+ of_age(19)"]
    assert "of_age(18)" in script(book, ())
    refused = game.ask("of_age(3)")
    assert (refused.verdict, refused.cites) == (False, ("1.1",))
    below = f"rules: 1.1\nbook: {book.title} ({book.name})"
    assert refused.text() == f"no\n  3 is no age to vote at (1.1)\n{below}"
    assert game.ask("of_age(19)").text() == f"yes\n  19 is an age to vote at (1.1)\n{below}"


@pytest.mark.parametrize("names", ["Years, Years", "years", "Years, More", ""])
def test_terms_name_each_term_of_a_plain_fact(tmp_path: Path, names: str) -> None:
    faults = faults_of(tmp_path, f"# terms: {names}", "# yes: {Years} will do", "+ of_age(18)")
    assert "S12" in [f.code for f in faults]


@pytest.mark.parametrize(
    ("line", "code"),
    [("+ age('Ann', 3)", "L11"), ("+ of_age(X)", "S08"), ("of_age(3)", "S10"), ("- p(3)", "S03")],
)
def test_what_is_no_plain_fact_of_the_rules(tmp_path: Path, line: str, code: str) -> None:
    assert [f.code for f in faults_of(tmp_path, line)] == [code]


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("p(X) <= not knows(X, X)", "write `~` for not"),
        ("p(X) <= (knows(X, X) & not age(X, 1))", "write `~` for not"),
        ("p(X) = knows(X, X)", "a clause looks like: head(X) <= "),
        ("p(X) :- knows(X, X)", "a clause has `<=` where Prolog has `:-`"),
        ("p(X) <= knows(X, X).", "a clause looks like: head(X) <= "),
        ("p(X) <= (knows(X, X)", "close it"),
        ("p(X) <= knows(X, X))", "take it away"),
        ("p(X) <= (knows(X, X]", "take it away"),
        ("p(X) <= (knows(X, 'Ann))", "end it with '"),
        ("  p(X) <= (knows(X, X))", "unindent it"),
    ],
)
def test_what_cannot_be_read_at_all(tmp_path: Path, line: str, hint: str) -> None:
    error = the_fault(tmp_path, line)
    assert error.code == "S01"
    assert hint in error.hint


def test_nothing_to_conclude_from_is_refused(tmp_path: Path) -> None:
    error = the_fault(tmp_path, "p('Ann') <= ()")
    assert error.code.startswith("S")


@pytest.mark.parametrize("prefix", ["u", "U", "r", "R"])
def test_strings_with_a_prefix_are_not_joined(tmp_path: Path, prefix: str) -> None:
    assert codes_of(tmp_path, f"p(X) <= (knows(X, 'Ann'{prefix}'Bob'))") != []


def test_a_comparison_left_of_a_literal_wants_parentheses_too(tmp_path: Path) -> None:
    error = the_fault(tmp_path, "p(X) <= (Y > 1 & age(X, Y))")
    assert error.code == "S06", str(error)


def test_a_capitalised_word_is_a_variable_and_must_be_bound(tmp_path: Path) -> None:
    assert codes_of(tmp_path, "p(Person) <= (age(Person, _Years) & ~knows(Person, Alice))") == [
        "L04"
    ]


def test_a_quoted_word_of_any_alphabet_is_a_name(tmp_path: Path) -> None:
    names = ["Ann", "O'Neill", "Élan", "プレイヤー", "Ａ", "a\\b", 'a "b"', "X", "", "True"]
    lines = [f"p({name!r}) <= (age(_Person, {i}))" for i, name in enumerate(names)]
    book = book_of(tmp_path, *lines)
    session = Session(book, table({"age": {"One": 3, "Two": 7}}, book.vocabulary))
    assert set(session.solver.rows(Literal("p", (Var("X"),)))) == {(names[3],), (names[7],)}
    assert [c.head.args[0] for c in book.clauses] == [Const(n) for n in names]


@pytest.mark.parametrize("word", ["sohw", "knws", "konws"])
def test_an_unknown_predicate_is_never_just_empty(tmp_path: Path, word: str) -> None:
    for number, line in enumerate(
        (
            f"p(X) <= ({word}(X, X))",
            f"p(X) <= (age(X, _Y) & ~{word}(X, X))",
            f"p(X) <= (age(X, _Y) & (N == count(Y, {word}(X, Y))) & (N > 1))",
        )
    ):
        error = the_fault(tmp_path / str(number), line)
        assert error.code == "L01"
        assert marked(error) == word
        assert ('did you mean "knows"?' in error.hint) == (word != "sohw")


def test_a_predicate_without_facts_is_known_under_a_negation(tmp_path: Path) -> None:
    book = book_of(tmp_path, "alone(X) <= (age(X, _Y) & ~knows(X, 'Ann'))")
    session = Session(book, table({"age": {"Bob": 1}}, book.vocabulary))
    assert session.solver.rows(Literal("alone", (Var("X"),))) == (("Bob",),)


def test_one_name_has_one_number_of_terms(tmp_path: Path) -> None:
    assert codes_of(tmp_path / "1", "p(X) <= (age(X))") == ["L02"]
    assert codes_of(tmp_path / "2", "p(X) <= (age(X, 1, 2))") == ["L02"]
    assert codes_of(tmp_path / "3", "p(X) <= (age(X, 1))", "p(X, Y) <= (age(X, Y))") == ["L02"]
    assert codes_of(tmp_path / "4", "p(X) <= (age(X, 1) & ~knows(X))") == ["L02"]


@pytest.mark.parametrize(
    ("line", "codes", "word"),
    [
        ("p(X, Y) <= (age(X, _N))", ["L03"], "Y"),
        ("p(X) <= (~knows(X, X))", ["L04"], "X"),
        ("p(X) <= (age(X, _N) & ~knows(X, Y))", ["L04"], "Y"),
        ("p(X) <= (age(X, _N) & ~knows(Y, Y))", ["L04"], "Y"),
        ("p(X) <= (age(X, _N) & (Y > 1))", ["L05"], "Y"),
        ("p(X) <= (age(X, _N) & (Y == Z))", ["L05"], "Y"),
        ("p(X) <= (age(X, _N) & (Y == Y))", ["L05"], "Y"),
        ("p(X) <= (age(X, N) & (Y + 1 == N))", ["L05"], "Y"),
        ("p(X, N) <= (age(X, _M) & (N == count(Y, knows(Z, Y))))", ["L03", "L05"], "Z"),
        ("p(X) <= (age(X, N) & (N == count(N, age(X, N))))", ["L05"], "N"),
    ],
)
def test_what_nothing_binds(tmp_path: Path, line: str, codes: list[str], word: str) -> None:
    found = [e for e in faults_of(tmp_path, line) if e.code != "L09"]
    assert [e.code for e in found] == codes
    assert f" {word} " in found[-1].what or found[-1].what.startswith(f"{word} ")


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("p(X) <= ((N > 1) & age(X, N))", {("Bob",)}),
        ("p(X) <= (~knows(X, X) & age(X, _N))", {("Ann",)}),
        ("p(X, Z) <= ((Z == Y + 1) & (Y == N - 1) & age(X, N))", {("Ann", 1), ("Bob", 2)}),
        ("p(X, N) <= ((N == count(Y, knows(X, Y))) & age(X, _M))", {("Ann", 0), ("Bob", 1)}),
        ("p(X) <= (~knows(X, Y) & (Y == 'Ann') & age(X, _N))", {("Ann",), ("Bob",)}),
    ],
)
def test_the_order_of_a_body_is_the_authors_choice(
    tmp_path: Path, line: str, wanted: set[tuple[str | int, ...]]
) -> None:
    book = book_of(tmp_path, line)
    state = table({"age": {"Ann": 1, "Bob": 2}, "knows": {"Bob": ["Bob"]}}, book.vocabulary)
    asked = tuple(Var(f"V{i}") for i in range(book.predicates["p"].arity))
    assert set(Session(book, state).solver.rows(Literal("p", asked))) == wanted


@pytest.mark.parametrize(
    ("lines", "path"),
    [
        (["a(X) <= (b(X))", "b(X) <= (a(X))"], "a -> b -> a"),
        (["a(X) <= (b(X))", "b(X) <= (c(X))", "c(X) <= (knows(X, Y) & ~a(Y))"], "a -> b -> c -> a"),
        (
            [
                "a(X) <= (age(X, _N) & (M == count(Y, b(X, Y))) & (M > 1))",
                "b(X, Y) <= (knows(X, Y) & a(Y))",
            ],
            "a -> b -> a",
        ),
        (["top(X) <= (a(X))", "a(X) <= (b(X))", "b(X) <= (~a(X) & age(X, 1))"], "a -> b -> a"),
    ],
)
def test_a_cycle_is_shown_as_a_path(tmp_path: Path, lines: list[str], path: str) -> None:
    error = the_fault(tmp_path, *lines)
    assert error.code == "L06"
    assert error.what.endswith(": " + path)


def test_two_cycles_are_two_faults(tmp_path: Path) -> None:
    lines = ["a(X) <= (b(X))", "b(X) <= (a(X))", "c(X) <= (d(X))", "d(X) <= (c(X))"]
    assert codes_of(tmp_path, *lines) == ["L06", "L06"]


def test_what_denies_itself_is_a_cycle(tmp_path: Path) -> None:
    error = the_fault(tmp_path, "p(X) <= (age(X, _Y) & ~p(X))")
    assert error.code == "L07"
    assert "p -> p" in error.what


WALK = "# walk: w(P, N)"
START = "w(P, 0) <= (age(P, _Years))"


def test_a_walk_that_is_declared_and_bounded_is_fine(tmp_path: Path) -> None:
    step = "w(P, M) <= (w(P, N) & age(P, Most) & (N < Most) & (M == N + 1))"
    book = book_of(tmp_path, WALK, START, step)
    session = Session(book, table({"age": {"Ann": 2, "Bob": 0}}, book.vocabulary))
    rows = session.solver.rows(Literal("w", (Var("P"), Var("N"))))
    assert rows == (("Ann", 0), ("Ann", 1), ("Ann", 2), ("Bob", 0))


SUM = ["# walk: s(P, N, S)", "s(P, 0, 0) <= (age(P, _Years))"]
PART = "part(P, N, A) <= (age(P, N) & age(P, A))"


def test_a_walk_whose_steps_are_counted_may_add_up(tmp_path: Path) -> None:
    """The steps are finitely many, so the sum is bounded as well."""
    step = "s(P, M, T) <= (s(P, N, S) & (M == N + 1) & age(P, Most) & (M <= Most) & (T == S + M))"
    book = book_of(tmp_path, *SUM, step)
    session = Session(book, table({"age": {"Ann": 3}}, book.vocabulary))
    rows = session.solver.rows(Literal("s", (Var("P"), Var("N"), Var("S"))))
    assert rows == (("Ann", 0, 0), ("Ann", 1, 1), ("Ann", 2, 3), ("Ann", 3, 6))


def test_a_walk_whose_steps_other_literals_know_may_add_up(tmp_path: Path) -> None:
    step = "s(P, M, T) <= (s(P, N, S) & (M == N + 1) & part(P, M, A) & (T == S + A))"
    assert codes_of(tmp_path, *SUM, PART, step) == []


@pytest.mark.parametrize(
    "step",
    [
        "s(P, M, T) <= (s(P, M, S) & part(P, M, A) & (T == S + A))",
        "s(P, M, T) <= (s(P, N, S) & (M == N + 0) & part(P, M, A) & (T == S + A))",
        "s(P, M, T) <= (s(P, N, S) & part(P, M, A) & (T == S + A) & (N < 9))",
        "s(P, M, T) <= (s(P, N, S) & (M == N + 1) & (T == S + N))",
        "s(P, M, T) <= (s(P, N, S) & (M == N + 1) & (M >= 0) & (T == S + N))",
        "s(P, M, T) <= (s(P, N, S) & (M == N + S) & part(P, M, A) & (T == S + A))",
    ],
)
def test_a_walk_may_not_add_up_without_end(tmp_path: Path, step: str) -> None:
    assert "L07" in codes_of(tmp_path, *SUM, PART, step)


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        ([START, "w(P, M) <= (w(P, N) & (N < 9) & (M == N + 1))"], "calls itself: w -> w"),
        (
            [WALK, START, "w(P, M) <= (age(P, _K) & w(P, N) & (N < 9) & (M == N + 1))"],
            "as its first",
        ),
        ([WALK, START, "w(P, M) <= (w(P, N) & ~w(P, 3) & (N < 9) & (M == N + 1))"], "once"),
        ([WALK, START, "w(Q, M) <= (w(P, N) & knows(P, Q) & (N < 9) & (M == N + 1))"], "unchanged"),
        ([WALK, START, "w('Ann', M) <= (w('Ann', N) & (N < 9) & (M == N + 1))"], "unchanged"),
        ([WALK, START, "w(P, M) <= (w(P, N) & (M == N + 1))"], "M grows without a bound"),
        ([WALK, START, "w(P, M) <= (w(P, N) & (N != 9) & (M == N + 1))"], "M grows without"),
    ],
)
def test_a_walk_that_may_not_end_is_refused(tmp_path: Path, lines: list[str], what: str) -> None:
    error = the_fault(tmp_path, *lines)
    assert error.code == "L07"
    assert what in error.what
    assert "a walk is declared" in error.hint


@pytest.mark.parametrize(
    "step",
    [
        "w(P, M) <= (w(P, N) & (N >= 0) & (M == N + 1))",
        "w(P, M) <= (w(P, N) & (N < 9) & (M == N - 1))",
        "w(P, M) <= (w(P, N) & age(P, Most) & (Most < N) & (M == N + 1))",
        "w(P, M) <= (w(P, N) & (More == N + 1) & (M == More))",
    ],
)
def test_a_bound_on_the_wrong_side_is_no_bound(tmp_path: Path, step: str) -> None:
    assert codes_of(tmp_path, WALK, START, step) == ["L07"]


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("cannot_x(P, O) <= (age(P, _A) & age(O, _B) & ~knows(P, O))", ["L08"]),
        ("cannot_x(P, O) <= (age(P, _A) & age(O, _B) & (P != O) & ~knows(P, O))", ["L08"]),
        ("cannot_x(P, O) <= (knows(P, O) & ~knows(O, P))", []),
        ("cannot_x(P, O) <= (age(P, A) & age(O, A) & ~knows(P, O))", []),
        ("cannot_x(P) <= (age(P, _A) & ~knows(P, P))", []),
        ("may_x(P, O) <= (age(P, _A) & age(O, _B) & ~knows(P, O))", []),
    ],
)
def test_a_prohibition_that_tries_every_pair(tmp_path: Path, line: str, codes: list[str]) -> None:
    assert codes_of(tmp_path, line) == codes


@pytest.mark.parametrize(
    "lines",
    [
        ["p(X) <= (age(X, 'Ann'))"],
        ["p(X) <= (knows(X, 3))"],
        ["p(X) <= (age(X, N) & knows(N, X))"],
        ["p(X) <= (age(X, N) & (N == 'Ann'))"],
        ["p(X) <= (knows(X, Y) & (Y < 'Bob'))"],
        ["p(X) <= (knows(X, Y) & (Y != 3))"],
        ["p(X) <= (knows(X, Y) & (Z == Y + 1) & age(X, Z))"],
        ["p(X) <= (age(X, N) & (X == N))"],
        ["p(X) <= (age(X, N) & (Y == 'Ann' + 'Bob') & (N == Y))"],
        ["p('Ann') <= (age(_X, 1))", "p(1) <= (age(_X, 1))"],
        ["q(X) <= (age(_P, X))", "r(X) <= (knows(X, _Y))", "p(X) <= (q(X) & r(X))"],
        ["p(X) <= (age(X, _M) & (N == count(Y, knows(X, Y))) & knows(X, N))"],
    ],
)
def test_numbers_and_names_never_meet(tmp_path: Path, lines: list[str]) -> None:
    found = faults_of(tmp_path, *lines)
    assert found
    assert {e.code for e in found} == {"L09"}


def test_words_that_python_knows_are_words_like_others(tmp_path: Path) -> None:
    words = ["range", "object", "type", "next", "property", "print", "id", "sum", "ask", "len_"]
    lines = [f"{words[0]}(X) <= (age(X, 1))"]
    lines += [f"{b}(X) <= ({a}(X) & ~knows(X, 'Ann'))" for a, b in pairwise(words)]
    lines += ["count(X) <= (len_(X))", "list(N) <= (N == count(X, count(X)))"]
    book = book_of(tmp_path, *lines)
    session = Session(book, table({"age": {"Ann": 1, "Bob": 1, "Cy": 2}}, book.vocabulary))
    for word in [*words, "count"]:
        assert session.solver.rows(Literal(word, (Var("X"),))) == (("Ann",), ("Bob",))
    assert session.ask("range(X) & object(X)").rows == [("Ann",), ("Bob",)]
    assert session.solver.rows(Literal("list", (Var("N"),))) == ((2,),)


@pytest.mark.parametrize(
    ("lines", "code", "what"),
    [
        (["# no: {Z} is young", "p(X) <= (age(X, 1))"], "L10", "{Z}"),
        (["# yes: {X} is {", "p(X) <= (age(X, 1))"], "L10", "a brace"),
        (["# yes: {X} is {}", "p(X) <= (age(X, 1))"], "L10", "{}"),
        (["# no: {X is old", "p(X) <= (age(X, 1))"], "L10", "a brace"),
        (["# alarm: {Z} is too young", "p(X) <= (age(X, 1))"], "L10", "{Z}"),
        (["# tells: q(X)", "p(X) <= (age(X, 1))", "q(X) <= (age(X, 2))"], "L12", "no sentence"),
        (["# tells: q(X)", "p(X) <= (age(X, 1))"], "L12", "no clause defines"),
        (["# tells: knows(X)", "p(X) <= (age(X, 1))"], "L12", "no clause defines"),
        (["# becomes: q(X)", "p(X) <= (age(X, 1))"], "L16", "no declared fact"),
        (["# ends: knows(X)", "p(X) <= (age(X, 1))"], "L16", "no declared fact"),
        (["# ends: ~knows(X, X)", "p(X) <= (age(X, 1))"], "L16", "no declared fact"),
        (["# becomes: knows(X, Y)", "p(X) <= (age(X, 1))"], "L16", "what Y is"),
        (["# goes: Y", "p(X) <= (age(X, 1))"], "L16", "what Y is"),
        (["# verb: X", "p(X) <= (age(X, 1))"], "S12", "a verb joins the terms of the head"),
        (["# verb: X Run", "p(X) <= (age(X, 1))"], "S12", "a verb joins the terms of the head"),
        (["# verb: X run Y", "p(X) <= (age(X, 1))"], "S12", "a verb joins the terms of the head"),
        (["# yes: so it is"], "S12", "with no clause below it"),
        (["# text: 1234", "p(X) <= (age(X, 1))"], "S12", "a digest looks like"),
        (["# sort: X is a name", "p(X) <= (age(X, 1))"], "S12", "belongs to the vocabulary"),
        (["# yess: so it is", "p(X) <= (age(X, 1))"], "S12", "no note is called 'yess'"),
        (["##1.2", "p(X) <= (age(X, 1))"], "S12", "a section heading without a number"),
        (["age(X, Y) <= (knows(X, _Z) & age(X, Y))"], "L11", "a declared fact"),
    ],
)
def test_notes_and_sentences(tmp_path: Path, lines: list[str], code: str, what: str) -> None:
    found = [e for e in faults_of(tmp_path, *lines) if e.code != "L07"]
    assert [e.code for e in found] == [code]
    assert what in found[0].what


@pytest.mark.parametrize("note", ["  # yes: {Z}", "#yes: {Z}", "\t# no: {Z}"])
def test_a_note_out_of_place_is_not_taken_for_a_comment(tmp_path: Path, note: str) -> None:
    assert codes_of(tmp_path, note, "p(X) <= (age(X, 1))") != []


def test_plain_comments_are_comments(tmp_path: Path) -> None:
    lines = [
        "# Nothing to say here.",
        "#",
        "#: or here",
        "p(X) <= (  # in a clause: too",
        "age(X, 1))",
    ]
    assert codes_of(tmp_path, *lines) == []


def test_sizes_are_held(tmp_path: Path) -> None:
    long = "p(X) <= (" + " & ".join(["age(X, 1)"] * 70) + ")"
    assert codes_of(tmp_path / "1", long) == ["S02"]
    assert codes_of(tmp_path / "2", f"p('{'a' * 2100}') <= (age(_X, 1))") == ["S02"]
    assert codes_of(
        tmp_path / "3", "p(X) <= (" + "\n".join(["age(X, 1) &"] * 900) + "age(X, 1))"
    ) == ["S02"]
    assert codes_of(tmp_path / "4", f"p({', '.join(['X'] * 17)}) <= (age(X, 1))") == ["S11"]
    assert codes_of(tmp_path / "5", "# " + "a" * 1_000_000) == ["S02"]
    assert codes_of(tmp_path / "6", "p(X) <= (age(X, Y) & (Y > " + "1 + " * 450 + "1))") == ["S02"]


def test_a_variable_spoken_of_is_used(tmp_path: Path) -> None:
    lines = ["p(X) <= (age(X, 1))", "# yes: {X} is {Years}", "p(X) <= (age(X, Years))"]
    write_book(tmp_path, "\n".join(["## 1.1  T", *lines, ""]))
    assert [e.code for e in style(load(tmp_path)) if e.code == "W01"] == []


def test_a_predicate_that_tells_itself_is_refused(tmp_path: Path) -> None:
    clause = "kin(X) <= (age(X, 1))"
    assert codes_of(tmp_path, "# yes: {X} is kin", "# tells: kin(X)", clause) == ["L15"]


def test_what_tells_something_that_rests_on_it_can_be_explained(tmp_path: Path) -> None:
    lines = ["# yes: {X} is kin", "# tells: near(X)", "kin(X) <= (age(X, 1))"]
    lines += ["# yes: {X} is near", "near(X) <= (kin(X))"]
    write_book(tmp_path, "\n".join(["## 1.1  T", *lines, ""]))
    book = load(tmp_path)
    game = Session(book, table({"age": {"Ann": 1}}, book.vocabulary))
    assert [line.text for line in game.ask("kin(Ann)").reason] == ["Ann is kin", "Ann is near"]


SORTS = "# sort: Person is a name\n# sort: Years is a number\n"
AGE = "# fact: age(Person, Years)\n"


@pytest.mark.parametrize(
    ("vocabulary", "code", "what"),
    [
        (SORTS + "# sort: T is a bird\n" + AGE, "V02", "this sort can't be read"),
        (SORTS + "# sort: t is a name\n" + AGE, "V02", "this sort can't be read"),
        (SORTS + "# sort: T is any of Person, Nope\n" + AGE, "V01", "Nope"),
        (SORTS + "# sort: T is like Nope\n" + AGE, "V01", "Nope"),
        (SORTS + "# sort: A is like B\n# sort: B is like A\n" + AGE, "V02", "A"),
        (SORTS + AGE + "# key: Person, Yaers\n", "V02", "no argument Yaers"),
        (SORTS + AGE + "# names: Persons\n", "V02", "no argument Persons"),
        (SORTS + AGE + "# table: age.Person\n", "V02", "this table key can't be read"),
        (SORTS + AGE + "# table: age = Years\n", "V02", "this table key can't be read"),
        (SORTS + AGE + "# table: Person.age = Years\n", "V02", "this table key can't be read"),
        (SORTS + AGE + "# default: age(X, 1)\n", "V02", "a default holds constants"),
        (SORTS + AGE + "# default: age('Ann')\n", "V02", "default"),
        (SORTS + AGE + "# default: aeg('Ann', 1)\n", "V02", "default"),
        (SORTS + AGE + "# verb: Person age Years\n", "V02", "a declared fact has no verb"),
        (SORTS + AGE + "# yes: {Persn} is {Years}\n", "L10", "{Persn}"),
        (SORTS + AGE + AGE, "V03", "age is declared twice"),
        (SORTS + AGE + "# fact: kin(Person, Person)\n", "V02", "Person"),
        (SORTS + AGE + "# nmaes: Person\n", "S12", "no note is called 'nmaes'"),
        (SORTS + AGE + "p(X) <= (age(X, 1))\n", "S13", "under no rule"),
        (SORTS + AGE + "## t  T\np(X) <= (aeg(X, 1))\n", "L01", "no predicate is called aeg"),
    ],
)
def test_faults_of_a_vocabulary(tmp_path: Path, vocabulary: str, code: str, what: str) -> None:
    found = faults_of(tmp_path, "fine(P) <= (age(P, _Y))", vocabulary=vocabulary)
    assert [e.code for e in found] == [code], [str(e) for e in found]
    assert what in found[0].what
    assert found[0].place
    assert found[0].place.file == "vocabulary.dl"


def test_faults_of_an_edition(tmp_path: Path) -> None:
    fine = "## 1.1  Fine\nfine(P) <= (age(P, _Y))\n"
    write_book(tmp_path, fine)
    edition = tmp_path / "book" / "edition.toml"
    for text, what in (
        ("title = ", "edition.toml is not TOML"),
        ('titel = "A book"', "edition.toml knows no key 'titel'"),
        ('title = "A book"\nbase = "nowhere"', "no edition is called 'nowhere'"),
        (f"title = 'A book'\nbase = '{tmp_path / 'book'}'", "each other's base"),
        ('title = "A book"\ndrop = ["7.7"]', "drops 7.7, which its base doesn't have"),
    ):
        edition.write_text(text, encoding="utf-8")
        with pytest.raises(SeatlogError) as caught:
            load(tmp_path)
        assert what in str(caught.value)
    edition.write_text('title = "A book"', encoding="utf-8")
    assert load(tmp_path).sections["1.1"].title == "Fine"
    (tmp_path / "book" / "1.1_rules.dl").write_bytes(fine.encode() + b"# \xff\n")
    with pytest.raises(SeatlogError, match="not UTF-8"):
        load(tmp_path)
    (tmp_path / "book" / "1.1_rules.dl").write_bytes(
        b"\xef\xbb\xbf" + fine.replace("\n", "\r\n").encode()
    )
    assert load(tmp_path).sections["1.1"].title == "Fine"


@pytest.mark.parametrize("head", ["cant_x", "can_not_x", "cannt_x", "canot_x", "cannot_xx"])
def test_a_prohibition_with_a_misspelt_head_is_seen_though_it_speaks(
    tmp_path: Path, head: str
) -> None:
    book = book_of(
        tmp_path,
        "# yes: {P} may",
        "# no: {P} may not",
        "can_x(P) <= (knows(P, P) & ~cannot_x(P))",
        "# yes: {P} is barred",
        "cannot_x(P) <= (knows(P, P))",
        "# yes: {P} is barred as well",
        f"{head}(P) <= (knows(P, P))",
    )
    found = [f for f in style(book) if f.code == "W03"]
    assert [(f.what, f.hint) for f in found] == [
        (f"nothing uses {head}", 'did you mean "cannot_x"?')
    ]

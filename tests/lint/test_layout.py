"""Clause files laid out are the same book, fit their columns, and stay as they are.

What was laid out is made rough again and laid out once more; random texts go the same way.
"""

from __future__ import annotations

import contextlib
import errno
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forks import PIPE
from places import ROOT, TESTS
from processes import warm
from seatlog.book import Book
from seatlog.budget import Step
from seatlog.commands.fmt import Laid, Target, command
from seatlog.commands.fmt import _write as write_all
from seatlog.editions import editions, load_book, texts_of
from seatlog.errors import Faults, Place, SeatlogError, TextError
from seatlog.language import (
    NOTES,
    Entry,
    Heading,
    Note,
    clause_lines,
    create,
    laid_out,
    note_literal,
    read_clauses,
    replace,
)
from seatlog.model import Clause, show_value
from seatlog.views import section_lines

OTHER = TESTS / "other_book"
FOLDERS = (ROOT / "rules", ROOT / "facts", OTHER / "rules", OTHER / "facts")
FILES = sorted(path for folder in FOLDERS for path in folder.rglob("*.dl"))
WIDTH = 100

TOKEN = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|#[^\n]*|\n|\s+|\w+|[<>=!]=|.")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def entries(text: str) -> tuple[Entry, ...]:
    """What a text says."""
    reading = read_clauses(text, "x.dl")
    assert not reading.errors, str(reading.errors[0])
    return reading.entries


def said(text: str) -> list[Entry]:
    """What a text says, without places."""
    return list(map(bare, entries(text)))


def bare(entry: Entry) -> Entry:
    if isinstance(entry, Clause):
        return entry._replace(place=Place(""), spots=())
    if isinstance(entry, Note):
        return entry._replace(place=Place(""), parts=())
    return entry._replace(place=Place(""))


def remarks(text: str, found: tuple[Entry, ...]) -> list[str]:
    """The words of the plain comments of a text with these entries, wherever they stand."""
    covered = set()
    for entry in found:
        last = entry.last if isinstance(entry, Note) else entry.place.line
        if not isinstance(entry, Clause):
            covered |= set(range(entry.place.line, last + 1))
    words: list[str] = []
    line = 1
    for token in TOKEN.findall(text):
        if token.startswith("#") and line not in covered:
            words += re.findall(r"\w+", token)
        line += token.count("\n")
    return words


def too_long(text: str) -> list[str]:
    """Lines that could be shorter: not headings, nor what can't be broken."""
    long = (line for line in text.split("\n") if len(line) > WIDTH)
    return [x for x in long if not x.startswith("## ") and len(TOKEN.findall(x.strip(" ,&~"))) > 3]


# The books that are shipped.


@pytest.mark.parametrize("path", FILES, ids=name)
def test_books_are_laid_out(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not [line for line in text.split("\n") if len(line) > WIDTH]
    assert laid_out(text, name(path)) == text


def rough(text: str, dice: random.Random) -> str:
    """A laid-out text as somebody may have typed it: the same on fewer lines, oddly spaced."""
    text = re.sub(r"\n#     ", " ", text)
    out = []
    depth = 0
    for token in TOKEN.findall(text):
        depth += (token == "(") - (token == ")")
        gap = dice.choice(("", " ", "\n  ", "   "))
        if token.startswith("##"):
            out.append(token.replace("  ", dice.choice((" ", "    ")), 1) + " " * dice.randrange(3))
        elif token.isspace() and depth:
            out.append(gap or " ")
        elif depth and token[0] in "(),&~<>=!+-" and not out[-1].endswith("~"):
            out.append(f"{gap if token != '(' else ''}{token}{dice.choice(('', ' '))}")
        else:
            out.append(token)
    return re.sub(r"(?m)^\n", lambda _: "\n" * dice.randrange(1, 4), "".join(out))


@pytest.mark.parametrize("path", FILES, ids=name)
def test_books_made_rough_are_laid_out_as_before(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    odd = rough(text, random.Random(name(path)))
    assert laid_out(odd, name(path)) == text


@pytest.mark.parametrize("edition", editions())
def test_a_rough_book_is_the_same_book(edition: str, tmp_path: Path) -> None:
    dice = random.Random(edition)
    folder = tmp_path / edition
    shutil.copytree(ROOT / "rules" / edition, folder)
    for path in folder.rglob("*.dl"):
        path.write_text(rough(path.read_text(encoding="utf-8"), dice), encoding="utf-8")
    assert placeless(load_book(str(folder))) == placeless(load_book(edition))


def placeless(book: Book) -> dict[str, object]:
    """A book without its places."""
    return {
        "clauses": [c._replace(place=Place("")) for c in book.clauses],
        "sections": [
            (s.number, s.title, s.digests, s.left_out, s.stands_for) for s in book.sections.values()
        ],
        "predicates": {
            n: (p.params, p.yes, p.no, p.tells, p.doubts, p.walk, p.outcomes, p.alarm)
            for n, p in book.predicates.items()
        },
        "verbs": book.verbs,
        "sorts": book.arg_sorts,
    }


def test_a_whole_edition_is_laid_out_quickly() -> None:
    texts = texts_of("cr")
    start = time.process_time()
    for file, text in texts.items():
        laid_out(text, file)
    assert time.process_time() - start < 2


# The layout, case by case.

HEAD = "## 1.1  Rules\n\n"

CASES = {
    "few literals on one line": (
        "p( X )<=(q(X)&~r(X ,'a')&( X!=3 ))",
        "p(X) <= (q(X) & ~r(X, 'a') & (X != 3))",
    ),
    "no brackets": ("p(X) <= q(X)", "p(X) <= (q(X))"),
    "brackets of no use": ("p(X) <= (((q((X)))))", "p(X) <= (q(X))"),
    "four literals": (
        "p(X) <= (q(X) & r(X) & s(X) & t(X))",
        "p(X) <= (\n    q(X)\n    & r(X)\n    & s(X)\n    & t(X)\n)",
    ),
    "nothing is turned round": (
        "p(X) <= (q(X) & (3 < X) & (count(Y, r(X, Y)) == X))",
        "p(X) <= (q(X) & (3 < X) & (count(Y, r(X, Y)) == X))",
    ),
    "a sum": (
        "p(X) <= (q(X, A, B) & (X == A-(B-1)+ -2))",
        "p(X) <= (q(X, A, B) & (X == A - (B - 1) + -2))",
    ),
    "strings": (
        r"""p(X) <= (q(X, "a", 'it\'s', "say \"so\"", 'b\\c', "'\""))""",
        r"""p(X) <= (q(X, 'a', "it's", 'say "so"', 'b\\c', '\'"'))""",
    ),
    "a comment in a clause": (
        "# no: x\np(X) <= ( # first\n  q(X) # then\n\n # alone\n ) # behind",
        "# no: x\n# first\n# then\n# alone\n# behind\np(X) <= (q(X))",
    ),
    "comments that would be taken for something else": (
        "# no: x\np(X) <= ( # no: more\n q(X) #     more\n & r(X) ## 2.2  Other\n ) # See: it",
        "# no: x\n# (no: more)\n# more\n# 2.2  Other\n# (See: it)\np(X) <= (q(X) & r(X))",
    ),
    "indented comments": (
        "# no: x\n      #     more\n   # See: it\n \t#so\np(X) <= (q(X))",
        "# no: x\n# more\n# (See: it)\n#so\np(X) <= (q(X))",
    ),
    "blank lines": (
        "\n\n\np(X) <= (q(X))\n  \n\t\n\n# a\n\n\n# b\np(X) <= (r(X))\n\n\n",
        "p(X) <= (q(X))\n\n# a\n\n# b\np(X) <= (r(X))",
    ),
    "headings and notes": (
        "p(X) <= (q(X))\n##   2\tTwo  \n\n#\ttext:   sha256:0123456789abcdef  x 1\n# no:  y\n"
        "p(X) <= (r(X))\n# about three\n## 3 Three\n## 4\n# plain\n# left out: x",
        "p(X) <= (q(X))\n\n## 2  Two\n# text: sha256:0123456789abcdef  x 1\n\n# no: y\n"
        "p(X) <= (r(X))\n# about three\n\n## 3  Three\n\n## 4\n\n# plain\n# left out: x",
    ),
    "a long note": (
        "# yes: " + "word " * 20 + "no: more\n#      and\n# bookkeeping:\np(X) <= (q(X))",
        "# yes: " + "word " * 17 + "word\n#     word word no: more and\n# bookkeeping:\n"
        "p(X) <= (q(X))",
    ),
    "a note that would go on as another": (
        "# yes: " + "word " * 18 + "text: more\np(X) <= (q(X))",
        "# yes: " + "word " * 16 + "word\n#     word text: more\np(X) <= (q(X))",
    ),
    "a long comment": (
        "#    " + "word " * 30 + "\n# - short\np(X) <= (q(X))",
        "#    " + "word " * 18 + "word\n#    " + "word " * 10 + "word\n# - short\np(X) <= (q(X))",
    ),
    "a long head": (
        f"p({', '.join('Variable' + str(n) for n in range(10))}) <= (q(Variable1))",
        "p(\n"
        + ",\n".join(f"    Variable{n}" for n in range(10))
        + "\n) <= (\n    q(Variable1)\n)",
    ),
    "a long literal": (
        f"p(X) <= (~q(X, {', '.join('Variable' + str(n) for n in range(9))}, 'last one'))",
        "p(X) <= (\n    ~q(\n        X,\n"
        + "".join(f"        Variable{n},\n" for n in range(9))
        + "        'last one'\n    )\n)",
    ),
    "a long count": (
        f"p(X) <= (q(X) & (X == count(Y, {'r' * 37}(Y, 'something long', 'something longer'))))",
        "p(X) <= (\n    q(X)\n    & (\n        X\n"
        f"        == count(Y, {'r' * 37}(Y, 'something long', 'something longer'))\n    )\n)",
    ),
    "a longer count": (
        f"p(X) <= (q(X) & (X == count(Y, {'r' * 60}(Y, 'something long', 'something longer'))))",
        "p(X) <= (\n    q(X)\n    & (\n        X\n        == count(\n            Y,\n"
        f"            {'r' * 60}(\n                Y,\n                'something long',\n"
        "                'something longer'\n            )\n        )\n    )\n)",
    ),
    "a long sum": (
        f"p(X) <= (q(X) & (X == {'A' * 50} - ({'B' * 50} - {'C' * 50} + 1) + 2))",
        f"p(X) <= (\n    q(X)\n    & (\n        X\n        == {'A' * 50}\n            - (\n"
        f"                {'B' * 50}\n                    - {'C' * 50}\n                    + 1\n"
        "            )\n            + 2\n    )\n)",
    ),
    "what can't be broken": (
        f"p(X) <= (q(X, '{'long ' * 30}'))",
        f"p(X) <= (\n    q(\n        X,\n        '{'long ' * 30}'\n    )\n)",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_layout(case: str) -> None:
    before, after = CASES[case]
    found = laid_out(HEAD + before, "x.dl")
    assert found == HEAD + after + "\n"
    assert laid_out(found, "x.dl") == found
    assert said(found) == said(HEAD + before)
    assert remarks(found, entries(found)) == remarks(HEAD + before, entries(HEAD + before))


@pytest.mark.parametrize(("before", "after"), [("", ""), ("\n \n", ""), (" # a", "# a\n")])
def test_little_text(before: str, after: str) -> None:
    assert laid_out(before, "x.dl") == after


def test_facts_are_laid_out() -> None:
    assert clause_lines("+  fact( 'a',1,-2 )") == ["+ fact('a', 1, -2)"]
    long = [f"some long name, number {n}" for n in range(5)]
    assert clause_lines(f"+ fact({', '.join(map(show_value, long))})") == [
        "+ fact(",
        *(f"    {show_value(each)}," for each in long[:-1]),
        f"    {show_value(long[-1])}",
        ")",
    ]


# Random texts.


class Writer:
    """Writes random clause files, oddly spaced, and knows what they say."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.notes: list[tuple[str, str]] = []
        self.clauses = 0

    def text(self) -> str:
        parts = [self.comments(), self.heading()]
        for _ in range(self.dice.randrange(6)):
            parts += [self.comments(), self.dice.choice((self.clause, self.heading))()]
        parts.append(self.comments())
        text = "".join(parts)
        return text.rstrip("\n") if self.dice.random() < 0.3 else text

    def gap(self, most: int = 2) -> str:
        return self.dice.choice(("", "", " ", " " * self.dice.randrange(most + 1), "\t"))

    def word(self) -> str:
        """A part of a sentence, colons, braces and double spaces among them."""
        odd = ("{Player}", "no:", "it's", "left out:", "x:", "a  b", "—", "花子", "#", "##", "…")
        return self.dice.choice(
            (*odd, *(["word", "and", "longer"] * 4), "w" * self.dice.randrange(1, 30))
        )

    def words(self, most: int) -> str:
        return " ".join(self.word() for _ in range(self.dice.randrange(1, most))).strip()

    def heading(self) -> str:
        number = f"{self.dice.randrange(9)}.{self.dice.randrange(9)}"
        title = self.words(5) if self.dice.random() < 0.8 else ""
        lines = [f"##{' ' * self.dice.randrange(1, 4)}{number}  {title}".rstrip() + self.gap()]
        if self.dice.random() < 0.5:
            lines += [*self.blank(), *self.note("section")]
        return "\n".join([*lines, ""])

    def blank(self) -> list[str]:
        return [self.gap() for _ in range(self.dice.choice((0, 0, 0, 1, 3)))]

    def comments(self) -> str:
        lines = self.blank()
        for _ in range(self.dice.choice((0, 0, 1, 2))):
            lines += [*self.comment(), *self.blank()]
        return "".join(f"{line}\n" for line in lines)

    def comment(self) -> list[str]:
        """A comment by itself, now and then far longer than a line."""
        start = self.dice.choice(("# ", "#", "#!", "   # ", "  #     ", "# - ", "\t# See: "))
        after = self.words(self.dice.choice((5, 50))).lstrip("#!: ").replace(":", ";") or "x"
        return [f"{start}{after}"]

    def note(self, kind: str) -> list[str]:
        """A note over one line or several."""
        key = self.dice.choice([k for k, kinds in NOTES.items() if kinds == kind])
        words = self.words(self.dice.choice((4, 40)))
        lines = [f"#{self.dice.choice(' 	')}{key}:{' ' * self.dice.randrange(1, 4)}{words}"]
        while self.dice.random() < 0.3:
            more = self.words(8).lstrip("#: ")
            if re.match(r"[a-z ]+:", more) or not more:
                continue
            lines.append(f"#{' ' * self.dice.randrange(4, 9)}{more}{self.gap()}")
            words += f" {more}"
        self.notes.append((key, words))
        return lines

    def clause(self) -> str:
        self.clauses += 1
        notes = [line for _ in range(self.dice.choice((0, 1, 2))) for line in self.note("clause")]
        items = [self.item() for _ in range(self.dice.choice((1, 2, 3, 4, 9)))]
        body = ["&"] * (2 * len(items) - 1)
        body[::2] = items
        laid = "".join(self.inside() + each for each in body)
        text = f"{self.literal()}{self.gap()}<={self.gap()}({laid}{self.inside()})"
        behind = f"{self.gap()}# {self.word()}{self.dice.choice((' x', ': y'))}"
        return "\n".join([*notes, text + behind * (self.dice.random() < 0.2), ""])

    def inside(self) -> str:
        """White space between the items of a body, with comments in it."""
        roll = self.dice.random()
        if roll < 0.1:
            return f" # {self.word()}\n\n{self.gap(8)}"
        return "\n    " if roll < 0.3 else self.gap(4)

    def item(self) -> str:
        roll = self.dice.random()
        if roll < 0.6:
            return self.dice.choice(("", "~", "~ ")) + self.literal()
        if roll < 0.8:
            op = self.dice.choice(("==", "!=", "<", "<=", ">", ">="))
            left, right = self.sum(3), self.sum(3)
            return f"({self.gap()}{left}{self.gap()}{op}{self.gap()}{right}{self.gap()})"
        counted, result = self.variable(), self.variable()
        count = f"count({counted},{self.gap()}{self.literal(counted)})"
        sides = [result, count]
        self.dice.shuffle(sides)
        return f"({sides[0]} == {sides[1]})"

    def literal(self, first: str = "") -> str:
        name = self.dice.choice(("p", "is_so", "q" * self.dice.randrange(1, 120)))
        args = [self.atom() for _ in range(self.dice.choice((1, 2, 3, 12)))]
        args = [first, *args] if first else args
        gap = self.dice.choice((" ", "\n  ", ""))
        return f"{name}({self.gap()}{f'{self.gap()},{gap}'.join(args)}{self.gap()})"

    def variable(self) -> str:
        return self.dice.choice(("X", "Player", "_Other", "V" * self.dice.randrange(1, 60)))

    def atom(self) -> str:
        roll = self.dice.random()
        if roll < 0.6:
            return self.variable()
        if roll < 0.75:
            return str(self.dice.choice((0, 7, 2**31 - 1, -3, "- 4", "0x1F", "1_000", "(5)")))
        value = "".join(self.dice.choice("ab '\"\\#&花é(),") for _ in range(self.dice.randrange(9)))
        value *= self.dice.choice((1, 1, 1, 20))
        quote = self.dice.choice("'\"")
        return quote + value.replace("\\", "\\\\").replace(quote, f"\\{quote}") + quote

    def sum(self, depth: int) -> str:
        roll = self.dice.random()
        if depth == 0 or roll < 0.5:
            return self.atom()
        left, right = self.sum(depth - 1), self.sum(depth - 1)
        whole = f"{left}{self.gap()}{self.dice.choice('+-')} {right}"
        return f"({whole})" if self.dice.random() < 0.5 else whole


@pytest.mark.parametrize("block", range(int(os.environ.get("SEATLOG_LAYOUTS", "10"))))
def test_random_texts_survive(block: int) -> None:
    for seed in range(block * 100, block * 100 + 100):
        writer = Writer(seed)
        text = writer.text()
        read = entries(text)
        before = list(map(bare, read))
        kept = [(e.key, e.text) for e in before if isinstance(e, Note)]
        assert kept == [(key, words.strip()) for key, words in writer.notes], text
        assert sum(isinstance(e, Clause) for e in before) == writer.clauses
        after = laid_out(text, "x.dl")
        again = entries(after)
        assert list(map(bare, again)) == before, text
        assert laid_out(after, "x.dl") == after, text
        assert remarks(after, again) == remarks(text, read), text
        assert not too_long(after), after
        assert not re.search(r"\n\n\n|[ \t]$|\A\n|\n\n\Z", after, re.MULTILINE) or not after, after
        headings = sum(isinstance(e, Heading) for e in before)
        assert len(re.findall(r"(?m)(?:\A|^\n)## ", after)) == headings, after


# What is refused.


@pytest.mark.parametrize("path", sorted((TESTS / "bad").glob("*.dl")), ids=lambda p: p.stem)
def test_what_the_reader_refuses_is_refused(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    errors = read_clauses(text, path.name).errors
    if not errors:
        assert said(laid_out(text, path.name)) == said(text)
        return
    with pytest.raises(SeatlogError) as caught:
        laid_out(text, path.name)
    found = caught.value.errors if isinstance(caught.value, Faults) else (caught.value,)
    assert [str(e) for e in found] == [str(e) for e in errors]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("p(X)<=(" + "&\n".join([f"{'q' * 119}(X)"] * 64) + ")", 2, "8,000 are the most"),
        ("p(X) <= (X == " + "A-(" * 19 + "A-A" + ")" * 19 + ")", 2, "nested more than 20"),
        (f"p(X)<=q(\n'{'s' * 1_998}'\n)", 2, "this line has 2,008 characters"),
    ],
)
def test_what_would_be_too_large_laid_out_is_refused(text: str, line: int, what: str) -> None:
    whole = f"## 1.1  Rules\n{text}\n"
    assert said(whole)
    with pytest.raises(TextError) as caught:
        laid_out(whole, "x.dl")
    error = caught.value
    assert error.place and error.place.line == line
    assert error.code == "S02" and what in error.what


# Long notes.


def test_a_note_goes_on_in_indented_lines() -> None:
    text = (
        "# yes: one\n#     two  three \n#    # four\n# five\n#     six\n\n#     seven\n"
        "# no: a\n   #     b\n# bookkeeping:\n#     c\n"
    )
    found = read_clauses(text, "x.dl").entries
    assert [(e.key, e.text) for e in found if isinstance(e, Note)] == [
        ("yes", "one two  three # four"),
        ("no", "a"),
        ("bookkeeping", "c"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "column", "width"),
    [
        ("# tells: knows(Ann, Other)", 1, 16, 3),
        ("# tells: knows(\n#     ann, Other)", 2, 7, 3),
        ("# tells: knows(Other,\n#      Other,\n#        ann)", 3, 10, 3),
        ("# tells:\n#     knows(ann)", 2, 13, 3),
        ("# tells: knows(Other,\n#     'ann", 2, 7, 1),
    ],
)
def test_a_fault_in_a_long_note_is_shown_where_it_is(
    text: str, line: int, column: int, width: int
) -> None:
    text = text.replace("Ann", "ann")
    reading = read_clauses(text, "x.dl")
    (note,) = reading.entries
    assert isinstance(note, Note)
    with pytest.raises(TextError) as caught:
        note_literal(note, reading.source)
    place = caught.value.place
    assert place and (place.line, place.column, place.width) == (line, column, width)
    assert place.excerpt == text.split("\n")[line - 1]


def test_a_note_in_a_note_is_refused() -> None:
    (error,) = read_clauses("# yes: one\n#     no: two\n", "x.dl").errors
    assert error.code == "S12" and error.place and error.place.line == 2
    long = "# yes: one\n" + f"#     {'word ' * 300}\n" * 9
    (error,) = read_clauses(long, "x.dl").errors
    assert error.code == "S02" and error.place and error.place.line == 1
    with pytest.raises(TextError):
        laid_out(long, "x.dl")


def test_a_hole_in_a_second_line_is_shown_there(tmp_path: Path) -> None:
    (tmp_path / "edition.toml").write_text('title = "A book"\n', encoding="utf-8")
    text = "## 1.1  Rules\n# yes: {Thing} is\n#     no {Thng}\np(Thing) <= (object(Thing))\n"
    (tmp_path / "1.1_x.dl").write_text(text, encoding="utf-8")
    with pytest.raises(SeatlogError) as caught:
        load_book(str(tmp_path))
    assert "1.1_x.dl:3:10: L10" in str(caught.value)
    assert "    #     no {Thng}\n             ^^^^^^\n" in str(caught.value)


# Files.


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """A project of two rough files and a vocabulary that is laid out."""
    (tmp_path / "rules" / "row" / "1").mkdir(parents=True)
    (tmp_path / "rules" / "row" / "edition.toml").write_text('title = "Row"\n', encoding="utf-8")
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "vocabulary.dl").write_text("# sort: A is a name\n", encoding="utf-8")
    for number in "12":
        path = tmp_path / "rules" / "row" / "1" / f"1.{number}_x.dl"
        path.write_text(f"## 1.{number} X\np(X)<=q(X)\n", encoding="utf-8")
    return tmp_path


def run(
    folder: Path, *words: str, typed: bytes = b"", limit: int = 0
) -> subprocess.CompletedProcess[bytes]:
    """The command in a folder; ``limit`` is the most that a file may hold."""

    def limited() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    if not limit and len(typed) <= PIPE:
        done = warm().run(["fmt", *words], folder, os.environ, typed)
        return subprocess.CompletedProcess(words, done.code, done.out, done.err)
    prepare: Callable[[], None] | None = limited if limit else None
    return subprocess.run(
        [sys.executable, "-m", "seatlog", "fmt", *words],
        cwd=folder,
        input=typed,
        capture_output=True,
        check=False,
        timeout=60,
        preexec_fn=prepare,
    )


def files(folder: Path) -> dict[str, bytes]:
    return {p.as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


ONE, TWO = "rules/row/1/1.1_x.dl", "rules/row/1/1.2_x.dl"


def test_a_project_is_laid_out(garden: Path) -> None:
    before = files(garden)
    done = run(garden, "--check")
    assert done.returncode == 1
    assert done.stdout.decode().splitlines() == [
        ONE,
        TWO,
        "2 files would be laid out, 1 already",
    ]
    done = run(garden, "--diff")
    assert done.returncode == 1 and b"+p(X) <= (q(X))\n" in done.stdout
    assert files(garden) == before
    (garden / ONE).chmod(0o640)
    done = run(garden)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"2 files laid out, 1 left alone\n"
    assert (garden / ONE).read_bytes() == b"## 1.1  X\n\np(X) <= (q(X))\n"
    assert (garden / ONE).stat().st_mode & 0o777 == 0o640
    assert len(files(garden)) == len(before)
    assert run(garden, "--check").returncode == run(garden, "row", "--diff").returncode == 0


def test_a_difference_can_be_applied(garden: Path) -> None:
    (garden / ONE).write_bytes(b"## 1.1 X\r\np(X)<=q(X)")
    patch = shutil.which("patch")
    if not patch:
        pytest.skip("no patch here")
    done = run(garden, "--diff")
    subprocess.run([patch, "-p0", "--binary"], cwd=garden, input=done.stdout, check=True)
    assert run(garden, "--check").returncode == 0


def test_a_fault_in_one_file_keeps_all_as_they_are(garden: Path) -> None:
    (garden / TWO).write_text("## 1.2 X\np(X) <= (q(X)\n# wlak: x\n", encoding="utf-8")
    before = files(garden)
    for words in ((), ("--check",), ("--diff",), (ONE, TWO)):
        done = run(garden, *words)
        assert (done.returncode, done.stdout) == (2, b"")
        assert f"{TWO}:2:9: S01".encode() in done.stderr
    assert files(garden) == before


def test_a_full_disk_leaves_files_as_they_are(garden: Path) -> None:
    (garden / TWO).write_text("## 1.2 X\n" + "p(X)<=q(X)\n" * 500, encoding="utf-8")
    before = files(garden)
    done = run(garden, limit=4_096)
    assert done.returncode == 2
    assert f"error: {TWO}: this file can't be written".encode() in done.stderr
    assert files(garden) == before


@pytest.mark.parametrize("stop", [OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()])
def test_what_goes_wrong_half_way_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: BaseException
) -> None:
    paths = [tmp_path / each for each in ("a", "b")]
    for path in paths:
        create(path, "before")
    calls = iter([None, stop])

    def sync(_handle: int) -> None:
        if found := next(calls):
            raise found

    monkeypatch.setattr(os, "fsync", sync)
    with pytest.raises(type(stop)) as caught:
        replace(dict.fromkeys(paths, "after"))
    assert getattr(caught.value, "filename", str(paths[1])) == str(paths[1])
    assert files(tmp_path) == {path.as_posix(): b"before" for path in paths}


def test_a_file_that_changes_meanwhile_is_left_alone(
    garden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(garden)
    target = Target(TWO, TWO)
    laid = Laid(target, b"## 1.2 X\n", "## 1.2  X\n")
    step = Step(bytearray(100_000), lambda _sign: None)
    before = files(garden)
    with pytest.raises(TextError, match="has changed meanwhile"):
        write_all([laid], step)
    assert files(garden) == before


@pytest.mark.skipif(sys.platform != "linux", reason="stops a process group")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_who_ends_it_while_it_writes_leaves_no_drafts(garden: Path, number: int) -> None:
    """Everybody in the group is told, twice, as by a terminal that is closed."""
    folder = garden / "rules" / "row" / "1"
    for n in range(3, 300):
        (folder / f"1.{n}_x.dl").write_text(f"## 1.{n} X\np(X)<=q(X)\n", encoding="utf-8")
    command = [sys.executable, "-m", "seatlog", "fmt"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=garden, start_new_session=True, stdout=pipe, stderr=pipe
    ) as process:
        while process.poll() is None and not list(folder.glob("*.tmp")):
            time.sleep(0.001)
        for _ in range(2):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            time.sleep(0.01)
        process.communicate(timeout=60)
    assert not list(folder.glob("*.tmp"))
    assert run(garden, "--check").stdout == b"0 files would be laid out, 300 already\n"


def test_a_file_that_may_only_be_read_is_refused(garden: Path) -> None:
    (garden / TWO).chmod(0o444)
    before = files(garden)
    done = run(garden)
    assert done.returncode == 2 and f"{TWO}: this file can't be written".encode() in done.stderr
    assert files(garden) == before
    assert run(garden, "--check").returncode == 1


def test_a_link_is_left_as_it_is(garden: Path) -> None:
    (garden / "own.dl").write_bytes((garden / ONE).read_bytes())
    (garden / ONE).unlink()
    (garden / ONE).symlink_to(garden / "own.dl")
    before = files(garden)
    done = run(garden)
    assert done.returncode == 2 and f"{ONE}: this is a link".encode() in done.stderr
    assert files(garden) == before and (garden / ONE).is_symlink()
    assert run(garden, "--check").returncode == 1
    assert run(garden, "own.dl").returncode == run(garden).returncode == 0
    assert (garden / ONE).is_symlink()
    assert (garden / ONE).read_bytes() == b"## 1.1  X\n\np(X) <= (q(X))\n"


def test_line_ends_and_marks_of_other_systems_go(garden: Path) -> None:
    (garden / ONE).write_bytes(b"\xef\xbb\xbf## 1.1  X\r\n\r\np(X) <= (q(X))\r\n")
    assert run(garden, ONE, "--check").returncode == 1
    assert run(garden, ONE).returncode == 0
    assert (garden / ONE).read_bytes() == b"## 1.1  X\n\np(X) <= (q(X))\n"


def test_standard_input(garden: Path) -> None:
    done = run(garden, "-", typed=b"## 1 X\r\np(X)<=q(X)")
    assert (done.returncode, done.stdout) == (0, b"## 1  X\n\np(X) <= (q(X))\n")
    assert run(garden, "-", "--check", typed=done.stdout).returncode == 0
    for typed, what in (
        (b"\xff", b"not UTF-8"),
        (b"#" * 1_000_001, b"larger than 1,000,000 bytes"),
        (b"p(X) <= (q(X))", b"standard input:1:1: S13"),
    ):
        done = run(garden, "-", typed=typed)
        assert (done.returncode, done.stdout) == (2, b"") and what in done.stderr
    closed = subprocess.run(
        ["sh", "-c", '"$0" -m seatlog fmt - <&-', sys.executable],
        cwd=garden,
        capture_output=True,
        check=False,
    )
    assert closed.returncode == 2 and b"standard input: this can't be read" in closed.stderr


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("rules/row/edition.toml",), b"this is no clause file"),
        (("rules",), b"has no edition.toml"),
        (("-", ONE), b"stands alone"),
        (("nothing.dl",), b"can't be read"),
        (("cr",), b"books that were installed stay as they are"),
        (("rwo",), b"no edition is called 'rwo'"),
    ],
)
def test_what_is_no_clause_file_is_refused(
    garden: Path, words: tuple[str, ...], what: bytes
) -> None:
    before = files(garden)
    done = run(garden, *words)
    assert (done.returncode, done.stdout) == (2, b"") and what in done.stderr
    assert files(garden) == before


def test_what_was_installed_is_only_looked_at(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == 2 and b"books that were installed" in done.stderr
    assert run(tmp_path, "--check").returncode == run(tmp_path, "cr", "--diff").returncode == 0
    assert command.name == "command"


# Sections as they stand in their files.


def shown(number: str, texts: dict[str, str]) -> list[str]:
    return section_lines(load_book("cr"), number, texts, {}, str)


def stretches(number: str, texts: dict[str, str]) -> Iterator[str]:
    """The lines below the headings of a number, indented, from the files themselves."""
    for text in texts.values():
        inside = False
        for line in text.split("\n"):
            inside = line.startswith(f"## {number} ") or (inside and not line.startswith("## "))
            if inside and not line.startswith(("## ", "# left out:")) and line:
                yield f"  {line}"


@pytest.mark.parametrize("edition", editions())
def test_every_section_is_shown_as_it_stands(edition: str) -> None:
    book, texts = load_book(edition), texts_of(edition)
    moved = {n for n, s in book.sections.items() if s.place.excerpt.split()[1] != n}
    for number, about in book.sections.items():
        found = section_lines(book, number, texts, {}, str)
        assert found[:2] == [f"{number}  {about.title}", f"  {about.place.file}:{about.place.line}"]
        own = {f: t for f, t in texts.items() if f"  {f}:" in "\n".join(found)}
        if number in moved or "continued" in about.left_out:
            continue
        lines = list(stretches(number, own))
        assert set(found) >= set(lines), number
        shown = sum(" <= (" in line or line.startswith("  + ") for line in found)
        assert shown == sum(c.rule == number for c in book.clauses)


@pytest.mark.parametrize("edition", editions())
def test_of_a_predicate_its_clauses_are_shown_and_no_others(edition: str) -> None:
    book, texts = load_book(edition), texts_of(edition)
    for head, clauses in book.by_head.items():
        for number in {c.rule for c in clauses}:
            own = [c for c in clauses if c.rule == number]
            for files in (texts, {}):
                found = section_lines(book, number, files, {}, str, head)
                assert found[1] == f"  {own[0].place.file}:{own[0].place.line}"
                text = "\n".join(line[2:] for line in found[2:] if line[2:12] != "background")
                text, _, others = text.partition("\nand ")
                read = read_clauses(f"## {number}  Shown\n{text}", "shown").entries
                said = [str(c) for c in read if isinstance(c, Clause)]
                assert said == [str(c) for c in own], head
                left = sum(c.rule == number for c in book.clauses) - len(own)
                assert others.split(" ")[0] == (str(left) if left else ""), (head, others)


def test_a_section_whose_file_has_changed_is_laid_out_anew() -> None:
    texts = texts_of("cr")
    file = "cr/801/801.4_targets.dl"
    whole = shown("801.4", texts)
    assert "  # no: what {Player} targets has to lie within {Player}'s range of influence" in whole
    for changed in ({}, {file: ""}, {file: "\n" + texts[file]}, {file: texts[file][:-3]}):
        found = shown("801.4", changed)
        assert found[:2] == whole[:2]
        assert found[2:] == [x for x in whole[2:] if x and not x.startswith("  #")]

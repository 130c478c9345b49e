"""The rules of a rule book, out of its text as it really comes."""

from __future__ import annotations

import os
import re
from collections import Counter
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from damaged import VARIANTS, damaged, plain
from places import SHARED
from seatlog.book import digest
from seatlog.errors import TextError
from seatlog.text import Issue, open_issue, read_issue

TEXTS = SHARED / "cr"
PAGES = SHARED / "sources"
DAMAGED = int(os.environ.get("SEATLOG_DAMAGED", "4"))
"""How many damaged issues are read; from 1,260 each issue is damaged in each way."""

SMALL = """A Garden's Rules

All of this is effective as of March 4, 2031.

Contents

1. Beds
100. General
101. The Shed Rules
Glossary
Credits

1. Beds

100. General

100.1. A bed is as wide as two arms are long. See rule 101.2b.
Example: Ann's bed is one pace wide.
Example: Ben's bed is two paces wide.

100.2. Nobody walks on a bed.

100.2a Boards are no beds. (See rule 100.1.)

100.2b. Cats are nobody.

101. The Shed Rules

101. 1a The shed is locked at night.

101.2 Who has the key opens it,
and whoever comes after may go in.

101.2b Spades come first.

Glossary

Bed
What vegetables stand in. See rule 100.

Shed
1. A house for spades.
2. A place to be out of the rain.

Credits

Dug by many.
"""


def read(text: str, file: str = "garden.txt") -> Issue:
    return read_issue(text.encode(), file)


def shape(issue: Issue) -> list[tuple[str, str, bool, int]]:
    """What has to be the same, however a text was saved."""
    return [(r.number, r.digest, r.heading, len(r.examples)) for r in issue.rules]


def accounted(issue: Issue, size: int) -> None:
    """Each line of the file is of one kind, or told of; rules stand in order, and don't overlap."""
    assert sum(issue.lines.values()) + len(issue.unaccounted) == size
    spans = [(rule.line, rule.last) for rule in issue.rules]
    assert all(0 < first <= last <= size for first, last in spans)
    assert all(last <= first for (_, last), (first, _) in pairwise(spans))


def texts(folder: Path = TEXTS) -> list[Path]:
    return sorted(folder.glob("*.txt"))


@cache
def original(path: Path) -> tuple[bytes, str]:
    data = path.read_bytes()
    return data, "\n".join(plain(data))


def test_a_book_is_read() -> None:
    issue = read(SMALL)
    assert (issue.date, issue.stated, issue.encoding) == ("2031-03-04", "effective", "ascii")
    assert issue.endings == {"lf": SMALL.count("\n")}
    assert [(r.number, r.printed, r.heading, r.line, r.last) for r in issue.rules] == [
        ("1", "1", True, 13, 13),
        ("100", "100", True, 15, 15),
        ("100.1", "100.1", False, 17, 19),
        ("100.2", "100.2", False, 21, 21),
        ("100.2a", "100.2a", False, 23, 23),
        ("100.2b", "100.2b.", False, 25, 25),
        ("101", "101", True, 27, 27),
        ("101.1a", "101. 1a", False, 29, 29),
        ("101.2", "101.2", False, 31, 32),
        ("101.2b", "101.2b", False, 34, 34),
    ]
    (first,) = issue.of("100.1")
    assert first.text == "A bed is as wide as two arms are long. See rule 101.2b."
    assert first.examples == ("Ann's bed is one pace wide.", "Ben's bed is two paces wide.")
    assert first.digest == digest(first.text)
    (key,) = issue.of("101.2")
    assert key.text == "Who has the key opens it, and whoever comes after may go in."
    assert [(t.name, t.line, t.last) for t in issue.terms] == [("Bed", 38, 39), ("Shed", 41, 43)]
    assert issue.terms[1].text.startswith("1. A house for spades. 2. ")
    assert issue.lines == {
        "blank": SMALL.count("\n\n"),
        "contents": 6,
        "continued": 1,
        "credits": 2,
        "example": 2,
        "front": 2,
        "glossary": 6,
        "heading": 3,
        "rule": 7,
    }
    accounted(issue, SMALL.count("\n"))
    assert issue.remarks == (
        'line 25: the number 100.2b is printed "100.2b.", with a point after its letter',
        'line 29: the number 101.1a is printed "101. 1a", with a space in it',
    )


def test_rules_within() -> None:
    issue = read(SMALL)

    def within(*chapters: str) -> list[str]:
        return [rule.number for rule in issue.within(chapters)]

    assert within("100") == ["100", "100.1", "100.2", "100.2a", "100.2b"]
    assert within("100.2", "101.2b") == ["100.2", "100.2a", "100.2b", "101.2b"]
    assert within("1")[:2] == ["1", "100"] and len(within("1")) == len(issue.rules)
    assert within("10") == [] == within()


@pytest.mark.parametrize(
    "text",
    [
        "801.2. One two. See rule\n704.5k. Three.\n\n801.3. Four.\n",
        "801.2. One two. See rules 801.1 and\n801.2b. Three.\n\n801.3. Four.\n",
        "801.2. One two (rules 801.1,\n801.9, and 801.10). Three.\n801.3. Four.\n",
        "801.2. One two. See rule\n\n704.5k. Three.\n\n\n\n801.3. Four.\n",
        "801.2. One two. See rule\n704. Three.\n801.3. Four.\n",
        "801.2. One two (see rule\n704.5k) three.\n801.3. Four.\n",
    ],
)
def test_a_number_that_ends_a_sentence_is_no_rule(text: str) -> None:
    assert [r.number for r in read(text).rules] == ["801.2", "801.3"]


def test_numbers_as_they_are_printed() -> None:
    text = (
        "700. Seven\n\n700.1.No space here.\n\n700.2 No point here.\n\n"
        "700.2a. A point too many.\n\n"
        "700. 3b A space within.\n\n700.4z The last letter.\n\n700.4aa One more.\n\n"
        "700.5.\tA tab.\n\n700.12. Twelve.\n"
    )
    issue = read(text)
    numbers = "700 700.1 700.2 700.2a 700.3b 700.4z 700.4aa 700.5 700.12"
    assert [r.number for r in issue.rules] == numbers.split()
    assert [r.text for r in issue.rules][1:3] == ["No space here.", "No point here."]
    assert issue.remarks == (
        'line 7: the number 700.2a is printed "700.2a.", with a point after its letter',
        'line 9: the number 700.3b is printed "700. 3b", with a space in it',
    )
    assert issue.doubts == ()


def test_a_file_that_was_cut_off_is_told() -> None:
    whole = SMALL.replace("Glossary\nCredits\n", "102. Paths\n103. Gates\nGlossary\nCredits\n", 1)
    said = "the contents name section {}, not to be found here: is the file whole?"
    cut = read(whole[: whole.rindex("101. The Shed")])
    assert cut.doubts == (said.format("101 and 2 more"),)
    assert set(cut.doubts) <= set(cut.remarks)
    assert read(whole.replace("103. Gates\n", "")).doubts == (said.format("102"),)
    assert read(SMALL).doubts == read(SMALL[: SMALL.rindex("Glossary")]).doubts == ()


def test_doubled_and_misplaced_numbers_are_told() -> None:
    issue = read("801.1. One.\n\n801.2. Two.\n\n801.2. Three.\n\n810.3. Four.\n\n801.4. Five.\n")
    assert [r.text for r in issue.of("801.2")] == ["Two.", "Three."]
    assert issue.remarks == (
        "line 9: 801.4 comes after 810.3",
        "801.2 stands 2 times, in lines 3, 5",
    )


def test_a_section_without_rules_is_a_heading() -> None:
    issue = read("6. Six\n\n600. General\n\n601. Left out\n\n602. More\n\n602.1. One.\n")
    assert [(r.number, r.heading) for r in issue.rules][-2:] == [("602", True), ("602.1", False)]
    body = read("600. General\n\n600.1. One.\n\n601. Left out\n\n602. More\n\n602.1. One.\n")
    assert [r.number for r in body.rules if r.heading] == ["600", "601", "602"]


def test_what_belongs_nowhere_is_told() -> None:
    text = "801. Eight\n\nA sentence about all of it.\n\n801.1. One.\n\nAnother paragraph.\n"
    issue = read(text)
    assert issue.unaccounted == ((3, "A sentence about all of it."),)
    assert issue.of("801.1")[0].text == "One. Another paragraph."
    assert issue.remarks == ("line 7: a paragraph without a number, read with 801.1",)
    accounted(issue, 7)


def test_words_that_were_parted() -> None:
    text = "801.1. A face-\ndown card, long-\nand short, at http://garden.ex\nample/beds now.\n"
    (rule,) = read(text).rules
    assert rule.text == "A face-down card, long- and short, at http://garden.example/beds now."


@pytest.mark.parametrize(
    ("said", "date", "stated"),
    [
        ("All of this is effective as of March 4, 2031.", "2031-03-04", "effective"),
        ("All of this is current as of\nMarch 14, 2031.", "2031-03-14", "current"),
        ("Effective as of 4 March 2031", "2031-03-04", "effective"),
        ("effective as of\u00a0Sept. 2nd, 2031", "2031-09-02", "effective"),
        ("All of this is effective as of 2031-12-24.", "2031-12-24", "effective"),
        ("All of this is effective as of February 31, 2031.", "", ""),
        ("All of this is as it is.", "", ""),
        ("引用：総合ルール 20310304.0", "2031-03-04", "current"),
    ],
)
def test_the_day_of_a_book(said: str, date: str, stated: str) -> None:
    issue = read(f"Rules\n\n{said}\n\n801.1. One.\n\n801.2. Two.\n")
    assert (issue.date, issue.stated) == (date, stated)


def test_days_that_contradict_each_other_are_told() -> None:
    issue = read(SMALL + "\nAll of this is effective as of March 5, 2031.\n", "CR-2031-03-01.txt")
    assert issue.date == "2031-03-04"
    assert issue.remarks[:2] == (
        "another day is stated, too: 2031-03-05",
        "the file's name says 2031-03-01, the text 2031-03-04",
    )


@pytest.mark.parametrize("name", VARIANTS)
def test_a_small_book_in_each_way(name: str) -> None:
    """The reader makes the same of it; Windows' characters are enough for this one."""
    issue = read_issue(damaged(name, SMALL), "garden.txt")
    assert shape(issue) == shape(read(SMALL))
    assert issue.unaccounted == () and issue.date == "2031-03-04"


def test_damaged_characters_are_told() -> None:
    issue = read_issue(b"801.1. One \xff\xfe two caf\xc3\xa9 \xc3\xa9 \xc3\xa9.\n", "x.txt")
    assert issue.encoding == "utf-8"
    assert issue.remarks == ("bytes that are no UTF-8, read as those of Windows: 2",)
    issue = read("801.1. One.\n\n801.2. Two \ufffd three \ufffd.\n")
    assert issue.remarks == ("damaged characters: 2, the first in line 3",)
    twice = "801.1. It’s “one”.\n".encode().decode("cp1252", errors="ignore")
    assert read("801.1. Itâ€™s one.\n").of("801.1")[0].text == "It’s one."
    assert read(twice).rules


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n\n",
        b"\xff\xfe",
        b"\x00" * 1000,
        bytes(range(256)) * 40,
        b"Dear Ann,\n\nthe beds are dry.\n",
        b"801\n802\n803\n",
        b"100.5 200.5\n" * 100,
        b"a line\n" * 100 + b"801.1. One rule among them.\n",
        b'title = "A book"\ncovers = ["801.1"]\n',
    ],
)
def test_what_is_no_rule_book_is_one_error(data: bytes) -> None:
    with pytest.raises(TextError) as raised:
        read_issue(data, "letter.txt")
    assert raised.value.what.startswith("this is no rule book") and raised.value.hint
    assert raised.value.place and raised.value.place.file == "letter.txt"


@pytest.mark.parametrize(
    "data",
    [
        b"801.1. " + b"a" * 2_000_000,
        b"801.1. One.\n" + b" " * 2_000_000 + b"x\n",
        b"801.1. One.\n" * 100_000,
        b"801." * 500_000,
        b"801.1. " + b"Example: " * 200_000,
        b"801.1. One.\n" + b"801. " * 400_000,
        b"801.1. One-\n" * 50_000,
        b"801.1. " + b"rule\n704.5k " * 100_000,
        b"801.1. " + b"((((\n" * 200_000,
        b"801.1. \xe2\x80\xa8" * 200_000,
        b"100. A\n" * 200_000 + b"100.1. One.\n",
        b"effective as of " * 100_000 + b"\n801.1. One.\n\n801.2. Two.\n",
        b"801.1. One.\n" + b"\n" * 2_000_000,
    ],
)
def test_what_is_big_or_strange_takes_no_time(data: bytes) -> None:
    """Twice as much takes twice as long: nothing here is looked through again and again."""
    from time import process_time

    start = process_time()
    with suppress(TextError):
        accounted(read_issue(data, "big.txt"), data.count(b"\n") + (not data.endswith(b"\n")))
    assert process_time() - start < 10


def test_a_file_is_read_from_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "garden.txt"
    path.write_text(SMALL, encoding="utf-16")
    issue = open_issue(path)
    assert issue.file == str(path) and shape(issue) == shape(read(SMALL))
    with pytest.raises(TextError, match="can't be read"):
        open_issue(tmp_path / "none.txt")
    with pytest.raises(TextError):
        open_issue(tmp_path)
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(20_000_001)
    with pytest.raises(TextError, match="larger than"):
        open_issue(huge)


FIGURES = """
CR-2005-08-01-9ED         ascii     3406 crlf       2005-08-01 current     880   87  136  339 0
CR-2006-02-01-GPT         utf-8     3501 crlf       2006-02-01 current     917   87  145  345 0
CR-2007-05-01-FUT         utf-8     3959 crlf       2007-05-01 current    1072   91  164  373 0
CR-2007-10-01-LRW         ascii     4101 cr         2007-10-01 current    1123   91  162  386 0
CR-2009-05-01-ARB         ascii     4306 crlf       2009-05-01 current    1189   91  166  403 0
CR-2009-07-08-M10         ascii     4838 crlf       2009-07-11 effective  1472  112  189  408 0
CR-2009-10-05-ZEN         ascii     5183 crlf       2009-10-01 effective  1600  123  195  424 0
CR-2010-06-18-ARC         ascii     5515 crlf       2010-06-18 effective  1729  128  201  441 0
CR-2010-07-16-M11         ascii     5567 crlf       2010-07-16 effective  1751  129  203  442 0
CR-2011-05-01-NPH         ascii     5735 crlf       2011-05-01 effective  1816  130  212  452 0
CR-2013-05-01-DGM         ascii     6055 crlf       2013-05-01 effective  1930  133  223  476 0
CR-2013-07-13-M14         utf-8     6047 crlf       2013-07-13 effective  1941  133  222  478 0
CR-2016-09-30             utf-16-le 6643 crlf       2016-09-30 effective  2153  138  241  524 0
CR-2018-04-27-DOM         utf-8     6926 crlf       2018-04-27 effective  2277  139  242  542 0
CR-2021-02-05-KHM         utf-8-sig 7564 crlf       2021-02-05 effective  2514  142  257  585 0
CR-2022-10-07             cp1252    8261 lf         2022-10-07 effective  2760  149  270  642 0
CR-2023-04-14             utf-8-sig 12 crlf+8465 cr 2023-04-14 effective  2842  151  274  656 0
CR-2025-02-07             utf-8-sig 8991 crlf       2025-02-07 effective  3022  153  274  703 0
CR-2026-06-19             utf-8-sig 9367 lf         2026-06-19 effective  3153  156  277  735 0
CR-2026-08-07-first       utf-8     9359 lf         2026-08-07 effective  3162  156  277  739 0
CR-2026-08-07-third       utf-8-sig 9397 lf         2026-08-07 effective  3162  156  277  739 0
cr-400-ja                 utf-8     29 lf                                   26    2    1    0 0
cr-801-index-en           utf-8     19 lf                                   18    1    0    0 0
cr-801-ja-20260807        utf-8     90 lf           2026-08-07 current      28    2   15    0 0
multiplayer-draft-2004-ja utf-8     181 lf          2004-07-01 current     103   12   17    0 0
"""


def figures(issue: Issue) -> str:
    ends = "+".join(f"{number} {name}" for name, number in issue.endings.items())
    rules = [r for r in issue.rules if not r.heading]
    return (
        f"{issue.encoding:<9} {ends:<15} {issue.date:<10} {issue.stated:<9} {len(rules):>5} "
        f"{len(issue.rules) - len(rules):>4} {sum(len(r.examples) for r in rules):>4} "
        f"{len(issue.terms):>4} {len(issue.unaccounted)}"
    )


def table() -> list[tuple[str, str]]:
    parts = (line.partition(" ") for line in FIGURES.strip().split("\n"))
    return [(name, rest.strip()) for name, _, rest in parts]


@pytest.mark.parametrize(("name", "known"), table())
def test_what_each_issue_has(name: str, known: str) -> None:
    """Encoding, line ends, day, rules, headings, examples, entries, lines unaccounted for."""
    path = next((f / f"{name}.txt" for f in (TEXTS, PAGES) if (f / f"{name}.txt").is_file()), None)
    if path is None:
        pytest.skip("no such rule book beside the project")
    issue = open_issue(path)
    assert figures(issue).strip() == known
    lines = original(path)[1].split("\n")
    accounted(issue, len(lines) - (not lines[-1]))
    assert all(rule.text for rule in issue.rules)


def test_each_issue_beside_the_project_is_in_the_table() -> None:
    known = {name for name, _ in table()}
    assert {p.stem for p in (*texts(), *texts(PAGES))} <= known


@pytest.mark.parametrize("path", texts(), ids=lambda p: p.stem)
def test_numbers_are_those_that_begin_lines(path: Path) -> None:
    """Counted once more by a bare expression; each number that only one of the two has is known.

    The expression asks for a point or letter and a space, so it misses what is misprinted.
    """
    lines = original(path)[1].split("\n")
    bare = Counter(
        found[1] for line in lines if (found := re.match(r"\s*([0-9]{3}\.[0-9]+[a-z]?)\.?\s", line))
    )
    issue = read_issue(*_file(path))
    ours = Counter(rule.number for rule in issue.rules if not rule.heading)
    assert not bare - ours
    for number in ours - bare:
        (rule,) = issue.of(number)
        line = lines[rule.line - 1]
        assert (
            " " in rule.printed
            or number.endswith("aa")
            or line.startswith(f"{number}.{rule.text[0]}")
        )


def _file(path: Path) -> tuple[bytes, str]:
    return original(path)[0], str(path)


def drawn() -> list[tuple[str, Path]]:
    """Ways of damage, each on another issue; all of them before any issue comes twice in a way."""
    issues = texts()
    if not issues:
        return []
    pairs = [
        (name, issues[(place + turn) % len(issues)])
        for turn in range(len(issues))
        for place, name in enumerate(VARIANTS)
    ]
    if len(VARIANTS) > DAMAGED:
        return pairs[: len(VARIANTS)][:: len(VARIANTS) // DAMAGED][:DAMAGED]
    return pairs[:DAMAGED]


@pytest.mark.parametrize(("name", "path"), drawn(), ids=lambda v: getattr(v, "stem", v))
def test_a_damaged_issue_has_the_same_rules(name: str, path: Path) -> None:
    data, text = original(path)
    encoded = damaged(name, text)
    if b"?" in encoded and "windows" in name:
        data = text.encode("cp1252", errors="replace").decode("cp1252").encode()
    known = read_issue(data, str(path))
    issue = read_issue(encoded, str(path))
    assert shape(issue) == shape(known)
    assert issue.date == known.date and issue.unaccounted == ()


def test_chapters_end_rules_and_so_do_examples() -> None:
    text = (
        "900.1. First words\u2028go on\nhere.\nExample: not this.\nnor this\n"
        "900.1a Second – “quoted”.\r\n901. Heading\n901.1. Third.\n10. Chapter\n"
    )
    assert read(text).wordings() == {
        "900.1": "First words go on here.",
        "900.1a": "Second – “quoted”.",
        "901.1": "Third. 10. Chapter",
    }

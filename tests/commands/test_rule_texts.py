"""``seatlog text diff`` and ``trace`` as they are shown: terminal, Markdown, page, exit codes."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from places import TESTS
from processes import run
from seatlog.text import diff_lines, diff_markdown, diff_page, differing, read_issue

ISSUES = TESTS / "other_book" / "texts"
SPRING, AUTUMN = (str(ISSUES / f"{name}.txt") for name in ("spring", "autumn"))
HOSTILE = "<script src=http://x>alert(1)</script> & \x1b[31m `code` | *bold* </del></ins> [a](b)"


def edited(*edits: tuple[str, str]) -> bytes:
    text = Path(SPRING).read_text(encoding="utf-8")
    for one, other in edits:
        assert one in text
        text = text.replace(one, other)
    return text.encode()


def test_exit_codes(tmp_path: Path) -> None:
    typed = tmp_path / "typed.txt"
    typed.write_bytes(edited(("soil that", "soil\u00a0that"), ("(See", "( See")))
    for other, code in ((SPRING, 0), (str(typed), 0), (AUTUMN, 1), (str(tmp_path / "gone"), 2)):
        assert run("text", "diff", SPRING, other).returncode == code
    assert "typography only: 1" in run("text", "diff", SPRING, str(typed), "--all").stdout
    assert "1 typography only" in run("text", "diff", SPRING, str(typed)).stdout


def test_words_are_marked_by_colour_or_by_signs() -> None:
    one, other = (read_issue(Path(file).read_bytes(), file) for file in (SPRING, AUTUMN))
    diff = differing(one, other)
    bare = "\n".join(diff_lines(diff, False, lambda text, _colour: text))
    assert "at most [-twelve-] {+nine+} plants" in bare
    coloured = "\n".join(diff_lines(diff, False, lambda text, colour: f"<{colour}>{text}</>"))
    assert "at most <red>twelve</> <green>nine</> plants" in coloured
    assert "[-" not in coloured and "{+" not in coloured


class Elements(HTMLParser):
    """What a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_nothing_in_a_rule_is_markup() -> None:
    new = read_issue(edited(("twelve plants", f"{HOSTILE} plants")), f"{HOSTILE}.txt")
    diff = differing(read_issue(edited(), "spring.txt"), new)
    page = Elements()
    page.feed(diff_page(diff, True))
    assert not page.open and "script" not in page.tags
    assert not {name for name, _ in page.attributes} & {"src", "onload", "onclick"}
    assert all(value and value[0] == "#" for name, value in page.attributes if name == "href")
    assert "url(" not in diff_page(diff, True) and "@import" not in diff_page(diff, True)
    lines = "\n".join(diff_lines(diff, True, lambda text, _colour: text))
    for text in (diff_page(diff, True), diff_markdown(diff, True), lines):
        assert text.replace("\n", "").isprintable()
    marked = re.sub(r"</?(?:del|ins|br|sub)>|``.*?``|(?<!\\)`[^`]*`", "", diff_markdown(diff, True))
    assert "<" not in marked and "\\*bold\\*" in marked and "\\[a\\]" in marked


def test_a_page_is_written_once(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run("text", "diff", SPRING, AUTUMN, "--html", str(page)).returncode == 1
    first = page.read_text(encoding="utf-8")
    assert "<del>twelve</del> <ins>nine</ins>" in first
    again = run("text", "diff", SPRING, AUTUMN, "--html", str(page))
    assert again.returncode == 2 and "--over writes over it" in again.stderr
    assert run("text", "diff", SPRING, SPRING, "--html", str(page), "--over").returncode == 0
    assert page.read_text(encoding="utf-8") != first
    assert list(tmp_path.iterdir()) == [page]


def test_no_page_is_written_over_an_issue(tmp_path: Path) -> None:
    other = tmp_path / "autumn.txt"
    text = Path(AUTUMN).read_bytes()
    other.write_bytes(text)
    (tmp_path / "link.html").hardlink_to(other)
    for name in ("autumn.txt", "link.html"):
        page = str(tmp_path / name)
        done = run("text", "diff", SPRING, str(other), "--html", page, "--over")
        assert done.returncode == 2 and "is an issue: no page is written over it" in done.stderr
        assert other.read_bytes() == text


def test_days_that_tell_no_order_are_noted(tmp_path: Path) -> None:
    undated, twin = tmp_path / "undated.txt", tmp_path / "twin.txt"
    undated.write_bytes(edited(("Effective as of March 1, 2026.", "")))
    twin.write_bytes(edited())
    done = run("text", "trace", "950.1", SPRING, str(undated), str(twin), str(twin), AUTUMN)
    assert done.returncode == 0
    first, second = sorted((SPRING, str(twin)))
    notes = f"""\
note: {undated} states no day: it is taken for older than all that state one
note: {first} and {second} are of the same day, 2026-03-01: \
they are taken in the order of their names
note: {twin} is named twice
"""
    assert sorted(done.stderr.splitlines()) == sorted(notes.splitlines())
    done = run("text", "diff", AUTUMN, SPRING, "--json")
    assert done.returncode == 1 and f"note: {AUTUMN} is of 2026-10-01, later than" in done.stderr
    for line in (("diff", SPRING, AUTUMN), ("trace", "950.1", AUTUMN, SPRING)):
        assert not run("text", *line).stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("diff", SPRING, AUTUMN, "--json", "--markdown"), "not both"),
        (("diff", SPRING, AUTUMN, "--over"), "say both"),
        (("diff", SPRING, AUTUMN, "--html="), "--html names nothing"),
        (("diff", SPRING, AUTUMN, "--section="), "--section names nothing"),
        (("diff", SPRING, AUTUMN, "--section", "7"), "neither issue has a number 7"),
        (("diff", SPRING, AUTUMN, "--html", "no/such/folder.html"), "can't be written"),
        (("diff", SPRING, str(ISSUES)), "can't be read"),
        (("trace", "950.1"), "missing argument"),
        (("trace", "950.77", SPRING), "has no number 950.77"),
        (("trace", "950.1", SPRING, "--as-of", "May"), "--as-of"),
        (("frobnicate",), "no command is called"),
    ],
)
def test_what_is_refused(line: tuple[str, ...], said: str) -> None:
    done = run("text", *line)
    assert done.returncode == 2 and said in done.stderr + done.stdout
    assert "Traceback" not in done.stderr

"""Sections held against an issue of the rule book: what changed, and what rests on it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from places import ROOT, SHARED
from processes import run
from seatlog.book import rule_order
from seatlog.cases import read_scenarios, scenario_files
from seatlog.editions import find, load_book
from seatlog.errors import BookError
from seatlog.model import literals
from seatlog.text import (
    Checked,
    Header,
    Held,
    Issue,
    Rule,
    checked,
    open_issue,
    read_issue,
    recorded,
)
from seatlog.text.reading import MAX_ISSUE
from small_issues import RULES, beds, issue, text

TEXTS = SHARED / "cr"
NEWEST, OLDER = "CR-2026-08-07-third.txt", "CR-2026-06-19.txt"
LATER = "June 2, 2032"


def read(rules: Mapping[str, str], day: str = LATER) -> Issue:
    return read_issue(text(rules, day).encode(), "new.txt")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of an edition that was checked against ``RULES``."""
    return beds(tmp_path)


def held_against(home: Path, rules: Mapping[str, str], old: bool = True) -> Checked:
    scenarios = read_scenarios(home.parent / "beds.toml")
    before = read(RULES, "May 1, 2031") if old else None
    return checked(read(rules), load_book(str(home)), scenarios, before)


def changed(**new: str) -> dict[str, str]:
    """``RULES`` with some of them put otherwise."""
    return {**RULES, **{number.replace("_", "."): words for number, words in new.items()}}


def told(found: Checked) -> dict[str, str]:
    """The classes of the sections that aren't the same, and of what is new."""
    out = {held.number: held.kind for held in found.sections if held.kind != "same"}
    return out | {f"+{new.rule.number}": "new" for new in found.new}


def of(found: Checked, number: str) -> Held:
    return next(held for held in found.sections if held.number == number)


REWORDED = RULES["900.2a"].replace("one bed", "two beds")
FROST = {**RULES, "900.4": RULES["900.4"].replace("taps", "hoses and taps")}


def shifted() -> dict[str, str]:
    """A rule was put in after 900.2, and the others moved on; 900.2a points to the old 900.4."""
    rules: dict[str, str] = {}
    for number, words in RULES.items():
        there = {"900.3": "900.4", "900.4": "900.5"}.get(number, number)
        if number == "900.3":
            rules["900.3"] = "Slugs are carried over the fence, and the fence is mended first."
        rules[there] = words.replace("rule 900.4", "rule 900.5")
    return rules


@pytest.mark.parametrize("old", [True, False])
def test_the_same_text_is_nothing_to_look_at(home: Path, old: bool) -> None:
    found = held_against(home, RULES, old)
    assert told(found) == {} and not found.fails
    assert found.counts == {"same": 6}
    assert all(held.certain is old for held in found.sections)
    assert any("--old" in remark for remark in found.remarks) is not old


def test_typography_is_told_only_beside_the_old_issue(home: Path) -> None:
    typeset = changed(**{"900_1": RULES["900.1"].replace("'", "’")})
    found = held_against(home, typeset)
    assert told(found) == {"900.1": "typography"} and not found.fails
    assert told(held_against(home, typeset, old=False)) == {}


def test_a_reworded_rule_brings_all_that_rests_on_it(home: Path) -> None:
    found = held_against(home, changed(**{"900_2a": REWORDED}))
    assert told(found) == {"900.2a": "reworded"} and found.fails
    held = of(found, "900.2a")
    assert held.old and held.old.text == RULES["900.2a"] and held.certain
    rests = held.rests
    lines = (home / "rules.dl").read_text(encoding="utf-8").splitlines()
    assert [(p.file, lines[p.line - 1][:8]) for p in rests.clauses] == [
        ("beds/rules.dl", "reach_of")
    ]
    assert [each.rpartition(": ")[2] for each in rests.scenarios] == ["next door"]
    assert rests.verdicts == ("hose",)
    assert rests.sections == ("900.2",)


def test_without_the_old_issue_it_may_be_another_rule(home: Path) -> None:
    found = held_against(home, changed(**{"900_2a": REWORDED}), old=False)
    held = of(found, "900.2a")
    assert held.kind == "reworded" and not held.certain and held.old is None and found.fails


def test_where_no_clause_rests_on_it_a_change_is_told_and_passes(home: Path) -> None:
    found = held_against(home, changed(**{"900_3": RULES["900.3"].replace("brought", "took")}))
    assert told(found) == {"900.3": "reworded"}
    assert not found.fails and not of(found, "900.3").fails


def test_a_rule_that_was_put_in_is_new_and_the_others_are_renumbered(home: Path) -> None:
    found = held_against(home, shifted())
    assert told(found) == {
        "900.2a": "pointer",
        "900.3": "renumbered",
        "900.4": "renumbered",
        "+900.3": "new",
    }
    (new,) = found.new
    assert new.rule.number == "900.3" and new.covered and new.fails
    assert new.place and new.place.file == "beds/rules.dl"
    assert [r.number for r in of(found, "900.3").at] == ["900.4"]
    assert [r.number for r in of(found, "900.4").at] == ["900.5"]
    assert of(found, "900.4").elsewhere and found.fails
    assert not of(found, "900.2a").fails


def test_without_the_old_issue_the_same_is_found_but_for_the_pointer(home: Path) -> None:
    found = held_against(home, shifted(), old=False)
    assert of(found, "900.2a").kind == "reworded"
    assert [new.rule.number for new in found.new] == ["900.3"]
    assert {n: of(found, n).kind for n in ("900.3", "900.4")} == {
        "900.3": "renumbered",
        "900.4": "renumbered",
    }


def test_two_numbers_that_were_swapped(home: Path) -> None:
    swapped = changed(**{"900_3": RULES["900.4"], "900_4": RULES["900.3"]})
    for old in (True, False):
        found = held_against(home, swapped, old)
        numbers = {n: [r.number for r in of(found, n).at] for n in ("900.3", "900.4")}
        assert numbers == {"900.3": ["900.4"], "900.4": ["900.3"]}
        assert not found.new
        assert of(found, "900.4").rests.verdicts == ("water",)


def test_a_rule_that_is_gone(home: Path) -> None:
    without = {n: words for n, words in RULES.items() if n != "900.4"}
    found = held_against(home, without)
    assert told(found)["900.4"] == "gone" and found.fails
    assert of(found, "900.4").certain
    assert not of(held_against(home, without, old=False), "900.4").certain


def test_another_rule_under_a_number_takes_no_place(home: Path) -> None:
    """The section's rule went, and something else stands there now."""
    other = changed(**{"900_4": "Visitors wipe their boots and sign the book by the gate."})
    found = held_against(home, other)
    assert of(found, "900.4").kind == "gone"
    assert [new.rule.number for new in found.new] == ["900.4"]


def test_a_section_whose_number_another_section_has_now_is_gone(home: Path) -> None:
    """Nothing but the older issue tells where it went: what stands there is known to be another."""
    rules = shifted() | {"900.5": FROST["900.4"]}
    found = held_against(home, rules, old=False)
    assert told(found) == {
        "900.2a": "reworded",
        "900.3": "renumbered",
        "900.4": "gone",
        "+900.3": "new",
        "+900.5": "new",
    }
    held = of(held_against(home, rules), "900.4")
    assert held.kind == "reworded" and [rule.number for rule in held.at] == ["900.5"]


def test_what_a_section_was_checked_against_is_not_new_where_it_stands_twice(home: Path) -> None:
    for old in (True, False):
        assert told(held_against(home, {**RULES, "900.5": RULES["900.1"]}, old)) == {}


def test_of_a_rule_that_was_split_the_other_part_is_new(tmp_path: Path) -> None:
    first = "Compost is turned by the gardener whose wheelbarrow brought it, on the first of March."
    other = "Leaves, twigs and peelings go on top of the heap that was begun most lately."
    before = {**RULES, "900.3": f"{first} {other}"}
    book = load_book(str(beds(tmp_path, before)))
    after = read({**RULES, "900.3": first, "900.5": other})
    found = checked(after, book, (), read(before))
    assert told(found) == {"900.3": "reworded", "+900.5": "new"}
    assert [rule.number for rule in of(found, "900.3").at] == ["900.3", "900.5"]


def test_where_nothing_was_checked_nothing_is_new(home: Path) -> None:
    file = home / "rules.dl"
    file.write_text(re.sub(r"# text: .*\n", "", file.read_text(encoding="utf-8")))
    found = held_against(home, {**RULES, "900.5": "Moles are welcome on paths."}, old=False)
    assert set(told(found).values()) == {"unchecked"} and found.fails
    assert any("nothing can be told" in remark for remark in found.remarks)


def test_a_verdict_rests_on_what_may_leave_it_open(home: Path) -> None:
    file = home / "rules.dl"
    own = file.read_text(encoding="utf-8")
    own = own.replace("# verb: Player water", "# doubt: foggy(Player)\n# verb: Player water")
    left = "# left out: nobody joins hoses here\n"
    fog = "# yes: who waters in fog is said nowhere\nfoggy(Player) <= (seat(Player, 7))\n"
    file.write_text(own.replace(left, f"\n{fog}"), encoding="utf-8")
    found = held_against(home, changed(**{"900_2b": "Hoses that were joined are never one."}))
    assert of(found, "900.2b").rests.verdicts == ("water",)


def test_new_rules_of_chapters_that_are_not_covered_are_left_alone(home: Path) -> None:
    added = {**RULES, "901.3": "The shed has a lamp that nobody may take home."}
    assert told(held_against(home, added)) == {}
    letter = {**RULES, "900.5": "Moles are welcome on paths and nowhere else at all."}
    assert told(held_against(home, letter)) == {"+900.5": "new"}


def test_a_book_that_says_nothing_of_what_it_covers(tmp_path: Path) -> None:
    """Only an older issue tells what is new; all else may have been there always."""
    home = beds(tmp_path, covers="")
    added = {**RULES, "900.5": "Moles are welcome on paths and nowhere else at all."}
    assert told(held_against(home, added)) == {"+900.5": "new"}
    found = held_against(home, added, old=False)
    assert told(found) == {}
    assert any("`covers`" in remark for remark in found.remarks)


def test_a_rule_that_no_section_has_is_called_new_only_if_it_was_not_there(home: Path) -> None:
    more = {**RULES, "900.5": "Moles are welcome on paths and nowhere else at all."}
    issue(home.parent, "new.txt", more, LATER)
    told = {}
    for name, rules in (("without", None), ("before", RULES), ("same", more)):
        beside = () if rules is None else ("--old", str(issue(home.parent, "old.txt", rules)))
        done = run("text", "check", "new.txt", "beds", *beside, cwd=home.parent)
        assert done.returncode == 1
        told[name] = done.stdout
    assert "900.5 is new: not in the old issue" in told["before"]
    assert "known gap" not in told["before"]
    was = (
        "900.5 has no section: none was checked against it; in the old issue it is 900.5: the same"
    )
    assert was in told["same"] and "known gap" in told["same"]
    assert (
        "900.5 may be new: no section was" in told["without"]
        and "--old FILE tells" in told["without"]
    )


def test_a_number_that_is_covered_without_a_section_is_a_known_gap(tmp_path: Path) -> None:
    home = beds(tmp_path, covers='["900.1", "900.2 ab", "900.3", "900.4", "900.5"]')
    added = {**RULES, "900.5": "Moles are welcome on paths and nowhere else at all."}
    assert told(held_against(home, added, old=False)) == {}
    assert told(held_against(home, added)) == {"+900.5": "new"}


def test_digests_of_other_sources_count(home: Path) -> None:
    """A section whose clauses were checked against two wordings fits either."""
    file = home / "rules.dl"
    new = read(changed(**{"900_2a": REWORDED})).of("900.2a")[0].digest
    own = file.read_text(encoding="utf-8")
    mark = "## 900.2a  Kinks\n"
    file.write_text(own.replace(mark, f"{mark}# text: sha256:{new}  later 2032\n"))
    found = held_against(home, changed(**{"900_2a": REWORDED}))
    assert told(found) == {}
    assert of(found, "900.2a").source == "later 2032"


def test_sections_without_a_digest(home: Path) -> None:
    file = home / "rules.dl"
    own = file.read_text(encoding="utf-8")
    kept = re.sub(r"(## 900\.4  Frost\n)# text.*\n", r"\1", own)
    file.write_text(kept.replace("## 900.3  Compost", "## 950.1  Compost"), encoding="utf-8")
    found = held_against(home, {n: w for n, w in RULES.items() if n != "900.3"}, old=False)
    assert {n: of(found, n).kind for n in ("900.4", "950.1")} == {
        "900.4": "unchecked",
        "950.1": "gone",
    }
    file.write_text(re.sub(r"(## 950\.1.*\n)# text.*\n", r"\1", file.read_text(encoding="utf-8")))
    found = held_against(home, RULES, old=False)
    assert of(found, "950.1").kind == "own" and not of(found, "950.1").fails


def test_an_old_issue_that_is_not_the_one_is_said_to_be_so(home: Path) -> None:
    book = load_book(str(home))
    other = read(changed(**{"900_2a": "Nothing like it stood here before."}))
    found = checked(read(changed(**{"900_2a": REWORDED})), book, (), other)
    assert any("900.2a" in remark for remark in found.remarks)
    assert of(found, "900.2a").old is None and not of(found, "900.2a").certain


# The command


def check(home: Path, rules: Mapping[str, str], *more: str, old: bool = True) -> tuple[int, str]:
    top = home.parent
    issue(top, "old.txt", RULES)
    issue(top, "new.txt", rules, LATER)
    beside = ["--old", "old.txt"] * old
    done = run(
        "text", "check", "new.txt", "beds", *beside, "--scenarios", "beds.toml", *more, cwd=top
    )
    return done.returncode, done.stdout + done.stderr


def test_what_is_said(home: Path) -> None:
    code, out = check(home, changed(**{"900_2a": REWORDED}))
    assert code == 1
    assert "reworded  900.2a  beds/rules.dl:" in out
    assert "[-one bed-] {+two beds+}" in out
    assert "clauses: beds/rules.dl:" in out
    assert "scenarios: beds.toml: next door" in out
    assert "verdicts: hose\n" in out and "sections: 900.2\n" in out
    assert "6 sections: 5 same, 1 reworded" in out
    code, out = check(home, RULES, "--all")
    assert code == 0 and "same  900.1: " in out


def test_for_machines(home: Path) -> None:
    rules = {**shifted(), "900.2a": REWORDED}
    code, out = check(home, rules, "--json")
    data = json.loads(out)
    assert code == 1 and data["fails"] and data["edition"] == "beds"
    assert {s["number"]: s["class"] for s in data["sections"]}["900.4"] == "renumbered"
    (new,) = data["new"]
    assert new["number"] == "900.3" and new["behind"]["file"] == "beds/rules.dl"
    assert data["issue"] == {"file": "new.txt", "date": "2032-06-02", "stated": "effective"}
    code, out = check(home, rules, "--format", "github")
    lines = out.splitlines()
    assert code == 1 and all(line.startswith("::") for line in lines)
    for line in lines:
        file, number = re.findall(r"file=(.*?),line=(\d+),", line)[0]
        assert (home.parent / file).read_text(encoding="utf-8").splitlines()[int(number) - 1]
    assert any(line.startswith("::error ") and "title=renumbered::900.4" in line for line in lines)
    code, out = check(home, rules, "--format", "sarif")
    results = json.loads(out)["runs"][0]["results"]
    assert len(results) == len(lines) and {r["ruleId"] for r in results} >= {"new", "renumbered"}
    code, out = check(home, rules, "--markdown")
    assert code == 1 and out.startswith("## `beds` against `new.txt (effective 2032-06-02)`")
    assert "| **renumbered** | `900.4` |" in out and "<ins>two beds</ins>" in out
    assert out.count("<details>") == out.count("</details>") == len(lines)
    code, out = check(home, RULES, "--format", "github")
    assert code == 0 and out == ""


def test_what_passes_is_a_warning(home: Path) -> None:
    rules = changed(**{"900_3": RULES["900.3"].replace("brought", "took")})
    code, out = check(home, rules, "--format", "github")
    assert code == 0 and out.startswith("::warning file=beds/rules.dl")


def test_formats_exclude_each_other(home: Path) -> None:
    assert check(home, RULES, "--markdown", "--json")[0] == 2
    assert check(home, RULES, "--all", "--json")[0] == 2
    assert check(home, RULES, "--format", "json", "--json")[0] == 0
    assert check(home, RULES, "--scenarios", "gone.toml")[0] == 2


def test_accepting_writes_the_digest_and_the_day(home: Path) -> None:
    file = home / "rules.dl"
    before = file.read_text(encoding="utf-8").splitlines()
    rules = changed(**{"900_2a": REWORDED})
    code, out = check(home, rules, "--accept", "900.2a")
    assert code == 0, out
    after = file.read_text(encoding="utf-8").splitlines()
    (line,) = [n for n, pair in enumerate(zip(before, after, strict=True), 1) if len({*pair}) > 1]
    digest = read(rules).of("900.2a")[0].digest
    assert after[line - 1] == f"# text: sha256:{digest}  beds 2032-06-02"
    assert f"900.2a: beds/rules.dl:{line} says {after[line - 1]}" in out
    assert check(home, rules)[0] == 0
    assert check(home, rules, old=False)[0] == 0
    assert run("fmt", str(file), "--check").returncode == 0


def test_a_pointer_that_follows_is_recorded_when_its_section_moved(home: Path) -> None:
    """First the number, as the wording is the same but for numbers, then the digest."""
    rules = {n: w for n, w in shifted().items() if n not in ("900.2", "900.2a", "900.2b")}
    rules |= {"900.2": "Hoses are rolled up by whoever unrolled them."}
    rules |= {f"900.6{n[5:]}": w for n, w in shifted().items() if n.startswith("900.2")}
    found = held_against(home, rules)
    assert of(found, "900.2a").kind == "renumbered" and of(found, "900.2a").elsewhere
    file = home / "rules.dl"
    moved = file.read_text(encoding="utf-8")
    for old, new in {"900.2": "900.6", "900.4": "900.5", "900.3": "900.4"}.items():
        moved = moved.replace(f"## {old}", f"## {new}")
    file.write_text(moved, encoding="utf-8")
    found = held_against(home, rules)
    assert told(found) == {"900.6a": "pointer", "+900.2": "new", "+900.3": "new"}
    code, out = check(home, rules, "--accept", "900.6a")
    assert code == 1 and "2 new" in out and "pointer" not in out


def test_a_review_of_the_same_wording_brings_its_day_up_to_date(home: Path) -> None:
    assert check(home, RULES, "--accept", "900.1", old=False)[0] == 0
    assert (home / "rules.dl").read_text(encoding="utf-8").count("beds 2032-06-02") == 1


def test_typography_beyond_what_digests_fold_can_be_recorded(home: Path) -> None:
    rules = changed(**{"900_1": RULES["900.1"].replace("waters", "_waters_")})
    found = held_against(home, rules)
    assert of(found, "900.1").kind == "typography" and not found.fails
    assert not of(found, "900.1").quiet
    assert check(home, rules, "--accept", "900.1")[0] == 0
    assert of(held_against(home, rules), "900.1").quiet


def test_where_there_are_no_scenarios_it_is_said(home: Path) -> None:
    top = home.parent
    issue(top, "new.txt", changed(**{"900_2a": REWORDED}), LATER)
    done = run("text", "check", "new.txt", "beds", cwd=top)
    assert "scenarios weren't looked at" in done.stderr
    issue(top, "new.txt", RULES, LATER)
    assert not run("text", "check", "new.txt", "beds", cwd=top).stderr


def test_the_digests_of_other_sources_stay(home: Path) -> None:
    file = home / "rules.dl"
    mark = "## 900.2a  Kinks\n"
    own = file.read_text(encoding="utf-8")
    other = "# text: sha256:0123456789abcdef  later 2032"
    file.write_text(own.replace(mark, f"{mark}{other}\n"), encoding="utf-8")
    assert check(home, changed(**{"900_2a": REWORDED}), "--accept", "900.2a")[0] == 0
    now = file.read_text(encoding="utf-8")
    assert other in now and now.count("# text:") == own.count("# text:") + 1


@pytest.mark.parametrize(
    ("rules", "number", "old", "said"),
    [
        (changed(**{"900_2a": REWORDED}), "900.2a", False, "--old FILE"),
        (shifted(), "900.4", True, "section 900.4 is 900.5 in the issue"),
        (shifted(), "900.4", False, "section 900.4 is 900.5 in the issue"),
        (
            changed(**{"900_4": "Visitors wipe their boots and sign the book by the gate."}),
            "900.4",
            True,
            "nothing shows that 900.4 is the rule",
        ),
        (
            changed(**{"900_4": "Visitors wipe their boots and sign the book by the gate."}),
            "900.4",
            False,
            "--old FILE",
        ),
        ({n: w for n, w in RULES.items() if n != "900.4"}, "900.4", True, "nothing shows"),
        ({n: w for n, w in RULES.items() if n != "900.4"}, "900.4", False, "nothing shows"),
        (RULES, "900.9", True, "has no section 900.9"),
    ],
)
def test_another_rule_is_never_certified(
    home: Path, rules: dict[str, str], number: str, old: bool, said: str
) -> None:
    """Nothing is written, not even what could be accepted beside it."""
    before = (home / "rules.dl").read_bytes()
    code, out = check(home, rules, "--accept", number, "--accept", "900.1", old=old)
    assert code == 2 and said in out
    assert (home / "rules.dl").read_bytes() == before


def test_what_is_installed_and_what_lies_below_is_not_written(home: Path) -> None:
    top = home.parent
    rules = changed(**{"900_2a": REWORDED})
    mine = top / "mine"
    mine.mkdir()
    (mine / "edition.toml").write_text('title = "Mine"\ndate = "2032-01-01"\nbase = "beds"\n')
    issue(top, "old.txt", RULES)
    issue(top, "new.txt", rules, LATER)
    done = run(
        *("text", "check", "new.txt", "mine", "--old", "old.txt", "--accept", "900.2a"), cwd=top
    )
    assert done.returncode == 2 and "stands in beds, on which mine rests" in done.stderr
    header = Header("801.4", "0" * 16, "cr 2032-06-02")
    with pytest.raises(BookError, match="cr is installed, and stays as it is"):
        recorded(find("cr"), load_book("cr"), [header], False)


def test_how_a_new_section_begins(home: Path) -> None:
    top = home.parent
    new = issue(top, "new.txt", shifted(), LATER)
    digest = open_issue(new).of("900.3")[0].digest
    done = run("text", "digest", "new.txt", "900.6", "--edition", "beds", cwd=top)
    assert done.returncode == 2 and "has no number 900.6" in done.stderr
    added = {**RULES, "900.5": shifted()["900.3"]}
    issue(top, "new.txt", added, LATER)
    done = run("text", "digest", "new.txt", "900.5", "--edition", "beds", cwd=top)
    line = f"# text: sha256:{digest}  beds 2032-06-02"
    assert done.returncode == 0
    assert done.stdout == f"## 900.5  TITLE\n{line}\n"
    done = run("text", "digest", "new.txt", "900.5", "--edition", "beds", "--write", cwd=top)
    assert done.returncode == 2 and "has no section 900.5" in done.stderr
    file = home / "rules.dl"
    slugs = "\n## 900.5  Slugs\n# left out: nobody asks\n"
    file.write_text(file.read_text(encoding="utf-8") + slugs, encoding="utf-8")
    done = run(
        "text", "digest", "new.txt", "900.5", "900.5", "--edition", "beds", "--write", cwd=top
    )
    assert done.returncode == 0 and done.stdout.count("900.5:") == 1
    assert f"## 900.5  Slugs\n{line}\n# left out" in file.read_text(encoding="utf-8")
    assert check(home, added)[0] == 0
    done = run("text", "digest", "new.txt", "900.5", "--edition", "beds", "--write", cwd=top)
    assert done.returncode == 2 and "before" in done.stderr


def test_no_digest_is_given_for_another_rule_under_a_number(home: Path) -> None:
    top = home.parent
    issue(top, "new.txt", shifted(), LATER)
    done = run("text", "digest", "new.txt", "900.3", "--edition", "beds", cwd=top)
    assert done.returncode == 2 and "sha256" not in done.stdout
    assert "section 900.3 is 900.4 in the issue; 900.3 is another rule there" in done.stderr
    issue(top, "new.txt", FROST, LATER)
    done = run("text", "digest", "new.txt", "900.4", "--edition", "beds", cwd=top)
    assert done.returncode == 2 and "900.4 may be another rule there" in done.stderr
    issue(top, "new.txt", shifted(), LATER)
    done = run("text", "digest", "new.txt", "900.5", "--edition", "beds", cwd=top)
    assert "note: section 900.4 was checked against this wording" in done.stderr


def test_issues_in_the_wrong_order_are_told(home: Path) -> None:
    issue(home.parent, "newer.txt", RULES, LATER)
    issue(home.parent, "new.txt", RULES)
    done = run("text", "check", "new.txt", "beds", "--old", "newer.txt", cwd=home.parent)
    said = "newer.txt is of 2032-06-02, later than new.txt (2031-05-01), and is taken for the older"
    assert done.returncode == 0 and f"note: {said} issue" in done.stdout


def test_no_rule_book_is_one_clear_error(home: Path) -> None:
    (home.parent / "x.txt").write_text("Dear all,\n\nnothing here is a rule.\n", encoding="utf-8")
    for words in (("check", "x.txt"), ("digest", "x.txt", "1.1")):
        done = run("text", *words, cwd=home.parent)
        assert done.returncode == 2 and done.stderr.count("error:") == 1
    done = run("text", "check", "beds", cwd=home.parent)
    assert done.returncode == 2 and "give the publisher's text file" in done.stderr
    (home.parent / "x.txt").write_bytes(b"900.1. Weeds.\n" * (MAX_ISSUE // 14 + 1))
    done = run("text", "check", "x.txt", "beds", cwd=home.parent)
    assert done.returncode == 2 and "give the publisher's text file" in done.stderr


# The rule books beside the project


def shared(name: str) -> Issue:
    path = TEXTS / name
    if not path.is_file():
        pytest.skip("no rule book beside the project")
    return open_issue(path)


def edited(found: Issue, rules: list[Rule]) -> Issue:
    return found._replace(rules=tuple(rules))


def cases(edition: str) -> list[Path]:
    return scenario_files(ROOT / "tests" / "scenarios" / edition)


@pytest.mark.parametrize(("edition", "name"), [("cr", NEWEST), ("cr2021", "CR-2021-02-05-KHM.txt")])
def test_the_text_of_an_edition_is_accounted_for(edition: str, name: str) -> None:
    found = shared(name)
    book = load_book(edition)
    for old in (None, found):
        held = checked(found, book, (), old)
        assert held.counts == {"same": sum(n[:1].isdigit() for n in book.sections)}
        assert not held.fails and not held.new


@pytest.mark.parametrize("number", ["801.2d", "801.14", "400.7d"])
@pytest.mark.parametrize("old", [True, False])
def test_one_word_that_changed_is_all_that_is_told(number: str, old: bool) -> None:
    found = shared(NEWEST)
    book = load_book("cr")
    rules = [
        r._replace(text=r.text.replace(" a ", " some ", 1)) if r.number == number else r
        for r in found.rules
    ]
    assert rules != list(found.rules)
    scenarios = [s for path in cases("cr") for s in read_scenarios(path)]
    held = checked(edited(found, rules), book, scenarios, found if old else None)
    assert told(held) == {number: "reworded"}
    rests = of(held, number).rests
    assert [p.line for p in rests.clauses] == [
        c.place.line for c in book.clauses if c.rule == number
    ]
    assert len(rests.scenarios) == sum(number in s.cites for s in scenarios) > 0
    assert held.fails and (rests.verdicts or rests.refuses)
    heads = {c.head.name for c in book.clauses if c.rule == number}
    needed = {
        c.rule
        for c in book.clauses
        if c.rule != number and heads & {x.name for x in literals(c.body)}
    }
    assert set(rests.sections) == {n for n in needed if n[:1].isdigit()}


@pytest.mark.parametrize("old", [True, False])
def test_a_rule_that_was_put_in_is_all_that_is_told(old: bool) -> None:
    found = shared(NEWEST)
    at = next(n for n, r in enumerate(found.rules) if r.number == "801.18")
    put = found.rules[at]._replace(number="801.19", printed="801.19", text="Hats are worn indoors.")
    rules = [*found.rules[: at + 1], put, *found.rules[at + 1 :]]
    held = checked(edited(found, rules), load_book("cr"), (), found if old else None)
    assert told(held) == {"+801.19": "new"} and held.fails


@pytest.mark.parametrize("old", [True, False])
def test_two_numbers_that_were_swapped_are_all_that_is_told(old: bool) -> None:
    found = shared(NEWEST)
    swap = {"801.6": "801.9", "801.9": "801.6"}
    rules = sorted(
        (r._replace(number=swap.get(r.number, r.number)) for r in found.rules),
        key=lambda r: rule_order(r.number),
    )
    scenarios = [s for path in cases("cr") for s in read_scenarios(path)]
    held = checked(edited(found, rules), load_book("cr"), scenarios, found if old else None)
    assert told(held) == dict.fromkeys(swap, "renumbered") and held.fails
    for number, there in swap.items():
        assert [r.number for r in of(held, number).at] == [there]
        assert of(held, number).rests.clauses and of(held, number).rests.scenarios


@pytest.mark.parametrize("old", [True, False])
def test_an_older_issue_has_other_rules_under_numbers(old: bool, tmp_path: Path) -> None:
    """In the issue before, the rule under 310.9 is another one than today's."""
    found = shared(OLDER)
    held = checked(found, load_book("cr"), (), shared(NEWEST) if old else None)
    assert {n: k for n, k in told(held).items() if n.startswith("310.")} == {
        "310.9": "renumbered",
        "310.11": "reworded",
        "310.12a": "renumbered",
    }
    assert [r.number for r in of(held, "310.9").at] == ["310.8"]
    assert [r.number for r in of(held, "310.11").at] == ["310.10" if old else "310.11"]
    words = ["text", "check", str(TEXTS / OLDER), str(ROOT / "rules" / "cr")]
    words += ["--old", str(TEXTS / NEWEST)] * old
    for number in ("310.9", "310.11"):
        done = run(*words, "--accept", number)
        assert done.returncode == 2, done.stdout
    done = run("text", "digest", str(TEXTS / OLDER), "310.9", "--edition", "cr")
    assert done.returncode == 2 and "sha256" not in done.stdout


@pytest.mark.parametrize("edition", ["cr", "cr2021"])
@pytest.mark.parametrize("path", sorted(TEXTS.glob("*.txt")), ids=lambda p: p.stem)
def test_what_is_the_same_or_renumbered_has_the_very_wording(edition: str, path: Path) -> None:
    book = load_book(edition)
    held = checked(open_issue(path), book)
    for each in held.sections:
        known = book.sections[each.number].digests.values()
        if each.kind in ("same", "renumbered"):
            assert each.at and all(rule.digest in known for rule in each.at)
        else:
            assert all(rule.digest not in known for rule in held.issue.rules)

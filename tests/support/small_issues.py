"""Small invented rule books about beds and hoses, and an edition that was written from one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from seatlog.text import read_issue

RULES = {
    "900.1": "Whoever keeps a bed waters it before noon, and never with a neighbour's can.",
    "900.2": "A hose reaches two beds on either side of the tap that it's hung on.",
    "900.2a": "A kinked hose reaches one bed less; see rule 900.4 for frost.",
    "900.2b": "Two hoses that are joined count as one hose of the longer kind.",
    "900.3": "Compost belongs to the gardener whose wheelbarrow brought it.",
    "900.4": "In frost the taps are shut, and no gardener needs to water anything.",
    "901.1": "The shed is locked at dusk by the gardener who sowed last.",
    "901.2": "A lost key is replaced at the cost of everybody who was in the shed.",
}
"""Wordings by number, of an issue in which each chapter has a heading."""

SECTIONS = """\
## 900.1  Beds are watered
{900.1}

# verb: Player water
# yes: {{Player}} waters
# no: {{Player}} doesn't water
can_water(Player) <= (seat(Player, _Seat) & ~frozen(Player))

## 900.2  Hoses reach
{900.2}

# verb: Player hose Other
# yes: {{Player}} hoses {{Other}}
# no: {{Player}} doesn't hose {{Other}}
can_hose(Player, Other) <= (reach_of(Player, Steps) & seat(Other, Steps))

## 900.2a  Kinks
{900.2a}

# yes: {{Player}}'s hose reaches {{Steps}} beds
# no: {{Player}}'s hose doesn't reach {{Steps}} beds
reach_of(Player, Steps) <= (seat(Player, Steps))

## 900.2b  Joined hoses
{900.2b}
# left out: nobody joins hoses here

## 900.3  Compost
{900.3}
# left out: whose compost it is has no bearing

## 900.4  Frost
{900.4}

# yes: {{Player}} has frost
# no: {{Player}} has no frost
frozen(Player) <= (active(Player))
"""
"""An edition's one file, with the lines of its digests to be put in."""

COVERS = '["900.1", "900.2 ab", "900.3", "900.4"]'

SCENARIOS = """\
edition = "beds"

[table]
seats = ["Ann", "Ben"]

[[scenario]]
name = "no frost"
can = ["Ann", "water"]
answer = "yes"
cites = ["900.1", "900.4"]

[[scenario]]
name = "next door"
can = ["Ann", "hose", "Ben"]
answer = "no"
cites = ["900.2", "900.2a"]
"""


def text(rules: Mapping[str, str], day: str = "May 1, 2031") -> str:
    """An issue's text: headings where a chapter begins, rules in the order given."""
    lines = ["Rules of the Beds", "", f"This book is effective as of {day}.", ""]
    chapter = ""
    for number, wording in rules.items():
        if number.partition(".")[0] != chapter:
            chapter = number.partition(".")[0]
            lines += [f"{chapter}. Chapter {chapter[-1]}", ""]
        lines += [f"{number}{'.' * (not number[-1].isalpha())} {wording}", ""]
    return "\n".join(lines)


def issue(folder: Path, name: str, rules: Mapping[str, str], day: str = "May 1, 2031") -> Path:
    """The same as a file."""
    path = folder / name
    path.write_text(text(rules, day), encoding="utf-8")
    return path


def beds(folder: Path, rules: Mapping[str, str] | None = None, covers: str = COVERS) -> Path:
    """The edition ``beds`` in a folder, checked against some rules, and a file of scenarios."""
    read = read_issue(text(rules or RULES).encode(), "beds.txt")
    lines = {r.number: f"# text: sha256:{r.digest}  beds 2031-05-01" for r in read.rules}
    home = folder / "beds"
    home.mkdir()
    settings = 'title = "Beds"\ndate = "2031-05-01"\n' + (f"covers = {covers}\n" * bool(covers))
    (home / "edition.toml").write_text(settings, encoding="utf-8")
    filled = SECTIONS
    for number, line in lines.items():
        filled = filled.replace(f"{{{number}}}", line)
    (home / "rules.dl").write_text(filled.replace("{{", "{").replace("}}", "}"), encoding="utf-8")
    (folder / "beds.toml").write_text(SCENARIOS, encoding="utf-8")
    return home

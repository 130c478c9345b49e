"""Small invented books over the shipped vocabulary, to be held against each other."""

from __future__ import annotations

from pathlib import Path

RULES = """\
## 1.1  A neighbour is reached

# verb: Player reach Other
# yes: {Player} reaches {Other}
# no: {Player} doesn't reach {Other}
can_reach(Player, Other) <= (
    seat(Player, Seat)
    & seat(Other, Next)
    & (Next == Seat + 1)
)

## 1.2  Whoever sits may rest

# verb: Player rest
# yes: {Player} rests
# no: {Player} doesn't rest
# doubt: unclear(Player)
can_rest(Player) <= (seat(Player, _Seat) & ~cannot_rest(Player))

# no: it is {Player}'s turn
cannot_rest(Player) <= active(Player)

# yes: who rests in turn 7 is said nowhere
unclear(Player) <= (seat(Player, _Seat) & turn(7))

## 1.3  Nobody sits alone

# alarm: {Player} sits alone
alone(Player) <= (seat(Player, _Seat) & ~accompanied(Player))

# yes: {Player} has company
accompanied(Player) <= (seat(Player, _Seat) & seat(Other, _Next) & (Player != Other))
"""

SAME = """\
## 1.2  Whoever sits may rest

# verb: Player rest
# yes: {Player} rests
# no: {Player} doesn't rest
# doubt: unclear(Player)
can_rest(Player) <= (~cannot_rest(Player) & seat(Player, _Place))

# no: it is {Player}'s turn
cannot_rest(Player) <= active(Player)

# yes: who rests in turn 7 is said nowhere
unclear(Anybody) <= (turn(7) & seat(Anybody, _Seat))
"""
"""Section 1.2 in other words: variables have other names, and bodies another order."""

OTHER = """\
## 1.1  A neighbour is reached

# verb: Player reach Other
# yes: {Player} reaches {Other}
# no: {Player} doesn't reach {Other}
can_reach(Player, Other) <= (
    seat(Player, Seat)
    & seat(Other, Next)
    & (Next == Seat + 2)
)

## 1.2  Whoever sits may rest

# verb: Player rest
# yes: {Player} rests
# no: {Player} doesn't rest
can_rest(Player) <= (seat(Player, _Seat) & ~cannot_rest(Player))

# no: it is {Player}'s turn
cannot_rest(Player) <= active(Player)

## 1.4  The one in seat 1 hums

# verb: Player hum
# yes: {Player} hums
# no: {Player} doesn't hum
can_hum(Player) <= seat(Player, 1)
"""
"""Two seats on instead of one; nothing open; another verb; nobody is refused for sitting alone."""

TABLE = """\
[table]
seats = ["Ann", "Ben", "Cy"]
"""

SCENARIOS = f"""\
{TABLE}
[[scenario]]
name = "next door"
can = ["Ann", "reach", "Ben"]
answer = "yes"
cites = ["1.1"]

[[scenario]]
name = "all of them"
can = ["Ann", "reach"]
answer = ["Ben"]
cites = ["1.1"]

[[scenario]]
name = "in clause syntax"
ask = "can_reach(Who, Other)"
answer = [["Ann", "Ben"], ["Ben", "Cy"]]
cites = ["1.1"]

[[scenario]]
name = "said nowhere"
table.turn = 7
can = ["Ben", "rest"]
answer = "yes"
open = true
cites = ["1.2"]

[[scenario]]
name = "said nowhere, and not so"
table.turn = 7
table.active = ["Ann"]
can = ["Ann", "rest"]
answer = "no"
open = true
cites = ["1.2"]

[[scenario]]
name = "who rests is said nowhere"
table.turn = 7
ask = "can_rest(Who)"
answer = ["Ann", "Ben", "Cy"]
open = true
cites = ["1.2"]

[[scenario]]
name = "alone"
table.seats = ["Ann"]
can = ["Ann", "rest"]
answer = "refused"
cites = ["1.3"]

[[scenario]]
name = "hummed"
can = ["Ann", "hum"]
answer = "no rule"

[[scenario]]
name = "the same in both"
can = ["Ben", "reach", "Ann"]
answer = "no"
cites = ["1.1"]

[[scenario]]
name = "of another book"
edition = "elsewhere"
can = ["Ben", "reach", "Ann"]
answer = "no"
cites = []
"""


def book(folder: Path, text: str, **settings: str) -> Path:
    """An edition in a folder, from the text of its one file and the lines of its settings."""
    folder.mkdir(parents=True)
    said = {"title": f'"{folder.name.title()}"', "date": '"2030-01-01"', **settings}
    lines = "".join(f"{key} = {value}\n" for key, value in said.items())
    (folder / "edition.toml").write_text(lines, encoding="utf-8")
    (folder / "rules.dl").write_text(text, encoding="utf-8")
    return folder


def books(top: Path) -> Path:
    """``low`` and its kin under one folder, with scenarios of ``low``."""
    book(top / "low", RULES)
    book(top / "same", SAME, base='"low"')
    (top / "same" / "edition.toml").write_text(
        f'title = "Same"\ndate = "2030-01-02"\nbase = "{top / "low"}"\n', encoding="utf-8"
    )
    book(top / "high", OTHER)
    (top / "cases.toml").write_text(SCENARIOS, encoding="utf-8")
    (top / "one.toml").write_text('seats = ["Ann"]\n', encoding="utf-8")
    four = 'seats = ["Ann", "Ben", "Cy", "Di"]\nactive = ["Ann"]\n'
    (top / "four.toml").write_text(four, encoding="utf-8")
    many = ", ".join(f'"P{i}"' for i in range(25))
    (top / "many.toml").write_text(f"seats = [{many}]\n", encoding="utf-8")
    return top

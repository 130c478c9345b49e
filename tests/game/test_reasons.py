"""Short reasons: what fails is told, no more is denied than isn't so, and nothing is left bare."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import NamedTuple

import pytest

import seatlog
from places import TESTS
from processes import run
from seatlog.book import Sentence, holes
from seatlog.cases import read_scenarios, scenario_files
from seatlog.editions import load_book
from seatlog.explain import Node, Reason
from seatlog.game import Session
from seatlog.model import Const, Literal, Term, Value, Var
from seatlog.table import table

EDITIONS = ("cr", "cr2021", "draft2004")
MORE = 2
EVERY = int(os.environ.get("SEATLOG_REASONS", "6"))
"""The gate looks at one scenario in six; ``make soak`` at each of them."""
FAULT = re.compile(r"[a-z ]+: .*(?: counts|, not .*|which way round)(?: \(\d+\))?$")
"""Scenarios that tell a clause from a faulty copy of it ask for helpers that nobody asks for."""
COMPARED = re.compile(r"\S+ is (?:(?:not|at least|at most|less than|more than) )?\S+$")
DEMANDS = re.compile(r" has to | only |, so that both have to ")
"""What rules ask for holds for everybody, whatever was asked."""


class Asked(NamedTuple):
    """A question that one literal asks of a scenario's table."""

    scenario: str
    game: Session
    literal: Literal

    @property
    def reason(self) -> Reason:
        return self.game.explainer.reason(self.literal)


@cache
def asked(edition: str) -> list[Asked]:
    """The questions of all scenarios of an edition, and of each list some single ones."""
    return list(_asked(edition))


def _asked(edition: str) -> Iterator[Asked]:
    for file in scenario_files(TESTS / "scenarios" / edition):
        for scenario in read_scenarios(file)[::EVERY]:
            if scenario.answer in ("refused", "no rule"):
                continue
            if scenario.ask and FAULT.match(scenario.name):
                continue
            book = load_book(scenario.edition or edition)
            game = Session(book, table(scenario.data, book.vocabulary, None, scenario.name))
            answer = game.say(scenario.can) if scenario.can else game.ask(scenario.ask)
            found = answer.literals() if not answer.open else []
            for literal in found:
                yield Asked(scenario.name, game, literal.atom)
            for items in _open(game, scenario.can, scenario.ask):
                yield from (Asked(scenario.name, game, each) for each in _single(game, items))


def _open(game: Session, can: tuple[str, ...], ask: str) -> Iterator[Literal]:
    answer = game.say(can) if can else game.ask(ask)
    if answer.open and not answer.rows:
        yield from (each for each in answer.literals() if not each.negated)


def _single(game: Session, literal: Literal) -> Iterator[Literal]:
    """Some of the single questions that a list with nothing in it asks."""
    sorts = game.book.arg_sorts.get(literal.name, ())
    pools: list[list[Value]] = []
    for term, allowed in zip(literal.args, sorts, strict=False):
        names: list[Value] = [n for n, s in game.table.names.items() if s in (allowed or ())]
        pools.append([term.value] if isinstance(term, Const) else names)
    every = list(islice(product(*pools), 500))
    for row in random.Random(3).sample(every, min(MORE, len(every))):
        yield Literal(literal.name, tuple(Const(v) for v in row))


def below(game: Session, node: Node) -> Iterator[Node]:
    """The steps of a no on the way down to where it ends."""
    for child in node.children:
        if child.clause is None or child.holds:
            yield child
        yield from below(game, child)


def said(game: Session, node: Node) -> set[str]:
    """What a step can be said to be, in the words of reasons or of trees, and what it tells."""
    if not isinstance(node.item, Literal):
        return set()
    told = game.explainer.tracer.told(node.item)
    speaker = game.explainer.speaker
    return {speaker.denied(node), *(speaker.sentence(each) for each in told)}


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_line_is_a_comparison(edition: str) -> None:
    for each in asked(edition):
        for line in each.reason.lines:
            assert line.text.template != str(line.text) or not COMPARED.match(line.text), each
            assert "…" not in line.text, each


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_no_tells_what_fails(edition: str) -> None:
    """One of the steps below the first on the way to where the nearest clause ends."""
    for each in asked(edition):
        game, lines = each.game, {str(line.text) for line in each.reason.lines}
        if game.solver.rows(each.literal):
            continue
        node = game.explainer.tracer.node(each.literal)
        head = game.explainer.speaker.sentence(node)
        fails = {text for step in below(game, node) for text in said(game, step)}
        fails |= said(game, node) - {head}
        fails |= {game.explainer.speaker.but(c) for c in _refuted(node)}
        fails -= {"", head}
        fails = {text for text in fails if "…" not in text}
        assert not fails or fails & lines, each


def _refuted(node: Node) -> Iterator[Node]:
    for child in node.children:
        if child.clause and not child.holds:
            yield child
        yield from _refuted(child)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_denial_denies_no_more_than_is_not_so(edition: str) -> None:
    """A sentence that leaves out a term of its literal is false where another term would do."""
    wrong = set()
    for each in asked(edition):
        lines = {str(line.text) for line in each.reason.lines}
        node = each.game.explainer.tracer.node(each.literal)
        for step in (node, *below(each.game, node)):
            literal = step.item
            if not isinstance(literal, Literal) or step.holds or literal.negated:
                continue
            text = each.game.explainer.speaker.denied(step)
            if text in lines and not DEMANDS.search(text) and _is_so(each.game, literal, text):
                wrong.add(f"{each.scenario}: {literal}: {text}")
    assert not wrong


def _is_so(game: Session, literal: Literal, text: Sentence) -> bool:
    """Whether a literal holds once the terms that a sentence is silent on are left open."""
    speaker = game.book.predicates.get(literal.name)
    names = speaker.params if speaker else game.book.vocabulary.facts[literal.name].args
    spoken = set(holes(text.template))
    pairs = list(zip(names, literal.args, strict=True))
    silent = {n for n, term in pairs if n not in spoken and isinstance(term, Const)}
    args: list[Term] = [Var(f"{n}_") if n in silent else term for n, term in pairs]
    return bool(silent and game.solver.rows(Literal(literal.name, tuple(args))))


TABLE = """
seats = ["Ann", "Bob", "Cid", "Dee"]
range = 0
[objects]
Bear = { controller = "Ann", types = ["creature"] }
Ox = { controller = "Bob", types = ["creature"], subtypes = ["ox"] }
[effects]
Win = { source = "Bear", says = "you win the game" }
"""


@pytest.mark.parametrize(
    ("edition", "words", "cites"),
    [
        ("cr", ("Bear", "attack"), ("801.2", "801.2a", "801.3")),
        ("cr", ("Ann", "attack"), ("801.2", "801.2a", "801.3")),
        ("cr2021", ("Bear", "attack"), ("801.2", "801.2a", "801.3")),
        ("draft2004", ("Bear", "attack"), ("601.1a", "601.2")),
        ("cr", ("Win", "defeat"), ("801.2", "801.2a", "801.14")),
    ],
)
def test_nobody_near(tmp_path: Path, edition: str, words: tuple[str, ...], cites: object) -> None:
    (tmp_path / "near.toml").write_text(TABLE, encoding="utf-8")
    answer = seatlog.open(str(tmp_path / "near.toml"), edition=edition).can(*words)
    assert not answer.rows
    assert answer.cites == cites
    near = "the nearest is Bob at distance 1, and Ann's range is 0"
    assert f"Nobody of Ann's opponents is within range; {near}" in answer.text()


def test_nobody_wins_where_nobody_is_near(tmp_path: Path) -> None:
    (tmp_path / "near.toml").write_text(TABLE, encoding="utf-8")
    answer = seatlog.open(str(tmp_path / "near.toml"), edition="cr").ask("wins(Win, 'Ann')")
    assert "the nearest is Bob at distance 1, and Ann's range is 0" in answer.text()


OWN = """
## 950.1  Petting

# verb: Player pet Thing
# yes: {Player} may pet {Thing}
# no: {Player} may not pet {Thing}
can_pet(Player, Thing) <= (controls(Player, Thing))

## 950.2  Oxen

# no: the house keeps {Player}'s hands off {Target}
cannot_target(Player, Target) <= (subtype(Target, 'ox') & in_range(Player, Target))

## 950.3  Nobody bothers bears

cannot_target(Player, Target) <= (is_a(Target, 'creature') & owner(Player, Target))

## 950.4  Poking

# verb: Player poke Thing
# yes: {Player} may poke {Thing}
# no: {Player} may not poke {Thing}
can_poke(Player, Thing) <= (may_target(Player, Thing) & ~cannot_target(Player, Thing))
"""


@pytest.fixture
def house(tmp_path: Path) -> Session:
    """A table that an author's own sections rule as well."""
    (tmp_path / "house" / "950").mkdir(parents=True)
    settings = 'title = "House"\ndate = "2026-09-01"\nbase = "cr"\n'
    (tmp_path / "house" / "edition.toml").write_text(settings, encoding="utf-8")
    for section in filter(None, OWN.split("## ")):
        if section.strip():
            file = tmp_path / "house" / "950" / f"{section.split()[0]}_own.dl"
            file.write_text(f"## {section}", encoding="utf-8")
    (tmp_path / "near.toml").write_text(TABLE.replace("range = 0", "range = 1"), encoding="utf-8")
    return seatlog.open(str(tmp_path / "near.toml"), edition=str(tmp_path / "house"))


@pytest.mark.parametrize(
    ("words", "verdict", "said", "cites"),
    [
        ("Bob pet Ox", True, "Bob may pet Ox (950.1)", "950.1"),
        ("Ann pet Ox", False, "Ann may not pet Ox (950.1)", "950.1"),
        ("Ann target Ox", False, "The house keeps Ann's hands off Ox (950.2)", "950.2"),
        ("Ann poke Ox", False, "The house keeps Ann's hands off Ox (950.2)", "950.4"),
        ("Ann poke Dee", True, "Ann may poke Dee (950.4)", "950.4"),
        (
            "Ann target Bear",
            False,
            'What stands under "Nobody bothers bears" forbids it (950.3)',
            "950.3",
        ),
    ],
)
def test_own_sections_speak(
    house: Session, words: str, verdict: bool, said: str, cites: str
) -> None:
    """An own ``can_`` is cited; a prohibition says its own words, or at least its title."""
    answer = house.can(*words.split())
    assert answer.verdict is verdict
    assert said in answer.text()
    assert cites in answer.cites


def test_a_marker_that_waits_says_for_which(tmp_path: Path) -> None:
    names = [chr(ord("a") + i) * 3 for i in range(14)]
    seats = ", ".join(f'"{name}"' for name in names)
    marks = f"{{ {names[0]} = 1, {names[4]} = 2, {names[6]} = 3 }}"
    text = f'edition = "draft2004"\nvariant = "grand_melee"\nseats = [{seats}]\nturn = 3\n'
    text += f'markers = {marks}\nwaiting = ["{names[4]}"]\n'
    (tmp_path / "melee.toml").write_text(text, encoding="utf-8")
    game = seatlog.open(str(tmp_path / "melee.toml"))
    text = game.ask(f"handed(2, '{names[4]}', '{names[5]}')").text()
    assert f"Marker 2 can't go to {names[5]}, since marker 3 lies within three seats" in text


def test_the_verdict_outlasts_what_comes_on_top(tmp_path: Path) -> None:
    """At a table of a thousand no change is found in time, and the reason stands."""
    seats = ", ".join(f'"P{i}"' for i in range(1_000))
    text = f'seats = [{seats}]\nrange = 1\n[objects]\nBear = {{ controller = "P500" }}\n'
    (tmp_path / "crowd.toml").write_text(text, encoding="utf-8")
    done = run("why", "--budget", "1s", "crowd.toml", "P0", "target", "Bear", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("no\n  P0 can't target Bear")
    assert "P500 sits at distance 500 from P0, whose range is 1 (801.2, 801.2a)" in done.stdout
    assert "the search for a change was given up: --budget allows more" in done.stdout


@pytest.mark.parametrize("words", ["yes: {Other} sits opposite {Player}", "tree yes: opposite"])
def test_a_clause_that_an_edition_adds_says_itself_beside_what_is_told_of_all(words: str) -> None:
    draft = seatlog.draft("cr")
    gaps = "left_gap(Player, Other, Gap) & left_gap(Other, Player, Gap)"
    draft.add("950.1", f"# {words}\nreaches(Player, Other) <= ({gaps} & (Player != Other))")
    told = ["Carissa sits at distance 2 from Alex, whose range is 1 (801.2, 801.2a)"]
    own = ["Carissa sits opposite Alex (950.1)"] if words.startswith("yes") else []
    for question in ("can Alex reach Carissa", "can Alex target Carissa"):
        text = draft.ask("four_in_a_ring", question).text()
        said = [line.strip() for line in text.split("\n")]
        at = said.index("Carissa is within Alex's range of influence (801.2)")
        assert said[at + 1 : at + 2 + len(own)] == own + told, text
    near = draft.ask("four_in_a_ring", "can Alex reach Rob").text()
    assert "opposite" not in near and "distance 1" in near

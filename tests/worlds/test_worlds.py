"""Books over all games within a bound: what the circuit says of a game is what the engine says.

The games are the smallest in which each verb is answered by yes, or left open: every one of them
is a table that its book takes, and every predicate there is compared row by row.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import small_books
from seatlog.book import Book
from seatlog.editions import load_book
from seatlog.errors import BookError, SeatlogError
from seatlog.game import Session
from seatlog.language import read_clauses
from seatlog.model import Clause, Literal, Row, Statement, Var
from seatlog.solvers import open_solver
from seatlog.table import as_data, table, with_defaults
from seatlog.worlds import FALSE, TRUE, Circuit, Games, Grounder, Slots, Wiring, Worlds
from seatlog.worlds.universe import bound_text, of_format, read_bound

BOUND = {"Player": 3, "Thing": 2, "Team": 2}
EDITIONS = ["cr", "draft2004"]


@cache
def worlds(edition: str) -> tuple[Book, Worlds]:
    book = load_book(edition)
    return book, Worlds(Slots(book.vocabulary, BOUND, book.clauses))


@cache
def games(edition: str) -> list[tuple[str, str, Row, tuple[Statement, ...]]]:
    """The smallest game in which each verb's predicate holds, or is open, with the row."""
    book, own = worlds(edition)
    judged = own.judged(book, sorted({verb.predicate for verb in book.verbs}))
    found = []
    with Games(own, [judged.refused]) as every:
        for name in sorted({verb.predicate for verb in book.verbs}):
            verdicts = judged.verdicts(name)
            for said in ("holds", "open"):
                ways = {row: getattr(v, said) for row, v in verdicts.items()}
                game = every.smallest(own.circuit.any_of(ways.values()))
                if game is not None:
                    facts = {(f.name, f.row) for f in with_defaults(game.facts, book.vocabulary)}
                    held = own.circuit.holding(list(ways.values()), facts)
                    row = next(row for row, holds in zip(ways, held, strict=True) if holds)
                    found.append((name, said, row, game.facts))
    return found


def session(book: Book, facts: tuple[Statement, ...]) -> Session:
    data = as_data(facts, book.vocabulary, book.name)
    return Session(book, table(data, book.vocabulary))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_smallest_game_of_a_verdict_is_one(edition: str) -> None:
    book, _ = worlds(edition)
    found = games(edition)
    assert len({name for name, *_ in found}) >= 0.9 * len({v.predicate for v in book.verbs})
    assert any(said == "open" for _, said, *_ in found)
    for name, said, row, facts in found:
        game = session(book, facts)
        if said == "open":
            assert row in game.doubts_of(name, *row), (name, row, facts)
        else:
            assert game.holds(name, *row), (name, row, facts)


def packed(edition: str) -> dict[tuple[str, Row], int]:
    """The facts of all games, bit k for game k."""
    book, _ = worlds(edition)
    out: dict[tuple[str, Row], int] = {}
    for number, (_, _, _, facts) in enumerate(games(edition)):
        for fact in with_defaults(facts, book.vocabulary):
            mark = (fact.name, fact.row)
            out[mark] = out.get(mark, 0) | 1 << number
    return out


def rows_of(edition: str, nodes: dict[tuple[str, Row], int]) -> list[dict[str, set[Row]]]:
    """For each game the rows by predicate whose nodes hold."""
    _, own = worlds(edition)
    many = len(games(edition))
    out: list[dict[str, set[Row]]] = [{} for _ in range(many)]
    bits = own.circuit.bits(list(nodes.values()), packed(edition), many)
    for (name, row), held in zip(nodes, bits, strict=True):
        for number in range(many):
            if held >> number & 1:
                out[number].setdefault(name, set()).add(row)
    return out


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_predicate_is_as_the_engine_has_it(edition: str) -> None:
    book, own = worlds(edition)
    judged = own.judged(book, list(book.predicates))
    nodes = {(n, row): node for n in book.predicates for row, node in judged.taken[n].items()}
    compared = 0
    for number, mine in enumerate(rows_of(edition, nodes)):
        facts = games(edition)[number][-1]
        engine = "compiled" if number % 10 else "pydatalog"
        solver = open_solver(book, with_defaults(facts, book.vocabulary), engine)
        for name, predicate in book.predicates.items():
            free = Literal(name, tuple(Var(f"V{i}") for i in range(predicate.arity)))
            assert mine.get(name, set()) == set(solver.rows(free)), (name, facts)
            compared += 1
    assert compared > 1000


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_open_is_as_the_session_has_it(edition: str) -> None:
    book, own = worlds(edition)
    names = sorted({v.predicate for v in book.verbs})
    judged = own.judged(book, names)
    nodes = {(name, row): v.open for name in names for row, v in judged.verdicts(name).items()}
    doubtful = 0
    for (_, said, _, facts), mine in zip(games(edition), rows_of(edition, nodes), strict=True):
        if said == "open":
            game = session(book, facts)
            for name in names:
                theirs = game.doubts_of(name, *[None] * book.predicates[name].arity)
                assert mine.get(name, set()) == set(theirs), (name, facts)
            doubtful += sum(map(len, mine.values()))
    assert doubtful


RESTED = """\
## 1.1  Who rests is relieved by somebody awake

# verb: Player relieve Other
# yes: {Other} relieves {Player}
# no: {Other} doesn't relieve {Player}
can_relieve(Player, Other) <= (
    seat(Other, _Seat)
    & can_rest(Player)
    & ~can_rest(Other)
)

## 1.2  Whoever sits may rest

# verb: Player rest
# yes: {Player} rests
# no: {Player} doesn't rest
# doubt: unclear(Player)
can_rest(Player) <= (seat(Player, _Seat) & ~active(Player))

# yes: who rests in turn 7 is said nowhere
unclear(Player) <= (seat(Player, _Seat) & turn(7))
"""


def test_a_clause_that_needs_and_denies_the_same_open_row_may_hold(tmp_path: Path) -> None:
    """Nobody knows of the row whether it holds, so nobody knows of the clause: not a plain no."""
    book = load_book(str(small_books.book(tmp_path / "rested", RESTED)))
    own = Worlds(Slots(book.vocabulary, {"Player": 2, "Turn": 7}, book.clauses))
    verdicts = own.judged(book, ["can_relieve"]).verdicts("can_relieve")
    one, other = own.universe.names("Player")[:2]
    seats = {"seats": [str(one), str(other)]}
    for turn, unsure in ((7, True), (6, False)):
        game = Session(book, table({**seats, "turn": turn}, book.vocabulary))
        facts = {(f.name, f.row) for f in with_defaults(game.table.facts, book.vocabulary)}
        for row in ((one, one), (one, other)):
            assert (row in game.doubts_of("can_relieve", *row)) == unsure
            assert own.circuit.holding([verdicts[row].open], facts) == [unsure]


def test_the_smallest_game_has_nothing_to_spare() -> None:
    """Taking any one fact away leaves no such game: no table, one refused, or another verdict."""
    book, _ = worlds("cr")
    for name, said, row, facts in games("cr")[::3]:
        for gone in facts:
            less = tuple(f for f in facts if f != gone)
            try:
                game = session(book, less)
                still = (
                    bool(game.doubts_of(name, *row)) if said == "open" else game.holds(name, *row)
                )
            except SeatlogError:
                continue
            assert not still, (name, row, facts, gone)


def test_the_smallest_game_is_the_same_whatever_was_asked_before() -> None:
    book, own = worlds("cr")
    judged = own.judged(book, sorted({verb.predicate for verb in book.verbs}))
    for name, said, _, facts in games("cr")[1::9]:
        ways = [getattr(verdict, said) for verdict in judged.verdicts(name).values()]
        with Games(own, [judged.refused]) as fresh:
            game = fresh.smallest(own.circuit.any_of(ways))
        assert game is not None
        assert game.facts == facts


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("players=four", "is no bound"),
        ("playrs=4", "that a bound counts"),
        ("players=4,Player=3", "twice"),
        ("players=400", "too many"),
        ("", "is no bound"),
    ],
)
def test_a_bound_says_what_is_wrong_with_it(said: str, what: str) -> None:
    with pytest.raises(SeatlogError, match=what) as error:
        read_bound(said, load_book("cr").vocabulary)
    assert error.value.hint


def test_a_bound_is_read_and_said_again() -> None:
    vocabulary = load_book("cr").vocabulary
    found = read_bound("Players=4, thing=3,abilities=2", vocabulary)
    assert found == {"Player": 4, "Thing": 3, "Ability": 2}
    assert bound_text(found) == "players=4,things=3,abilities=2"
    said = "lives=2,reaches=3,sinces=1"
    assert bound_text(read_bound(said, vocabulary)) == said


def test_players_sit_in_the_order_of_their_slots() -> None:
    _, own = worlds("cr")
    assert list(own.universe.rows("seat")) == [("Player1", 1), ("Player2", 2), ("Player3", 3)]
    assert ("Player2", "Thing1") in own.universe.rows("controls")


def test_the_games_of_a_format_state_what_it_fixes() -> None:
    book = load_book("draft2004")
    stated = of_format("grand_melee", book.vocabulary)
    own = Slots(book.vocabulary, BOUND, book.clauses, stated)
    assert all(own.always(f.name, f.row) for f in stated)
    assert {f.name for f in stated} >= {"format"}
    assert list(own.rows("format")) == [("grand_melee",)]
    with pytest.raises(SeatlogError, match="no format is called") as error:
        of_format("grand_mele", book.vocabulary)
    assert "grand_melee" in error.value.hint


class Three:
    """Three nodes on a line, each lit or not, none of them for certain."""

    def rows(self, name: str) -> list[Row]:
        lit: list[Row] = [(1,), (2,), (3,)]
        return lit if name == "lit" else [(1, 2), (2, 3), (3, 1)] if name == "next" else []

    def always(self, name: str, row: Row) -> bool:
        return name == "next"

    def groups(self, name: str, row: Row) -> tuple[int, ...]:
        return ()


def by_head(text: str) -> dict[str, list[Clause]]:
    found: dict[str, list[Clause]] = {}
    for entry in read_clauses(f"## 1.1  X\n\n{text}\n", "x.dl").entries:
        if isinstance(entry, Clause):
            found.setdefault(entry.head.name, []).append(entry)
    return found


def test_a_walk_in_a_circle_holds_of_nothing_by_itself() -> None:
    clauses = by_head(
        "lights(A, B) <= (lit(A) & next(A, B))\n"
        "lights(A, C) <= (lights(A, B) & next(B, C))\n"
        "dark(A) <= (next(A, _B) & ~lit(A))\n"
    )
    universe = Three()
    relations = Grounder(universe).ground(clauses, ["lights", "dark"])
    circuit = Circuit(universe)
    wired = Wiring(circuit).taken(relations.values())
    roots = list(wired["lights"].values())
    assert len(roots) == 9
    for said in [set(), {("lit", (1,))}, {("lit", (1,)), ("lit", (3,))}]:
        held = circuit.holding(roots, said)
        lit = {row for (name, row) in said}
        assert all(
            holds == ((row[0],) in lit) for row, holds in zip(wired["lights"], held, strict=True)
        )


def test_a_count_is_right_for_every_game() -> None:
    clauses = by_head("lamps(Many) <= (next(1, _B) & (Many == count(A, lit(A))))\n")
    universe = Three()
    relations = Grounder(universe).ground(clauses, ["lamps"])
    circuit = Circuit(universe)
    wired = Wiring(circuit).taken(relations.values())
    assert sorted(wired["lamps"]) == [(0,), (1,), (2,), (3,)]
    for bits in range(8):
        said = {("lit", (k + 1,)) for k in range(3) if bits >> k & 1}
        held = circuit.holding(list(wired["lamps"].values()), said)
        assert [row for row, holds in zip(wired["lamps"], held, strict=True) if holds] == [
            (len(said),)
        ]


def test_a_variable_that_is_counted_in_two_places_is_one() -> None:
    clauses = by_head(
        "pair(A, B) <= (lit(A) & lit(B))\n"
        "lamps(Many) <= (lit(1) & (Many == count(A, pair(A, A))))\n"
    )
    universe = Three()
    circuit = Circuit(universe)
    wired = Wiring(circuit).taken(Grounder(universe).ground(clauses, ["lamps"]).values())
    for said in ({("lit", (1,))}, {("lit", (1,)), ("lit", (3,))}):
        held = circuit.holding(list(wired["lamps"].values()), said)
        found = [row for row, holds in zip(wired["lamps"], held, strict=True) if holds]
        assert found == [(len(said),)]


def test_what_says_the_same_is_the_same_node() -> None:
    universe = Three()
    grounder, circuit = Grounder(universe), Circuit(universe)
    wiring = Wiring(circuit)
    one = by_head("shown(A) <= (lit(A) & next(A, B) & ~lit(B))\n")
    two = by_head("pair(A, B) <= (next(A, B) & ~lit(B))\nshown(A) <= (pair(A, _Other) & lit(A))\n")
    first = wiring.taken(grounder.ground(one, ["shown"]).values())["shown"]
    second = wiring.taken(grounder.ground(two, ["shown"]).values())["shown"]
    assert first == second
    assert len(set(first.values())) == 3


def test_two_predicates_that_rest_on_each_other_are_refused() -> None:
    clauses = by_head("a(X) <= (b(X) & lit(X))\nb(X) <= (a(X) & lit(X))\n")
    with pytest.raises(BookError, match="rests on itself"):
        Grounder(Three()).ground(clauses, ["a"])


def test_gates_are_simplified() -> None:
    circuit = Circuit(Three())
    a, b = circuit.fact("lit", (1,)), circuit.fact("lit", (2,))
    assert circuit.all_of([a, -a]) == FALSE
    assert circuit.any_of([a, -a]) == TRUE
    assert circuit.any_of([a, circuit.all_of([a, b])]) == a
    assert circuit.all_of([a, circuit.all_of([b, a])]) == circuit.all_of([b, a])
    assert circuit.fact("next", (1, 2)) == TRUE
    assert circuit.exactly(0, []) == TRUE
    assert circuit.exactly(1, [TRUE, a]) == -a
    assert circuit.differs(a, a) == FALSE


def test_without_a_solver_it_is_said_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    _, own = worlds("cr")
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    with pytest.raises(SeatlogError, match="no SAT solver") as error:
        Games(own)
    assert "pip install" in error.value.hint


@pytest.mark.parametrize("name", ["seat", "active", "team", "left_in", "turn"])
def test_games_are_counted_no_lower_than_they_are(name: str) -> None:
    """All sets of a fact's rows, those left in which two rows share a key."""
    book, _ = worlds("cr")
    fact = book.vocabulary.facts[name]
    slots = Slots(book.vocabulary, {"Player": 2, "Team": 2, "Turn": 2, "Seat": 3})
    rows = list(slots.rows(name))[:12]
    stated = 0
    for chosen in range(1 << len(rows)):
        said = [row for at, row in enumerate(rows) if chosen >> at & 1]
        marks = [mark for row in said for mark in fact.marks(row)]
        stated += len(marks) == len(set(marks))
    assert len(rows) == len(slots.rows(name))
    number = slots.games([name])
    assert number >= stated
    if len(fact.keys) < 2:
        assert number == stated

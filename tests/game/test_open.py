"""What the rules leave open stays open: through lists, negations, counts, and in every form."""

from __future__ import annotations

import json
import pickle

import pytest

import seatlog
from processes import run
from seatlog.book import Clauses
from seatlog.editions import load_book
from seatlog.errors import QuestionError
from seatlog.game import Session


def world(controller: str, since: int) -> dict[str, object]:
    return {"controller": controller, "types": ["enchantment"], "world_since": since}


GAME = seatlog.open(
    seats=["Ann", "Ben", "Cy", "Di"],
    range=1,
    objects={"Old": world("Ann", 1), "New": world("Ben", 2), "Far": world("Di", 3)},
)
LIST = GAME.ask("world_goes(Thing, Who)")
DOUBT = GAME.ask("world_goes('New', Ben)").doubts


def test_a_list_names_the_row_it_may_lack() -> None:
    assert len(DOUBT) == 1
    assert (LIST.rows, LIST.lacks, LIST.doubts) == ([("Old", "Ann")], [("New", "Ben")], DOUBT)
    assert (LIST.doubts_of(("Old", "Ann")), LIST.doubts_of(("New", "Ben"))) == ((), DOUBT)
    with pytest.raises(QuestionError):
        LIST.doubts_of(("New", "Ann"))
    assert GAME.doubts_of("world_goes", None, None) == {("New", "Ben"): DOUBT}
    assert GAME.ask("world_goes(New, Ann)").doubts == (), "Ann isn't the owner, whatever is open"


@pytest.mark.parametrize(
    ("question", "rows", "lacks"),
    [
        ("controls(Who, Thing) & ~world_goes(Thing, Who)", ["New", "Far"], []),
        ("controls(Who, Thing) & world_goes(Thing, Who)", ["Old"], ["New"]),
        ("world_goes(Thing, Who) & opponent(Who, Who)", [], []),
    ],
)
def test_it_goes_through_joins_and_negations(
    question: str, rows: list[str], lacks: list[str]
) -> None:
    answer = GAME.ask(question)
    spot = answer.variables.index("Thing")
    assert [row[spot] for row in answer.rows] == rows
    assert [row[spot] for row in answer.lacks] == lacks
    doubtful = [row[spot] for row in (*answer.rows, *answer.lacks) if answer.doubts_of(row)]
    assert doubtful == (["New"] if rows else [])


def test_a_count_of_what_is_open_is_open() -> None:
    count = GAME.ask("(Number == count(Thing, world_goes(Thing, Ben)))")
    assert (count.rows, count.lacks, count.doubts) == ([(0,)], [(1,)], DOUBT)
    assert GAME.ask("(Number == count(Thing, world_goes(Thing, Ben))) & (Number > 0)").doubts
    assert not GAME.ask("(Number == count(Thing, world_goes(Thing, Ben))) & (Number > 1)").doubts
    assert not GAME.ask("(Number == count(Thing, world_goes(Thing, Ann)))").doubts


def test_a_book_whose_doubtful_predicate_has_lost_its_clauses_can_be_asked() -> None:
    """The doubt speaks of things alone, so that no owner is left that it could concern."""
    book = load_book()
    less = Clauses(c for c in book.clauses if c.head.name != "world_goes")
    answer = Session(book._replace(clauses=less), GAME.table).ask("world_goes(Thing, Who)")
    assert (answer.rows, answer.lacks, answer.doubts) == ([], [], ())


def test_every_form_says_it() -> None:
    assert "open too, and not listed: New, Ben" in LIST.text()
    assert "open too, and not listed: New, Ben" in LIST._repr_html_()
    data = LIST.as_dict()
    assert data["lacks"] == [{"row": ["New", "Ben"], "open": list(DOUBT)}]
    assert [each["open"] for each in data["reasons"]] == [[]]
    kept = pickle.loads(pickle.dumps(LIST))  # noqa: S301 (our own)
    assert (kept, kept.lacks, kept.text()) == (LIST, LIST.lacks, LIST.text())
    seen = run("ask", "four_in_a_ring", "reaches(Alex, Who)", "--json")
    assert (seen.returncode, json.loads(seen.stdout)["lacks"]) == (0, [])


def test_each_row_has_its_reason_on_demand() -> None:
    first, *rest = LIST.text(reasons=True).splitlines()
    assert first == "Old, Ann"
    assert rest[0].strip().startswith(LIST.because(("Old", "Ann"))[0].text)


def test_none_names_what_came_closest() -> None:
    answer = seatlog.open(seats=["Ann", "Ben", "Cy"], range=0).can("Ann", "attack")
    assert [near.question for near in answer.nearest][:2] == [
        "can_have_attacked('Ann', 'Ben')",
        "can_have_attacked('Ann', 'Cy')",
    ]
    assert "Ben sits at distance 1 from Ann" in answer.text()
    assert not GAME.can("Ann", "reach").nearest

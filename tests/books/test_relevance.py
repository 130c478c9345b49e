"""Which facts and words bear on what is asked, in books that are made for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatlog.book import Book, Relevance
from seatlog.editions import load_book, names
from seatlog.errors import BookError
from seatlog.model import Statement

VOCABULARY = """\
# role: can_ is a verdict
# sort: Person is a name
# sort: Hue is one of red, green, blue, grey
# sort: Other is one of red, black
# describes: Hue is grey
# fact: person(Person)
# names: Person
# table: people = [Person]
# describes:
# fact: wears(Person, Hue)
# table: wears.Person = Hue
# key: Person
# fact: likes(Person, Hue)
# table: likes.Person = [Hue]
# key: Person, Hue
# fact: sings(Person)
# table: sings = [Person]
# key: Person
# fact: owns(Person, Hue)
# table: owns.Person = Hue
# describes: Hue
# key: Person
"""


def book(tmp_path: Path, clauses: str, vocabulary: str = VOCABULARY) -> Book:
    """A book of one section."""
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "vocabulary.dl").write_text(vocabulary, encoding="utf-8")
    own = tmp_path / "own"
    own.mkdir()
    (own / "edition.toml").write_text('title = "Own"\n', encoding="utf-8")
    (own / "1_all.dl").write_text(f"## 1  All\n{clauses}\n", encoding="utf-8")
    return load_book(str(own), tmp_path / "facts")


def words(bearing: object, fact: str, spot: int = 1) -> set[str]:
    """The words that bear on something in a term of a fact."""
    assert isinstance(bearing, dict)
    row = bearing[fact]
    return set(row[spot])


@pytest.mark.parametrize(
    ("clauses", "read"),
    [
        ("can_go(Person) <= (wears(Person, 'red'))", {"red"}),
        ("can_go(Person) <= (wears(Person, Hue) & (Hue != 'red'))", {"green", "blue"}),
        ("can_go(Person) <= (wears(Person, Hue) & (Hue == 'blue'))", {"blue"}),
        ("can_go(Person) <= (wears(Person, _Hue))", set()),
        ("can_go(Person) <= (person(Person) & ~wears(Person, 'red'))", {"red"}),
        ("can_go(Person) <= (wears(Person, Hue) & likes(Person, Hue))", {"red", "green", "blue"}),
        (
            "shade('red')\ncan_go(Person) <= (wears(Person, Hue) & shade(Hue))".replace(
                "shade('red')", "+ shade('red')"
            ),
            {"red"},
        ),
        (
            "+ shade('red')\ncan_go(Person) <= (wears(Person, Hue) & ~shade(Hue))",
            {"red"},
        ),
        (
            "has(Person, Hue) <= (wears(Person, Hue))\ncan_go(Person) <= (has(Person, 'green'))",
            {"green"},
        ),
        (
            "has(Person, Hue) <= (wears(Person, Hue))\n"
            "can_go(Person, Hue) <= (has(Person, Hue) & person(Person))",
            {"red", "green", "blue"},
        ),
        (
            "+ shade('black')\nnever(Person) <= (wears(Person, Hue) & shade(Hue) & sings(Person))\n"
            "can_go(Person) <= (never(Person) & wears(Person, 'green'))",
            set(),
        ),
    ],
)
def test_a_word_bears_where_a_clause_tells_it_apart(
    tmp_path: Path, clauses: str, read: set[str]
) -> None:
    found = words(book(tmp_path, clauses).bearing, "wears") if read or "_Hue" in clauses else set()
    assert found - {"grey"} == read


def test_a_clause_that_can_never_hold_reads_nothing(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        "+ shade('black')\nnever(Person) <= (wears(Person, Hue) & shade(Hue) & sings(Person))\n"
        "can_go(Person) <= (never(Person))\ncan_stay(Person) <= (likes(Person, 'red'))",
    )
    assert "sings" not in made.bearing
    assert "wears" not in made.bearing
    assert words(made.bearing, "likes") == {"red", "grey"}


def test_alarms_read_nothing_and_what_nobody_looks_at_is_asked_for_its_own_sake(
    tmp_path: Path,
) -> None:
    made = book(
        tmp_path,
        "# alarm: {Person} sings in grey\nwrong(Person) <= (sings(Person) & odd(Person))\n"
        "odd(Person) <= (wears(Person, 'grey'))\ntally(Person) <= (likes(Person, 'blue'))",
    )
    assert set(made.bearing) == {"person", "likes"}


def test_what_only_describes_is_never_unread(tmp_path: Path) -> None:
    made = book(tmp_path, "can_go(Person) <= (likes(Person, 'red') & owns(Person, _Hue))")
    assert made.bearing["person"] == (None,)
    assert words(made.bearing, "likes") == {"red", "grey"}
    assert words(made.bearing, "owns") == {"red", "green", "blue", "grey"}


def test_doubts_and_steps_count_and_the_question_narrows(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        "# doubt: unsure(Person)\ncan_go(Person) <= (wears(Person, 'red'))\n"
        "# yes: it is open\nunsure(Person) <= (likes(Person, 'blue'))\n"
        "can_sing(Person) <= (sings(Person))",
    )
    assert {"wears", "likes", "sings"} <= set(made.bearing)
    relevance = Relevance(made.clauses, made.predicates, made.vocabulary)
    assert set(relevance.of(["can_go"])) == {"person", "wears", "likes"}
    assert set(relevance.of(["can_sing"])) == {"person", "sings"}


def test_what_a_table_says_narrows_it_further(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        "named(Person, 'red') <= (sings(Person))\n"
        "named(Person, 'green') <= (likes(Person, 'blue'))\n"
        "can_go(Person) <= (wears(Person, Hue) & named(Person, Hue))",
    )

    def bearing(*said: tuple[str, str]) -> set[str]:
        facts = [Statement(name, ("Ann", hue) if hue else ("Ann",)) for name, hue in said]
        known = Relevance(made.clauses, made.predicates, made.vocabulary, facts)
        return set(known.of(["can_go"])) - {"person"}

    every = (("sings", ""), ("likes", "blue"))
    assert bearing(("wears", "green"), *every) == {"wears", "likes"}
    assert bearing(("wears", "red"), *every) == {"wears", "sings"}
    assert bearing(*every) == set()


@pytest.mark.parametrize(
    ("note", "what"),
    [
        ("# describes: Hue is mauve", 'Hue has no word "mauve"'),
        ("# describes: Person is Ann", "nobody can tell which words only describe"),
        ("# describes: Nothing is red", "nobody can tell which words only describe"),
        ("# describes: Hue", "nobody can tell which words only describe"),
    ],
)
def test_what_describes_has_to_be_declared(tmp_path: Path, note: str, what: str) -> None:
    spoilt = VOCABULARY.replace("# describes: Hue is grey", note)
    with pytest.raises(BookError, match=what):
        book(tmp_path, "can_go(Person) <= (sings(Person))", spoilt)


def test_a_term_that_describes_is_one_of_its_fact(tmp_path: Path) -> None:
    spoilt = VOCABULARY.replace("# describes: Hue\n", "# describes: Colour\n")
    with pytest.raises(BookError, match="owns has no argument Colour"):
        book(tmp_path, "can_go(Person) <= (sings(Person))", spoilt)


def test_what_is_the_same_is_asked_by_the_same_verb_in_every_edition() -> None:
    """A predicate that has a verb in one book has that verb wherever it has one at all."""
    words: dict[str, dict[str, set[str]]] = {}
    for edition in names():
        for verb in load_book(edition).verbs:
            words.setdefault(verb.predicate, {}).setdefault(edition, set()).add(verb.word)
    parted = {name: by for name, by in words.items() if len(set(map(frozenset, by.values()))) > 1}
    assert not parted
    assert sum(len(by) == len(names()) for by in words.values()) > 20

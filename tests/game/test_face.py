"""The Python face: names and docstrings, kinds of error, and arguments of every wrong type."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import inspect
import os
import pkgutil
import pydoc
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any

import pytest

import seatlog
from seatlog import SeatlogError

WANTED = {
    *("open", "ask", "can", "why", "turn", "change", "check", "draw", "overview", "within"),
    *("Session", "Answer", "Book", "SeatlogError"),
}
METHODS = ("ask", "can", "why", "rows", "holds", "data", "but", "overview")
GAME = seatlog.open("four_in_a_ring")
YES_NO = GAME.can("Alex", "target", "Runeclaw Bear")
OPEN = GAME.can("Alex", "reach")


class Own(Exception):
    """An exception of the caller's own."""


# Names and docstrings


def exported() -> list[str]:
    return [name for name in seatlog.__all__ if not name.startswith("__")]


def kinds_of_error() -> list[type[SeatlogError]]:
    found, todo = [], [SeatlogError]
    while todo:
        kind = todo.pop()
        found.append(kind)
        todo += kind.__subclasses__()
    return [k for k in found if k.__module__ == SeatlogError.__module__]


def test_everything_public_is_handed_on() -> None:
    assert set(exported()) >= WANTED
    assert {k.__name__ for k in kinds_of_error()} <= set(seatlog.__all__)
    assert seatlog.__all__ == sorted(seatlog.__all__)
    for name in seatlog.__all__:
        assert getattr(seatlog, name) is not None
    mine = [v for v in vars(seatlog).values() if getattr(v, "__module__", "") == "seatlog"]
    own = {v.__name__ for v in mine if inspect.isfunction(v) and not v.__name__.startswith("_")}
    assert own <= set(seatlog.__all__)
    with pytest.raises(AttributeError):
        seatlog.anything  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("name", exported())
def test_each_name_says_what_it_does_with_an_example(name: str) -> None:
    said = inspect.getdoc(getattr(seatlog, name)) or ""
    assert len(said.split()) > 5
    assert ">>> " in said
    if inspect.isfunction(getattr(seatlog, name)):
        assert "Raises" in said or "raise" in said
        hints = inspect.signature(getattr(seatlog, name))
        assert hints.return_annotation is not inspect.Signature.empty
        assert all(p.annotation is not p.empty for p in hints.parameters.values())


@pytest.mark.parametrize("name", ["ask", "can", "why", "rows", "holds", "data", "but"])
def test_each_way_to_ask_a_session_has_an_example(name: str) -> None:
    assert ">>> " in (inspect.getdoc(getattr(seatlog.Session, name)) or "")


def modules() -> Iterator[ModuleType]:
    """The modules of the installed package that have examples."""
    yield seatlog
    for found in pkgutil.walk_packages(seatlog.__path__, "seatlog."):
        source = getattr(found.module_finder, "path", "")
        own = os.path.join(source, found.name.rpartition(".")[2])  # noqa: PTH118
        file = os.path.join(own, "__init__.py") if found.ispkg else own + ".py"  # noqa: PTH118
        with contextlib.suppress(OSError), open(file, encoding="utf-8") as text:  # noqa: PTH123
            if ">>> " in text.read():
                yield importlib.import_module(found.name)


def test_every_example_is_true() -> None:
    tried = 0
    for module in modules():
        found = doctest.testmod(module)
        assert not found.failed, module.__name__
        tried += found.attempted
    assert tried > 80


def test_help_shows_every_class_and_function() -> None:
    """Also where nothing was used before: classes come through the door only when asked for."""
    code = "import pydoc, seatlog; print(pydoc.render_doc(seatlog, renderer=pydoc.plaintext))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    for name in exported():
        assert f"class {name}(" in done.stdout or f"    {name}(" in done.stdout, name
    assert "__getattr__" not in done.stdout
    assert set(exported()) <= set(dir(seatlog))
    assert pydoc.getdoc(seatlog).startswith("Seatlog: ")


# Kinds of error


def _turn_without_rules() -> object:
    book = GAME.book
    bare: Any = type("Bare", (), {"outcomes": (), "role": "", "doubts": ()})
    plain = book._replace(predicates=dict.fromkeys(book.predicates, bare))
    session = seatlog.open("four_in_a_ring")
    session.book = plain
    from seatlog.game import advance

    return advance(session)


KINDS: list[tuple[str, Callable[[], object], str]] = [
    ("TextError", lambda: GAME.ask("reaches(Alex, X"), "never closed"),
    ("LintError", lambda: GAME.ask("~reaches(Alex, X)"), "nothing binds X"),
    ("BookError", lambda: seatlog.open(edition="cr2020"), 'did you mean "cr2021"?'),
    ("TableError", lambda: seatlog.open(seats=["Ann"], trun=1), 'did you mean "turn"?'),
    ("TableError", lambda: seatlog.open("four_in_a_rign"), 'did you mean "four_in_a_ring"?'),
    ("TableError", lambda: GAME.but(rang=2), 'did you mean "range"?'),
    ("TableError", lambda: GAME.but(turn=None), 'the table says nothing of "turn"'),
    ("TableError", lambda: GAME.but(objects={"Ox": None}), 'says nothing of "Ox"'),
    ("TableError", lambda: seatlog.turn(GAME, range=2), "says how things stand"),
    ("TableError", lambda: seatlog.turn(GAME, edition="cr"), "no edition of its own"),
    ("TableError", lambda: seatlog.turn(GAME, leaves=["Zed"]), "Zed"),
    ("QuestionError", lambda: GAME.can("Zed", "reach"), '"Zed"'),
    ("QuestionError", lambda: GAME.can("Alex", "raech"), 'did you mean "reach"?'),
    (
        "QuestionError",
        lambda: GAME.can("Alex", "reach", "Rob", by="Rob"),
        'takes nothing behind "by"',
    ),
    ("QuestionError", lambda: GAME.say(["Alex", "reach", ""]), "is empty"),
    ("QuestionError", lambda: GAME.rows("raeches"), 'did you mean "reaches"?'),
    ("QuestionError", lambda: GAME.rows("reaches", None), "takes 2 terms, not 1"),
    ("QuestionError", lambda: GAME.rows("reaches", "Zed", None), '"Zed"'),
    ("QuestionError", lambda: GAME.rows("seat", None, "third"), "is no number"),
    ("QuestionError", lambda: seatlog.overview(GAME, []), "at least one"),
    ("QuestionError", lambda: seatlog.overview(GAME, ["raech"]), 'did you mean "reach"?'),
    ("QuestionError", lambda: seatlog.overview(GAME, "reach"), "a list"),
    ("QuestionError", lambda: seatlog.draw(GAME, "raech"), 'did you mean "reach"?'),
    ("QuestionError", lambda: seatlog.draw({}), "nobody sits"),
    ("QuestionError", lambda: seatlog.change(GAME, "Alex", "reach"), "yes or no"),
    ("QuestionError", lambda: OPEN.because("Carissa"), "no row of the answer"),
    ("QuestionError", lambda: YES_NO.because("Rob"), "no row of the answer"),
    ("NoRule", lambda: GAME.can("Alex", "deploy"), "draft2004 has one"),
    ("NoRule", lambda: GAME.rows("has_life", None, None), "draft2004 has one"),
    ("NoRule", _turn_without_rules, "no rule on what comes next"),
    ("BudgetError", lambda: seatlog.within("fast", int), "is no budget"),
    ("BudgetError", lambda: seatlog.within("2s", 5), "callable"),  # type: ignore[arg-type]
    ("Faults", lambda: seatlog.open(seats=["A", "B"], turn=0, range=-1), "Turn can't be 0"),
]


UNHINTED = {'takes nothing behind "by"', "no rule on what comes next"}
"""Where nothing is to be done about it."""


@pytest.mark.parametrize(("kind", "work", "says"), KINDS)
def test_each_kind_of_error_says_what_to_do(
    kind: str, work: Callable[[], object], says: str
) -> None:
    with pytest.raises(getattr(seatlog, kind)) as caught:
        work()
    error = caught.value
    assert type(error) is getattr(seatlog, kind)
    assert says in str(error)
    assert all(each.what for each in error.errors)
    assert all(each.hint for each in error.errors) or says in UNHINTED
    assert error.as_dict()["kind"] == type(error).kind


def test_the_reachable_kinds_are_all_of_them() -> None:
    """``ScenarioError`` is for scenario files, which only a command and pytest read.

    ``SolverError`` comes only where two solvers differ, which none do.
    """
    reached = {kind for kind, _, _ in KINDS}
    unreached = {"SeatlogError", "ScenarioError", "SolverError"}
    assert {k.__name__ for k in kinds_of_error()} - reached == unreached


# Arguments of every wrong type


class Raising(Mapping[str, Any]):
    """A mapping that raises at one of its methods."""

    def __init__(self, at: str) -> None:
        self.at = at

    def __getitem__(self, key: str) -> Any:
        if self.at == "getitem":
            raise Own
        return 1

    def __iter__(self) -> Iterator[str]:
        if self.at == "iter":
            raise Own
        return iter(["seats"])

    def __len__(self) -> int:
        if self.at == "len":
            raise Own
        return 1


class RaisingDict(dict[str, Any]):
    """A dict of which nothing can be asked."""

    def keys(self) -> Any:
        raise Own

    __iter__ = items = values = keys


class Path:
    """A path that says anything, or raises."""

    def __init__(self, said: Any = None) -> None:
        self.said = said

    def __fspath__(self) -> Any:
        if self.said is Own:
            raise Own
        return self.said


os.PathLike.register(Path)


class Shy:
    """What raises when it is shown."""

    def __repr__(self) -> str:
        raise Own

    __str__ = __repr__


def _deep(kind: Callable[[Any], Any]) -> Any:
    out = kind(None)
    for _ in range(10_000):
        out = kind(out)
    return out


def _circle() -> dict[str, Any]:
    out: dict[str, Any] = {}
    out["objects"] = out
    return out


def _generator() -> Iterator[str]:
    yield "Alex"


ODD: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "bytes": lambda: b"Alex",
    "no bytes": lambda: b"",
    "number": lambda: 5,
    "huge": lambda: 10**40,
    "fraction": lambda: 1.5,
    "nan": lambda: float("nan"),
    "complex": lambda: 1j,
    "true": lambda: True,
    "false": lambda: False,
    "no list": lambda: [],
    "no group": lambda: {},
    "no tuple": lambda: (),
    "object": lambda: object(),
    "no text": lambda: "",
    "blank": lambda: " \t",
    "nul": lambda: "\0",
    "line end": lambda: "Alex\nRob",
    "long": lambda: "x" * 500_000,
    "brackets": lambda: "(" * 20_000,
    "surrogate": lambda: "\ud800",
    "deep group": lambda: _deep(lambda inner: {"objects": inner}),
    "deep list": lambda: _deep(lambda inner: [inner]),
    "circle": _circle,
    "raising getitem": lambda: Raising("getitem"),
    "raising iter": lambda: Raising("iter"),
    "raising len": lambda: Raising("len"),
    "raising dict": lambda: RaisingDict(a=1),
    "raising path": lambda: Path(Own),
    "path of bytes": lambda: Path(b"game.toml"),
    "path of None": lambda: Path(None),
    "shy": Shy,
    "generator": _generator,
    "set": lambda: {"Alex"},
    "list of None": lambda: [None],
    "list of bytes": lambda: [b"Alex"],
    "list of a list": lambda: [[]],
    "group of a number": lambda: {5: 5},
    "group of None": lambda: {None: 1},
    "group of bytes": lambda: {b"a": 1},
    "function": lambda: _deep,
    "class": lambda: int,
    "module": lambda: sys,
    "ellipsis": lambda: ...,
    "session": lambda: GAME,
    "answer": lambda: YES_NO,
}
OWN = {"raising getitem", "raising iter", "raising len", "raising dict", "raising path", "shy"}

KEYS = ("seats", "range", "turn", "left", "objects", "edition", "facts", "leaves", "nothing")
TABLE = "four_in_a_ring"


def with_key(key: str) -> dict[str, Callable[[Any], object]]:
    """Whatever takes keys of tables, with one of them."""
    return {
        f"open {key}": lambda v: seatlog.open(TABLE, **{key: v}),
        f"open {{{key}}}": lambda v: seatlog.open({key: v}),
        f"but {key}": lambda v: GAME.but(**{key: v}),
        f"turn {key}": lambda v: seatlog.turn(GAME, **{key: v}),
        f"check {key}": lambda v: seatlog.check(GAME, **{key: v}),
    }


CALLS: dict[str, Callable[[Any], object]] = {
    **{name: call for key in KEYS for name, call in with_key(key).items()},
    "open": lambda v: seatlog.open(v),
    "open edition": lambda v: seatlog.open(TABLE, v),
    "but objects key": lambda v: GAME.but(objects={"Grizzly Bears": v}),
    "ask": lambda v: seatlog.ask(v, "reaches(A, B)"),
    "ask question": lambda v: seatlog.ask(GAME, v),
    "ask edition": lambda v: seatlog.ask(GAME, "reaches(A, B)", v),
    "can": lambda v: seatlog.can(v, "Alex", "reach"),
    "can who": lambda v: seatlog.can(GAME, v, "reach"),
    "can verb": lambda v: seatlog.can(GAME, "Alex", v),
    "can what": lambda v: seatlog.can(GAME, "Alex", "target", v),
    "can edition": lambda v: seatlog.can(GAME, "Alex", "reach", edition=v),
    "can by": lambda v: seatlog.can(GAME, "Alex", "reach", "Rob", by=v),
    "can for": lambda v: seatlog.can(GAME, "Alex", "choose", "Rob", **{"for": v}),
    "why": lambda v: seatlog.why(v, "Alex", "reach"),
    "why who": lambda v: seatlog.why(GAME, v, "reach"),
    "why verb": lambda v: seatlog.why(GAME, "Alex", v),
    "why what": lambda v: seatlog.why(GAME, "Alex", "reach", v),
    "why whole": lambda v: seatlog.why(GAME, "Alex", "reach", whole=v),
    "turn": lambda v: seatlog.turn(v),
    "change": lambda v: seatlog.change(v, "Alex", "reach", "Rob"),
    "change who": lambda v: seatlog.change(GAME, v, "reach", "Rob"),
    "change verb": lambda v: seatlog.change(GAME, "Alex", v, "Rob"),
    "change what": lambda v: seatlog.change(GAME, "Alex", "reach", v),
    "check": lambda v: seatlog.check(v),
    "draw": lambda v: seatlog.draw(v),
    "draw verb": lambda v: seatlog.draw(GAME, v),
    "overview": lambda v: seatlog.overview(v, ["reach"]),
    "overview verbs": lambda v: seatlog.overview(GAME, v) if v is not None else None,
    "overview verb": lambda v: seatlog.overview(GAME, [v]),
    "within allowed": lambda v: seatlog.within(v, int),
    "session ask": lambda v: GAME.ask(v),
    "session can": lambda v: GAME.can(v, v, v),
    "session why": lambda v: GAME.why(v, v, v),
    "session rows": lambda v: GAME.rows(v),
    "session rows terms": lambda v: GAME.rows("reaches", v, None),
    "session rows more": lambda v: GAME.rows("reaches", None, None, v),
    "session rows number": lambda v: GAME.rows("seat", None, v),
    "session rows word": lambda v: GAME.rows("is_a", None, v),
    "session holds": lambda v: GAME.holds(v),
    "session holds terms": lambda v: GAME.holds("reaches", "Alex", v),
    "session say": lambda v: GAME.say(v),
    "session say word": lambda v: GAME.say(["Alex", v]),
    "session answer": lambda v: GAME.answer(v),
    "session name": lambda v: GAME.name(v),
    "answer because": lambda v: OPEN.because(v),
    "answer because, ground": lambda v: YES_NO.because(v),
    "answer in": lambda v: v in OPEN,
    "answer ==": lambda v: v == OPEN,
    "answer text": lambda v: OPEN.text(bool(v) if not hasattr(v, "at") else True),
    "Session book": lambda v: seatlog.Session(v, GAME.table),
    "Session table": lambda v: seatlog.Session(GAME.book, v),
}


@pytest.mark.parametrize("call", CALLS)
def test_wrong_types_are_told_what_was_wanted(call: str) -> None:
    """An error of Seatlog's that can be shown, what was asked for, or the caller's own error."""
    wrong = []
    for name, make in ODD.items():
        try:
            CALLS[call](make())
        except SeatlogError as error:
            said = str(error)
            if not error.errors or not said.strip() or len(said) > 3_000:
                wrong.append(f"{name}: says {said[:80]!r}")
            with contextlib.suppress(KeyError):
                error.as_dict()
            said.encode()
        except Own:
            if name not in OWN:
                wrong.append(f"{name}: Own")
        except Exception as error:
            wrong.append(f"{name}: {type(error).__name__} {str(error)[:80]}")
    assert not wrong, "\n".join(wrong)


ACCEPTED = {
    "open": {"None", "no group"},
    "open edition": {"None"},
    "ask question": set[str](),
    "can who": {"None"},
    "can what": {"None"},
    "change what": set[str](),
    "draw verb": {"None"},
    "overview verb": set[str](),
    "within allowed": set[str](),
    "session rows terms": {"None"},
    "session name": set[str](),
    "turn edition": set[str](),
}


@pytest.mark.parametrize("call", ACCEPTED)
def test_nothing_wrong_is_taken_for_something_else(call: str) -> None:
    """What is false in Python is no way to leave something out: only None is."""
    taken = set()
    for name, make in ODD.items():
        with contextlib.suppress(SeatlogError, Own):
            CALLS[call](make())
            taken.add(name)
    assert taken - {"session"} == ACCEPTED[call]


@pytest.mark.parametrize("name", sorted(OWN - {"shy", "raising len"}))
def test_the_callers_own_exception_passes(name: str) -> None:
    with pytest.raises(Own):
        seatlog.open(ODD[name]())
    if "path" not in name:
        with pytest.raises(Own):
            GAME.but(objects=ODD[name]())


# What functions do with tables and sessions


def test_functions_take_a_table_or_a_session() -> None:
    data = GAME.data()
    for state in (TABLE, data, GAME):
        assert seatlog.can(state, "Alex", "target", "Runeclaw Bear") == YES_NO
        assert seatlog.ask(state, "in_range(Alex, Target)") == OPEN
        assert seatlog.draw(state) == seatlog.draw(TABLE)
        assert seatlog.why(state, "Alex", "reach", "Rob") == GAME.why("Alex", "reach", "Rob")
        assert seatlog.check(state).names == seatlog.check(TABLE).names
        found = seatlog.change(state, "Alex", "reach", "Carissa")
        assert found is not None
        assert found.said(False) == "it would be yes if everybody's range is 2"
        assert seatlog.turn(state, leaves=["Rob"]).happened[0] == "Rob leaves the game (800.4)"
    assert seatlog.change(GAME, "Alex", "reach", "Alex") is None
    assert GAME.data() == data


def test_an_edition_beside_a_session_is_asked() -> None:
    answer = seatlog.can(GAME, "Alex", "reach", "Carissa", edition="cr2021")
    assert answer.as_dict()["edition"] == "cr2021"
    found = seatlog.overview(GAME, ["reach"], edition="draft2004")
    assert (found["edition"], found["table"]) == ("draft2004", TABLE)
    assert seatlog.check(GAME, "cr2021", turn=3).title == TABLE
    assert GAME.book.name == "cr"


def test_functions_take_prepositions_as_sessions_do() -> None:
    table = {
        "seats": ["Alex", "Rob"],
        "objects": {"Ox": {"controller": "Rob", "types": ["creature"]}},
        "events": {"Bite": {"happens": "is dealt damage", "subject": "Ox", "amount": 2}},
    }
    game = seatlog.open(table)
    wanted = game.can("Bite", "damage", "Ox", by=2)
    assert seatlog.can(table, "Bite", "damage", "Ox", by=2) == wanted
    assert seatlog.why(table, "Bite", "damage", "Ox", by=2) == wanted.text(True)


def test_rows_take_facts_words_and_numbers() -> None:
    assert GAME.rows("seat", None, None) == [("Alex", 1), ("Rob", 2), ("Carissa", 3), ("Dana", 4)]
    assert GAME.rows("seat", "rob", None) == [("Rob", 2)]
    assert GAME.rows("seat", None, "2") == GAME.rows("seat", None, 2) == [("Rob", 2)]
    assert GAME.rows("is_a", None, "Creature") == GAME.rows("is_a", None, "creature") != []
    for work in (
        lambda: GAME.rows("is_a", None, "creeture"),
        lambda: GAME.ask("is_a(X, 'creeture')"),
        lambda: GAME.ask("reaches(Alex, X) & is_a(X, 'creeture')"),
    ):
        with pytest.raises(SeatlogError, match='did you mean "creature"'):
            work()
    assert GAME.holds("reaches", None, None)
    assert not GAME.holds("reaches", "Alex", "Carissa")


def test_names_that_look_alike_stay_apart() -> None:
    with pytest.raises(SeatlogError, match="two ways that look the same"):
        seatlog.open(seats=["Jose\u0301", "José"])
    game = seatlog.open(seats=["1", "2", "ann", "Ann"], range=1)
    assert game.can("1", "reach", "2").verdict
    with pytest.raises(SeatlogError, match="not a number"):
        game.can(1, "reach", "2")  # type: ignore[arg-type]
    assert game.name("Ann") == "Ann"
    assert game.name("ann") == "ann"
    with pytest.raises(SeatlogError, match="ANN"):
        game.name("ANN")


def test_notes_say_what_was_read_as_a_name() -> None:
    game = seatlog.open(seats=["X", "Bob"])
    game.ask("reaches(X, Y)")
    assert game.notes == ["X is read as the name 'X', not as a variable"]

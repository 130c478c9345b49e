"""Seatlog: multiplayer range rules as a logic program. Ask, and be told why.

Open a table, ask in players' words, and read the verdict, the sentences and the rule numbers:

>>> import seatlog
>>> game = seatlog.open("four_in_a_ring")
>>> print(game.can("Alex", "target", "Runeclaw Bear"))
no
  Alex can't target Runeclaw Bear
    What Alex targets has to lie within Alex's range of influence (801.4)
    Runeclaw Bear is outside Alex's range of influence (801.2d)
    Carissa controls Runeclaw Bear
    Carissa sits at distance 2 from Alex, whose range is 1 (801.2, 801.2a)
rules: 801.2, 801.2a, 801.2d, 801.4

A table is a file, a shipped table's name, a mapping, or keys: ``open(seats=["Ann", "Bob"])``.

Ask         ``game.can``, ``game.ask`` (clause syntax, variables), ``game.rows`` and ``game.holds``
            (a predicate with its terms), ``game.why`` (step by step)
Try         ``game.but(range=2)`` is the same table with something changed; ``change`` finds the
            smallest change that turns a verdict; ``turn`` makes the next step
Look        ``draw`` (who sits where), ``overview`` (every verdict with its reason, as data),
            ``check`` (contradictions), ``game.data()`` (the table as a mapping)
Hold        ``within("2s", game.can, ...)`` runs anything under a budget

Everything that a person can get wrong raises a kind of ``SeatlogError``, whose text says where,
what, and what to do.
"""

from __future__ import annotations

from .version import VERSION as __version__

TYPE_CHECKING = False
"""As ``typing`` has it, which takes longer to be loaded than all that is here."""

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping
    from typing import Any, TypeAlias

    from .authoring import Draft as Draft
    from .authoring import Edit as Edit
    from .book import Book as Book
    from .budget import within as within
    from .errors import BookError as BookError
    from .errors import BudgetError as BudgetError
    from .errors import Faults as Faults
    from .errors import LintError as LintError
    from .errors import NoRule as NoRule
    from .errors import QuestionError as QuestionError
    from .errors import ScenarioError as ScenarioError
    from .errors import SeatlogError as SeatlogError
    from .errors import SolverError as SolverError
    from .errors import TableError as TableError
    from .errors import TextError as TextError
    from .game import Answer as Answer
    from .game import Change as Change
    from .game import Session as Session
    from .notebook import load_ipython_extension as load_ipython_extension
    from .notebook import unload_ipython_extension as unload_ipython_extension
    from .views import Checked as Checked
else:
    from .doors import door

    def __dir__() -> list[str]:
        """What is handed on, so that ``help`` and completion show it."""
        return [*__all__, "__all__", "__doc__", "__file__", "__name__", "__path__"]

    __getattr__ = door(
        __name__,
        authoring="Draft Edit",
        book="Book",
        budget="within",
        errors=(
            "BookError BudgetError Faults LintError NoRule QuestionError ScenarioError "
            "SeatlogError SolverError TableError TextError"
        ),
        game="Answer Change Session",
        notebook="load_ipython_extension unload_ipython_extension",
        views="Checked",
    )

__all__ = [
    "Answer",
    "Book",
    "BookError",
    "BudgetError",
    "Change",
    "Checked",
    "Draft",
    "Edit",
    "Faults",
    "LintError",
    "NoRule",
    "QuestionError",
    "ScenarioError",
    "SeatlogError",
    "Session",
    "SolverError",
    "TableError",
    "TextError",
    "__version__",
    "ask",
    "can",
    "change",
    "check",
    "draft",
    "draw",
    "open",
    "overview",
    "turn",
    "why",
    "within",
]

if TYPE_CHECKING:
    State: TypeAlias = Any
    """A table: a session, a shipped table's name or a file, a mapping, or None for nothing."""


def open(
    table: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    edition: str | os.PathLike[str] | None = None,
    solver: str = "pydatalog",
    **keys: Any,
) -> Session:
    """A session on a table: a file, a shipped table's name, a mapping, or keys of table files.

    ``edition`` is a shipped rule book's name or a folder; without one the table's own or the
    default one is asked. ``solver`` is "pydatalog", "compiled" or "clingo"; "compiled+pydatalog"
    answers by the first and asks the second the same. ``keys`` lie over what the table says. Raises
    TableError, BookError, or Faults with every contradiction that was found.

    >>> import seatlog
    >>> seatlog.open(seats=["Ann", "Bob", "Cy", "Di"], range=1).can("Ann", "reach", "Cy").verdict
    False
    """
    from .game import open_session

    return open_session(table, edition, None, solver, **keys)


def ask(table: State, question: str, edition: str | None = None) -> Answer:
    """Answer a question in clause syntax about a table or session.

    Capitalised words that are no names at the table are variables. Raises SeatlogError.

    >>> import seatlog
    >>> list(seatlog.ask("four_in_a_ring", "in_range(Alex, X) & is_a(X, 'creature')"))
    ['Grizzly Bears']
    """
    return _session(table, edition).ask(question)


def can(
    table: State,
    who: str | None,
    verb: str,
    what: str | int | None = None,
    edition: str | None = None,
    **others: str | int,
) -> Answer:
    """Answer a question in players' words about a table or session.

    Without ``what``: everything for which the answer is yes. With None as ``who``, or "who",
    "what", "which creature": all who can. ``others`` are names behind a preposition of the verb.
    Raises SeatlogError.

    >>> import seatlog
    >>> seatlog.can("four_in_a_ring", "Alex", "reach", "Carissa").cites
    ('801.2', '801.2a')
    """
    return _session(table, edition).can(who, verb, what, **others)


def why(
    table: State,
    who: str | None,
    verb: str,
    what: str | int | None = None,
    edition: str | None = None,
    whole: bool = False,
    **others: str | int,
) -> str:
    """The reason of an answer step by step, as text; ``whole``: every step there is.

    Raises SeatlogError.

    >>> import seatlog
    >>> print(seatlog.why("four_in_a_ring", "Alex", "reach", "Alex"))
    yes
      Alex is within Alex's range of influence (801.2)
        Alex's range always takes in Alex (801.2b)
          Alex is in the game (stands for 102.1)
            Alex sits in seat 1
    rules: 801.2, 801.2b
    """
    return _session(table, edition).why(who, verb, what, whole, **others)


def turn(table: State, /, **happens: Any) -> Session:
    """The session after a step, in which ``happens`` happens; its ``happened`` says what came.

    Its ``doubts`` say where the rules leave it open. ``happens`` are keys of table files that say
    what happens at this moment; the table or session stays as it is. Raises NoRule for a book that
    knows no next state, and for what it decides nothing of; TableError for what can't happen.

    >>> import seatlog
    >>> game = seatlog.open("four_in_a_ring")
    >>> seatlog.turn(game, leaves=["Rob"]).happened[0]
    'Rob leaves the game (800.4)'
    """
    from .game import turn as step

    return step(_session(table), **happens)


def change(
    table: State,
    who: str | None,
    verb: str,
    what: str | int | None = None,
    edition: str | None = None,
    **others: str | int,
) -> Change | None:
    """The smallest change of a table that turns the verdict, or None where none was found.

    Its ``text`` says the change in words; ``drops`` and ``adds`` are the facts. Raises
    QuestionError for a question that isn't answered by yes or no.

    >>> import seatlog
    >>> seatlog.change("four_in_a_ring", "Alex", "target", "Runeclaw Bear").text
    'Alex controls Runeclaw Bear'
    """
    from .game import change_for

    game = _session(table, edition)
    answer = game.can(who, verb, what, **others)
    if answer.open:
        from .errors import QuestionError

        wanted = "a change is looked for what is answered by yes or no"
        raise QuestionError(wanted, hint="say who, which verb, and what")
    return change_for(game, answer)


def check(table: State, edition: str | None = None, **keys: Any) -> Checked:
    """What there is to say of a table that is free of contradictions.

    ``keys`` lie over what the table says. Raises TableError, or Faults with every contradiction.

    >>> import seatlog
    >>> seatlog.check("four_in_a_ring").names["Player"]
    ['Alex', 'Rob', 'Carissa', 'Dana']
    """
    from .views import checked

    return checked(_session(table, edition, **keys))


def draft(edition: str | os.PathLike[str] | None = None) -> Draft:
    """A rule book to change, section by section: an edition's name or folder, or the default one.

    Raises BookError, TextError or Faults for a book that can't be read.

    >>> import seatlog
    >>> draft = seatlog.draft("cr")
    >>> print(draft.show("801.2b").splitlines()[0])
    ## 801.2b  Everybody is within their own range
    """
    from .authoring import Draft

    return Draft(edition)


def draw(table: State, verb: str | None = None, edition: str | None = None) -> str:
    """The ring of a table as text: who sits where, and whom each reaches by a verb of the book.

    Raises QuestionError for a verb that isn't there, or where nobody sits at the table.

    >>> import seatlog
    >>> print(seatlog.draw("four_in_a_ring").splitlines()[-1])
    Dana     reach: Alex, Carissa, Dana
    """
    from .views import drawing

    return drawing(_session(table, edition), verb)


def overview(
    table: State, verbs: Iterable[str] | None = None, edition: str | None = None
) -> dict[str, Any]:
    """Every verdict at a table with its reason and rules, as data that is ready for JSON.

    For each verb (all of the book's without ``verbs``) and everybody who can be asked: what is true
    of each name. Raises QuestionError for a verb that isn't there.

    >>> import seatlog
    >>> found = seatlog.overview("four_in_a_ring", ["reach"])
    >>> found["verbs"]["reach"]["Alex"]["Carissa"]["verdict"]
    'no'
    """
    from .views import overview as view

    return view(_session(table, edition), verbs)


def _session(table: State, edition: str | None = None, **keys: Any) -> Session:
    """A session as it is, or one opened on a table."""
    from .game import Session

    if not isinstance(table, Session):
        return open(table, edition, **keys)
    if edition is not None:
        keys = {"edition": edition, **keys}
    return table.but(**keys) if keys else table

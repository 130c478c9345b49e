"""Ask questions of one book and one table, and get answers that explain themselves.

>>> import seatlog
>>> game = seatlog.open("four_in_a_ring")
>>> game.can("Alex", "target", "Runeclaw Bear").verdict
False
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from ..book import Book, Files
from ..errors import (
    BookError,
    Place,
    QuestionError,
    TableError,
    many,
    printable,
    quoted,
    refuse,
)
from ..explain import Explainer, Node, Prover
from ..language import plan
from ..model import (
    Clause,
    Comparison,
    Const,
    Count,
    Item,
    Literal,
    Row,
    Term,
    Value,
    Var,
    item_variables,
    literals,
    variables,
)
from ..solvers import (
    PLAIN,
    Announcing,
    Solver,
    ground,
    known_solver,
    open_solver,
    row_of,
    solutions,
    unhurried_memory,
)
from ..table import Table, asked, changed, of_two_sorts, open_table, plain, table
from .alarms import alarms
from .answer import ALL, Answer, Live, in_order
from .grammar import (
    QUOTES,
    Spoken,
    Word,
    crossing,
    is_clause,
    parts,
    players,
    spoken,
    words,
)
from .meaning import Meaning, said_text
from .unread import Asks, Unread, refuse_unread, unread_in, unread_remarks

MAX_ROWS = 200_000

Announce = Callable[[str], object]
"""Called with each literal, as text, before it is worked out."""


class _Remarks:
    """What goes with every answer at a table: answers hold this, and not their session."""

    def __init__(self, book: Book, state: Table) -> None:
        self._book, self._table = book, state

    @cached_property
    def unread(self) -> list[Unread]:
        """What no rule of the book reads."""
        return unread_in(self._book, self._table)

    def __call__(self) -> tuple[str, ...]:
        """What was set aside, and what is unread."""
        aside = self._table.aside
        said = (f"asked without {', '.join(aside)}, as the table says",) if aside else ()
        return (*said, *unread_remarks(self._book, self.unread, False))


class Session:
    """One book and one table: what ``seatlog.open`` gives, and what questions are asked of.

    ``book`` is the rule book, ``table`` the state of the game, ``notes`` what was read otherwise
    than it may have been meant, ``happened`` what happened in the step that made it, ``doubts``
    where the rules leave that step open. Raises SeatlogError for a table the book refuses.

    >>> import seatlog
    >>> game = seatlog.open("four_in_a_ring")
    >>> game
    <Session: four_in_a_ring, 11 facts, cr as of 2026-08-07>
    >>> game.but(range=2).can("Alex", "target", "Runeclaw Bear").verdict
    True
    """

    def __init__(
        self,
        book: Book,
        state: Table,
        announce: Announce | None = None,
        solver: Solver | str = PLAIN,
    ) -> None:
        if not isinstance(book, Book) or not isinstance(state, Table):
            what = "a session is made of a rule book and a table"
            raise TableError(what, hint="seatlog.open makes one of a table's name or data")
        self.book, self.table, self._announce = book, state, announce
        if isinstance(solver, str):
            solver = open_solver(book, asked(state, book.vocabulary), solver)
        self.solver: Solver = Announcing(solver, announce) if announce else solver
        self.meaning = Meaning(book, state.names)
        both = of_two_sorts(state.facts, state.names, book.vocabulary)
        known = {name: sort for name, sort in state.names.items() if name not in both}
        self.prover = Prover(book, self.solver, known)
        self.explainer = Explainer(self.prover)
        self.notes: list[str] = []
        self.happened: list[str] = []
        self.doubts: list[str] = []
        self._rank = {name: i for i, name in enumerate(state.names)}
        self._remarks = _Remarks(book, state)
        self._source = Live(self.explainer, self._rank, self._remarks, _spoken_book(book, state))
        refuse(alarms(book, state, self.explainer))

    def __repr__(self) -> str:
        number = many(len([f for f in self.table.facts if f.origin]), "fact")
        title, name = printable(self.table.title), printable(self.book.name)
        return f"<Session: {title}, {number}, {name} as of {self.book.date}>"

    @property
    def unread(self) -> list[Unread]:
        """What the table says and no rule of the book reads; set aside is none of it."""
        return self._remarks.unread

    def _refuse_unread(self, asks: Asks) -> None:
        """Raise NoRule where another shipped edition would rest on what is unread here."""
        if self.unread:
            refuse_unread(self.book, self.table, self.unread, asks)

    def about(self) -> list[str]:
        """What goes with every answer, as lines: notes, and the book where that isn't plain."""
        notes = [f"note: {note}" for note in self._source.notes]
        return [*notes, *([f"book: {self._source.book}"] if self._source.book else [])]

    def ask(self, question: str) -> Answer:
        """Answer a question in clause syntax: literals and comparisons joined by ``&``.

        Bare words that are names at the table are those names, whatever their case; other
        capitalised words are variables. Raises SeatlogError.

        >>> import seatlog
        >>> list(seatlog.open("four_in_a_ring").ask("reaches(Alex, Other)"))
        ['Alex', 'Rob', 'Dana']
        """
        from ..language import read_question

        items = read_question(self._named(said_text(question, "a question", "predicate(Name, X)")))
        self._check(items)
        self._refuse({literal.name for literal in literals(items)})
        return self._answer(items)

    def _refuse(self, names: set[str]) -> None:
        """Raise NoRule where another edition's predicates of these names rest on what is unread."""
        self._refuse_unread(lambda book: {name for name in names if name in book.predicates})

    def can(
        self, /, who: str | None, verb: str, what: str | int | None = None, **others: str | int
    ) -> Answer:
        """Answer in players' words: ``can("Alex", "target", "Runeclaw Bear")``.

        Without ``what``: everything for which the answer is yes. With None as ``who``, or "who",
        "what", "which creature": all who can. ``others`` are names behind a preposition of the
        verb, like ``by="Witches"``. Names may be in any case. Raises SeatlogError.

        >>> import seatlog
        >>> game = seatlog.open("four_in_a_ring")
        >>> list(game.can("Alex", "reach"))
        ['Alex', 'Rob', 'Dana', 'Grizzly Bears']
        >>> list(game.can("who", "reach", "Grizzly Bears"))
        ['Alex', 'Rob', 'Carissa']
        """
        subject = self.meaning.subject(who)
        verb = said_text(verb, "a verb", "WHO VERB WHAT")
        wanted = who if subject is None and who else ""
        found = self.meaning.verb(verb.casefold(), subject, set(others), wanted, what)
        predicate = self.book.predicates[found.predicate]
        args: list[Const | Var] = [Var(p) for p in predicate.params]
        if subject is not None:
            args[found.who] = Const(subject)
            self._note_name(str(who), subject, predicate.params[found.who])
        if what is not None:
            if found.what is None:
                raise QuestionError(f"{verb} takes nobody and nothing: leave {quoted(what)} out")
            args[found.what] = self.meaning.meant(predicate.params[found.what], what)
        for preposition, name in others.items():
            spot = dict(found.others)[preposition]
            args[spot] = self.meaning.meant(predicate.params[spot], name)
        if self.unread:
            word = found.word
            self._refuse_unread(lambda book: {v.predicate for v in book.verbs if v.word == word})
        return self._answer((Literal(predicate.name, tuple(args)),))

    def _note_name(self, who: str, subject: str, param: str) -> None:
        """A note where a name is a word that asks for names as well."""
        if self.meaning.asks(who):
            way = f"which {param.lower()}"
            note = f"{who} is read as the name {subject!r}; what asks for all is {quoted(way)}"
            self.notes += [note] * (note not in self.notes)

    def why(
        self,
        /,
        who: str | None,
        verb: str,
        what: str | int | None = None,
        whole: bool = False,
        **others: str | int,
    ) -> str:
        """The reason of an answer step by step, as text; ``whole``: every step there is.

        >>> import seatlog
        >>> said = seatlog.open("four_in_a_ring").why("Alex", "reach", "Alex")
        >>> said.splitlines()[-2].strip()
        'Alex sits in seat 1'
        """
        return self.can(who, verb, what, **others).text(ALL if whole else True)

    def rows(self, predicate: str, *args: Value | None) -> list[Row]:
        """Every row for which a predicate holds, in the table's order; None leaves a term open.

        Raises SeatlogError for a predicate or a name that isn't there.

        >>> import seatlog
        >>> seatlog.open("four_in_a_ring").rows("reaches", None, "Rob")
        [('Alex', 'Rob'), ('Rob', 'Rob'), ('Carissa', 'Rob')]
        """
        literal = self.meaning.literal(predicate, args)
        self._refuse({literal.name})
        with unhurried_memory():
            return sorted(self.solver.rows(literal), key=self._order)

    def holds(self, predicate: str, *args: Value | None) -> bool:
        """Whether a predicate holds of its terms, or of any where they are left open by None.

        >>> import seatlog
        >>> game = seatlog.open("four_in_a_ring")
        >>> game.holds("reaches", "Alex", "Rob"), game.holds("reaches", "Carissa", "Alex")
        (True, False)
        """
        return bool(self.rows(predicate, *args))

    def doubts_of(self, predicate: str, *args: Value | None) -> dict[Row, tuple[str, ...]]:
        """The rows for which the rules leave open whether a predicate holds, each with why.

        They are among those that ``rows`` gives, or lack there: the reading taken decides.

        >>> import seatlog
        >>> seatlog.open("four_in_a_ring").doubts_of("reaches", None, "Rob")
        {}
        """
        literal = self.meaning.literal(predicate, args)
        names = tuple(variables(literal.args))
        out = {}
        for found, doubts in self._source.open((literal,), names).rows.items():
            row = row_of(ground(literal, dict(zip(names, found, strict=True))))
            assert row is not None
            out[row] = doubts
        return out

    def data(self) -> dict[str, Any]:
        """The table as a mapping that ``seatlog.open`` opens again as the same table.

        >>> import seatlog
        >>> seatlog.open(seats=["Ann", "Bob"], turn=3).data()
        {'seats': ['Ann', 'Bob'], 'turn': 3}
        """
        said = self.table.data
        if said is not None:
            return plain(said)
        from ..table import as_data

        facts = [f for f in self.table.facts if f.origin]
        return as_data(facts, self.book.vocabulary, self.table.edition, self.table.aside)

    def but(self, /, **changes: Any) -> Session:
        """The session on the same table with something changed; this one stays as it is.

        ``changes`` are keys of table files and lie over the table as flags do, a group of keys key
        by key at each level; a key that is None is taken away. What rests on nothing that changed
        is not worked out again. Raises SeatlogError.

        >>> import seatlog
        >>> game = seatlog.open("four_in_a_ring")
        >>> game.but(objects={"Grizzly Bears": None}, turn=3).data()["objects"].keys()
        dict_keys(['Runeclaw Bear'])
        """
        data = changed(self.data(), changes)
        if "edition" in changes:
            book, state = open_table(data)
            titled = state._replace(title=self.table.title)
            return Session(book, titled, self._announce, self.solver.name)
        state = table(data, self.book.vocabulary, None, self.table.title)
        solver = self.solver.but(asked(state, self.book.vocabulary))
        made = Session(self.book, state, None, solver)
        made._announce = self._announce
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """A session goes to another process as its table's data, and is opened anew there."""
        told = (self.notes, self.happened, self.doubts)
        own = (self.book.key, self.solver.name)
        return _opened_again, (self.data(), self.table.title, own, told)

    def say(self, said: Sequence[str], **others: str) -> Answer:
        """The same from separate words: who, verb, what, and names behind prepositions.

        Words that belong to one name need no quotes: ``Alex target Runeclaw Bear``.
        """
        if not isinstance(said, list | tuple) or not all(isinstance(word, str) for word in said):
            raise QuestionError("words are a list of texts", hint='like: ["WHO", "VERB", "WHAT"]')
        return self._said(self._spoken(parts(said)), others)

    def answer(self, text: str) -> Answer:
        """The answer to a line, in clause syntax or in players' words. Raises SeatlogError."""
        if is_clause(said_text(text, "a question", "WHO VERB WHAT")):
            return self.ask(text)
        return self._said(self._spoken(words(text)), {})

    def _spoken(self, said: Sequence[Word]) -> Spoken:
        self.meaning.wants_verb([word.text for word in said])
        return spoken(said, self.table.names, self.book.verbs, self.meaning.asking)

    def _said(self, said: Spoken, others: Mapping[str, str]) -> Answer:
        for name in crossing(said, self.table.names):
            note = f"{quoted(name)} is a name as well, and is not read as one here: {QUOTES}"
            self.notes += [note] if note not in self.notes else []
        behind = [preposition for preposition, _ in said.others] + list(others)
        twice = next((p for p in behind if behind.count(p) > 1), "")
        if twice:
            raise QuestionError(f"{quoted(twice)} is said twice", hint="keep one")
        return self.can(said.who, said.verb, said.what, **dict(said.others), **others)

    def name(self, word: str) -> str:
        """The name at the table that a person means, whatever its case. Raises QuestionError."""
        return self.meaning.name(word)

    def verbs(self) -> list[str]:
        """The players' verbs of this book."""
        return players(self.book)

    def node(self, literal: Literal) -> Node:
        """The proof or refutation of a literal."""
        return self.explainer.tracer.node(literal)

    def _named(self, question: str) -> str:
        from .names import with_names

        text, notes = with_names(question, self.table.names, self.book)
        self.notes += [n for n in notes if n not in self.notes]
        return text

    def _answer(self, items: tuple[Item, ...]) -> Answer:
        inside = {i.counted.name for i in items if isinstance(i, Count)}
        spoken = (v for i in items for v in item_variables(i) if v not in inside)
        variables = tuple(dict.fromkeys(spoken))
        found: dict[Row, None] = {}
        with unhurried_memory():
            for env in solutions(items, {}, self.solver):
                found[tuple(env[v] for v in variables)] = None
                if not variables:
                    break
                if len(found) > MAX_ROWS:
                    raise QuestionError(f"more than {MAX_ROWS:,} answers", hint="bind a variable")
        rows = sorted(found, key=self._order)
        return Answer(items, variables, rows, self._source)

    def _check(self, items: tuple[Item, ...]) -> None:
        for literal in literals(items):
            self._check_kinds(literal)
        self._check_names(items)
        if len(items) == 1 and isinstance(items[0], Literal):
            literal = items[0]
            known = self.book.arg_sorts.get(literal.name)
            fits = known and len(known) == len(literal.args) and not literal.negated
            if fits and self._known_words(literal):
                return
        spoken = [i for i in items if isinstance(i, Literal)]
        for name in [x.name for x in spoken if x.name not in self.book.arg_sorts]:
            self.meaning.look_elsewhere(partial(_knows, name), name)
        bound = list(plan(items).bound)
        head = Literal("question ", tuple(Var(v) for v in bound))
        place = Place("question", 1, 1, 1, " & ".join(str(i) for i in items))
        clause = Clause(head, items, "", place)
        from ..lint import lint_question

        refuse(lint_question(clause, self.book))

    def _check_kinds(self, literal: Literal) -> None:
        """Raise QuestionError for a number in a name's place, or a name in a number's."""
        from .names import NAME, NUMBER, kind

        for spot, term in enumerate(literal.args):
            if not isinstance(term, Const):
                continue
            number = isinstance(term.value, int)
            if kind(self.book, literal.name, spot) == (NAME if number else NUMBER):
                said = term.value if isinstance(term.value, int) else quoted(term.value)
                what = f"{said} is {'a number' if number else 'no number'}"
                raise QuestionError(
                    f"{what}, and {literal.name} takes a {NAME if number else NUMBER} there",
                    hint=f"terms: {literal.name}({', '.join(self.meaning.terms(literal.name))})",
                )

    def _check_names(self, items: tuple[Item, ...]) -> None:
        """Raise QuestionError for a name that isn't at the table, where a name has to stand."""
        stand: list[Term] = []
        named: set[Term] = set()
        for literal in literals(items):
            sorts = self.book.arg_sorts.get(literal.name, ())
            here = [t for t, allowed in zip(literal.args, sorts, strict=False) if allowed]
            stand += here
            named |= {t for t in here if isinstance(t, Var) and not literal.negated}
        for item in items:
            if isinstance(item, Comparison) and named & {item.left, item.right}:
                stand += [item.left, item.right]
        for term in stand:
            name = term.value if isinstance(term, Const) else None
            if isinstance(name, str) and name not in self.table.names:
                raise self.meaning.nobody(name)

    def _known_words(self, literal: Literal) -> bool:
        """Whether a literal of what a table states has words only that its sorts know."""
        fact, sorts = self.book.vocabulary.facts.get(literal.name), self.book.vocabulary.sorts
        return fact is None or not any(
            isinstance(term, Const) and sorts[name].closed and term.value not in sorts[name].words
            for term, name in zip(literal.args, fact.sorts, strict=True)
        )

    def _order(self, row: Row) -> tuple[tuple[int, int, str], ...]:
        """Names in the order the table names them, numbers by size."""
        return in_order(row, self._rank)


def _opened_again(
    data: dict[str, Any],
    title: str,
    own: tuple[str, str],
    told: tuple[list[str], list[str], list[str]],
) -> Session:
    """A session that was in another process. Raises SeatlogError where its book isn't known."""
    (key, solver), (book, state) = own, open_table(data)
    if book.key != key:
        what = f"{book.title} isn't the book that this session asked, or has changed since"
        raise BookError(what, hint="open the table anew")
    made = Session(book, state._replace(title=title), None, solver)
    made.notes, made.happened, made.doubts = told
    return made


def _spoken_book(book: Book, state: Table) -> str:
    """How an answer names its book: not where it is the default one and no format is told."""
    facts, sorts = book.vocabulary.facts, book.vocabulary.sorts
    formats = [
        str(fact.row[0])
        for fact in state.facts
        if fact.row and isinstance(sorts[facts[fact.name].sorts[0]], Files)
    ]
    if book.settings.get("default") and not formats:
        return ""
    dated = f"{book.name}, {book.date}" if book.date else book.name
    return f"{book.title} ({dated})" + "".join(f", format {name}" for name in formats)


def _knows(name: str, book: Book) -> bool:
    return name in book.arg_sorts


def open_session(
    state: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    edition: str | os.PathLike[str] | None = None,
    announce: Announce | None = None,
    solver: str = PLAIN,
    /,
    **keys: Any,
) -> Session:
    """A session from a table file, a shipped table's name, data, or keys like ``range=1``.

    Keys lie over what the file says. Raises SeatlogError.
    """
    known_solver(solver)
    found = open_table(state, edition, keys)
    return Session(found.book, found.table, announce, solver)

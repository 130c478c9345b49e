"""Ask questions of one book and one table, and get answers that explain themselves.

>>> import seatlog
>>> game = seatlog.open("four_in_a_ring")
>>> game.can("Alex", "target", "Runeclaw Bear").verdict
False
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..book import AnyOf, Book, Verb, Words
from ..editions import editions, load_book
from ..errors import (
    BookError,
    NoRule,
    Place,
    QuestionError,
    TableError,
    a,
    did_you_mean,
    many,
    quoted,
    refuse,
)
from ..explain import Explainer, Node, Prover
from ..language import plan
from ..model import Clause, Const, Count, Item, Literal, Row, Value, Var, item_variables
from ..solvers import Announcing, Solver, open_solver, solutions, unhurried_memory
from ..table import Table, given, kind, laid_over, open_table, plain, table
from .alarms import alarms
from .answer import ALL, Answer, Live
from .grammar import (
    Spoken,
    declared_value,
    is_clause,
    kinds,
    parts,
    players,
    spoken,
    words,
)

MAX_ROWS = 200_000

Announce = Callable[[str], object]
"""Called with each literal, as text, before it is worked out."""


class Session:
    """One book and one table: what ``seatlog.open`` gives, and what questions are asked of.

    ``book`` is the rule book, ``table`` the state of the game, ``notes`` what was read otherwise
    than it may have been meant, ``happened`` what happened in the step that made it. Raises
    SeatlogError for a table the book refuses.

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
        solver: Solver | None = None,
    ) -> None:
        if not isinstance(book, Book) or not isinstance(state, Table):
            what = "a session is made of a rule book and a table"
            raise TableError(what, hint="seatlog.open makes one of a table's name or data")
        self.book, self.table, self._announce = book, state, announce
        solver = open_solver(book, state.facts) if solver is None else solver
        self.solver: Solver = Announcing(solver, announce) if announce else solver
        self.prover = Prover(book, self.solver, dict(state.names))
        self.explainer = Explainer(self.prover)
        self.notes: list[str] = []
        self.happened: list[str] = []
        self._source = Live(self.explainer, state.names)
        self._who: dict[Verb, frozenset[str]] = {}
        self._rank = {name: i for i, name in enumerate(state.names)}
        refuse(alarms(book, state, self.explainer))

    def __repr__(self) -> str:
        number = many(len([f for f in self.table.facts if f.origin]), "fact")
        return f"<Session: {self.table.title}, {number}, {self.book.name} as of {self.book.date}>"

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
        return self._answer(items)

    def can(
        self, who: str, verb: str, what: str | int | None = None, **others: str | int
    ) -> Answer:
        """Answer in players' words: ``can("Alex", "target", "Runeclaw Bear")``.

        Without ``what``: everything for which the answer is yes. ``others`` are names behind a
        preposition of the verb, like ``by="Witches"``. Names may be in any case. Raises
        SeatlogError.

        >>> import seatlog
        >>> game = seatlog.open("four_in_a_ring")
        >>> list(game.can("Alex", "reach"))
        ['Alex', 'Rob', 'Dana', 'Grizzly Bears']
        """
        subject = self.name(who)
        verb = said_text(verb, "a verb", "WHO VERB WHAT")
        found = self._verb(verb.casefold(), subject, set(others))
        predicate = self.book.predicates[found.predicate]
        args: list[Const | Var] = [Var(p) for p in predicate.params]
        args[found.who] = Const(subject)
        if what is not None:
            if found.what is None:
                raise QuestionError(f"{verb} takes nobody and nothing: leave {quoted(what)} out")
            args[found.what] = self._meant(predicate.params[found.what], what)
        for preposition, name in others.items():
            spot = dict(found.others)[preposition]
            args[spot] = self._meant(predicate.params[spot], name)
        return self._answer((Literal(predicate.name, tuple(args)),))

    def why(
        self,
        who: str,
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
        literal = self._literal(predicate, args)
        with unhurried_memory():
            return sorted(self.solver.rows(literal), key=self._order)

    def holds(self, predicate: str, *args: Value | None) -> bool:
        """Whether a predicate holds of its terms, or of any where they are left open by None.

        >>> import seatlog
        >>> game = seatlog.open("four_in_a_ring")
        >>> game.holds("reaches", "Alex", "Rob"), game.holds("reaches", "Carissa", "Alex")
        (True, False)
        """
        with unhurried_memory():
            return bool(self.solver.rows(self._literal(predicate, args)))

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
        return as_data(facts, self.book.vocabulary, self.table.edition)

    def but(self, **changes: Any) -> Session:
        """The session on the same table with something changed; this one stays as it is.

        ``changes`` are keys of table files and lie over the table as flags do, a group of keys key
        by key at each level; a key that is None is taken away. What rests on nothing that changed
        is not worked out again. Raises SeatlogError.

        >>> import seatlog
        >>> game = seatlog.open("four_in_a_ring")
        >>> game.but(objects={"Grizzly Bears": None}, turn=3).data()["objects"].keys()
        dict_keys(['Runeclaw Bear'])
        """
        said = plain(changes)
        data = laid_over(_without(self.data(), said), given(_said(said)))
        if "edition" in changes:
            book, state = open_table(data)
            return Session(book, state._replace(title=self.table.title), self._announce)
        state = table(data, self.book.vocabulary, None, self.table.title)
        solver = self.solver.but(state.facts)
        made = Session(self.book, state, None, solver)
        made._announce = self._announce
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """A session goes to another process as its table's data, and is opened anew there."""
        said = (self.data(), self.table.title, self.book.key, self.notes, self.happened)
        return _opened_again, said

    def _literal(self, predicate: str, args: Sequence[Value | None]) -> Literal:
        """A predicate with values and open terms. Raises QuestionError."""
        known = self.book.arg_sorts
        predicate = said_text(predicate, "a predicate", next(iter(known), "name"))
        if predicate not in known:
            self._other_editions(lambda book: predicate in book.arg_sorts, predicate)
            hint = did_you_mean(predicate, known)
            raise QuestionError(f"no predicate is called {quoted(predicate)}", hint=hint)
        sorts = known[predicate]
        fact = self.book.vocabulary.facts.get(predicate)
        terms = fact.args if fact else self.book.predicates[predicate].params
        takes = fact.sorts if fact else terms
        if len(args) != len(sorts):
            raise QuestionError(
                f"{predicate} takes {many(len(sorts), 'term')}, not {len(args)}",
                hint=f"like: {predicate}({', '.join(terms)}); None leaves a term open",
            )
        out: list[Const | Var] = []
        for spot, (value, allowed) in enumerate(zip(args, sorts, strict=True)):
            if value is None:
                out.append(Var(f"V{spot}"))
            elif allowed is not None:
                out.append(Const(self.name(value)))
            elif type(value) in (str, int):
                out.append(Const(self._term(takes[spot], value, fact is not None)))
            else:
                raise QuestionError(
                    f"a term is a text, a number or None, not {kind(value)}",
                    hint="None leaves a term open",
                )
        return Literal(predicate, tuple(out))

    def _term(self, param: str, value: Value, stated: bool) -> Value:
        """A term that is no name: a number where there are only numbers, a word as declared.

        What a table states takes no other word. Raises QuestionError.
        """
        sort = self.book.vocabulary.sorts.get(param.rstrip("0123456789"))
        if sort and (sort.is_number or stated):
            found = declared_value(param, value, self.book.vocabulary)
            return value if found is None else found
        known = sort.word(value) if isinstance(sort, Words) and isinstance(value, str) else None
        return known or value

    def say(self, said: Sequence[str], **others: str) -> Answer:
        """The same from separate words: who, verb, what, and names behind prepositions.

        Words that belong to one name need no quotes: ``Alex target Runeclaw Bear``.
        """
        if not isinstance(said, list | tuple) or not all(isinstance(word, str) for word in said):
            raise QuestionError("words are a list of texts", hint='like: ["WHO", "VERB", "WHAT"]')
        return self._said(spoken(parts(said), self.table.names, self.book.verbs), others)

    def answer(self, text: str) -> Answer:
        """The answer to a line, in clause syntax or in players' words. Raises SeatlogError."""
        if is_clause(said_text(text, "a question", "WHO VERB WHAT")):
            return self.ask(text)
        return self._said(spoken(words(text), self.table.names, self.book.verbs), {})

    def _said(self, said: Spoken, others: Mapping[str, str]) -> Answer:
        return self.can(said.who, said.verb, said.what, **{**dict(said.others), **others})

    def _meant(self, param: str, word: str | int) -> Const:
        """What a word stands for as a term: a number, a declared word, or a name at the table."""
        value = declared_value(param, word, self.book.vocabulary)
        return Const(self.name(word) if value is None else value)

    def name(self, word: Value | None) -> str:
        """The name at the table that a person means, whatever its case. Raises QuestionError."""
        names = self.table.names
        word = said_text(word, "a name", "WHO VERB WHAT")
        if word in names:
            return word
        folded = [n for n in names if n.casefold() == word.casefold()]
        if len(folded) == 1:
            return folded[0]
        hint = did_you_mean(word, names)
        if not hint:
            shown = ", ".join(list(names)[:12])
            hint = f"at the table: {shown}" if shown else "the table names nobody"
        raise QuestionError(f"nobody and nothing at the table is called {quoted(word)}", hint=hint)

    def verbs(self) -> list[str]:
        """The players' verbs of this book."""
        return players(self.book)

    def node(self, literal: Literal) -> Node:
        """The proof or refutation of a literal."""
        return self.explainer.tracer.node(literal)

    def _verb(self, word: str, subject: str, prepositions: set[str]) -> Verb:
        known = [v for v in self.book.verbs if v.word == word]
        if not known:
            self._other_editions(lambda book: any(v.word == word for v in book.verbs), word)
            hint = did_you_mean(word, self.verbs()) or "verbs: " + ", ".join(self.verbs())
            raise QuestionError(f"nobody can {quoted(word)}: no such verb", hint=hint)
        sort = self.table.names[subject]
        for verb in known:
            if sort in self._kinds(verb) and prepositions <= set(dict(verb.others)):
                return verb
        if not any(prepositions <= set(dict(v.others)) for v in known):
            known_words = sorted({p for v in known for p, _ in v.others})
            said = " or ".join(map(quoted, sorted(prepositions)))
            raise QuestionError(
                f"{word} takes nothing behind {said} here",
                hint="it takes: " + ", ".join(known_words) if known_words else "",
            )
        wanted = sorted({kind for v in known for kind in self._asked_of(v)})
        raise QuestionError(
            f"{quoted(subject)} is {a(sort.lower())}, and can't {word}",
            hint="this can be asked of " + " or ".join(a(w.lower()) for w in wanted),
        )

    def _kinds(self, verb: Verb) -> frozenset[str]:
        """The sorts of names that can be who of a verb."""
        found = self._who.get(verb)
        if found is None:
            found = self._who[verb] = kinds(verb, self.book, self.table.names)
        return found

    def _asked_of(self, verb: Verb) -> Sequence[str]:
        """Who can be who of a verb: its sort, or the sorts of which it is any."""
        param = self.book.predicates[verb.predicate].params[verb.who]
        sort = self.book.vocabulary.sorts.get(param)
        return sort.sorts if isinstance(sort, AnyOf) else [param]

    def _other_editions(self, knows: Any, word: str) -> None:
        for name in editions():
            if name != self.book.name and knows(load_book(name)):
                raise NoRule(
                    f"{self.book.title} has no rule on {quoted(word)}", hint=f"{name} has one"
                )

    def _named(self, question: str) -> str:
        from .names import with_names

        text, notes = with_names(question, self.table.names)
        self.notes += [n for n in notes if n not in self.notes]
        return text

    def _answer(self, items: tuple[Item, ...]) -> Answer:
        self._check(items)
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
        if len(items) == 1 and isinstance(items[0], Literal):
            literal = items[0]
            known = self.book.arg_sorts.get(literal.name)
            fits = known and len(known) == len(literal.args) and not literal.negated
            if fits and self._known_words(literal):
                return
        literals = [i for i in items if isinstance(i, Literal)]
        for literal in literals:
            if literal.name not in self.book.arg_sorts:
                name = literal.name
                self._other_editions(lambda book, name=name: name in book.arg_sorts, name)
        bound = list(plan(items).bound)
        head = Literal("question ", tuple(Var(v) for v in bound))
        place = Place("question", 1, 1, 1, " & ".join(str(i) for i in items))
        clause = Clause(head, items, "", place)
        book = self.book
        from ..lint import lint

        errors = lint([*book.clauses, clause], book.predicates, (), book.vocabulary)
        refuse([e for e in errors if e.place and e.place.file == "question"])

    def _known_words(self, literal: Literal) -> bool:
        """Whether a literal of what a table states has words only that its sorts know."""
        fact, sorts = self.book.vocabulary.facts.get(literal.name), self.book.vocabulary.sorts
        return fact is None or not any(
            isinstance(term, Const) and sorts[name].closed and term.value not in sorts[name].words
            for term, name in zip(literal.args, fact.sorts, strict=True)
        )

    def _order(self, row: Row) -> tuple[tuple[int, int, str], ...]:
        """Names in the order the table names them, numbers by size."""
        return tuple(_value_order(v, self._rank) for v in row)


def _without(data: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Data less the keys that are None in changes, at each level. Raises TableError."""
    out = dict(data)
    for key, value in changes.items():
        group = out.get(key)
        if value is None:
            if key not in out:
                hint = did_you_mean(key, out) or f"it says: {', '.join(list(out)[:12])}" * bool(out)
                raise TableError(f"the table says nothing of {quoted(key)}", hint=hint)
            del out[key]
        elif isinstance(value, dict) and isinstance(group, dict):
            left = _without(group, value)
            out[key] = left
            if not left and not _said(value):
                del out[key]
    return out


def _said(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Changes less what they take away."""
    out = {}
    for key, value in changes.items():
        left = _said(value) if isinstance(value, dict) and value else value
        if left is not None and (left != {} or value == {}):
            out[key] = left
    return out


def _opened_again(
    data: dict[str, Any], title: str, key: str, notes: list[str], happened: list[str]
) -> Session:
    """A session that was in another process. Raises SeatlogError where its book isn't known."""
    book, state = open_table(data)
    if book.key != key:
        what = f"{book.title} isn't the book that this session asked, or has changed since"
        raise BookError(what, hint="open the table anew")
    made = Session(book, state._replace(title=title))
    made.notes, made.happened = notes, happened
    return made


def said_text(value: object, what: str, like: str) -> str:
    """A text, which is what was wanted. Raises QuestionError for anything else."""
    if isinstance(value, str):
        return value
    raise QuestionError(f"{what} is a text, not {kind(value)}", hint=f"like: {like}")


def _value_order(value: Value, rank: Mapping[str, int]) -> tuple[int, int, str]:
    if isinstance(value, int):
        return (0, value, "")
    return (1, rank.get(value, len(rank)), value)


def open_session(
    state: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    edition: str | os.PathLike[str] | None = None,
    announce: Announce | None = None,
    **keys: Any,
) -> Session:
    """A session from a table file, a shipped table's name, data, or keys like ``range=1``.

    Keys lie over what the file says. Raises SeatlogError.
    """
    found = open_table(state, edition, keys)
    return Session(found.book, found.table, announce)

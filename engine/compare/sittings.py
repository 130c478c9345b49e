"""One table under one book, and what the book says of a question there: its verdict.

A verdict is ``yes`` or ``no``; ``open`` where the rules leave it so, whatever reading is taken;
``no rule`` where the book has none on what is asked, or on what the table says; ``refused`` where
it doesn't take the table; ``list`` where a question with variables has rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..book import Book, rule_order
from ..errors import LintError, NoRule, QuestionError, SeatlogError, quoted
from ..game import Answer, Session
from ..model import Literal, Row, Var
from ..solvers import ground
from ..table import table
from .questions import THE_TABLE, Question, as_clause, of_literal, of_row, predicates, subjects

YES, NO, OPEN, NO_RULE, REFUSED, LIST, TAKEN = (
    *("yes", "no", "open", "no rule", "refused", "list", "taken"),
)


class Side(NamedTuple):
    """What one book says of a question: its verdict, the rules cited, and the answer's text.

    ``holds`` is the reading taken of what is open. A question with variables is ``listing``:
    ``rows`` are its answers, ``doubtful`` those rows, listed or not, that the rules leave open.
    ``lacks`` says what the book doesn't know where it has no rule, without the table's names.
    """

    verdict: str
    cites: tuple[str, ...] = ()
    text: str = ""
    holds: bool | None = None
    rows: tuple[Row, ...] = ()
    doubtful: tuple[Row, ...] = ()
    lacks: str = ""
    listing: bool = False

    @property
    def said(self) -> str:
        """The verdict, with the reading taken of one that is open."""
        if self.verdict != OPEN or self.holds is None:
            return self.verdict
        return f"{OPEN} ({YES if self.holds else NO})"

    def differs(self, other: Side) -> bool:
        """Whether two books differ; the rules cited and the words don't count."""
        return (self.said, set(self.rows), set(self.doubtful)) != (
            *(other.said, set(other.rows), set(other.doubtful)),
        )

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "verdict": self.verdict,
            "reading": None if self.holds is None else YES if self.holds else NO,
            "rows": [list(row) for row in self.rows],
            "open_rows": [list(row) for row in self.doubtful],
            "cites": list(self.cites),
            "text": self.text,
        }


class Sitting:
    """A table under a book. Raises SeatlogError for what is no table under any book.

    ``refusal`` is why the book doesn't take the table, where it doesn't.
    """

    def __init__(self, book: Book, data: Mapping[str, Any], title: str) -> None:
        self.book = book
        self.state = table(data, book.vocabulary, None, title)
        self.game: Session | None = None
        self.refusal: SeatlogError | None = None
        try:
            self.game = Session(book, self.state)
        except SeatlogError as error:
            self.refusal = error

    def taken(self) -> Side:
        """Whether the book takes the table, as what it says of a question about no verb."""
        if self.refusal is None:
            return Side(TAKEN, text=f"{self.book.title} takes this table")
        return self._refused(self.refusal)

    def side(self, question: Question, explained: bool = True) -> Side:
        """What the book says of a question, with rules and text where it is to be ``explained``.

        Raises SeatlogError for one that it can't read.
        """
        if self.game is None or question == THE_TABLE:
            return self.taken()
        try:
            return _answered(self._asked(self.game, question), explained)
        except NoRule as error:
            return Side(NO_RULE, text=in_words(error), lacks=error.about or error.what)
        except (QuestionError, LintError):
            unknown = self._unknown(question)
            if not unknown:
                raise
            what = f"{self.book.title} has no rule on {quoted(unknown)}"
            return Side(NO_RULE, text=what, lacks=what)

    def _unknown(self, question: Question) -> str:
        """The word of a question that the book doesn't know, a verb or a predicate."""
        if question.ask:
            found = predicates(question.ask) - set(self.book.arg_sorts)
            return min(found, default="")
        known = any(v.word == question.verb for v in self.book.verbs)
        return "" if known else question.verb

    def rows_of(self, question: Question) -> Iterator[Question]:
        """The questions of an open one's rows, those that it may lack too."""
        if self.game is None or question.ask:
            return
        try:
            answer = self._asked(self.game, question)
        except SeatlogError:
            return
        for row in (*answer.rows, *answer.lacks) if answer.open else ():
            found = of_literal(self.book, question.verb, _grounded(answer, row))
            if found is not None:
                yield found

    def knows(self, word: str) -> Side | None:
        """Why nothing can be asked by a verb here, as what the book says; None where it can."""
        if self.game is None:
            return self.taken()
        who = next(subjects(self.game, word), None)
        if who is None and any(v.word == word for v in self.book.verbs):
            return None
        found = self.side(Question(who, word))
        return found if found.verdict == NO_RULE else None

    def open_questions(self, word: str) -> Iterator[Question]:
        """A verb asked of everybody who can be asked, with nothing behind it."""
        for who in subjects(self.game, word) if self.game else ():
            yield Question(who, word)

    def every_row(self, word: str) -> dict[Question, tuple[bool, bool]]:
        """Each question by a verb that holds or is open: whether it holds, whether it is open."""
        out: dict[Question, tuple[bool, bool]] = {}
        for verb in self.book.verbs if self.game else ():
            if verb.word != word or self.game is None:
                continue
            arity = self.book.predicates[verb.predicate].arity
            free = Literal(verb.predicate, tuple(Var(f"V{i}") for i in range(arity)))
            for row in self.game.solver.rows(free):
                out[of_row(verb, row)] = True, False
            for row in self.game.doubts_of(verb.predicate, *[None] * arity):
                question = of_row(verb, row)
                out[question] = out.get(question, (False, False))[0], True
        return out

    def _asked(self, game: Session, question: Question) -> Answer:
        if question.ask:
            return game.ask(question.ask)
        if question.said:
            return game.say(question.said)
        others = dict(question.others)
        try:
            return game.can(question.who, question.verb, question.what, **others)
        except QuestionError:
            clause = as_clause(self.book, question, game.table.names)
            numbers = any(isinstance(v, int) for v in (question.what, *others.values()))
            if not (clause and numbers):
                raise
            return game.ask(clause)  # a term that may be a number or a name

    @staticmethod
    def _refused(error: SeatlogError) -> Side:
        rules = {each.rule for each in error.errors} - {""}
        return Side(REFUSED, tuple(sorted(rules, key=rule_order)), in_words(error))


def _grounded(answer: Answer, row: Row) -> Literal:
    """The literal of a row of a question in players' words, of one that it lacks too."""
    (literal,) = (item for item in answer.items if isinstance(item, Literal))
    return ground(literal, dict(zip(answer.variables, row, strict=True)))


def _answered(answer: Answer, explained: bool) -> Side:
    """The verdict of an answer."""
    cites, text = (answer.cites, _said(answer)) if explained else ((), "")
    if not answer.open:
        verdict = OPEN if answer.doubts else YES if answer else NO
        return Side(verdict, cites, text, bool(answer) if answer.doubts else None)
    every = (*answer.rows, *answer.lacks)
    doubtful = tuple(row for row in every if answer.doubts_of(row))
    verdict = LIST if every else NO
    if answer.doubts and not doubtful:
        verdict = OPEN
    return Side(verdict, cites, text, rows=tuple(answer.rows), doubtful=doubtful, listing=True)


def _said(answer: Answer) -> str:
    """An answer's text without the book's name, which is said above it."""
    lines = answer.text().split("\n")
    return "\n".join(lines[:-1] if lines[-1].startswith("book: ") else lines)


def in_words(error: SeatlogError) -> str:
    """An error without the place, which is that of a table under another name."""
    lines = [line for e in error.errors for line in (e.what, f"  {e.hint}" * bool(e.hint)) if line]
    return "\n".join(lines)

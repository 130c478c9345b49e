"""Asks two books the same: of scenarios, of tables, and of games that a search brings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..book import Book, rule_order
from ..cases import Scenario, read_scenarios, scenario_files
from ..errors import (
    BookError,
    BudgetError,
    QuestionError,
    SeatlogError,
    did_you_mean,
    quoted,
    refuse,
)
from ..table import format_keys, open_table
from .clauses import unmatched
from .questions import THE_TABLE, Question, of_words, predicates
from .report import Difference, Gathered, Labelled, Searched
from .sittings import LIST, NO, NO_RULE, OPEN, REFUSED, YES, Side, Sitting, in_words

MOST_EXPLAINED = 20
"""Of so many rows of a table's verb that differ in one way both explanations are worked out."""
MOST_REMARKS = 20

Tell = Callable[[str], object]


class Wanted(NamedTuple):
    """Which questions are compared: of these verbs and predicates, at tables of this format.

    ``verbs`` is None where all are.
    """

    verbs: frozenset[str] | None = None
    predicates: frozenset[str] = frozenset()
    format: str = ""

    def takes(self, question: Question) -> bool:
        """Whether a question is one of them."""
        if self.verbs is None:
            return True
        if question.ask:
            return bool(self.predicates & predicates(question.ask))
        return question.verb in self.verbs

    def within(self, other: Wanted) -> Wanted:
        """Those of another's that are wanted, too."""
        if self.verbs is None or other.verbs is None:
            few = self if other.verbs is None else other
            return few._replace(format=self.format)
        return Wanted(self.verbs & other.verbs, self.predicates & other.predicates, self.format)

    def at(self, data: Mapping[str, Any], book: Book) -> bool:
        """Whether a table is one of them."""
        keys = format_keys(book.vocabulary)
        return not self.format or any(data.get(key) == self.format for key in keys)


def _neither(a: Book, b: Book) -> str:
    """Two books that lack something; a draft has the name of the book that it changes."""
    if a.name == b.name:
        return f"neither of the two books called {a.name}"
    return f"neither {a.name} nor {b.name}"


def wanted(
    a: Book, b: Book, verbs: Collection[str], sections: Collection[str], form: str
) -> Wanted:
    """What is asked for by words: verbs, sections on whose clauses verdicts rest, a format.

    Raises QuestionError for a verb or a format that isn't there, BookError for such a section.
    """
    books = (a, b)
    for number in sections:
        if number not in a.sections and number not in b.sections:
            raise BookError(
                f"{_neither(a, b)} has a section {quoted(number)}",
                hint=did_you_mean(number, sorted({*a.sections, *b.sections}, key=rule_order)),
            )
    known = {v.word for book in books for v in book.verbs}
    for word in verbs:
        if word not in known:
            raise QuestionError(
                f"{_neither(a, b)} has a verb {quoted(word)}",
                hint=did_you_mean(word, known) or f"there are: {', '.join(sorted(known))}",
            )
    files = [w for sort in format_keys(a.vocabulary).values() for w in sort.words]
    if form and form not in files:
        raise QuestionError(
            f"no format is called {quoted(form)}",
            hint=did_you_mean(form, files) or f"there are: {', '.join(files) or 'none'}",
        )
    if not verbs and not sections:
        return Wanted(format=form)
    asked = {v.predicate for book in books for v in book.verbs if not verbs or v.word in verbs}
    chosen = set(verbs or known)
    if sections:
        above = {p for book in books for p in resting(book, sections)}
        chosen &= {v.word for book in books for v in book.verbs if v.predicate in above}
        asked = asked & above if verbs else above
    return Wanted(frozenset(chosen), frozenset(asked), form)


def resting(book: Book, sections: Collection[str], doubts: bool = False) -> set[str]:
    """The predicates that rest on a clause of some sections, with ``doubts`` on one for a doubt."""
    return _above([book], [c.head.name for c in book.clauses if c.rule in sections], doubts)


def _above(books: Sequence[Book], names: Iterable[str], doubts: bool) -> set[str]:
    """Some predicates with all that rest on them in any of some books, or are left open by them."""
    above: dict[str, set[str]] = {}
    for book in books:
        for head, needed, others in book.clauses.rests:
            for name in (*needed, *others):
                above.setdefault(name, set()).add(head)
        for name, predicate in book.predicates.items() if doubts else ():
            for doubt in predicate.doubts:
                above.setdefault(doubt.name, set()).add(name)
    found = set(names)
    todo = list(found)
    while todo:
        new = above.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def affected(a: Book, b: Book) -> Wanted | None:
    """The questions that two books may answer differently; None where there are none.

    What rests on a predicate with a clause that only one of them has, or on a doubt of it. Where
    whole tables may be refused, or what no rule reads differs, that is everything.
    """
    if a.bearing != b.bearing:
        return Wanted()
    changed = {v.predicate for v in {*a.verbs} ^ {*b.verbs}}
    changed |= {c.head.name for side in unmatched(a.clauses, b.clauses) for c in side}
    changed |= {n for n in {*a.predicates, *b.predicates} if _said(a, n) != _said(b, n)}
    if not changed:
        return None
    resting = _above((a, b), changed, True)
    if any(p.alarm for book in (a, b) for p in book.predicates.values() if p.name in resting):
        return Wanted()
    verbs = {v.word for book in (a, b) for v in book.verbs if v.predicate in resting}
    return Wanted(frozenset(verbs), frozenset(resting))


def _said(book: Book, name: str) -> object:
    """What a book says of a predicate beside its clauses that can matter to a verdict."""
    found = book.predicates.get(name)
    return (found.arity, found.alarm, found.doubts, found.role) if found else None


class Comparing:
    """Two books that are asked the same. ``tell`` is told what is being done, step by step."""

    def __init__(self, a: Labelled, b: Labelled, only: Wanted, tell: Tell) -> None:
        self.a, self.b, self._only, self.tell = a, b, only, tell
        self._last: tuple[object, tuple[Sitting, Sitting]] | None = None

    @property
    def books(self) -> tuple[Book, Book]:
        """Both books."""
        return self.a.book, self.b.book

    def verbs(self) -> list[str]:
        """The verbs that are compared."""
        every = {v.word for book in self.books for v in book.verbs}
        return sorted(every if self._only.verbs is None else every & self._only.verbs)

    def scenarios(self, path: Path, progress: Callable[[int, int], object]) -> Gathered:
        """The questions of all scenarios of either book. Raises SeatlogError for unread files."""
        every, skipped = self._scenarios(path)
        found: list[Difference] = []
        remarks: list[str] = []
        asked, alike = 0, 0
        for count, scenario in enumerate(every, 1):
            origin = f"{scenario.file}: {scenario.name}"
            self.tell(f"in scenario {scenario.name!r} of {scenario.file}")
            progress(count, len(every))
            try:
                own = list(self.of_scenario(scenario, origin))
            except BudgetError:
                raise
            except SeatlogError as error:
                skipped += 1
                remarks.append(f"{origin} can't be asked: {error.what}")
                continue
            asked += 1
            alike += not own
            found += own
        tables = len({repr(s.data) for s in every})
        left = len(remarks) - MOST_REMARKS
        remarks = remarks[:MOST_REMARKS] + ([f"and {left:,} more"] if left > 0 else [])
        searched = Searched(
            "scenarios", tables, asked, alike, skipped=skipped, remarks=tuple(remarks)
        )
        return Gathered(searched, tuple(found))

    def _scenarios(self, path: Path) -> tuple[list[Scenario], int]:
        """The scenarios of either book, and how many are skipped."""
        names = {book.name for book in self.books}
        found: list[Scenario] = []
        unread: list[SeatlogError] = []
        skipped = 0
        for file in scenario_files(path):
            self.tell(f"while reading {file}")
            try:
                own = read_scenarios(file, uncited=True)
            except SeatlogError as error:
                unread.append(error)
                continue
            for each in own:
                theirs = each.edition and Path(each.edition).name not in names
                if theirs or not self._takes(each):
                    skipped += 1
                else:
                    found.append(each)
        refuse(unread)
        return found, skipped

    def _takes(self, scenario: Scenario) -> bool:
        return self._only.at(scenario.data, self.a.book) and self._only.takes(
            self._question(scenario)
        )

    def _question(self, scenario: Scenario) -> Question:
        if scenario.ask:
            return Question(None, "", ask=scenario.ask)
        return of_words(scenario.can, self.books)

    def of_scenario(self, scenario: Scenario, origin: str) -> Iterator[Difference]:
        """What differs in a scenario: its question, or the rows of one with variables."""
        question = self._question(scenario)
        sittings = self.sittings(scenario.data, scenario.name)
        one, other = sides(sittings, question, explained=False)
        if not one.differs(other):
            return
        rows: dict[Question, None] = {}
        if not question.ask and {one.verdict, other.verdict} <= _ANSWERED:
            rows = dict.fromkeys(q for sitting in sittings for q in sitting.rows_of(question))
        explained = [d for q in rows if (d := self.difference(sittings, q, scenario.data, origin))]
        if explained:
            yield from explained
            return
        found = self.difference(sittings, question, scenario.data, origin)
        if found is not None:
            yield found

    def difference(
        self,
        sittings: tuple[Sitting, Sitting],
        question: Question,
        data: Mapping[str, Any],
        origin: str,
    ) -> Difference | None:
        """A question that is answered differently, with both explanations, or None."""
        one, other = sides(sittings, question, explained=False)
        if not one.differs(other):
            return None
        one, other = sides(sittings, question)
        kept = {k: v for k, v in data.items() if k != "edition"}
        return Difference(question, one, other, kept, origin)

    def table(self, file: str) -> Gathered:
        """Every verdict of a table, of a file or a shipped one. Raises SeatlogError."""
        self.tell(f"while reading {file}")
        opened = open_table(file, self.a.label)
        data = opened.table.data or {}
        if not self._only.at(data, self.a.book):
            remark = f"{file} is no table of the format {self._only.format}"
            return Gathered(Searched(file, 0, 0, 0, skipped=1, remarks=(remark,)))
        sittings = self.sittings(data, opened.table.title)
        return self.game(data, file, sittings)

    def game(
        self, data: Mapping[str, Any], origin: str, sittings: tuple[Sitting, Sitting] | None = None
    ) -> Gathered:
        """Every verdict of a table given as data: each verb, and all rows. Raises SeatlogError."""
        sittings = sittings or self.sittings(data, origin)
        kept = {k: v for k, v in data.items() if k != "edition"}
        one, other = (sitting.taken() for sitting in sittings)
        if REFUSED in (one.verdict, other.verdict):
            differs = one.verdict != other.verdict
            found = (Difference(THE_TABLE, one, other, kept, origin),) if differs else ()
            remark = () if differs else (f"{origin} is refused by both books",)
            return Gathered(Searched(origin, 1, 1, int(not differs), remarks=remark), found)
        differences: list[Difference] = []
        more: list[tuple[str, tuple[str, str], str]] = []
        asked, alike = 0, 0
        for word in self.verbs():
            self.tell(f"of {origin}: who can {word}")
            rows = self._rows(sittings, word)
            asked += len(rows)
            kinds: dict[tuple[str, str], int] = {}
            for question in rows:
                mine, theirs = sides(sittings, question, explained=False)
                if not mine.differs(theirs):
                    alike += 1
                    continue
                kind = mine.said, theirs.said
                kinds[kind] = kinds.get(kind, 0) + 1
                if kinds[kind] > MOST_EXPLAINED:
                    more.append((word, kind, question.text))
                else:
                    self.tell(f"of {origin}: {question.text}")
                    differences.append(
                        Difference(question, *sides(sittings, question), kept, origin)
                    )
        return Gathered(Searched(origin, 1, asked, alike), tuple(differences), tuple(more))

    def _rows(self, sittings: tuple[Sitting, Sitting], word: str) -> list[Question]:
        """The questions of a verb about which two books may differ.

        A row that neither has is a no of both. Where one has no rule, everything else is a no there
        and has no rule here: one question is asked for all of them.
        """
        if any(sitting.knows(word) for sitting in sittings):
            known = [s.every_row(word) for s in sittings if not s.knows(word)]
            rows = self._ordered({question for own in known for question in own}, sittings[0])
            return rows or [q for s in sittings for q in s.open_questions(word)][:1]
        mine, theirs = (sitting.every_row(word) for sitting in sittings)
        return self._ordered({*mine, *theirs}, sittings[0])

    @staticmethod
    def _ordered(questions: Iterable[Question], sitting: Sitting) -> list[Question]:
        """Questions in the order in which the table names who and what they are about."""
        rank = {name: at for at, name in enumerate(sitting.state.names)}

        def place(question: Question) -> list[tuple[int, int, str]]:
            terms = (question.who or "", question.what or "", *(v for _, v in question.others))
            return [
                (0, t, "") if isinstance(t, int) else (1, rank.get(t, len(rank)), t) for t in terms
            ]

        return sorted(questions, key=place)

    def sittings(self, data: Mapping[str, Any], title: str) -> tuple[Sitting, Sitting]:
        """A table under both books; the same as the last time where it is the same."""
        if self._last is None or self._last[0] != data:
            self._last = (
                data,
                (
                    Sitting(self.a.book, data, title),
                    Sitting(self.b.book, data, title),
                ),
            )
        return self._last[1]


_ANSWERED = {LIST, NO, OPEN, YES}


def sides(
    sittings: tuple[Sitting, Sitting], question: Question, explained: bool = True
) -> tuple[Side, Side]:
    """What both books say of a question.

    One that only one of them can read has no rule in the other. Raises SeatlogError where neither
    can.
    """
    found: list[Side | SeatlogError] = []
    for sitting in sittings:
        try:
            found.append(sitting.side(question, explained))
        except BudgetError:
            raise
        except SeatlogError as error:
            found.append(error)
    if all(isinstance(each, SeatlogError) for each in found):
        raise next(e for e in found if isinstance(e, SeatlogError))
    one, other = (unreadable(e) if isinstance(e, SeatlogError) else e for e in found)
    return one, other


def unreadable(error: SeatlogError) -> Side:
    """What a book says of a question that it can't read and another one can."""
    return Side(NO_RULE, text=in_words(error), lacks=error.what)

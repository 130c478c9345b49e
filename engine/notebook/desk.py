"""What an author works at: a draft, the table that is asked, and what the magics do with both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..authoring import Draft, Tried
from ..book import TABLE
from ..errors import BookError, QuestionError, SeatlogError, TableError, many, quoted
from ..game import ALL, Answer, Session, stands
from ..repl import WIDE, Said, State, looked_at, said, unknown
from ..table import (
    Table,
    flag_keys,
    given,
    laid_over,
    open_table,
    parse_flag,
    parsed,
    read_table,
    table,
)
from ..views import arrow, checked, drawn, gone, reached, ring
from .values import Asked, Differing, Edited, Laid, Ring, Section, Told, verdict

RULES = {
    "switches": ("undo", "redo", "over"),
    "valued": ("add", "drop", "edition", "save", "title"),
}
WHOLE = "--all"
DIFF = ("scenarios", *WIDE)
_LIKE, _LIKE_ADD = "like: %%rules NUMBER", "%%rules --add NUMBER"
ASIDE, CELL = "aside", "cell"


class Source(NamedTuple):
    """Where a table comes from: a file's name, or the text of a cell, and the keys over it."""

    file: str | None
    text: str | None
    keys: Mapping[str, Any]

    def edition(self) -> str | None:
        """The edition that the table itself says it is of. Raises SeatlogError."""
        data: Mapping[str, Any] = {}
        if self.text is not None:
            data, _ = parsed(self.text, CELL)
        elif self.file is not None:
            data, _ = read_table(self.file)
        found = data.get("edition")
        return found if isinstance(found, str) else None

    def opened(self, draft: Draft) -> Table:
        """The table under a draft's edition. Raises SeatlogError."""
        if self.text is None:
            return open_table(self.file, draft.edition, self.keys).table
        data, source = parsed(self.text, CELL)
        data = {**laid_over(data, given(self.keys)), "edition": draft.edition}
        return table(data, draft.base.vocabulary, source, "table")


class Desk:
    """A draft of a book and the table that is asked, from one magic to the next.

    Each method takes what stands behind its magic, and gives a value that shows itself. Raises
    SeatlogError, and then all is as it was.
    """

    def __init__(self) -> None:
        self._draft: Draft | None = None
        self._source: Source | None = None
        self._table: Table | None = None
        self._games: dict[bool, Session] = {}
        """The sessions under the draft and under its base, as long as they are the same."""

    @property
    def draft(self) -> Draft:
        """The draft: of the default edition where none was named."""
        if self._draft is None:
            self._draft = Draft()
        return self._draft

    def lost(self) -> list[str]:
        """What is lost with the draft, in a line; nothing where nothing was changed."""
        draft = self._draft
        if draft is None or not draft.changed:
            return []
        name, changed = draft.base.name, ", ".join(draft.changed)
        return [f"the draft of {name} is gone, and with it what was changed: {changed}"]

    def rules(self, line: str, cell: str | None = None) -> Edited | Told | Section:
        """Replace, add or drop a section; what was changed; take back, save, start anew."""
        found = said(line, **RULES)
        if cell is not None:
            return self._given(found, cell)
        done = [name for name in found.options if name not in ("over", "title")]
        if len(done) + bool(found.words) > 1 or len(found.words) > 1:
            raise QuestionError("one thing at a time", hint="`%rules` alone says what was changed")
        if {"over", "title"} & set(found.options) and done != ["save"]:
            raise QuestionError("--over and --title are for --save", hint="say where to save")
        if found.words:
            return Section(found.words[0], self.draft.show(found.words[0]))
        if not done:
            return self._changed()
        return self._done(found, done[0])

    def _given(self, found: Said, text: str) -> Edited:
        """What a cell's text does to a section."""
        number = found.one("add")
        number, *more = (*([number] if number else []), *found.words) or ("",)
        if not number or more or set(found.options) - {"add"}:
            raise QuestionError(
                "a cell's text is for one section",
                hint="like: %%rules NUMBER, %%rules --add NUMBER",
            )
        change = self.draft.add if "add" in found.options else self.draft.replace
        return Edited(change(number, text))

    def _done(self, found: Said, what: str) -> Edited | Told:
        given = found.one(what) or ""
        if what in RULES["valued"] and not given:
            raise QuestionError(f"--{what} needs something behind it")
        if what == "undo":
            return Told(self.draft.undo())
        if what == "redo":
            return Told(self.draft.redo())
        if what == "drop":
            return Edited(self.draft.drop(given))
        if what == "edition":
            return self._start(given)
        if what == "add":
            raise QuestionError(
                "the text to add stands in a cell", hint="like: %%rules --add NUMBER"
            )
        over = "over" in found.options
        try:
            files = self.draft.save(given, found.one("title"), over)
        except BookError as error:
            if not over and "over=True" in error.hint:
                error.hint = "--over writes over it"
            raise
        return Told(f"{given}: {many(len(files), 'file')} written", tuple(files), given)

    def _changed(self) -> Told:
        """What was done so far, and what the linter has to say of it."""
        draft = self.draft
        sections = ", ".join(draft.changed) or "nothing"
        done = draft.show().split("\n") if draft.changed or draft.show() else []
        cares = [str(care) for care in draft.lint()]
        return Told(f"{draft.base.name}: {sections} changed", (*done, *cares), draft)

    def _start(self, edition: str) -> Told:
        """Another draft; the table goes along if the edition takes it."""
        draft, lines = Draft(edition), self.lost()
        laid = None
        if self._source is not None:
            try:
                laid = self._source.opened(draft)
            except SeatlogError as error:
                lines.append(f"the table is left out: {error}")
        self._draft, self._table, self._games = draft, laid, {}
        self._source = self._source if laid else None
        return Told(f"a draft of {draft.base.title} ({draft.base.name})", tuple(lines), draft)

    def table(self, line: str, cell: str | None = None) -> Laid:
        """The table that is asked from now on; alone, what there is to say of the one that is."""
        vocabulary = self.draft.base.vocabulary
        keys = [*flag_keys(vocabulary), ASIDE]
        try:
            found = said(line, (), keys)
        except QuestionError as error:
            raise self._hinted(error, line) from None
        over = {k: parse_flag(k, texts, vocabulary) for k, texts in found.options.items()}
        if cell is None and not found.words and not over:
            return self._laid()
        if len(found.words) > (cell is None):
            raise QuestionError(
                "one table at a time", hint="a file, a shipped table's name, keys, or a cell's text"
            )
        source = Source(next(iter(found.words), None), cell, over)
        laid = source.opened(self.draft)
        game = Session(self.draft.book, laid)
        self._source, self._table, self._games = source, laid, {True: game}
        return self._laid()

    def _hinted(self, error: QuestionError, line: str) -> QuestionError:
        """The fault of an option with what the book says of the word."""
        hints = self.draft.base.vocabulary
        words = (word.lstrip("-").partition("=")[0] for word in line.split() if word[:2] == "--")
        hint = next(filter(None, (hints.hint(TABLE, word) for word in words)), error.hint)
        return QuestionError(error.what, hint=hint)

    def _laid(self) -> Laid:
        game = self.game()
        own = self._source.edition() if self._source else None
        about = game.about()
        if own not in (None, self.draft.edition, self.draft.base.name):
            about.insert(0, f"note: {self._instead(own)}")
        return Laid(checked(game), tuple(about))

    def _instead(self, own: str) -> str:
        name = self.draft.base.name
        return f"the table says edition = {quoted(own)}, and the draft is of {name}, which is asked"

    def game(self, drafted: bool = True) -> Session:
        """The session on the table under the draft, or under its base. Raises SeatlogError."""
        book = self.draft.book if drafted else self.draft.base
        if self._table is None:
            raise TableError(
                "no table is there to be asked", hint="like: %table FILE, or %%table and its text"
            )
        game = self._games.get(drafted)
        if game is None or game.book is not book:
            game = self._games[drafted] = Session(book, self._table)
        game.notes.clear()
        return game

    def can(self, line: str) -> Asked:
        """The answer to a question in players' words or clause syntax, under the draft."""
        return self._ask(line, False)

    def why(self, line: str) -> Asked:
        """The same with its reason step by step; with ``--all`` every step there is."""
        first, _, rest = line.strip().partition(" ")
        if first == WHOLE:
            return self._ask(rest, ALL)
        return self._ask(line, True, (WHOLE,))

    def _ask(self, line: str, tree: bool | str, options: tuple[str, ...] = ()) -> Asked:
        text = line.strip()
        if not text:
            raise QuestionError("a question is missing", hint="like: WHO VERB WHAT")
        if text.startswith("--"):
            raise unknown(text[2:].partition(" ")[0], options)
        game = self.game()
        name = self.draft.base.name
        try:
            answer = game.answer(text)
        except SeatlogError as error:
            raise self._answered(error, text) from None
        other = self._otherwise(answer, text) if self.draft.changed else None
        return Asked(answer, other, name, tuple(game.notes), tree)

    def _otherwise(self, answer: Answer, text: str) -> Answer | SeatlogError | None:
        """What the base answers, where that is something else."""
        try:
            other = self.game(False).answer(text)
        except SeatlogError as error:
            return error
        same = verdict(other) == verdict(answer) and other.cites == answer.cites
        return None if same else other

    def _answered(self, error: SeatlogError, text: str) -> SeatlogError:
        """The fault of a question, with what the base answers if it can be asked it."""
        try:
            other = self.game(False).answer(text) if self.draft.changed else None
        except SeatlogError:
            return error
        if other is not None:
            head = other.text().partition("\n")[0]
            said = f"{self.draft.base.name} can be asked it, and answers: {head}"
            error.hint = f"{error.hint}\n  {said}" if error.hint else said
        return error

    def diff(self, line: str) -> Differing:
        """What the draft changes: sections, verdicts of scenarios and tables, and any game at all.

        Of the table that is asked, or of those that are named. ``--bound none`` looks at no games
        but those that ``--games`` draws.
        """
        found = said(line, (), DIFF)
        tables = found.words or self._asked()
        scenarios = found.one("scenarios")
        return Differing(self.draft.diff(*tables, scenarios=scenarios, **looked_at(found)))

    def test(self, line: str) -> Tried:
        """What comes of scenarios under the draft: those of files and folders that are named.

        Of ``tests/scenarios`` where none is.
        """
        return self.draft.test(*said(line).words)

    def _asked(self) -> tuple[str | Mapping[str, Any], ...]:
        """The table that is asked, if there is one: its file if nothing lies over it, or data."""
        if self._source is None or self._table is None:
            return ()
        if self._source.file is not None and not self._source.keys:
            return (self._source.file,)
        data = self._table.data or {}
        return ({key: value for key, value in data.items() if key != "edition"},)

    def draw(self, line: str) -> Ring:
        """Who sits where, and whom each reaches by a verb."""
        found = said(line)
        if len(found.words) > 1:
            raise QuestionError("one verb at a time", hint="like: %draw VERB")
        game = self.game()
        names = ring(game)
        verb = arrow(game, found.words[0] if found.words else None)
        left, now = gone(game), stands(game)
        return Ring(
            tuple(names),
            verb,
            reached(game, names, verb),
            {name: each.why for name, each in left.items()},
            (*now, *game.about()),
            drawn(game, names, verb, left, now),
        )

    def state(self) -> State:
        """The draft and the table as the interactive session's completion knows them."""
        table = self._table or open_table(None, self.draft.edition).table
        stated = tuple(fact for fact in table.facts if fact.origin)
        return State(self.draft.book, self.draft.book, table, stated)

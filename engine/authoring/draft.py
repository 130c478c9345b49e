"""A book as an author changes it: section by section, each edit checked before it counts."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from ..book import Book, rule_order
from ..cases import DEFAULT, Scenario
from ..compare import Comparing, Labelled, drawn_from, made, wanted, within
from ..editions import Layer, assemble, editions, find, home, layers_of, lineage, load_book, where
from ..errors import BookError, QuestionError, SeatlogError, did_you_mean, quoted
from ..game import Answer, Session
from ..language import Entry, Heading, Reading, headed, read_clauses, read_file, read_section
from ..lint import style
from ..solvers import PLAIN
from ..table import open_table
from ..worlds import read_bound
from .changes import Changes
from .held import Held, Wide
from .losses import Edit, parted
from .saving import saved
from .texts import Stretch, Texts, texts_of
from .trying import Tried, scenarios_of, tried

NAME = "draft"
"""What a draft's own files are called after."""
FIRST, SECOND = 4, 2
"""So many names of the first two sorts there are in games where no bound is said."""
FIRST_DRAWN, SEARCHED = 3, 200
"""So many names of the first sort there are in games that are drawn, and so many games."""
MOST_DRAWN = 10_000_000
MOST_EDITS = 10_000
_NUMBER = re.compile(r"\w[\w.-]{0,99}")
"""What a section is called whose text a file of that name holds."""
NEW = "a section that isn't there yet is added, not replaced"
NOTHING: Mapping[str, str] = MappingProxyType({})
MOST_READ = 2_000
"""So many texts are known again at most."""


class Piece(NamedTuple):
    """What an author has given for a section, under the heading that it lacks, if it lacks one."""

    file: str
    given: str
    title: str | None = None

    def text(self, number: str) -> str:
        """With its heading."""
        if self.title is None:
            return self.given
        return f"## {number}  {self.title}".rstrip() + "\n" + self.given

    @property
    def body(self) -> str:
        """Without a heading."""
        if self.title is not None:
            return self.given
        return self.given.lstrip().partition("\n")[2]


def _joined(number: str, pieces: Sequence[Piece]) -> str:
    """A section in one text: what is added stands under the first piece's heading."""
    first, *others = pieces
    if not others:
        return first.text(number)
    parts = [first.text(number), *(piece.body for piece in others)]
    return "\n\n".join(part.strip("\n") for part in parts)


Own = Mapping[str, tuple[Piece, ...]]
"""What was given for each section that has another text than in the base."""


class State(NamedTuple):
    """A draft at one time: its own sections, those of the base that it drops, and the book."""

    own: Own
    dropped: frozenset[str]
    book: Book
    done: str = ""


class Draft:
    """A rule book under change. ``base`` is the edition as it stands, ``book`` with all edits.

    Every edit is read, linted and put together as an edition's folder would be; what is refused
    leaves the draft as it was. Edits give an ``Edit``, which says what they lost.

    >>> import seatlog
    >>> draft = seatlog.draft("cr")
    >>> draft
    <Draft of cr: nothing changed>
    >>> print(draft.drop("801.2b").done)
    801.2b dropped
    >>> draft.ask("four_in_a_ring", "in_range(Alex, Alex)").verdict
    False
    >>> print(draft.undo())
    taken back: 801.2b dropped
    """

    def __init__(self, edition: str | os.PathLike[str] | None = None) -> None:
        self.edition = os.fspath(edition) if edition is not None else load_book().name
        self.base = load_book(self.edition)
        self._layers = layers_of(self.edition)
        self._line = lineage(self.edition)
        self._held = Held(self.edition, self.base, self._line)
        self._readings: dict[tuple[str, str, str | None], Reading] = {}
        self._titles: dict[str, tuple[str, str]] = {}
        self._state = State({}, frozenset(), self.base)
        self._past: list[State] = []
        self._future: list[State] = []

    def __repr__(self) -> str:
        said = ", ".join(self.changed) or "nothing"
        return f"<Draft of {self.base.name}: {said} changed>"

    @property
    def book(self) -> Book:
        """The book with all edits."""
        return self._state.book

    @property
    def changed(self) -> list[str]:
        """The numbers of the sections that are replaced, added or dropped, in rule order."""
        return sorted({*self._state.own, *self._state.dropped}, key=rule_order)

    def show(self, number: str | None = None) -> str:
        """The text of a section as it stands, or what was done so far. Raises BookError."""
        if number is None:
            return "\n".join(each.done for each in (*self._past[1:], self._state) if each.done)
        if number in self._state.own:
            return _joined(number, self._state.own[number])
        return "\n\n".join(each.text for each in self._stretches(number))

    def replace(self, number: str, text: str) -> Edit:
        """Give a section another text, with its heading or without. Raises SeatlogError.

        Everything under the number gives way: clauses, sentences, doubts, verbs and digests. What
        is lost is what stood there before this edit. Faults have their place in the text that was
        given.
        """
        return self._done(*self._replaced(self._now, number, text), f"{number} replaced", (number,))

    def add(self, number: str, text: str) -> Edit:
        """Add clauses to a section, or a section that isn't there yet. Raises SeatlogError."""
        own, dropped = self._added(self._now, number, text)
        done = f"{number} added to" if len(own[number]) > 1 else f"{number} added"
        return self._done(own, dropped, done, (number,))

    def drop(self, number: str) -> Edit:
        """Take a section out. Raises SeatlogError where others still rest on what it says."""
        return self._done(*self._less(self._now, number), f"{number} dropped", (number,))

    def change(self, texts: Mapping[str, str | None], more: Mapping[str, str] = NOTHING) -> Edit:
        """Several sections at once, so that only what they come to together has to be sound.

        ``texts`` replace sections, and drop those without one; ``more`` is added afterwards. Raises
        SeatlogError.
        """
        now = self._now
        for number, text in texts.items():
            now = self._less(now, number) if text is None else self._replaced(now, number, text)
        for number, text in more.items():
            now = self._added(now, number, text)
        numbers = tuple(sorted({*texts, *more}, key=rule_order))
        return self._done(*now, f"{', '.join(numbers)} changed", numbers)

    def branch(self) -> Draft:
        """Another draft that begins as this one stands; either then goes its own way."""
        other = copy.copy(self)
        other._past, other._future = [], []
        return other

    @property
    def _now(self) -> tuple[Own, frozenset[str]]:
        return self._state.own, self._state.dropped

    def _replaced(
        self, now: tuple[Own, frozenset[str]], number: str, text: str
    ) -> tuple[Own, frozenset[str]]:
        own, dropped = now
        try:
            title = self._title(number)
        except BookError as error:
            if number not in self._known():
                error.hint = f"{error.hint}\n  {NEW}" if error.hint else NEW
            raise
        self._only(number, text)
        piece = Piece(_file(number), _plain(text), None if headed(text) else title)
        return {**own, number: (piece,)}, dropped - {number}

    def _added(
        self, now: tuple[Own, frozenset[str]], number: str, text: str
    ) -> tuple[Own, frozenset[str]]:
        own, dropped = now
        old = own.get(number)
        if old is None and number in self._known() and number not in dropped:
            before = [each for each in self._texts[number] if not each.shared]
            old = tuple(Piece(_file(number, at), e.text) for at, e in enumerate(before))
        self._only(number, text)
        title = self.book.sections[number].title if number in self.book.sections else ""
        at = len(old or ())
        piece = Piece(_file(number, at), _plain(text), None if headed(text) else title)
        return {**own, number: (*(old or ()), piece)}, dropped - {number}

    def _less(self, now: tuple[Own, frozenset[str]], number: str) -> tuple[Own, frozenset[str]]:
        self._stretches(number)
        own = {n: pieces for n, pieces in now[0].items() if n != number}
        if number not in self._texts:
            return own, now[1]
        self._title(number)
        return own, now[1] | {number}

    def undo(self) -> str:
        """Take the last edit back, and say which it was: every byte is as before.

        Raises BookError where there is none.
        """
        if not self._past:
            raise BookError("nothing is there to be taken back")
        self._future.append(self._state)
        done, self._state = self._state.done, self._past.pop()
        return f"taken back: {done}"

    def redo(self) -> str:
        """Make the edit again that was taken back last. Raises BookError where there is none."""
        if not self._future:
            raise BookError("nothing is there to be made again")
        self._past.append(self._state)
        self._state = self._future.pop()
        return f"made again: {self._state.done}"

    def lint(self) -> list[SeatlogError]:
        """What the linter has to say of the draft that it doesn't say of the base.

        What it refuses never gets into a draft.
        """
        return self._cares(self.base, self.book)

    def open(
        self,
        table: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        solver: str = PLAIN,
        **keys: Any,
    ) -> Session:
        """A session on a table under the draft, as ``seatlog.open`` has it. Raises SeatlogError."""
        opened = open_table(table, self.edition, keys)
        return Session(self.book, opened.table, None, solver)

    def ask(
        self, table: str | os.PathLike[str] | Mapping[str, Any] | Session, question: str
    ) -> Answer:
        """The answer to a question in players' words or clause syntax. Raises SeatlogError."""
        if isinstance(table, Session):
            return Session(self.book, table.table).answer(question)
        return self.open(table).answer(question)

    def test(
        self,
        *paths: str | os.PathLike[str],
        book: Book | None = None,
        tell: Callable[[str], object] = lambda _: None,
    ) -> Tried:
        """Run scenarios of files and folders, ``tests/scenarios`` when none is named.

        Those of other editions than the draft's are left out, and counted. A ``book`` takes the
        place of the draft's. Raises ScenarioError.
        """
        found, skipped = self._scenarios(paths or (DEFAULT,))
        return tried(found, book or self.book, tell)._replace(skipped=skipped)

    def diff(
        self,
        *tables: str | Mapping[str, Any],
        scenarios: str | os.PathLike[str] | None = None,
        bound: str | None = "",
        games: int = 0,
        seed: int = 1,
        verbs: Sequence[str] = (),
        tell: Callable[[str], object] = lambda _: None,
        book: Book | None = None,
        label: str = NAME,
    ) -> Changes:
        """What the draft changes: sections, verdicts of scenarios and tables, and any game at all.

        ``scenarios`` is a file or folder, ``tests/scenarios`` where that is there. Of all games
        within the ``bound`` (four names of the first sort and two of the second, unless it says)
        one is looked for in which a verdict differs, or it is proved that none does; None leaves
        that out. Of ``games`` drawn from the ``seed`` a small one is shown for each kind of
        difference that they have; one name of the first sort less unless the bound says. Where
        python-sat isn't installed, nothing can be proved, and some are drawn in its place.
        ``verbs`` says which questions count. What the base says is asked once and kept. A ``book``
        takes the place of the draft's, under a ``label``. Raises SeatlogError.
        """
        place = DEFAULT if scenarios is None else Path(scenarios)
        chosen: list[Scenario] | None = None
        skipped = 0
        if scenarios is not None or place.exists():
            chosen, skipped = self._scenarios((place,))
        if not 0 <= games <= MOST_DRAWN:
            raise QuestionError(f"games is from 0 to {MOST_DRAWN:,}, not {games:,}")
        sizes = self._sizes(bound) if bound is not None else None
        few = self._sizes(bound or "", FIRST_DRAWN)
        wide = Wide(sizes, few, games, seed, SEARCHED)
        now = book or self.book
        return self._held.against(label, now, chosen, skipped, tables, wide, verbs, tell)

    def smallest(
        self,
        bound: str = "",
        verbs: Sequence[str] = (),
        tell: Callable[[str], object] = lambda _: None,
    ) -> Changes:
        """The smallest game of each kind of difference within a bound, each proved smallest.

        As ``seatlog compare --bound`` finds them, which takes longer than ``diff``. Raises
        SeatlogError where python-sat isn't installed.
        """
        a, b = Labelled(self.edition, self.base), Labelled(NAME, self.book)
        only = wanted(self.base, self.book, verbs, (), "")
        comparing = Comparing(a, b, only, tell)
        sizes = self._sizes(bound)
        return Changes(made(a, b, None, [within(comparing, sizes, only)]), None, None, 0, 0)

    def _sizes(self, bound: str, first: int = FIRST) -> Mapping[str, int]:
        """The names of each sort within a bound, or within the one that nobody has said."""
        vocabulary = self.base.vocabulary
        return read_bound(bound, vocabulary) if bound else drawn_from(vocabulary, first, SECOND)

    def _scenarios(self, paths: Iterable[str | os.PathLike[str]]) -> tuple[list[Scenario], int]:
        names = [name for name, _ in self._line[-1:]]
        return scenarios_of([Path(path) for path in paths], names)

    def save(
        self, folder: str | os.PathLike[str], title: str | None = None, over: bool = False
    ) -> list[str]:
        """Write an edition whose base is the draft's, with only the sections that differ.

        The files that were written. Raises BookError where nothing differs, or where something is
        there already, unless that is an edition and ``over`` is set: then clause files that the
        draft doesn't have go. What the draft rests on is never written over.
        """
        texts = {
            f"{number}.dl": _joined(number, self._state.own[number]).rstrip("\n") + "\n"
            for number in sorted(self._state.own, key=rule_order)
        }
        if not texts and not self._state.dropped:
            raise BookError("nothing is changed, so there is nothing to save")
        shipped = self.edition in editions()
        base = self.edition if shipped else os.path.abspath(find(self.edition))  # noqa: PTH100
        said = {
            "title": title or f"{self.base.title}, {Path(folder).name}",
            "date": self.base.date,
            "base": base,
            "drop": sorted(self._state.dropped, key=rule_order),
        }
        return saved(Path(folder), said, texts, over, [layer.folder for layer in self._layers])

    @cached_property
    def _vocabulary(self) -> str:
        return read_file(f"{where('facts')}/vocabulary.dl")

    @cached_property
    def _texts(self) -> Texts:
        """The text of each section of the base."""
        return texts_of(self._layers, self._vocabulary, self._reading)

    def _known(self) -> set[str]:
        return {*self._texts, *self._state.own}

    def _stretches(self, number: str) -> Sequence[Stretch]:
        """A section's text in the base. Raises BookError where the draft has no such section."""
        there = self._known() - self._state.dropped
        if number not in there:
            gone = f"{number} is dropped" if number in self._state.dropped else ""
            raise BookError(
                gone or f"{self.base.name} has no section {quoted(number)}",
                hint="add it again" if gone else did_you_mean(number, sorted(there)),
            )
        return self._texts.get(number, ())

    def _title(self, number: str) -> str:
        """The title of a section that an edition can replace. Raises BookError."""
        stretches = self._stretches(number)
        if stretches and all(each.shared for each in stretches):
            raise BookError(
                f"{number} stands with the declared facts, which all editions share",
                hint=f"add to it, or change {stretches[0].file}",
            )
        return self.book.sections[number].title

    def _only(self, number: str, text: str) -> None:
        """Raise BookError for a text that holds other sections, or nothing, or is none."""
        if not isinstance(text, str):
            raise BookError("the text of a section is a string")
        if not _NUMBER.fullmatch(number):
            raise BookError(
                f"{quoted(number)} can't be a section of a draft",
                hint="a file is called after it: letters, digits and points",
            )
        if not text.strip():
            raise BookError(f"no text is given for {number}", hint=f'drop("{number}") takes it out')
        for entry in read_clauses(text, _file(number)).entries if headed(text) else ():
            if isinstance(entry, Heading) and entry.number != number:
                raise BookError(
                    f"this text is for {number} and holds {entry.number}",
                    place=entry.place,
                    hint="one section at a time",
                )

    def _done(self, own: Own, dropped: frozenset[str], done: str, numbers: tuple[str, ...]) -> Edit:
        """Make an edit count, if the book that it comes to is sound."""
        if len(self._past) >= MOST_EDITS:
            raise BookError(f"more than {MOST_EDITS:,} edits", hint="save the draft and open it")
        before = self._state
        state = State(own, dropped, self._put_together(own, dropped), done)
        old = [entry for number in numbers for entry in self._entries(before, number)]
        new = [entry for number in numbers for entry in self._entries(state, number)]
        lost, gained, again = parted(old, new)
        cares = (str(care) for care in self._cares(before.book, state.book))
        self._past.append(before)
        self._future.clear()
        self._state = state
        return Edit(done, numbers, lost, gained, (*again, *cares))

    @staticmethod
    def _cares(before: Book, after: Book) -> list[SeatlogError]:
        known = {(care.code, care.what) for care in style(before)}
        return [care for care in style(after) if (care.code, care.what) not in known]

    def _put_together(self, own: Own, dropped: frozenset[str]) -> Book:
        """The book of the base's layers and the draft's own. Raises what is wrong with it."""
        if not own and not dropped:
            return self.base
        titles = {
            piece.file: (number, piece.title)
            for number, pieces in own.items()
            for piece in pieces
            if piece.title is not None
        }
        texts = {
            piece.file: piece.given
            for number in sorted(own, key=rule_order)
            for piece in own[number]
        }
        toml: dict[str, object] = {
            "title": f"{self.base.title}, {NAME}",
            "date": self.base.date,
            "drop": sorted(dropped, key=rule_order),
        }
        self._titles = titles
        layers = [*self._layers, Layer(Path(NAME), toml, texts)]
        return assemble(layers, home("facts"), "", self._reading)

    def _reading(self, text: str, file: str) -> Reading:
        """A text as it is read, kept for the next time."""
        number, title = self._titles.get(file, ("", None))
        mark = (file, text, title)
        found = self._readings.pop(mark, None)
        if found is None:
            if title is None:
                found = read_clauses(text, file)
            else:
                found = read_section(number, title, text, file)
        self._readings[mark] = found
        while len(self._readings) > MOST_READ:
            del self._readings[next(iter(self._readings))]
        return found

    def _entries(self, state: State, number: str) -> Iterator[Entry]:
        """What a section consists of in a state."""
        if number in state.own:
            for at, piece in enumerate(state.own[number]):
                read = read_section(number, piece.title or "", piece.given, piece.file)
                yield from (e for e in read.entries if not at or not isinstance(e, Heading))
        elif number not in state.dropped:
            for stretch in self._texts.get(number, ()):
                yield from read_clauses(stretch.text, stretch.file).entries


def _file(number: str, at: int = 0) -> str:
    """The file in which a piece of a section would stand."""
    return f"{NAME}/{number}{f'_{at + 1}' * bool(at)}.dl"


def _plain(text: str) -> str:
    """A text as it is given, with plain line ends."""
    return text.replace("\r\n", "\n")

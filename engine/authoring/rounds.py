"""One look at an edition that is being written: its faults, its scenarios, and its base's answers.

What can't be worked out is None: of a book that can't be read nobody knows how its scenarios fare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from ..book import Book
from ..cases import Scenario, Sessions, read_scenarios, run, scenario_files
from ..compare import Comparing, Labelled, Side, affected, differing
from ..editions import editions, layers_of, lineage, load_book
from ..errors import BudgetError, ScenarioError, SeatlogError, printable
from ..lint import style

Tell = Callable[[str], object]
CARES, ALL = "cares", "all"
"""What isn't known of a book that is refused, and of one that can't be looked at."""
_LONGEST = 200


class Fault(NamedTuple):
    """Something that is wrong with a book or a scenario file.

    ``mark`` tells it from others wherever it stands in its file, and ``text`` says it whole.
    """

    mark: tuple[str, ...]
    text: str
    data: Mapping[str, object]

    def hides(self, unknown: str) -> bool:
        """Whether it may be there still where some faults are ``unknown``."""
        kind, code = self.mark[:2]
        if unknown == CARES:
            return kind == ScenarioError.kind or code.startswith("W")
        return unknown == ALL and kind != BudgetError.kind


class Told(NamedTuple):
    """A question that an edition answers otherwise than its base."""

    base: str
    here: str


Asked = tuple[str, str]
"""Where a question comes from, and the question."""


class Round(NamedTuple):
    """What one look found.

    ``scenarios`` has what is wrong with each one, or nothing, ``verdicts`` the questions that the
    base answers otherwise, ``sections`` the numbers whose text differs from the base's. ``folders``
    are those, beside the shipped ones, that the book was read from. ``unknown`` says which faults
    may be there beside those that were found. ``cases`` has a mark for each scenario by its name,
    those of the base too, by which a changed one is known.
    """

    edition: str
    base: str | None = None
    folders: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    scenarios: Mapping[str, str] | None = None
    sections: tuple[str, ...] | None = None
    verdicts: Mapping[Asked, Told] | None = None
    unknown: str = ""
    cases: Mapping[str, int] = {}

    @property
    def failing(self) -> int:
        """How many scenarios fail."""
        return sum(map(bool, (self.scenarios or {}).values()))

    @property
    def good(self) -> bool:
        """Whether there are no faults and no failing scenarios."""
        return not self.faults and not self.failing

    def over(self, before: Round | None) -> Round:
        """The same with what is known from before where this look couldn't say it."""
        if before is None:
            return self
        met = {fault.mark for fault in self.faults}
        kept = (f for f in before.faults if f.mark not in met and f.hides(self.unknown))
        return self._replace(
            folders=self.folders or before.folders,
            base=before.base if self.sections is None else self.base,
            faults=(*self.faults, *kept),
            scenarios=before.scenarios if self.scenarios is None else self.scenarios,
            sections=before.sections if self.sections is None else self.sections,
            verdicts=before.verdicts if self.verdicts is None else self.verdicts,
            cases=before.cases if self.verdicts is None else self.cases,
        )


def look(edition: str, place: Path | None, tell: Tell) -> Round:
    """Read and lint an edition, run its scenarios, and hold it against its base.

    ``place`` is where scenarios lie, None where there never were any. ``tell`` is told what is
    begun. Raises BudgetError and MemoryError alone.
    """
    tell(f"while reading {edition}")
    name = Path(edition).name
    try:
        book = load_book(edition)
        above = _base(edition)
        base = load_book(above) if above is not None else None
        found = Round(book.name, None, folders_of(edition), _faults(style(book)))
    except SeatlogError as error:
        unknown = CARES if any(each.code for each in error.errors) else ALL
        folders = folders_of(edition)
        return Round(name, None, folders, _faults(error.errors), unknown=unknown)
    known, unread = _read(place, tell) if place else ([], [])
    found = found._replace(faults=(*found.faults, *_faults(unread)))
    if place:
        own = (s for s in known if not s.edition or Path(s.edition).name == book.name)
        found = found._replace(scenarios=dict(_ran(own, book, tell)))
    if above is None or base is None:
        return found._replace(sections=(), verdicts={})
    tell("while comparing sections")
    texts = differing(base, book, (lineage(above), lineage(edition)), ())
    found = found._replace(base=base.name, sections=tuple(s.number for s in texts.sections))
    if place is None or unread:
        return found
    cases = {f"{s.file}: {s.name}": crc32(repr((s.data, s.can, s.ask)).encode()) for s in known}
    found = found._replace(verdicts={}, cases=cases)
    only = affected(base, book)
    if only is None:
        return found
    comparing = Comparing(Labelled(above, base), Labelled(edition, book), only, tell)
    return found._replace(verdicts=dict(_verdicts(comparing, place)))


def failed(edition: str, error: SeatlogError) -> Round:
    """A look that came to nothing: a budget ran out, or the look itself failed."""
    return Round(Path(edition).name, faults=_faults(error.errors), unknown=ALL)


def _base(edition: str) -> str | None:
    """The base of an edition, as it is named there."""
    base = layers_of(edition)[-1].toml.get("base")
    return None if base is None else str(base)


def folders_of(edition: str) -> tuple[str, ...]:
    """The folders of an edition and its bases that aren't shipped; none where nobody can say."""
    shipped = set(editions().values())
    try:
        layers = layers_of(edition)
    except SeatlogError:
        return ()
    return tuple(str(layer.folder) for layer in layers if layer.folder not in shipped)


def _faults(errors: Iterable[SeatlogError]) -> tuple[Fault, ...]:
    """Faults as they are kept, the same ones numbered: lines move while a file is written."""
    met: dict[tuple[str, ...], int] = {}
    out = []
    for error in errors:
        mark = (error.kind, error.code, error.what, error.place.file if error.place else "")
        met[mark] = met.get(mark, 0) + 1
        out.append(Fault((*mark, str(met[mark])), str(error), error.as_dict()))
    return tuple(out)


def _read(place: Path, tell: Tell) -> tuple[list[Scenario], list[SeatlogError]]:
    known: list[Scenario] = []
    unread: list[SeatlogError] = []
    if not place.exists():
        what = f"the scenarios at {printable(str(place))} are gone"
        return known, [ScenarioError(what, hint="put them back, or begin anew without them")]
    for file in scenario_files(place):
        tell(f"while reading {file}")
        try:
            known += read_scenarios(file)
        except SeatlogError as error:
            unread += error.errors
    return known, unread


def _ran(scenarios: Iterable[Scenario], book: Book, tell: Tell) -> Iterator[tuple[str, str]]:
    """What is wrong with each scenario; those of one name in a file are numbered."""
    sessions, met = Sessions(), dict[str, int]()
    for scenario in scenarios:
        name = printable(f"{scenario.file}: {scenario.name}")
        tell(f"in scenario {scenario.name!r} of {scenario.file}")
        met[name] = met.get(name, 0) + 1
        shown = name if met[name] == 1 else f"{name} ({met[name]})"
        yield shown, run(scenario, lambda _name: book, sessions).trouble


def _verdicts(comparing: Comparing, place: Path) -> Iterator[tuple[Asked, Told]]:
    """The questions of scenarios that two books answer differently, with both answers."""
    for each in comparing.scenarios(place, lambda _count, _every: None).differences:
        yield (each.origin, each.question.text), Told(_answer(each.a), _answer(each.b))


def _answer(side: Side) -> str:
    """What a book answers, in a few words: its verdict, or the rows of a list."""
    if not side.rows and not side.doubtful:
        return side.said
    rows = [", ".join(map(str, row)) for row in side.rows]
    if any(len(row) > 1 for row in side.rows):
        rows = [f"({row})" for row in rows]
    doubtful = f"; open: {len(side.doubtful)}" * bool(side.doubtful)
    return printable((", ".join(rows) or "none") + doubtful, _LONGEST)

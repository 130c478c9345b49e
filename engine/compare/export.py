"""Differences as files that run at once: a table, and for each book a scenario.

Every scenario is run before anything is written, and every table read back; what doesn't come out
again as it was found is not written, and said.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ..book import Book
from ..cases import run, scenarios_in, written
from ..errors import SeatlogError, TableError, printable
from ..language import create, replace
from ..table import data_lines, table
from .questions import THE_TABLE, as_clause
from .report import Difference, Labelled
from .sittings import NO, NO_RULE, OPEN, YES, Side, Sitting

TABLES, SCENARIOS = "tables", "scenarios"
_MOST_NAME = 40


class Exported(NamedTuple):
    """The texts of the files by their paths, and what could not be put into one, and why."""

    texts: dict[Path, str]
    failed: tuple[str, ...]


def exported(
    differences: Iterable[Difference],
    a: Labelled,
    b: Labelled,
    folder: Path,
    tell: Callable[[str], object],
) -> Exported:
    """Differences as the texts of files under a folder, each tried out."""
    texts: dict[Path, str] = {}
    failed: list[str] = []
    for number, each in enumerate(differences, 1):
        stem = f"{number:03}_{_slug(each.question.text)}"
        tell(f"while running {each.question.text} again")
        file = folder / TABLES / f"{stem}.toml"
        text = _table_text(each, a, b, file)
        trouble = _reads_back(text, each, a.book)
        if trouble:
            failed.append(f"{each.question.text}: {trouble}")
            continue
        texts[file] = text
        asked = _of_table(each, a, b) if each.question == THE_TABLE else each
        for book, side, ending in zip((a, b), (asked.a, asked.b), _endings(a, b), strict=True):
            path = folder / SCENARIOS / f"{stem}.{ending}.toml"
            found = _scenario_text(asked, book, side, path)
            if isinstance(found, str):
                texts[path] = found
            else:
                failed.append(f"{each.question.text}, {book.label}: {found.what}")
    return Exported(texts, tuple(failed))


def write(texts: dict[Path, str], over: bool) -> None:
    """Write files, over old ones only when told so; without it all that is new or nothing.

    Raises TableError.
    """
    if not over:
        _refuse_old(path for path in texts if path.exists() or path.is_symlink())
    done: list[Path] = []
    made: list[Path] = []
    try:
        for folder in dict.fromkeys(path.parent for path in texts):
            made += [p for p in (folder, *folder.parents) if not p.exists() and p not in made]
            folder.mkdir(parents=True, exist_ok=True)
        if over:
            replace(texts)
            return
        for path, text in texts.items():
            create(path, text)
            done.append(path)
    except BaseException as error:  # Ctrl-C among them: nothing half written stays
        _take_back(done, made)
        if not isinstance(error, OSError | ValueError):
            raise
        why = getattr(error, "strerror", None) or str(error)
        what = printable(str(getattr(error, "filename", None) or "the files"))
        raise TableError(f"{what} can't be written ({why})", hint="name another folder") from None


def _take_back(files: Iterable[Path], folders: Iterable[Path]) -> None:
    """Remove new files, and folders that came with them, deepest first."""
    for path in files:
        path.unlink(missing_ok=True)
    for folder in sorted(folders, key=lambda p: -len(p.parts)):
        with contextlib.suppress(OSError):
            folder.rmdir()


def free(folder: Path, over: bool) -> None:
    """Raise TableError where a folder can't take files, before any are made."""
    for place in (folder, *folder.parents):
        try:
            if not place.exists():
                continue
        except OSError:  # a name too long
            continue
        if not place.is_dir():
            raise TableError(f"{printable(str(place))} is no folder", hint="name a folder")
        if not os.access(place, os.W_OK | os.X_OK):
            what = f"nothing can be written in {printable(str(place))}"
            raise TableError(what, hint="name another folder, or ask for the right to write there")
        break
    if not over:
        _refuse_old(p for part in (TABLES, SCENARIOS) for p in (folder / part).glob("*"))


def _refuse_old(found: Iterable[Path]) -> None:
    there = sorted(map(str, found))
    if there:
        raise TableError(
            f"{printable(there[0])} is there already"
            + f", and {len(there) - 1:,} more" * (len(there) > 1),
            hint="name another folder, or write over what is there with --over",
        )


def _slug(text: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "_", text.casefold().encode("ascii", "ignore").decode())
    return words.strip("_")[:_MOST_NAME].strip("_") or "question"


def _endings(a: Labelled, b: Labelled) -> tuple[str, str]:
    """What tells the files of two books apart."""
    one, other = _slug(a.book.name), _slug(b.book.name)
    return (one, other) if one != other else ("first", "other")


def _remarks(each: Difference, a: Labelled, b: Labelled) -> Iterator[str]:
    yield f"{each.question.text}: {each.a.said} in {a.label}, {each.b.said} in {b.label}"
    yield f"from {each.origin}"


def _table_text(each: Difference, a: Labelled, b: Labelled, file: Path) -> str:
    asked = each.question
    how = "check" if asked == THE_TABLE else "ask" if asked.ask else "can"
    said = [asked.ask] if asked.ask else asked.words if asked != THE_TABLE else []
    run_it = [
        shlex.join(["seatlog", how, str(file), *said, "--edition", book.label]) for book in (a, b)
    ]
    lines = [f"# {printable(line, 1_000)}" for line in (*_remarks(each, a, b), *run_it)]
    return "\n".join([*lines, "", *data_lines(each.data), ""])


def _of_table(each: Difference, a: Labelled, b: Labelled) -> Difference:
    """A table that one book refuses, with the first question that the other answers there."""
    sittings = [Sitting(named.book, each.data, each.origin) for named in (a, b)]
    words = sorted({v.word for v in a.book.verbs} & {v.word for v in b.book.verbs})
    for question in (q for w in words for s in sittings for q in s.open_questions(w)):
        one, other = (sitting.side(question) for sitting in sittings)
        return each._replace(question=question, a=one, b=other)
    return each


def _reads_back(text: str, each: Difference, book: Book) -> str:
    """Why a table's file doesn't say what the table does, or nothing."""
    try:
        again = table(tomllib.loads(text), book.vocabulary)
        known = table(each.data, book.vocabulary)
    except (SeatlogError, tomllib.TOMLDecodeError) as error:
        return f"no file can say this table ({error})"
    if {f[:2] for f in again.facts} != {f[:2] for f in known.facts}:
        return "no file can say this table"
    return ""


def _scenario_text(each: Difference, named: Labelled, side: Side, path: Path) -> str | SeatlogError:
    """A scenario that passes, asked in words or in clause syntax; or why there is none."""
    asked = each.question
    if asked == THE_TABLE:
        return TableError("nothing can be asked at this table")
    book = named.book
    ways = [f"ask = {_text(asked.ask)}"] if asked.ask else []
    if asked.words:
        ways.append(f"can = [{', '.join(map(_text, asked.words))}]")
    if not asked.ask:
        names = table(each.data, book.vocabulary).names
        clause = as_clause(book, asked, names)
        ways += [f"ask = {_text(clause)}"] if clause else []
    trouble: SeatlogError = TableError("no scenario can ask this")
    for way in ways:
        text = "\n".join(_lines(each, named, side, way))
        try:
            outcome = run(scenarios_in(text, path)[0], lambda _name: book)
        except SeatlogError as error:
            trouble = error
            continue
        if outcome.passed:
            return text
        trouble = TableError(f"run again it comes out otherwise ({outcome.trouble})")
    return trouble


def _lines(each: Difference, named: Labelled, side: Side, way: str) -> Iterator[str]:
    yield f"# {printable(f'{each.question.text}, from {each.origin}', 1_000)}"
    yield f"edition = {_text(named.label)}"
    yield ""
    yield from data_lines(each.data, ("table",))
    yield ""
    yield "[[scenario]]"
    yield f"name = {_text(printable(f'{each.question.text}: {side.said}'))}"
    yield way
    doubtful = side.verdict == OPEN or bool(side.doubtful)
    if side.listing:
        rows = ", ".join(f"[{', '.join(map(_value, row))}]" for row in side.rows)
        yield f"answer = [{rows}]"
    else:
        reading = YES if side.holds else NO
        yield f"answer = {_text(reading if side.verdict == OPEN else side.verdict)}"
    if doubtful:
        yield "open = true"
    if side.verdict != NO_RULE:
        yield written(side.cites)
    yield ""


def _text(text: str) -> str:
    """A text as TOML writes it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: str | int) -> str:
    return str(value) if isinstance(value, int) else _text(value)

"""Put a rule book together: an edition's sections over its base, with the vocabulary.

An edition is a folder under ``rules/`` (or anywhere) with ``edition.toml``. With ``base`` it holds
only the sections that differ; each replaces the base's section of the same number whole.
"""

from __future__ import annotations

import hashlib
import importlib
import tomllib
from pathlib import Path

from . import prepared
from .draft import Draft
from .errors import BookError, SeatlogError, did_you_mean, printable, refuse
from .lint import lint
from .model import (
    Book,
    rule_order,
)
from .reader import NOTES, Entry, Heading, Note, read_clauses, read_file
from .scan import Source
from .sorts import infer
from .vocabulary import load_vocabulary

_KEYS = {"title", "date", "base", "drop", "default", "examples"}
_MAX_FILES = 500


def home(kind: str) -> Path:
    """The folder of the shipped ``rules`` or ``facts``."""
    module = importlib.import_module(f"{__package__}.{kind}")
    return Path(next(iter(module.__path__)))


def editions() -> dict[str, Path]:
    """The shipped editions by name."""
    return {p.parent.name: p.parent for p in sorted(home("rules").glob("*/edition.toml"))}


def find(edition: str | None) -> Path:
    """The folder of an edition, by name or path. Raises BookError."""
    known = editions()
    if edition is None:
        for folder in known.values():
            if _toml(folder).get("default"):
                return folder
        raise BookError("no edition is marked as the default", hint="set default = true in one")
    if edition in known:
        return known[edition]
    path = Path(edition)
    try:
        if (path / "edition.toml").is_file():
            return path
    except (OSError, ValueError):
        pass
    raise BookError(
        f"no edition is called {printable(edition)!r}",
        hint=did_you_mean(edition, known) or "there are: " + ", ".join(sorted(known)),
    )


def examples() -> list[str]:
    """The default edition's example command lines, without the program's name."""
    found = _toml(find(None)).get("examples", [])
    return [str(e) for e in found] if isinstance(found, list) else []


def load_book(edition: str | None = None, facts: Path | None = None) -> Book:
    """The rule book of an edition, read, checked and ready to be asked.

    ``edition`` is a name or a folder, None the default one. Raises BookError, TextError or Faults
    with every error that was found; nothing is ever half loaded.
    """
    folder = find(edition)
    facts = facts or home("facts")
    files = _files(folder)
    key = _key(files, facts)
    book = prepared.load(key)
    if book is None:
        book = _assemble(folder, files, facts, key)
        prepared.save(key, book)
    return book


def _toml(folder: Path) -> dict[str, object]:
    path = folder / "edition.toml"
    try:
        data = tomllib.loads(read_file(path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BookError(f"{path.name} is not TOML: {error}") from None
    for key in data:
        if key not in _KEYS:
            raise BookError(
                f"edition.toml knows no key {printable(key)!r}", hint=did_you_mean(key, _KEYS)
            )
    return data


def _files(folder: Path, depth: int = 0) -> list[tuple[Path, dict[str, object], dict[str, str]]]:
    """An edition and its bases, innermost base first: folder, its toml, text by relative name."""
    if depth > 8:
        raise BookError("editions that are each other's base", hint="break the circle")
    toml = _toml(folder)
    below = []
    base = toml.get("base")
    if base is not None:
        below = _files(find(str(base)), depth + 1)
    texts = {}
    for number, path in enumerate(sorted(folder.rglob("*.dl"))):
        if number >= _MAX_FILES:
            raise BookError(
                f"more than {_MAX_FILES} clause files", hint="is this the right folder?"
            )
        name = f"{folder.name}/{path.relative_to(folder).as_posix()}"
        texts[name] = read_file(path, name)
    return [*below, (folder, toml, texts)]


def _key(files: list[tuple[Path, dict[str, object], dict[str, str]]], facts: Path) -> str:
    digest = hashlib.sha256(prepared.FORMAT.encode())
    parts = [str(facts), read_file(facts / "vocabulary.dl")]
    parts += sorted(p.relative_to(facts).as_posix() for p in facts.glob("*/*.toml"))
    for _, toml, texts in files:
        parts += [repr(sorted(toml.items())), *(x for pair in texts.items() for x in pair)]
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def _assemble(
    folder: Path,
    files: list[tuple[Path, dict[str, object], dict[str, str]]],
    facts: Path,
    key: str,
) -> Book:
    errors: list[SeatlogError] = []
    groups: dict[str, list[tuple[Source, list[Entry]]]] = {}
    for _, toml, texts in files:
        own: dict[str, list[tuple[Source, list[Entry]]]] = {}
        for name, text in texts.items():
            reading = read_clauses(text, name)
            errors += reading.errors
            _split(reading.source, reading.entries, own, errors)
        drop = toml.get("drop", [])
        for number in drop if isinstance(drop, list) else [drop]:
            if groups.pop(str(number), None) is None:
                errors.append(
                    BookError(
                        f"{folder.name} drops {number}, which its base doesn't have",
                        hint=did_you_mean(str(number), groups),
                    )
                )
        groups.update(own)
    vocabulary, _, reading = load_vocabulary(facts)
    errors += reading.errors
    _split(reading.source, _without_declarations(reading.entries), groups, errors)
    draft = Draft(errors)
    for number in sorted(groups, key=rule_order):
        for src, entries in groups[number]:
            draft.take(src, entries)
    errors += lint(draft.clauses, draft.predicates, draft.verbs, vocabulary, draft.places)
    refuse(errors)
    toml = files[-1][1]
    arg_sorts = infer(draft.clauses, vocabulary)
    return Book(
        folder.name,
        str(toml.get("title", folder.name)),
        str(toml.get("date", "")),
        draft.sections,
        tuple(c._replace(spots=()) for c in draft.clauses),
        draft.predicates,
        tuple(draft.verbs),
        vocabulary,
        key,
        arg_sorts,
    )


def _split(
    src: Source,
    entries: tuple[Entry, ...],
    groups: dict[str, list[tuple[Source, list[Entry]]]],
    errors: list[SeatlogError],
) -> None:
    """Sort a file's entries into sections; a numbered file holds its number and its letters."""
    stem = src.file.rsplit("/", 1)[-1].partition("_")[0]
    current: list[Entry] = []
    for entry in entries:
        if isinstance(entry, Heading):
            current = [entry]
            groups.setdefault(entry.number, []).append((src, current))
            letters = entry.number[len(stem) :]
            if stem[:1].isdigit() and not (
                entry.number.startswith(stem) and (letters == "" or letters.isalpha())
            ):
                errors.append(
                    BookError(
                        f"section {entry.number} stands in the file of {stem}",
                        place=entry.place,
                        hint=f"this file holds {stem} and its letters",
                        code="B01",
                    )
                )
        elif current:
            current.append(entry)
        elif not (isinstance(entry, Note) and NOTES[entry.key] == "vocabulary"):
            errors.append(
                BookError("this stands above the first section", place=entry.place, code="S13")
            )


def _without_declarations(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The vocabulary's entries less the notes that belong to its declarations."""
    kept: list[Entry] = []
    inside = False
    for entry in entries:
        if isinstance(entry, Note):
            inside = inside or entry.key == "fact"
            if inside or NOTES[entry.key] == "vocabulary":
                continue
        else:
            inside = False
        kept.append(entry)
    return tuple(kept)

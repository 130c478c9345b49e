"""Put a rule book together from the files of its layers, and check it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..book import (
    Book,
    Clauses,
    Collected,
    Relevance,
    infer,
    load_vocabulary,
    questions,
    rule_order,
)
from ..errors import BookError, SeatlogError, did_you_mean, printable, quoted, refuse
from ..language import NOTES, Entry, Heading, Note, Reading, Source, read_clauses
from ..lint import lint
from ..model import Clause
from .settings import listed, settings

_NUMBER = re.compile(r"[0-9][0-9A-Za-z.]{0,19}")


class Layer(NamedTuple):
    """One edition's own part of a book: its folder, its toml, its texts by relative name."""

    folder: Path
    toml: dict[str, object]
    texts: dict[str, str]


Read = Callable[[str, str], Reading]
"""Reads a text under a file's name."""


def assemble(
    layers: Sequence[Layer],
    facts: Path,
    key: str,
    read: Read = read_clauses,
    declared: str | None = None,
) -> Book:
    """The book of these layers, innermost base first. Raises every fault that was found.

    ``read`` may know texts that it has read before; ``declared`` is taken for the text of the
    vocabulary, if there is one.
    """
    errors: list[SeatlogError] = []
    groups: dict[str, list[tuple[Source, list[Entry]]]] = {}
    for layer in layers:
        own: dict[str, list[tuple[Source, list[Entry]]]] = {}
        for name, text in layer.texts.items():
            reading = read(text, name)
            errors += reading.errors
            _split(reading.source, reading.entries, own, errors)
        for number in listed(layer.toml.get("drop", [])):
            if groups.pop(number, None) is None:
                errors.append(
                    BookError(
                        f"{layer.folder.name} drops {number}, which its base doesn't have",
                        hint=did_you_mean(number, groups),
                    )
                )
        _renumber(groups, layer, errors)
        groups.update(own)
    vocabulary, _, reading = load_vocabulary(facts, declared)
    vocabulary = vocabulary._replace(editions=tuple(layer.folder.name for layer in layers))
    errors += reading.errors
    if reading.errors:
        refuse(errors)
    _split(reading.source, _without_declarations(reading.entries), groups, errors)
    collected = Collected(errors, vocabulary)
    for number in sorted(groups, key=rule_order):
        for src, entries in groups[number]:
            collected.take(src, entries)
    errors += lint(
        collected.clauses, collected.predicates, collected.verbs, vocabulary, collected.places
    )
    errors += _unknown(layers, collected)
    refuse(errors)
    folder, toml, _ = layers[-1]
    arg_sorts = infer(collected.clauses, vocabulary)
    asked = questions(collected.clauses, collected.predicates, collected.verbs)
    bearing = Relevance(collected.clauses, collected.predicates, vocabulary).of(asked)
    return Book(
        folder.name,
        printable(str(toml.get("title", folder.name))),
        printable(str(toml.get("date", ""))),
        collected.sections,
        Clauses(c._replace(spots=()) for c in collected.clauses),
        collected.predicates,
        tuple(collected.verbs),
        vocabulary,
        key,
        arg_sorts,
        settings([layer.toml for layer in layers]),
        bearing,
    )


def _unknown(layers: Sequence[Layer], collected: Collected) -> Iterator[BookError]:
    """What the toml of the book, or of its base, takes for a predicate without being right."""
    for key in ("standing", "follows", "gone"):
        layer = next((x for x in reversed(layers) if key in x.toml), None)
        for name in listed(layer.toml[key]) if layer else ():
            found = collected.predicates.get(name)
            if layer and (found is None or (key == "gone" and found.arity != 1)):
                yield BookError(
                    f"{layer.folder.name}/edition.toml: {key} speaks of {quoted(name)}, which is "
                    f"no predicate of this book{' with one term' * bool(found)}",
                    hint=did_you_mean(name, collected.predicates) if found is None else "",
                )


def _renumber(
    groups: dict[str, list[tuple[Source, list[Entry]]]], layer: Layer, errors: list[SeatlogError]
) -> None:
    """Give the base's sections the numbers that an edition has for them, all at once."""
    numbers = layer.toml.get("numbers", {})
    if not isinstance(numbers, dict):
        return
    name, moved = layer.folder.name, {}
    for old, new in numbers.items():
        found = groups.pop(old, None)
        what = f"{name} renumbers {printable(old)} as {quoted(new)}, "
        if found is None:
            what, hint = what + "but its base doesn't have it", did_you_mean(old, groups)
        elif not _NUMBER.fullmatch(new):
            what, hint = what + "which is no number", 'like: numbers = { "1.2" = "1.3" }'
        elif new in moved:
            what, hint = what + "and another section as well", "give each its own number"
        else:
            entries = [(src, [_numbered(e, new) for e in own]) for src, own in found]
            moved[new] = entries
            continue
        errors.append(BookError(what, hint=hint))
    for new in moved:
        if new in groups:
            what = f"{name} renumbers a section as {new}, which its base has already"
            errors.append(BookError(what, hint=f"drop {new}, or renumber it as well"))
    groups.update(moved)


def _numbered(entry: Entry, number: str) -> Entry:
    """An entry under another section's number."""
    if isinstance(entry, Heading):
        return entry._replace(number=number)
    return entry._replace(rule=number) if isinstance(entry, Clause) else entry


def _split(
    src: Source,
    entries: tuple[Entry, ...],
    groups: dict[str, list[tuple[Source, list[Entry]]]],
    errors: list[SeatlogError],
) -> None:
    """Sort a file's entries into sections; a numbered file holds its number and its letters."""
    stem = src.file.rsplit("/", 1)[-1].removesuffix(".dl").partition("_")[0]
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

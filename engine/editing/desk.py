"""The texts that are open, and the editions that they belong to, with what was read before."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from ..editions import Layer, home, layers_of
from ..errors import TextError
from ..language import (
    MAX_TEXT,
    Entry,
    Heading,
    Reading,
    Word,
    is_file,
    read_bytes,
    read_clauses,
    read_file,
    words,
)

ENDING = ".dl"
SETTINGS = "edition.toml"
VOCABULARY = "vocabulary.dl"
MOST_KEPT = 4_000_000
"""So many characters of texts are known again at most."""
_DEEPEST = 64
T = TypeVar("T")


class Kept(Generic[T]):
    """What was made of texts, by their files' names; forgotten whole where it gets too much."""

    def __init__(self, make: Callable[[str, str], T]) -> None:
        self._make = make
        self._known: dict[tuple[str, str], T] = {}
        self._size = 0

    def __call__(self, text: str, file: str) -> T:
        """What is made of a text under a file's name."""
        found = self._known.get((file, text))
        if found is None:
            found = self._make(text, file)
            self._size += len(text)
            if self._size > MOST_KEPT:
                self._known, self._size = {}, len(text)
            self._known[file, text] = found
        return found


class Edition(NamedTuple):
    """An edition with the open texts in it: its layers, innermost base first, and the vocabulary.

    ``paths`` are the files by the names that places give; ``texts`` what they hold.
    """

    folder: Path
    layers: tuple[Layer, ...]
    facts: Path
    paths: Mapping[str, Path]
    texts: Mapping[str, str]

    @property
    def own(self) -> list[str]:
        """The names of the edition's own files."""
        return list(self.layers[-1].texts)

    @property
    def folders(self) -> set[Path]:
        """The folders of all layers."""
        return {layer.folder for layer in self.layers}


class Desk:
    """Open texts by their paths, and readings that are kept."""

    def __init__(self) -> None:
        self.texts: Mapping[Path, str] = {}
        """Another mapping after each change: several threads look at it."""
        self.folders: Mapping[Path, Path | None] = {}
        """The editions that texts belong to which are open, or were."""
        self._ends: dict[Path, str] = {}
        self.read: Kept[Reading] = Kept(read_clauses)
        """Reads a text under a file's name."""
        self.words: Kept[tuple[Word, ...]] = Kept(lambda t, f: words(t, self.read(t, f)))
        """The names in a text."""

    def put(self, path: Path, text: str) -> None:
        """A text is open, or has changed."""
        self.folders = {**self.folders, path: edition_of(path)}
        self.texts = {**self.texts, path: text.replace("\r\n", "\n")}
        self._ends[path] = _line_end(text)

    def take(self, path: Path) -> None:
        """A text isn't open any more."""
        self.texts = {each: text for each, text in self.texts.items() if each != path}

    def unsaved(self, path: Path) -> bool:
        """Whether an open text is another than that on disc."""
        try:
            return path in self.texts and read_file(path) != self.texts[path]
        except TextError:
            return True

    def text(self, path: Path) -> str:
        """What a file holds: the open text, or that on disc. Raises TextError."""
        found = self.texts.get(path)
        return read_file(path) if found is None else found

    def line_end(self, path: Path) -> str:
        """What ends the lines of a file, open or on disc. Raises TextError."""
        if path in self.texts:
            return self._ends[path]
        return _line_end(read_bytes(path, path.name, MAX_TEXT).decode(errors="replace"))

    def edition(self, folder: Path) -> Edition:
        """The edition in a folder. Raises what is wrong with its files and settings."""
        layers = [self._with_open(layer) for layer in layers_of(str(folder), beside=True)]
        facts = beside(folder)
        paths = {VOCABULARY: facts / VOCABULARY}
        texts = {VOCABULARY: self.text(facts / VOCABULARY)}
        for layer in layers:
            start = f"{layer.folder.name}/"
            for name, text in layer.texts.items():
                paths[name] = layer.folder / name.removeprefix(start)
                texts[name] = text
        return Edition(folder, tuple(layers), facts, paths, texts)

    def open_folders(self) -> set[Path]:
        """The editions that have a text open."""
        return {folder for path in self.texts if (folder := self.folders[path])}

    def _with_open(self, layer: Layer) -> Layer:
        """A layer with the texts that are open in it."""
        texts = dict(layer.texts)
        for path, text in self.texts.items():
            if path.suffix == ENDING and self.folders[path] == layer.folder:
                texts[f"{layer.folder.name}/{path.relative_to(layer.folder).as_posix()}"] = text
        return layer._replace(texts={name: texts[name] for name in sorted(texts)})


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def edition_of(path: Path) -> Path | None:
    """The nearest folder upwards that is an edition's."""
    folder = os.path.dirname(path)  # noqa: PTH120
    for _ in range(_DEEPEST):
        if is_file(f"{folder}/{SETTINGS}"):
            return Path(folder)
        folder = os.path.dirname(folder)  # noqa: PTH120
    return None


def beside(folder: Path) -> Path:
    """The folder of the vocabulary that an edition goes by: beside its ``rules``, or shipped."""
    near = folder.parent.parent / "facts"
    return near if is_file(str(near / VOCABULARY)) else home("facts")


class Part(NamedTuple):
    """What a file holds of a section: its heading, what stands below it, and its last line."""

    file: str
    heading: Heading
    entries: tuple[Entry, ...]
    last: int


def standing(desk: Desk, edition: Edition) -> dict[str, list[Part]]:
    """The sections of an edition by the numbers that they have in it, those of its base included.

    Sections of a base that an edition drops or replaces aren't there.
    """
    found: dict[str, list[Part]] = {}
    for layer in edition.layers:
        dropped = layer.toml.get("drop", [])
        for number in dropped if isinstance(dropped, list) else [str(dropped)]:
            found.pop(str(number), None)
        numbers = layer.toml.get("numbers", {})
        if isinstance(numbers, dict):
            moved = {str(new): found.pop(old) for old, new in numbers.items() if old in found}
            found.update(moved)
        own: dict[str, list[Part]] = {}
        for name, text in layer.texts.items():
            for part in parts(desk.read(text, name), name):
                own.setdefault(part.heading.number, []).append(part)
        found.update(own)
    text = edition.texts[VOCABULARY]
    for part in parts(desk.read(text, VOCABULARY), VOCABULARY):
        found.setdefault(part.heading.number, []).append(part)
    return found


def parts(reading: Reading, file: str) -> Iterator[Part]:
    """The sections of a file."""
    starts = [at for at, entry in enumerate(reading.entries) if isinstance(entry, Heading)]
    for number, start in enumerate(starts, 1):
        end = starts[number] if number < len(starts) else None
        heading = reading.entries[start]
        assert isinstance(heading, Heading)
        last = len(reading.source.lines) if end is None else reading.entries[end].place.line - 1
        yield Part(file, heading, reading.entries[start + 1 : end], last)

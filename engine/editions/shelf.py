"""Put a rule book together: an edition's sections over its base, with the vocabulary.

An edition is a folder under ``rules/`` (or anywhere) with ``edition.toml``. With ``base`` it holds
only the sections that differ; each replaces the base's section of the same number whole.
"""

from __future__ import annotations

import importlib
import os
import tomllib
from functools import lru_cache
from typing import TYPE_CHECKING

from ..book import Book
from ..errors import BookError, did_you_mean, printable
from ..language import MAX_TEXT, as_text, beneath, is_file, read_bytes, read_file
from . import cache
from .settings import check, listed

if TYPE_CHECKING:
    from pathlib import Path

    from .assembling import Layer

_MAX_FILES = 500
_MAX_LOADED = 16
_MAX_BASES = 8
_MAX_HELD = 2_000_000

Parts = tuple[str, dict[str, object], dict[str, bytes]]
_loaded: dict[str, Book] = {}
_keys: dict[tuple[str, ...], tuple[list[bytes], str]] = {}
"""What the books of some folders were made from last, and the fingerprint of that."""


def where(kind: str) -> str:
    """The folder of the shipped ``rules`` or ``facts``."""
    module = importlib.import_module(f"..{kind}", __package__)
    return str(next(iter(module.__path__)))


def home(kind: str) -> Path:
    """The same as a path."""
    from pathlib import Path

    return Path(where(kind))


def editions() -> dict[str, Path]:
    """The shipped editions by name."""
    from pathlib import Path

    return {name: Path(folder) for name, folder in _shipped().items()}


def names() -> list[str]:
    """The names of the shipped editions, the default one first."""
    known = _shipped()
    return sorted(known, key=lambda name: not _toml(known[name]).get("default"))


def find(edition: str | None) -> Path:
    """The folder of an edition, by name or path. Raises BookError."""
    from pathlib import Path

    return Path(_find(edition)[0])


def _shipped() -> dict[str, str]:
    rules = where("rules")
    names = sorted(os.listdir(rules))  # noqa: PTH208
    return {n: f"{rules}/{n}" for n in names if is_file(f"{rules}/{n}/edition.toml")}


def _find(edition: str | None) -> tuple[str, dict[str, object]]:
    """The folder of an edition, by name or path, and its toml. Raises BookError."""
    known = _shipped()
    if edition is None:
        for folder in known.values():
            toml = _toml(folder)
            if toml.get("default"):
                return folder, toml
        raise BookError("no edition is marked as the default", hint="set default = true in one")
    folder = known.get(edition) or edition.rstrip("/") or "/"
    if edition in known or is_file(f"{folder}/edition.toml"):
        return folder, _toml(folder)
    raise BookError(
        f"no edition is called {printable(edition)!r}",
        hint=did_you_mean(edition, known)
        or f"there are: {', '.join(sorted(known))}; or a folder with an edition.toml",
    )


def examples() -> list[str]:
    """The default edition's example command lines, without the program's name."""
    return listed(_find(None)[1].get("examples", []))


def renumbered(edition: str | None) -> dict[str, str]:
    """The numbers of the base's sections that have another one in an edition."""
    found = _find(edition)[1].get("numbers", {})
    return {old: str(new) for old, new in found.items()} if isinstance(found, dict) else {}


def lineage(edition: str | None) -> list[tuple[str, dict[str, str]]]:
    """An edition and its bases, innermost base first: each one's name, and what it renumbers."""
    found: list[tuple[str, dict[str, str]]] = []
    wanted: str | None = edition
    for _ in range(_MAX_BASES + 1):
        folder, toml = _find(wanted)
        numbers = toml.get("numbers", {})
        own = {k: str(v) for k, v in numbers.items()} if isinstance(numbers, dict) else {}
        found.append((os.path.basename(folder), own))  # noqa: PTH119
        if toml.get("base") is None:
            break
        wanted = str(toml["base"])
    return found[::-1]


def load_book(edition: str | None = None, facts: Path | None = None) -> Book:
    """The rule book of an edition, read, checked and ready to be asked.

    ``edition`` is a name or a folder, None the default one. Raises BookError, TextError or Faults
    with every error that was found; nothing is ever half loaded.
    """
    layers = _layers(*_find(edition))
    beside = where("facts") if facts is None else os.fspath(facts)
    key = _key(layers, beside)
    book = _loaded.get(key) or cache.load(key)
    if book is None:
        from pathlib import Path

        from .assembling import assemble

        book = assemble(_read_layers(layers), Path(beside), key)
        cache.save(key, book)
    if len(_loaded) > _MAX_LOADED:
        _loaded.clear()
    _loaded[key] = book
    return book


def layers_of(edition: str | None, beside: bool = False) -> list[Layer]:
    """What an edition is made of, innermost base first. Raises BookError, TextError.

    With ``beside`` a base is looked for beside the edition's own folder before it is among those
    that are shipped.
    """
    return _read_layers(_layers(*_find(edition), beside=beside))


def _read_layers(layers: list[Parts]) -> list[Layer]:
    from pathlib import Path

    from .assembling import Layer

    return [Layer(Path(folder), toml, _read(files)) for folder, toml, files in layers]


def _toml(folder: str) -> dict[str, object]:
    return _settings(read_file(f"{folder}/edition.toml"))


@lru_cache(_MAX_LOADED)
def _settings(text: str) -> dict[str, object]:
    """What an edition.toml says, which nobody changes. Raises BookError."""
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise BookError("edition.toml is nested too deeply") from None
    except ValueError as error:
        raise BookError(f"edition.toml is not TOML: {printable(str(error))}") from None
    check(data)
    return data


def _layers(
    folder: str, toml: dict[str, object], depth: int = 0, beside: bool = False
) -> list[Parts]:
    """An edition and its bases, innermost base first: folder, its toml, files by relative name."""
    if depth > _MAX_BASES:
        raise BookError("editions that are each other's base", hint="break the circle")
    below = []
    base = toml.get("base")
    if base is not None:
        near = f"{os.path.dirname(folder)}/{base}"  # noqa: PTH120
        near = near if beside and near != folder and is_file(f"{near}/edition.toml") else str(base)
        below = _layers(*_find(near), depth + 1, beside)
    name = os.path.basename(folder)  # noqa: PTH119
    files = {}
    for path, inner in clause_files(folder):
        shown = f"{name}/{inner}"
        files[shown] = read_bytes(path, shown, MAX_TEXT)
    return [*below, (folder, toml, files)]


def _read(files: dict[str, bytes]) -> dict[str, str]:
    """Files as texts. Raises TextError for one that is none."""
    return {name: as_text(data, name) for name, data in files.items()}


def clause_files(folder: str) -> list[tuple[str, str]]:
    """The clause files of an edition's own folder: paths, and names seen from the folder."""
    found = []
    for each in beneath(folder, ".dl"):
        found.append(each)
        if len(found) > _MAX_FILES:
            raise BookError(
                f"more than {_MAX_FILES} clause files", hint="is this the right folder?"
            )
    return sorted(found)


def texts_of(edition: str | None) -> dict[str, str]:
    """The clause files that a book is read from, by the names that its places give."""
    found = {"vocabulary.dl": read_file(f"{where('facts')}/vocabulary.dl")}
    for _, _, files in _layers(*_find(edition)):
        found.update(_read(files))
    return found


def _key(layers: list[Parts], facts: str) -> str:
    """The fingerprint of all that a book is made from."""
    vocabulary = f"{facts}/vocabulary.dl"
    said = [cache.layout(), facts, *sorted(name for _, name in beneath(facts, ".toml"))]
    parts = [read_bytes(vocabulary, vocabulary, MAX_TEXT)]
    for folder, toml, files in layers:
        said += [os.path.basename(folder), repr(sorted(toml.items())), *files]  # noqa: PTH119
        parts += files.values()
    parts.append("\0".join(said).encode(errors="surrogatepass"))
    folders = (facts, *(folder for folder, _, _ in layers))
    held, key = _keys.get(folders, ([], ""))
    if held != parts:
        sizes = ",".join([str(len(part)) for part in parts]).encode()
        key = cache.fingerprint(b"".join([sizes, *parts]))
        if len(_keys) > _MAX_LOADED:
            _keys.clear()
        if sum(map(len, parts)) <= _MAX_HELD:
            _keys[folders] = parts, key
    return key

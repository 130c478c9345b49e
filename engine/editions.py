"""Put a rule book together: an edition's sections over its base, with the vocabulary.

An edition is a folder under ``rules/`` (or anywhere) with ``edition.toml``. With ``base`` it holds
only the sections that differ; each replaces the base's section of the same number whole.
"""

from __future__ import annotations

import importlib
import os
import re
import tomllib
from typing import TYPE_CHECKING

from . import prepared
from .book import Book
from .errors import BookError, did_you_mean, printable
from .files import beneath, is_file, read_file

if TYPE_CHECKING:
    from pathlib import Path

_TEXTS = {"title", "date", "base", "draw", "gone"}
_LISTS = {"drop", "examples", "standing", "covers"}
_KEYS = {*_TEXTS, *_LISTS, "numbers", "default"}
"""Keys of an edition, of which it takes ``draw``, ``gone``, ``standing``, ``covers`` from its base.
"""
_COVERED = re.compile(r"[0-9][0-9A-Za-z.]{0,19}(?: [a-z]{1,26})?")
_MAX_FILES = 500
_MAX_LOADED = 16

Parts = tuple[str, dict[str, object], dict[str, str]]
_loaded: dict[str, Book] = {}


def where(kind: str) -> str:
    """The folder of the shipped ``rules`` or ``facts``."""
    module = importlib.import_module(f"{__package__}.{kind}")
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
        hint=did_you_mean(edition, known) or "there are: " + ", ".join(sorted(known)),
    )


def examples() -> list[str]:
    """The default edition's example command lines, without the program's name."""
    found = _find(None)[1].get("examples", [])
    return [str(e) for e in found] if isinstance(found, list) else []


def setting(key: str, book: Book, edition: str | None = None) -> str:
    """What a book's ``edition.toml``, or that of its base, says under a key; or an empty string.

    ``edition`` is how the book was asked for; a table may have asked for it by its name.
    """
    name = edition or (book.name if book.name in _shipped() else None)
    for _ in range(8):
        toml = _find(name)[1]
        if key in toml or "base" not in toml:
            return str(toml.get(key, ""))
        name = str(toml["base"])
    return ""


def standing(edition: str | None) -> list[str]:
    """The predicates an edition has listed after each step, in this order."""
    return _said(edition, "standing")


def covers(edition: str | None) -> list[str]:
    """The numbers of the source that an edition sets out to answer, whether it does or not.

    ``"7.2 abd"`` in its ``edition.toml`` is short for 7.2, 7.2a, 7.2b and 7.2d.
    """
    out = []
    for entry in _said(edition, "covers"):
        number, _, letters = entry.partition(" ")
        out += [number, *(number + letter for letter in letters.strip())]
    dropped = _listed(_find(edition)[1].get("drop", []))
    return [number for number in out if number not in dropped]


def renumbered(edition: str | None) -> dict[str, str]:
    """The numbers of the base's sections that have another one in an edition."""
    found = _find(edition)[1].get("numbers", {})
    return {old: str(new) for old, new in found.items()} if isinstance(found, dict) else {}


def _said(edition: str | None, key: str) -> list[str]:
    """What an edition says under a key, or else its base."""
    for _ in range(9):
        toml = _find(edition)[1]
        if key in toml or "base" not in toml:
            break
        edition = str(toml["base"])
    return _listed(toml.get(key, []))


def _listed(found: object) -> list[str]:
    return [str(x) for x in found] if isinstance(found, list) else [str(found)]


def load_book(edition: str | None = None, facts: Path | None = None) -> Book:
    """The rule book of an edition, read, checked and ready to be asked.

    ``edition`` is a name or a folder, None the default one. Raises BookError, TextError or Faults
    with every error that was found; nothing is ever half loaded.
    """
    layers = _layers(*_find(edition))
    beside = where("facts") if facts is None else os.fspath(facts)
    key = _key(layers, beside)
    book = _loaded.get(key) or prepared.load(key)
    if book is None:
        from pathlib import Path

        from .assembling import Layer, assemble

        made = [Layer(Path(folder), toml, texts) for folder, toml, texts in layers]
        book = assemble(made, Path(beside), key)
        prepared.save(key, book)
    if len(_loaded) > _MAX_LOADED:
        _loaded.clear()
    _loaded[key] = book
    return book


def _toml(folder: str) -> dict[str, object]:
    try:
        data = tomllib.loads(read_file(f"{folder}/edition.toml"))
    except RecursionError:
        raise BookError("edition.toml is nested too deeply") from None
    except ValueError as error:
        raise BookError(f"edition.toml is not TOML: {printable(str(error))}") from None
    for key, value in data.items():
        if key not in _KEYS:
            raise BookError(
                f"edition.toml knows no key {printable(key)!r}", hint=did_you_mean(key, _KEYS)
            )
        _checked(key, value)
    return data


def _checked(key: str, value: object) -> None:
    """Raise BookError for what can't stand under a key."""
    if key == "default":
        fits, what, like = isinstance(value, bool), "true or false", "true"
    elif key == "numbers":
        fits = isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
        what, like = "a group of texts", '{ "1.2" = "1.3" }'
    elif key in _LISTS:
        fits = isinstance(value, str) or (
            isinstance(value, list) and all(isinstance(v, str) for v in value)
        )
        what, like = "a text or a list of texts", '["…", "…"]'
    else:
        fits, what, like = isinstance(value, str), "a text", '"…"'
    if fits and key == "covers" and not all(map(_COVERED.fullmatch, _listed(value))):
        fits, what, like = False, "numbers, some with letters behind them", '["7.1", "7.2 abd"]'
    if not fits:
        raise BookError(f"edition.toml: {key} is {what}", hint=f"like: {key} = {like}")


def _layers(folder: str, toml: dict[str, object], depth: int = 0) -> list[Parts]:
    """An edition and its bases, innermost base first: folder, its toml, text by relative name."""
    if depth > 8:
        raise BookError("editions that are each other's base", hint="break the circle")
    below = []
    base = toml.get("base")
    if base is not None:
        below = _layers(*_find(str(base)), depth + 1)
    name = os.path.basename(folder)  # noqa: PTH119
    texts = {}
    for number, (path, inner) in enumerate(sorted(beneath(folder, ".dl"))):
        if number >= _MAX_FILES:
            raise BookError(
                f"more than {_MAX_FILES} clause files", hint="is this the right folder?"
            )
        shown = f"{name}/{inner}"
        texts[shown] = read_file(path, shown)
    return [*below, (folder, toml, texts)]


def _key(layers: list[Parts], facts: str) -> str:
    parts = [prepared.FORMAT, facts, read_file(f"{facts}/vocabulary.dl")]
    parts += sorted(name for _, name in beneath(facts, ".toml"))
    for _, toml, texts in layers:
        parts += [repr(sorted(toml.items())), *(x for pair in texts.items() for x in pair)]
    whole = "".join([f"{len(part)} {part}" for part in parts])
    return prepared.fingerprint(whole.encode(errors="surrogatepass"))

"""Put a rule book together: an edition's sections over its base, with the vocabulary.

An edition is a folder under ``rules/`` (or anywhere) with ``edition.toml``. With ``base`` it holds
only the sections that differ; each replaces the base's section of the same number whole.
"""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

from . import prepared
from .book import Book
from .errors import BookError, did_you_mean, printable
from .files import read_file

_KEYS = {"title", "date", "base", "drop", "default", "draw", "examples"}
_MAX_FILES = 500
_MAX_LOADED = 16

Parts = tuple[Path, dict[str, object], dict[str, str]]
_loaded: dict[str, Book] = {}


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


def drawn_verb(edition: str | None) -> str:
    """The verb that an edition has drawn as arrows, or an empty string."""
    return str(_toml(find(edition)).get("draw", ""))


def load_book(edition: str | None = None, facts: Path | None = None) -> Book:
    """The rule book of an edition, read, checked and ready to be asked.

    ``edition`` is a name or a folder, None the default one. Raises BookError, TextError or Faults
    with every error that was found; nothing is ever half loaded.
    """
    folder = find(edition)
    facts = facts or home("facts")
    layers = _layers(folder)
    key = _key(layers, facts)
    book = _loaded.get(key) or prepared.load(key)
    if book is None:
        from .assembling import Layer, assemble

        book = assemble([Layer(*layer) for layer in layers], facts, key)
        prepared.save(key, book)
    if len(_loaded) > _MAX_LOADED:
        _loaded.clear()
    _loaded[key] = book
    return book


def _toml(folder: Path) -> dict[str, object]:
    path = folder / "edition.toml"
    try:
        data = tomllib.loads(read_file(path))
    except RecursionError:
        raise BookError(f"{path.name} is nested too deeply") from None
    except ValueError as error:
        raise BookError(f"{path.name} is not TOML: {printable(str(error))}") from None
    for key, value in data.items():
        if key not in _KEYS:
            raise BookError(
                f"edition.toml knows no key {printable(key)!r}", hint=did_you_mean(key, _KEYS)
            )
        listed = value if isinstance(value, list) else [value]
        if any(not isinstance(each, str | bool) for each in listed):
            raise BookError(f"edition.toml: {key} is a text", hint=f'like: {key} = "…"')
    return data


def _layers(folder: Path, depth: int = 0) -> list[Parts]:
    """An edition and its bases, innermost base first: folder, its toml, text by relative name."""
    if depth > 8:
        raise BookError("editions that are each other's base", hint="break the circle")
    toml = _toml(folder)
    below = []
    base = toml.get("base")
    if base is not None:
        below = _layers(find(str(base)), depth + 1)
    texts = {}
    for number, path in enumerate(sorted(folder.rglob("*.dl"))):
        if number >= _MAX_FILES:
            raise BookError(
                f"more than {_MAX_FILES} clause files", hint="is this the right folder?"
            )
        name = f"{folder.name}/{path.relative_to(folder).as_posix()}"
        texts[name] = read_file(path, name)
    return [*below, (folder, toml, texts)]


def _key(layers: list[Parts], facts: Path) -> str:
    parts = [prepared.FORMAT, str(facts), read_file(facts / "vocabulary.dl")]
    parts += sorted(p.relative_to(facts).as_posix() for p in facts.glob("*/*.toml"))
    for _, toml, texts in layers:
        parts += [repr(sorted(toml.items())), *(x for pair in texts.items() for x in pair)]
    whole = "".join([f"{len(part)} {part}" for part in parts])
    return prepared.fingerprint(whole.encode(errors="surrogatepass"))

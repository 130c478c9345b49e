"""The text of each section of a book, as it stands in the files of its layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..editions import Layer, Read
from ..language import Heading


class Stretch(NamedTuple):
    """What a file holds of a section: its heading's line and those below it, without blank ends.

    ``shared`` is what stands with the vocabulary, which all editions have.
    """

    file: str
    line: int
    title: str
    text: str
    shared: bool = False


Texts = Mapping[str, tuple[Stretch, ...]]
"""The stretches of each section, by its number."""


def texts_of(layers: Sequence[Layer], vocabulary: str, read: Read) -> Texts:
    """The sections of a book's layers, innermost base first, by the numbers that they have in it.

    ``vocabulary`` is the text of the declared facts, in which sections may stand, too.
    """
    found: dict[str, tuple[Stretch, ...]] = {}
    for layer in layers:
        for number in _listed(layer.toml.get("drop", [])):
            found.pop(number, None)
        found = _renumbered(found, layer.toml.get("numbers", {}))
        own: dict[str, tuple[Stretch, ...]] = {}
        for name, text in layer.texts.items():
            _take(own, name, text, read, False)
        found.update(own)
    _take(found, "vocabulary.dl", vocabulary, read, True)
    return found


def _listed(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


def _renumbered(
    found: dict[str, tuple[Stretch, ...]], numbers: object
) -> dict[str, tuple[Stretch, ...]]:
    """The sections of a base under the numbers that an edition has for them."""
    if not isinstance(numbers, dict):
        return found
    moved = {
        str(new): tuple(_under(str(new), each) for each in found[old])
        for old, new in numbers.items()
        if old in found
    }
    return {**{n: own for n, own in found.items() if n not in numbers}, **moved}


def _under(number: str, stretch: Stretch) -> Stretch:
    heading, _, rest = stretch.text.partition("\n")
    heading = f"## {number}  {stretch.title}".rstrip()
    return stretch._replace(text=f"{heading}\n{rest}")


def _take(
    found: dict[str, tuple[Stretch, ...]], name: str, text: str, read: Read, shared: bool
) -> None:
    """Sort the lines of a file into sections."""
    reading = read(text, name)
    lines = text.split("\n")
    heads = [entry for entry in reading.entries if isinstance(entry, Heading)]
    ends = [head.place.line - 1 for head in heads[1:]] + [len(lines)]
    for head, end in zip(heads, ends, strict=True):
        start = head.place.line
        own = "\n".join(lines[start - 1 : end]).strip("\n")
        stretch = Stretch(name, start, head.title, own, shared)
        found[head.number] = (*found.get(head.number, ()), stretch)

"""What the magics give: values that print as text and show themselves in a notebook as HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..authoring import Changes, Edit
from ..errors import SeatlogError, many, printable_lines
from ..game import Answer
from ..model import Row, Value
from ..views import Checked
from . import html


class Edited(NamedTuple):
    """An edit of the draft."""

    edit: Edit

    def __repr__(self) -> str:
        return str(self.edit)

    def _repr_html_(self) -> str:
        return html.edit(self.edit)


class Told(NamedTuple):
    """What was done, or how things stand, in a line and some below it; ``value`` is what of."""

    said: str
    lines: tuple[str, ...] = ()
    value: Any = None

    def __repr__(self) -> str:
        below = (f"  {each}" for line in self.lines for each in line.split("\n"))
        return printable_lines("\n".join([self.said, *below]))

    def _repr_html_(self) -> str:
        return html.boxed([html.heading(self.said), html.listed(self.lines)])


class Section(NamedTuple):
    """The text of a section as it stands in the draft."""

    number: str
    text: str

    def __repr__(self) -> str:
        return printable_lines(self.text)

    def _repr_html_(self) -> str:
        return html.boxed([html.code(self.text)])


class Laid(NamedTuple):
    """The table that is asked: what there is to say of it, and what goes with every answer."""

    checked: Checked
    about: tuple[str, ...]

    def __repr__(self) -> str:
        names = [f"  {sort}: {', '.join(found)}" for sort, found in self.checked.names.items()]
        facts = many(self.checked.facts, "fact")
        lines = [f"{self.checked.title}: {facts}", *names, *(f"  {x}" for x in self._below)]
        return printable_lines("\n".join(lines))

    def _repr_html_(self) -> str:
        return html.laid(self.checked, self._below)

    @property
    def _below(self) -> list[str]:
        return [*(f"note: {remark}" for remark in self.checked.remarks), *self.about]


class Asked:
    """An answer under the draft; ``base`` is the base's where it answers otherwise, or its error.

    True as the ``answer`` is, and iterates over the same. ``name`` is the base's; ``notes`` say
    what of the question was read otherwise than it may have been meant; ``tree`` is how much of
    the reason is shown.
    """

    def __init__(
        self,
        answer: Answer,
        base: Answer | SeatlogError | None,
        name: str,
        notes: tuple[str, ...] = (),
        tree: bool | str = False,
    ) -> None:
        self.answer, self.base, self.name = answer, base, name
        self.notes, self.tree = notes, tree

    def __bool__(self) -> bool:
        return bool(self.answer)

    def __len__(self) -> int:
        return len(self.answer)

    def __iter__(self) -> Iterator[Row | Value]:
        return iter(self.answer)

    @property
    def said(self) -> str:
        """What there is to say of the base: nothing where it answers the same."""
        if self.base is None:
            return ""
        if isinstance(self.base, SeatlogError):
            return f"{self.name} can't be asked this"
        if verdict(self.base) == verdict(self.answer):
            return f"{self.name} answers the same by other rules"
        return f"{self.name} answers otherwise"

    def __repr__(self) -> str:
        lines = [self.answer.text(self.tree), *(f"note: {note}" for note in self.notes)]
        if self.base is not None:
            own = self.base.text() if isinstance(self.base, Answer) else why(self.base)
            lines += [f"{self.said}:", *(f"  {line}" for line in own.split("\n"))]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = [self.answer.html(self.tree), html.listed(f"note: {n}" for n in self.notes)]
        if self.base is not None:
            own = self.base
            page = own.html() if isinstance(own, Answer) else html.listed([why(own)])
            parts.append(html.beside(f"{self.said}:", page))
        return html.boxed(parts)


def why(error: SeatlogError) -> str:
    """Why the base can't be asked; what to do about it is no advice for those who have a draft."""
    return "\n".join(each.what for each in error.errors)


def verdict(answer: Answer) -> tuple[object, ...]:
    """What an answer decides, whatever its reason: its rows, and what is open."""
    return answer.rows, answer.doubts, answer.lacks


class Differing(NamedTuple):
    """What the draft changes, as ``Draft.diff`` has it: true where anything differs."""

    found: Changes

    def __bool__(self) -> bool:
        return bool(self.found)

    def __repr__(self) -> str:
        return str(self.found)

    def _repr_html_(self) -> str:
        return html.changes(self.found)

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return self.found.as_dict()


class Ring(NamedTuple):
    """Who sits where, whom each reaches by a verb, why some are gone, and what is to be said."""

    names: tuple[str, ...]
    verb: str
    reached: Mapping[str, list[str]]
    gone: Mapping[str, str]
    below: tuple[str, ...]
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return html.ring(self.names, self.verb, self.reached, self.gone, self.below)

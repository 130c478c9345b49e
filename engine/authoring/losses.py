"""What a section loses and gains by an edit: clauses, sentences, doubts, verbs, digests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..compare import unmatched, variants
from ..errors import many, printable
from ..language import Entry, Heading, Note, clause_lines
from ..model import Clause

KINDS = {
    "yes": "sentence",
    "no": "sentence",
    "tree yes": "sentence",
    "tree no": "sentence",
    "but": "sentence",
    "doubt": "doubt",
    "verb": "verb",
    "text": "digest",
}
"""What the notes are called that an author would miss; the others go by their own name."""
CLAUSE, TITLE = "clause", "title"
_ORDER = (CLAUSE, "sentence", "doubt", "verb", "digest")


class Part(NamedTuple):
    """Something that stands in a section: a clause, or a note as it is written there.

    ``kind`` is ``clause``, ``sentence``, ``doubt``, ``verb``, ``digest``, ``title``, or the key of
    any other note.
    """

    kind: str
    text: str

    @property
    def lines(self) -> list[str]:
        """As it is laid out in a clause file."""
        return clause_lines(self.text) if self.kind == CLAUSE else [self.text]


class Edit(NamedTuple):
    """What an edit did: which sections it touched, and what they lost and gained.

    ``lost`` stood there before and stands there no more, ``new`` the other way round; a clause that
    is the same but for its variables' names and the order of its body is neither. ``cares`` are new
    clauses that stand there already, and what the linter has to say that isn't refused.

    >>> import seatlog
    >>> edit = seatlog.draft("cr").drop("801.2b")
    >>> [part.kind for part in edit.lost]
    ['clause', 'sentence', 'digest', 'title']
    """

    done: str
    numbers: tuple[str, ...]
    lost: tuple[Part, ...] = ()
    new: tuple[Part, ...] = ()
    cares: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """What was done and all that it lost and brought, as text."""
        yield self.done
        for sign, what, parts in (("-", "lost", self.lost), ("+", "new", self.new)):
            for kind in dict.fromkeys(part.kind for part in parts):
                own = [part for part in parts if part.kind == kind]
                yield f"  {what}: {many(len(own), kind)}"
                for part in own:
                    first, *rest = part.lines
                    yield f"  {sign} {first}"
                    yield from (f"  {sign} {line}" for line in rest)
        for care in self.cares:
            yield from (f"  {line}" for line in care.split("\n"))

    def __str__(self) -> str:
        return "\n".join(printable(line, 2_000) for line in self.lines())

    def __repr__(self) -> str:
        """The text itself, so that a session shows it at once."""
        return str(self)

    def as_dict(self) -> dict[str, object]:
        """As plain data that is ready for JSON."""
        return {
            "done": self.done,
            "sections": list(self.numbers),
            "lost": [part._asdict() for part in self.lost],
            "new": [part._asdict() for part in self.new],
            "cares": list(self.cares),
        }


def parted(
    before: Sequence[Entry], after: Sequence[Entry]
) -> tuple[tuple[Part, ...], tuple[Part, ...], tuple[str, ...]]:
    """What only the first of two texts of a section has, what only the second, and that twice."""
    less, more = unmatched(_clauses(before), _clauses(after))
    brought = set(map(id, more))
    again = repeated((clause for clause in _clauses(after) if id(clause) not in brought), more)
    old, new = list(_notes(before)), list(_notes(after))
    for part in list(old):
        if part in new:
            old.remove(part)
            new.remove(part)
    lost, gained = _ordered([*_as_parts(less), *old]), _ordered([*_as_parts(more), *new])
    return lost, gained, tuple(again)


def repeated(before: Iterable[Clause], new: Iterable[Clause]) -> Iterator[str]:
    """What there is to say of new clauses that stand already where they are put."""
    there = list(before)
    for clause in new:
        if any(each.rule == clause.rule and variants(each, clause) for each in there):
            yield f"this clause stands in {clause.rule} already: {clause}"
        there.append(clause)


def _clauses(entries: Iterable[Entry]) -> list[Clause]:
    return [entry for entry in entries if isinstance(entry, Clause)]


def _as_parts(clauses: Iterable[Clause]) -> list[Part]:
    return [Part(CLAUSE, str(clause)) for clause in clauses]


def _notes(entries: Iterable[Entry]) -> Iterator[Part]:
    for entry in entries:
        if isinstance(entry, Note):
            yield Part(KINDS.get(entry.key, entry.key), f"# {entry.key}: {entry.text}".rstrip())
        elif isinstance(entry, Heading):
            yield Part(TITLE, f"## {entry.number}  {entry.title}".rstrip())


def _ordered(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Parts by what they are, those of a kind in the order in which they stand."""
    rank = {kind: at for at, kind in enumerate(_ORDER)}
    return tuple(sorted(parts, key=lambda part: rank.get(part.kind, len(rank))))

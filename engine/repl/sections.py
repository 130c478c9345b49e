"""Give sections of the book another text, and put the session's clauses where they belong.

Clauses that were added for the session, and those that were taken out, lie on top of the book. Here
they become part of their sections' texts: to be edited, and to be saved as an edition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..errors import BookError, SeatlogError, many, quoted
from ..language import NOTES, Source, read_clauses, statements
from ..model import Clause
from . import rulings
from .state import State, edited

if TYPE_CHECKING:
    from ..authoring import Draft, Edit

_FILE = "the section"
CLAUSE, TITLE = "clause", "title"


def draft_of(state: State) -> Draft:
    """A draft of the session's own, to be changed. Raises BookError where its book is another."""
    if state.draft is not None:
        return state.draft.branch()
    from ..authoring import Draft

    draft = Draft(state.named)
    if draft.base.key != state.base.key:
        raise BookError(
            f"{state.base.title} has changed since the session read it", hint="start a new one"
        )
    return draft


def replaced(state: State, number: str, text: str) -> tuple[State, Edit]:
    """The state with another text for a section, and what that lost. Raises SeatlogError."""
    draft, _ = _with_own(state, number)
    edit = draft.replace(number, text)
    return edited(state, draft, number), edit


def text_of(state: State, number: str) -> str:
    """A section as it is in the session, the clauses of the session in it. Raises BookError."""
    draft, whole = _with_own(state, number)
    if not whole and number not in draft.book.sections:
        raise BookError(f"{number} can't be put together", hint=f"`:show {number}`")
    return draft.show(number)


def _with_own(state: State, number: str) -> tuple[Draft, bool]:
    """A draft with the session's changes of a section in it, if they can stand by themselves."""
    draft = draft_of(state)
    try:
        _fold(draft, state, [number], False)
        return draft, True
    except SeatlogError:
        return draft, False


def whole(state: State) -> tuple[Draft, Edit | None]:
    """A draft with everything that the session changed in the book. Raises SeatlogError.

    The edit is what it took to put the session's clauses into their sections.
    """
    own = [added for added in state.rules.added if added.number == rulings.OWN]
    if own:
        verb = "stands" if len(own) == 1 else "stand"
        raise BookError(
            f"{many(len(own), 'clause')} of this session {verb} in no section",
            hint=f"`:drop {rulings.head_of(own[0].clause)}`, and `:rule NUMBER CLAUSE` instead",
        )
    gone = (state.base.clauses[at].rule for at in state.rules.dropped)
    numbers = [*gone, *(added.number for added in state.rules.added)]
    draft = draft_of(state)
    return draft, _fold(draft, state, list(dict.fromkeys(numbers)), True)


def save(state: State, folder: Path, over: bool) -> tuple[list[str], list[str]]:
    """Write what the session changed as an edition. Raises SeatlogError.

    Comes back with the files, and with what the session still knows and the edition doesn't: what
    is said of a predicate goes with its clauses there, and where a clause comes first in its file
    it may be without words.
    """
    draft, edit = whole(state)
    try:
        files = draft.save(folder, over=over)
    except BookError as error:
        if not over and "over=True" in error.hint:
            error.hint = f"`:save-rules! {folder}` writes over it"
        raise
    gone = sorted(state.base.predicates.keys() - draft.book.predicates.keys())
    lost = [part.text for part in (edit.lost if edit else ()) if part.kind not in (CLAUSE, TITLE)]
    cares = [care.partition("\n")[0] for care in (edit.cares if edit else ())]
    return files, [
        *(f"nothing is left of {name}, which the edition doesn't know any more" for name in gone),
        *(f"went with its clause: {text}" for text in lost),
        *cares,
    ]


def standing(state: State, clauses: Sequence[Clause]) -> Iterator[str]:
    """What there is to say of clauses that stand in their section already."""
    from ..authoring import repeated

    numbers = {clause.rule for clause in clauses}
    return repeated([c for c in state.book.clauses if c.rule in numbers], clauses)


def _fold(draft: Draft, state: State, numbers: Sequence[str], drops: bool) -> Edit | None:
    """Put the session's clauses into some sections of a draft. Raises SeatlogError.

    ``drops``: whether a section without a clause goes, or stays with its heading.
    """
    texts: dict[str, str | None] = {}
    more: dict[str, str] = {}
    for number in numbers:
        dropped = (state.base.clauses[at] for at in sorted(state.rules.dropped))
        gone = [clause for clause in dropped if clause.rule == number]
        added = "\n\n".join(a.text.strip("\n") for a in state.rules.added if a.number == number)
        if gone:
            text = without(f"{draft.show(number)}\n\n{added}".strip("\n"), gone)
            texts[number] = None if drops and not _blocks(text)[0] else text
        elif added:
            more[number] = added
    return draft.change(texts, more) if texts or more else None


class _Block(NamedTuple):
    """A clause in a section's text: the lines above it that are its own, and its lines."""

    lead: list[str]
    lines: list[str]
    clause: Clause


def without(text: str, gone: Sequence[Clause]) -> str:
    """A section's text less some clauses and the notes above them.

    Notes that a clause with the same head lacks pass on to it. Raises BookError for a clause that
    isn't there.
    """
    blocks, rest = _blocks(text)
    left = Counter(map(str, gone))
    kept: list[_Block] = []
    out: list[_Block] = []
    for block in blocks:
        taken = left[str(block.clause)] > 0
        left[str(block.clause)] -= taken
        (out if taken else kept).append(block)
    missing = next((clause for clause, number in left.items() if number > 0), None)
    if missing is not None:
        raise BookError(f"{quoted(missing)} isn't found in the text of its section")
    for block in out:
        heir = next((k for k in kept if k.clause.head == block.clause.head), None)
        if heir is not None:
            known = {_key(line) for line in heir.lead}
            heir.lead.extend(
                line for line in _notes(block.lead, "clause") if _key(line) not in known
            )
    lines: list[str] = []
    for block in blocks:
        is_kept = any(block is each for each in kept)
        lines += block.lead if is_kept else _notes(block.lead, "section")
        lines += block.lines if is_kept else []
    return "\n".join([*lines, *rest]).strip("\n")


def lines_of(text: str, clauses: Sequence[Clause]) -> list[int]:
    """The lines of a section's text at which some clauses begin."""
    left = Counter(map(str, clauses))
    found = []
    for block in _blocks(text)[0]:
        mark = str(block.clause)
        if left[mark] > 0:
            left[mark] -= 1
            found.append(block.clause.place.line)
    return found


def _blocks(text: str) -> tuple[list[_Block], list[str]]:
    """The clauses of a text with what stands above each, and what stands below the last one."""
    lines = text.split("\n")
    found = {
        entry.place.line: entry
        for entry in read_clauses(text, _FILE).entries
        if isinstance(entry, Clause)
    }
    blocks: list[_Block] = []
    start = 0
    for each in statements(text, Source(_FILE, tuple(lines))):
        if isinstance(each, SeatlogError) or each.line not in found:
            continue
        first = each.line - 1
        blocks.append(_Block(lines[start:first], lines[first : each.last], found[each.line]))
        start = each.last
    return blocks, lines[start:]


def _notes(lines: Sequence[str], kind: str) -> Iterator[str]:
    """The notes of a kind among lines, each with all its lines; headings are the section's."""
    taking = False
    for line in lines:
        if not line.startswith("#     "):
            taking = NOTES.get(_key(line), "") == kind or (kind == "section" and line[:2] == "##")
        if taking:
            yield line


def _key(line: str) -> str:
    """The key of a note's first line."""
    return line[1:].partition(":")[0].strip() if line[:2] == "# " else ""

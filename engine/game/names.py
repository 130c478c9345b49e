"""Let people write a table's names bare in a question: ``likes(Ann, old tom)``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from ..book import Book, PerBook, numeric

_PIECE = re.compile(
    r"""(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<word>[^\s'"(),&~=<>!]+)|.""", re.DOTALL
)
_ENDS = ",)&=<>!"
_DIGITS = re.compile(r"-?[0-9]+")
_COUNT = "count"
_RECKONED = re.compile(rf"[<>+]|-\s|\b{_COUNT}\b")
MAX_QUESTION = 8_000
SHORT = 2
NUMBER, NAME = "number", "name"


class _Piece(NamedTuple):
    """A piece of a question: where it begins and ends, and which term of what it is part of."""

    at: int
    end: int
    word: bool
    inside: str
    spot: int
    group: int


def with_names(
    question: str, names: Collection[str], book: Book | None = None
) -> tuple[str, list[str]]:
    """The question with the table's names in quotes, whatever their case, and notes about it.

    Only terms are looked at, never what is quoted already. Where a number has to stand by the
    ``book``, a number is meant, whoever is called so. A note is made of every word that looks like
    a variable too: a very short one, or one written otherwise than the name; and of a number that
    could be either.
    """
    alike: dict[str, str] = {}
    for name in names:
        key = name.casefold()
        alike[key] = name if key not in alike else ""
    exact = {name: name for name in names}
    if not exact or len(question) > MAX_QUESTION:
        return question, []
    longest = max(map(len, exact))
    out: list[str] = []
    notes: list[str] = []
    done = 0
    for piece in _pieces(question):
        if piece.at < done:
            continue
        done = piece.end
        if piece.word and piece.group >= 0:
            found = _longest(question, piece.at, piece.at + longest, exact, alike)
            if found and not _is_number(found[0], piece, question, book, notes):
                shown, name = found
                could = shown.isidentifier() and (shown[0].isupper() or shown[0] == "_")
                if could and (len(shown) < SHORT or shown != name):
                    notes.append(f"{shown} is read as the name {name!r}, not as a variable")
                out.append(_quote(name))
                done = piece.at + len(shown)
                continue
        out.append(question[piece.at : piece.end])
    return "".join(out), list(dict.fromkeys(notes))


def kind(book: Book, predicate: str, spot: int) -> str:
    """``NUMBER`` or ``NAME`` where a term of a predicate can be nothing else, or nothing."""
    row = book.arg_sorts.get(predicate, ())
    if spot >= len(row):
        return ""
    if row[spot] is not None:
        return NAME
    return NUMBER if spot in _numeric(book).get(predicate, ()) else ""


def _places(book: Book) -> Mapping[str, frozenset[int]]:
    return numeric(book.clauses, book.vocabulary)


_numeric = PerBook(_places)


def _is_number(
    shown: str, piece: _Piece, question: str, book: Book | None, notes: list[str]
) -> bool:
    """Whether digits that are a name too stand where a number is meant."""
    if book is None or not _DIGITS.fullmatch(shown):
        return False
    if piece.inside == _COUNT:
        return True
    if piece.inside:
        found = kind(book, piece.inside, piece.spot)
    else:
        found = _compared_with(piece.group, question, book)
    if not found:
        found = NAME if piece.inside else NUMBER
        other = NUMBER if piece.inside else NAME
        quotes = "" if piece.inside else f"; the name is {_quote(shown)}"
        notes.append(f"{shown} is read as a {found}, not as a {other}{quotes}")
    return found == NUMBER


def _compared_with(group: int, question: str, book: Book) -> str:
    """The kind of what a comparison holds together, by what stands in it and its variables."""
    groups: dict[int, list[_Piece]] = {}
    for piece in _pieces(question):
        groups.setdefault(piece.group, []).append(piece)
    reckoned = {
        at
        for at, inner in groups.items()
        if _RECKONED.search("".join(question[p.at : p.end] for p in inner if not p.inside))
    }
    words = {question[p.at : p.end] for p in groups[group] if p.word}
    kinds = {
        kind(book, p.inside, p.spot) if p.inside else NUMBER if p.group in reckoned else ""
        for inner in groups.values()
        for p in inner
        if p.word and question[p.at : p.end] in words - {_COUNT}
    }
    return NUMBER if NUMBER in kinds else NAME if NAME in kinds else ""


def _pieces(question: str) -> Iterator[_Piece]:
    """The pieces of a question, each with the predicate that it is a term of, or its bracket."""
    stack: list[tuple[str, int, int]] = []
    at, last = 0, ""
    while at < len(question):
        match = _PIECE.match(question, at)
        assert match is not None
        text, end = match.group(), match.end()
        inside, spot, group = stack[-1] if stack else ("", 0, -1)
        yield _Piece(at, end, bool(match["word"]), inside, spot, group)
        if text == "(":
            stack.append((last, 0, at))
        elif text == ")" and stack:
            stack.pop()
        elif text == "," and stack:
            stack[-1] = (inside, spot + 1, group)
        if text.strip():
            last = text if match["word"] else ""
        at = end


def _longest(
    text: str, at: int, most: int, exact: dict[str, str], alike: dict[str, str]
) -> tuple[str, str] | None:
    """The longest run of text from here that is a name and ends where a term may end."""
    stop = at
    while stop < min(most, len(text)) and text[stop] not in "()&,=<>":
        stop += 1
    while stop > at:
        shown = text[at:stop].rstrip()
        name = exact.get(shown) or alike.get(shown.casefold())
        if name and text[at + len(shown) :].lstrip()[:1] in _ENDS:
            return shown, name
        stop -= 1
    return None


def _quote(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'

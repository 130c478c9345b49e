"""Lay a clause file out: the same entries and comments, spaced and broken so that they can be read.

A clause stands on one line when it fits and has few literals, else one literal a line. What is
still too long for its line is broken inside its brackets, and a long note goes on in lines
indented below it. Text that can't be broken stays. What a text says is formatted from its syntax,
so nothing is turned round; the new text is only handed out after it was read back to the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import Place, TextError, refuse
from ..model import Clause, show_value
from .files import MAX_TEXT, Source
from .lines import LogicalLine, source, statements
from .reader import NOTES, Entry, Heading, Note, plain, read_clauses
from .syntax import OPERATORS, joined, read

WIDTH = 100
MOST_ON_A_LINE = 3
_STEP = 4
_MORE = "#     "
_GAP = re.compile(r"(?<=\S) (?=\S)")
_LEAD = re.compile(r"#+!?\s*")
_NOWHERE = Place("")


def laid_out(text: str, file: str) -> str:
    """The text of a clause file laid out. Raises all that the reader refuses, in its words."""
    reading = read_clauses(text, file)
    refuse(reading.errors)
    found = list(_pieces(text, reading.source, reading.entries))
    lines: list[str] = []
    inside = False
    for number, piece in enumerate(found):
        close = inside and piece.kind == "section"
        inside = piece.kind == "heading" or close
        if number and not close:
            before = found[number - 1]
            apart = piece.first > before.last + 1 or piece.kind == "heading"
            lines += [""] * (apart or before.kind == "heading" or _ends_heading(found, number))
        lines += piece.lines
    out = "\n".join([*lines, ""]) if lines else ""
    _look_over(out, found, reading.source, reading.entries)
    return out


def clause_lines(text: str) -> list[str]:
    """A clause that stands in no file laid out."""
    return _laid(LogicalLine(text, 1), source(text, ""))


class _Piece(NamedTuple):
    """What stands together: its kind, its lines laid out, where it began and ended before."""

    kind: str
    lines: list[str]
    first: int
    last: int


def _ends_heading(found: list[_Piece], number: int) -> bool:
    """Whether the pieces before this one are a heading and its section's notes."""
    at = number - 1
    while at >= 0 and found[at].kind == "section":
        at -= 1
    return at >= 0 and found[at].kind == "heading"


def _pieces(text: str, src: Source, entries: tuple[Entry, ...]) -> Iterator[_Piece]:
    said = {e.place.line: e for e in entries if not isinstance(e, Clause)}
    goes_on = {part.line for e in entries if isinstance(e, Note) for part in e.parts}
    for statement in statements(text, src):
        if isinstance(statement, TextError):
            raise statement
        line, last = statement.line, statement.last
        entry = said.get(line) if statement.text[0] == "#" else None
        if isinstance(entry, Heading):
            title = f"## {entry.number}  {entry.title}".rstrip()
            yield _Piece("heading", [title], line, last)
        elif isinstance(entry, Note):
            kind = "section" if NOTES[entry.key] == "section" else "note"
            yield _Piece(kind, _note(entry), line, entry.last)
        elif statement.text[0] != "#":
            moved = [line for each in statement.inside for line in _comment(_at_margin(each))]
            yield _Piece("clause", [*moved, *_laid(statement, src)], line, last)
        elif line not in goes_on:
            comment = statement.text.rstrip()
            comment = comment if statement.comment else _at_margin(comment)
            yield _Piece("comment", _comment(comment), line, last)


def _look_over(out: str, found: list[_Piece], src: Source, entries: tuple[Entry, ...]) -> None:
    """Raise TextError where the new text would be refused, or say something else."""
    size = len(out.encode(errors="surrogatepass"))
    again = read_clauses(out, src.file)
    if size <= MAX_TEXT and not again.errors and _said(again.entries) == _said(entries):
        return
    place, what = Place(src.file), f"this file would be larger than {MAX_TEXT:,} bytes"
    hint = "split it into several files"
    if size <= MAX_TEXT:
        what, hint = "this can't be laid out without saying something else", "please report it"
    for piece in found if again.errors and size <= MAX_TEXT else ():
        faults = read_clauses("\n".join(["## 0", *piece.lines]), src.file).errors
        if faults:
            place, what, hint = src.at(piece.first), str(faults[0].what), faults[0].hint
            break
    raise TextError(f"laid out, {what}", place=place, hint=hint, code="S02")


def _said(entries: tuple[Entry, ...]) -> list[Entry]:
    """Entries without their places."""
    out: list[Entry] = []
    for entry in entries:
        if isinstance(entry, Clause):
            out.append(entry._replace(place=_NOWHERE, spots=()))
        elif isinstance(entry, Note):
            out.append(entry._replace(place=_NOWHERE, parts=()))
        else:
            out.append(entry._replace(place=_NOWHERE))
    return out


def _note(note: Note) -> list[str]:
    first = f"# {note.key}: {note.text}".rstrip()
    return _wrapped(note.text, f"# {note.key}: ", _MORE) if len(first) > WIDTH else [first]


def _comment(text: str) -> list[str]:
    lead = _LEAD.match(text)
    if len(text) <= WIDTH or lead is None:
        return [text]
    return _wrapped(text[lead.end() :], lead[0], lead[0])


def _at_margin(text: str) -> str:
    """A comment as it can stand at the left margin without being taken for anything else."""
    text = text.rstrip()
    if plain(text):
        return text
    said = text.lstrip("#").strip()
    return f"# {said}".rstrip() if plain(f"# {said}") else f"# ({said})"


def _wrapped(text: str, lead: str, later: str) -> list[str]:
    """Words over as many lines as they need, none of which would be taken for a note of its own."""
    words = _GAP.split(text)
    lines: list[str] = []
    while words:
        number, length = 1, len(lead) + len(words[0])
        while number < len(words) and length + 1 + len(words[number]) <= WIDTH:
            length += 1 + len(words[number])
            number += 1
        taken = next((n for n in range(number, 0, -1) if _may_start(words[n:], later)), 0)
        while not taken:
            number += 1
            taken = number if _may_start(words[number:], later) else 0
        lines.append(lead + " ".join(words[:taken]))
        words, lead = words[taken:], later
    return lines


def _may_start(words: list[str], lead: str) -> bool:
    """Whether a line of these words is read as more of what stands above it."""
    lead = "#  " if lead.endswith("  ") else lead
    return not words or plain(lead + " ".join(words))


def _laid(statement: LogicalLine, src: Source) -> list[str]:
    lines = read(statement, src, lambda parser: _statement(parser.terms.expression()))
    assert isinstance(lines, list)
    return lines


def _statement(node: ast.expr) -> list[str]:
    """A clause, or a fact."""
    if not isinstance(node, ast.Compare):
        assert isinstance(node, ast.UnaryOp)
        return _broken(node.operand, 0, "+ ", "")
    head, items = node.left, joined(node.comparators[0])
    one = f"{_flat(head)} <= ({' & '.join(map(_flat, items))})"
    if len(items) <= MOST_ON_A_LINE and len(one) <= WIDTH:
        return [one]
    lines = _broken(head, 0, "", " <= (")
    for number, item in enumerate(items):
        lines += _broken(item, _STEP, "& " if number else "", "")
    return [*lines, ")"]


def _flat(node: ast.expr) -> str:
    """An expression on one line."""
    if isinstance(node, ast.Call):
        return f"{_flat(node.func)}({', '.join(map(_flat, node.args))})"
    if isinstance(node, ast.Compare):
        left, right = _flat(node.left), _flat(node.comparators[0])
        return f"({left} {OPERATORS[type(node.ops[0])]} {right})"
    if isinstance(node, ast.BinOp):
        return "".join(
            f" {sign} {_operand(each)}" if sign else _operand(each) for sign, each in _summed(node)
        )
    if isinstance(node, ast.UnaryOp):
        sign, inner = _signs(node)
        return sign + _flat(inner)
    if isinstance(node, ast.Constant):
        assert isinstance(node.value, str | int)
        return show_value(node.value)
    assert isinstance(node, ast.Name)
    return node.id


def _broken(node: ast.expr, indent: int, lead: str, tail: str) -> list[str]:
    """An expression behind ``lead`` and before ``tail``, over several lines where one is too short.

    Arguments, the sides of a comparison and the members of a sum stand on lines of their own then.
    """
    pad, deeper = " " * indent, indent + _STEP
    one = f"{pad}{lead}{_flat(node)}{tail}"
    if len(one) <= WIDTH:
        return [one]
    if isinstance(node, ast.UnaryOp):
        sign, inner = _signs(node)
        return _broken(inner, indent, lead + sign, tail) if sign == "~" else [one]
    if isinstance(node, ast.Call) and node.args:
        lines = [f"{pad}{lead}{_flat(node.func)}("]
        for number, each in enumerate(node.args, 1):
            lines += _broken(each, deeper, "", "," if number < len(node.args) else "")
        return [*lines, f"{pad}){tail}"]
    if isinstance(node, ast.Compare):
        sign = OPERATORS[type(node.ops[0])]
        left = _broken(node.left, deeper, "", "")
        right = _broken(node.comparators[0], deeper, f"{sign} ", "")
        return [f"{pad}{lead}(", *left, *right, f"{pad}){tail}"]
    if isinstance(node, ast.BinOp):
        lines = []
        members = _summed(node)
        for number, (sign, each) in enumerate(members, 1):
            before, after = f"{sign} " if sign else lead, tail if number == len(members) else ""
            lines += _member(each, deeper if sign else indent, before, after)
        return lines
    return [one]


def _member(node: ast.expr, indent: int, lead: str, tail: str) -> list[str]:
    """A member of a sum, in brackets if it is a sum itself."""
    one = f"{' ' * indent}{lead}{_operand(node)}{tail}"
    if not isinstance(node, ast.BinOp) or len(one) <= WIDTH:
        return [one]
    inner = _broken(node, indent + _STEP, "", "")
    return [f"{' ' * indent}{lead}(", *inner, f"{' ' * indent}){tail}"]


def _operand(node: ast.expr) -> str:
    return f"({_flat(node)})" if isinstance(node, ast.BinOp) else _flat(node)


def _summed(node: ast.expr) -> list[tuple[str, ast.expr]]:
    """The members of a sum with their signs, the first without one."""
    members: list[tuple[str, ast.expr]] = []
    while isinstance(node, ast.BinOp):
        members.append(("+" if isinstance(node.op, ast.Add) else "-", node.right))
        node = node.left
    return [("", node), *reversed(members)]


def _signs(node: ast.expr) -> tuple[str, ast.expr]:
    """What stands before an expression, and the expression."""
    signs = ""
    while isinstance(node, ast.UnaryOp):
        signs += "~" if isinstance(node.op, ast.Invert) else "-"
        node = node.operand
    return signs, node

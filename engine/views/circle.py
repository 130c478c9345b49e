"""Draw a table: the names that a fact numbers without gaps as a ring, and who reaches whom."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from ..book import Names, Vocabulary, sentence
from ..errors import NoRule, QuestionError, SeatlogError, did_you_mean, quoted
from ..game import Session, facts_of, kinds, stands
from ..model import Const, Literal, Value, Var
from ..table import kind

MOST = 60


class Gone(NamedTuple):
    """Why a name is gone, and what a table still says of it beyond its place in the ring."""

    why: str
    said: tuple[str, ...]


def ring(session: Session) -> list[str]:
    """The names round the table, in order. Raises QuestionError when the book has no ring."""
    name, place, number = _numbered(session.book.vocabulary)
    rows = [f.row for f in session.table.facts if f.name == name]
    if not rows:
        raise QuestionError("nobody sits at this table", hint="say who sits where")
    return [str(r[place]) for r in sorted(rows, key=lambda r: _number(r[number]))]


def picture(names: Sequence[str], width: int = 72) -> str:
    """The names on an ellipse; the first on top, the next ones clockwise, which is to the left."""
    if len(names) > MOST:
        return f"{len(names)} in a ring: " + ", ".join([*names[:8], "…", names[-1]])
    shown = [n if len(n) <= 20 else n[:19] + "…" for n in names]
    longest = max(len(_cells(word)) for word in shown)
    rows = max(3, len(shown) // 2 * 2 + 1)
    across = min(width - longest - 2, max(12, 5 * len(shown)))
    canvas = [[" "] * (across + longest + 2) for _ in range(rows)]
    for i, word in enumerate(shown):
        angle = 2 * math.pi * i / len(shown)
        row = round((1 - math.cos(angle)) / 2 * (rows - 1))
        column = round((1 + math.sin(angle)) / 2 * across)
        cells = _cells(word)
        column = max(0, min(column + (longest - len(cells)) // 2, len(canvas[0]) - len(cells)))
        canvas[row][column : column + len(cells)] = cells
    return "\n".join("".join(line).rstrip() for line in canvas)


def _cells(word: str) -> list[str]:
    """What stands in each column of a terminal: wide signs take two, marks none of their own."""
    cells: list[str] = []
    for sign in word:
        if combining(sign) and cells:
            cells[-1] += sign
        else:
            cells += [sign, ""] if east_asian_width(sign) in "WF" else [sign]
    return cells


def drawn(
    session: Session,
    names: Sequence[str],
    verb: str,
    left: Mapping[str, Gone],
    stands: Sequence[str] = (),
) -> str:
    """The ring, whom each name reaches by a verb or why it is gone, and how things stand."""
    shown = {name: f"({name})" if name in left else name for name in names}
    lines = [picture(list(shown.values())), ""]
    widest = max(len(_cells(name)) for name in shown.values())
    found = reached(session, names, verb)
    for name in names:
        others = ", ".join(found[name]) or "nobody"
        said = left[name].why if name in left else f"{verb}: {others}"
        space = " " * (widest - len(_cells(shown[name])))
        lines.append(f"{shown[name]}{space}  {said}")
    below = [*stands, *session.about()]
    lines += ["", *below] if below else []
    return "\n".join(lines)


def drawing(session: Session, verb: str | None = None) -> str:
    """The ring of a table, whom each name in it reaches by a verb, and how things stand."""
    chosen = arrow(session, verb)
    return drawn(session, ring(session), chosen, gone(session), stands(session))


def arrow(session: Session, verb: str | None) -> str:
    """The verb to draw, the book's own where none is named; it can be asked of those in the ring.

    Raises QuestionError.
    """
    usual = (*session.book.settings.get("draw", ()), *session.verbs())
    sorts = {session.table.names[name] for name in ring(session)}
    names = session.table.names
    own = {v.word for v in session.book.verbs if sorts & kinds(v, session.book, names)}
    if verb is None:
        return known_verb(session, next(iter(usual), ""), own)
    if known_verb(session, verb, own) not in own:
        raise QuestionError(
            f"{verb} can't be asked of those round the table",
            hint="verbs: " + ", ".join(sorted(own)),
        )
    return verb


def known_verb(session: Session, verb: object, shown: Iterable[str] = ()) -> str:
    """A verb of the book; ``shown`` are those to name in an error. Raises QuestionError."""
    known = session.verbs()
    listed = "verbs: " + ", ".join(sorted(shown) or known)
    if not isinstance(verb, str):
        raise QuestionError(f"a verb is a text, not {kind(verb)}", hint=listed)
    if verb not in known:
        hint = did_you_mean(verb, known) or listed
        raise QuestionError(f"nobody can {quoted(verb)}: no such verb", hint=hint)
    return verb


def reached(session: Session, names: Sequence[str], verb: str) -> dict[str, list[str]]:
    """Whom of the ring each name reaches, by a verb of the book; nobody where it can't be asked.

    Raises NoRule where the book has no rule on what the table says.
    """
    out: dict[str, list[str]] = {}
    for name in names:
        try:
            rows = session.can(name, verb).rows
        except NoRule:
            raise
        except SeatlogError:
            rows = []
        out[name] = [n for n in names if any(n in row for row in rows)]
    return out


def gone(session: Session) -> dict[str, Gone]:
    """The names that the book calls gone, each with why, and what is said of it."""
    predicate = next(iter(session.book.settings.get("gone", ())), "")
    if session.book.predicates.get(predicate) is None:
        return {}
    out: dict[str, Gone] = {}
    for row in session.solver.rows(Literal(predicate, (Var("Name"),))):
        node = session.node(Literal(predicate, (Const(row[0]),)))
        behind = {(x.name, x.args) for x in facts_of(node)}
        said = [
            sentence(session.book.vocabulary.facts[f.name], f.row)
            for f in session.table.facts
            if row[0] in f.row
            and (f.name, tuple(map(Const, f.row))) not in behind
            and f.name != _numbered(session.book.vocabulary)[0]
        ]
        out[str(row[0])] = Gone(session.explainer.speaker.sentence(node), tuple(said))
    return out


def _numbered(vocabulary: Vocabulary) -> tuple[str, int, int]:
    """The fact that numbers names without gaps: its name, where the name and number stand."""
    for fact in vocabulary.facts.values():
        kinds = [vocabulary.sorts[s] for s in fact.sorts]
        numbers = [i for i, s in enumerate(kinds) if s.dense]
        names = [i for i, s in enumerate(kinds) if isinstance(s, Names)]
        if numbers and names:
            return fact.name, names[0], numbers[0]
    raise QuestionError("this book numbers nobody, so there is no ring to draw")


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0

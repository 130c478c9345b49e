"""Every verdict at a table at a glance: who can do what to whom, each with its reason and rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..book import Verb, roots
from ..errors import NoRule, QuestionError
from ..game import JSON_VERSION, Answer, Session, kinds, line_data
from .circle import known_verb


def overview(game: Session, verbs: Iterable[str] | None = None) -> dict[str, Any]:
    """For each verb and everybody who can be asked the verdicts with reasons and rules, as data.

    Without ``verbs`` it is every verb of the book. Raises QuestionError for one that isn't there.
    """
    wanted = _wanted(game, verbs)
    found: dict[str, dict[str, Any]] = {}
    for word in wanted:
        own = found[word] = {}
        for verb in (v for v in game.book.verbs if v.word == word):
            for who in _subjects(game, verb):
                own.setdefault(who, {}).update(_verdicts(game, verb, who))
    return {
        "version": JSON_VERSION,
        "table": game.table.title,
        "edition": game.book.name,
        "date": game.book.date,
        "names": dict(game.table.names),
        "verbs": found,
    }


def _wanted(game: Session, verbs: Iterable[str] | None) -> list[str]:
    known = game.verbs()
    if verbs is None:
        return known
    listed = isinstance(verbs, Iterable) and not isinstance(verbs, str | bytes | Mapping)
    wanted = list(verbs) if listed else []
    if not wanted:
        raise QuestionError("verbs are a list with at least one", hint=f"like: {known[:2]}")
    return list(dict.fromkeys(known_verb(game, word) for word in wanted))


def _subjects(game: Session, verb: Verb) -> list[str]:
    allowed = kinds(verb, game.book, game.table.names)
    return [name for name, sort in game.table.names.items() if sort in allowed]


def _objects(game: Session, verb: Verb) -> Iterator[str]:
    """The names that can be what of a verb; none where it takes no name."""
    if verb.what is None:
        return
    predicate = game.book.predicates[verb.predicate]
    vocabulary = game.book.vocabulary
    sort = vocabulary.sorts.get(predicate.params[verb.what].rstrip("0123456789"))
    allowed = roots(sort, vocabulary.sorts) if sort else None
    inferred = game.book.arg_sorts[verb.predicate][verb.what]
    for name, kind in game.table.names.items():
        if inferred and kind in inferred and (allowed is None or kind in allowed):
            yield name


def _verdicts(game: Session, verb: Verb, who: str) -> dict[str, Any]:
    """What somebody can do to each name; under an empty name where a verb takes none."""
    others = list(_objects(game, verb))
    if others:
        return {what: _asked(game, who, verb.word, what) for what in others}
    return {"": _asked(game, who, verb.word, None)}


def _asked(game: Session, who: str, verb: str, what: str | None) -> dict[str, Any]:
    """What came of a question; where the book has no rule on what the table says, that."""
    try:
        return _data(game.can(who, verb, what))
    except NoRule as error:
        return {"verdict": error.kind, "reason": [], "cites": [], "open": [], "error": error.what}


def _data(answer: Answer) -> dict[str, Any]:
    data: dict[str, Any] = {
        "verdict": "yes" if answer else "no",
        "reason": [line_data(line) for line in answer.reason],
        "cites": list(answer.cites),
        "open": list(answer.doubts),
    }
    if answer.open:
        data["rows"] = [list(row) for row in answer.rows]
    return data

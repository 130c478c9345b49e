"""A predicate or a variable called by another name wherever it stands, or why that can't be.

A rename changes names and nothing else: a book that was sound has to be sound afterwards, and to
have its sentences where it had them, or the rename is refused.
"""

from __future__ import annotations

import keyword
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..book import Book
from ..errors import SeatlogError, many, quoted
from ..language import COUNT, PREDICATE, VARIABLE, Word, is_file
from .checking import put_together
from .desk import SETTINGS, VOCABULARY, Desk, Edition
from .saying import vocabulary

_NAMES = {
    PREDICATE: re.compile(r"[a-z][A-Za-z0-9_]{0,99}"),
    VARIABLE: re.compile(r"[A-Z_][A-Za-z0-9_]{0,99}"),
}
_SPOKEN = {"standing", "follows", "gone", "examples"}
"""What an ``edition.toml`` says in which predicates are named."""
_BESIDE = (SETTINGS, "equivalent.toml")
"""The files of an edition, besides clauses, that name predicates."""
Texts = dict[Path, str]


class Refused(SeatlogError):
    """A rename that can't be made, or would say something else."""


def renamed(desk: Desk, edition: Edition, file: str, word: Word, name: str) -> Texts:
    """The files that change by a rename, with their new texts. Raises Refused."""
    if not _NAMES[word.kind].fullmatch(name) or name in ("_", COUNT) or keyword.iskeyword(name):
        start = "a small letter" if word.kind == PREDICATE else "a capital or `_`"
        raise Refused(
            f"{quoted(name)} can't be the name of a {word.kind}",
            hint=f"it begins with {start}, goes on with letters, digits and `_`, at most 100 of "
            f"them, and is none of the words that are kept, like `not` and `{COUNT}`",
        )
    if name == word.text:
        return {}
    if word.kind == VARIABLE:
        return {edition.paths[file]: _variable(desk, edition, file, word, name)}
    return _predicate(desk, edition, word.text, name)


def sound(desk: Desk, edition: Edition, texts: Texts) -> None:
    """Raise Refused where a sound book isn't sound any more with these texts, or says less."""
    try:
        before = put_together(desk, edition)
    except SeatlogError:
        return
    names = {path: name for name, path in edition.paths.items()}
    own = edition.layers[-1]
    settings = texts.get(edition.folder / SETTINGS)
    changed = {names[path]: text for path, text in texts.items() if path in names}
    layer = own._replace(
        texts={**own.texts, **changed},
        toml=own.toml if settings is None else tomllib.loads(settings),
    )
    try:
        after = put_together(desk, edition._replace(layers=(*edition.layers[:-1], layer)))
    except SeatlogError as error:
        first = error.errors[0]
        raise Refused(f"the book wouldn't be sound: {first.said(False)}") from None
    if _outline(before) != _outline(after):
        raise Refused(
            "sentences would be lost, or said of other clauses",
            hint="the clauses of a predicate share them: call their terms alike, one by one",
        )


def _variable(desk: Desk, edition: Edition, file: str, word: Word, name: str) -> str:
    """The text of a file with a variable renamed in its clause and the notes above that."""
    every = desk.words(edition.texts[file], file)
    group = [w for w in every if w.kind == VARIABLE and w.group == word.group]
    if not word.group:
        raise Refused(f"{word.text} belongs to no clause here")
    if file not in edition.own:
        raise Refused(f"{file} belongs to the base, or to all books", hint="rename it there")
    if any(other.text == name for other in group):
        raise Refused(f"{name} stands in this clause already, and means something else")
    return _put(edition.texts[file], (w for w in group if w.text == word.text), name)


def _predicate(desk: Desk, edition: Edition, old: str, name: str) -> Texts:
    """The files of an edition with a predicate renamed in them."""
    found: dict[str, list[Word]] = {}
    for file, text in edition.texts.items():
        for word in desk.words(text, file):
            if word.kind != PREDICATE:
                continue
            if word.text == name:
                raise Refused(f"{name} is the name of another predicate: {word.place}")
            if word.text == old:
                found.setdefault(file, []).append(word)
    _may_change(desk, edition, old, name, found)
    texts = {
        edition.paths[file]: _put(edition.texts[file], words, name) for file, words in found.items()
    }
    for file in _BESIDE:
        path = edition.folder / file
        if is_file(str(path)):
            before = desk.text(path)
            after = _quoted(before, old, name)
            if file == SETTINGS and _others(before) != _others(after):
                raise Refused(f"{SETTINGS} has {old} in a text: rename it there by hand, first")
            if after != before:
                texts[path] = after
    return texts


def _may_change(
    desk: Desk, edition: Edition, old: str, name: str, found: dict[str, list[Word]]
) -> None:
    """Raise Refused where a predicate isn't this edition's alone, or can't be found everywhere."""
    if VOCABULARY in found:
        where = found[VOCABULARY][0].place
        raise Refused(f"{old} is what all editions share: {where}", hint="rename it by hand")
    base = [
        word.place for file, words in found.items() for word in words if file not in edition.own
    ]
    if base:
        raise Refused(
            f"{old} stands in the base of this edition, too: {base[0]}",
            hint=f"{many(len(base), 'place')} there would go by the old name",
        )
    for file in edition.own:
        errors = desk.read(edition.texts[file], file).errors
        if errors:
            raise Refused(f"a file can't be read whole: {errors[0].said(False)}", hint="mend it")
    above = next(_above(desk, edition, {old, name}), None)
    if above:
        what = f"an edition whose base this is names {above.text}, too: {above.place}"
        raise Refused(what, hint="rename it by hand, in both")
    known = vocabulary(edition)
    if known and known.role(old) != known.role(name):
        was, would = (known.role(each) or "helper" for each in (old, name))
        raise Refused(f"{old} is a {was}, and {name} would be a {would}: a name says what it is")


def _above(desk: Desk, edition: Edition, names: set[str]) -> Iterator[Word]:
    """Where editions beside this one that rest on it name one of some predicates."""
    try:
        folders = sorted(edition.folder.parent.iterdir())
    except OSError:
        return
    for folder in folders:
        if folder == edition.folder or not is_file(str(folder / SETTINGS)):
            continue
        try:
            other = desk.edition(folder)
        except SeatlogError:
            continue
        for file in other.own if edition.folder in other.folders else ():
            found = desk.words(other.texts[file], file)
            yield from (w for w in found if w.kind == PREDICATE and w.text in names)


def _put(text: str, words: Iterable[Word], name: str) -> str:
    """A text with some of its words called otherwise."""
    lines = text.split("\n")
    spots = {(word.place.line, word.place.column, word.place.width) for word in words}
    for line, column, width in sorted(spots, reverse=True):
        said = lines[line - 1]
        lines[line - 1] = said[: column - 1] + name + said[column - 1 + width :]
    return "\n".join(lines)


def _quoted(text: str, old: str, name: str) -> str:
    """A settings' text with a predicate renamed where it stands alone in quotes, or is called."""
    alone = rf"(?<=[\"']){re.escape(old)}(?=[\"'])"
    called = rf"(?<![\w.]){re.escape(old)}(?=\()"
    return re.sub(f"{alone}|{called}", name, text)


def _others(text: str) -> dict[str, object]:
    """What an ``edition.toml`` says that names no predicate."""
    return {key: value for key, value in tomllib.loads(text).items() if key not in _SPOKEN}


def _outline(book: Book) -> list[object]:
    """What a book has where: the sentences of its clauses and predicates, and verbs."""
    clauses = [(c.rule, bool(c.yes), bool(c.no), bool(c.but)) for c in book.clauses]
    predicates = [
        (p.role, p.arity, bool(p.yes), bool(p.no), bool(p.tree_yes), len(p.tree_no), bool(p.alarm))
        for p in book.predicates.values()
    ]
    verbs = [(verb.word, verb.who, verb.what, verb.others) for verb in book.verbs]
    return [clauses, predicates, verbs]

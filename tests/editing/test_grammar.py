"""The grammar for editors is made of the reader's tables, and colours every shipped clause file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from places import CLAUSE_FILES, ROOT
from seatlog.editing import grammar
from seatlog.language import NOTES, OPERATORS, Heading, Note, read_clauses, words
from shown import same

EDITORS = ROOT / "docs" / "editors"
FILE = EDITORS / "seatlog.tmLanguage.json"
Rule = dict[str, Any]
Scopes = list[tuple[str, ...]]
"""The scopes of each character of a line."""


class Colours:
    """What an editor does with a grammar, as far as this one needs it: line by line, in order."""

    def __init__(self, made: Rule) -> None:
        self.repository: dict[str, Rule] = made["repository"]
        self.top: list[Rule] = made["patterns"]

    def lines(self, text: str) -> Iterator[Scopes]:
        """The scopes of each line of a text."""
        inside: list[Rule] = []
        for line in text.split("\n"):
            scopes: Scopes = [()] * len(line)
            at, tried = 0, -1
            while at <= len(line):
                rule = inside[-1] if inside else None
                names = tuple(self.names(inside))
                end = re.compile(rule["end"]).search(line, at) if rule else None
                found, match = self.first(rule["patterns"] if rule else self.top, line, at)
                if end and (match is None or end.start() <= match.start()):
                    self.put(scopes, at, end.start(), names)
                    marks = tuple(self.names(inside[:-1], inside[-1]))
                    self.put(scopes, end.start(), end.end(), marks)
                    inside.pop()
                    at = end.end()
                    continue
                if found is None or match is None:
                    self.put(scopes, at, len(line), names)
                    break
                self.put(scopes, at, match.start(), names)
                own = (*names, *self.own(found))
                self.put(scopes, match.start(), match.end(), own)
                key = "beginCaptures" if "begin" in found else "captures"
                for number, capture in found.get(key, {}).items():
                    start, stop = match.span(int(number))
                    if start >= 0:
                        self.put(scopes, start, stop, (*own, capture["name"]))
                if "begin" in found:
                    inside.append(found)
                    if match.end() == len(line):
                        break
                elif match.end() == at:
                    assert tried != at, f"nothing is taken of {line!r}"
                    tried = at
                    break
                at = match.end()
            yield scopes

    def first(self, rules: list[Rule], line: str, at: int) -> tuple[Rule | None, Any]:
        """The rule that matches first from here on, and its match."""
        best: tuple[Rule | None, Any] = (None, None)
        for rule in self.each(rules):
            match = re.compile(rule.get("match") or rule["begin"]).search(line, at)
            if match and (best[1] is None or match.start() < best[1].start()):
                best = (rule, match)
        return best

    def each(self, rules: list[Rule]) -> Iterator[Rule]:
        """The rules themselves, with what they include in its place."""
        for rule in rules:
            if "include" in rule:
                yield from self.each([self.repository[rule["include"].removeprefix("#")]])
            elif "match" in rule or "begin" in rule:
                yield rule
            else:
                yield from self.each(rule["patterns"])

    @staticmethod
    def own(rule: Rule) -> list[str]:
        return [rule["name"]] if "name" in rule else []

    def names(self, inside: list[Rule], last: Rule | None = None) -> Iterator[str]:
        """The scopes of what stands inside of some rules, and in the marks of a last one."""
        for rule in inside:
            yield from self.own(rule)
            if "contentName" in rule:
                yield rule["contentName"]
        yield from self.own(last or {})

    @staticmethod
    def put(scopes: Scopes, start: int, stop: int, names: tuple[str, ...]) -> None:
        for at in range(start, min(stop, len(scopes))):
            scopes[at] = names


COLOURS = Colours(json.loads(grammar()))


def coloured(text: str) -> list[Scopes]:
    return list(COLOURS.lines(text))


def test_the_file_is_what_the_reader_makes_of_it() -> None:
    same(FILE, grammar())


@pytest.mark.parametrize("path", CLAUSE_FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_character_of_every_file_is_coloured(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    found = coloured(text)
    for line, scopes in zip(lines, found, strict=True):
        for character, names in zip(line, scopes, strict=True):
            assert names or character.isspace(), line
            assert not any(name.startswith("invalid") for name in names), line
    reading = read_clauses(text, path.name)
    for entry in reading.entries:
        if isinstance(entry, Heading | Note):
            scopes = found[entry.place.line - 1]
            kind = "markup.heading" if isinstance(entry, Heading) else "meta.note"
            assert kind in scopes[0], lines[entry.place.line - 1]
        if isinstance(entry, Note):
            for part in entry.parts if entry.text else ():
                assert "meta.note" in found[part.line - 1][part.column - 1]
    for word in words(text, reading):
        names = found[word.place.line - 1][word.place.column - 1]
        wanted = "entity.name.function" if word.kind == "predicate" else "variable."
        assert any(name.startswith(wanted) for name in names), (word, names)
        if word.head and not word.note:
            assert "entity.name.function.head" in names


@pytest.mark.parametrize("key", NOTES)
def test_every_note_is_known(key: str) -> None:
    scopes = coloured(f"# {key}: a\n#     b\n# c")
    assert "keyword.other.note" in scopes[0][2]
    assert "keyword.other.note" in scopes[0][1 + len(key)]
    assert "meta.note" in scopes[1][6]
    assert scopes[2][2] == ("comment.line.number-sign",)


@pytest.mark.parametrize("sign", OPERATORS.values())
def test_every_operator_is_known(sign: str) -> None:
    line = f"    & (X {sign} Y)"
    scopes = coloured(line)[0]
    assert {scopes[line.index(sign) + n] for n in range(len(sign))} == {
        ("keyword.operator.comparison",)
    }


@pytest.mark.parametrize(
    ("line", "word", "scope"),
    [
        ("# yse: {Player} is here", "yse", "invalid.illegal.note"),
        ("# yes: {Player} is here", "Player", "variable.parameter"),
        ("# (see above)", "see", "comment.line.number-sign"),
        ("  # yes: indented", "yes", "comment.line.number-sign"),
        ("head(X) <= (a(X, 'it\\'s (X)') & ~b(X))", "(X)'", "string.quoted.single"),
        ("head(X) <= (a(X, 'it\\'s (X)') & ~b(X))", "\\'", "constant.character.escape"),
        ("head(X) <= (a(X, 'it\\'s (X)') & ~b(X))", "~", "keyword.operator.negation"),
        ("head(X) <= (a(X, 'x') & b(X))", "<=", "keyword.operator.definition"),
        ("head(X) <= (a(X, 'x') & b(X))", "b(", "entity.name.function.body"),
        ("+ noun('creature')", "+", "keyword.operator.fact"),
        ("+ noun('creature')", "noun", "entity.name.function.head"),
        ("    & (N == count(X, p(X)))", "count", "support.function"),
        ("    & (N == 日)", "日", "invalid.illegal"),
        ("    & p(word)", "word", "invalid.illegal"),
        ("## 801.7a  A title", "801.7a", "entity.name.section"),
        ("## 801.7a  A title", "A title", "string.unquoted.title"),
    ],
)
def test_what_a_word_is(line: str, word: str, scope: str) -> None:
    assert scope in coloured(line)[0][line.index(word)]


def test_the_folder_is_an_extension_that_has_the_grammar() -> None:
    about = json.loads((EDITORS / "package.json").read_text(encoding="utf-8"))
    (language,) = about["contributes"]["languages"]
    (coloured_by,) = about["contributes"]["grammars"]
    made = json.loads(grammar())
    assert language["extensions"] == [f".{ending}" for ending in made["fileTypes"]]
    assert coloured_by["language"] == language["id"]
    assert coloured_by["scopeName"] == made["scopeName"]
    for file in (coloured_by["path"], language["configuration"]):
        assert (EDITORS / file).is_file()

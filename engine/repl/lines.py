"""What a line is: a command, a fact, a question in clause syntax or in players' words.

Also when a line is finished (brackets closed, nothing dangling), how it falls into words, and
which word of a players' question is the verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from ..book import Verb
from ..errors import QuestionError, closest, quoted

RULE = "rule"
ASKING = ("why", "change")
MAX_WORDS = 40
MAX_SPLITS = 2_000
_WORD = re.compile(
    r"""\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'(?=[,:]?(?:\s|$))|(?P<plain>[^\s"]+?))"""
    r"""(?P<end>[,:]?)(?=\s|$)"""
)
_CLAUSE = re.compile(r"~?\s*[A-Za-z_]\w*\s*\(|~?\s*\(")
NUMBER = re.compile(r"\A\d[\w.]*\s+")
"""The number of a section before a clause."""
_STRING = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\"""")
_DANGLING = ("&", "<=", ",", "~", "==", "!=", "<", ">")


class Word(NamedTuple):
    """A word, or several in quotes; a comma or colon behind it ends what it is part of."""

    text: str
    quoted: bool = False
    ends: bool = False


class Command(NamedTuple):
    """``:name rest``."""

    name: str
    rest: str


class Spoken(NamedTuple):
    """A question in players' words: ``others`` are names behind a preposition."""

    who: str
    verb: str
    what: str | None = None
    others: tuple[tuple[str, str], ...] = ()


def command(text: str) -> Command | None:
    """The command a line is, if it is one. A bare ``?`` asks for help."""
    text = text.strip()
    if text.startswith("?"):
        return Command("help", text[1:].strip())
    if not text.startswith(":"):
        return None
    parts = text[1:].split(None, 1)
    return Command(parts[0] if parts else "", parts[1] if len(parts) > 1 else "")


def is_fact(text: str) -> bool:
    """Whether a line states a fact, or takes one away, in clause syntax."""
    return text[:1] in ("+", "-")


def is_clause(text: str) -> bool:
    """Whether a question is in clause syntax rather than in players' words."""
    return bool(_CLAUSE.match(text))


def finished(text: str) -> bool:
    """Whether a line is whole. An empty line behind it always finishes it."""
    if not text.strip() or ("\n" in text and not text.rpartition("\n")[2].strip()):
        return True
    said = command(text)
    body = said.rest if said else text.strip()
    if said and not (said.name == RULE or (said.name in ASKING and is_clause(body))):
        return True
    if not body or (not said and not is_clause(body) and not is_fact(body)):
        return True
    lines = NUMBER.sub("", body, count=1).split("\n")
    if lines[-1].lstrip().startswith("#"):
        return False
    bare = _STRING.sub("''", "\n".join(x for x in lines if not x.lstrip().startswith("#")))
    depth = sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))
    return depth <= 0 and not bare.rstrip().endswith(_DANGLING)


def words(text: str) -> list[Word]:
    """The words of a line; names of several words may stand in quotes. Raises QuestionError."""
    out: list[Word] = []
    at, text = 0, text.strip()
    while at < len(text):
        match = _WORD.match(text, at)
        if match is None:
            shown = quoted(text[at:].strip())
            raise QuestionError(f"a quote is open, or a word runs into it: {shown}")
        inner = match["plain"] if match["plain"] is not None else match["double"]
        inner = inner if inner is not None else match["single"]
        out.append(Word(inner, match["plain"] is None, bool(match["end"])))
        at = match.end()
        if len(out) > MAX_WORDS:
            raise QuestionError(f"more than {MAX_WORDS} words are too many to be read")
    return out


def near_miss(word: str, known: Iterable[str]) -> str:
    """The word a person most likely meant, two letters that changed places included, or nothing."""
    choices = list(known)
    letters = sorted(word.casefold())
    swapped = (c for c in choices if sorted(c.casefold()) == letters)
    return closest(word, choices) or next(swapped, "")


def joined(part: Sequence[Word]) -> str:
    """Words as one name."""
    return " ".join(w.text for w in part)


def splits(said: Sequence[Word], number: int) -> Iterator[list[Sequence[Word]]]:
    """Every way to cut words into this many names, those in quotes or behind a comma kept apart."""
    if number == 0 or number > len(said):
        if number == len(said):
            yield []
        return
    for tried, cuts in enumerate(combinations(range(1, len(said)), number - 1)):
        if tried >= MAX_SPLITS:
            return
        spots = (0, *cuts, len(said))
        parts = [said[a:b] for a, b in pairwise(spots)]
        if all(_one_name(part) for part in parts):
            yield parts


def _one_name(part: Sequence[Word]) -> bool:
    return bool(part) and (
        len(part) == 1 or not any(w.quoted or (w.ends and w is not part[-1]) for w in part)
    )


def spoken(text: str, names: Mapping[str, str], verbs: Sequence[Verb]) -> Spoken:
    """A question in players' words. Raises QuestionError when it can't be one, or could be two."""
    said = words(text.strip().removesuffix("?"))
    if not said:
        raise QuestionError("a question is missing", hint="`:help` says what can be typed")
    known = {name.casefold(): name for name in reversed(list(names))}
    variants = [said]
    if said[0].text.casefold() == "can" and not said[0].quoted and len(said) > 1:
        variants.append(said[1:])
    found = dict.fromkeys(s for v in variants for s in _readings(v, known, verbs))
    if len(found) == 1:
        return next(iter(found))
    if found:
        shown = " or ".join(_shown(s) for s in found)
        raise QuestionError(f"this can be read in more than one way: {shown}", hint=QUOTES)
    return _unread(variants[-1], known, verbs)


QUOTES = 'put names of several words in quotes, like "Two Words"'


def _readings(
    said: Sequence[Word], known: Mapping[str, str], verbs: Sequence[Verb]
) -> Iterator[Spoken]:
    """Readings in which every name is one at the table."""
    for at, word in enumerate(said):
        who = known.get(joined(said[:at]).casefold())
        spoken_verbs = [v for v in verbs if v.word == word.text.casefold()]
        if not spoken_verbs or who is None or word.quoted or not _one_name(said[:at]):
            continue
        rest = said[at + 1 :]
        prepositions = {p for v in spoken_verbs for p, _ in v.others}
        spots = [i for i, w in enumerate(rest) if w.text in prepositions and not w.quoted][:4]
        for number in range(len(spots) + 1):
            for chosen in combinations(spots, number):
                parts = _cut(rest, chosen)
                named = [known.get(joined(p).casefold()) for p in parts if p]
                whole = all(_one_name(p) for p in parts[not parts[0] :])
                if whole and None not in named and all(parts[1:]):
                    what = known[joined(parts[0]).casefold()] if parts[0] else None
                    behind = [n for n in named if n is not None][bool(parts[0]) :]
                    pairs = zip((rest[i].text for i in chosen), behind, strict=True)
                    yield Spoken(who, spoken_verbs[0].word, what, tuple(pairs))


def _cut(rest: Sequence[Word], chosen: Sequence[int]) -> list[Sequence[Word]]:
    spots = [-1, *chosen, len(rest)]
    return [rest[a + 1 : b] for a, b in pairwise(spots)]


def _shown(said: Spoken) -> str:
    behind = [f"{preposition} {quoted(name)}" for preposition, name in said.others]
    what = [quoted(said.what)] if said.what else []
    return " ".join([quoted(said.who), said.verb, *what, *behind])


def _unread(said: Sequence[Word], known: Mapping[str, str], every: Sequence[Verb]) -> Spoken:
    """The likeliest reading of what can't be right, so that asking it says what is wrong."""
    verbs = {v.word for v in every}
    at = next((i for i, w in enumerate(said) if i and w.text.casefold() in verbs), 0)
    if not at:
        starts = [i for i in range(1, len(said)) if joined(said[:i]).casefold() in known]
        at = starts[-1] if starts else 1
        near = next((i for i in range(1, len(said)) if closest(said[i].text, verbs)), 0)
        at = near if near and not starts else at
    if at >= len(said):
        raise QuestionError(
            f"{quoted(joined(said))} is no question",
            hint="like: WHO VERB WHAT, with one of these verbs: " + ", ".join(sorted(verbs)),
        )
    verb = said[at].text.casefold() if said[at].text.casefold() in verbs else said[at].text
    rest = said[at + 1 :]
    prepositions = {p for v in every if v.word == verb for p, _ in v.others}
    spots = [i for i, w in enumerate(rest[:-1]) if i and w.text in prepositions]
    what, *behind = (joined(part) for part in _cut(rest, spots))
    pairs = zip((rest[i].text for i in spots), behind, strict=True)
    return Spoken(joined(said[:at]), verb, what or None, tuple(pairs))


def needed(text: str, what: str) -> str:
    """What a command needs behind it. Raises QuestionError when it isn't there."""
    if text:
        return text
    raise QuestionError(f"{what}?", hint="`:help` lists how commands are used")


def unquoted(file: str) -> str:
    """A file's name without the quotes around it."""
    quoted_whole = len(file) > 1 and file[0] == file[-1] and file[0] in "\"'"
    return file[1:-1] if quoted_whole else file

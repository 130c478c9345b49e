"""What could be typed next: commands, verbs, names, predicates, rule numbers, files.

Everything typed before the cursor is looked at; of the words that fit, those win that go on from
most of it, so that names of several words complete from their middle as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..book import Fact
from ..editions import home
from ..errors import QuestionError
from ..game import Word, asking, is_clause, players, words
from . import looking, manual, rulings
from .fitting import choices, value_of
from .lines import ASKING, REPLACE, RULE, is_fact, splits
from .options import WIDE
from .state import State
from .verbs import verbs

MAX_SHOWN = 200
MAX_TYPED = 4_000
_LOOK_BACK = 120
_START = re.compile(r"^|(?<=[\s(,&~])")
_CALL = re.compile(r"\w*$")
COUNT = "count"
_AWKWARD = re.compile(r"""[()&,=<>!~:"']""")


class Candidate(NamedTuple):
    """A completion: the text, how many characters before the cursor it replaces, what it is."""

    text: str
    back: int
    about: str = ""


class Choice(NamedTuple):
    """A word that could stand here, how it is written when it is chosen, and what it is."""

    word: str
    written: str
    about: str = ""


def complete(state: State, text: str) -> list[Candidate]:
    """The completions of the text before the cursor, whatever its case; none of an endless one."""
    if len(text) > MAX_TYPED:
        return []
    if text.startswith(":"):
        name, space, rest = text[1:].partition(" ")
        if not space:
            known = [Choice(n, n, _about(state, n)) for n in manual.known(state)]
            return _fitting(known, name, whole=True)
        found = _behind(state, name.casefold(), rest)
        return found[:MAX_SHOWN]
    if is_fact(text):
        return _fitting(_in_clause(state, text, state.vocabulary.facts), text[1:])
    return _question(state, text)[:MAX_SHOWN]


def _about(state: State, name: str) -> str:
    if name in manual.BY_NAME:
        return manual.BY_NAME[name].about
    return "; ".join(dict.fromkeys(f"{', '.join(f.args)}: {f.about}" for f in verbs(state)[name]))


def _behind(state: State, name: str, rest: str) -> list[Candidate]:
    """What can come behind a command or verb."""
    if name in ("show", REPLACE, "edit"):
        titles = ((n, state.book.sections[n].title) for n in looking.numbers(state))
        return _fitting((Choice(n, n, title) for n, title in titles), rest, whole=True)
    if name == "drop":
        targets = rulings.targets(state.base, state.rules)
        return _fitting((Choice(t, t) for t in targets), rest, whole=True)
    if name == "help":
        known = [Choice(n, n, _about(state, n)) for n in manual.known(state)]
        return _fitting(known, rest, whole=True)
    if name == "draw":
        return _fitting((Choice(w, w) for w in players(state.book)), rest, whole=True)
    if name == "diff":
        word = rest.rpartition(" ")[2]
        if word.startswith("--"):
            options = (f"--{each}" for each in WIDE)
            return _fitting((Choice(each, each) for each in options), word, whole=True)
        return list(_files(word, False))
    if name in ("save", "save!", "load", "test", "save-rules", "save-rules!"):
        return list(_files(rest, name == "load"))
    if name == RULE:
        return _fitting(_in_clause(state, rest, [*_predicates(state)]), rest)
    if name in ASKING:
        return _question(state, rest)
    if name == "no":
        verb, space, after = rest.partition(" ")
        if not space:
            own = [f.command for f in (state.vocabulary.facts[s.name] for s in state.said)]
            said = dict.fromkeys(v for v in own if v)
            return _fitting((Choice(v, v, _about(state, v)) for v in said), verb, whole=True)
        return _arguments(state, verbs(state).get(verb.casefold(), []), after)
    return _arguments(state, verbs(state).get(name, []), rest)


def _arguments(state: State, facts: Sequence[Fact], text: str) -> list[Candidate]:
    """Names and words for the argument of a verb that comes next."""
    quote = text.rindex('"') if text.count('"') % 2 else -1
    for start in [quote] if quote >= 0 else [m.start() for m in _START.finditer(text)]:
        try:
            said = words(text[:start])
        except QuestionError:
            continue
        found: dict[str, str] = {}
        for fact in facts:
            for spot in range(len(fact.args)):
                if _goes_before(state, fact, spot, said):
                    found.update((word, fact.args[spot]) for word in choices(state, fact, spot))
        typed = text[start:].lstrip('"')
        end = '"' if quote >= 0 else ""
        listed = [
            Choice(w, f"{w}{end}" if end or _simple(w) else f'"{w}"', about)
            for w, about in found.items()
        ]
        fits = _fitting(listed, typed, whole=True)
        if fits:
            return fits
    return []


def _goes_before(state: State, fact: Fact, spot: int, said: Sequence[Word]) -> bool:
    """Whether words can be a fact's arguments up to one of them."""
    return any(
        all(value_of(state, fact, i, part, False) is not None for i, part in enumerate(parts))
        for parts in splits(said, spot)
    )


def _simple(name: str) -> bool:
    return " " not in name and not _AWKWARD.search(name)


def _question(state: State, text: str) -> list[Candidate]:
    if is_clause(text):
        return _fitting(_in_clause(state, text, [*_predicates(state)]), text)
    names = [Choice(n, n if _plain(n) else f'"{n}"', s) for n, s in state.table.names.items()]
    asked = asking(state.book)
    quoted = _in_quotes(names, text)
    if quoted:
        return quoted
    typed = text.casefold().split()
    if len(typed) < 2 and not text.endswith(" "):
        every = [*names, *(Choice(w, w, "all who can") for w in asked[:2])]
        return _fitting([*every, *_predicate_choices(state, _predicates(state))], text)
    verbs_of = {v.word: "verb" for v in state.book.verbs}
    if set(typed[1:]) & set(verbs_of):
        behind = {p for v in state.book.verbs for p, _ in v.others}
        return _fitting([*names, *(Choice(p, p) for p in sorted(behind))], text)
    after = [Choice(w, w, about) for w, about in verbs_of.items()]
    is_name = " ".join(typed) in {n.word.casefold() for n in names} | {*asked}
    return _fitting(after if is_name and text.endswith(" ") else [*names, *after], text)


def _plain(name: str) -> bool:
    return not _AWKWARD.search(name.replace("'", ""))


def _predicates(state: State) -> dict[str, tuple[str, ...]]:
    """Every predicate that can be asked, with its arguments."""
    out = {name: fact.args for name, fact in state.vocabulary.facts.items()}
    out.update((name, p.params) for name, p in state.book.predicates.items())
    return out


def _predicate_choices(state: State, which: Iterable[str]) -> Iterator[Choice]:
    every = _predicates(state)
    for name in which:
        args = every[name]
        yield Choice(name, f"{name}(", f"/{len(args)} ({', '.join(args)})")


def _in_clause(state: State, text: str, which: Iterable[str]) -> list[Choice]:
    """Names inside of brackets, predicates outside."""
    names = [Choice(n, _term(n), s) for n, s in state.table.names.items()]
    call, quote = _inside(text)
    if quote:
        return [Choice(quote + n.word, quote + n.word + quote, n.about) for n in names]
    if call not in ("", COUNT):
        return names
    return [*(names if call else ()), *_predicate_choices(state, which)]


def _term(name: str) -> str:
    """A name as a term: bare where that can be read, else in quotes."""
    if not _AWKWARD.search(name):
        return name
    quote = "'" if "'" not in name else '"'
    return f"{quote}{name}{quote}"


def _inside(text: str) -> tuple[str, str]:
    """Which call is open at the end of a text, and which quote."""
    calls: list[str] = []
    quote = ""
    for at, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'" and not text[max(0, at - 1) : at].isalnum():
            quote = character
        elif character == "(":
            calls.append(_CALL.search(text[max(0, at - 60) : at])[0])  # type: ignore[index]
        elif character == ")" and calls:
            calls.pop()
    return (calls[-1] if calls else ""), quote


def _in_quotes(names: Iterable[Choice], text: str) -> list[Candidate]:
    """Names behind a quote that is still open."""
    if text.count('"') % 2 == 0:
        return []
    typed = text[text.rindex('"') + 1 :]
    quoted = [Choice(n.word, f'{n.word}"', n.about) for n in names]
    return _fitting(quoted, typed, whole=True)


def _fitting(found: Iterable[Choice], text: str, whole: bool = False) -> list[Candidate]:
    """Choices that go on from the end of a text: from all of it, or from some word of it on."""
    text = text[-_LOOK_BACK:]
    starts = [0] if whole else [m.start() for m in _START.finditer(text)]
    every = list(found)
    for start in starts:
        typed = text[start:].casefold()
        fits = [c for c in every if c.word.casefold().startswith(typed)]
        if fits:
            return [Candidate(c.written, len(text) - start, c.about) for c in fits]
    return []


def _files(text: str, shipped: bool) -> Iterator[Candidate]:
    """Table files and folders that a path can go on to; shipped tables by their names."""
    head, _, stem = text.rpartition("/")
    if shipped and "/" not in text:
        for path in sorted((home("facts") / "tables").glob("*.toml")):
            if path.stem.casefold().startswith(stem.casefold()):
                yield Candidate(path.stem, len(stem), "shipped")
    try:
        folder = Path(f"{head}/" if "/" in text else ".").expanduser()
        entries = sorted(folder.iterdir())
    except (OSError, RuntimeError, ValueError):
        return
    for entry in entries:
        name = f"{entry.name}/" if entry.is_dir() else entry.name
        hidden = name.startswith(".") and not stem.startswith(".")
        goes_on = name.casefold().startswith(stem.casefold()) and not hidden
        if goes_on and name.endswith(("/", ".toml")):
            yield Candidate(name, len(stem))

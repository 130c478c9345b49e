"""Keys that a table sets aside: it is asked as if they weren't said, and each answer says so."""

from __future__ import annotations

from collections.abc import Sequence

from ..book import Fact, Shape, Vocabulary
from ..errors import quoted
from ..model import Statement
from .keys import Shaper, hint_known

KEY = "aside"


def key_name(fact: Fact, shape: Shape) -> str:
    """How a key is called wherever it stands: ``list``, or ``group.key`` without the names."""
    return ".".join(word for word in shape.path if word not in fact.args)


def key_names(vocabulary: Vocabulary) -> dict[str, set[str]]:
    """What can be set aside: the names of keys, each with the facts that it says.

    A key in a group may be called by its own word where no other group has one of this word.
    """
    out: dict[str, set[str]] = {}
    for fact in vocabulary.facts.values():
        for shape in fact.shapes:
            if shape.value != "table":
                out.setdefault(key_name(fact, shape), set()).add(fact.name)
    last: dict[str, list[str]] = {}
    for name in out:
        last.setdefault(name.rpartition(".")[2], []).append(name)
    short = {word: out[of[0]] for word, of in last.items() if len(of) == 1}
    return {**short, **out}


def set_aside(
    value: object, said: Sequence[Statement], vocabulary: Vocabulary, shaper: Shaper
) -> tuple[str, ...]:
    """The keys that ``aside`` names, once each; what is wrong with it goes to the shaper."""
    listed = value if isinstance(value, list) else [value]
    known = key_names(vocabulary)
    spoken = {fact.name for fact in said}
    for number, name in enumerate(listed, 1):
        path = (KEY, number) if isinstance(value, list) else (KEY,)
        if not isinstance(name, str):
            shaper.fault(path, "aside names keys of the table", 'like: aside = ["…"]')
        elif name not in known:
            what = f"no table key is called {quoted(name)}"
            shaper.fault(path, what, hint_known(name, known))
        elif not known[name] & spoken:
            what = f"{name} is set aside, but the table doesn't say it"
            shaper.fault(path, what, "take it out of aside")
    return tuple(dict.fromkeys(name for name in listed if isinstance(name, str)))


def still_aside(
    names: Sequence[str], said: Sequence[Statement], vocabulary: Vocabulary
) -> tuple[str, ...]:
    """Of the keys that are set aside those which some facts say."""
    if not names:
        return ()
    known, spoken = key_names(vocabulary), {fact.name for fact in said}
    return tuple(name for name in names if known[name] & spoken)

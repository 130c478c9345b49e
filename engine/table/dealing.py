"""Deal a table as a format's file says: who sits where, who begins, with how much.

The file's ``deal`` part gives each table key a recipe, so that nothing here knows any key:

| recipe | fills the key with |
|---|---|
| ``"shuffled"`` | everybody in random order |
| ``"side by side"`` | everybody, group after group |
| ``"alternating"`` | the first of each group, the second of each, and so on |
| ``"groups"`` | the groups by name; on the command line the key's flag says how many |
| ``"anybody"`` | somebody at random |
| ``"second of a group"`` | the second (``first``, ``middle``, ``last``) of a random group |
| ``"middle of each group"`` | the same of every group |
| ``{ each = 20 }`` | 20 for everybody |
| ``{ group = 20 }`` | for each group 20 times its members |
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count, pairwise, zip_longest
from string import ascii_uppercase
from typing import Any, NamedTuple

from ..book import Book, Vocabulary
from ..editions import load_book, names
from ..errors import BookError, Place, TableError, did_you_mean, printable, quoted
from .state import format_file, format_keys

GROUPS = 2
_OF = re.compile(r"(first|second|middle|last) of (a|each) group")
_WORDS = ("shuffled", "side by side", "alternating", "groups", "anybody")
_DRAWN = ("shuffled", "anybody")
_LIKE = ("second of a group", "middle of each group")


class Format(NamedTuple):
    """A format that can be dealt: the key that names it, its name, and a recipe for each key."""

    key: str
    name: str
    recipes: Mapping[str, Any]

    @property
    def group_key(self) -> str:
        """The key that holds the groups, or an empty string."""
        return next((k for k, r in self.recipes.items() if r == "groups"), "")

    def by_chance(self, said: Collection[str] = ()) -> bool:
        """Whether something is left to chance, the keys that are said aside."""
        drawn = [str(r) for k, r in self.recipes.items() if k not in said]
        return any(r in _DRAWN or r.endswith(" of a group") for r in drawn)


def formats(vocabulary: Vocabulary) -> list[str]:
    """Every format there is a file for."""
    return [n for sort in format_keys(vocabulary).values() for n in sort.words]


def find_format(name: str, vocabulary: Vocabulary) -> Format | None:
    """The format of a name as a book deals it, or None where the file doesn't say how.

    Raises TableError when there is no such format.
    """
    for key, sort in format_keys(vocabulary).items():
        if name in sort.words:
            recipes = format_file(name, sort, vocabulary)[1]
            return Format(key, name, recipes) if recipes else None
    known = formats(vocabulary)
    raise TableError(
        f"no format is called {quoted(name)}",
        hint=did_you_mean(name, known) or f"there are: {', '.join(known) or 'none'}",
    )


def choose(name: str, edition: str | None) -> tuple[Format, Book, str]:
    """A format that can be dealt, its book, and that book's edition.

    Where no edition is asked for, the first that says how, the default one before the others.
    Raises TableError.
    """
    book = load_book(edition)
    form = find_format(name, book.vocabulary)
    if form:
        return form, book, edition or book.name
    others = (e for e in names() if find_format(name, book.vocabulary._replace(editions=(e,))))
    other = next(others, "")
    if edition is None and other:
        return choose(name, other)
    raise TableError(
        f"{printable(edition or book.name)} doesn't say how {name} is dealt",
        hint=f"{other} does: --edition {other}" if other else "say the table with flags",
    )


def split(people: Sequence[str], groups: int) -> list[list[str]]:
    """People in groups as equal as can be, in the order given; no group is empty."""
    if groups < 1:
        raise TableError(f"{groups} groups can't be made", hint="one group is the least")
    groups = min(groups, len(people) or 1)
    size, more = divmod(len(people), groups)
    ends = [number * size + min(number, more) for number in range(groups + 1)]
    return [list(people[start:end]) for start, end in pairwise(ends)]


def deal(
    form: Format,
    people: Sequence[str],
    groups: int | Mapping[str, list[str]],
    vocabulary: Vocabulary,
    seed: int | None = None,
) -> dict[str, Any]:
    """The keys of a table with these people, in as many groups or in these ones by name.

    A seed deals the same table again; without one nobody can tell what comes.
    """
    if isinstance(groups, Mapping):
        named = dict(groups)
    else:
        fresh = _names(form.group_key, people, vocabulary)
        named = {next(fresh): group for group in split(people, groups)}
    chance = random.SystemRandom() if seed is None else random.Random(seed)
    dealer = _Dealer(list(people), named, chance, f"{form.name}.toml")
    keys = {key: dealer.fill(key, recipe) for key, recipe in form.recipes.items()}
    return {form.key: form.name, **keys}


def _names(key: str, people: Sequence[str], vocabulary: Vocabulary) -> Iterator[str]:
    """Names for groups that nobody has: what the key holds, and a letter."""
    shapes = [s for f in vocabulary.facts.values() for s in f.shapes if s.path[0] == key]
    word = next((s.path[1] for s in shapes if len(s.path) == 2), "Group")
    letters = (c * times for times in count(1) for c in ascii_uppercase)
    return (name for each in letters if (name := f"{word} {each}") not in people)


class _Dealer:
    """One deal. What is left to chance is drawn in the order the recipes stand."""

    def __init__(
        self, people: list[str], groups: dict[str, list[str]], chance: random.Random, file: str
    ) -> None:
        self.people, self.groups, self.chance, self.file = people, groups, chance, file

    def fill(self, key: str, recipe: Any) -> Any:
        """What a recipe puts under a key."""
        members = list(self.groups.values())
        match recipe:
            case "shuffled":
                return sorted(self.people, key=lambda _: self.chance.random())
            case "side by side":
                return [p for group in members for p in group]
            case "alternating":
                return [p for rank in zip_longest(*members) for p in rank if p is not None]
            case "groups":
                return self.groups
            case "anybody":
                return self._one(self.people)
            case {"each": int(amount)}:
                return dict.fromkeys(self.people, amount)
            case {"group": int(amount)}:
                return {name: amount * len(group) for name, group in self.groups.items()}
            case str() if match := _OF.fullmatch(recipe):
                if match[2] == "a":
                    return _member(self._one(members), match[1])
                return [_member(group, match[1]) for group in members]
        raise BookError(
            f"nobody knows how to deal {printable(key)}: {quoted(recipe)}",
            place=Place(self.file),
            hint="like: " + ", ".join(f'"{w}"' for w in (*_WORDS, *_LIKE)) + ", { each = 20 }",
        )

    def _one(self, several: Sequence[Any]) -> Any:
        """One of several; ``random()`` is the same for a seed in every Python."""
        return several[int(self.chance.random() * len(several))]


def _member(group: Sequence[str], which: str) -> str:
    """A member of a group; in one too small the last, and the rules may refuse the table."""
    last = len(group) - 1
    spot = {"first": 0, "second": 1, "middle": last // 2, "last": last}[which]
    return group[min(spot, last)]

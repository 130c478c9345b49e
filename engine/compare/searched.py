"""A corpus of games, asked of two books at once: what differs there is found, nothing is proved.

The games are drawn so that both books' answers come about in them, and wherever it can be come
across, a difference between the two. Of the games in which a question is answered differently the
smallest is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..book import Names, Vocabulary
from ..worlds import FALSE, Columns, Corpus, Game, Plan, Rich, Size, Worlds, joined, planned, solve
from .decide import Decider

LOOKED_AT = 64
"""Of so many games with one difference the smallest is taken."""

FIRST, SECOND = 4, 3
"""So many names of the first two sorts are drawn from where no bound is said."""

Nodes = tuple[int, ...]
Tell = Callable[[int], object]
Work = Callable[[Plan, Columns, Tell], list[int]]


class Drawn:
    """Games of a corpus, asked as ``Games`` is, which asks all of them.

    Two passes: while nothing is known yet every question is noted down, and there seems to be no
    game for it; then ``look`` answers all of them at once.
    """

    def __init__(self, worlds: Worlds) -> None:
        self.worlds, self.circuit = worlds, worlds.circuit
        self._asked: dict[Nodes, None] = {}
        self._found: dict[Nodes, tuple[int, ...]] = {}
        self._corpus: Corpus | None = None

    def any(self, *nodes: int) -> bool:
        """Whether all of some nodes hold in some game."""
        return bool(self._games(nodes))

    def smallest(self, *nodes: int) -> Game | None:
        """The smallest of the first games in which all of some nodes hold, or None."""
        games = [self._game(at) for at in self._games(nodes)]
        return min(games, key=lambda game: game.size, default=None)

    def close(self) -> None:
        """Let the games go."""
        self._corpus = None

    def nodes(self) -> list[int]:
        """A node for each question that was noted down."""
        return [self.circuit.all_of(each) for each in self._asked]

    def look(self, corpus: Corpus, told: Tell = lambda _: None, work: Work = solve) -> None:
        """Answer all that was noted down by these games; ``told`` hears how many are done.

        ``work`` is who works it off: this process, or several.
        """
        self._corpus = corpus
        self._work_off(list(self._asked), told, work)

    def _work_off(self, asked: Sequence[Nodes], told: Tell, work: Work) -> None:
        assert self._corpus is not None
        roots = [self.circuit.all_of(each) for each in asked]
        held = work(planned(self.circuit, roots), self._corpus.columns, told)
        for each, column in zip(asked, held, strict=True):
            self._found[each] = tuple(_first(column))

    def _games(self, nodes: Nodes) -> Sequence[int]:
        if FALSE in nodes:
            return ()
        if self._corpus is None:
            self._asked.setdefault(nodes)
            return ()
        if nodes not in self._found:
            self._work_off([nodes], lambda _: None, solve)
        return self._found[nodes]

    def _game(self, at: int) -> Game:
        assert self._corpus is not None
        vocabulary = self.worlds.universe.vocabulary
        facts = self._corpus.facts(at)
        said = tuple(f for f in facts if f.row != vocabulary.facts[f.name].default)
        values = {value for fact in said for value in fact.row}
        names = {value for value in values if value in self.worlds.names}
        first = names & set(self.worlds.first)
        return Game(said, Size(len(first), len(names) - len(first), len(said)))


def _first(column: int) -> list[int]:
    """The first games of a column."""
    out: list[int] = []
    while column and len(out) < LOOKED_AT:
        low = column & -column
        out.append(low.bit_length() - 1)
        column ^= low
    return out


def drawn_from(vocabulary: Vocabulary) -> dict[str, int]:
    """The bound of games where none is said: some names of the first two sorts."""
    sorts = [name for name, sort in vocabulary.sorts.items() if isinstance(sort, Names)]
    return dict(zip(sorts, (FIRST, SECOND), strict=False))


def drawn(
    decider: Decider, games: int, seed: int, told: Callable[[int], object] = lambda _: None
) -> Corpus:
    """Games in which two books' verdicts come about, and what tells them apart, from a seed.

    What was noted down comes about in them as well. Half of them are such as the first book takes,
    half such as the second takes. Raises SeatlogError where no game was come across.
    """
    parts = [_half(decider, own, games, seed, told) for own in (True, False)]
    return joined(parts)


def _half(
    decider: Decider, own: bool, games: int, seed: int, told: Callable[[int], object]
) -> Corpus:
    """The half of the games that one of two books takes."""
    wanted: dict[str, list[int]] = {}
    if isinstance(decider.games, Drawn):
        wanted = {f"asked {at}": [node] for at, node in enumerate(decider.games.nodes())}
    for asked in decider.asked:
        for point in decider.points(asked):
            verdict = point.a if own else point.b
            wanted.setdefault(f"yes {asked.text}", []).append(verdict.holds)
            wanted.setdefault(f"open {asked.text}", []).append(verdict.open)
            wanted.setdefault(f"differs {asked.text}", []).append(decider.differs(point))
    number = games // 2 if own else games - games // 2
    start = 0 if own else games // 2
    judged = decider.a if own else decider.b
    return Rich(judged, seed + (not own), wanted).games(number, lambda done: told(start + done))


def difference_plan(decider: Decider) -> tuple[Plan, list[list[object]]]:
    """What tells in which games each question is answered differently, with the questions.

    A question is its verb, the words behind it, and its row.
    """
    roots: list[int] = []
    labels: list[list[object]] = []
    for asked in decider.asked:
        for point in decider.points(asked):
            node = decider.circuit.all_of([decider.differs(point), point.there, *decider.taken])
            if node != FALSE:
                roots.append(node)
                labels.append([asked.word, list(asked.behind), list(point.row)])
    return planned(decider.circuit, roots), labels


def tallied(
    plan: Plan, labels: Sequence[Sequence[object]], corpus: Corpus
) -> Mapping[str, tuple[int, int]]:
    """For each verb in how many games some question is answered differently, and the first."""
    columns: dict[str, int] = {}
    for (word, *_), column in zip(labels, solve(plan, corpus.columns), strict=True):
        columns[str(word)] = columns.get(str(word), 0) | column
    return {
        word: (column.bit_count(), (column & -column).bit_length() - 1)
        for word, column in columns.items()
        if column
    }

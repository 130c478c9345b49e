"""A corpus of games, asked of two books at once: what differs there is found, nothing is proved.

The games are drawn so that both books' answers come about in them, and wherever it can be come
across, a difference between the two. Of the games in which a question is answered differently the
smallest is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..book import Names, Vocabulary
from ..worlds import FALSE, Corpus, Plan, Rich, joined, planned, solve
from .decide import Decider

FIRST, SECOND = 4, 3
"""So many names of the first two sorts are drawn from where no bound is said."""


def drawn_from(vocabulary: Vocabulary, first: int = FIRST, second: int = SECOND) -> dict[str, int]:
    """The bound of games where none is said: some names of the first two sorts."""
    sorts = [name for name, sort in vocabulary.sorts.items() if isinstance(sort, Names)]
    return dict(zip(sorts, (first, second), strict=False))


Aims = Callable[[Decider, bool], Mapping[str, Sequence[int]]]
"""What is to come about in the games that the first book takes, or the second: nodes by a name."""


def thorough(decider: Decider, own: bool) -> dict[str, list[int]]:
    """That each verdict comes about, and each way in which the books may part."""
    circuit = decider.circuit
    wanted = {
        f"parting {at}": [circuit.all_of([circuit.any_of(each.ways), *each.held])]
        for at, each in enumerate(decider.partings())
    }
    for asked in decider.asked:
        for point in decider.points(asked):
            verdict = point.a if own else point.b
            wanted.setdefault(f"yes {asked.text}", []).append(verdict.holds)
            wanted.setdefault(f"open {asked.text}", []).append(verdict.open)
            wanted.setdefault(f"differs {asked.text}", []).append(decider.differs(point))
    return wanted


def apart(decider: Decider, _own: bool) -> dict[str, list[int]]:
    """That a verb's verdicts differ, and no more, which is found sooner."""
    return {
        asked.text: [
            decider.circuit.all_of([decider.differs(point), point.there, *decider.taken])
            for point in decider.points(asked)
        ]
        for asked in decider.asked
    }


def drawn(
    decider: Decider,
    games: int,
    seed: int,
    told: Callable[[int], object] = lambda _: None,
    aims: Aims = thorough,
) -> Corpus:
    """Games in which two books' verdicts come about, and what tells them apart, from a seed.

    Half of them are such as the first book takes, half such as the second takes. Raises
    SeatlogError where no game was come across.
    """
    parts = [_half(decider, own, games, seed, told, aims) for own in (True, False)]
    return joined(parts)


def _half(
    decider: Decider, own: bool, games: int, seed: int, told: Callable[[int], object], aims: Aims
) -> Corpus:
    """The half of the games that one of two books takes."""
    wanted = aims(decider, own)
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

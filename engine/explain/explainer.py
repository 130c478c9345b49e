"""Put proofs and refutations into sentences with rule numbers.

The *short* reason walks down from the answer, says each predicate that has sentences, and stops
where a predicate ``tells`` what it found. The *tree* goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..book import PROHIBITION, Sentence
from ..errors import Place
from ..model import Clause, Item, Literal, Row, variables
from ..solvers import ground
from .citing import Citer
from .doubts import Doubts
from .node import Node
from .prove import Prover
from .sentences import FREE, Line, Speaker, once
from .tracing import Tracer

if TYPE_CHECKING:
    from .nearest import Nearest

TOO_MUCH = "so much is open here that what it comes to wasn't worked out for every row"


class Reason(NamedTuple):
    """Why an answer is what it is."""

    lines: tuple[Line, ...]
    cites: tuple[str, ...]


class Open(NamedTuple):
    """The rows of a question that the rules leave open, answers or not, each with the doubts.

    Not ``whole``: so much is open that not every row was looked at.
    """

    rows: Mapping[Row, tuple[str, ...]]
    whole: bool


SETTLED = Open({}, True)
"""Nothing is open."""


class Explainer:
    """Reasons over one book and one table."""

    def __init__(self, prover: Prover) -> None:
        self.prover, self.book = prover, prover.book
        self.speaker = Speaker(self.book)
        self.tracer = Tracer(prover)
        self.citer = Citer(self.tracer)
        self._doubts = Doubts(prover)
        self._doubted: dict[Literal, str] = {}
        self._reasons: dict[Literal, Reason] = {}

    def reason(self, literal: Literal) -> Reason:
        """The short reason and the rules cited for a ground literal, or one without answers."""
        reason = self._reasons.get(literal)
        if reason is None:
            node = self.tracer.node(literal)
            lines = list(self._short(node, 0))
            if not node.holds and self._failing(node).isdisjoint(line.text for line in lines):
                lines += [*self._strange(node), *self._ends(node)]
            if not lines and (text := self.speaker.denied(node)):
                lines.append(Line(0, text, self.citer.own_rules(node), node.holds))
            reason = self._reasons[literal] = Reason(tuple(once(lines)), self.citer.cites(node))
        return reason

    def nearest(self, items: tuple[Item, ...]) -> list[Literal]:
        """How far items get that have no answer together: what they meet, and where it ends."""
        clause = Clause(Literal("question ", ()), items, "", Place("question"))
        reached = self.prover.search().reach(clause, {})
        ends = [reached.failing] if isinstance(reached.failing, Literal) else []
        return [*reached.met, *(ground(each, reached.env) for each in ends)]

    def candidates(self, literal: Literal) -> Nearest:
        """What came closest to being an answer to a literal that has none."""
        from .nearest import nearest

        return nearest(self.tracer, literal)

    def open(self, items: Sequence[Item], names: Sequence[str]) -> Open:
        """What the rules leave open of a question; ``names`` are its variables."""
        rows, whole = self._doubts.open(items, names)
        if whole and not rows:
            return SETTLED
        said = {row: map(self._doubt, sorted(doubts, key=str)) for row, doubts in rows.items()}
        return Open({row: tuple(dict.fromkeys(doubts)) for row, doubts in said.items()}, whole)

    def doubts(self, literal: Literal) -> list[str]:
        """Why the rules leave an answer open, where they do; the reading taken stands in it."""
        found = self.open((literal.atom,), tuple(dict.fromkeys(variables(literal.args))))
        said = dict.fromkeys(doubt for doubts in found.rows.values() for doubt in doubts)
        return [*said] if found.whole else [*said, TOO_MUCH]

    def _doubt(self, literal: Literal) -> str:
        """A doubt in words."""
        known = self._doubted.get(literal)
        if known is None:
            own = any(clause.yes for clause in self.book.by_head.get(literal.name, ()))
            proof = (self.prover.prove(literal) if own else None) or Node(literal, True)
            known = self._doubted[literal] = str(self.speaker.spelled(proof))
        return known

    def tree(self, literal: Literal, whole: bool = False) -> list[Line]:
        """The steps, indented: those that people read, or each of them."""
        from .tree import Tree

        trees, node = Tree(self.speaker, self.citer), self.tracer.node(literal)
        return trees.whole(node) if whole else trees.brief(node)

    def _short(self, node: Node, depth: int, under: bool = False) -> Iterator[Line]:
        """The sentences from a step down; ``under``: whether the step above has spoken."""
        item = node.item
        if not isinstance(item, Literal):
            return
        if node.clause is None and node.alone and depth:
            yield from self._leaf(node, item, depth, under)
            return
        text = self.speaker.sentence(node)
        told = self.tracer.told(item)
        if text and not (told and depth and not self._adds(node, item)):
            rules = () if told and not node.holds else self.citer.own_rules(node)
            yield Line(min(depth, 1), text, rules, node.holds)
        for each in told:
            yield Line(1, self.speaker.sentence(each), self.citer.cites(each), True)
        if told or (node.holds and text and depth and not self._telling(node)):
            return
        for child in sorted(node.children, key=self._tells_beneath):
            yield from self._beneath(child, depth + 1, bool(text))

    def _adds(self, node: Node, item: Literal) -> bool:
        """Whether a step's clause has words of its own, and its section nothing else to tell."""
        predicate = self.book.predicates.get(item.name)
        clause = node.clause
        if not (node.holds and predicate and clause and clause.yes):
            return False
        return clause.rule not in predicate.telling

    def _leaf(self, node: Node, item: Literal, depth: int, under: bool) -> Iterator[Line]:
        """A fact, or a negation: what stands in a table is said only where it decides a no."""
        if node.holds:
            if self.book.role(item.name) != PROHIBITION:
                for each in self.tracer.behind(node):
                    yield from self._short(each, depth)
        elif not under and (text := self.speaker.sentence(node)):
            yield Line(1, text, (), False)

    def _failing(self, node: Node) -> set[str]:
        """What can be said of the steps below a no, on the way down to where it ends."""
        found: set[str] = set()
        todo = [node]
        while todo:
            step = todo.pop()
            found.add(self.speaker.but(step))
            told = self.tracer.told(step.item) if isinstance(step.item, Literal) else []
            if told:
                found.update(self.speaker.sentence(each) for each in told)
                continue
            for child in step.children:
                if child.clause is None or child.holds:
                    found.add(self.speaker.denied(child))
                todo.append(child)
        return found - {"", self.speaker.sentence(node)}

    def _strange(self, node: Node) -> Iterator[Line]:
        """The names that a question's predicate can't speak of."""
        if isinstance(node.item, Literal) and not node.children:
            for text in self.prover.strangers(node.item):
                yield Line(1, Sentence(text), (), True)

    def _ends(self, node: Node) -> Iterator[Line]:
        """What a no comes down to where no step below it has spoken: the last that has words."""
        for child in node.children:
            if child.clause and not child.holds:
                yield from self._ends(child)
                continue
            text = self.speaker.denied(child)
            below = [] if child.holds and text else list(self._ends(child))
            if below:
                yield from below
            elif text and FREE not in text:
                yield Line(1, text, self.citer.own_rules(child), child.holds)

    def _tells_beneath(self, node: Node) -> bool:
        return bool(self.tracer.told(node.item)) if isinstance(node.item, Literal) else False

    def _telling(self, node: Node) -> bool:
        """Whether a step further down tells something."""
        todo = list(node.children)
        while todo:
            step = todo.pop()
            if isinstance(step.item, Literal) and self.tracer.told(step.item):
                return True
            todo += step.children
            if isinstance(step.item, Literal) and (self.book.role(step.item.name) != PROHIBITION):
                todo += self.tracer.behind(step)
        return False

    def _beneath(self, node: Node, depth: int, under: bool) -> Iterator[Line]:
        """A refuted clause says what it met before what failed; anything else speaks for itself."""
        if node.clause is None or node.holds:
            yield from self._short(node, depth, under)
            return
        for met in self.tracer.introduced(node):
            yield from self._short(met, depth)
        if but := self.speaker.but(node):
            yield Line(1, but, self.citer.own_rules(node), False)
        for child in node.children:
            yield from self._short(child, depth, under)

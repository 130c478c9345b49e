"""The steps of a reason as a tree: in brief, as people read it, or every step there is.

In brief a step is said once, in words; what only keeps books (arithmetic, defaults, who was said to
be what) is passed through, and where a predicate ``tells`` something the tree goes on with that.
The deepest steps give way until the whole fits on a screen; how many they are is said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from ..book import NOTHING, Sentence
from ..errors import many
from ..model import Literal
from ..solvers import ground
from .citing import Citer
from .node import Node
from .sentences import FREE, Line, Speaker

MOST_BRIEF = 19
MAX_DEPTH = 400


class Branch(NamedTuple):
    """A line and what stands beneath it."""

    line: Line
    below: tuple[Branch, ...]


class Tree:
    """Trees over one book and one table."""

    def __init__(self, speaker: Speaker, citer: Citer) -> None:
        self.speaker, self.citer = speaker, citer
        self.tracer, self.book = citer.tracer, citer.book

    def brief(self, node: Node, most: int = MOST_BRIEF) -> list[Line]:
        """The steps in words, each once, on as many lines at most; the numbers are those cited."""
        every = list(_flat(self._branches(node, "", set(), 0)))
        lines, deepest = every, max((line.depth for line in every), default=0)
        while len(lines) > most and deepest > 1:
            lines = [line for line in lines if line.depth < deepest]
            deepest -= 1
        cites = {*self.citer.cites(node)}
        lines = [_only(line, cites) for line in lines[:most]]
        if len(lines) < len(every):
            left = many(len(every) - len(lines), "step")
            lines.append(Line(1, Sentence(f"… and {left} below these"), (), True))
        return lines

    def _branches(self, node: Node, above: str, seen: set[str], depth: int) -> Iterator[Branch]:
        """What a step and those beneath it say; a step that says nothing is passed through.

        So is one that says what the step ``above`` has said, or of nobody in particular; what was
        said elsewhere is not gone into again.
        """
        if depth > MAX_DEPTH:
            return
        item = node.item
        if node.clause and not node.holds:
            if (but := self.speaker.but(node)) and but not in seen:
                seen.add(but)
                yield Branch(Line(0, but, self._rules(node), False), ())
            for each in self._refused(node):
                yield from self._branches(each, above, seen, depth + 1)
            return
        if not isinstance(item, Literal):
            for each in node.children:
                yield from self._branches(each, above, seen, depth + 1)
            return
        beneath = self._beneath(node)
        text = NOTHING if self._is_passed(item.name) else self._text(node, bool(beneath))
        if depth and FREE in text:
            text = NOTHING
        if text in seen and text != above:
            return
        said = text if text != above else NOTHING
        if text:
            seen.add(text)
        below = [b for x in beneath for b in self._branches(x, said or above, seen, depth + 1)]
        if said:
            yield Branch(Line(0, said, self._rules(node), node.holds), tuple(below))
        else:
            yield from below

    def _refused(self, node: Node) -> list[Node]:
        """What a refuted clause met and what failed; of numbers only what they are about."""
        literals = [c for c in node.children if isinstance(c.item, Literal)]
        if literals:
            return [*self.tracer.introduced(node), *literals]
        proofs = (self.tracer.prover.prove(met) for met in node.met)
        return [proof for proof in proofs if proof]

    def _is_passed(self, name: str) -> bool:
        predicate = self.book.predicates.get(name)
        return bool(predicate and predicate.bookkeeping)

    def _text(self, node: Node, rests: bool) -> Sentence:
        """A step in words; what holds because nothing says otherwise isn't worth a line."""
        item = node.item
        assert isinstance(item, Literal)
        if item.negated and node.holds and not rests:
            return NOTHING
        return self.speaker.sentence(node) or self.speaker.spelled(node)

    def _beneath(self, node: Node) -> list[Node]:
        """The steps that people read on with."""
        item = node.item
        assert isinstance(item, Literal)
        told = self.tracer.told(item)
        if told:
            return told
        if item.negated and node.holds:
            return self.tracer.behind(node)
        return list(node.children)

    def whole(self, node: Node) -> list[Line]:
        """Every step; one that was shown already is not gone into again."""
        return list(self._whole(node, 0, set()))

    def _whole(self, node: Node, depth: int, seen: set[tuple[str, bool]]) -> Iterator[Line]:
        if depth > MAX_DEPTH:
            return
        steps = list(self.tracer.beneath(node))
        if node.holds and node.clause and isinstance(node.item, Literal):
            steps = [*self.tracer.told(node.item), *steps]
        rules = self._rules(node)
        if node.clause and not node.holds:
            yield Line(depth, Sentence("not by this rule:"), rules, False)
        else:
            mark = (str(node.item), node.holds)
            again = mark in seen and bool(steps)
            tried = [x for x in steps if x.clause and not x.holds]
            if len(tried) == 1 and not node.clause:
                at = steps.index(tried[0])
                steps[at : at + 1] = self.tracer.beneath(tried[0])
            text = self._spelled(node)
            yield Line(depth, _again(text) if again else text, rules, node.holds)
            if again:
                return
            seen.add(mark)
        for step in steps:
            yield from self._whole(step, depth + 1, seen)

    def _spelled(self, node: Node) -> Sentence:
        """A step in words, or as a literal where it only keeps books."""
        item = node.item
        if not isinstance(item, Literal):
            return self.speaker.sentence(node)
        if self._is_passed(item.name):
            atom = ground(item.atom, node.env)
            return Sentence(f"{'' if node.holds != item.negated else '~'}{atom}")
        return self.speaker.spelled(node)

    def _rules(self, node: Node) -> tuple[str, ...]:
        """The section of the clause that decides a step, or of all that could have."""
        clauses = [node.clause] if node.clause else []
        if not clauses:
            tried = (*node.children, *self.tracer.behind(node))
            clauses = [c.clause for c in tried if c.clause and not c.holds]
        clauses = [c for c in clauses if not self.citer.is_left_out(c, node)]
        rules = {c.rule for c in clauses}
        if len(rules) != 1:
            return ()
        section = self.book.sections[rules.pop()]
        return (f"stands for {section.number}" if section.stands_for else section.number,)


def _only(line: Line, cites: Collection[str]) -> Line:
    """A line with those of its rules that are cited, and background."""
    kept = (rule for rule in line.rules if rule in cites or not rule[:1].isdigit())
    return line._replace(rules=tuple(kept))


def _again(said: Sentence) -> Sentence:
    return Sentence(f"{said} (as above)", f"{said.template} (as above)", said.args)


def _flat(branches: Iterable[Branch], depth: int = 0) -> Iterator[Line]:
    for branch in branches:
        yield branch.line._replace(depth=depth)
        yield from _flat(branch.below, depth + 1)

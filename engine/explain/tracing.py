"""What stands behind a step of an explanation, and what a predicate tells about a case."""

from __future__ import annotations

from collections.abc import Iterator

from ..book import PROHIBITION
from ..model import Comparison, Const, Literal, Term, Value, Var, variables
from ..solvers import ground, row_of
from .node import Node
from .prove import Prover

MAX_TOLD = 8


class Tracer:
    """Looks from a step of an explanation at what it rests on, over one book and one table."""

    def __init__(self, prover: Prover) -> None:
        self.prover, self.book = prover, prover.book
        self._told: dict[Literal, list[Node]] = {}

    def node(self, literal: Literal) -> Node:
        """The proof of a literal that holds, or the refutation of one that doesn't."""
        if row_of(literal) is not None:
            proof = self.prover.prove(literal)
            if proof is not None:
                return proof
        return self.prover.refute(literal)

    def behind(self, node: Node) -> list[Node]:
        """What stands behind a negation that holds.

        Of a prohibition, the clauses that were concerned and spared the case; of another predicate
        that can say no, its refutation.
        """
        item = node.item
        if not (isinstance(item, Literal) and item.negated and node.holds):
            return []
        if self.book.role(item.name) == PROHIBITION:
            return self.prover.tested(item.atom)
        predicate = self.book.predicates.get(item.name)
        return [self.prover.refute(item.atom)] if predicate and predicate.no else []

    def told(self, literal: Literal) -> list[Node]:
        """What a predicate tells about a case: proofs of its told literals.

        Of what a question leaves open nothing is told, for any name would do; some things are told
        only where it leaves something open.
        """
        predicate = self.book.predicates.get(literal.name)
        if predicate is None or literal.negated or not (predicate.tells or predicate.tells_none):
            return []
        found = self._told.get(literal)
        if found is None:
            pairs = zip(predicate.params, literal.args, strict=False)
            free = {name for name, term in pairs if isinstance(term, Var)}
            every = (*predicate.tells_none, *predicate.tells) if free else predicate.tells
            wanted = tuple(t for t in every if not free & set(variables(t.args)))
            found = self._told[literal] = self.asked(literal, wanted)
        return found

    def asked(self, literal: Literal, wanted: tuple[Literal, ...]) -> list[Node]:
        """Proofs of other literals about the same case, with the variables of its predicate."""
        if not wanted:
            return []
        env = {
            name: term.value
            for name, term in zip(
                self.book.predicates[literal.name].params, literal.args, strict=False
            )
            if isinstance(term, Const)
        }
        out = []
        for told in wanted:
            for row in self.prover.solver.rows(ground(told, env))[:MAX_TOLD]:
                args: tuple[Term, ...] = tuple(Const(v) for v in row)
                proof = self.prover.prove(Literal(told.name, args))
                if proof:
                    out.append(proof)
        return out

    def introduced(self, node: Node) -> list[Node]:
        """Proofs of the met literals that brought in a name the failing item speaks of."""
        if node.clause is None or not node.met:
            return []
        free = {t.name for t in node.clause.head.args if isinstance(t, Var)}
        bound = {v for k, v in node.env.items() if k in free}
        spoken: set[Value] = set()
        for child in node.children:
            if isinstance(child.item, Literal):
                spoken |= {t.value for t in child.item.args if isinstance(t, Const)}
        out = []
        for met in node.met:
            if ({t.value for t in met.args if isinstance(t, Const)} - bound) & spoken:
                proof = self.prover.prove(met)
                if proof:
                    out.append(proof)
        return out

    def steps(self, todo: list[Node], most: int = 500) -> Iterator[Node]:
        """The steps of an explanation, level by level, each once."""
        seen: set[int] = set()
        while todo and len(seen) < most:
            step = todo.pop(0)
            if id(step) not in seen:
                seen.add(id(step))
                yield step
                todo += self.beneath(step)

    def beneath(self, node: Node) -> Iterator[Node]:
        """What the tree shows beneath a step."""
        if isinstance(node.item, Literal) and node.clause is None:
            if node.item.negated and node.holds:
                yield from self.prover.refute(node.item.atom).children
            yield from self.told(node.item)
        for met in node.met:
            proof = self.prover.prove(met)
            if proof:
                yield proof
        for child in node.children:
            if not (isinstance(child.item, Comparison) and child.item.op == "==" and child.holds):
                yield child

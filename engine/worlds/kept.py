"""Plans and circuits kept in the user's cache: numbers and facts, named after their content.

What is kept is data and never code. The name is made of everything that the plan was made from,
the program included; what is missing or damaged is made again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..editions import fingerprint, keep, kept, layout
from .circuit import AND, OR, TRUE, Circuit, Stated
from .ground import Universe
from .run import ONE, Plan

LAYOUT = 1
MOST = 16_000_000
"""A larger text isn't kept."""
_ROOMS = ("language", "book", "lint", "editions", "table", "worlds")


def key_of(*parts: object) -> str:
    """The name of what is made of these parts, which JSON can write, by this program."""
    return fingerprint(json.dumps([LAYOUT, layout(_ROOMS), *parts], sort_keys=True).encode())


def keep_plan(key: str, plan: Plan, labels: Sequence[object]) -> None:
    """Keep a plan; ``labels`` say of each result what it is, as JSON has it."""
    steps = [n for step in plan.steps for n in step]
    data = [as_lists(plan.facts), steps, plan.results, plan.registers, list(labels)]
    keep(key, json.dumps(data, separators=(",", ":")), MOST)


def kept_plan(key: str) -> tuple[Plan, list[Any]] | None:
    """The plan of this name with its labels, or None."""
    try:
        facts, steps, results, registers, labels = json.loads(kept(key, MOST) or "null")
        plan = as_plan(of_lists(facts), steps, results, registers)
        return (plan, labels) if len(labels) == len(results) else None
    except (ValueError, TypeError, RecursionError):
        return None


def as_plan(facts: Sequence[Stated], steps: list[int], results: list[int], registers: int) -> Plan:
    """A plan out of its numbers, steps one after the other. Raises ValueError for no plan.

    A step looks at registers that are filled, and fills none that belongs to a fact.
    """
    fixed = len(facts) + 2
    if len(steps) % 4 or not set(map(type, (*steps, *results, registers))) <= {int}:
        raise ValueError("these are no steps")
    kinds, ones, others, filled = (steps[at::4] for at in range(4))
    if steps and not (
        min(kinds) >= 0
        and max(kinds) <= ONE
        and min(min(ones), min(others)) >= 0
        and max(*ones, *others, *filled) < registers
        and min(filled) >= fixed
    ):
        raise ValueError("these steps use registers that there aren't")
    if results and not 0 <= min(results) <= max(results) < max(registers, fixed):
        raise ValueError("these results are in no register")
    if not fixed <= registers <= fixed + len(kinds):
        raise ValueError("no plan has so many registers")
    rows = tuple(zip(kinds, ones, others, filled, strict=True))
    return Plan(tuple(facts), rows, tuple(results), registers)


def keep_circuit(key: str, circuit: Circuit, roots: Sequence[int]) -> None:
    """Keep what some nodes rest on, and which they are."""
    order = circuit.under(roots)
    number = {TRUE: 1} | {node: i for i, node in enumerate(order, 2)}
    gates: list[object] = []
    for node in order:
        if node in circuit.facts:
            name, row = circuit.facts[node]
            gates.append([name, *row])
        else:
            inputs = sorted(number[abs(n)] * (1 if n > 0 else -1) for n in circuit.inputs[node])
            gates.append([int(circuit.kinds[node] == AND), *inputs])
    signed = [number[abs(r)] * (1 if r > 0 else -1) for r in roots]
    keep(key, json.dumps([gates, signed], separators=(",", ":")), MOST)


def kept_circuit(key: str, universe: Universe) -> tuple[Circuit, list[int]] | None:
    """A circuit with these nodes and nothing else, and which they are in it; or None."""
    try:
        gates, roots = json.loads(kept(key, MOST) or "null")
        circuit = Circuit(universe)
        node = {1: TRUE, -1: -TRUE}
        for number, (first, *rest) in enumerate(gates, 2):
            if isinstance(first, str):
                made = circuit.fact(first, tuple(rest))
            else:
                made = circuit.gate(AND if first else OR, [node[n] for n in rest])
            node[number], node[-number] = made, -made
        return circuit, [node[root] for root in roots]
    except (ValueError, TypeError, LookupError, RecursionError):
        return None


def as_lists(facts: Sequence[Stated]) -> list[list[object]]:
    """Facts as JSON has them: lists of a name and values."""
    return [[name, *row] for name, row in facts]


def of_lists(plain: object) -> list[Stated]:
    """Facts out of lists of a name and values. Raises ValueError for anything else."""
    if not isinstance(plain, list):
        raise ValueError("facts are a list")
    for each in plain:
        if not isinstance(each, list) or not each or not isinstance(each[0], str):
            raise ValueError("a fact has a name")
        if not all(type(value) in (str, int) for value in each):
            raise ValueError("a value is a text or a number")
    return [(name, tuple(row)) for name, *row in plain]

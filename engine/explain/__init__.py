"""Why an answer is what it is: proofs, refutations, the rules cited, and sentences.

Built from a book's clauses and answers to single literals, so every solver gets it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .doubts import Doubts as Doubts
    from .explainer import SETTLED as SETTLED
    from .explainer import TOO_MUCH as TOO_MUCH
    from .explainer import Explainer as Explainer
    from .explainer import Open as Open
    from .explainer import Reason as Reason
    from .nearest import Nearest as Nearest
    from .node import Node as Node
    from .prove import Prover as Prover
    from .sentences import Line as Line
    from .sentences import said as said
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        doubts="Doubts",
        explainer="Explainer Open Reason SETTLED TOO_MUCH",
        nearest="Nearest",
        node="Node",
        prove="Prover",
        sentences="Line said",
    )

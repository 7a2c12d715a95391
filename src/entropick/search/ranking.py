"""Ranking: every candidate by what it is worth alone. No search at all, and the only one linear in features."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..measures.measure import Evidence, Measure
from .choice import TIE, Choice, Outcome
from .forward import forward


def ranking(
    measure: Measure,
    k: int,
    allowed: NDArray[np.bool_],
    first: tuple[int, ...] = (),
    evidence: Evidence | None = None,
    verbose: int = 0,
) -> Outcome:
    """The k candidates of the highest gain on the empty set; ties to the lowest number."""
    if evidence is not None:
        return forward(measure, k, allowed, first, evidence, verbose)
    scores = measure.gains()
    order = np.array([*first, *(j for j in _ranked(scores) if allowed[j] and j not in first)], dtype=np.intp)
    worth = [*scores[order].tolist(), None]
    after = [*order[1:].tolist(), None]
    choices = [
        Choice(candidate, worth[step], after[step], worth[step + 1], measure.account(candidate))
        for step, candidate in enumerate(order[:k].tolist())
    ]
    return Outcome(choices, f"{k} chosen, as asked" if k < order.size else "every candidate is ranked")


def _ranked(scores: NDArray[np.float64]) -> list[int]:
    """Numbers by falling score; a run of scores as good as its first goes by rising number."""
    falling = np.argsort(-scores, kind="stable")
    order, worth = falling.tolist(), scores[falling].tolist()  # lists: an array's numbers are slow one by one
    out: list[int] = []
    start = 0
    for stop in range(1, len(order) + 1):
        top = worth[start]
        if stop == len(order) or worth[stop] < top - TIE * max(1.0, abs(top)):
            out.extend(sorted(order[start:stop]))
            start = stop
    return out

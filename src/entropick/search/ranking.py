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
    choices = []
    for step in range(k):
        candidate = int(order[step])
        after = int(order[step + 1]) if step + 1 < order.size else None
        choices.append(
            Choice(
                candidate,
                float(scores[candidate]),
                after,
                None if after is None else float(scores[after]),
                measure.account(candidate),
            )
        )
    return Outcome(choices, f"{k} chosen, as asked" if k < order.size else "every candidate is ranked")


def _ranked(scores: NDArray[np.float64]) -> list[int]:
    """Numbers by falling score; a run of scores as good as its first goes by rising number."""
    order = np.argsort(-scores, kind="stable")
    out: list[int] = []
    start = 0
    for stop in range(1, order.size + 1):
        top = scores[order[start]]
        if stop == order.size or scores[order[stop]] < top - TIE * max(1.0, abs(top)):
            out.extend(sorted(int(j) for j in order[start:stop]))
            start = stop
    return out

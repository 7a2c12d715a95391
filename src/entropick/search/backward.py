"""Backward elimination: start from everything and give up what contributes least."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..measures.measure import Account, Evidence, Removable
from ..progress import track
from .choice import Choice, Outcome, worst


def backward(
    measure: Removable,
    k: int,
    allowed: NDArray[np.bool_],
    first: tuple[int, ...] = (),
    evidence: Evidence | None = None,
    verbose: int = 0,
) -> Outcome:
    """Remove down to one; the last k to go are the choice, the very last first.

    A choice's score is what it contributed to the others when it was its turn to go. Of equal contributions the
    highest number goes first. ``first`` go last, and what is not allowed goes before anything else.
    """
    measure.fill()
    kept = np.ones(measure.n_candidates, bool)
    forbidden = ~allowed
    forbidden[list(first)] = False
    for candidate in np.flatnonzero(forbidden)[::-1]:
        measure.remove(int(candidate))
        kept[candidate] = False
    removed: list[Choice] = []
    fixed = np.zeros(measure.n_candidates, bool)
    fixed[list(first)] = True
    for _ in track(int(kept.sum()), "eliminating", verbose):
        scores = measure.contributions()
        loose = kept & ~fixed
        candidate = worst(scores, loose) if loose.any() else [j for j in first if kept[j]][-1]
        removed.append(Choice(candidate, float(scores[candidate]), account=Account()))
        measure.remove(candidate)
        kept[candidate] = False
    return Outcome(removed[::-1][:k], f"eliminated down to {k}" if k < len(removed) else "every candidate is ranked")

"""Backward elimination: start from everything and give up what contributes least."""

from __future__ import annotations

import numpy as np

from ..measures.measure import Account, Removable
from ..progress import track
from .choice import Choice, Outcome, worst
from .task import Task


def backward(measure: Removable, task: Task) -> Outcome:
    """Remove down to one; the last k to go are the choice, the very last first.

    A choice's score is what it contributed to the others when it was its turn to go. Of equal contributions the
    highest number goes first. A measure with a ``step`` gives up that share of what is left, at least one, before it is
    asked again. ``first`` go last, and what is not allowed goes before anything else.
    """
    measure.fill()
    k, first = task.k, task.first
    kept = task.able()
    for candidate in np.flatnonzero(~kept)[::-1]:
        measure.remove(int(candidate))
    removed: list[Choice] = []
    fixed = np.zeros(measure.n_candidates, bool)
    fixed[list(first)] = True
    scores, at_once = np.zeros(0), 0
    for _ in track(int(kept.sum()), "eliminating", task.verbose):
        if at_once == 0:  # a round begins: contributions are asked anew
            scores = measure.contributions()
            at_once = max(1, int(getattr(measure, "step", 0.0) * kept.sum()))
        loose = kept & ~fixed
        candidate = worst(scores, loose) if loose.any() else [j for j in first if kept[j]][-1]
        removed.append(Choice(candidate, float(scores[candidate]), account=Account()))
        kept[candidate] = False
        at_once -= 1
        measure.remove(candidate)
    return Outcome(removed[::-1][:k], task.stopped if task.complete else f"eliminated down to {k}")

"""Pruned forward search: the same choices as forward, most candidates judged by a bound in O(1).

Candidates are made exact in the order of their bounds, a batch at a time, until the best exact gain is above
every bound left (Lefakis & Fleuret 2016). ``candidates_skipped`` is the share of candidates, over all steps after
the first, that were never made exact.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measures.gaussian.pruning import Pruner
from .choice import Choice, Outcome, best, choose
from .forward import forward
from .task import Task

BATCH = 32  # candidates made exact together, then twice as many: enough for a matrix product to pay


def pruned(measure: Any, task: Task) -> Outcome:
    """As `forward`. With ``evidence`` every candidate's p-value is wanted, so nothing can be skipped."""
    if task.evidence is not None:
        outcome = forward(measure, task)
        return replace(outcome, details={**outcome.details, "candidates_skipped": 0.0})
    pruner = Pruner(measure)
    left = task.able()
    choices: list[Choice] = []
    possible = exact = 0
    for step in task.steps():
        before = pruner.computed
        if step < len(task.first):
            candidate = task.first[step]
            pruner.tighten(np.array([candidate], dtype=np.intp))
            scores = pruner.bounds()
        else:
            candidate, scores = _best_exact(pruner, left)
        stale = pruner.stale()
        possible += int(left.sum()) if step else 0
        if step:
            exact += pruner.computed - before if pruner.active else int(left.sum())
        left[candidate] = False
        choice = choose(measure, candidate, scores, left)
        if choice.runner_up is not None and stale[choice.runner_up]:
            choice = replace(choice, runner_up=None, runner_up_score=None)  # only a bound is known of it
        choices.append(choice)
        if step < task.k - 1:
            measure.add(candidate)
    return Outcome(choices, task.stopped, {"candidates_skipped": 1.0 - exact / possible if possible else 0.0})


def _best_exact(pruner: Any, left: NDArray[np.bool_]) -> tuple[int, NDArray[np.float64]]:
    batch = BATCH
    while True:
        bounds = pruner.bounds()
        stale = pruner.stale() & left
        candidate = best(bounds, left)
        if not stale[candidate]:
            if pruner.settle(candidate):
                return candidate, bounds
            continue
        open_ = np.flatnonzero(stale)
        pruner.tighten(open_[np.argsort(-bounds[open_], kind="stable")[:batch]])
        batch *= 2

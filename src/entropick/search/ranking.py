"""Ranking: every candidate by what it is worth alone. No search at all, and the only one linear in features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..measures.measure import Measure
from .choice import TIE, Choice, Outcome
from .forward import forward
from .task import Task


def ranking(measure: Measure, task: Task) -> Outcome:
    """The k candidates of the highest gain on the empty set; ties to the lowest number.

    With ``evidence`` all that is significant in the whole list; where that depends on the picks, forward search asks.
    """
    if task.evidence is not None:
        return _significant(measure, task) if getattr(task.evidence, "fixed", False) else forward(measure, task)
    scores = measure.gains()
    first = task.first
    ranked = _ranked(_leading(scores, task), scores)
    order = np.array([*first, *(j for j in ranked if task.allowed[j] and j not in first)], dtype=np.intp)
    worth = [*scores[order].tolist(), None]
    after = [*order[1:].tolist(), None]
    choices = [
        Choice(candidate, worth[step], after[step], worth[step + 1], measure.account(candidate))
        for step, candidate in enumerate(order[: task.k].tolist())
    ]
    return Outcome(choices, task.stopped)


def _significant(measure: Measure, task: Task) -> Outcome:
    """The ranking of what passes the test, which is asked once, with everything allowed on the list."""
    evidence = task.evidence
    assert evidence is not None
    able = task.able()
    able[list(task.first)] = False
    passed = able & evidence.significant(able)
    k = min(task.k, len(task.first) + int(passed.sum()))
    ranked = ranking(measure, replace(task, k=k, allowed=passed, evidence=None))
    choices = [
        choice if choice.candidate in task.first else replace(choice, p_value=evidence.p_value(choice.candidate))
        for choice in ranked.choices
    ]
    return Outcome(choices, evidence.rule if k < task.k else task.stopped)


def _leading(scores: NDArray[np.float64], task: Task) -> NDArray[np.intp]:
    """Candidates among which the k best and the runner-up are, with all that tie with them; all where k is large."""
    needed = task.k + 1 + len(task.first)
    worth = scores[task.allowed]
    if 4 * needed >= worth.size:
        return np.arange(scores.size)
    worth.partition(worth.size - needed)
    least = worth[worth.size - needed]
    if not np.isfinite(least):
        return np.arange(scores.size)
    return np.flatnonzero(scores >= least - 2 * TIE * max(1.0, abs(least)))


def _ranked(candidates: NDArray[np.intp], scores: NDArray[np.float64]) -> list[int]:
    """These by falling score; a run of scores as good as its first goes by rising number."""
    falling = candidates[np.argsort(-scores[candidates], kind="stable")]
    order, worth = falling.tolist(), scores[falling].tolist()  # lists: an array's numbers are slow one by one
    out: list[int] = []
    start = 0
    for stop in range(1, len(order) + 1):
        top = worth[start]
        if stop == len(order) or worth[stop] < top - TIE * max(1.0, abs(top)):
            out.extend(sorted(order[start:stop]))
            start = stop
    return out

"""Lazy forward search: the same choices as forward, for measures whose gains can only fall.

Old gains are upper bounds of new ones. As long as the highest bound belongs to a candidate that is up to date,
nobody else can do better, however stale (Fleuret 2004).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..measures.measure import Lazy
from .choice import Choice, Outcome, best, choose
from .task import Task


def lazy(measure: Lazy, task: Task) -> Outcome:
    """As `forward`; tables are counted only for candidates that might win."""
    k, first, evidence = task.k, task.first, task.evidence
    left = task.able()
    choices: list[Choice] = []
    possible = 0
    stopped = task.stopped
    for step in task.steps():
        forced = step < len(first)
        able = left if evidence is None or forced else left & evidence.significant(left)
        if evidence is not None and not able.any():
            stopped = evidence.rule
            break
        candidate = _up_to_date(measure, np.arange(left.size) == first[step] if forced else able)
        left[candidate] = False
        rest = able & left
        # the runner-up: all that is counted here, the next step would have to count
        runner_up = _up_to_date(measure, rest) if rest.any() else None
        choice = choose(measure, candidate, measure.bounds(), rest, runner_up)
        p_value = None if evidence is None or forced else evidence.p_value(candidate)
        choices.append(choice if p_value is None else replace(choice, p_value=p_value))
        if step < k - 1:
            measure.note(candidate)
            possible += int(left.sum())
            if evidence is not None:
                evidence.add(candidate)
    skipped = 1.0 - measure.pairs_counted / possible if possible else 0.0
    return Outcome(choices, stopped, {"tables_skipped": max(0.0, skipped)})


def _up_to_date(measure: Lazy, able: NDArray[np.bool_]) -> int:
    """The best of the able candidates, once its bound is its gain."""
    candidate = best(measure.bounds(), able)
    while not measure.up_to_date(candidate):
        measure.tighten(np.array([candidate], dtype=np.intp))
        candidate = best(measure.bounds(), able)
    return candidate

"""Given: the measure orders all candidates at once, and the first k are taken."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..measures.baselines.ordering import Orders
from ..measures.measure import Evidence
from .choice import Choice, Outcome
from .task import Task


def given(measure: Orders, task: Task) -> Outcome:
    """The first k of the order that the measure gives for the candidates allowed; ``first`` before them.

    With ``evidence`` (k="auto") those that are distinguishable from chance, one after another in that order, given
    those before; or as many as the method itself decides on, where that is its rule. In addition to ``first``.
    """
    k, first, evidence = task.k, task.first, task.evidence
    able = task.able()
    ordering = measure.order(k, able)
    scores = dict(zip(ordering.candidates.tolist(), ordering.scores.tolist(), strict=True))
    kept = ordering.candidates
    stopped = task.stopped
    p_values: dict[int, float] = {}
    if evidence is not None and getattr(evidence, "own", False):
        kept = kept[: ordering.decided]
    elif evidence is not None:
        kept, p_values = _passed(evidence, kept, able, first)
    if evidence is not None:
        stopped = evidence.rule
    sequence = [*first, *(int(j) for j in kept if j not in first)][:k]
    choices = []
    for step, candidate in enumerate(sequence):
        after = sequence[step + 1] if step + 1 < len(sequence) else None
        account = measure.account(candidate)  # type: ignore[attr-defined]
        next_score = None if after is None else scores[after]
        p_value = p_values.get(candidate)
        choices.append(Choice(candidate, scores[candidate], after, next_score, account, p_value=p_value))
    return Outcome(choices, stopped)


def _passed(
    evidence: Evidence, order: NDArray[np.intp], able: NDArray[np.bool_], first: tuple[int, ...]
) -> tuple[NDArray[np.intp], dict[int, float]]:
    """Those of the order that are significant given ``first`` and those before, and how much."""
    left, taken, p_values = able.copy(), [], {}
    for candidate in first:
        evidence.add(candidate)
        left[candidate] = False
    while (passing := np.flatnonzero((left & evidence.significant(left))[order])).size:
        candidate = int(order[passing[0]])
        taken.append(candidate)
        p_values[candidate] = evidence.p_value(candidate)
        evidence.add(candidate)
        left[candidate] = False
    return np.array(taken, dtype=np.intp), p_values

"""From weights to choices: what every relaxation of a quadratic form ends with.

The k candidates of the highest weight are chosen, in that order. With ``k="auto"`` candidates are taken by falling
weight, and one that says nothing new, given those already taken, beyond chance is passed over.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...measures.measure import Account, Scores
from ...measures.quadratic.form import QuadraticForm
from ..choice import Outcome
from ..forward import forward
from ..ranking import ranking
from ..task import Task
from .swap import swap


class _Weights:
    """Weights as a measure whose gains do not depend on what is chosen."""

    def __init__(self, form: QuadraticForm, scores: Scores) -> None:
        self.n_candidates, self.units = form.n_candidates, form.units
        self._form, self._scores = form, scores

    def gains(self) -> Scores:
        return self._scores

    def add(self, candidate: int) -> None:
        """Weights stay as they are."""

    def account(self, candidate: int) -> Account:
        return self._form.account(candidate)


def by_weight(
    form: QuadraticForm,
    scores: Scores,
    task: Task,
    *,
    members: NDArray[np.intp] | None = None,
    details: dict[str, Any],
) -> Outcome:
    """The outcome of a relaxation.

    scores: (n,) weight of each candidate. members: the set of k where the relaxation chose one (it then leaves only
    the order to the weights). The value of the set is reported, and what swapping made of it where that is wanted.
    """
    details = dict(details)
    if task.evidence is not None:
        outcome = forward(_Weights(form, scores), task)
        taken = np.array([choice.candidate for choice in outcome.choices], dtype=np.intp)
        value = form.value(taken) if taken.size else 0.0
        return Outcome(outcome.choices, outcome.stopped, {**details, "value": value})
    weighed = _Weights(form, scores)
    outcome = ranking(weighed, task)
    improve = form.improve == "swap" and not task.complete
    if members is None:
        members = np.array([choice.candidate for choice in outcome.choices], dtype=np.intp)
        chosen_elsewhere = improve
    else:
        chosen_elsewhere = True
    if improve:
        swapped = swap(form, members, task.taking_part, task.first)
        details |= {"value_before_swaps": form.value(members), "swaps": swapped.swaps}
        members = swapped.members
    if chosen_elsewhere:
        among = np.zeros(form.n_candidates, bool)
        among[members] = True
        outcome = ranking(weighed, replace(task, allowed=among))
    return Outcome(outcome.choices, task.stopped, {**details, "value": form.value(members)})

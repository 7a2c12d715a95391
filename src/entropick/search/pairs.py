"""Forward search that may begin with two features at once: those that say most together, of all pairs.

A step-by-step search never finds two features that say nothing alone. Here I(X_i X_j; Y) of every pair is counted; the
best one begins where it is above that of the two that `forward` begins with by more than the price of having looked at
D times as many, log D / n nats. Then features are added one by one. What speaks only in threes stays unseen.
"""

from __future__ import annotations

from dataclasses import replace

from ..errors import InvalidParameter
from ..measures.measure import Pairing
from .choice import Outcome
from .forward import forward
from .task import Task


def pairs(measure: Pairing, task: Task) -> Outcome:
    """As `forward`, from the best pair where that says more; with ``first`` or k = 1 there is no pair to begin with."""
    if task.evidence is not None:
        raise InvalidParameter(
            "k: search='pairs' starts from two features and has no stopping rule; pass a number instead of 'auto', or"
            " use method='joint', which tests pairs"
        )
    if task.k < 2 or task.first or task.n_taking_part < 3:
        return forward(measure, task)
    assert task.fresh is not None
    begun = [choice.candidate for choice in forward(task.fresh(), replace(task, k=2)).choices]
    best = measure.best_pair(task.able())
    least = measure.information(begun[0], begun[1]) + measure.price(task.n_taking_part)
    if best == tuple(sorted(begun)) or measure.information(*best) <= least:
        return forward(measure, task)
    alone = measure.gains()
    first, second = sorted(best, key=lambda j: (-alone[j], j))
    outcome = forward(measure, replace(task, first=(first, second)))
    told = [
        replace(choice, account=replace(choice.account, extra={**choice.account.extra, "pair_with": partner}))
        for choice, partner in zip(outcome.choices, (second, first), strict=False)
    ]
    return replace(outcome, choices=[*told, *outcome.choices[2:]], details={**outcome.details, "pair": [first, second]})

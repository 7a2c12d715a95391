"""Which numbers of features are tried: few at first, more as long as the lowest error is at the largest of them.

A recommendation is honest only if larger numbers were tried and were no better. So the default grid grows until the
lowest error lies inside it, all features are taken, or `MOST` is reached; then the answer says "at least".
"""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from statistics import fmean
from typing import Any

from .trials import Design, Trial, run_trials

FIRST = (1, 2, 3, 5, 8, 13, 20)
FURTHER = (30, 50, 80, 130, 200)
MOST = FURTHER[-1]


def first_sizes(n_features: int) -> tuple[int, ...]:
    """The numbers that are always tried; all features where those are few.

    >>> first_sizes(6), first_sizes(500)
    ((1, 2, 3, 5, 6), (1, 2, 3, 5, 8, 13, 20))
    """
    inside = tuple(size for size in FIRST if size < n_features)
    return (*inside, n_features) if n_features <= FIRST[-1] else inside


def next_size(ks: tuple[int, ...], n_features: int) -> int | None:
    """The number to try after these; None where there is none.

    >>> next_size((13, 20), 500), next_size((13, 20), 25), next_size((200,), 500)
    (30, 25, None)
    """
    wanted = next((size for size in FURTHER if size > ks[-1]), None)
    if wanted is None or ks[-1] >= n_features:
        return None
    return min(wanted, n_features)


def run_growing(design: Design, **how: Any) -> tuple[tuple[int, ...], list[Trial]]:
    """The numbers tried, and the trials of all of them: numbers are added until the lowest error is inside."""
    ks, n_features = design.ks, design.given.table.n_columns
    trials = run_trials(design, **how)
    while _lowest_at(trials) == ks[-1] and (size := next_size(ks, n_features)) is not None:
        more = run_trials(replace(design, ks=(size,)), **how)
        trials = [_joined(one, other) for one, other in zip(trials, more, strict=True)]
        ks = (*ks, size)
    return ks, trials


def _lowest_at(trials: list[Trial]) -> int | None:
    """The number of features with the lowest mean error of any method and estimator."""
    failed = {trial.method for trial in trials if trial.failure}
    errors: dict[tuple[str, str, int], list[float]] = {}
    for trial in trials:
        for score in trial.scores if trial.method not in failed else ():
            errors.setdefault((trial.method, score.estimator, score.k), []).append(score.error)
    means = {key: fmean(own) for key, own in errors.items()}
    known = {key: mean for key, mean in means.items() if not isnan(mean)}
    return min(known, key=lambda key: (known[key], key[2]))[2] if known else None


def _joined(trial: Trial, more: Trial) -> Trial:
    if trial.failure or more.failure:
        return Trial(trial.method, trial.resample, failure=trial.failure or more.failure)
    return Trial(
        trial.method,
        trial.resample,
        (*trial.runs, *more.runs),
        (*trial.scores, *more.scores),
        trial.selection_seconds + more.selection_seconds,
        trial.estimation_seconds + more.estimation_seconds,
    )

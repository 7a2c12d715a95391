"""The error without each of the recommended features: what would be lost if it could not be had."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .fold import Fold
from .trials import Design

RESAMPLES = 5  # the first folds are enough for a difference
MOST = 2_000_000  # rows × features × classes, beyond which as many fits again would take too long


def errors_without(design: Design, estimator: str, columns: Sequence[int]) -> tuple[tuple[float, ...], float | None]:
    """(the error without each column, the error with all), on the same resamples; empty where it would take long.

    The set is fixed, chosen from all rows, so both are a little too low; their difference is what is of interest.
    """
    target = design.given.target
    if len(columns) < 2 or design.given.table.n_rows * len(columns) * max(target.n_classes, 2) > MOST:
        return (), None
    sets = [*([j for j in columns if j != left] for left in columns), list(columns)]
    errors = np.zeros((len(sets), min(RESAMPLES, len(design.resamples))))
    for number in range(errors.shape[1]):
        fold = Fold(design, number)
        errors[:, number] = [fold.judged(kept, estimator)[1] for kept in sets]
    *without, with_all = (round(float(mean), 6) for mean in errors.mean(axis=1))
    return (tuple(without), with_all) if np.isfinite(errors).all() else ((), None)

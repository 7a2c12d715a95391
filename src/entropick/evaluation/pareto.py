"""Accuracy against stability: which methods are beaten in both (Brown et al. 2012, §5.4)?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def fronts(costs: ArrayLike) -> NDArray[np.intp]:
    """(n,) non-dominated rank of each row of costs (n, n_criteria), all of them the lower the better.

    A row dominates another that it is nowhere above and somewhere below. Rank 1 is dominated by none, rank 2 by
    rank 1 only, and so on. Rows with a NaN come after all others.

    >>> fronts([[0.1, 0.5], [0.2, 0.2], [0.3, 0.6]])
    array([1, 1, 2])
    """
    points = np.asarray(costs, dtype=np.float64)
    points = np.where(np.isnan(points).any(axis=1, keepdims=True), np.inf, points)
    nowhere_above = (points[:, None] <= points[None]).all(axis=2)
    dominates = np.asarray(nowhere_above & (points[:, None] < points[None]).any(axis=2))
    ranks = np.zeros(len(points), dtype=np.intp)
    rank = 0
    while (left := ranks == 0).any():
        rank += 1
        ranks[left & ~dominates[left].any(axis=0)] = rank
    return ranks

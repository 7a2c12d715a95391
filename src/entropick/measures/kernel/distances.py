"""Squared distances between rows, one feature at a time, and the median distance that scales every kernel.

    d²(S) = Σ_{f∈S} (x_f − x'_f)²        so that adding or removing a feature is a rank-one change

σ_med is the median of the distances of all pairs of rows (of `MOST_ROWS` random ones, where there are more).
Where more than half of the pairs coincide it is the median of the positive distances, and 1 where all coincide.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.kernel_sums import pair_distances
from ...threads import library_threads

Floats = NDArray[np.float64]

MOST_ROWS = 400  # 79 800 pairs: the median of so many is known to about 0.2 %


class PairDistances:
    """Squared distances of all pairs of (at most `MOST_ROWS`) rows.

    values : (n_rows, n_features); weights : (n_rows,) frequencies, or None.
    """

    def __init__(self, values: Floats, weights: Floats | None, random: np.random.Generator) -> None:
        n = values.shape[0]
        rows = np.sort(random.choice(n, MOST_ROWS, replace=False)) if n > MOST_ROWS else np.arange(n)
        self.columns = np.ascontiguousarray(values[rows].T)
        self.starts = np.array([0, rows.size], dtype=np.int64)
        self._mass: Floats | None = None
        if weights is not None:
            w = weights[rows]
            upper = np.triu_indices(rows.size, 1)
            # the copies of a row are pairs too, at distance 0
            self._mass = np.concatenate([[max(0.0, float((w * (w - 1)).sum()) / 2)], w[upper[0]] * w[upper[1]]])

    def zero(self) -> Floats:
        """(n_pairs,) of the empty set."""
        rows = int(self.starts[1])
        return np.zeros(rows * (rows - 1) // 2)

    def changed(self, squared: Floats, feature: int, sign: float = 1.0) -> Floats:
        """(n_pairs,) after the feature is added (or, with sign −1, removed); the argument is left alone."""
        out = squared.copy()
        pair_distances(out, self.columns[feature], sign, self.starts)
        return out

    def weighted(self, weights: Floats) -> Floats:
        """(n_pairs,) Σ_f weights_f² (x_f − x'_f)²."""
        used = np.flatnonzero(weights)
        scaled = self.columns[used] * weights[used, None]
        norms = (scaled**2).sum(axis=0)
        square = norms[:, None] + norms[None, :] - 2.0 * (scaled.T @ scaled)
        out: Floats = np.maximum(square[np.triu_indices(norms.size, 1)], 0.0)
        return out

    def median(self, squared: Floats) -> float:
        """σ_med of squared distances."""
        if squared.size == 0:
            return 1.0
        middle = self._middle(squared)
        # differences of rounding size stand for 0
        if middle <= 1e-20 * max(1.0, float(squared.max())):
            positive = squared > 1e-20 * max(1.0, float(squared.max()))
            if not positive.any():
                return 1.0
            middle = float(np.median(squared[positive]))
        return float(np.sqrt(middle))

    def _middle(self, squared: Floats) -> float:
        if self._mass is None:
            half = squared.size // 2
            return float(np.partition(squared, half)[half])
        values = np.concatenate([[0.0], squared])
        order = np.argsort(values, kind="stable")
        below = np.cumsum(self._mass[order])
        return float(values[order[np.searchsorted(below, 0.5 * below[-1], side="right")]])


def standardised_target(target: Floats, weights: Floats | None) -> Floats:
    """(n_rows, n_outputs) mean 0, standard deviation 1 an output; a constant one is 0."""
    y = target.reshape(target.shape[0], -1)
    centred = y - np.average(y, axis=0, weights=weights)
    spread = np.sqrt(np.average(centred**2, axis=0, weights=weights))
    return np.where(spread > 0, centred / np.where(spread > 0, spread, 1.0), 0.0)


def one_blas_thread() -> AbstractContextManager[Any]:
    """Matrices here are small: threads go over candidates, and one BLAS thread each is faster than two that wait."""
    return library_threads(1)

"""Normal scores: each feature mapped to the quantiles of a normal law, z = Φ⁻¹((rank − ½)/n).

A Gaussian measure of the scores is that of the data's Gaussian copula: unmoved by any increasing map of a
feature, by its skew or its tails. Ties share the middle of their ranks. `exact_scores` ranks columns that are
in memory; `NormalScores` maps blocks of rows by the ranks of a sketch that was made of all of them in a pass before,
each known to within the bounds that the sketch states. The target is not used: scores may be taken before any split of
the rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from ...coding.sketch import RankSketch
from ...threads import parallel, thread_count

Floats = NDArray[np.float64]

COLUMNS = 64  # ranked together


def exact_scores(X: NDArray[Any], weights: ArrayLike | None = None, n_jobs: int | None = None) -> NDArray[Any]:
    """(n, D) float32 normal scores of the columns of X; weights are frequencies."""
    n, d = X.shape
    out = np.empty((n, d), dtype=np.float32)
    table = ndtri(np.arange(1, 2 * n) / (2 * n))  # score of the half-integer rank m/2 at m − 1
    w = None if weights is None else np.asarray(weights, dtype=np.float64)

    def rank(block: int) -> None:
        columns = slice(block * COLUMNS, (block + 1) * COLUMNS)
        values = np.ascontiguousarray(X[:, columns].T)  # sorting strides through rows is twice as slow
        scores = np.empty(values.shape, dtype=np.float32)
        for column, score in zip(values, scores, strict=True):
            order = np.argsort(column)  # need not be stable: tied rows get the same score
            ranked = column[order]
            starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
            ends = np.append(starts[1:], n)
            if w is None:
                each = table[starts + ends - 1]
            else:
                mass = np.concatenate([[0.0], np.cumsum(w[order])])
                each = ndtri((mass[starts] + mass[ends]) / (2 * mass[-1]))
            score[order] = each if len(starts) == n else np.repeat(each, ends - starts)
        out[:, columns] = scores.T

    parallel(rank, range(-(-d // COLUMNS)), thread_count(n_jobs))
    return out


class NormalScores:
    """Scores of rows by the ranks that a sketch knows; small enough to be sent to where the rows are."""

    def __init__(self, sketch: RankSketch) -> None:
        self._knots: list[tuple[Floats, NDArray[np.int64]]] = []
        for j in range(sketch.n_columns):
            values, ranks = sketch.ranks(j)
            self._knots.append((values, np.concatenate([[0], ranks])))

    def transform(self, block: NDArray[Any]) -> NDArray[np.float32]:
        """(n, n_columns) the scores of these rows."""
        out = np.empty(block.shape, dtype=np.float32)
        for j, (values, mass) in enumerate(self._knots):
            below, upto = (np.searchsorted(values, block[:, j], side=side) for side in ("left", "right"))
            total = mass[-1]
            share = (mass[below] + mass[upto]) / (2 * total)
            out[:, j] = ndtri(np.clip(share, 0.5 / total, 1 - 0.5 / total))
        return out

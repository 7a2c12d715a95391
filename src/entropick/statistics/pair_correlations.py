"""All pairs by absolute Pearson correlation, with Hall's version for categories.

    numeric X, numeric Z     |ρ(X, Z)|
    category X, numeric Z    Σ_a p(X=a) |ρ(1[X=a], Z)|
    category X, category Z   Σ_ab p(X=a, Z=b) |ρ(1[X=a], 1[Z=b])|          (Hall, ICML 2000)

All three are one formula: a category becomes its indicators, a number one column with the "indicator" 1 in every row,
and |ρ| is summed with the share of rows in which both indicators are 1. A constant column correlates with nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidParameter
from ..progress import track
from .levels.pair_matrices import TILE, allocate
from .rows import RowStatistics

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Expanded:
    """Columns with a length of 1 (0 where constant), their indicators, and where each feature's columns begin."""

    columns: Floats
    shown: Floats
    starts: NDArray[np.intp]

    def take(self, first: int, last: int) -> _Expanded:
        """Features first … last − 1."""
        ends = np.append(self.starts, self.columns.shape[1])
        own = slice(ends[first], ends[last])
        return _Expanded(self.columns[:, own], self.shown[:, own], self.starts[first:last] - ends[first])


class CorrelationPairs:
    """Relevance and redundancy by correlation; asked as `pair_matrices.LevelPairs` is.

    Attributes
    ----------
    relevance : (n,) correlation with the target; Hall's version where the target is a class.
    self_redundancy : (n,) ones, 0 for a constant feature.
    """

    kinds = ("redundancy",)

    def __init__(self, statistics: RowStatistics) -> None:
        clean = statistics.standardised  # refuses NaN
        n = statistics.n_rows
        weights = np.ones(n) if statistics.weights is None else statistics.weights
        self.n_features = statistics.n_features
        self._roots = np.sqrt(weights / weights.sum())
        own = [
            _indicators(statistics.values[:, j]) if statistics.categorical[j] else clean[:, j : j + 1]
            for j in range(self.n_features)
        ]
        self._features = self._expand(own, statistics.categorical)
        if statistics.target is None:
            answer, is_class = _indicators(statistics.codes), True
        else:
            answer, is_class = statistics.target.reshape(-1, 1), False
        self._target = self._expand([answer], np.array([is_class]))
        self.relevance = self._correlate(self._target, self._features)[0]
        self.self_redundancy = np.concatenate(
            [np.diag(self._block(s, min(s + TILE, self.n_features), s)) for s in range(0, self.n_features, TILE)]
        )

    def diagonal(self, kind: str) -> Floats:
        """(n,) what stands on the diagonal."""
        return self.self_redundancy.copy()

    def rows(self, kind: str, features: NDArray[np.intp], *, beta: float = 1.0, verbose: int = 0) -> Floats:
        """(len(features), n) those rows of the matrix."""
        self._check(kind)
        out = np.empty((features.size, self.n_features))
        for row, feature in enumerate(track(features, "correlating", verbose)):
            out[row] = self._correlate(self._features.take(feature, feature + 1), self._features)[0]
        return out

    def matrix(self, kind: str, *, beta: float = 1.0, memory: float = 4.0, verbose: int = 0) -> Floats:
        """(n, n) the whole matrix; a `numpy.memmap` where it takes more than ``memory`` GiB."""
        self._check(kind)
        out = allocate(self.n_features, memory)
        for start in track(range(0, self.n_features, TILE), "correlating", verbose):
            stop = min(start + TILE, self.n_features)
            part = self._block(start, stop, start, self.n_features)
            out[start:stop, start:] = part
            out[start:, start:stop] = part.T
        return out

    def _check(self, kind: str) -> None:
        if kind not in self.kinds:
            raise InvalidParameter(f"kind: correlations have {', '.join(self.kinds)} only, got {kind!r}")

    def _block(self, first: int, last: int, other: int, end: int | None = None) -> Floats:
        own = self._features.take(first, last)
        return self._correlate(own, self._features.take(other, last if end is None else end))

    def _expand(self, parts: list[Floats], categorical: NDArray[np.bool_]) -> _Expanded:
        widths = np.array([part.shape[1] for part in parts])
        raw = np.concatenate(parts, axis=1, dtype=np.float64)
        in_category = np.repeat(categorical, widths)
        shown = np.where(in_category, raw, 1.0) * self._roots[:, None]
        share = self._roots[:, None] ** 2
        centred = raw - (raw * share).sum(axis=0)
        spread = np.sqrt((centred**2 * share).sum(axis=0))
        constant = spread <= 1e-12 * np.maximum(np.abs(raw).max(axis=0), 1e-300)
        columns = np.where(constant, 0.0, centred * self._roots[:, None] / np.where(constant, 1.0, spread))
        return _Expanded(columns, shown, np.concatenate([[0], np.cumsum(widths)[:-1]]).astype(np.intp))

    def _correlate(self, one: _Expanded, other: _Expanded) -> Floats:
        terms = np.minimum(np.abs(one.columns.T @ other.columns), 1.0) * (one.shown.T @ other.shown)
        return np.add.reduceat(np.add.reduceat(terms, one.starts, axis=0), other.starts, axis=1)


def _indicators(labels: NDArray[Any]) -> Floats:
    out: Floats = (labels[:, None] == np.unique(labels)[None, :]).astype(np.float64)
    return out

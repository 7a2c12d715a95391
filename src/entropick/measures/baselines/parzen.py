"""mRMR with densities from Parzen windows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernels.neighbours import window_classes, window_information
from ...statistics.rows import RowStatistics
from ..measure import Scores
from .continuous import ContinuousMRMR

NEAREST = (1.0 - 1e-6) ** 0.5  # correlation from which two columns count as copies


class ParzenMRMR(ContinuousMRMR):
    """J = I(X_k;Y) − mean_j I(X_k;X_j), p(x) a mean of windows exp(−dᵀΣ⁻¹d / 2h²) (Peng, Long & Ding 2005).

    Pairs: mean_i log p(x_i, z_i) / (p(x_i) p(z_i)), Σ the covariance of the pair; classes: H(Y) − H(Y|X) with p(c|x)
    the class's share of the windows at x (Kwak & Choi 2002). bandwidth: h in standard deviations, or None for
    Silverman's n^{−1/6}, that of two dimensions, used for both so that the terms are alike. Correlations beyond
    ±√(1 − 10⁻⁶) count as that, so that copies share a finite information. O(n²) a pair.
    Siblings: `GaussianMRMR`, `NeighbourMRMR`.
    """

    def __init__(self, statistics: RowStatistics, *, bandwidth: float | None = None, **how: Any) -> None:
        self.bandwidth = bandwidth
        super().__init__(statistics, **how)

    def _prepare(self) -> None:
        super()._prepare()
        own = self.statistics
        v = np.ones(own.n_rows) if own.weights is None else own.weights
        self._h = float(v.sum()) ** (-1.0 / 6.0) if self.bandwidth is None else float(self.bandwidth)
        self._v = v / v.sum()
        share = np.bincount(own.codes, self._v, minlength=own.n_classes)
        share = share[share > 0]
        self._target_entropy = -float(share @ np.log(share))
        if own.target is not None:
            y = own.target - self._v @ own.target
            self._y = y / np.sqrt(self._v @ y**2)

    def _with_target(self, feature: int) -> float:
        own = self.statistics
        if own.target is not None:
            return self._information(self._X[feature], self._y)
        classes = own.codes.astype(np.int64)
        return self._target_entropy + float(window_classes(self._X[feature], self._v, classes, own.n_classes, self._h))

    def _with_feature(self, feature: int, pick: int) -> float:
        return self._information(self._X[feature], self._X[pick])

    def _information(self, x: Scores, z: Scores) -> float:
        correlation = float(np.clip(self._v @ (x * z), -NEAREST, NEAREST))
        return float(window_information(x, z, self._v, self._h, correlation))

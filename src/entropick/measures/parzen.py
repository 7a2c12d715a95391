"""mRMR with densities from Parzen windows."""

from __future__ import annotations

import numpy as np

from ..kernels.neighbours import window_classes, window_information
from ..statistics.rows import RowStatistics
from .continuous import ContinuousMRMR


class ParzenMRMR(ContinuousMRMR):
    """J = I(X_k;Y) − mean_j I(X_k;X_j) with p(x) = mean_i φ((x − x_i) / h), φ Gaussian (Peng, Long & Ding 2005).

    Pairs: mean_i log p(x_i, z_i) / (p(x_i) p(z_i)) with one window for both; classes: H(Y) − H(Y|X) with p(c|x) the
    class's share of the windows at x (Kwak & Choi 2002). bandwidth: h in standard deviations, or None for
    Silverman's n^{−1/6}, that of two dimensions, used for both so that the terms are alike. O(n²) a pair.
    Siblings: `GaussianMRMR`, `NeighbourMRMR`.
    """

    def __init__(
        self,
        statistics: RowStatistics,
        random: np.random.Generator | None = None,
        n_jobs: int | None = None,
        bandwidth: float | None = None,
    ) -> None:
        self.bandwidth = bandwidth
        super().__init__(statistics, random, n_jobs)

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
            return float(window_information(self._X[feature], self._y, self._v, self._h, self._h))
        classes = own.codes.astype(np.int64)
        return self._target_entropy + float(window_classes(self._X[feature], self._v, classes, own.n_classes, self._h))

    def _with_feature(self, feature: int, pick: int) -> float:
        return float(window_information(self._X[feature], self._X[pick], self._v, self._h, self._h))

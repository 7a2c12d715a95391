"""mRMR and relevance without bins: informations of continuous features by a Gaussian law or by neighbours.

    J(X_k) = I(X_k;Y) − (1/|S|) Σ_j I(X_k;X_j)

The third of the three ways that Lefakis (2016) lists, Parzen windows, is in `parzen`; bins are `linear.MRMR`.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...kernels.neighbours import class_counts, plane_counts
from ...statistics.rows import RowStatistics
from ...threads import parallel, thread_count
from ..measure import Account, Scores
from .ordering import whole_rows
from .ranking import Ranked

CHUNK = 16  # columns a thread takes at a time


class ContinuousMRMR:
    """J above; subclasses say how an information is estimated. Columns are standardised; estimates stop at 0.

    A constant column is redundant with nothing, which must not recommend it: it comes last.
    """

    units: ClassVar[str] = "nats"

    def __init__(
        self, statistics: RowStatistics, random: np.random.Generator | None = None, n_jobs: int | None = None
    ) -> None:
        self.statistics = statistics
        self.n_candidates = statistics.n_features
        self._threads = thread_count(n_jobs)
        self._random = random or np.random.default_rng(0)
        self._prepare()
        self.relevance = np.maximum(self._relevances(), 0.0)
        self._sum = np.zeros(self.n_candidates)
        self._free = np.ones(self.n_candidates, bool)
        self._ledger: list[Scores] = []

    def _prepare(self) -> None:
        self._X = np.ascontiguousarray(self.statistics.standardised.T)
        self._constant: NDArray[np.bool_] = np.asarray(~self._X.any(axis=1))

    def _relevances(self) -> Scores:
        return self._each(np.arange(self.n_candidates), self._with_target)

    def _with_target(self, feature: int) -> float:
        """I(X_k;Y), nats."""
        return 0.0

    def _with_feature(self, feature: int, pick: int) -> float:
        """I(X_k;X_j), nats."""
        return 0.0

    def _each(self, features: NDArray[np.intp], estimate: Any) -> Scores:
        out = np.zeros(self.n_candidates)

        def some(start: int) -> None:
            for j in features[start : start + CHUNK]:
                out[j] = 0.0 if self._constant[j] else max(estimate(int(j)), 0.0)

        parallel(some, range(0, features.size, CHUNK), self._threads)
        return out

    def gains(self) -> Scores:
        gains = self.relevance - self._sum / len(self._ledger) if self._ledger else self.relevance.copy()
        if self._constant.any() and not self._constant.all():
            gains[self._constant] = min(float(gains[~self._constant].min()), 0.0) - 1.0
        return gains

    def add(self, candidate: int) -> None:
        self._free[candidate] = False
        constant = self._constant[candidate]
        shared = np.zeros(self.n_candidates) if constant else self._redundancies(candidate)
        self._sum += shared
        self._ledger.append(shared)

    def _redundancies(self, pick: int) -> Scores:
        return self._each(np.flatnonzero(self._free), lambda j: self._with_feature(j, pick))

    def account(self, candidate: int) -> Account:
        return Account(float(self.relevance[candidate]), tuple(float(row[candidate]) for row in self._ledger))


class GaussianMRMR(ContinuousMRMR):
    """J with I(X_k;X_j) = −½ log(1 − ρ²) and I(X_k;Y) = ½ log σ² − ½ Σ_c P(c) log σ²_c (or −½ log(1 − ρ²)).

    Exact where columns are Gaussian, and within the classes; sees no other dependence. Variances have a floor of
    1e-12 of the column's, so a column constant within each class has about 13.8 nats.
    """

    def _prepare(self) -> None:
        super()._prepare()
        own = self.statistics
        v = np.ones(own.n_rows) if own.weights is None else own.weights
        self._v = v / v.sum()

    def _relevances(self) -> Scores:
        own, X = self.statistics, self._X
        if own.target is not None:
            y = own.target - self._v @ own.target
            return _from_correlation(X @ (self._v * y) / np.sqrt(self._v @ y**2))
        total = np.zeros(self.n_candidates)
        for c in range(own.n_classes):
            rows = own.codes == c
            share = float(self._v[rows].sum())
            if share > 0:
                part, v = X[:, rows], self._v[rows] / share
                mean = part @ v
                variance = ((part - mean[:, None]) ** 2) @ v
                total -= 0.5 * share * np.log(np.maximum(variance, 1e-12))
        return np.where(self._constant, 0.0, total)

    def _redundancies(self, pick: int) -> Scores:
        return np.where(self._free, _from_correlation(self._X @ (self._v * self._X[pick])), 0.0)


def _from_correlation(rho: Scores) -> Scores:
    return -0.5 * np.log(np.maximum(1.0 - rho**2, 1e-12))


class NeighbourMRMR(ContinuousMRMR):
    """J with information estimated from k-th neighbour distances (Kraskov et al. 2004; Ross 2014 for classes).

        I(X;Z) = ψ(n) + ψ(k) − mean(ψ(n_x) + ψ(n_z))        I(X;Y) = ψ(n) + mean(ψ(k) − ψ(N_y) − ψ(m))

    n_x, n_z, m count rows within the k-th neighbour's distance, of the row in its class for m. Ties are broken by
    noise of 1e-10, as scikit-learn does. Weights must be whole numbers: rows are repeated.
    scikit-learn: mutual_info_classif, mutual_info_regression.
    """

    def __init__(self, statistics: RowStatistics, *, n_neighbors: int = 3, **how: Any) -> None:
        self.n_neighbors = int(n_neighbors)
        super().__init__(statistics, **how)

    def _prepare(self) -> None:
        super()._prepare()
        own, rows = self.statistics, whole_rows(self.statistics)
        self._X = self._X[:, rows]
        self._X = self._X + 1e-10 * self._random.standard_normal(self._X.shape)
        self._codes = own.codes[rows].astype(np.int64)
        self._k = max(1, min(self.n_neighbors, len(rows) - 1))
        self._target = None
        if own.target is not None:
            y = own.target[rows] / max(float(own.target.std()), 1e-300)
            self._target = y + 1e-10 * max(1.0, float(np.abs(y).mean())) * self._random.standard_normal(len(rows))

    def _with_target(self, feature: int) -> float:
        return self._plane(self._X[feature], self._target) if self._target is not None else self._classes(feature)

    def _with_feature(self, feature: int, pick: int) -> float:
        return self._plane(self._X[feature], self._X[pick])

    def _plane(self, x: Scores, z: Scores) -> float:
        from scipy.special import digamma

        near_x, near_z = np.zeros((2, x.size), np.int64)
        plane_counts(x, np.argsort(x, kind="stable"), z, np.sort(z), self._k, near_x, near_z)
        return float(digamma(x.size) + digamma(self._k) - np.mean(digamma(near_x) + digamma(near_z)))

    def _classes(self, feature: int) -> float:
        from scipy.special import digamma

        x = self._X[feature]
        sizes = np.bincount(self._codes, minlength=self.statistics.n_classes)
        reached, used = np.zeros((2, x.size), np.int64)
        class_counts(x, np.argsort(x, kind="stable"), self._codes, sizes, self._k, reached, used)
        seen = used > 0
        if not seen.any():
            return 0.0
        own = sizes[self._codes[seen]]
        terms = digamma(used[seen]) - digamma(own) - digamma(reached[seen])
        return float(digamma(np.count_nonzero(seen)) + np.mean(terms))


class NeighbourGain(Ranked):
    """I(X_k;Y) from k-th neighbour distances: the relevance of `NeighbourMRMR`, alone."""

    units: ClassVar[str] = "nats"

    def __init__(
        self,
        statistics: RowStatistics,
        random: np.random.Generator | None = None,
        n_jobs: int | None = None,
        n_neighbors: int = 3,
    ) -> None:
        own = NeighbourMRMR(statistics, random=random, n_jobs=n_jobs, n_neighbors=n_neighbors)
        super().__init__(own.relevance)

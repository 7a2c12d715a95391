"""HSIC: the Hilbert–Schmidt independence criterion of the features chosen so far with the target.

    biased     tr(KHLH)/(n − 1)²
    unbiased   [tr(K̃L̃) + 1ᵀK̃1·1ᵀL̃1/((n−1)(n−2)) − 2/(n−2)·1ᵀK̃L̃1] / (n(n − 3)),   K̃ = K without its diagonal

K is Gaussian with the median distance of the chosen features as its width, L the delta kernel for classes and a
Gaussian for numbers. Both estimates are linear in K, Σ_{i<j} M_ij K_ij + const., with M from L alone: a candidate
costs one pass over the pairs (`pair_sum`), the distances of the set being kept and changed by one feature.

``block`` splits the rows at random into blocks of that size and averages HSIC over them: n·block/2 pairs instead of
n²/2. The bias of the biased estimate is then O(1/block); the unbiased one stays unbiased.

Papers: Gretton, Bousquet, Smola & Schölkopf 2005; backward search (BAHSIC) and the unbiased estimate: Song, Smola,
Gretton, Borgwardt & Bedo 2007. Sibling: `kernel_lsmi`, which selects its kernel by cross-validation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...kernels.kernel_sums import exp_of, pair_distances, pair_sum
from ...statistics.rows import RowStatistics
from .distances import Floats, PairDistances, standardised_target
from .feature_set import KernelSet, Worth

ALL_PAIRS = 2_000  # rows up to which "auto" takes every pair: 2 million
BLOCK = 200  # rows of a block beyond


class HSIC(KernelSet):
    """HSIC(X_S; Y) under ranking, forward and backward search.

    Parameters
    ----------
    unbiased : the unbiased estimate (needs four rows a block); it may be negative.
    block : rows a block; None takes all pairs, "auto" does up to 2 000 rows and has blocks of 200 beyond.
    step : the share of features that backward search gives up before it asks again; Song et al. take 0.1.
    """

    def __init__(
        self,
        statistics: RowStatistics,
        *,
        random: np.random.Generator | None = None,
        n_jobs: int | None = None,
        unbiased: bool = False,
        block: int | str | None = "auto",
        step: float = 0.0,
    ) -> None:
        self.step = float(step)
        random = np.random.default_rng() if random is None else random
        n = statistics.n_rows
        super().__init__(statistics, random, n_jobs)
        size = (n if n <= ALL_PAIRS else BLOCK) if block == "auto" else (n if block is None else min(n, int(block)))
        blocks = max(1, n // size)
        self.starts = np.array([0, *np.cumsum([len(part) for part in np.array_split(np.arange(n), blocks)])])
        order = random.permutation(n) if blocks > 1 else np.arange(n)
        self.columns = np.ascontiguousarray(statistics.standardised[order].T)
        mass = np.ones(n) if statistics.weights is None else statistics.weights[order]
        target, codes = None, statistics.codes[order]
        if statistics.target is not None:
            y = standardised_target(statistics.target, statistics.weights)
            pairs = PairDistances(y, statistics.weights, random)
            target = y[order] / pairs.median(pairs.weighted(np.ones(y.shape[1])))
        self.weights, self.constant = self._pair_weights(codes, target, mass, unbiased)
        self._start([])

    def _pair_weights(
        self, codes: NDArray[np.int32], target: Floats | None, mass: Floats, unbiased: bool
    ) -> tuple[Floats, float]:
        """M_ij of the pairs i < j, packed block by block, and what the diagonal adds."""
        parts, constant = [], 0.0
        total = float(mass.sum())
        for start, stop in zip(self.starts[:-1], self.starts[1:], strict=True):
            rows = slice(start, stop)
            v = mass[rows]
            if target is None:
                kernel = (codes[rows, None] == codes[None, rows]).astype(np.float64)
            else:
                y = target[rows]
                kernel = exp_of(((y[:, None, :] - y[None, :, :]) ** 2).sum(axis=2), [0.5])[0]
            N = float(v.sum())
            if unbiased and N > 3:
                sums = kernel @ v - 1.0
                matrix = kernel + float(v @ sums) / ((N - 1) * (N - 2)) - (sums[:, None] + sums[None, :]) / (N - 2)
                matrix /= N * (N - 3)
                diagonal = float((v * (v - 1.0) * np.diag(matrix)).sum())  # the copies of a row that weighs more than 1
            elif not unbiased and N > 1:
                means = kernel @ v / N
                matrix = (kernel - means[:, None] - means[None, :] + float(v @ means) / N) / (N - 1) ** 2
                diagonal = float((v * v * np.diag(matrix)).sum())
            else:
                matrix, diagonal = np.zeros_like(kernel), 0.0
            share = N / total  # a block counts by its rows
            matrix *= 2.0 * share * v[:, None] * v[None, :]
            parts.append(matrix[np.triu_indices(v.size, 1)])
            constant += share * diagonal
        return np.concatenate(parts), constant

    def _empty(self) -> Floats:
        return np.zeros(self.weights.size)

    def _change(self, base: Floats, feature: int) -> None:
        pair_distances(base, self.columns[feature], 1.0, self.starts)

    def _worth(self, base: Floats, scale: float, feature: int | None = None, sign: float = 1.0) -> Worth:
        if feature is None:
            feature, sign = 0, 0.0
        total = pair_sum(base, self.columns[feature], sign, self.weights, self.starts, 0.5 / scale**2)
        return Worth(self.constant + float(total))

    def details(self) -> dict[str, object]:
        """Rows a block, for the record."""
        return {"rows_per_block": int(np.diff(self.starts).max())}

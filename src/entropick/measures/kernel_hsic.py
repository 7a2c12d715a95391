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

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..kernels.kernel_sums import exp_of, pair_distances, pair_sum
from ..statistics.rows import RowStatistics
from ..threads import parallel, thread_count
from .kernel_distances import Floats, PairDistances, standardised_target
from .measure import Account, Scores

ALL_PAIRS = 2_000  # rows up to which "auto" takes every pair: 2 million
BLOCK = 200  # rows of a block beyond


class HSIC:
    """HSIC(X_S; Y) under ranking, forward and backward search.

    A gain is HSIC(S ∪ j) − HSIC(S), a contribution HSIC(S) − HSIC(S ∖ j); HSIC of the empty set is 0.

    Parameters
    ----------
    unbiased : the unbiased estimate (needs four rows a block); it may be negative.
    block : rows a block; None takes all pairs, "auto" does up to 2 000 rows and has blocks of 200 beyond.
    """

    units = ""

    def __init__(
        self,
        statistics: RowStatistics,
        *,
        random: np.random.Generator | None = None,
        n_jobs: int | None = None,
        unbiased: bool = False,
        block: int | str | None = "auto",
    ) -> None:
        random = np.random.default_rng() if random is None else random
        n = statistics.n_rows
        self.n_candidates = statistics.n_features
        self.threads = thread_count(n_jobs)
        self.pairs = PairDistances(statistics.standardised, statistics.weights, random)
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
        self._set: list[int] = []
        self._base = np.zeros(self.weights.size)
        self._gaps = self.pairs.zero()
        self._value = 0.0
        self._alone: Scores | None = None
        self._known: dict[int, float] = {}

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

    # -- sets ---------------------------------------------------------------------------------------------------

    def distances(self, features: Sequence[int]) -> tuple[Floats, Floats]:
        """Squared distances of a set: the pairs summed over, and those that give the median."""
        base, gaps = np.zeros(self.weights.size), self.pairs.zero()
        for feature in features:
            pair_distances(base, self.columns[feature], 1.0, self.starts)
            gaps = self.pairs.changed(gaps, feature)
        return base, gaps

    def value_of(self, features: Sequence[int]) -> float:
        """HSIC of a set; 0 for the empty one."""
        if not len(features):
            return 0.0
        rest, last = list(features[:-1]), int(features[-1])
        return float(self.values_changed(rest, [last])[0])

    def values_changed(self, features: Sequence[int], candidates: Sequence[int], sign: float = 1.0) -> Scores:
        """(len(candidates),) HSIC of the set with each candidate added (sign 1) or removed (−1)."""
        base, gaps = self.distances(features)
        return self._values(base, gaps, candidates, sign)

    def _values(self, base: Floats, gaps: Floats, candidates: Sequence[int], sign: float) -> Scores:
        def one(candidate: int) -> float:
            sigma = self.pairs.median(self.pairs.changed(gaps, candidate, sign))
            column = self.columns[candidate]
            return self.constant + float(pair_sum(base, column, sign, self.weights, self.starts, 0.5 / sigma**2))

        return np.array(parallel(one, candidates, self.threads))

    # -- adding -------------------------------------------------------------------------------------------------

    def gains(self) -> Scores:
        """(n_candidates,) HSIC(S ∪ j) − HSIC(S); 0 for those in S."""
        out = np.zeros(self.n_candidates)
        rest = [j for j in range(self.n_candidates) if j not in self._set]
        values = self._values(self._base, self._gaps, rest, 1.0)
        self._known = dict(zip(rest, values.tolist(), strict=True))
        out[rest] = values - self._value
        if not self._set:
            self._alone = out.copy()
        return out

    def add(self, candidate: int) -> None:
        """S ← S ∪ {candidate}."""
        known = self._known.get(candidate)
        self._value = known if known is not None else self.value_of([*self._set, candidate])
        self._set.append(candidate)
        pair_distances(self._base, self.columns[candidate], 1.0, self.starts)
        self._gaps = self.pairs.changed(self._gaps, candidate)
        self._known = {}

    def account(self, candidate: int) -> Account:
        """What it is worth alone, where that was asked, and what the set would be worth with it."""
        known = self._known.get(candidate)
        extra = {} if known is None else {"total": known}
        return Account(None if self._alone is None else float(self._alone[candidate]), extra=extra)

    # -- removing -----------------------------------------------------------------------------------------------

    def fill(self) -> None:
        """S ← everything."""
        self._start(list(range(self.n_candidates)))

    def contributions(self) -> Scores:
        """(n_candidates,) HSIC(S) − HSIC(S ∖ j); 0 for those outside S."""
        out = np.zeros(self.n_candidates)
        if len(self._set) == 1:
            out[self._set] = self._value
        elif self._set:
            out[self._set] = self._value - self._values(self._base, self._gaps, self._set, -1.0)
        return out

    def remove(self, candidate: int) -> None:
        """S ← S ∖ {candidate}."""
        # summed anew: differences of differences would leave rounding where a distance should be 0
        self._start([j for j in self._set if j != candidate])

    def _start(self, features: list[int]) -> None:
        self._set = features
        self._base, self._gaps = self.distances(features)
        self._value = self.value_of(features)

    def details(self) -> dict[str, object]:
        """Rows a block, for the record."""
        return {"rows_per_block": int(np.diff(self.starts).max())}

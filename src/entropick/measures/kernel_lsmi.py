"""LSMI: squared-loss mutual information of the features chosen so far with the target.

    SMI = ½ ∬ (p(x,y)/(p(x)p(y)) − 1)² p(x) p(y) dx dy        0 for independence, ½(C − 1) for C classes told exactly

A set is worth its least-squares estimate Î (see `kernel_lsmi_fit`): it sees non-linear dependence, redundancy and,
under a search that looks at features together (backward, ℓ1), pure interaction. Siblings: `kernel_hsic` (no model
selection, cheaper), `kernel_weights` (Î as a function of feature weights).

Paper: Jitkrittum, Hachiya & Sugiyama, *Feature Selection via ℓ1-Penalized Squared-Loss Mutual Information*,
IEICE 2013; the estimator is Suzuki, Sugiyama, Kanamori & Sese 2009.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..statistics.rows import RowStatistics
from ..threads import parallel, thread_count
from .kernel_distances import Floats, PairDistances, one_blas_thread
from .kernel_lsmi_fit import Fit, LSMIFit
from .measure import Account, Scores

FACTORS = (0.15, 0.3, 0.6, 1.0, 2.0)
RIDGES = tuple(10.0 ** (power / 2) for power in range(-8, 1))


class LSMI:
    """Î(X_S; Y) under ranking, forward and backward search.

    A gain is Î(S ∪ j) − Î(S), a contribution Î(S) − Î(S ∖ j); Î of the empty set is 0. Both can be negative: the
    ridge and the cross-validation make Î fall where a feature only adds noise.

    Parameters
    ----------
    centres : b, rows drawn as centres of the basis functions (all rows, where there are fewer).
    folds : of the cross-validation that selects σ and λ.
    sigmas : σ in multiples of the median distance; lambdas : the ridges λ.
    """

    units = ""

    def __init__(
        self,
        statistics: RowStatistics,
        *,
        random: np.random.Generator | None = None,
        n_jobs: int | None = None,
        centres: int = 100,
        folds: int = 5,
        sigmas: Sequence[float] = FACTORS,
        lambdas: Sequence[float] = RIDGES,
    ) -> None:
        random = np.random.default_rng() if random is None else random
        self.n_candidates = statistics.n_features
        self.columns = np.ascontiguousarray(statistics.standardised.T)
        self.fit = LSMIFit(
            statistics.codes,
            statistics.target,
            statistics.weights,
            random,
            int(centres),
            int(folds),
            tuple(sorted(map(float, sigmas))),
            tuple(sorted(map(float, lambdas))),
        )
        self.pairs = PairDistances(statistics.standardised, statistics.weights, random)
        self.threads = thread_count(n_jobs)
        self._set: list[int] = []
        self._base, self._gaps = self.fit.empty(), self.pairs.zero()
        self._value = 0.0
        self._alone: Scores | None = None
        self._models: dict[int, Fit] = {}

    # -- sets ---------------------------------------------------------------------------------------------------

    def distances(self, features: Sequence[int]) -> tuple[Floats, Floats]:
        """Squared distances of a set: rows to centres, and the pairs that give the median."""
        base, gaps = self.fit.empty(), self.pairs.zero()
        for feature in features:
            base += self.fit.own(self.columns[feature])
            gaps = self.pairs.changed(gaps, feature)
        return base, gaps

    def fit_of(self, features: Sequence[int]) -> Fit:
        """The estimate of a set, with its model."""
        base, gaps = self.distances(features)
        with one_blas_thread():
            return self.fit.select(base, self.pairs.median(gaps))

    def value_of(self, features: Sequence[int]) -> float:
        """Î of a set; 0 for the empty one."""
        return self.fit_of(features).value if len(features) else 0.0

    def values_changed(self, features: Sequence[int], candidates: Sequence[int], sign: float = 1.0) -> Scores:
        """(len(candidates),) Î of the set with each candidate added (sign 1) or removed (−1)."""
        base, gaps = self.distances(features)
        return np.array([fit.value for fit in self._fits(base, gaps, candidates, sign)])

    def _fits(self, base: Floats, gaps: Floats, candidates: Sequence[int], sign: float) -> list[Fit]:
        def one(candidate: int) -> Fit:
            own = self.fit.own(self.columns[candidate])
            squared = base + own if sign > 0 else np.maximum(base - own, 0.0)
            return self.fit.select(squared, self.pairs.median(self.pairs.changed(gaps, candidate, sign)))

        with one_blas_thread():
            return parallel(one, candidates, self.threads)

    # -- adding -------------------------------------------------------------------------------------------------

    def gains(self) -> Scores:
        """(n_candidates,) Î(S ∪ j) − Î(S); 0 for those in S."""
        out = np.zeros(self.n_candidates)
        rest = [j for j in range(self.n_candidates) if j not in self._set]
        fits = self._fits(self._base, self._gaps, rest, 1.0)
        self._models = dict(zip(rest, fits, strict=True))
        out[rest] = [fit.value - self._value for fit in fits]
        if not self._set:
            self._alone = out.copy()
        return out

    def add(self, candidate: int) -> None:
        """S ← S ∪ {candidate}."""
        self._set.append(candidate)
        self._base += self.fit.own(self.columns[candidate])
        self._gaps = self.pairs.changed(self._gaps, candidate)
        known = self._models.get(candidate)
        self._value = known.value if known is not None else self.value_of(self._set)
        self._models = {}

    def account(self, candidate: int) -> Account:
        """What it is worth alone, where that was asked, and the model selected for it."""
        model = self._models.get(candidate)
        extra = {} if model is None else {"sigma": model.sigma, "ridge": model.ridge, "total": model.value}
        return Account(None if self._alone is None else float(self._alone[candidate]), extra=extra)

    # -- removing -----------------------------------------------------------------------------------------------

    def fill(self) -> None:
        """S ← everything."""
        self._start(list(range(self.n_candidates)))

    def contributions(self) -> Scores:
        """(n_candidates,) Î(S) − Î(S ∖ j); 0 for those outside S."""
        out = np.zeros(self.n_candidates)
        if len(self._set) == 1:
            out[self._set] = self._value
        elif self._set:
            fits = self._fits(self._base, self._gaps, self._set, -1.0)
            out[self._set] = [self._value - fit.value for fit in fits]
        return out

    def remove(self, candidate: int) -> None:
        """S ← S ∖ {candidate}."""
        # summed anew: differences of differences would leave rounding where a distance should be 0
        self._start([j for j in self._set if j != candidate])

    def _start(self, features: list[int]) -> None:
        self._set = features
        self._base, self._gaps = self.distances(features)
        with one_blas_thread():
            self._value = self.fit.select(self._base, self.pairs.median(self._gaps)).value if features else 0.0

    def details(self) -> dict[str, object]:
        """The grid and the number of centres, for the record."""
        return {
            "centres": int(self.fit.centres.size),
            "sigmas": self.fit.factors.tolist(),
            "lambdas": self.fit.ridges.tolist(),
        }

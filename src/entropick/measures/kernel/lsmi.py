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
from typing import ClassVar

import numpy as np

from ...statistics.rows import RowStatistics
from .distances import Floats
from .feature_set import KernelSet
from .lsmi_fit import Fit, LSMIFit

FACTORS = (0.15, 0.3, 0.6, 1.0, 2.0)
RIDGES = tuple(10.0 ** (power / 2) for power in range(-8, 1))


class LSMI(KernelSet):
    """Î(X_S; Y) under ranking, forward and backward search.

    Gains and contributions can be negative: the ridge and the cross-validation make Î fall where a feature only adds
    noise.

    Parameters
    ----------
    centres : b, rows drawn as centres of the basis functions (all rows, where there are fewer).
    folds : of the cross-validation that selects σ and λ.
    sigmas : σ in multiples of the median distance; lambdas : the ridges λ.
    """

    fitted_by: ClassVar[type[LSMIFit]] = LSMIFit  # what is made of distances; `mlmi` has another

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
        self.columns = np.ascontiguousarray(statistics.standardised.T)
        self.fit = self.fitted_by(
            statistics.codes,
            statistics.target,
            statistics.weights,
            random,
            int(centres),
            int(folds),
            tuple(sorted(map(float, sigmas))),
            tuple(sorted(map(float, lambdas))),
        )
        super().__init__(statistics, random, n_jobs)
        self._start([])

    def _empty(self) -> Floats:
        return self.fit.empty()

    def _change(self, base: Floats, feature: int) -> None:
        base += self.fit.own(self.columns[feature])

    def _worth(self, base: Floats, scale: float, feature: int | None = None, sign: float = 1.0) -> Fit:
        if feature is not None:
            own = self.fit.own(self.columns[feature])
            base = base + own if sign > 0 else np.maximum(base - own, 0.0)
        return self.fit.select(base, scale)

    def details(self) -> dict[str, object]:
        """The grid and the number of centres, for the record."""
        return {
            "centres": int(self.fit.centres.size),
            "sigmas": self.fit.factors.tolist(),
            "lambdas": self.fit.ridges.tolist(),
        }

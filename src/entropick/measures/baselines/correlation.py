"""Ranking by linear correlation with the target."""

from __future__ import annotations

import numpy as np

from ...statistics.marginals import Marginals
from ..measure import Account, Scores
from .ranking import Ranked


class Pearson(Ranked):
    """|ρ(X_j, Y)|; for classes Σ_c P(c) |ρ(X_j, [Y = c])| (Hall 2000, as QPFS uses it).

    With two classes that is the point-biserial |ρ|. p-values: Student's t of ρ with n − 2 degrees of freedom; for
    more classes the least over the indicators, times their number. Sees linear dependence only. A constant
    column scores 0. SciPy: pearsonr.
    """

    def __init__(self, statistics: Marginals) -> None:
        counts, total = statistics.counts, statistics.total
        spread = statistics.spread
        constant = spread <= 1e-24 * total * np.maximum(np.abs(statistics.origin), 1e-300) ** 2
        size = np.sqrt(np.where(constant, 1.0, spread))
        if statistics.n_classes == 1:
            weights = np.ones(1)
            rho = statistics.cross / (size * np.sqrt(statistics.target_squares[0]))
        else:
            weights = counts / total
            mean = weights @ statistics.shifts
            indicator = np.sqrt(np.maximum(counts * (1.0 - weights), 1e-300))
            rho = (counts[:, None] * (statistics.shifts - mean)) / (size * indicator[:, None])
        rho = np.clip(np.where(constant, 0.0, rho), -1.0, 1.0)
        self._sign = np.sign(rho[0]) if len(weights) == 1 else -np.sign(rho[0]) if len(weights) == 2 else None
        super().__init__(weights @ np.abs(rho))
        seen = np.flatnonzero(counts)
        tests = 1 if statistics.n_classes <= 2 else seen.size
        self._p: Scores = np.minimum(tests * _tail(rho[seen], total).min(axis=0), 1.0)

    def p_values(self) -> Scores:
        return self._p

    def account(self, candidate: int) -> Account:
        extra = {"p": float(self._p[candidate])}
        if self._sign is not None:
            extra["sign"] = float(self._sign[candidate])
        return Account(float(self.scores[candidate]), extra=extra)


def _tail(rho: Scores, total: float) -> Scores:
    """Two-sided p of a correlation of ``total`` rows."""
    from scipy.special import stdtr

    if total <= 2:
        return np.ones_like(rho)
    with np.errstate(divide="ignore"):
        t = np.abs(rho) * np.sqrt((total - 2.0) / np.maximum(1.0 - rho**2, 0.0))
    return np.where(rho != 0, 2.0 * stdtr(total - 2.0, -np.where(np.isnan(t), np.inf, t)), 1.0)

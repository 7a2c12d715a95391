"""Rankings by between-class over within-class variance: `Fisher`, `Anova`."""

from __future__ import annotations

import numpy as np

from ...statistics.marginals import Marginals
from ..measure import Account, Scores
from .ranking import Ranked, ratio


def _parts(marginals: Marginals) -> tuple[Scores, Scores]:
    """Squares between and within the classes; what rounding leaves of a constant column is nothing."""
    between, within = marginals.between, marginals.within
    constant = between + within <= 1e-24 * marginals.total * np.maximum(np.abs(marginals.origin), 1e-300) ** 2
    return np.where(constant, 0.0, between), np.where(constant, 0.0, within)


class Fisher(Ranked):
    """F_j = Σ_c n_c (μ_cj − μ_j)² / Σ_c n_c σ²_cj: the Fisher score (Duda, Hart & Stork 2001, §3.8; Gu et al. 2011).

    Biased class variances. Sees differences of class means only. A column that separates the classes without any
    spread within them scores 10¹⁵, a constant one 0. `Anova` is the same order with a law: F · (n − C) / (C − 1).
    """

    def __init__(self, statistics: Marginals) -> None:
        super().__init__(ratio(*_parts(statistics)))
        self._anova = Anova(statistics)

    def p_values(self) -> Scores:
        """Of `Anova`'s F, which is a fixed multiple of the score."""
        return self._anova.p_values()


class Anova(Ranked):
    """F_j = [Σ_c n_c (μ_cj − μ_j)² / (C − 1)] / [Σ_c n_c σ²_cj / (n − C)]: one-way analysis of variance (Fisher 1925).

    p-values from the F law with C − 1 and n − C degrees of freedom; C counts the classes that have rows.
    SciPy: f_oneway; scikit-learn: f_classif.
    """

    def __init__(self, statistics: Marginals) -> None:
        self._between, self._within = _parts(statistics)
        self._df = (float(np.count_nonzero(statistics.counts)) - 1.0, 0.0)
        self._df = (self._df[0], statistics.total - self._df[0] - 1.0)
        scale = self._df[1] / self._df[0] if self._df[1] > 0 else 0.0
        super().__init__(scale * ratio(self._between, self._within))
        self._p = self._tails()

    def _tails(self) -> Scores:
        from scipy.special import fdtrc

        if self._df[1] <= 0:
            return np.ones(self.n_candidates)
        return np.where(self.scores > 0, fdtrc(*self._df, self.scores), 1.0)

    def p_values(self) -> Scores:
        return self._p

    def account(self, candidate: int) -> Account:
        return Account(float(self.scores[candidate]), extra={"p": float(self._p[candidate])})

"""Ranking by the difference of two means: Welch's t statistic, each class against the rest."""

from __future__ import annotations

import numpy as np

from ...statistics.marginals import Marginals
from ..measure import Account, Scores
from .ranking import LEAST, Ranked


class TTest(Ranked):
    """t_j = max_c |μ_cj − μ_rj| / √(s²_cj / n_c + s²_rj / n_r), r all rows not of class c (Welch 1947).

    s² are unbiased variances. p-values from Student's law with Welch–Satterthwaite degrees of freedom, the least
    over the classes times their number (Bonferroni; two classes are one comparison). A class of one row has no
    variance and is not compared. SciPy: ttest_ind(equal_var=False). Sibling with one test for all classes: `Anova`.
    """

    def __init__(self, statistics: Marginals) -> None:
        counts, shifts, squares = statistics.counts, statistics.shifts, statistics.squares
        total, mean = statistics.total, counts @ statistics.shifts / statistics.total
        spread = statistics.spread
        classes = np.flatnonzero(counts)
        compared = classes[:1] if classes.size == 2 else classes
        d = statistics.n_features
        self._class = np.zeros(d, np.intp)
        best, least = np.zeros(d), np.ones(d)
        for c in compared:
            own, rest = counts[c], total - counts[c]
            if own <= 1 or rest <= 1:
                continue
            gap = (mean - shifts[c]) * (total / rest)  # mean of the rest less mean of the class
            rest_squares = np.maximum(spread - squares[c] - own * rest / total * gap**2, 0.0)
            a, b = squares[c] / (own - 1) / own, rest_squares / (rest - 1) / rest
            t, p = _welch(gap, a, b, own, rest)
            better = t > best
            self._class[better] = c
            best, least = np.maximum(best, t), np.minimum(least, p)
        super().__init__(best)
        self._p = np.minimum(least * compared.size, 1.0)

    def p_values(self) -> Scores:
        return self._p

    def account(self, candidate: int) -> Account:
        extra = {"class_number": int(self._class[candidate]), "p": float(self._p[candidate])}
        return Account(float(self.scores[candidate]), extra=extra)


def _welch(gap: Scores, a: Scores, b: Scores, own: float, rest: float) -> tuple[Scores, Scores]:
    """|t| and its two-sided p, from the difference of means and the squared standard errors of each."""
    from scipy.special import stdtr

    error = a + b
    floor = LEAST * gap**2
    t = np.where(gap != 0, np.abs(gap) / np.sqrt(np.maximum(np.maximum(error, floor), 1e-300)), 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        freedom = error**2 / (a**2 / (own - 1) + b**2 / (rest - 1))
    freedom = np.where(np.isfinite(freedom) & (freedom > 0), freedom, own + rest - 2)
    return t, np.where(t > 0, 2.0 * stdtr(freedom, -t), 1.0)

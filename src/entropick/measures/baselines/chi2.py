"""Ranking by the χ² statistic of a feature's levels against the classes."""

from __future__ import annotations

import numpy as np

from ...statistics.levels.adjusted import DEVIATIONS, ORDINARY
from ...statistics.levels.questions import Levels
from ...threads import parallel, thread_count
from ..measure import Account, Scores
from .ranking import Ranked

CHUNK = 64  # features a thread takes at a time


class ChiSquared(Ranked):
    """χ²_j = Σ_ac (n_ac − n_a n_c / n)² / (n_a n_c / n) over the levels a of X_j and the classes c (Pearson 1900).

    With ``estimator="auto"`` columns of more than ten levels pay for what they reach by chance (d + 3 √2d for d degrees
    of freedom) beyond what ten levels reach; with ``"plugin"`` the score is the statistic.

    Counts of the coded column; p-values from the χ² law with (levels − 1)(classes − 1) degrees of freedom, levels
    and classes that have no row left out. SciPy: chi2_contingency(correction=False). scikit-learn's chi2 is
    another thing: it sums a non-negative feature over each class. Sibling in nats: `infogain`, about χ² / 2n.
    """

    def __init__(self, statistics: Levels) -> None:
        from scipy.special import chdtrc

        margin = statistics.class_counts
        scores, freedom = np.zeros(statistics.n_features), np.zeros(statistics.n_features)

        def count(start: int) -> None:
            for j in range(start, min(start + CHUNK, statistics.n_features)):
                scores[j], freedom[j] = _statistic(statistics.class_table(j), margin)

        parallel(count, range(0, statistics.n_features, CHUNK), thread_count(statistics.n_jobs))
        self._p = np.where(freedom > 0, chdtrc(np.maximum(freedom, 1.0), scores), 1.0)
        if statistics.estimator == "auto":
            usual = np.minimum(freedom, (ORDINARY - 1.0) * np.maximum(np.count_nonzero(margin) - 1.0, 0.0))
            scores = np.where(freedom > usual, np.maximum(scores - _reach(freedom) + _reach(usual), 0.0), scores)
        super().__init__(scores)

    def p_values(self) -> Scores:
        return self._p

    def account(self, candidate: int) -> Account:
        return Account(float(self.scores[candidate]), extra={"p": float(self._p[candidate])})


def _reach(freedom: Scores) -> Scores:
    """What χ² reaches by chance: its mean and three standard deviations."""
    return np.asarray(freedom + DEVIATIONS * np.sqrt(2.0 * freedom))


def _statistic(table: Scores, margin: Scores) -> tuple[float, float]:
    """χ² = n (Σ n_ac² / (n_a n_c) − 1) and its degrees of freedom; rows of the table all have counts."""
    seen = margin > 0
    table, margin = table[:, seen], margin[seen]
    total = margin.sum()
    expected = table.sum(axis=1)[:, None] * (margin / total)
    statistic = float((((table - expected) ** 2) / expected).sum())
    freedom = (len(table) - 1.0) * (margin.size - 1.0)
    return (statistic, freedom) if freedom > 0 else (0.0, 0.0)

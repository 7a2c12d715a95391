"""Fano's inequality: no classifier can err less often than the information it sees allows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def entropy(counts: Sequence[float]) -> float:
    """H = −Σ p log p of the classes with these counts, nats."""
    p = np.asarray(counts, dtype=np.float64)
    p = p[p > 0] / p.sum()
    return float(-(p * np.log(p)).sum())


def fano_floor(information: float, counts: Sequence[float]) -> float:
    """The least error rate that features with I(X_S;Y) = ``information`` nats allow, classes having these counts.

    The p in [0, (C − 1)/C] that solves h(p) + p log(C − 1) = H(Y) − I(X_S;Y), where h is the entropy of a coin.
    The familiar (H − I − log 2)/log C replaces h(p) by its largest value; for two classes that is never above 0.

    >>> fano_floor(0.0, [50, 50])
    0.5
    >>> round(fano_floor(0.5, [50, 50]), 3)
    0.048
    """
    from scipy.optimize import brentq
    from scipy.special import entr

    n_classes = int(np.count_nonzero(counts))
    left = entropy(counts) - information
    if n_classes < 2 or left <= 0:
        return 0.0
    most = (n_classes - 1) / n_classes

    def explained(p: float) -> float:
        return float(entr(p) + entr(1 - p) + p * np.log(n_classes - 1))

    if left >= explained(most):
        return most
    return float(brentq(lambda p: explained(p) - left, 0.0, most))

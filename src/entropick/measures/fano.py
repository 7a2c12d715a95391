"""Fano's inequality: no classifier can err less often than the information it sees allows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def entropy(counts: Sequence[float]) -> float:
    """H = −Σ p log p of the classes with these counts, nats."""
    p = np.asarray(counts, dtype=np.float64)
    p = p[p > 0] / p.sum()
    return float(-(p * np.log(p)).sum())


def fano_floor(uncertainty: float, n_classes: int) -> float:
    """The least error rate that features leave which do not say ``uncertainty`` = H(Y) − I(X_S;Y) nats of the class.

    The p in [0, (C − 1)/C] that solves h(p) + p log(C − 1) = H(Y) − I(X_S;Y), where h is the entropy of a coin and C
    the number of classes that occur.
    The familiar (H − I − log 2)/log C replaces h(p) by its largest value; for two classes that is never above 0.

    >>> fano_floor(np.log(2), 2)
    0.5
    >>> round(fano_floor(np.log(2) - 0.5, 2), 3)
    0.048
    """
    from scipy.optimize import brentq
    from scipy.special import entr

    if n_classes < 2 or uncertainty <= 0:
        return 0.0
    most = (n_classes - 1) / n_classes

    def explained(p: float) -> float:
        return float(entr(p) + entr(1 - p) + p * np.log(n_classes - 1))

    if uncertainty >= explained(most):
        return most
    return float(brentq(lambda p: explained(p) - uncertainty, 0.0, most))

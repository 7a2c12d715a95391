"""The law of a ridged Wilks statistic for noise: a weighted sum of χ², known by its first two moments.

    x = Σ w_i χ²_1,   mean s1 = Σ w,   variance 2 s2 = 2 Σ w²   ->   P(X > x) ≈ χ² tail of x s1/s2 with s1²/s2 degrees

(Satterthwaite). Without a ridge all m q weights are 1 and the law is the plain χ². A ridge makes them smaller and
unequal. Rare levels against rare classes make the variance larger: of two columns of n rows with excess kurtoses κ and
κ′, n r² has the variance 2 + κ κ′/n under permutation, not 2, and a block has the same in its leverages h:

    2 s2 = 2 m q + n (Σ h² − m(m + 2)/n) (Σ g² − q(q + 2)/n),   h of the block and g of the target, over rows
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def tail(x: Floats, first: Floats, second: Floats) -> Floats:
    """P(X > x) of a sum with mean ``first`` and variance 2 ``second``; 1 where the mean is 0."""
    from scipy.special import gammaincc

    empty = np.asarray(first) <= 0
    s1 = np.where(empty, 1.0, first)
    s2 = np.where(empty, 1.0, second)
    p = gammaincc(0.5 * s1**2 / s2, 0.5 * np.maximum(x, 0.0) * s1 / s2)  # chdtrc takes no broken degrees as gracefully
    return np.where(empty, 1.0, p)


def limit(level: Floats, first: Floats, second: Floats) -> Floats:
    """The x with P(X > x) = level; ∞ where the mean is 0."""
    from scipy.special import gammainccinv

    empty = np.asarray(first) <= 0
    s1 = np.where(empty, 1.0, first)
    s2 = np.where(empty, 1.0, second)
    return np.where(empty, np.inf, 2.0 * gammainccinv(0.5 * s1**2 / s2, level) * s2 / s1)


def excess(squares: Floats, size: Floats, n: float) -> Floats:
    """Σ h² − m(m + 2)/n, never below 0: how much heavier a block's tails are than a Gaussian's."""
    return np.maximum(squares - size * (size + 2.0) / n, 0.0)

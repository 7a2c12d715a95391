"""The law of a ridged Wilks statistic for noise: a weighted sum of χ², known by its first two moments.

    x = Σ w_i χ²_1,   mean s1 = Σ w,   variance 2 s2 = 2 Σ w²   ->   P(X > x) ≈ χ² tail of x s1/s2 with s1²/s2 degrees

(Satterthwaite). Without a ridge all m q weights are 1 and the law is the plain χ². A ridge makes them smaller and
unequal. Rare levels against rare classes make the variance larger: of two columns of n rows with excess kurtoses κ and
κ′, n r² has the variance 2 + κ κ′/n under permutation, not 2, and a block has the same in its leverages h:

    2 s2 = 2 m q + c n (Σ h² − m(m + 2)/n) (Σ g² − q(q + 2)/n),   h of the block and g of the target, over rows

Where that is much more than a χ²'s, counts of a few rows decide, whose tail is longer than a gamma's: an inverse
Gaussian. Of one heavy cell among plain ones the tail is longer than the variance of the sum says, hence c = 2. Of noise
tables of six levels, three of them in 1 % of the rows, and classes of 80, 15 and 5 %, 20 % had a false pick without
either, 2.5 % have one so.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
HEAVY = 1.05  # ratio of s2 to s1 from which the tail is an inverse Gaussian's
RARE = 2.0  # times the excess of rare levels and classes: one cell of a few rows has most of it, and the longest tail


def tail(x: Floats, first: Floats, second: Floats) -> Floats:
    """P(X > x) of a sum with mean ``first`` and variance 2 ``second``; 1 where the mean is 0."""
    from scipy.special import gammaincc

    empty = np.asarray(first) <= 0
    s1 = np.where(empty, 1.0, first)
    s2 = np.where(empty, 1.0, second)
    x = np.maximum(np.asarray(x, dtype=np.float64), 0.0)
    p = gammaincc(0.5 * s1**2 / s2, 0.5 * x * s1 / s2)  # chdtrc takes no broken degrees as gracefully
    heavy = s2 > HEAVY * s1
    if np.any(heavy):
        from scipy.stats import invgauss

        p = np.where(heavy, invgauss.sf(x, 2.0 * s2 / s1**2, scale=0.5 * s1**3 / s2), p)
    return np.where(empty, 1.0, p)


def limit(level: Floats, first: Floats, second: Floats) -> Floats:
    """The x with P(X > x) = level; ∞ where the mean is 0."""
    from scipy.special import gammainccinv

    empty = np.asarray(first) <= 0
    s1 = np.where(empty, 1.0, first)
    s2 = np.where(empty, 1.0, second)
    x = 2.0 * gammainccinv(0.5 * s1**2 / s2, level) * s2 / s1
    heavy = s2 > HEAVY * s1
    if np.any(heavy):
        from scipy.stats import invgauss

        x = np.where(heavy, invgauss.isf(level, 2.0 * s2 / s1**2, scale=0.5 * s1**3 / s2), x)
    return np.where(empty, np.inf, x)


def excess(squares: Floats, size: Floats, n: float) -> Floats:
    """Σ h² − m(m + 2)/n, never below 0: how much heavier a block's tails are than a Gaussian's."""
    return np.maximum(squares - size * (size + 2.0) / n, 0.0)

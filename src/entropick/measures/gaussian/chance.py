"""How much of a Gaussian gain chance alone would give, and what a sample supports.

Adding X_j to S under Gaussian classes is a regression of X_j on X_S. "X_j tells nothing new" says that the
regression is the same in every class: intercept, |S| slopes and residual variance. The likelihood ratio is

    T = n (log v*_j − Σ_y p_y log v^y_j)  ~  χ² with (C − 1)(|S| + 2) degrees of freedom

With few samples T is too large; under Gaussian classes its mean is known exactly (ψ the digamma function,
q = |S| + 1), and T is rescaled to the mean that the χ² has (Bartlett):

    E T = n [ψ((n − q)/2) − log(n/2)] − Σ_y n_y [ψ((n_y − q)/2) − log(n_y/2)]

With one pooled covariance (Wilks' λ), or a continuous target, only the intercepts differ and the law is exact:

    (v*_j / v^W_j − 1) (n − g − |S| − 1)/g  ~  F(g, n − g − |S| − 1),   g = C − 1, or the number of targets
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma
from scipy.stats import chi2, f

Floats = NDArray[np.float64]

PER_FEATURE = 5  # samples that a class needs for each feature taken jointly: |S| ≤ n_y / 5


def class_p_values(log_ratio: Floats, counts: Floats, chosen: int) -> Floats:
    """(D,) p-values; log_ratio = log v* − Σ p log v^y, counts (C,), chosen = |S|."""
    n, q = float(counts.sum()), chosen + 1
    if (counts - q <= 0).any():
        return np.ones_like(log_ratio)

    def mean_log(m: Floats | float) -> Floats:
        return np.asarray(m * (digamma((m - q) / 2) - np.log(m / 2)))

    degrees = (len(counts) - 1) * (chosen + 2)
    expected = float(mean_log(n) - mean_log(counts).sum())
    if not expected > 0:  # weights so large that their logarithms differ by less than rounding
        return np.ones_like(log_ratio)
    return chi2.sf(np.maximum(n * log_ratio, 0.0) * degrees / expected, degrees)


def pooled_p_values(log_ratio: Floats, n: float, groups: int, chosen: int) -> Floats:
    """(D,) p-values of log_ratio = log v* − log v^W, with `groups` intercepts free."""
    rest = n - groups - chosen - 1
    if rest <= 0 or groups <= 0:
        return np.ones_like(log_ratio)
    return f.sf(np.expm1(np.maximum(log_ratio, 0.0)) * rest / groups, groups, rest)


def supported(counts: Floats) -> int:
    """Features that the smallest class supports jointly: its samples over `PER_FEATURE`.

    An estimate of a covariance in d dimensions is within ε of the truth for N ≥ C (t/ε)² d samples only
    (Lefakis, Influence of sample size), so N/d must stay above a constant.
    """
    return int(counts.min() // PER_FEATURE)


def shrinkage_intensity(correlations: Floats, n: float) -> float:
    """ρ that minimises the expected squared error of (1 − ρ) r_ij, i ≠ j, under a Gaussian law.

    ρ = Σ var(r_ij) / Σ r_ij²,  var(r) = (1 − r²)²/(n − 1): Ledoit and Wolf's optimum for the diagonal
    target (Schäfer & Strimmer 2005), from the correlations alone; within [0, 1], 1 for n ≤ 3.
    """
    if n <= 3:
        return 1.0
    off = correlations[~np.eye(len(correlations), dtype=bool)]
    signal = float((off**2).sum())
    if signal == 0.0:
        return 1.0 / n
    return float(min(1.0, ((1.0 - np.minimum(off**2, 1.0)) ** 2).sum() / (n - 1) / signal))

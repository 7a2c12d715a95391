"""Chance: tails of χ² far out, the statistic that reaches one, and what is left of a p-value after many tests."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FAR = -600.0  # below exp of it, floats run out


def log_chance(statistic: Floats | float, df: NDArray[np.int64] | float) -> Floats:
    """log P(χ²_df > statistic), also where the probability is too small for a float.

    Far out Γ(a, x) = x^(a−1) e^−x (1 + (a − 1)/x + (a − 1)(a − 2)/x² + …), with a = df/2 and x = statistic/2.
    """
    from scipy.special import gammaincc, gammaln

    x, a = np.broadcast_arrays(np.asarray(statistic, float) / 2, np.asarray(df, float) / 2)
    with np.errstate(divide="ignore", under="ignore"):
        out = np.log(gammaincc(a, np.maximum(x, 0.0)))
    far = (out < FAR) & (x > a)
    if far.any():
        u, v = x[far], a[far]
        series, term = np.ones_like(u), np.ones_like(u)
        for step in range(1, 40):
            smaller = term * (v - step) / u
            term = np.where(np.abs(smaller) < np.abs(term), smaller, 0.0)  # an asymptotic series: as far as it falls
            series += term
        out = np.array(out)
        out[far] = (v - 1) * np.log(u) - u - gammaln(v) + np.log(np.maximum(series, 1e-300))
    return np.asarray(out)


@lru_cache(maxsize=4096)
def least_statistic(log_p: float, df: int) -> float:
    """The smallest statistic of df degrees whose chance is exp(log_p) or less, from below to 1e-10 of itself."""
    if log_p >= 0:
        return 0.0
    low, high = 0.0, 2.0 * df - 4.0 * log_p + 10.0
    while float(log_chance(high, df)) > log_p:
        high *= 2
    while high - low > 1e-11 * high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if float(log_chance(middle, df)) > log_p else (low, middle)
    return low


def holm(log_p: Floats, tests: float) -> Floats:
    """Adjusted p-values of the smallest of so many tests: any false one has a chance of at most alpha.

    Holm's: the r-th smallest times (tests − r + 1), and never below that of a smaller one. It holds however the tests
    depend on each other.
    """
    order = np.argsort(log_p, kind="stable")
    left = np.maximum(tests - np.arange(len(log_p)), 1.0)
    out = np.empty(len(log_p))
    with np.errstate(under="ignore"):
        out[order] = np.maximum.accumulate(np.exp(np.minimum(log_p[order] + np.log(left), 0.0)))
    return out


def first_guess(keep: int, tests: float) -> float:
    """log of a p-value that about ten times as many as are kept pass by chance."""
    return min(0.0, math.log(10.0 * keep / max(tests, 1.0)))


@lru_cache(maxsize=1)
def _deviances() -> tuple[Floats, Floats]:
    """Means m of Poisson counts and E[2 (N log(N/m) − N + m)] of each: 0 for none, above 1 around 1, then 1 + 1/6m."""
    from scipy.stats import poisson

    means = np.geomspace(1e-4, DENSE, 300)
    counts = np.arange(int(DENSE + 12 * math.sqrt(DENSE)) + 30)
    logs = np.where(counts > 0, counts * np.log(np.maximum(counts, 1)), 0.0)
    chances = poisson.pmf(counts[None, :], means[:, None])
    terms = 2 * (logs - counts * np.log(means)[:, None] - counts + means[:, None])
    return np.append(0.0, means), np.append(0.0, (chances * terms).sum(axis=1))


DENSE = 100.0  # rows of a cell from which 1 + 1/6m is exact enough


def expected_ratio(fit: Floats) -> float:
    """What the likelihood ratio of the highest term is on average where there is none, for a fitted table.

    Its degrees of freedom where cells are full; more where many hold some two rows (Williams 1976), less where many
    are all but empty. The alternating sum over margins of the expected deviance of their cells.
    """
    means, deviances = _deviances()
    total = 0.0
    for left in range(1 << fit.ndim):
        axes = tuple(axis for axis in range(fit.ndim) if left >> axis & 1)
        cells = fit.sum(axis=axes) if axes else fit
        own = np.where(cells > DENSE, 1 + 1 / (6 * np.maximum(cells, 1.0)), np.interp(cells, means, deviances))
        total += (-1) ** len(axes) * float(np.sum(own))
    return total

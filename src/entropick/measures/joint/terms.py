"""The parts of the joint measure that are numbers: ridge, chance, calibration, and their constants."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .law import tail

Floats = NDArray[np.float64]
RIDGE = 2.0  # of the order, in units of d √(log D / n)
GATE = 0.05  # error rate of the gate, among all candidates
MEMORY = 0.05  # share of what a block says alone that is added to every score
PRIOR = 10.0  # times the gain of noise: calibration is believed where gains stand out of this
MOST = 10.0  # calibration is kept within 1/10 … 10
LEAK = 1e-3  # of a gain below 0: an order among candidates of which none says anything, so that ties are true ties
GIVEN_RIDGE = 1e-6  # of covariates: they are to be regressed out, not shrunk


def ridges(degrees: Floats, n_candidates: int, n: float, strength: float = RIDGE, power: int = 1) -> Floats:
    """(M,) strength · d √(log D / n): covariances of D columns are known from n rows at that rate, and smooth
    functions are preferred to curved ones (d² where the target is a number)."""
    return np.asarray(strength * degrees**power * np.sqrt(np.log(max(n_candidates, 3)) / n))


def shrinkage(variances: Floats, ridge: Floats) -> tuple[Floats, Floats]:
    """(n,) Σh and Σh² over a block, h = v / (v + λ): what the ridge leaves of each of its functions.

    variances (n, m) of the functions given the set, with the ridge (n, m) in them.
    """
    h = np.maximum(variances - ridge, 0.0) / np.maximum(variances, 1e-300)
    return np.maximum(h.sum(axis=1), 1e-9), np.maximum((h**2).sum(axis=1), 1e-12)


def credibility(gains: Floats, h1: Floats, h2: Floats, q: int, n: float) -> Floats:
    """(n_blocks,) p-values: how often noise gains so much, chance not taken off.

    Under noise 2 n gain is about c χ²_f, c = Σh²/Σh and f = q (Σh)²/Σh² (Satterthwaite): the ridge lowers both.
    """
    return tail(2.0 * n * gains, q * h1, q * h2)


def gate(p: Floats, n_candidates: int) -> Floats:
    """1 / (1 + 20 D p), a soft Bonferroni at 5 %: a column that cannot be told from noise counts by its worth."""
    return 1.0 / (1.0 + n_candidates * p / GATE)


def leaky(gains: Floats) -> Floats:
    """max(gain, 0), a thousandth of it below 0."""
    return np.where(gains > 0, gains, LEAK * gains)


def chance(sizes: NDArray[np.int64] | Floats, q: int, n: float) -> Floats:
    """(n_blocks,) m q / 2n: what a block of noise is expected to gain, nats."""
    return sizes * q / (2.0 * n)


def calibration(exact: Floats, alone: Floats, noise: Floats) -> Floats:
    """(I + δ) / (g + δ): the Gaussian gain has no ceiling and underrates rare pure levels; counts have neither fault.

    exact I and alone g (n_blocks,) nats; δ = 10 times what noise gains, so that the ratio counts only where both stand
    out of chance.
    """
    prior = np.maximum(PRIOR * noise, 1e-300)
    return np.clip((exact + prior) / (alone + prior), 1.0 / MOST, MOST)

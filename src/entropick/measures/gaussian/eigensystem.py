"""The eigensystem of a covariance that grows by a row: the secular equation (Lefakis, Jointly informative).

With Σ = U Λ Uᵀ, a new column v and variance d, and q = Uᵀv, the bordered matrix has the eigenvalues of

    [ Λ   q ]
    [ qᵀ  d ]          roots of   f(λ) = d − λ − Σ_i q_i²/(λ_i − λ)

one below, one between each two and one above the λ_i (`kernels.secular`), and U times its eigenvectors. Where q_i
vanishes the pair (λ_i, u_i) stays as it is; equal λ_i are first rotated so that it does for all but one of them. The
roots cost O(k²), the product with U 2 m² k operations for m pairs that do not stay.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...kernels.secular import bordered

Floats = NDArray[np.float64]

DEFLATE = 1e-14  # of the largest entry: a coupling this small, or a gap, is none


class EigenSystem:
    """``values`` (k,) ascending and ``rows`` (k, k), an eigenvector each; starts empty."""

    def __init__(self) -> None:
        self.values: Floats = np.zeros(0)
        self.rows: Floats = np.zeros((0, 0))

    @property
    def vectors(self) -> Floats:
        """(k, k), an eigenvector a column."""
        return self.rows.T

    @property
    def lowest(self) -> float:
        """A number not above the smallest eigenvalue, allowing for rounding."""
        slack = 1e-12 * float(np.abs(self.values).max(initial=0.0))
        return float(self.values[0]) * (1 - 1e-10) - slack

    @property
    def highest(self) -> float:
        """A number not below the largest eigenvalue."""
        return float(self.values[-1]) * (1 + 1e-10)

    def append(self, column: Floats, variance: float) -> None:
        """Grow by one row and column: column (k,), variance its diagonal."""
        k, values, rows = len(self.values), self.values, self.rows
        q = rows @ column
        size = max(float(np.abs(values).max(initial=0.0)), float(np.abs(q).max(initial=0.0)), abs(variance))
        coupled = np.abs(q) > DEFLATE * size
        at = np.flatnonzero(coupled)
        equal = np.flatnonzero(np.diff(values[at]) <= DEFLATE * size)
        if equal.size:
            rows = rows.copy()
            for i, j in zip(at[equal], at[equal + 1], strict=True):
                _decouple(q, rows, i, j)
            coupled[at[equal]] = False
            at = np.flatnonzero(coupled)
        new = np.empty((k + 1, k + 1))
        if at.size == k:
            self.values, coordinates = _secular(values, q, variance, size)
            np.matmul(coordinates[:, :k], rows, out=new[:, :k])
            new[:, k] = coordinates[:, k]
        else:
            still = np.flatnonzero(~coupled)
            roots, coordinates = _secular(values[at], q[at], variance, size)
            place = np.arange(len(roots)) + np.searchsorted(values[still], roots, side="right")
            keep = np.arange(len(still)) + np.searchsorted(roots, values[still], side="left")
            self.values = np.empty(k + 1)
            self.values[place], self.values[keep] = roots, values[still]
            new[place, :k], new[keep, :k] = coordinates[:, :-1] @ rows[at], rows[still]
            new[place, k], new[keep, k] = coordinates[:, -1], 0.0
        self.rows = new


def _decouple(q: Floats, rows: Floats, i: int, j: int) -> None:
    """Rotate the eigenvectors i and j of one eigenvalue, in place, so that only j is coupled."""
    r = math.hypot(q[i], q[j])
    c, s = q[j] / r, q[i] / r
    rows[i], rows[j] = c * rows[i] - s * rows[j], s * rows[i] + c * rows[j]
    q[i], q[j] = 0.0, r


def _secular(values: Floats, q: Floats, d: float, size: float) -> tuple[Floats, Floats]:
    """Roots (m + 1,) and eigenvectors (m + 1, m + 1), rows, of the bordered diagonal; values ascending and distinct."""
    m = len(values)
    if m == 0:
        return np.array([d]), np.ones((1, 1))
    power = math.frexp(size)[1]  # of two: scaling by it rounds nothing, and squares keep within the range of floats
    roots, coordinates = np.empty(m + 1), np.empty((m + 1, m + 1))
    work = np.empty((3, m))
    bordered(np.ldexp(values, -power), np.ldexp(q, -power), math.ldexp(d, -power), *work, roots, coordinates)
    return np.ldexp(roots, power), coordinates

"""The eigensystem of a covariance that grows by a row: the secular equation (Lefakis, Jointly informative).

With Σ = U Λ Uᵀ, a new column v and variance d, and q = Uᵀv, the bordered matrix has the eigenvalues of

    [ Λ   q ]
    [ qᵀ  d ]          roots of   f(λ) = d − λ − Σ_i q_i²/(λ_i − λ)

one below, one between each two and one above the λ_i. Each root is sought as its distance from the nearer
pole, which keeps the differences λ_i − λ, and with them the eigenvectors (q_i/(λ − λ_i), 1), to full relative
precision. Where q_i vanishes the pair (λ_i, u_i) stays as it is; equal λ_i are first rotated so that it does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DEFLATE = 1e-14  # of the largest entry: a coupling this small, or a gap, is none
HALVINGS = 64


class EigenSystem:
    """``values`` (k,) ascending and ``vectors`` (k, k), columns; starts empty."""

    def __init__(self) -> None:
        self.values: Floats = np.zeros(0)
        self.vectors: Floats = np.zeros((0, 0))

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
        k = len(self.values)
        lam, q, rotated = self.values, self.vectors.T @ column, self.vectors
        size = max(float(np.abs(lam).max(initial=0.0)), float(np.abs(q).max(initial=0.0)), variance)
        lam, q, rotated = _separate(lam, q, rotated, DEFLATE * size)
        active = np.abs(q) > DEFLATE * size
        roots, coordinates = _secular(lam[active], q[active], variance)
        values = np.concatenate([lam[~active], roots])
        vectors = np.zeros((k + 1, k + 1))
        still = int((~active).sum())
        vectors[:k, :still] = rotated[:, ~active]
        vectors[:k, still:] = rotated[:, active] @ coordinates[:-1]
        vectors[k, still:] = coordinates[-1]
        order = np.argsort(values, kind="stable")
        self.values, self.vectors = values[order], vectors[:, order]


def _separate(lam: Floats, q: Floats, vectors: Floats, gap: float) -> tuple[Floats, Floats, Floats]:
    """Rotate eigenvectors of equal eigenvalues so that only one of them is coupled."""
    lam, q = lam.copy(), q.copy()
    for i in range(len(lam) - 1):
        if lam[i + 1] - lam[i] <= gap:
            r = float(np.hypot(q[i], q[i + 1]))
            if r > 0:
                c, s = q[i + 1] / r, q[i] / r
                vectors = vectors.copy()
                a, b = vectors[:, i].copy(), vectors[:, i + 1].copy()
                vectors[:, i], vectors[:, i + 1] = c * a - s * b, s * a + c * b
                q[i], q[i + 1] = 0.0, r
    return lam, q, vectors


def _secular(lam: Floats, q: Floats, d: float) -> tuple[Floats, Floats]:
    """Roots (m + 1,) and eigenvectors (m + 1, m + 1) of the bordered diagonal; lam ascending and distinct."""
    m = len(lam)
    if m == 0:
        return np.array([d]), np.ones((1, 1))
    reach = float(np.linalg.norm(q)) + abs(d - lam[0]) + abs(d - lam[-1]) + 1e-300
    left = np.concatenate([[lam[0] - reach], lam])
    right = np.concatenate([lam, [lam[-1] + reach]])
    squares = q**2

    def f(pole: Floats, mu: Floats) -> Floats:
        return d - pole - mu - (squares / (lam - pole[:, None] - mu[:, None])).sum(axis=1)

    middle = 0.5 * (left + right)
    rising = f(middle, np.zeros(m + 1)) > 0  # f falls: positive means that the root is to the right
    to_right = rising.copy()
    to_right[0], to_right[-1] = True, False  # the outer intervals have one pole each
    pole = np.where(to_right, right, left)
    low = np.where(rising, middle, left) - pole
    high = np.where(rising, right, middle) - pole
    for _ in range(HALVINGS):
        mu = _mean(low, high)
        with np.errstate(divide="ignore", invalid="ignore"):
            up = f(pole, mu) > 0
        low, high = np.where(up, mu, low), np.where(up, high, mu)
    mu = _mean(low, high)
    away = mu[None, :] + (pole[None, :] - lam[:, None])  # λ − λ_i, (m, m + 1)
    away[away == 0] = 1e-300
    # couplings for which these roots are exact (Gu & Eisenstat 1995): eigenvectors stay orthogonal
    gaps = np.abs(lam[:, None] - lam) + np.eye(m)
    q = np.sign(q) * np.exp(0.5 * (np.log(np.abs(away)).sum(axis=1) - np.log(gaps).sum(axis=1)))
    coordinates = np.vstack([q[:, None] / away, np.ones(m + 1)])
    coordinates /= np.linalg.norm(coordinates, axis=0)
    return pole + mu, coordinates


def _mean(low: Floats, high: Floats) -> Floats:
    """Halfway; geometric where both ends have one sign, so that small distances are met to their last digit."""
    half = 0.5 * (low + high)
    same = low * high > 0
    return np.where(same, np.sign(half) * np.sqrt(np.abs(low * high)), half)

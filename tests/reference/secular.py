"""Eigensystem of a bordered diagonal by bisection of the secular equation, all roots at once in NumPy."""

from __future__ import annotations

import numpy as np

HALVINGS = 128


def bordered(poles, couplings, corner):
    """Roots (m + 1,) and eigenvectors (m + 1, m + 1), columns; poles ascending and distinct, no coupling 0."""
    m = len(poles)
    reach = np.linalg.norm(couplings) + abs(corner - poles[0]) + abs(corner - poles[-1])
    left = np.concatenate([[poles[0] - reach], poles])
    right = np.concatenate([poles, [poles[-1] + reach]])

    def f(pole, mu):
        return corner - pole - mu - (couplings**2 / (poles - pole[:, None] - mu[:, None])).sum(axis=1)

    middle = 0.5 * (left + right)
    rising = f(middle, np.zeros(m + 1)) > 0  # f falls: positive means that the root is to the right
    to_right = rising.copy()
    to_right[0], to_right[-1] = True, False  # the outer intervals have one pole each
    pole = np.where(to_right, right, left)
    low = np.where(rising, middle, left) - pole
    high = np.where(rising, right, middle) - pole
    for _ in range(HALVINGS):
        mu = between(low, high)
        with np.errstate(divide="ignore", invalid="ignore"):
            up = f(pole, mu) > 0
        low, high = np.where(up, mu, low), np.where(up, high, mu)
    mu = between(low, high)
    away = mu[None, :] + (pole[None, :] - poles[:, None])  # λ − λ_i, (m, m + 1)
    # couplings for which these roots are exact (Gu & Eisenstat 1995): eigenvectors stay orthogonal
    gaps = np.abs(poles[:, None] - poles) + np.eye(m)
    exact = np.sign(couplings) * np.exp(0.5 * (np.log(np.abs(away)).sum(axis=1) - np.log(gaps).sum(axis=1)))
    vectors = np.vstack([exact[:, None] / away, np.ones(m + 1)])
    return pole + mu, vectors / np.linalg.norm(vectors, axis=0)


def between(low, high):
    """Halfway; geometric where both ends have one sign, so that small distances are met to their last digit."""
    half = 0.5 * (low + high)
    return np.where(low * high > 0, np.sign(half) * np.sqrt(np.abs(low)) * np.sqrt(np.abs(high)), half)

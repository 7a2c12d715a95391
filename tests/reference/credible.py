"""Wilks tests and credible sets from rows, one regression at a time: no Cholesky, no update, no lifted statistics."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata


def block(x: np.ndarray) -> np.ndarray:
    """(n, 3) Legendre polynomials of mid-ranks, orthonormal on the rows."""
    t = 2 * (rankdata(x) - 0.5) / len(x) - 1
    columns = np.stack([np.ones_like(t), t, 1.5 * t**2 - 0.5, 2.5 * t**3 - 1.5 * t], 1)
    q, r = np.linalg.qr(columns)
    return (q * np.sign(np.diag(r)))[:, 1:] * np.sqrt(len(x))


def statistic(X: np.ndarray, y: np.ndarray, candidate: int, given: list[int], strength: float) -> float:
    """(n − 1 − |S| − (m + q + 1)/2) (log |T_jj·S| − log |W_jj·S|) by explicit inverses; y are classes."""
    n, D = X.shape
    E = np.stack([y == c for c in np.unique(y)[1:]], 1).astype(float)
    E -= E.mean(0)
    order = [*given, candidate]
    Z = np.concatenate([block(X[:, j]) for j in order], 1)
    ridge = np.diag(np.tile(strength * np.array([1.0, 2.0, 3.0]) * np.sqrt(np.log(D) / n), len(order)))
    residual = Z - E @ np.linalg.lstsq(E, Z, rcond=None)[0]
    logs = []
    for rows in (Z, residual):
        A = rows.T @ rows / n + ridge
        head, tail = A[:-3, :-3], A[:-3, -3:]
        logs.append(np.linalg.slogdet(A[-3:, -3:] - tail.T @ np.linalg.inv(head) @ tail)[1])
    return (n - 1 - 3 * len(given) - (3 + E.shape[1] + 1) / 2) * (logs[0] - logs[1])


def weights(X: np.ndarray, y: np.ndarray, picks: list[int], pick: int, strength: float = 1.0) -> np.ndarray:
    """(D,) chance of every column to be the one that stands for ``pick``, the other picks given."""
    others = [j for j in picks if j != pick]
    x = np.array([-np.inf if j in others else statistic(X, y, j, others, strength) for j in range(X.shape[1])])
    best = int(np.argmax(x))
    r = 3 * len(others)
    for j in range(X.shape[1]):
        if j != best and np.isfinite(x[j]):  # a lead over look-alikes counts for what it gives on other rows
            correlation = np.linalg.svd(block(X[:, best]).T @ block(X[:, j]) / len(X), compute_uv=False)[0]
            x[j] = x[best] - (x[best] - x[j]) * (1 - 2 * r / (len(X) + r) * correlation**2)
    w = np.exp(0.5 * (x - x.max()))
    return w / w.sum()

"""The semidefinite relaxation by a primal-dual interior-point method made for its n + 2 constraints.

After Helmberg, Rendl, Vanderbei & Wolkowicz (1996), who solve max-cut so. With X ≻ 0 and
Z = Diag(d) + μE + ρqqᵀ − 𝒬 ≻ 0 both feasible from the start, a Newton step on ZX = τI is

    (Z⁻¹ ∘ X, bordered for E) Δy = τ A(Z⁻¹) − b,     ΔX = τZ⁻¹ − X − Z⁻¹ ΔZ X  (made symmetric)

A step costs a few products of n × n matrices, where a general conic solver keeps a block of n⁴/4 numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve, cholesky

from .semidefinite import Relaxed, expanded, size_vector

Floats = NDArray[np.float64]
STEPS = 100


def interior(matrix: Floats, size: int, penalty: float = 0.0, tolerance: float = 1e-7) -> Relaxed:
    """The relaxation of 𝒬 − penalty · qqᵀ for sets of ``size`` (0 < size < n), to a relative duality gap."""
    scale = max(float(np.abs(matrix).max()), 1e-300)
    C = expanded(matrix / scale)
    N = C.shape[0]
    n = N - 1
    q = size_vector(n, 2.0 * size - n)
    C -= penalty / scale * np.outer(q, q)
    total = 2.0 * (2 * size - n)  # E•Y
    b = np.append(np.ones(N), total)
    g = np.ones(N)
    g[0] = 0.0
    mean = (2.0 * size - n) / n
    X = np.full((N, N), mean * mean)
    X[0, 1:] = X[1:, 0] = mean
    np.fill_diagonal(X, 1.0)
    y = np.append(1.1 * np.abs(C).sum(axis=1) + 1.0, 0.0)
    Z = _slack(y, C)
    tau = float(np.vdot(X, Z)) / (2 * N)
    steps = 0
    while steps < STEPS:
        steps += 1
        inverse = cho_solve(cho_factor(Z, check_finite=False), np.eye(N), check_finite=False)
        inverse = (inverse + inverse.T) / 2
        system = np.empty((N + 1, N + 1))
        system[:N, :N] = inverse * X
        Xg, Vg = X @ g, inverse @ g
        system[:N, N] = system[N, :N] = inverse[:, 0] * Xg + Vg * X[:, 0]
        system[N, N] = 2 * Vg[0] * Xg[0] + float(g @ Vg) * X[0, 0] + inverse[0, 0] * float(g @ Xg)
        right = tau * np.append(np.diag(inverse), 2 * Vg[0]) - b
        dy = np.linalg.solve(system, right)
        dZ = _slack(dy, np.zeros_like(C))
        dX = tau * inverse - X - inverse @ (dZ @ X)
        dX = (dX + dX.T) / 2
        primal, dual = _length(X, dX), _length(Z, dZ)
        X += primal * dX
        y = y + dual * dy
        Z = _slack(y, C)
        gap = float(np.vdot(X, Z))
        if gap <= tolerance * (1.0 + abs(float(b @ y))):
            break
        tau = gap / (2 * N) * (0.5 if primal + dual > 1.8 else 1.0)
    values, vectors = np.linalg.eigh(X)
    factor = vectors * np.sqrt(np.maximum(values, 0.0))
    factor /= np.linalg.norm(factor, axis=1, keepdims=True)
    return Relaxed(factor, float(np.vdot(C, X)) * scale / 4, float(b @ y) * scale / 4, steps)


def _slack(y: Floats, C: Floats) -> Floats:
    """Diag(d) + μE − C for y = (d, μ)."""
    Z = -C
    Z[np.diag_indices_from(Z)] += y[:-1]
    Z[0, 1:] += y[-1]
    Z[1:, 0] += y[-1]
    return Z


def _length(X: Floats, step: Floats) -> float:
    """A step length, at most 1, that stays well inside the cone."""
    length = 1.0
    while length > 1e-12:
        try:
            cholesky(X + length * step, lower=True, check_finite=False)
        except LinAlgError:
            length *= 0.8
            continue
        return length if length == 1.0 else 0.95 * length
    return 0.0

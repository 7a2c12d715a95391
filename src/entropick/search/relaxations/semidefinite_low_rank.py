"""The semidefinite relaxation by a low-rank factor (Burer & Monteiro 2003): memory n·r besides the form itself.

Y = VVᵀ with unit rows v_i ∈ R^r and v_0 = e_1. With r(r + 1)/2 above the number of constraints no local optimum is
worse than the best in practice. The size constraint enters by an augmented Lagrangian, rows stay on their spheres,
L-BFGS does the rest. The multipliers at the end give a dual point; what it lacks of being feasible, the largest
eigenvalue λ of 𝒬 − ρqqᵀ − Diag(d) − μE, is paid for by (n + 1)·λ since Y has the trace n + 1, so the bound is proven
however well the factor is optimised.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ...measures.quadratic.form import QuadraticForm
from .semidefinite import Relaxed, expanded, size_vector

Floats = NDArray[np.float64]
OUTER = 12
INNER = 60
DENSE = 3000  # candidates up to which the eigenvalue of the bound is taken from the whole matrix


def low_rank(
    form: QuadraticForm, whole: NDArray[np.intp], size: int, penalty: float = 0.0, tolerance: float = 1e-5
) -> Relaxed:
    """The relaxation of 𝒬 − penalty · qqᵀ for sets of ``size`` (0 < size < n), see `semidefinite`."""
    n = whole.size
    rank = min(n + 1, int(np.ceil(np.sqrt(2.0 * (n + 2)))) + 1)
    goal = 2.0 * size - n
    product = _product(form, whole)
    sums = product(np.ones((n, 1)))[:, 0]
    scale = 4.0 * max(float(np.abs(sums).mean()), 1e-300)
    mean = goal / n
    spread = np.random.default_rng(0).standard_normal((n, rank - 1))  # a start, the same for every run
    spread *= np.sqrt(1.0 - mean * mean) / np.linalg.norm(spread, axis=1, keepdims=True)
    flat = np.column_stack([np.full(n, mean), spread]).ravel()
    multiplier, weight = 0.0, 10.0 / n
    iterations = 0

    def lagrangian(flat: Floats, multiplier: float, weight: float) -> tuple[float, Floats]:
        raw = flat.reshape(n, rank)
        lengths = np.linalg.norm(raw, axis=1, keepdims=True)
        V = raw / lengths
        apart = V.sum(axis=0)
        apart[0] -= goal
        W = V.copy()
        W[:, 0] += 1.0
        image = product(W)
        value = (penalty * float(apart @ apart) - float(np.vdot(W, image))) / scale
        value += multiplier * apart[0] + 0.5 * weight * apart[0] ** 2
        gradient = (-2.0 / scale) * (image - penalty * apart)
        gradient[:, 0] += multiplier + weight * apart[0]
        gradient -= np.einsum("ij,ij->i", gradient, V)[:, None] * V
        return value, (gradient / lengths).ravel()

    before = np.inf
    for _ in range(OUTER):
        found: Any = minimize(
            lagrangian, flat, (multiplier, weight), method="L-BFGS-B", jac=True,
            options={"maxiter": INNER, "maxcor": 10, "ftol": 1e-10, "gtol": 1e-7},
        )  # fmt: skip
        raw = found.x.reshape(n, rank)
        V = raw / np.linalg.norm(raw, axis=1, keepdims=True)
        flat = V.ravel()
        iterations += int(found.nit)
        excess = float(V[:, 0].sum()) - goal
        multiplier += weight * excess
        if abs(excess) <= tolerance * n and found.nit < INNER:
            break
        if abs(excess) > 0.25 * before:
            weight *= 3.0
        before = abs(excess)
    W = V.copy()
    W[:, 0] += 1.0
    image = product(W)
    apart = V.sum(axis=0)
    apart[0] -= goal
    value = (float(np.vdot(W, image)) - penalty * float(apart @ apart)) / 4
    factor = np.vstack([np.eye(1, rank), V])
    dual = _Dual(image - penalty * apart, V, 0.5 * scale * multiplier, goal, penalty, apart[0])
    bound = _bound(form, whole, product, dual)
    return Relaxed(factor, value, bound, iterations)


def _product(form: QuadraticForm, whole: NDArray[np.intp]) -> Any:
    """W -> M W among the candidates."""
    if whole.size == form.n_candidates:
        return form.times
    block = form.block(whole)
    return lambda W: block @ W


@dataclass(frozen=True)
class _Dual:
    """What the dual point is made of: the rows of (𝒬 − ρqqᵀ)V from 1 on, V, μ, 2k − n, ρ and q·V_0."""

    image: Floats
    factor: Floats
    mu: float
    goal: float
    penalty: float
    excess: float

    def diagonal(self, sums: float) -> Floats:
        """d; ``sums`` is the first entry of row 0 of 𝒬V."""
        own = np.einsum("ij,ij->i", self.image, self.factor) - self.mu * self.factor[:, 0]
        return np.append(sums + self.penalty * self.goal * self.excess - self.mu * self.factor[:, 0].sum(), own)


def _bound(form: QuadraticForm, whole: NDArray[np.intp], product: Any, dual: _Dual) -> float:
    n = whole.size
    # row 0 of 𝒬V is the sum of the rows of MW, which are image + ρ q·V
    d = dual.diagonal(float(dual.image[:, 0].sum() + n * dual.penalty * dual.excess))
    if n <= DENSE:
        from scipy.linalg import eigh

        lacking = expanded(form.block(whole))
        if dual.penalty:
            q = size_vector(n, dual.goal)
            lacking -= dual.penalty * np.outer(q, q)
        lacking[np.diag_indices_from(lacking)] -= d
        lacking[0, 1:] -= dual.mu
        lacking[1:, 0] -= dual.mu
        top = float(eigh(lacking, subset_by_index=[n, n], eigvals_only=True, overwrite_a=True, check_finite=False)[0])
    else:
        top = _largest(product, d, dual, n)
    return float(d.sum() + 2.0 * dual.goal * dual.mu + (n + 1) * max(0.0, top)) / 4


def _largest(product: Any, d: Floats, dual: _Dual, n: int) -> float:
    """The largest eigenvalue of 𝒬 − ρqqᵀ − Diag(d) − μE, and what Lanczos leaves open."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    q = size_vector(n, dual.goal)

    def lacking(v: Floats) -> Floats:
        v = np.asarray(v).reshape(-1)
        image = product((v[1:] + v[0])[:, None])[:, 0]
        rest = np.append(image.sum() - dual.mu * v[1:].sum(), image - dual.mu * v[0])
        return rest - d * v - dual.penalty * float(q @ v) * q

    operator: Any = LinearOperator((n + 1, n + 1), matvec=lacking, dtype=np.float64)
    values, vectors = eigsh(operator, k=1, which="LA", v0=np.cos(np.arange(1.0, n + 2.0)), ncv=40, tol=1e-6)
    vector = vectors[:, 0]
    return float(values[0] + np.linalg.norm(lacking(vector) - values[0] * vector))

"""Multinomial logistic regression with an ℓ1 and an ℓ2 penalty, solved to its optimality conditions.

    min over W (D × C), b (C):   −Σ_i v_i log softmax(x_iᵀ W + b)[y_i]  +  l1 Σ |W|  +  l2 / 2 Σ W²,     Σ v = 1

Coordinate descent that never raises the objective (`kernels.softmax`), on the columns that are or may become
non-zero; the others are checked against the conditions and let in where they break them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kernels.softmax import sweep

Floats = NDArray[np.float64]
ROUNDS = 30  # times that columns are let in
STEPS = 300  # passes over all columns let in
INNER = 10  # passes over weights that are not zero, between two of those


@dataclass(frozen=True)
class Fit:
    """Weights (D, C), intercepts (C,), gradient of the loss (D, C) and how far from optimal (in units of l1)."""

    weights: Floats
    intercept: Floats
    gradient: Floats
    violation: float
    objective: float


class Softmax:
    """The loss of given rows: X (n, D) standardised, codes (n,), row weights (n,) or None."""

    def __init__(self, X: Floats, codes: NDArray[np.int32], n_classes: int, weights: Floats | None = None) -> None:
        self.X = X
        self._codes = np.ascontiguousarray(codes, dtype=np.int64)
        self._y = np.eye(n_classes)[self._codes]
        own = np.ones(len(X)) if weights is None else weights
        self.total = float(own.sum())
        self._v = own / self.total
        self._prior = np.log(np.maximum(self._v @ self._y, 1e-300))

    @property
    def zero(self) -> Fit:
        """No weights at all: intercepts give the class frequencies."""
        W = np.zeros((self.X.shape[1], self._y.shape[1]))
        loss, residual = self._residual(np.tile(self._prior, (len(self.X), 1)))
        return Fit(W, self._prior.copy(), self.X.T @ residual, 0.0, loss)

    def _residual(self, margin: Floats) -> tuple[float, Floats]:
        """The loss, and its gradient in the margins (n, C)."""
        top = margin.max(axis=1, keepdims=True)
        e = np.exp(margin - top)
        norm = e.sum(axis=1, keepdims=True)
        loss = float(self._v @ ((np.log(norm) + top)[:, 0] - (margin * self._y).sum(axis=1)))
        return loss, self._v[:, None] * (e / norm - self._y)

    def fit(self, l1: float, l2: float = 0.0, start: Fit | None = None, tol: float = 1e-5) -> Fit:
        """Solve from a start (zero weights by default); ``tol`` bounds the violation as a share of l1."""
        start = self.zero if start is None else start
        W, b, gradient = start.weights.copy(), start.intercept.copy(), start.gradient
        active = (W != 0).any(axis=1) | (np.abs(gradient).max(axis=1, initial=0.0) > l1)
        violation, objective = 0.0, start.objective
        for _ in range(ROUNDS):
            columns = np.flatnonzero(active)
            W[columns], b, objective = self._descend(columns, W[columns], b, l1, l2, tol)
            _, residual = self._residual(self.X[:, columns] @ W[columns] + b)
            gradient = self.X.T @ residual
            violations = _violations(W, gradient, l1, l2).max(axis=1, initial=0.0)
            violation = float(violations.max(initial=0.0)) / l1
            fresh = ~active & (violations > tol * l1)
            if not fresh.any():
                break
            active |= fresh
        return Fit(W, b, gradient, violation, objective)

    def _descend(
        self, columns: NDArray[np.intp], W: Floats, b: Floats, l1: float, l2: float, tol: float
    ) -> tuple[Floats, Floats, float]:
        turned = np.vstack([np.ones((1, len(self.X))), self.X[:, columns].T])  # the first row carries the intercepts
        Z = np.vstack([b, W])
        penalised = np.ones(len(Z))
        penalised[0] = 0.0
        trust = np.ones_like(Z)
        worst = np.inf
        for _ in range(STEPS):
            margin = turned.T @ Z
            e = np.ascontiguousarray(np.exp(margin - margin.max(axis=1, keepdims=True)).T)
            norm = e.sum(axis=0)
            worst = sweep(turned, self._codes, self._v, Z, trust, e, norm, l1, l2, penalised, False)
            if worst <= tol * l1:
                break
            for _ in range(INNER):
                within = sweep(turned, self._codes, self._v, Z, trust, e, norm, l1, l2, penalised, True)
                if within <= 0.3 * max(tol * l1, min(worst, 1.0) * 0.1):
                    break
        loss, _ = self._residual(turned.T @ Z)
        value = loss + l1 * float(np.abs(Z[1:]).sum()) + 0.5 * l2 * float((Z[1:] ** 2).sum())
        return Z[1:], Z[0], value


def _violations(W: Floats, gradient: Floats, l1: float, l2: float) -> Floats:
    """How far each entry is from: gradient + l2 w = −l1 sign(w), or |gradient| ≤ l1 where w = 0."""
    return np.where(W != 0, np.abs(gradient + l2 * W + l1 * np.sign(W)), np.maximum(np.abs(gradient) - l1, 0.0))

"""Multinomial logistic regression with an ℓ1 and an ℓ2 penalty, solved to its optimality conditions.

    min over W (D × C), b (C):   −Σ_i v_i log softmax(x_iᵀ W + b)[y_i]  +  l1 Σ |W|  +  l2 / 2 Σ W²,     Σ v = 1

Coordinate descent that never raises the objective (`kernels.softmax`), on the weights that are not zero or break the
conditions of the minimum. Columns are let in where they break these; once those let in settle, all are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...kernels.softmax import sweep

Floats = NDArray[np.float64]
STEPS = 600  # looks at the gradient of the columns let in
INNER = 5  # passes over weights that are not zero, between two of those
FRESH = 64  # columns let in at first; later up to as many as are in
ENTRY = 0.1  # share of the largest violation that lets a weight in: lesser ones may be gone by the next look
TRUST = 0.01  # least trust at the start of a fit


@dataclass(frozen=True)
class SoftmaxFit:
    """Weights (D, C), intercepts (C,), gradient of the loss (D, C) and how far from optimal (in units of l1).

    trust (D + 1, C), of the intercepts and weights: how far they may move in the first pass of a fit that starts here.
    """

    weights: Floats
    intercept: Floats
    gradient: Floats
    violation: float
    objective: float
    trust: Floats


class Softmax:
    """The loss of given rows: X (n, D) standardised, codes (n,), row weights (n,) or None."""

    def __init__(self, X: Floats, codes: NDArray[np.int32], n_classes: int, weights: Floats | None = None) -> None:
        self.X = X
        self._y = np.eye(n_classes)[codes]
        own = np.ones(len(X)) if weights is None else weights
        self.total = float(own.sum())
        self._v = own / self.total
        shares = self._v @ self._y
        self._prior = np.log(np.maximum(shares, 1e-300))
        self._columns = np.empty(0, dtype=np.intp)  # let in so far
        # of a row of ones, which carries the intercepts, and of the columns let in: entries, largest, sum in each class
        self._turned, self._reach, self._goals = np.ones((1, len(X))), np.ones(1), shares[None, :]

    @property
    def zero(self) -> SoftmaxFit:
        """No weights at all: intercepts give the class frequencies."""
        W = np.zeros((self.X.shape[1], self._y.shape[1]))
        loss, residual, _, _ = self._state(np.tile(self._prior, (len(self.X), 1)))
        return SoftmaxFit(W, self._prior.copy(), self.X.T @ residual, 0.0, loss, np.ones((len(W) + 1, W.shape[1])))

    def _state(self, margin: Floats) -> tuple[float, Floats, Floats, Floats]:
        """The loss, its gradient in the margins (n, C), exponentials (C, n) of the margins and their sums (n,)."""
        top = margin.max(axis=1, keepdims=True)
        e = np.exp(margin - top)
        norm = e.sum(axis=1)
        loss = float(self._v @ (np.log(norm) + top[:, 0] - (margin * self._y).sum(axis=1)))
        residual = self._v[:, None] * (e / norm[:, None] - self._y)
        return loss, residual, np.ascontiguousarray(e.T), norm

    def fit(self, l1: float, l2: float = 0.0, start: SoftmaxFit | None = None, tol: float = 1e-5) -> SoftmaxFit:
        """Solve from a start (zero weights by default); ``tol`` bounds the violation as a share of l1."""
        start = self.zero if start is None else start
        Z, trust = np.vstack([start.intercept, start.weights]), np.maximum(start.trust, TRUST)
        off = _violations(Z[1:], start.gradient, l1, l2)
        self._let_in(np.where(Z[1:] != 0, np.inf, off))
        for _ in range(STEPS):
            if l2 == 0.0:
                Z[1:] = _centred(Z[1:])
            rows = np.concatenate([[0], self._columns + 1])
            loss, residual, e, norm = self._state(self._turned.T @ Z[rows])
            inner = self._turned @ residual
            off = _violations(Z[rows], inner, l1, l2)
            off[0] = np.abs(inner[0])  # intercepts have no penalty
            worst = float(off.max())
            if worst <= tol * l1:  # among those let in: time to look at all
                gradient = self.X.T @ residual
                off = _violations(Z[1:], gradient, l1, l2)
                worst = max(worst, float(off.max(initial=0.0)))
                if worst <= tol * l1 or not self._let_in(off):  # nobody: two ways to round the same sum
                    break
                continue
            z, radius, inverse = Z[rows], trust[rows], 1.0 / norm
            live = (z != 0) | (off > ENTRY * worst)
            target = 0.3 * max(tol * l1, 0.1 * worst)
            for _ in range(INNER):
                live[0] = True
                within = sweep(
                    self._turned, self._reach, self._v, self._goals, z, radius, e, inverse, l1, l2, live, 0.1 * target
                )
                if within <= target:
                    break
                live = z != 0
            Z[rows], trust[rows] = z, radius
        else:
            gradient = self.X.T @ residual
        value = loss + l1 * float(np.abs(Z[1:]).sum()) + 0.5 * l2 * float((Z[1:] ** 2).sum())
        return SoftmaxFit(Z[1:], Z[0], gradient, worst / l1, value, trust)

    def _let_in(self, off: Floats) -> bool:
        """Keep columns with violations (D, C) as rows, too, contiguous for the passes: the worst, and all infinite.

        False where there is none that is not kept.
        """
        worst = off.max(axis=1, initial=0.0)
        worst[self._columns] = 0.0
        ranked = np.argsort(-worst, kind="stable")
        ranked = ranked[: max(FRESH, self._columns.size, np.count_nonzero(np.isinf(worst)))]
        fresh = np.sort(ranked[worst[ranked] > 0.0])
        if fresh.size:
            rows = np.ascontiguousarray(self.X[:, fresh].T)
            self._columns = np.concatenate([self._columns, fresh])
            self._turned = np.vstack([self._turned, rows])
            self._reach = np.concatenate([self._reach, np.abs(rows).max(axis=1)])
            self._goals = np.vstack([self._goals, rows @ (self._v[:, None] * self._y)])
        return bool(fresh.size)


def _centred(W: Floats) -> Floats:
    """Weights (d, C) less a number a feature, which no probability notices, that makes Σ|w| least.

    That is the median. Between the middle two of an even number of classes all are as good: the mean of these is taken,
    so that which weights are zero does not depend on the way that led here. Two classes get w and −w.
    """
    n_classes = W.shape[1]
    if n_classes % 2:
        return W
    middle = np.sort(W, axis=1)[:, n_classes // 2 - 1 : n_classes // 2 + 1]
    out: Floats = W - middle.mean(axis=1, keepdims=True)
    return out


def _violations(W: Floats, gradient: Floats, l1: float, l2: float) -> Floats:
    """How far each entry is from: gradient + l2 w = −l1 sign(w), or |gradient| ≤ l1 where w = 0."""
    return np.where(W != 0, np.abs(gradient + l2 * W + l1 * np.sign(W)), np.maximum(np.abs(gradient) - l1, 0.0))

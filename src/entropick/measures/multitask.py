"""CMTF: one linear model a class, all agreeing on few features."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..statistics.rows import RowStatistics
from .measure import Scores
from .ordering import Weighing

ROUNDS = 500
SETTLED = 1e-10  # relative fall of the objective that ends the alternation
SMOOTH = 1e-6  # added to each norm, so that no feature is lost for ever in one step


class CMTF(Weighing):
    """‖w_j‖ where  min Σ_t mean_i (y_ti − x_iᵀw_t)² + γ (Σ_j ‖w_j‖)²  (Argyriou, Evgeniou & Pontil 2008, U = I).

    w_j are the weights of feature j in all tasks; tasks are the classes one against all (±1), or the one
    regression. Their alternation: ridge regression with penalty γ Σ_j ‖w_j‖² / d_j, then
    d_j = ‖w_j‖ / Σ ‖w_i‖; neither step raises Σ loss + γ Σ ‖w_j‖² / d_j. Norms are smoothed by 1e-6 of the largest,
    so weights near zero are not exactly zero, and give the ranking. ``details`` has the violation of the
    conditions ‖∇_j‖ ≤ 2 γ Σ‖w_i‖ (equal where w_j ≠ 0) and the objectives. Sees redundancy; linear only.
    """

    def __init__(
        self,
        statistics: RowStatistics,
        random: np.random.Generator | None = None,
        n_jobs: int | None = None,
        gamma: float = 0.1,
    ) -> None:
        super().__init__(statistics)
        self.gamma = float(gamma)

    def weigh(self, columns: NDArray[np.intp]) -> Scores:
        own = self.statistics
        X = own.standardised[:, columns]
        v = np.ones(own.n_rows) if own.weights is None else own.weights
        v = v / v.sum()
        if own.target is None:
            Y = np.where(np.arange(own.n_classes) == own.codes[:, None], 1.0, -1.0)
        else:
            Y = (own.target / np.sqrt(np.cov(own.target, aweights=v, ddof=0)))[:, None]
        Y = Y - v @ Y
        root = np.sqrt(v)[:, None]
        W, trace = self._alternate(X * root, Y * root)
        gradient = 2.0 * (X * v[:, None]).T @ (X @ W - Y)
        norms = np.linalg.norm(W, axis=1)
        bound = 2.0 * self.gamma * norms.sum()
        present = norms > 1e-3 * norms.max(initial=0.0)
        size = np.linalg.norm(gradient, axis=1)
        gap = np.where(present, np.abs(size - bound), np.maximum(size - bound, 0.0))
        worst = float(gap.max(initial=0.0)) / bound if bound > 0 else 0.0
        self._details = {"objective_trace": trace, "optimality_violation": worst}
        return norms

    def _alternate(self, X: Scores, Y: Scores) -> tuple[Scores, list[float]]:
        n, d = X.shape
        share = np.full(d, 1.0 / d)
        target, gram = X.T @ Y, X.T @ X if d <= n else None
        trace: list[float] = []
        W = np.zeros((d, Y.shape[1]))
        if not np.any(np.abs(target) > 1e-12):
            return W, trace
        smooth = 0.0
        for _ in range(ROUNDS):
            scale = np.sqrt(share)
            if gram is not None:
                inner = scale[:, None] * gram * scale + self.gamma * np.eye(d)
                W = scale[:, None] * np.linalg.solve(inner, scale[:, None] * target)
            else:
                inner = (X * share) @ X.T + self.gamma * np.eye(n)
                W = share[:, None] * (X.T @ np.linalg.solve(inner, Y))
            squares = (W**2).sum(axis=1)
            smooth = smooth or (SMOOTH**2 * float(squares.max()))
            norms = np.sqrt(squares + smooth)
            share = norms / norms.sum()
            loss = float(((Y - X @ W) ** 2).sum())
            trace.append(loss + self.gamma * float(norms.sum()) ** 2)
            if len(trace) > 1 and trace[-2] - trace[-1] <= SETTLED * abs(trace[-1]):
                break
        return W, trace

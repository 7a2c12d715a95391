"""CMTF: one linear model a class, all agreeing on few features."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.multitask import settle
from ...statistics.rows import RowStatistics
from ..measure import Scores
from .ordering import SparseWeighing

TOL = 1e-8  # the conditions may be broken by this share of γ Σ‖w_j‖
LEAST = 1e-12  # correlation with a task that is not taken for rounding
FRESH = 64  # features let in at first; later up to as many as are in
ROUNDS = 200  # times that features are let in
SWEEPS = 10_000  # over the features let in, between two of those
COPY = 1e-10  # standard deviation of the difference, at most, of a column and its copy


class CMTF(SparseWeighing):
    """‖w_j‖ where  min Σ_t mean_i (y_ti − x_iᵀw_t)² + γ (Σ_j ‖w_j‖)²  (Argyriou, Evgeniou & Pontil 2008, U = I).

    w_j are the weights of feature j in all tasks; tasks are the classes one against all (±1), or the one
    regression. Where the authors alternate ridge regressions, a D × D system each, this descends in one feature after
    another: all else fixed, w_j is along r_j = mean_i x_ij (y_i − Σ_{l≠j} x_il w_l), of length
    max(0, ‖r_j‖ − γ Σ_{l≠j} ‖w_l‖) / (mean x_j² + γ). Where no feature alone improves is the minimum, as the penalty
    grows with a sum over features; except at W = 0, which a step leaves unless the tasks correlate with nothing.
    Features are let in where they break their condition, the worst first, and only those have a Gram matrix. Of copies
    the first is let in.

    With p_j = mean_i x_ij (y_i − x_iᵀW) and b = γ Σ‖w_l‖ the conditions are p_j = b w_j / ‖w_j‖, or ‖p_j‖ ≤ b where
    w_j = 0. ``details`` has their largest violation in units of b (1e-8 at most, but where few rows and a γ below 1e-4
    make descent too slow) and the objective. Features without a weight follow by ‖p_j‖ / b − 1 ≤ 0, how near they are
    to entering. ``k="auto"`` takes the features with a weight. Sees redundancy; linear only.
    """

    def __init__(self, statistics: RowStatistics, *, gamma: float = 0.1, **how: Any) -> None:
        super().__init__(statistics, **how)
        self.gamma = float(gamma)

    def weigh(self, columns: NDArray[np.intp]) -> Scores:
        own = self.statistics
        X = own.standardised if columns.size == own.n_features else own.standardised[:, columns]
        v = np.ones(own.n_rows) if own.weights is None else own.weights
        v = v / v.sum()
        if own.target is None:
            Y = np.where(np.arange(own.n_classes) == own.codes[:, None], 1.0, -1.0)
        else:
            spread = float(np.sqrt(np.cov(own.target, aweights=v, ddof=0)))
            Y = (own.target / (spread or 1.0))[:, None]
        return self._solve(X, Y - v @ Y, v)

    def _solve(self, X: Scores, Y: Scores, v: Scores) -> Scores:
        """‖w_j‖ for X (n, D) and Y (n, T), both centred, and row weights v of sum 1; how near to entering without."""
        active = np.empty(0, dtype=np.intp)
        gram, weights = np.empty((0, 0)), np.empty((Y.shape[1], 0))
        asked = np.zeros(X.shape[1], bool)
        for _ in range(ROUNDS):
            residual = Y - X[:, active] @ weights.T
            pull = (v[:, None] * residual).T @ X
            sizes, norms = np.linalg.norm(pull, axis=0), np.linalg.norm(weights, axis=0)
            bound = self.gamma * float(norms.sum())
            off, present = np.maximum(sizes - bound, 0.0), norms > 0
            along = bound * weights[:, present] / norms[present]
            off[active[present]] = np.linalg.norm(pull[:, active[present]] - along, axis=0)
            breaks = np.flatnonzero(~asked & (off > max(TOL * bound, LEAST)))
            if not breaks.size:
                break
            # what differs by rounding only is a tie, for the lowest index
            worst = np.argsort(-np.round(off[breaks] / off.max(), 12), kind="stable")[: max(FRESH, active.size)]
            fresh = np.sort(breaks[worst])
            asked[fresh] = True
            fresh, gram = _grown(gram, X[:, active], X[:, fresh], v, fresh)
            active = np.concatenate([active, fresh])
            weights = np.hstack([weights, np.zeros((len(weights), fresh.size))])
            settle(gram, np.ascontiguousarray(pull[:, active]), weights, self.gamma, 0.1 * TOL, SWEEPS)
        self._details = {
            "objective": float(v @ (residual**2).sum(axis=1)) + bound * float(norms.sum()),
            "optimality_violation": float(off.max(initial=0.0)) / bound if bound > 0 else 0.0,
        }
        scores = np.minimum(sizes / bound - 1.0, 0.0) if bound > 0 else np.full(sizes.size, -1.0)
        scores[active[present]] = norms[present]
        return scores


def _grown(
    gram: Scores, held: Scores, block: Scores, v: Scores, fresh: NDArray[np.intp]
) -> tuple[NDArray[np.intp], Scores]:
    """Those of the fresh columns that are no copies of one before, and the Gram matrix with them."""
    before = len(gram)
    both = np.hstack([held, block])
    cross = both.T @ (block * v[:, None])
    new = np.ones(fresh.size, bool)
    for i, j in zip(*np.nonzero(np.abs(cross) > 1.0 - 1e-9), strict=True):
        if i < before + j:
            gap = both[:, i] - np.sign(cross[i, j]) * block[:, j]
            new[j] &= v @ gap**2 > COPY**2
    cross = cross[np.concatenate([np.ones(before, bool), new])][:, new]
    return fresh[new], np.block([[gram, cross[:before]], [cross[:before].T, cross[before:]]])

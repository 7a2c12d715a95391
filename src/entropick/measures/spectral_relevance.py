"""Q-α: features whose weighted affinity of rows has clusters ("Spec. Clus." in `papers/000`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..statistics.rows import RowStatistics
from .measure import Scores
from .ordering import Weighing

ROUNDS = 200
SETTLED = 1e-9  # change of the weights that ends the iteration


class QAlpha(Weighing):
    """α_j where  max over α, Q:  tr(Qᵀ A A Q),  A = Σ_j α_j m_j m_jᵀ,  ‖α‖ = 1, QᵀQ = I  (Wolf & Shashua 2005).

    m_j is column j, centred and of norm 1; Q has q columns. Their power-embedded iteration: α ← G α / ‖G α‖ with
    G_ij = (m_iᵀm_j)(m_iᵀQQᵀm_j), then Q ← the orthogonal part of A Q; no n × n or D × D matrix is built. Weights come
    out non-negative and sparse, though nothing asks for it. supervised: rows of class g have their own Q_g and
    A_gh = Σ_j α_j m_j^g m_j^hᵀ; the objective is Σ_g tr(Q_gᵀ A_gg A_gg Q_g) less the mean over other classes h of
    tr(Q_gᵀ A_gh A_hg Q_g): clusters within classes, none across; negative steps are cut off at 0. The weights +1 and
    −1/(C − 1) of the pairs of classes are ours, not checked against the paper's supervised form. clusters: q (None:
    the number of classes unsupervised, 1 supervised). Without ``supervised`` the target is not looked at.
    """

    def __init__(
        self,
        statistics: RowStatistics,
        random: np.random.Generator | None = None,
        n_jobs: int | None = None,
        supervised: bool = False,
        clusters: int | None = None,
    ) -> None:
        super().__init__(statistics)
        self.supervised, self.clusters = supervised, clusters
        self._random = random

    def weigh(self, columns: NDArray[np.intp]) -> Scores:
        own = self.statistics
        X = own.standardised[:, columns]
        if own.weights is not None:
            X = X * np.sqrt(own.weights)[:, None]
        M = X / np.maximum(np.linalg.norm(X, axis=0), 1e-300)
        if not np.any(M):
            return np.zeros(columns.size)
        if self.supervised:
            parts = [M[own.codes == c] for c in range(own.n_classes) if np.any(own.codes == c)]
            q = self.clusters or 1
        else:
            parts, q = [M], self.clusters or max(own.n_classes, 2)
        random = self._random or np.random.default_rng(0)
        frames = [_start(len(part), min(q, len(part), columns.size), self.supervised, random) for part in parts]
        alpha = np.full(columns.size, columns.size**-0.5)
        rounds, size = 0, 0.0
        while rounds < ROUNDS:
            rounds += 1
            step: Scores = np.zeros(columns.size)
            step = step + sum(
                _sign(g, h, len(parts)) * _product(parts[h], parts[g].T @ frames[g], alpha)
                for g in range(len(parts))
                for h in range(len(parts))
            )
            step = np.maximum(step, 0.0) if self.supervised else step
            size = float(np.linalg.norm(step))
            if size <= 1e-300:
                break
            before, alpha = alpha, step / size
            frames = [
                np.linalg.qr(part @ (alpha[:, None] * (part.T @ Q)))[0] for part, Q in zip(parts, frames, strict=True)
            ]
            if np.abs(alpha - before).max() <= SETTLED:
                break
        self._details = {"iterations": rounds, "energy": size}
        return alpha


def _start(n: int, q: int, supervised: bool, random: np.random.Generator) -> Scores:
    """Orthonormal columns; those of a class begin with the direction along which its means stand out."""
    frame = random.standard_normal((n, q))
    if supervised:
        frame[:, 0] = 1.0
    return np.linalg.qr(frame)[0]


def _sign(g: int, h: int, n_classes: int) -> float:
    return 1.0 if g == h else -1.0 / (n_classes - 1)


def _product(M: Scores, u: Scores, alpha: Scores) -> Scores:
    """Σ_j α_j (m_iᵀm_j)(u_i·u_j) for every i, in O(n D q)."""
    out = np.zeros(alpha.size)
    for column in u.T:
        out += column * (M.T @ (M @ (alpha * column)))
    return out

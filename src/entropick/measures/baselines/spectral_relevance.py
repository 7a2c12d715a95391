"""Q-α: features whose weighted affinity of rows has clusters ("Spec. Clus." in Lefakis & Fleuret 2014)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...statistics.rows import RowStatistics
from ..measure import Scores
from .ordering import Weighing

ROUNDS = 200
SETTLED = 1e-9  # change of the weights that ends the iteration
NEAR = 1e-6  # least ratio of squared lengths for which a basis is made without the rows


class QAlpha(Weighing):
    """α_j where  max over α, Q:  tr(Qᵀ A A Q),  A = Σ_j α_j m_j m_jᵀ,  ‖α‖ = 1, QᵀQ = I  (Wolf & Shashua 2005).

    m_j is column j, centred and of norm 1; Q has q columns. Their power-embedded iteration: α ← G α / ‖G α‖ with
    G_ij = (m_iᵀm_j)(m_iᵀQQᵀm_j), then Q ← the orthogonal part of A Q. Of Q only m_jᵀQ is ever needed, so that rows are
    left after one Gram matrix D × D, unless it is larger than they are; no n × n matrix is built. Weights come
    out non-negative and sparse, though nothing asks for it. supervised: rows of class g have their own Q_g and
    A_gh = Σ_j α_j m_j^g m_j^hᵀ; the objective is Σ_g tr(Q_gᵀ A_gg A_gg Q_g) less the mean over other classes h of
    tr(Q_gᵀ A_gh A_hg Q_g): clusters within classes, none across; negative steps are cut off at 0. The weights +1 and
    −1/(C − 1) of the pairs of classes are ours, not checked against the paper's supervised form. clusters: q (None:
    the number of classes unsupervised, 1 supervised). Without ``supervised`` the target is not looked at.
    """

    def __init__(
        self, statistics: RowStatistics, *, supervised: bool = False, clusters: int | None = None, **how: Any
    ) -> None:
        super().__init__(statistics, **how)
        self.supervised, self.clusters = supervised, clusters

    def weigh(self, columns: NDArray[np.intp]) -> Scores:
        own = self.statistics
        X = own.standardised[:, columns]
        if own.weights is not None:
            X = X * np.sqrt(own.weights)[:, None]
        M = X / np.maximum(np.linalg.norm(X, axis=0), 1e-300)
        if not np.any(M):
            return np.zeros(columns.size)
        if self.supervised:
            parts = [_Part(M[own.codes == c]) for c in range(own.n_classes) if np.any(own.codes == c)]
            q = self.clusters or 1
        else:
            parts, q = [_Part(M)], self.clusters or max(own.n_classes, 2)
        random = self._random or np.random.default_rng(0)
        frames = [part.M.T @ _start(len(part.M), min(q, *part.M.shape), self.supervised, random) for part in parts]
        alpha = np.full(columns.size, columns.size**-0.5)
        rounds, size = 0, 0.0
        while rounds < ROUNDS:
            rounds += 1
            step: Scores = np.zeros(columns.size)
            for g, u in enumerate(frames):
                for h, part in enumerate(parts):
                    step += _sign(g, h, len(parts)) * (u * part.gram_times(alpha[:, None] * u)).sum(axis=1)
            step = np.maximum(step, 0.0) if self.supervised else step
            size = float(np.linalg.norm(step))
            if size <= 1e-300:
                break
            before, alpha = alpha, step / size
            frames = [part.frame(alpha[:, None] * u) for part, u in zip(parts, frames, strict=True)]
            if np.abs(alpha - before).max() <= SETTLED:
                break
        self._details = {"iterations": rounds, "energy": size}
        return alpha


class _Part:
    """Rows M (n, D), seen through MᵀM; the matrix itself where it is not much larger than the rows."""

    def __init__(self, M: Scores) -> None:
        self.M = M
        self._gram = M.T @ M if M.shape[1] <= 2 * len(M) else None

    def gram_times(self, B: Scores) -> Scores:
        """MᵀM B, for B (D, q)."""
        return self.M.T @ (self.M @ B) if self._gram is None else self._gram @ B

    def frame(self, B: Scores) -> Scores:
        """MᵀQ where the columns of Q are an orthonormal basis of those of MB."""
        out: Scores
        if self._gram is not None:
            product = self._gram @ B
            values, vectors = np.linalg.eigh(B.T @ product)  # of (MB)ᵀMB
            if values[0] > NEAR * values[-1]:
                out = product @ (vectors / np.sqrt(values))
                return out
        out = self.M.T @ np.linalg.qr(self.M @ B)[0]
        return out


def _start(n: int, q: int, supervised: bool, random: np.random.Generator) -> Scores:
    """Orthonormal columns; those of a class begin with the direction along which its means stand out."""
    frame = random.standard_normal((n, q))
    if supervised:
        frame[:, 0] = 1.0
    return np.linalg.qr(frame)[0]


def _sign(g: int, h: int, n_classes: int) -> float:
    return 1.0 if g == h else -1.0 / (n_classes - 1)

"""Block partial Cholesky of T + Λ and W + Λ, side by side.

T is the covariance of the lifted columns, W that of their residuals after regression on the lifted target, W = T − CᵀC
for C the covariances with the whitened target: a correction of low rank, never a second product of all columns. Λ is
the ridge. Only the rows of T of blocks in the set are ever asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
SMALLEST = 1e-9  # added where a block is factored: two columns of a group may be copies
SHORT = 8  # blocks up to this size are factored all at once, entry by entry


def whitened(cross: Floats, target: Floats) -> Floats:
    """(q, M) covariances with orthonormal combinations of the target forms; q is the rank of the forms."""
    spread = np.sqrt(np.maximum(np.diag(target), 0.0))
    used = np.flatnonzero(spread > 0)
    if not len(used):
        return np.zeros((0, len(cross)))
    scale = 1.0 / spread[used]
    values, vectors = np.linalg.eigh(target[np.ix_(used, used)] * np.outer(scale, scale))
    kept = values > 1e-9 * values.max()
    return np.asarray(((cross[:, used] * scale) @ (vectors[:, kept] / np.sqrt(values[kept]))).T)


class Side:
    """One of the two matrices: Schur complements of all blocks given the set, and the rows of the factor so far."""

    def __init__(self, blocks: Blocks, own: dict[int, Floats], n_lifted: int) -> None:
        self.blocks = blocks
        self.left = own
        self._rows = np.empty((0, n_lifted))
        self._used = 0

    @property
    def rows(self) -> Floats:
        """(rank of the set, M) rows of the partial Cholesky factor."""
        return self._rows[: self._used]

    def add(self, row: Floats, at: NDArray[np.intp]) -> None:
        """Take a block into the set: its (m, M) row of the matrix, ridge on its own part, and where that is."""
        before = self.rows
        row = row - before[:, at].T @ before
        own = row[:, at]
        factor = np.linalg.cholesky(0.5 * (own + own.T) + SMALLEST * np.eye(len(at)))
        # by the inverse of the small factor: a triangular solve copies many columns twice, and wakes threads for three
        row = np.linalg.inv(factor) @ row
        if self._used + len(row) > len(self._rows):
            grown = np.empty((max(16, 2 * (self._used + len(row))), self._rows.shape[1]))
            grown[: self._used] = before
            self._rows = grown
        self._rows[self._used : self._used + len(row)] = row
        self._used += len(row)
        for size, places in self.blocks.places.items():
            part = row[:, places]  # (m, blocks, size)
            left = self.left[size]
            for a in range(size):
                for b in range(a + 1):
                    left[:, a, b] -= np.einsum("rj,rj->j", part[:, :, a], part[:, :, b])
                    if a != b:
                        left[:, b, a] = left[:, a, b]

    def log_determinants(self) -> Floats:
        """(n_blocks,) log |V_jj·S|."""
        out = np.zeros(self.blocks.n)
        for size, numbers in self.blocks.numbers.items():
            out[numbers] = log_determinants(self.left[size])
        return out


class Blocks:
    """Which lifted columns each block has, blocks of a size together."""

    def __init__(self, lifted: Sequence[NDArray[np.intp]]) -> None:
        self.n = len(lifted)
        self.lifted = lifted
        self.sizes = np.array([len(one) for one in lifted], dtype=np.int64)
        self.numbers = {int(m): np.flatnonzero(self.sizes == m) for m in np.unique(self.sizes) if m}
        self.places = {m: np.stack([lifted[int(b)] for b in numbers]) for m, numbers in self.numbers.items()}


class Factor:
    """T + Λ and W + Λ given a set of blocks.

    blocks: `Blocks`; own: one (m, m) covariance a block; cross (q, M) with the whitened target; ridge (M,); rows(at):
    the (m, M) covariances of lifted columns with all.
    """

    def __init__(self, blocks: Blocks, own: dict[int, Floats], cross: Floats, ridge: Floats) -> None:
        self.blocks, self.cross, self.ridge = blocks, cross, ridge
        n_lifted = cross.shape[1]
        both: tuple[dict[int, Floats], dict[int, Floats]] = ({}, {})
        for size, places in blocks.places.items():
            diagonal = np.arange(size)
            total = own[size].copy()
            total[:, diagonal, diagonal] += ridge[places]
            part = cross[:, places]
            both[0][size] = total
            both[1][size] = total - np.einsum("qja,qjb->jab", part, part)
        self.total, self.within = Side(blocks, both[0], n_lifted), Side(blocks, both[1], n_lifted)

    def differences(self) -> Floats:
        """(n_blocks,) log |T_jj·S| − log |W_jj·S|: twice the joint information that each block adds, nats."""
        return self.total.log_determinants() - self.within.log_determinants()

    def add(self, at: NDArray[np.intp], rows: Floats, ridge: Floats | None = None) -> None:
        """Take the lifted columns ``at`` into the set; rows (m, M): their covariances with all."""
        if not len(at):
            return
        own = np.arange(len(at))
        total = rows.copy()
        total[own, at] += self.ridge[at] if ridge is None else ridge
        self.within.add(total - self.cross[:, at].T @ self.cross, at)
        self.total.add(total, at)


def log_determinants(V: Floats) -> Floats:
    """(n,) of (n, m, m) positive definite matrices; small ones by Cholesky, all matrices at once."""
    size = V.shape[1]
    if size > SHORT:
        return np.asarray(np.linalg.slogdet(V)[1])
    L = np.zeros_like(V)
    out = np.zeros(len(V))
    for a in range(size):
        pivot = V[:, a, a] - np.einsum("jc,jc->j", L[:, a, :a], L[:, a, :a])
        pivot = np.maximum(pivot, 1e-12)
        out += np.log(pivot)
        root = np.sqrt(pivot)
        for b in range(a + 1, size):
            L[:, b, a] = (V[:, b, a] - np.einsum("jc,jc->j", L[:, b, :a], L[:, a, :a])) / root
    return out

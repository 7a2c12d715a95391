"""Scores on a graph of rows: a good feature is alike for rows that are near."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput
from ..statistics.rows import RowStatistics
from .measure import Scores
from .ordering import Weighing

BLOCK = 512  # rows of a dense graph that exist at a time


class _Graph:
    """Similarities S of rows, never all at once: ``times(F)`` is S F, ``degree`` is S 1."""

    def __init__(self, own: RowStatistics, X: Scores, kind: str, n_neighbors: int) -> None:
        self._kind, self._X, self._codes = kind, X, own.codes
        self._v = np.ones(len(X)) if own.weights is None else own.weights
        self._sparse: Any = None
        self._width = 1.0
        if kind == "knn":
            self._sparse = _neighbours(X, n_neighbors)
        elif kind == "rbf":
            self._width = max(float(np.var(X, axis=0).sum()), 1e-300)  # half the mean squared distance
        self.degree = self.times(np.ones((len(X), 1)))[:, 0]

    def times(self, F: Scores) -> Scores:
        F = F * self._v[:, None]
        if self._kind == "class":
            sums = np.zeros((int(self._codes.max()) + 1, F.shape[1]))
            np.add.at(sums, self._codes, F)
            counts = np.maximum(np.bincount(self._codes, self._v, minlength=len(sums)), 1e-300)
            return (sums / counts[:, None])[self._codes]
        if self._sparse is not None:
            return np.asarray(self._sparse @ F)
        out = np.empty((len(self._X), F.shape[1]))
        square = (self._X**2).sum(axis=1)
        for start in range(0, len(out), BLOCK):
            some = slice(start, start + BLOCK)
            distance = square[some, None] + square - 2.0 * self._X[some] @ self._X.T
            out[some] = np.exp(np.maximum(distance, 0.0) / (-2.0 * self._width)) @ F
        return out


def _neighbours(X: Scores, n_neighbors: int) -> Any:
    """Heat kernel of width the mean squared neighbour distance, between rows of which one is near the other."""
    from scipy import sparse
    from sklearn.neighbors import kneighbors_graph

    graph = kneighbors_graph(X, min(n_neighbors, len(X) - 1), mode="distance")
    width = max(float((graph.data**2).mean()), 1e-300) if graph.nnz else 1.0
    graph.data = np.exp(-(graph.data**2) / width)
    return sparse.csr_matrix(graph.maximum(graph.T))


class Spec(Weighing):
    """−φ(f_j) on L = I − D^{−1/2} S D^{−1/2} with f̂ = D^{1/2} f / ‖D^{1/2} f‖ (Zhao & Liu 2007).

    φ1 = f̂ᵀ L f̂; φ2 = φ1 / (1 − (f̂ᵀξ)²), ξ the trivial eigenvector D^{1/2} 1 (``score="phi1"``, ``"phi2"``). graph:
    ``"class"`` S = 1 / n_c within class c (supervised), ``"rbf"`` all rows by distance, ``"knn"`` near rows only (both
    without the target). A constant column scores lowest. Sibling: `Laplacian`.
    """

    def __init__(
        self,
        statistics: RowStatistics,
        random: np.random.Generator | None = None,
        n_jobs: int | None = None,
        graph: str = "class",
        score: str = "phi2",
        n_neighbors: int = 5,
    ) -> None:
        super().__init__(statistics)
        self.graph, self.score, self.n_neighbors = graph, score, int(n_neighbors)

    def weigh(self, columns: NDArray[np.intp]) -> Scores:
        own = self.statistics
        if own.n_rows < 2:
            raise InvalidInput(f"X: a graph of rows needs at least 2, got {own.n_rows}")
        X = own.standardised[:, columns]
        graph = _Graph(own, X, self.graph, self.n_neighbors)
        v = np.ones(len(X)) if own.weights is None else own.weights
        return self._scores(X, graph, v * graph.degree)

    def _scores(self, X: Scores, graph: _Graph, degree: Scores) -> Scores:
        v = degree / np.maximum(graph.degree, 1e-300)
        spread = degree @ X**2
        constant = spread <= 1e-12 * degree.sum()
        inside = np.einsum("ij,ij->j", X * v[:, None], graph.times(X))
        phi = 1.0 - inside / np.where(constant, 1.0, spread)
        if self.score == "phi2":
            trivial = (degree @ X) ** 2 / (degree.sum() * np.where(constant, 1.0, spread))
            phi = phi / np.maximum(1.0 - trivial, 1e-12)
        return np.where(constant, -2.0, -phi)


class Laplacian(Spec):
    """−f̃ᵀ L f̃ / f̃ᵀ D f̃, L = D − S, f̃ = f − (fᵀD1 / 1ᵀD1) 1: the Laplacian score (He, Cai & Niyogi 2005).

    It is φ2 of `Spec`, here on near rows (``graph="knn"``, heat kernel) unless told; the target is not looked at.
    """

    def __init__(
        self,
        statistics: RowStatistics,
        random: np.random.Generator | None = None,
        n_jobs: int | None = None,
        graph: str = "knn",
        n_neighbors: int = 5,
    ) -> None:
        super().__init__(statistics, random, n_jobs, graph, "phi2", n_neighbors)

"""Scores on a graph of rows: a good feature is alike for rows that are near."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidInput
from ...statistics.rows import RowStatistics
from ..measure import Scores
from .ordering import Weighing

BLOCK = 512  # rows of a dense graph that exist at a time
SAME = 1e-12  # relative difference of distances that is rounding


class _Graph:
    """Similarities S of rows, never all at once: ``times(F)`` is S F, ``degree`` is S 1.

    A row of weight w is w rows: each of them has the w − 1 others at distance 0, and itself not at all among near rows.
    """

    def __init__(self, own: RowStatistics, X: Scores, kind: str, n_neighbors: int) -> None:
        self._kind, self._X, self._codes = kind, X, own.codes
        self._v = np.ones(len(X)) if own.weights is None else own.weights
        self._sparse: Any = None
        self._width = 1.0
        if kind == "knn":
            self._sparse = _neighbours(X, self._v, n_neighbors)
        elif kind == "rbf":  # half the mean squared distance of two rows
            mean = self._v @ X / self._v.sum()
            self._width = max(float((self._v @ (X - mean) ** 2).sum() / self._v.sum()), 1e-300)
        self.degree = self.times(np.ones((len(X), 1)))[:, 0]

    def times(self, F: Scores) -> Scores:
        if self._sparse is not None:  # the weights are in it
            return np.asarray(self._sparse @ F)
        F = F * self._v[:, None]
        if self._kind == "class":
            sums = np.zeros((int(self._codes.max()) + 1, F.shape[1]))
            np.add.at(sums, self._codes, F)
            counts = np.maximum(np.bincount(self._codes, self._v, minlength=len(sums)), 1e-300)
            return (sums / counts[:, None])[self._codes]
        out = np.empty((len(self._X), F.shape[1]))
        for some, distance in _distances(self._X):
            out[some] = np.exp(distance / (-2.0 * self._width)) @ F
        return out


def _distances(X: Scores) -> Iterator[tuple[slice, Scores]]:
    """Squared distances of a block of rows to all rows, block after block."""
    square = (X**2).sum(axis=1)
    for start in range(0, len(X), BLOCK):
        some = slice(start, start + BLOCK)
        distance = square[some, None] + square - 2.0 * X[some] @ X.T
        np.copyto(distance, 0.0, where=distance <= SAME * (square[some, None] + square))
        yield some, distance


def _neighbours(X: Scores, v: Scores, n_neighbors: int) -> Any:
    """Heat kernel between rows of which one is near the other, times the weight of the other, sparse.

    Near are the n_neighbors other rows of the least distance and whatever is as near as the last of them, so that
    neither the order of rows nor weights instead of repeated rows make a difference. Width: the mean squared distance
    of near rows.
    """
    from scipy import sparse

    n = len(X)
    wanted = min(float(n_neighbors), v.sum() - 1.0)
    again = np.maximum(v - 1.0, 0.0)  # of each row, beside itself
    most = min(n, int(np.ceil(wanted / v.min())) + 1)  # rows that are surely enough, the row itself among them
    near: list[Any] = []
    for some, distance in _distances(X):
        rows = np.arange(n)[some]
        place = np.arange(len(rows))
        weight = np.tile(v, (len(rows), 1))
        weight[place, rows] = again[some]
        nearest = np.argpartition(distance, most - 1, axis=1)[:, :most]
        order = np.take_along_axis(nearest, np.argsort(np.take_along_axis(distance, nearest, axis=1), axis=1), axis=1)
        reached = np.cumsum(np.take_along_axis(weight, order, axis=1), axis=1) >= wanted * (1.0 - SAME)
        last = np.where(reached.any(axis=1), reached.argmax(axis=1), most - 1)
        radius = distance[place, order[place, last]]
        inside = (distance <= radius[:, None] * (1.0 + SAME)) & (weight > 0)
        at: Any = np.nonzero(inside)
        near.append(sparse.csr_matrix((distance[at] + 1.0, at), shape=distance.shape))  # + 1: distance 0 is an edge too
    graph: Any = sparse.vstack(near).tocoo()
    mass = v[graph.row] * np.where(graph.row == graph.col, again[graph.col], v[graph.col])
    width = max(float(mass @ (graph.data - 1.0) / mass.sum()), 1e-300) if mass.sum() > 0 else 1.0
    kernel: Any = sparse.csr_matrix((np.exp(-(graph.data - 1.0) / width), (graph.row, graph.col)), shape=(n, n))
    kernel = kernel.maximum(kernel.T).tocoo()
    kernel.data *= np.where(kernel.row == kernel.col, again[kernel.col], v[kernel.col])
    return kernel.tocsr()


class Spec(Weighing):
    """−φ(f_j) on L = I − D^{−1/2} S D^{−1/2} with f̂ = D^{1/2} f / ‖D^{1/2} f‖ (Zhao & Liu 2007).

    φ1 = f̂ᵀ L f̂; φ2 = φ1 / (1 − (f̂ᵀξ)²), ξ the trivial eigenvector D^{1/2} 1 (``score="phi1"``, ``"phi2"``). graph:
    ``"class"`` S = 1 / n_c within class c (supervised), ``"rbf"`` all rows by distance, ``"knn"`` near rows only (both
    without the target). A constant column scores lowest. Sibling: `Laplacian`.
    """

    def __init__(
        self, statistics: RowStatistics, *, graph: str = "class", score: str = "phi2", n_neighbors: int = 5, **how: Any
    ) -> None:
        super().__init__(statistics, **how)
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

    It is φ2 of `Spec`, by default on neighbouring rows (``graph="knn"``, heat kernel). It ignores the target.
    """

    def __init__(self, statistics: RowStatistics, *, graph: str = "knn", n_neighbors: int = 5, **how: Any) -> None:
        super().__init__(statistics, graph=graph, n_neighbors=n_neighbors, **how)

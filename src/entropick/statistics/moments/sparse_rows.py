"""SparseRows: the entries of a sparse table, where rows of covariances are sums over the entries of few rows.

Row i of a covariance is Σ x_i x_j over the rows in which column i is not zero, less the product of the means: with most
cells zero, means are small beside deviations and little cancels. A column without zeros is taken less one value.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.sparse_rows import add_rows, column_moments, target_products
from ...threads import parallel, thread_count
from .moments import ClassMeans, Floats

POSTINGS = 0.2  # of the cells; with more entries full matrices or rows cost less
SHARE = 4096  # columns that a thread takes at a time


class SparseRows(ClassMeans):
    """What `CentredRows` keeps, of a matrix by columns (csc) and by rows (csr, made where it is None).

    values (n, q): continuous targets, counted among the features as its last; q = 0 for classes.
    """

    def __init__(
        self,
        csc: Any,
        csr: Any,
        codes: NDArray[Any],
        n_classes: int,
        values: Floats | None = None,
        weights: NDArray[Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        n, d = csc.shape
        self.csc, self._csr = csc, csr
        self.n_targets = 0 if values is None else values.shape[1]
        self.n_features, self.n_classes = d + self.n_targets, n_classes
        self.codes = np.ascontiguousarray(codes, np.int64)
        self.weights: Floats = np.empty(0) if weights is None else np.ascontiguousarray(weights, np.float64)
        self.counts = np.bincount(self.codes, weights, n_classes).astype(np.float64)
        at = csc.indptr.astype(np.int64)
        full = np.diff(at) == n
        self.origin = np.zeros(self.n_features)
        self.origin[:d][full] = csc.data[at[:-1][full]]
        self.shifts = np.zeros((n_classes, self.n_features))
        self.squares: Floats = np.zeros((n_classes, self.n_features))
        parallel(
            lambda first: column_moments(
                csc.data, at, csc.indices, self.codes, self.weights, self.origin, self.counts, first,
                min(first + SHARE, d), self.shifts, self.squares,
            ),
            range(0, d, SHARE),
            thread_count(n_jobs),
        )  # fmt: skip
        self.targets: Floats = np.empty((0, n))
        if values is not None:
            w = np.ones(n) if weights is None else self.weights
            self.origin[d:] = w @ values / w.sum()
            self.targets = np.ascontiguousarray((values - self.origin[d:]).T)
            self.squares[0, d:] = (w * self.targets**2).sum(axis=1)

    @cached_property
    def csr(self) -> Any:
        """The matrix by rows."""
        return self.csc.tocsr() if self._csr is None else self._csr

    def scatter_rows(self, i: int) -> Floats:
        """(n_classes, D) Σ w (x_i − mean)(x_j − mean) of every class."""
        d, csc, csr = self.csc.shape[1], self.csc, self.csr
        held = slice(csc.indptr[i], csc.indptr[i + 1])
        rows, own = csc.indices[held], csc.data[held].astype(np.float64) - self.origin[i]
        if self.weights.size:
            own = own * self.weights[rows]
        out = np.zeros((self.n_classes, d))
        add_rows(csr.indptr, csr.indices, csr.data, rows, own, self.codes, self.origin, out)
        out -= (self.counts * self.shifts[:, i])[:, None] * self.shifts[:, :d]
        return out

    def scatter_block(self, c: int, columns: NDArray[np.intp]) -> Floats:
        """(m, m) the same of one class over some columns."""
        rows = np.flatnonzero(self.codes == c)
        some = self.csc[:, columns].tocsc()
        entries = np.diff(some.indptr)
        own = type(some)(
            (some.data - np.repeat(self.origin[columns], entries), some.indices, some.indptr), shape=some.shape
        )
        part = own.tocsr()[rows]
        weighted = part.multiply(self.weights[rows][:, None]).tocsr() if self.weights.size else part
        means = self.shifts[c, columns]
        return np.asarray((weighted.T @ part).toarray() - self.counts[c] * np.outer(means, means))

    def target_scatter(self) -> tuple[Floats, Floats]:
        """(q, q) and (q, D) Σ w of products of centred targets, and of these with the columns."""
        weighted = self.targets * self.weights if self.weights.size else self.targets
        crossed = np.empty((self.n_targets, self.csc.shape[1]))
        at = self.csc.indptr.astype(np.int64)
        target_products(self.csc.data, at, self.csc.indices, weighted, self.origin, crossed)
        return weighted @ self.targets.T, crossed


def sparse_rows(
    table: Any, target: Any, n_classes: int, weights: NDArray[Any] | None, n_jobs: int | None
) -> SparseRows | None:
    """The entries of a sparse table, where they are few; a regression is one class."""
    csc = getattr(table, "csc", None)
    if csc is None or csc.nnz > POSTINGS * csc.shape[0] * csc.shape[1]:
        return None
    csr = table.csr
    if csc.dtype not in (np.float64, np.float32):
        csc, csr = csc.astype(np.float64), None
    if target.task != "regression":
        return SparseRows(csc, csr, target.codes, n_classes, None, weights, n_jobs)
    values = np.asarray(target.values, np.float64).reshape(csc.shape[0], -1)
    return SparseRows(csc, csr, np.zeros(csc.shape[0], np.int64), n_classes, values, weights, n_jobs)

"""One interface over both Gaussian memories: standardised class covariances, read row by row.

Every column is divided by its total standard deviation, so all covariances below are without unit. With

    Σ_W = Σ_c p_c Σ_c            covariance within the classes
    Σ*  = Σ_W + ZᵀZ              total covariance

Z has one row a class, sqrt(p_c) (m_c − m). A continuous target is the same thing with one class: Σ_W is the
covariance of the residuals of X given y and the rows of Z are the covariances of X with whitened y, so that
1 − R² = |Σ_W| / |Σ*| on any set of columns.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidInput
from ...kernels.row_products import STRIP, row_products
from ...threads import blas_thread_count, parallel
from .centred_rows import CentredRows
from .moments import Floats, Moments
from .sparse_rows import SparseRows

THREAD_BYTES = 64 << 20  # of rows before a second thread pays: it sleeps between two products, and wakes slowly
CONSTANT = 1e-13  # a standard deviation below this times |mean| is rounding


class View:
    """What a Gaussian measure may ask.

    Attributes
    ----------
    n_features : D, targets not counted; n_classes : C, 1 for regression; n_samples : total weight.
    counts, priors : (C,) weight of each class and its share.
    means : (C, D) class means less the total mean, standardised.
    between : (g, D) the matrix Z, turned so that g = C − 1 rows suffice (its rows have a dependence).
    contrasts : (g, C) that turn.
    variances : (C, D) diagonals of the class covariances.
    constant : (D,) columns without any variance.
    n_targets : number of continuous targets, 0 for classes.
    """

    in_rows = False
    memory = "matrices"

    def __init__(self, kept: Moments | CentredRows | SparseRows, squares: Floats) -> None:
        if kept.n_samples <= 0:
            raise InvalidInput("X: needs at least one row, got none")
        self.n_targets = q = kept.n_targets
        self.n_features = d = kept.n_features - q
        present = np.flatnonzero(kept.counts > 0)
        self.present = present
        self.n_classes = len(present)
        self.counts: Floats = kept.counts[present]
        self.n_samples = kept.n_samples
        self.priors: Floats = self.counts / self.n_samples
        gaps = kept.shifts[present] - self.priors @ kept.shifts[present]
        total = (self.priors[:, None] * squares[present] / self.counts[:, None]).sum(0)
        total += (self.priors[:, None] * gaps**2).sum(0)
        bad = np.flatnonzero(~np.isfinite(total))
        if len(bad):
            raise InvalidInput(
                f"X: Gaussian methods need finite values below 1e150, column {bad[0]} has others; impute or drop them"
            )
        deviation = np.sqrt(total)
        size = np.abs(kept.means[present]).max(axis=0)
        self.constant: NDArray[np.bool_] = (deviation <= CONSTANT * size)[:d]
        deviation[deviation <= CONSTANT * size] = np.inf  # standardises a constant column to nothing
        self.unit: Floats = 1.0 / deviation[:d]
        self.target_unit: Floats = 1.0 / deviation[d:]
        self.means: Floats = gaps[:, :d] * self.unit
        self.variances: Floats = squares[present, :d] / self.counts[:, None] * self.unit**2
        self.contrasts: Floats = _contrasts(np.sqrt(self.priors))
        self.between: Floats = self.contrasts @ (np.sqrt(self.priors)[:, None] * self.means)

    def class_rows(self, i: int) -> Floats:
        """(C, D) row i of every class covariance."""
        raise TypeError("a view of nothing has no rows")

    def class_block(self, c: int, columns: NDArray[np.intp]) -> Floats:
        """(m, m) covariance of class c over these columns."""
        return np.array([self.class_rows(int(i))[c, columns] for i in columns])

    @property
    def within(self) -> Floats:
        """(D,) diagonal of the pooled covariance Σ_W."""
        return self.priors @ self.variances

    def _condition_on_targets(self, covariance: Floats, crossed: Floats) -> None:
        """Z from the target's covariance (q, q) and its covariances with the columns (q, D)."""
        values, vectors = np.linalg.eigh(covariance)
        keep = values > 1e-10 * max(values.max(initial=0.0), 1e-300)
        if not keep.any():
            raise InvalidInput("y: a numeric target must not be constant")
        whiten = (vectors[:, keep] / np.sqrt(values[keep])).T
        self.whiten: Floats = whiten
        self.between = whiten @ crossed
        self.variances = np.maximum(self.variances - (self.between**2).sum(0), 0.0)


class MatrixView(View):
    """The view of full scatter matrices: a row is read."""

    def __init__(self, kept: Moments) -> None:
        self.kept = kept
        super().__init__(kept, np.array([s.diagonal() for s in kept.scatter]))
        d, q = self.n_features, self.n_targets
        if q:
            full = [kept.class_row(0, d + t) / self.n_samples * self.target_unit[t] for t in range(q)]
            self._condition_on_targets(
                np.array([row[d:] * self.target_unit for row in full]),
                np.array([row[:d] * self.unit for row in full]),
            )

    def class_rows(self, i: int) -> Floats:
        d = self.n_features
        rows = np.empty((self.n_classes, d))
        for c, n in enumerate(self.counts):
            np.multiply(self.kept.class_row(self.present[c], i)[:d], self.unit[i] / n, out=rows[c])
        rows *= self.unit
        if self.n_targets:
            rows[0] -= self.between[:, i] @ self.between
        return rows

    def class_block(self, c: int, columns: NDArray[np.intp]) -> Floats:
        block: Floats = self.kept.class_matrix(self.present[c], columns) / self.counts[c]
        block *= np.outer(self.unit[columns], self.unit[columns])
        if self.n_targets:
            block -= self.between[:, columns].T @ self.between[:, columns]
        return block


class RowsView(View):
    """The view of centred rows: a row of a covariance is a product with the data."""

    in_rows = True
    memory = "rows"

    def __init__(self, kept: CentredRows) -> None:
        self.kept = kept
        squares = np.zeros((kept.n_classes, kept.n_features))
        for c, part in kept.classes():
            squares[c] = np.einsum("ij,ij->j", kept.rows[part], kept.rows[part])
        super().__init__(kept, squares)
        self.codes = np.searchsorted(self.present, kept.codes)
        self._ends = np.searchsorted(self.codes, np.arange(self.n_classes + 1))
        d = self.n_features
        self._spans = _spans(d, min(blas_thread_count(kept.n_jobs), 1 + kept.rows.nbytes // THREAD_BYTES))
        self._basis: Floats | None = None
        if self.n_targets:
            y = kept.rows[:, d:] * self.target_unit
            self._condition_on_targets(y.T @ y / self.n_samples, (y.T @ kept.rows[:, :d]) * self.unit / self.n_samples)
            self._basis = y @ self.whiten.T / np.sqrt(self.n_samples)

    @property
    def n_rows(self) -> int:
        """Rows held."""
        return len(self.codes)

    def column(self, i: int) -> Floats:
        """(n_rows,) column i, centred by class (or its residual given the targets), standardised."""
        return self._residual(self.kept.rows[:, i] * self.unit[i])

    def columns(self, which: NDArray[np.intp]) -> Floats:
        """(n_rows, m) these columns alike."""
        return self._residual(self.kept.rows[:, which] * self.unit[which])

    def ranges(self, classes: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """(M,) the first row of these classes (M, C) and the end of the last; empty where there are none."""
        starts = self._ends[classes.argmax(axis=1)]
        stops = self._ends[self.n_classes - classes[:, ::-1].argmax(axis=1)]
        return starts, np.where(classes.any(axis=1), stops, starts)

    def products(
        self,
        left: Floats,
        ranges: tuple[NDArray[np.intp], NDArray[np.intp]],
        out: Floats,
        then: Callable[[slice], None] | None = None,
    ) -> None:
        """out (M, D) = left (M, n_rows) times the centred, standardised data, in one pass over them.

        ranges: left[m] is 0 outside of these rows, and out[m] is left alone where there are none. then: what follows
        for a range of columns as soon as it is done, on the same thread.
        """
        if self._basis is not None:
            left = np.ascontiguousarray(self._residual(left.T).T)

        def span(part: slice) -> None:
            row_products(self.kept.rows, left, *ranges, self.unit, part.start, part.stop, out)
            if then is not None:
                then(part)

        parallel(span, self._spans, len(self._spans))

    def class_rows(self, i: int) -> Floats:
        own = np.arange(self.n_classes)[:, None] == self.codes
        rows = np.empty((self.n_classes, self.n_features))
        ranges = self._ends[:-1], self._ends[1:]
        self.products(own * (self.column(i) / self.counts[self.codes]), ranges, rows)
        return rows

    def class_block(self, c: int, columns: NDArray[np.intp]) -> Floats:
        part = self.columns(columns)[self.codes == c]
        out: Floats = part.T @ part / self.counts[c]
        return out

    def _residual(self, left: Floats) -> Floats:
        return left if self._basis is None else left - self._basis @ (self._basis.T @ left)


class SparseView(View):
    """The view of the entries of a sparse table: a row of a covariance is a sum over the rows where it has entries."""

    memory = "entries"

    def __init__(self, kept: SparseRows) -> None:
        self.kept = kept
        super().__init__(kept, kept.squares)
        if self.n_targets:
            targets, crossed = kept.target_scatter()
            n = self.n_samples
            self._condition_on_targets(
                targets / n * np.outer(self.target_unit, self.target_unit),
                crossed / n * np.outer(self.target_unit, self.unit),
            )

    def class_rows(self, i: int) -> Floats:
        rows = self.kept.scatter_rows(i)[self.present]
        rows *= self.unit * (self.unit[i] / self.counts)[:, None]
        if self.n_targets:
            rows[0] -= self.between[:, i] @ self.between
        return rows

    def class_block(self, c: int, columns: NDArray[np.intp]) -> Floats:
        block: Floats = self.kept.scatter_block(int(self.present[c]), columns) / self.counts[c]
        block *= np.outer(self.unit[columns], self.unit[columns])
        if self.n_targets:
            block -= self.between[:, columns].T @ self.between[:, columns]
        return block


def _spans(d: int, n_threads: int) -> list[slice]:
    """Ranges of columns, one a thread, that begin where a strip does."""
    strips = -(-d // STRIP)
    ends = [STRIP * (strips * t // n_threads) for t in range(n_threads)] + [d]
    return [slice(a, b) for a, b in itertools.pairwise(ends) if a < b]


def _contrasts(direction: Floats) -> Floats:
    """(C − 1, C) orthonormal rows at right angles to a unit vector; (1, 1) for one class."""
    if len(direction) == 1:
        return np.ones((1, 1))
    basis, _ = np.linalg.qr(np.column_stack([direction, np.eye(len(direction))[:, 1:]]))
    return basis[:, 1:].T


AnyView = MatrixView | RowsView | SparseView


def view_of(kept: Any) -> AnyView:
    """The view of what is kept; a view is returned as it is."""
    if isinstance(kept, (MatrixView, RowsView, SparseView)):
        return kept
    if isinstance(kept, SparseRows):
        return SparseView(kept)
    return RowsView(kept) if isinstance(kept, CentredRows) else MatrixView(kept)

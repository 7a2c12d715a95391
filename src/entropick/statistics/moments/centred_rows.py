"""CentredRows: the rows themselves, centred by class, for tables with far more columns than rows.

With n = 72 and D = 50 000 a covariance matrix has 2.5e9 entries of which a selection of k features reads
k rows. Those rows are one product with the data each; so the data are the memory, and the matrix is never
built. It answers the same questions as `Moments` (`views` puts both behind one interface).
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from .moments import ClassMemory, Floats


class CentredRows(ClassMemory):
    """Rows of every class less the mean of their class; mergeable by concatenation.

    Attributes
    ----------
    rows : (n, n_features) float64, centred by class, each times sqrt(its weight).
    codes : (n,) class of each row.
    n_jobs : threads that products with the rows take; None is as many as BLAS.
    """

    def __init__(self, n_features: int, n_classes: int, n_targets: int = 0, n_jobs: int | None = None) -> None:
        super().__init__(n_features, n_classes, n_targets)
        self.n_jobs = n_jobs
        self.rows: Floats = np.zeros((0, n_features))
        self.codes: NDArray[np.intp] = np.zeros(0, dtype=np.intp)
        self.weights: Floats = np.zeros(0)

    def _add(self, block: NDArray[Any], codes: NDArray[np.intp], weights: Floats | None, order: Any) -> Self:
        new = type(self)(self.n_features, self.n_classes, self.n_targets, self.n_jobs)
        new.codes = codes[order]
        new.weights = np.ones(len(order)) if weights is None else weights[order]
        new.rows = np.empty((len(order), self.n_features))
        if len(order):
            new.origin = block[order[0]].astype(np.float64)
        for row, i in zip(new.rows, order, strict=True):  # one at a time: no second copy of the block
            np.subtract(block[i], new.origin, out=row)
        for c, where in new.classes():
            w = new.weights[where]
            new.counts[c] = w.sum()
            if new.counts[c] > 0:
                new.shifts[c] = w @ new.rows[where] / new.counts[c]
            new.rows[where] -= new.shifts[c]
            if weights is not None:
                new.rows[where] *= np.sqrt(w)[:, None]
        if not len(self.codes):
            self.__dict__.update(new.__dict__)
            return self
        return self.merge(new)

    def merge(self, other: CentredRows) -> Self:
        """Take in another memory of the same columns and classes."""
        self._check_same(other)
        if not len(self.codes):
            self.origin = other.origin.copy()
        theirs = other.shifts + (other.origin - self.origin)
        total = self.counts + other.counts
        share = np.divide(other.counts, total, out=np.zeros_like(total), where=total > 0)
        shifts = self.shifts + share[:, None] * (theirs - self.shifts)
        codes = np.concatenate([self.codes, other.codes])
        order = np.argsort(codes, kind="stable")
        ours = self._moved(self.shifts - shifts)
        self.rows = np.concatenate([ours, other._moved(theirs - shifts)])[order]
        self.codes = codes[order]
        self.weights = np.concatenate([self.weights, other.weights])[order]
        self.counts, self.shifts = total, shifts
        return self

    def _moved(self, by: Floats) -> Floats:
        rows = self.rows.copy()
        for c, part in self.classes():
            rows[part] += np.sqrt(self.weights[part])[:, None] * by[c]
        return rows

    def classes(self) -> list[tuple[int, slice]]:
        """Each class that has rows, and where they are."""
        ends = np.searchsorted(self.codes, np.arange(self.n_classes + 1))
        return [(c, slice(ends[c], ends[c + 1])) for c in range(self.n_classes) if ends[c] < ends[c + 1]]
